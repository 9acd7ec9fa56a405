"""A mirrored lamp's haze is taken off a face; more light alone is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Bools, Singles
from vision.enrolment.lamp_haze import without_haze

WHOLE: Bools = np.ones((90, 60), np.bool_)


def printed() -> Singles:
    """Black bars and white fields on coloured paper, in shares of white paper's light."""
    face = np.full((90, 60, 3), (0.3, 0.45, 0.25), np.float32)
    face[5:13, 5:55] = 0.04
    face[20:40, 8:52] = 0.95
    face[60:80, 20:50] = (0.7, 0.2, 0.15)
    return face


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


def test_where_nothing_was_seen_nothing_is_told() -> None:
    """All of it was burnt out."""
    face = np.full((90, 60, 3), 1.3, np.float32)

    assert np.array_equal(without_haze(face, ~WHOLE), face)
