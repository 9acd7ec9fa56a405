"""Open games as a table shows them: cards hidden at random, ways that only waste something included."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, TypeVar

from companion.game import Json
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import DRAGONS, NEIGHBOURS
from companion.games.blue_moon_city.state import CityState
from tests.helpers.city_scene import GAME

T = TypeVar("T")


def random_header(rng: random.Random) -> Json:
    """Return the header of an open game of any edition, set-up and number of players."""
    return GAME.deal(
        rng,
        {
            "players": rng.choice((2, 3, 4)),
            "edition": rng.choice(("kosmos-2006", "cmon-2019")),
            "setup": rng.choice(("standard", "variant")),
        },
    )


def closed_header(header: Json) -> Json:
    """Return the header of the same game as those know it who see no card."""
    return {**header, "hands": None, "deck": None}


def hidden(action: Action, rng: random.Random, keep: float) -> Action:
    """Return the action with each thing that names cards, or the way, hidden unless `keep` is drawn."""

    def kept(value: T) -> T | None:
        return value if rng.random() < keep else None

    match action:
        case Move():
            return replace(action, path=kept(action.path), cards=kept(action.cards))
        case MoveDragon():
            return replace(action, path=kept(action.path), card=kept(action.card))
        case Fly():
            return replace(action, card=kept(action.card))
        case Contribute():
            told = () if action.reshuffle is not None and rng.random() < keep else None
            return replace(
                action,
                cards=kept(action.cards),
                pairs=kept(action.pairs),
                recolour=kept(action.recolour),
                reshuffle=told,
            )
        case Offer():
            return replace(action, pillar=kept(action.pillar))
        case End():
            told = () if action.reshuffle is not None and rng.random() < keep else None
            return replace(action, discard=kept(action.discard), reshuffle=told)


def wasteful(state: CityState, action: Action, rng: random.Random) -> Action:
    """Return a legal variant of the action that wastes steps, Flits or cards."""
    match action:
        case Move():
            flits = rng.randint(0, state.hands[state.active].count("flit-2"))
            steps = state.steps + 2 * flits
            if not steps:
                return action
            path = _stroll(state.figures[state.active], rng.randint(1, steps), rng)
            return Move(player=action.player, to=path[-1], path=path, cards=("flit-2",) * flits)
        case MoveDragon(path=path) if path is not None:
            path = _stroll(state.dragons[DRAGONS.index(action.dragon)], rng.randint(1, 3), rng)
            return replace(action, to=path[-1], path=path)
        case Contribute():
            return GAME.with_chance(state, _overpaid(state, action, rng), rng)
        case _:
            return action


def _stroll(here: int, steps: int, rng: random.Random) -> tuple[int, ...]:
    way = [here]
    for _ in range(steps):
        way.append(rng.choice(NEIGHBOURS[way[-1]]))
    return tuple(way[1:])


def _overpaid(state: CityState, action: Contribute, rng: random.Random) -> Contribute:
    hand = list(state.hands[state.active])
    pairs = [card for pair in action.pairs or () for card in pair]
    for card in (*(action.cards or ()), *pairs, *(hoax for hoax, _ in action.recolour or ())):
        hand.remove(card)
    fitting = [c for c in hand if c.startswith((action.colour, "khind"))]
    more = tuple(fitting[: rng.randint(0, 2)])
    return replace(action, cards=(action.cards or ()) + more, reshuffle=None)


def lines_of(header: Json, actions: list[Action]) -> list[dict[str, Any]]:
    """Return the lines of a record without checkpoints."""
    return [header, *(GAME.format_action(action) for action in actions)]
