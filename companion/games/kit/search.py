"""One search for all games: legal runs of actions, level by level, towards the table that is seen.

A game explains a snapshot by a `Search` of its own, made for one state and one snapshot. It says what differs
(`differences`), how a run may go on (`longer`), in what two ends of runs differ that matters (`essence`), and
what the table means that no run explains (`unexplained`); all else may be said as well, or stay as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from companion.decision import Accepted, Ask, Choice, Decision, Fix, InStep, Waiting
from companion.errors import RuleViolation
from companion.games.kit.evidence import believed, removals_first
from companion.i18n import Message, join, msg
from companion.observation import Query

S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D", bound=Sized)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[S, A, D]):
    """Some legal actions and where they lead.

    Attributes:
        actions: in order; none in the run with which a search begins.
        states: the state before, and after each action.
        wrong: what the table shows differently from the last state predicts; empty if it agrees.
        is_open: part of it could not be seen: of several possible runs it is the one that was taken.
        steps: number of steps that it was made of, which is the level of the search that it is on.
    """

    actions: tuple[A, ...]
    states: tuple[S, ...]
    wrong: D
    is_open: bool = False
    steps: int = 0

    @property
    def start(self) -> S:
        """Return the state before it."""
        return self.states[0]

    @property
    def state(self) -> S:
        """Return the state that it leads to."""
        return self.states[-1]

    @property
    def pairs(self) -> Iterator[tuple[S, A]]:
        """Yield each action with the state before it."""
        return zip(self.states, self.actions, strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal(Generic[A]):
    """A likely step that a rule refused.

    Attributes:
        depth: number of actions before it.
        actions: those of the step; one of them was refused.
    """

    error: RuleViolation
    depth: int
    actions: tuple[A, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is tried for one snapshot.

    Attributes:
        levels: steps of a run; most steps are one action.
        runs: runs looked at.
        widest: so many runs of a level are followed, those nearest to the table first; None = all, as found.
        keeps_last: where there are too many runs, those of the last level that were found are looked at too.
            Without, a run is never believed only because the one that contradicts it was not tried any more.
        choices: answers offered to a question.
    """

    levels: int = 8
    runs: int = 120
    widest: int | None = None
    keeps_last: bool = False
    choices: int = 6


