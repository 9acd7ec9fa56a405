"""Random players for simulated games: legal, and now and then sensible, so that fights last."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.games.blue_moon_legends.actions import Action, Announce, Decline, Play, Retreat
from companion.games.blue_moon_legends.catalogue import CHARACTER
from companion.games.blue_moon_legends.rules.apply import apply
from companion.games.blue_moon_legends.rules.legal import legal_actions
from companion.games.blue_moon_legends.state import State

# How often an action is chosen, against 1 for the others: plain chance would end nearly each fight at once.
_EAGERNESS: Final[Mapping[type[Action], float]] = {Retreat: 0.15, Decline: 0.02, Announce: 3.0}
_SENSE: Final = 0.9  # how often a player looks whether a character reaches the other side's total


def random_player(rng: random.Random) -> Callable[[State], Action]:
    """Return a player who mostly lays characters that reach the total, and retreats where none does."""

    def choose(state: State) -> Action:
        actions = tuple(legal_actions(state))
        if any(isinstance(action, Announce) for action in actions):
            actions = tuple(action for action in actions if not isinstance(action, Retreat))
        elif rng.random() < _SENSE and _must_reach(state):
            actions = _sensible(state, actions)
        return rng.choices(actions, [_EAGERNESS.get(type(action), 1.0) for action in actions])[0]

    return choose


def _must_reach(state: State) -> bool:
    return not state.is_first_turn and not state.pending and state.turn.count(CHARACTER) == 0


def _sensible(state: State, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Leave out the characters that do not reach the total; with none left, retreat."""
    fighters = [action for action in actions if isinstance(action, Play)]
    reaching = [action for action in fighters if _reaches(state, action)]
    if not reaching:
        return tuple(action for action in actions if isinstance(action, Retreat)) or tuple(actions)
    return tuple(action for action in actions if action in reaching or not isinstance(action, Play | Retreat))


def _reaches(state: State, action: Play) -> bool:
    after, _ = apply(state, action)
    return any(isinstance(each, Announce) for each in legal_actions(after))
