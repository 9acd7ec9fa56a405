"""Finds a round board of known size near a place: its rim is a step in colour all around."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Picture8, Singles
from vision.enrolment.laid_outlines import LaidOutline
from vision.faces.registration import Pose2D
from vision.faces.squares import colour_slopes

# The rim is looked at in so many arcs of so many points each.
_ARCS, _POINTS = 24, 3
_HALF_PLAIN: Final = 20.0
_LEAST_CLEAR: Final = 0.35
# A copy may be larger or smaller by this share.
_SIZES: Final = np.arange(0.985, 1.0151, 0.005)
_STEP_PX: Final = 2
_EXACT_PX: Final = np.arange(-2.0, 2.01, 0.5)


def find_disc(picture: Picture8, diameter_px: float, searched: Bools) -> list[LaidOutline]:
    """Return the clearest round board, none where there is none.

    Args:
        picture: (height, width, 3), seen from straight above.
        diameter_px: of the board.
        searched: (height, width), where its middle may be.
    """
    slopes = colour_slopes(picture)
    rows, columns = np.nonzero(searched)
    some = (rows % _STEP_PX == 0) & (columns % _STEP_PX == 0)
    places = np.column_stack([columns[some], rows[some]]).astype(np.float64)
    if not len(places):
        return []
    at, size, _ = _clearest(slopes, places, diameter_px)
    x, y = np.meshgrid(_EXACT_PX, _EXACT_PX)
    around = at + np.column_stack([x.ravel(), y.ravel()])
    at, size, clear = _clearest(slopes, around, diameter_px)
    if clear < _LEAST_CLEAR:
        return []
    pose = Pose2D(x_px=float(at[0]), y_px=float(at[1]), turn=0.0)
    return [LaidOutline(pose=pose, size_px=(diameter_px * size, diameter_px * size), clear=clear)]


def _clearest(
    slopes: tuple[Singles, Singles], places: Floats, diameter_px: float
) -> tuple[Floats, float, float]:
    """Return the middle (2,) and the size at which the rim is clearest, and how clear it is, 0 to 1."""
    scores = np.stack([_rims(slopes, places, diameter_px / 2 * size) for size in _SIZES])
    number, place = np.unravel_index(int(scores.argmax()), scores.shape)
    return places[place], float(_SIZES[number]), float(scores[number, place])


def _rims(slopes: tuple[Singles, Singles], places: Floats, radius_px: float) -> Singles:
    """Return how clear a rim of this radius is around each of some middles (N, 2): (N,)."""
    turns = (np.arange(_ARCS * _POINTS) + 0.5) / (_ARCS * _POINTS) * 2 * np.pi
    c, s = np.cos(turns), np.sin(turns)
    at_x = (places[:, :1] + radius_px * c).astype(np.float32)
    at_y = (places[:, 1:] + radius_px * s).astype(np.float32)
    x, y = (cv2.remap(slope, at_x, at_y, cv2.INTER_LINEAR) for slope in slopes)
    out = x * c[:, None].astype(np.float32) + y * s[:, None].astype(np.float32)
    arcs = np.abs(out.reshape(len(places), _ARCS, _POINTS, 3).mean(axis=2)).sum(axis=2)
    return np.asarray((arcs / (arcs + np.float32(_HALF_PLAIN))).mean(axis=1), np.float32)
