"""``moontable enrol``, ``lens`` and ``read``: learn a copy of the game, and read photographs with it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.charuco import measure_lens
from calibration.commands import add_code_size
from calibration.layout import TableLayout
from calibration.pointed_board import PointedBoard, read_pointed_board
from calibration.profile import LensRecord, Profile
from calibration.store import load_profile, save_profile
from companion.commands import EXIT_REFUSED, Commands
from companion.errors import MalformedError, ProfileError
from companion.games import registry
from companion.i18n import msg
from companion.printing import print_json
from companion.record.game_record import parse_object
from companion.storage.strict import as_choice, as_map, named, read_bytes
from ui.assembly.layouts import layout_of
from vision.arrays import Image
from vision.capture.sources import open_picture_file
from vision.diagnostics.diagnosis import write_diagnosis
from vision.enrolment.cards import learn_cards
from vision.enrolment.enrol import Photographs, enrol
from vision.enrolment.naming import Named
from vision.enrolment.photograph_names import BUILT, EMPTY, PIECES, SKETCH
from vision.enrolment.photographed_tiles import PhotographNamer
from vision.enrolment.wrong_photographs import check_photographs
from vision.faces.locator import why_not_found
from vision.reader import Reader
from vision.simulation.art import COLOURS

GAME: Final = registry.lookup(registry.DEFAULT)
BOX: Final = registry.components(registry.DEFAULT)


def add_commands(commands: Commands) -> None:
    """Add ``enrol`` and ``read``."""
    learn = commands.add_parser(
        "enrol", help="learn your copy of the game from photographs and save it as a profile"
    )
    learn.add_argument("--profile", required=True, type=Path, metavar="DIR", help="folder for the profile")
    learn.add_argument("--edition", required=True, choices=BOX.editions)
    learn.add_argument("--players", required=True, help="colours in seat order, for example purple,white")
    for name, what in (
        ("empty", "fiducials only, with or without the obelisk"),
        ("sketch", "all tiles, sketch side up"),
        ("built", "all tiles, built side up"),
    ):
        learn.add_argument(f"--{name}", required=True, type=Path, metavar="IMG", help=what)
    learn.add_argument(
        "--layout",
        type=Path,
        metavar="JSON",
        help="which tile is on which cell; tiles that are left out are recognised",
    )
    add_code_size(learn)
    learn.add_argument("--pieces", type=Path, metavar="IMG", help="markers, figures and dragons in place")
    learn.add_argument("--pieces-state", type=Path, metavar="JSON", help="the table state of that photograph")
    learn.add_argument(
        "--board",
        type=Path,
        metavar="JSON",
        help="where the obelisk's boxes are in a photograph, when they are not found by themselves",
    )
    learn.add_argument(
        "--cards",
        nargs="+",
        type=Path,
        metavar="IMG",
        default=[],
        help="all cards face up on the empty table, not touching, row by row in the order of the rules",
    )
    learn.set_defaults(func=run_enrol)
    lens = commands.add_parser("lens", help="measure the camera's lens with the printed lens sheet")
    lens.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="the sheet, tilted differently each time"
    )
    lens.add_argument("--profile", required=True, type=Path, metavar="DIR", help="profile for the lens")
    lens.set_defaults(func=run_lens)
    read = commands.add_parser("read", help="say what is on photographed tables")
    read.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    read.add_argument("--profile", required=True, type=Path, metavar="DIR")
    read.add_argument("--debug", type=Path, metavar="DIR", help="write each step of the reading here")
    read.add_argument("--json", action="store_true")
    read.set_defaults(func=run_read)


def run_enrol(arguments: argparse.Namespace) -> int:
    """Run ``enrol``."""
    if (arguments.pieces is None) != (arguments.pieces_state is None):
        raise MalformedError("--pieces and --pieces-state go together")
    players = _players(arguments.players)
    layout = layout_of(BOX).with_codes_of(arguments.code_size)
    state = {} if arguments.pieces_state is None else GAME.parse_table(_object(arguments.pieces_state))
    sketch = open_picture_file(arguments.sketch)
    built = open_picture_file(arguments.built)
    empty = open_picture_file(arguments.empty)
    pieces = None if arguments.pieces is None else open_picture_file(arguments.pieces)
    said = {} if arguments.layout is None else tiles_of(arguments.layout)
    board = (
        None if arguments.board is None else _board(arguments.board, layout, has_pieces=pieces is not None)
    )
    given = {EMPTY: empty, SKETCH: sketch, BUILT: built}
    check_photographs(
        given if pieces is None else {**given, PIECES: pieces},
        layout,
        state,
        report=lambda what: print(f"looking at {what} ...", file=sys.stderr),
    )
    print("reading the tiles' boxes ...", file=sys.stderr)
    namer = PhotographNamer(sketch, layout, BOX.tiles, COLOURS)
    named = _named(namer, said)
    # A layout of all cells applies to both photographs.
    turned = namer.turned_over(named, built) if len(said) < len(BOX.cells) else None
    photographs = Photographs(
        empty=empty,
        sketch=sketch,
        built=built,
        pieces=pieces,
        tiles={cell: one.tile for cell, one in named.items()},
        turns={cell: one.turn for cell, one in named.items()},
        built_tiles=None if turned is None else turned.tiles,
        built_turns={} if turned is None else turned.turns,
        shown=state,
        board=board,
    )
    profile = enrol(
        photographs,
        layout,
        edition=arguments.edition,
        players=players,
        boxes_of_tile=BOX.boxes_of_tile,
        report=lambda what: print(f"learning {what} ...", file=sys.stderr),
    )
    if arguments.cards:
        print("learning the cards ...", file=sys.stderr)
        profile = learn_cards(
            profile, photographs.empty, [open_picture_file(file) for file in arguments.cards], BOX.cards
        )
    save_profile(_with_what_stays(profile, arguments.profile), arguments.profile)
    kinds = f"{len(profile.faces)} faces of tiles, {len(profile.pieces)} kinds of pieces"
    print(f"{arguments.profile}: {kinds}")
    for one in profile.not_learnt:
        print(f"not learnt: {one.why}", file=sys.stderr)
    _tell_differences(named, arguments.profile)
    return 0


def _players(text: str) -> tuple[str, ...]:
    """Return the colours that an option names; raises MalformedError if they cannot play together."""
    players = tuple(name for name in text.split(",") if name)
    if not 2 <= len(players) <= 4 or len(set(players)) != len(players):
        raise MalformedError("--players are two to four different colours, separated by commas")
    return players


def _board(file: Path, layout: TableLayout, *, has_pieces: bool) -> PointedBoard:
    """Return where the board's boxes are according to a file; raises MalformedError."""
    board = read_pointed_board(file, sum(layout.board_rows))
    if board.picture == PIECES and not has_pieces:
        raise MalformedError(f"{file} points at the photograph of the pieces; give it with --pieces")
    return board


