"""What the seen hands tell: how many turns were played, and which cards were spent.

With the deck known, each turn takes one card out of the active hand and brings in the next dream that is no
Chaos. Where cities were dealt to, or Chaos was answered by drawing, this does not hold; then nothing is told.
"""

from __future__ import annotations

from collections import Counter

from companion.games.kit.evidence import MISSING
from companion.games.urbion.catalogue import CHAOS
from companion.games.urbion.reconcile.seen_table import Group, SeenTable
from companion.games.urbion.state import UrbionState


def turns_played(state: UrbionState, sight: SeenTable, most: int) -> dict[int, set[str]]:
    """Return the numbers of turns, 1 to `most`, that fit the hands, with what the active player spent.

    Empty where the hands do not tell it: one is not wholly seen, or cards were dealt to a new city between.
    """
    if any(sight.city(n) not in (MISSING, row.city if row else None) for n, row in enumerate(state.rows)):
        return {}
    groups: list[Group] = [("hand", seat) for seat in range(len(state.hands))]
    draws = [card for card in state.dreams[: 4 * most] if card != CHAOS]
    if not all(map(sight.is_whole, groups)) or None in draws:
        return {}
    told: dict[int, set[str]] = {}
    for turns in range(1, min(most, len(draws)) + 1):
        spent = [_spent(state, sight, seat, draws[:turns]) for seat in range(len(state.hands))]
        if None not in spent:
            own = spent[state.active] or set()
            told[turns] = own & set(state.hands[state.active])
    return told


def _spent(state: UrbionState, sight: SeenTable, seat: int, draws: list[str | None]) -> set[str] | None:
    """Return what a player spent if each turn draws one of these cards, None if his hand does not fit."""
    players = len(state.hands)
    own = [card for turn, card in enumerate(draws) if (state.active + turn) % players == seat]
    had = Counter([*state.hands[seat], *(card for card in own if card is not None)])
    has = Counter(sight.known(("hand", seat)))
    gone = had - has
    return None if has - had or gone.total() != len(own) else set(gone)


def gone_cards(state: UrbionState, sight: SeenTable) -> list[str]:
    """Return the active player's cards that are gone, or all where his hand is not wholly seen."""
    group: Group = ("hand", state.active)
    hand = state.hands[state.active]
    if not sight.is_whole(group):
        return sorted(set(hand))
    there = Counter(sight.known(group))
    return sorted(card for card in set(hand) if there[card] < hand.count(card))
