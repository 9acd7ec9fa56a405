"""Debouncing: believe a place only after several equal readings in a row.

Observations go in, snapshots come out; the only clock is the time in the observations. For each source, a
place settles on a value after `DebounceRules.agree` equal readings in a row, or more if they are uncertain.
One odd reading starts the count again; a missing one never erases anything. While a hand is over the table,
nothing settles.

A snapshot is given only when every place is calm. If a figure has settled and the marker beside it has not,
the picture shows half a turn, and half a turn looks like a different turn. A restless place blocks this only
for a while: after `DebounceRules.patience` rounds it is left out of the picture as unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.observation import Observation, Sighting, Snapshot
from companion.reconcile.fusion import Agreement, Claim, Fusion, fusion_of
from companion.table import Place, Value

_LEAST_WEIGHT = 0.25
# Before a source contradicts another, it must have looked this many times as often as settling takes.
_LOOKS = 2
# A piece that is nowhere counts as held for this many times as many observations as settling takes.
_HELD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DebounceRules:
    """How much must be seen before it is believed.

    Attributes:
        agree: number of agreeing readings in a row that settle a place.
        min_confidence: readings less certain than this count as missing.
        sure: a reading this certain counts fully; the less certain they are, the more of them are needed.
        patience: for how many rounds of `agree` observations a restless place may delay everything.
        contest_s: how long two sources may contradict each other before the players are asked, seconds.
        silent_s: after this long without an observation a source counts as gone, seconds.
        rest_s: after this long without any change, a hand (or what is taken for one) only delays the places
            it hides, seconds.
        debounced: sources whose readings are already settled, such as sensors.
        stills: every observation is a separate photograph: one clear image is enough.
    """

    agree: int = 3
    min_confidence: float = 0.6
    sure: float = 0.95
    patience: int = 5
    contest_s: float = 1.0
    silent_s: float = 3.0
    rest_s: float = 1.0
    debounced: frozenset[str] = frozenset()
    stills: bool = False

    def __post_init__(self) -> None:
        if self.agree < 1 or self.patience < 1:
            raise ValueError("agree and patience count from 1")
        if not 0.0 <= self.min_confidence <= self.sure <= 1.0:
            raise ValueError("min_confidence and sure are probabilities in this order")

    @classmethod
    def for_stills(cls, *, min_confidence: float = 0.8) -> DebounceRules:
        """Return the rules for single photographs."""
        return cls(agree=1, min_confidence=min_confidence, sure=max(0.95, min_confidence), stills=True)

    def needed(self, source: str) -> int:
        """Return how many agreeing readings of this source settle a place."""
        return 1 if self.stills or source in self.debounced else self.agree

    def weight(self, source: str, confidence: float) -> float:
        """Return the weight of a reading with this certainty, as a share of a full reading."""
        if confidence >= self.sure or self.needed(source) == 1:
            return 1.0
        share = (confidence - self.min_confidence) / (self.sure - self.min_confidence)
        return _LEAST_WEIGHT + (1.0 - _LEAST_WEIGHT) * share


@dataclass(slots=True, kw_only=True)
class _Run:
    """Agreeing readings in a row that have not settled yet."""

    value: Value
    count: int = 0
    weight: float = 0.0
    confidence: float = 0.0  # sum over the readings

    def add(self, confidence: float, weight: float) -> None:
        self.count += 1
        self.weight += weight
        self.confidence += confidence


@dataclass(slots=True, kw_only=True)
class _Track:
    """One place as one source sees it.

    Attributes:
        settled: whether value and confidence are valid.
        run: the readings that contradict what is settled, or that follow such a contradiction.
        restless_since: number of the observation at which the place became restless.
        is_after_hand: the unrest began just after a hand was there, so the settled values may be older.
        read: number of the observation with the newest reading.
    """

    settled: bool = False
    value: Value = None
    confidence: float = 0.0
    run: _Run | None = None
    restless_since: int = 0
    is_after_hand: bool = False
    read: int = 0
    seen_at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class _Likely:
    """What a place likely shows, and in how many observations in a row."""

    sighting: Sighting
    count: int


@dataclass(slots=True, eq=False)
class _Source:
    """All that is known of one source."""

    name: str
    rules: DebounceRules
    count: int = 0
    seen_at_s: float = float("-inf")
    busy: bool = False
    busy_at: float = float("-inf")  # count of observations when a hand was last seen
    hidden: frozenset[Place] = frozenset()
    shown: dict[Place, Value] = field(default_factory=dict)
    still_since_s: float = float("-inf")
    tracks: dict[Place, _Track] = field(default_factory=dict)
    glimpsed: dict[Place, Counter[Value]] = field(default_factory=dict)  # readings since the table was calm
    denied: dict[Place, int] = field(default_factory=dict)  # how often in a row the settled value was denied
    away: dict[Place, int] = field(default_factory=dict)  # how often a piece was nowhere since it was seen
    likely: dict[Place, _Likely] = field(default_factory=dict)

    def feed(self, observation: Observation) -> None:
        self.seen_at_s = observation.seen_at_s
        self.busy = observation.busy and not self._rests(observation)
        self.count += not self.busy  # patience does not run out under a hand
        self.busy_at = self.count if self.busy else self.busy_at
        self.hidden = observation.hidden
        for where, sighting in observation.sightings.items():
            if sighting.confidence >= self.rules.min_confidence:
                self._read(self.tracks.setdefault(where, _Track()), sighting)
                self.away.pop(where, None)
        self._deny(observation.denied)
        self._suppose({} if self.busy else observation.likely)

    def _suppose(self, likely: Mapping[Place, Sighting]) -> None:
        """Record what is likely, and for how long it has been."""
        before, self.likely = self.likely, {}
        for where, one in likely.items():
            known = before.get(where)
            count = known.count if known is not None and known.sighting.value == one.value else 0
            self.likely[where] = _Likely(one, count + 1)

    def _deny(self, denied: Mapping[Place, frozenset[Value]]) -> None:
        """Record what places certainly do not show."""
        before, self.denied = self.denied, {}
        for where, values in denied.items():
            track = self.tracks.get(where)
            if track is None or not track.settled:
                continue
            if None not in values and (track.value is None or track.value in values):
                self._miss(where, track, values)
            elif track.value in values:
                self.denied[where] = before.get(where, 0) + (not self.busy)

    def _miss(self, where: Place, track: _Track, left: frozenset[Value]) -> None:
        """Record that a piece has left its place, and is not seen anywhere."""
        self.away[where] = self.away.get(where, 0) + (not self.busy)
        if not self._stands_unseen(where):
            # For now it counts as out of the city.
            self._read(track, Sighting(place=where, value=None, confidence=1.0))
            return
        # Nobody holds it for so long: it stands where it cannot be told from what is around it.
        track.value, track.run = min((one for one in left if one is not None), default=None), None
        track.read = self.count - self.rules.needed(self.name)

    @property
    def doubted(self) -> frozenset[Place]:
        """Return the places whose settled value is contradicted often enough in a row to settle a new one.

        What a piece has left remains contradicted until it is seen.
        """
        needed = self.rules.needed(self.name)
        contradicted = {where for where, count in self.denied.items() if count >= needed}
        return frozenset(contradicted | set(filter(self._stands_unseen, self.away)))

    def _stands_unseen(self, where: Place) -> bool:
        """Whether a piece has been nowhere for longer than it may be held."""
        return self.away.get(where, 0) > _HELD * self.rules.needed(self.name)

    def _rests(self, observation: Observation) -> bool:
        """Whether everything visible has been unchanged for so long that nothing is being moved."""
        shown = {where: sighting.value for where, sighting in observation.sightings.items()}
        if not shown or shown != self.shown:
            self.shown, self.still_since_s = shown, observation.seen_at_s
        return observation.seen_at_s - self.still_since_s >= self.rules.rest_s

    def _read(self, track: _Track, sighting: Sighting) -> None:
        track.read = self.count
        track.seen_at_s = self.seen_at_s
        as_settled = track.settled and sighting.value == track.value
        if track.run is None and as_settled:
            track.confidence = sighting.confidence
            return
        if track.settled and not as_settled:
            self.glimpsed.setdefault(sighting.place, Counter())[sighting.value] += 1
        if self.busy:  # does not count, but breaks a run that it contradicts
            if track.run is not None and track.run.value != sighting.value:
                track.run = _Run(value=sighting.value)
            return
        if track.run is None:
            track.restless_since = self.count
            track.is_after_hand = self.count - self.busy_at <= self.rules.needed(self.name)
        if track.run is None or track.run.value != sighting.value:
            track.run = _Run(value=sighting.value)
        run = track.run
        run.add(sighting.confidence, self.rules.weight(self.name, sighting.confidence))
        if run.weight >= self.rules.needed(self.name):
            track.settled, track.value = True, run.value
            track.confidence = run.confidence / run.count
            track.run = None

    def is_waiting(self, track: _Track) -> bool:
        """Whether the newest readings of the place differ from its settled value, but not for too long.

        On a table at rest an odd reading is probably wrong; right after a hand it may be right.
        """
        if track.run is None or self._is_restless(track):
            return False
        return track.is_after_hand or not track.settled or track.run.value != track.value

    def _is_restless(self, track: _Track) -> bool:
        """Whether the readings of a place have kept changing for longer than the patience."""
        rounds = self.rules.patience * self.rules.needed(self.name)
        return track.run is not None and self.count - track.restless_since >= rounds

    def claim(self, where: Place, *, live: bool) -> Claim | None:
        """Return this source's claim about the place, None if it has none."""
        track = self.tracks.get(where)
        if track is None or not track.settled or self._is_restless(track):
            return None
        # A place that no longer exists (a box of a flipped tile) must be dropped as soon as its neighbours
        # settle.
        unread = self.count - track.read >= self.rules.needed(self.name)
        return Claim(
            source=self.name,
            value=track.value,
            confidence=track.confidence,
            seen_at_s=track.seen_at_s,
            fresh=live and not unread and where not in self.hidden,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contradiction:
    """When two sources began to contradict each other, and what each had observed by then."""

    since_s: float
    counts: Mapping[str, int]


class Debouncer:
    """Turns observations into snapshots: one whenever the settled picture has changed and is calm."""

    def __init__(self, rules: DebounceRules | None = None) -> None:
        self.rules = rules or DebounceRules()
        self._sources: dict[str, _Source] = {}
        self._contradicted: dict[Place, _Contradiction] = {}
        self._now_s = float("-inf")
        self._last: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot | None:
        """Return the snapshot given last."""
        return self._last

    def feed(self, observation: Observation) -> Snapshot | None:
        """Take one observation; return a snapshot if there is anything new and certain.

        An observation that is older than one already taken from the same source is ignored.
        """
        source = self._sources.setdefault(observation.source, _Source(observation.source, self.rules))
        if observation.seen_at_s < source.seen_at_s:
            return None
        source.feed(observation)
        self._now_s = max(self._now_s, observation.seen_at_s)
        live = self._live()
        if any(each.busy for each in live):
            return self._interrupted()
        found = self._settled(live)
        if found is None:
            return None
        for each in self._sources.values():
            each.glimpsed = {}
        return self._given(found)

    def _live(self) -> list[_Source]:
        """Return the sources with recent observations."""
        if self.rules.stills:
            return list(self._sources.values())
        oldest = self._now_s - self.rules.silent_s
        return [source for source in self._sources.values() if source.seen_at_s >= oldest]

    def _interrupted(self) -> Snapshot | None:
        """Return one snapshot saying that a hand is over the table; its picture is unchanged."""
        last = self._last or Snapshot(picture={})
        return self._given(replace(last, seen_at_s=self._now_s, busy=True, glimpsed={}))

    def _settled(self, live: list[_Source]) -> Snapshot | None:
        """Return the picture of a calm table, None while anything is still changing."""
        if any(source.is_waiting(track) for source in live for track in source.tracks.values()):
            return None
        picture: dict[Place, Value] = {}
        contested: dict[Place, tuple[Value, ...]] = {}
        claims: dict[Place, tuple[tuple[str, Value], ...]] = {}
        unseen: set[Place] = set()
        for where, fusion in self._fusions(live):
            if self._is_contested(where, fusion):
                contested[where] = fusion.values
                claims[where] = fusion.claims
            elif fusion.agreement is Agreement.CONTRADICTED:
                return None
            else:
                picture[where] = fusion.value
                if not fusion.fresh:
                    unseen.add(where)
        return Snapshot(
            picture=picture,
            seen_at_s=self._now_s,
            glimpsed=added_up(source.glimpsed for source in self._sources.values()),
            contested=contested,
            claims=claims,
            unseen=frozenset(unseen),
            doubted=frozenset(where for source in live for where in source.doubted) & unseen,
            likely={
                where: one
                for where, one in self._likely(live)
                if where in unseen or (picture.get(where) is None and where not in contested)
            },
        )

    def _likely(self, live: list[_Source]) -> Iterator[tuple[Place, Sighting]]:
        """Yield what places have likely shown for as long as it takes to settle."""
        for source in live:
            for where, one in source.likely.items():
                if one.count >= self.rules.needed(source.name):
                    yield where, one.sighting

    def _fusions(self, live: list[_Source]) -> Iterator[tuple[Place, Fusion]]:
        """Yield every place known to any source; those of a lost source are remembered."""
        sources = [(source, source in live) for source in self._sources.values()]
        for where in dict.fromkeys(where for source, _ in sources for where in source.tracks):
            claims = [source.claim(where, live=is_live) for source, is_live in sources]
            known = [claim for claim in claims if claim is not None]
            if known:
                yield where, fusion_of(known)

    def _is_contested(self, where: Place, fusion: Fusion) -> bool:
        """Whether the sources have disagreed for long enough, and each has looked often enough since.

        A slow camera needs time to see what sensors feel at once.
        """
        if fusion.agreement is Agreement.AGREED:
            self._contradicted.pop(where, None)
            return False
        if where not in self._contradicted:
            counts = {name: self._sources[name].count for name, _ in fusion.claims}
            self._contradicted[where] = _Contradiction(since_s=self._now_s, counts=counts)
        began = self._contradicted[where]
        have_looked = all(
            self._sources[name].count - count >= _LOOKS * self.rules.needed(name)
            for name, count in began.counts.items()
        )
        return have_looked and self._now_s - began.since_s > self.rules.contest_s

    def _given(self, found: Snapshot) -> Snapshot | None:
        """Return the snapshot if it differs from the last one in more than its time."""
        last = self._last
        if not found.picture and last is None:
            return None
        if last is not None and _shown(found) == _shown(last):
            return None
        self._last = found
        return found


def _shown(snapshot: Snapshot) -> tuple[object, ...]:
    """Return the parts of a snapshot that count as news."""
    likely = {where: one.value for where, one in snapshot.likely.items()}
    return snapshot.picture, snapshot.busy, snapshot.contested, snapshot.unseen, snapshot.doubted, likely


def added_up(glimpses: Iterable[Mapping[Place, Mapping[Value, int]]]) -> dict[Place, Counter[Value]]:
    """Return how often each place was glimpsed with each value, in all looks together."""
    total: dict[Place, Counter[Value]] = {}
    for glimpsed in glimpses:
        for where, values in glimpsed.items():
            total.setdefault(where, Counter()).update(values)
    return total
