"""Learning the board with boxes, the obelisk: where it lies, how far it reaches, where its boxes are.

It is looked for by what its boxes have in common, on the part of the table that looks otherwise than when
it was empty; somebody may also have pointed at its boxes. What is learnt is the board as it lay, cut out
along its outline, so that a board may have any shape and lie anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.pointed_board import PointedBoard
from calibration.profile import FaceRecord
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import BOARD_THICKNESS_MM, BoxBoard, Rectangle, TableLayout
from vision.arrays import Bools, Floats, Picture8, Singles
from vision.enrolment.board_boxes import BoardBoxes, find_board_boxes, line_field, settled
from vision.enrolment.photograph_names import BUILT, EMPTY, PIECES, SKETCH, photograph_name
from vision.faces.cutting import camera_pose_of, cut_face, trim, white_light
from vision.faces.registration import Face, Pose2D
from vision.faces.scene import PX_PER_MM, board_flat, plane_of
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.photometry.light import linear
from vision.pieces.face_library import BOARD_AROUND, around_boxes, encode_face, face_shape

_SEARCH_PX_PER_MM, _FINE_PX_PER_MM = 2.0, 4.0
# The board may lie so far beyond the codes.
_BEYOND_MM = 80.0
# Tiles slide; the paper of a code is so much wider than its black square.
_BESIDE_CITY_MM, _PAPER = 4.0, 1.6
# What changed is more than so many times the usual difference of two photographs of one table.
_CHANGED = 6.0
# Smaller than this is no board, closed over gaps so wide.
_LEAST_MM2, _GAP_MM = 900.0, 4.0
# A board is no more than so many times as large as the hull of its boxes.
_MOST_HULLS = 4.0
# Where its outline is not seen so much around its boxes is taken for the board, in edges of a box.
_WIDE_AROUND = 1.4
# A click is off by no more than this, a box that was found by less, in edges of a box.
_CLICKED, _FOUND = 0.3, 0.2
# A box that was pointed at is as wide as this share of the way to the next.
_OF_THE_WAY, _WIDEST_MM = 0.8, 14.0
# The photographs that may show the bare board, the best first.
_BARE = (SKETCH, BUILT, EMPTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntBoard:
    """A board as it was learnt: where it lies, its face and the face's picture."""

    placed: BoxBoard
    record: FaceRecord
    picture: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProposal:
    """A photograph from straight above on which the board's boxes are to be pointed at.

    Attributes:
        photograph: its name.
        picture: the table, (height, width, 3).
        boxes_px: x, y in the picture where the boxes may be, by number.
        camera, flat: how the picture was made of the photograph.
    """

    photograph: str
    picture: Picture8
    boxes_px: tuple[tuple[float, float], ...]
    camera: CameraPose
    flat: Flat

    def pointed(self, boxes_px: Sequence[tuple[float, float]]) -> PointedBoard:
        """Return the board whose boxes are at these places of the picture."""
        table = self.flat.to_mm(np.array(boxes_px, np.float64))
        seen = self.camera.project(np.column_stack([table, np.full(len(table), self.flat.height_mm)]))
        return PointedBoard(picture=self.photograph, boxes_px=tuple((float(x), float(y)) for x, y in seen))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A photograph from straight above, at the height of the board's face."""

    frame: Picture8
    name: str
    camera: CameraPose
    flat: Flat
    picture: Picture8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Boxes in mm on the table, (N, 2), their edge, and the board's outline, (N, 2), if it is seen."""

    middles_mm: Floats
    edge_mm: float
    outline_mm: Floats | None


def learn_board(
    photographs: Mapping[str, Picture8], layout: TableLayout, pointed: PointedBoard | None = None
) -> LearntBoard:
    """Learn the bare board from the first photograph that shows it; it may be missing in some.

    Args:
        photographs: by their names; that of the pieces is looked at only where it was pointed at.
        layout: with the codes where they lie; where it has a board, that is believed when none is found.
        pointed: where somebody says that the boxes are.

    Raises:
        ProfileError: it is not found; says what to do.
    """
    tables = _photographed(photographs, layout)
    if pointed is not None:
        table, changed = next(one for one in tables if pointed.picture in (one[0].name, PIECES))
        source = table if pointed.picture == table.name else _table(photographs[PIECES], PIECES, layout)
        return _learnt(_pointed_at(pointed, source, table, changed), table, layout)
    for table, changed in tables:
        found = _found(table, changed, layout)
        if found is not None:
            return _learnt(found, table, layout)
    if _is_told(layout) and layout.board is not None:
        name = next(name for name in _BARE if name in photographs)
        table = _table(photographs[name], name, layout)
        return _learnt(_as_told(layout.board, table), table, layout)
    raise ProfileError(
        msg(
            "the board with boxes (the obelisk) is not made out in {what}: point at its boxes (--board FILE)",
            what=photograph_name(SKETCH),
        )
    )


