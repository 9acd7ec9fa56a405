"""A simulated table: players who move pieces one at a time, and an eye that sees them through noise.

It ships with the product, for demos, tests and benchmarks of every game. The players
play an open game by its rules; the table shows only what the game predicts of its states, so hands and decks
stay hidden. Each action is split into single movements: figures and markers first; turning tiles over and
taking markers off may come late. On request the players are careless: they knock pieces over or break rules,
and put things right when they are asked to.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeAlias, TypeVar

from companion.decision import Ask, Decision, OutOfStep
from companion.game import Game, Json
from companion.table import Picture, Place, Value, kind_of

S = TypeVar("S")
A = TypeVar("A")

# Pictures that the table passes through between two states, as `Game.stages` gives them.
Stages: TypeAlias = Callable[[S, A, S], Iterable[Picture]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The table at one instant of the simulation.

    Attributes:
        picture: what is really there.
        busy: a hand is over it.
        hidden: the places under the hand.
        played: number of actions whose movements have begun.
        mischief: name of what is wrong on the table just now, None if all is well.
    """

    picture: Picture
    busy: bool
    hidden: frozenset[Place] = frozenset()
    played: int = 0
    mischief: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the players behave; each a probability from 0 to 1.

    Attributes:
        late: that flips and markers off are left until after the next action.
        pause: that the table rests between two actions of one turn, so that both can be seen.
        hurry: that the next player begins before the table has rested.
        careless: that something goes wrong before an action.
        clumsy: that what went wrong is first put back wrongly.
    """

    late: float = 0.2
    pause: float = 0.7
    hurry: float = 0.0
    careless: float = 0.0
    clumsy: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Mischief:
    """Something wrong on the table.

    Attributes:
        name: what it is called in a report.
        picture: the table with it.
        rule: id of the rule it breaks, None if any will do.
    """

    name: str
    picture: Picture
    rule: str | None = None


# Returns what can go wrong in this state on this table, None if nothing of the kind can.
MakeMischief: TypeAlias = Callable[[random.Random, S, Picture], Mischief | None]


@dataclass(slots=True)
class _Gone:
    """Stands for a place that is no longer there (the boxes of a tile that was flipped)."""


_GONE = _Gone()


@dataclass(frozen=True, slots=True)
class _Step:
    """One movement: what lies at the place afterwards."""

    place: Place
    value: Value | _Gone


class SimulatedTable(Generic[S, A]):
    """Players at a table, one game from the set-up to the end.

    Attributes:
        actions: what was really played so far.
        states: the true states, one more than actions.
        picture: what lies on the table now.
        unnoticed: how often something wrong was put right without anyone having asked for it.
        habitual: how often each habit came into play.
        mischiefs: everything that went wrong so far.
    """

    def __init__(
        self,
        game: Game[S, A],
        header: Json,
        rng: random.Random,
        habits: Habits | None = None,
        *,
        stages: Stages[S, A] | None = None,
        mischief: Sequence[MakeMischief[S]] = (),
    ) -> None:
        self.game = game
        self.habits = habits or Habits()
        self.actions: list[A] = []
        self.states: list[S] = [game.start(header)]
        self.picture: dict[Place, Value] = dict(game.predict(self.states[0]))
        self.unnoticed = 0
        self.habitual: Counter[str] = Counter()
        self.mischiefs: list[Mischief] = []
        self._rng = rng
        self._player = game.random_player(rng)
        self._is_solo = len(header.get("players", ())) == 1
        self._stages = stages or game.stages
        self._mischief = mischief or (knocked,)
        self._late: list[_Step] = []
        self._wrong: Mischief | None = None
        self._asked = False

    @property
    def result(self) -> Json | None:
        """Return the true result so far."""
        return self.game.result(self.states[-1])

    @property
    def is_wrong(self) -> bool:
        """Return whether something lies wrongly on the table just now."""
        return self._wrong is not None

    # -- playing ----------------------------------------------------------------------------------

    def moments(self) -> Iterator[Moment]:
        """Yield the table from the set-up to the end; moments without a hand are those of rest."""
        yield self._rest()
        while self.result is None:
            if self._rng.random() < self.habits.careless:
                yield from self._go_wrong()
            turn = self.game.turn_of(self.states[-1])
            yield from self._play()
            has_passed = self._is_solo or turn != self.game.turn_of(self.states[-1])
            if self._rng.random() < (1.0 - self.habits.hurry if has_passed else self.habits.pause):
                yield self._rest()
            else:
                self.habitual["turn seen with the next" if has_passed else "action seen with the next"] += 1
        yield from self._do(self._late)
        yield self._rest()

    def hear(self, decision: Decision[A]) -> None:
        """Let the players hear a verdict: when something is out of step they will put it right."""
        self._asked = self._asked or isinstance(decision, OutOfStep)

    def answer(
        self, asked: Ask[A], state: S, agrees: Callable[[S, S], bool], *, since: int = 0
    ) -> int | None:
        """Return the choice that leads from the referee's state to what was really played, None if none does.

        `agrees` compares a state of the referee's with a true one. Choices that lead to a later one come
        first, then those that name exactly what was played after the first `since` actions.
        """
        played = [list(filter(self.game.is_played, choice.actions)) for choice in asked.choices]
        likely = [(self._played_at(own, since), self._likeness(own, since)) for own in played]
        reached: dict[int, int] = {}
        for index, choice in enumerate(asked.choices):
            after = state
            for action in choice.actions:
                after = self.game.apply(after, action)[0]
            right = (at for at in reversed(range(len(self.states))) if agrees(after, self.states[at]))
            if choice.actions and (at := next(right, None)) is not None:
                reached[index] = at
        # Of choices that are as good the first is taken.
        return max(reached, key=lambda index: (reached[index], likely[index], -index), default=None)

    def _played_at(self, own: Sequence[A], since: int) -> int:
        """Return the number of the last of these actions in the game as played, 0 unless all are in order."""
        last, number = 0, len(self.actions)
        for action in reversed(own):
            while number > since and not _is_that(action, self.actions[number - 1]):
                number -= 1
            if number == since:
                return 0
            last, number = max(last, number), number - 1
        return last

    def _likeness(self, own: Sequence[A], since: int) -> int:
        """Return in how many parts the last of these actions is like any that was played since."""
        return max((_parts_alike(own[-1], true) for true in self.actions[since:]), default=0) if own else 0

    def _play(self) -> Iterator[Moment]:
        """Play one action and yield the movements that it takes."""
        before = self.states[-1]
        action = self.game.with_chance(before, self._player(before), self._rng)
        after, _ = self.game.apply(before, action)
        self.actions.append(action)
        self.states.append(after)
        expected = self.game.predict(before)
        for stage in (*self._stages(before, action, after), self.game.predict(after)):
            prompt, late = _movements(expected, stage, self.game.late_kinds, self._rng)
            touched = {step.place for step in prompt + late}
            if any(step.place in touched for step in self._late):
                yield from self._do(self._late)
            yield from self._do(prompt)
            if self._late:
                yield from self._do(self._late)
            self._late += late
            expected = stage
        if self._rng.random() >= self.habits.late:
            yield from self._do(self._late)
        self.habitual["late housekeeping"] += bool(self._late)

    def _do(self, steps: list[_Step]) -> Iterator[Moment]:
        """Yield every movement under a hand; the list is empty afterwards."""
        while steps:
            step = steps.pop(0)
            if isinstance(step.value, _Gone):
                self.picture.pop(step.place, None)
                continue
            lifted = self.picture.get(step.place) is not None and step.value is not None
            for value in (None, step.value) if lifted else (step.value,):
                self.picture[step.place] = value
                yield self._moment(busy=True, hidden=self._under_the_hand(step.place))

    def _under_the_hand(self, where: Place) -> frozenset[Place]:
        """Return the touched place and some others that the arm covers."""
        others = sorted(self.picture)
        return frozenset((where, *self._rng.sample(others, k=len(others) // 8)))

    def _rest(self) -> Moment:
        return self._moment(busy=False)

    def _moment(self, *, busy: bool, hidden: frozenset[Place] = frozenset()) -> Moment:
        wrong = None if self._wrong is None else self._wrong.name
        return Moment(
            picture=dict(self.picture), busy=busy, hidden=hidden, played=len(self.actions), mischief=wrong
        )

    # -- going wrong ------------------------------------------------------------------------------

    def _go_wrong(self) -> Iterator[Moment]:
        """Let something go wrong, wait to be asked, and put it right (or wrong again, then right)."""
        yield from self._do(self._late)
        yield self._rest()
        right = dict(self.picture)
        for attempt in range(2):
            wrong = self._rng.choice(self._mischief)(self._rng, self.states[-1], right)
            if wrong is None or wrong.picture == self.picture:
                break
            self.mischiefs.append(wrong)
            self._wrong, self._asked = wrong, False
            yield from self._lay(wrong.picture)
            yield self._rest()
            self.unnoticed += not self._asked
            if attempt or self._rng.random() >= self.habits.clumsy:
                break
        self._wrong = None
        yield from self._lay(right)
        yield self._rest()

    def _lay(self, wanted: Picture) -> Iterator[Moment]:
        """Move pieces until the table is as wanted, removals first."""
        lies = self.picture
        steps = [_Step(where, value) for where, value in wanted.items() if lies.get(where, _GONE) != value]
        gone = [_Step(where, _GONE) for where in self.picture if where not in wanted]
        yield from self._do([*gone, *sorted(steps, key=lambda step: step.value is not None)])


def _movements(
    before: Picture, after: Picture, late_kinds: Container[str], rng: random.Random
) -> tuple[list[_Step], list[_Step]]:
    """Return the movements between two pictures: those made at once, and those that may come late.

    Late may come what turns a tile over, and before it what must go off the tile; and what the game says.
    """
    changed = [where for where, value in after.items() if before.get(where, object()) != value]
    flips = {where for where in changed if _is_flip(where, before, after)}
    vanished = [where for where in before if where not in after]
    slow = {where for where in changed if kind_of(where) in late_kinds and after[where] is not None}
    prompt = [_Step(where, after[where]) for where in changed if where not in flips | slow]
    off: list[_Step] = [_Step(where, None) for where in vanished if before[where] is not None]
    off += [_Step(where, after[where]) for where in sorted(slow)]
    turned = [_Step(where, after[where]) for where in sorted(flips)]
    rng.shuffle(prompt)
    rng.shuffle(off)
    return prompt, off + turned + [_Step(where, _GONE) for where in vanished]


def _is_flip(where: Place, before: Picture, after: Picture) -> bool:
    """Say whether a tile is turned over, or another one laid in its place."""
    return kind_of(where) == "cell" and bool(before.get(where)) and bool(after[where])


def knocked(rng: random.Random, state: object, picture: Picture) -> Mischief | None:
    """A piece is knocked from its place to an empty one of the same kind."""
    del state
    full = sorted(where for where, value in picture.items() if value is not None)
    rng.shuffle(full)
    for where in full:
        free = [to for to in sorted(picture) if picture[to] is None and kind_of(to) == kind_of(where)]
        if free:
            to = rng.choice(free)
            return Mischief(name="knocked", picture={**picture, where: None, to: picture[where]})
    return None


def _is_that(action: Any, true: Any) -> bool:
    """Whether an action is one that was really played, as far as it is known: None is not."""
    if type(action) is not type(true):
        return False
    known = ((each.name, getattr(action, each.name)) for each in fields(action))
    return all(value is None or value == getattr(true, name) for name, value in known)


def _parts_alike(action: Any, true: Any) -> int:
    if type(action) is not type(true):
        return 0
    return sum(getattr(action, each.name) == getattr(true, each.name) for each in fields(action))
