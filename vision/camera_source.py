"""A camera as a source of observations: frames from a `FrameSource`, read only if there is something new.

While something moves, nothing is read (the observation is busy and claims nothing). A frame without change
since the last one read is taken to show the same. If two frames are alike and only the second was read, the
first is reported again with the second's reading. If boxes were left open or a piece is in doubt, a few more
frames are read, since the noise in one may hide what the next ones show. Where whole areas are read the last
look counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion import log
from companion.observation import Expectation, Observation, Sighting
from companion.table import Place
from vision.capture.image_pyramid import ImagePyramid
from vision.capture.motion_gate import MotionGate, News
from vision.capture.sources.frame import Frame, FrameSource
from vision.faces.locator import why_not_found
from vision.reading.outlines import Outlined

# How many more frames are looked at where boxes were left open, and how many of them must agree.
_MORE_LOOKS, _AGREE = 3, 2
# What is doubted must be claimed by more than this share of all looks.
_MOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """A frame and what was read in it."""

    frame: Frame
    observation: Observation
    outlines: tuple[Outlined, ...] = ()


class FrameReader(Protocol):
    """Reads frames: of tables with printed places (`vision.reader`), or without (`vision.free_reader`)."""

    @property
    def is_found(self) -> bool:
        """Whether the table was found in the frame read last."""

    @property
    def left_open(self) -> frozenset[Place]:
        """Places of the frame read last that another look might tell, or tell otherwise."""

    def outlines(self, observation: Observation, /) -> tuple[Outlined, ...]:
        """Return the outlines of what was seen in the frame read last."""

    def forget(self, *, but_tiles: bool = False) -> None:
        """Forget what earlier frames told; with `but_tiles` all but where tiles lay."""

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
        """Return what a frame shows."""


class CameraSource:
    """Reads frames as they come; keeps the `ObservationSource` contract. For one thread at a time.

    `expected` gives what the game predicts just now: observations are stamped with it.
    `is_relighting` tells whether lights of our own are changing: what is filmed meanwhile is nobody's hand,
    and is skipped.
    """

    def __init__(
        self,
        frames: FrameSource,
        reader: FrameReader,
        *,
        expected: Callable[[], Expectation | None] = lambda: None,
        stills: bool = False,
        is_relighting: Callable[[], bool] = lambda: False,
    ) -> None:
        self._frames = frames
        self.reader = reader
        self._expected = expected
        self._stills = stills
        self._is_relighting = is_relighting
        self._gate = MotionGate()
        self._last: Observation | None = None
        self._looks: list[Observation] = []
        self._doubted = frozenset[Place]()
        self._fault: str | None = None

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._frames.name

    def seen(self, *, with_outlines: bool = True) -> Iterator[Seen]:
        """Yield frames with what was read in them; raises DeviceError like the frames' source."""
        marked: tuple[Outlined, ...] = ()
        leaving: Frame | None = None
        for frame in self._frames.frames():
            pyramid = ImagePyramid(frame.image)
            news = News.CHANGED if self._stills else self._gate.compare(pyramid)
            if self._is_relighting():
                leaving = None
                continue
            before = self._last
            # Asked for before it is looked: should the game move on meanwhile, the observation is of before.
            observation = self._observed(frame, pyramid, news, self._expected())
            if self._last is not before and with_outlines:
                marked = self.reader.outlines(observation)
            if news is News.CHANGED and leaving is not None:
                # A hand was leaving in the frame before, it seemed; this one shows that it had left.
                earlier = replace(observation, seq=leaving.seq, seen_at_s=leaving.seen_at_s)
                yield Seen(frame=leaving, observation=earlier, outlines=marked)
            leaving = frame if news is News.MOTION else None
            yield Seen(frame=frame, observation=observation, outlines=marked)

    def _observed(
        self, frame: Frame, pyramid: ImagePyramid, news: News, expected: Expectation | None
    ) -> Observation:
        """Return what a frame shows: read if there is anything to read, else as it was read last."""
        read_for = None if expected is None else expected.revision
        if news is News.NOTHING and self._last is not None:
            self._reread(frame, pyramid, expected)
            return replace(self._last, seq=frame.seq, seen_at_s=frame.seen_at_s, read_for=read_for)
        if news is News.MOTION:
            return Observation(
                source=self.name, seq=frame.seq, seen_at_s=frame.seen_at_s, busy=True, read_for=read_for
            )
        if self._stills:
            self.reader.forget(but_tiles=True)
        self._last = self._read(frame, pyramid, expected)
        self._looks, self._doubted = [self._last], frozenset()
        self._gate.took()
        self._say_whether_found(frame)
        return self._last

    def _read(
        self,
        frame: Frame,
        pyramid: ImagePyramid,
        expected: Expectation | None,
        again: Collection[Place] = (),
    ) -> Observation:
        return self.reader.read(
            pyramid,
            seq=frame.seq,
            seen_at_s=frame.seen_at_s,
            source=self.name,
            expected=expected,
            again=again,
        )

    def _reread(self, frame: Frame, pyramid: ImagePyramid, expected: Expectation | None) -> None:
        """Look once more at what was left open in a frame that shows nothing new, but not forever."""
        first, *more = self._looks
        open_ = self.reader.left_open
        is_whole = bool(first.areas)
        if first.busy or len(more) == _MORE_LOOKS or not (open_ or (more and not is_whole)):
            return
        self._looks.append(self._read(frame, pyramid, expected, open_))
        if is_whole:
            self._last = self._looks[-1]
            return
        self._doubted |= open_ & first.sightings.keys()
        self._last = agreed(first, self._looks[1:], self._doubted)

    def _say_whether_found(self, frame: Frame) -> None:
        """Log once why no table is found, and once that it is found again."""
        fault = None if self.reader.is_found else why_not_found(frame.image)
        if fault == self._fault:
            return
        self._fault = fault
        if fault is None:
            log.vision.info("table found again name=%s", frame.name or self.name)
        else:
            log.vision.warning("table not found name=%s reason=%s", frame.name or self.name, fault)

    def observations(self) -> Iterator[Observation]:
        """Yield what is seen; raises DeviceError like the frames' source."""
        for seen in self.seen(with_outlines=False):
            yield seen.observation

    def close(self) -> None:
        """Release the device; safe to call twice."""
        self._frames.close()


