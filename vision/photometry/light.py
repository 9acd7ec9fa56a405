"""Light: linear colours, local contrast, and fitting one picture's light to another's."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture8, Singles

_GAMMA = 2.2
# Mean difference between the colours of a pixel, in levels of 255; compression alone causes some tenths.
_COLOURLESS = 1.0
_HABIT = np.diag(np.array([0.0, 0.02, 0.02, 0.2, 0.4, 0.4], np.float32)) * np.float32(0.05)
_LEAST_HABIT = np.eye(6, dtype=np.float32) * np.float32(1e-6)
# In this many last rounds of fitting a light all pixels are used.
_ALL_ROUNDS = 1
# Cameras compress highlights: from this share of full light on, a level stands for more light than it says.
# The last levels before full light are mostly noise: there the light grows no faster than the level.
_KNEE, _LAST = 0.72, 0.88


def _spread(level: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light that a camera's level, 0 to 1, stands for; both are linear."""
    above = np.clip((level - _KNEE) / (1 - _KNEE), 0, 1)
    pressed = np.minimum(above, _LAST)
    return np.minimum(level, _KNEE) + (1 - _KNEE) * (np.arctanh(pressed) + above - pressed)


_TO_LINEAR = _spread((np.arange(256) / 255.0) ** _GAMMA).astype(np.float32)
LIGHTEST: Final = float(_TO_LINEAR[-1])
"""The most that a picture can hold, in linear light."""


def linear(picture: Picture8) -> Singles:
    """Return the picture in linear light, 0 to 1.14, same shape, float32."""
    if not picture.size:
        return np.zeros(picture.shape, np.float32)
    return np.asarray(cv2.LUT(picture, _TO_LINEAR), np.float32).reshape(picture.shape)


def coded(light: Singles) -> Picture8:
    """Return linear light as picture values; the inverse of `linear`, clipped."""
    return np.asarray(np.interp(light, _TO_LINEAR, np.arange(256)) + 0.5, np.uint8)


def step_at(light: Singles) -> Singles:
    """Return about how much linear light a step of a pixel's level, of 255, is at each light above 0."""
    return np.asarray(_GAMMA / 255 * light ** (1 - 1 / _GAMMA), np.float32)


def leveled(coded: Singles) -> Picture8:
    """Return coded colours, 0 to 1, as levels."""
    return np.asarray(np.clip(coded * 255 + 0.5, 0, 255), np.uint8)


def valued(light: Singles) -> Singles:
    """Return linear light as values around 0 to 1 as pictures have them; overshoots are kept up to 1.5."""
    return np.asarray(cv2.pow(np.clip(light, 0, 2.5), 1 / 2.2), np.float32)


def unvalued(values: Singles) -> Singles:
    """Return values around 0 to 1 as linear light; the inverse of `valued`."""
    return np.asarray(values ** np.float32(_GAMMA), np.float32)


def gray_of(picture: Picture8) -> Singles:
    """Return the brightness (height, width) of a BGR picture as float32."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)


# Along so short an axis NumPy takes several times as long as OpenCV: so for the next three.
def greatest(picture: Picture8 | Singles) -> Singles:
    """Return the greatest of the three colours, (height, width)."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(first, second), third), np.float32)


def least(picture: Picture8 | Singles) -> Singles:
    """Return the least of the three colours, (height, width)."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(first, second), third), np.float32)


def total(picture: Singles) -> Singles:
    """Return the sum of the three colours, (height, width)."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.add(cv2.add(first, second), third), np.float32)


def edges(gray: Singles, reach: int) -> Singles:
    """Return the gradient field (2, height, width), normalised over windows of `reach` px.

    Only the direction and the relative strength of an edge remain, independent of light and contrast.
    """
    x = cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    y = cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    energy = cv2.boxFilter(x * x + y * y, cv2.CV_32F, (reach, reach))
    # 1.5 grey levels a pixel are the noise of a dim picture; weaker edges are not amplified.
    scale = cv2.pow(energy + np.float32(1.5**2), -0.5)
    field = np.empty((2, *gray.shape), np.float32)
    np.multiply(x, scale, out=field[0])
    np.multiply(y, scale, out=field[1])
    return field


def unusable(picture: Picture8) -> NDArray[np.bool_]:
    """Return where a BGR picture is useless, (height, width): burnt out, or black as outside the frame.

    One saturated colour may be a warm lamp on a light face; with two saturated, the pixel is burnt out.
    """
    blue, green, red = cv2.split(picture)
    low, high = cv2.min(blue, green), cv2.max(blue, green)
    middle = cv2.max(low, cv2.min(high, red))
    return np.asarray((middle >= 250) | (cv2.max(high, red) <= 1), np.bool_)


def glare(picture: Picture8, least_px: float) -> NDArray[np.bool_]:
    """Return where a BGR picture is useless over an area of at least `least_px` pixels, (height, width)."""
    return over_area(unusable(picture), least_px)


