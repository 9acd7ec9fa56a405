"""Telling pieces apart by colour, all shades of each as learnt from the players' own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Singles: TypeAlias = NDArray[np.float32]
Labels: TypeAlias = NDArray[np.uint8]
Shade: TypeAlias = tuple[int, int, int]

NOTHING = 255
_STEPS = 32
# In Lab units. Brightness counts half: it changes with every face of a piece, its hue does not.
_BRIGHTNESS = 0.5
_FARTHEST = 24.0


class Palette:
    """Names for colours, looked up in a cube of 32 steps a colour.

    Attributes:
        names: what label 0, 1, ... stands for.
    """

    def __init__(self, named: Sequence[tuple[str, Sequence[Shade]]]) -> None:
        self.names = tuple(name for name, _ in named)
        grid = (np.indices((_STEPS, _STEPS, _STEPS)).reshape(3, -1).T + 0.5) / _STEPS
        points = _lab(grid.astype(np.float32))
        nearest = np.full(len(points), _FARTHEST, np.float32)
        labels = np.full(len(points), NOTHING, np.uint8)
        for label, (_, shades) in enumerate(named):
            if not shades:
                continue
            own = _lab(np.array(shades, np.float32) / np.float32(255))
            distance = np.sqrt(((points[:, None] - own[None]) ** 2).sum(axis=2)).min(axis=1)
            closer = distance < nearest
            labels[closer], nearest[closer] = label, distance[closer]
        self._labels = labels

    def label(self, colours: Singles) -> Labels:
        """Return the label of colours (..., 3), coded 0 to 1 blue green red; `NOTHING` where none is near."""
        steps = np.clip(colours * _STEPS, 0, _STEPS - 1).astype(np.int32)
        index = (steps[..., 0] * _STEPS + steps[..., 1]) * _STEPS + steps[..., 2]
        return np.asarray(self._labels[index], np.uint8)


def shades_of(colours: Singles, count: int = 8) -> tuple[Shade, ...]:
    """Return up to `count` shades that stand for colours (N, 3), coded 0 to 1."""
    samples = np.ascontiguousarray(np.clip(colours, 0, 1), np.float32)
    if len(samples) <= count:
        found = samples
    else:
        points = _lab(samples)
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
        cv2.setRNGSeed(1)
        _, label, _ = cv2.kmeans(points, count, np.array([]), stop, 2, cv2.KMEANS_PP_CENTERS)
        groups = [samples[label.ravel() == one] for one in range(count)]
        # A group of a few pixels is an edge or a reflection, not a shade.
        found = np.array([np.median(one, axis=0) for one in groups if len(one) >= 0.03 * len(samples)])
    return tuple((int(b), int(g), int(r)) for b, g, r in np.round(found * 255))


def _lab(colours: Singles) -> Singles:
    """Return Lab with the brightness scaled down, (N, 3), of coded colours (N, 3)."""
    lab = cv2.cvtColor(np.ascontiguousarray(np.clip(colours, 0, 1)).reshape(1, -1, 3), cv2.COLOR_BGR2Lab)
    return np.asarray(lab.reshape(-1, 3) * (_BRIGHTNESS, 1.0, 1.0), np.float32)
