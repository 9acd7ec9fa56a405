"""What a picture of the table means in a state of Urbion."""

from __future__ import annotations

from companion.games.urbion.actions import Action
from companion.games.urbion.catalogue import SIDES
from companion.games.urbion.legal import legal_actions
from companion.games.urbion.reminders import text
from companion.games.urbion.rules import apply
from companion.games.urbion.state import UrbionState, polarities
from companion.games.urbion.table import (
    DISCARD,
    city_place,
    discard_fits,
    dream_places,
    fits,
    hand_places,
    polarity_place,
)
from companion.reconcile.decision import Accepted, Decision, InStep, OutOfStep
from companion.reconcile.observation import Snapshot


def explain(state: UrbionState, seen: Snapshot) -> Decision[Action]:
    """Find the one legal action whose prediction is the picture."""
    if shows(state, seen):
        return InStep()
    found = [action for action in legal_actions(state) if shows(apply(state, action)[0], seen)]
    if len(found) == 1:
        return Accepted(actions=tuple(found))
    return OutOfStep(rule="table.unexplained", text=text("table.unexplained", {}))


def shows(state: UrbionState, seen: Snapshot) -> bool:
    picture = seen.picture
    for number, row in enumerate(state.rows):
        if picture.get(city_place(number), row.city if row else None) != (row.city if row else None):
            return False
        if not all(fits(picture, dream_places(number, s), row.side(s) if row else ()) for s in SIDES):
            return False
    if not all(
        fits(picture, hand_places(p), hand) for p, hand in zip(state.players, state.hands, strict=True)
    ):
        return False
    if not all(picture.get(polarity_place(p), v) == v for p, v in polarities(state).items()):
        return False
    return DISCARD not in picture or discard_fits(state, picture[DISCARD])
