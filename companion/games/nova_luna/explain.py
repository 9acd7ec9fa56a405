"""What a picture of the table means in a state of Nova Luna."""

from __future__ import annotations

from companion.games.nova_luna.actions import Action
from companion.games.nova_luna.reminders import text
from companion.games.nova_luna.rules import apply, legal_actions
from companion.games.nova_luna.state import NovaState
from companion.games.nova_luna.table import predict
from companion.reconcile.decision import Accepted, Decision, InStep, OutOfStep
from companion.reconcile.observation import Snapshot


def explain(state: NovaState, seen: Snapshot) -> Decision[Action]:
    """Find the one legal action whose prediction is the picture."""
    if _shows(state, seen):
        return InStep()
    found = [action for action in legal_actions(state) if _shows(apply(state, action)[0], seen)]
    if len(found) == 1:
        return Accepted(actions=tuple(found))
    return OutOfStep(rule="table.unexplained", text=text("table.unexplained", {}))


def _shows(state: NovaState, seen: Snapshot) -> bool:
    expected = predict(state)
    return all(expected.get(where) == value for where, value in seen.picture.items())
