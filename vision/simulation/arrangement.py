"""Where the pieces of a game lie on a simulated table: from the areas of its layout to poses in millimetres.

A game says what lies there and in which area (`companion.table_pieces`); the layout says how an area is
filled. What people's hands do to it is drawn at random, the same for the same piece in the same place: pieces
are a little off and a little turned, long rows are pushed together, and what is laid on others lies higher.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.loose_pieces import LoosePiece, turned
from companion.table import Place
from companion.table_layout import Area, Arrangement, Content, TableLayout
from companion.table_pieces import FLAT, PieceSet, Shape, TablePiece
from vision.simulation.free_camera import FlatPiece, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork, paint_of
from vision.simulation.scenery import Viewpoint

# How far from each other the middles of neighbours in a row are, in widths, and in an open fan of cards.
_BESIDE, _FAN = 1.06, 0.33
_FAN_TURN_DEG = 3.5
# What is so much deeper than wide holds a column instead of a row.
_COLUMN = 2.0
# Pieces that overlap by less than this were only pushed together: neither lies upon the other.
_PUSHED_MM = 5.0
_AIR_MM = 0.04
# Width and height of solid pieces, mm.
_SOLID_MM: Final[Mapping[str, tuple[float, float]]] = {
    "disc": (13.0, 4.0),
    "meeple": (26.0, 36.0),
    "gem": (12.0, 11.0),
    "dragon": (24.0, 32.0),
}
# How much wider than what is on the table a picture of it is.
_ROOM_AROUND = 1.03
_BOARD_MM: Final = 2.2
_HEAP_STEP: Final = 1.25
_GOLDEN_TURN: Final = math.pi * (3 - math.sqrt(5))
# How far towards its owner a piece on a shared board is moved, as a share of half the board.
_OWNERS_SHARE: Final = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Care:
    """How carefully pieces are laid: standard deviations."""

    slip_mm: float = 1.5
    turn_deg: float = 1.5


@dataclass(frozen=True, slots=True)
class _Pose:
    x_mm: float
    y_mm: float
    turn_deg: float

    def at(self, right_mm: float, away_mm: float) -> tuple[float, float]:
        """Return the table point this far right of and beyond it, along its own axes."""
        x, y = turned(right_mm, away_mm, self.turn_deg)
        return self.x_mm + x, self.y_mm + y


@dataclass(frozen=True, slots=True)
class _Fit:
    """How what lies in an area is moved to stay in it: pushed together, and shifted, mm."""

    squeeze: float
    right_mm: float
    away_mm: float


class Arranger:
    """Lays the pieces of one game on one table.

    Attributes:
        layout: the table.
        pieces: what the pieces look like.
        artwork: how this copy is printed.
    """

    def __init__(
        self,
        layout: TableLayout,
        pieces: PieceSet,
        artwork: FaceArtwork,
        *,
        seed: int = 0,
        care: Care | None = None,
    ) -> None:
        """Learn where everyone sits; `seed` determines how everything is a little off its place."""
        self.layout = layout
        self.pieces = pieces
        self.artwork = artwork
        self._care = care or Care()
        self._seed = seed
        self._seats = _seats_deg(layout)

    def arrange(self, laid: Iterable[TablePiece], lying: Mapping[Place, LoosePiece]) -> LaidTable:
        """Return the table with these pieces.

        Args:
            laid: what lies there, the lowest first.
            lying: where the pieces of free areas lie, by place, in the area's own axes and sizes.
        """
        table = _Table(self, {one.key: one for one in laid}, lying)
        flat: list[FlatPiece] = []
        for one in table.things.values():
            if one.shape in FLAT:
                flat.append(self._flat(one, table.pose(one), flat))
        solid: dict[str, SolidPiece] = {}
        for one in table.things.values():
            if one.shape not in FLAT:
                solid[one.key] = self._solid(one, table.pose(one), flat, solid)
        return LaidTable(flat=tuple(flat), solid=tuple(solid.values()))

    def size_mm(self, one: TablePiece) -> tuple[float, float]:
        """Return the width and height of a piece, or of the base of one that stands."""
        if one.shape not in FLAT:
            width, _ = _SOLID_MM[one.shape]
            return width, width
        return self.face_size_mm(one.face, self.layout.areas[one.area].content)

    def face_size_mm(self, face: str, content: Content) -> tuple[float, float]:
        """Return the width and height of a face in an area of this content."""
        if face in self.pieces.sizes_mm:
            return self.pieces.sizes_mm[face]
        if content == Content.CARDS:
            return self.layout.pieces.card_width_mm, self.layout.pieces.card_height_mm
        return self.layout.tile_edge_mm, self.layout.tile_edge_mm

    @property
    def content(self) -> Content:
        """What most of the game's faces are, tiles or cards."""
        return Content.TILES if self.layout.tile_edge_mm > 0 else Content.CARDS

    def solid(self, key: str, paint: str, shape: Shape, at_mm: tuple[float, float]) -> SolidPiece:
        """Return a piece of this paint that stands on the table."""
        width, height = _SOLID_MM[shape]
        return SolidPiece(
            key=key,
            name=paint,
            shape=shape,
            colour=paint_of(paint),
            x_mm=at_mm[0],
            y_mm=at_mm[1],
            width_mm=width,
            height_mm=height,
        )

    def seat_deg(self, area: Area) -> float:
        """Return how far what lies in an area is turned so that its owner can read it."""
        return self._seats.get(area.owner, 0.0)

    def slip(self, one: TablePiece) -> tuple[float, float, float]:
        """Return how far off its place a piece was laid: right, away, mm, and turned, degrees."""
        dice = np.random.default_rng(zlib.crc32(repr((self._seed, one.key, one.face, one.place)).encode()))
        x, y, turn = (float(each) for each in dice.standard_normal(3))
        return x * self._care.slip_mm, y * self._care.slip_mm, turn * self._care.turn_deg

    def toward(self, area: Area, player: str) -> tuple[float, float]:
        """Return the way from the middle of an area to where the things of a player are moved, mm."""
        x, y = turned(0.0, -1.0, self._seats.get(player, 0.0))
        return (
            x * area.around.width_mm / 2 * _OWNERS_SHARE,
            y * area.around.height_mm / 2 * _OWNERS_SHARE,
        )

    def _flat(self, one: TablePiece, pose: _Pose, below: Sequence[FlatPiece]) -> FlatPiece:
        width, height = self.size_mm(one)
        thick = _BOARD_MM if one.shape == "board" else self.pieces.thickness_mm * one.thickness
        piece = FlatPiece(
            key=one.key,
            place=one.place,
            face=self.pieces.faces[one.face],
            x_mm=pose.x_mm,
            y_mm=pose.y_mm,
            turn_deg=_around_zero(pose.turn_deg),
            width_mm=width,
            height_mm=height,
        )
        lowest = max((other.top_mm + _AIR_MM for other in below if _is_upon(piece, other)), default=0.0)
        return replace(piece, lowest_mm=lowest, top_mm=lowest + thick)

    def _solid(
        self, one: TablePiece, pose: _Pose, flat: Sequence[FlatPiece], solid: Mapping[str, SolidPiece]
    ) -> SolidPiece:
        if one.on in solid:
            lowest = solid[one.on].lowest_mm + solid[one.on].height_mm
        else:
            lowest = max((each.top_mm for each in flat if each.is_below(pose.x_mm, pose.y_mm)), default=0.0)
        piece = self.solid(one.key, one.face, one.shape, (pose.x_mm, pose.y_mm))
        return replace(piece, place=one.place, turn_deg=_around_zero(pose.turn_deg), lowest_mm=lowest)


