"""What is for one player's eyes: own actions whose cards nobody saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.blue_moon_city.actions import Contribute
from companion.view_model import SeatView, UnnamedAction
from tests.helpers.city_session import entered_session, played_table
from ui.controller.controller import Controller
from ui.controller.seats import MOST_UNNAMED

GAME = played_table(60, players=2, seed=5)


@pytest.fixture
def controller(tmp_path: Path) -> Controller:
    """A game of which nobody saw the cards."""
    return Controller(entered_session(tmp_path, GAME))


def latest(seats: tuple[SeatView, ...]) -> tuple[str, UnnamedAction]:
    """Return the last contribution whose cards are asked for, and its player."""
    return max(
        (
            (seat.player, one)
            for seat in seats
            for one in seat.unnamed
            if isinstance(GAME.actions[one.number - 1], Contribute)
        ),
        key=lambda found: found[1].number,
    )


def test_only_own_and_only_the_latest_are_asked_for(controller: Controller) -> None:
    """Each seat has its own actions, a few of them, in order."""
    for seat in controller.view_state().seats:
        numbers = [one.number for one in seat.unnamed]

        assert numbers == sorted(numbers)
        assert 0 < len(numbers) <= MOST_UNNAMED
        assert {seat.player} == {GAME.actions[number - 1].player for number in numbers}


def test_cards_that_do_not_fit_change_nothing_and_are_told(controller: Controller) -> None:
    """The action stays as it was and is marked."""
    before = controller.view_state()
    player, asked = latest(before.seats)
    controller.name_cards(player, asked.number, ("khind-1",) * 9)
    after = controller.view_state()

    assert before.history == after.history
    _, marked = latest(after.seats)
    assert marked.was_refused
    assert not asked.was_refused


def test_nobody_names_the_cards_of_another(controller: Controller) -> None:
    """Neither an action of another seat nor one that is not asked about."""
    before = controller.view_state()
    player, asked = latest(before.seats)
    other = next(seat.player for seat in before.seats if seat.player != player)
    controller.name_cards(other, asked.number, ("khind-1",))
    controller.name_cards(player, 1, ("flit-2",))

    assert before == controller.view_state()
