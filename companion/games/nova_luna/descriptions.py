"""States and actions of Nova Luna in words."""

from __future__ import annotations

from typing import assert_never

from companion.games.kit.notation import format_cell
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.state import NovaState, tiles_on_wheel, turn_of
from companion.games.nova_luna.texts import tile_name, way_text
from companion.i18n import Message, msg, nmsg
from companion.names import player_name


def describe(state: NovaState) -> str:
    """Return the state in one line."""
    turn = turn_of(state)
    seats = ", ".join(f"{seat.player} {seat.supply} tokens at {seat.travelled}" for seat in state.seats)
    phase = f", phase {state.phase}" if state.phase else ""
    whose = f"{turn} to move" if turn else f"over ({state.reason})"
    wheel = f"figure {state.figure}, {tiles_on_wheel(state)} tiles, stock {len(state.stock)}"
    return f"{whose}{phase}; {seats}; {wheel}"


def describe_action(state: NovaState, action: Action) -> Message:
    """Return the action in words."""
    del state
    match action:
        case Reveal():
            number = len(action.stock)
            return nmsg("{n} tile of the stock becomes known", "{n} tiles of the stock become known", number)
        case Refill():
            return msg("{player} fills the wheel", player=player_name(action.player))
        case NextPhase():
            return msg("{player} begins the second phase", player=player_name(action.player))
        case Take(at=(0, 0)):
            return msg(
                "{player} takes the {tile}, the first of the area",
                player=player_name(action.player),
                tile=tile_name(action.tile),
            )
        case Take():
            return msg(
                "{player} takes the {tile} and lays it {steps} from the first",
                player=player_name(action.player),
                tile=tile_name(action.tile),
                steps=way_text(format_cell(action.at)),
            )
        case _:
            assert_never(action)
