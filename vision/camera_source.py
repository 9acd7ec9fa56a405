"""A camera as a source of observations: frames from a `FrameSource`, read one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.reconcile.observation import Observation
from companion.table import Picture
from vision.outlines import Outlined, outlines
from vision.reader import Reader
from vision.sources.frame import Frame, FrameSource


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """A frame and what was read in it."""

    frame: Frame
    observation: Observation
    outlines: tuple[Outlined, ...] = ()


class CameraSource:
    """Reads frames as they come; keeps the `ObservationSource` contract. For one thread at a time.

    `expected` gives the picture that the game predicts just now; the reader tries those faces first.
    """

    def __init__(
        self,
        frames: FrameSource,
        reader: Reader,
        *,
        expected: Callable[[], Picture | None] = lambda: None,
        stills: bool = False,
    ) -> None:
        self._frames = frames
        self._reader = reader
        self._expected = expected
        self._stills = stills

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._frames.name

    def seen(self, *, with_outlines: bool = True) -> Iterator[Seen]:
        """Yield frames with what was read in them; raises DeviceError like the frames' source."""
        for frame in self._frames.frames():
            if self._stills:
                self._reader.forget()
            observation = self._reader.read(
                frame.image,
                seq=frame.seq,
                seen_at_s=frame.seen_at_s,
                source=self.name,
                expected=self._expected(),
            )
            marked = outlines(self._reader, observation) if with_outlines else ()
            yield Seen(frame=frame, observation=observation, outlines=marked)

    def observations(self) -> Iterator[Observation]:
        """Yield what is seen; raises DeviceError like the frames' source."""
        for seen in self.seen(with_outlines=False):
            yield seen.observation

    def close(self) -> None:
        """Release the device; safe to call twice."""
        self._frames.close()
