"""The light on a face is told from what its print shows, whatever lies upon it."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from vision.arrays import Bools, Singles
from vision.free.relighting import relit
from vision.photometry.light import LIGHTEST, valued

EDGE: Final = 64
ALL: Final = np.ones((EDGE, EDGE), np.float32)
# Coded colours that differ by less look alike.
ALIKE: Final = 0.05


def face(seed: int = 0) -> Singles:
    """Return a face with white boxes and dots on coloured ground, linear."""
    rng = np.random.default_rng(seed)
    picture = np.empty((EDGE, EDGE, 3), np.float32)
    picture[:] = rng.uniform(0.05, 0.6, 3)
    for top, left in ((6, 36), (36, 6), (36, 36)):
        picture[top : top + 22, left : left + 22] = 0.85
        picture[top + 7 : top + 15, left + 7 : left + 15] = rng.uniform(0, 0.8, 3)
    picture[6:26, 6:26] = 0.01
    picture[10:22, 14:18] = 0.8
    return picture


def lit(picture: Singles, level: float, slope: float, haze: float, haze_slope: float) -> Singles:
    """Return a face in light that varies across it, a lamp mirrored in it."""
    across = (np.arange(EDGE, dtype=np.float32) + 0.5) * 2 / EDGE - 1
    gain, veil = level * (1 + slope * across), haze * (1 + haze_slope * across)
    return np.asarray(picture * gain[None, :, None] + veil[None, :, None], np.float32)


def coded(picture: Singles) -> Singles:
    """Return linear colours (height, width, 3) as `relit` tells them."""
    return valued(np.ascontiguousarray(np.moveaxis(picture, -1, 0)))


def off(one: Singles, other: Singles, where: Bools) -> float:
    """Return how far colours are off where it counts, at 95 %."""
    return float(np.percentile(np.abs(one - other).max(axis=0)[where], 95))


@pytest.mark.parametrize("level", [0.1, 0.5, 1.5])
@pytest.mark.parametrize(("haze", "haze_slope"), [(0.0, 0.0), (0.08, 0.0), (0.08, 0.6)])
def test_uneven_light_and_haze_are_taken_off(level: float, haze: float, haze_slope: float) -> None:
    """Black is black again and white is white, bright or dim."""
    known = face()
    seen = relit(lit(known, level, 0.2, level * haze, haze_slope), known, ALL)

    assert off(seen.printed, coded(known), ALL > 0) < ALIKE


def test_what_lies_on_a_face_does_not_change_its_light() -> None:
    """Two discs and their shadows hide a third of it."""
    known = face()
    picture, bare = lit(known, 0.5, 0.2, 0.05, 0.3), ALL > 0
    picture[32:58, 4:60] = (0.3, 0.02, 0.01)
    picture[52:58, 4:60] = 0.001
    bare[32:58, 4:60] = False
    seen = relit(picture, known, ALL)

    assert off(seen.printed, coded(known), bare) < ALIKE


def test_what_stands_on_a_face_keeps_its_colour() -> None:
    """It hides the lamp's reflection, so that nothing may be taken off."""
    known = face()
    picture, disc = lit(known, 0.5, 0.0, 0.1, 0.0), ALL < 0
    disc[40:54, 40:54] = True
    picture[disc] = (0.15, 0.05, 0.02)
    seen = relit(picture, known, ALL)
    own = coded(np.broadcast_to(np.array([0.3, 0.1, 0.04], np.float32), known.shape))

    assert off(seen.standing, own, disc) < ALIKE
    assert off(seen.printed, own, disc) > 2 * ALIKE


def test_white_that_was_burnt_out_when_it_was_learnt_is_no_lighter() -> None:
    """Nobody knows how white it is; what is seen of it in weaker light is as light as it was learnt."""
    true = face()
    true[true > 0.84] = 2.0
    known = np.minimum(true, np.float32(LIGHTEST))
    seen = relit(lit(true, 0.4, 0.0, 0.0, 0.0), known, ALL)

    assert off(seen.printed, coded(known), ALL > 0) < ALIKE


def test_where_nothing_can_be_used_nothing_is_changed_much() -> None:
    """The colours stay finite."""
    seen = relit(face(), face(1), np.zeros_like(ALL))

    assert np.isfinite(seen.printed).all()
    assert np.isfinite(seen.standing).all()
