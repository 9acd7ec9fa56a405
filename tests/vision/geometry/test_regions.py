"""Parts of pictures."""

import numpy as np

from vision.geometry.regions import common, region_of, widened


def test_a_part_is_widened_as_far_as_the_picture_goes() -> None:
    part = slice(5, 10), slice(20, 28)

    assert widened(part, (40, 30, 3), (4, 3)) == (slice(1, 14), slice(17, 30))
    assert widened(part, (12, 60), (9, 25)) == (slice(0, 12), slice(0, 53))


def test_parts_that_only_touch_have_nothing_in_common() -> None:
    part = slice(5, 10), slice(20, 28)

    assert common(part, (slice(8, 30), slice(0, 22))) == (slice(8, 10), slice(20, 22))
    assert common(part, (slice(10, 30), slice(20, 28))) is None


def test_the_part_of_a_mask_holds_all_that_is_set() -> None:
    mask = np.zeros((12, 20), np.bool_)
    assert region_of(mask) is None

    mask[3, 7] = mask[9, 15] = True
    assert region_of(mask) == (slice(3, 10), slice(7, 16))
