"""``moontable enrol`` and ``lens``: learn a copy of the game, and measure the camera's lens."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from calibration.charuco import keep_lens
from calibration.store import save_profile, with_what_stays
from companion.commands import EXIT_REFUSED, Commands
from companion.errors import MalformedError, ProfileError
from companion.games import registry
from companion.record.game_record import parse_object
from companion.storage.strict import named, read_bytes
from companion.table import Picture
from ui.assembly.layouts import layout_of
from ui.commands.deal import add_deal_options, drop_draft, enrol_dealt
from ui.commands.sheets import add_code_size
from vision.capture.pictures import pack
from vision.capture.sources import open_picture_file
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy
from vision.enrolment.from_files import EnrolmentFiles, enrol_files
from vision.enrolment.naming import NamingResult
from vision.simulation.art import COLOURS

GAME: Final = registry.lookup(registry.DEFAULT)
BOX: Final = registry.components(registry.DEFAULT)

# What teaches a game with printed places: this is needed, this may be added.
_NEEDED: Final = ("edition", "empty", "sketch", "built")
_MORE: Final = ("layout", "pieces", "pieces_state", "board", "cards")


def add_commands(commands: Commands) -> None:
    """Add ``enrol`` and ``lens``."""
    _add_enrol(commands)
    lens = commands.add_parser("lens", help="measure the camera's lens with the printed lens sheet")
    lens.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="the sheet, tilted differently each time"
    )
    lens.add_argument("--profile", required=True, type=Path, metavar="DIR", help="profile for the lens")
    lens.set_defaults(func=run_lens)


def _add_enrol(commands: Commands) -> None:
    learn = commands.add_parser(
        "enrol", help="learn your copy of the game from photographs and save it as a profile"
    )
    learn.add_argument("--profile", required=True, type=Path, metavar="DIR", help="folder for the profile")
    learn.add_argument(
        "--game", choices=registry.NAMES, default=GAME.name, help="which game (default: %(default)s)"
    )
    learn.add_argument(
        "--photos",
        type=Path,
        metavar="DIR",
        help="for a game whose pieces lie anywhere: folder of photographs, with photos.json that says what "
        "lies on them",
    )
    add_deal_options(learn)
    learn.add_argument("--edition", choices=BOX.editions)
    learn.add_argument("--players", required=True, help="colours in seat order, for example purple,white")
    for name, what in (
        ("empty", "fiducials only, with or without the obelisk"),
        ("sketch", "all tiles, sketch side up"),
        ("built", "all tiles, built side up"),
    ):
        learn.add_argument(f"--{name}", type=Path, metavar="IMG", help=what)
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


def run_enrol(arguments: argparse.Namespace) -> int:
    """Run ``enrol``."""
    if registry.has_pieces(arguments.game):
        return _enrol_copy(arguments)
    wanting = [f"--{name}" for name in _NEEDED if getattr(arguments, name) is None]
    if wanting or arguments.photos is not None or arguments.dealt is not None:
        raise MalformedError(f"{arguments.game} is learnt with {', '.join(f'--{name}' for name in _NEEDED)}")
    if (arguments.pieces is None) != (arguments.pieces_state is None):
        raise MalformedError("--pieces and --pieces-state go together")
    enrolled = enrol_files(
        EnrolmentFiles(
            empty=arguments.empty,
            sketch=arguments.sketch,
            built=arguments.built,
            pieces=arguments.pieces,
            tiles=arguments.layout,
            board=arguments.board,
            cards=tuple(arguments.cards),
        ),
        BOX,
        layout_of(GAME.name).with_codes_of(arguments.code_size),
        edition=arguments.edition,
        players=_players(arguments.players),
        shown=_table(arguments.pieces_state),
        inks=COLOURS,
        report=lambda what: print(what, file=sys.stderr),
    )
    learnt = enrolled.profile
    save_profile(with_what_stays(learnt, arguments.profile), arguments.profile)
    print(f"{arguments.profile}: {len(learnt.faces)} faces of tiles, {len(learnt.pieces)} kinds of pieces")
    for why in dict.fromkeys(one.why for one in learnt.not_learnt):
        print(f"not learnt: {why}", file=sys.stderr)
    _print_differences(enrolled.named, arguments.profile)
    return 0


def _enrol_copy(arguments: argparse.Namespace) -> int:
    """Learn a copy of a game whose pieces lie anywhere."""
    given = [name for name in (*_NEEDED, *_MORE) if getattr(arguments, name)]
    if (arguments.photos is None) == (arguments.dealt is None) or given:
        raise MalformedError(
            f"{arguments.game} is learnt with --photos alone (a folder with photos.json) or --dealt alone"
        )
    if arguments.dealt is not None:
        return _enrol_dealt(arguments)
    pieces = registry.pieces(arguments.game)
    photographs, refused = read_copy_photographs(arguments.photos, pieces)
    players = tuple(name for name in arguments.players.split(",") if name)
    learnt = learn_copy(
        arguments.game,
        pieces,
        layout_of(arguments.game, players).with_codes_of(arguments.code_size),
        players,
        photographs,
        report=lambda what: print(what, file=sys.stderr),
    ).profile
    if not learnt.faces:
        raise ProfileError("; ".join(dict.fromkeys(one.why for one in learnt.not_learnt)))
    save_profile(with_what_stays(learnt, arguments.profile), arguments.profile)
    print(f"{arguments.profile}: {len(learnt.faces)} faces, {len(learnt.pieces)} kinds of pieces")
    for why in dict.fromkeys((*refused, *(one.why for one in learnt.not_learnt))):
        print(f"not learnt: {why}", file=sys.stderr)
    return 0


def _enrol_dealt(arguments: argparse.Namespace) -> int:
    """Learn tiles or cards that are dealt under the camera."""
    players = tuple(name for name in arguments.players.split(",") if name)
    learnt = enrol_dealt(arguments, players)
    if learnt is None:
        print("not saved yet: the same command goes on where you left off", file=sys.stderr)
        return EXIT_REFUSED
    save_profile(with_what_stays(learnt, arguments.profile), arguments.profile)
    drop_draft(arguments.profile)
    print(f"{arguments.profile}: {len(learnt.faces)} faces, {len(learnt.pieces)} kinds of pieces")
    lost = [one.what.partition(":")[2] for one in learnt.not_learnt]
    if lost:
        print(f"not learnt: {', '.join(lost)}", file=sys.stderr)
    return 0


def _players(text: str) -> tuple[str, ...]:
    """Return the colours that an option names; raises MalformedError if they cannot play together."""
    players = tuple(name for name in text.split(",") if name)
    if not 2 <= len(players) <= 4 or len(set(players)) != len(players):
        raise MalformedError("--players are two to four different colours, separated by commas")
    return players


def _table(file: Path | None) -> Picture:
    """Return the table that a file describes; raises MalformedError or OSError."""
    if file is None:
        return {}
    with named(str(file)):
        return GAME.parse_table(parse_object(read_bytes(file)))


def _print_differences(tiles: Mapping[str, NamingResult], profile: Path) -> None:
    """Print which tiles show other numbers than the game's list, or may do so, and what to do about it.

    Of what cannot be read the picture is kept beside the profile. Raises OSError.
    """
    for one in tiles.values():
        if one.is_unclear and one.boxes is not None:
            listed = ",".join(map(str, one.printed.values))
            picture = profile.with_name(f"{profile.name}-{one.tile}.png")
            picture.write_bytes(pack(one.boxes))
            print(
                f"{one.tile}: a number cannot be read for sure; see {picture}. The list says {listed}. If "
                f"your tile shows others: moontable correct --profile {profile} {one.tile} --boxes NUMBERS",
                file=sys.stderr,
            )
            continue
        if one.differs:
            seen, listed = (",".join(map(str, each)) for each in (one.values, one.printed.values))
            print(
                f"{one.tile} seems to show {seen}, the list says {listed}. If that is so on your tile: "
                f"moontable correct --profile {profile} {one.tile} --boxes {seen}",
                file=sys.stderr,
            )


def run_lens(arguments: argparse.Namespace) -> int:
    """Run ``lens``: measure the lens and keep it in the profile."""
    lens, error_px = keep_lens(arguments.profile, map(open_picture_file, arguments.images))
    width, height = lens.size_wh
    print(f"{arguments.profile}: lens measured for {width} x {height}, {error_px:.2f} px off on average")
    return 0
