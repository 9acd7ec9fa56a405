"""A table's layout as data: fiducials, the grid of cells, the board with boxes, named zones.

Millimetres throughout. The origin is the middle of the grid of cells, x grows to the right and y away from
the reference side; z grows upwards, the table's top is z = 0. Fiducials may be anywhere: until they have been
measured (`vision.faces.table_frame`), a layout has only their usual places.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from calibration.places import PlaceNames
from companion.errors import MalformedError, ProfileError
from companion.storage.strict import (
    as_each,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    as_numbers,
    as_object,
    as_text,
    named,
    parse_json,
    read_bytes,
    shown,
)

LAYOUT_VERSION = 3
CODE_MM = 40.0
"""Edge of a printed code's black square, mm, unless players print them larger or smaller."""
BOARD_THICKNESS_MM = 2.0
"""How thick the cardboard of a board with boxes is."""
LEAST_CODE_MM, MOST_CODE_MM = 15.0, 120.0
# Layouts of version 1 have fiducials that are not turned; those before version 3 do not tell how many boxes a
# board has.
_UNTURNED, _WITHOUT_ROWS = 1, 2
# Larger than any table at home; beyond this, pictures of it would only fill the memory.
MOST_MM: Final = 2000.0
MOST_MM2: Final = 6e6
MOST_PIECE_MM: Final = 500.0
MOST_FIDUCIALS: Final = 50
MOST_PLACES: Final = 500
MOST_BOXES: Final = 100
_CARD_SIZE = ("card_width_mm", "card_height_mm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fiducial:
    """One printed square code of the dictionary DICT_4X4_50.

    Attributes:
        id: number of the code.
        x_mm, y_mm: its centre.
        edge_mm: edge of the black square.
        turn_deg: how far it is turned anticlockwise; at 0 its upper edge points away (+y).
    """

    id: int
    x_mm: float
    y_mm: float
    edge_mm: float
    turn_deg: float = 0.0

    def points_mm(self, points: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """Return where points x, y of the unturned code, mm from its centre, are on the table."""
        turn = math.radians(self.turn_deg)
        c, s = math.cos(turn), math.sin(turn)
        return tuple((self.x_mm + c * x - s * y, self.y_mm + s * x + c * y) for x, y in points)

    def corners_mm(self) -> tuple[tuple[float, float], ...]:
        """Return the four corners x, y, clockwise as printed, of an unturned code from far left on."""
        half = self.edge_mm / 2
        return self.points_mm(((-half, half), (half, half), (half, -half), (-half, -half)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """An upright rectangle on the table: its middle and its size."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxBoard:
    """A board with boxes for markers, such as the obelisk; it need not be exactly in its place.

    Attributes:
        area: where the board lies when it lies exactly.
        thickness_mm: how far its face is above the table.
        box_edge_mm: edge of one printed box.
        boxes_mm: centres of the boxes by number, relative to the board's middle, x right and y away.
    """

    area: Rectangle
    thickness_mm: float
    box_edge_mm: float
    boxes_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSizes:
    """The sizes of the pieces, which matter to a camera that looks from the side."""

    tile_thickness_mm: float = 2.2
    marker_edge_mm: float = 8.0
    figure_height_mm: float = 25.0
    figure_base_mm: float = 13.0
    dragon_height_mm: float = 32.0
    dragon_base_mm: float = 24.0
    card_width_mm: float = 44.0
    card_height_mm: float = 68.0

    def size_of(self, kind: str) -> tuple[float, float]:
        """Return the width of the base and the height of a ``dragon`` or ``figure``, mm."""
        if kind == "dragon":
            return self.dragon_base_mm, self.dragon_height_mm
        return self.figure_base_mm, self.figure_height_mm


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """A table as data.

    Attributes:
        name: of the arrangement, for people.
        fiducials: the printed codes that tie the camera to the table.
        cells: centre x, y of every cell of the grid, by its name ``row,col``.
        tile_edge_mm: edge of a tile; the cells are a little further apart.
        board_rows: how many boxes each row of the board with boxes (obelisk) has, the lowest first, numbered
            along the rows; empty when the game has none.
        board: that board, once it is known how it is printed and where it lies.
        zones: named places for piles, for example ``discard``.
        areas: areas where pieces may lie anywhere and turned any way.
        pieces: sizes of the pieces.
    """

    name: str
    fiducials: tuple[Fiducial, ...]
    cells: Mapping[str, tuple[float, float]]
    tile_edge_mm: float
    board_rows: tuple[int, ...] = ()
    board: BoxBoard | None = None
    zones: Mapping[str, Rectangle] = field(default_factory=dict)
    areas: Mapping[str, Rectangle] = field(default_factory=dict)
    pieces: PieceSizes = field(default_factory=PieceSizes)

    def __post_init__(self) -> None:
        ids = [one.id for one in self.fiducials]
        if len(set(ids)) != len(ids):
            raise ProfileError(f"layout {self.name!r} names a fiducial twice: {ids}")
        if self.tile_edge_mm <= 0 or any(one.edge_mm <= 0 for one in self.fiducials):
            raise ProfileError(f"layout {self.name!r} has an edge that is not longer than 0 mm")

    def with_codes_of(self, edge_mm: float) -> TableLayout:
        """Return the layout with fiducials of this size: the edge of their black squares, mm."""
        return replace(self, fiducials=tuple(replace(one, edge_mm=edge_mm) for one in self.fiducials))

    @property
    def places(self) -> PlaceNames:
        """The names of its places."""
        return PlaceNames()

    @property
    def pitch_mm(self) -> float:
        """The distance between the middles of neighbouring cells."""
        places = list(self.cells.values())
        return min(math.dist(one, other) for one in places for other in places if one != other)

    def extent_mm(self, margin_mm: float = 0.0) -> tuple[float, float, float, float]:
        """Return the least x, greatest x, least y and greatest y of all cells, with a margin around."""
        half = self.tile_edge_mm / 2 + margin_mm
        xs = [x for x, _ in self.cells.values()]
        ys = [y for _, y in self.cells.values()]
        return min(xs) - half, max(xs) + half, min(ys) - half, max(ys) + half


def blue_moon_city() -> TableLayout:
    """Return the arrangement of Blue Moon City: 21 cells, an obelisk of 13 boxes, the cards on the right."""
    pitch = 64.5
    cells = {
        f"{row},{col}": ((col - 2) * pitch, (2 - row) * pitch)
        for row in range(5)
        for col in range(5)
        if (row, col) not in {(0, 0), (0, 4), (4, 0), (4, 4)}
    }
    corners = ((-280.0, 155.0), (280.0, 155.0), (280.0, -155.0), (-280.0, -155.0))
    fiducials = tuple(Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=CODE_MM) for i, (x, y) in enumerate(corners))
    cards = {
        "discard": Rectangle(x_mm=222.0, y_mm=-41.0, width_mm=44.0, height_mm=68.0),
        "deck": Rectangle(x_mm=222.0, y_mm=40.0, width_mm=44.0, height_mm=68.0),
    }
    return TableLayout(
        name="Blue Moon City",
        fiducials=fiducials,
        cells=cells,
        tile_edge_mm=60.0,
        board_rows=(4, 2, 2, 2, 2, 1),
        zones=cards,
    )


def format_layout(layout: TableLayout) -> dict[str, Any]:
    """Return the layout as a JSON object; `parse_layout` is the inverse."""
    board = layout.board
    return {
        "layout": LAYOUT_VERSION,
        "name": layout.name,
        "fiducials": [[one.id, one.x_mm, one.y_mm, one.edge_mm, one.turn_deg] for one in layout.fiducials],
        "cells": {name: list(centre) for name, centre in layout.cells.items()},
        "tile_edge_mm": layout.tile_edge_mm,
        "board_rows": list(layout.board_rows),
        "board": None
        if board is None
        else {
            "area": _format_rectangle(board.area),
            "thickness_mm": board.thickness_mm,
            "box_edge_mm": board.box_edge_mm,
            "boxes_mm": [list(centre) for centre in board.boxes_mm],
        },
        "zones": {name: _format_rectangle(zone) for name, zone in layout.zones.items()},
        "areas": {name: _format_rectangle(area) for name, area in layout.areas.items()},
        "pieces": {name: getattr(layout.pieces, name) for name in PieceSizes.__slots__},
    }


def parse_layout(found: object) -> TableLayout:
    """Return the layout that a JSON object describes; raises ProfileError in words."""
    try:
        return _parse_layout(found)
    except MalformedError as error:
        raise ProfileError(str(error)) from error


def _parse_layout(found: object) -> TableLayout:
    version = as_mapping(found, "the layout").get("layout")
    before = ("board_rows",) if version in (_UNTURNED, _WITHOUT_ROWS) else ()
    needed = [key for key in (*TableLayout.__slots__, "layout") if key not in before]
    top = as_object(found, "the layout", needed)
    if version not in (_UNTURNED, _WITHOUT_ROWS, LAYOUT_VERSION):
        raise MalformedError(
            f"layout version {shown(top['layout'])} is not {LAYOUT_VERSION}, the version this program reads"
        )
    is_turned = top["layout"] != _UNTURNED
    fiducials = as_list(top["fiducials"], "fiducials", most=MOST_FIDUCIALS)
    layout = TableLayout(
        name=as_text(top["name"], "the layout's name"),
        fiducials=tuple(_parse_fiducial(one, is_turned=is_turned) for one in fiducials),
        cells=as_each(top["cells"], "cells", _parse_point),
        tile_edge_mm=as_number(top["tile_edge_mm"], "tile_edge_mm", 0, MOST_MM),
        board_rows=tuple(
            as_integer(one, "a row of board_rows", 1, MOST_BOXES)
            for one in as_list(top.get("board_rows", []), "board_rows", most=MOST_BOXES)
        ),
        board=None if top["board"] is None else _parse_board(top["board"]),
        zones=as_each(top["zones"], "zones", _parse_rectangle),
        areas=as_each(top["areas"], "areas", _parse_rectangle),
        pieces=_parse_pieces(top["pieces"]),
    )
    _refuse_what_is_too_large(layout)
    return layout


def _refuse_what_is_too_large(layout: TableLayout) -> None:
    """Refuse a layout whose pictures would fill the memory, and one without places."""
    places = len(layout.cells) + len(layout.zones) + len(layout.areas)
    if not layout.cells or places > MOST_PLACES:
        raise MalformedError(f"a layout has 1 to {MOST_PLACES} places, cells among them, not {places}")
    x0, x1, y0, y1 = layout.extent_mm()
    boards = [] if layout.board is None else [layout.board.area]
    rectangles = [*layout.zones.values(), *layout.areas.values(), *boards]
    whole_mm2 = (x1 - x0) * (y1 - y0) + sum(one.width_mm * one.height_mm for one in rectangles)
    if whole_mm2 > MOST_MM2:
        raise MalformedError(f"the layout is of {whole_mm2 / 1e6:.1f} square metres, more than any table's")


def layout_text(layout: TableLayout) -> str:
    """Return the layout as JSON text."""
    return json.dumps(format_layout(layout), indent=1)


def layout_from_text(text: str | bytes) -> TableLayout:
    """Return the layout of a JSON text; raises ProfileError in words."""
    try:
        return _parse_layout(parse_json(text))
    except MalformedError as error:
        raise ProfileError(f"the layout cannot be used: {error}") from error


def read_layout(file: Path) -> TableLayout:
    """Return the layout that a JSON file holds; raises ProfileError in words, or OSError."""
    try:
        with named(str(file)):
            return _parse_layout(parse_json(read_bytes(file)))
    except MalformedError as error:
        raise ProfileError(str(error)) from error


def _format_rectangle(area: Rectangle) -> list[float]:
    return [area.x_mm, area.y_mm, area.width_mm, area.height_mm]


def _parse_rectangle(found: object, what: str) -> Rectangle:
    x, y, width, height = as_numbers(found, what, 4, -MOST_MM, MOST_MM)
    if width <= 0 or height <= 0:
        raise MalformedError(f"{what} is {width:g} by {height:g} mm")
    return Rectangle(x_mm=x, y_mm=y, width_mm=width, height_mm=height)


def _parse_fiducial(found: object, *, is_turned: bool) -> Fiducial:
    numbers = as_numbers(found, "a fiducial", 5 if is_turned else 4, -MOST_MM, MOST_MM)
    number, x, y, edge, turn = numbers if is_turned else (*numbers, 0.0)
    if number != int(number) or not 0 <= number < 50:
        raise MalformedError(f"fiducial number {number:g} is not one of 0 to 49")
    return Fiducial(id=int(number), x_mm=x, y_mm=y, edge_mm=edge, turn_deg=turn)


def _parse_board(found: object) -> BoxBoard:
    board = as_object(found, "board", BoxBoard.__slots__)
    area = _parse_rectangle(board["area"], "the board's area")
    boxes = as_list(board["boxes_mm"], "boxes_mm", most=MOST_BOXES)
    return BoxBoard(
        area=area,
        thickness_mm=as_number(board["thickness_mm"], "thickness_mm", 0, MOST_PIECE_MM),
        box_edge_mm=as_number(board["box_edge_mm"], "box_edge_mm", 0, MOST_PIECE_MM),
        boxes_mm=tuple(parse_box(one, area.width_mm, area.height_mm) for one in boxes),
    )


def parse_box(found: object, width_mm: float, height_mm: float) -> tuple[float, float]:
    """Return the middle of a box on a face of this size, from the face's middle; raises MalformedError."""
    x, y = as_numbers(found, "a box", 2)
    if abs(x) > width_mm / 2 or abs(y) > height_mm / 2:
        raise MalformedError(f"a box at {x:g}, {y:g} mm is outside its {width_mm:g} by {height_mm:g} mm")
    return x, y


def _parse_pieces(found: object) -> PieceSizes:
    # Layouts from before cards were read do not have their size.
    told = as_mapping(found, "pieces")
    missing = {name: getattr(PieceSizes(), name) for name in _CARD_SIZE if name not in told}
    sizes = as_object({**missing, **told}, "pieces", PieceSizes.__slots__)
    return PieceSizes(**{name: as_number(size, name, 0, MOST_PIECE_MM) for name, size in sizes.items()})


def _parse_point(found: object, what: str) -> tuple[float, float]:
    x, y = as_numbers(found, what, 2, -MOST_MM, MOST_MM)
    return x, y
