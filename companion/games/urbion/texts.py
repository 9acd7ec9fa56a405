"""Words for players of Urbion: names of cards and sides, and one sentence a rule, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.errors import Param, RuleViolation
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
from companion.i18n import Message, join, mark, msg

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
SIDE_NAMES: Final = {LEFT: mark("left"), RIGHT: mark("right")}

TEXTS: Final[Mapping[str, str]] = {
    "game.over": "The game is over; nothing more can be done.",
    "player.unknown": "{player} does not play in this game.",
    "turn.other": "{player} is not to act: {turn} is.",
    "turn.pending_side": "First the dealt pair needs a side.",
    "turn.pending_chaos": "First the drawn Chaos card must be decided.",
    "side.none": "No dealt pair waits for a side.",
    "chaos.none": "No Chaos card waits for a decision.",
    "chaos.setup": "In the set-up a drawn Chaos card must be placed.",
    "chaos.equal": "Chaos goes to the stronger side, and row {row} has none: its sides are equal.",
    "chaos.full": "Chaos goes to the stronger side, and that of row {row} already has three cards.",
    "chaos.side": "Chaos is laid on the stronger side of a city; on row {row} that is the {side}.",
    "chaos.not_balanced": "Only a balanced city with cards can be cleared; row {row} is none.",
    "row.no_city": "There is no city in row {row}.",
    "hand.missing": "{player} does not hold {card}.",
    "hand.changed": "Hand cards are only spent one a turn; {player}'s hand does not fit.",
    "play.symbol": "{card} shows none of the symbols of the city in row {row} ({city}).",
    "play.side": "An incubus is played on the left, a sanae on the right: {card} does not go {side}.",
    "play.full": "Three cards are the most on a side; the {side} of row {row} is full.",
    "play.polarity": "{player} may only play cards on the {side}: that is the polarity.",
    "swap.rows": "A swap takes cards of two different cities.",
    "swap.missing": "{card} does not lie on the {side} of row {row}.",
    "swap.same": "A swap of two equal cards changes nothing.",
    "swap.side": "Only cards of the same side change places.",
    "swap.chaos": "By this table's ruling Chaos cards are not swapped.",
    "balance.nothing": "Nothing is balanced and nothing is removed.",
    "balance.row_twice": "Row {row} is named twice.",
    "balance.balanced": "Row {row} is balanced and claimed whole: nothing is removed from it.",
    "balance.missing": "The cards to remove do not all lie at row {row}.",
    "balance.sum": "Cards of both sides are removed whose sum is zero; on row {row} it is {sum}.",
    "balance.claim": "Only a balanced city is claimed; the sum of row {row} is {sum}.",
    "balance.all": "Balance claims every balanced city, row {row} too.",
    "polarity.solo": "There are no polarity cards in the solo game.",
    "book.closed": "The Book {book} is not open.",
    "book.same_row": "The card flies to another city.",
    "book.missing": "{dream} does not lie on the {side} of row {row}.",
    "book.chaos": "Chaos cards neither fly nor vanish.",
    "book.full": "Three cards are the most on a side; the {side} of row {row} is full.",
    "book.not_empty": "Only a city without cards is claimed by Agoraphilia; row {row} has some.",
    "book.no_dreams": "There is no dream left to look at.",
    "book.order": "The dreams looked at go back, the same cards in a new order.",
    "deck.unknown": "The next card of the {deck} is not known yet: show it first.",
    "reveal.too_many": "There are only {nulls} unknown cards in the {deck}.",
    "reveal.no_such_card": "{card} cannot be there: all its copies are known.",
    "draw.other_card": "The next card of the deck is drawn; {place} shows another one.",
    "card.removed": "Dreams stay at their city; {card} of row {row} is gone without a reason.",
    "card.added": "{card} came to row {row} without a legal reason.",
    "city.changed": "An open city stays until it is claimed; row {row} was changed.",
    "polarity.changed": "Polarity cards only change places when a card is spent for it.",
    "discard.changed": "The discard pile does not show the card that was discarded last.",
    "table.unexplained": "No legal turn leads from the last known table to this one.",
}


def text(rule: str, params: Mapping[str, Param]) -> str:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    return TEXTS[rule].format(**{name: _shown(name, value) for name, value in params.items()})


def _shown(name: str, value: Param) -> Param:
    """Return a rule's parameter as players say it: rows count from 1, cards go by their names."""
    if name == "row" and isinstance(value, int):
        return value + 1
    if name in ("card", "dream") and value in KIND:
        return dream_name(str(value))
    if name == "city" and value in SYMBOLS:
        return city_name(str(value))
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