class _Table:
    """The poses of the pieces of one table, each found once."""

    def __init__(
        self, arranger: Arranger, things: Mapping[str, TablePiece], lying: Mapping[Place, LoosePiece]
    ) -> None:
        self.things = things
        self._arranger = arranger
        self._lying = lying
        self._poses: dict[str, _Pose] = {}
        self._fits: dict[str, _Fit] = {}

    def pose(self, one: TablePiece) -> _Pose:
        """Return where a piece lies."""
        if one.key not in self._poses:
            self._poses[one.key] = self._found(one)
        return self._poses[one.key]

    def _found(self, one: TablePiece) -> _Pose:
        lying = self._lying.get(Place(one.key))
        if one.on in self.things:
            return self._slipped(one, self._upon(one, self.pose(self.things[one.on])))
        if lying is not None:
            return self._drifted(one, lying)
        return self._slipped(one, self._in_area(one))

    def _slipped(self, one: TablePiece, pose: _Pose) -> _Pose:
        x, y, turn = self._arranger.slip(one)
        turn += one.turn_deg
        return _Pose(pose.x_mm + x, pose.y_mm + y, pose.turn_deg + turn)

    def _upon(self, one: TablePiece, host: _Pose) -> _Pose:
        """Return the pose of what lies on another piece, or half under it."""
        carrier = self.things[one.on]
        width, height = self._arranger.size_mm(carrier)
        if one.spot is not None:
            u, v = self._arranger.artwork.group_middle(one.spot)
            return _Pose(*host.at((u - 0.5) * width, (0.5 - v) * height), host.turn_deg)
        own_width, own_height = self._arranger.size_mm(one)
        return _Pose(*host.at(one.shift[0] * own_width, one.shift[1] * own_height), host.turn_deg)

    def _drifted(self, one: TablePiece, lying: LoosePiece) -> _Pose:
        """Return where hands have left a piece of a free area."""
        area = self._arranger.layout.areas[one.area]
        seat = self._arranger.seat_deg(area)
        width, height = self._arranger.size_mm(one)
        fit = self._fit(one.area, seat, (width, height))
        right = lying.x_mm * width / lying.width_mm * fit.squeeze + fit.right_mm
        away = lying.y_mm * height / lying.height_mm + fit.away_mm
        x, y = turned(right, away, seat)
        around = area.around
        return _Pose(around.x_mm + x, around.y_mm + y, lying.turn_deg + seat + one.turn_deg)

    def _fit(self, name: str, seat_deg: float, size_mm: tuple[float, float]) -> _Fit:
        """Return how all that lies freely in an area is moved to stay in it; rows are pushed together.

        What is too large for it nevertheless is moved to its middle.
        """
        if name not in self._fits:
            area = self._arranger.layout.areas[name]
            there = [one for one in self._lying.values() if one.area == name]
            xs = [one.x_mm / one.width_mm * size_mm[0] for one in there]
            ys = [one.y_mm / one.height_mm * size_mm[1] for one in there]
            wide, deep = _extent(area, seat_deg)
            room, span = wide - size_mm[0], max(xs) - min(xs)
            is_row = area.arrangement in (Arrangement.ROW, Arrangement.SPREAD)
            squeeze = min(1.0, max(room, 0.0) / span) if is_row and span > 0 else 1.0
            self._fits[name] = _Fit(
                squeeze,
                _moved_into(min(xs) * squeeze, max(xs) * squeeze, room),
                _moved_into(min(ys), max(ys), deep - size_mm[1]),
            )
        return self._fits[name]

    def _in_area(self, one: TablePiece) -> _Pose:
        """Return where careful people lay a piece in its area."""
        area = self._arranger.layout.areas[one.area]
        around, seat = area.around, self._arranger.seat_deg(area)
        middle = _Pose(around.x_mm, around.y_mm, seat)
        fixed = _fixed_place(one, area)
        if fixed is not None:
            x, y = fixed[0] - around.x_mm, fixed[1] - around.y_mm
            return _Pose(*fixed, _outward_deg(x, y) if len(area.places_mm) > 1 else seat)
        if one.toward:
            x, y = self._arranger.toward(area, one.toward)
            middle = replace(middle, x_mm=middle.x_mm + x, y_mm=middle.y_mm + y)
        right, away, turn = self._in_row(one, area)
        width, height = self._arranger.size_mm(one)
        at = middle.at(right + one.shift[0] * width, away + one.shift[1] * height)
        return _Pose(*at, seat + turn)

    def _in_row(self, one: TablePiece, area: Area) -> tuple[float, float, float]:
        """Return where a piece is from the middle of its area, right and away, mm, and its turn."""
        if one.count <= 1 or area.arrangement == Arrangement.PILE:
            return 0.0, 0.0, 0.0
        width, height = self._arranger.size_mm(one)
        along = one.number - (one.count - 1) / 2
        if area.arrangement == Arrangement.FREE and one.shape == "disc":
            return (*_heaped(one.number, width), 0.0)
        wide, deep = _extent(area, self._arranger.seat_deg(area))
        if deep > _COLUMN * wide:
            step = min(height * _BESIDE, (deep - height) / (one.count - 1))
            return 0.0, -along * step, 0.0
        room = wide - width
        is_fan = area.arrangement == Arrangement.SPREAD
        step = min(width * (_FAN if is_fan else _BESIDE), room / (one.count - 1))
        return along * step, 0.0, -along * _FAN_TURN_DEG if is_fan else 0.0


