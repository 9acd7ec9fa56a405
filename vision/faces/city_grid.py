"""Finds the city in photographs: a grid of square tiles of any size, anywhere between the fiducials.

Tiles are found by their outlines alone, whatever is printed on them. How large they are and how far
apart is found roughly with the grid, and then measured at the outlines of the single tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from calibration.survey import CoordinateFrame, frame_between
from companion.table_layout import Fiducial, TableLayout
from vision.arrays import Bools, Floats, Picture8, Singles
from vision.faces.cutting import city_ground, register_outlines
from vision.faces.registration import Pose2D
from vision.faces.scene import PX_PER_MM, Plane, Surveyor
from vision.faces.squares import colour_slopes, long_sides, plain_steps, sides_of
from vision.geometry.rectify import Flat, flat_maps, flatten

# The city is searched for in a picture of this scale, rotated by up to this much to either side; first in one
# reduced by this.
_COARSE_PX_PER_MM = 0.5
_REDUCED = 2
_TURNS_DEG: Final = np.arange(-44.0, 44.1, 2.0)
_BESIDE_DEG: Final = (-2.0, 2.0)
_FINER_DEG: Final = np.arange(-1.5, 1.6, 0.5)
# Tiles of these edges are searched for, with such gaps between them, mm, then between those.
_EDGES_MM: Final = np.arange(42.0, 79.0, 3.0)
_GAPS_MM: Final = np.arange(0.0, 13.0, 3.0)
_FINER_MM: Final = (-2.0, -1.0, 0.0, 1.0, 2.0)
# A tile may slide by this; its side is searched for this far to both sides of its place.
_SLACK_MM = 3.0
# Length of a piece of a side.
_PIECE_MM = 8.0
_SIDE_SHARE = 0.9
# A step in colour this strong scores half of the maximum; levels of 255, summed over the colours.
_HALF_PLAIN = 12.0
# The grid must score this much more than at any other place, one cell farther on in particular.
_PLAINER = 1.05
# And its sides this much more than sides beside it, on any table, however plain.
_LEAST_SCORE = 0.25
# Edges are tried that leave such gaps between tiles; a side may lie this far off, and the table begins this
# far beside it.
_GAPS_TRIED_MM: Final = (-0.75, 0.75, 2.25, 3.75, 5.25, 6.75, 8.25, 9.75, 11.25, 12.75)
_OUTS_MM: Final = np.linspace(-0.6, 0.6, 9)
_BESIDE_MM: Final = np.linspace(0.6, 1.8, 5)
# A rim printed around a tile is not wider.
_RIM_MM = 4.0
# As much of what is the most of table seen beside tiles is enough; differences below the least count less.
_BARE_ENOUGH, _LEAST_RANGE = 0.85, 0.6
# Every second tile is enough to compare sizes by.
_EVERY = 2
# An edge must be this much clearer than the usual one to be believed.
_PLAINLY = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class CityGrid:
    """Where the city lies, and its sizes, mm."""

    frame: CoordinateFrame
    edge_mm: float
    pitch_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A photograph and the camera that took it."""

    frame: Picture8
    camera: CameraPose

    def flattened(self, flat: Flat) -> Picture8:
        """Return what is seen on a plane, (height, width, 3)."""
        return flatten(self.frame, flat_maps(self.camera, flat))


