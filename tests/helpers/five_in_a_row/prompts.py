"""What the players of five in a row are told."""

from __future__ import annotations

from companion.game import Event
from companion.games.kit.prompts import PromptDraft, numbered
from companion.prompts import Prompt, PromptKind
from tests.helpers.five_in_a_row.state import Five, Lay, turn_of


def prompts(before: Five, action: Lay, after: Five, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
    """Return whose turn it is, or the end."""
    del before, action, events
    turn = turn_of(after)
    if turn is not None:
        draft = PromptDraft(PromptKind.TURN, f"It is {turn}'s turn.", (turn,))
    else:
        draft = PromptDraft(PromptKind.END, f"{after.winner or 'Nobody'} wins.")
    return numbered([draft], len(after.stones))
