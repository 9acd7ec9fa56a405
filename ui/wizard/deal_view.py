"""What the window in which tiles or cards are dealt shows, as plain values, and what it may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from companion.view_model import CameraView


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCardView:
    """A card that was dealt.

    Attributes:
        picture: what was cut out, small.
        face: the identifier of what it is taken to be; "" if nothing is left that it could be.
        name: what people call that.
        is_said: somebody said so.
        is_doubtful: somebody should look.
    """

    picture: CameraView
    face: str
    name: str
    is_said: bool = False
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DealView:
    """One moment of a deal.

    Attributes:
        camera: the newest picture.
        state: what to do now, or why nothing can be seen.
        following: what is expected next; "" at the end.
        cards: what was dealt, in order.
        missing: what has not come yet, as people call it.
        is_over: the pictures have ended; what was dealt may still be named.
    """

    camera: CameraView
    state: str
    following: str
    cards: tuple[DealtCardView, ...] = ()
    missing: tuple[str, ...] = ()
    is_over: bool = False


class DealGuide(Protocol):
    """What the window needs from the rest of the program. `views` runs in another thread."""

    def names(self) -> tuple[tuple[str, str], ...]:
        """Return what a card may be: identifiers, and what people call them."""

    def views(self) -> Iterator[DealView]:
        """Yield what is seen until `close`; raises CompanionError with the reason, and may go on after it."""

    def say(self, number: int, face: str | None) -> None:
        """Name a card, from 0; None = go by the order again."""

    def undo(self) -> None:
        """Forget the last card."""

    def close(self) -> None:
        """End `views` and release the camera; safe at any time."""
