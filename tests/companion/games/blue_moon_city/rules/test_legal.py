"""Legal actions against a second, naive generator; counts worked out by it, never by the code under test."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import Verdict
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, NEIGHBOURS, PEOPLES
from companion.games.blue_moon_city.rules.legal import legal_actions
from companion.games.blue_moon_city.state import CityState
from tests.helpers.city import city_after
from tests.helpers.city_scene import GAME, scene

Outcome = tuple[object, ...]


def is_legal(state: CityState, action: Action) -> bool:
    return GAME.judge(state, action) is Verdict.LEGAL


def essence(action: Action) -> Outcome:
    """Return what an action leads to: the way does not matter, nor which of equal cards is named first."""
    match action:
        case Move():
            return "move", action.to, Counter(action.cards).total()
        case Fly():
            return "fly", action.to
        case MoveDragon():
            return "dragon", action.dragon, action.to, action.card
        case Contribute():
            spent = Counter(action.cards or ())
            spent.update(card for pair in action.pairs or () for card in pair)
            spent.update(hoax for hoax, _ in action.recolour or ())
            return "contribute", action.box, action.colour, frozenset(spent.items())
        case Offer():
            return "offer", action.pillar
        case End():
            return "end", frozenset(Counter(action.discard).items())


def naive_moves(state: CityState) -> Iterator[Action]:
    """Every walk of up to eight steps, breadth first, with the fewest Flits that carry it."""
    here, flits = state.figures[state.active], state.hands[state.active].count("flit-2")
    reached = {here: 0}
    frontier = [here]
    for steps in range(1, 9):
        frontier = [n for cell in frontier for n in NEIGHBOURS[cell] if n not in reached]
        for cell in frontier:
            reached.setdefault(cell, steps)
    for to, steps in reached.items():
        for cards in range(flits + 1):
            if to != here and steps <= state.steps + 2 * cards:
                yield Move(
                    player=state.player, to=to, path=_some_way(here, to, steps), cards=("flit-2",) * cards
                )
                break


def _some_way(here: int, to: int, steps: int) -> tuple[int, ...]:
    ways = [(here,)]
    for _ in range(steps):
        ways = [(*way, n) for way in ways for n in NEIGHBOURS[way[-1]] if n not in way]
    return next(way[1:] for way in ways if way[-1] == to)


def naive_dragons(state: CityState) -> Iterator[Action]:
    for number, (dragon, people) in enumerate((("fire", "vulca"), ("earth", "terrah"), ("water", "aqua"))):
        here = state.dragons[number]
        for to in range(len(CELLS)):
            yield MoveDragon(player=state.player, dragon=dragon, to=to, card=f"{people}-1")
        if here >= 0:
            for length in (1, 2, 3):
                ways = [(here,)]
                for _ in range(length):
                    ways = [(*way, n) for way in ways for n in NEIGHBOURS[way[-1]]]
                for way in ways:
                    if way[-1] != here:
                        yield MoveDragon(
                            player=state.player, dragon=dragon, to=way[-1], path=way[1:], card=f"{people}-2"
                        )


def naive_payments(state: CityState) -> Iterator[Contribute]:
    """Every split of every subset of the hand into single cards, pairs, and at most one Hoax power."""
    hand = state.hands[state.active]
    cell = state.figures[state.active]
    subsets = {tuple(sorted(s)) for n in range(1, len(hand) + 1) for s in combinations(hand, n)}
    for cards in subsets:
        for pairs, singles in pairings(cards):
            for box, colour in product(range(len(state.boxes[cell])), PEOPLES):
                yield Contribute(player=state.player, box=box, colour=colour, cards=singles, pairs=pairs)
                for hoax in {"hoax-1", "hoax-2"} & set(singles):
                    rest = list(singles)
                    rest.remove(hoax)
                    foreign = tuple(c for c in rest if not c.startswith((colour, "khind")))
                    if foreign:
                        yield Contribute(
                            player=state.player,
                            box=box,
                            colour=colour,
                            cards=tuple(rest),
                            pairs=pairs,
                            recolour=((hoax, foreign),),
                        )


def pairings(
    cards: tuple[str, ...],
) -> Iterator[tuple[tuple[tuple[str, str], ...], tuple[str, ...]]]:
    """Yield the ways to bind some Mimix of value 1 and 2 in pairs."""
    low = [c for c in cards if c in ("mimix-1", "mimix-2")]
    seen = set()
    for count in range(len(low) // 2 + 1):
        for chosen in permutations(low, 2 * count):
            pairs = tuple(sorted(tuple(sorted(chosen[i : i + 2])) for i in range(0, 2 * count, 2)))
            if pairs in seen:
                continue
            seen.add(pairs)
            rest = Counter(cards) - Counter(chosen)
            yield pairs, tuple(rest.elements())  # type: ignore[misc]


def is_thrifty(state: CityState, action: Contribute) -> bool:
    """Whether no card, pair or power could be left out of a legal contribution."""
    for i in range(len(action.cards or ())):
        cards = (action.cards or ())[:i] + (action.cards or ())[i + 1 :]
        left = [c for c in cards if not c.startswith((action.colour, "khind"))]
        for recolour in (
            (), *(((hoax, tuple(left)),) for hoax, _ in action.recolour or () if left)
        ):  # fmt: skip
            fewer = Contribute(
                player=action.player,
                box=action.box,
                colour=action.colour,
                cards=cards,
                pairs=action.pairs,
                recolour=recolour,
            )
            if is_legal(state, fewer):
                return False
    for i in range(len(action.pairs or ())):
        pairs = (action.pairs or ())[:i] + (action.pairs or ())[i + 1 :]
        fewer = Contribute(
            player=action.player,
            box=action.box,
            colour=action.colour,
            cards=action.cards,
            pairs=pairs,
            recolour=action.recolour,
        )
        if is_legal(state, fewer):
            return False
    return True


def naive_actions(state: CityState) -> set[Outcome]:
    """Return the essence of every legal action that wastes nothing, tried out one by one."""
    found = [*naive_moves(state), *naive_dragons(state)]
    found += [Fly(player=state.player, to=to, card="flit-1") for to in range(len(CELLS))]
    found += [Offer(player=state.player, pillar=p) for p in (None, "pillar-1", "pillar-2")]
    pairs = combinations(sorted(CARDS * 2), 2)
    found += [End(player=state.player, discard=d) for d in {(), *((c,) for c in CARDS), *pairs}]
    legal = {essence(a) for a in found if is_legal(state, a)}
    for payment in naive_payments(state):
        if is_legal(state, payment) and is_thrifty(state, payment):
            legal.add(essence(payment))
    return legal


POSITIONS = {
    "red temple": scene(
        at={"purple": "earth_temple"},
        hands={"purple": "terrah-3 terrah-1 khind-1 mimix-1 mimix-2 hoax-1 aqua-2"},
        dragons={"water": "mill"},
    ),
    "palace": scene(
        at={"purple": "royal_palace"},
        boxes={"royal_palace": [None, "white", "white", None]},
        hands={"purple": "khind-1 khind-1 khind-1 vulca-3 hoax-2 flit-2"},
        dragons={"fire": "aqueduct"},
    ),
    "brown": scene(
        at={"purple": "city_residence"}, hands={"purple": "mimix-1 mimix-1 mimix-2 mimix-2 mimix-3 hoax-1"}
    ),
    "courtyard": scene(
        hands={"purple": "flit-1 flit-2 flit-2 aqua-1 pillar-1"}, crystals={"purple": 20}, built=["mill"]
    ),
    "green by white": scene(
        at={"purple": "library"}, hands={"purple": "hoax-1 hoax-2 hoax-3 khind-1 vulca-2 vulca-1"}
    ),
    "no markers": scene(
        at={"purple": "mill"},
        hands={"purple": "terrah-3 vulca-2"},
        obelisk=dict.fromkeys(range(2, 12), "purple"),
        dragons={"fire": "courtyard"},
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_actions_are_those_of_the_naive_generator(name: str) -> None:
    """Every thrifty action that a try-all generator finds legal is yielded, and no other."""
    state = POSITIONS[name]
    yielded = [essence(action) for action in legal_actions(state)]

    assert naive_actions(state) == set(yielded)


def test_no_action_is_yielded_twice() -> None:
    """Each way that matters once, whatever the position."""
    for state in POSITIONS.values():
        actions = list(legal_actions(state))

        assert len(actions) == len(set(actions))


@given(st.integers(0, 400), st.integers(2, 4), st.integers(1, 50))
@settings(max_examples=60)
def test_every_yielded_action_is_accepted(steps: int, players: int, seed: int) -> None:
    """Whatever position a random game reaches, each yielded action is legal and keeps the state sound."""
    state = city_after(steps, players=players, seed=seed)

    for action in list(legal_actions(state))[:400]:
        full = GAME.with_chance(state, action, random.Random(seed))
        after, _ = GAME.apply(state, full)

        assert GAME.defects(after) == ()
    assert (state.outcome is None) == any(True for _ in legal_actions(state))


@pytest.mark.parametrize(
    ("hand", "counts"),
    [
        # 12 cells within two steps of the courtyard; one end without discards, hand cards one by one, pairs.
        ("", {"move": 12, "end": 1}),
        ("aqua-3", {"move": 12, "end": 2}),
        ("aqua-3 aqua-3", {"move": 12, "end": 3}),
        ("aqua-3 vulca-3", {"move": 12, "end": 4}),
        ("flit-1", {"move": 12, "fly": 20, "end": 2}),
        ("flit-2", {"move": 20, "end": 2}),
        ("aqua-1", {"move": 12, "dragon": 21, "end": 2}),
        ("aqua-2", {"move": 12, "end": 2}),
    ],
)
def test_counts_at_the_start_worked_out_by_hand(hand: str, counts: dict[str, int]) -> None:
    """Moves, flights, dragons and ends from the courtyard of a new game."""
    state = scene(hands={"purple": hand})

    assert counts == Counter(str(essence(action)[0]) for action in legal_actions(state))


@pytest.mark.parametrize(("cell", "walks"), [("2,2", 20), ("0,1", 2 + 4 + 4), ("0,2", 3 + 3 + 5)])
def test_a_dragons_walks_counted_by_hand(cell: str, walks: int) -> None:
    """Cells within three steps: all 20 others from the middle, by distance from the edge."""
    state = scene(hands={"purple": "aqua-2"}, dragons={"water": cell})

    assert walks == sum(isinstance(action, MoveDragon) for action in legal_actions(state))
