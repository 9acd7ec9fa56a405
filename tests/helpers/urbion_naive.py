"""The legal actions of Urbion a second time, naively: whatever can be said is tried against the rulings.

Only the state's own fields are used: rows, hands, books, dreams; every rule is written out anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from typing import Any

Json = dict[str, Any]
ROWS = range(4)
SIDES = ("left", "right")


def _value(card: str, side: str) -> int:
    """Return what a card is worth on a side: its number, negative on the left."""
    number = 5 if card == "chaos" else int(card.rpartition("-")[2])
    return -number if side == "left" else number


def _sum(cards: Any, side: str) -> int:
    return sum(_value(card, side) for card in cards)


def _side(row: Any, side: str) -> tuple[str, ...]:
    return tuple(row.left if side == "left" else row.right)


def _total(row: Any) -> int:
    return _sum(row.left, "left") + _sum(row.right, "right")


def _is_claimed(row: Any) -> bool:
    return bool(row.left or row.right) and _total(row) == 0


def _goes(card: str, side: str) -> bool:
    """Whether a card's force may lie on a side."""
    return card.startswith("meta") or card.startswith("incubus" if side == "left" else "sanae")


def _matches(card: str, city: str) -> bool:
    return city == "archiplace" or card.split("-")[1] in city.split("-")


def moves(state: Any) -> list[Json]:
    """Return the record lines of all that may be done in a running game after the set-up."""
    if state.reason is not None:
        return []
    player = state.players[state.actor]
    if state.pending == "chaos":
        return [{"player": player, "do": "chaos", **rest} for rest in _chaos(state)]
    if state.pending == "side":
        return [{"player": player, "do": "side", "side": side} for side in SIDES]
    found = []
    for card in sorted(set(state.hands[state.active])):
        for rest in chain(_turns(state, card), _books(state, card)):
            do = rest.pop("do")
            found.append({"player": player, "do": do, "card": card, **rest})
    return found


def _chaos(state: Any) -> Iterator[Json]:
    for number, row in enumerate(state.rows):
        if row is None:
            continue
        left, right = _sum(row.left, "left"), _sum(row.right, "right")
        stronger = row.left if -left > right else row.right
        if -left != right and len(stronger) < 3:
            yield {"way": "place", "row": number}
        if _is_claimed(row):
            yield {"way": "clear", "row": number}
    yield {"way": "draw"}


def _turns(state: Any, card: str) -> Iterator[Json]:
    yield {"do": "discard"}
    if len(state.players) == 2:
        yield {"do": "polarity"}
    own = None if len(state.players) == 1 else _own_side(state)
    for number, side in product(ROWS, SIDES):
        row = state.rows[number]
        if row is None or not _matches(card, row.city) or not _goes(card, side):
            continue
        if own in (None, side) and len(_side(row, side)) < 3:
            yield {"do": "play", "row": number, "side": side}
    for (one, other), side in product(combinations(ROWS, 2), SIDES):
        if state.rows[one] is None or state.rows[other] is None:
            continue
        for first, second in product(set(_side(state.rows[one], side)), set(_side(state.rows[other], side))):
            if first != second:
                cards = [{"row": one, "card": first}, {"row": other, "card": second}]
                yield {"do": "swap", "side": side, "cards": cards}
    for remove in _removals(state):
        yield {"do": "balance", "remove": remove}


def _own_side(state: Any) -> str:
    """Return the side of the active player's polarity: Incubi left, Sanae right."""
    return "right" if state.sanae == state.active else "left"


def _removals(state: Any) -> Iterator[list[Json]]:
    """Yield every choice of zero sums in cities that are not balanced, none only beside a claim."""
    ways: list[list[Json | None]] = []
    for number, row in enumerate(state.rows):
        if row is not None and not _is_claimed(row):
            choices: list[Json | None] = [None]
            for left, right in product(_parts(row.left), _parts(row.right)):
                if _sum(left, "left") + _sum(right, "right") == 0:
                    choices.append({"row": number, "left": list(left), "right": list(right)})
            ways.append(choices)
    has_claim = any(row is not None and _is_claimed(row) for row in state.rows)
    for chosen in product(*ways):
        remove = [one for one in chosen if one is not None]
        if remove or has_claim:
            yield remove


def _parts(cards: Any) -> set[tuple[str, ...]]:
    """Return the non-empty multisets of some cards."""
    return {tuple(sorted(some)) for size in range(1, len(cards) + 1) for some in combinations(cards, size)}


def _books(state: Any, _card: str) -> Iterator[Json]:
    rows = [(number, row) for number, row in enumerate(state.rows) if row is not None]
    for book in sorted(set(state.books)):
        side = "left" if book.endswith("incubi") else "right"
        lying = [
            (number, dream) for number, row in rows for dream in set(_side(row, side)) if dream != "chaos"
        ]
        if book.startswith("flying"):
            for (start, dream), (end, row) in product(lying, rows):
                if start != end and len(_side(row, side)) < 3:
                    yield {"do": "book", "book": book, "from": start, "to": end, "dream": dream}
        elif book.startswith("invisible"):
            for number, dream in lying:
                yield {"do": "book", "book": book, "row": number, "dream": dream}
        elif book == "agoraphilia":
            for number, row in rows:
                if not row.left and not row.right:
                    yield {"do": "book", "book": book, "row": number}
        elif book == "amazing_balance":
            for remove in _removals(state):
                yield {"do": "book", "book": book, "remove": remove}
        else:
            looked = state.dreams[: 2 * list(state.books).count("prophecy")]
            for order in sorted(set(permutations(looked))):
                if order:
                    yield {"do": "book", "book": book, "order": list(order)}
