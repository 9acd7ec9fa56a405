"""The glance, and the table mode."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import Prompt, PromptKind
from companion.view_model import TableView
from tests.helpers.city import city_after
from ui.controller.view_state import Question, Trouble, ViewState
from ui.dialogs.glance import Glance, TableMode, highlights_of
from ui.panels.players_panel import HIDDEN
from ui.theme import DARK, LIGHT


def table(players: int = 2) -> TableView:
    """Return some table."""
    return CityPresenter().present(city_after(50, players=players))


def test_the_most_important_thing_is_due() -> None:
    """Trouble before questions before prompts; whose turn it is is not due."""
    turn = Prompt(id="turn/1", kind=PromptKind.TURN, text="Your turn.")
    reward = Prompt(id="reward/1", kind=PromptKind.REWARD, text="Take crystals.")
    trouble = Trouble(text="Wrong.", rule="x", rule_text="", fixes=())
    question = Question(text="Which?", choices=("a", "b"))
    view = table()

    assert "" == highlights_of(ViewState(table=view, prompts=(turn,)))
    assert "Hold on." == highlights_of(ViewState(table=view, prompts=(turn,), waiting="Hold on."))
    assert "Take crystals." == highlights_of(ViewState(table=view, prompts=(turn, reward)))
    assert "Which?" == highlights_of(ViewState(table=view, prompts=(reward,), question=question))
    assert "Wrong." == highlights_of(ViewState(table=view, question=question, trouble=trouble))


def test_the_glance_tells_turn_due_and_scores(qtbot: QtBot) -> None:
    """Another number of players is another row of scores; Esc closes."""
    glance = Glance(DARK, 1.0)
    qtbot.addWidget(glance)
    for players in (2, 4):
        view = table(players)
        glance.show_shown(ViewState(table=view, waiting="A hand is over the table."))
        active = next(player.player for player in view.players if player.is_active)

        assert active.capitalize() in glance.turn.text()
        assert "A hand is over the table." == glance.due.text()
        assert [player.player for player in view.players] == list(glance.numbers)
        assert all("/" in number.text() for number in glance.numbers.values())
    glance.show()
    qtbot.keyClick(glance, Qt.Key.Key_Escape)

    assert not glance.isVisible()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_its_panel(qtbot: QtBot, players: int) -> None:
    """All players sit around the twin; pressing a panel shows what is face down on that one alone."""
    mode = TableMode(LIGHT, 1.0, is_still=True)
    qtbot.addWidget(mode)
    mode.show_shown(ViewState(table=table(players)))
    mode.show()
    panels = mode.turned[2:]
    assert players == len(mode.cards) == len(panels)

    def shown() -> list[bool]:
        return [card.rows["crystals"].number.text() != HIDDEN for card in mode.cards.values()]

    qtbot.mousePress(panels[1], Qt.MouseButton.LeftButton)
    assert [seat == 1 for seat in range(players)] == shown()
    qtbot.mouseRelease(panels[1], Qt.MouseButton.LeftButton)
    assert not any(shown())
    assert mode.grab().width() > 0
    qtbot.keyClick(mode, Qt.Key.Key_T)

    assert not mode.isVisible()
