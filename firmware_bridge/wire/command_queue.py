"""Commands to a board (docs/protocol.md, section 9): one at a time, repeated until it is answered. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from firmware_bridge.wire.messages import Command, Done

COMMAND_AGAIN_S: Final = 0.080


@dataclass(slots=True)
class _Pending:
    """A command that waits or is under way."""

    ticket: int
    command: Command
    sent_s: float = float("-inf")


@dataclass(frozen=True, slots=True)
class DueCommand:
    """A command to be sent now, under this number."""

    number: int
    command: Command
    is_repeated: bool


class CommandQueue:
    """Commands in the order in which they were requested; the first is under way."""

    def __init__(self) -> None:
        self._waiting: deque[_Pending] = deque()
        self._number = 0
        self._ticket = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, command: Command) -> int:
        """Queue a command; return its ticket."""
        self._ticket += 1
        self._waiting.append(_Pending(self._ticket, command))
        return self._ticket

    def begin(self) -> None:
        """A session has begun: its commands are numbered from 0."""
        self._number = 0

    def due(self, now_s: float) -> DueCommand | None:
        """Return the first command if it is to be sent, or sent again, at this time."""
        if not self._waiting:
            return None
        head = self._waiting[0]
        if now_s - head.sent_s < COMMAND_AGAIN_S:
            return None
        is_repeated = head.sent_s > float("-inf")
        head.sent_s = now_s
        return DueCommand(self._number, head.command, is_repeated)

    def take(self, done: Done, now_s: float) -> tuple[int, float] | None:
        """Take an answer; return ticket and round trip (seconds) of its command, None if it is for none."""
        head = self._waiting[0] if self._waiting else None
        if head is None or done.command != self._number:
            return None
        if done.status > 1 or head.sent_s == float("-inf"):
            return None
        self._waiting.popleft()
        self._number = self._number + 1 & 0xFF
        return head.ticket, now_s - head.sent_s

    def drop(self) -> list[int]:
        """Forget all commands; return their tickets."""
        tickets = [pending.ticket for pending in self._waiting]
        self._waiting.clear()
        return tickets
