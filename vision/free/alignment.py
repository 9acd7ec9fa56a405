"""Tells which faces a place is most like, and where within some millimetres of it each lies.

Outlines are often those of shadows, so proposals are further off than registration finds its way from. All
faces of a deck are compared at once, in coarse pictures at all shifts: a product of two matrices. The likest
are then placed more finely.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Singles
from vision.free.comparison import Pose, Scene
from vision.free.known_faces import ROUGH_EVERY, Deck

# A place is searched for this far around, mm; then in every so manieth pixel.
_ALIGN_MM: Final = 5.0
_ALIGN_EVERY: Final = 2
# So little print proves nothing.
_ALIGN_FLOOR: Final = 0.03
# So many faces are compared at once, if they are not less like the place than the first by this.
_STARTED: Final = 2
_LESS_LIKE: Final = 0.25
# A place that is no more like a face than this, -1 to 1, shows none: of true ones on drawn tables all are;
# at first between shifts some of it is lost.
_LIKE: Final = 0.38
_LIKE_AT_FIRST: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """A face that a place is like.

    Attributes:
        face: its index in the deck.
        pose: where within some millimetres of the place it is most so.
        like: how much so, -1 to 1.
    """

    face: int
    pose: Pose
    like: float


def roughly_like(scene: Scene, deck: Deck, start: Pose) -> list[Like]:
    """Return the faces that a place is most like at first sight, the likest first."""
    alike, shifts = _roughly(scene, deck, start)
    best = alike.max(axis=0)
    found = []
    for face in np.argsort(-best)[:_STARTED].tolist():
        if best[face] < max(_LIKE_AT_FIRST, float(best.max()) - _LESS_LIKE):
            break
        to_x, to_y = shifts[int(np.argmax(alike[:, face]))].tolist()
        found.append(Like(face=face, pose=replace(start, x=to_x, y=to_y), like=float(best[face])))
    return found


def finely_like(scene: Scene, deck: Deck, likes: Sequence[Like]) -> list[Like]:
    """Return those faces that a place is like when looked at closely, the likest first."""
    found = sorted((_finely(scene, deck, one) for one in likes), key=lambda one: -one.like)
    return [one for one in found if one.like >= max(found[0].like - _LESS_LIKE, _LIKE)]


@functools.lru_cache(maxsize=64)
def _grid(shape: tuple[int, int], every: int, reach: int) -> tuple[Singles, Singles]:
    """Return points around the middle of a face, px, every so manieth, so many further on all sides.

    They are kept: they must not be changed.
    """
    height, width = (len(range(0, edge, every)) for edge in shape)
    x, y = np.meshgrid(
        (np.arange(-reach, width + reach) * every - (shape[1] - 1) / 2).astype(np.float32),
        (np.arange(-reach, height + reach) * every - (shape[0] - 1) / 2).astype(np.float32),
    )
    return x, y


def _looked_up(scene: Scene, start: Pose, x: Singles, y: Singles) -> tuple[Singles, Singles]:
    """Return what of the points of a place can be seen, and what is seen there."""
    at_x, at_y = start.maps(x, y)
    open_ = cv2.remap(scene.free, at_x, at_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
    seen = cv2.remap(scene.soft, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(open_, np.float32), np.asarray(open_ * seen, np.float32)


def _roughly(scene: Scene, deck: Deck, start: Pose) -> tuple[Singles, Singles]:
    """Return how like each face a place is at each shift, (shifts, faces), and the middles then, px."""
    reach = max(round(_ALIGN_MM * deck.shape[0] / deck.size_mm[1] / ROUGH_EVERY), 1)
    x, y = _grid(deck.shape, ROUGH_EVERY, reach)
    open_, seen = _looked_up(scene, start, x, y)
    rough = deck.rough

    def at_all_shifts(some: Singles) -> Singles:
        windows = np.lib.stride_tricks.sliding_window_view(some, rough.inner.shape)
        return windows.reshape((2 * reach + 1) ** 2, -1)

    both = at_all_shifts(seen) @ rough.known.T
    ones = rough.whole[None] if open_.all() else at_all_shifts(open_) @ rough.squares.T
    others = cv2.matchTemplate(seen * seen, rough.inner, cv2.TM_CCORR).reshape(-1, 1)
    floor = np.float32(_ALIGN_FLOOR) * rough.whole
    alike = both / np.sqrt((ones + floor) * (np.maximum(others, 0) + floor))
    step = (np.arange(-reach, reach + 1) * ROUGH_EVERY).astype(np.float32)
    off_x, off_y = np.meshgrid(step, step)
    to_x, to_y = start.maps(off_x.ravel(), off_y.ravel())
    return np.asarray(alike, np.float32), np.asarray(np.column_stack([to_x, to_y]), np.float32)


def _finely(scene: Scene, deck: Deck, first: Like) -> Like:
    """Return how like a face a place is within a step of the first search, and where it is most so."""
    face, start = first.face, first.pose
    every = _ALIGN_EVERY
    known = np.ascontiguousarray(deck.soft[face][::every, ::every] * deck.inner[::every, ::every])
    reach = max(round(ROUGH_EVERY / every), 1)
    open_, seen = _looked_up(scene, start, *_grid(deck.shape, every, reach))
    inner = np.ascontiguousarray(deck.inner[::every, ::every])
    both = cv2.matchTemplate(seen, known, cv2.TM_CCORR)
    others = cv2.matchTemplate(seen * seen, inner, cv2.TM_CCORR)
    ones = cv2.matchTemplate(open_, known * known, cv2.TM_CCORR)
    # Of what is all but covered chance would say that it is very like.
    floor = _ALIGN_FLOOR * float((known * known).sum())
    alike = both / np.sqrt((np.maximum(ones, 0) + floor) * (np.maximum(others, 0) + floor))
    _, best, _, (column, row) = cv2.minMaxLoc(alike)
    off_x, off_y = (np.array([(one - reach) * every], np.float32) for one in (column, row))
    to_x, to_y = start.maps(off_x, off_y)
    pose = replace(start, x=float(to_x[0]), y=float(to_y[0]))
    return Like(face=face, pose=pose, like=float(best))
