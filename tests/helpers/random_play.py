"""Random games of any game, open and as those see them who know what everybody knows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.game import Event, Json
from companion.games import registry
from companion.record.game_record import AnyGame
from tests.helpers.five_in_a_row import GAME as FIVE
from tests.helpers.toy_game import GAME as TOY

# The games that keep the contract, by name.
GAMES: dict[str, AnyGame] = {
    **{name: registry.lookup(name) for name in registry.NAMES},
    FIVE.name: FIVE,
    TOY.name: TOY,
}
# Options of a deal that make the games of one name differ; those of a seed are chosen in turn.
OPTIONS: dict[str, Sequence[Json]] = {
    "nova_luna": [{"players": number} for number in (2, 1, 3, 4)],
    "urbion": [{"players": 1 + number % 2, "books": number % 7} for number in range(14)],
    "blue_moon_city": [{"players": number} for number in (2, 3, 4)],
}


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a game.

    Attributes:
        before, after: the states of the open game.
        known, known_after: the states as everybody knows them.
        told: the actions by which what everybody knows goes on.
    """

    before: Any
    action: Any
    after: Any
    events: tuple[Event, ...]
    known: Any
    told: tuple[Any, ...]
    known_after: Any


@dataclass(frozen=True, slots=True)
class Played:
    """A random game, from its header on."""

    game: AnyGame
    header: Json
    steps: tuple[Step, ...]

    @property
    def states(self) -> list[Any]:
        """Return the states of the open game, the start first."""
        return [self.game.start(self.header), *(step.after for step in self.steps)]


@lru_cache(maxsize=64)
def played(name: str, seed: int, most: int = 400) -> Played:
    """Return a random game of this name and seed, cut off after `most` actions."""
    game, rng = GAMES[name], random.Random(f"{name} {seed}")
    options = OPTIONS.get(name, [{}])
    header = game.deal(rng, options[seed % len(options)])
    state, known = game.start(header), game.start(game.public_header(header))
    player, steps = game.random_player(rng), list[Step]()
    while game.result(state) is None and len(steps) < most:
        action = game.with_chance(state, player(state), rng)
        after, events = game.apply(state, action)
        told = tuple(game.told(known, state, action))
        known_after = applied(game, known, told)
        steps.append(Step(state, action, after, events, known, told, known_after))
        state, known = after, known_after
    return Played(game, header, tuple(steps))


def applied(game: AnyGame, state: Any, actions: Sequence[Any]) -> Any:
    """Return the state after the actions; raises RuleViolation."""
    for action in actions:
        state, _ = game.apply(state, action)
    return state
