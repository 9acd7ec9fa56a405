"""Digits, drawn in several fonts."""

import cv2
import numpy as np
import pytest

from vision.enrolment.digits import DIGITS, INSIDE_PX, cut_digit, drawn_digits, likeness


@pytest.mark.parametrize("is_light", [True, False])
def test_a_digit_is_told_whatever_its_colour(is_light: bool) -> None:
    """Light on dark or dark on light, a little off the middle, under noise."""
    rng = np.random.default_rng(3)
    font = drawn_digits()[2]
    for number, digit in enumerate(font):
        inside = np.zeros((INSIDE_PX + 6, INSIDE_PX + 6), np.float32)
        inside[5 : 5 + digit.shape[0], 9 : 9 + digit.shape[1]] = digit
        inside = 60 + 120 * inside if is_light else 190 - 120 * inside
        seen = np.asarray(inside + rng.normal(0, 6, inside.shape), np.float32)
        like = likeness(seen, font)

        assert int(like.argmax()) == number
        window = cut_digit(seen, digit)
        assert np.corrcoef(window.ravel(), digit.ravel())[0, 1] > 0.9


def test_fonts_differ_but_digits_are_told_across_them() -> None:
    """A 2 of one font is more like a 2 of another than like a 3, 4 or 5 of it."""
    one, other = drawn_digits()[2], drawn_digits()[12]
    for number in range(1, 5):
        inside = cv2.copyMakeBorder(one[number], 5, 5, 7, 7, cv2.BORDER_CONSTANT)
        like = likeness(np.asarray(inside, np.float32), other)[1:5]

        assert int(like.argmax()) == number - 1


def test_rare_digits_must_be_plainer() -> None:
    """What a game never prints is not told for a small advantage."""
    font = drawn_digits()[2]
    inside = np.asarray(cv2.copyMakeBorder(font[0] + font[3], 5, 5, 7, 7, cv2.BORDER_CONSTANT), np.float32)
    free, common = likeness(inside, font), likeness(inside, font, (2, 3, 4, 5))

    assert common[3] == free[3]
    assert common[0] == pytest.approx(free[0] - 0.12)
    assert len(common) == len(DIGITS)
