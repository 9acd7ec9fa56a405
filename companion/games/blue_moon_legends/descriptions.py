"""States, actions and totals in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
    Count,
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
from companion.games.blue_moon_legends.state import State
from companion.games.blue_moon_legends.texts import card_name, element_name, names
from companion.i18n import Message, join, mark, msg, nmsg
from companion.names import player_name

_Words: TypeAlias = Callable[[Any, str], Message]
_WHY: Final = {
    "printed": mark("printed"),
    "bluff": mark("a bluff card in the contested element"),
    "zeroed": mark("counts as 0 because of {by}"),
    "raised": mark("raised by {by}"),
    "multiplied": mark("multiplied by {by}"),
    "by_hand": mark("given by hand"),
    "total": mark("the total is raised by {by}"),
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


def describe_reason(reason: Reason) -> Message:
    """Return where some points come from: ``+3 Fireblast (printed)``."""
    why = msg(_WHY[reason.why], by=card_name(reason.by))
    return msg("{points} {card} ({why})", points=f"{reason.points:+d}", card=card_name(reason.card), why=why)


def describe_action(_state: State, action: Action) -> Message:
    """Return the action in words; cards that leave a hand face down are not named."""
    return _WORDS[type(action)](action, player_name(action.player))


def _card(source: str) -> _Words:
    """Return the words for an action of one card."""
    return lambda action, player: msg(source, player=player, card=card_name(action.card))


def _decline(action: Decline, player: str) -> Message:
    if action.more is not None:
        return msg("{player} begins no fight and discards cards", player=player)
    return nmsg(
        "{player} begins no fight and discards {n} card",
        "{player} begins no fight and discards {n} cards",
        len(action.cards),
        player=player,
    )


def _retreat(action: Retreat, player: str) -> Message:
    if action.more is not None:
        return msg("{player} retreats, perhaps after laying cards", player=player)
    if not action.cards:
        return msg("{player} retreats", player=player)
    return nmsg(
        "{player} retreats after laying {n} card",
        "{player} retreats after laying {n} cards",
        len(action.cards),
        player=player,
    )


def _use(action: Use, player: str) -> Message:
    told = msg("{player} uses the power of {card}", player=player, card=card_name(action.card))
    details = [names(action.cards)] if action.cards else []
    if action.backs:
        details.append(nmsg("{n} card face down", "{n} cards face down", len(action.backs)))
    if action.number is not None:
        details.append(nmsg("{n} card", "{n} cards", action.number))
    if action.ship is not None:
        details.append(msg("onto {ship}", ship=card_name(action.ship)))
    return join(": ", (told, join("; ", details))) if details else told


def _play(action: Play, player: str) -> Message:
    card = card_name(action.card)
    if action.from_ship and action.joins:
        return msg("{player} lays {card} from a ship beside the gang", player=player, card=card)
    if action.from_ship:
        return msg("{player} lays {card} from a ship", player=player, card=card)
    if action.joins:
        return msg("{player} lays {card} beside the gang", player=player, card=card)
    return msg("{player} lays {card}", player=player, card=card)


def _pay(action: Pay, player: str) -> Message:
    cards, card = names(action.cards), card_name(action.card)
    return msg("{player} discards {cards}, as {card} demands", player=player, cards=cards, card=card)


def _discard(action: Discard, player: str) -> Message:
    return nmsg("{player} discards {n} card", "{player} discards {n} cards", len(action.cards), player=player)


def _adjust(action: Adjust, player: str) -> Message:
    return msg(
        "{player} gives {card} {fire} in fire and {earth} in earth",
        player=player,
        card=card_name(action.card),
        fire=action.fire,
        earth=action.earth,
    )


def _announce(action: Announce, player: str) -> Message:
    element = element_name(action.element)
    return msg("{player} announces {total} in {element}", player=player, total=action.total, element=element)


def _call(action: Call, player: str) -> Message:
    cards = names(action.cards)
    if action.is_true:
        return msg("{player} calls the bluff, and it is true: {cards}", player=player, cards=cards)
    return msg("{player} calls the bluff, and it is false: {cards}", player=player, cards=cards)


_WORDS: Final[dict[type[Action], _Words]] = {
    Retrieve: _card(mark("{player} takes {card} back")),
    Drop: lambda action, player: msg(
        "{player} discards the bluff card at place {number}", player=player, number=action.at + 1
    ),
    Unload: lambda action, player: msg("{player} unloads {card}", player=player, card=card_name(action.ship)),
    Lead: _card(mark("{player} plays the leadership card {card}")),
    Launch: _card(mark("{player} plays the ship {card}")),
    Decline: _decline,
    Retreat: _retreat,
    Play: _play,
    Bluff: lambda _, player: msg("{player} lays a bluff card", player=player),
    Load: lambda action, player: msg(
        "{player} loads {card} onto {ship}",
        player=player,
        card=card_name(action.card),
        ship=card_name(action.ship),
    ),
    Use: _use,
    Pay: _pay,
    Discard: _discard,
    Reveal: lambda action, player: msg(
        "{player} shows the whole hand: {cards}", player=player, cards=names(action.cards)
    ),
    Double: lambda action, player: msg(
        "{player} doubles the demand of {card}", player=player, card=card_name(action.target)
    ),
    Adjust: _adjust,
    Announce: _announce,
    Call: _call,
    Trust: lambda _, player: msg("{player} does not call the bluff", player=player),
    End: lambda _, player: msg("{player} ends the turn", player=player),
    Count: lambda action, player: nmsg(
        "{player} has {n} card left in the deck",
        "{player} has {n} cards left in the deck",
        action.number,
        player=player,
    ),
}
