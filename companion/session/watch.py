"""Watching without a window: a source and a referee, until the game is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from companion import log
from companion.decision import Ask, Decision, OutOfStep, Waiting
from companion.errors import DeviceError, DeviceFault, JournalError, MalformedError, RuleViolation
from companion.game import Game, Json
from companion.games.kit.evidence import believed
from companion.ports import ObservationSource
from companion.prompts import PromptKind
from companion.reconcile.table_history import laid_like
from companion.record.game_record import same
from companion.session.journal import Journal, Kept
from companion.session.ledger import Ledger, Line
from companion.session.referee import Referee
from companion.session.update import Update
from companion.simulation.table import SimulatedTable
from companion.storage.files import ensure_writable, written_whole
from companion.table import Picture

S = TypeVar("S")
A = TypeVar("A")

Progress: TypeAlias = Callable[[Update[A]], None]
Answer: TypeAlias = Callable[[Ask[A]], int | None]
Protest: TypeAlias = Callable[[Decision[A]], None]

# A device that fails this often without a single observation in between is given up.
_TRIES = 5
# Faults of a device that is there: it may yet be well by itself.
_PASSING = frozenset({DeviceFault.STALLED, DeviceFault.UNREADABLE, DeviceFault.TOO_DARK})


@dataclass(slots=True, kw_only=True)
class Summary:
    """What came of watching.

    Attributes:
        game: the game's name.
        result: the record's result, None while the game is unfinished.
        turns: turns begun so far.
        actions: accepted actions.
        questions, violations: how many were asked and named while watching.
        presumed: questions that nobody answered and the table outlived.
        taken_back: actions that were taken back or corrected while watching.
        observations: frames and scans that were taken in.
        interrupted: watching was stopped before the end of the game and of the source.
        record, journal: the files, None where there is none.
    """

    game: str
    result: Json | None = None
    turns: int = 0
    actions: int = 0
    questions: int = 0
    violations: int = 0
    taken_back: int = 0
    presumed: int = 0
    observations: int = 0
    interrupted: bool = False
    record: str | None = None
    journal: str | None = None

    def to_json(self) -> Json:
        """Return the summary as a JSON object."""
        return asdict(self)


def open_journal(path: Path, header: Json, game: Game[Any, Any]) -> Journal:
    """Begin a journal, or go on with the one that is there.

    Raises MalformedError for a header that the game refuses, JournalError for a journal of another game or
    one that does not fit it; then no file was made or changed.
    """
    game.start(header)
    if not path.exists():
        return Journal.create(path, header)

    def check(kept: Kept) -> None:
        if not same(kept.header, header):
            raise JournalError(f"{path} is the journal of another game; give another name, or no set-up")
        Ledger.read(game, kept)

    return Journal.open(path, check=check)


def watch(
    source: ObservationSource,
    referee: Referee[S, A],
    *,
    progress: Progress[A] | None = None,
    answer: Answer[A] | None = None,
    record: Path | None = None,
    presume: bool = False,
    protest: Protest[A] | None = None,
) -> Summary:
    """Watch until the game is over, the source at its end, or Ctrl-C; return what came of it.

    `answer` is asked every question; it returns the number of a choice (0 = the first), or None. Where nobody
    is there to answer, `presume` has a question that the table has outlived answered by its likeliest choice
    (the first); while a later table still decides it by itself it stays open. `protest` hears of everything
    that is out of step, and of what stands when the source ends before the game, and may tell the referee
    what was played where the table could not. The record is written at the end, also after Ctrl-C or when
    watching fails, whole or not at all. Raises OSError at once where it cannot be written, DeviceError where
    the source is not there to begin with, or fails again and again, JournalError where the journal cannot be
    written; what was accepted is safe then, too.
    """
    if record is not None:
        ensure_writable(record)
    summary = Summary(game=referee.game.name, journal=str(referee.journal.path))
    unsubscribe = referee.subscribe(lambda update: _count(summary, update))
    if progress is not None:
        progress_ends = referee.subscribe(progress)
    try:
        if referee.result is None:
            _follow(source, referee, answer, protest, summary, presume=presume)
    except KeyboardInterrupt:
        summary.interrupted = True
    except BaseException:
        _finish_anyway(summary, referee, record)
        raise
    finally:
        unsubscribe()
        if progress is not None:
            progress_ends()
        source.close()
    _finish(summary, referee, record)
    return summary


def _follow(
    source: ObservationSource,
    referee: Referee[S, A],
    answer: Answer[A] | None,
    protest: Protest[A] | None,
    summary: Summary,
    *,
    presume: bool,
) -> None:
    """Feed the referee; a source that fails is tried again."""
    failures = 0
    while True:
        try:
            for observation in source.observations():
                failures = 0
                summary.observations += 1
                asked = referee.decision
                if referee.feed(observation) is not None:
                    _answer(referee, answer)
                    if protest is not None and isinstance(referee.decision, OutOfStep):
                        protest(referee.decision)
                    if presume:
                        summary.presumed += _presume(referee, asked)
                if referee.result is not None:
                    return
            if protest is not None:
                protest(referee.decision)
            return
        except DeviceError as error:
            failures += 1
            log.reconcile.warning("source failed name=%s fault=%s text=%s", source.name, error.fault, error)
            # What was never there is not waited for; what went away may come back.
            if failures >= _TRIES or not (summary.observations or error.fault in _PASSING):
                raise


def _answer(referee: Referee[S, A], answer: Answer[A] | None) -> None:
    """Have the standing question answered, and those that the answer leads to."""
    while answer is not None and isinstance(referee.decision, Ask):
        asked = referee.decision
        choice = answer(asked)
        if choice is not None:
            referee.choose(choice)
        if referee.decision == asked:
            return


def _presume(referee: Referee[S, A], before: Decision[A]) -> int:
    """Let the referee presume what a table shows that has outlived his verdict; return how often, 0 or 1.

    A table that explains itself, or under a hand, leaves nothing to presume, and one that could not be
    explained at first sight may still explain itself.
    """
    now, seen = referee.decision, referee.snapshot
    outlived = isinstance(before, OutOfStep | Ask | Waiting) and now != before
    if seen is None or seen.busy or not outlived or not isinstance(now, OutOfStep | Ask | Waiting):
        return 0
    update = referee.presume()
    if update is None:
        return 0
    log.reconcile.warning("presumed actions=%s", update.new_actions)
    return 1


def _count(summary: Summary, update: Update[Any]) -> None:
    summary.violations += sum(prompt.kind is PromptKind.VIOLATION for prompt in update.opened)
    summary.taken_back += len(update.taken_back)


def _finish_anyway(summary: Summary, referee: Referee[S, A], record: Path | None) -> None:
    """Write the record when watching has failed; why it failed is what people have to hear."""
    try:
        _finish(summary, referee, record)
    except OSError as error:
        log.engine.warning("record written=no reason=%s", error)


def _finish(summary: Summary, referee: Referee[S, A], record: Path | None) -> None:
    summary.result = referee.result
    summary.turns = turns_of(referee)
    summary.actions = referee.number
    summary.questions = referee.questions
    if record is not None:
        save_record(referee, record)
        summary.record = str(record)


def save_record(referee: Referee[S, A], file: Path) -> None:
    """Write the game's record with checkpoints, whole or not at all."""
    with written_whole(file) as part, part.open("w", encoding="utf-8") as stream:
        referee.export(stream, checkpoints=True)


