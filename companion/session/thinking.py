"""How long players thought, from the times at which the journal took their actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from companion.game import Game
from companion.session.ledger import GameLine

# After so long a time the players came back to the table rather than thought.
PAUSE_S: Final = 30 * 60.0

S = TypeVar("S")
A = TypeVar("A")


def thought_s(line: GameLine[S, A], times: Mapping[int, float]) -> tuple[float | None, ...]:
    """Return for each action how many seconds passed since the one before it.

    None where that says nothing: for the first action, after a pause, and at an action corrected later.

    Args:
        times: wall time of the journal's entries, seconds since 1970, by the entry's number.
    """
    at = [times.get(played.entry) for played in line.played]
    return tuple(_between(before, after) for before, after in zip([None, *at], at, strict=False))


def thinking_times(game: Game[S, A], line: GameLine[S, A], times: Mapping[int, float]) -> Mapping[str, float]:
    """Return how many seconds each player has thought: from the start of their turns to their actions."""
    sums: dict[str, float] = {}
    for number, seconds in enumerate(thought_s(line, times)):
        player = game.turn_of(line.state_after(number))
        if player is not None and seconds is not None:
            sums[player] = sums.get(player, 0.0) + seconds
    return sums


def clock_text(seconds: float) -> str:
    """Return a duration as a clock shows it: ``4:05``, ``1:02:33``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _between(before: float | None, after: float | None) -> float | None:
    if before is None or after is None or not 0 <= after - before <= PAUSE_S:
        return None
    return after - before