def _named(namer: PhotographNamer, said: dict[str, str]) -> dict[str, Named]:
    """Return the tile on each cell and how it is turned; raises ProfileError if that stays unknown."""
    named = namer.name(said)
    unsure = {cell: one for cell, one in named.items() if not one.is_sure}
    if unsure:
        raise ProfileError(
            msg(
                "the tiles on these cells could not be recognised: {cells}. Name them with --layout FILE, "
                "for example {example}",
                cells="; ".join(
                    f"{cell}: {' / '.join((one.tile, *one.others))}" for cell, one in unsure.items()
                ),
                example=json.dumps({cell: one.tile for cell, one in unsure.items()}),
            )
        )
    if not said:
        lying = ", ".join(f"{cell} {one.tile}" for cell, one in named.items())
        print(f"the tiles: {lying}", file=sys.stderr)
    return named


def _tell_differences(named: dict[str, Named], profile: Path) -> None:
    """Print which tiles show other numbers than the game's list, and what to do about it."""
    for one in named.values():
        if one.differs:
            seen, listed = (",".join(map(str, each)) for each in (one.values, one.printed.values))
            print(
                f"{one.tile} seems to show {seen}, the list says {listed}. If that is so on your tile: "
                f"moontable correct --profile {profile} {one.tile} --boxes {seen}",
                file=sys.stderr,
            )


