"""Which actions are legal in an open game, one representative for each way that matters.

Left out are only variants that waste something without changing anything else: longer ways to the same
cell, cards in a contribution that were not needed, more than two Hoax powers at once. `rules.apply` takes
them all the same.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from companion.games.blue_moon_city.actions import (
    Action,
    Contribute,
    End,
    Fly,
    Move,
    MoveDragon,
    Offer,
)
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CELLS,
    CENTRE,
    DISTANCE,
    DRAGON_PEOPLE,
    DRAGONS,
    PEOPLE,
    PEOPLES,
    VALUE,
    shortest_path,
)
from companion.games.blue_moon_city.state import CityState

Payment = tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, tuple[str, ...]], ...]]
_ALL = range(len(CELLS))


def legal_actions(state: CityState) -> Iterator[Action]:
    """Yield the legal actions in a fixed order; none when the game is over. Open games only."""
    if state.outcome is not None:
        return
    hand = state.hands[state.active]
    if state.moving:
        yield from _moves(state, hand)
        yield from _dragon_moves(state, hand)
    yield from _contributions(state, hand)
    yield from _offerings(state, hand)
    for discard in _discards(hand):
        yield End(player=state.player, discard=discard)


def _moves(state: CityState, hand: tuple[str, ...]) -> Iterator[Action]:
    here = state.figures[state.active]
    flits = hand.count("flit-2")
    reach = state.steps + 2 * flits
    far = DISTANCE[here]
    for there in _ALL:
        steps = far[there]
        if 0 < steps <= reach:
            used = max(0, -(-(steps - state.steps) // 2))
            path = shortest_path(here, there)
            yield Move(player=state.player, to=there, path=path, cards=("flit-2",) * used)
    if "flit-1" in hand:
        for there in _ALL:
            if there != here:
                yield Fly(player=state.player, to=there, card="flit-1")


def _dragon_moves(state: CityState, hand: tuple[str, ...]) -> Iterator[Action]:
    for number, dragon in enumerate(DRAGONS):
        here = state.dragons[number]
        people = DRAGON_PEOPLE[dragon]
        if f"{people}-1" in hand:
            for there in _ALL:
                if there != here:
                    yield MoveDragon(player=state.player, dragon=dragon, to=there, card=f"{people}-1")
        if here >= 0 and f"{people}-2" in hand:
            for there in _ALL:
                if 0 < DISTANCE[here][there] <= 3:
                    path = shortest_path(here, there)
                    yield MoveDragon(
                        player=state.player, dragon=dragon, to=there, path=path, card=f"{people}-2"
                    )


def _contributions(state: CityState, hand: tuple[str, ...]) -> Iterator[Action]:
    seat = state.active
    cell = state.figures[seat]
    building = state.setup.buildings[cell]
    if building is None or cell in state.built or not state.markers[seat]:
        return
    for box, owner in enumerate(state.boxes[cell]):
        if owner >= 0:
            continue
        for colour in PEOPLES if building.colour == ANY else (building.colour,):
            for cards, pairs, recolour in payments(hand, colour, building.values[box]):
                yield Contribute(
                    player=state.player, box=box, colour=colour, cards=cards, pairs=pairs, recolour=recolour
                )


def _offerings(state: CityState, hand: tuple[str, ...]) -> Iterator[Action]:
    seat = state.active
    box = state.next_box
    if state.figures[seat] != CENTRE or not state.markers[seat] or box == len(state.obelisk):
        return
    spare = state.crystals[seat] - state.setup.catalogue.obelisk[box]
    if not state.offered:
        if spare >= 0:
            yield Offer(player=state.player)
        return
    for extra in (1, 2):
        if spare >= extra and f"pillar-{extra}" in hand:
            yield Offer(player=state.player, pillar=f"pillar-{extra}")


@functools.lru_cache(maxsize=2048)
def _discards(hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    kinds = tuple(dict.fromkeys(hand))
    twice = tuple((k, k) for k in kinds if hand.count(k) > 1)
    return ((), *((k,) for k in kinds), *combinations(kinds, 2), *twice)


# -- paying for a contribution -----------------------------------------------------------------------


@functools.lru_cache(maxsize=8192)
def payments(hand: tuple[str, ...], colour: str, value: int) -> tuple[Payment, ...]:
    """Return every way to reach `value` in `colour` from which nothing could be left out.

    Rulings 11 to 13; at most two Hoax powers.
    """
    counts = Counter(hand)
    plain = _plain(counts, colour, value)
    found: list[Payment] = [(cards, pairs, ()) for cards, pairs, total in plain if total >= value]
    powers = [h for h in ("hoax-1", "hoax-2") for _ in range(min(2, counts[h]))]
    sets = {(h,) for h in powers} | set(combinations(powers, 2))
    for used in sorted(sets):
        found.extend(_with_powers(counts, colour, value, used))
    return tuple(dict.fromkeys(found))


def _plain(
    counts: Counter[str], colour: str, value: int
) -> list[tuple[tuple[str, ...], tuple[tuple[str, str], ...], int]]:
    """Return single cards and pairs of sum below `value`, or reaching it with nothing to spare."""
    singles = [c for c in counts if PEOPLE[c] in (colour, "khind")]
    singles.sort(key=lambda c: (-VALUE[c], c))
    results = []

    def grow(start: int, cards: tuple[str, ...], total: int, smallest: int, left: Counter[str]) -> None:
        for pairs in _pairs(left, value - total):
            whole = total + 3 * len(pairs)
            least = min(smallest, 3) if pairs else smallest
            if whole - least < value:
                results.append((cards, pairs, whole))
        for i in range(start, len(singles)):
            card = singles[i]
            if left[card] and total < value:
                rest = left.copy()
                rest[card] -= 1
                grow(i, (*cards, card), total + VALUE[card], min(smallest, VALUE[card]), rest)

    grow(0, (), 0, 9, counts)
    return results


def _pairs(left: Counter[str], missing: int) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the sets of Mimix pairs that do not pay more than one pair too much."""
    ones, twos = left["mimix-1"], left["mimix-2"]
    yield ()
    kinds = (("mimix-1", "mimix-1"), ("mimix-1", "mimix-2"), ("mimix-2", "mimix-2"))
    most = min((ones + twos) // 2, max(0, -(-missing // 3)))
    for number in range(1, most + 1):
        for split in _splits(number):
            if 2 * split[0] + split[1] <= ones and split[1] + 2 * split[2] <= twos:
                yield tuple(kind for kind, n in zip(kinds, split, strict=True) for _ in range(n))


@functools.cache
def _splits(number: int) -> tuple[tuple[int, int, int], ...]:
    return tuple((a, b, number - a - b) for a in range(number + 1) for b in range(number + 1 - a))


def _with_powers(counts: Counter[str], colour: str, value: int, used: tuple[str, ...]) -> Iterator[Payment]:
    """Yield the payments that spend exactly these Hoax powers."""
    left = counts.copy()
    left.subtract(used)
    for turned in _turned(left, colour, used):
        cards = tuple(c for group in turned for c in group)
        gain = sum(VALUE[c] for c in cards)
        if gain - min(VALUE[c] for c in cards) >= value:
            continue
        rest = left.copy()
        rest.subtract(cards)
        least = min(VALUE[c] for c in cards)
        for own, pairs, total in _plain(rest, colour, value - gain) if gain < value else [((), (), 0)]:
            if total + gain >= value and total + gain - least < value:
                yield (*own, *cards), pairs, tuple(zip(used, turned, strict=True))


def _turned(left: Counter[str], colour: str, used: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield what each Hoax power turns: groups of one foreign colour."""
    if not used:
        yield ()
        return
    most = 4 if used[0] == "hoax-1" else 1
    for people in PEOPLES:
        if people in (colour, "khind"):
            continue
        owned = tuple(c for v in (3, 2, 1) for c in [f"{people}-{v}"] * left[f"{people}-{v}"])
        for size in range(1, min(most, len(owned)) + 1):
            for group in dict.fromkeys(combinations(owned, size)):
                rest = left.copy()
                rest.subtract(group)
                for others in _turned(rest, colour, used[1:]):
                    yield (group, *others)
