"""Finding squares of known make: the outline of a tile on the table, and the boxes printed on a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.laying import Lie

Singles: TypeAlias = NDArray[np.float32]
Picture8: TypeAlias = NDArray[np.uint8]


def _slopes(picture: Picture8) -> tuple[Singles, Singles]:
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
) -> tuple[Lie, float]:
    """Return how a rectangle of known size lies near a place, and how clear its outline is, 0 to 1.

    Every side must be a straight step in colour all along; what the picture on it shows does not
    matter. Lying `stray_px` off the middle costs as much as half a side.
    """
    slope_x, slope_y = _slopes(picture)
    offsets = np.arange(-reach_px, reach_px + 1, dtype=np.float32)
    stray = 0.5 * (offsets[:, None] ** 2 + offsets[None] ** 2) / stray_px**2
    best: tuple[float, Lie] = (-1e9, Lie(x_px=middle[0], y_px=middle[1], turn=0.0))
    for turn in np.deg2rad(np.arange(-turn_deg, turn_deg + 0.1, 1.0)):
        total = sum(_sides(slope_x, slope_y, middle, size_px, float(turn), offsets)) - stray
        row, column = np.unravel_index(int(np.argmax(total)), (len(offsets), len(offsets)))
        strength = float(np.asarray(total)[row, column])
        if strength > best[0]:
            place = Lie(
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
) -> list[Singles]:
    """Return for each side its step in colour at every shift, each (shifts, shifts)."""
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
        run = np.linspace(-along * 0.93, along * 0.93, 40)
        x = middle[0] + normal[0] * out - normal[1] * run
        y = middle[1] + normal[1] * out + normal[0] * run
        at_x = (x[None, None] + shift_x[..., None]).reshape(-1, len(run)).astype(np.float32)
        at_y = (y[None, None] + shift_y[..., None]).reshape(-1, len(run)).astype(np.float32)
        step = cv2.remap(slope_x, at_x, at_y, cv2.INTER_LINEAR) * np.float32(normal[0])
        step += cv2.remap(slope_y, at_x, at_y, cv2.INTER_LINEAR) * np.float32(normal[1])
        # By pieces, because a patterned table may be brighter here and darker there than the tile.
        pieces = np.abs(step.reshape(len(step), 8, 5, 3).mean(axis=2)).sum(axis=-1)
        sides.append((pieces / (pieces + 12.0)).mean(axis=1).reshape(shift_x.shape))
    return sides


# Rows lie alike on all tiles but for how they were cut; a row that is plain to see may lie elsewhere.
_SLACK_MM = 2.0
_LOYALTY = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRow:
    """A row of equal square boxes, px of the tile's picture: their middles (N, 2) and common edge."""

    middles_px: tuple[tuple[float, float], ...]
    edge_px: float
    strength: float


def squareness(picture: Picture8, edge_px: int) -> Singles:
    """Return for every pixel how much a square of this edge around it stands out, (height, width).

    All four sides must step; the weakest decides.
    """
    slope_x, slope_y = _slopes(picture)
    half = edge_px // 2
    run = max(edge_px - 2, 1)
    upright = np.asarray(cv2.boxFilter(slope_x, -1, (1, run)), np.float32)
    level = np.asarray(cv2.boxFilter(slope_y, -1, (run, 1)), np.float32)
    left = _shifted(upright, half, 0)
    right = _shifted(upright, half - edge_px, 0)
    top = _shifted(level, 0, half)
    bottom = _shifted(level, 0, half - edge_px)
    sides = np.stack([np.abs(one).sum(axis=-1) for one in (left, right, top, bottom)])
    return np.asarray(np.sort(sides, axis=0)[0] + 0.25 * sides.mean(axis=0), np.float32)


def _shifted(field: Singles, right: int, down: int) -> Singles:
    """Return the field moved right and down; what comes in is 0."""
    height, width = field.shape[:2]
    matrix = np.array([[1, 0, right], [0, 1, down]], np.float32)
    return np.asarray(cv2.warpAffine(field, matrix, (width, height), flags=cv2.INTER_NEAREST), np.float32)


