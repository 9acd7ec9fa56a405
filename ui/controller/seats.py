"""What is for one player's eyes: the own hand, and own actions whose cards nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from companion.session.ledger import GameLine
from companion.view_model import Presenter, SeatView, UnnamedAction
from ui.controller.view_state import HistoryLine

# How many of the latest actions of the game are looked at: a round of some turns.
LATEST: Final = 16
MOST_UNNAMED: Final = 3


def seats_of(
    line: GameLine[Any, Any],
    presenter: Presenter[Any, Any],
    players: Sequence[str],
    history: Sequence[HistoryLine],
) -> tuple[SeatView, ...]:
    """Return each player's own view, in seat order."""
    latest = history[-LATEST:]
    return tuple(
        SeatView(
            player=player,
            hand=presenter.hand(line.state, player),
            unnamed=_unnamed(line, presenter, [one for one in latest if one.player == player]),
        )
        for player in players
    )


def _unnamed(
    line: GameLine[Any, Any], presenter: Presenter[Any, Any], own: Sequence[HistoryLine]
) -> tuple[UnnamedAction, ...]:
    found = []
    for one in own:
        cards = presenter.unnamed(line.state_after(one.number - 1), line.actions[one.number - 1])
        if cards is not None:
            found.append(UnnamedAction(number=one.number, text=one.text, cards=cards))
    return tuple(found[-MOST_UNNAMED:])


def refused(seat: SeatView, player: str, number: int) -> SeatView:
    """Return a seat with an action marked of which cards were named that cannot be they."""
    if seat.player != player:
        return seat
    marked = (replace(one, was_refused=True) if one.number == number else one for one in seat.unnamed)
    return replace(seat, unnamed=tuple(marked))
