"""The rules of Urbion: from state and action to state and events, or a violation with nothing changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from companion.errors import RuleViolation
from companion.game import Event, Verdict
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
    Reveal,
    Revealed,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.actions import Laid as LaidEvent
from companion.games.urbion.catalogue import (
    AGORAPHILIA,
    AMAZING_BALANCE,
    ARCHIPLACE,
    BASE_CITIES,
    BOOK_SIDE,
    CHAOS,
    ELEMENT,
    INCUBUS,
    KIND,
    LEFT,
    PROPHECY,
    RIGHT,
    ROWS,
    SANAE,
    SIDE_LIMIT,
    SYMBOLS,
    VALUE,
    group_limit,
    group_of,
)
from companion.games.urbion.draft import Draft, is_book_dream, without
from companion.games.urbion.state import Cards, Deck, Job, Row, UrbionState, polarity_side, turn_of
from companion.games.urbion.texts import refuse

LOOKS_PER_PROPHECY = 2


def apply(state: UrbionState, action: Action) -> tuple[UrbionState, tuple[Event, ...]]:
    """Return the next state and what happened; raises RuleViolation and changes nothing."""
    if state.reason is not None:
        refuse("game.over")
    if isinstance(action, Reveal):
        return _reveal(state, action)
    draft = begin(state, action)
    if draft.reason is None:
        draft.run()
    return draft.finish()


def begin(state: UrbionState, action: ChooseSide | Chaos | Turn) -> Draft:
    """Return the next state as it is before anything is dealt to cities or drawn into hands."""
    _check_turn(state, action)
    draft = Draft(state)
    if isinstance(action, ChooseSide):
        draft.place_pair(_pair_row(state), action.side)
    elif isinstance(action, Chaos):
        _decide_chaos(draft, action)
    else:
        draft.turns += 1
        draft.jobs = [Job(seat=state.active)]
        _spend(draft, action)
        _act(draft, action)
    return draft


def judge(state: UrbionState, action: Action) -> Verdict:
    """Say whether the action is legal; an unknown card to be drawn makes it undecidable."""
    try:
        apply(state, action)
    except RuleViolation as violation:
        return Verdict.CANNOT_TELL if violation.rule == "deck.unknown" else Verdict.REFUSED
    return Verdict.LEGAL


def _check_turn(state: UrbionState, action: ChooseSide | Chaos | Turn) -> None:
    if action.player not in state.players:
        refuse("player.unknown", player=action.player)
    turn = turn_of(state)
    if action.player != turn:
        refuse("turn.other", player=action.player, turn=turn or "")
    pending = state.pending
    if isinstance(action, ChooseSide):
        if pending != "side":
            refuse("side.none")
    elif isinstance(action, Chaos):
        if pending != "chaos":
            refuse("chaos.none")
    elif pending is not None:
        refuse(f"turn.pending_{pending}")


def _pair_row(state: UrbionState) -> int:
    row = state.jobs[0].row
    if row is None:
        refuse("side.none")
    return row


# -- revealing --------------------------------------------------------------------------------------


def _reveal(state: UrbionState, action: Reveal) -> tuple[UrbionState, tuple[Event, ...]]:
    dreams = _filled(state.dreams, action.dreams or (), "dreams")
    cities = _filled(state.cities, action.cities or (), "cities")
    after = replace(state, dreams=dreams, cities=cities, actions=state.actions + 1)
    for card in impossible_cards(after):
        refuse("reveal.no_such_card", card=card)
    event = Revealed(dreams=len(action.dreams or ()), cities=len(action.cities or ()))
    return after, (event,)


def _filled(deck: Deck, shown: Cards, name: str) -> Deck:
    nulls = [index for index, card in enumerate(deck) if card is None]
    if len(shown) > len(nulls):
        refuse("reveal.too_many", nulls=len(nulls), deck=name)
    cards = list(deck)
    for index, card in zip(nulls, shown, strict=False):
        cards[index] = card
    return tuple(cards)


def impossible_cards(state: UrbionState) -> list[str]:
    """Return groups of dreams and cities of which more copies are known than exist."""
    counts = Counter(map(group_of, known_dreams(state)))
    odd = [g for g, count in counts.items() if count > group_limit(g, with_metas=state.archiplaces)]
    cities = known_cities(state)
    archiplaces = cities.count(ARCHIPLACE)
    if archiplaces > state.all_cities - BASE_CITIES:
        odd.append(ARCHIPLACE)
    if len(cities) - archiplaces > BASE_CITIES:
        odd.append("a city of two symbols")
    return odd


def known_dreams(state: UrbionState) -> list[str]:
    """Return every dream card whose whereabouts are known."""
    laid = [card for row in state.rows if row for card in (*row.left, *row.right)]
    held = [card for hand in state.hands for card in hand]
    deck = [card for card in state.dreams if card is not None]
    return [*laid, *held, *deck, *state.discards, *state.pair, *[CHAOS] * state.chaos]


def known_cities(state: UrbionState) -> list[str]:
    """Return every city that is claimed, open or known in the deck."""
    deck = [city for city in state.cities if city is not None]
    return [*state.claimed, *(row.city for row in state.rows if row), *deck]


# -- Chaos ------------------------------------------------------------------------------------------


def _decide_chaos(draft: Draft, action: Chaos) -> None:
    if action.way != "place" and draft.is_setup:
        refuse("chaos.setup")
    draft.chaos -= 1
    if action.way == "draw" or action.row is None:
        draft.thrown.append(CHAOS)
        draft.draw_for_chaos()
    elif action.way == "place":
        draft.lay(action.row, chaos_side(draft.row(action.row), action.row), CHAOS, "chaos")
    else:
        if not draft.row(action.row).is_balanced:
            refuse("chaos.not_balanced", row=action.row)
        draft.thrown.append(CHAOS)
        draft.clear(action.row)


def chaos_side(open_city: Row, row: int) -> str:
    """Return the side that takes a Chaos card; refuses where none does."""
    side = open_city.chaos_side
    if side is None:
        left, right = open_city.sums
        refuse("chaos.equal" if left == right else "chaos.full", row=row)
    return side


# -- a turn -----------------------------------------------------------------------------------------


def _spend(draft: Draft, action: Turn) -> None:
    """Take the card out of the hand; unless it is played, it is the first to be discarded."""
    draft.take_from_hand(draft.state.active, action.card)
    if not isinstance(action, Play):
        draft.thrown.append(action.card)


def _act(draft: Draft, action: Turn) -> None:
    match action:
        case Play():
            _play(draft, action)
        case Discard():
            pass
        case Swap():
            _swap(draft, action)
        case Balance():
            _balance(draft, action)
        case SwapPolarity():
            if len(draft.hands) == 1:
                refuse("polarity.solo")
            draft.sanae = 1 - draft.sanae
        case Fly():
            _fly(draft, action)
        case Vanish():
            _vanish(draft, action)
        case Agoraphilia():
            _agoraphilia(draft, action)
        case Prophecy():
            _prophesy(draft, action)
        case _:
            assert_never(action)


def _play(draft: Draft, action: Play) -> None:
    open_city = draft.row(action.row)
    if action.side not in card_sides(action.card):
        refuse("play.side", card=action.card, side=action.side)
    allowed = polarity_side(draft.state, draft.state.active)
    if allowed not in (None, action.side):
        refuse("play.polarity", player=action.player, side=allowed or "")
    if ELEMENT[action.card] not in SYMBOLS[open_city.city]:
        refuse("play.symbol", card=action.card, row=action.row, city=open_city.city)
    if len(open_city.side(action.side)) >= SIDE_LIMIT:
        refuse("play.full", side=action.side, row=action.row)
    draft.lay(action.row, action.side, action.card, "played")


def card_sides(card: str) -> tuple[str, ...]:
    """Return the sides on which a card may be played from the hand."""
    kind = KIND[card]
    return (LEFT,) if kind == INCUBUS else (RIGHT,) if kind == SANAE else (LEFT, RIGHT)


def _swap(draft: Draft, action: Swap) -> None:
    (row, card), (other_row, other) = action.cards
    if row == other_row:
        refuse("swap.rows")
    for at, dream in action.cards:
        if dream not in draft.row(at).side(action.side):
            refuse("swap.missing", card=dream, side=action.side, row=at)
    if card == other:
        refuse("swap.same")
    if CHAOS in (card, other) and not draft.state.options.swap_chaos:
        refuse("swap.chaos")
    for at, old, new in ((row, card, other), (other_row, other, card)):
        cards = draft.row(at).side(action.side)
        index = cards.index(old)
        draft.set_side(at, action.side, (*cards[:index], new, *cards[index + 1 :]))
        draft.events.append(LaidEvent(row=at, side=action.side, card=new, how="swapped"))


def _balance(draft: Draft, action: Balance) -> None:
    if action.is_amazing:
        _check_book(draft, AMAZING_BALANCE)
    removals = _removals(draft, action)
    claims = [row for row, city in enumerate(draft.rows) if city is not None and city.is_balanced]
    if not claims and not removals:
        refuse("balance.nothing")
    for row in range(ROWS):
        if row in claims:
            draft.claim(row)
        elif row in removals:
            _remove(draft, removals[row])
    if len(claims) == ROWS:
        draft.bonus(2 if action.is_amazing else 1)
    if claims:
        draft.after_claims()


def _removals(draft: Draft, action: Balance) -> dict[int, Removal]:
    removals: dict[int, Removal] = {}
    for removal in action.remove:
        if removal.row in removals:
            refuse("balance.row_twice", row=removal.row)
        removals[removal.row] = removal
        open_city = draft.row(removal.row)
        if open_city.is_balanced:
            refuse("balance.balanced", row=removal.row)
        if Counter(removal.left) - Counter(open_city.left) or Counter(removal.right) - Counter(
            open_city.right
        ):
            refuse("balance.missing", row=removal.row)
        total = sum(VALUE[card] for card in removal.right) - sum(VALUE[card] for card in removal.left)
        if total or not removal.left:
            refuse("balance.sum", row=removal.row, sum=total)
    return removals


def _remove(draft: Draft, removal: Removal) -> None:
    """Discard the removal's cards in the order of laying, left then right."""
    for side, cards in ((LEFT, removal.left), (RIGHT, removal.right)):
        wanted = Counter(cards)
        kept = []
        for card in draft.row(removal.row).side(side):
            if wanted[card]:
                wanted[card] -= 1
                draft.thrown.append(card)
            else:
                kept.append(card)
        draft.set_side(removal.row, side, tuple(kept))


