"""Classifies pieces by colour, in all shades learnt from the players' own pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bits, Labels, Singles

Shade: TypeAlias = tuple[int, int, int]

NOTHING = 255
_STEPS = 32
# In Lab units. Brightness counts half: it changes with every face of a piece, its hue does not.
_BRIGHTNESS = 0.5
_FARTHEST = 19.0
# Paints closer than this count as equal: two photographs of one piece differ this much.
_ONE_PAINT = 10.0
# Lights that may fall on a piece's faces: share of full light, and light mirrored by a glossy paint.
_LIGHTS = (
    *((level, 0.0) for level in (0.18, 0.3, 0.45, 0.65, 0.85, 1.0, 1.25, 1.6)),
    *((level, 0.06) for level in (0.6, 1.0, 1.5)),
)
# A colourful paint that was learnt in bad light looks brighter and purer elsewhere: reflections of the room
# were learnt with it, at most this share of its weakest colour.
_COLOURFUL = 20.0
_BRIGHTER = (2.0, 2.6)
_MIRRORED = 0.6
_PURER = (0.45, 0.85, 1.25, 1.8, 2.6, 3.5)
# It is not brightened so far that it saturates and turns into another colour.
_FULL = 1.2
# Light that the tiles' warm ground reflects onto white pieces: shares of blue, green, red.
_BOUNCE = ((1.0, 1.0, 1.0), (0.7, 0.9, 1.0), (0.45, 0.8, 1.0))


class Palette:
    """Names of colours, looked up in a cube of 32 x 32 x 32 colours.

    Attributes:
        names: the names of labels 0, 1, ...
        light: the labels of white pieces: many other things in a picture have their colour.
    """

    def __init__(self, named: Sequence[tuple[str, Sequence[Shade]]]) -> None:
        self.names = tuple(name for name, _ in named)
        self.light = frozenset(
            label for label, (_, shades) in enumerate(named) if shades and is_light(max(shades, key=sum))
        )
        grid = (np.indices((_STEPS, _STEPS, _STEPS)).reshape(3, -1).T + 0.5) / _STEPS
        points = _lab(grid.astype(np.float32))
        far = np.full((len(named), len(points)), np.inf, np.float32)
        for distance, (_, shades) in zip(far, named, strict=True):
            if shades:
                own = _lab(np.array(shades, np.float32) / np.float32(255))
                distance[:] = np.sqrt(((points[:, None] - own[None]) ** 2).sum(axis=2)).min(axis=1)
        nearest = far.min(axis=0, initial=np.inf)
        is_near = nearest < _FARTHEST
        self._labels = np.full(len(points), NOTHING, np.uint8)
        self._labels[is_near] = far[:, is_near].argmin(axis=0) if len(named) else NOTHING
        may_be = far < np.minimum(nearest, _FARTHEST) + _ONE_PAINT
        bits = np.left_shift(np.uint16(1), np.arange(len(named), dtype=np.uint16))
        self._alike = np.asarray((may_be * bits[:, None]).sum(axis=0), np.uint16)

    def label(self, colours: Singles) -> Labels:
        """Return the labels of colours (..., 3), BGR, coded 0 to 1; `NOTHING` if none is near."""
        return np.asarray(self._labels.take(self._index(colours)), np.uint8)

    def alike(self, colours: Singles) -> Bits:
        """Return the labels that colours (..., 3), BGR, coded 0 to 1, may have in a little other light.

        They are bits: bit 0 for label 0 and so on, at most 16.
        """
        return np.asarray(self._alike.take(self._index(colours)), np.uint16)

    def _index(self, colours: Singles) -> Bits:
        """Return where colours (..., 3) are in the cube."""
        flat = np.ascontiguousarray(colours, np.float32).reshape(-1, 1)
        # Subtracting half a step before rounding rounds down; values are clipped to 0 and 1.
        steps = cv2.addWeighted(flat, _STEPS, flat, 0, -0.5, dtype=cv2.CV_8U).reshape(-1, 3)
        blue, green, red = np.minimum(steps, _STEPS - 1).T.astype(np.uint16)
        index = (blue * np.uint16(_STEPS) + green) * np.uint16(_STEPS) + red
        return np.asarray(index.reshape(colours.shape[:-1]), np.uint16)


def paint_of(colours: Singles, like: Shade | None = None, plain: float = 8.0) -> Shade | None:
    """Return the paint that most of these colours (N, 3) show, in full light; None if there are too few.

    The colours include edges, shadows and background, so they are grouped, and the strongest group is taken:
    its size counts, and how colourful it is (less so with a larger `plain`). With `like` the group nearest to
    that paint in hue is taken.
    """
    samples = np.ascontiguousarray(np.clip(colours, 0, 1), np.float32)
    if len(samples) < 12:
        return None
    groups = _groups(samples, 5)
    best = max(groups, key=lambda one: _strength(one, len(samples), like, plain))
    # The better lit half: the brightness of a paint is that of the piece's upper side.
    bright = best.sum(axis=1)
    lit = best[bright >= np.median(bright)]
    blue, green, red = (round(float(one) * 255) for one in np.median(lit, axis=0))
    return blue, green, red


def _groups(samples: Singles, count: int) -> list[Singles]:
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)
    _, label, _ = cv2.kmeans(_lab(samples), count, np.array([]), stop, 2, cv2.KMEANS_PP_CENTERS)
    return [samples[label.ravel() == one] for one in range(count) if (label == one).any()]


def _strength(group: Singles, total: int, like: Shade | None, plain: float) -> float:
    share = len(group) / total
    middle = _lab(np.median(group, axis=0)[None].astype(np.float32))[0]
    if like is None:
        return share * (plain + float(np.hypot(middle[1], middle[2])))
    wanted = _lab(np.array([shades_of(like)], np.float32)[0] / np.float32(255))
    off = float(np.sqrt(((wanted - middle) ** 2).sum(axis=1)).min())
    # The shaded side may be larger: a fair share in the right colour suffices.
    return min(share, 0.15) / (10.0 + off)


def is_light(paint: Shade) -> bool:
    """Whether a paint is white or nearly so."""
    _, a, b = _lab(np.array([paint], np.float32) / np.float32(255))[0]
    return bool(np.hypot(a, b) < 18 and np.mean((np.array(paint) / 255) ** 2.2) > 0.3)


def are_alike(one: Shade, other: Shade) -> bool:
    """Whether two paints cannot be told apart."""
    first, second = _lab(np.array([one, other], np.float32) / np.float32(255))
    return float(np.linalg.norm(first - second)) < _ONE_PAINT


def shades_of(paint: Shade) -> tuple[Shade, ...]:
    """Return a paint under all lights that may fall on a piece: shadow, full light, glare."""
    light = (np.array(paint) / 255) ** 2.2
    # White in deep shadow could be any grey. It is left out, or the tiles' greys would count as white pieces.
    darkest = 0.4 if is_light(paint) else 0.0
    tints = _BOUNCE if darkest else _BOUNCE[:1]
    lit = [light * level * tint + gloss for level, gloss in _LIGHTS if level >= darkest for tint in tints]
    _, a, b = _lab(np.array([paint], np.float32) / np.float32(255))[0]
    if np.hypot(a, b) >= _COLOURFUL:
        pure = light - _MIRRORED * light.min()
        more = [light * level for level in _BRIGHTER] + [pure * level for level in _PURER]
        lit += [one for one in more if one.max() <= _FULL]
    return tuple(_shade(one) for one in lit)


def _shade(light: NDArray[np.float64]) -> Shade:
    """Return linear light as a shade."""
    blue, green, red = (round(float(one) * 255) for one in np.clip(light, 0, 1) ** (1 / 2.2))
    return blue, green, red


def _lab(colours: Singles) -> Singles:
    """Return Lab with the brightness scaled down, (N, 3), of coded colours (N, 3)."""
    lab = cv2.cvtColor(np.ascontiguousarray(np.clip(colours, 0, 1)).reshape(1, -1, 3), cv2.COLOR_BGR2Lab)
    return np.asarray(lab.reshape(-1, 3) * (_BRIGHTNESS, 1.0, 1.0), np.float32)