def find_city(
    shown: Sequence[Shown],
    codes: Sequence[Fiducial],
    layout: TableLayout,
    *,
    bare: Sequence[Shown] = (),
    any_size: bool = False,
) -> CityGrid | None:
    """Return the grid of tiles, whose middle is somewhere between the fiducials, roughly.

    It has the sizes of the layout, or with `any_size` those that fit best.

    Several photographs of the grid tell more than one: what is printed inside of all tiles alike may look
    like their sides, but not on both of their sides. Where the table is seen `bare`, too, only what differs
    from that counts: a chequered cloth has squares of its own.

    Of the four orientations of a square grid, the one nearest to the frame of the cameras is taken. None if
    no place is clearly that of a grid.
    """
    flat = _window([one.camera for one in shown], codes, layout)
    seen = np.logical_and.reduce([_seen(one.camera, flat) for one in shown])
    pictures: list[Picture8 | Singles] = [one.flattened(flat) for one in shown]
    if bare:
        empty = bare[0].flattened(flat)
        pictures = [_changes(one, empty, seen) for one in pictures]
    search = _Search(pictures, layout, _between(codes, flat), seen)
    found = search.of_any_size() if any_size else search.of_size(layout.tile_edge_mm, layout.pitch_mm)
    if found.score < max(_LEAST_SCORE, _PLAINER * search.best_elsewhere(found)):
        # Tiles may lie where nothing should: then what should be bare tells nothing.
        return find_city(shown, codes, layout, any_size=any_size) if bare else None
    at = flat.to_mm(np.array([[found.column, found.row]], np.float64))[0]
    turn = float(np.deg2rad(found.turn_deg))
    return CityGrid(
        frame=CoordinateFrame(x_mm=float(at[0]), y_mm=float(at[1]), turn_rad=turn),
        edge_mm=found.edge_mm,
        pitch_mm=found.pitch_mm,
    )


def settled_frame(shown: Shown, layout: TableLayout) -> CoordinateFrame:
    """Return the frame of the grid from the poses of its tiles; its camera is already nearly right."""
    seen, meant = _tiles_seen(_View.of(shown, layout), layout)
    # Single tiles have slid a little, but on average they have not.
    return frame_between(meant, seen)


def measured_sizes(shown: Sequence[Shown], near: TableLayout, usual: TableLayout) -> TableLayout:
    """Return the layout with the sizes that the tiles in some photographs of one table have.

    Of the layout `near` frame and pitch are nearly right. The `usual` edge counts unless another is plainly
    clearer.
    """
    views = [_View.of(one, near) for one in shown]
    pitch = near.pitch_mm * float(np.mean([_spread(view, near) for view in views]))
    edges = [pitch - gap for gap in _GAPS_TRIED_MM]
    if _GAPS_TRIED_MM[0] <= pitch - usual.tile_edge_mm <= _GAPS_TRIED_MM[-1]:
        edges.append(usual.tile_edge_mm)
    tried = [_clearness(views, usual.with_city(edge, pitch)) for edge in edges]
    bare = [one.bare for one in tried]
    range_bare = max(max(bare) - min(bare), _LEAST_RANGE)
    clear = {
        edge: one.plain + min((one.bare - min(bare)) / range_bare / _BARE_ENOUGH, 1.0)
        for edge, one in zip(edges, tried, strict=True)
    }
    best = max(edges, key=lambda edge: clear[edge])
    if clear.get(usual.tile_edge_mm, -np.inf) > clear[best] - _PLAINLY:
        return usual.with_city(usual.tile_edge_mm, pitch)
    return usual.with_city(best + tried[edges.index(best)].off_mm, pitch)


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """A photograph of the city, and its tiles found by their outlines."""

    camera: CameraPose
    plane: Plane
    poses: dict[str, Pose2D]

    @classmethod
    def of(cls, shown: Shown, layout: TableLayout) -> _View:
        plane = Surveyor(layout, shown.camera).draw_city(shown.frame).plane
        return cls(camera=shown.camera, plane=plane, poses=register_outlines(plane, layout))


def _tiles_seen(view: _View, layout: TableLayout) -> tuple[Floats, Floats]:
    """Return where the middles of tiles are seen, and where they should be, (N, 2) mm each."""
    at = [(view.poses[cell].x_px, view.poses[cell].y_px) for cell in layout.cells]
    return view.plane.flat.to_mm(np.array(at)), np.array(list(layout.cells.values()))


