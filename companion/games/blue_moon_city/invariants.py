"""What must hold in every state of Blue Moon City."""

from __future__ import annotations

from collections import Counter

from companion.games.blue_moon_city.catalogue import CARD_COUNT, MARKERS
from companion.games.blue_moon_city.state import CityState


def defects(state: CityState) -> tuple[str, ...]:
    """Return every conserved quantity that is not conserved, in words."""
    faults = []
    setup = state.setup
    for seat, name in enumerate(setup.players):
        placed = sum(owners.count(seat) for owners in state.boxes) + state.obelisk.count(seat)
        if state.markers[seat] + placed != MARKERS or state.markers[seat] < 0:
            faults.append(f"{name} has {state.markers[seat]} markers and {placed} placed")
        if state.crystals[seat] < state.crystals_low[seat] or state.crystals_low[seat] < 0:
            faults.append(f"{name} has {state.crystals_low[seat]} to {state.crystals[seat]} crystals")
    total = setup.catalogue.editions[setup.edition].scales[len(setup.players)]
    if sum(state.scales) + state.supply != total or state.supply < 0:
        faults.append(
            f"{sum(state.scales)} scales with the players and {state.supply} in the supply of {total}"
        )
    if any(bool(state.boxes[i]) == (i in state.built) for i in range(len(setup.layout))):
        faults.append("a built tile has boxes or a sketch has none")
    if any(owners and -1 not in owners for owners in state.boxes):
        faults.append("a full building is not built")
    if state.hidden is None:
        faults.extend(_card_faults(state))
    return tuple(faults)


def _card_faults(state: CityState) -> list[str]:
    found: Counter[str] = Counter(state.deck)
    found.update(state.discard)
    for cards in (*state.hands, *state.aside):
        found.update(cards)
    if found.total() != CARD_COUNT or found != Counter(state.setup.catalogue.cards):
        return [f"{found.total()} cards instead of {CARD_COUNT}, or other ones"]
    return []
