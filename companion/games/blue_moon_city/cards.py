"""Cards in hands, deck, discard pile and set aside: all known (open), or bounded (closed).

Both kinds answer the same calls, so the rules never ask which one they have. Both follow rulings 4-6:
reward cards wait face down until the turn is over, the discards are reshuffled as soon as the deck's last
card is drawn (at the next draw if there are none), and a draw from nothing is short.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Protocol

from companion.errors import RuleViolation
from companion.games.blue_moon_city.catalogue import CARD_COUNT
from companion.games.blue_moon_city.state import CityState, Hidden


class ReshuffleNeeded(RuleViolation):
    """The action makes the discards the new deck and must say in which order.

    Attributes:
        pile: the discards to be shuffled, in the order in which they lie.
    """

    def __init__(self, pile: tuple[str, ...]) -> None:
        super().__init__("reshuffle.missing", cards=len(pile))
        self.pile = pile


class CardKeeper(Protocol):
    """What the rules need of the cards."""

    reshuffled: bool

    def spend(self, seat: int, cards: tuple[str, ...] | None, least: int, most: int) -> None:
        """Move cards from a hand to the discard pile; unseen ones are `least` to `most` cards."""

    def reward(self, seat: int, count: int) -> None:
        """Set `count` cards of the deck aside for a player."""

    def end_turn(self, seat: int, discard: tuple[str, ...] | None) -> int:
        """Discard, draw two more than that, hand out what was set aside; return the number drawn."""

    def most_copies(self, seat: int, card: str) -> int:
        """Return how many copies of a card a hand holds at most."""

    def finish(self) -> None:
        """Refuse a reshuffle that was named but not due."""

    def freeze(
        self,
    ) -> tuple[
        tuple[tuple[str, ...], ...],
        tuple[tuple[str, ...], ...],
        tuple[str, ...],
        tuple[str, ...],
        Hidden | None,
    ]:
        """Return hands, set-aside cards, deck, discards and bounds for the next state."""


class OpenCards:
    """Every card is known."""

    __slots__ = ("_order", "aside", "deck", "discard", "hands", "reshuffled")

    def __init__(self, state: CityState, order: tuple[str, ...] | None) -> None:
        self.hands = list(state.hands)
        self.aside = list(state.aside)
        self.deck = state.deck
        self.discard = state.discard
        self._order = order
        self.reshuffled = False

    def spend(self, seat: int, cards: tuple[str, ...] | None, least: int, most: int) -> None:
        """See `CardKeeper.spend`; raises RuleViolation for a card that is not in the hand."""
        del least, most
        if cards is None:
            raise RuleViolation("cards.must_be_named")
        hand = list(self.hands[seat])
        for card in cards:
            try:
                hand.remove(card)
            except ValueError:
                raise RuleViolation("cards.not_in_hand", card=card) from None
        self.hands[seat] = tuple(hand)
        self.discard = self.discard + cards

    def reward(self, seat: int, count: int) -> None:
        """See `CardKeeper.reward`."""
        self.aside[seat] += self._draw(count)

    def end_turn(self, seat: int, discard: tuple[str, ...] | None) -> int:
        """See `CardKeeper.end_turn`."""
        self.spend(seat, discard, 0, 2)
        drawn = self._draw(len(discard or ()) + 2)
        self.hands[seat] = tuple(sorted(self.hands[seat] + drawn))
        for i, cards in enumerate(self.aside):
            if cards:
                self.hands[i] = tuple(sorted(self.hands[i] + cards))
                self.aside[i] = ()
        return len(drawn)

    def most_copies(self, seat: int, card: str) -> int:
        """See `CardKeeper.most_copies`."""
        return self.hands[seat].count(card)

    def finish(self) -> None:
        """See `CardKeeper.finish`."""
        if self._order is not None and not self.reshuffled:
            raise RuleViolation("reshuffle.not_due")

    def freeze(
        self,
    ) -> tuple[
        tuple[tuple[str, ...], ...],
        tuple[tuple[str, ...], ...],
        tuple[str, ...],
        tuple[str, ...],
        Hidden | None,
    ]:
        """See `CardKeeper.freeze`."""
        return tuple(self.hands), tuple(self.aside), self.deck, self.discard, None

    def _draw(self, count: int) -> tuple[str, ...]:
        drawn: tuple[str, ...] = ()
        while len(drawn) < count:
            if not self.deck:
                if not self.discard:
                    break
                self._reshuffle()
            wanted = count - len(drawn)
            drawn += self.deck[:wanted]
            self.deck = self.deck[wanted:]
            if not self.deck and self.discard:
                self._reshuffle()
        return drawn

    def _reshuffle(self) -> None:
        if self._order is None:
            raise ReshuffleNeeded(self.discard)
        if sorted(self._order) != sorted(self.discard):
            raise RuleViolation("reshuffle.other_cards")
        self.deck, self.discard = self._order, ()
        self.reshuffled = True


class ClosedCards:
    """Nobody sees hands, deck or face-down rewards: numbers of cards between bounds."""

    __slots__ = (
        "_copies",
        "_is_told",
        "aside_high",
        "aside_low",
        "deck_high",
        "deck_low",
        "hand_high",
        "hand_low",
        "old",
        "pile_empty",
        "reshuffled",
        "spent",
        "top",
    )

    def __init__(self, state: CityState, hidden: Hidden, *, is_told: bool) -> None:
        self.old = hidden
        self._is_told = is_told
        self.hand_low = list(hidden.hand_low)
        self.hand_high = list(hidden.hand_high)
        self.aside_low = list(hidden.aside_low)
        self.aside_high = list(hidden.aside_high)
        self.deck_low, self.deck_high = hidden.deck_low, hidden.deck_high
        self.spent, self.top, self.pile_empty = hidden.spent, hidden.top, hidden.pile_empty
        self._copies = state.setup.catalogue.cards
        self.reshuffled = False

    def spend(self, seat: int, cards: tuple[str, ...] | None, least: int, most: int) -> None:
        """See `CardKeeper.spend`; raises RuleViolation if no hidden cards could make it legal."""
        if cards is not None:
            least = most = len(cards)
            self._play_named(cards)
        elif most:
            self.top, self.pile_empty = None, False
        if self.hand_high[seat] < least:
            raise RuleViolation("cards.hand_too_small", needed=least, held=self.hand_high[seat])
        self.hand_high[seat] -= least
        self.hand_low[seat] = max(0, self.hand_low[seat] - most)

    def reward(self, seat: int, count: int) -> None:
        """See `CardKeeper.reward`."""
        low, high = self._draw(count, count)
        self.aside_low[seat] += low
        self.aside_high[seat] += high

    def end_turn(self, seat: int, discard: tuple[str, ...] | None) -> int:
        """See `CardKeeper.end_turn`."""
        if discard is None:  # the hand grows by two, however many were discarded
            self.top = None
            self.pile_empty = False
            low, high = self._draw(2, 4)
            low, high = min(low, 2), 2
        else:
            self.spend(seat, discard, 0, 2)
            low, high = self._draw(len(discard) + 2, len(discard) + 2)
        self.hand_low[seat] += low
        self.hand_high[seat] += high
        for i in range(len(self.hand_low)):
            self.hand_low[i] += self.aside_low[i]
            self.hand_high[i] += self.aside_high[i]
            self.aside_low[i] = self.aside_high[i] = 0
        return high

    def most_copies(self, seat: int, card: str) -> int:
        """See `CardKeeper.most_copies`."""
        return min(self.hand_high[seat], self._copies.get(card, 0) - self.spent.count(card))

    def finish(self) -> None:
        """See `CardKeeper.finish`; raises RuleViolation if the deck surely held more than was drawn."""
        if self._is_told and not self.reshuffled:
            raise RuleViolation("reshuffle.not_due")

    def freeze(
        self,
    ) -> tuple[
        tuple[tuple[str, ...], ...],
        tuple[tuple[str, ...], ...],
        tuple[str, ...],
        tuple[str, ...],
        Hidden | None,
    ]:
        """See `CardKeeper.freeze`."""
        hidden = replace(
            self.old,
            hand_low=tuple(self.hand_low),
            hand_high=tuple(self.hand_high),
            aside_low=tuple(self.aside_low),
            aside_high=tuple(self.aside_high),
            deck_low=self.deck_low,
            deck_high=self.deck_high,
            spent=self.spent,
            top=self.top,
            pile_empty=self.pile_empty,
        )
        return (), (), (), (), hidden

    def _play_named(self, cards: tuple[str, ...]) -> None:
        if not cards:
            return
        self.spent += cards
        for card, count in Counter(self.spent).items():
            if count > self._copies.get(card, 0):
                raise RuleViolation("cards.no_more_copies", card=card, copies=self._copies.get(card, 0))
        self.top, self.pile_empty = cards[-1], False

    def _draw(self, least: int, most: int) -> tuple[int, int]:
        """Draw `least` to `most` cards; return how many surely and at most came."""
        pool_low = CARD_COUNT - sum(self.hand_high) - sum(self.aside_high)
        pool_high = CARD_COUNT - sum(self.hand_low) - sum(self.aside_low)
        low, high = min(least, max(0, pool_low)), min(most, max(0, pool_high))
        if self.deck_low > most:
            self.deck_low -= most
            self.deck_high -= least
        else:  # the pile may have been reshuffled: nothing is known of it any more
            self.deck_low, self.deck_high = 0, max(self.deck_high, pool_high) - low
            self.spent, self.top, self.pile_empty = (), None, False
            self.reshuffled = True
        return low, high
