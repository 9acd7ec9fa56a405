"""States and actions of Nova Luna in words."""

from __future__ import annotations

from typing import assert_never

from companion.games.kit.notation import format_cell
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import describe_tile
from companion.games.nova_luna.state import NovaState, tiles_on_wheel, turn_of


def describe(state: NovaState) -> str:
    """Return the state in one line."""
    turn = turn_of(state)
    seats = ", ".join(f"{seat.player} {seat.supply} tokens at {seat.travelled}" for seat in state.seats)
    phase = f", phase {state.phase}" if state.phase else ""
    whose = f"{turn} to move" if turn else f"over ({state.reason})"
    wheel = f"figure {state.figure}, {tiles_on_wheel(state)} tiles, stock {len(state.stock)}"
    return f"{whose}{phase}; {seats}; {wheel}"


def describe_action(state: NovaState, action: Action) -> str:
    """Return the action in words."""
    match action:
        case Reveal():
            return f"{len(action.stock)} tiles of the stock become known"
        case Refill():
            return f"{action.player} refills the wheel"
        case NextPhase():
            return f"{action.player} begins the second phase"
        case Take():
            slot = state.wheel.index(action.tile) if action.tile in state.wheel else None
            where = "" if slot is None else f" from slot {slot}"
            tile = describe_tile(action.tile)
            return f"{action.player} takes {tile}{where} and lays it on {format_cell(action.at)}"
        case _:
            assert_never(action)
