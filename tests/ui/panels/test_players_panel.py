"""The players' panel: who is in the game, and what is kept secret."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.session.thinking import PAUSE_S
from companion.view_model import CounterView, TableView
from tests.helpers.city import city_after
from ui.controller.view_state import Thinking
from ui.panels.players_panel import HIDDEN, PlayersPanel
from ui.theme import LIGHT


def table(players: int = 2) -> TableView:
    """Return some table."""
    return CityPresenter().present(city_after(50, players=players))


def test_players_keep_secrets_when_updated(qtbot: QtBot) -> None:
    """Four players fit; revealing shows the crystals of all, hiding hides all."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    panel.show_view(table(4))
    numbers = [card.rows["crystals"].number for card in panel.cards.values()]
    assert 4 * [HIDDEN] == [number.text() for number in numbers]

    panel.reveal(True)
    assert HIDDEN not in [number.text() for number in numbers]

    panel.reveal(False)
    panel.show_view(table(4))
    assert 4 * [HIDDEN] == [number.text() for number in numbers]
    assert "hidden" in numbers[0].parentWidget().accessibleName()  # type: ignore[union-attr]


def test_the_panel_never_becomes_narrower(qtbot: QtBot) -> None:
    """Numbers come and go; the border to the table stays where it is."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    long = CounterView(name="cards", label="Cards", low=10, high=1000)
    for counter in (replace(long, high=10), long, replace(long, high=10)):
        view = table(2)
        players = tuple(replace(player, counters=(counter,)) for player in view.players)
        widest = panel.minimumSizeHint().width()
        panel.show_view(replace(view, players=players))

        assert panel.minimumSizeHint().width() >= widest
    assert panel.minimumSizeHint().width() == widest


def test_clocks_count_for_who_is_thinking(qtbot: QtBot) -> None:
    """Off until wanted; then one runs and the others stand; who has been away for long stands, too."""
    now = [1000.0]
    panel = PlayersPanel(LIGHT, now=lambda: now[0])
    qtbot.addWidget(panel)
    panel.show_view(table(3))
    first, second, third = panel.cards.values()
    panel.show()
    assert not any(card.clock.isVisible() for card in panel.cards.values())

    names = list(panel.cards)
    panel.show_thinking(Thinking(spent={names[0]: 65.0, names[1]: 9.0}, player=names[1], since_s=1000.0))
    now[0] += 5
    panel.show_clocks()
    assert ["1:05", "0:14", "0:00"] == [card.clock.text() for card in (first, second, third)]
    assert "Thinking time: 0:14" == second.clock.accessibleName()

    now[0] += PAUSE_S
    panel.show_clocks()
    assert "0:09" == second.clock.text()

    panel.show_view(table(2))
    assert ["1:05", "0:09"] == [card.clock.text() for card in panel.cards.values()]

    panel.show_thinking(None)
    assert not any(card.clock.isVisible() for card in panel.cards.values())


def test_other_players_get_other_cards(qtbot: QtBot) -> None:
    """A game with other players rebuilds the panel."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    panel.show_view(table(2))
    panel.show_view(table(3))

    assert 3 == len(panel.cards)
