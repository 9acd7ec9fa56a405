"""The rules that can be broken in Blue Moon Legends: one sentence each, in our own words, by rule id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Final

from companion.errors import Param, RuleViolation
from companion.games.blue_moon_legends.catalogue import (
    BOOSTER,
    CHARACTER,
    EARTH,
    FIRE,
    SUPPORT,
    Card,
    CardId,
    catalogue,
)
from companion.games.blue_moon_legends.state import Hidden
from companion.games.kit.notation import unescape
from companion.i18n import Message, join, mark, mark_of, msg, msg_of
from companion.names import player_name
from companion.table import Place, Value, kind_of, parts_of

TEXTS: Final[Mapping[str, str]] = {
    "game.over": mark("The game is over; nothing more can be done."),
    "player.unknown": mark("{player} does not play in this game."),
    "turn.not_yours": mark("It is not {player}'s turn."),
    "phase.over": mark(
        "It is too late for this in this turn: the start comes first, then one leadership card "
        "or ship, then characters, then boosters and supports, then the announcement."
    ),
    "answer.first": mark("Before anything else {player} must answer."),
    "answer.not_asked": mark("Nothing was asked of this player."),
    "answer.number": mark("Exactly {number} cards are asked for."),
    "hand.lacks": mark("{card} cannot be in that hand."),
    "hand.closed": mark("{by} keeps cards from coming into this hand."),
    "cards.uncounted": mark("How many cards {player} discards must be counted here."),
    "deck.uncounted": mark("Nobody knows how many cards are left in {player}'s deck: count them."),
    "deck.count": mark("So many cards cannot be left in {player}'s deck: {number}."),
    "cards.unnamed": mark("All cards are known here, so they must be named."),
    "retrieve.not_active": mark("{card} is not an uncovered card in the own combat or support area."),
    "retrieve.no_icon": mark(
        "Only active cards with a retrieve icon that counts go back to the hand at the "
        "start of the turn; {card} has none."
    ),
    "retrieve.blocked": mark(
        "While the other side has an active character with the retrieve icon ({by}), "
        "own characters are not taken back."
    ),
    "bluff.not_there": mark("There is no bluff card at that place."),
    "bluff.no_icon": mark("Only cards with a bluff icon may be laid face down; {card} has none."),
    "bluff.ignored": mark("{by} takes the bluff icons away, so no card may be laid face down."),
    "ship.not_there": mark("{card} does not lie among the own ships."),
    "ship.lacks": mark("{card} is not on a ship that was unloaded in this turn."),
    "ship.full": mark("{card} carries {most} cards and is full."),
    "ship.wrong_kind": mark("Ships carry characters, boosters and supports; {card} is none."),
    "lead.wrong_kind": mark("{card} is not laid in the leadership phase in that way."),
    "lead.once": mark("One leadership card or ship is played in a turn, not more."),
    "play.wrong_kind": mark("{card} is no character, booster or support."),
    "play.stopped": mark("After a card with the stop icon no more cards are laid in this turn."),
    "play.ship_only": mark(
        "In a turn in which a ship was unloaded, characters, boosters and supports come from "
        "ships, not from the hand."
    ),
    "play.forbidden": mark("{by} forbids {card}."),
    "play.card_limit": mark("{by} lets only {most} card be played in this turn there."),
    "play.condition": mark("The condition on {card} does not hold now."),
    "character.limit": mark(
        "One character is laid in a turn; only free ones, a pair or a gang go beside it."
    ),
    "character.active_limit": mark("{by} lets only {most} character be active."),
    "gang.other_cards": mark(
        "Cards join a gang only where every active card of the combat area is a character of it."
    ),
    "gang.too_late": mark(
        "The first character of the turn has covered the old cards: there is no gang to join."
    ),
    "backing.before_character": mark("Boosters and supports come after the character."),
    "backing.first_turn": mark(
        "In the turn that begins a fight boosters and supports are laid, and ships loaded, "
        "only as far as a card's own text or its free icon allows it."
    ),
    "backing.limit": mark(
        "One booster or one support is laid (or one card loaded) in a turn; powers and icons "
        "may allow more, but not this one."
    ),
    "use.not_offered": mark("The power of {card} cannot be used now."),
    "use.target": mark("The power of {card} cannot be used on that."),
    "use.number": mark("{card} does not draw that many cards now."),
    "pay.not_demanded": mark("{card} demands nothing now."),
    "pay.wrong_cards": mark(
        "These cards do not meet the demand of {card}, or one of them is not needed for it."
    ),
    "adjust.not_by_hand": mark(
        "Only active cards whose power is applied by hand are given points, and {card} is none."
    ),
    "decline.in_fight": mark("A fight is running: carry it on or retreat."),
    "decline.number": mark("Who begins no fight discards one, two or three cards, not {number}."),
    "retreat.no_fight": mark("There is no fight of the other side's to retreat from."),
    "power.no_character": mark("Each turn of a fight needs a character."),
    "power.element": mark("The fight is in {element}."),
    "power.total": mark("The total is {total}, not {claimed}."),
    "power.too_low": mark("{total} in {element} is not enough: {reach} must be reached, or retreat."),
    "power.unpaid": mark("{card} must be paid in full before the announcement, or retreat."),
    "power.must_play": mark("{by} demands a {kind} card in this turn, or retreat."),
    "call.cards": mark("All {number} bluff cards are turned up, in their order."),
    "call.truth": mark(
        "A bluff is true where every bluff card has the icon of the contested element and no power "
        "takes the icons away; what was said of these cards is not so."
    ),
    "retreat.cards": mark("All cards are known here: what was laid before the retreat is told card by card."),
    "end.too_early": mark(
        "The turn ends with the announcement of the total power, by declining or by a retreat."
    ),
    "dragon.unearned": mark(
        "Dragons move only when a rule or a power attracts them: {player} has {dragons}."
    ),
    "winner.wrong": mark("The game is not over, or somebody else has won."),
    "element.wrong": mark("The contested element is {element}."),
    "card.foreign": mark("{card} does not belong to {player}'s deck."),
    "card.moved": mark("Nothing lets {card} lie there now."),
    "card.gone": mark("Nothing takes {card} away now."),
    "count.wrong": mark("The number of cards in {place} does not fit the rules."),
    "table.unexplained": mark("No legal run of play leads to this table."),
}

ELEMENT_NAMES: Final = {FIRE: mark("fire"), EARTH: mark("earth")}
# The word before "card" in "a {kind} card".
KIND_NAMES: Final = {
    CHARACTER: mark_of("card", "character"),
    BOOSTER: mark_of("card", "booster"),
    SUPPORT: mark_of("card", "support"),
}
PLACE_NAMES: Final = {
    "combat": mark("{player}'s fighters"),
    "support": mark("{player}'s support cards"),
    "ship": mark("{player}'s ships"),
    "cargo": mark("a card on {player}'s ship"),
    "landed": mark("{player}'s unloaded ship"),
    "open": mark("{player}'s open hand"),
    "leader": mark("{player}'s leader"),
    "hand": mark("{player}'s hand"),
    "deck": mark("{player}'s deck"),
    "discard": mark("{player}'s discard pile"),
    "top": mark("{player}'s discard pile"),
    "left": mark("{player}'s deck"),
}


def text(rule: str, params: Mapping[str, Param]) -> Message:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    gaps = {name: "?" for _, name, _, _ in Formatter().parse(TEXTS[rule]) if name}
    told = {name: _shown(name, value) for name, value in params.items()}
    return msg(TEXTS[rule], **{**gaps, **told})


def _shown(name: str, value: Param) -> Param:
    """Return a rule's parameter as players say it."""
    if not isinstance(value, str):
        return value
    match name:
        case "card" | "by" | "target":
            return card_name(value)
        case "player":
            return player_name(value)
        case "element":
            return element_name(value)
        case "kind" if value in KIND_NAMES:
            return msg_of("card", KIND_NAMES[value])
        case _:
            return value


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
    if card == "bluff":
        return msg("the bluff card")
    return msg("a card face down") if card == "back" else card