def over_area(useless: NDArray[np.bool_], least_px: float) -> NDArray[np.bool_]:
    """Return the larger areas of the mask `useless`, (height, width).

    A patch smaller than `least_px` may be a white piece in bright light, which must stay visible.
    """
    if np.count_nonzero(useless) < 0.25 * least_px:
        return np.zeros(useless.shape, np.bool_)
    closed = cv2.morphologyEx(useless.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, patches, stats, _ = cv2.connectedComponentsWithStats(closed)
    large = np.zeros(count, bool)
    large[1:] = stats[1:, cv2.CC_STAT_AREA] >= least_px
    return np.asarray(large[patches] & useless, np.bool_)


def is_colourless(picture: Picture8) -> bool:
    """Whether a picture (height, width, 3) is practically grey, as from an infrared camera at night."""
    some = picture[::16, ::16].astype(np.int16)
    return float(np.abs(some - some[..., 1:2]).mean()) < _COLOURLESS


class LightFit:
    """How one picture's light differs from a known one's: seen = gain * known + haze, for each colour.

    Gain and haze vary linearly over the picture; haze is light that a glossy face mirrors.
    """

    def __init__(self, factors: Singles) -> None:
        self.factors = factors  # (6, colours): gain and its slopes in x and y, haze and its slopes

    def gain_at(self, where: Singles) -> Singles:
        """Return the gain at places (..., 3) given as 1, x, y; never below a hundredth."""
        return np.asarray(np.clip(_at(where, self.factors[:3]), 0.01, None), np.float32)

    def haze_at(self, where: Singles) -> Singles:
        """Return the haze at places (..., 3) given as 1, x, y."""
        return _at(where, self.factors[3:])


def _at(where: Singles, factors: Singles) -> Singles:
    """Return `where @ factors`; OpenCV takes a third of NumPy's time for it."""
    done = cv2.transform(where.reshape(-1, 1, 3), factors.T)
    return np.asarray(done, np.float32).reshape(*where.shape[:-1], factors.shape[1])


class LightGrid:
    """The points at which a picture's light is estimated, the same for all pictures of one size."""

    def __init__(self, places: Singles) -> None:
        """Begin; `places` are (N, 2), each about -1 to 1."""
        self._where = np.vstack([np.ones(len(places), np.float32), places.T]).astype(np.float32)
        self._products = (self._where[:, None] * self._where).reshape(9, -1)

    def fit(
        self, known: Singles, seen: Singles, weight: Singles, rounds: int = 5, few: int | None = None
    ) -> LightFit:
        """Fit the light of `seen` to a `known` picture, both (3, N).

        `weight` (N,) is how far each pixel is trusted to show the known picture; pixels that do not fit lose
        weight with each round (iteratively reweighted least squares). The first `few` pixels suffice until
        the last rounds if they are spread like all of them.
        """
        factors = np.zeros((3, 6), np.float32)
        for first, last in ((0, rounds - _ALL_ROUNDS), (max(rounds - _ALL_ROUNDS, 0), rounds)):
            some = slice(few if first == 0 else None)
            # Slices of a larger array would make the product several times slower.
            products, where = (np.ascontiguousarray(one[:, some]) for one in (self._products, self._where))
            know, see, trust = known[:, some], seen[:, some], weight[some]
            certain = 1 / np.maximum(0.03, 0.12 * see)
            terms = np.vstack([know * know, know, np.ones_like(know[:1]), know * see, see])
            # The prior is a plain gain; slopes and haze only follow from clear evidence in the pixels.
            prior = _HABIT * max(float(trust.sum()), 1.0) + _LEAST_HABIT
            for turn in range(first, last):
                now = trust
                if turn > 0:
                    off = (factors[:, :3] @ where) * know + factors[:, 3:] @ where - see
                    size = (np.abs(off) * certain).max(axis=0) * np.float32(1 / 3.0 if turn == 1 else 1 / 1.5)
                    now = trust / (1 + size * size) ** 2
                factors = _solved((products * now) @ terms.T, prior)
        return LightFit(np.asarray(factors.T, np.float32))


def _solved(sums: Singles, prior: Singles) -> Singles:
    """Return the factors of each colour, (3, 6), from weighed sums of products (9, 13)."""
    sums = sums.reshape(3, 3, 13)
    square = np.empty((3, 6, 6), np.float32)
    square[:, :3, :3] = sums[:, :, :3].transpose(2, 0, 1)
    square[:, :3, 3:] = square[:, 3:, :3] = sums[:, :, 3:6].transpose(2, 0, 1)
    square[:, 3:, 3:] = sums[:, :, 6]
    pull = sums[0, :, 7:].reshape(3, 2, 3).transpose(2, 1, 0).reshape(3, 6, 1)
    return np.asarray(np.linalg.solve(square + prior, pull)[..., 0], np.float32)
