"""The legal actions of Blue Moon City a second time, naively: every cell, card and set of cards is tried.

Only the state's own fields and the printed facts are used; every rule is written out anew. Of ways that
differ in nothing that matters one is named: a shortest walk with the fewest cards, and payments of which
nothing could be left out, with at most one power of the Hoax.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from companion.games.blue_moon_city.catalogue import CELLS

Json = dict[str, Any]
PEOPLES = ("vulca", "terrah", "aqua", "flit", "khind", "mimix", "hoax", "pillar")
DRAGONS = {"fire": "vulca", "earth": "terrah", "water": "aqua"}
Pair = tuple[str, str]


def _value(card: str) -> int:
    return int(card[-1])


def _people(card: str) -> str:
    return card[:-2]


def _steps(start: str, end: str) -> int:
    """Return the shortest walk between two cells: the four missing corners never lie in between."""
    seen, edge, steps = {start}, {start}, 0
    while end not in seen:
        near = set()
        for cell in edge:
            row, col = map(int, cell.split(","))
            near |= {f"{row + 1},{col}", f"{row - 1},{col}", f"{row},{col + 1}", f"{row},{col - 1}"}
        edge = (near & set(CELLS)) - seen
        seen |= edge
        steps += 1
    return steps


def _way(start: str, end: str) -> list[str]:
    """Return a shortest walk, cell by cell, without its start."""
    way = [start]
    while way[-1] != end:
        way.append(
            next(c for c in CELLS if _steps(way[-1], c) == 1 and _steps(c, end) < _steps(way[-1], end))
        )
    return way[1:]


def moves(state: Any) -> list[Json]:
    """Return the record lines of all that may be done."""
    if state.outcome is not None:
        return []
    hand = sorted(state.hands[state.active])
    here = CELLS[state.figures[state.active]]
    found = list(_moving(state, hand, here)) if state.moving else []
    found += _contributions(state, hand)
    found += _offerings(state, hand, here)
    discards: set[tuple[str, ...]] = {(), *((card,) for card in hand), *combinations(hand, 2)}
    found += [{"do": "end", "discard": list(cards)} for cards in sorted(discards)]
    return [{"player": state.setup.players[state.active], **line} for line in found]


def _moving(state: Any, hand: list[str], here: str) -> Iterator[Json]:
    for there in CELLS:
        if there == here:
            continue
        flits = next(
            (n for n in range(hand.count("flit-2") + 1) if _steps(here, there) <= state.steps + 2 * n), None
        )
        if flits is not None:
            yield {"do": "move", "path": _way(here, there), "cards": ["flit-2"] * flits}
        if "flit-1" in hand:
            yield {"do": "fly", "to": there, "card": "flit-1"}
    for number, (dragon, people) in enumerate(DRAGONS.items()):
        at = CELLS[state.dragons[number]] if state.dragons[number] >= 0 else None
        for there in CELLS:
            if there == at:
                continue
            if f"{people}-1" in hand:
                yield {"do": "dragon", "dragon": dragon, "card": f"{people}-1", "to": there}
            if f"{people}-2" in hand and at is not None and _steps(at, there) <= 3:
                yield {"do": "dragon", "dragon": dragon, "card": f"{people}-2", "path": _way(at, there)}


def _offerings(state: Any, hand: list[str], here: str) -> Iterator[Json]:
    free = [n for n in range(state.setup.first_obelisk_box, 13) if state.obelisk[n] < 0]
    if here != "2,2" or not free or not state.markers[state.active]:
        return
    price = state.setup.catalogue.obelisk[free[0]]
    crystals = state.crystals[state.active]
    if not state.offered and crystals >= price:
        yield {"do": "offer", "pillar": None}
    for more in (1, 2):
        if state.offered and f"pillar-{more}" in hand and crystals >= price + more:
            yield {"do": "offer", "pillar": f"pillar-{more}"}


# -- paying -----------------------------------------------------------------------------------------


def _contributions(state: Any, hand: list[str]) -> Iterator[Json]:
    cell = state.figures[state.active]
    building = state.setup.buildings[cell]
    if building is None or cell in state.built or not state.markers[state.active]:
        return
    for box, owner in enumerate(state.boxes[cell]):
        if owner >= 0:
            continue
        for colour in PEOPLES if building.colour == "any" else (building.colour,):
            for cards, pairs, recolour in sorted(_payments(hand, colour, building.values[box])):
                yield {
                    "do": "contribute",
                    "box": box,
                    "colour": colour,
                    "cards": list(cards),
                    "pairs": [list(pair) for pair in pairs],
                    "recolour": [{"card": hoax, "cards": list(turned)} for hoax, turned in recolour],
                }


Payment = tuple[tuple[str, ...], tuple[Pair, ...], tuple[tuple[str, tuple[str, ...]], ...]]


def _payments(hand: list[str], colour: str, price: int) -> set[Payment]:
    found: set[Payment] = set()
    subsets = {cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size)}
    for cards in subsets:
        for hoax, most in ((None, 0), ("hoax-1", 4), ("hoax-2", 1)):
            rest = list(cards)
            if hoax is not None:
                if hoax not in rest:
                    continue
                rest.remove(hoax)
            for pairs, singles in _paired(tuple(rest)):
                turned = tuple(card for card in singles if _people(card) not in (colour, "khind"))
                if not _may_be_turned(turned, most):
                    continue
                parts = [*(_value(card) for card in singles), *(3 for _ in pairs)]
                if price <= sum(parts) < price + min(parts, default=0):
                    recolour = ((hoax, turned),) if hoax is not None else ()
                    found.add((tuple(singles), pairs, recolour))
    return found


def _may_be_turned(turned: tuple[str, ...], most: int) -> bool:
    """Whether a power turns just these: one colour, as many as it may; without a power none is."""
    if most == 0:
        return not turned
    return 1 <= len(turned) <= most and len({_people(card) for card in turned}) == 1


def _paired(cards: tuple[str, ...]) -> set[tuple[tuple[Pair, ...], tuple[str, ...]]]:
    """Return every way to bind some Mimix of value 1 and 2 in pairs, with what is left single."""
    ways: set[tuple[tuple[Pair, ...], tuple[str, ...]]] = {((), tuple(sorted(cards)))}
    low = [n for n, card in enumerate(cards) if card in ("mimix-1", "mimix-2")]
    for one, other in combinations(low, 2):
        rest = tuple(card for n, card in enumerate(cards) if n not in (one, other))
        for pairs, singles in _paired(rest):
            pair = tuple(sorted((cards[one], cards[other])))
            ways.add((tuple(sorted((*pairs, pair))), singles))  # type: ignore[arg-type]
    return ways
