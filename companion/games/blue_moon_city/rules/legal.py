"""Which actions are legal in an open game, one representative for each way that matters.

Left out are only variants that waste something without changing anything else: longer ways to the same
cell, cards in a contribution that were not needed, more than one Hoax power at once. `rules.apply` takes
them all the same.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import overload

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
    CARDS,
    CELLS,
    CENTRE,
    DISTANCE,
    DRAGON_PEOPLE,
    PEOPLE,
    PEOPLES,
    VALUE,
    shortest_path,
)
from companion.games.blue_moon_city.state import CityState

Plain = tuple[tuple[str, ...], tuple[tuple[str, str], ...], int]
Payment = tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, tuple[str, ...]], ...]]
_ALL = range(len(CELLS))
_RANK = {card: i for i, card in enumerate(sorted(CARDS, key=lambda c: (-VALUE[c], c)))}
_DRAGON_CARDS = tuple((dragon, f"{people}-1", f"{people}-2") for dragon, people in DRAGON_PEOPLE.items())
_NOTHING: tuple[Plain, ...] = (((), (), 0),)


def legal_actions(state: CityState) -> Iterator[Action]:
    """Yield the legal actions in a fixed order; none when the game is over. Open games only."""
    for group in legal_groups(state).values():
        yield from group


def legal_groups(state: CityState) -> dict[str, Sequence[Action]]:
    """Return the legal actions by the record's name of their kind; kinds without any are left out.

    Actions are immutable and the same ones come up again and again, so they are kept, not made again.
    """
    if state.outcome is not None:
        return {}
    player, hand = state.player, state.hands[state.active]
    groups: dict[str, Sequence[Action]] = {}
    if state.moving:
        here = state.figures[state.active]
        groups["move"] = _moves(player, here, state.steps, hand.count("flit-2"))
        groups["fly"] = _flights(player, here) if "flit-1" in hand else ()
        means = tuple((leap in hand, stroll in hand) for _, leap, stroll in _DRAGON_CARDS)
        groups["dragon"] = _all_dragon_moves(player, state.dragons, means)
    groups["contribute"] = _Contributions(state, hand)
    groups["offer"] = tuple(_offerings(state, hand))
    groups["end"] = _Ends(player, hand)
    return {kind: group for kind, group in groups.items() if group}


@functools.lru_cache(maxsize=4096)
def _moves(player: str, here: int, steps: int, flits: int) -> tuple[Action, ...]:
    far = DISTANCE[here]
    return tuple(
        Move(
            player=player,
            to=there,
            path=shortest_path(here, there),
            cards=("flit-2",) * max(0, -(-(far[there] - steps) // 2)),
        )
        for there in _ALL
        if 0 < far[there] <= steps + 2 * flits
    )


@functools.lru_cache(maxsize=256)
def _flights(player: str, here: int) -> tuple[Action, ...]:
    return tuple(Fly(player=player, to=there, card="flit-1") for there in _ALL if there != here)


@functools.lru_cache(maxsize=16384)
def _all_dragon_moves(
    player: str, dragons: tuple[int, ...], means: tuple[tuple[bool, bool], ...]
) -> tuple[Action, ...]:
    """Return the moves of all dragons; `means` tells whether each may leap and whether it may walk."""
    return tuple(
        action
        for (dragon, _, _), here, (leaps, walks) in zip(_DRAGON_CARDS, dragons, means, strict=True)
        if leaps or walks
        for action in _dragon_moves(player, dragon, here, leaps, walks)
    )


@functools.lru_cache(maxsize=2048)
def _dragon_moves(player: str, dragon: str, here: int, leaps: bool, walks: bool) -> tuple[Action, ...]:
    people = DRAGON_PEOPLE[dragon]
    found: list[Action] = []
    for there in _ALL if leaps else ():
        if there != here:
            found.append(MoveDragon(player=player, dragon=dragon, to=there, card=f"{people}-1"))
    for there in _ALL if walks and here >= 0 else ():
        if 0 < DISTANCE[here][there] <= 3:
            path = shortest_path(here, there)
            found.append(MoveDragon(player=player, dragon=dragon, to=there, path=path, card=f"{people}-2"))
    return tuple(found)


class _Lazy(Sequence[Action]):
    """Actions that are made one by one as they are asked for: a big hand has hundreds."""

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._make(index % len(self))

    def _make(self, index: int) -> Action:
        """Return action number `index`, 0 for the first."""
        raise NotImplementedError


class _Contributions(_Lazy):
    """The contributions that the figure's cell, the free boxes and the hand allow."""

    def __init__(self, state: CityState, hand: tuple[str, ...]) -> None:
        self._player = state.player
        self._ways: list[tuple[int, str, tuple[Payment, ...]]] = []
        self._ends: list[int] = []
        seat = state.active
        cell = state.figures[seat]
        building = state.setup.buildings[cell]
        if building is None or cell in state.built or not state.markers[seat]:
            return
        total = 0
        for box, owner in enumerate(state.boxes[cell]):
            for colour in () if owner >= 0 else PEOPLES if building.colour == ANY else (building.colour,):
                ways = payments(hand, colour, building.values[box])
                total += len(ways)
                self._ways.append((box, colour, ways))
                self._ends.append(total)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _make(self, index: int) -> Action:
        number = bisect_right(self._ends, index)
        box, colour, ways = self._ways[number]
        cards, pairs, recolour = ways[index - self._ends[number]]
        return Contribute(
            player=self._player, box=box, colour=colour, cards=cards, pairs=pairs, recolour=recolour
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


class _Ends(_Lazy):
    """The ways to end a turn: no card discarded, one, two different ones, two alike."""

    def __init__(self, player: str, hand: tuple[str, ...]) -> None:
        self._player = player
        self._kinds = tuple(dict.fromkeys(hand))
        self._twice = tuple(kind for kind in self._kinds if hand.count(kind) > 1)
        self._pairs = _index_pairs(len(self._kinds))

    def __len__(self) -> int:
        return 1 + len(self._kinds) + len(self._pairs) + len(self._twice)

    def _make(self, index: int) -> Action:
        return End(player=self._player, discard=self._discard(index - 1))

    def _discard(self, number: int) -> tuple[str, ...]:
        kinds, pairs = self._kinds, self._pairs
        if number < 0:
            return ()
        if number < len(kinds):
            return (kinds[number],)
        number -= len(kinds)
        if number < len(pairs):
            one, other = pairs[number]
            return kinds[one], kinds[other]
        return (self._twice[number - len(pairs)],) * 2


@functools.cache
def _index_pairs(size: int) -> tuple[tuple[int, int], ...]:
    return tuple(combinations(range(size), 2))


# -- paying for a contribution -----------------------------------------------------------------------


@functools.lru_cache(maxsize=8192)
def payments(hand: tuple[str, ...], colour: str, value: int) -> tuple[Payment, ...]:
    """Return every way to reach `value` in `colour` from which nothing could be left out.

    Rulings 11 to 13; at most one Hoax power.
    """
    own = tuple(sorted((c for c in hand if PEOPLE[c] in (colour, "khind")), key=_RANK.__getitem__))
    mimix = _mimix(hand) if colour != "mimix" else (0, 0)
    found: list[Payment] = [(cards, pairs, ()) for cards, pairs, _ in _plain(own, *mimix, value)]
    for hoax, most in (("hoax-1", 4), ("hoax-2", 1)):
        if hoax in hand:
            found.extend(_with_power(hand, colour, value, hoax, most))
    return tuple(found)


def _mimix(cards: tuple[str, ...]) -> tuple[int, int]:
    return cards.count("mimix-1"), cards.count("mimix-2")


def _plain(own: tuple[str, ...], ones: int, twos: int, value: int) -> tuple[Plain, ...]:
    """Return the sets of single cards and pairs, with their sum, from which nothing could be left out.

    `own` are the cards that count singly, biggest first; `ones` and `twos` further Mimix, for pairs only.
    Mimix among `own` may be paired instead.
    """
    results: list[Plain] = []
    for taken, total in _singles(own, 0, (), 0, value):
        cards = tuple(own[i] for i in taken)
        spare_ones, spare_twos = _mimix(tuple(own[i] for i in range(len(own)) if i not in taken))
        least = VALUE[cards[-1]] if cards else 9
        for pairs in _pairs(ones + spare_ones, twos + spare_twos, -(-max(0, value - total) // 3)):
            whole = total + 3 * len(pairs)
            if value <= whole < value + (min(least, 3) if pairs else least):
                results.append((cards, pairs, whole))
    return tuple(results)


def _singles(
    own: tuple[str, ...], start: int, taken: tuple[int, ...], total: int, value: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield sets of single cards by their numbers, with their sum, none larger than a value asks for."""
    yield taken, total
    if total >= value:
        return
    for i in range(start, len(own)):
        if i == start or own[i] != own[i - 1]:
            yield from _singles(own, i + 1, (*taken, i), total + VALUE[own[i]], value)


@functools.cache
def _pairs(ones: int, twos: int, most: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the ways to make up to `most` Mimix pairs, none included."""
    kinds = (("mimix-1", "mimix-1"), ("mimix-1", "mimix-2"), ("mimix-2", "mimix-2"))
    return tuple(
        (kinds[0],) * a + (kinds[1],) * b + (kinds[2],) * c
        for a in range(most + 1)
        for b in range(most + 1 - a)
        for c in range(most + 1 - a - b)
        if 2 * a + b <= ones and b + 2 * c <= twos
    )


def _with_power(hand: tuple[str, ...], colour: str, value: int, hoax: str, most: int) -> Iterator[Payment]:
    """Yield the payments in which one Hoax turns a group of one foreign colour."""
    by_people = _by_people(hand, hoax)
    own = by_people.get(colour, ())
    if colour != "khind":
        own = tuple(sorted((*own, *by_people.get("khind", ())), key=_RANK.__getitem__))
    ones, twos = _mimix(by_people.get("mimix", ())) if colour != "mimix" else (0, 0)
    at_most = _worth(own) + 3 * ((ones + twos) // 2)
    for people, foreign in by_people.items():
        if people in (colour, "khind") or at_most + _worth(foreign[:most]) < value:
            continue
        for group in _groups(foreign, most, value):
            taken = _mimix(group) if people == "mimix" else (0, 0)
            for cards, pairs in _beside(own, ones - taken[0], twos - taken[1], value, group):
                yield (*cards, *group), pairs, ((hoax, group),)


def _worth(cards: tuple[str, ...]) -> int:
    return sum(map(VALUE.__getitem__, cards))


def _beside(
    own: tuple[str, ...], ones: int, twos: int, value: int, group: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """Yield the single cards and pairs that pay a value beside a turned group, all of which is needed."""
    gain = _worth(group)
    plain = _plain(own, ones, twos, value - gain) if gain < value else _NOTHING
    for cards, pairs, total in plain:
        if total + gain - VALUE[group[-1]] < value:
            yield cards, pairs


@functools.lru_cache(maxsize=4096)
def _by_people(hand: tuple[str, ...], spent: str) -> dict[str, tuple[str, ...]]:
    """Return the cards of a hand without the one that is spent, by people, biggest first."""
    rest = list(hand)
    rest.remove(spent)
    found: dict[str, tuple[str, ...]] = {}
    for card in sorted(rest, key=_RANK.__getitem__):
        found[PEOPLE[card]] = (*found.get(PEOPLE[card], ()), card)
    return found


@functools.lru_cache(maxsize=4096)
def _groups(foreign: tuple[str, ...], most: int, value: int) -> tuple[tuple[str, ...], ...]:
    """Return the groups of up to `most` cards, biggest first, of which none could be left out."""
    found = [g for size in range(1, most + 1) for g in combinations(foreign, size)]
    return tuple(dict.fromkeys(g for g in found if sum(VALUE[c] for c in g[:-1]) < value))
