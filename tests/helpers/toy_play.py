"""Random games of the toy game, and the registry that knows no other."""

import random
from typing import Any

from companion.errors import MalformedError
from companion.game import Json
from tests.helpers.toy_game import GAME, Act, Lamps, ToyGame

HEADER: Json = {"record": "moontable/1", "game": "lamps", "players": ["ann", "ben"]}


def lookup(name: str) -> ToyGame:
    """Return the toy game; raises MalformedError for any other name, as the registry does."""
    if name != GAME.name:
        raise MalformedError(f"there is no game {name!r}")
    return GAME


def played(seed: int, length: int = 100, header: Json = HEADER) -> tuple[list[Act], list[Lamps]]:
    """Return the actions of a random game, at most `length`, and the states: one more than actions."""
    rng = random.Random(seed)
    actions: list[Act] = []
    states = [GAME.start(header)]
    while len(actions) < length and (legal := list(GAME.legal_actions(states[-1]))):
        actions.append(rng.choice(legal))
        states.append(GAME.apply(states[-1], actions[-1])[0])
    return actions, states


def lines_of(seed: int, length: int = 100, *, checks: bool = True) -> list[dict[str, Any]]:
    """Return the record of a random game as objects: header, actions with checkpoints, and its result."""
    actions, states = played(seed, length)
    lines: list[dict[str, Any]] = [HEADER]
    for action, state in zip(actions, states[1:], strict=True):
        lines.append(GAME.format_action(action))
        if checks:
            lines.append({"check": GAME.checkpoint(state)})
    if (result := GAME.result(states[-1])) is not None:
        lines.append({"result": result})
    return lines
