"""A camera as a source: what moves is not read, and our own lights are nobody's hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pytest

from calibration.profile import Profile
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Expectation, Observation, Sighting
from companion.table import Place, place
from tests.helpers.logfail import WarningCollector
from vision.arrays import Image
from vision.camera_source import CameraSource, agreed
from vision.capture.image_pyramid import ImagePyramid
from vision.capture.sources.frame import Frame
from vision.reader import Reader
from vision.reading.outlines import Outlined


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
        self.is_found = finds
        self.left_open = frozenset[Place]()

    def outlines(self, observation: Observation, /) -> tuple[Outlined, ...]:
        """There is nothing to outline."""
        del observation
        return ()

    def forget(self, *, but_tiles: bool = False) -> None:
        """There is nothing to forget."""
        del but_tiles

    def read(
        self,
        frame: ImagePyramid,
        /,
        *,
        seq: int,
        seen_at_s: float,
        source: str,
        expected: Expectation | None = None,
        again: Collection[Place] = (),
    ) -> Observation:
        """Note the picture; say that it was read."""
        del again
        self.levels.append(int(frame.times(0)[120, 160].max()))
        read_for = None if expected is None else expected.revision
        return Observation(source=source, seq=seq, seen_at_s=seen_at_s, read_for=read_for)


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
        reader,
        is_relighting=lambda: next(at) in changing and gated,
    )
    seen = list(source.observations())

    assert any(each.busy for each in seen) is not gated
    assert reader.levels == [90, 210]
    assert [each.seq for each in seen if gated] == [n for n in range(15) if gated and n not in changing]


def test_observations_say_for_which_state_they_were_read() -> None:
    """Read, moving or unchanged: each is stamped with the state asked for before it was looked at."""
    images = [lit(0)] * 3 + [lit(90), lit(140)] + [lit(40)] * 3
    revisions = iter(range(100))
    source = CameraSource(
        Reel(images),
        Noting(),
        expected=lambda: Expectation(picture={}, revision=next(revisions)),
    )
    told = [(each.seq, each.busy, each.read_for) for each in source.observations()]

    # The last moving frame is told of again with what the next one shows, and for its state.
    assert told == [
        *((number, False, number) for number in range(3)),
        *((number, True, number) for number in range(3, 6)),
        (5, False, 6),
        *((number, False, number) for number in (6, 7)),
    ]
    assert all(each.read_for is None for each in CameraSource(Reel(images), Noting()).observations())


def test_a_frame_that_proves_to_be_still_is_told_of_once_more() -> None:
    """The first frame without the hand seems to move; when the next shows the same, both show the table."""
    images = [lit(0)] * 3 + [lit(90), lit(140)] + [lit(40)] * 3
    reader = Noting()
    seen = list(CameraSource(Reel(images), reader).observations())
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
    source = CameraSource(Reel([black, black, white, white, black]), Noting(finds=False), stills=True)
    assert len(list(source.observations())) == 5

    told = logged_warnings.take()
    assert [("black" in one, "white" in one) for one in told] == [(True, False), (False, True), (True, False)]


def test_wrong_sizes_and_repeats_are_survived(
    logged_warnings: WarningCollector,
) -> None:
    """Sizes that change, tiny pictures and the same one again: nothing is claimed, nothing is raised."""
    profile = Profile(edition="x", players=("a", "b"), layout=table_layout(), faces=())
    odd = [np.full((*size, 3), 70, np.uint8) for size in ((240, 320), (64, 64), (480, 100), (1080, 1920))]
    told = list(CameraSource(Reel([*odd, odd[-1], odd[-1], odd[0]]), Reader(profile)).observations())

    assert len(told) == 7
    assert all(not one.sightings and not one.busy for one in told)
    assert len(logged_warnings.take()) == 1


BOX, OTHER = place("box", "2,1", 0), place("box", "2,1", 1)


def told(*claims: tuple[Place, str | None], busy: bool = False) -> Observation:
    """An observation with these claims."""
    sightings = {at: Sighting(place=at, value=value, confidence=0.97) for at, value in claims}
    hidden = frozenset({BOX, OTHER} - sightings.keys())
    return Observation(source="test", seq=0, seen_at_s=0.0, sightings=sightings, hidden=hidden, busy=busy)


class Hesitating(Noting):
    """A reader that leaves a box open at first, and sees it in some of the frames that it looks at again."""

    def __init__(self, later: Sequence[Observation]) -> None:
        super().__init__()
        self._later = iter(later)
        self.left_open = frozenset({BOX})

    def read(
        self,
        frame: ImagePyramid,
        /,
        *,
        seq: int,
        seen_at_s: float,
        source: str,
        expected: Expectation | None = None,
        again: Collection[Place] = (),
    ) -> Observation:
        """Tell the next of what is seen later; at first nothing."""
        seen = super().read(
            frame, seq=seq, seen_at_s=seen_at_s, source=source, expected=expected, again=again
        )
        return next(self._later) if again else seen


def test_a_box_left_open_is_looked_at_again_and_believed_when_two_looks_agree() -> None:
    """Three more frames of the same table are looked at, and no more of them."""
    reader = Hesitating([told(), told((BOX, "teal")), told((BOX, "teal"))])
    seen = list(CameraSource(Reel([lit(0)] * 7), reader).observations())

    assert len(reader.levels) == 4
    assert [BOX in one.sightings for one in seen] == [False] * 3 + [True] * 4
    assert [one.seq for one in seen] == list(range(7))


@pytest.mark.parametrize(
    ("later", "sure"),
    [
        ([told((BOX, "teal"))] * 3, 0.97),
        ([told((BOX, "teal")), told((BOX, "teal")), told()], 0.97),
        ([told((BOX, "teal")), told(), told((BOX, "white"))], 0.485),
        ([told(), told(), told()], 0.2425),
    ],
)
def test_what_is_doubted_must_be_borne_out_by_most_looks(later: list[Observation], sure: float) -> None:
    """If it is not, it is likely, and no more than what all looks say of it on average."""
    first = told((BOX, "teal"), (OTHER, "white"))
    seen = agreed(first, later, {BOX})

    assert seen.sightings[OTHER] == first.sightings[OTHER]
    assert (BOX in seen.sightings) is (sure > 0.9)
    assert (BOX in seen.likely) is (sure < 0.9)
    if sure < 0.9:
        assert seen.likely[BOX].value == "teal"
        assert seen.likely[BOX].confidence == pytest.approx(sure, abs=0.005)


@pytest.mark.parametrize(
    ("later", "value"),
    [
        ([told((BOX, "teal")), told()], ()),
        ([told((BOX, "teal")), told((BOX, "teal"))], ("teal",)),
        ([told((BOX, None)), told((BOX, None)), told((BOX, "teal"))], ()),
        ([told((BOX, "teal"), busy=True), told((BOX, "teal"))], ()),
    ],
)
def test_looks_that_contradict_each_other_leave_a_box_open(
    later: list[Observation], value: tuple[str, ...]
) -> None:
    """What was claimed at first stands, whatever later looks make of it."""
    first = told((OTHER, "white"))
    seen = agreed(first, [*later, told((OTHER, "teal")), told((OTHER, "teal"))])

    assert seen.sightings[OTHER] == first.sightings[OTHER]
    assert tuple(one.value for at, one in seen.sightings.items() if at == BOX) == value
    assert (BOX in seen.hidden) is (not value)
