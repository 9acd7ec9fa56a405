"""Changes between frames, against the noise of these frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.enrolment.frame_changes import BLOCK_PX, block_means, changed_blocks, noise_of, sharpness


def picture(seed: int, noise: float) -> Image:
    """A table with grain, and noise of its own."""
    grain = np.random.default_rng(1).normal(120, 25, (240, 320, 3))
    seen = cv2.GaussianBlur(grain, (0, 0), 2.0) + np.random.default_rng(seed).normal(0, noise, grain.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


@pytest.mark.parametrize("noise", [0.0, 1.0, 6.0])
def test_noise_and_a_change_of_light_are_no_change(noise: float) -> None:
    """However noisy the camera is."""
    one, other = picture(2, noise), picture(3, noise)
    darker = np.asarray(other * 0.9, np.uint8)

    assert not changed_blocks(block_means(one), block_means(other)).any()
    assert not changed_blocks(block_means(one), block_means(darker)).any()


@pytest.mark.parametrize("noise", [0.0, 1.0, 6.0])
def test_what_is_laid_is_a_change_where_it_lies(noise: float) -> None:
    """And nowhere else."""
    one, other = picture(2, noise), picture(3, noise)
    other[80:160, 96:200] = (90, 200, 60)
    changed = changed_blocks(block_means(one), block_means(other))
    rows, columns = np.nonzero(changed)

    assert (80 // BLOCK_PX, 160 // BLOCK_PX - 1) == (rows.min(), rows.max())
    assert (96 // BLOCK_PX, 200 // BLOCK_PX - 1) == (columns.min(), columns.max())
    assert changed[10:20, 12:25].all()


def test_two_frames_that_happen_to_agree_do_not_make_others_look_changed() -> None:
    """The usual noise counts."""
    one, other = picture(2, 4.0), picture(3, 4.0)
    usual = noise_of(block_means(one), block_means(other))
    still = one.copy()
    still[80:96, 80:96] = other[80:96, 80:96]

    assert changed_blocks(block_means(one), block_means(still)).any()
    assert not changed_blocks(block_means(one), block_means(still), usual).any()


def test_sharpness_falls_with_blur_and_not_with_light() -> None:
    """By as much as edges get wider."""
    code = np.full((60, 60), 230, np.uint8)
    code[15:45, 15:45] = 20
    blurred = [cv2.GaussianBlur(code, (0, 0), spread) for spread in (1.0, 2.0, 4.0)]
    found = [sharpness(np.asarray(one, np.uint8)) for one in blurred]
    dim = sharpness(np.asarray(blurred[0] // 2, np.uint8))

    assert None not in found
    assert found == sorted(found, key=lambda one: -(one or 0.0))
    assert dim == pytest.approx(found[0], rel=0.05)
    assert sharpness(np.full((40, 40), 90, np.uint8)) is None
