"""Boxes in glare: what a mirrored lamp does to a tile, and what it does to what stands on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.table import Value
from tests.vision.pieces.test_marker_recogniser import BLUE, RED
from tests.vision.pieces.test_markers import BOX, EDGE, printed
from vision.faces.registration import Face, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.photometry.light import linear, unusable
from vision.pieces.box_measures import SeenBox
from vision.pieces.face_library import piece_palette
from vision.pieces.glare import Glare, measure_glare
from vision.pieces.marker_recogniser import CLAIMED_BARE, MarkerRecogniser
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


def claim(picture: NDArray[np.uint8]) -> tuple[Value, float] | None:
    """What the recogniser of markers claims of the box."""
    found, _ = seen_in(picture)
    look = box_features(found, [LOW], piece_palette([RED, BLUE]), 2)[0]
    seen = SeenBox(face=found, place=LOW, look=look, picture=picture)
    return MarkerRecogniser([RED, BLUE]).chances([seen])[0].claim((RED.name, BLUE.name))


def test_a_box_that_a_mirrored_lamp_burns_out_is_bare() -> None:
    """All that a marker would cover is burnt out, and the gap beside the tile is as dark as ever."""
    _, seen = seen_in(glare(scene()))

    assert seen.pale > 0.97
    assert seen.burnt > 0.8
    assert seen.gap < 0.3
    assert seen.lean == pytest.approx(12 / (8 * 1.6))


@pytest.mark.parametrize("side", [(90, 90, 96), (130, 40, 90), (30, 110, 235)])
def test_a_marker_in_glare_is_not_taken_for_the_bare_box(side: tuple[int, int, int]) -> None:
    """A lamp that the tile mirrors is not mirrored by what stands on it: its side shows."""
    picture = glare(scene())
    picture[ON_THE_BOX] = (250, 250, 250) if side[0] == side[1] else side
    picture[ON_THE_BOX[0].start + 13 : ON_THE_BOX[0].stop, ON_THE_BOX[1]] = side
    told = claim(picture)

    assert told is None or told[0] is not None


def test_no_glare_is_taken_for_a_marker() -> None:
    """Whether the lamp burns the box out, only pales it, or shines into the lens."""
    pale = glare(scene(), peak=40.0)

    assert claim(glare(scene())) in (None, (None, pytest.approx(1.0, abs=1 - CLAIMED_BARE)))
    assert claim(glare(scene(), everywhere=True)) in (None, (None, pytest.approx(1.0, abs=1 - CLAIMED_BARE)))
    assert claim(pale) == (None, pytest.approx(1.0, abs=1 - CLAIMED_BARE))


def test_light_in_the_lens_is_in_the_gap_beside_the_tile_as_well() -> None:
    """That is how it is told from what the tile mirrors."""
    assert seen_in(glare(scene(), everywhere=True))[1].gap > 0.8


def test_nothing_is_said_of_a_gap_that_is_out_of_the_picture_or_far_off() -> None:
    """It counts as bright."""
    found, _ = seen_in(glare(scene()))
    cut = glare(scene())[: SIZE - BESIDE]

    assert measure_glare(found, LOW, cut).gap == 1.0
    assert measure_glare(found, replace(LOW, middle=(48.0, 48.0)), glare(scene())).gap == 1.0
