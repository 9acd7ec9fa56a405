"""Random players with habits: they play legally, each game a little differently, and come to an end."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, replace

from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.cards import ReshuffleNeeded
from companion.games.blue_moon_city.catalogue import CENTRE
from companion.games.blue_moon_city.legal import legal_actions
from companion.games.blue_moon_city.rules import apply
from companion.games.blue_moon_city.state import CityState


@dataclass(frozen=True, slots=True)
class Habits:
    """How a table of random players leans: weights of the kinds of action."""

    move: float
    fly: float
    dragon: float
    contribute: float
    offer: float
    end: float
    to_courtyard: float

    @staticmethod
    def draw(rng: random.Random) -> Habits:
        """Return habits for one game."""
        return Habits(
            move=rng.uniform(1, 3),
            fly=rng.uniform(0.1, 0.6),
            dragon=rng.uniform(0.1, 0.8),
            contribute=rng.uniform(4, 12),
            offer=rng.choice((0.2, 6, 12, 12)),
            end=rng.uniform(0.5, 1.5),
            to_courtyard=rng.choice((0.0, 0.3, 0.6)),
        )


_NAMES: dict[type, str] = {
    Move: "move",
    Fly: "fly",
    MoveDragon: "dragon",
    Contribute: "contribute",
    Offer: "offer",
    End: "end",
}


def choose(state: CityState, rng: random.Random, habits: Habits) -> Action:
    """Return a random legal action; raises IndexError when the game is over."""
    groups: dict[str, list[Action]] = defaultdict(list)
    for action in legal_actions(state):
        groups[_NAMES[type(action)]].append(action)
    kinds = list(groups)
    kind = rng.choices(kinds, [getattr(habits, k) for k in kinds])[0]
    choices = groups[kind]
    if kind == "move" and rng.random() < habits.to_courtyard and _rich(state):
        homeward: list[Action] = [a for a in choices if isinstance(a, Move) and a.to == CENTRE]
        choices = homeward or choices
    return rng.choice(choices)


def _rich(state: CityState) -> bool:
    box = state.next_box
    prices = state.setup.catalogue.obelisk
    return box < len(prices) and state.crystals[state.active] >= prices[box]


def with_chance(state: CityState, action: Action, rng: random.Random) -> Action:
    """Return the action with the order of the reshuffle that it causes, if it causes one."""
    if not isinstance(action, Contribute | End) or state.hidden is not None:
        return action
    try:
        apply(state, action)
    except ReshuffleNeeded as needed:
        pile = sorted(needed.pile)
        rng.shuffle(pile)
        return replace(action, reshuffle=tuple(pile))
    return action