def turns_of(referee: Referee[S, A]) -> int:
    """Return how many turns have begun; where one plays alone, every action is a turn."""
    return turns_in(referee.game, referee.line)


def turns_in(game: Game[S, A], line: Line[S, A]) -> int:
    """Return how many turns of a game have begun; where one plays alone, every action is a turn."""
    acting = [game.turn_of(line.start), *(played.turn for played in line.played)]
    if len({player for player in acting if player is not None}) < 2:
        return sum(map(game.is_played, line.actions))
    return 1 + sum(now not in (then, None) for then, now in pairwise(acting))


# -- the truth, where it is known -----------------------------------------------------------------------


class Scorekeeper(Generic[S, A]):
    """Compares what a referee accepts with what was truly played at a simulated table.

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
            or because they were blamed for what the table cannot show (a turn in which nothing moved, say).
    """

    def __init__(self, table: SimulatedTable[S, A], referee: Referee[S, A]) -> None:
        self.wrong = 0
        self.misattributed = 0
        self.misreckoned = 0
        self.reached = 0
        self.entered = 0
        self._agreed = [(0, 0)]  # numbers of the referee's actions and of the true ones where both agreed
        self._table = table
        self._referee = referee
        referee.subscribe(self._hear)

    def agrees(self, state: S, true: S) -> bool:
        """Whether a state of the referee's is a true one, as far as the referee can know it.

        What lies on a place that no game foretells (the top of a pile) it knows from sight.
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
        """Tell the referee what was played, when he is at a loss and nothing is wrong on the table."""
        if not self._table.is_wrong and self.missed:
            log.reconcile.info("protested decision=%s", type(blamed).__name__)
            self._tell()
        true = self._table.result
        if true is not None and not self.missed and self._referee.game.admits(self._referee.state, true):
            self._referee.settle(true)

    def _ending(self, asked: Ask[A]) -> int | None:
        """Answer whether and how the game has ended, by the true state that the referee has come to."""
        true = self._referee.game.result(self._table.states[self.reached])
        said = [None if choice.result is None else dict(choice.result) for choice in asked.choices]
        return said.index(true) if true in said else None

    def _tell(self) -> None:
        """Enter what was missed; what the referee knows otherwise is mended from where it was right."""
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
        """Return what was played since, as players enter it; raises RuleViolation where it does not fit."""
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

    What is `seen` goes before what the state foretells. The checkpoint's keys in `besides` do not count.
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
