"""Checkpoints, and the invariants that every state keeps."""

from __future__ import annotations

from collections import Counter

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city.catalogue import CARD_COUNT, COURTYARD, MARKERS
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.table import first_difference, parse_table, predict
from companion.storage.strict import as_integer, as_list, as_object, as_string

KEYS = ("scales", "crystals", "markers", "supply_scales", "built", "hand_counts", "table")


def built_tiles(state: CityState) -> list[str]:
    """Return the tiles that were built, in the order of their cells, without the courtyard."""
    return [t for i, t in enumerate(state.setup.layout) if i in state.built and t != COURTYARD]


def counts(state: CityState) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the players' counters as bounds (lowest, highest), by key of the checkpoint and player."""
    names = state.setup.players
    hidden = state.hidden
    exact = {"scales": state.scales, "markers": state.markers}
    table = {key: {n: (v, v) for n, v in zip(names, vs, strict=True)} for key, vs in exact.items()}
    table["crystals"] = dict(zip(names, zip(state.crystals_low, state.crystals, strict=True), strict=True))
    if hidden is None:
        table["hand_counts"] = {n: (len(h), len(h)) for n, h in zip(names, state.hands, strict=True)}
    else:
        table["hand_counts"] = dict(
            zip(names, zip(hidden.hand_low, hidden.hand_high, strict=True), strict=True)
        )
    return table


def check(state: CityState, claimed: Json) -> None:
    """Compare the keys of a checkpoint with the state; raises MalformedError naming the first difference."""
    as_object(claimed, "the check", (), KEYS)
    for key, known in counts(state).items():
        if key not in claimed:
            continue
        for name, value in as_object(claimed[key], key, (), state.setup.players).items():
            low, high = known[name]
            number = as_integer(value, f"{key} of {name}")
            if not low <= number <= high:
                actual = low if low == high else f"{low} to {high}"
                raise MalformedError(f"{key} of {name} is {actual}, not {number}")
    if "supply_scales" in claimed and as_integer(claimed["supply_scales"], "supply_scales") != state.supply:
        raise MalformedError(f"supply_scales is {state.supply}, not {claimed['supply_scales']}")
    if "built" in claimed:
        tiles = [as_string(t, "a built tile") for t in as_list(claimed["built"], "built")]
        if sorted(tiles) != sorted(built_tiles(state)):
            odd = min(set(tiles) ^ set(built_tiles(state)), default="a tile twice")
            raise MalformedError(f"built differs: {odd}")
    if "table" in claimed:
        values = state.setup.catalogue.obelisk
        picture = parse_table(claimed["table"], len(values))
        difference = first_difference(picture, predict(state), values, state.setup.first_obelisk_box)
        if difference:
            raise MalformedError(f"the table differs: {difference}")


def invariants(state: CityState) -> tuple[str, ...]:
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