def propose_board(photographs: Mapping[str, Picture8], layout: TableLayout) -> BoardProposal | None:
    """Return where the board's boxes may be for somebody to correct; None where nobody needs to be asked.

    `photographs` are by their names, `layout` has the codes where they lie. Raises ProfileError if the codes
    do not suffice.
    """
    if not layout.board_rows or _is_told(layout):
        return None
    tables = list(_photographed(photographs, layout))
    if any(_found(table, changed, layout) is not None for table, changed in tables):
        return None
    table, changed = tables[0]
    return BoardProposal(
        photograph=table.name,
        picture=table.picture,
        boxes_px=_usual_places(table.picture, changed, layout.board_rows),
        camera=table.camera,
        flat=table.flat,
    )


def _is_told(layout: TableLayout) -> bool:
    """Whether the layout itself says where the boxes are."""
    return layout.board is not None and len(layout.board.boxes_mm) == sum(layout.board_rows)


def _photographed(
    photographs: Mapping[str, Picture8], layout: TableLayout
) -> Iterator[tuple[_Table, Bools | None]]:
    """Yield the photographs that may show the bare board, and what changed since the table was empty."""
    empty = _table(photographs[EMPTY], EMPTY, layout) if EMPTY in photographs else None
    for name in _BARE:
        if name == EMPTY and empty is not None:
            yield empty, None
        elif name in photographs:
            table = _table(photographs[name], name, layout)
            yield table, None if empty is None else _changed(table, empty, layout)


def _usual_places(
    picture: Picture8, changed: Bools | None, rows: Sequence[int]
) -> tuple[tuple[float, float], ...]:
    """Return places for boxes in rows, the lowest first: on the largest thing that is new, px."""
    height, width = picture.shape[:2]
    left, top, wide, high = width // 3, height // 3, width // 3, height // 3
    if changed is not None and changed.any():
        _, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
        left, top, wide, high = stats[1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()), :4].tolist()
    return tuple(
        (left + (at + 0.5) * wide / count, top + high - (row + 0.5) * high / len(rows))
        for row, count in enumerate(rows)
        for at in range(count)
    )


def _table(frame: Picture8, name: str, layout: TableLayout) -> _Table:
    camera = camera_pose_of(frame, layout, photograph_name(name))
    xs, ys = [one.x_mm for one in layout.fiducials], [one.y_mm for one in layout.fiducials]
    flat = Flat.around(
        min(xs) - _BEYOND_MM,
        max(xs) + _BEYOND_MM,
        min(ys) - _BEYOND_MM,
        max(ys) + _BEYOND_MM,
        _SEARCH_PX_PER_MM,
        BOARD_THICKNESS_MM,
    )
    picture = flatten(frame, flat_maps(camera, flat))
    return _Table(frame=frame, name=name, camera=camera, flat=flat, picture=picture)


def _beside(table: _Table, layout: TableLayout) -> Bools:
    """Return where the board may lie: in the picture, beside tiles and codes, (height, width)."""
    free = np.asarray(table.picture.max(axis=2) > 0, np.uint8)
    half = layout.tile_edge_mm / 2 + _BESIDE_CITY_MM
    squares = [(x, y, half) for x, y in layout.cells.values()]
    squares += [(one.x_mm, one.y_mm, _PAPER * one.edge_mm / 2) for one in layout.fiducials]
    for x, y, reach in squares:
        ends = table.flat.to_px(np.array([(x - reach, y + reach), (x + reach, y - reach)]))
        (left, top), (right, bottom) = np.rint(ends).astype(int).tolist()
        free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = 0
    return np.asarray(free > 0, np.bool_)


