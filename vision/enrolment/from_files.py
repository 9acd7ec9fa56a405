"""Learning a copy of the game from files: the photographs, and what players wrote down about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.pointed_board import PointedBoard, read_pointed_board
from calibration.profile import Profile
from companion.components import Components
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.storage.strict import as_choice, as_map, read_json_object
from companion.table import Picture
from companion.table_layout import TableLayout
from vision.arrays import Image
from vision.capture.sources import open_picture_file
from vision.enrolment.cards import learn_cards
from vision.enrolment.enrol import Photographs, enrol
from vision.enrolment.naming import NamingResult
from vision.enrolment.photograph_names import BUILT, EMPTY, PIECES, SKETCH
from vision.enrolment.photographed_tiles import PhotographNamer, TurnedTiles
from vision.enrolment.wrong_photographs import check_photographs


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolmentFiles:
    """The files to learn from.

    Attributes:
        empty, sketch, built: the photographs of the empty table, of all sketch and of all built sides.
        pieces: the photograph of the pieces, None when there is none.
        tiles: names the tiles on some cells or on all, None when they are to be recognised.
        board: points at the boxes of the board, None when they are to be found.
        cards: photographs of the cards, in order.
    """

    empty: Path
    sketch: Path
    built: Path
    pieces: Path | None = None
    tiles: Path | None = None
    board: Path | None = None
    cards: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolled:
    """What was learnt, and which tile was taken to lie on each cell of the sketch sides."""

    profile: Profile
    named: Mapping[str, NamingResult]


def enrol_files(
    files: EnrolmentFiles,
    box: Components,
    layout: TableLayout,
    *,
    edition: str,
    players: tuple[str, ...],
    shown: Picture,
    inks: Mapping[str, tuple[int, int, int]],
    report: Callable[[str], None] = lambda _: None,
) -> Enrolled:
    """Learn a profile from files.

    Args:
        files: what to learn from.
        box: what the game's box holds.
        layout: the usual layout of the game, with codes of the size that was printed.
        edition, players: whose copy it is.
        shown: what is where in the photograph of the pieces.
        inks: how each colour of boxes looks in print, BGR.
        report: told in a line what is done next.

    Raises MalformedError or ProfileError in words when a file does not serve, or OSError.
    """
    said = {} if files.tiles is None else read_tiles(files.tiles, box)
    pointed = None if files.board is None else _pointed_board(files, files.board, layout)
    frames = _opened(files)
    faults, layout = check_photographs(
        frames, layout, shown, report=lambda what: report(f"looking at {what} ...")
    )
    report("reading the tiles' boxes ...")
    namer = PhotographNamer(frames[SKETCH], layout, box.tiles, inks, frames[EMPTY])
    named = namer.name(said)
    bad = {cell for one in faults for _, cell in one.faces}
    _refuse_unsure({cell: one for cell, one in named.items() if cell not in bad})
    if not said:
        report("the tiles: " + ", ".join(f"{cell} {one.tile}" for cell, one in named.items()))
    # A file that names the tile on every cell applies to both photographs.
    turned = namer.turned_over(named, frames[BUILT], bad) if len(said) < len(box.cells) else None
    photographs = replace(_photographs(frames, named, turned), shown=shown, board=pointed, faults=faults)
    learnt = enrol(
        photographs,
        layout,
        edition=edition,
        players=players,
        boxes_of_tile=box.boxes_of_tile,
        report=lambda what: report(f"learning {what} ..."),
    )
    if files.cards:
        report("learning the cards ...")
        cards = [open_picture_file(file) for file in files.cards]
        learnt = learn_cards(learnt, frames[EMPTY], cards, box.cards)
    return Enrolled(profile=learnt, named=named)


def read_tiles(file: Path, box: Components) -> dict[str, str]:
    """Return the tile on each cell that the file names; raises MalformedError or OSError."""
    layout = as_map(read_json_object(file), str(file), box.cells)
    tiles = {
        cell: as_choice(tile, f"{file}: the tile on {cell}", tuple(box.tiles))
        for cell, tile in layout.items()
    }
    if len(set(tiles.values())) != len(tiles):
        raise MalformedError(f"{file}: a tile is on two cells")
    return tiles


def _opened(files: EnrolmentFiles) -> dict[str, Image]:
    """Return the photographs by name, in their order; raises MalformedError."""
    given = {EMPTY: files.empty, SKETCH: files.sketch, BUILT: files.built, PIECES: files.pieces}
    return {name: open_picture_file(file) for name, file in given.items() if file is not None}


def _photographs(
    frames: Mapping[str, Image], named: Mapping[str, NamingResult], turned: TurnedTiles | None
) -> Photographs:
    """Return the photographs with the tiles that are known; those not `turned` lie alike on both."""
    sure = {cell: one for cell, one in named.items() if one.is_sure}
    return Photographs(
        empty=frames[EMPTY],
        sketch=frames[SKETCH],
        built=frames[BUILT],
        pieces=frames.get(PIECES),
        tiles={cell: one.tile for cell, one in sure.items()},
        turns={cell: one.turn for cell, one in sure.items()},
        built_tiles=None if turned is None else turned.tiles,
        built_turns={} if turned is None else turned.turns,
    )


def _pointed_board(files: EnrolmentFiles, file: Path, layout: TableLayout) -> PointedBoard:
    """Return where the board's boxes are according to a file; raises MalformedError."""
    board = read_pointed_board(file, sum(layout.board_rows))
    if board.picture == PIECES and files.pieces is None:
        raise MalformedError(f"{file} points at the photograph of the pieces; give it with --pieces")
    return board


def _refuse_unsure(named: Mapping[str, NamingResult]) -> None:
    """Raise ProfileError if it stays unknown which tile is on a cell; it says how to tell."""
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
