"""The lens is measured from pictures of the ChArUco sheet."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.charuco import COLUMNS, ROWS, SQUARE_MM, charuco_modules, measure_lens
from companion.errors import ProfileError
from vision.simulation.flatwork import Easel, FlatPose
from vision.simulation.scenery import Viewpoint

_SIZE = (1280, 720)
_TILTS = ((0, 0), (25, 0), (25, 90), (25, 180), (25, 270), (35, 45), (35, 225), (15, 135))


def _photograph(viewpoint: Viewpoint) -> NDArray[np.uint8]:
    sheet = np.where(np.kron(charuco_modules(), np.ones((6, 6), bool)), 12, 235).astype(np.uint8)
    pose = FlatPose(
        x_mm=0, y_mm=0, z_mm=0, turn_deg=0, width_mm=COLUMNS * SQUARE_MM, height_mm=ROWS * SQUARE_MM
    )
    frame = np.full((_SIZE[1], _SIZE[0], 3), 0.2, np.float32)
    patch = Easel(viewpoint.pose(_SIZE)).paint(np.dstack([sheet] * 3), pose)
    assert patch is not None
    patch.blend_over(frame)
    return np.asarray(255 * np.clip(frame[:, :, 0], 0, 1) ** (1 / 2.2), np.uint8)


def test_the_lens_is_found() -> None:
    """Eight pictures give focal length, middle and bend of the lens."""
    viewpoints = [
        Viewpoint(
            tilt_deg=tilt,
            azimuth_deg=turn,
            distance_mm=300,
            aim_mm=(30.0 * (turn % 2), 10.0),
            k1=-0.12,
            k2=0.03,
        )
        for tilt, turn in _TILTS
    ]
    lens, error_px = measure_lens(_photograph(one) for one in viewpoints)
    true = viewpoints[0].pose(_SIZE).lens

    assert error_px < 0.3
    assert abs(lens.focal_px / true.focal_px - 1) < 0.004
    assert np.abs(np.subtract(lens.centre_px, true.centre_px)).max() < 4
    assert abs(lens.k1 - true.k1) < 0.02


def test_too_few_pictures_are_refused() -> None:
    """Pictures without the sheet do not count; the refusal says how many are missing."""
    with pytest.raises(ProfileError, match=r"found in 0 pictures; 5 or more"):
        measure_lens([np.full((720, 1280), 128, np.uint8)] * 8)


def test_mixed_sizes_are_refused() -> None:
    """Pictures of two resolutions belong to two lenses."""
    small = _photograph(Viewpoint(tilt_deg=5, distance_mm=300))
    with pytest.raises(ProfileError, match="different sizes"):
        measure_lens([small, small[:-10]])