def _changed(table: _Table, empty: _Table, layout: TableLayout) -> Bools:
    """Return what looks otherwise than on the empty table, beside tiles and codes, (height, width).

    The light may differ, evenly over the table: how much pixels differ beyond that, all of them tell.
    """
    free = _beside(table, layout) & _beside(empty, layout)
    ratio = _soft_log(table.picture) - _soft_log(empty.picture)
    height, width = free.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    known = terms[free][::7]
    off = np.zeros(free.shape, np.float32)
    for channel in range(3):
        values = ratio[..., channel][free][::7]
        use = np.ones(len(values), np.bool_)
        factors = np.zeros(6, np.float32)
        for _ in range(6):
            factors = np.linalg.lstsq(known[use], values[use], rcond=None)[0].astype(np.float32)
            left = np.abs(values - known @ factors)
            use = left <= 2.5 * np.median(left) + 1e-6
        usual = float(np.median(np.abs(values - known @ factors))) + 1e-3
        off = np.maximum(off, np.abs(ratio[..., channel] - terms @ factors) / usual)
    changed = np.asarray((off > _CHANGED) & free, np.uint8)
    size = 2 * round(_GAP_MM * _SEARCH_PX_PER_MM / 2) + 1
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    changed = np.asarray(
        cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)), np.uint8
    )
    _, patches, stats, _ = cv2.connectedComponentsWithStats(changed)
    large = stats[:, cv2.CC_STAT_AREA] > _LEAST_MM2 * _SEARCH_PX_PER_MM**2
    large[0] = False
    return np.asarray(large[patches], np.bool_)


def _soft_log(picture: Picture8) -> Singles:
    """Return how light a picture is, evened out over a millimetre, as logarithms."""
    soft = cv2.GaussianBlur(linear(picture), (0, 0), 0.7 * _SEARCH_PX_PER_MM)
    return np.asarray(np.log(soft + np.float32(0.02)), np.float32)


def _found(table: _Table, changed: Bools | None, layout: TableLayout) -> _Seen | None:
    """Return the boxes as they are arranged by themselves; None where they are not made out."""
    free = _beside(table, layout)
    where = free if changed is None or not changed.any() else changed & free
    boxes = find_board_boxes(table.picture, where, layout.board_rows, _SEARCH_PX_PER_MM)
    if boxes is None:
        return None
    middles, edge = _in_mm(table, boxes)
    middles = _settled(table, middles, edge, _FOUND * edge)
    return _Seen(middles_mm=middles, edge_mm=edge, outline_mm=_outline(table, changed, middles, edge))


def _in_mm(table: _Table, boxes: BoardBoxes) -> tuple[Floats, float]:
    return table.flat.to_mm(boxes.middles_px), boxes.edge_px / table.flat.px_per_mm


def _as_told(board: BoxBoard, table: _Table) -> _Seen:
    """Return the boxes about where a layout says that they are."""
    middles = np.array(board.boxes_mm) + np.array([board.area.x_mm, board.area.y_mm])
    middles = _settled(table, middles, board.box_edge_mm, _CLICKED * board.box_edge_mm)
    area = board.area
    slid = middles.mean(axis=0) - np.array(board.boxes_mm).mean(axis=0)
    half = np.array([area.width_mm / 2, area.height_mm / 2])
    corners = slid + half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
    return _Seen(middles_mm=middles, edge_mm=board.box_edge_mm, outline_mm=corners)


def _pointed_at(pointed: PointedBoard, source: _Table, table: _Table, changed: Bools | None) -> _Seen:
    """Return the boxes that somebody pointed at in one photograph, as they are seen in `table`."""
    middles = source.camera.to_table(np.array(pointed.boxes_px), BOARD_THICKNESS_MM)
    far = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    np.fill_diagonal(far, np.inf)
    edge = min(_OF_THE_WAY * float(np.median(far.min(axis=1))), _WIDEST_MM)
    middles = _settled(table, middles, edge, _CLICKED * edge)
    if pointed.outline_px:
        outline: Floats | None = source.camera.to_table(np.array(pointed.outline_px), BOARD_THICKNESS_MM)
    else:
        outline = _outline(table, changed, middles, edge)
    return _Seen(middles_mm=middles, edge_mm=edge, outline_mm=outline)


