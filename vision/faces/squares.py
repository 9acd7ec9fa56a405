"""Finds the outline of a tile on the table: a square of known size."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Picture8, Singles
from vision.faces.registration import Pose2D

# The ground's border is measured this far to both sides of an outline.
_BESIDE_PX = 2.5
# A side is sampled in this many pieces, at this many points each.
_PIECES, _POINTS = 8, 5
# Weight of the ground relative to the steps in colour.
_BY_GROUND = 0.5
_COLOUR_SHIFT = 4
# A colour rarer than this share of a uniform distribution is weak evidence.
_RARE = 0.3


def colour_slopes(picture: Picture8) -> tuple[Singles, Singles]:
    """Return the colour gradients in x and y, each (height, width, 3)."""
    soft = cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32)
    x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def outline(
    picture: Picture8,
    middle: tuple[float, float],
    size_px: tuple[float, float],
    reach_px: int = 12,
    turn_deg: float = 7,
    stray_px: float = 1e3,
    ground: Singles | None = None,
) -> tuple[Pose2D, float]:
    """Return the pose of a rectangle of known size near a place, and how clear its outline is, 0 to 1.

    Every side must be a straight step in colour over its whole length; the printed picture does not matter.
    An offset of `stray_px` from the middle costs as much as half a side. `ground` (height, width) is how much
    each pixel looks like the ground under the rectangle, -1 to 1. If it is given, every side must also border
    on the ground, which lines printed along a side do not.
    """
    slope_x, slope_y = colour_slopes(picture)
    offsets = np.arange(-reach_px, reach_px + 1, dtype=np.float32)
    stray = 0.5 * (offsets[:, None] ** 2 + offsets[None] ** 2) / stray_px**2
    best: tuple[float, Pose2D] = (-1e9, Pose2D(x_px=middle[0], y_px=middle[1], turn=0.0))
    for turn in np.deg2rad(np.arange(-turn_deg, turn_deg + 0.1, 1.0)):
        total = sum(_sides(slope_x, slope_y, middle, size_px, float(turn), offsets, ground)) - stray
        row, column = np.unravel_index(int(np.argmax(total)), (len(offsets), len(offsets)))
        strength = float(np.asarray(total)[row, column])
        if strength > best[0]:
            place = Pose2D(
                x_px=middle[0] + float(offsets[column]),
                y_px=middle[1] + float(offsets[row]),
                turn=float(turn),
            )
            best = (strength, place)
    return best[1], best[0] / 4


def _sides(
    slope_x: Singles,
    slope_y: Singles,
    middle: tuple[float, float],
    size_px: tuple[float, float],
    turn: float,
    offsets: Singles,
    ground: Singles | None,
) -> list[Singles]:
    """Return for each side how clear it is at every shift, each (shifts, shifts)."""
    c, s = np.cos(turn), np.sin(turn)
    shift_x, shift_y = np.meshgrid(offsets, offsets)
    half_w, half_h = size_px[0] / 2, size_px[1] / 2
    sides = []
    for normal, out, along in (
        ((c, s), half_w, half_h),
        ((-c, -s), half_w, half_h),
        ((-s, c), half_h, half_w),
        ((s, -c), half_h, half_w),
    ):
        run = np.linspace(-along * 0.93, along * 0.93, _PIECES * _POINTS)
        x = middle[0] + normal[0] * out - normal[1] * run
        y = middle[1] + normal[1] * out + normal[0] * run
        at_x = (x[None, None] + shift_x[..., None]).reshape(-1, len(run)).astype(np.float32)
        at_y = (y[None, None] + shift_y[..., None]).reshape(-1, len(run)).astype(np.float32)
        step = cv2.remap(slope_x, at_x, at_y, cv2.INTER_LINEAR) * np.float32(normal[0])
        step += cv2.remap(slope_y, at_x, at_y, cv2.INTER_LINEAR) * np.float32(normal[1])
        # In pieces: a patterned table may be brighter than the tile in one place and darker in another.
        steps = step.reshape(len(step), _PIECES, _POINTS, 3)
        # One after the other: a mean along such a short axis would take most of the time.
        blue, green, red = cv2.split(np.abs(sum(steps[:, :, at] for at in range(_POINTS)) / _POINTS))
        pieces = blue + green + red
        side = (pieces / (pieces + 12.0)).mean(axis=1)
        if ground is not None:
            dx, dy = (np.float32(_BESIDE_PX * one) for one in normal)
            beyond = cv2.remap(ground, at_x + dx, at_y + dy, cv2.INTER_LINEAR)
            within = cv2.remap(ground, at_x - dx, at_y - dy, cv2.INTER_LINEAR)
            side = (1 - _BY_GROUND) * side + _BY_GROUND * (beyond - within).mean(axis=1) / 2
        sides.append(side.reshape(shift_x.shape))
    return sides


def likeness_to_ground(picture: Picture8, ground: Bools, covered: Bools) -> Singles:
    """Return how much more likely each pixel's colour is on the ground than on what lies on it, -1 to 1.

    Both are learnt from pixels known to be one or the other, (height, width) bool; colours found in both or
    in neither are 0.
    """
    soft = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    shares = [_colours_of(soft, where.astype(np.uint8)) for where in (ground, covered)]
    odds = (shares[0] - shares[1]) / (shares[0] + shares[1] + np.float32(_RARE))
    blue, green, red = cv2.split(soft >> _COLOUR_SHIFT)
    return np.asarray(odds[blue, green, red], np.float32)


def _colours_of(picture: Picture8, where: Picture8) -> Singles:
    """Return how common each coarse colour and its neighbours are, (bins, bins, bins); 1 = uniform."""
    bins = 256 >> _COLOUR_SHIFT
    counts = cv2.calcHist([picture], [0, 1, 2], where, [bins] * 3, [0, 256] * 3)
    for axis in range(3):
        lower, upper = (np.roll(counts, step, axis) for step in (1, -1))
        np.moveaxis(lower, axis, 0)[0], np.moveaxis(upper, axis, 0)[-1] = 0, 0
        counts = counts / 2 + (lower + upper) / 4
    return np.asarray(counts * (bins**3 / max(float(counts.sum()), 1.0)), np.float32)
