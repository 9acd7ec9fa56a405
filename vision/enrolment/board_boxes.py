"""Finding the boxes of a board such as the obelisk, whatever it looks like, by how they are arranged.

Nothing is known of the print: the boxes are some closed shapes, all of much the same outline, in the rows
that the rules want. The lowest row has most boxes, evenly spaced; the others follow away from it. Boards
whose boxes are arranged otherwise are pointed at (`calibration.pointed_board`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Picture8, Singles

# Edges of squares as large as a box, mm: a marker lies on it.
_LEAST_MM, _MOST_MM = 4.5, 20.0
# What a shape is compared with to be lighter or darker, mm around.
_AROUND_MM = (6.0, 11.0, 20.0)
# A shape is as wide as high, fills its outline and has no bays.
_OBLONG, _FULL, _SOLID = 1.6, 0.45, 0.85
# Shapes of sizes so much apart are not one kind.
_KIND = 1.3
# How much it says that rows are evenly far apart.
_EVEN_SAYS = 0.5
# Boxes are so far apart, in distances of those of the lowest row.
_AS_FAR = 0.84
# So many of the kinds of shapes are tried, and so many places where each may be.
_KINDS, _OF_A_SIZE, _PLACES = 18, 4, 40
# A template reaches so far beyond the shape, in shares of its edge.
_BESIDE = 0.65
# Gradients fainter than this, levels a px, say little.
_FAINT = 3.0
# How far boxes are off an exact arrangement, in edges of a box.
_OFF = 0.3
# The distances of rows differ by less than this factor from row to row.
_UNEVEN = 1.9
# Rows are at least so far apart, and at most so far, in edges of a box.
_NEXT_ROW = (0.7, 4.5)
# So far from any box, in edges of one, its board reaches.
_REACH = 24.0
# Of all ways to go on so many are followed.
_WAYS = 60
# Boxes so much alike need no other kind of shape to be tried.
_PLAIN = 0.7
# Shapes that touch each other are told apart once so much of their rims is taken off, mm.
_RIM_MM = 1.2
# What looks less like a box is none.
_LEAST_ALIKE = 0.2
# Rounds in which boxes are moved to where they look alike.
_ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardBoxes:
    """The boxes of a board in a picture.

    Attributes:
        middles_px: x, y of each by number, (N, 2).
        edge_px: the edge of a square as large as one.
        likeness: how much they look like each other, 0 to 1.
    """

    middles_px: Floats
    edge_px: float
    likeness: float


def find_board_boxes(
    picture: Picture8, where: Bools, rows: Sequence[int], px_per_mm: float
) -> BoardBoxes | None:
    """Return the boxes that are arranged in rows of so many, the lowest row first; None where there are none.

    Args:
        picture: the table from straight above, (height, width, 3).
        where: the pixels where the board may lie, (height, width).
        rows: how many boxes each row has; numbers run along the rows, from left to right with the rows
            that follow above.
        px_per_mm: the picture's scale.
    """
    lines = line_field(picture)
    best: BoardBoxes | None = None
    shapes = np.array(list(_shapes(picture, where, px_per_mm))).reshape(-1, 3)
    for x, y, edge in _kinds(shapes, _KINDS):
        # The whole board lies around any of its boxes.
        far = round(_REACH * edge)
        left, top = max(round(x) - far, 0), max(round(y) - far, 0)
        part = slice(top, round(y) + far), slice(left, round(x) + far)
        found = _boxes_like(lines[part], where[part], (x - left, y - top), edge, rows)
        if found is None:
            continue
        found = replace(found, middles_px=found.middles_px + np.array([left, top]))
        if _are_shapes(found, shapes) and (best is None or found.likeness > best.likeness):
            best = found
        if best is not None and best.likeness > _PLAIN:
            break
    return best


def _are_shapes(boxes: BoardBoxes, shapes: Floats) -> bool:
    """Whether most of the boxes are closed shapes, and not what is between them."""
    own = shapes[np.abs(np.log(shapes[:, 2] / boxes.edge_px)) < np.log(_KIND)]
    off = np.hypot(*(boxes.middles_px[:, None] - own[None, :, :2]).transpose(2, 0, 1))
    closed = off.min(axis=1, initial=np.inf) < _OFF * boxes.edge_px
    return 2 * int(np.count_nonzero(closed)) > len(closed)


def _boxes_like(
    lines: Singles, where: Bools, middle: tuple[float, float], edge: float, rows: Sequence[int]
) -> BoardBoxes | None:
    """Return the boxes that look like what is at a place, if they are arranged in such rows."""
    template = _cut(lines, middle, edge)
    if template is None:
        return None
    found = _arranged(_places(lines, template, where, edge), rows, edge)
    return None if found is None else _refined(lines, found, where, edge, rows)


def line_field(picture: Picture8) -> Singles:
    """Return the directions of a picture's edges, whichever side is darker, (height, width, 2), 0 to 1."""
    soft = cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32)
    x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    # Twice the angle: an edge has a direction, but no sense.
    along, across = (x * x - y * y).sum(axis=-1), 2 * (x * y).sum(axis=-1)
    # Along a line of any strength the same: the square is kept as long as its root.
    strength = np.hypot(along, across)
    weight = 1.0 / (np.sqrt(strength) * (np.sqrt(strength) + np.float32(_FAINT)) + np.float32(1e-6))
    return np.stack([along * weight, across * weight], axis=-1).astype(np.float32)


