"""A mirrored lamp's haze is taken off a face; more light alone is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Bools, Singles
from vision.enrolment.lamp_haze import haze_on, share_in_glare

WHOLE: Bools = np.ones((90, 60), np.bool_)


def printed() -> Singles:
    """Black bars and white fields on coloured paper, in shares of white paper's light."""
    face = np.full((90, 60, 3), (0.3, 0.45, 0.25), np.float32)
    face[5:13, 5:55] = 0.04
    face[20:40, 8:52] = 0.95
    face[60:80, 20:50] = (0.7, 0.2, 0.15)
    return face


def without_haze(face: Singles, valid: Bools) -> Singles:
    """Return a face without what is told to be haze."""
    return np.asarray(np.maximum(face - haze_on(face, valid)[..., None], 0), np.float32)


@pytest.mark.parametrize("most", [0.4, 0.9])
def test_haze_is_taken_off(most: float) -> None:
    """It is as white as paper and changes evenly over the face; little of it is left."""
    haze = np.linspace(0.7 * most, most, 90, dtype=np.float32)[:, None, None]
    told = without_haze(np.asarray(printed() + haze, np.float32), WHOLE)

    assert np.abs(told - printed()).mean() < 0.25 * haze.mean()


def test_more_light_is_no_haze() -> None:
    """A lamp above the middle of a table brightens all, but black print stays black."""
    bright = np.asarray(printed() * 1.5, np.float32)

    assert np.abs(without_haze(bright, WHOLE) - bright).max() < 0.05


def test_a_face_that_is_no_lighter_than_paper_stays_as_it_is() -> None:
    """Pale print without any black is no haze, either."""
    pale = np.asarray(printed() * 0.3 + 0.6, np.float32)

    assert np.array_equal(without_haze(pale, WHOLE), pale)


def test_a_face_of_which_nothing_was_seen_is_haze_all_over() -> None:
    """All of it was burnt out, though white paper is not."""
    haze = haze_on(np.full((90, 60, 3), 1.3, np.float32), ~WHOLE)

    assert share_in_glare(np.full((90, 60, 3), 255, np.uint8), haze) == 1.0


def test_what_a_lamp_burns_out_cannot_be_told() -> None:
    """White print that is burnt out without haze can, and so can hazed print that is not."""
    haze = np.zeros((90, 60), np.float32)
    haze[:45] = 0.4
    image = np.full((90, 60, 3), 120, np.uint8)
    image[:20] = (90, 255, 200)
    image[60:] = 255

    assert share_in_glare(image, haze) == pytest.approx(20 / 90)
