"""Games of Blue Moon City in mid-play, for tests that look at a state."""

from __future__ import annotations

import random

from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.catalogue import printed
from companion.games.blue_moon_city.players import PlayStyle, choose, with_chance
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.setup import deal, start
from companion.games.blue_moon_city.state import CityState, Options


def city_after(steps: int, *, players: int = 2, seed: int = 1, edition: str = "kosmos-2006") -> CityState:
    """Return the state of a random open game after so many actions, or at its end."""
    return played_city(steps, players=players, seed=seed, edition=edition)[-1][0]


def played_city(
    steps: int, *, players: int = 2, seed: int = 1, edition: str = "kosmos-2006"
) -> list[tuple[CityState, Action | None]]:
    """Return each state with the action that was done in it; the last has none."""
    rng = random.Random(seed)
    habits = PlayStyle.draw(rng)
    state = start(deal(rng, {"players": players, "edition": edition}, printed()), printed(), Options())
    played: list[tuple[CityState, Action | None]] = []
    for _ in range(steps):
        if state.outcome is not None:
            break
        action = with_chance(state, choose(state, rng, habits), rng)
        played.append((state, action))
        state, _events = apply(state, action)
    return [*played, (state, None)]


def closed_city(players: int = 2, seed: int = 1) -> CityState:
    """Return the first state of a closed game: nobody sees a card."""
    header = deal(random.Random(seed), {"players": players, "edition": "kosmos-2006"}, printed())
    return start({**header, "hands": None, "deck": None}, printed(), Options())
