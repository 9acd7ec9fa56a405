"""Finding the contribution boxes on tiles, whatever their shape and wherever they are printed.

One game prints all its boxes alike, in one arrangement: what all of them have in common is laid over each
other, for every way in which they may be arranged, and the arrangement is right in which most of it agrees.
What lies just beyond the boxes of a tile, where one with more boxes has another, must not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Picture8, Singles
from vision.enrolment.board_boxes import line_field

# Middles of neighbouring boxes are so far apart, mm; what boxes have in common is looked for around them.
_LEAST_MM, _MOST_MM, _AROUND_MM = 7.0, 24.0, 6.5
# Boxes of a tile begin at one place, end at one, or lie about it: the number of the box that lies there.
_ALIGNED = (0.0, 0.5, 1.0)
# A column is read downwards; what leans more than so many to one is a row and read from the left.
_LEANS = 0.35
# Boxes are placed on pictures so many times enlarged, those of a tile as far off as tiles may be cut off.
_FINE, _SLACK_MM = 2, 3.0
# Lying off by that costs so much of the likeness.
_OFF_COSTS = 0.3
# The middle of a box is looked for so far around.
_OFF_MIDDLE_MM = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedBoxes:
    """The boxes on one tile, px of its picture: their middles by number, (N, 2), and their common edge."""

    middles_px: tuple[tuple[float, float], ...]
    edge_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxArrangement:
    """How a game arranges its boxes, px of a tile's picture.

    Attributes:
        at: x, y of the place that all tiles have in common.
        step: how far the next box is from one.
        aligned: 0 where the first box lies there, 1 the last, 0.5 the middle of all.
        strength: how much the boxes have in common.
    """

    at: tuple[float, float]
    step: tuple[float, float]
    aligned: float
    strength: float

    def offsets(self, count: int, beyond: int = 0) -> Floats:
        """Return where the boxes of a tile with so many are from the common place; or those beyond them."""
        numbers = np.arange(count) if not beyond else np.array([-1, count])
        steps = (numbers - self.aligned * (count - 1))[:, None] * np.array(self.step)
        return np.asarray(steps, np.float64)


def find_boxes(
    pictures: Mapping[str, Picture8], counts: Mapping[str, int], px_per_mm: float
) -> dict[str, PlacedBoxes]:
    """Return the boxes on every upright picture of a tile that has any, numbered from the left or the top.

    All pictures have one size; `counts` says how many boxes each has.
    """
    named = {name: picture for name, picture in pictures.items() if counts.get(name, 0) > 0}
    if not named:
        return {}
    whole = {name: line_field(one) for name, one in named.items()}
    small = {name: _halved(lines) for name, lines in whole.items()}
    fine = {name: line_field(_enlarged(picture)) for name, picture in named.items()}
    groups = _groups(fine, counts)
    found = _arrangement(_groups(small, counts), px_per_mm / 2)
    found = _refined(found, _groups(whole, counts), px_per_mm)
    found = _centred(_refined(found, groups, _FINE * px_per_mm), groups, _FINE * px_per_mm)
    template = _template(found, groups)
    edge = _edge(template) / _FINE
    slack = _SLACK_MM * _FINE * px_per_mm
    boxes = {}
    for name, lines in fine.items():
        middles = _on_tile(lines, template, found, counts[name], slack)
        places = ((middles + 0.5) / _FINE - 0.5).tolist()
        boxes[name] = PlacedBoxes(middles_px=tuple((x, y) for x, y in places), edge_px=edge)
    return boxes


def _halved(lines: Singles) -> Singles:
    height, width = lines.shape[:2]
    return np.asarray(cv2.resize(lines, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.float32)


def _enlarged(picture: Picture8) -> Picture8:
    return np.asarray(cv2.resize(picture, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC), np.uint8)


def _groups(fields: Mapping[str, Singles], counts: Mapping[str, int]) -> dict[int, tuple[int, Singles]]:
    """Return how many tiles have 1, 2, ... boxes and the sum of their lines."""
    groups: dict[int, list[Singles]] = {}
    for name, lines in fields.items():
        groups.setdefault(counts[name], []).append(lines)
    return {
        count: (len(some), np.asarray(np.sum(some, axis=0), np.float32)) for count, some in groups.items()
    }


def _arrangement(groups: Mapping[int, tuple[int, Singles]], px_per_mm: float) -> BoxArrangement:
    """Return the arrangement in which all boxes have most in common, to a pixel."""
    steps = _steps(_LEAST_MM * px_per_mm, _MOST_MM * px_per_mm)
    if max(groups) == 1:
        steps = steps[:1]
    around = 2 * round(_AROUND_MM * px_per_mm) + 1
    return max(
        (_best_at(groups, step, aligned, around) for step in steps for aligned in _ALIGNED),
        key=lambda one: one.strength,
    )


def _steps(least: float, most: float) -> list[tuple[float, float]]:
    """Return the steps from box to box, px, each in the direction in which boxes are read."""
    whole = range(-int(most), int(most) + 1)
    return [
        (float(x), float(y))
        for x in whole
        for y in whole
        if least <= np.hypot(x, y) <= most and (x > _LEANS * abs(y) or (abs(x) <= _LEANS * abs(y) and y > 0))
    ]


def _refined(
    rough: BoxArrangement, groups: Mapping[int, tuple[int, Singles]], px_per_mm: float
) -> BoxArrangement:
    """Return an arrangement once more on lines twice as large, its steps to a pixel of these."""
    around = 2 * round(_AROUND_MM * px_per_mm) + 1
    near = range(-2, 3) if max(groups) > 1 else range(1)
    steps = [(2 * rough.step[0] + x, 2 * rough.step[1] + y) for x in near for y in near]
    return max(
        (_best_at(groups, step, rough.aligned, around) for step in steps), key=lambda one: one.strength
    )


def _best_at(
    groups: Mapping[int, tuple[int, Singles]], step: tuple[float, float], aligned: float, around: int
) -> BoxArrangement:
    """Return where the boxes are if they are so far apart and so aligned."""
    empty = BoxArrangement(at=(0.0, 0.0), step=step, aligned=aligned, strength=0.0)
    score = _plainness(_overlaid(groups, empty), _overlaid(groups, empty, beyond=1), around)
    # All boxes lie on the tile, and around the middle of each there is more of it.
    height, width = score.shape
    offsets, rim = empty.offsets(max(groups)), around // 2
    left, top = np.ceil(rim - offsets.min(axis=0)).astype(int).tolist()
    right, bottom = np.floor((width, height) - offsets.max(axis=0) - rim).astype(int).tolist()
    if left >= right or top >= bottom:
        return empty
    part = score[top:bottom, left:right]
    row, column = divmod(int(part.argmax()), part.shape[1])
    return BoxArrangement(
        at=(float(left + column), float(top + row)),
        step=step,
        aligned=aligned,
        strength=float(part[row, column]),
    )


def _overlaid(
    groups: Mapping[int, tuple[int, Singles]], arrangement: BoxArrangement, beyond: int = 0
) -> Singles:
    """Return the mean of the lines about all boxes, for every common place, (height, width, 2)."""
    total: Singles | None = None
    number = 0
    for count, (tiles, lines) in groups.items():
        for x, y in arrangement.offsets(count, beyond):
            moved = _moved(lines, -x, -y)
            total = moved if total is None else total + moved
            number += tiles
    assert total is not None
    return np.asarray(total / number, np.float32)


def _moved(lines: Singles, x: float, y: float) -> Singles:
    """Return lines moved right and down by whole pixels; what comes in is none."""
    height, width = lines.shape[:2]
    matrix = np.array([[1, 0, round(x)], [0, 1, round(y)]], np.float32)
    return np.asarray(cv2.warpAffine(lines, matrix, (width, height), flags=cv2.INTER_NEAREST), np.float32)


def _plainness(own: Singles, beyond: Singles, around: int) -> Singles:
    """Return how plainly boxes are seen around each pixel, and not beyond them, (height, width).

    A line that goes on, such as a tile's border, is no box: level and upright ones must end with the boxes.
    """
    level = np.square(np.minimum(own[..., 0], 0)) - np.square(np.minimum(beyond[..., 0], 0))
    upright = np.square(np.maximum(own[..., 0], 0)) - np.square(np.maximum(beyond[..., 0], 0))
    slanted = np.square(own[..., 1]) - np.square(beyond[..., 1])
    both = np.maximum(cv2.boxFilter(level, -1, (around, around)), 0)
    both *= np.maximum(cv2.boxFilter(upright, -1, (around, around)), 0)
    return np.asarray(np.sqrt(both) + cv2.boxFilter(slanted, -1, (around, around)) / 2, np.float32)


def _centred(
    found: BoxArrangement, groups: Mapping[int, tuple[int, Singles]], px_per_mm: float
) -> BoxArrangement:
    """Return an arrangement with the common place in the middle of a box.

    A box is much the same upside down: nearby, lines are that most about its middle.
    """
    lines = _overlaid(groups, found)
    half, reach = round(float(np.hypot(*found.step)) / 2), round(_OFF_MIDDLE_MM * px_per_mm)
    far = half + reach
    wide = cv2.copyMakeBorder(lines, far, far, far, far, cv2.BORDER_CONSTANT, value=0)
    x, y = round(found.at[0]) + far, round(found.at[1]) + far
    best = (-1.0, 0, 0)
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            top, left = y + down - half, x + right - half
            one = wide[top : top + 2 * half + 1, left : left + 2 * half + 1]
            like = float((one * one[::-1, ::-1]).sum())
            best = max(best, (like, right, down))
    return replace(found, at=(found.at[0] + best[1], found.at[1] + best[2]))


def _template(found: BoxArrangement, groups: Mapping[int, tuple[int, Singles]]) -> Singles:
    """Return the lines that boxes have in common, as far as half way to the next box."""
    lines = _overlaid(groups, found)
    far = max(round(float(np.hypot(*found.step)) / 2), 4)
    x, y = round(found.at[0]), round(found.at[1])
    wide = cv2.copyMakeBorder(lines, far, far, far, far, cv2.BORDER_CONSTANT, value=0)
    return np.ascontiguousarray(wide[y : y + 2 * far + 1, x : x + 2 * far + 1], np.float32)


def _edge(template: Singles) -> float:
    """Return the edge of a square as large as the plainest frame in a template, px."""
    far = template.shape[0] // 2
    y, x = np.mgrid[-far : far + 1, -far : far + 1]
    strength = np.hypot(template[..., 0], template[..., 1])
    best = (0.0, float(far))
    # Of a square frame the sides are all as far from the middle, of a round one all parts.
    for off, share in ((np.maximum(np.abs(x), np.abs(y)), 2.0), (np.hypot(x, y), 1.8)):
        rings = np.array([strength[np.rint(off) == ring].mean() for ring in range(far + 1)])
        least = far // 3
        best = max(best, (float(rings[least:].max()), share * float(least + rings[least:].argmax())))
    return best[1]


def _on_tile(lines: Singles, template: Singles, found: BoxArrangement, count: int, slack: float) -> Floats:
    """Return the middles of the boxes of one tile, px, (N, 2), together as far off as they are seen to be."""
    far = template.shape[0] // 2
    wide = cv2.copyMakeBorder(lines, far, far, far, far, cv2.BORDER_CONSTANT, value=0)
    score = cv2.matchTemplate(wide, template, cv2.TM_CCORR)
    energy = cv2.boxFilter((wide * wide).sum(axis=-1), -1, template.shape[:2][::-1], normalize=False)
    inside = energy[far : energy.shape[0] - far, far : energy.shape[1] - far]
    own = float((template * template).sum())
    like = np.asarray(score / np.sqrt(np.maximum(inside, 0.25 * own) * own + 1e-6), np.float32)
    offsets = found.offsets(count)
    together = np.mean([_moved(like, -x, -y) for x, y in offsets], axis=0)
    rows, columns = np.mgrid[: like.shape[0], : like.shape[1]]
    off = np.hypot(columns - found.at[0], rows - found.at[1]) / slack
    together = np.where(off <= 1, together - _OFF_COSTS * off**2, -np.inf)
    row, column = divmod(int(together.argmax()), like.shape[1])
    return np.asarray(offsets + np.array([column, row]), np.float64)
