"""Thinking time while a game runs: pauses and the time between two evenings do not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.exporting import action_rows
from companion.session.journal import Journal, Kept
from companion.session.ledger import read_game
from companion.session.referee import Referee
from companion.session.thinking import PAUSE_S, breaks_of, played_times, thinking_times
from tests.helpers.toy_game import GAME, Act
from tests.helpers.toy_play import HEADER, lookup
from tests.helpers.toy_session import ToyPresenter
from ui.controller.controller import Controller
from ui.controller.session import Session

ANN, BEN = "ann", "ben"


class Evening:
    """A game on a table whose clock is set by hand."""

    def __init__(self, file: Path) -> None:
        self.now = 1000.0
        self.file = file
        self.journal = Journal.create(file, HEADER, clock=lambda: self.now)
        self.controller = self._begun()

    def _begun(self) -> Controller:
        referee = Referee(GAME, self.journal)
        return Controller(Session(referee=referee, presenter=ToyPresenter(), sources=(), title="Test"))

    def play(self, player: str, to: int, after_s: float = 0.0) -> None:
        """Let so many seconds pass, and a player step on."""
        self.now += after_s
        self.controller.carry_out(Act(player, "step", to))

    def rest(self, seconds: float) -> None:
        """Pause the game for so many seconds."""
        self.controller.pause(True)
        self.now += seconds
        self.controller.pause(False)

    def resume(self, after_s: float) -> None:
        """End the program, and go on with the game later."""
        self.journal.close()
        self.now += after_s
        self.journal = Journal.open(self.file, clock=lambda: self.now)
        self.controller = self._begun()

    def spent(self) -> dict[str, float]:
        """Return what the window shows now, each second counted."""
        view = self.controller.view_state().thinking
        spent = dict(view.spent)
        if view.player is not None:
            spent[view.player] = spent.get(view.player, 0.0) + self.now - view.since_s
        return spent


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A fresh game; it begins with ann's first step."""
    made = Evening(tmp_path / "game.moontable")
    yield made
    made.journal.close()


def test_who_is_to_act_is_thinking(evening: Evening) -> None:
    """Nobody before the first action; then each second is that of the player whose turn it is."""
    evening.now += 500
    assert {} == evening.spent()

    evening.play(ANN, 1)
    evening.now += 20
    assert {BEN: 20} == evening.spent()

    evening.play(BEN, 3)
    evening.now += 5
    assert {BEN: 20, ANN: 5} == evening.spent()


def test_a_pause_does_not_count(evening: Evening) -> None:
    """Neither while it lasts nor afterwards; two pauses in one thought add up; the clock stands still."""
    evening.play(ANN, 1)
    evening.now += 20
    evening.controller.pause(True)
    evening.now += 300
    assert evening.controller.view_state().thinking.player is None
    assert {BEN: 20} == evening.spent()

    evening.controller.pause(False)
    evening.rest(100)
    evening.now += 2
    assert {BEN: 22} == evening.spent()

    evening.play(BEN, 3, after_s=1)
    assert {BEN: 23, ANN: 0} == evening.spent()


def test_an_action_in_a_pause_ends_a_thought(evening: Evening) -> None:
    """Whoever acts while the game is paused thought until the pause; it goes on being paused."""
    evening.play(ANN, 1)
    evening.now += 20
    evening.controller.pause(True)
    evening.play(BEN, 3, after_s=50)
    evening.now += 7

    assert {BEN: 20} == evening.spent()


def test_the_time_between_two_evenings_does_not_count(evening: Evening) -> None:
    """Also where it is shorter than what is a break by itself; it is the same after yet another evening."""
    evening.play(ANN, 1)
    evening.resume(after_s=600)
    evening.now += 4
    assert {BEN: 4} == evening.spent()

    evening.play(BEN, 3)
    evening.resume(after_s=1e5)
    assert {BEN: 4, ANN: 0} == evening.spent()


def test_what_is_taken_back_leaves_its_break(evening: Evening) -> None:
    """The break before an action that was taken back is no thinking before the one in its place."""
    evening.play(ANN, 1)
    evening.rest(100)
    evening.play(BEN, 3, after_s=6)
    evening.controller.undo()
    evening.now += 3
    assert {BEN: 9} == evening.spent()

    evening.play(BEN, 3)
    assert {BEN: 9, ANN: 0} == evening.spent()


def test_report_and_table_of_actions_say_the_same(evening: Evening) -> None:
    """Read from the journal alone, the breaks are left out, too."""
    evening.play(ANN, 1)
    evening.rest(PAUSE_S + 1)
    evening.play(BEN, 3, after_s=8)
    evening.play(ANN, 2, after_s=2)
    told = dict(evening.controller.chronicle().thought)
    evening.journal.close()

    def read(kept: Kept) -> tuple[dict[str, float], list[float | None]]:
        _, ledger = read_game(kept, lookup)
        entries = list(kept.entries())
        times, breaks = {entry.number: entry.at_s for entry in entries}, breaks_of(entries)
        rows = action_rows(GAME, ledger.line, times, breaks=breaks)
        sums = thinking_times(GAME, ledger.line, played_times(times, breaks))
        return dict(sums), [row.thought_s for row in rows]

    assert {BEN: 8, ANN: 2} == told
    assert (told, [None, 8.0, 2.0]) == Journal.look(evening.file, read)