def _settled(table: _Table, middles: Floats, edge: float, reach: float) -> Floats:
    """Return middles of boxes, mm, where they look most alike, each within a reach of its place."""
    low, high = middles.min(axis=0) - 2 * edge, middles.max(axis=0) + 2 * edge
    flat = Flat.around(low[0], high[0], low[1], high[1], _FINE_PX_PER_MM, BOARD_THICKNESS_MM)
    lines = line_field(flatten(table.frame, flat_maps(table.camera, flat)))
    return flat.to_mm(settled(lines, flat.to_px(middles), edge * _FINE_PX_PER_MM, reach * _FINE_PX_PER_MM))


def _outline(table: _Table, changed: Bools | None, middles: Floats, edge: float) -> Floats | None:
    """Return the outline of what changed around the boxes, mm, (N, 2); None when that is not the board."""
    if changed is None or not changed.any():
        return None
    at = table.flat.to_px(middles).astype(np.float32)
    hull = cv2.contourArea(cv2.convexHull(_corners_around(at, edge * table.flat.px_per_mm / 2)))
    outlines, _ = cv2.findContours(changed.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        holds = all(cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in at)
        if holds and cv2.contourArea(outline) < _MOST_HULLS * hull:
            return table.flat.to_mm(outline.reshape(-1, 2).astype(np.float64))
    return None


def _corners_around(middles: Floats | Singles, half: float) -> Singles:
    """Return the corners of squares about some places, (4 N, 2)."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * np.float32(half)
    return np.asarray(middles[:, None] + square[None], np.float32).reshape(-1, 2)


def _around(seen: _Seen) -> float:
    """Return how far around the middle of a box is board, mm."""
    return (_WIDE_AROUND if seen.outline_mm is None else BOARD_AROUND) * seen.edge_mm


def _learnt(seen: _Seen, table: _Table, layout: TableLayout) -> LearntBoard:
    """Return the board cut out of a photograph."""
    reach = _corners_around(seen.middles_mm, _around(seen))
    ends = reach if seen.outline_mm is None else np.concatenate([reach, seen.outline_mm])
    low, high = ends.min(axis=0).astype(float), ends.max(axis=0).astype(float)
    (x, y), (width, height) = ((low + high) / 2).tolist(), (high - low).tolist()
    boxes = tuple((float(u), float(v)) for u, v in seen.middles_mm - (x, y))
    placed = BoxBoard(
        area=Rectangle(x_mm=x, y_mm=y, width_mm=width, height_mm=height),
        thickness_mm=BOARD_THICKNESS_MM,
        box_edge_mm=seen.edge_mm,
        boxes_mm=boxes,
    )
    plane = plane_of(table.frame, table.camera, board_flat(placed))
    at = plane.flat.to_px(np.array([[x, y]]))[0]
    pose = Pose2D(x_px=float(at[0]), y_px=float(at[1]), turn=0.0)
    white = white_light(table.frame, layout, table.camera)(plane.flat)
    face = cut_face(plane, white, pose, face_shape(width, height), "board")
    trim(face, width, height)
    face.valid[~_is_board(face, seen, (x, y))] = False
    record = FaceRecord(
        name="board",
        picture="board.png",
        width_mm=width,
        height_mm=height,
        boxes_mm=boxes,
        box_edge_mm=seen.edge_mm,
    )
    return LearntBoard(placed=placed, record=record, picture=encode_face(face))


def _is_board(face: Face, seen: _Seen, middle: Sequence[float]) -> Bools:
    """Return which pixels of a face show the board, (height, width)."""
    height, width = face.valid.shape
    inside = np.zeros((height, width), np.uint8)
    to_px = np.array([PX_PER_MM, -PX_PER_MM])
    shift = np.array([(width - 1) / 2, (height - 1) / 2])
    middles = (seen.middles_mm - middle) * to_px + shift
    if seen.outline_mm is not None:
        outline = (seen.outline_mm - middle) * to_px + shift
        cv2.fillPoly(inside, [np.rint(outline).astype(np.int32)], 1)
    return around_boxes(inside, middles, _around(seen) * PX_PER_MM, seen.edge_mm * PX_PER_MM)
