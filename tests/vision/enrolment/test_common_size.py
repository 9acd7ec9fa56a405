"""Faces of one kind have one size."""

from __future__ import annotations

import numpy as np
import pytest

from vision.enrolment.common_size import common_size_mm, of_size
from vision.enrolment.laid_shot import LearntFace
from vision.free.learnt_faces import LEARNT_PX_PER_MM


def face(width: float, height: float) -> LearntFace:
    """A face that looks so large."""
    size = round(height * LEARNT_PX_PER_MM), round(width * LEARNT_PX_PER_MM)
    return LearntFace(
        picture="rows",
        corners_px=np.zeros((4, 2)),
        size_mm=(width, height),
        image=np.full((*size, 3), 90, np.uint8),
        valid=np.ones(size, np.bool_),
    )


def test_most_faces_tell_the_size() -> None:
    """One that was measured badly does not count."""
    assert common_size_mm([face(60, 92), face(60.2, 92), face(64, 90)], (59, 91)) == (60.2, 92.0)


def test_what_is_listed_as_square_is_square() -> None:
    """A tile that may be turned in four ways has no width of its own."""
    width, height = common_size_mm([face(43.6, 44.0), face(43.6, 44.0)], (43, 43))

    assert width == height == pytest.approx(43.8)


def test_without_faces_the_list_tells() -> None:
    """Nothing was measured."""
    assert common_size_mm([], (59, 91)) == (59, 91)


def test_a_picture_follows_its_size() -> None:
    """A profile keeps so many pixels a millimetre."""
    told = of_size(face(43.6, 44.0), (43.8, 43.8))

    assert told.size_mm == (43.8, 43.8)
    assert told.image.shape[:2] == told.valid.shape == (round(43.8 * LEARNT_PX_PER_MM),) * 2
    assert told.valid.all()
