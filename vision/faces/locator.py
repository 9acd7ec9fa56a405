"""Where the camera is over the table, frame after frame.

The lens is estimated with the pose as long as nothing better is known. A fiducial under a hand or a mug is
survived: the rest suffice, and where too few are seen the last view stands while those that are seen agree.
One that was pushed is left out until it rests, and its new place is measured. Where all of them have been
laid anew, on another evening, the tiles tell where the table is, and all are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, Fit, Lens, fit_most
from calibration.layout import TableLayout
from calibration.profile import Profile
from calibration.survey import Shot, fiducial_at, frame_between, survey
from companion import log
from companion.table import Picture
from vision.arrays import Corners, Picture8, Singles
from vision.faces.tile_locator import TileLocator
from vision.geometry.fiducials import find_quickly, sharpen_all, without_bloom

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
        self._told = profile.layout
        self._layout = profile.layout
        self._wanted = frozenset(one.id for one in profile.layout.fiducials)
        self._learnt = profile.lens
        # Fiducials that were pushed and do not rest yet, and how often one was not where it had been.
        self._moved: frozenset[int] = frozenset()
        self._missed: dict[int, int] = {}
        self._last: CameraPose | None = None
        self._last_found: dict[int, Corners] = {}
        self._turn = False

    @property
    def layout(self) -> TableLayout:
        """The table's layout with the fiducials where they were measured last."""
        return self._layout

    def forget(self) -> None:
        """Forget earlier frames."""
        self._layout = self._told
        self._moved = frozenset()
        self._missed = {}
        self._last = None
        self._last_found = {}
        self._still = None

    def locate(self, frame: Picture8, expected: Picture | None = None) -> CameraPose | None:
        """Return the view of a frame, None when the table cannot be placed.

        `expected` is what the game predicts; it helps where no fiducials are to be seen.
        """
        size_wh = (frame.shape[1], frame.shape[0])
        found: dict[int, Corners] = {}
        if self._last is not None and self._last.lens.size_wh == size_wh:
            for some in self._halves():
                # What looks just like a fiducial just where it was is that one: its code need not be read.
                found = sharpen_all(frame, some, at_rest=True)
                if found and self._stands(found) and self._are_at_rest(frame):
                    self._look_for(some.keys() - found.keys(), found.keys(), frame)
                    return self._last
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        if len(found) < len(self._wanted):
            found = find_quickly(gray, self._wanted)
        fit = self._fit(found, size_wh)
        if fit is not None:
            self._last, self._last_found, self._still = fit.camera, found, None
            self._moved = fit.moved
            return fit.camera
        camera = self._by_tiles(frame, gray, expected or {})
        return (
            camera if camera is None or len(found) < 3 else self._moved_codes(gray, found, camera) or camera
        )

    def _look_for(self, missed: AbstractSet[int], seen: AbstractSet[int], frame: Picture8) -> None:
        """Look whether fiducials that are not where they were lie elsewhere: ever more rarely."""
        self._missed = {number: count for number, count in self._missed.items() if number not in seen}
        for number in missed:
            self._missed[number] = self._missed.get(number, 0) + 1
        # At the first, second, fourth, eighth ... look: what a mug covers would be sought in vain for ever.
        if not any(self._missed[number].bit_count() == 1 for number in missed):
            return
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        elsewhere = find_quickly(gray, frozenset(missed))
        self._last_found |= elsewhere
        self._moved |= elsewhere.keys()

    def _are_at_rest(self, frame: Picture8) -> bool:
        """Measure the fiducials that were pushed, if they rest by now; say whether none still moves."""
        if not self._moved:
            return True
        before = {number: self._last_found[number] for number in self._moved}
        now = sharpen_all(frame, before, at_rest=True)
        if now.keys() != before.keys() or not self._stands(now):
            return False
        assert self._last is not None
        placed = {number: self._last.to_table(corners, 0.0) for number, corners in now.items()}
        self._layout = replace(
            self._layout,
            fiducials=tuple(
                fiducial_at(one.id, placed[one.id], one.edge_mm) if one.id in placed else one
                for one in self._layout.fiducials
            ),
        )
        log.vision.info("fiducial %s was pushed; it is measured again", ", ".join(map(str, sorted(placed))))
        self._moved = frozenset()
        return True

    def _moved_codes(
        self, gray: Picture8, found: dict[int, Corners], by_tiles: CameraPose
    ) -> CameraPose | None:
        """Measure all fiducials seen where the tiles tell the table's place; return the better view."""
        size_wh = (gray.shape[1], gray.shape[0])
        shot = Shot(size_wh=size_wh, corners=without_bloom(gray, found))
        surveyed = survey([shot], self._layout.fiducials[0].edge_mm, self._measured(size_wh))
        if surveyed is None:
            return None
        middles = {number: by_tiles.to_table(at, 0.0).mean(axis=0) for number, at in found.items()}
        here = np.array([(one.x_mm, one.y_mm) for one in surveyed.codes])
        there = np.array([middles[one.id] for one in surveyed.codes])
        placed = surveyed.reframed(frame_between(there, here))
        layout = replace(self._layout, fiducials=placed.codes)
        fit = fit_most(layout, found, size_wh, self._measured(size_wh))
        if fit is None or fit.moved:
            return None
        log.vision.info("the fiducials lie elsewhere than before; all are measured again")
        self._layout, self._last, self._last_found, self._still = layout, fit.camera, found, None
        return fit.camera

    def _by_tiles(self, frame: Picture8, gray: Picture8, expected: Picture) -> CameraPose | None:
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
        camera = self._tiles.locate(frame, self._lens(size_wh), expected)
        if camera is not None:
            log.vision.info("table found by its tiles")
            self._last, self._last_found, self._still = camera, {}, small
        return camera

    def _halves(self) -> Iterator[dict[int, Corners]]:
        """Yield half of the fiducials where they were, then the others; another half first each time."""
        self._turn = not self._turn
        for turn in (self._turn, not self._turn):
            yield {number: at for number, at in self._last_found.items() if number % 2 == turn}

    def _stands(self, found: dict[int, Corners]) -> bool:
        """Whether the fiducials seen are where they were."""
        off = [np.abs(corners - self._last_found[number]).max() for number, corners in found.items()]
        return float(max(off)) < 1.0

    def _fit(self, found: dict[int, Corners], size_wh: tuple[int, int]) -> Fit | None:
        known = {one.id for one in self._layout.fiducials}
        some = {number: at for number, at in found.items() if number in known}
        lens = self._measured(size_wh) if len(some) >= 3 else self._lens(size_wh)
        return fit_most(self._layout, some, size_wh, lens)

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
