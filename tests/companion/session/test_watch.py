"""Watching without a window: whole games, seen through noise, refereed to their true end."""

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.decision import Ask, Choice, Waiting
from companion.errors import DeviceError, DeviceFault, JournalError, MalformedError, RuleViolation
from companion.game import Json
from companion.games import registry
from companion.observation import Observation
from companion.record.game_record import read_record, verify
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import Scorekeeper, Summary, agrees, open_journal, turns_of, watch
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource
from companion.simulation.table import Habits, SimulatedTable
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import HEADER, lookup, played


class Watched:
    """A simulated game and the referee that watches it."""

    def __init__(
        self, folder: Path, seed: int, habits: Habits | None = None, noise: Noise | None = None
    ) -> None:
        rng = random.Random(seed)
        self.table: SimulatedTable[Lamps, Act] = SimulatedTable(GAME, HEADER, rng, habits)
        self.journal = open_journal(folder / f"game-{seed}", HEADER, GAME)
        self.referee: Referee[Lamps, Act] = Referee(GAME, self.journal)
        self.score = Scorekeeper(self.table, self.referee)
        self.source = SimulatedSource(self.table.moments(), NoisyEye(random.Random(seed), noise))

    def watch(self, record: Path | None = None) -> Summary:
        summary = watch(self.source, self.referee, answer=self.score.answer, record=record)
        self.journal.close()
        return summary


@pytest.mark.parametrize("seed", range(25))
def test_a_noisy_game_is_followed_to_its_true_end(tmp_path: Path, seed: int) -> None:
    """No wrong commit, nothing missed, one question where the rules leave one, and the right winner."""
    watched = Watched(tmp_path, seed, Habits(late=0.5, pause=0.5))
    record = tmp_path / "record.jsonl"
    summary = watched.watch(record)

    assert (watched.score.wrong, watched.score.missed, summary.violations) == (0, 0, 0)
    assert summary.result == watched.table.result is not None
    assert watched.referee.actions == tuple(watched.table.actions)
    assert summary.questions == (watched.table.states[-1].owners[2] is not None)
    assert verify(record, lookup).result == summary.result
    assert read_record(record, lookup).actions == watched.referee.actions


@pytest.mark.parametrize("seed", range(12))
def test_every_mischief_is_named_and_commits_nothing(tmp_path: Path, seed: int) -> None:
    """Careless players hear of everything that lies wrongly, and the game ends as it was played."""
    watched = Watched(tmp_path, seed, Habits(careless=0.3), Noise(false=0.002))
    summary = watched.watch()

    assert (watched.score.wrong, watched.table.unnoticed) == (0, 0)
    assert summary.violations >= len(watched.table.mischiefs)
    assert summary.result == watched.table.result


@pytest.mark.parametrize("seed", range(12))
def test_hurried_games_are_never_followed_wrongly(tmp_path: Path, seed: int) -> None:
    """Where turns run into each other there may be questions, but no wrong commit."""
    watched = Watched(tmp_path, seed, Habits(late=0.5, pause=0.3, hurry=0.2))
    watched.watch()

    assert watched.score.wrong == 0


