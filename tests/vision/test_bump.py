"""A knock is noticed at once and nothing is believed until the table is found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import blue_moon_city
from vision.bump import BumpGuard, SteadyFrames
from vision.draw import Image
from vision.simulated_camera import SimulatedCamera
from vision.sources import ImageFiles

LAYOUT = blue_moon_city()


def _gray(frame: Image) -> Image:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    """A camera at rest."""
    return SimulatedCamera(LAYOUT, [], {}, seed=1)


@pytest.fixture(scope="module")
def knocked(camera: SimulatedCamera) -> SimulatedCamera:
    """The same camera after a knock of some pixels."""
    return camera.seen_from(replace(camera.viewpoint, tilt_deg=24.3, azimuth_deg=4.3))


def _locked(camera: SimulatedCamera, guard: BumpGuard | None = None) -> BumpGuard:
    guard = guard or BumpGuard(LAYOUT)
    for t in range(2):
        assert guard.look(_gray(camera.frame({}, t=t))).is_steady
    return guard


def _covered(frame: Image, camera: SimulatedCamera, *numbers: int) -> Image:
    """Return the frame with mugs on some fiducials."""
    found = frame.copy()
    for one in LAYOUT.fiducials:
        if one.id in numbers:
            x, y = camera.view.project(np.array([(one.x_mm, one.y_mm, 10.0)]))[0]
            cv2.circle(found, (int(x), int(y)), 60, (60, 90, 160), -1)
    return found


def test_rest_is_rest(camera: SimulatedCamera) -> None:
    """Frames that differ by noise alone keep the very same view."""
    guard = BumpGuard(LAYOUT)
    seen = [guard.look(_gray(camera.frame({}, t=t / 15))) for t in range(8)]

    assert [True, *[False] * 7] == [one.is_new for one in seen]
    assert all(one.is_steady for one in seen)
    assert 1 == len({id(one.view) for one in seen})
    assert max(one.moved_px for one in seen) < 0.4


def test_a_knock_is_noticed_and_mended(camera: SimulatedCamera, knocked: SimulatedCamera) -> None:
    """The first frame after a knock is not believed, the second is, with the new view."""
    guard = _locked(camera, BumpGuard(LAYOUT, lens=camera.view.lens))
    seen = [guard.look(_gray(knocked.frame({}, t=t))) for t in range(3)]
    spots = np.array([(x, y, 2.2) for x, y in LAYOUT.cells.values()])

    assert [False, True, True] == [one.is_steady for one in seen]
    assert seen[0].moved_px > 1
    view = seen[-1].view
    assert view is not None
    assert np.abs(view.project(spots) - knocked.view.project(spots)).max() < 0.5


def test_nothing_is_believed_on_the_way(camera: SimulatedCamera, knocked: SimulatedCamera) -> None:
    """As long as the fiducials move from frame to frame the table is not steady."""
    guard = _locked(camera)
    frames = [camera, knocked, camera, knocked, camera]

    assert not any(guard.look(_gray(one.frame({}, t=i))).is_steady for i, one in enumerate(frames[1:]))


def test_mugs_on_three_fiducials_are_survived(camera: SimulatedCamera) -> None:
    """One fiducial in its place is proof enough."""
    guard = _locked(camera)
    seen = guard.look(_gray(_covered(camera.frame({}), camera, 0, 1, 2)))

    assert seen.is_steady
    assert not seen.is_new


def test_no_fiducial_is_no_proof(camera: SimulatedCamera) -> None:
    """With all fiducials covered nothing is believed; when they are back all is well."""
    guard = _locked(camera)
    hidden = _gray(_covered(camera.frame({}), camera, 0, 1, 2, 3))
    blind = [guard.look(hidden).is_steady for _ in range(3)]
    back = [guard.look(_gray(camera.frame({}, t=t))).is_steady for t in range(2)]

    assert [False] * 3 == blind
    assert back[-1]


def test_a_pushed_fiducial_is_left_out(camera: SimulatedCamera) -> None:
    """A fiducial that moves alone was pushed by somebody: the view stays."""
    near_right = LAYOUT.fiducials[2]
    pushed = replace(
        LAYOUT, fiducials=(*LAYOUT.fiducials[:2], replace(near_right, x_mm=284.0), LAYOUT.fiducials[3])
    )
    guard = _locked(camera)
    seen = guard.look(_gray(SimulatedCamera(pushed, [], {}, seed=1).frame({}, t=3)))

    assert seen.is_steady
    assert frozenset({2}) == seen.pushed


def test_without_a_table_there_is_no_view() -> None:
    """A picture of nothing gives no view and no error."""
    seen = BumpGuard(LAYOUT).look(np.full((240, 320), 99, np.uint8))

    assert seen.view is None
    assert not seen.is_steady


def test_frames_are_marked(camera: SimulatedCamera, knocked: SimulatedCamera, tmp_path: Path) -> None:
    """Every frame comes through; the one of the knock says that it must not be believed."""
    for i, one in enumerate((camera, camera, knocked, knocked)):
        cv2.imwrite(str(tmp_path / f"{i}.png"), one.frame({}, t=i))
    source = SteadyFrames(ImageFiles.in_folder(tmp_path), BumpGuard(LAYOUT))
    marks = [frame.is_steady for frame in source.frames()]
    source.close()

    assert [True, True, False, True] == marks
    assert source.last is not None
    assert source.last.is_new
    assert tmp_path.name == source.name
