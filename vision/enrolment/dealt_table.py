"""A table on which tiles or cards are dealt under the camera: frame by frame, which of them are taken.

A card is taken once it lies still and sharp, looks otherwise than what lay there, and nothing but a card can
be what has changed: no arm, no heap. Backs are known once one has been dealt first.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from companion.errors import ProfileError
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.arrays import Bools, Floats, Image, Picture8, Singles
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_names import DealtName
from vision.enrolment.dealt_watch import DealWatch, Glance, Now
from vision.enrolment.frame_changes import BLOCK_PX, block_means, changed_blocks, noise_of, sharpness
from vision.enrolment.laid_outlines import FINDING_PX_PER_MM
from vision.enrolment.laid_shot import Film, LaidShot, LearntFace, View, Window, around_codes
from vision.faces.table_frame import Photograph, measured

Labelled: TypeAlias = NDArray[np.int32]
# What has changed may reach beyond a card by this share of its shorter edge: shadows, what it has pushed.
_BESIDE: Final = 0.3
# The table around a card tells where it ends, mm.
_GROUND_MM: Final = 12.0
# Edges of faces are found to this, mm: what has moved less has not moved.
_SAME_PLACE_MM: Final = 1.5
# The same face has been pushed if it has moved less than this share of its shorter edge.
_PUSHED: Final = 0.5
# Where more than this share of a face is as on the empty table, a card was taken away.
_BARE: Final = 0.6
_CODE_PX: Final = 24
# The usual noise is that of so many frames.
_NOISE_OF: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A card that was taken: its number from 0, what it is taken to be, and its picture."""

    number: int
    named: DealtName
    face: LearntFace


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a frame brought.

    Attributes:
        now: what it shows; None: the codes are not seen.
        taken: the card that was taken.
        fault: why the table cannot be seen, for people.
    """

    now: Now | None
    taken: Taken | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _CardThere:
    """A card on the table: its corners (4, 2) mm, the height of its face, its number, and the first card of
    its look.
    """

    corners_mm: Floats
    top_mm: float
    number: int
    look: int


class DealtTable:
    """Watches cards being dealt; `deal` has those that were taken.

    Not for several threads at once, but `deal` may be read and changed between two frames.
    """

    def __init__(self, layout: TableLayout, pieces: PieceSet, deal: Deal) -> None:
        """Begin with nothing on the table; `layout` is the usual one, with codes of the printed size."""
        self.deal = deal
        self.layout = layout
        self.view: View | None = None
        self._pieces = pieces
        self._size_mm = deal.listed_mm
        self._watch = DealWatch()
        self._before: Singles | None = None
        self._known: Singles | None = None
        self._known_frame: Image | None = None
        self._empty: Image | None = None
        self._there: list[_CardThere] = []
        self._noise: deque[Singles] = deque(maxlen=_NOISE_OF)
        # What was seen at the last look, where something reached in from the rim.
        self._reached_in: Singles | None = None

    def feed(self, frame: Image) -> Step:
        """Look at the next frame (height, width, 3)."""
        means = block_means(frame)
        if self.view is None or self._known is None or means.shape != self._known.shape:
            return self._begun(frame, means)
        before, self._before = self._before, means
        assert before is not None
        self._noise.append(noise_of(before, means))
        changed = self._changed(self._known, means)
        glance = Glance(
            has_moved=bool(self._changed(before, means).any()),
            has_changed=bool(changed.any()),
            sharpness=self._sharpness(frame),
        )
        now = self._watch.feed(glance)
        taken = self._look(frame, means, changed) if now is Now.LOOK else None
        return Step(now=now, taken=taken)

    @property
    def empty(self) -> Image | None:
        """The table before anything was dealt; None as long as its codes were not seen."""
        return self._empty

    def undo(self) -> None:
        """Forget the last card, if any: laid anew it is taken again."""
        self.deal.undo()
        self._there = [one for one in self._there if one.number < len(self.deal)]

    def _begun(self, frame: Image, means: Singles) -> Step:
        """Learn where the codes lie."""
        try:
            photograph = Photograph(frame=frame, what="the picture", shows_city=False)
            self.layout = measured([photograph], self.layout)
            self.view = View("the picture", frame, self.layout)
        except ProfileError as error:
            return Step(now=None, fault=str(error))
        self._before = self._known = means
        self._known_frame = self._empty = frame
        return Step(now=Now.SETTLING)

    def _changed(self, before: Singles, now: Singles) -> Bools:
        usual = np.median(np.stack(list(self._noise)), axis=0).astype(np.float32) if self._noise else None
        return changed_blocks(before, now, usual)

    def _sharpness(self, frame: Image) -> float | None:
        """Return how sharp the codes are, None if none is seen."""
        assert self.view is not None
        found = []
        for one in self.layout.fiducials:
            corners = np.array([[*at, 0.0] for at in one.points_mm(_square(one.edge_mm / 2))])
            patch = _patch(frame, self.view.camera.project(corners))
            if patch is not None and (sharp := sharpness(patch)) is not None:
                found.append(sharp)
        return float(np.median(found)) if found else None

    # -- looking --------------------------------------------------------------------------------------

    def _look(self, frame: Image, means: Singles, changed: Bools) -> Taken | None:
        """Return the card that has come, None if there is none."""
        try:
            view = View("the picture", frame, self.layout)
        except ProfileError:
            return None
        self.view = view
        changed = self._without_what_stays(means, changed)
        where = largest_within(changed)
        if where is None:
            return None
        found = self._found(frame, view, where)
        self._keep(frame, means, changed, where)
        if found is None:
            # Something was taken away, or more than a card has changed. What lay there may be gone.
            self._forget(view.camera, where)
            return None
        return self._judged(*found)

    def _without_what_stays(self, means: Singles, changed: Bools) -> Bools:
        """Return what has changed, without what reaches in from the rim just as it did at the last look.

        A hand never comes to rest twice in the same way: that is no arm, and stays.
        """
        assert self._known is not None
        last, self._reached_in = self._reached_in, None
        reaches = reaching_in(changed)
        if not reaches.any():
            return changed
        self._reached_in = means
        if last is None:
            return changed
        since = self._changed(last, means)
        if reaching_in(since).any():
            return changed
        self._known = np.where(reaches[..., None], last, self._known)
        return self._changed(self._known, means)

    def _keep(self, frame: Image, means: Singles, changed: Bools, where: Bools) -> None:
        """Know what lies there now, but for what else has changed: that is still to be looked at."""
        assert self._known is not None
        rest = cv2.dilate((changed & ~where).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        self._known = np.where((rest & ~where)[..., None], self._known, means)
        # An arm in it does no harm: it is not where a card has been laid since.
        self._known_frame = frame

    def _found(self, frame: Image, view: View, blocks: Bools) -> tuple[LearntFace, Floats, float] | None:
        """Return the card within what has changed, its corners mm, and the height of its face."""
        changed_mm = _middles_mm(view.camera, blocks, self._pieces.thickness_mm)
        whole = around_codes(view.layout)
        if not len(changed_mm):
            return None
        (left, near), (right, far) = changed_mm.min(axis=0), changed_mm.max(axis=0)
        reach = math.hypot(*self._size_mm) / 2
        height = self._height((float(changed_mm[:, 0].mean()), float(changed_mm[:, 1].mean())))
        # A high heap throws its shadow further.
        beside = _BESIDE * min(self._size_mm) + height
        if max(right - left, far - near) > 2 * (reach + beside):
            return None
        if right < whole.left or left > whole.right or far < whole.near or near > whole.far:
            return None
        middle = self._middles(Window(left, right, near, far), beside)
        window = middle.grown(reach + _GROUND_MM)
        assert self._known_frame is not None
        assert self._empty is not None
        film = Film(before=self._known_frame, empty=self._empty)
        shot = LaidShot("the picture", frame, view, self._pieces, window=window, height_mm=height, film=film)
        is_known = self.deal.is_size_known
        size = self.deal.size_mm if is_known else self.deal.listed_mm
        outlines = shot.outlines(size, _searched(shot, middle), 1, is_size_known=is_known)
        if not outlines or shot.bare_share(outlines[0]) > _BARE:
            return None
        face = shot.cut(outlines[0], size)
        corners = view.camera.to_table(face.corners_px, height)
        outside = _outside(changed_mm, corners, beside)
        return None if outside else (face, corners, height)

    def _middles(self, changed: Window, beside: float) -> Window:
        """Return where the middle of a card may be, mm, of which `changed` is a part and not far beyond."""
        x, y = (changed.left + changed.right) / 2, (changed.near + changed.far) / 2
        wide, deep = (changed.right - changed.left) / 2, (changed.far - changed.near) / 2
        across, along = (
            max(size / 2 + beside - half, beside)
            for size, half in zip(self._size_mm, (wide, deep), strict=True)
        )
        return Window(x - across, x + across, y - along, y + along)

    def _judged(self, face: LearntFace, corners: Floats, height: float) -> Taken | None:
        """Take a card unless it has lain there before, or lies face down."""
        deal = self.deal
        like = deal.like(deal.look(face))
        same = [one for one in self._there if one.look == like]
        far = [float(np.hypot(*(one.corners_mm - corners).T).mean()) for one in same]
        if like is not None:
            if deal.is_back(like):
                return None
            nearest = min(far, default=math.inf)
            is_pushed = nearest < _PUSHED * min(self._size_mm) and not deal.copy_is_due(like)
            if nearest < _SAME_PLACE_MM or is_pushed:
                # Uncovered again, or pushed aside: what lay upon it is gone.
                self._keep_up_to(same[int(np.argmin(far))], corners)
                return None
        named = deal.add(face)
        number = len(deal) - 1
        self._there.append(_CardThere(corners, height, number, number if like is None else like))
        return Taken(number=number, named=named, face=face)

    # -- what lies on the table -----------------------------------------------------------------------

    def _height(self, at_mm: tuple[float, float]) -> float:
        """Return how high the face of a card is that is laid here."""
        below = [one.top_mm for one in self._there if _distance(one.corners_mm, at_mm) < 0]
        return max(below, default=0.0) + self._pieces.thickness_mm

    def _forget(self, camera: CameraPose, blocks: Bools) -> None:
        """Forget the cards of which most has changed without a card in their place."""
        changed = _middles_mm(camera, blocks, self._pieces.thickness_mm)
        self._there = [
            one
            for one in self._there
            if not any(_distance(one.corners_mm, (float(x), float(y))) < 0 for x, y in changed)
        ]

    def _keep_up_to(self, one: _CardThere, corners: Floats) -> None:
        middle = corners.mean(axis=0)
        at = next(number for number, other in enumerate(self._there) if other is one)
        above = [
            other
            for other in self._there[at + 1 :]
            if _distance(other.corners_mm, (float(middle[0]), float(middle[1]))) >= 0
        ]
        self._there = [*self._there[:at], _CardThere(corners, one.top_mm, one.number, one.look), *above]


def _patches(changed: Bools) -> tuple[Labelled, list[int], list[int]]:
    """Return the patches of what has changed: labels, those within the picture by size, those at its rim.

    Changes that are near each other belong together: of a card on one that is nearly alike only parts differ.
    """
    near = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    rim = {int(one) for side in (labels[0], labels[-1], labels[:, 0], labels[:, -1]) for one in side} - {0}
    within = [one for one in range(1, len(stats)) if one not in rim]
    within.sort(key=lambda one: -int(stats[one, cv2.CC_STAT_AREA]))
    return np.asarray(labels, np.int32), within, sorted(rim)


def reaching_in(changed: Bools) -> Bools:
    """Return the blocks of what reaches in from the rim of the picture: an arm, or its shadow."""
    labels, _, rim = _patches(changed)
    return np.asarray(np.isin(labels, rim) & changed, np.bool_)


def largest_within(changed: Bools) -> Bools | None:
    """Return the blocks of the largest change that lies within the picture, None if there is none."""
    labels, within, _ = _patches(changed)
    return np.asarray((labels == within[0]) & changed, np.bool_) if within else None


def _square(half: float) -> Sequence[tuple[float, float]]:
    return ((-half, half), (half, half), (half, -half), (-half, -half))


def _patch(frame: Image, corners_px: Floats) -> Picture8 | None:
    """Return the upright square in a frame around some corners, gray, in one size; None outside of it."""
    low, high = np.floor(corners_px.min(axis=0)).astype(int), np.ceil(corners_px.max(axis=0)).astype(int)
    height, width = frame.shape[:2]
    if low.min() < 0 or high[0] >= width or high[1] >= height or (high - low).min() < _CODE_PX // 2:
        return None
    cut = frame[low[1] : high[1] + 1, low[0] : high[0] + 1]
    return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), np.uint8)


def _middles_mm(camera: CameraPose, blocks: Bools, height_mm: float) -> Floats:
    """Return where blocks of the frame are on the table, (N, 2) mm."""
    rows, columns = np.nonzero(blocks)
    at = (np.column_stack([columns, rows]) + 0.5) * BLOCK_PX - 0.5
    if not len(at):
        return np.zeros((0, 2))
    return camera.to_table(np.asarray(at, np.float64), height_mm)


def _searched(shot: LaidShot, middle: Window) -> Bools:
    """Return where the middle of a card may be that lies within a window, at the scale of finding."""
    flat = shot.flat(FINDING_PX_PER_MM)
    searched = np.zeros((flat.height_px, flat.width_px), np.bool_)
    low = flat.to_px(np.array([[middle.left, middle.far]]))[0]
    high = flat.to_px(np.array([[middle.right, middle.near]]))[0]
    left, top = (max(int(at), 0) for at in low)
    right, bottom = (math.ceil(at) + 1 for at in high)
    searched[top:bottom, left:right] = True
    return searched


def _outside(points_mm: Floats, corners_mm: Floats, slack_mm: float) -> bool:
    """Whether any of some points is further than `slack_mm` from a card."""
    return any(_distance(corners_mm, (float(x), float(y))) > slack_mm for x, y in points_mm)


def _distance(corners_mm: Floats, at_mm: tuple[float, float]) -> float:
    """Return how far a point is outside of a card, negative within."""
    polygon = corners_mm.astype(np.float32).reshape(-1, 1, 2)
    return -float(cv2.pointPolygonTest(polygon, at_mm, measureDist=True))