def _with_what_stays(learnt: Profile, folder: Path) -> Profile:
    """Add what these photographs do not teach, from the old profile: lens, cards, a sensor table's set-up."""
    try:
        before = load_profile(folder)
    except ProfileError:
        return learnt
    lens = learnt.lens
    if before.lens is not None and before.lens.measured and _is_of_shape(before.lens, lens):
        lens = before.lens
    if not learnt.cards:
        pictures = {one.picture: before.pictures[one.picture] for one in before.cards}
        learnt = replace(learnt, cards=before.cards, pictures={**pictures, **learnt.pictures})
    return replace(learnt, lens=lens, sensors=learnt.sensors or before.sensors)


def _is_of_shape(lens: LensRecord, other: LensRecord | None) -> bool:
    """Whether two lenses' pictures have the same aspect ratio, so that one lens serves for the other."""
    if other is None:
        return True
    (width, height), (other_width, other_height) = lens.size_wh, other.size_wh
    return width * other_height == height * other_width


def tiles_of(file: Path) -> dict[str, str]:
    """Return the tile on each cell that the file names; raises MalformedError or OSError."""
    layout = as_map(_object(file), str(file), BOX.cells)
    tiles = {
        cell: as_choice(tile, f"{file}: the tile on {cell}", tuple(BOX.tiles))
        for cell, tile in layout.items()
    }
    if len(set(tiles.values())) != len(tiles):
        raise MalformedError(f"{file}: a tile is on two cells")
    return tiles


def _object(file: Path) -> dict[str, Any]:
    with named(str(file)):
        return parse_object(read_bytes(file))


def run_lens(arguments: argparse.Namespace) -> int:
    """Run ``lens``: measure the lens and keep it in the profile."""
    profile = load_profile(arguments.profile)
    if arguments.profile.is_file():
        raise MalformedError(
            f"{arguments.profile} is an exported profile; the lens can only be added to a profile in a folder"
        )
    pictures = (
        np.asarray(cv2.cvtColor(open_picture_file(file), cv2.COLOR_BGR2GRAY), np.uint8)
        for file in arguments.images
    )
    found, error_px = measure_lens(pictures)
    record = LensRecord(
        size_wh=found.size_wh,
        focal_px=found.focal_px,
        centre_px=found.centre_px,
        k1=found.k1,
        k2=found.k2,
        measured=True,
    )
    save_profile(replace(profile, lens=record), arguments.profile)
    width, height = found.size_wh
    print(f"{arguments.profile}: lens measured for {width} x {height}, {error_px:.2f} px off on average")
    return 0


def run_read(arguments: argparse.Namespace) -> int:
    """Run ``read``: name the pictures that cannot be opened, and still read the others."""
    reader = Reader(load_profile(arguments.profile))
    images: list[dict[str, Any]] = []
    status = 0
    for number, file in enumerate(arguments.images):
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(arguments.images)}", end="\r", file=sys.stderr)
        try:
            frame = open_picture_file(file)
        except MalformedError as error:
            print(f"moontable: {error}", file=sys.stderr)
            status = EXIT_REFUSED
            continue
        images.append(_read(reader, frame, file, number, arguments.debug))
    if arguments.json:
        print_json({"images": images})
    else:
        for image in images:
            print(f"{image['file']}: {json.dumps(image['table'], ensure_ascii=False)}")
    return status


def _read(reader: Reader, frame: Image, file: Path, number: int, debug: Path | None) -> dict[str, Any]:
    reader.forget()
    observation = reader.read(frame, seq=number, seen_at_s=0.0, source=file.name)
    if reader.reading is None:
        print(f"{file}: the table was not found: {why_not_found(frame)}", file=sys.stderr)
    if debug is not None:
        write_diagnosis(debug / file.stem, frame, reader.reading, observation)
    return {"file": str(file), "table": GAME.format_reading(observation), "hand": observation.busy}
