"""Rewards that fly to their players."""

from __future__ import annotations

from dataclasses import replace

from PyQt6 import sip
from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import Prompt, PromptKind, PromptRow
from tests.helpers.city import city_after
from tests.helpers.patience import WAIT_MS
from ui.controller.view_state import ViewState
from ui.panels.flights import MOST, Flight, flights_between, fly

CALM = ViewState(table=CityPresenter().present(city_after(50, players=2)))


def reward(name: str, *rows: PromptRow, kind: PromptKind = PromptKind.REWARD) -> Prompt:
    """Return a prompt that pays."""
    return Prompt(id=name, kind=kind, text="Rewards.", rows=rows)


def test_only_new_rewards_fly() -> None:
    """Each thing once, from what pays it; what was due before, or is no reward, stays where it is."""
    mill = PromptRow(player="ann", amounts={"crystals": 2, "cards": 0}, reason="majority", source="mill")
    gift = PromptRow(player="bob", amounts={"scales": 1}, reason="neighbour")
    before = replace(CALM, prompts=(reward("1", mill),))
    after = replace(
        CALM,
        prompts=(reward("1", mill), reward("2", mill, gift), reward("3", gift, kind=PromptKind.EXCHANGE)),
    )

    assert flights_between(before, after) == (
        Flight(thing="crystals", source="mill", player="ann"),
        Flight(thing="scales", source="", player="bob"),
    )
    assert () == flights_between(None, after)
    assert MOST == len(flights_between(CALM, replace(CALM, prompts=(reward("4", *[mill] * 9),))))


def test_a_sign_flies_to_its_player_and_is_gone(qtbot: QtBot) -> None:
    """It arrives where the player is, and nothing is left of it; who has no card gets nothing."""
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(400, 300)
    over.show()
    flights = (
        Flight(thing="crystals", source="mill", player="ann"),
        Flight(thing="scales", source="", player="nobody"),
    )
    ends = {"ann": QPoint(350, 250)}
    signs = fly(flights, over, lambda _: QPoint(50, 50), ends.get, 1.0)

    assert [QPoint(50, 50)] == [sign.geometry().center() + QPoint(1, 1) for sign in signs]
    arrived: list[QPoint] = []
    signs[0].destroyed.connect(lambda: arrived.append(QPoint()))
    qtbot.waitUntil(lambda: sip.isdeleted(signs[0]), timeout=WAIT_MS)
    assert 1 == len(arrived)
    assert [] == over.findChildren(QWidget)
