"""One photograph of pieces that lie on a table: its camera, its light, and the faces cut out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.arrays import Bools, Floats, Image, Singles
from vision.enrolment.laid_discs import find_disc
from vision.enrolment.laid_outlines import (
    FINDING_PX_PER_MM,
    FITTING_PX_PER_MM,
    EmptyTable,
    FilmedGround,
    LaidOutline,
    find_outlines,
    fit_outlines,
)
from vision.enrolment.lamp_haze import haze_on, share_in_glare
from vision.faces.cutting import camera_pose_of, white_light
from vision.free.learnt_faces import LEARNT_PX_PER_MM
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.photometry.light import coded, glare, linear

# Faces may lie a little beyond the codes, mm.
_MARGIN_MM: Final = 60.0
# A code's paper is larger than the code by this share.
_PAPER: Final = 1.5
# Whoever points at the middle of a board is no further off than this, mm.
_POINTED_MM: Final = 20.0
# Light changes slowly: it is known at this scale.
_LIGHT_PX_PER_MM: Final = 0.25
# Larger patches of white are glare, mm2.
_GLARE_MM2: Final = 200.0
# A face of which a lamp's reflection hides a larger share looks like others.
_MOST_GLARE: Final = 0.2
# A copy's size is believed to differ from the list if it does so by more than this share.
_OTHER_SIZE: Final = 0.01


# A camera that has not moved sees the codes no further from where they were than this, mm.
_MOVED_MM: Final = 0.5
# The noise between two frames is told from every so many pixels; what differs by less than so many of its
# spreads may be noise, and by so few is. The step at an edge is looked for within so many mm.
_NOISE_STEP, _MAD, _SPREADS, _NOISY, _STEP_MM = 8, 1.4826, 8.0, 2.0, 2.0
# What differs by so many spreads from the empty table is something that lies there.
_COVERED: Final = 16.0
# No camera is as noisy as this, levels of 255, and pieces leave more of the table free: a lamp has been lit.
_NOISIEST, _MOST_COVERED = 8.0, 0.5


class Window(NamedTuple):
    """A rectangle of the table, mm: x from left to right, y from near to far."""

    left: float
    right: float
    near: float
    far: float

    def grown(self, by_mm: float) -> Window:
        """Return the rectangle with a margin around it."""
        return Window(self.left - by_mm, self.right + by_mm, self.near - by_mm, self.far + by_mm)


def around_codes(layout: TableLayout) -> Window:
    """Return the rectangle around the codes in which faces may lie."""
    xs = [one.x_mm for one in layout.fiducials]
    ys = [one.y_mm for one in layout.fiducials]
    return Window(min(xs), max(xs), min(ys), max(ys)).grown(_MARGIN_MM)


class Film(NamedTuple):
    """Earlier frames of a camera, (height, width, 3): before the face came, and when nothing lay there."""

    before: Image
    empty: Image


class View:
    """How one camera sees one table: its pose, and the light on white paper.

    Raises ProfileError if the codes do not tell.

    Attributes:
        layout: the table, its codes where they lie.
        camera: the camera.
    """

    def __init__(self, name: str, frame: Image, layout: TableLayout) -> None:
        self.layout = layout
        self.camera: CameraPose = camera_pose_of(frame, layout, name)
        self._flat = _flat(around_codes(layout), _LIGHT_PX_PER_MM, 0.0)
        over: Callable[[Flat], Singles] = white_light(frame, layout, self.camera)
        self._light = over(self._flat)

    def is_from_where(self, other: View) -> bool:
        """Whether both photographs were taken by a camera that has not moved in between."""
        if self.camera.lens.size_wh != other.camera.lens.size_wh:
            return False
        codes = np.array([corner for one in self.layout.fiducials for corner in one.corners_mm()])
        there = self.camera.project(np.column_stack([codes, np.zeros(len(codes))]))
        apart = other.camera.to_table(there, 0.0) - codes
        return bool(np.hypot(*apart.T).max() < _MOVED_MM)

    def light_at(self, points_mm: Floats) -> Singles:
        """Return the light on white paper at a grid of points (rows, columns, 2) mm, (rows, columns, 3)."""
        x, y = cv2.split(self._flat.to_px(points_mm).astype(np.float32))
        found = cv2.remap(self._light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32).reshape(*points_mm.shape[:2], 3)


def _flat(window: Window, px_per_mm: float, height_mm: float) -> Flat:
    return Flat.around(window.left, window.right, window.near, window.far, px_per_mm, height_mm)


@dataclass(frozen=True, slots=True)
class LearntFace:
    """A face that was found: where it lies, on which plane, and what was cut out there.

    Attributes:
        picture: name of the photograph.
        corners_px: (4, 2) in the photograph, from the upper left clockwise.
        size_mm: its width and height in this copy.
        image: (height, width, 3) relative to white paper; `valid` (height, width) where it was seen.
        share_in_glare: share of it whose colours a mirrored lamp made too light to tell.
    """

    picture: str
    corners_px: Floats
    size_mm: tuple[float, float]
    image: Image
    valid: Bools
    share_in_glare: float = 0.0

    @property
    def is_lost(self) -> bool:
        """Whether a lamp was mirrored in so much of it that it would be mistaken for others."""
        return self.share_in_glare > _MOST_GLARE


class LaidShot:
    """A photograph, its camera, and what it shows of a plane."""

    def __init__(
        self,
        name: str,
        frame: Image,
        view: View,
        pieces: PieceSet,
        *,
        window: Window | None = None,
        height_mm: float | None = None,
        film: Film | None = None,
        empty: Image | None = None,
    ) -> None:
        """Prepare a photograph.

        Args:
            name: of the photograph, for people.
            frame: (height, width, 3).
            view: how its camera sees the table.
            pieces: of the game.
            window: where faces may lie; by default, between the codes and around them.
            height_mm: of the faces over the table; by default, one piece lies there.
            film: earlier frames of the same camera, which follow each other.
            empty: the same table with nothing on it, by the same camera, (height, width, 3).
        """
        self.name, self.frame, self.view, self.pieces = name, frame, view, pieces
        self.layout, self.camera = view.layout, view.camera
        self._window = around_codes(view.layout) if window is None else window
        self._height_mm = pieces.thickness_mm if height_mm is None else height_mm
        self._film, self._empty = film, empty
        self._planes: dict[float, Image] = {}

    def flat(self, px_per_mm: float) -> Flat:
        """Return the window on the plane of the faces."""
        return _flat(self._window, px_per_mm, self._height_mm)

    def seen(self, px_per_mm: float) -> Image:
        """Return that window as seen from straight above, (height, width, 3)."""
        if px_per_mm not in self._planes:
            self._planes[px_per_mm] = flatten(self.frame, flat_maps(self.camera, self.flat(px_per_mm)))
        return self._planes[px_per_mm]

    def beside_codes(self, size_mm: tuple[float, float]) -> Bools:
        """Return where middles of faces may be, (height, width) at the scale of finding."""
        flat = self.flat(FINDING_PX_PER_MM)
        free = np.ones((flat.height_px, flat.width_px), np.uint8)
        for one in self.layout.fiducials:
            out = one.edge_mm * _PAPER / 2 + min(size_mm) / 2
            corners = [(one.x_mm - out, one.y_mm + out), (one.x_mm + out, one.y_mm - out)]
            (left, top), (right, bottom) = np.rint(flat.to_px(np.array(corners))).astype(int).tolist()
            cv2.rectangle(free, (left, top), (right, bottom), 0, -1)
        return free > 0

    def about(self, at_px: tuple[float, float]) -> Bools:
        """Return what is near a pixel of the photograph, (height, width) at the scale of finding."""
        flat = self.flat(FINDING_PX_PER_MM)
        middle = flat.to_px(self.camera.to_table(np.array([at_px], np.float64), flat.height_mm))[0]
        near = np.zeros((flat.height_px, flat.width_px), np.uint8)
        x, y = round(float(middle[0])), round(float(middle[1]))
        cv2.circle(near, (x, y), round(_POINTED_MM * FINDING_PX_PER_MM), 1, -1)
        return near > 0

    def outlines(
        self, size_mm: tuple[float, float], searched: Bools, most: int, *, is_size_known: bool = False
    ) -> list[LaidOutline]:
        """Return the exact outlines of faces of this size, px at the scale of fitting."""
        (rough,) = self._rough(size_mm, [searched], most)
        return self._fitted(rough, is_size_known=is_size_known)

    def outlines_at(
        self, size_mm: tuple[float, float], points_px: Sequence[tuple[float, float]]
    ) -> list[LaidOutline | None]:
        """Return the same of the faces whose middles are pointed at, in this order; None where none is."""
        found = self._rough(size_mm, [self.about(at_px) for at_px in points_px], 1)
        # All are of one copy: what tells the table from one of them does so for the others, and so does size.
        fitted = iter(self._fitted([one for each in found for one in each]))
        return [next(fitted) if each else None for each in found]

    def _rough(
        self, size_mm: tuple[float, float], searched: Sequence[Bools], most: int
    ) -> list[list[LaidOutline]]:
        """Return where faces lie roughly in each of some parts, px at the scale of fitting."""
        seen, film = self.seen(FINDING_PX_PER_MM), self._filmed(FINDING_PX_PER_MM)
        empty = self._when_empty(FINDING_PX_PER_MM)
        size_px = (size_mm[0] * FINDING_PX_PER_MM, size_mm[1] * FINDING_PX_PER_MM)
        found = [find_outlines(seen, size_px, part, most, film=film, empty=empty) for part in searched]
        return [[one.enlarged(FITTING_PX_PER_MM / FINDING_PX_PER_MM) for one in some] for some in found]

    def _fitted(self, rough: Sequence[LaidOutline], *, is_size_known: bool = False) -> list[LaidOutline]:
        return fit_outlines(
            self.seen(FITTING_PX_PER_MM),
            rough,
            is_size_known=is_size_known,
            film=self._filmed(FITTING_PX_PER_MM),
            empty=self._when_empty(FITTING_PX_PER_MM),
        )

    def _filmed(self, px_per_mm: float) -> FilmedGround | None:
        """Return what earlier frames tell of the ground."""
        if self._film is None:
            return None
        return FilmedGround(
            self._unchanged(self._film.before, px_per_mm), self._unchanged(self._film.empty, px_per_mm)
        )

    def _when_empty(self, px_per_mm: float) -> EmptyTable | None:
        """Return what the empty table tells of what lies on it; None if it was in other light."""
        if self._empty is None:
            return None
        apart, spread = self._change(self._empty, px_per_mm)
        if spread > _NOISIEST:
            return None
        far = _beyond_noise(apart, spread)
        least = _COVERED * spread
        clear = far[far > least]
        # Blur and shadows beside what is clear change the table, too, but by less than half as much.
        step = max(least, float(np.median(clear)) / 2) if len(clear) else least
        covered = np.asarray(np.minimum(far / step, 1), np.float32)
        return EmptyTable(covered, apart) if covered.mean() < _MOST_COVERED else None

    def covered(self, px_per_mm: float) -> Singles | None:
        """Return how surely something lies on each pixel, (height, width), 0 to 1; None if nobody knows."""
        empty = self._when_empty(px_per_mm)
        return None if empty is None else empty.covered

    def bare_share(self, one: LaidOutline) -> float:
        """Return how much of what an outline holds is as on the empty table, 0 to 1; there must be a film."""
        assert self._film is not None
        return one.mean_of(self._unchanged(self._film.empty, FITTING_PX_PER_MM))

    def _unchanged(self, earlier: Image, px_per_mm: float) -> Singles:
        """Return how surely each pixel of the window is as in an earlier frame, (height, width), 0 to 1."""
        apart, spread = self._change(earlier, px_per_mm)
        far = _beyond_noise(apart, spread)
        # An edge is where half of the step beside it is reached, however soft it is.
        near = round(_STEP_MM * px_per_mm) * 2 + 1
        step = np.maximum(cv2.dilate(far, np.ones((near, near), np.uint8)), np.float32(_SPREADS * spread))
        return np.asarray(1 - far / step, np.float32)

    def _change(self, earlier: Image, px_per_mm: float) -> tuple[Singles, float]:
        """Return by how much each pixel differs from an earlier frame, (height, width, 3), and the noise.

        What most of the frame differs by is its noise, and the change of the light.
        """
        some = slice(None, None, _NOISE_STEP)
        now, then = (one[some, some].reshape(-1, 3).astype(np.float32) for one in (self.frame, earlier))
        gain = np.median(now / np.maximum(then, 1.0), axis=0)
        spread = max(float(np.median(np.abs(now - then * gain))) * _MAD, 1.0)
        before = flatten(earlier, flat_maps(self.camera, self.flat(px_per_mm)))
        apart = cv2.blur(self.seen(px_per_mm), (3, 3)) - cv2.blur(before, (3, 3)) * gain
        return np.asarray(apart, np.float32), spread

    def disc(self, diameter_mm: float, at_px: tuple[float, float]) -> list[LaidOutline]:
        """Return the outline of a round board whose middle is pointed at, px at the scale of fitting."""
        near = cv2.resize(self.about(at_px).view(np.uint8), self._size_wh(), interpolation=cv2.INTER_NEAREST)
        return find_disc(self.seen(FITTING_PX_PER_MM), diameter_mm * FITTING_PX_PER_MM, near > 0)

    def _size_wh(self) -> tuple[int, int]:
        flat = self.flat(FITTING_PX_PER_MM)
        return flat.width_px, flat.height_px

    def cut(self, one: LaidOutline, size_mm: tuple[float, float], *, is_round: bool = False) -> LearntFace:
        """Return the face within an outline, without the sheen of a lamp."""
        flat = self.flat(FITTING_PX_PER_MM)
        seen_mm = (one.size_px[0] / FITTING_PX_PER_MM, one.size_px[1] / FITTING_PX_PER_MM)
        is_other = max(abs(seen_mm[axis] / size_mm[axis] - 1) for axis in (0, 1)) > _OTHER_SIZE
        real_mm = seen_mm if is_other else size_mm
        width, height = (round(edge * LEARNT_PX_PER_MM) for edge in real_mm)
        corners = flat.to_mm(one.corners_px())
        # Pixels' middles, in shares of the face from its upper left corner.
        across, down = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
        right, below = corners[1] - corners[0], corners[3] - corners[0]
        points = corners[0] + across.reshape(-1, 1) * right + down.reshape(-1, 1) * below
        at = self._pixels(points).astype(np.float32).reshape(height, width, 2)
        x, y = cv2.split(at)
        image = np.asarray(cv2.remap(self.frame, x, y, cv2.INTER_CUBIC), np.uint8)
        light = self.view.light_at(points.reshape(height, width, 2))
        burnt = glare(image, _GLARE_MM2 * LEARNT_PX_PER_MM**2)
        valid = ~burnt
        if is_round:
            valid &= np.hypot(across - 0.5, down - 0.5) <= 0.5
        seen = np.asarray(linear(image) / np.maximum(light, 1e-3), np.float32)
        haze = haze_on(seen, valid)
        white = coded(np.asarray(np.maximum(seen - haze[..., None], 0), np.float32))
        lost = share_in_glare(image, haze)
        return LearntFace(self.name, self._pixels(corners), real_mm, white, valid, lost)

    def _pixels(self, points_mm: Floats) -> Floats:
        height = np.full(len(points_mm), self._height_mm)
        return self.camera.project(np.column_stack([points_mm, height]))


def _beyond_noise(apart: Singles, spread: float) -> Singles:
    """Return by how much pixels (height, width, 3) differ that noise of this spread does not explain."""
    return np.asarray(np.maximum(np.abs(apart).max(axis=2) - _NOISY * spread, 0), np.float32)


def face_size_mm(layout: TableLayout, pieces: PieceSet, name: str) -> tuple[float, float]:
    """Return the width and height of a face according to the game's list."""
    if name in pieces.sizes_mm:
        return pieces.sizes_mm[name]
    edge = layout.tile_edge_mm
    return (edge, edge) if edge > 0 else (layout.pieces.card_width_mm, layout.pieces.card_height_mm)
