"""What is wanted when a game's window has been closed."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Onward(enum.Enum):
    """Where to go from a game's window."""

    CLOSED = "closed"
    """The window was just closed: back to where it was opened from."""
    QUIT = "quit"
    HOME = "home"
    NEW_GAME = "new game"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The result of a closed window.

    Attributes:
        status: exit status.
        resume: file name of the past game to continue; None if none was chosen.
        onward: where to go if no past game was chosen.
        game: file name of the game that was played; "" if it is not kept.
    """

    status: int
    resume: str | None = None
    onward: Onward = Onward.CLOSED
    game: str = ""