def _spread(view: _View, layout: TableLayout) -> float:
    """Return how many times as far apart as in the layout tiles lie."""
    seen, meant = _tiles_seen(view, layout)
    return float(np.sqrt(seen.var(axis=0).sum() / meant.var(axis=0).sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clearness:
    """How clearly tiles of one size are seen.

    Attributes:
        plain: how plain the steps at their sides are, 0 to 1.
        bare: how much it looks like the table just beside them, -1 to 1.
        off_mm: how much longer their edges are where the steps are plainest.
    """

    plain: float
    bare: float
    off_mm: float


def _clearness(views: Sequence[_View], layout: TableLayout) -> _Clearness:
    """Return how clearly tiles of this size are seen in all photographs together."""
    edge_px, thick_px = (size * PX_PER_MM for size in (layout.tile_edge_mm, layout.pieces.tile_thickness_mm))
    # Not even a rim that is printed around tiles of another size is taken for table, or for what is within.
    least, most = layout.tile_edge_mm - 2 * _RIM_MM, layout.pitch_mm + _RIM_MM
    outs, beside = _OUTS_MM * PX_PER_MM, _BESIDE_MM * PX_PER_MM
    plain, bare, sides = np.zeros(len(outs)), 0.0, 0
    for view in views:
        plane, eye = view.plane, view.camera.eye_mm
        poses = list(register_outlines(plane, layout, view.poses, list(layout.cells)[::_EVERY]).values())
        places = [(one.x_px, one.y_px) for one in view.poses.values()]
        ground = city_ground(plane, places, least * PX_PER_MM, most * PX_PER_MM)
        slopes = colour_slopes(plane.picture)
        for pose in poses:
            middle = plane.flat.to_mm(np.array([(pose.x_px, pose.y_px)]))[0]
            towards = (eye[:2] - middle) / eye[2] * (1, -1)
            for side in sides_of(pose, edge_px):
                # A camera that looks from the side sees the rim of the tile between its face and the table.
                rim = max(float(np.dot(towards, side.normal)), 0.0) * thick_px
                plain += side.plainness(slopes, outs)
                bare += side.mean_of(ground, beside + rim)
                sides += 1
    best = int(plain.argmax())
    return _Clearness(plain=float(plain[best]) / sides, bare=bare / sides, off_mm=2 * float(_OUTS_MM[best]))


# -- the search -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _Peak:
    """The best place of the grid at one rotation and size, in pixels of the window."""

    score: float
    column: int
    row: int
    turn_deg: float
    edge_mm: float
    pitch_mm: float


def _peak(scores: Singles, allowed: Bools, turn_deg: float, edge_mm: float, pitch_mm: float) -> _Peak:
    """Return the best place of a grid among those allowed, (height, width) both."""
    row, column = np.unravel_index(int(np.argmax(np.where(allowed, scores, -np.inf))), scores.shape)
    best = float(scores[row, column]) if allowed[row, column] else -np.inf
    return _Peak(best, int(column), int(row), float(turn_deg), float(edge_mm), float(pitch_mm))


class _Search:
    """Looks for the grid in pictures (height, width, 3) of one window, where its middle may be `between`.

    Of the window all photographs show the part `seen`, (height, width).
    """

    def __init__(
        self, pictures: Sequence[Picture8 | Singles], layout: TableLayout, between: Bools, seen: Bools
    ) -> None:
        self._pictures = pictures
        self._between = between
        self._seen = seen
        pitch = layout.pitch_mm
        own = {(round(x / pitch), round(y / pitch)) for x, y in layout.cells.values()}
        # The cells that would adjoin the grid if it were larger: no tile lies there.
        beside = {(x + dx, y + dy) for x, y in own for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))} - own
        self._own, self._beside = sorted(own), sorted(beside)

    def of_size(self, edge_mm: float, pitch_mm: float) -> _Peak:
        """Return the best grid of one size."""
        found = max(self._fine(turn, [edge_mm], [pitch_mm]) for turn in _TURNS_DEG)
        return max(self._fine(found.turn_deg + turn, [edge_mm], [pitch_mm]) for turn in _FINER_DEG)

    def of_any_size(self) -> _Peak:
        """Return the best grid of any size."""
        rough = max(self._rough(turn) for turn in _TURNS_DEG[::2])
        rough = max(rough, *(self._rough(rough.turn_deg + turn) for turn in _BESIDE_DEG))
        turned = max(
            self._fine(rough.turn_deg + turn, [rough.edge_mm], [rough.pitch_mm]) for turn in _FINER_DEG
        )
        edges, pitches = ([at + off for off in _FINER_MM] for at in (rough.edge_mm, rough.pitch_mm))
        return self._fine(turned.turn_deg, edges, pitches)

    def best_elsewhere(self, found: _Peak) -> float:
        """Return how well the same grid scores at the best place that is not the one found."""
        at = found.turn_deg, [found.edge_mm], [found.pitch_mm]
        ((_, _, scores),) = self._scores(*at)
        y, x = np.mgrid[: scores.shape[0], : scores.shape[1]]
        far = np.hypot(x - found.column, y - found.row) > found.pitch_mm * _COARSE_PX_PER_MM / 2
        return float(np.where(self._between, scores, -1.0)[far].max())

    def _rough(self, turn_deg: float) -> _Peak:
        """Return the best grid of any size at one rotation, found in reduced pictures."""
        size = self._between.shape[1] // _REDUCED, self._between.shape[0] // _REDUCED
        sides = [
            tuple(np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32) for one in both)
            for both in self._plain(turn_deg)
        ]
        px_per_mm = _COARSE_PX_PER_MM / _REDUCED
        between, seen = (
            cv2.resize(self._rotated(one.astype(np.uint8), turn_deg), size, interpolation=cv2.INTER_NEAREST)
            > 0
            for one in (self._between, self._seen)
        )
        peaks = []
        for edge in _EDGES_MM.tolist():
            tile = _tile_scores(sides, edge, px_per_mm)
            for pitch in (edge + _GAPS_MM).tolist():
                scores = self._city_scores(tile, seen, pitch * px_per_mm)
                peaks.append(_peak(scores, between, turn_deg, edge, pitch))
        return max(peaks)

    def _fine(self, turn_deg: float, edges_mm: Sequence[float], pitches_mm: Sequence[float]) -> _Peak:
        """Return the best grid of some sizes at one rotation."""
        found = self._scores(turn_deg, edges_mm, pitches_mm)
        return max(_peak(scores, self._between, turn_deg, edge, pitch) for edge, pitch, scores in found)

    def _scores(
        self, turn_deg: float, edges_mm: Sequence[float], pitches_mm: Sequence[float]
    ) -> Iterator[tuple[float, float, Singles]]:
        """Yield edge, pitch, and how well that grid scores with its middle at each pixel, (height, width)."""
        sides, seen = self._plain(turn_deg), self._rotated(self._seen.astype(np.uint8), turn_deg) > 0
        for edge in edges_mm:
            tile = _tile_scores(sides, edge, _COARSE_PX_PER_MM)
            for pitch in pitches_mm:
                upright = self._city_scores(tile, seen, pitch * _COARSE_PX_PER_MM)
                yield edge, pitch, self._turned_back(upright, turn_deg)

    def _plain(self, turn_deg: float) -> list[tuple[Singles, Singles]]:
        """Return the plain upright and level steps of each picture, rotated so that the grid is upright."""
        return [_plain_steps(self._rotated(one, turn_deg)) for one in self._pictures]

    def _rotated(self, picture: NDArray[Any], turn_deg: float) -> NDArray[Any]:
        matrix, size = self._rotation(turn_deg)
        return cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)

    def _turned_back(self, scores: Singles, turn_deg: float) -> Singles:
        matrix, size = self._rotation(turn_deg)
        back = cv2.warpAffine(scores, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        return np.asarray(back, np.float32)

    def _rotation(self, turn_deg: float) -> tuple[Floats, tuple[int, int]]:
        """Return the rotation about the window's middle, and its size."""
        height, width = self._between.shape
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -turn_deg, 1.0)
        return np.asarray(matrix, np.float64), (width, height)

    def _city_scores(self, tile: Singles, seen: Bools, pitch_px: float) -> Singles:
        """Return how much a grid outscores tiles beside it, for its middle at each pixel.

        What no photograph shows is taken to look like the rest of the table.
        """
        usual = np.float32(tile[seen].mean()) if seen.any() else np.float32(0)
        scores = np.zeros_like(tile)
        for places, there, sign in (
            (self._own, np.where(seen, tile, np.float32(0)), 1.0),
            (self._beside, np.where(seen, tile, usual), -1.0),
        ):
            total = np.zeros_like(tile)
            for moved in _moved(there, [(x * pitch_px, -y * pitch_px) for x, y in places]):
                total += moved
            scores += total * np.float32(sign / len(places))
        return scores


