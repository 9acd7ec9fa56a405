"""The rules that can be broken in Blue Moon Legends: one sentence each, in our own words, by rule id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from companion.errors import Param, RuleViolation
from companion.games.blue_moon_legends.catalogue import CardId, catalogue

TEXTS: Final[Mapping[str, str]] = {
    "game.over": "The game is over; nothing more can be done.",
    "player.unknown": "{player} does not play in this game.",
    "turn.not_yours": "It is not {player}'s turn.",
    "phase.over": "The time for this has passed in this turn: first the start ({phase} is over), then one "
    "leadership card or ship, characters, boosters and supports, the announcement.",
    "answer.first": "Before anything else {player} must answer.",
    "answer.not_asked": "Nothing was asked of this player.",
    "answer.number": "Exactly {number} cards are asked for.",
    "hand.lacks": "{card} cannot be in that hand.",
    "hand.closed": "{by} keeps cards from coming into this hand.",
    "cards.unnamed": "All cards are known here, so they must be named.",
    "retrieve.not_active": "{card} is not an uncovered card in the own combat or support area.",
    "retrieve.no_icon": "Only active cards with a retrieve icon that counts go back to the hand at the "
    "start of the turn; {card} has none.",
    "retrieve.blocked": "While the other side has an active character with the retrieve icon ({by}), "
    "own characters are not taken back.",
    "bluff.not_there": "There is no bluff card at that place.",
    "bluff.no_icon": "Only cards with a bluff icon may be laid face down; {card} has none.",
    "bluff.ignored": "{by} takes the bluff icons away, so no card may be laid face down.",
    "ship.not_there": "{card} does not lie among the own ships.",
    "ship.lacks": "{card} is not on a ship that was unloaded in this turn.",
    "ship.full": "{card} carries {most} cards and is full.",
    "ship.wrong_kind": "Ships carry characters, boosters and supports; {card} is none.",
    "lead.wrong_kind": "{card} is not laid in the leadership phase in that way.",
    "lead.once": "One leadership card or ship is played in a turn, not more.",
    "play.wrong_kind": "{card} is no character, booster or support.",
    "play.stopped": "After a card with the stop icon no more cards are laid in this turn.",
    "play.ship_only": "In a turn in which a ship was unloaded, characters, boosters and supports come from "
    "ships, not from the hand.",
    "play.forbidden": "{by} forbids {card}.",
    "play.card_limit": "{by} lets only {most} card be played in this turn there.",
    "play.condition": "The condition on {card} does not hold now.",
    "character.limit": "One character is laid in a turn; only free ones, a pair or a gang go beside it.",
    "character.active_limit": "{by} lets only {most} character be active.",
    "gang.other_cards": "Cards join a gang only where every active card of the combat area is a character "
    "of it.",
    "gang.too_late": "The first character of the turn has covered the old cards: there is no gang to join.",
    "backing.before_character": "Boosters and supports come after the character.",
    "backing.first_turn": "In the turn that begins a fight boosters and supports are laid, and ships loaded, "
    "only as far as a card's own text or its free icon allows it.",
    "backing.limit": "One booster or one support is laid (or one card loaded) in a turn; powers and icons "
    "may allow more, but not this one.",
    "use.not_offered": "The power of {card} cannot be used now.",
    "use.target": "The power of {card} cannot be used on that.",
    "use.number": "{card} does not draw that many cards now.",
    "pay.not_demanded": "{card} demands nothing now.",
    "pay.wrong_cards": "These cards do not meet the demand of {card}, or one of them is not needed for it.",
    "adjust.not_by_hand": "Only active cards whose power is applied by hand are given points, and {card} is "
    "none.",
    "decline.in_fight": "A fight is running: carry it on or retreat.",
    "decline.number": "Who begins no fight discards one, two or three cards, not {number}.",
    "retreat.no_fight": "There is no fight of the other side's to retreat from.",
    "power.no_character": "Each turn of a fight needs a character.",
    "power.element": "The fight is in {element}.",
    "power.total": "The total is {total}, not {claimed}.",
    "power.too_low": "{total} in {element} is not enough: {reach} must be reached, or retreat.",
    "power.unpaid": "{card} must be paid in full before the announcement, or retreat.",
    "power.must_play": "{by} demands a {kind} card in this turn, or retreat.",
    "call.cards": "All {number} bluff cards are turned up, in their order.",
    "call.truth": "A bluff is true where every bluff card has the icon of the contested element and no power "
    "takes the icons away; what was said of these cards is not so.",
    "retreat.cards": "All cards are known here: what was laid before the retreat is told card by card.",
    "end.too_early": "The turn ends with the announcement of the total power, by declining or by a retreat.",
    "dragon.unearned": "Dragons move only when a rule or a power attracts them: {player} has {dragons}.",
    "winner.wrong": "The game is not over, or somebody else has won.",
    "element.wrong": "The contested element is {element}.",
    "card.foreign": "{card} does not belong to {player}'s deck.",
    "card.moved": "Nothing lets {card} lie there now.",
    "card.gone": "Nothing takes {card} away now.",
    "count.wrong": "The number of cards in {place} does not fit the rules.",
    "table.unexplained": "No legal run of play leads to this table.",
}

_CARD_PARAMS: Final = ("card", "by", "target")


def text(rule: str, params: Mapping[str, Param]) -> str:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    words: defaultdict[str, str] = defaultdict(lambda: "?")
    for key, value in params.items():
        words[key] = card_name(str(value)) if key in _CARD_PARAMS else str(value)
    return TEXTS[rule].format_map(words)


def violation(rule: str, **params: Param) -> RuleViolation:
    """Return the refusal by a rule, with its sentence."""
    return RuleViolation(rule, text(rule, params), **params)


def card_name(card: str) -> str:
    """Return the name of a card or leader for people, the word itself where it is none."""
    facts = catalogue().cards.get(CardId(card))
    if facts is not None:
        return facts.name
    for deck in catalogue().decks.values():
        if deck.leader == card:
            return deck.leader_name
    return {"bluff": "the bluff card", "back": "a face-down card"}.get(card, card)
