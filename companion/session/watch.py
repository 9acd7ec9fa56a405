"""Watches a game without a window: a source and a referee, until the game is over."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from companion import log
from companion.decision import Ask, Decision, OutOfStep, Waiting
from companion.errors import DeviceError, DeviceFault, JournalError
from companion.game import Game, Json
from companion.ports import ObservationSource
from companion.prompts import PromptKind
from companion.record.game_record import same
from companion.session.journal import Journal, Kept
from companion.session.ledger import GameLine, Ledger
from companion.session.referee import Referee
from companion.session.update import Update
from companion.source_runner import resumed
from companion.storage.files import ensure_writable, written_whole

S = TypeVar("S")
A = TypeVar("A")

Progress: TypeAlias = Callable[[Update[A]], None]
Answer: TypeAlias = Callable[[Ask[A]], int | None]
Protest: TypeAlias = Callable[[Decision[A]], None]

# A device that fails this often without an observation in between is given up.
_TRIES = 5
# Faults of a device that is present: they may pass by themselves.
_PASSING = frozenset({DeviceFault.STALLED, DeviceFault.UNREADABLE})


@dataclass(slots=True, kw_only=True)
class Summary:
    """The outcome of watching.

    Attributes:
        game: the game's name.
        result: the record's result, None while the game is unfinished.
        turns: turns begun so far.
        actions: accepted actions.
        questions, violations: how many questions were asked and violations named while watching.
        presumed: unanswered questions that were decided by their likeliest choice when the table went on.
        taken_back: actions undone or corrected while watching.
        observations: number of frames and scans processed.
        interrupted: watching was stopped before the end of the game and of the source.
        record, journal: the files, None if there is none.
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
    """Begin a journal, or continue the existing one.

    Raises MalformedError if the game refuses the header, JournalError if the journal is of another game or
    does not fit it; then no file was made or changed.
    """
    game.start(header)
    if not path.exists():
        return Journal.create(path, header)

    def check(kept: Kept) -> None:
        if not same(kept.header, header):
            raise JournalError(
                f"{path} is the journal of another game; give another name, or leave out --setup"
            )
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
    """Watch until the game is over, the source ends, or Ctrl-C; return the outcome.

    `answer` is called with every question and returns the number of a choice (0 = the first), or None. With
    `presume`, for when nobody can answer, a question that the table has moved past is decided by its
    likeliest choice (the first); it stays open while a later table may still decide it. `protest` is called
    with every out-of-step verdict, and with the last verdict if the source ends before the game; it may enter
    in the referee what the table could not show.

    The record is written at the end, also after Ctrl-C or a failure, whole or not at all. Raises OSError at
    once if it cannot be written, DeviceError if the source is missing at the start or fails again and again,
    JournalError if the journal cannot be written. What was accepted is safe in each case.
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
    tell = protest or _keep_silent
    lost = functools.partial(_note_lost, source.name, summary)
    for observation in resumed(source.observations, lost, wait=lambda _: None):
        summary.observations += 1
        asked = referee.decision
        if referee.feed(observation) is not None:
            _answer(referee, answer)
            if isinstance(referee.decision, OutOfStep):
                tell(referee.decision)
            summary.presumed += _presume(referee, asked) if presume else 0
        if referee.result is not None:
            return
    tell(referee.decision)


def _keep_silent(_decision: Decision[A]) -> None:
    """Do nothing: the default for `protest`."""


def _note_lost(name: str, summary: Summary, error: Exception, running: int) -> float:
    """Log that a source failed and retry at once, or give up."""
    fault = error.fault if isinstance(error, DeviceError) else None
    log.reconcile.warning("source failed name=%s fault=%s text=%s", name, fault, error)
    # A device that was never there is not waited for; one that went away may come back.
    if running >= _TRIES or not (summary.observations or fault in _PASSING):
        raise error
    return 0.0


def _answer(referee: Referee[S, A], answer: Answer[A] | None) -> None:
    """Get the current question answered, and those that follow from the answer."""
    while answer is not None and isinstance(referee.decision, Ask):
        asked = referee.decision
        choice = answer(asked)
        if choice is not None:
            referee.choose(choice)
        if referee.decision == asked:
            return


def _presume(referee: Referee[S, A], before: Decision[A]) -> int:
    """Let the referee presume a course once an open verdict is followed by another; return how often, 0 or 1.

    Nothing is presumed while a hand is over the table or if the table is clear by itself; a table without an
    explanation at first may still become clear.
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
    """Write the record after a failure without hiding that failure."""
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
    """Return how many turns have begun; in a solo game every action is a turn."""
    return turns_in(referee.game, referee.line)


def turns_in(game: Game[S, A], line: GameLine[S, A]) -> int:
    """Return how many turns of a game have begun; in a solo game every action is a turn."""
    acting = [game.turn_of(line.start), *(played.turn for played in line.played)]
    if len({player for player in acting if player is not None}) < 2:
        return sum(map(game.is_played, line.actions))
    return 1 + sum(now not in (then, None) for then, now in pairwise(acting))
