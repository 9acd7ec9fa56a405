"""Random players of Nova Luna for simulated games: some play anyhow, some look for fulfilled tasks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from companion.games.nova_luna.actions import Action, Take
from companion.games.nova_luna.rules import cover, legal_actions
from companion.games.nova_luna.state import Laid, NovaState, seat_of

# How often a player looks for tasks, and among how many takes he then chooses: so both endings come about.
_EAGERNESS = (0.0, 0.5, 1.0)
_LOOKS = 12
# Tiles in a row that fit a player's place on the usual table.
_ROOM: Final = 6


def random_player(rng: random.Random) -> Callable[[NovaState], Action]:
    """Return a function from state to a legal action, its habits drawn from `rng`."""
    eagerness = rng.choice(_EAGERNESS)

    def choose(state: NovaState) -> Action:
        legal = tuple(legal_actions(state))
        takes = [action for action in legal if isinstance(action, Take)]
        # Whoever has any room left does not lay tiles across the wheel or off the table.
        takes = [take for take in takes if _fits(state, take)] or takes
        others = [action for action in legal if not isinstance(action, Take)]
        if others and (not takes or rng.random() < 0.5):
            return rng.choice(others)
        if rng.random() >= eagerness:
            return rng.choice(takes)
        looked_at = rng.sample(takes, min(_LOOKS, len(takes)))
        return min(looked_at, key=lambda take: _tokens_after(state, take))

    return choose


def _fits(state: NovaState, take: Take) -> bool:
    """Whether the player's tiles are no more than a place has room for, across and down, with this one."""
    seat = seat_of(state, take.player)
    if seat is None:
        return True
    cells = [take.at, *(laid.at for laid in seat.area)]
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    return max(rows) - min(rows) < _ROOM and max(columns) - min(columns) < _ROOM


def _tokens_after(state: NovaState, take: Take) -> int:
    seat = seat_of(state, take.player)
    if seat is None:
        return 0
    laid = replace(seat, area=(*seat.area, Laid(tile=take.tile, at=take.at)))
    return cover(laid, near=take.at)[0].supply