def _shapes(picture: Picture8, where: Bools, px_per_mm: float) -> Iterator[tuple[float, float, float]]:
    """Yield closed shapes as x, y and edge, px: lighter or darker than what is around them."""
    least, most = _LEAST_MM * px_per_mm, _MOST_MM * px_per_mm
    rim = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(_RIM_MM * px_per_mm) + 1,) * 2)
    for channel in cv2.split(picture):
        level = channel.astype(np.float32)
        for around in _AROUND_MM:
            size = (int(around * px_per_mm) | 1,) * 2
            mean = cv2.blur(level, size)
            spread = np.sqrt(np.maximum(cv2.blur(level * level, size) - mean * mean, 0))
            for sign in (1, -1):
                mask = np.asarray((sign * (level - mean) > 0.15 * spread + 1) & where, np.uint8)
                yield from _closed(mask, least, most)
                opened = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, rim), np.uint8)
                yield from _closed(opened, least, most)


def _closed(mask: Picture8, least: float, most: float) -> Iterator[tuple[float, float, float]]:
    """Yield the shapes of a mask that are as large as boxes."""
    _, patches, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    wide, high = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    fits = (np.minimum(wide, high) >= least) & (np.maximum(wide, high) <= most)
    fits &= np.maximum(wide, high) <= _OBLONG * np.minimum(wide, high)
    fits[0] = False
    for patch in np.flatnonzero(fits).tolist():
        left, top, width, height = stats[patch, :4].tolist()
        own = np.asarray(patches[top : top + height, left : left + width] == patch, np.uint8)
        outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        outline = max(outlines, key=cv2.contourArea)
        area = cv2.contourArea(outline)
        if area < _FULL * width * height or area < _SOLID * cv2.contourArea(cv2.convexHull(outline)):
            continue
        moments = cv2.moments(outline)
        yield left + moments["m10"] / moments["m00"], top + moments["m01"] / moments["m00"], area**0.5


def _kinds(shapes: Floats, most: int) -> list[tuple[float, float, float]]:
    """Return an example of each kind of shape, those of which there are most in different places first."""
    if not len(shapes):
        return []
    found = shapes[np.argsort(shapes[:, 2], kind="stable")]
    places: list[Floats] = []
    for x, y, edge in found:
        if not any(np.hypot(x - at[0], y - at[1]) < 0.3 * edge and edge < 1.15 * at[2] for at in places):
            places.append(np.array([x, y, edge]))
    some = np.array(places)
    size = np.log(some[:, 2])
    alike = np.abs(size[:, None] - size[None]) < np.log(_KIND) / 2
    # Boxes lie near each other; what is as large elsewhere does not count.
    off = np.hypot(*(some[:, None, :2] - some[None, :, :2]).transpose(2, 0, 1))
    count = (alike & (off < 8 * some[:, 2:])).sum(axis=1)
    order = np.argsort(-count, kind="stable")
    # The grain of a table makes many small ones: some of every size are tried.
    sizes = np.floor(size[order] / np.log(_KIND)).astype(int).tolist()
    chosen = [at for rank, at in enumerate(order) if sizes[:rank].count(sizes[rank]) < _OF_A_SIZE]
    return [(float(x), float(y), float(edge)) for x, y, edge in some[chosen[:most]]]


def _cut(lines: Singles, middle: tuple[float, float], edge: float) -> Singles | None:
    """Return the lines about a place; None at the rim of the picture."""
    half = round(_BESIDE * edge)
    x, y = round(middle[0]), round(middle[1])
    if min(x, y) < half or y + half >= lines.shape[0] or x + half >= lines.shape[1]:
        return None
    return np.ascontiguousarray(lines[y - half : y + half + 1, x - half : x + half + 1])


