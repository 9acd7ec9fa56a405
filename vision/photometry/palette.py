"""Classifies pieces by colour, in all shades learnt from the players' own pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bits, Bools, Labels, Picture8, Singles
from vision.photometry.light import greatest

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
# Beside how far it is from the ground, how colourful a paint is counts by so much.
_COLOURED = 0.5
# The light that may fall on bare ground around a piece, as shares of that when it was learnt: shadow, glare.
_ANY_LIGHT = (0.05, 1.6)
# Hues, shares of blue, green and red light, differ by less than this on the sides of one body. Light that is
# added before: the hue of what is darker is noise; and coded brightness below which nothing is told.
_ONE_HUE, _HUELESS, _DARK = 0.1, 0.01, 0.02
# So pure is its hue in all light but a mirrored lamp's.
_PURE = 0.8
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


@lru_cache(maxsize=16)
def palette_of(named: tuple[tuple[str, tuple[Shade, ...]], ...]) -> Palette:
    """Return the palette of some names and shades, made once: that takes about a tenth of a second."""
    return Palette(named)


def paint_of(colours: Singles, plain: float = 8.0, ground: Singles | None = None) -> Shade | None:
    """Return the paint that most of these colours (N, 3) show, in full light; None if there are too few.

    The colours include edges, shadows and background, so they are grouped, and the strongest group is taken:
    its size counts, and how colourful it is (less so with a larger `plain`).

    With `ground` (N, 3), what would be seen there without the piece, it counts more how far a group is from
    that in any light, and all that is of the group's hue and as bright is the same paint.
    """
    samples = np.ascontiguousarray(np.clip(colours, 0, 1), np.float32)
    if len(samples) < 12:
        return None
    told = _chroma(samples) if ground is None else _COLOURED * _chroma(samples) + _apart(samples, ground)
    groups = _groups(samples, 5)
    best = samples[max(groups, key=lambda one: one.sum() * (plain + float(np.median(told[one]))))]
    if ground is not None:
        best = _in_hue_of(best, samples)
    # The better lit half: the brightness of a paint is that of the piece's upper side.
    blue, green, red = (round(float(one) * 255) for one in np.median(_brighter_half(best), axis=0))
    return blue, green, red


def _groups(samples: Singles, count: int) -> list[Bools]:
    """Return which samples (N, 3) are alike, (N,) each."""
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)
    _, label, _ = cv2.kmeans(_lab(samples), count, np.array([]), stop, 2, cv2.KMEANS_PP_CENTERS)
    return [label.ravel() == one for one in range(count) if (label == one).any()]


def _chroma(colours: Singles) -> Singles:
    lab = _lab(colours)
    return np.asarray(np.hypot(lab[:, 1], lab[:, 2]), np.float32)


def _apart(colours: Singles, ground: Singles) -> Singles:
    """Return how far colours (N, 3) are from those of the ground (N, 3) in any light, (N,)."""
    seen, bare = _light_of(colours), _light_of(np.maximum(ground, _DARK))
    light = np.clip((seen * bare).sum(axis=1) / (bare * bare).sum(axis=1), *_ANY_LIGHT)
    lit = np.clip(light[:, None] * bare, 0, 1) ** (1 / 2.2)
    return np.asarray(np.linalg.norm(_lab(colours) - _lab(lit), axis=1), np.float32)


def _in_hue_of(group: Singles, samples: Singles) -> Singles:
    """Return the brighter half of all samples (N, 3) that have the hue of a group and are no darker."""
    light, own = _light_of(samples) + _HUELESS, np.median(_light_of(group), axis=0) + _HUELESS
    shares = light / light.sum(axis=1, keepdims=True)
    wanted = own / own.sum()
    near = np.linalg.norm(shares - wanted, axis=1) < _ONE_HUE
    # Where a lamp is mirrored it is paler.
    near &= np.ptp(shares, axis=1) >= _PURE * np.ptp(wanted)
    near &= samples.sum(axis=1) >= np.median(group.sum(axis=1))
    return _brighter_half(samples[near] if near.any() else group)


def _light_of(colours: Singles) -> Singles:
    return np.asarray(colours**2.2, np.float32)


def _brighter_half(samples: Singles) -> Singles:
    bright = samples.sum(axis=1)
    return np.asarray(samples[bright >= np.median(bright)], np.float32)


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


def light_and_shade(palette: Sequence[Shade]) -> tuple[Singles, Singles]:
    """Return a paint of these shades in light and in shade, blue, green, red, 0 to 255; gray for none."""
    shades = np.array(palette or ((128, 128, 128),), np.float32)
    order = np.argsort(shades.sum(axis=1))
    return shades[order[round(0.75 * (len(order) - 1))]], shades[order[round(0.25 * (len(order) - 1))]]


def apart_from(seen: Picture8, shades: Sequence[Singles]) -> Labels:
    """Return how far each pixel (height, width, 3) is from the nearest shade, (height, width).

    That is in the colour in which it is farthest, in levels; 255 if there is no shade.
    """
    colours = seen.astype(np.float32)
    nearest = np.full(seen.shape[:2], 255, np.float32)
    for shade in shades:
        nearest = np.minimum(nearest, greatest(np.abs(colours - shade)))
    return nearest.astype(np.uint8)


def _shade(light: NDArray[np.float64]) -> Shade:
    """Return linear light as a shade."""
    blue, green, red = (round(float(one) * 255) for one in np.clip(light, 0, 1) ** (1 / 2.2))
    return blue, green, red


def _lab(colours: Singles) -> Singles:
    """Return Lab with the brightness scaled down, (N, 3), of coded colours (N, 3)."""
    lab = cv2.cvtColor(np.ascontiguousarray(np.clip(colours, 0, 1)).reshape(1, -1, 3), cv2.COLOR_BGR2Lab)
    return np.asarray(lab.reshape(-1, 3) * (_BRIGHTNESS, 1.0, 1.0), np.float32)