def test_a_wrong_commit_is_counted(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """What the table never showed counts as wrong, and what was not seen as missed."""
    watched = Watched(tmp_path, 1)
    watched.referee.enter(Act("ann", "step", 1))
    assert watched.score.wrong == 1
    assert "wrong commit" in logged_warnings.take()[0]
    list(watched.table.moments())

    assert watched.score.missed == len(watched.table.actions)
    watched.journal.close()


def test_the_summary_counts_and_is_json(tmp_path: Path) -> None:
    """Turns, actions and files are reported, and the summary prints as JSON."""
    watched = Watched(tmp_path, 2)
    heard: list[Update[Act]] = []
    summary = watch(watched.source, watched.referee, answer=watched.score.answer, progress=heard.append)
    actions = len(watched.table.actions)

    assert (summary.actions, summary.turns, summary.game) == (actions, actions, "lamps")
    assert sum(len(update.new_actions) for update in heard) == actions
    assert turns_of(watched.referee) == actions
    assert json.loads(json.dumps(summary.to_json()))["journal"] == str(watched.journal.path)
    assert watch(watched.source, watched.referee).observations == 0
    watched.journal.close()


class Interrupted:
    """A source that does as another does, until something happens."""

    name = "interrupted"

    def __init__(self, inner: SimulatedSource, failures: list[BaseException], after: int) -> None:
        self._inner, self._failures, self._after = inner, failures, after
        self.closed = False

    def observations(self) -> Iterator[Observation]:
        for number, observation in enumerate(self._inner.observations()):
            if number == self._after and self._failures:
                raise self._failures.pop()
            yield observation
        if self._failures:
            raise self._failures.pop()

    def close(self) -> None:
        self.closed = True


def test_ctrl_c_ends_calmly_and_the_game_is_resumed(tmp_path: Path) -> None:
    """What was accepted before Ctrl-C is in the record and the journal, and watching goes on from there."""
    watched = Watched(tmp_path, 6)
    source = Interrupted(watched.source, [KeyboardInterrupt()], after=200)
    record = tmp_path / "record"
    first = watch(source, watched.referee, answer=watched.score.answer, record=record)
    accepted = watched.referee.actions
    watched.journal.close()

    assert (first.interrupted, first.result, source.closed) == (True, None, True)
    assert read_record(record, lookup).actions == accepted != ()
    with open_journal(tmp_path / "game-6", HEADER, GAME) as journal:
        referee: Referee[Lamps, Act] = Referee(GAME, journal)
        assert referee.actions == accepted
        score = Scorekeeper(watched.table, referee)
        second = watch(watched.source, referee, answer=score.answer)

    assert second.result == watched.table.result
    assert score.wrong == 0


def test_a_record_that_cannot_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    """Hours later would be too late; nothing has been watched, and nothing is left behind."""
    watched = Watched(tmp_path, 6)
    there = tmp_path / "a folder"
    there.mkdir()
    for record in (there, tmp_path / "nowhere" / "record"):
        with pytest.raises(OSError, match=re.escape(str(record))):
            watch(watched.source, watched.referee, record=record)

    assert watched.referee.actions == ()
    assert [] == list(there.iterdir())


def test_what_stopped_the_game_is_said_though_the_record_fails_too(
    tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """On a full disk the journal's own words come out, and the record's failure is noted beside them."""
    watched = Watched(tmp_path, 6)
    full = JournalError("the disk is full")
    with (
        patch.object(watched.journal, "append", side_effect=full),
        patch("companion.session.watch.save_record", side_effect=OSError("no space left")),
        pytest.raises(JournalError, match="the disk is full"),
    ):
        watch(watched.source, watched.referee, record=tmp_path / "record")

    assert logged_warnings.take() == ["record written=no reason=no space left"]


def test_a_device_that_recovers_is_taken_up_again(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """A lost cable interrupts nothing that matters; a device that only fails is given up."""
    lost = DeviceError("the cable was pulled", DeviceFault.UNPLUGGED)
    watched = Watched(tmp_path, 7)
    summary = watch(
        Interrupted(watched.source, [lost, lost], after=50), watched.referee, answer=watched.score.answer
    )
    assert summary.result == watched.table.result
    watched.journal.close()
    other = Watched(tmp_path, 8)
    with pytest.raises(DeviceError):
        watch(Interrupted(other.source, [lost] * 9, after=0), other.referee)
    other.journal.close()

    assert all("the cable was pulled" in warning for warning in logged_warnings.take())


def test_a_device_that_was_never_there_is_not_waited_for(
    tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """Nothing was seen yet: the first fault ends the watching, for it may be told only once."""
    lost = DeviceError("there is no such port", DeviceFault.NOT_FOUND)
    watched = Watched(tmp_path, 7)
    with pytest.raises(DeviceError, match="no such port"):
        watch(Interrupted(watched.source, [lost], after=0), watched.referee)
    watched.journal.close()
    noisy = DeviceError("the line is bad", DeviceFault.UNREADABLE)
    other = Watched(tmp_path, 8)
    summary = watch(Interrupted(other.source, [noisy], after=0), other.referee, answer=other.score.answer)
    other.journal.close()

    assert len(logged_warnings.take()) == 2
    assert summary.result is not None


def test_unanswered_questions_stay_open(tmp_path: Path) -> None:
    """Without anybody to answer, the referee waits with its question and accepts nothing more."""
    seed = next(n for n in range(100) if Act("ann", "bright", 2) in _truth(n))
    watched = Watched(tmp_path, seed)
    watch(watched.source, watched.referee, answer=lambda _: None)

    assert watched.score.wrong == 0
    assert watched.referee.result is None or not isinstance(watched.referee.decision, Ask)
    watched.journal.close()


def test_a_question_that_the_table_outlives_is_presumed_upon(
    tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """Where nobody is there to answer, the likeliest answer is taken once the table has moved on."""
    seed = next(n for n in range(100) if Act("ann", "plain", 2) in _truth(n)[:-1])
    watched = Watched(tmp_path, seed)
    summary = watch(watched.source, watched.referee, presume=True)
    watched.journal.close()

    assert summary.presumed == len(logged_warnings.take()) == 1
    assert summary.result == watched.table.result
    assert watched.score.wrong == 0


def _truth(seed: int) -> list[Act]:
    table: SimulatedTable[Lamps, Act] = SimulatedTable(GAME, HEADER, random.Random(seed))
    list(table.moments())
    return table.actions


def test_players_say_what_was_played_where_no_answer_is_right(tmp_path: Path) -> None:
    """A question whose answers are all wrong is answered by entering what was truly played."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while not watched.table.actions:
        next(moments)
    wrong = Choice(
        actions=(Act("ann", "step", 1), Act("ben", "step", 3), Act("ann", "step", 0)), text="wrong"
    )

    assert watched.score.answer(Ask(text="What?", choices=(wrong,))) is None
    assert watched.referee.actions == tuple(watched.table.actions)
    assert (watched.score.entered, watched.score.wrong, watched.score.missed) == (1, 0, 0)
    watched.journal.close()


def test_blamed_players_say_what_was_played(tmp_path: Path) -> None:
    """Where turns ran into each other out of sight, the players tell what happened and the game goes on."""
    seeds = (seed for seed in range(100, 200))
    for seed in seeds:
        watched = Watched(tmp_path, seed, Habits(pause=0.0, hurry=0.6))
        summary = watch(
            watched.source, watched.referee, answer=watched.score.answer, protest=watched.score.protest
        )
        watched.journal.close()
        if watched.score.entered:
            break

    assert watched.score.entered > 0
    assert (watched.score.wrong, watched.score.missed) == (0, 0)
    assert summary.result == watched.table.result


def test_players_mend_what_went_before_where_what_they_missed_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looked right was not: they say again what was played, from the last moment from which it fits."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while len(watched.table.actions) < 3:
        next(moments)
    states, actions = watched.table.states, watched.table.actions
    watched.referee.enter(actions[0])
    watched.referee.enter(actions[1])
    asked: list[Lamps] = [states[0]]

    def told(state: Lamps, true: Lamps, action: Act) -> tuple[Act, ...]:
        del true
        asked.append(state)
        if asked[-2:] != [states[1], states[2]] and state == states[2]:
            raise RuleViolation("toy.other", "the cards do not add up")
        return (action,)

    monkeypatch.setattr(GAME, "told", told)
    watched.score.protest(Waiting(text="?"))
    watched.journal.close()

    assert watched.referee.actions == tuple(actions)
    assert (watched.score.entered, watched.score.wrong, watched.score.missed) == (1, 0, 0)


def test_what_lies_wrongly_is_not_protested(tmp_path: Path) -> None:
    """Careless players do not argue about what really lies wrongly."""
    watched = Watched(tmp_path, 3, Habits(careless=0.5))
    watch(watched.source, watched.referee, answer=watched.score.answer, protest=watched.score.protest)
    watched.journal.close()

    assert watched.table.mischiefs
    assert (watched.score.entered, watched.table.unnoticed) == (0, 0)


def test_another_games_journal_is_refused(tmp_path: Path) -> None:
    """A journal is gone on with only by the game that it is of, and released when it is not."""
    open_journal(tmp_path / "game", HEADER, GAME).close()
    open_journal(tmp_path / "game", HEADER, GAME).close()
    with pytest.raises(JournalError, match="another game"):
        open_journal(tmp_path / "game", {**HEADER, "players": ["eve", "ben"]}, GAME)

    Journal.open(tmp_path / "game").close()


def test_states_agree_as_far_as_the_first_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table and the checkpoint are compared; what the referee's checkpoint leaves open agrees."""
    _, states = played(3)
    open_ends: Json = {"bright": None, "table": {}}
    bright = next(state for seed in range(50) for state in played(seed)[1] if state.bright)
    plain = Lamps(bright.players, bright.at, bright.owners, None, bright.count)

    assert all(agrees(GAME, state, state) for state in states)
    assert not agrees(GAME, states[0], states[1])
    assert not agrees(GAME, plain, bright)
    assert agrees(GAME, plain, bright, besides=frozenset({"bright", "table"}))
    monkeypatch.setattr(type(GAME), "checkpoint", lambda *_: open_ends)
    assert agrees(GAME, plain, bright)
    monkeypatch.setattr(type(GAME), "checkpoint", lambda _, state: {"table": {"number": state.count}})
    assert not agrees(GAME, states[0], states[1])
    assert agrees(GAME, states[0], states[1], GAME.predict(states[1]))


def test_what_no_table_shows_is_counted_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that errs only in what is reckoned is no wrong one, but it is counted."""
    watched = Watched(tmp_path, 3)
    true = watched.table.states
    monkeypatch.setattr(type(GAME), "reckoned", frozenset({"guess"}))
    monkeypatch.setattr(type(GAME), "checkpoint", lambda _, state: {"guess": any(s is state for s in true)})
    watched.watch()

    assert (watched.score.wrong, watched.score.missed) == (0, 0)
    assert watched.score.misreckoned > 0


def test_every_registered_game_is_known_by_name() -> None:
    """The registry's names are those that a record's header may hold."""
    assert registry.NAMES == ("blue_moon_city", "nova_luna", "urbion", "blue_moon_legends")
    assert registry.lookup("nova_luna").name == "nova_luna"


def test_a_refused_header_leaves_no_journal(tmp_path: Path) -> None:
    """A header that the game refuses makes no file, so that the mended one can begin."""
    with pytest.raises(MalformedError):
        open_journal(tmp_path / "game", {**HEADER, "players": "ann"}, GAME)
    assert [] == list(tmp_path.iterdir())

    open_journal(tmp_path / "game", HEADER, GAME).close()


def test_a_journal_that_does_not_fit_is_not_written_into(tmp_path: Path) -> None:
    """An entry with a good seal that means nothing refuses the journal before it is opened for writing."""
    path = tmp_path / "game"
    with open_journal(path, HEADER, GAME) as journal:
        journal.append("action", {"actions": 3, "by": "table"})
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(JournalError, match="entry 1 does not fit the game: actions must be a list, not 3"):
        open_journal(path, HEADER, GAME)

    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}
