"""The table to lay out: what lies otherwise on the players' table is chosen from a menu, place by place."""

from __future__ import annotations

import random
from functools import partial

import pytest
from PyQt6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from companion.errors import MalformedError
from companion.games import registry
from companion.table import Place, Value
from ui.assembly.own_copy import choices_at, dealt, relay, swap_tiles
from ui.theme import LIGHT
from ui.wizard.dealt_table import DealtTable
from ui.wizard.guide import Dealt


def shown(qtbot: QtBot, name: str) -> DealtTable:
    """Return the table to lay out for a game of two."""
    game, form = registry.lookup(name), registry.display(name).form
    answers = {one.name: one.choices[0].word for one in form.questions(2)}
    rng = random.Random(2)

    def deal() -> Dealt:
        options = form.options(form.seats(2, answers), answers)
        return dealt(game, game.public_header(game.deal(rng, options)))

    def lay(laid: Dealt, where: Place, value: Value) -> Dealt:
        return relay(game, laid, where, value, rng)

    table = DealtTable(LIGHT, deal, partial(swap_tiles, game), partial(choices_at, game), lay)
    qtbot.addWidget(table)
    table.deal()
    table.show()
    return table


def test_another_tile_on_the_wheel_is_chosen_from_a_menu(qtbot: QtBot) -> None:
    """All tiles are offered, by colour; the chosen one lies there afterwards."""
    table = shown(qtbot, "nova_luna")
    table.scene.chosen.emit("wheel:3", False)
    assert table.menu is not None
    groups = table.menu.findChildren(QMenu)
    assert 5 == len(table.menu.actions())  # what lies there, and four colours
    assert 4 == len(groups)

    wanted = groups[0].actions()[-1]
    with qtbot.waitSignal(table.changed):
        wanted.trigger()
    card = table.scene.card_of(Place("wheel:3"))

    assert card is not None
    assert wanted.text().startswith(card.name)
    table.menu.close()
    qtbot.waitUntil(lambda: not table.twin.findChildren(QMenu))


@pytest.mark.parametrize(("name", "place"), [("nova_luna", "stock"), ("blue_moon_legends", "dragon:0")])
def test_where_there_is_no_choice_no_menu_opens(qtbot: QtBot, name: str, place: str) -> None:
    """What lies face down, and what is the same at all tables, is left as it is."""
    table = shown(qtbot, name)
    table.scene.chosen.emit(place, False)

    assert table.menu is None


def test_what_cannot_be_is_said(qtbot: QtBot) -> None:
    """The table stays as it was."""

    def refuse(*_: object) -> Dealt:
        raise MalformedError("not like that")

    table = shown(qtbot, "urbion")
    before, table._relay = table.dealt, refuse
    table.scene.chosen.emit("city:0", True)
    assert table.menu is not None
    table.menu.actions()[-1].trigger()

    assert before is table.dealt
    assert "not like that" in table.notes.text()
    table.menu.close()
    qtbot.waitUntil(lambda: not table.twin.findChildren(QMenu))
