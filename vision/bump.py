"""Noticing that the camera or the table was knocked, and finding the table again.

The fiducials are looked for only where they were last; that costs a few milliseconds a frame. As long as they
stay, the view stays. When they move together, nothing that is read is believed until they have come to rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import Lens, View, fit_view
from calibration.layout import TableLayout
from companion import log
from vision.fiducials import find_fiducials, find_near
from vision.sources.frame import Frame, FrameSource

Corners = NDArray[np.float64]

# Corners found again and again on a table at rest wander by some hundredths of a pixel, 0.3 at most.
_MOVED_PX = 1.0
_RESTING_PX = 0.7
_TORN_PX = 1.5
# One frame with few fiducials in place may be an arm; the second in a row is looked into.
_SUSPICIOUS_FRAMES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Steadiness:
    """What one frame says about the camera's place.

    Attributes:
        view: the camera over the table, None as long as it was never found.
        is_steady: whether the view holds for this frame; if not, no reading of it may be believed.
        is_new: whether the view was found with this frame.
        moved_px: how far the fiducials are from where they were when the view was found, median.
        pushed: fiducials that were moved on the table by themselves and are left out.
    """

    view: View | None
    is_steady: bool
    is_new: bool = False
    moved_px: float = 0.0
    pushed: frozenset[int] = frozenset()


class SteadyFrames:
    """A source whose frames say whether camera and table were at rest. For films, not for single photographs.

    Attributes:
        last: what the guard said of the newest frame.
    """

    def __init__(self, source: FrameSource, guard: BumpGuard) -> None:
        self.last: Steadiness | None = None
        self._source = source
        self._guard = guard

    @property
    def name(self) -> str:
        """The source's name."""
        return self._source.name

    def frames(self) -> Iterator[Frame]:
        """Yield all frames, `is_steady` set; raises what the source raises."""
        for frame in self._source.frames():
            gray = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
            self.last = self._guard.look(gray)
            yield replace(frame, is_steady=self.last.is_steady)

    def close(self) -> None:
        """Close the source."""
        self._source.close()


class BumpGuard:
    """Watches the fiducials from frame to frame."""

    def __init__(self, layout: TableLayout, *, lens: Lens | None = None) -> None:
        """Begin without a view.

        Args:
            layout: says where the fiducials lie.
            lens: if it was measured; otherwise it is estimated with the first view and kept.
        """
        self._layout = layout
        self._wanted = frozenset(one.id for one in layout.fiducials)
        self._lens = lens
        self._view: View | None = None
        self._home: dict[int, Corners] = {}
        self._last: dict[int, Corners] = {}
        self._pushed: frozenset[int] = frozenset()
        self._is_lost = True
        self._doubts = 0

    def look(self, gray: NDArray[np.uint8]) -> Steadiness:
        """Judge the next frame, (height, width) grey."""
        if self._is_lost or self._view is None:
            return self._search(gray)
        near = find_near(gray, {n: one for n, one in self._home.items() if n not in self._pushed})
        shifts = {number: _shift(self._home[number], corners) for number, corners in near.items()}
        whole = {number: shift for number, shift in shifts.items() if shift is not None}
        moved = {number: shift for number, shift in whole.items() if shift > _MOVED_PX}
        far = float(np.median(list(whole.values()))) if whole else 0.0
        if len(moved) >= 2 or (moved and len(moved) == len(whole)):
            return self._lose(gray, far)
        if len(moved) == 1 and len(whole) >= 3:
            self._pushed |= frozenset(moved)
            log.vision.info("fiducial pushed number=%s", *moved)
        if len(whole) - len(moved) >= 1:
            self._doubts = 0
            return Steadiness(view=self._view, is_steady=True, moved_px=far, pushed=self._pushed)
        self._doubts += 1
        if self._doubts >= _SUSPICIOUS_FRAMES:
            return self._lose(gray, far)
        return Steadiness(view=self._view, is_steady=False, pushed=self._pushed)

    def _lose(self, gray: NDArray[np.uint8], moved_px: float) -> Steadiness:
        """The old view no longer holds."""
        log.vision.info("camera or table moved px=%.1f", moved_px)
        self._is_lost = True
        self._pushed = frozenset()
        self._last = find_fiducials(gray, self._wanted)
        return Steadiness(view=self._view, is_steady=False, moved_px=moved_px)

    def _search(self, gray: NDArray[np.uint8]) -> Steadiness:
        """Look everywhere; lock when two frames in a row agree, or at once the first time."""
        found = find_fiducials(gray, self._wanted)
        resting = self._view is None or _is_resting(self._last, found)
        self._last = found
        if not resting:
            return Steadiness(view=self._view, is_steady=False)
        size_wh = (int(gray.shape[1]), int(gray.shape[0]))
        lens = self._lens if self._lens is not None and self._lens.size_wh == size_wh else None
        view = fit_view(self._layout, found, size_wh, lens)
        if view is None:
            return Steadiness(view=self._view, is_steady=False)
        if len(found) == len(self._wanted):
            self._lens = view.lens
        self._view, self._home = view, dict(found)
        self._is_lost, self._doubts, self._pushed = False, 0, frozenset()
        return Steadiness(view=view, is_steady=True, is_new=True)


def _shift(home: Corners, now: Corners) -> float | None:
    """Return how far a fiducial has moved, px; None when its corners disagree, as behind a finger."""
    steps = now - home
    mean = steps.mean(axis=0)
    far = float(np.linalg.norm(mean))
    apart = float(np.linalg.norm(steps - mean, axis=1).max())
    return None if apart > _TORN_PX + 0.5 * far else max(far, apart)


def _is_resting(before: Mapping[int, Corners], now: Mapping[int, Corners]) -> bool:
    """Whether at least two fiducials are where they were a frame ago, and none of them is not."""
    both = [number for number in now if number in before]
    steps = [float(np.linalg.norm(now[number] - before[number], axis=1).max()) for number in both]
    return len(both) >= 2 and max(steps) < _RESTING_PX + 0.3
