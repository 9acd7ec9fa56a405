"""Where the camera is over the table, frame after frame.

The lens is estimated with the pose as long as nothing better is known. A fiducial under a hand or a mug is
survived: the rest suffice, and where too few are seen the last view stands while those that are seen agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import Lens, View, fit_view
from calibration.profile import Profile
from vision.fiducials import Corners, find_near, find_quickly

Picture8: TypeAlias = NDArray[np.uint8]


class Locator:
    """Finds the view of each frame from its fiducials and from what earlier frames told."""

    def __init__(self, profile: Profile) -> None:
        self._layout = profile.layout
        self._wanted = frozenset(one.id for one in profile.layout.fiducials)
        self._learnt = profile.lens
        self._last: View | None = None
        self._last_found: dict[int, Corners] = {}
        self._turn = False

    def forget(self) -> None:
        """Forget earlier frames."""
        self._last = None
        self._last_found = {}

    def locate(self, frame: Picture8) -> View | None:
        """Return the view of a frame, None when the table cannot be placed."""
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        size_wh = (frame.shape[1], frame.shape[0])
        found: dict[int, Corners] = {}
        if self._last is not None and self._last.lens.size_wh == size_wh:
            for some in self._halves():
                found = find_near(gray, some)
                if found and self._stands(found):
                    return self._last
        if len(found) < len(self._wanted):
            found = find_quickly(gray, self._wanted)
        view = self._fit(found, size_wh)
        if view is not None:
            self._last, self._last_found = view, found
        return view

    def _halves(self) -> Iterator[dict[int, Corners]]:
        """Yield half of the fiducials where they were, then the others; another half first each time."""
        self._turn = not self._turn
        for turn in (self._turn, not self._turn):
            yield {number: at for number, at in self._last_found.items() if number % 2 == turn}

    def _stands(self, found: dict[int, Corners]) -> bool:
        """Whether the fiducials seen are where they were."""
        off = [np.abs(corners - self._last_found[number]).max() for number, corners in found.items()]
        return float(max(off)) < 1.0

    def _fit(self, found: dict[int, Corners], size_wh: tuple[int, int]) -> View | None:
        if len(found) >= 3:
            view = fit_view(self._layout, found, size_wh)
        else:
            view = fit_view(self._layout, found, size_wh, self._lens(size_wh)) if len(found) == 2 else None
        if view is None or view.error_px > 3.0 * size_wh[0] / 1280:
            return None
        return view

    def _lens(self, size_wh: tuple[int, int]) -> Lens | None:
        if self._last is not None and self._last.lens.size_wh == size_wh:
            return self._last.lens
        learnt = self._learnt
        if learnt is None or learnt.size_wh != size_wh:
            return None
        return Lens(
            size_wh=size_wh, focal_px=learnt.focal_px, centre_px=learnt.centre_px, k1=learnt.k1, k2=learnt.k2
        )
