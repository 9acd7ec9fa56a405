"""Finds the outline of a tile on the table: a square of known size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Picture8, Singles
from vision.faces.registration import Pose2D

# The ground's border is measured this far to both sides of an outline.
_BESIDE_PX = 2.5
# A side is sampled in this many pieces, at this many points each.
_PIECES, _POINTS = 8, 5
# This share of it: corners may be round.
_SAMPLED = 0.93
# How far the slopes are blurred.
_BLUR_PX = 3
# So many rough places are looked at closely.
_PROMISING = 40
# Weight of the ground relative to the steps in colour.
_BY_GROUND = 0.5
_COLOUR_SHIFT = 4
# A colour rarer than this share of a uniform distribution is weak evidence.
_RARE = 0.3


def colour_slopes(picture: Picture8 | Singles) -> tuple[Singles, Singles]:
    """Return the colour gradients in x and y, each (height, width, 3)."""
    soft = cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32)
    x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def plain_steps(slope: Singles, *, is_level: bool, piece_px: int, half_plain: float) -> Singles:
    """Return how plain a step in colour each pixel is part of, (height, width), 0 to 1.

    Args:
        slope: (height, width, 3), the colour gradient across the step.
        is_level: whether the step runs from left to right.
        piece_px: a step is judged in pieces of this length: a patterned table may be brighter than a face
            here and darker there.
        half_plain: a step this strong scores a half; levels of 255, summed over the colours.
    """
    # Summed over the colours one by one: along so short an axis NumPy is slow.
    blue, green, red = cv2.split(np.abs(cv2.blur(slope, (piece_px, 1) if is_level else (1, piece_px))))
    even = blue + green + red
    return np.asarray(even / (even + np.float32(half_plain)), np.float32)


def long_sides(plain: Singles, length_px: float, *, is_level: bool, slack_px: int) -> Singles:
    """Return how clearly a level or upright side runs through each pixel, (height, width), 0 to 1.

    Args:
        plain: from `plain_steps`.
        length_px: of the side; the pixel is its middle.
        is_level: whether it runs from left to right.
        slack_px: how far beside the pixel it may run.
    """
    length = max(round(length_px), 1)
    whole = cv2.blur(plain, (length, 1) if is_level else (1, length))
    slack = 2 * slack_px + 1
    return np.asarray(
        cv2.dilate(whole, np.ones((slack, 1) if is_level else (1, slack), np.uint8)), np.float32
    )


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
    reach = math.ceil(math.hypot(*size_px) / 2 + 1.5 * reach_px + _BESIDE_PX) + _BLUR_PX
    left, top = (max(math.floor(at) - reach, 0) for at in middle)
    part = slice(top, max(math.ceil(middle[1]) + reach, top + 1)), slice(left, math.ceil(middle[0]) + reach)
    slopes = colour_slopes(np.ascontiguousarray(picture[part]))
    near = None if ground is None else np.ascontiguousarray(ground[part])
    here = middle[0] - left, middle[1] - top
    turns = np.deg2rad(np.arange(-turn_deg, turn_deg + 0.1, 1.0))

    def clear(number: int, shifts: Floats) -> Floats:
        sides = _sides(slopes, here, size_px, float(turns[number]), shifts, near)
        return np.asarray(sides - 0.5 * (shifts**2).sum(axis=1) / stray_px**2, np.float64)

    best = _clearest(clear, len(turns), reach_px)
    place = Pose2D(
        x_px=middle[0] + best.x,
        y_px=middle[1] + best.y,
        turn=float(turns[best.turn]),
    )
    return place, best.clear / 4


@dataclass(frozen=True, slots=True, order=True)
class _Tried:
    """How clear an outline is at a whole shift, px, and the turn of a number."""

    clear: float
    turn: int
    x: int
    y: int


def _clearest(clear: Callable[[int, Floats], Floats], turns: int, reach_px: int) -> _Tried:
    """Return where an outline is clearest: some shifts and turns are tried, then all beside the best of them.

    `clear` gives how clear it is at a turn of a number, at some shifts (N, 2), px.
    """
    steps = np.arange(0, 2 * reach_px + 1, 2)
    rows, columns = (one.reshape(-1) for one in np.meshgrid(steps, steps, indexing="ij"))
    numbers = range(turns % 4 // 2, turns, 2)
    rough = np.column_stack([columns, rows]).astype(np.float64) - reach_px
    found = np.stack([clear(number, rough) for number in numbers])
    wanted = np.zeros((turns, 2 * reach_px + 1, 2 * reach_px + 1), np.bool_)
    for one in np.argsort(-found, axis=None, kind="stable")[:_PROMISING].tolist():
        at, place = divmod(one, len(rough))
        beside = (slice(max(int(n) - 1, 0), int(n) + 2) for n in (numbers[at], rows[place], columns[place]))
        wanted[tuple(beside)] = True
    tried = []
    for number in np.flatnonzero(wanted.any(axis=(1, 2))).tolist():
        shifts = np.argwhere(wanted[number])[:, ::-1] - reach_px
        strengths = clear(number, shifts.astype(np.float64))
        first = int(strengths.argmax())
        tried.append(_Tried(float(strengths[first]), number, int(shifts[first, 0]), int(shifts[first, 1])))
    return max(tried)


def _sides(
    slopes: tuple[Singles, Singles],
    middle: tuple[float, float],
    size_px: tuple[float, float],
    turn: float,
    shifts: Floats,
    ground: Singles | None,
) -> Singles:
    """Return how clear the sides are together at some shifts (N, 2), px: (N,), 4 at most."""
    c, s = np.cos(turn), np.sin(turn)
    half_w, half_h = size_px[0] / 2, size_px[1] / 2
    total = np.zeros(len(shifts), np.float32)
    for across, out, along in (((c, s), half_w, half_h), ((-s, c), half_h, half_w)):
        steps = slopes[0] * np.float32(across[0]) + slopes[1] * np.float32(across[1])
        run = np.linspace(-along * _SAMPLED, along * _SAMPLED, _PIECES * _POINTS)
        for normal in (across, (-across[0], -across[1])):
            x = middle[0] + normal[0] * out - normal[1] * run
            y = middle[1] + normal[1] * out + normal[0] * run
            at_x = np.asarray(x[None] + shifts[:, :1], np.float32)
            at_y = np.asarray(y[None] + shifts[:, 1:], np.float32)
            side = _plainness(steps, at_x, at_y)
            if ground is not None:
                dx, dy = (np.float32(_BESIDE_PX * one) for one in normal)
                beyond = cv2.remap(ground, at_x + dx, at_y + dy, cv2.INTER_LINEAR)
                within = cv2.remap(ground, at_x - dx, at_y - dy, cv2.INTER_LINEAR)
                border = (beyond - within) @ np.full(len(run), 0.5 / len(run), np.float32)
                side = (1 - _BY_GROUND) * side + _BY_GROUND * border
            total += side
    return total


def _plainness(steps: Singles, at_x: Singles, at_y: Singles) -> Singles:
    """Return how plain the steps in colour are along some lines of points, (lines, points): (lines,)."""
    return _evenness(np.asarray(cv2.remap(steps, at_x, at_y, cv2.INTER_LINEAR), np.float32))


def _evenness(step: Singles) -> Singles:
    """Return how plain steps (lines, points, 3) are along each line, (lines,)."""
    # In pieces: a patterned table may be brighter than the tile in one place and darker in another.
    pieces = step.reshape(len(step), _PIECES, _POINTS, 3)
    # One after the other: a mean along such a short axis would take most of the time.
    blue, green, red = cv2.split(np.abs(sum(pieces[:, :, at] for at in range(_POINTS)) / _POINTS))
    plain = blue + green + red
    share = np.full(_PIECES, 1 / _PIECES, np.float32)
    return np.asarray((plain / (plain + np.float32(12.0))) @ share, np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a square in a picture.

    Attributes:
        xs, ys: points along it, px, (N,) each.
        normal: x and y of the direction out of the square.
    """

    xs: Floats
    ys: Floats
    normal: tuple[float, float]

    def plainness(self, slopes: tuple[Singles, Singles], outs: Floats) -> Singles:
        """Return how plain the steps in colour are along lines so many pixels farther out, (N,), 0 to 1."""
        lines = self._lines(outs)
        x, y = (cv2.remap(slope, *lines, cv2.INTER_LINEAR) for slope in slopes)
        step = x * np.float32(self.normal[0]) + y * np.float32(self.normal[1])
        return _evenness(np.asarray(step, np.float32))

    def mean_of(self, values: Singles, outs: Floats) -> float:
        """Return the mean of values (height, width) along such lines."""
        return float(cv2.remap(values, *self._lines(outs), cv2.INTER_LINEAR).mean())

    def _lines(self, outs: Floats) -> tuple[Singles, Singles]:
        x, y = (
            one + along * outs[:, None] for one, along in zip((self.xs, self.ys), self.normal, strict=True)
        )
        return np.asarray(x, np.float32), np.asarray(y, np.float32)


def sides_of(pose: Pose2D, edge_px: float) -> list[Side]:
    """Return the sides of a square: right, left, lower, upper."""
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    run, half = np.linspace(-_SAMPLED, _SAMPLED, _PIECES * _POINTS) * edge_px / 2, edge_px / 2
    return [
        Side(
            xs=np.asarray(pose.x_px + x * half - y * run, np.float64),
            ys=np.asarray(pose.y_px + y * half + x * run, np.float64),
            normal=(x, y),
        )
        for x, y in ((c, s), (-c, -s), (-s, c), (s, -c))
    ]


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
