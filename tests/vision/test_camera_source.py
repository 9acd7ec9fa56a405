"""A camera as a source: what moves is not read, and our own lights are nobody's hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import pytest

from calibration.layout import blue_moon_city
from calibration.profile import Profile
from companion.reconcile.observation import Observation
from companion.table import Picture
from tests.helpers.logfail import WarningCollector
from vision.camera_source import CameraSource
from vision.draw import Image
from vision.findings import Findings
from vision.looks import Viewpoint
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

    def __init__(self, *, finds: bool = True) -> None:
        self.levels: list[int] = []
        self.findings = Findings(view=Viewpoint().view((320, 240)) if finds else None)

    def forget(self) -> None:
        """There is nothing to forget."""

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


def test_why_no_table_is_found_is_said_once(logged_warnings: WarningCollector) -> None:
    """A lens cap, then a lamp into the lens: each reason once, however many frames show it."""
    black, white = lit(0) * 0, lit(0) * 0 + 255
    source = CameraSource(
        Reel([black, black, white, white, black]), cast(Reader, Noting(finds=False)), stills=True
    )
    assert len(list(source.observations())) == 5

    told = logged_warnings.take()
    assert [("black" in one, "white" in one) for one in told] == [(True, False), (False, True), (True, False)]


def test_wrong_sizes_and_repeats_are_survived(
    logged_warnings: WarningCollector,
) -> None:
    """Sizes that change, tiny pictures and the same one again: nothing is claimed, nothing is raised."""
    profile = Profile(edition="x", players=("a", "b"), layout=blue_moon_city(), faces=())
    odd = [np.full((*size, 3), 70, np.uint8) for size in ((240, 320), (64, 64), (480, 100), (1080, 1920))]
    told = list(CameraSource(Reel([*odd, odd[-1], odd[-1], odd[0]]), Reader(profile)).observations())

    assert len(told) == 7
    assert all(not one.sightings and not one.busy for one in told)
    assert len(logged_warnings.take()) == 1
