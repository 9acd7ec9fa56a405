"""A camera as a source: what moves is not read, and our own lights are nobody's hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import pytest

from companion.reconcile.observation import Observation
from companion.table import Picture
from vision.camera_source import CameraSource
from vision.draw import Image
from vision.reader import Reader
from vision.sources.frame import Frame


class Reel:
    """A film of given pictures."""

    name = "reel"

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = images

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures at fifteen a second."""
        for seq, image in enumerate(self._images):
            yield Frame(image=image, seq=seq, seen_at_s=seq / 15)

    def close(self) -> None:
        """Nothing to release."""


class Noting:
    """A reader that notes how bright the middle of each picture is that it is given to read."""

    def __init__(self) -> None:
        self.levels: list[int] = []

    def read(
        self, frame: Image, *, seq: int, seen_at_s: float, source: str, expected: Picture | None
    ) -> Observation:
        """Note the picture; say that it was read."""
        del expected
        self.levels.append(int(frame[120, 160].max()))
        return Observation(source=source, seq=seq, seen_at_s=seen_at_s)


def lit(strength: int) -> Image:
    """Return a table with a light under its middle cell."""
    rows, columns = np.mgrid[0:240, 0:320]
    glow = np.exp(-((rows - 120) ** 2 + (columns - 160) ** 2) / 800) * strength
    image = np.full((240, 320, 3), 90, np.float32)
    image[..., 1] += glow
    return np.asarray(np.clip(image, 0, 255), np.uint8)


@pytest.mark.parametrize("gated", [True, False])
def test_our_own_lights_never_count_as_motion(gated: bool) -> None:
    """While they change nothing is said; the picture afterwards is read anew, once."""
    strengths = [0] * 5 + [30, 60, 90, 120] + [120] * 6
    changing = range(5, 10)
    at = iter(range(len(strengths)))
    reader = Noting()
    source = CameraSource(
        Reel([lit(strength) for strength in strengths]),
        cast(Reader, reader),
        is_relighting=lambda: next(at) in changing and gated,
    )
    seen = list(source.observations())

    assert any(each.busy for each in seen) is not gated
    assert reader.levels == [90, 210]
    assert [each.seq for each in seen if gated] == [n for n in range(15) if gated and n not in changing]


def test_a_frame_that_proves_to_be_still_is_told_of_once_more() -> None:
    """The first frame without the hand seems to move; when the next shows the same, both show the table."""
    images = [lit(0)] * 3 + [lit(90), lit(140)] + [lit(40)] * 3
    reader = Noting()
    seen = list(CameraSource(Reel(images), cast(Reader, reader)).observations())
    told = [(each.seq, each.busy) for each in seen]

    assert told == [
        *((number, False) for number in range(3)),
        *((number, True) for number in range(3, 6)),
        *((number, False) for number in range(5, 8)),
    ]
    assert [each.seen_at_s for each in seen] == sorted(each.seen_at_s for each in seen)
