"""The state of a game of Urbion: frozen values, and what can be read off them."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.urbion.catalogue import (
    ARCHIPLACES,
    BASE_CITIES,
    CHAOS,
    CHAOS_LOOKS,
    LEFT,
    RIGHT,
    SIDE_LIMIT,
    VALUE,
)

Cards: TypeAlias = tuple[str, ...]
Deck: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Rulings that players may want otherwise.

    Attributes:
        swap_chaos: a swap may take Chaos cards too (ruling 8).
    """

    swap_chaos: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An open city; cards of a side in the order of laying."""

    city: str
    left: Cards = ()
    right: Cards = ()

    def side(self, side: str) -> Cards:
        """Return the cards of ``left`` or ``right``."""
        return self.left if side == LEFT else self.right

    @property
    def is_empty(self) -> bool:
        """Whether no dream lies at the city."""
        return not self.left and not self.right

    @property
    def sums(self) -> tuple[int, int]:
        """Return both sides' sums without sign: left, right."""
        return worth(self.left), worth(self.right)

    @property
    def is_balanced(self) -> bool:
        """Whether the sum is zero with at least one card."""
        left, right = self.sums
        return left == right and not self.is_empty

    @property
    def chaos_side(self) -> str | None:
        """Return the side that takes a Chaos card: the stronger one if it has room (ruling 3)."""
        left, right = self.sums
        if left == right:
            return None
        side = LEFT if left > right else RIGHT
        return side if len(self.side(side)) < SIDE_LIMIT else None


@functools.lru_cache(maxsize=8192)
def worth(cards: Cards) -> int:
    """Return the sum of the cards without sign."""
    return sum(VALUE[card] for card in cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to be drawn before the next turn: a pair for a row, or a hand up to four cards."""

    row: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UrbionState:
    """The whole game.

    Attributes:
        books: the open Books of Power.
        rows: the four places of open cities, None = no city.
        hands: one for each player.
        cities, dreams: decks, next card first; None = a card nobody has seen.
        discards: bottom first.
        last_discards: cards that the last discarding line threw away; any of them may lie on top.
        looked: the dreams drawn for Chaos cards in the last turn that had any, by fours; they lie open.
        looked_at: number of the turn in which they were drawn.
        turns: number of turns begun.
        claimed: cities claimed, in order.
        active: index of the player whose turn it is.
        sanae: index of the player with the Sanae polarity.
        jobs: what is still to be drawn, first first.
        pair: two dealt cards that wait for the choice of their side.
        chaos: drawn Chaos cards that wait for a decision.
        is_setup: the set-up is not over.
        is_closed: the decks lay face down when the game began.
        reason: why the game is over, None while it runs.
        actions: number of actions so far.
    """

    players: tuple[str, ...]
    archiplaces: bool
    books: tuple[str, ...]
    rows: tuple[Row | None, ...]
    hands: tuple[Cards, ...]
    cities: Deck
    dreams: Deck
    discards: Cards = ()
    last_discards: Cards = ()
    looked: Cards = ()
    looked_at: int = 0
    turns: int = field(default=0, compare=False)
    claimed: Cards = ()
    active: int = 0
    sanae: int = 0
    jobs: tuple[Job, ...] = ()
    pair: Cards = ()
    chaos: int = 0
    is_setup: bool = False
    is_closed: bool = field(default=False, compare=False)
    reason: str | None = None
    options: Options = Options()
    actions: int = field(default=0, compare=False)

    def fan(self, number: int) -> Cards:
        """Return the dreams of one draw for a Chaos card, () if there was none."""
        return self.looked[number * CHAOS_LOOKS : (number + 1) * CHAOS_LOOKS]

    @property
    def waiting(self) -> Cards:
        """Return the drawn cards that wait for a decision."""
        return self.pair or (CHAOS,) * self.chaos

    @property
    def is_counted(self) -> bool:
        """Whether it is sure how many dreams were drawn and discarded.

        One who plays alone may have had a turn more between any two looks: what he drew, he spent at once. Of
        two players the other one's hand would show it.
        """
        return not self.is_closed or self.is_setup or len(self.players) > 1

    @property
    def subdued(self) -> int:
        """Number of cities claimed."""
        return len(self.claimed)

    @property
    def all_cities(self) -> int:
        """Number of cities in the game: as many must be claimed."""
        return BASE_CITIES + (ARCHIPLACES if self.archiplaces else 0)

    @property
    def pending(self) -> str | None:
        """Return the choice that everything waits for: ``side``, ``chaos`` or None."""
        if self.reason is not None:
            return None
        return "side" if self.pair else "chaos" if self.chaos else None

    @property
    def actor(self) -> int:
        """Index of the player who acts next, or acted last."""
        if not self.is_setup:
            return self.active
        seat = self.jobs[0].seat if self.jobs and not self.pair else None
        return 0 if seat is None else seat


def turn_of(state: UrbionState) -> str | None:
    """Return who acts next, None after the end."""
    return None if state.reason is not None else state.players[state.actor]


def polarity_side(state: UrbionState, seat: int) -> str | None:
    """Return the only side on which this player may play cards, None = both (solo)."""
    if len(state.players) == 1:
        return None
    return RIGHT if seat == state.sanae else LEFT


def polarities(state: UrbionState) -> dict[str, str]:
    """Return each player's polarity; empty in solo."""
    if len(state.players) == 1:
        return {}
    return {player: "sanae" if seat == state.sanae else "incubi" for seat, player in enumerate(state.players)}


def essence(state: UrbionState) -> tuple[object, ...]:
    """Return what matters of a state for the rest of the game: cards lie in no order."""
    rows = tuple((row.city, _bag(row.left), _bag(row.right)) if row else None for row in state.rows)
    decks = (
        state.cities,
        state.dreams,
        _bag(state.discards),
        state.subdued,
        state.pair,
        state.chaos,
        state.jobs,
    )
    return (rows, tuple(map(_bag, state.hands)), decks, turn_of(state), state.sanae, state.reason)


def _bag(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards))
