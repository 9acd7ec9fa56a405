"""What a game's table looks like, as data: printed codes, a grid of cells, a board with boxes, areas.

Each game declares its own (`companion.game.Game.table_layout`); what calibrates, sees and draws tables
knows only the type. The rules' facts are in it, such as how many cells there are and how an area is filled.
Its millimetres are those of the sheets to print: where things really are is learnt from photographs.

Millimetres throughout. The origin is the middle of the grid of cells, or of the table without one;
x grows to the right and y away from the reference side; z grows upwards, the table's top is z = 0. Fiducials
may be anywhere: until they have been measured (`vision.faces.table_frame`), a layout has their usual places.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from companion.errors import ProfileError
from companion.table import Place, kind_of, parts_of, place

CODE_MM: Final = 40.0
"""Edge of a printed code's black square, mm, unless players print them larger or smaller."""
BOARD_THICKNESS_MM: Final = 2.0
"""How thick the cardboard of a board with boxes is."""
LEAST_CODE_MM, MOST_CODE_MM = 15.0, 120.0


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


class Content(enum.StrEnum):
    """What lies in an area."""

    TILES = "tiles"
    CARDS = "cards"
    PIECES = "pieces"  # whatever is not flat: discs, gems, figures


class Arrangement(enum.StrEnum):
    """How it lies there."""

    PLACES = "places"  # each thing on a place of its own
    ROW = "row"  # side by side
    GRID = "grid"  # edge to edge in rows and columns, which may drift
    PILE = "pile"  # one upon the other: the top is seen
    SPREAD = "spread"  # a hand: each covers most of the one before
    FREE = "free"  # anyhow


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A part of the table in which pieces lie.

    Attributes:
        outline_mm: its corners x, y one after the other.
        content: what lies there.
        arrangement: how it lies there.
        owner: the player to whom it belongs, None for all.
        is_face_up: whether faces can be read there; backs otherwise.
        holds: places, or beginnings of places up to a colon, that are known from it besides its own name.
        places_mm: middles x, y of its places by name, if they are fixed.
    """

    outline_mm: tuple[tuple[float, float], ...]
    content: Content
    arrangement: Arrangement
    owner: str | None = None
    is_face_up: bool = True
    holds: tuple[str, ...] = ()
    places_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def around(self) -> Rectangle:
        """The upright rectangle around it."""
        xs, ys = zip(*self.outline_mm, strict=True)
        return Rectangle(
            x_mm=(min(xs) + max(xs)) / 2,
            y_mm=(min(ys) + max(ys)) / 2,
            width_mm=max(xs) - min(xs),
            height_mm=max(ys) - min(ys),
        )

    def away_from(self, columns_mm: tuple[float, float], by_mm: float) -> Area:
        """Return the area this much farther out if it lies to the left or right of these x; else as it is."""
        here = self.around
        right = by_mm if here.x_mm > columns_mm[1] else -by_mm if here.x_mm < columns_mm[0] else 0.0
        return replace(
            self,
            outline_mm=tuple((x + right, y) for x, y in self.outline_mm),
            places_mm={name: (x + right, y) for name, (x, y) in self.places_mm.items()},
        )

    def outside_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a point is outside of it, 0 within it."""
        corners = self.outline_mm
        edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
        crossed = 0
        for (x, y), (to_x, to_y) in edges:
            if (y > y_mm) != (to_y > y_mm) and x_mm < x + (y_mm - y) / (to_y - y) * (to_x - x):
                crossed += 1
        return 0.0 if crossed % 2 else min(_from_edge(start, end, x_mm, y_mm) for start, end in edges)


