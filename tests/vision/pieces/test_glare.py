"""Boxes in glare: what a mirrored lamp does to a tile, and what it does to what stands on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.pieces.test_markers import BOX, EDGE, PALETTE, printed
from vision.faces.registration import Face, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.photometry.light import linear, unusable
from vision.pieces.classifier import BoxCover, classify_in_glare
from vision.pieces.glare import Glare, measure_glare
from vision.pieces.markers import box_features

# The tile lies in the middle of a table that is seen all around it.
BESIDE = 16
SIZE = EDGE + 2 * BESIDE
# A box at the lower edge, seen from low down: a marker leans up by its own height.
LOW = replace(BOX, middle=(48.0, 78.0), lean=(0.0, -12.0))
ON_THE_BOX = (slice(BESIDE + 60, BESIDE + 86), slice(BESIDE + 42, BESIDE + 55))


def face() -> NDArray[np.uint8]:
    """The face with its box at the lower edge."""
    return np.roll(printed(), 18, axis=0)


def scene(cloth: int = 40) -> NDArray[np.uint8]:
    """The tile on a cloth as bright as this."""
    picture = np.full((SIZE, SIZE, 3), cloth, np.uint8)
    picture[BESIDE:-BESIDE, BESIDE:-BESIDE] = face()
    return picture


def glare(picture: NDArray[np.uint8], *, peak: float = 420.0, everywhere: bool = False) -> NDArray[np.uint8]:
    """The picture with a lamp mirrored around the box, by the tile alone or in the lens."""
    y, x = np.mgrid[:SIZE, :SIZE]
    at = BESIDE + LOW.centre[0], BESIDE + LOW.centre[1]
    light = peak * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 26.0**2))
    if not everywhere:
        light[:BESIDE], light[-BESIDE:], light[:, :BESIDE], light[:, -BESIDE:] = 0, 0, 0, 0
    return np.clip(picture + light[..., None], 0, 255).astype(np.uint8)


def seen_in(picture: NDArray[np.uint8]) -> tuple[Residual, Glare]:
    """The tile examined, and how much of its box is washed out."""
    middle = (SIZE - 1) / 2
    learnt = Face(name="mill/sketch", picture=linear(face()), valid=np.ones((EDGE, EDGE), np.bool_))
    blocks = np.full((6, 6), 0.9, np.float32)
    blocks[2:, 1:5] = 0.0
    match = Match(face=0, pose=Pose2D(x_px=middle, y_px=middle, turn=0.0), score=0.9, blocks=blocks)
    found = Pattern(learnt).residual(picture, unusable(picture), match)
    return found, measure_glare(found, LOW, picture)


def verdict(picture: NDArray[np.uint8]) -> tuple[object, float] | None:
    """What is said of the box."""
    found, glare = seen_in(picture)
    return classify_in_glare(glare, box_features(found, [LOW], PALETTE, 1)[0], BoxCover())


def test_a_box_that_a_mirrored_lamp_burns_out_is_bare() -> None:
    """All that a marker would cover is burnt out, and the gap beside the tile is as dark as ever."""
    _, seen = seen_in(glare(scene()))

    assert seen.pale > 0.97
    assert seen.burnt > 0.8
    assert seen.gap < 0.3
    assert seen.lean == pytest.approx(12 / (8 * 1.6))
    assert verdict(glare(scene())) == (None, 0.95)


@pytest.mark.parametrize("side", [(90, 90, 96), (130, 40, 90), (30, 110, 235)])
def test_a_marker_in_glare_shows_its_side(side: tuple[int, int, int]) -> None:
    """A lamp that the tile mirrors is not mirrored by what stands on it, not even a white one's side."""
    picture = glare(scene())
    picture[ON_THE_BOX] = (250, 250, 250) if side[0] == side[1] else side
    picture[ON_THE_BOX[0].start + 13 : ON_THE_BOX[0].stop, ON_THE_BOX[1]] = side

    assert verdict(picture) is None


def test_light_in_the_lens_washes_out_markers_as_well() -> None:
    """Then the gap beside the tile is bright, and nothing is said; nor on a cloth that is white."""
    assert seen_in(glare(scene(), everywhere=True))[1].gap > 0.8
    assert verdict(glare(scene(), everywhere=True)) is None
    assert verdict(glare(scene(cloth=230))) is None


def test_a_print_that_is_seen_through_the_glare_is_under_no_marker() -> None:
    """The lamp only pales it; where nothing is seen of it, and not all is burnt out, nobody knows."""
    pale = glare(scene(), peak=40.0)
    gone = pale.copy()
    gone[ON_THE_BOX] = cv2.blur(pale[ON_THE_BOX], (27, 27))

    assert verdict(pale) == (None, 0.95)
    assert verdict(gone) is None


def test_nothing_is_said_of_a_gap_that_is_out_of_the_picture_or_far_off() -> None:
    """It counts as bright."""
    found, _ = seen_in(glare(scene()))
    cut = glare(scene())[: SIZE - BESIDE]

    assert measure_glare(found, LOW, cut).gap == 1.0
    assert measure_glare(found, replace(LOW, middle=(48.0, 48.0)), glare(scene())).gap == 1.0
