"""What the assembly point hands to the window: the referee, the game's presenter, what sees the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.reconcile.decision import Ask
from companion.reconcile.observation import Observation
from companion.referee import Referee
from companion.view import CameraView, Presenter


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One observation, with the picture it was made from where there is one."""

    observation: Observation
    camera: CameraView | None = None


class SightSource(Protocol):
    """A camera, a sensor table, a recording or a simulation, as the window watches it."""

    @property
    def name(self) -> str:
        """Name that players recognise."""

    def sights(self) -> Iterator[Sight]:
        """Yield what is seen, blocking between frames, until the source ends.

        Raises DeviceError when the world lets us down; the window tells the players and iterates again.
        """

    def close(self) -> None:
        """Release the device and let `sights` end; called from another thread, safe to call twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One game at one table.

    Attributes:
        referee: holds the game; the window calls it from one thread of its own.
        presenter: turns the game's state into what is drawn.
        sources: whatever sees the table; none = everything is entered by hand.
        title: stands in the window's frame.
        answer: answers the referee's questions where somebody else knows the truth: the players of a
            simulated table; None = the people at the window answer.
    """

    # The window neither knows nor cares which game's states and actions these are.
    referee: Referee[Any, Any]
    presenter: Presenter[Any, Any]
    sources: Sequence[SightSource] = ()
    title: str = "Moontable"
    answer: Callable[[Ask[Any]], int | None] | None = None
