"""What looks otherwise than when it was read."""

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.blue_moon_city.layout import table_layout
from vision.capture.image_pyramid import ImagePyramid, smoothed
from vision.geometry.cells import cell_regions
from vision.geometry.change_detection import ChangeDetector
from vision.geometry.rectify import Flat

LAYOUT = table_layout()
FLAT = Flat.around(*LAYOUT.extent_mm(14), 1.6, 2.2)


def city(light: float = 1.0, seed: int = 0) -> NDArray[np.uint8]:
    """A city of some pattern, with the noise of a camera."""
    y, x = np.mgrid[: FLAT.height_px, : FLAT.width_px]
    pattern = 120 + 60 * np.sin(x / 7.0) * np.cos(y / 9.0)
    noise = np.random.default_rng(seed).normal(0, 4, (*pattern.shape, 3))
    return np.asarray(np.clip(pattern[..., None] * light + noise, 0, 255), np.uint8)


def with_marker(picture: NDArray[np.uint8], cell: str, levels: int) -> NDArray[np.uint8]:
    """The picture with a marker on a cell, differing by so many levels of 255."""
    x, y = FLAT.to_px(np.array(LAYOUT.cells[cell])).astype(int)
    changed = picture.astype(int)
    changed[y - 6 : y + 7, x - 6 : x + 7] += levels
    return np.asarray(np.clip(changed, 0, 255), np.uint8)


def small(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture as the memory wants it."""
    return smoothed(ImagePyramid(picture).times(2))


class Watched:
    """A city watched picture after picture."""

    def __init__(self) -> None:
        self._detector = ChangeDetector(cell_regions(LAYOUT, FLAT))
        self._read: NDArray[np.uint8] | None = None

    def changed(self, picture: NDArray[np.uint8]) -> set[str]:
        """The cells that look otherwise than when they were read."""
        found, self._read = self._detector.changed(small(picture), self._read)
        return set(found)


@pytest.fixture
def known() -> Watched:
    """A city that was read once."""
    watched = Watched()
    watched.changed(city())
    return watched


def test_at_first_everything_is_new() -> None:
    """All cells are to be read in the first picture."""
    assert Watched().changed(city()) == set(LAYOUT.cells)


def test_noise_and_a_passing_cloud_are_no_change(known: Watched) -> None:
    """Noise of four levels, light a tenth less or more: nothing to be read."""
    assert [known.changed(city(light, seed)) for seed, light in enumerate((1.0, 0.9, 1.1), 1)] == [set()] * 3


def test_one_marker_is_one_cell(known: Watched) -> None:
    """A pale marker on one cell changes that cell alone, and once read it is news no more."""
    assert known.changed(with_marker(city(seed=5), "2,3", 12)) == {"2,3"}
    assert known.changed(with_marker(city(seed=6), "2,3", 12)) == set()


def test_what_changes_back_is_news_again(known: Watched) -> None:
    """A marker taken away again changes its cell once more."""
    known.changed(with_marker(city(seed=5), "0,1", -20))

    assert known.changed(city(seed=7)) == {"0,1"}


def test_another_lamp_is_news_once(known: Watched) -> None:
    """Half the light is read anew everywhere, and then it is remembered."""
    assert known.changed(city(0.5, seed=5)) == set(LAYOUT.cells)
    assert known.changed(city(0.5, seed=6)) == set()


def test_what_was_read_remains_as_it_was() -> None:
    """What a frame is compared with is the caller's: asked twice, the same is changed."""
    detector = ChangeDetector(cell_regions(LAYOUT, FLAT))
    _, read = detector.changed(small(city()), None)
    kept = read.copy()
    shown = small(with_marker(city(seed=5), "2,3", 12))
    first, second = (detector.changed(shown, read) for _ in range(2))

    assert (read == kept).all()
    assert first[0] == second[0] == {"2,3"}
    assert (first[1] == second[1]).all()
