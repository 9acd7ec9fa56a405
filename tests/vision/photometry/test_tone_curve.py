"""The camera's tone curve is told from tiles that were recognised."""

import numpy as np
import pytest

from vision.photometry.light import coded
from vision.photometry.tone_curve import tone_of, without_tone

SIZE = 16


def pairs(power: float, haze: float = 0.0, tiles: int = 6) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return faces as learnt and as a camera with a tone curve sees them in dim and uneven light."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(tiles):
        known = rng.uniform(0.03, 0.8, (SIZE, SIZE)).astype(np.float32)
        slope = np.linspace(0.5, 0.8, SIZE, dtype=np.float32)
        light = coded(known * slope + haze)
        seen = np.rint(255 * (light / 255.0) ** power).astype(np.uint8)
        found.append((known, seen, np.ones((SIZE, SIZE), np.float32)))
    return found


@pytest.mark.parametrize("power", [0.5, 0.63, 1.6, 2.0, 2.5])
def test_a_bent_curve_is_found(power: float) -> None:
    """A camera that lifts or presses the mid tones is known by its tiles."""
    assert tone_of(pairs(power)) == power


@pytest.mark.parametrize("haze", [0.0, 0.05, 0.12])
def test_dim_uneven_and_hazy_light_bends_nothing(haze: float) -> None:
    """What light alone can do is not taken for the camera's curve."""
    assert tone_of(pairs(1.0, haze)) == 1.0


def test_two_tiles_tell_nothing() -> None:
    """A curve is only believed when several tiles show it."""
    assert tone_of(pairs(0.5, tiles=2)) == 1.0


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_curve_is_taken_out(power: float) -> None:
    """A picture comes back as it was, but for what rounding lost."""
    plain = np.arange(30, 230, dtype=np.uint8).reshape(10, 20)
    picture = np.dstack([plain] * 3)
    bent = np.rint(255 * (picture / 255.0) ** power).astype(np.uint8)

    assert np.abs(without_tone(bent, power).astype(int) - picture).max() <= 3
