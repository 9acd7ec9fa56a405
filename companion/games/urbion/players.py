"""Random players of Urbion for simulated games: some play anyhow, some work for balance."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.games.urbion.actions import Action, Reveal
from companion.games.urbion.catalogue import SIDE_LIMIT
from companion.games.urbion.legal import legal_actions
from companion.games.urbion.rules import begin
from companion.games.urbion.state import UrbionState

# How often a player works for balance, and among how many actions he then chooses: so both endings come.
_EAGERNESS = (0.0, 0.7, 1.0)
_LOOKS = 150


def random_player(rng: random.Random) -> Callable[[UrbionState], Action]:
    """Return a function from state to a legal action, its habits drawn from `rng`."""
    eagerness = rng.choice(_EAGERNESS)

    def choose(state: UrbionState) -> Action:
        legal = tuple(legal_actions(state))
        if rng.random() >= eagerness:
            return rng.choice(legal)
        looked_at = rng.sample(legal, min(_LOOKS, len(legal)))
        return max(looked_at, key=lambda action: _promise(state, action))

    return choose


def _promise(state: UrbionState, action: Action) -> float:
    """Return how near to a victory the cities are after an action, before anything is drawn."""
    if isinstance(action, Reveal):
        return 0.0
    draft = begin(state, action)
    promise = 2.2 * len(draft.claimed) + 0.6 * len(draft.dreams)
    for row in draft.rows:
        if row is not None and not row.is_empty:
            left, right = row.sums
            promise += 2.0 if left == right else -0.05 * abs(left - right)
            promise -= 0.2 * (len(row.left) == SIDE_LIMIT) + 0.2 * (len(row.right) == SIDE_LIMIT)
    return promise
