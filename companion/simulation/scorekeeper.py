"""Compares what a referee accepts with what was really played on a simulated table."""

from __future__ import annotations

from typing import Generic, TypeVar

from companion import log
from companion.decision import Ask, Decision, OutOfStep
from companion.errors import MalformedError, RuleViolation
from companion.game import Game, Json
from companion.games.kit.evidence import believed
from companion.reconcile.table_history import laid_like
from companion.record.game_record import same
from companion.session.referee import Referee
from companion.session.update import Update
from companion.simulation.table import SimulatedTable
from companion.table import Picture, Place

S = TypeVar("S")
A = TypeVar("A")


class Scorekeeper(Generic[S, A]):
    """Compares what a referee accepts with what was really played at a simulated table.

    A commit is right when the state after it is one that the true game has passed through since the commit
    before it. What the referee cannot know (None in its checkpoint) agrees with everything.

    Attributes:
        wrong: number of wrong commits.
        misattributed: number of commits that are right in all that lies on the table, but leave the turn with
            another player than the one who has it.
        misreckoned: number of commits that are right in all that lies on the table, but not in what is
            reckoned from it (the cards in closed hands after a turn in which nothing else was seen, say).
        reached: number of the true action that the referee has caught up with.
        entered: how often the players had to tell what they had played, because no offered answer was right
            or because they were blamed for what the table cannot show.
        agreed_to: how often they took what a complaint offers: that a turn left no trace, say.
        overruled: how often they had to say that what they were blamed for was misread.
    """

    def __init__(self, table: SimulatedTable[S, A], referee: Referee[S, A]) -> None:
        self.wrong = 0
        self.misattributed = 0
        self.misreckoned = 0
        self.reached = 0
        self.entered = 0
        self.agreed_to = 0
        self.overruled = 0
        self._agreed = [(0, 0)]  # numbers of the referee's actions and of the true ones where both agreed
        self._table = table
        self._referee = referee
        referee.subscribe(self._hear)

    def agrees(self, state: S, true: S) -> bool:
        """Whether a state of the referee's is a true one, as far as the referee can know it.

        What lies on a place that no game predicts (the top of a pile) is known from sight.
        """
        return self._agrees(state, true, frozenset())

    def _agrees(self, state: S, true: S, besides: frozenset[str]) -> bool:
        seen = self._referee.snapshot
        return agrees(self._referee.game, state, true, None if seen is None else believed(seen), besides)

    def _agrees_wholly(self, state: S, true: S) -> bool:
        game = self._referee.game
        return game.turn_of(state) == game.turn_of(true) and self.agrees(state, true)

    def answer(self, asked: Ask[A]) -> int | None:
        """Answer a question as the players would; where no answer is right, they say what was played."""
        if any(choice.result is not None for choice in asked.choices):
            return self._ending(asked)
        state = self._referee.state
        choice = self._table.answer(asked, state, self._agrees_wholly, since=self.reached)
        if choice is None:
            choice = self._table.answer(asked, state, self.agrees, since=self.reached)
        if choice is None:
            self._tell()
        return choice

    def protest(self, blamed: Decision[A]) -> None:
        """Tell the referee what he misread or what was played, when he cannot decide and nothing is wrong.

        What he blames although it lies as he expects was misread; the rest he then judges again.
        """
        if not self._table.is_wrong and (misread := self._misread(blamed)):
            self._referee.accept_as_is(*misread)
            self.overruled += 1
            if self._is_settled(blamed):
                return
        elif not self._table.is_wrong and (offered := self._true_offer(blamed)) is not None:
            self._referee.choose(offered)
            self.agreed_to += 1
            if self._is_settled(blamed):
                return
        if not self._table.is_wrong and self.missed:
            log.reconcile.info("protested decision=%s", type(blamed).__name__)
            self._tell()
        true = self._table.result
        if true is not None and not self.missed and self._referee.game.admits(self._referee.state, true):
            self._referee.settle(true)

    def _is_settled(self, blamed: Decision[A]) -> bool:
        """Whether the referee complains no more; if he asks something else he is answered."""
        asked = self._referee.decision
        if asked == blamed or isinstance(asked, OutOfStep):
            return False
        if isinstance(asked, Ask) and (choice := self.answer(asked)) is not None:
            self._referee.choose(choice)
        return True

    def _true_offer(self, blamed: Decision[A]) -> int | None:
        """Return which offer of a complaint comes to what was played, None if none does."""
        offers = blamed.offers if isinstance(blamed, OutOfStep) else ()
        asked = Ask(text="", choices=offers)
        return self._table.answer(asked, self._referee.state, self._agrees_wholly, since=self.reached)

    def _misread(self, blamed: Decision[A]) -> list[Place]:
        """Return the places that the referee wants put right although they show what he expects."""
        fixes = blamed.fixes if isinstance(blamed, OutOfStep) else ()
        expected, lies = self._referee.expectation.picture, self._table.picture
        places = [fix.place for fix in fixes]
        return [at for at in places if at in expected and at in lies and lies[at] == expected[at]]

    def _ending(self, asked: Ask[A]) -> int | None:
        """Answer whether and how the game has ended, by the true state that the referee has come to."""
        true = self._referee.game.result(self._table.states[self.reached])
        said = [None if choice.result is None else dict(choice.result) for choice in asked.choices]
        return said.index(true) if true in said else None

    def _tell(self) -> None:
        """Enter what was missed; whatever else the referee has wrong is corrected."""
        try:
            self._referee.enter(*self._told(self._referee.state, self.reached))
        except RuleViolation as error:
            if not self._mend():
                log.reconcile.warning("told in vain rule=%s", error.rule)
                return
        self.entered += 1

    def _mend(self) -> bool:
        """Replace all that was accepted since the last moment from which on the truth fits, if any does."""
        referee = self._referee
        for number, reached in reversed(self._agreed):
            try:
                played = self._told(referee.line.state_after(number), reached)
                referee.correct(number + 1, played, count=referee.number - number)
            except RuleViolation:
                continue
            return True
        return False

    def _told(self, state: S, since: int) -> list[A]:
        """Return what was played since, as players enter it; raises RuleViolation if it does not fit."""
        game, told = self._referee.game, list[A]()
        true = zip(self._table.states[since:], self._table.actions[since:], strict=False)
        for before, action in true:
            for each in game.told(state, before, action):
                state, _ = game.apply(state, each)
                told.append(each)
        return told

    @property
    def true_winners(self) -> list[str] | None:
        """Return who has won the game that was really played, None while it runs."""
        result = self._table.result
        return None if result is None else list(result["winners"])

    @property
    def missed(self) -> int:
        """Return how many of the true actions the referee has not caught up with."""
        return len(self._table.actions) - self.reached

    def _unlikeness(self, state: S, true: S) -> int:
        """Return at how many places the tables of two states differ."""
        game = self._referee.game
        truth = game.predict(true)
        laid = laid_like(game.predict(state), truth, game.group_of)
        return sum(laid.get(where) != truth.get(where) for where in laid.keys() | truth.keys())

    def _hear(self, update: Update[A]) -> None:
        self._table.hear(update.decision)
        if not update.new_actions and not update.taken_back:
            return
        kept = self._referee.number - len(update.new_actions)
        self._agreed = [each for each in self._agreed if each[0] <= kept]
        state, game = self._referee.state, self._referee.game
        agreeing = self._agreeing(frozenset())
        if not agreeing and game.reckoned:
            agreeing = self._agreeing(game.reckoned)
            self.misreckoned += bool(agreeing)
        turn = game.turn_of(state)
        if agreeing:
            self.reached = min(agreeing, key=lambda at: self._unlikeness(state, self._table.states[at]))
            self._agreed.append((self._referee.number, self.reached))
            whose = [at for at in agreeing if game.turn_of(self._table.states[at]) in (turn, None)]
            self.misattributed += not whose
        elif update.new_actions:
            self.wrong += 1
            log.reconcile.warning("wrong commit actions=%s", update.new_actions)

    def _agreeing(self, besides: frozenset[str]) -> list[int]:
        """Return the numbers of the true states not yet left behind that the referee's may be."""
        known = range(self.reached, len(self._table.states))
        return [at for at in known if self._agrees(self._referee.state, self._table.states[at], besides)]