def _seen(camera: CameraPose, flat: Flat) -> Bools:
    """Return which pixels of a window a photograph shows, (height, width)."""
    width, height = camera.lens.size_wh
    inside = flatten(np.full((height, width, 3), 255, np.uint8), flat_maps(camera, flat))
    return np.asarray(inside[..., 0] > 0, np.bool_)


def _window(cameras: Sequence[CameraPose], codes: Sequence[Fiducial], layout: TableLayout) -> Flat:
    """Return a window that contains all that is seen of any grid with its middle between the fiducials."""
    corners = (np.abs(np.array(list(layout.cells.values()))) / layout.pitch_mm + 0.5).T
    reach = float(np.hypot(*corners).max()) * float(_EDGES_MM[-1] + _GAPS_MM[-1])
    height_mm = layout.pieces.tile_thickness_mm
    xs, ys = [one.x_mm for one in codes], [one.y_mm for one in codes]
    whole = Flat.around(
        min(xs) - reach, max(xs) + reach, min(ys) - reach, max(ys) + reach, _COARSE_PX_PER_MM, height_mm
    )
    seen = np.logical_and.reduce([_seen(camera, whole) for camera in cameras])
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return whole
    ends = np.array([(columns[0], rows[0]), (columns[-1] + 1, rows[-1] + 1)], np.float64)
    (left, far), (right, near) = whole.to_mm(ends - 0.5)
    return Flat.around(float(left), float(right), float(near), float(far), _COARSE_PX_PER_MM, height_mm)


