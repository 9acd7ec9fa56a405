"""Finds circles of one size in pictures of what may belong to discs of one paint."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Image, Numbers, Singles
from vision.geometry.regions import Region, region_of, widened

# The ring around a disc, in radii.
_RING_FROM, _RING_TO = 1.15, 1.5
# Shares are evened out by so much, px, which reaches so far.
_EVENED, _EVENED_REACH = 0.8, 4
# Of a disc among others so much of a circle is in its paint, and so much of the rim is an edge, by so many
# levels a pixel, of a circle of one of these sizes. So far apart are their middles, in radii.
_HEAPED, _LEAST_RIM, _RIM_SLOPE, _ABREAST = 0.85, 0.7, 6.0, 1.3
_RIM_SIZES: Final = (0.95, 1.0, 1.06)
_RIM_POINTS: Final = 40
_RIM_BLUR: Final = 0.8
_AT_ONCE: Final = 16384


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A circle that was found.

    Attributes:
        x, y: its middle, px.
        share: how much of it is marked, 0 to 1.
        beyond: how much of the ring around it is.
    """

    x: int
    y: int
    share: float
    beyond: float = 0.0


class DiscSearch:
    """Finds circles of one radius, px."""

    def __init__(self, radius_px: float) -> None:
        """Prepare."""
        self.radius_px = radius_px
        self._circle = filled_circle(radius_px)
        ring = filled_circle(radius_px * _RING_TO)
        ring -= _padded(filled_circle(radius_px * _RING_FROM), ring.shape[0])
        self._ring = ring / ring.sum()

    def share_of(self, shown: Bools) -> Singles:
        """Return which share of a circle around each pixel is marked, (height, width)."""
        return _shares(shown.astype(np.float32), self._circle)[0]

    def plain(
        self, shown: Bools, least: float, most_beyond: float, where: Callable[[Region], Bools] | None = None
    ) -> Iterator[Disc]:
        """Yield the circles of which at least this share is marked, the plainest first.

        Of the ring around each, `most_beyond` is marked at most; `where` says of a window where their middles
        may be.
        """
        window = self._window(shown, least)
        if window is None:
            return
        left = np.ascontiguousarray(shown[window], np.float32)
        may_be = None if where is None else where(window)
        around = cv2.filter2D(left, -1, self._ring, borderType=cv2.BORDER_CONSTANT)
        share, smooth = _shares(left, self._circle)
        while True:
            _, best, _, (x, y) = cv2.minMaxLoc(smooth)
            if best < least:
                return
            found, beyond = float(share[y, x]), float(around[y, x])
            cv2.circle(left, (x, y), math.ceil(self.radius_px * 0.95), 0.0, -1)
            _update_shares(left, self._circle, (x, y), share, smooth)
            if beyond <= most_beyond and (may_be is None or may_be[y, x]):
                yield Disc(x=x + window[1].start, y=y + window[0].start, share=found, beyond=beyond)

    def heaped(self, shown: Bools, picture: Image) -> Iterator[Disc]:
        """Yield the circles whose rims are seen in a picture, though others may lie all around them."""
        window = self._window(shown, _HEAPED)
        if window is None:
            return
        share = self.share_of(np.ascontiguousarray(shown[window]))
        y, x = np.nonzero(share >= _HEAPED)
        if not len(x):
            return
        seen = self._rims(x, y, np.ascontiguousarray(picture[window]))
        taken: list[tuple[int, int]] = []
        for number in np.argsort(-seen, kind="stable").tolist():
            at = int(x[number]), int(y[number])
            if seen[number] < _LEAST_RIM:
                return
            if all(math.dist(at, other) > _ABREAST * self.radius_px for other in taken):
                taken.append(at)
                yield Disc(
                    x=at[0] + window[1].start, y=at[1] + window[0].start, share=float(share[at[1], at[0]])
                )

    def _window(self, shown: Bools, least: float) -> Region | None:
        """Return a window outside of which no circle has this share of it marked, None if none has.

        A square is quickly summed, and at least as much of it is marked as of the circle in it.
        """
        size = self._circle.shape[0]
        marked = cv2.boxFilter(
            shown.astype(np.uint8), cv2.CV_32F, (size, size), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        # Half a pixel less: sums of shares are rounded.
        held = region_of(np.asarray(marked >= least * float(self._circle.sum()) - 0.5, np.bool_))
        beyond = self._ring.shape[0] // 2 + 2 * _EVENED_REACH
        return None if held is None else widened(held, shown.shape, (beyond, beyond))

    def _rims(self, x: Numbers, y: Numbers, picture: Image) -> Singles:
        """Return which share of the rim of a disc about each of N pixels is seen as an edge, (N,)."""
        around = np.arange(_RIM_POINTS) * (2 * np.pi / _RIM_POINTS)
        cos, sin = np.cos(around).astype(np.float32), np.sin(around).astype(np.float32)
        slopes = _slopes(picture)
        seen = np.zeros(len(x), np.float32)
        # More rows than that cannot be looked up at once.
        for some in (slice(start, start + _AT_ONCE) for start in range(0, len(x), _AT_ONCE)):
            for size in _RIM_SIZES:
                to_x = (x[some, None] + self.radius_px * size * cos).astype(np.float32)
                to_y = (y[some, None] + self.radius_px * size * sin).astype(np.float32)
                right, down = (cv2.remap(one, to_x, to_y, cv2.INTER_LINEAR) for one in slopes)
                steep = np.abs(right * cos + down * sin) > _RIM_SLOPE
                seen[some] = np.maximum(seen[some], steep.mean(axis=1, dtype=np.float32))
        return seen


def _slopes(picture: Image) -> tuple[Singles, Singles]:
    """Return how the brightness of a picture changes to the right and downwards, levels a pixel."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    gray = np.asarray(cv2.GaussianBlur(gray, (0, 0), _RIM_BLUR), np.float32)
    right, down = (cv2.Sobel(gray, cv2.CV_32F, one, 1 - one, scale=0.25) for one in (1, 0))
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def filled_circle(radius: float) -> Singles:
    """Return a filled circle, 1 within, in the smallest square of odd edge around it."""
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(np.hypot(x, y) <= radius, np.float32)


def _padded(kernel: Singles, edge: int) -> Singles:
    """Return a kernel in the middle of a square of this edge, px."""
    return np.pad(kernel, (edge - kernel.shape[0]) // 2)


def _shares(left: Singles, circle: Singles) -> tuple[Singles, Singles]:
    """Return which share of a circle around each pixel is left, and the same evened out."""
    share = cv2.filter2D(left, -1, circle / circle.sum(), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(share, np.float32), np.asarray(cv2.GaussianBlur(share, (0, 0), _EVENED), np.float32)


def _update_shares(
    left: Singles, circle: Singles, at: tuple[int, int], share: Singles, smooth: Singles
) -> None:
    """Bring shares up to date after a circle around a pixel was taken away."""
    rim = circle.shape[0] // 2 + _EVENED_REACH
    reach = 2 * rim
    (x0, y0), (x1, y1) = (max(one - reach, 0) for one in at), (one + reach + 1 for one in at)
    top, far = max(y0 - rim, 0), max(x0 - rim, 0)
    some, evened = _shares(np.ascontiguousarray(left[top : y1 + rim, far : x1 + rim]), circle)
    high, wide = share[y0:y1, x0:x1].shape
    inner = slice(y0 - top, y0 - top + high), slice(x0 - far, x0 - far + wide)
    share[y0:y1, x0:x1], smooth[y0:y1, x0:x1] = some[inner], evened[inner]