def _heaped(number: int, width: float) -> tuple[float, float]:
    """Return where the pieces of a loose heap lie around its middle, hardly upon each other."""
    far = width * _HEAP_STEP * math.sqrt(number + 0.3) * 0.62
    return far * math.cos(number * _GOLDEN_TURN), far * math.sin(number * _GOLDEN_TURN)


def _fixed_place(one: TablePiece, area: Area) -> tuple[float, float] | None:
    """Return the printed place that a piece is for, x and y, None in areas without one."""
    place = Place(one.place)
    if place in area.places_mm:
        return area.places_mm[place]
    return area.places_mm.get(Place(one.place.rpartition(":")[0]))


def _outward_deg(x: float, y: float) -> float:
    """Return the turn of a piece of a ring whose upper edge points away from the ring's middle."""
    return math.degrees(math.atan2(y, x)) - 90.0


def _extent(area: Area, seat_deg: float) -> tuple[float, float]:
    """Return the width and the depth of an area as its owner sees it."""
    around = area.around
    is_sideways = abs(math.sin(math.radians(seat_deg))) > 0.5
    return (around.height_mm, around.width_mm) if is_sideways else (around.width_mm, around.height_mm)


def _moved_into(low: float, high: float, room: float) -> float:
    """Return how far a stretch must be moved to lie within `room` around 0, or around 0 if it is longer."""
    if high - low >= room:
        return -(low + high) / 2
    return max(-room / 2 - low, 0.0) + min(room / 2 - high, 0.0)