def _between(codes: Sequence[Fiducial], flat: Flat) -> Bools:
    """Return which pixels of a window lie between the fiducials, (height, width)."""
    places = flat.to_px(np.array([(one.x_mm, one.y_mm) for one in codes]))
    inside = np.zeros((flat.height_px, flat.width_px), np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(places).astype(np.int32)), 1)
    return np.asarray(inside > 0, np.bool_)


def _changes(picture: Picture8 | Singles, empty: Picture8, seen: Bools) -> Singles:
    """Return what differs from the empty table in a picture of the same window, (height, width, 3).

    Light and exposure may be others: what most of the window has become brighter by is no difference.
    """
    before = empty.astype(np.float32)
    ratios = picture[seen] / np.maximum(before[seen], np.float32(1))
    gain = np.median(ratios, axis=0) if len(ratios) else np.ones(3)
    return np.asarray(picture - before * gain.astype(np.float32), np.float32)


def _plain_steps(picture: Picture8 | Singles) -> tuple[Singles, Singles]:
    piece = max(round(_PIECE_MM * _COARSE_PX_PER_MM), 1)
    upright, level = colour_slopes(picture)
    return (
        plain_steps(upright, is_level=False, piece_px=piece, half_plain=_HALF_PLAIN),
        plain_steps(level, is_level=True, piece_px=piece, half_plain=_HALF_PLAIN),
    )


def _tile_scores(sides: Sequence[Sequence[Singles]], edge_mm: float, px_per_mm: float) -> Singles:
    """Return how clearly a tile lies at each pixel, 0 to 1, on average over pictures.

    A tile scores as much as its weakest side: the grain of a table has only one direction.
    """
    edge_px, slack = edge_mm * px_per_mm, round(_SLACK_MM * px_per_mm)
    half, total = edge_px / 2, np.zeros_like(sides[0][0])
    for upright, level in sides:
        across = long_sides(upright, _SIDE_SHARE * edge_px, is_level=False, slack_px=slack)
        along = long_sides(level, _SIDE_SHARE * edge_px, is_level=True, slack_px=slack)
        total += np.minimum(
            np.minimum(*_moved(across, [(half, 0), (-half, 0)])),
            np.minimum(*_moved(along, [(0, half), (0, -half)])),
        )
    return np.asarray(total / len(sides), np.float32)


def _moved(scores: Singles, steps: Sequence[tuple[float, float]]) -> Iterator[Singles]:
    """Yield the scores shifted by so many pixels from the right and below each time, 0 beyond the picture."""
    whole = [(round(columns), round(rows)) for columns, rows in steps]
    rim = max(max(abs(columns), abs(rows)) for columns, rows in whole)
    wide = cv2.copyMakeBorder(scores, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0)
    height, width = scores.shape
    for columns, rows in whole:
        yield np.asarray(wide[rim + rows :, rim + columns :][:height, :width], np.float32)
