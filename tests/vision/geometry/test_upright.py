"""Patches in which what stands leans up, whichever way the camera sees it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.geometry.upright import SIZE_PX, Upright, masked

FOOT, BASE_PX, SHAPE = np.array([120.0, 80.0]), 18.0, (160, 240)


@pytest.mark.parametrize("turn_deg", [0, 35, 90, 180, 290])
@pytest.mark.parametrize("length_px", [12.0, 60.0])
def test_a_body_is_where_the_patch_says_it_is(turn_deg: int, length_px: float) -> None:
    """Its base and its head, drawn on the map, fill the outline of the patch."""
    lean = length_px * np.array([math.sin(math.radians(turn_deg)), -math.cos(math.radians(turn_deg))])
    drawn = np.zeros(SHAPE, np.uint8)
    around = np.linspace(0, 2 * np.pi, 40)
    ring = np.column_stack([np.cos(around), np.sin(around)]) * BASE_PX / 2
    hull = cv2.convexHull(np.concatenate([FOOT + ring, FOOT + lean + ring]).astype(np.float32))
    cv2.fillConvexPoly(drawn, np.rint(hull).astype(np.int32), 1)
    upright = Upright.of(FOOT, lean, BASE_PX)
    region, moved = upright.within(SHAPE)
    seen = upright.warped(np.dstack([masked(drawn[region] > 0)] * 2), moved)[..., 0] > 127
    body = upright.body() > 0

    # The outline is drawn with its rim.
    assert (seen & body).sum() > 0.95 * seen.sum()
    assert seen.sum() > 0.6 * body.sum()
    rows = np.nonzero(body)[0]
    assert 5 <= rows.min() < rows.max() <= 28


def test_without_any_lean_up_is_up() -> None:
    """Seen from straight above nothing leans."""
    upright = Upright.of(FOOT, np.zeros(2), BASE_PX)
    right, down = upright.matrix[:, 0], upright.matrix[:, 1]

    assert right == pytest.approx((upright.scale, 0))
    assert down == pytest.approx((0, upright.scale))


@pytest.mark.parametrize("at", [(-500.0, 20.0), (900.0, 900.0)])
def test_beyond_the_map_nothing_is_seen(at: tuple[float, float]) -> None:
    """A patch of a place outside of it is empty."""
    upright = Upright.of(np.array(at), np.array([0.0, -20.0]), BASE_PX)
    region, moved = upright.within(SHAPE)
    patch = upright.warped(np.full((*SHAPE, 2), 255, np.uint8)[region], moved)

    assert patch.shape == (SIZE_PX, SIZE_PX, 2)
    assert not patch.any()
