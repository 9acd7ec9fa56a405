"""Finding a board's boxes by how they are arranged, whatever their shape."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Picture8
from vision.enrolment.board_boxes import find_board_boxes, line_field, settled

ROWS = (4, 2, 2, 2, 2, 1)
PX_PER_MM = 2.0
SHAPES = {
    "circle": np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)[:-1]]),
    "square": np.array([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
    "hexagon": np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 7)[:-1]]),
    "shield": np.array([(-0.8, -0.9), (0.8, -0.9), (0.8, 0.2), (0.0, 1.0), (-0.8, 0.2)]),
}


def middles_of(turn_deg: float) -> Floats:
    """Boxes in their rows, px, about the middle of a picture, the whole turned."""
    base = [(x, 0.0) for x in (-33, -11, 11, 33)]
    pairs = [(x, -40.0 - 32 * row) for row in range(4) for x in (-14 + 2 * row, 14 + 2 * row)]
    at = np.array([*base, *pairs, (3.0, -176.0)]) + np.array([0, 88])
    turn = np.deg2rad(turn_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return at @ matrix.T + np.array([200, 180])


def drawn(shape: str, middles: Floats, *, filled: bool) -> Picture8:
    """A table with a board; numbers in the boxes, two of them shaded."""
    rng = np.random.default_rng(3)
    picture = np.full((360, 400, 3), (70, 110, 140), np.uint8)
    for number, middle in enumerate(middles):
        outline = [np.rint((middle + 9 * SHAPES[shape]) * 16).astype(np.int32)]
        if filled:
            cv2.fillPoly(picture, outline, (150, 150, 190) if number in (0, 3) else (215, 220, 225), 16, 4)
        cv2.polylines(picture, outline, True, (40, 45, 50), 2, cv2.LINE_AA, 4)
        at = (round(middle[0]) - 4, round(middle[1]) + 4)
        cv2.putText(picture, str(7 + number // 4), at, cv2.FONT_HERSHEY_SIMPLEX, 0.35, (30, 30, 30), 1)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 2.5, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@pytest.mark.parametrize("turn_deg", [-17, 160])
@pytest.mark.parametrize("shape", SHAPES)
def test_boxes_of_any_shape_are_found_in_their_order(shape: str, turn_deg: float) -> None:
    """However the board lies, box 0 is at one end of the lowest row and the last one at the tip."""
    middles = middles_of(turn_deg)
    picture = drawn(shape, middles, filled=shape != "circle")

    found = find_board_boxes(picture, np.ones(picture.shape[:2], np.bool_), ROWS, PX_PER_MM)

    assert found is not None
    assert np.hypot(*(found.middles_px - middles).T).max() < 2.5


def test_a_table_without_a_board_has_no_boxes() -> None:
    """Neither an empty cloth nor shapes in other arrangements are a board."""
    grid = np.array([(80.0 + 40 * x, 60.0 + 40 * y) for x in range(7) for y in range(7)])
    where = np.ones((360, 400), np.bool_)

    assert find_board_boxes(drawn("square", grid, filled=True), where, ROWS, PX_PER_MM) is None
    assert find_board_boxes(drawn("square", grid[:0], filled=True), where, ROWS, PX_PER_MM) is None


def test_a_box_that_is_missing_is_not_made_up() -> None:
    """Twelve boxes are no board of thirteen."""
    picture = drawn("square", middles_of(0)[:-1], filled=True)

    assert find_board_boxes(picture, np.ones(picture.shape[:2], np.bool_), ROWS, PX_PER_MM) is None


def test_clicks_settle_on_the_boxes() -> None:
    """Boxes that were pointed at some pixels off are where they are printed."""
    middles = middles_of(8)
    rng = np.random.default_rng(5)
    lines = line_field(drawn("hexagon", middles, filled=True))

    found = settled(lines, middles + rng.uniform(-2, 2, middles.shape), 16.0, 5.0)

    assert np.hypot(*(found - middles).T).max() < 1.5
