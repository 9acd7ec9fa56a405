"""Where the camera is over the table when the codes do not stay where they were."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from calibration.profile import Profile
from companion.table import Picture, place
from companion.table_layout import Fiducial
from tests.helpers.simulated_look import learnt
from vision.arrays import Image
from vision.faces.locator import Locator, Tracked
from vision.faces.tile_locator import TileLocator
from vision.pieces.face_library import FaceLibrary
from vision.simulation.camera import SimulatedCamera

PLAYERS = ("purple", "white")


@pytest.fixture(scope="module")
def profile() -> Profile:
    """What was learnt with the codes in their usual places."""
    return learnt(PLAYERS, 1)[1]


def camera(**moved: Fiducial) -> SimulatedCamera:
    """The same table with some codes laid elsewhere."""
    eye = learnt(PLAYERS, 1)[0]
    codes = tuple(moved.get(f"code{one.id}", one) for one in eye.layout.fiducials)
    return eye.with_codes(codes)


def laid_out() -> Picture:
    """A city without pieces."""
    enrolment = learnt(PLAYERS, 1)[0].enrolment()
    return {place("cell", cell): f"{tile}/sketch" for cell, tile in enrolment.layout.items()}


def off_px(view: CameraPose | None, truth: CameraPose, profile: Profile) -> float:
    """How far the cells are seen from where they are."""
    assert view is not None
    tops = np.array([(x, y, 2.2) for x, y in profile.layout.cells.values()])
    return float(np.abs(view.project(tops) - truth.project(tops)).max())


def located(
    locator: Locator, profile: Profile, frames: Iterable[Image]
) -> tuple[list[CameraPose | None], Tracked]:
    """The camera's pose in each frame, and what is known at last."""
    known, found = Tracked(layout=profile.layout), []
    for frame in frames:
        camera, known = locator.locate(frame, known)
        found.append(camera)
    return found, known


def test_a_code_that_was_pushed_is_left_out_and_measured_again(profile: Profile) -> None:
    """The view stays right; once the code rests it counts again, so that another one may be covered."""
    before = camera()
    pushed = replace(before.layout.fiducials[1], x_mm=240.0, y_mm=180.0, turn_deg=25.0)
    after = camera(code1=pushed)
    locator = Locator(profile)
    frames = [before.frame(laid_out()), *(after.frame(laid_out(), t=t) for t in range(3))]
    (first, *seen), known = located(locator, profile, frames)
    assert first is not None
    codes = {one.id: one for one in known.layout.fiducials}
    truth = np.array(pushed.corners_mm()) - np.array(before.layout.fiducials[1].corners_mm())
    found = np.array(codes[1].corners_mm()) - np.array(profile.layout.fiducials[1].corners_mm())

    assert [off_px(view, first, profile) < 2.0 for view in seen] == [True] * 3
    assert np.abs(found - truth).max() < 2.0


def test_codes_laid_anew_are_measured_by_the_tiles(profile: Profile) -> None:
    """On another evening all four lie elsewhere: the tiles tell the place once, the codes from then on."""
    first, second, third, fourth = learnt(PLAYERS, 1)[0].layout.fiducials
    anew = camera(
        code0=replace(first, x_mm=-262, y_mm=172, turn_deg=8),
        code1=replace(second, x_mm=300, y_mm=128, turn_deg=-90),
        code2=replace(third, x_mm=251, y_mm=-175),
        code3=replace(fourth, x_mm=-301, y_mm=-120, turn_deg=33),
    )
    library, asked = FaceLibrary(profile), 0

    def tiles() -> TileLocator:
        nonlocal asked
        asked += 1
        assert library.board is not None
        return TileLocator(library.layout, library.tiles.faces, library.board[1].face)

    locator = Locator(profile, tiles)
    (truth,), _ = located(Locator(profile), profile, [camera().frame(laid_out())])
    assert truth is not None
    cameras, _ = located(locator, profile, [anew.frame(laid_out(), t=t) for t in range(3)])

    assert asked == 1
    assert [off_px(view, truth, profile) < 4.0 for view in cameras] == [True] * 3
    assert cameras[1] is not None
    assert len(cameras[1].fiducials) == 4
