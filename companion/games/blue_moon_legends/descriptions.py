"""States, actions and totals in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
    Decline,
    Discard,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import ELEMENTS
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.totals import Reason, total
from companion.games.blue_moon_legends.state import Hidden, State
from companion.games.blue_moon_legends.texts import card_name

_WHY: Final = {
    "printed": "printed",
    "bluff": "a bluff card in the contested element",
    "zeroed": "counts as 0 because of {by}",
    "raised": "raised by {by}",
    "multiplied": "multiplied by {by}",
    "by_hand": "given by hand",
    "total": "the total is raised by {by}",
}


def describe(state: State) -> str:
    """Return the state in a line: dragons, fight, totals, hands, who is to act."""
    players = state.setup.players
    dragons = ", ".join(f"{player} {state.dragons_of(side)}" for side, player in enumerate(players))
    hands = ", ".join(
        f"{player} {len(side.hand)} in hand, {len(side.deck)} in the deck"
        for player, side in zip(players, state.sides, strict=True)
    )
    return f"dragons: {dragons}; {_fight(state)}; {hands}; {_to_act(state)}"


def _fight(state: State) -> str:
    if state.fight is None:
        return "no fight"
    force = Force(state)
    elements = ELEMENTS if state.fight.element is None else (state.fight.element,)
    standing = " and ".join(
        f"{element} "
        + " : ".join(
            f"{player} {total(state, force, side, element).value}"
            for side, player in enumerate(state.setup.players)
        )
        for element in elements
    )
    return f"fight in {state.fight.element or 'an element still open'} ({standing})"


def _to_act(state: State) -> str:
    if state.outcome is not None:
        return f"over: {state.setup.players[state.outcome.winner]} has won ({state.outcome.reason})"
    player = state.setup.players[state.actor]
    if state.pending:
        return f"{player} must answer ({state.pending[0].demand.value})"
    return f"{player} to act ({state.turn.phase.name.lower()} phase)"


def describe_reason(reason: Reason) -> str:
    """Return where some points come from: ``+3 Fireblast (printed)``."""
    return f"{reason.points:+d} {card_name(reason.card)} ({_WHY[reason.why].format(by=card_name(reason.by))})"


def names(cards: Iterable[Hidden]) -> str:
    """Return the names of cards for people; a card nobody saw is ``a card``."""
    return ", ".join("a card" if card is None else card_name(card) for card in cards) or "nothing"


def describe_action(_state: State, action: Action) -> str:
    """Return the action in words."""
    return f"{action.player} {_WORDS[type(action)](action)}"


def _use(action: Use) -> str:
    on = f" on {names(action.cards)}" if action.cards else ""
    backs = f" on {len(action.backs)} face-down" if action.backs else ""
    number = f", {action.number} cards" if action.number is not None else ""
    ship = f", onto {card_name(action.ship)}" if action.ship is not None else ""
    return f"uses the power of {card_name(action.card)}{on}{backs}{number}{ship}"


def _play(action: Play) -> str:
    source = " from a ship" if action.from_ship else ""
    return f"lays {card_name(action.card)}{source}{' beside the gang' if action.joins else ''}"


_WORDS: Final[dict[type[Action], Callable[[Any], str]]] = {
    Retrieve: lambda action: f"takes {card_name(action.card)} back",
    Drop: lambda action: f"discards the bluff card at place {action.at + 1}",
    Unload: lambda action: f"unloads {card_name(action.ship)}",
    Lead: lambda action: f"plays the leadership card {card_name(action.card)}",
    Launch: lambda action: f"plays the ship {card_name(action.card)}",
    Decline: lambda action: f"begins no fight and discards {len(action.cards)}: {names(action.cards)}",
    Retreat: lambda action: (
        "retreats" + (f" after laying {len(action.cards)} card(s)" if action.cards else "")
    ),
    Play: _play,
    Bluff: lambda _: "lays a bluff card",
    Load: lambda action: f"loads {card_name(action.card)} onto {card_name(action.ship)}",
    Use: _use,
    Pay: lambda action: f"discards {names(action.cards)} as {card_name(action.card)} demands",
    Discard: lambda action: f"discards {names(action.cards)}",
    Reveal: lambda action: f"lays the hand open: {names(action.cards)}",
    Double: lambda action: f"doubles the demand of {card_name(action.target)}",
    Adjust: lambda action: f"gives {card_name(action.card)} {action.fire} in fire, {action.earth} in earth",
    Announce: lambda action: f"announces {action.total} in {action.element}",
    Call: lambda action: (
        f"calls the bluff, which is {'true' if action.is_true else 'false'}: {names(action.cards)}"
    ),
    Trust: lambda _: "does not call the bluff",
    End: lambda _: "ends the turn",
}
