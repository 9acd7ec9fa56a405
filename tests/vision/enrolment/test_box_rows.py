"""Rows of boxes printed on tiles."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.enrolment.box_rows import find_turned_rows, straightened

COUNTS = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 3, "f": 2}


def tiles(row_y: int, edge: int) -> dict[str, NDArray[np.uint8]]:
    """Clouded tiles with a row of boxes each, as many as COUNTS says."""
    rng = np.random.default_rng(4)
    pictures: dict[str, NDArray[np.uint8]] = {}
    for name, count in COUNTS.items():
        rough = rng.uniform(130, 190, (6, 6, 3)).astype(np.uint8)
        picture = np.asarray(cv2.resize(rough, (96, 96), interpolation=cv2.INTER_CUBIC), np.uint8)
        for index in range(count):
            x = 48 + (index - (count - 1) / 2) * (edge + 3)
            left, top = round(x - edge / 2), row_y - edge // 2
            picture[top : top + edge, left : left + edge] = (200, 90, 40) if count % 2 else (40, 40, 45)
            cv2.putText(picture, "3", (left + 3, top + edge - 3), 0, 0.4, (230, 230, 230), 1)
        pictures[name] = picture
    return pictures


@pytest.mark.parametrize("row_y", [78, 18])
def test_rows_tell_how_tiles_are_turned_and_how_many_boxes_they_have(row_y: int) -> None:
    """However the tiles lie, and askew by some degrees; a row at the upper rim is called the lower."""
    upright = tiles(row_y, 16)
    quarters = dict(zip(upright, (0, 1, 2, 3, 3, 1), strict=True))
    lying = {
        name: straightened(np.ascontiguousarray(np.rot90(picture, quarters[name])), tilt)
        for (name, picture), tilt in zip(upright.items(), (0, 3, -3, 1.5, 0, -1.5), strict=True)
    }
    found = find_turned_rows(lying, 1.6)
    half = 0 if row_y > 48 else 2

    assert {name: (one.turn + quarters[name] + half) % 4 for name, one in found.items()} == dict.fromkeys(
        upright, 0
    )
    assert {name: int(np.argmax(one.ways[one.turn].gains)) + 1 for name, one in found.items()} == COUNTS
    for name, one in found.items():
        middles = np.array(one.ways[one.turn].rows[COUNTS[name] - 1].middles_px)
        assert np.abs(middles[:, 1] - (row_y if not half else 95 - row_y)).max() < 3
        assert abs(middles[:, 0].mean() - 47.5) < 3
