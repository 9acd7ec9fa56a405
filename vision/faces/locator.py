"""Where the camera is over the table, frame after frame.

The lens is estimated together with the pose until a better estimate is known. A fiducial may be under a hand
or a mug; the others are enough. If too few are seen, the last pose is kept as long as the visible ones agree
with it. A fiducial that was pushed is left out until it rests; then its new place is measured. If all
fiducials have been laid out anew, on another evening for example, the table is located by the tiles and all
of them are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, Fit, Lens, fit_most
from calibration.profile import Profile
from calibration.survey import Shot, fiducial_at, frame_between, survey
from companion import log
from companion.table import Picture
from companion.table_layout import TableLayout
from vision.arrays import Corners, Picture8, Singles
from vision.faces.tile_locator import TileLocator
from vision.geometry.fiducials import find_quickly, sharpen_all, without_bloom

# A picture that is darker, brighter or more uniform than this, in levels of 255, shows nothing.
_ALL_BLACK, _ALL_WHITE, _ALL_ALIKE = 24, 235, 24
# Frames are compared at this size to detect a moved camera; half a pixel of movement is noise.
_SMALL = (480, 270)
_AT_REST_PX = 0.5
_WINDOW = cv2.createHanningWindow(_SMALL, cv2.CV_32F)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tracked:
    """What earlier frames showed about the table's position.

    Attributes:
        layout: the table's layout with the fiducials where they were measured last.
        camera: the pose found last, None if none was found yet.
        found: where fiducials were seen then, corners (4, 2) px by number.
        moved: fiducials that were pushed and are not at rest yet.
        missed: how often a fiducial was not where it had been.
        still: the small picture whose tiles gave the pose, None if the fiducials gave it.
        turn: which half of the fiducials is checked first.
    """

    layout: TableLayout
    camera: CameraPose | None = None
    found: Mapping[int, Corners] = field(default_factory=dict)
    moved: frozenset[int] = frozenset()
    missed: Mapping[int, int] = field(default_factory=dict)
    still: Singles | None = None
    turn: bool = False

    def stands(self, found: Mapping[int, Corners]) -> bool:
        """Whether the fiducials seen are where they were."""
        off = [np.abs(corners - self.found[number]).max() for number, corners in found.items()]
        return float(max(off)) < 1.0

    def halves(self) -> Iterator[dict[int, Corners]]:
        """Yield half of the fiducials where they were, then the others."""
        for turn in (self.turn, not self.turn):
            yield {number: at for number, at in self.found.items() if number % 2 == turn}


class Locator:
    """Finds the camera's pose in each frame from its fiducials and from earlier frames."""

    def __init__(self, profile: Profile, tiles: Callable[[], TileLocator] | None = None) -> None:
        """Begin; `tiles` creates the locator by tiles the first time that the fiducials do not suffice."""
        self._make_tiles = None if tiles is None else cache(tiles)
        self._wanted = frozenset(one.id for one in profile.layout.fiducials)
        self._learnt = profile.lens

    def locate(
        self, frame: Picture8, before: Tracked, expected: Picture | None = None
    ) -> tuple[CameraPose | None, Tracked]:
        """Return the camera's pose in a frame, None if the table cannot be placed, and what is known now.

        `before` is what was known before; `expected` is what the game predicts, which helps if no fiducials
        are visible.
        """
        size_wh = (frame.shape[1], frame.shape[0])
        found: dict[int, Corners] = {}
        if before.camera is not None and before.camera.lens.size_wh == size_wh:
            # Start with the other half each time.
            before = replace(before, turn=not before.turn)
            found, resting = self._at_rest(frame, before)
            if resting is not None:
                return before.camera, resting
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        if len(found) < len(self._wanted):
            found = find_quickly(gray, self._wanted)
        fit = self._fit(found, size_wh, before)
        if fit is not None:
            now = replace(before, camera=fit.camera, found=found, still=None, moved=fit.moved)
            return fit.camera, now
        camera, now = self._by_tiles(frame, gray, before, expected or {})
        measured = (
            None if camera is None or len(found) < 3 else self._with_moved_codes(gray, found, camera, now)
        )
        return (camera, now) if measured is None else (measured.camera, measured)

    def _at_rest(self, frame: Picture8, before: Tracked) -> tuple[dict[int, Corners], Tracked | None]:
        """Return the fiducials measured last, and what is known now if all are at rest, else None."""
        found: dict[int, Corners] = {}
        for some in before.halves():
            # A square exactly where a fiducial was is that fiducial: its code need not be read.
            found = sharpen_all(frame, some, at_rest=True)
            if not found or not before.stands(found):
                continue
            rested = self._with_pushed_at_rest(frame, before)
            if not rested.moved:
                return found, self._look_for(some.keys() - found.keys(), found.keys(), frame, rested)
        return found, None

    def _look_for(
        self, missed: AbstractSet[int], seen: AbstractSet[int], frame: Picture8, before: Tracked
    ) -> Tracked:
        """Search for fiducials that are missing from their places, less and less often."""
        counts = {number: count for number, count in before.missed.items() if number not in seen}
        for number in missed:
            counts[number] = counts.get(number, 0) + 1
        now = replace(before, missed=counts)
        # At the first, second, fourth, eighth ... frame: a fiducial under a mug would be searched for
        # forever.
        if not any(counts[number].bit_count() == 1 for number in missed):
            return now
        gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        elsewhere = find_quickly(gray, frozenset(missed))
        return replace(now, found={**now.found, **elsewhere}, moved=now.moved | elsewhere.keys())

    def _with_pushed_at_rest(self, frame: Picture8, before: Tracked) -> Tracked:
        """Measure the fiducials that were pushed once all of them are at rest."""
        if not before.moved:
            return before
        pushed = {number: before.found[number] for number in before.moved}
        now = sharpen_all(frame, pushed, at_rest=True)
        if now.keys() != pushed.keys() or not before.stands(now):
            return before
        assert before.camera is not None
        placed = {number: before.camera.to_table(corners, 0.0) for number, corners in now.items()}
        fiducials = tuple(
            fiducial_at(one.id, placed[one.id], one.edge_mm) if one.id in placed else one
            for one in before.layout.fiducials
        )
        log.vision.info("fiducial %s was pushed; it is measured again", ", ".join(map(str, sorted(placed))))
        return replace(before, layout=replace(before.layout, fiducials=fiducials), moved=frozenset())

    def _with_moved_codes(
        self, gray: Picture8, found: dict[int, Corners], by_tiles: CameraPose, before: Tracked
    ) -> Tracked | None:
        """Measure all visible fiducials relative to the tiles; return the better pose."""
        size_wh = (gray.shape[1], gray.shape[0])
        shot = Shot(size_wh=size_wh, corners=without_bloom(gray, found))
        surveyed = survey([shot], before.layout.fiducials[0].edge_mm, self._measured(size_wh))
        if surveyed is None:
            return None
        middles = {number: by_tiles.to_table(at, 0.0).mean(axis=0) for number, at in found.items()}
        here = np.array([(one.x_mm, one.y_mm) for one in surveyed.codes])
        there = np.array([middles[one.id] for one in surveyed.codes])
        placed = surveyed.reframed(frame_between(there, here))
        layout = replace(before.layout, fiducials=placed.codes)
        fit = fit_most(layout, found, size_wh, self._measured(size_wh))
        if fit is None or fit.moved:
            return None
        log.vision.info("the fiducials lie elsewhere than before; all are measured again")
        return replace(before, layout=layout, camera=fit.camera, found=found, still=None)

    def _by_tiles(
        self, frame: Picture8, gray: Picture8, before: Tracked, expected: Picture
    ) -> tuple[CameraPose | None, Tracked]:
        """Return the pose given by the tiles; while the camera rests, the one they gave before."""
        size_wh = (frame.shape[1], frame.shape[0])
        small = np.asarray(cv2.resize(gray, _SMALL, interpolation=cv2.INTER_AREA), np.float32)
        if before.still is not None and before.camera is not None and before.camera.lens.size_wh == size_wh:
            (x, y), _ = cv2.phaseCorrelate(before.still, small, _WINDOW)
            if np.hypot(x, y) < _AT_REST_PX:
                return before.camera, before
        before = replace(before, still=None)
        if self._make_tiles is None:
            return None, before
        camera = self._make_tiles().locate(frame, self._lens(size_wh, before), expected)
        if camera is None:
            return None, before
        log.vision.info("table found by its tiles")
        return camera, replace(before, camera=camera, found={}, still=small)

    def _fit(self, found: dict[int, Corners], size_wh: tuple[int, int], before: Tracked) -> Fit | None:
        known = {one.id for one in before.layout.fiducials}
        some = {number: at for number, at in found.items() if number in known}
        lens = self._measured(size_wh) if len(some) >= 3 else self._lens(size_wh, before)
        return fit_most(before.layout, some, size_wh, lens)

    def _measured(self, size_wh: tuple[int, int]) -> Lens | None:
        """Return the measured lens scaled to pictures of this size, None if it was never measured."""
        return self._learnt_for(size_wh) if self._learnt is not None and self._learnt.measured else None

    def _lens(self, size_wh: tuple[int, int], before: Tracked) -> Lens | None:
        if before.camera is not None and before.camera.lens.size_wh == size_wh:
            return before.camera.lens
        return self._learnt_for(size_wh)

    def _learnt_for(self, size_wh: tuple[int, int]) -> Lens | None:
        learnt = self._learnt
        # The same camera may deliver its picture at another size, but hardly with another aspect ratio.
        if learnt is None or learnt.size_wh[0] * size_wh[1] != learnt.size_wh[1] * size_wh[0]:
            return None
        zoom = size_wh[0] / learnt.size_wh[0]
        x, y = ((one + 0.5) * zoom - 0.5 for one in learnt.centre_px)
        focal_px = learnt.focal_px * zoom
        return Lens(size_wh=size_wh, focal_px=focal_px, centre_px=(x, y), k1=learnt.k1, k2=learnt.k2)


def why_not_found(frame: Picture8) -> str:
    """Return a message saying why no table was found in a frame (height, width, 3)."""
    dark, light = (float(np.percentile(frame, share)) for share in (1, 99))
    if light < _ALL_BLACK:
        return "the picture is all but black; is there light, and is the lens open?"
    if dark > _ALL_WHITE:
        return "the picture is all but white; less light or a shorter exposure is needed"
    if light - dark < _ALL_ALIKE:
        return "the picture shows hardly anything; is something before the lens?"
    return "neither three of the four fiducials nor enough tiles and the obelisk can be made out"
