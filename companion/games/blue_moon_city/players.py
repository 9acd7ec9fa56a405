"""Random players, each with a style: they play legally, a little differently, and come to an end."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from companion.games.blue_moon_city.actions import Action, Contribute, End
from companion.games.blue_moon_city.cards import ReshuffleNeeded
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CENTRE,
    MOST_DRAWN,
    MOST_REWARD_CARDS,
    PEOPLE,
    PEOPLES,
    VALUE,
)
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.legal import legal_groups
from companion.games.blue_moon_city.state import CityState


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """How a table of random players leans: weights of the kinds of action, and shares (0 to 1).

    Attributes:
        purpose: how often a figure goes where something can be done.
        to_courtyard: how often one who can pay an offering goes to the courtyard.
        spread: how often the last box of a building is left alone, until the markers run out.
        idle: how little it takes to end a turn in which nothing was done.
    """

    move: float
    fly: float
    dragon: float
    contribute: float
    offer: float
    end: float
    purpose: float
    to_courtyard: float
    spread: float
    idle: float

    @staticmethod
    def draw(rng: random.Random) -> PlayStyle:
        """Return a style for one game."""
        return PlayStyle(
            move=rng.uniform(3, 5),
            fly=rng.uniform(0.1, 0.4),
            dragon=rng.uniform(0.1, 0.4),
            contribute=rng.uniform(10, 40),
            offer=rng.choice((4, 60, 60, 60)),
            end=rng.uniform(0.8, 2),
            purpose=rng.uniform(0.7, 1),
            to_courtyard=rng.choice((0.1, 0.9, 0.9, 1.0, 1.0)),
            spread=0.97 if rng.random() < 0.04 else 0.0,
            idle=rng.choice((0.001, 0.05)),
        )


def choose(state: CityState, rng: random.Random, style: PlayStyle) -> Action:
    """Return a random legal action; raises IndexError if the game is over."""
    groups = legal_groups(state)
    if _holds_back(state, state.figures[state.active], style) and rng.random() < style.spread:
        groups.pop("contribute", None)
    kinds = list(groups)
    weights = [getattr(style, kind) for kind in kinds]
    if not state.acts:  # nobody likes to pass
        weights[kinds.index("end")] *= style.idle
    sums = list(accumulate(weights))  # as random.choices does it, which spends its time on checks
    kind = kinds[bisect(sums, rng.random() * sums[-1], 0, len(kinds) - 1)]
    choices = groups[kind]
    if kind in ("move", "fly") and rng.random() < style.purpose:
        return _purposeful(state, rng, choices, style)
    return rng.choice(choices)


def _purposeful(state: CityState, rng: random.Random, choices: Sequence[Action], style: PlayStyle) -> Action:
    """Return a move to where something can be done, if a few tries find one."""
    if _rich(state) and rng.random() < style.to_courtyard:
        for action in choices:
            if getattr(action, "to", None) == CENTRE:
                return action
    for action in rng.sample(choices, min(6, len(choices))):
        cell = getattr(action, "to", CENTRE)
        if _can_pay(state, cell) and not _holds_back(state, cell, style):
            return action
    return rng.choice(choices)


def _holds_back(state: CityState, cell: int, style: PlayStyle) -> bool:
    """Whether players who spread their markers (only two run out of them) leave this cell alone."""
    return bool(style.spread) and len(state.figures) == 2 and _is_last_box(state, cell)


def _is_last_box(state: CityState, cell: int) -> bool:
    return state.boxes[cell].count(-1) == 1


def _can_pay(state: CityState, cell: int) -> bool:
    """Whether the cheapest free box could be paid without a Hoax."""
    building = state.setup.buildings[cell]
    if building is None or cell in state.built:
        return False
    colours = PEOPLES if building.colour == ANY else (building.colour,)
    hand = state.hands[state.active]
    lowest = min(v for v, owner in zip(building.values, state.boxes[cell], strict=True) if owner < 0)
    pairs = sum(1 for c in hand if PEOPLE[c] == "mimix" and VALUE[c] < 3) // 2
    for colour in colours:
        single = sum(VALUE[c] for c in hand if PEOPLE[c] in (colour, "khind"))
        if single + (0 if colour == "mimix" else 3 * pairs) >= lowest:
            return True
    return False


def _rich(state: CityState) -> bool:
    box = state.next_box
    prices = state.setup.catalogue.obelisk
    return box < len(prices) and state.crystals[state.active] >= prices[box]


def with_chance(state: CityState, action: Action, rng: random.Random) -> Action:
    """Return the action with the order of the reshuffle that it causes, if it causes one."""
    if not isinstance(action, Contribute | End) or not _may_reshuffle(state, action):
        return action
    try:
        apply(state, action)
    except ReshuffleNeeded as needed:
        pile = sorted(needed.pile)
        rng.shuffle(pile)
        return replace(action, reshuffle=tuple(pile))
    return action


def _may_reshuffle(state: CityState, action: Contribute | End) -> bool:
    """Whether the action may draw the deck's last card: a reset, or a contribution that completes."""
    if state.hidden is not None:
        return False
    if isinstance(action, End):
        return len(state.deck) <= MOST_DRAWN
    return _is_last_box(state, state.figures[state.active]) and len(state.deck) <= MOST_REWARD_CARDS


def random_player(rng: random.Random) -> Callable[[CityState], Action]:
    """Return a random player for one open game, with a style of their own."""
    style = PlayStyle.draw(rng)
    return lambda state: choose(state, rng, style)
