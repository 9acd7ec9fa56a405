"""All legal actions of a state of Urbion, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from companion.game import Verdict
from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Fly,
    Play,
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
    ELEMENT,
    FLYING_INCUBI,
    FLYING_SANAE,
    INVISIBLE_INCUBI,
    INVISIBLE_SANAE,
    PROPHECY,
    SIDE_LIMIT,
    SIDES,
    SYMBOLS,
)
from companion.games.urbion.draft import is_book_dream
from companion.games.urbion.rules import card_sides, judge, prophecy_looks
from companion.games.urbion.state import Cards, Row, UrbionState, polarity_side, turn_of, worth


def legal_actions(state: UrbionState) -> Iterator[Action]:
    """Yield what may be done; what would draw an unknown card is left out."""
    if None in state.dreams or None in state.cities:
        yield from (action for action in _actions(state) if judge(state, action) is Verdict.LEGAL)
    else:
        yield from _actions(state)


def _actions(state: UrbionState) -> Iterator[Action]:
    player = turn_of(state)
    if player is None:
        return
    if state.pending == "side":
        yield from (ChooseSide(player=player, side=side) for side in SIDES)
    elif state.pending == "chaos":
        yield from chaos_actions(state, player)
    else:
        for card in sorted(set(state.hands[state.active])):
            yield from turns_with(state, player, card)


def chaos_actions(state: UrbionState, player: str) -> Iterator[Chaos]:
    """Yield what may be done with a drawn Chaos card."""
    cities = list(open_rows(state))
    yield from (Chaos(player=player, way="place", row=row) for row, city in cities if city.chaos_side)
    if not state.is_setup:
        yield from (Chaos(player=player, way="clear", row=row) for row, city in cities if city.is_balanced)
        yield Chaos(player=player, way="draw")


def turns_with(state: UrbionState, player: str, card: str) -> Iterator[Turn]:
    """Yield the turns that spend this hand card."""
    yield from plays(state, player, card)
    yield Discard(player=player, card=card)
    yield from swaps(state, player, card)
    if len(state.players) == 2:
        yield SwapPolarity(player=player, card=card)
    yield from balances(state, player, card, is_amazing=False)
    yield from _books(state, player, card)


def open_rows(state: UrbionState) -> Iterator[tuple[int, Row]]:
    """Yield the rows with a city."""
    return ((row, city) for row, city in enumerate(state.rows) if city is not None)


def plays(state: UrbionState, player: str, card: str) -> Iterator[Play]:
    """Yield the places on which a hand card may be laid."""
    only = polarity_side(state, state.active)
    for row, city in open_rows(state):
        if ELEMENT[card] in SYMBOLS[city.city]:
            for side in card_sides(card):
                if only in (None, side) and len(city.side(side)) < SIDE_LIMIT:
                    yield Play(player=player, card=card, row=row, side=side)


def swaps(state: UrbionState, player: str, card: str) -> Iterator[Swap]:
    """Yield the exchanges of two different cards on one side of two cities."""
    for (row, city), (other_row, other) in combinations(open_rows(state), 2):
        for side in SIDES:
            for one, two in product(sorted(set(city.side(side))), sorted(set(other.side(side)))):
                if one != two and (state.options.swap_chaos or CHAOS not in (one, two)):
                    yield Swap(player=player, card=card, side=side, cards=((row, one), (other_row, two)))


def balances(state: UrbionState, player: str, card: str, *, is_amazing: bool) -> Iterator[Balance]:
    """Yield every choice of removals beside the claims that come by themselves."""
    has_claims = any(city.is_balanced for _, city in open_rows(state))
    choices = [[None, *removals(row, city)] for row, city in open_rows(state) if not city.is_balanced]
    for chosen in product(*choices):
        remove = tuple(removal for removal in chosen if removal is not None)
        if has_claims or remove:
            yield Balance(player=player, card=card, remove=remove, is_amazing=is_amazing)


def removals(row: int, city: Row) -> list[Removal]:
    """Return the zero sums that may be removed from an unbalanced city."""
    rights: dict[int, list[Cards]] = {}
    for right in _subsets(city.right):
        rights.setdefault(worth(right), []).append(right)
    return [
        Removal(row=row, left=left, right=right)
        for left in _subsets(city.left)
        for right in rights.get(worth(left), ())
    ]


def _subsets(cards: Cards) -> list[Cards]:
    """Return the different non-empty multisets of some cards."""
    ordered = sorted(cards)
    found = {chosen for size in range(1, len(ordered) + 1) for chosen in combinations(ordered, size)}
    return sorted(found)


def _books(state: UrbionState, player: str, card: str) -> Iterator[Turn]:
    for book in sorted(set(state.books)):
        if book in (FLYING_INCUBI, FLYING_SANAE):
            yield from flights(state, player, card, book)
        elif book in (INVISIBLE_INCUBI, INVISIBLE_SANAE):
            yield from (
                Vanish(player=player, card=card, book=book, row=row, dream=dream)
                for row, dream in book_dreams(state, book)
            )
        elif book == AGORAPHILIA:
            yield from (
                Agoraphilia(player=player, card=card, row=row)
                for row, city in open_rows(state)
                if city.is_empty
            )
        elif book == AMAZING_BALANCE:
            yield from balances(state, player, card, is_amazing=True)
        elif book == PROPHECY:
            yield from prophecies(state, player, card)


def flights(state: UrbionState, player: str, card: str, book: str) -> Iterator[Fly]:
    """Yield the moves that a flying Book allows."""
    for row, dream in book_dreams(state, book):
        for end, city in open_rows(state):
            if end != row and len(city.side(BOOK_SIDE[book])) < SIDE_LIMIT:
                yield Fly(player=player, card=card, book=book, start=row, end=end, dream=dream)


def book_dreams(state: UrbionState, book: str) -> Iterator[tuple[int, str]]:
    side = BOOK_SIDE[book]
    for row, city in open_rows(state):
        yield from ((row, dream) for dream in sorted(set(city.side(side))) if is_book_dream(dream, side))


def prophecies(state: UrbionState, player: str, card: str) -> Iterator[Prophecy]:
    """Yield the different orders in which the looked-at dreams may go back."""
    looked = state.dreams[: prophecy_looks(state)]
    if looked:
        for order in dict.fromkeys(permutations(looked)):
            yield Prophecy(player=player, card=card, order=order)
