"""States and actions of Blue Moon City in words."""

from __future__ import annotations

from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CELLS, COURTYARD
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.texts import cell_name, dragon_name
from companion.i18n import Message, msg
from companion.names import player_name


def describe(state: CityState) -> str:
    """Return the state in one line for messages."""
    names = state.setup.players
    phase = "over" if state.outcome else "moving" if state.moving else "contributing"
    where = " ".join(f"{p}@{CELLS[state.figures[i]]}" for i, p in enumerate(names))
    built = sum(1 for c in state.built if state.setup.layout[c] != COURTYARD)
    marks = " ".join(
        f"{p}:{state.markers[i]}m/{state.scales[i]}s/{state.crystals[i]}c" for i, p in enumerate(names)
    )
    low = state.steps if state.hidden is None else state.hidden.steps_low
    steps = str(low) if low == state.steps else f"{low} to {state.steps}"
    return (
        f"turn {state.turn} {state.player} {phase}, steps {steps}, {where}, "
        f"{built} built, {marks}, supply {state.supply}"
    )


def describe_action(state: CityState, action: Action) -> Message:
    """Return an action in words, as seen from the state before it."""
    who = player_name(action.player)
    match action:
        case Move():
            return msg("{player} walks to {tile}", player=who, tile=cell_name(state, CELLS[action.to]))
        case Fly():
            return msg("{player} flies to {tile}", player=who, tile=cell_name(state, CELLS[action.to]))
        case MoveDragon():
            return msg(
                "{player} moves {dragon} to {tile}",
                player=who,
                dragon=dragon_name(action.dragon),
                tile=cell_name(state, CELLS[action.to]),
            )
        case Contribute():
            players = state.setup.players
            is_known = action.player in players
            here = CELLS[state.figures[players.index(action.player)]] if is_known else "?"
            return msg(
                "{player} pays box {number} of {tile}",
                player=who,
                number=action.box + 1,
                tile=cell_name(state, here),
            )
        case Offer() if state.offered:
            return msg("{player} makes one more offering", player=who)
        case Offer():
            return msg("{player} makes one offering", player=who)
        case End():
            return msg("{player} ends the turn", player=who)