def agrees(
    game: Game[S, A], state: S, true: S, seen: Picture | None = None, besides: frozenset[str] = frozenset()
) -> bool:
    """Whether a state is a true one, as far as it is known; the game says what is the same to it.

    What is `seen` overrides what the state predicts. The checkpoint's keys in `besides` do not count.
    """
    claimed, actual = game.checkpoint(state), game.checkpoint(true)
    claimed = {key: value for key, value in claimed.items() if key not in besides}
    truth = game.predict(true)
    known = {where: (seen or {}).get(where, value) for where, value in game.predict(state).items()}
    picture = laid_like(known, truth, game.group_of)
    if all(where in truth and truth[where] == value for where, value in picture.items()):
        claimed.pop("table", None)
    return all(
        _covers(value, actual.get(key)) or _checks(game, true, {key: value}) for key, value in claimed.items()
    )


def _checks(game: Game[S, A], state: S, claimed: Json) -> bool:
    try:
        game.check(state, claimed)
    except MalformedError:
        return False
    return True


def _covers(claimed: object, actual: object) -> bool:
    """Whether a checkpoint's value agrees with the true one; None is not known."""
    if isinstance(claimed, dict) and isinstance(actual, dict):
        return all(key in actual and _covers(value, actual[key]) for key, value in claimed.items())
    return claimed is None or same(claimed, actual)
