"""When a dealt card is to be looked at: it lies still, the picture is sharp, and something has changed.

A state machine over measurements: no pixels, no clock. What counts as still and sharp is relative to what
this camera has shown before.
"""

from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

# So many frames in a row without a movement between them: fingers pause for one.
_STILL_FRAMES: Final = 3
# The sharpness of so many still frames is remembered: longer ago the camera may have been moved.
_REMEMBERED: Final = 90
# Edges get wider as a picture gets less sharp, and the energy of their slopes falls as much: a picture in
# which they are a quarter wider than in the sharper ones of those remembered is blurred.
_SHARPER_SHARE, _WIDER = 75.0, 1.25


class Now(enum.Enum):
    """What is to be done with a frame."""

    MOVING = "moving"
    SETTLING = "settling"  # nothing moves, but not for long enough
    BLURRED = "blurred"  # less sharp than this camera can be
    SAME = "same"  # nothing has changed since a card was taken
    LOOK = "look"  # something lies there that did not
    LOOKED = "looked"  # it has been looked at, and nothing has moved since


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What was measured in a frame.

    Attributes:
        has_moved: something differs from the frame before by more than noise.
        has_changed: something differs from the last frame whose cards are known.
        sharpness: the energy of the slopes in what is always there, for its contrast; None where that is
            hidden.
    """

    has_moved: bool
    has_changed: bool
    sharpness: float | None


class DealWatch:
    """Says frame by frame whether to look for a card."""

    def __init__(self) -> None:
        self._still = 0
        self._tried = 0
        self._next_look = 0
        self._sharp: deque[float] = deque(maxlen=_REMEMBERED)

    def feed(self, glance: Glance) -> Now:
        """Return what to do with the next frame."""
        if glance.has_moved:
            self._still = self._tried = self._next_look = 0
            return Now.MOVING
        self._still += 1
        is_blurred = self._is_blurred(glance.sharpness)
        if self._still < _STILL_FRAMES:
            return Now.SETTLING
        if not glance.has_changed:
            return Now.SAME
        if is_blurred:
            return Now.BLURRED
        # What was not made out may have been a trick of the light: it is looked at again, ever more seldom.
        if self._still < self._next_look:
            return Now.LOOKED
        self._tried += 1
        self._next_look = self._still + 2**self._tried
        return Now.LOOK

    def _is_blurred(self, sharpness: float | None) -> bool:
        if sharpness is None:
            return False
        self._sharp.append(sharpness)
        return sharpness * _WIDER < float(np.percentile(self._sharp, _SHARPER_SHARE))
