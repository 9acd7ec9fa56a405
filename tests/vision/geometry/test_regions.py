"""Parts of pictures."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.regions import Region, common, grown, joined, region_of, widened, within

SPANS = st.tuples(st.integers(0, 60), st.integers(1, 40)).map(lambda one: slice(one[0], sum(one)))


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


@given(st.lists(st.tuples(SPANS, SPANS), max_size=8))
def test_joined_parts_hold_all_and_cost_no_more(parts: list[Region]) -> None:
    groups = joined(parts)

    assert sorted(number for _, those in groups for number in those.tolist()) == list(range(len(parts)))
    for whole, those in groups:
        for number in those.tolist():
            assert common(parts[number], whole) == parts[number]
            assert min(one.start for one in within(parts[number], whole)) >= 0
    assert sum(area(whole) for whole, _ in groups) <= sum(map(area, parts))


def test_a_mask_grows_as_far_as_it_is_told() -> None:
    """Around a pixel, round; an empty one stays empty."""
    mask = np.zeros((9, 9), np.bool_)

    assert not grown(mask, 3.0).any()
    mask[4, 4] = True
    wide = grown(mask, 3.0)
    assert wide[4, 1]
    assert wide[4, 7]
    assert not wide[4, 0]
    assert not wide[1, 1]


def test_parts_far_apart_stay_apart() -> None:
    near, other, far = ((slice(at, at + 10), slice(at, at + 10)) for at in (0, 1, 200))

    assert [those.tolist() for _, those in joined([near, other, far])] == [[2], [0, 1]]


def area(part: Region) -> int:
    rows, columns = part
    return int((rows.stop - rows.start) * (columns.stop - columns.start))