def element_name(element: str) -> str:
    """Return an element in words; a word that is none as it is."""
    return msg(ELEMENT_NAMES[element]) if element in ELEMENT_NAMES else element


def area_name(area: str, player: str) -> str:
    """Return in words where cards of a side lie."""
    return msg(PLACE_NAMES[area], player=player_name(player))


def names(cards: Iterable[Hidden]) -> str:
    """Return the names of cards for people; a card nobody saw is ``a card``."""
    told = [msg("a card") if card is None else card_name(card) for card in cards]
    return join(", ", told) if told else msg("nothing")


def power_text(card: Card) -> Message:
    """Return what a card's power does, in our own words; empty where it has none."""
    return join("", ()) if card.power is None else msg(card.power.note)


def place_name(where: Place) -> str:
    """Return the words for a place."""
    kind, parts = kind_of(where), parts_of(where)
    if kind in PLACE_NAMES:
        return msg(PLACE_NAMES[kind], player=player_name(unescape(parts[0])))
    if kind == "dragon":
        return msg("dragon {number}", number=int(parts[0]) + 1)
    return msg("the contested element") if kind == "element" else msg("who has won")


def value_name(where: Place, value: Value) -> str:
    """Return in words what lies at a place, or how many cards."""
    if value is None:
        return msg("nothing")
    if kind_of(where) in ("dragon", "winner"):
        return msg("the board") if value == "board" else player_name(unescape(value))
    return element_name(value) if kind_of(where) == "element" else card_name(value)