def _likeness(lines: Singles, template: Singles) -> Singles:
    """Return how much the lines around each pixel are those of a template, -1 to 1, (height, width)."""
    half = template.shape[0] // 2
    score = cv2.matchTemplate(lines, template, cv2.TM_CCORR)
    energy = cv2.boxFilter((lines * lines).sum(axis=-1), -1, template.shape[:2][::-1], normalize=False)
    inside = energy[half : energy.shape[0] - half, half : energy.shape[1] - half]
    own = float((template * template).sum())
    # Where there is hardly a line the likeness is none.
    like = score / np.sqrt(np.maximum(inside, 0.25 * own) * own + 1e-6)
    return np.asarray(cv2.copyMakeBorder(like, *(half,) * 4, cv2.BORDER_CONSTANT, value=-1.0), np.float32)


def _places(lines: Singles, template: Singles, where: Bools, edge: float) -> Floats:
    """Return where a template is seen, x, y and likeness, the most alike first, (N, 3)."""
    like = np.where(where, _likeness(lines, template), -1.0).astype(np.float32)
    near = 2 * max(round(0.35 * edge), 1) + 1
    peaks = (like >= cv2.dilate(like, np.ones((near, near), np.uint8))) & (like > _LEAST_ALIKE)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-like[rows, columns])[:_PLACES]
    return np.array([(*_top(like, columns[i], rows[i]), like[rows[i], columns[i]]) for i in order]).reshape(
        -1, 3
    )


def _top(field: Singles, column: int, row: int) -> tuple[float, float]:
    """Return where a field is highest near a peak, between pixels."""
    x, y = float(column), float(row)
    if 0 < column < field.shape[1] - 1:
        left, here, right = (float(field[row, column + step]) for step in (-1, 0, 1))
        x += 0.5 * (left - right) / min(left - 2 * here + right, -1e-6)
    if 0 < row < field.shape[0] - 1:
        up, here, down = (float(field[row + step, column]) for step in (-1, 0, 1))
        y += 0.5 * (up - down) / min(up - 2 * here + down, -1e-6)
    return min(max(x, column - 0.5), column + 0.5), min(max(y, row - 0.5), row + 0.5)


def _arranged(places: Floats, rows: Sequence[int], edge: float) -> Floats | None:
    """Return the places of the boxes by number, (N, 2), that are arranged in rows and are most alike."""
    best: tuple[float, Floats] | None = None
    for base in _even_rows(places, rows[0], edge):
        along = places[base[-1], :2] - places[base[0], :2]
        length = float(np.hypot(*along))
        along = along / length
        # In a picture y grows downwards: rows that follow lie above a row that runs to the right.
        away = np.array([along[1], -along[0]])
        middle = places[base, :2].mean(axis=0)
        flat = np.column_stack([(places[:, :2] - middle) @ along, (places[:, :2] - middle) @ away])
        others = _rows_above(flat, places[:, 2], rows[1:], edge, length)
        if others is None:
            continue
        chosen = [*base, *others]
        # A marker fits on every box: none are nearer to each other than those of the lowest row.
        apart = np.hypot(*(places[chosen, None, :2] - places[None, chosen, :2]).transpose(2, 0, 1))
        if apart[np.triu_indices(len(chosen), 1)].min() < _AS_FAR * length / (rows[0] - 1):
            continue
        score = float(places[chosen, 2].mean())
        if best is None or score > best[0]:
            best = score, places[chosen, :2]
    return None if best is None else best[1]


def _even_rows(places: Floats, count: int, edge: float) -> Iterator[list[int]]:
    """Yield the places that make an even row of so many, from either end."""
    at = places[:, :2]
    for first in range(len(at)):
        for last in range(len(at)):
            span = float(np.hypot(*(at[last] - at[first])))
            if first == last or not 0.8 * edge * (count - 1) <= span <= 3.0 * edge * (count - 1):
                continue
            wanted = at[first] + np.linspace(0, 1, count)[1:-1, None] * (at[last] - at[first])
            off = np.hypot(*(wanted[:, None] - at[None]).transpose(2, 0, 1))
            if (off.min(axis=1) < _OFF * edge).all():
                yield [first, *off.argmin(axis=1).tolist(), last]


