"""The next state while it is being written: a mutable copy that never leaves the rules."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Event
from companion.games.blue_moon_city.cards import CardKeeper, ClosedCards, OpenCards
from companion.games.blue_moon_city.catalogue import DRAGONS, Building
from companion.games.blue_moon_city.state import CityState, Outcome


class Draft:
    """A mutable copy of a state; `freeze` gives the next state."""

    __slots__ = (
        "active",
        "acts",
        "boxes",
        "built",
        "cards",
        "contributed",
        "crystals",
        "crystals_low",
        "dragons",
        "events",
        "figures",
        "markers",
        "moving",
        "obelisk",
        "offered",
        "outcome",
        "paid",
        "paid_before",
        "scales",
        "setup",
        "steps",
        "steps_low",
        "supply",
        "turn",
    )

    def __init__(self, state: CityState, reshuffle: tuple[str, ...] | None) -> None:
        self.setup = state.setup
        self.active = state.active
        self.moving = state.moving
        self.steps = state.steps
        self.steps_low = state.hidden.steps_low if state.hidden else state.steps
        self.contributed = state.contributed
        self.offered = state.offered
        self.acts = state.acts + 1
        self.figures = list(state.figures)
        self.dragons = list(state.dragons)
        self.boxes = list(state.boxes)
        self.built = state.built
        self.obelisk = list(state.obelisk)
        self.markers = list(state.markers)
        self.scales = list(state.scales)
        self.supply = state.supply
        self.crystals = list(state.crystals)
        self.crystals_low = list(state.hidden.crystals_low) if state.hidden else None
        self.paid: frozenset[str] = frozenset()
        self.paid_before: frozenset[str] = frozenset()
        self.cards: CardKeeper = (
            OpenCards(state, reshuffle)
            if state.hidden is None
            else ClosedCards(state, state.hidden, is_told=reshuffle is not None)
        )
        self.outcome: Outcome | None = None
        self.turn = state.turn
        self.events: list[Event] = []

    def building(self, cell: int) -> Building:
        """Return the building on a cell that is not the courtyard."""
        building = self.setup.buildings[cell]
        assert building is not None
        return building

    def dragon_name(self, number: int) -> str:
        """Return "fire", "earth" or "water"."""
        return DRAGONS[number]

    def clockwise(self) -> list[int]:
        """Return the seats clockwise, the active player first."""
        n = len(self.setup.players)
        return [(self.active + i) % n for i in range(n)]

    def gain_crystals(self, seat: int, count: int) -> None:
        """Give crystals to a player."""
        self.crystals[seat] += count
        if self.crystals_low is not None:
            self.crystals_low[seat] += count

    def pay_crystals(self, seat: int, least: int, most: int) -> None:
        """Take between `least` and `most` crystals (they differ where a Pillar was not seen)."""
        self.crystals[seat] -= least
        if self.crystals_low is not None:
            self.crystals_low[seat] = max(0, self.crystals_low[seat] - most)

    def freeze(self) -> CityState:
        """Return the next state."""
        hands, aside, deck, discard, hidden = self.cards.freeze()
        if hidden is not None and self.crystals_low is not None:
            hidden = replace(
                hidden,
                crystals_low=tuple(self.crystals_low),
                steps_low=self.steps_low,
                paid=self.paid,
                paid_before=self.paid_before,
            )
        return CityState(
            self.setup,
            self.active,
            self.moving,
            self.steps,
            self.contributed,
            self.offered,
            self.acts,
            tuple(self.figures),
            tuple(self.dragons),
            tuple(self.boxes),
            self.built,
            tuple(self.obelisk),
            tuple(self.markers),
            tuple(self.scales),
            self.supply,
            tuple(self.crystals),
            hands,
            aside,
            deck,
            discard,
            hidden,
            self.outcome,
            self.turn,
        )
