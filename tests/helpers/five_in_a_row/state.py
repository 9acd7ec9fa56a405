"""The state of a game of five in a row, its one action, and what must hold."""

from __future__ import annotations

from dataclasses import dataclass

SIZE = 9
CELLS = tuple(f"{row},{col}" for row in range(SIZE) for col in range(SIZE))


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a stone on a free cell."""

    player: str
    at: str


@dataclass(frozen=True, slots=True)
class Five:
    """The players, first to move first, and the stones: the cells in the order of laying."""

    players: tuple[str, str]
    stones: tuple[str, ...] = ()
    winner: str | None = None


def owner(state: Five, number: int) -> str:
    """Return whose turn has this number, from 0."""
    return state.players[number % 2]


def turn_of(state: Five) -> str | None:
    """Return the player who acts next, None after the end."""
    is_over = state.winner is not None or len(state.stones) == len(CELLS)
    return None if is_over else owner(state, len(state.stones))


def defects(state: Five) -> tuple[str, ...]:
    """Return every broken invariant."""
    return () if len(set(state.stones)) == len(state.stones) else ("a cell holds two stones",)
