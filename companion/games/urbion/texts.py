"""Words for players of Urbion: names of cards and sides, and one sentence a rule, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.errors import Param, RuleViolation
from companion.games.kit.notation import unescape
from companion.games.urbion.catalogue import (
    ARCHIPLACE,
    CHAOS,
    ELEMENT,
    ELEMENTS,
    INCUBUS,
    KIND,
    LEFT,
    META,
    RIGHT,
    SANAE,
    SYMBOLS,
    VALUE,
)
from companion.i18n import Message, join, mark, mark_of, msg, msg_of
from companion.names import player_name
from companion.table import Place, Value, kind_of, parts_of

ELEMENT_NAMES: Final = {
    "earth": mark("earth"),
    "water": mark("water"),
    "fire": mark("fire"),
    "air": mark("air"),
}
DREAM_NAMES: Final = {
    INCUBUS: mark("Incubus ({element} {value})"),
    SANAE: mark("Sanae ({element} {value})"),
    META: mark("Meta ({element} {value})"),
}
DECK_NAMES: Final = {"dreams": mark_of("deck", "dreams"), "cities": mark_of("deck", "cities")}
BOOK_NAMES: Final = {
    "flying_incubi": mark("Flying Incubi"),
    "flying_sanae": mark("Flying Sanae"),
    "invisible_incubi": mark("Invisible Incubi"),
    "invisible_sanae": mark("Invisible Sanae"),
    "agoraphilia": mark("Agoraphilia"),
    "amazing_balance": mark("Amazing Balance"),
    "prophecy": mark("Prophecy"),
}
SIDE_NAMES: Final = {LEFT: mark("left"), RIGHT: mark("right")}

TEXTS: Final[Mapping[str, str]] = {
    "game.over": mark("The game is over; nothing more can be done."),
    "player.unknown": mark("{player} does not play in this game."),
    "turn.other": mark("{player} is not to act: {turn} is."),
    "turn.pending_side": mark("First the dealt pair needs a side."),
    "turn.pending_chaos": mark("First the drawn Chaos card must be decided."),
    "side.none": mark("No dealt pair waits for a side."),
    "chaos.none": mark("No Chaos card waits for a decision."),
    "chaos.setup": mark("In the set-up a drawn Chaos card must be placed."),
    "chaos.equal": mark("Chaos goes to the stronger side, and row {row} has none: its sides are equal."),
    "chaos.full": mark("Chaos goes to the stronger side, and that of row {row} already has three cards."),
    "chaos.side": mark("Chaos is laid on the stronger side of a city; on row {row} that is the {side}."),
    "chaos.not_balanced": mark("Only a balanced city with cards can be cleared; row {row} is none."),
    "row.no_city": mark("There is no city in row {row}."),
    "hand.missing": mark("{player} does not hold {card}."),
    "hand.changed": mark("Hand cards are only spent one a turn; {player}'s hand does not fit."),
    "play.symbol": mark("{card} shows none of the symbols of the city in row {row} ({city})."),
    "play.side": mark("An incubus is played on the left, a sanae on the right: {card} does not go {side}."),
    "play.full": mark("Three cards are the most on a side; the {side} of row {row} is full."),
    "play.polarity": mark("{player} may only play cards on the {side}: that is the polarity."),
    "swap.rows": mark("A swap takes cards of two different cities."),
    "swap.missing": mark("{card} does not lie on the {side} of row {row}."),
    "swap.same": mark("A swap of two equal cards changes nothing."),
    "swap.side": mark("Only cards of the same side change places."),
    "swap.chaos": mark("By this table's ruling Chaos cards are not swapped."),
    "balance.nothing": mark("Nothing is balanced and nothing is removed."),
    "balance.row_twice": mark("Row {row} is named twice."),
    "balance.balanced": mark("Row {row} is balanced and claimed whole: nothing is removed from it."),
    "balance.missing": mark("The cards to remove do not all lie at row {row}."),
    "balance.sum": mark("Cards of both sides are removed whose sum is zero; on row {row} it is {sum}."),
    "balance.claim": mark("Only a balanced city is claimed; the sum of row {row} is {sum}."),
    "balance.all": mark("Balance claims every balanced city, row {row} too."),
    "polarity.solo": mark("There are no polarity cards in the solo game."),
    "book.closed": mark("The Book {book} is not open."),
    "book.same_row": mark("The card flies to another city."),
    "book.missing": mark("{dream} does not lie on the {side} of row {row}."),
    "book.chaos": mark("Chaos cards neither fly nor vanish."),
    "book.full": mark("Three cards are the most on a side; the {side} of row {row} is full."),
    "book.not_empty": mark("Only a city without cards is claimed by Agoraphilia; row {row} has some."),
    "book.no_dreams": mark("There is no dream left to look at."),
    "book.order": mark("The dreams looked at go back, the same cards in a new order."),
    "deck.unknown": mark("The next card of the {deck} is not known yet: show it first."),
    "reveal.too_many": mark("There are only {nulls} unknown cards in the {deck}."),
    "reveal.no_such_card": mark("{card} cannot be there: all its copies are known."),
    "draw.other_card": mark("The next card of the deck is drawn; {place} shows another one."),
    "card.removed": mark("Dreams stay at their city; {card} of row {row} is gone without a reason."),
    "card.added": mark("{card} came to row {row} without a legal reason."),
    "city.changed": mark("An open city stays until it is claimed; row {row} was changed."),
    "polarity.changed": mark("Polarity cards only change places when a card is spent for it."),
    "discard.changed": mark("The discard pile does not show the card that was discarded last."),
    "table.unexplained": mark("No legal turn leads from the last known table to this one."),
}


def text(rule: str, params: Mapping[str, Param]) -> Message:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    return msg(TEXTS[rule], **{name: _shown(name, value) for name, value in params.items()})


def _shown(name: str, value: Param) -> Param:
    """Return a rule's parameter as players say it: rows count from 1, everything goes by its name."""
    if not isinstance(value, str):
        return value + 1 if name == "row" else value
    if name in ("player", "turn"):
        return player_name(value)
    if name == "side" and value in SIDE_NAMES:
        return msg(SIDE_NAMES[value])
    if name == "deck" and value in DECK_NAMES:
        return msg_of("deck", DECK_NAMES[value])
    if name == "book" and value in BOOK_NAMES:
        return msg(BOOK_NAMES[value])
    if name in ("card", "dream") and value in KIND:
        return dream_name(value)
    if name == "city" and value in SYMBOLS:
        return city_name(value)
    return value


