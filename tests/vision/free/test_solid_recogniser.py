"""The network that tells discs from what looks like them, as it is installed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.free_pieces import Shape
from vision.arrays import Patches
from vision.free.solid_patches import CHANNELS, Seen, SolidPatches, SolidPlace
from vision.free.solid_recogniser import NAME, SEES, SolidRecogniser
from vision.geometry.upright import SIZE_PX, Upright
from vision.models.network import Network
from vision.photometry.palette import Palette, shades_of

SHAPE, RADIUS_PX = (80, 80), 10.0
RED, WOOD = (45, 45, 190), (110, 150, 185)
AT = np.array([40.0, 42.0])


def patch(colour: tuple[int, int, int], *, is_round: bool) -> Patches:
    """Return what is seen of bare wood with something of the size of a disc on it, for a red disc."""
    down, across = np.mgrid[: SHAPE[0], : SHAPE[1]]
    if is_round:
        inside = np.hypot(across - AT[0], down - AT[1] + 2) <= RADIUS_PX
    else:
        inside = np.abs(down - AT[1]) <= RADIUS_PX / 3
    picture = np.full((*SHAPE, 3), WOOD, np.float32)
    picture[inside] = colour
    picture = (picture + np.random.default_rng(1).normal(0, 3, picture.shape)).astype(np.float32) / 255
    labels = Palette([("red", shades_of(RED))]).label(picture)
    none = np.zeros(SHAPE, np.bool_)
    seen = Seen(
        now=picture,
        printed=np.zeros_like(picture),
        covered=none,
        strange=inside,
        faint=inside,
        labels=labels,
    )
    upright = Upright.of(AT, np.array([0.0, -4.0]), 2 * RADIUS_PX)
    place = SolidPlace(paint=0, shape=Shape.DISC, at_mm=(0.0, 0.0), upright=upright)
    return SolidPatches(seen, [shades_of(RED)]).of([place])


def test_a_disc_is_told_and_what_has_its_paint_alone_or_its_shape_alone_is_not() -> None:
    """One is round and red; the others are a stripe, and a round thing in another colour."""
    recogniser = SolidRecogniser()
    chances = {
        (colour, is_round): float(recogniser.chances(patch(colour, is_round=is_round))[0])
        for colour, is_round in itertools.product((RED, (190, 90, 40)), (True, False))
    }

    assert chances[RED, True] > 0.8
    assert max(sure for what, sure in chances.items() if what != (RED, True)) < 0.3


def test_no_patch_has_no_chance() -> None:
    """Nor is that an error."""
    assert SolidRecogniser().chances(np.zeros((0, CHANNELS, SIZE_PX, SIZE_PX), np.uint8)).shape == (0,)


def test_what_is_installed_was_measured_on_tables_that_it_never_saw() -> None:
    """Its card says so, and how it did."""
    card = Network.load(NAME).card

    assert card.classes == SEES
    assert "held back" in card.data
    assert card.figures["right"] > 0.95
    assert card.figures["calibration_error"] < 0.01
    with pytest.raises(ValueError, match="wants patches"):
        SolidRecogniser().chances(np.zeros((1, CHANNELS - 1, SIZE_PX, SIZE_PX), np.uint8))
