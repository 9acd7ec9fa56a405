"""Nova Luna's lines of a record: actions and checkpoints."""

from __future__ import annotations

from typing import Any, assert_never

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import UNSEEN, as_cell, compare, compare_counts, format_cell
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.setup import as_tile
from companion.games.nova_luna.state import NovaState, turn_of
from companion.games.nova_luna.table import compare_table, format_table, predict
from companion.storage.strict import as_choice, as_list, as_object, as_string

_DO = ("refill", "take", "next_phase")


def parse_action(line: Json) -> Action:
    """Return the action of one line; raises MalformedError."""
    if "reveal" in line:
        return _parse_reveal(line)
    what = "the line"
    if "do" not in line:
        raise MalformedError(f"{what} lacks the key 'do'")
    do = as_choice(line["do"], "do", _DO)
    keys = ("player", "do", "tile", "at") if do == "take" else ("player", "do")
    as_object(line, what, keys)
    player = as_string(line["player"], "player")
    if do == "refill":
        return Refill(player=player)
    if do == "next_phase":
        return NextPhase(player=player)
    return Take(player=player, tile=as_tile(line["tile"], "tile"), at=as_cell(line["at"], "at"))


def _parse_reveal(line: Json) -> Reveal:
    as_object(line, "the line", ("reveal",))
    shown = as_object(line["reveal"], "reveal", ("stock",))
    stock = tuple(as_tile(tile, "a revealed tile") for tile in as_list(shown["stock"], "stock"))
    if not stock:
        raise MalformedError("reveal shows nothing")
    return Reveal(stock=stock)


def format_action(action: Action) -> Json:
    """Return the line of an action."""
    match action:
        case Reveal():
            return {"reveal": {"stock": list(action.stock)}}
        case Refill():
            return {"player": action.player, "do": "refill"}
        case NextPhase():
            return {"player": action.player, "do": "next_phase"}
        case Take():
            return {"player": action.player, "do": "take", "tile": action.tile, "at": format_cell(action.at)}
        case _:
            assert_never(action)


def checkpoint(state: NovaState) -> Json:
    """Return the full checkpoint of a state."""
    return {**_counts(state), "table": format_table(predict(state), state=state)}


def _counts(state: NovaState) -> dict[str, Any]:
    return {
        "supply": {seat.player: seat.supply for seat in state.seats},
        "travelled": {} if state.is_solo else {seat.player: seat.travelled for seat in state.seats},
        "stock": len(state.stock),
        "turn": turn_of(state),
        "phase": state.phase,
        "noted": state.noted,
    }


def check(state: NovaState, claimed: Json) -> None:
    """Compare a checkpoint with the state; raises MalformedError naming the first difference."""
    actual = _counts(state)
    as_object(claimed, "the checkpoint", (), (*actual, "table"))
    for key, value in claimed.items():
        if key == "table":
            if value != UNSEEN:
                compare_table(state, value)
        elif isinstance(actual[key], dict):
            compare_counts(value, actual[key], key)
        else:
            compare(value, actual[key], key)
