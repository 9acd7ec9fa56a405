"""What the network sees of a place where a piece may be."""

from __future__ import annotations

import numpy as np

from companion.free_pieces import Shape
from vision.free.solid_patches import CHANNELS, COLOURED, Seen, SolidPatches, SolidPlace
from vision.geometry.upright import SIZE_PX, Upright
from vision.photometry.palette import NOTHING, shades_of

SHAPE = (120, 160)
RED, BLUE = (40, 40, 200), (200, 90, 40)


def test_a_patch_shows_what_is_there_beside_what_is_printed() -> None:
    """The piece's paint is one channel, others' another one; its shades fill the last ones."""
    now, printed = (np.full((*SHAPE, 3), level, np.float32) for level in (0.2, 0.6))
    labels = np.full(SHAPE, NOTHING, np.uint8)
    labels[50:70, 70:90], labels[50:70, 95:110] = 0, 1
    covered = np.ones(SHAPE, np.bool_)
    odd = labels != NOTHING
    seen = Seen(now=now, printed=printed, covered=covered, strange=odd, faint=odd, labels=labels)
    upright = Upright.of(np.array([80.0, 62.0]), np.array([0.0, -4.0]), 18.0)
    place = SolidPlace(paint=0, shape=Shape.DISC, at_mm=(0.0, 0.0), upright=upright)
    (patch,) = SolidPatches(seen, [shades_of(RED), shades_of(BLUE)]).of([place])

    assert patch.shape == (CHANNELS, SIZE_PX, SIZE_PX)
    assert np.abs(patch[:3].astype(int) - 51).max() <= 1
    assert np.abs(patch[3:6].astype(int) - 153).max() <= 1
    assert patch[6].min() == 255
    mine, others, body = (patch[channel] > 127 for channel in (8, 9, 11))
    assert mine[body].mean() > 0.9
    assert others.any()
    assert not others[mine].any()
    assert (patch[7] > 127)[mine].all()
    for first in COLOURED[2:]:
        blue, green, red = patch[first : first + 3, 0, 0]
        assert red > max(blue, green)


def test_no_place_gives_no_patch() -> None:
    """Nor any error."""
    none = np.zeros((*SHAPE, 3), np.float32)
    nowhere = np.zeros(SHAPE, np.bool_)
    labels = np.full(SHAPE, NOTHING, np.uint8)
    seen = Seen(now=none, printed=none, covered=nowhere, strange=nowhere, faint=nowhere, labels=labels)

    assert SolidPatches(seen, []).of([]).shape == (0, CHANNELS, SIZE_PX, SIZE_PX)
