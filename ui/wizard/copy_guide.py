"""What the wizard for a copy whose pieces lie anywhere shows, as plain values, and what it may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ui.wizard.deal_view import DealGuide
from ui.wizard.guide import CameraChooser, ProfileChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCopy:
    """A profile that was saved.

    Attributes:
        name: what it is called.
        known, total: how many of the copy's faces and pieces it knows, of how many.
        missing: what it does not know, as people call it.
    """

    name: str
    known: int
    total: int
    missing: tuple[str, ...] = ()


class WatchGuide(CameraChooser, Protocol):
    """What is needed to choose camera and copy again during a game."""

    def copies(self, players: Sequence[str]) -> tuple[ProfileChoice, ...]:
        """Return the copies learnt earlier that know these players' pieces, newest first."""


class CopyGuide(CameraChooser, Protocol):
    """What the wizard needs from the rest of the program; `point` and `save` run in other threads."""

    @property
    def title(self) -> str:
        """What players call the game."""

    def deal(self, camera: str) -> DealGuide:
        """Return what watches tiles or cards being dealt; goes on with those that came before.

        Raises CompanionError or OSError if what came before cannot be read.
        """

    def things(self) -> tuple[str, ...]:
        """Return what else is to be laid out and pointed at, as people call it; empty if there is nothing."""

    def point(self, shot: object, points: Sequence[tuple[float, float]]) -> tuple[str, ...]:
        """Learn the things in a photograph (a `Look`'s token) by where somebody points, px, in their order.

        Return in words what could not be learnt; raises ProfileError with the reason. Takes a while.
        """

    def save(self) -> SavedCopy:
        """Save what was learnt as a new profile; raises ProfileError or OSError. Takes a while."""
