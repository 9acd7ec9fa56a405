"""The simulated camera's cable: pulled out and put in, twice, with players who go on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.errors import DeviceError, DeviceFault
from ui.assembly.cable import UNSEEN_MOVEMENTS, CabledFrames, Reel, SimulatedCable
from vision.capture.sources.frame import Frame

BLANK = np.zeros((2, 2, 3), np.uint8)


class Filming:
    """Films the scenes of a reel, a frame each."""

    name = "simulated camera"

    def __init__(self, reel: Reel[int]) -> None:
        self.reel = reel
        self.is_closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield a frame for every scene; its number is the scene."""
        for scene in self.reel:
            yield Frame(image=BLANK, seq=scene, seen_at_s=float(scene))

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


@pytest.fixture
def reel() -> Reel[int]:
    """Thirty scenes."""
    return Reel(range(30))


def test_pulled_out_and_put_in_twice(reel: Reel[int]) -> None:
    """No frame comes while the cable is out; what happened last meanwhile is filmed first afterwards."""
    cable = SimulatedCable()
    filming = Filming(reel)
    camera = CabledFrames(filming, cable, reel.pass_over)
    seen: list[int] = []
    for _ in range(2):
        frames = camera.frames()
        seen += [next(frames).seq, next(frames).seq]
        cable.pull()
        with pytest.raises(DeviceError) as told:
            next(frames)
        assert DeviceFault.UNPLUGGED is told.value.fault
        for _ in range(3):
            with pytest.raises(DeviceError):
                next(camera.frames())
        cable.put_in()
    seen.append(next(camera.frames()).seq)
    camera.close()

    # The frame that was on its way when the cable was pulled is lost; three movements went by unseen.
    assert [0, 1, 5, 6, 10] == seen
    assert filming.is_closed


def test_players_wait_for_a_camera_that_stays_away(reel: Reel[int]) -> None:
    """They play on for a while only, so that a run of play can still be understood afterwards."""
    cable = SimulatedCable()
    camera = CabledFrames(Filming(reel), cable, reel.pass_over)
    cable.pull()
    for _ in range(3 * UNSEEN_MOVEMENTS):
        with pytest.raises(DeviceError):
            next(camera.frames())
    cable.put_in()

    assert UNSEEN_MOVEMENTS - 1 == next(camera.frames()).seq


def test_the_last_scene_is_filmed_even_if_it_passed_unseen() -> None:
    """Where the game ended while the cable was out, its last table is seen all the same."""
    reel = Reel([7])
    reel.pass_over()
    reel.pass_over()

    assert [7] == list(reel)
