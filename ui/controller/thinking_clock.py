"""The clock of a running game: how long each player has thought, and who is thinking now.

It stands still while the game is paused, and between two evenings: the time until the program goes on with a
game is a break. Breaks are kept in the journal after the action that ends them.
"""

from __future__ import annotations

from typing import Any

from companion.session.ledger import GameLine
from companion.session.referee import Referee
from companion.session.thinking import PAUSE_S, breaks_of, played_times, thinking_times
from ui.controller.view_state import Thinking


class ThinkingClock:
    """Counts by the journal's clock; runs in the controller's thread."""

    def __init__(self, referee: Referee[Any, Any]) -> None:
        self._referee = referee
        self._journal = referee.journal
        self._times: dict[int, float] = {}
        self._breaks = dict(breaks_of(self._journal.notes()))
        self._spent: tuple[GameLine[Any, Any], dict[str, float]] | None = None
        # Seconds of breaks since the last action, and when the break began that lasts still.
        self._break_s = 0.0
        self._stopped_at = self._last_at()
        self.go_on()

    def pause(self) -> None:
        """Stand still from now on."""
        if self._stopped_at is None:
            self._stopped_at = self._journal.now()

    def go_on(self) -> None:
        """Run again."""
        if self._stopped_at is not None:
            self._break_s += max(0.0, self._journal.now() - self._stopped_at)
            self._stopped_at = None

    def note_action(self) -> None:
        """Keep the breaks before the action that has just been accepted."""
        is_paused = self._stopped_at is not None
        self.go_on()
        if self._break_s:
            entry = len(self._journal)
            self._referee.note_break(self._break_s)
            self._breaks[entry] = self._breaks.get(entry, 0.0) + self._break_s
        self._break_s = 0.0
        if is_paused:
            self.pause()

    def spent(self) -> dict[str, float]:
        """Return how many seconds each player has thought, up to the last action."""
        line = self._referee.line
        if self._spent is None or self._spent[0] is not line:
            times = played_times(self._known_times(), self._breaks)
            self._spent = line, dict(thinking_times(self._referee.game, line, times))
        return self._spent[1]

    def view(self) -> Thinking:
        """Return what the window shows."""
        spent, player, began_at = dict(self.spent()), self._referee.turn_of, self._began_at()
        if player is None or began_at is None:
            return Thinking(spent=spent)
        if self._stopped_at is None:
            return Thinking(spent=spent, player=player, since_s=began_at)
        so_far = self._stopped_at - began_at
        if 0 < so_far <= PAUSE_S:
            spent[player] = spent.get(player, 0.0) + so_far
        return Thinking(spent=spent)

    def _began_at(self) -> float | None:
        """Return the wall time at which the thought that lasts still would have begun without breaks."""
        last_at = self._last_at()
        if last_at is None:
            return None
        last = self._referee.line.played[-1].entry
        return last_at + self._break_s + sum(s for entry, s in self._breaks.items() if entry > last)

    def _last_at(self) -> float | None:
        """Return when the last action was accepted."""
        played = self._referee.line.played
        return self._known_times().get(played[-1].entry) if played else None

    def _known_times(self) -> dict[int, float]:
        self._times.update(self._journal.times(max(self._times, default=0)))
        return self._times
