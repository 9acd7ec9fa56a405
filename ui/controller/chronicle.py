"""The game in numbers, turn by turn, for the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.prompts import Prompt
from companion.session.ledger import GameLine
from companion.view_model import CounterView, Presenter, TableView

MOST_CHARTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """How one number changes over the turns.

    Attributes:
        lines: by player, or by "" for a number that is no player's; the value at the start, then one a turn.
    """

    label: str
    lines: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chronicle:
    """A whole game in numbers.

    Attributes:
        turns: number of turns played.
        gains: crystals by player and by what paid them; empty while the game runs.
        thought: seconds of thinking by player; empty if that is not known.
    """

    title: str
    outcome: str
    players: tuple[str, ...]
    turns: int
    charts: tuple[Chart, ...]
    gains: Mapping[str, Mapping[str, int]]
    thought: Mapping[str, float] = field(default_factory=dict)


def chronicle(
    line: GameLine[Any, Any],
    presenter: Presenter[Any, Any],
    thought: Mapping[str, float] | None = None,
) -> Chronicle:
    """Return the numbers of a game: a value for the start, and one for the end of every turn.

    Numbers that are secret at the table are left out until the game is over.
    """
    moments = [presenter.present(line.start), *_turn_ends(line, presenter)]
    is_over = moments[-1].outcome is not None
    told = (prompt for played in line.played for prompt in played.prompts)
    players = tuple(player.player for player in moments[0].players)
    return Chronicle(
        title=moments[-1].title,
        outcome=moments[-1].outcome or "",
        players=players,
        turns=len(moments) - 1,
        charts=_charts(moments, is_over=is_over),
        gains=_gains(players, told if is_over else ()),
        thought=thought or {},
    )


def _turn_ends(line: GameLine[Any, Any], presenter: Presenter[Any, Any]) -> list[TableView]:
    """Return the table after each action that ended a turn, and after the last action."""
    passed = [
        number
        for number, played in enumerate(line.played, 1)
        if number == len(line.played) or (number > 1 and line.played[number - 2].turn != played.turn)
    ]
    return [presenter.present(line.state_after(number)) for number in passed]


def _charts(moments: list[TableView], *, is_over: bool) -> tuple[Chart, ...]:
    """Return a chart of each player's first numbers, then of the shared numbers that are to be shown."""
    shown = [one for one in moments[0].players[0].counters[:MOST_CHARTS] if is_over or not one.secret]
    goals = [one for one in moments[0].stock if one.goal is not None or one.is_charted]
    return (
        *(Chart(label=one.label, lines=_lines_of(one.name, moments)) for one in shown),
        *(Chart(label=one.label, lines={"": _line([m.stock for m in moments], one.name)}) for one in goals),
    )


def _lines_of(counter: str, moments: list[TableView]) -> dict[str, tuple[int, ...]]:
    """Return each player's line of one number."""
    return {
        seat.player: _line([moment.players[index].counters for moment in moments], counter)
        for index, seat in enumerate(moments[0].players)
    }


def _line(moments: Iterable[tuple[CounterView, ...]], counter: str) -> tuple[int, ...]:
    """Return one number at each moment; 0 if it is not counted then."""
    return tuple(next((one.high for one in counters if one.name == counter), 0) for counters in moments)


def _gains(players: tuple[str, ...], prompts: Iterable[Prompt]) -> Mapping[str, Mapping[str, int]]:
    """Add up the crystals of all rows, by player and reason."""
    sums: dict[str, dict[str, int]] = {player: {} for player in players}
    for prompt in prompts:
        for row in prompt.rows:
            number = row.amounts.get("crystals", 0)
            if number and row.player in sums:
                sums[row.player][row.reason] = sums[row.player].get(row.reason, 0) + number
    return sums
