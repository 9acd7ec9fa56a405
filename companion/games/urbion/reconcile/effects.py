"""The turns that may have led to a seen table, sorted out before they are played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from companion.games.kit.evidence import MISSING
from companion.games.urbion.actions import (
    Agoraphilia,
    Balance,
    Discard,
    Fly,
    Prophecy,
    Removal,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import (
    AGORAPHILIA,
    AMAZING_BALANCE,
    BOOK_SIDE,
    CHAOS,
    FLYING_INCUBI,
    FLYING_SANAE,
    INVISIBLE_INCUBI,
    INVISIBLE_SANAE,
    LEFT,
    RIGHT,
    SIDES,
)
from companion.games.urbion.draft import without
from companion.games.urbion.legal import book_dreams, flights, open_rows, plays, prophecies, removals, swaps
from companion.games.urbion.reconcile.seen_table import Group, SeenTable
from companion.games.urbion.state import Cards, Row, UrbionState


class Aiming(Protocol):
    """What says whether a turn may lead to the seen table."""

    sight: SeenTable

    def allows(self, touched: dict[Group, Cards]) -> bool:
        """Say whether the turn may be meant that leaves these sides so."""

    def allows_row(self, row: int, sides: dict[str, Cards]) -> bool:
        """Say whether a removal may be meant that leaves the sides of a row so."""


def turns_towards(state: UrbionState, player: str, card: str, aim: Aiming) -> Iterator[Turn]:
    """Yield the turns with this hand card that the seen table does not rule out."""
    for play in plays(state, player, card):
        row = state.rows[play.row]
        laid = (*row.side(play.side), card) if row else ()
        if aim.allows({("dream", play.row, play.side): laid}):
            yield play
    if aim.allows({}):
        yield Discard(player=player, card=card)
        if _may_have_changed(state, aim.sight):
            yield SwapPolarity(player=player, card=card)
        yield from _prophecies(state, player, card, aim.sight)
    for swap in swaps(state, player, card):
        if aim.allows(_after_swap(state, swap)):
            yield swap
    yield from _balances(state, player, card, aim)
    yield from _books(state, player, card, aim)


def _may_have_changed(state: UrbionState, sight: SeenTable) -> bool:
    """Whether the polarity cards may have changed places."""
    if len(state.players) == 1:
        return False
    return sight.polarity(0) in (MISSING, "incubi" if state.sanae == 0 else "sanae")


def _after_swap(state: UrbionState, swap: Swap) -> dict[Group, Cards]:
    (row, card), (other_row, other) = swap.cards
    after: dict[Group, Cards] = {}
    for at, old, new in ((row, card, other), (other_row, other, card)):
        city = state.rows[at]
        if city is not None:
            after["dream", at, swap.side] = (*without(city.side(swap.side), old), new)
    return after


def _prophecies(state: UrbionState, player: str, card: str, sight: SeenTable) -> Iterator[Prophecy]:
    """Yield the orders that bring the seen card into the hand; which others follow nobody can see."""
    group: Group = ("hand", state.active)
    held = sight.known(group) if sight.is_whole(group) else None
    for prophecy in prophecies(state, player, card):
        first = prophecy.order[0]
        if held is None or first in (CHAOS, None) or first in held:
            yield prophecy


# -- balance --------------------------------------------------------------------------------------------


def _balances(state: UrbionState, player: str, card: str, aim: Aiming) -> Iterator[Balance]:
    claims = [row for row, city in open_rows(state) if city.is_balanced]
    # A claimed city is gone: a row that surely looks as before was not claimed.
    if any(_is_untouched(row, state.rows[row], aim.sight) for row in claims):
        return
    choices = [_removal_choices(row, city, aim) for row, city in open_rows(state) if not city.is_balanced]
    for chosen in product(*choices):
        remove = tuple(removal for removal in chosen if removal is not None)
        if not claims and not remove:
            continue
        yield Balance(player=player, card=card, remove=remove)
        if AMAZING_BALANCE in state.books:
            yield Balance(player=player, card=card, remove=remove, is_amazing=True)


def _is_untouched(number: int, row: Row | None, sight: SeenTable) -> bool:
    """Whether a row surely looks as the state has it."""
    sides: list[Group] = [("dream", number, side) for side in SIDES]
    return row is not None and all(map(sight.is_whole, sides)) and sight.row_fits(number, row)


def _removal_choices(row: int, city: Row, aim: Aiming) -> list[Removal | None]:
    """Return the removals that may have been made, and None for no removal."""
    found: list[Removal | None] = [None]
    for removal in removals(row, city):
        kept = {LEFT: _less(city.left, removal.left), RIGHT: _less(city.right, removal.right)}
        if aim.allows_row(row, kept):
            found.append(removal)
    return found


def _less(cards: Cards, gone: Cards) -> Cards:
    for card in gone:
        cards = without(cards, card)
    return cards


# -- the Books ------------------------------------------------------------------------------------------


def _books(state: UrbionState, player: str, card: str, aim: Aiming) -> Iterator[Turn]:
    for book in (FLYING_INCUBI, FLYING_SANAE):
        if book in state.books:
            every = flights(state, player, card, book)
            yield from (flight for flight in every if aim.allows(_after_flight(state, flight)))
    for book in (INVISIBLE_INCUBI, INVISIBLE_SANAE):
        if book in state.books:
            yield from _vanishings(state, player, card, book, aim)
    if AGORAPHILIA in state.books:
        empty = [(row, city) for row, city in open_rows(state) if city.is_empty]
        claims = [row for row, city in empty if not _is_untouched(row, city, aim.sight)]
        yield from (Agoraphilia(player=player, card=card, row=row) for row in claims)


def _vanishings(state: UrbionState, player: str, card: str, book: str, aim: Aiming) -> Iterator[Vanish]:
    for row, dream in book_dreams(state, book):
        vanish = Vanish(player=player, card=card, book=book, row=row, dream=dream)
        if aim.allows(_after_vanishing(state, vanish)):
            yield vanish


def _after_flight(state: UrbionState, flight: Fly) -> dict[Group, Cards]:
    side = BOOK_SIDE[flight.book]
    start, end = state.rows[flight.start], state.rows[flight.end]
    if start is None or end is None:
        return {}
    return {
        ("dream", flight.start, side): without(start.side(side), flight.dream),
        ("dream", flight.end, side): (*end.side(side), flight.dream),
    }


def _after_vanishing(state: UrbionState, vanish: Vanish) -> dict[Group, Cards]:
    side = BOOK_SIDE[vanish.book]
    row = state.rows[vanish.row]
    return {} if row is None else {("dream", vanish.row, side): without(row.side(side), vanish.dream)}
