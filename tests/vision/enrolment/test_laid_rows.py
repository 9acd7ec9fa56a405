"""Naming faces that lie in rows."""

import pytest

from vision.enrolment.laid_outlines import LaidOutline
from vision.enrolment.laid_rows import name_in_rows
from vision.faces.registration import Pose2D

ROWS = (("a", "b", "c"), ("d", "e"))


def outline(x: float, y: float) -> LaidOutline:
    """A face of 50 x 80 px with its middle here."""
    return LaidOutline(pose=Pose2D(x_px=x, y_px=y, turn=0.0), size_px=(50.0, 80.0), clear=0.9)


PLACES = {
    "a": outline(100, 100),
    "b": outline(162, 112),
    "c": outline(220, 95),
    "d": outline(103, 195),
    "e": outline(158, 205),
}


def test_faces_are_named_row_by_row() -> None:
    """However they were found, and though hands lay them awry."""
    named = name_in_rows(list(PLACES.values())[::-1], ROWS, "faces.jpg")

    assert PLACES == named.found
    assert {} == named.missing


@pytest.mark.parametrize("lost", ["d", "e"])
def test_a_face_that_was_not_found_does_not_rename_the_others(lost: str) -> None:
    """Whole rows tell where the columns are; the message says which face is missing and where it lies."""
    named = name_in_rows([one for name, one in PLACES.items() if name != lost], ROWS, "faces.jpg")

    assert {name: one for name, one in PLACES.items() if name != lost} == named.found
    assert [lost] == list(named.missing)
    assert "row 2" in str(named.missing[lost])
    assert "faces.jpg" in str(named.missing[lost])


def test_without_a_whole_row_nothing_is_guessed() -> None:
    """Which column a face lies in follows from nothing then."""
    named = name_in_rows([PLACES["a"], PLACES["b"], PLACES["d"]], ROWS, "faces.jpg")

    assert {} == named.found
    assert set(PLACES) == set(named.missing)


def test_another_number_of_rows_is_told() -> None:
    """A photograph of something else teaches nothing."""
    named = name_in_rows([PLACES["a"], PLACES["b"]], ROWS, "faces.jpg")

    assert {} == named.found
    assert "1 row of" in str(named.missing["a"])