class Search(ABC, Generic[S, A, D]):
    """One snapshot that is explained from one state; used once.

    Attributes:
        limits: how much is tried.
        state: the state.
        seen: the snapshot.
        picture: what it is worth as evidence: the places that are absent were not seen, or are contested.
        looked_at: all runs that were looked at so far, in order.
        whole: the runs that explain the table, found so far.
        partial: the runs that would, but for what is still to be done by hand.
        refusals: what the rules did not let pass.
    """

    limits = Limits()

    def __init__(
        self,
        state: S,
        seen: Query,
        apply: Callable[[S, A], tuple[S, object]],
        describe: Callable[[S, A], str],
    ) -> None:
        self.state = state
        self.seen = seen
        self.picture = believed(seen)
        self.looked_at: list[Run[S, A, D]] = []
        self.whole: list[Run[S, A, D]] = []
        self.partial: list[Run[S, A, D]] = []
        self.refusals: list[Refusal[A]] = []
        self._apply = apply
        self._describe = describe

    @cached_property
    def start(self) -> Run[S, A, D]:
        """Return the run without an action."""
        return Run(actions=(), states=(self.state,), wrong=self.differences(self.state))

    # -- what each game says for itself -------------------------------------------------------------

    @abstractmethod
    def differences(self, state: S) -> D:
        """Return what the table shows differently from the state predicts."""

    @abstractmethod
    def longer(self, run: Run[S, A, D]) -> Iterator[Run[S, A, D]]:
        """Yield the run with each step that the table does not rule out, likely ones first (see `played`)."""

    @abstractmethod
    def essence(self, state: S) -> Hashable:
        """Return what matters of a state for the rest of the game: runs that agree in it need no question."""

    @abstractmethod
    def unexplained(self) -> Decision[A]:
        """Say what the table means that no run explains: what is awaited, or which rule was broken."""

    def is_partial(self, run: Run[S, A, D]) -> bool:
        """Say whether a run explains the table but for what is still to be done by hand."""
        del run
        return False

    def sort(self, level: Sequence[Run[S, A, D]]) -> None:
        """Put the runs of a level with the whole ones and the partial ones, if they are."""
        self.whole += [run for run in level if run.actions and not run.wrong]
        self.partial += [run for run in level if run.wrong and self.is_partial(run)]

    def is_enough(self) -> bool:
        """Say whether longer runs need not be looked at; where they may be as likely, they must."""
        return bool(self.whole)

    def leads_on(self, run: Run[S, A, D]) -> bool:
        """Say whether runs that go on like this one are worth looking at."""
        del run
        return True

    def is_possible(self, before: Run[S, A, D], run: Run[S, A, D]) -> bool:
        """Say whether a run may be what happened after another, though it is legal."""
        del before, run
        return True

    def key(self, state: S) -> Hashable | None:
        """Return what two states have in common between which the search makes no difference; None = none."""
        del state
        return None

    def agreed(self) -> Decision[A]:
        """Return the verdict where nothing differs; what is late is waited for."""
        late = self.late(self.start)
        return to_do(late) if late else InStep()

    def chosen(self) -> Decision[A]:
        """Return the verdict on the whole runs: accept one, or ask where they differ in what matters."""
        runs = different(self.whole, self.essence)
        if len(runs) == 1:
            return self.accepted(runs[0])
        if len(runs) > self.limits.choices:
            return too_little()
        return self.ask(msg("What happened?"), runs)

    def late(self, run: Run[S, A, D]) -> tuple[Fix, ...]:
        """Return what may still be done by hand though the run is over, and is no difference."""
        del run
        return ()

    # -- the search ---------------------------------------------------------------------------------

    def decision(self) -> Decision[A]:
        """Say what the snapshot means."""
        if not self.start.wrong:
            return self.agreed()
        if self.seen.busy:
            return Waiting(text=msg("A hand is over the table."), pending=self.late(self.start))
        self.run()
        return self.chosen() if self.whole else self.unexplained()

    def run(self) -> None:
        """Look at the runs level by level until enough are found."""
        for level in self.levels():
            self.looked_at += level
            self.sort(level)
            if self.is_enough():
                return

    def levels(self) -> Iterator[list[Run[S, A, D]]]:
        """Yield the runs step by step, the one without an action first."""
        level, met, tried = [self.start], set[Hashable](), 0
        for _ in range(self.limits.levels):
            yield level
            following: list[Run[S, A, D]] = []
            for run in self._new(level, met):
                if tried == self.limits.runs:
                    if self.limits.keeps_last:
                        yield following
                    return
                tried += 1
                following.append(run)
            if not following:
                return
            level = following
        yield level

    def _new(self, level: list[Run[S, A, D]], met: set[Hashable]) -> Iterator[Run[S, A, D]]:
        """Yield the runs that go on from those of a level; of those with one key the first."""
        if self.limits.widest is not None:
            level = sorted(level, key=lambda run: len(run.wrong))[: self.limits.widest]
        for run in filter(self.leads_on, level):
            for longer in self.longer(run):
                key = self.key(longer.state)
                if key is None or key not in met:
                    met.add(key)
                    yield longer

    def played(
        self, run: Run[S, A, D], actions: Iterable[A], *, is_open: bool = False
    ) -> Iterator[Run[S, A, D]]:
        """Yield the run with these actions after it, nothing where a rule refuses them."""
        actions = tuple(actions)
        try:
            longer = self.play(run, actions, is_open=is_open)
        except RuleViolation as error:
            self.refusals.append(Refusal(error=error, depth=len(run.actions), actions=actions))
            return
        if self.is_possible(run, longer):
            yield longer

    def play(self, run: Run[S, A, D], actions: Iterable[A], *, is_open: bool = False) -> Run[S, A, D]:
        """Return the run with these actions after it; raises RuleViolation if they are not legal."""
        actions, states = tuple(actions), list(run.states)
        for action in actions:
            states.append(self._apply(states[-1], action)[0])
        return self.led(run, actions, tuple(states), is_open=is_open)

    def led(
        self, run: Run[S, A, D], actions: tuple[A, ...], states: tuple[S, ...], *, is_open: bool = False
    ) -> Run[S, A, D]:
        """Return the run with more actions, which led through these states from its first one."""
        return Run(
            actions=(*run.actions, *actions),
            states=states,
            wrong=self.differences(states[-1]),
            is_open=run.is_open or is_open,
            steps=run.steps + 1,
        )

    # -- words --------------------------------------------------------------------------------------

    def told(self, run: Run[S, A, D]) -> Message:
        """Return a run in words."""
        return msg("{actions}.", actions=join("; ", [self._describe(*each) for each in run.pairs]))

    def choice(self, run: Run[S, A, D]) -> Choice[A]:
        """Return a run as the answer to a question."""
        return Choice(actions=run.actions, text=self.told(run))

    def accepted(self, run: Run[S, A, D], *, assumed: int = 0) -> Accepted[A]:
        """Return the verdict that a run was played, with what is late after it."""
        late = self.late(run)
        return Accepted(actions=run.actions, text=self.told(run), pending=late, assumed=assumed)

    def ask(self, text: str, runs: Iterable[Run[S, A, D]], other: str = "") -> Ask[A]:
        """Return the question which of these runs was played, or what else, after which nothing is."""
        rest: list[Choice[A]] = [Choice(actions=(), text=other)] if other else []
        return Ask(text=text, choices=(*map(self.choice, runs), *rest))


def different(runs: Iterable[Run[S, A, D]], essence: Callable[[S], Hashable]) -> list[Run[S, A, D]]:
    """Return the runs, of those that lead to the same only the first."""
    found: dict[Hashable, Run[S, A, D]] = {}
    for run in runs:
        found.setdefault(essence(run.state), run)
    return list(found.values())


def to_do(fixes: Iterable[Fix], *before: str) -> Waiting:
    """Return the verdict that this is still to be done by hand, after some words; removals first."""
    pending = removals_first(fixes)
    return Waiting(text=join(" ", [*before, *(fix.text for fix in pending)]), pending=pending)


def too_little() -> Waiting:
    """Return the verdict where too many runs explain what is seen."""
    return Waiting(text=msg("Not enough of the table can be seen to tell what happened."))