def agreed(first: Observation, more: Sequence[Observation], doubted: Collection[Place] = ()) -> Observation:
    """Return what was seen at first, and what later looks at the same table agree on of what it left open.

    What is claimed in two ways by them stays open, and what is `doubted` if most looks do not claim it.
    """
    looks = (first, *more)
    borne_out = {at: _average(looks, first.sightings[at]) for at in doubted}
    first = _without(first, {at: one for at, (one, share) in borne_out.items() if share <= _MOST})
    votes: dict[Place, list[Sighting]] = {}
    for look in more:
        if not look.busy:
            for where, one in look.sightings.items():
                votes.setdefault(where, []).append(one)
    added = {
        where: min(some, key=lambda one: one.confidence)
        for where, some in votes.items()
        if where not in first.sightings and len(some) >= _AGREE and len({one.value for one in some}) == 1
    }
    return replace(
        first,
        sightings={**first.sightings, **added},
        hidden=frozenset(where for where in first.hidden if where not in added),
        denied={where: values for where, values in first.denied.items() if where not in added},
        likely={where: one for where, one in first.likely.items() if where not in added},
    )


def _average(looks: Sequence[Observation], claim: Sighting) -> tuple[Sighting, float]:
    """Return a claim with its confidence in all looks, and the share of them that claim the same."""
    told = [(look.sightings.get(claim.place), look.likely.get(claim.place)) for look in looks]
    same = [one.confidence for pair in told for one in pair if one is not None and one.value == claim.value]
    claims = [one for one, _ in told if one is not None and one.value == claim.value]
    return replace(claim, confidence=sum(same) / len(looks)), len(claims) / len(looks)


def _without(look: Observation, open_: Mapping[Place, Sighting]) -> Observation:
    """Return what was seen, but some of it as no more than likely."""
    left = {where: one for where, one in look.sightings.items() if where not in open_}
    return replace(look, sightings=left, likely={**look.likely, **open_})
