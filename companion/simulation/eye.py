"""A simulated eye over a simulated table: observations with everything that can go wrong in seeing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from companion.loose_pieces import LoosePiece
from companion.observation import Observation, Sighting, Snapshot
from companion.simulation.loose_pieces import LooseTable
from companion.simulation.table import Moment
from companion.table import Picture, Place, Value, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How badly the eye sees.

    Attributes:
        dropped: probability that a place is not read in a frame.
        false: probability that a wrong reading of a place begins in a frame.
        agree: wrong readings of a place last for fewer frames than this.
        sure: range of the confidence of a reading.
        rest_frames: how long a table at rest is looked at, frames.
        hand_frames: how long each movement takes, frames.
        fps: frames a second.
    """

    dropped: float = 0.05
    false: float = 0.0005
    agree: int = 3
    sure: tuple[float, float] = (0.95, 0.999)
    rest_frames: tuple[int, int] = (10, 16)
    hand_frames: tuple[int, int] = (1, 3)
    fps: float = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What all frames of one moment have in common.

    Attributes:
        looked_at: the places that are looked at themselves, with what is really there.
        pieces: the pieces of free areas, by the place that each stands for.
        areas: the free areas that no hand is over, sorted.
    """

    looked_at: tuple[tuple[Place, Value], ...]
    pieces: tuple[tuple[Place, LoosePiece], ...] = ()
    areas: tuple[str, ...] = ()


class NoisyEye:
    """Turns the moments of a table into what a source would see of it.

    Pieces of one group (`Game.group_of`) are seen in the order in which they were put down.
    With a loose table, pieces in free areas are seen where they lie, in millimetres.

    Attributes:
        counts: how often each kind of noise came into play.
    """

    def __init__(
        self,
        rng: random.Random,
        noise: Noise | None = None,
        *,
        name: str = "simulation",
        group_of: Callable[[Place], str | None] | None = None,
        loose: LooseTable | None = None,
    ) -> None:
        self.name = name
        self.counts: Counter[str] = Counter()
        self._group_of = group_of
        self._loose = loose
        self._lying: dict[str, tuple[tuple[Place, ...], list[Value]]] = {}
        self.noise = noise or Noise()
        self._rng = rng
        self._seq = 0
        self._false: dict[Place, tuple[Value, int]] = {}
        self._known: dict[str, set[Value]] = {}
        self._remembered: dict[Place, Value] = {}

    def look(self, moment: Moment) -> Iterator[Observation]:
        """Yield the frames of one moment."""
        for where, value in moment.picture.items():
            self._known.setdefault(kind_of(where), {None}).add(value)
        frames = self.noise.hand_frames if moment.busy else self.noise.rest_frames
        scene = self._scene(moment)
        for _ in range(self._rng.randint(*frames)):
            yield self._frame(moment, scene)

    def settled(self, moment: Moment) -> Snapshot:
        """Return the moment as it would settle: places that are not seen are remembered, if ever seen."""
        self._seq += 1
        lying = self._arranged(moment.picture)
        seen = {where: value for where, value in lying.items() if self._is_seen(where, moment)}
        self._remembered.update(seen)
        return Snapshot(
            picture=dict(self._remembered),
            seen_at_s=self._seq / self.noise.fps,
            busy=moment.busy,
            unseen=frozenset(self._remembered.keys() - seen.keys()),
        )

    def _is_seen(self, where: Place, moment: Moment) -> bool:
        if where in moment.hidden:
            return False
        if self._rng.random() >= self.noise.dropped:
            return True
        self.counts["places dropped"] += 1
        return False

    def _arranged(self, picture: Picture) -> Picture:
        """Return the table with the pieces of each group where they lie, laid again if it changed."""
        if self._group_of is None:
            return picture
        groups: dict[str, list[Place]] = {}
        for where, value in picture.items():
            group = self._group_of(where) if value is not None else None
            if group is not None:
                groups.setdefault(group, []).append(where)
        arranged = dict(picture)
        for group, places in groups.items():
            if len(places) > 1:
                arranged.update(zip(places, self._order(group, places, picture), strict=True))
        return arranged

    def _order(self, group: str, places: list[Place], picture: Picture) -> list[Value]:
        values = [picture[where] for where in places]
        known = self._lying.get(group)
        if known is None or known[0] != tuple(places) or Counter(known[1]) != Counter(values):
            self._rng.shuffle(values)
            self._lying[group] = known = (tuple(places), values)
            self.counts["groups laid in another order"] += 1
        return known[1]

    def _scene(self, moment: Moment) -> _Scene:
        """Return what is where in this moment, laid by hand: pieces of free areas, groups in some order."""
        arranged = self._arranged(moment.picture)
        table = self._loose
        if table is None:
            return _Scene(looked_at=tuple(arranged.items()))
        table.lay(arranged)
        covered = {table.area_of(where) for where in moment.hidden}
        return _Scene(
            looked_at=tuple(each for each in arranged.items() if table.area_of(each[0]) is None),
            pieces=tuple(table.pieces().items()),
            areas=tuple(sorted(table.areas() - covered)),
        )

    def _frame(self, moment: Moment, scene: _Scene) -> Observation:
        self._seq += 1
        areas = self._areas(moment, scene)
        sightings = {
            where: Sighting(
                place=where, value=self._read(where, value), confidence=self._rng.uniform(*self.noise.sure)
            )
            for where, value in scene.looked_at
            if self._is_seen(where, moment)
        }
        return Observation(
            source=self.name,
            seq=self._seq,
            seen_at_s=self._seq / self.noise.fps,
            sightings=sightings,
            busy=moment.busy,
            hidden=moment.hidden,
            areas=areas,
        )

    def _areas(self, moment: Moment, scene: _Scene) -> dict[str, tuple[LoosePiece, ...]]:
        """Return the free areas that are seen in one frame, with their pieces: some of them not read."""
        if self._loose is None:
            return {}
        seen = [area for area in scene.areas if self._rng.random() >= self.noise.dropped]
        found: dict[str, list[LoosePiece]] = {area: [] for area in seen}
        for where, lying in scene.pieces:
            if lying.area in found:
                found[lying.area].append(self._measured(where, lying, moment, self._loose))
        return {area: tuple(pieces) for area, pieces in found.items()}

    def _measured(self, where: Place, lying: LoosePiece, moment: Moment, table: LooseTable) -> LoosePiece:
        face = self._read(where, lying.face) if self._is_seen(where, moment) else None
        return table.measured(lying, face=face, confidence=self._rng.uniform(*self.noise.sure))

    def _read(self, where: Place, truth: Value) -> Value:
        """Return the reading of a place: mostly the truth, now and then something else for a few frames."""
        if where in self._false:
            value, left = self._false.pop(where)
            if left:  # the reading after the last wrong one is right, so that two cannot join
                self._false[where] = (value, left - 1)
                return value
            return truth
        if self.noise.agree == 1 or self._rng.random() >= self.noise.false:
            return truth
        others = self._known[kind_of(where)] - {truth}
        if others:
            value = self._rng.choice(sorted(others, key=str))
            self.counts["false sightings"] += 1
            self._false[where] = (value, self._rng.randrange(self.noise.agree - 1))
            return value
        return truth


class SimulatedSource:
    """A source of observations that needs no device: a table, and an eye over it."""

    def __init__(self, moments: Iterable[Moment], eye: NoisyEye) -> None:
        self._moments = iter(moments)
        self._eye = eye
        self._is_open = True

    @property
    def name(self) -> str:
        """Return the name that players recognise."""
        return self._eye.name

    def observations(self) -> Iterator[Observation]:
        """Yield the frames of the whole game; a second call goes on where the first was left."""
        for moment in self._moments:
            for observation in self._eye.look(moment):
                if not self._is_open:
                    return
                yield observation

    def close(self) -> None:
        """Stop after the current frame."""
        self._is_open = False
