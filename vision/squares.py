"""Finding squares of known make: the outline of a tile on the table, and the boxes printed on a tile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.laying import Lie

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Picture8: TypeAlias = NDArray[np.uint8]

# What lies so far to both sides of an outline tells where the ground begins.
_BESIDE_PX = 2.5
# How much the ground has a say beside the steps in colour.
_BY_GROUND = 0.5
_COLOUR_SHIFT = 4
# A colour so rare, of an even spread, says little.
_RARE = 0.3


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
    ground: Singles | None = None,
) -> tuple[Lie, float]:
    """Return how a rectangle of known size lies near a place, and how clear its outline is, 0 to 1.

    Every side must be a straight step in colour all along; what the picture on it shows does not
    matter. Lying `stray_px` off the middle costs as much as half a side. `ground` (height, width) says how
    much each pixel looks like what the rectangle lies on, -1 to 1: then every side must also be where that
    begins, which what is printed along a side is not.
    """
    slope_x, slope_y = _slopes(picture)
    offsets = np.arange(-reach_px, reach_px + 1, dtype=np.float32)
    stray = 0.5 * (offsets[:, None] ** 2 + offsets[None] ** 2) / stray_px**2
    best: tuple[float, Lie] = (-1e9, Lie(x_px=middle[0], y_px=middle[1], turn=0.0))
    for turn in np.deg2rad(np.arange(-turn_deg, turn_deg + 0.1, 1.0)):
        total = sum(_sides(slope_x, slope_y, middle, size_px, float(turn), offsets, ground)) - stray
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
    ground: Singles | None,
) -> list[Singles]:
    """Return for each side how plainly it is one at every shift, each (shifts, shifts)."""
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
        side = (pieces / (pieces + 12.0)).mean(axis=1)
        if ground is not None:
            dx, dy = (np.float32(_BESIDE_PX * one) for one in normal)
            beyond = cv2.remap(ground, at_x + dx, at_y + dy, cv2.INTER_LINEAR)
            within = cv2.remap(ground, at_x - dx, at_y - dy, cv2.INTER_LINEAR)
            side = (1 - _BY_GROUND) * side + _BY_GROUND * (beyond - within).mean(axis=1) / 2
        sides.append(side.reshape(shift_x.shape))
    return sides


def likeness_to_ground(picture: Picture8, ground: Bools, covered: Bools) -> Singles:
    """Return how much more each pixel's colour is the ground's than that of what lies on it, -1 to 1.

    Both are told by the colours of pixels known to be one or the other, (height, width) bool; colours that
    both have, or neither, are 0.
    """
    soft = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    shares = [_colours_of(soft, where.astype(np.uint8)) for where in (ground, covered)]
    odds = (shares[0] - shares[1]) / (shares[0] + shares[1] + np.float32(_RARE))
    blue, green, red = cv2.split(soft >> _COLOUR_SHIFT)
    return np.asarray(odds[blue, green, red], np.float32)


def _colours_of(picture: Picture8, where: Picture8) -> Singles:
    """Return how common each coarse colour and its neighbours are, (bins, bins, bins); 1 = evenly spread."""
    bins = 256 >> _COLOUR_SHIFT
    counts = cv2.calcHist([picture], [0, 1, 2], where, [bins] * 3, [0, 256] * 3)
    for axis in range(3):
        lower, upper = (np.roll(counts, step, axis) for step in (1, -1))
        np.moveaxis(lower, axis, 0)[0], np.moveaxis(upper, axis, 0)[-1] = 0, 0
        counts = counts / 2 + (lower + upper) / 4
    return np.asarray(counts * (bins**3 / max(float(counts.sum()), 1.0)), np.float32)


# Rows lie alike on all tiles but for how they were cut; a row that is plain to see may lie elsewhere.
_SLACK_MM = 3.0
_LOYALTY = 0.45
# Rows are laid on pictures so many times enlarged.
_FINE = 2


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
    coarse = {name: pictures[name] for name in named}
    edges = range(round(6 * px_per_mm), round(15 * px_per_mm) + 1)
    edge, pitch = _alike(coarse, counts, edges, lambda edge: range(edge, edge + round(6 * px_per_mm) + 1))
    # Digits and frames are a pixel or two wide: where a row lies is told between pixels.
    fine = {name: _enlarged(picture) for name, picture in coarse.items()}
    edges, pitches = (range(_FINE * one - 3, _FINE * one + 4) for one in (edge, pitch))
    edge, pitch = _alike(fine, counts, edges, lambda _: pitches)
    px_per_mm *= _FINE
    spots = {name: _row_map(_capped(squareness(fine[name], edge)), counts[name], pitch) for name in named}
    common = _common_spot(list(spots.values()), round(2 * px_per_mm))
    rough = {name: _row_at(spots[name], common, 3.5 * px_per_mm, 0.22) for name in named}
    # Where most of them were seen plainly tells the place better than all of them together.
    plain = np.median(np.array(list(rough.values())), axis=0)
    middle = float(plain[0]), float(plain[1])
    return {
        name: _row(_row_at(field, middle, _SLACK_MM * px_per_mm, _LOYALTY), field, counts[name], pitch, edge)
        for name, field in spots.items()
    }


def _alike(
    pictures: Mapping[str, Picture8],
    counts: Mapping[str, int],
    edges: Iterable[int],
    pitches: Callable[[int], Iterable[int]],
) -> tuple[int, int]:
    """Return the edge and the distance of boxes, px, at which the rows of all pictures stand out most."""
    best: tuple[float, int, int] = (-1.0, 0, 0)
    for edge in edges:
        maps = {name: _capped(squareness(picture, edge)) for name, picture in pictures.items()}
        for pitch in pitches(edge):
            strength = sum(float(_row_map(one, counts[name], pitch).max()) for name, one in maps.items())
            best = max(best, (strength, edge, pitch))
    return best[1:]


def _enlarged(picture: Picture8) -> Picture8:
    return np.asarray(cv2.resize(picture, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC), np.uint8)


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
    """Return a row found on an enlarged picture."""
    column, row = middle
    # A square of an even edge has its middle between two pixels.
    half = 0.5 if edge % 2 else 0.0
    middles = tuple(
        ((column + offset + half) / _FINE - 0.5, (row + half) / _FINE - 0.5)
        for offset in _offsets(count, pitch)
    )
    return BoxRow(middles_px=middles, edge_px=edge / _FINE, strength=float(field[row, column]))
