"""Where the camera is over the table, frame after frame.

The lens is estimated with the pose as long as nothing better is known. A fiducial under a hand or a mug is
survived: the rest suffice, and where too few are seen the last view stands while those that are seen agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import Lens, View, fit_view
from calibration.profile import Profile
from companion import log
from companion.table import Picture
from vision.fiducials import Corners, find_quickly, sharpen_all
from vision.tilelock import TileLocator

Picture8: TypeAlias = NDArray[np.uint8]
Singles: TypeAlias = NDArray[np.float32]


# Levels of 255 between which a whole picture shows nothing.
_ALL_BLACK, _ALL_WHITE, _ALL_ALIKE = 24, 235, 24
# Frames are compared at this size to tell whether the camera has moved; half a pixel of it is noise.
_SMALL = (480, 270)
_AT_REST_PX = 0.5
_WINDOW = cv2.createHanningWindow(_SMALL, cv2.CV_32F)


class Locator:
    """Finds the view of each frame from its fiducials and from what earlier frames told."""

    def __init__(self, profile: Profile, tiles: Callable[[], TileLocator] | None = None) -> None:
        """Begin; `tiles` is asked for what finds the table by its tiles once the fiducials do not suffice."""
        self._make_tiles = tiles
        self._tiles: TileLocator | None = None
        self._still: Singles | None = None
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
        self._still = None

    def locate(self, frame: Picture8, expected: Picture | None = None) -> View | None:
        """Return the view of a frame, None when the table cannot be placed.

        `expected` is what the game predicts; it helps where no fiducials are to be seen.
        """
        size_wh = (frame.shape[1], frame.shape[0])
        found: dict[int, Corners] = {}
        if self._last is not None and self._last.lens.size_wh == size_wh:
            for some in self._halves():
                # What looks just like a fiducial just where it was is that one: its code need not be read.
                found = sharpen_all(frame, some, at_rest=True)
                if found and self._stands(found):
                    return self._last
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        if len(found) < len(self._wanted):
            found = find_quickly(gray, self._wanted)
        view = self._fit(found, size_wh)
        if view is not None:
            self._last, self._last_found, self._still = view, found, None
            return view
        return self._by_tiles(frame, gray, expected or {})

    def _by_tiles(self, frame: Picture8, gray: Picture8, expected: Picture) -> View | None:
        """Return the view that the tiles tell; as long as the camera rests the one that they told."""
        size_wh = (frame.shape[1], frame.shape[0])
        small = np.asarray(cv2.resize(gray, _SMALL, interpolation=cv2.INTER_AREA), np.float32)
        if self._still is not None and self._last is not None and self._last.lens.size_wh == size_wh:
            (x, y), _ = cv2.phaseCorrelate(self._still, small, _WINDOW)
            if np.hypot(x, y) < _AT_REST_PX:
                return self._last
        self._still = None
        if self._make_tiles is None:
            return None
        self._tiles = self._tiles or self._make_tiles()
        view = self._tiles.locate(frame, self._lens(size_wh), expected)
        if view is not None:
            log.vision.info("table found by its tiles")
            self._last, self._last_found, self._still = view, {}, small
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
            view = fit_view(self._layout, found, size_wh, self._measured(size_wh))
        else:
            view = fit_view(self._layout, found, size_wh, self._lens(size_wh)) if len(found) == 2 else None
        if view is None or view.error_px > 3.0 * size_wh[0] / 1280:
            return None
        return view

    def _measured(self, size_wh: tuple[int, int]) -> Lens | None:
        """Return the lens if it was measured once, for pictures of this size."""
        return self._learnt_for(size_wh) if self._learnt is not None and self._learnt.measured else None

    def _lens(self, size_wh: tuple[int, int]) -> Lens | None:
        if self._last is not None and self._last.lens.size_wh == size_wh:
            return self._last.lens
        return self._learnt_for(size_wh)

    def _learnt_for(self, size_wh: tuple[int, int]) -> Lens | None:
        learnt = self._learnt
        # The same camera may deliver its picture smaller or larger, but hardly in another shape.
        if learnt is None or learnt.size_wh[0] * size_wh[1] != learnt.size_wh[1] * size_wh[0]:
            return None
        zoom = size_wh[0] / learnt.size_wh[0]
        x, y = ((one + 0.5) * zoom - 0.5 for one in learnt.centre_px)
        focal_px = learnt.focal_px * zoom
        return Lens(size_wh=size_wh, focal_px=focal_px, centre_px=(x, y), k1=learnt.k1, k2=learnt.k2)


def why_not_found(frame: Picture8) -> str:
    """Return in words what is the matter with a frame (height, width, 3) in which no table was found."""
    dark, light = (float(np.percentile(frame, share)) for share in (1, 99))
    if light < _ALL_BLACK:
        return "the picture is all but black; is there light, and is the lens open?"
    if dark > _ALL_WHITE:
        return "the picture is all but white; less light or a shorter exposure is needed"
    if light - dark < _ALL_ALIKE:
        return "the picture shows hardly anything; is something before the lens?"
    return "neither three of the four fiducials nor enough tiles and the obelisk can be made out"
