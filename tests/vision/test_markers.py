"""What of a box's surroundings is its marker."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.explain import Pattern
from vision.laying import Face, Lie, Match
from vision.light import linear
from vision.markers import BoxPlace, look_at_boxes
from vision.palette import Palette, shades_of

EDGE = 96
ORANGE = (30, 110, 235)
BOX = BoxPlace(middle=(48.0, 60.0), edge=18.0, lean=(0.0, 0.0), px_per_mm=1.6, marker_mm=8.0)
PALETTE = Palette([("orange", shades_of(ORANGE))])


def printed() -> NDArray[np.uint8]:
    """A face of sepia lines with one numbered box."""
    rough = np.random.default_rng(5).uniform(0.75, 1.1, (12, 12, 1))
    ground = cv2.resize(rough, (EDGE, EDGE), interpolation=cv2.INTER_CUBIC)[..., None]
    picture = np.clip(ground * np.array([70, 140, 200]), 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (39, 51), (57, 69), (40, 210, 230), -1)
    cv2.putText(picture, "4", (44, 65), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 30, 40), 2)
    return picture


def test_a_shadow_is_no_part_of_a_marker() -> None:
    """A marker half off its box is told from its shadow on the tile's own orange, in size and in place."""
    face = Face(name="mill/sketch", picture=linear(printed()), valid=np.ones((EDGE, EDGE), np.bool_))
    seen = printed()
    seen[58:71, 26:38] = (seen[58:71, 26:38] * 0.62).astype(np.uint8)
    seen[58:71, 38:51] = ORANGE
    lie = Lie(x_px=(EDGE - 1) / 2, y_px=(EDGE - 1) / 2, turn=0.0)
    match = Match(face=0, lie=lie, score=0.9, blocks=np.full((6, 6), 0.9, np.float32))
    found = Pattern(face).examine(seen, np.zeros((EDGE, EDGE), np.bool_), match)
    marker = look_at_boxes(found, [BOX], PALETTE, 1)[0].marker

    assert marker is not None
    assert 0.8 < marker.size < 1.3
    assert np.hypot(marker.middle[0] - 44, marker.middle[1] - 64) < 1.5