def _seats_deg(layout: TableLayout) -> dict[str | None, float]:
    """Return for each player how far the table is turned for them: 0 on the near side, 180 on the far one."""
    found: dict[str | None, list[tuple[float, float]]] = {}
    for area in layout.areas.values():
        if area.owner is not None:
            found.setdefault(area.owner, []).append((area.around.x_mm, area.around.y_mm))
    seats: dict[str | None, float] = {}
    for player, middles in found.items():
        x, y = np.mean(middles, axis=0)
        seats[player] = round((math.degrees(math.atan2(y, x)) + 90.0) / 90.0) * 90.0
    return seats


def _around_zero(turn_deg: float) -> float:
    return (turn_deg + 180.0) % 360.0 - 180.0


def _is_upon(piece: FlatPiece, other: FlatPiece) -> bool:
    """Whether a piece that is laid after another one lies on it."""
    if math.hypot(piece.x_mm - other.x_mm, piece.y_mm - other.y_mm) > _reach(piece) + _reach(other):
        return False
    found, _ = cv2.rotatedRectangleIntersection(_core(piece), _core(other))
    return found != cv2.INTERSECT_NONE


def _reach(piece: FlatPiece) -> float:
    return math.hypot(piece.width_mm, piece.height_mm) / 2


def _core(piece: FlatPiece) -> tuple[tuple[float, float], tuple[float, float], float]:
    return (
        (piece.x_mm, piece.y_mm),
        (max(piece.width_mm - _PUSHED_MM, 1.0), max(piece.height_mm - _PUSHED_MM, 1.0)),
        piece.turn_deg,
    )


def viewpoint_over(layout: TableLayout, size_wh: tuple[int, int], tilt_deg: float = 14.0) -> Viewpoint:
    """Return a camera that has all areas and codes of a table in view, in pictures of this size."""
    corners = [corner for area in layout.areas.values() for corner in area.outline_mm]
    for code in layout.fiducials:
        corners += [
            (code.x_mm + i * code.edge_mm, code.y_mm + j * code.edge_mm) for i in (-1, 1) for j in (-1, 1)
        ]
    xs, ys = zip(*corners, strict=True)
    usual = Viewpoint()
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    half_view = math.tan(math.radians(usual.hfov_deg) / 2)
    across = max((max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2 * size_wh[0] / size_wh[1])
    # What is at the near edge of the table is nearer to a tilted camera and so takes more of the view.
    near = (max(ys) - min(ys)) / 2 * math.sin(math.radians(tilt_deg))
    return replace(
        usual, tilt_deg=tilt_deg, aim_mm=middle, distance_mm=across / half_view * _ROOM_AROUND + near
    )
