"""The state of one game of Blue Moon City, frozen; and the draft that the rules write the next one on."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.blue_moon_city.catalogue import Building, Catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Rulings that players may want otherwise.

    Attributes:
        diagonal_dragons: a value 2 card may walk its dragon diagonally (ruling 9).
        owed_scales_paid: owed scales are paid from the returned ones (ruling 17).
    """

    diagonal_dragons: bool = False
    owed_scales_paid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What does not change during a game.

    Attributes:
        layout: the tile on each of the 21 cells, in the order of `CELLS`.
        is_open: all cards are known.
    """

    edition: str
    variant: bool
    players: tuple[str, ...]
    layout: tuple[str, ...]
    catalogue: Catalogue
    options: Options
    is_open: bool
    buildings: tuple[Building | None, ...] = field(compare=False, repr=False)

    @property
    def offerings_to_win(self) -> int:
        """Number of offerings that wins at once."""
        return self.catalogue.offerings[len(self.players)]

    @property
    def first_obelisk_box(self) -> int:
        """The lowest obelisk box in use: the two shaded ones stay free with two players."""
        return 2 if len(self.players) == 2 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the game ended; a stalemate without winners is one whose winners nobody knows (closed play)."""

    winners: tuple[str, ...]
    reason: str
    draw: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """Bounds for what nobody sees in a closed game; every bound is inclusive.

    Attributes:
        hand_low, hand_high: cards in each hand.
        aside_low, aside_high: reward cards set aside by each player.
        deck_low, deck_high: cards in the deck.
        crystals_low: at least so many crystals each (the state's `crystals` is the upper bound).
        steps_low: at least so many steps are left (the state's `steps` is the upper bound).
        spent: named cards that have surely lain on the discard pile since the last possible reshuffle.
        top: the top of the discard pile; None = not known, or no card where `pile_empty`.
        pile_empty: surely no card lies on the discard pile.
        paid: the cards that may have come on the pile by what the active player has done so far.
        paid_before: the same of the player before him.
    """

    hand_low: tuple[int, ...]
    hand_high: tuple[int, ...]
    aside_low: tuple[int, ...]
    aside_high: tuple[int, ...]
    deck_low: int
    deck_high: int
    crystals_low: tuple[int, ...]
    steps_low: int
    spent: tuple[str, ...] = ()
    top: str | None = None
    pile_empty: bool = True
    paid: frozenset[str] = frozenset()
    paid_before: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CityState:
    """The state of the engine.

    Players are seats 0..n-1, cells indices into `CELLS`, -1 stands for "none" or "not in the city".

    Attributes:
        moving: the active player is still in the movement phase.
        steps: orthogonal steps left (an upper bound in closed play).
        contributed: the active player has contributed in this turn.
        offered: number of offerings in this turn.
        acts: number of actions in this turn.
        boxes: owner of each contribution box, by cell; () for built tiles and the courtyard.
        obelisk: owner of each of the 13 boxes.
        crystals: in closed play the upper bound.
        hands, aside, deck, discard: cards; empty in closed play.
    """

    setup: Setup
    active: int
    moving: bool
    steps: int
    contributed: bool
    offered: int
    acts: int
    figures: tuple[int, ...]
    dragons: tuple[int, ...]
    boxes: tuple[tuple[int, ...], ...]
    built: frozenset[int]
    obelisk: tuple[int, ...]
    markers: tuple[int, ...]
    scales: tuple[int, ...]
    supply: int
    crystals: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    aside: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    hidden: Hidden | None
    outcome: Outcome | None
    turn: int

    @property
    def player(self) -> str:
        """Name of the active player."""
        return self.setup.players[self.active]

    @property
    def next_box(self) -> int:
        """The next free obelisk box, 13 when the obelisk is full."""
        return next_free(self.obelisk, self.setup.first_obelisk_box)

    @property
    def crystals_low(self) -> tuple[int, ...]:
        """At least so many crystals each."""
        return self.crystals if self.hidden is None else self.hidden.crystals_low

    def offerings(self, seat: int) -> int:
        """Number of offerings that a player has made."""
        return self.obelisk.count(seat)


def next_free(obelisk: tuple[int, ...] | list[int], first: int) -> int:
    """Return the first free obelisk box from `first` on; its length when there is none."""
    for i in range(first, len(obelisk)):
        if obelisk[i] < 0:
            return i
    return len(obelisk)


def turn_of(state: CityState) -> str | None:
    """Return the player who acts next, None after the end."""
    return None if state.outcome is not None else state.player
