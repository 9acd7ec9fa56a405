"""A camera as the window watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.table import Place, Value
from companion.view_model import CameraView, Outline
from ui.controller.session import PicturedObservation
from vision.camera_source import CameraSource, Seen

Label: TypeAlias = Callable[[Place, Value], str]
"""Returns the text for what was recognised at a place."""


@dataclass(frozen=True, slots=True)
class PicturedCamera:
    """A camera as the window watches it: observations with the picture and what was recognised in it.

    Attributes:
        label: returns the text for what was recognised.
    """

    source: CameraSource
    label: Label

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self.source.name

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is seen; raises DeviceError if the camera does."""
        for seen in self.source.seen():
            yield PicturedObservation(observation=seen.observation, camera=camera_view(seen, self.label))

    def close(self) -> None:
        """Release the camera."""
        self.source.close()


def camera_view(seen: Seen, label: Label) -> CameraView:
    """Return a frame in the form that the window draws."""
    height, width = seen.frame.image.shape[:2]
    marks = tuple(
        Outline(
            place=one.sighting.place,
            corners=one.corners_px,
            label=label(one.sighting.place, one.sighting.value),
            confidence=one.sighting.confidence,
        )
        for one in seen.outlines
    )
    return CameraView(
        width=width,
        height=height,
        bgr=seen.frame.image.tobytes(),
        outlines=marks,
        busy=seen.observation.busy,
    )
