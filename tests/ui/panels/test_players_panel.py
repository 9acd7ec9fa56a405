"""The players' panel: who is in the game, and what is kept secret."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.view_model import CounterView, TableView
from tests.helpers.city import city_after
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


def test_other_players_get_other_cards(qtbot: QtBot) -> None:
    """A game with other players rebuilds the panel."""
    panel = PlayersPanel(LIGHT)
    qtbot.addWidget(panel)
    panel.show_view(table(2))
    panel.show_view(table(3))

    assert 3 == len(panel.cards)
