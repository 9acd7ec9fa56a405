"""The cable of a simulated camera, which users of the demo can unplug and plug in again."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from companion.errors import DeviceError, DeviceFault
from companion.i18n import msg
from vision.capture.sources.frame import Frame, FrameSource

# How many movements the players make while the cable is out, before they wait for the camera.
UNSEEN_MOVEMENTS: Final = 8

T = TypeVar("T")


class SimulatedCable:
    """Whether the device is plugged in; read in the source's thread, changed in the window's."""

    def __init__(self) -> None:
        self._out = threading.Event()

    @property
    def is_out(self) -> bool:
        """Whether the device is unplugged."""
        return self._out.is_set()

    def pull(self) -> None:
        """Unplug the device."""
        self._out.set()

    def put_in(self) -> None:
        """Plug the device in again."""
        self._out.clear()


class Reel(Generic[T]):
    """Scenes to film. Some can be skipped; the last one skipped is still filmed."""

    def __init__(self, scenes: Iterable[T]) -> None:
        self._scenes = iter(scenes)
        self._kept: list[T] = []

    def pass_over(self) -> None:
        """Skip one scene, if any is left."""
        for scene in itertools.islice(self._scenes, 1):
            self._kept = [scene]

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        return self._kept.pop() if self._kept else next(self._scenes)


class CabledFrames:
    """Frames that stop coming while the cable is out.

    `meanwhile` makes one movement of the players that is not filmed; it is called in the source's thread.
    """

    def __init__(self, frames: FrameSource, cable: SimulatedCable, meanwhile: Callable[[], None]) -> None:
        self._frames = frames
        self._cable = cable
        self._meanwhile = meanwhile
        self._unseen = 0

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._frames.name

    def frames(self) -> Iterator[Frame]:
        """Yield the frames; raises DeviceError while the cable is out. Call it again to continue."""
        if self._cable.is_out:
            if self._unseen < UNSEEN_MOVEMENTS:
                self._unseen += 1
                self._meanwhile()
            raise _unplugged()
        self._unseen = 0
        for frame in self._frames.frames():
            if self._cable.is_out:
                raise _unplugged()
            yield frame

    def close(self) -> None:
        """Release the device."""
        self._frames.close()


def _unplugged() -> DeviceError:
    return DeviceError(msg("The cable is unplugged. Plug it back in (U)."), DeviceFault.UNPLUGGED)
