"""Legal runs of actions that a seen table may be explained by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from companion.games.kit.search import Limits, Run
from companion.games.urbion.actions import Action, Chaos, ChooseSide, Reveal, Turn
from companion.games.urbion.catalogue import CHAOS, SIDES
from companion.games.urbion.legal import chaos_actions
from companion.games.urbion.reconcile.effects import turns_towards
from companion.games.urbion.reconcile.hands import gone_cards, turns_played
from companion.games.urbion.reconcile.seen_table import Group, SeenTable, cards_of
from companion.games.urbion.state import Cards, UrbionState, turn_of

MOST_STEPS = 8
# Where a deck is unknown every step has more to try, and runs are short; loose ones are hardly ever believed.
LIMITS = Limits(levels=MOST_STEPS, runs=120, widest=24, choices=8)
MOST_RUNS_CLOSED = 64
# Turns that are told apart when they are seen at once; the first of two may be hidden under the second.
STRICT_TURNS = 3
LOOSE_TURNS = 2
# Sides that a turn touches, other than a balance.
_MOST_TOUCHED = 2


UrbionRun: TypeAlias = Run[UrbionState, Action, set[Group]]


def turns_of(run: UrbionRun) -> list[tuple[UrbionState, Turn]]:
    """Return the turns among the actions of a run, each with the state before it."""
    return [
        (before, action)
        for before, action in run.pairs
        if not isinstance(action, Chaos | ChooseSide | Reveal)
    ]


def most_turns(state: UrbionState, sight: SeenTable) -> tuple[int, int]:
    """Return how many turns may have been played at most, by the hands: in a strict run, in a loose one.

    With an unknown deck more than two turns at once have too many explanations.
    """
    if None in state.dreams:
        return LOOSE_TURNS, LOOSE_TURNS
    told = turns_played(state, sight, STRICT_TURNS)
    if told:
        return max(told), LOOSE_TURNS if LOOSE_TURNS in told else 0
    gone = sum(
        (Counter(hand) - Counter(sight.known(("hand", seat)))).total()
        for seat, hand in enumerate(state.hands)
    )
    hands: list[Group] = [("hand", seat) for seat in range(len(state.hands))]
    if gone > 1 or not all(map(sight.is_whole, hands)):
        return STRICT_TURNS, LOOSE_TURNS
    return LOOSE_TURNS, LOOSE_TURNS


def limits(state: UrbionState, *, is_loose: bool, patience: int) -> Limits:
    """Return how much is tried; with more `patience` as many times more."""
    closed = MOST_RUNS_CLOSED // (1 + is_loose)
    return replace(LIMITS, runs=patience * (closed if None in state.dreams else LIMITS.runs))


def is_guessed(before: UrbionState, after: UrbionState) -> bool:
    """Say whether something became known that was not drawn."""
    return _known(after) > _known(before)


def _known(state: UrbionState) -> int:
    """Return how many cards of the decks are known."""
    return sum(card is not None for card in (*state.dreams, *state.cities))


def next_actions(
    run: UrbionRun, sight: SeenTable, *, turns: int, is_loose: bool
) -> Iterator[ChooseSide | Chaos | Turn]:
    """Yield the actions that may lead on towards the seen table, before what they draw is looked at."""
    state, player = run.state, turn_of(run.state)
    played = len(turns_of(run))
    left = turns - played - 1
    if player is None:
        return
    if state.pending == "side":
        yield from (ChooseSide(player=player, side=side) for side in SIDES)
    elif state.pending == "chaos":
        yield from chaos_actions(state, player)
    elif left >= 0:
        aim = Aim(run, sight, turns_left=left, is_loose=is_loose and not played)
        for card in spent_cards(state, sight, turns_left=left):
            yield from turns_towards(state, player, card, aim)


def spent_cards(state: UrbionState, sight: SeenTable, *, turns_left: int) -> list[str]:
    """Return the hand cards that may have been spent, with this many turns to follow."""
    told = turns_played(state, sight, turns_left + 1)
    if told:
        return sorted(set.union(*told.values()))
    gone = gone_cards(state, sight)
    if gone:
        return gone
    # A card that was spent and is still there was drawn again.
    coming = state.dreams[:MOST_STEPS]
    return sorted(card for card in set(state.hands[state.active]) if card in coming or None in coming)


class Aim:
    """Says, without playing it, whether a turn may lead to the seen table."""

    def __init__(self, run: UrbionRun, sight: SeenTable, *, turns_left: int, is_loose: bool) -> None:
        self.sight = sight
        self._state = run.state
        self._wrong = run.wrong
        self._wrong_rows = {group[1] for group in run.wrong if group[0] in ("dream", "city")}
        self._is_loose = is_loose
        self._spare = turns_left * _MOST_TOUCHED
        self._open = {group for group in run.wrong if self._is_burden(group)}

    def allows(self, touched: dict[Group, Cards]) -> bool:
        """Say whether the turn may be meant that leaves these sides so."""
        missed = {g for g, cards in touched.items() if not self._fits(g, cards)}
        if self._is_loose and touched:
            if self._wrong_rows.isdisjoint(group[1] for group in touched):
                return False
        elif missed:
            return False
        burden = {g for g in missed if not self._is_by_the_way(g, touched[g])}
        return len((self._open - touched.keys()) | burden) <= self._spare

    def allows_row(self, row: int, sides: dict[str, Cards]) -> bool:
        """Say whether a removal may be meant that leaves the sides of a row so."""
        if self._is_loose:
            return row in self._wrong_rows
        return all(self._fits(("dream", row, side), cards) for side, cards in sides.items())

    def _fits(self, group: Group, cards: Cards) -> bool:
        """Whether a side may look so, or so with a Chaos card that was placed there afterwards."""
        row, side = int(group[1]), str(group[2])
        return self.sight.side_fits(row, side, cards) or self.sight.side_fits(row, side, (*cards, CHAOS))

    def _is_burden(self, group: Group) -> bool:
        """Whether only a turn that touches this side can explain it: no balance, dealing or Chaos card."""
        if group[0] != "dream" or ("city", group[1]) in self._wrong:
            return False
        row = self._state.rows[int(group[1])]
        if row is None or row.is_empty or row.is_balanced:
            return False
        return not self._is_by_the_way(group, cards_of(self._state, group))

    def _is_by_the_way(self, group: Group, cards: Cards) -> bool:
        return not Counter(self.sight.known(group)) - Counter((*cards, CHAOS))
