"""Whether a print is seen where something should cover it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.faces.registration import Pose2D
from vision.faces.residuals import Residual
from vision.pieces.print_visibility import print_visibility, print_visibility_in_square

EDGE = 96
SHAPE = (120, 120)


def face(seen: np.ndarray | None = None) -> Residual:
    """A printed face in the middle of the map, which shows something else than it should."""
    known = np.asarray(print_of(3), np.float32)
    found = SimpleNamespace(
        pose=Pose2D(x_px=120.0, y_px=120.0, turn=0.3),
        known=known,
        colours=known if seen is None else np.asarray(seen, np.float32),
        odd=np.zeros((EDGE, EDGE), np.float32),
        blind=np.zeros((EDGE, EDGE), np.bool_),
    )
    return cast(Residual, found)


def print_of(seed: int) -> np.ndarray:
    """Blotches of all colours."""
    noise = np.random.default_rng(seed).uniform(0.1, 0.7, (EDGE // 4, EDGE // 4, 3))
    return np.asarray(cv2.resize(noise, (EDGE, EDGE), interpolation=cv2.INTER_LINEAR))


def outline() -> np.ndarray:
    """What a figure covers there."""
    covered = np.zeros(SHAPE, np.bool_)
    covered[40:75, 50:68] = True
    return covered


@given(st.floats(0.3, 1.0), st.floats(0.0, 0.6))
def test_a_print_is_seen_through_light_however_bright(gain: float, haze: float) -> None:
    """Glare makes it paler and leaves its lines, also where more of it lies on one side."""
    slope = np.linspace(0, 0.2, EDGE)[None, :, None]
    lit = face(print_of(3) * gain + haze + slope)

    assert print_visibility(outline(), [lit]) > 0.9
    assert print_visibility_in_square(lit, (48.0, 48.0), 14.0) > 0.8


def test_a_piece_is_not_seen_through() -> None:
    """Neither an even one nor one with a pattern of its own; nor is anything said where there is no tile."""
    for shown in (np.full((EDGE, EDGE, 3), 0.9), print_of(4)):
        assert print_visibility(outline(), [face(shown)]) < 0.4
        assert print_visibility_in_square(face(shown), (48.0, 48.0), 14.0) < 0.5
    assert print_visibility(outline(), []) == 0.0
    assert print_visibility(np.zeros(SHAPE, np.bool_), [face()]) == 0.0
    assert print_visibility_in_square(face(), (-30.0, 48.0), 14.0) == 0.0
