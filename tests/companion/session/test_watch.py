"""Watching without a window: whole games, seen through noise, refereed to their true end."""

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.decision import Ask
from companion.errors import DeviceError, DeviceFault, JournalError, MalformedError
from companion.games import registry
from companion.observation import Observation
from companion.record.game_record import read_record, verify
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import open_journal, turns_of, watch
from companion.simulation.eye import Noise, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, SimulatedTable
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import HEADER, lookup
from tests.helpers.watched_toy import Watched


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


def test_another_games_journal_is_refused(tmp_path: Path) -> None:
    """A journal is gone on with only by the game that it is of, and released when it is not."""
    open_journal(tmp_path / "game", HEADER, GAME).close()
    open_journal(tmp_path / "game", HEADER, GAME).close()
    with pytest.raises(JournalError, match="another game"):
        open_journal(tmp_path / "game", {**HEADER, "players": ["eve", "ben"]}, GAME)

    Journal.open(tmp_path / "game").close()


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