def find_rows(
    pictures: Mapping[str, Picture8], counts: Mapping[str, int], px_per_mm: float
) -> dict[str, BoxRow]:
    """Return the row of boxes on every picture that has any.

    One game's boxes are alike: edge and distance are chosen once for all pictures, and so is about where
    the row lies; each picture may then differ by some millimetres.
    """
    named = [name for name in pictures if counts.get(name, 0) > 0]
    best: tuple[float, int, int] = (-1.0, 0, 0)
    for edge in range(round(6 * px_per_mm), round(15 * px_per_mm) + 1):
        maps = [_capped(squareness(pictures[name], edge)) for name in named]
        for pitch in range(edge, edge + round(6 * px_per_mm) + 1):
            strength = sum(
                float(_row_map(one, counts[n], pitch).max()) for one, n in zip(maps, named, strict=True)
            )
            if strength > best[0]:
                best = (strength, edge, pitch)
    _, edge, pitch = best
    spots = {name: _row_map(_capped(squareness(pictures[name], edge)), counts[name], pitch) for name in named}
    common = _common_spot(list(spots.values()), round(2 * px_per_mm))
    rough = {name: _row_at(spots[name], common, 3.5 * px_per_mm, 0.22) for name in named}
    # Where most of them were seen plainly tells the place better than all of them together.
    plain = np.median(np.array(list(rough.values())), axis=0)
    middle = float(plain[0]), float(plain[1])
    return {
        name: _row(_row_at(field, middle, _SLACK_MM * px_per_mm, _LOYALTY), field, counts[name], pitch, edge)
        for name, field in spots.items()
    }


def _capped(field: Singles) -> Singles:
    """Even out strong and weak prints: what stands out twice as much is not twice as sure."""
    scale = float(2 * np.percentile(field, 99.9)) + 1e-3
    return np.asarray(np.minimum(field / scale, 1.0), np.float32)


def _offsets(count: int, pitch: int) -> Sequence[float]:
    return [(index - (count - 1) / 2) * pitch for index in range(count)]


def _row_map(field: Singles, count: int, pitch: int) -> Singles:
    """Return for every middle of a row how well all its boxes stand out."""
    shifted = [_shifted(field, round(-offset), 0) for offset in _offsets(count, pitch)]
    return np.asarray(np.stack(shifted).mean(axis=0), np.float32)


def _common_spot(maps: Sequence[Singles], slack: int) -> tuple[int, int]:
    """Return the x, y where the rows of all pictures together are most convincing."""
    size = 2 * slack + 1
    total = np.sum([cv2.dilate(one, np.ones((size, size), np.uint8)) for one in maps], axis=0)
    soft = cv2.GaussianBlur(total.astype(np.float32), (0, 0), max(slack / 2, 1))
    y, x = np.unravel_index(int(np.argmax(soft)), soft.shape)
    return int(x), int(y)


def _row_at(field: Singles, common: tuple[float, float], slack: float, loyalty: float) -> tuple[int, int]:
    """Return the middle x, y of the row that stands out most.

    Faint boxes are believed to lie where those of the other tiles do, plain ones where they are seen: those
    stand out by more than `loyalty`.
    """
    height, width = field.shape
    y, x = np.mgrid[:height, :width]
    near = np.hypot(x - common[0], y - common[1])
    spot = field - np.minimum(0.65 * (near / max(slack, 1)) ** 2, loyalty)
    row, column = np.unravel_index(int(np.argmax(spot)), spot.shape)
    return int(column), int(row)


def _row(middle: tuple[int, int], field: Singles, count: int, pitch: int, edge: int) -> BoxRow:
    column, row = middle
    # A square of an even edge has its middle between two pixels.
    half = 0.0 if edge % 2 else -0.5
    middles = tuple((float(column + offset + half), float(row + half)) for offset in _offsets(count, pitch))
    return BoxRow(middles_px=middles, edge_px=float(edge), strength=float(field[row, column]))