def _rows_above(
    flat: Floats, like: Floats, counts: Sequence[int], edge: float, length: float
) -> list[int] | None:
    """Return the places of the rows above a row through 0, 0, each from left to right; None without them.

    `flat` has the places along that row and away from it, (N, 2); `like` how sure each is a box.
    """
    inside = np.flatnonzero((np.abs(flat[:, 0]) < 0.75 * length) & (flat[:, 1] > _NEXT_ROW[0] * edge))
    order = inside[np.argsort(flat[inside, 0])].tolist()
    pairs = [
        (one, other)
        for index, one in enumerate(order)
        for other in order[index + 1 :]
        if flat[other, 0] - flat[one, 0] > 0.8 * edge and abs(flat[other, 1] - flat[one, 1]) < _OFF * edge
    ]
    rows: dict[int, list[tuple[int, ...]]] = {1: [(one,) for one in order], 2: [*pairs]}
    # Measured once: every row is tried after every way.
    choices = {
        count: [(row, float(flat[list(row), 1].mean()), float(like[list(row)].sum())) for row in rows[count]]
        for count in set(counts) & rows.keys()
    }
    ways = [_Climb(rows=(), height=0.0, step=0.0, gained=0.0)]
    for count in counts:
        ways = [
            way.on(row, height, likeness)
            for way in ways
            for row, height, likeness in choices.get(count, ())
            if way.goes_on(height, edge)
        ]
        ways = sorted(ways, key=lambda one: -one.gained)[:_WAYS]
    return list(ways[0].rows) if ways else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Climb:
    """Rows that follow each other: their places, the last one's height and step, and what speaks for them."""

    rows: tuple[int, ...]
    height: float
    step: float
    gained: float

    def goes_on(self, height: float, edge: float) -> bool:
        """Whether a row at some height may be the next."""
        rise = height - self.height
        if not _NEXT_ROW[0] * edge < rise < _NEXT_ROW[1] * edge:
            return False
        return not self.step or self.step / _UNEVEN < rise < self.step * _UNEVEN

    def on(self, row: tuple[int, ...], height: float, likeness: float) -> _Climb:
        """Return the way with one row more."""
        rise = height - self.height
        # Of two ways to climb the more even one is right.
        uneven = abs(math.log(rise / self.step)) if self.step else 0.0
        gained = self.gained + likeness - _EVEN_SAYS * uneven
        return _Climb(rows=(*self.rows, *row), height=height, step=rise, gained=gained)


def _refined(
    lines: Singles, middles: Floats, where: Bools, edge: float, rows: Sequence[int]
) -> BoardBoxes | None:
    """Return the boxes once more, by what all of them have in common; None when they do not stand out."""
    template = common_lines(lines, middles, edge)
    if template is None:
        return None
    # What is a box is more alike than anything beside: the board has so many of them and no more.
    places = _places(lines, template, where, edge)[: sum(rows)]
    found = _arranged(places, rows, edge) if len(places) == sum(rows) else None
    if found is None:
        return None
    return BoardBoxes(middles_px=found, edge_px=edge, likeness=float(places[:, 2].mean()))


def common_lines(lines: Singles, middles: Floats, edge: float) -> Singles | None:
    """Return the lines that all boxes have in common; None when one is at the rim of the picture."""
    patches = [_cut(lines, (x, y), edge) for x, y in middles]
    if any(one is None for one in patches):
        return None
    return np.median(np.stack([one for one in patches if one is not None]), axis=0).astype(np.float32)


def settled(lines: Singles, middles: Floats, edge: float, reach: float) -> Floats:
    """Return the middles of boxes, px, (N, 2), moved by at most `reach` to where they look most alike."""
    found = np.array(middles, np.float64)
    for _ in range(_ROUNDS):
        template = common_lines(lines, found, edge)
        if template is None:
            break
        like = _likeness(lines, template)
        y, x = np.mgrid[: like.shape[0], : like.shape[1]]
        found = np.array(
            [
                _highest(like, np.asarray(np.hypot(x - at[0], y - at[1]) <= reach, np.bool_), at)
                for at in middles
            ]
        )
    return found


def _highest(field: Singles, near: Bools, middle: Floats) -> tuple[float, float]:
    """Return where a field is highest of what is near, between pixels; the middle where nothing is alike."""
    best = int(np.where(near, field, -2.0).argmax())
    row, column = divmod(best, field.shape[1])
    if field[row, column] < _LEAST_ALIKE:
        return float(middle[0]), float(middle[1])
    return _top(field, column, row)
