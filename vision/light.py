"""Light: linear colours, local contrast, and fitting one picture's light to another's."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Singles: TypeAlias = NDArray[np.float32]
Picture8: TypeAlias = NDArray[np.uint8]

_GAMMA = 2.2
# Levels of 255 between the colours of a pixel, on average; packing alone makes some tenths of one.
_COLOURLESS = 1.0
_HABIT = np.diag(np.array([0.0, 0.02, 0.02, 0.2, 0.4, 0.4], np.float32)) * np.float32(0.05)
_LEAST_HABIT = np.eye(6, dtype=np.float32) * np.float32(1e-6)
# So many rounds of fitting a light all pixels have a say.
_ALL_ROUNDS = 3
_TO_LINEAR = (np.arange(256) / 255.0).astype(np.float32) ** _GAMMA


def linear(picture: Picture8) -> Singles:
    """Return the picture in linear light, 0 to 1, same shape, float32."""
    if not picture.size:
        return np.zeros(picture.shape, np.float32)
    return np.asarray(cv2.LUT(picture, _TO_LINEAR), np.float32).reshape(picture.shape)


def coded(light: Singles) -> Picture8:
    """Return linear light as picture values; the inverse of `linear`, clipped."""
    return np.asarray(np.clip(light, 0, 1) ** (1 / _GAMMA) * 255 + 0.5, np.uint8)


def gray_of(picture: Picture8) -> Singles:
    """Return the brightness (height, width) of a BGR picture as float32."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)


def greatest(picture: Singles) -> Singles:
    """Return the greatest of the three colours, (height, width)."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(first, second), third), np.float32)


def extremes(picture: Singles) -> tuple[Singles, Singles]:
    """Return the greatest and the least of the three colours, (height, width) each."""
    first, second, third = cv2.split(picture)
    most, fewest = cv2.max(first, second), cv2.min(first, second)
    return np.asarray(cv2.max(most, third), np.float32), np.asarray(cv2.min(fewest, third), np.float32)


def edges(gray: Singles, reach: int) -> Singles:
    """Return the gradient field (2, height, width), evened out over windows of `reach` px.

    After that only the direction and the relative strength of an edge count: not the light, not the contrast.
    """
    x = cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    y = cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    energy = cv2.boxFilter(x * x + y * y, cv2.CV_32F, (reach, reach))
    # 1.5 grey levels a pixel are noise of a dim picture; weaker edges than that are not blown up.
    scale = cv2.pow(energy + np.float32(1.5**2), -0.5)
    field = np.empty((2, *gray.shape), np.float32)
    np.multiply(x, scale, out=field[0])
    np.multiply(y, scale, out=field[1])
    return field


def unusable(picture: Picture8) -> NDArray[np.bool_]:
    """Return where a BGR picture says nothing, (height, width): burnt out, or black as outside the frame.

    One full colour is no more than a warm lamp on a light face; two are burnt out.
    """
    blue, green, red = cv2.split(picture)
    low, high = cv2.min(blue, green), cv2.max(blue, green)
    middle = cv2.max(low, cv2.min(high, red))
    return np.asarray((middle >= 250) | (cv2.max(high, red) <= 1), np.bool_)


def glare(picture: Picture8, least_px: float) -> NDArray[np.bool_]:
    """Return where a picture says nothing over a larger area, (height, width).

    A patch smaller than `least_px` may be a white piece in bright light, and that says a lot.
    """
    useless = unusable(picture).astype(np.uint8)
    if cv2.countNonZero(useless) < 0.25 * least_px:
        return np.zeros(useless.shape, np.bool_)
    closed = cv2.morphologyEx(useless, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, patches, stats, _ = cv2.connectedComponentsWithStats(closed)
    large = np.zeros(count, bool)
    large[1:] = stats[1:, cv2.CC_STAT_AREA] >= least_px
    return np.asarray(large[patches] & (useless > 0), np.bool_)


def is_colourless(picture: Picture8) -> bool:
    """Whether a picture (height, width, 3) has no colours to speak of, as those of a night camera."""
    some = picture[::8, ::8].astype(np.int16)
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
    """Return `where @ factors`, which OpenCV does in a third of the time."""
    done = cv2.transform(where.reshape(-1, 1, 3), factors.T)
    return np.asarray(done, np.float32).reshape(*where.shape[:-1], factors.shape[1])


def light_design(places: Singles, known: Singles) -> Singles:
    """Return what `fit_light` wants of a known picture (N, 3) at `places` (N, 2), each about -1 to 1.

    For each colour what the six factors of its light do at every place: (3, 6, N).
    """
    where = np.vstack([np.ones(len(places), np.float32), places.T])
    return np.stack([np.vstack([where * one, where]) for one in known.T]).astype(np.float32)


def fit_light(
    design: Singles, seen: Singles, weight: Singles, rounds: int = 5, few: int | None = None
) -> LightFit:
    """Fit the light of `seen` (N, 3) to a known picture of which `light_design` was made.

    `weight` (N,) says how much a pixel is to be trusted to show the known picture at all; pixels that do
    not fit lose their say round by round. If the first `few` pixels are spread like all of them, they suffice
    until the last rounds.
    """
    wanted = np.ascontiguousarray(seen.T)
    certain = 1 / np.maximum(0.03, 0.12 * wanted)
    factors = np.zeros((len(design), 6), np.float32)
    now = weight[:few] if rounds > _ALL_ROUNDS else weight
    for turn in range(rounds):
        some = slice(len(now))
        # Bare proportion is the habit; slopes and haze must be earned by the pixels.
        habit = _HABIT * max(float(weight[some].sum()), 1.0) + _LEAST_HABIT
        weighed = design[:, :, some] * now
        square = np.matmul(weighed, design[:, :, some].transpose(0, 2, 1))
        pull = np.matmul(weighed, wanted[:, some, None])
        factors = np.linalg.solve(square + habit, pull)[..., 0]
        if turn == rounds - 1:
            break
        some = slice(few if turn + 1 < rounds - _ALL_ROUNDS else None)
        off = np.matmul(factors[:, None], design[:, :, some])[:, 0] - wanted[:, some]
        size = (np.abs(off) * certain[:, some]).max(axis=0) * np.float32(1 / 3.0 if turn == 0 else 1 / 1.5)
        now = weight[some] / (1 + size * size) ** 2
    return LightFit(np.asarray(factors.T, np.float32))
