"""How long players thought, from the times at which the journal took their actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from companion.game import Game
from companion.session.journal import JournalEntry
from companion.session.ledger import GameLine

# After so long a time the players came back to the table rather than thought.
PAUSE_S: Final = 30 * 60.0
# The word by which a journal's entry says that some seconds before an action were a break.
BREAK: Final = "break"

S = TypeVar("S")
A = TypeVar("A")


def breaks_of(entries: Iterable[JournalEntry]) -> Mapping[int, float]:
    """Return the seconds of breaks that came before an action, by the action's entry."""
    breaks: dict[int, float] = {}
    for entry in entries:
        number, seconds = entry.body.get("entry"), entry.body.get("seconds")
        is_break = entry.kind == "evidence" and entry.body.get("kind") == BREAK
        if is_break and isinstance(number, int) and isinstance(seconds, int | float) and seconds > 0:
            breaks[number] = breaks.get(number, 0.0) + seconds
    return breaks


def played_times(times: Mapping[int, float], breaks: Mapping[int, float]) -> Mapping[int, float]:
    """Return when entries were written as a clock would say that stood still in the breaks, by number.

    Args:
        times: wall time of the journal's entries, seconds since 1970.
        breaks: seconds of breaks before an entry.
    """
    stood, told = 0.0, {}
    for number in sorted(times):
        stood += breaks.get(number, 0.0)
        told[number] = times[number] - stood
    return told


def thought_s(line: GameLine[S, A], times: Mapping[int, float]) -> tuple[float | None, ...]:
    """Return for each action how many seconds passed since the one before it.

    None where that says nothing: for the first action, after a pause, and at an action corrected later.

    Args:
        times: when the journal's entries were written, seconds, by the entry's number (`played_times`).
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
