"""The next state while it is being written: cards move, decks are drawn from until a choice waits."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Event
from companion.games.urbion.actions import CityOpened, Claimed, Discarded, Drawn, GameEnded, Laid
from companion.games.urbion.catalogue import (
    CHAOS,
    CHAOS_LOOKS,
    DEALT,
    HAND_SIZE,
    INCUBUS,
    KIND,
    LEFT,
    META,
    RIGHT,
    SANAE,
)
from companion.games.urbion.state import Cards, Job, Row, UrbionState
from companion.games.urbion.texts import refuse

_FIXED_SIDE = {INCUBUS: LEFT, SANAE: RIGHT}


class Draft:
    """A mutable copy of a state; nothing of the old one changes.

    Attributes:
        rows, hands, cities, dreams, claimed: as in the state.
        thrown: cards that this line discards, in order.
        looked, looked_at, turns: as in the state.
        events: what happened so far.
    """

    def __init__(self, state: UrbionState) -> None:
        self.state = state
        self.rows = list(state.rows)
        self.hands = list(state.hands)
        self.cities = list(state.cities)
        self.dreams = list(state.dreams)
        self.jobs = list(state.jobs)
        self.thrown: list[str] = []
        self.looked = list(state.looked)
        self.looked_at = state.looked_at
        self.turns = state.turns
        self.events: list[Event] = []
        self.claimed = list(state.claimed)
        self.active = state.active
        self.sanae = state.sanae
        self.pair = state.pair
        self.chaos = state.chaos
        self.is_setup = state.is_setup
        self.reason = state.reason

    def finish(self) -> tuple[UrbionState, tuple[Event, ...]]:
        """Return the new state and the events."""
        if self.thrown:
            self.events.append(Discarded(cards=tuple(self.thrown)))
        after = replace(
            self.state,
            rows=tuple(self.rows),
            hands=tuple(self.hands),
            cities=tuple(self.cities),
            dreams=tuple(self.dreams),
            jobs=tuple(self.jobs),
            discards=(*self.state.discards, *self.thrown),
            last_discards=tuple(self.thrown) or self.state.last_discards,
            looked=tuple(self.looked),
            looked_at=self.looked_at,
            turns=self.turns,
            claimed=tuple(self.claimed),
            active=self.active,
            sanae=self.sanae,
            pair=self.pair,
            chaos=self.chaos,
            is_setup=self.is_setup,
            reason=self.reason,
            actions=self.state.actions + 1,
        )
        return after, tuple(self.events)

    # -- cards ----------------------------------------------------------------------------------------

    def row(self, row: int) -> Row:
        """Return the open city of a row; refuses where there is none."""
        found = self.rows[row]
        if found is None:
            refuse("row.no_city", row=row)
        return found

    def set_side(self, row: int, side: str, cards: Cards) -> None:
        """Replace the cards of one side."""
        open_city = self.row(row)
        self.rows[row] = replace(open_city, left=cards) if side == LEFT else replace(open_city, right=cards)

    def lay(self, row: int, side: str, card: str, how: str) -> None:
        """Lay a card at a city, behind the others of its side."""
        self.set_side(row, side, (*self.row(row).side(side), card))
        self.events.append(Laid(row=row, side=side, card=card, how=how))

    def clear(self, row: int) -> None:
        """Discard all cards of a city, left then right."""
        open_city = self.row(row)
        self.thrown += [*open_city.left, *open_city.right]
        self.rows[row] = Row(city=open_city.city)

    def claim(self, row: int) -> None:
        """Take a city from the table; its cards are discarded."""
        city = self.row(row).city
        self.clear(row)
        self.rows[row] = None
        self.claimed.append(city)
        self.events.append(Claimed(city=city, row=row))

    def take_from_hand(self, seat: int, card: str) -> None:
        """Take a card out of a hand; refuses where it is not there."""
        hand = self.hands[seat]
        if card not in hand:
            refuse("hand.missing", player=self.state.players[seat], card=card)
        self.hands[seat] = without(hand, card)

    def bonus(self, count: int) -> None:
        """Claim cities from the deck, as far as there are (ruling 11)."""
        for _ in range(min(count, len(self.cities))):
            self.claimed.append(self._next_city())
            self.events.append(Claimed(city=self.claimed[-1]))

    # -- drawing --------------------------------------------------------------------------------------

    def end(self, reason: str) -> None:
        """End the game."""
        self.reason = reason
        self.events.append(GameEnded(reason=reason))

    def after_claims(self) -> None:
        """Win, or lay out new cities and plan pairs for every city without cards (rulings 10, 15)."""
        if len(self.claimed) >= self.state.all_cities:
            self.end("cities")
            return
        self.open_cities()
        empty = [
            row for row, open_city in enumerate(self.rows) if open_city is not None and open_city.is_empty
        ]
        self.jobs = [*(Job(row=row) for row in empty), *self.jobs]

    def open_cities(self) -> None:
        """Fill the rows without a city from the deck, row 0 first."""
        for row, open_city in enumerate(self.rows):
            if open_city is None and self.cities:
                self.rows[row] = Row(city=self._next_city())
                self.events.append(CityOpened(row=row, city=self.row(row).city))

    def run(self) -> None:
        """Draw what is to be drawn until a choice waits, the game ends or the next turn may begin."""
        while self.jobs and self.reason is None and not self.pair:
            job = self.jobs[0]
            if job.row is not None:
                self._deal_pair(job.row)
            elif job.seat is not None and not self._draw_hand(job.seat):
                return
        if self.jobs or self.reason is not None:
            return
        if self.is_setup:
            self.is_setup = False
        else:
            self.active = (self.active + 1) % len(self.hands)

    def place_pair(self, row: int, side: str) -> None:
        """Put the waiting pair on its side; the row is dealt."""
        for card in self.pair:
            self.lay(row, side, card, "dealt")
        self.pair = ()
        self.jobs.pop(0)

    def draw_for_chaos(self) -> None:
        """Draw four: dreams are thrown away, Chaos cards wait (ruling 5); lost with fewer (ruling 6)."""
        if len(self.dreams) < CHAOS_LOOKS:
            self.end("dreams")
            return
        if self.looked_at != self.turns:
            self.looked, self.looked_at = [], self.turns
        for _ in range(CHAOS_LOOKS):
            card = self._next_dream()
            self.looked.append(card)
            if card == CHAOS:
                self.chaos += 1
            else:
                self.thrown.append(card)

    def _deal_pair(self, row: int) -> None:
        if len(self.dreams) < DEALT:
            self.end("dreams")
            return
        pair = (self._next_dream(), self._next_dream())
        sides = [_FIXED_SIDE.get(KIND[card]) for card in pair]
        self.pair = pair
        if is_choice(pair):
            return
        for card, side, other in zip(pair, sides, reversed(sides), strict=True):
            self.lay(row, side or other or LEFT, card, "dealt")
        self.pair = ()
        self.jobs.pop(0)

    def _draw_hand(self, seat: int) -> bool:
        """Draw up to four cards; False if a Chaos card waits or the deck is empty."""
        while len(self.hands[seat]) < HAND_SIZE:
            if self.chaos:
                if not self.is_setup or self._chaos_has_room():
                    return False
                self.chaos -= 1  # ruling 4: nowhere to place it
                self.thrown.append(CHAOS)
                continue
            if not self.dreams:
                self.end("dreams")
                return False
            self._draw_one(seat)
        self.jobs.pop(0)
        return True

    def _draw_one(self, seat: int) -> None:
        card = self._next_dream()
        self.events.append(Drawn(player=self.state.players[seat], card=card))
        if card == CHAOS:
            self.chaos += 1
        else:
            self.hands[seat] = (*self.hands[seat], card)

    def _chaos_has_room(self) -> bool:
        return any(open_city is not None and open_city.chaos_side for open_city in self.rows)

    def _next_dream(self) -> str:
        card = self.dreams[0]
        if card is None:
            refuse("deck.unknown", deck="dreams")
        del self.dreams[0]
        return card

    def _next_city(self) -> str:
        city = self.cities[0]
        if city is None:
            refuse("deck.unknown", deck="cities")
        del self.cities[0]
        return city


def is_choice(pair: Cards) -> bool:
    """Whether the side of a dealt pair is the players' choice: two of Chaos and Metas (ruling 2)."""
    return all(KIND[card] not in _FIXED_SIDE for card in pair)


def without(cards: Cards, card: str) -> Cards:
    """Return the cards without the first copy of one of them."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def is_book_dream(card: str, side: str) -> bool:
    """Whether a flying or invisible Book of this side may take the card (ruling 12)."""
    return KIND[card] in (META, INCUBUS if side == LEFT else SANAE)
