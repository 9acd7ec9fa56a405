"""What must hold in every state of Blue Moon Legends."""

from __future__ import annotations

from collections import Counter

from companion.games.blue_moon_legends.catalogue import DRAGONS, SHIP, SUPPORT, catalogue
from companion.games.blue_moon_legends.state import State, known_places, total_cards


def defects(state: State) -> tuple[str, ...]:
    """Return every broken invariant in words; empty when the state is sound."""
    found: list[str] = []
    for number, player in enumerate(state.setup.players):
        side = state.sides[number]
        size = len(catalogue().decks[state.setup.decks[number]].cards)
        if total_cards(side) != size:
            found.append(f"{player} has {total_cards(side)} cards, not {size}")
        known = Counter(known_places(side))
        found += [f"{card} is in two places" for card, many in known.items() if many > 1]
        found += [f"{card} is not {player}'s" for card in known if card not in state.setup.owned[number]]
        if not side.revealed <= set(side.hand):
            found.append(f"{player} shows cards that are not in the hand")
        found += _misplaced(state, number)
    if abs(state.dragons) > DRAGONS:
        found.append(f"there are {abs(state.dragons)} dragons on one side")
    if state.fight is None and any(side.combat or side.support for side in state.sides):
        found.append("cards lie in areas without a fight")
    return tuple(found)


def _misplaced(state: State, number: int) -> list[str]:
    side, player = state.sides[number], state.setup.players[number]
    found = []
    for laid in side.support:
        if laid.card is not None and not laid.is_bluff and state.card(laid.card).type != SUPPORT:
            found.append(f"{laid.card} is no support card")
    for ship in (*side.ships, *side.landed):
        if state.card(ship.card).type != SHIP:
            found.append(f"{ship.card} is no ship")
        elif len(ship.cargo) > state.card(ship.card).capacity:
            found.append(f"{ship.card} carries too much")
    if side.landed and number != state.active:
        found.append(f"{player} has an unloaded ship out of turn")
    return found
