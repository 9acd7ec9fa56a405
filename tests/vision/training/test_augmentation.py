"""Samples seen a little otherwise: a place stays what it is, but for what does not count."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Patches
from vision.training.augmentation import augmented, hazed

COUNT, SIZE = 300, 8
SEEN, KNOWN, SHADE, LEAN = slice(0, 3), slice(3, 6), slice(6, 9), 9


@pytest.fixture
def patches() -> Patches:
    """Return patches with known colours 60, 120, 180, half as bright on their left, and shades 10, 20, 30."""
    found = np.zeros((COUNT, 10, SIZE, SIZE), np.uint8)
    found[:, SEEN] = found[:, KNOWN] = np.array((60, 120, 180), np.uint8)[None, :, None, None]
    found[:, :6, :, : SIZE // 2] //= 2
    found[:, SHADE] = np.array((10, 20, 30), np.uint8)[None, :, None, None]
    found[:, LEAN] = 77
    return found


def test_colours_change_places_together(patches: Patches) -> None:
    """The order of colours is the same in what was learnt and in the shade, and any order comes up."""
    before = patches.copy()
    changed = augmented(patches, (0, 3, 6), np.random.default_rng(1))
    order = changed[:, KNOWN].max(axis=(2, 3)).argsort(axis=1)

    assert np.array_equal(patches, before)
    assert np.array_equal(order, changed[:, SHADE, 0, 0].argsort(axis=1))
    assert len({tuple(one) for one in order.tolist()}) == 6
    assert (changed[:, LEAN] == 77).all()
    assert np.array_equal(np.sort(changed[:, KNOWN].max(axis=(2, 3)), axis=1), [[60, 120, 180]] * COUNT)


def test_left_and_right_are_swapped_in_all_pictures_at_once(patches: Patches) -> None:
    """About half of all patches are mirrored; what is seen is mirrored with what was learnt."""
    changed = augmented(patches, (0, 3, 6), np.random.default_rng(2)).astype(float)
    halves = [changed[:, part].mean(axis=(1, 2)) for part in (SEEN, KNOWN)]
    is_mirrored = [one[:, 0] > one[:, -1] for one in halves]

    assert np.array_equal(*is_mirrored)
    assert 0.4 < is_mirrored[1].mean() < 0.6


def test_the_light_is_fitted_a_little_otherwise(patches: Patches) -> None:
    """What is seen differs from what was learnt, by little, in either direction; what was learnt does not."""
    changed = augmented(patches, (0, 3, 6), np.random.default_rng(3)).astype(float)
    off = (changed[:, SEEN] - changed[:, KNOWN]).mean(axis=(1, 2, 3))

    assert 1 < np.abs(off).mean() < 12
    assert 0.3 < (off > 0).mean() < 0.7


def test_the_same_dice_give_the_same_patches(patches: Patches) -> None:
    one, same, other = (augmented(patches, (0, 3, 6), np.random.default_rng(seed)) for seed in (4, 4, 5))

    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_mirrored_lamp_leaves_the_print_but_paler(patches: Patches) -> None:
    """Over the share that was asked for haze brightens what is seen; darker stays darker."""
    told, is_lost = hazed(patches, 0.5, np.random.default_rng(6))
    by = told[:, SEEN].mean(axis=(1, 2, 3), dtype=float) - patches[0, SEEN].mean()
    is_hazy = by != 0
    middles = told[is_hazy, SEEN, SIZE // 2].astype(float)

    assert 0.4 < is_hazy.mean() < 0.6
    assert (by >= 0).all()
    assert not is_lost.any()
    assert np.array_equal(told[:, 3:], patches[:, 3:])
    assert (middles.mean(axis=2)[:, 0] < middles.mean(axis=2)[:, 2] + 1).mean() > 0.95


def test_what_a_lamp_burns_out_is_lost(patches: Patches) -> None:
    """Of bright print the middle may be white: nobody can tell any more what is there."""
    bright = patches.copy()
    bright[:, SEEN] = 235
    told, is_lost = hazed(bright, 1.0, np.random.default_rng(8))
    middles = told[:, SEEN, 2:7, 1:7].min(axis=1)

    assert 0.1 < is_lost.mean() < 0.9
    assert ((middles[is_lost] >= 250).mean(axis=(1, 2)) > 0.5).all()
    assert ((middles[~is_lost] > 250).mean(axis=(1, 2)) <= 0.5).all()
