"""The state of a game: two sides, the turn that runs, the fight that runs, the dragons.

A card that nobody but its owner has seen is None, in a hand, a deck, a discard pile or face down as a bluff.
Sides are numbered 0 and 1 in the order of the header; side 0 has the first turn.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from companion.games.blue_moon_legends.catalogue import Card, CardId

Hidden: TypeAlias = CardId | None


class Phase(enum.IntEnum):
    """How far the current turn has come; a phase is entered by the first thing that is done in it."""

    START = 0
    LEADERSHIP = 1
    CHARACTER = 2
    BACKING = 3
    POWER = 4
    CALL = 5
    END = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One card in a combat or support area.

    Attributes:
        card: None = a bluff card that only its owner knows.
        is_active: uncovered; support cards always are.
        is_bluff: lies face down as a bluff.
    """

    card: Hidden
    is_active: bool = True
    is_bluff: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ship:
    """A ship with the cards that were loaded onto it, in order."""

    card: CardId
    cargo: tuple[CardId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Side:
    """Everything that belongs to one player.

    Attributes:
        deck: next card first.
        revealed: cards of the hand that lie open.
        combat: in order of laying; covered cards come first.
        leadership: the cards laid on the leader, the last one on top.
        lead: the leadership card that is active in this turn.
        landed: ships unloaded in this turn with what is still on them.
        shuffled: how often this player's cards have been shuffled so far.
        doubled: the Caterpillar whose demand the owner has chosen to double.
        by_hand: fire and earth points that the players gave to a card whose power is applied by hand.
        uncounted: so many cards of the deck may lie on the discard pile instead: nobody counted what was
            discarded. As long as there are any, one card at least is left in the deck.
    """

    deck: tuple[Hidden, ...]
    hand: tuple[Hidden, ...] = ()
    discard: tuple[Hidden, ...] = ()
    revealed: frozenset[CardId] = frozenset()
    combat: tuple[Laid, ...] = ()
    support: tuple[Laid, ...] = ()
    leadership: tuple[CardId, ...] = ()
    lead: CardId | None = None
    ships: tuple[Ship, ...] = ()
    landed: tuple[Ship, ...] = ()
    shuffled: int = 0
    doubled: CardId | None = None
    by_hand: tuple[tuple[CardId, int, int], ...] = ()
    uncounted: int = 0

    @property
    def is_out(self) -> bool:
        """Whether hand and deck are both used up."""
        return not self.hand and not self.deck

    @property
    def fewest_in_deck(self) -> int:
        """How many cards the deck has at least."""
        return max(1, len(self.deck) - self.uncounted) if self.uncounted else len(self.deck)

    @property
    def active_combat(self) -> tuple[Laid, ...]:
        """The uncovered cards of the combat area."""
        return tuple(laid for laid in self.combat if laid.is_active)

    @property
    def cards_laid(self) -> int:
        """Cards in combat and support areas, covered ones too, bluff cards not."""
        return len(self.combat) + sum(not laid.is_bluff for laid in self.support)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCard:
    """One card laid in the current turn.

    Attributes:
        kind: type as which it was laid; ``load`` for a card put on a ship.
        group: cards of one group (a gang, or two and two of a pair) count as one; empty = for itself.
        is_free: it does not count.
    """

    card: Hidden
    kind: str
    group: str = ""
    is_free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetreatCost:
    """What a retreat brings the other side.

    Attributes:
        dragons: how many come.
        base: one, or two for six cards.
        due: the base and what the winner's powers add.
        more, fewer: the winner's cards that add dragons, and the loser's that keep some away.
    """

    dragons: int
    base: int
    due: int
    more: tuple[CardId, ...] = ()
    fewer: tuple[CardId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What the active side has done in the current turn.

    Attributes:
        stopped: a card with the stop icon was laid: no more cards.
        again: the active cards fight again instead of a new character.
        free_next: how many next cards count as free.
        offers: powers of cards just played that may be used now, with how often.
        used: cards whose power was used in this turn.
        paid: cards of the other side whose demand was met.
        drawn: cards taken from the deck in this turn.
        landed: a ship was unloaded in this turn; hand_too: the hand may be played as well.
        retreat_cost: the most that a retreat has cost before a card was laid; until the announcement.
    """

    phase: Phase = Phase.START
    played: tuple[PlayedCard, ...] = ()
    stopped: bool = False
    again: bool = False
    free_next: int = 0
    offers: tuple[tuple[CardId, int], ...] = ()
    used: frozenset[CardId] = frozenset()
    paid: frozenset[CardId] = frozenset()
    drawn: int = 0
    landed: bool = False
    hand_too: bool = False
    retreat_cost: RetreatCost | None = None

    def count(self, *kinds: str) -> int:
        """Return how many cards of these kinds were laid in this turn."""
        return sum(played.kind in kinds for played in self.played)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """The running fight.

    Attributes:
        turns: turns that have ended since it began; 0 = the turn in which it was begun.
        element: contested element, None until the first announcement.
    """

    turns: int = 0
    element: str | None = None


class Demand(enum.Enum):
    """What a player must answer before anything else."""

    DISCARD = "discard"
    REVEAL = "reveal"
    CALL = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A demand that a side must answer: the number of cards, and the card that demands it."""

    side: int
    demand: Demand
    number: int = 0
    card: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the game ended: the winning side, why, and how many dragons it had."""

    winner: int
    reason: str
    dragons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the header fixed.

    Attributes:
        decks: name of each side's deck.
        shuffles: for each side, the orders that its shuffles follow, one after the other, then again from the
            first; empty = nobody knows how the cards lie after a shuffle.
        closed: for each side, whether any of its cards was dealt unseen.
        cards: every card by id, with the players' corrections.
    """

    players: tuple[str, str]
    decks: tuple[str, str]
    shuffles: tuple[tuple[tuple[CardId, ...], ...], tuple[tuple[CardId, ...], ...]]
    cards: Mapping[CardId, Card] = field(compare=False, repr=False)
    closed: tuple[bool, bool] = (False, False)
    leaders: tuple[CardId, CardId] = field(compare=False, repr=False)
    owned: tuple[frozenset[CardId], frozenset[CardId]] = field(compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class State:
    """One moment of a game.

    Attributes:
        active: the side whose turn it is.
        dragons: dragons of side 0 less those of side 1; never both have one.
        out: sides without cards in hand and deck, the one that ran out first first.
        number: turns begun so far; actions: actions carried out so far.
    """

    setup: Setup
    sides: tuple[Side, Side]
    active: int = 0
    turn: Turn = field(default_factory=Turn)
    fight: Fight | None = None
    dragons: int = 0
    pending: tuple[Pending, ...] = ()
    out: tuple[int, ...] = ()
    outcome: Outcome | None = None
    number: int = 1
    actions: int = 0

    def card(self, card: CardId) -> Card:
        """Return the facts of a card."""
        return self.setup.cards[card]

    @property
    def mine(self) -> Side:
        """The active side."""
        return self.sides[self.active]

    @property
    def theirs(self) -> Side:
        """The other side."""
        return self.sides[1 - self.active]

    @property
    def actor(self) -> int:
        """The side that acts next: one that has something to answer, else the active one."""
        return self.pending[0].side if self.pending else self.active

    def dragons_of(self, side: int) -> int:
        """Return how many dragons stand on a side."""
        return max(0, self.dragons if side == 0 else -self.dragons)

    def is_open(self, side: int) -> bool:
        """Whether all cards of a side are known to everyone, and so named in every action.

        Where some were dealt unseen an onlooker may know all of a hand, but not which of them leaves it.
        """
        holds = self.sides[side]
        return not self.setup.closed[side] and None not in holds.hand and None not in holds.deck

    @property
    def is_first_turn(self) -> bool:
        """Whether the current turn is the one in which the fight is begun."""
        return self.fight is None or self.fight.turns == 0


Record = TypeVar("Record", State, Side, Turn)


def changed(record: Record, **fields: Any) -> Record:
    """Return a copy with other values in some fields, as `dataclasses.replace` does.

    One table is explained by thousands of copies, so these are made without a call of the constructor; that
    is why the records have no slots.
    """
    copy = object.__new__(type(record))
    copy.__dict__.update(record.__dict__, **fields)
    return copy


def with_side(state: State, number: int, side: Side) -> State:
    """Return the state with one side replaced."""
    sides = (side, state.sides[1]) if number == 0 else (state.sides[0], side)
    return changed(state, sides=sides)


def known_places(side: Side) -> Iterator[CardId]:
    """Yield every card of this side whose whereabouts are known."""
    for zone in (side.deck, side.hand, side.discard):
        yield from (card for card in zone if card is not None)
    for row in (side.combat, side.support):
        yield from (laid.card for laid in row if laid.card is not None)
    yield from side.leadership
    for ship in (*side.ships, *side.landed):
        yield ship.card
        yield from ship.cargo


def total_cards(side: Side) -> int:
    """Return how many cards the side has altogether, known or not."""
    ships = (*side.ships, *side.landed)
    rows = len(side.combat) + len(side.support) + len(side.leadership)
    return (
        len(side.deck)
        + len(side.hand)
        + len(side.discard)
        + rows
        + sum(1 + len(ship.cargo) for ship in ships)
    )


def turn_of(state: State) -> str | None:
    """Return the player who acts next."""
    return None if state.outcome is not None else state.setup.players[state.actor]
