"""One action while it is carried out: the state so far, what happened, and what had to be taken on trust."""

from __future__ import annotations

from typing import Any

from companion.game import Event
from companion.games.blue_moon_legends.catalogue import Card, CardId
from companion.games.blue_moon_legends.events import PowerWorked
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.state import (
    Fight,
    Hidden,
    Pending,
    Side,
    State,
    Turn,
    changed,
    known_places,
)
from companion.games.blue_moon_legends.texts import violation


class Draft:
    """The moving state of one action; nothing outside sees it before the action has succeeded.

    Attributes:
        is_assumed: something hidden had to be believed.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.is_assumed = False
        self._force: tuple[State, Force] | None = None

    # -- looking -----------------------------------------------------------------------------------

    @property
    def active(self) -> int:
        """The side whose turn it is."""
        return self.state.active

    @property
    def turn(self) -> Turn:
        """What was done in the current turn."""
        return self.state.turn

    def side(self, number: int) -> Side:
        """Return a side."""
        return self.state.sides[number]

    def name(self, number: int) -> str:
        """Return a side's player."""
        return self.state.setup.players[number]

    def card(self, card: CardId) -> Card:
        """Return the facts of a card."""
        return self.state.setup.cards[card]

    def force(self) -> Force:
        """Return what is in force just now; worked out once for each state."""
        if self._force is None or self._force[0] is not self.state:
            self._force = (self.state, Force(self.state))
        return self._force[1]

    # -- changing ----------------------------------------------------------------------------------

    def put(self, number: int, **changes: Any) -> None:
        """Change a side."""
        side = changed(self.state.sides[number], **changes)
        sides = (side, self.state.sides[1]) if number == 0 else (self.state.sides[0], side)
        self.state = changed(self.state, sides=sides)

    def mark(self, **changes: Any) -> None:
        """Change the current turn."""
        self.state = changed(self.state, turn=changed(self.state.turn, **changes))

    def set_fight(self, fight: Fight | None) -> None:
        """Change the running fight."""
        self.state = changed(self.state, fight=fight)

    def demand(self, pending: Pending) -> None:
        """Let a side answer before anything else."""
        self.state = changed(self.state, pending=(*self.state.pending, pending))

    def say(self, event: Event) -> None:
        """Note what happened."""
        self.events.append(event)

    def worked(self, entry: ActiveCard) -> None:
        """Note that a card's power did something."""
        self.card_worked(entry.side, entry.card.id)

    def card_worked(self, number: int, card: CardId) -> None:
        """Note that the power of a side's card did something."""
        power = self.card(card).power
        if power is not None:
            self.say(PowerWorked(player=self.name(number), card=card, effect=power.effect))

    # -- hidden cards ------------------------------------------------------------------------------

    def could_be_hidden(self, number: int, card: CardId) -> bool:
        """Whether the card belongs to the side's deck and nobody knows where it is."""
        owned = self.state.setup.owned[number]
        return card in owned and card not in set(known_places(self.state.sides[number]))

    def forget(self, number: int) -> None:
        """Claim no longer where the cards are that lie open to nobody: they may have changed places."""
        side = self.side(number)
        self.put(
            number,
            hand=tuple(card if card in side.revealed else None for card in side.hand),
            deck=(None,) * len(side.deck),
            discard=(None,) * len(side.discard),
        )

    def take(self, number: int, zone: tuple[Hidden, ...], card: Hidden, rule: str) -> tuple[Hidden, ...]:
        """Return a zone without one card; a card nobody has seen there takes the place of an unknown one.

        Raises RuleViolation with the given rule when the card cannot be there.
        """
        if card is None:
            return self._take_unseen(number, zone, rule)
        if card in zone:
            at = zone.index(card)
        elif None in zone and self.could_be_hidden(number, card):
            at = zone.index(None)
            self.is_assumed = True
        else:
            raise violation(rule, card=card)
        return zone[:at] + zone[at + 1 :]

    def _take_unseen(self, number: int, zone: tuple[Hidden, ...], rule: str) -> tuple[Hidden, ...]:
        """Take a card nobody saw: after it, only the open ones of the zone are still known to be there."""
        if self.state.is_open(number):
            raise violation("cards.unnamed")
        revealed = self.state.sides[number].revealed
        zone = tuple(card if card in revealed else None for card in zone)
        if None not in zone:
            raise violation(rule, card="?")
        self.is_assumed = True
        at = zone.index(None)
        return zone[:at] + zone[at + 1 :]

    def from_hand(self, number: int, card: Hidden) -> None:
        """Take a card out of a side's hand; raises RuleViolation ``hand.lacks``."""
        hand = self.take(number, self.side(number).hand, card, "hand.lacks")
        revealed = self.side(number).revealed
        self.put(number, hand=hand, revealed=revealed - {card} if card is not None else revealed)

    def discard(self, number: int, *cards: Hidden) -> None:
        """Put cards on a side's discard pile, the last one on top."""
        if cards:
            self.put(number, discard=(*self.side(number).discard, *cards))

    def shuffled(self, number: int, cards: tuple[Hidden, ...]) -> tuple[Hidden, ...]:
        """Return the cards in the order that the side's next shuffle brings, or unknown."""
        side = self.side(number)
        orders = self.state.setup.shuffles[number]
        self.put(number, shuffled=side.shuffled + 1)
        if not orders or None in cards:
            return (None,) * len(cards)
        rank = {card: at for at, card in enumerate(orders[side.shuffled % len(orders)])}
        return tuple(sorted((card for card in cards if card is not None), key=rank.__getitem__))