def _from_edge(start: tuple[float, float], end: tuple[float, float], x_mm: float, y_mm: float) -> float:
    """Return how far a point is from the line between two others."""
    (x, y), (across, along) = start, (end[0] - start[0], end[1] - start[1])
    length = across**2 + along**2
    share = ((x_mm - x) * across + (y_mm - y) * along) / length if length > 0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x + share * across - x_mm, y + share * along - y_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNames:
    """The kinds of a table's places.

    Attributes:
        cell: of the cells, each named by the layout.
        box: of the boxes on the tile of a cell.
        board_box: of the boxes of the board with boxes.
    """

    cell: str = "cell"
    box: str = "box"
    board_box: str = "board"

    def on_cell(self, cell: str) -> Place:
        """Return the place that a tile lies on."""
        return place(self.cell, cell)

    def on_box(self, cell: str, number: int) -> Place:
        """Return a box of the tile on a cell, counted from 0."""
        return place(self.box, cell, number)

    def on_board(self, number: int) -> Place:
        """Return a box of the board, counted from 0."""
        return place(self.board_box, number)

    def is_cell(self, where: Place) -> bool:
        """Whether a place is a cell."""
        return kind_of(where) == self.cell

    def is_on_board(self, where: Place) -> bool:
        """Whether a place is a box of the board."""
        return kind_of(where) == self.board_box

    def cell_of_box(self, where: Place) -> str | None:
        """Return the cell whose tile has a box, None if the place is no box of a tile."""
        return parts_of(where)[0] if kind_of(where) == self.box else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """A table as data.

    Attributes:
        name: of the arrangement, for people.
        fiducials: the printed codes that tie the camera to the table.
        cells: centre x, y of every cell of the grid, by its name ``row,col``; none for a game without a grid.
        tile_edge_mm: edge of a tile; the cells are a little further apart. 0 for a game without tiles.
        board_rows: how many boxes each row of the board with boxes (obelisk) has, the lowest first, numbered
            along the rows; empty when the game has none.
        board: that board, once it is known how it is printed and where it lies.
        areas: parts of the table by name: piles, rows, hands, free areas.
        pieces: sizes of the pieces.
        places: the names of the places on cells and board.
    """

    name: str
    fiducials: tuple[Fiducial, ...]
    cells: Mapping[str, tuple[float, float]]
    tile_edge_mm: float
    board_rows: tuple[int, ...] = ()
    board: BoxBoard | None = None
    areas: Mapping[str, Area] = field(default_factory=dict)
    pieces: PieceSizes = field(default_factory=PieceSizes)
    places: PlaceNames = field(default_factory=PlaceNames)

    def __post_init__(self) -> None:
        ids = [one.id for one in self.fiducials]
        if len(set(ids)) != len(ids):
            raise ProfileError(f"layout {self.name!r} names a fiducial twice: {ids}")
        has_edge = self.tile_edge_mm > 0 or (self.tile_edge_mm == 0 and not self.cells)
        if not has_edge or any(one.edge_mm <= 0 for one in self.fiducials):
            raise ProfileError(f"layout {self.name!r} has an edge that is not longer than 0 mm")

    def with_codes_of(self, edge_mm: float) -> TableLayout:
        """Return the layout with fiducials of this size: the edge of their black squares, mm."""
        return replace(self, fiducials=tuple(replace(one, edge_mm=edge_mm) for one in self.fiducials))

    def with_city(self, edge_mm: float, pitch_mm: float) -> TableLayout:
        """Return the layout with tiles of another size; what lies beside the city stays as far from it."""
        before = self.extent_mm()
        times = pitch_mm / self.pitch_mm
        cells = {cell: (x * times, y * times) for cell, (x, y) in self.cells.items()}
        sized = replace(self, tile_edge_mm=edge_mm, cells=cells)
        out = sized.extent_mm()[1] - before[1]
        areas = {name: one.away_from(before[:2], out) for name, one in self.areas.items()}
        return replace(sized, areas=areas)

    @property
    def pitch_mm(self) -> float:
        """The distance between the middles of neighbouring cells."""
        places = list(self.cells.values())
        return min(math.dist(one, other) for one in places for other in places if one != other)

    def extent_mm(self, margin_mm: float = 0.0) -> tuple[float, float, float, float]:
        """Return the least x, greatest x, least y and greatest y of all cells, with a margin around.

        Without a grid they are those of all areas.
        """
        half = self.tile_edge_mm / 2 if self.cells else 0.0
        points = [*self.cells.values()] or [
            point for area in self.areas.values() for point in area.outline_mm
        ]
        xs, ys = zip(*points, strict=True)
        out = half + margin_mm
        return min(xs) - out, max(xs) + out, min(ys) - out, max(ys) + out

    def area_of(self, where: Place) -> str | None:
        """Return the area that a place is known from; None for what lies on the grid or on the board."""
        for name, area in self.areas.items():
            if where in area.places_mm:
                return name
            if any(where == one or where.startswith(f"{one}:") for one in (name, *area.holds)):
                return name
        return None

    def piles(self, *, is_face_up: bool) -> tuple[str, ...]:
        """Return the piles of cards that belong to nobody, those whose top shows its face or its back."""
        return tuple(
            name
            for name, area in self.areas.items()
            if (area.content, area.arrangement) == (Content.CARDS, Arrangement.PILE)
            and area.owner is None
            and area.is_face_up == is_face_up
        )


def around(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of an upright rectangle with this middle, from far left on, clockwise."""
    half, tall = width_mm / 2, height_mm / 2
    return (
        (x_mm - half, y_mm + tall),
        (x_mm + half, y_mm + tall),
        (x_mm + half, y_mm - tall),
        (x_mm - half, y_mm - tall),
    )


def corner_codes(x_mm: float, y_mm: float) -> tuple[Fiducial, ...]:
    """Return four codes of the usual size at the corners of a table, 0 far left and on clockwise."""
    corners = ((-x_mm, y_mm), (x_mm, y_mm), (x_mm, -y_mm), (-x_mm, -y_mm))
    return tuple(Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=CODE_MM) for i, (x, y) in enumerate(corners))