def refuse(rule: str, **params: Param) -> NoReturn:
    """Raise the violation of a rule, with its sentence."""
    raise RuleViolation(rule, text(rule, params), **params)


# -- names ------------------------------------------------------------------------------------------


def dream_name(card: str) -> Message:
    """Return a dream in words."""
    if card == CHAOS:
        return msg("Chaos")
    return msg(DREAM_NAMES[KIND[card]], element=msg(ELEMENT_NAMES[ELEMENT[card]]), value=VALUE[card])


def city_name(city: str) -> Message:
    """Return a city in words: its symbols."""
    if city == ARCHIPLACE:
        return msg("Archiplace")
    return msg("City of {elements}", elements=_elements_text(city))


def _elements_text(city: str) -> Message:
    return join(" + ", [msg(ELEMENT_NAMES[element]) for element in ELEMENTS if element in SYMBOLS[city]])


def place_name(where: Place) -> str:
    """Return the words for a place."""
    parts = parts_of(where)
    match kind_of(where):
        case "city":
            return msg("the city in row {row}", row=int(parts[0]) + 1)
        case "dream":
            return msg("row {row}, {side}", row=int(parts[0]) + 1, side=msg(SIDE_NAMES[parts[1]]))
        case "hand":
            return msg("{player}'s hand", player=player_name(unescape(parts[0])))
        case "polarity":
            return msg("{player}'s polarity card", player=player_name(unescape(parts[0])))
        case "discard":
            return msg("the discard pile")
        case _:
            return msg("a card beside the cities")


def value_name(where: Place, value: Value) -> str:
    """Return in words what lies at a place."""
    if value is None:
        return msg("nothing")
    if kind_of(where) == "polarity":
        return msg("Polarity: Sanae, right") if value == "sanae" else msg("Polarity: Incubi, left")
    return lying_name(value)


def lying_name(card: str) -> str:
    """Return a dream or a city in words; what is neither as it is."""
    if card in KIND:
        return dream_name(card)
    return city_name(card) if card in SYMBOLS else card