# -- the Books --------------------------------------------------------------------------------------


def _check_book(draft: Draft, book: str) -> None:
    if book not in draft.state.books:
        refuse("book.closed", book=book)


def _take_dream(draft: Draft, book: str, row: int, dream: str) -> str:
    """Take a laid dream for a flying or invisible Book; returns the side it lay on."""
    _check_book(draft, book)
    side = BOOK_SIDE[book]
    cards = draft.row(row).side(side)
    if dream == CHAOS:
        refuse("book.chaos")
    if dream not in cards or not is_book_dream(dream, side):
        refuse("book.missing", dream=dream, side=side, row=row)
    draft.set_side(row, side, without(cards, dream))
    return side


def _fly(draft: Draft, action: Fly) -> None:
    if action.start == action.end:
        refuse("book.same_row")
    side = _take_dream(draft, action.book, action.start, action.dream)
    if len(draft.row(action.end).side(side)) >= SIDE_LIMIT:
        refuse("book.full", side=side, row=action.end)
    draft.lay(action.end, side, action.dream, "flown")


def _vanish(draft: Draft, action: Vanish) -> None:
    _take_dream(draft, action.book, action.row, action.dream)
    draft.thrown.append(action.dream)


def _agoraphilia(draft: Draft, action: Agoraphilia) -> None:
    _check_book(draft, AGORAPHILIA)
    if not draft.row(action.row).is_empty:
        refuse("book.not_empty", row=action.row)
    draft.claim(action.row)
    draft.after_claims()


def prophecy_looks(state: UrbionState) -> int:
    """Return how many dreams a Prophecy looks at now; 0 without the Book or without dreams."""
    return min(LOOKS_PER_PROPHECY * state.books.count(PROPHECY), len(state.dreams))


def _prophesy(draft: Draft, action: Prophecy) -> None:
    _check_book(draft, PROPHECY)
    looks = prophecy_looks(draft.state)
    if looks == 0:
        refuse("book.no_dreams")
    if Counter(action.order) != Counter(draft.dreams[:looks]):
        refuse("book.order")
    draft.dreams[:looks] = action.order
