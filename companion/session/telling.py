"""Reporting a watched game on standard output."""

from __future__ import annotations

import sys
from typing import Any

from companion.session.referee import Referee
from companion.session.update import Update


class Teller:
    """Prints accepted actions and prompts, a line each."""

    def __init__(self, referee: Referee[Any, Any]) -> None:
        self._referee = referee

    def __call__(self, update: Update[Any]) -> None:
        """Print one update."""
        history = self._referee.history
        for past in history[len(history) - len(update.new_actions) :] if update.new_actions else ():
            print(f"{past.number:4}. {past.text}")
        for prompt in update.opened:
            print(f"      [{prompt.kind.value}] {prompt.text}")
        sys.stdout.flush()
