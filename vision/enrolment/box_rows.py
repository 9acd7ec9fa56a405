"""Rows of equal square boxes printed on tiles, found by their frames; their number need not be known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Picture8, Singles
from vision.faces.squares import colour_slopes

# Rows are in the same place on all tiles, give or take how the tiles were cut; a clear row may be elsewhere.
_SLACK_MM = 3.0
_LOYALTY = 0.45
# Farther off, in multiples of the slack, it must be clearer: a building's windows are squares too.
_FAR, _FAR_LOYALTY = 2.7, 0.7
# A turn is clear if the evidence for any other is this much weaker.
_PLAIN_LEAD = 0.3
# The penalty for being off by the slack.
_OFF_COSTS = 0.65
# How far rows are searched for as long as the error of the outlines is unknown.
_WIDE_MM = 5.0
# A size of boxes is likely if they stand out this much, as a share of the likeliest size.
_LIKELY_SIZE = 0.85
# Anything that stands out less is no box.
_NO_BOX = 0.3
# An outline gives a tile's turn to a few degrees.
_TILTS_DEG = (0.0, -1.5, 1.5, -3.0, 3.0)
_TILT_COSTS = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRow:
    """A row of equal square boxes, px of the tile's picture: their middles (N, 2) and common edge."""

    middles_px: tuple[tuple[float, float], ...]
    edge_px: float
    strength: float


def squareness(picture: Picture8, edge_px: int) -> Singles:
    """Return for every pixel how much a square of this edge around it stands out, (height, width).

    All four sides must be edges; the weakest decides.
    """
    slope_x, slope_y = colour_slopes(picture)
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


def _sizes(
    pictures: Mapping[str, Picture8],
    edges: Iterable[int],
    pitches: Callable[[int], Iterable[int]],
    strength: Callable[[str, Singles, int], float],
) -> Iterator[tuple[float, int, int]]:
    """Yield how much the rows of all pictures stand out at each edge and distance of boxes, px."""
    for edge in edges:
        fields = {name: _capped(squareness(picture, edge)) for name, picture in pictures.items()}
        for pitch in pitches(edge):
            yield sum(strength(name, field, pitch) for name, field in fields.items()), edge, pitch


def _edges(px_per_mm: float) -> range:
    """Return the edges that boxes may have, px."""
    return range(round(6 * px_per_mm), round(15 * px_per_mm) + 1)


def _pitches(edge: int, px_per_mm: float) -> range:
    """Return how far apart boxes of an edge may be, px."""
    return range(edge, edge + round(6 * px_per_mm) + 1)


def _capped(field: Singles) -> Singles:
    """Even out strong and weak prints: standing out twice as much is not twice the evidence."""
    scale = float(2 * np.percentile(field, 99.9)) + 1e-3
    return np.asarray(np.minimum(field / scale, 1.0), np.float32)


def _offsets(count: int, pitch: int) -> Sequence[float]:
    return [(index - (count - 1) / 2) * pitch for index in range(count)]


def _row_map(field: Singles, count: int, pitch: int) -> Singles:
    """Return for every middle of a row how well all its boxes stand out."""
    shifted = [_shifted(field, round(-offset), 0) for offset in _offsets(count, pitch)]
    return np.asarray(np.stack(shifted).mean(axis=0), np.float32)


def _together(maps: Sequence[Singles], slack: int) -> Singles:
    """Return how convincing the rows of all pictures are together at each place, `slack` px off or not."""
    size = 2 * slack + 1
    total = np.sum([cv2.dilate(one, np.ones((size, size), np.uint8)) for one in maps], axis=0)
    return np.asarray(cv2.GaussianBlur(total.astype(np.float32), (0, 0), max(slack / 2, 1)), np.float32)


def _peak(field: Singles) -> tuple[int, int]:
    """Return the x, y where a field is greatest."""
    row, column = np.unravel_index(int(np.argmax(field)), field.shape)
    return int(column), int(row)


def _row_at(field: Singles, common: Sequence[float], slack: float, loyalty: float) -> tuple[int, int]:
    """Return the middle x, y of the row that stands out most.

    Faint boxes are believed to lie where those of the other tiles do, plain ones where they are seen: those
    stand out by more than `loyalty`, and by more than that where no other tile has any.
    """
    near = _nearness(field.shape, common, slack)
    return _peak(field - np.minimum(near, np.where(near > _OFF_COSTS * _FAR**2, _FAR_LOYALTY, loyalty)))


def _row(middle: tuple[int, int], field: Singles, count: int, pitch: int, edge: int) -> BoxRow:
    """Return a row found on a picture."""
    column, row = middle
    # A square of an even edge has its middle between two pixels.
    half = 0.5 if edge % 2 else 0.0
    middles = tuple((column + offset + half - 0.5, row + half - 0.5) for offset in _offsets(count, pitch))
    return BoxRow(middles_px=middles, edge_px=float(edge), strength=float(field[row, column]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of boxes that a picture may show if it is turned in one way.

    Attributes:
        rows: the likeliest row of 1, 2, ... boxes.
        gains: how much speaks for each of them, about 0 if there is none.
    """

    rows: tuple[BoxRow, ...]
    gains: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedRows:
    """The rows of boxes that a picture may show, however it is turned.

    Attributes:
        tilt_deg: how the picture is to be turned clockwise first, for the row to be straight.
        ways: the rows after 0, 1, 2, 3 quarter turns anticlockwise (as `numpy.rot90` does), which lie level
            in the lower half then.
        turn: the turn for which most speaks.
        lead: by how much more than for any other.
    """

    tilt_deg: float
    ways: tuple[Rows, ...]
    turn: int
    lead: float

    @property
    def likely(self) -> tuple[int, ...]:
        """The turns that may be right, the likeliest first."""
        others = [turn for turn in range(len(self.ways)) if turn != self.turn]
        return self.turn, *(others if self.lead < _PLAIN_LEAD else ())


def find_turned_rows(
    pictures: Mapping[str, Picture8], px_per_mm: float, *, most: int = 4
) -> dict[str, TurnedRows]:
    """Return the rows of boxes on square pictures of tiles, each turned in any of four ways.

    How many boxes a tile has, `most` at most, need not be known; where the row lies on a tile is the same for
    all. Whether that is at the upper or the lower rim cannot be told from rows: it is called the lower.
    """
    edge, pitch = _size_of_boxes(pictures, px_per_mm, most)
    gains = {
        name: {tilt: _gains_of(straightened(picture, tilt), edge, pitch, most) for tilt in _TILTS_DEG}
        for name, picture in pictures.items()
    }
    places = _common_places([one[0.0] for one in gains.values()], px_per_mm)
    found = {}
    for name, tilted in gains.items():
        tilt = max(
            tilted,
            key=lambda tilt: (
                _turn_and_row(tilted[tilt], places, _SLACK_MM * px_per_mm)[0] - _TILT_COSTS * abs(tilt)
            ),
        )
        found[name] = _turned_rows(tilted[tilt], places, _SLACK_MM * px_per_mm, edge, pitch, tilt)
    return found


def _size_of_boxes(pictures: Mapping[str, Picture8], px_per_mm: float, most: int) -> tuple[int, int]:
    """Return the edge and the distance of boxes, px, that all tiles have in common.

    Windows of a building are squares too; but boxes lie in the same place on all tiles.
    """
    sizes = sorted(
        _sizes(
            pictures,
            _edges(px_per_mm),
            lambda edge: _pitches(edge, px_per_mm),
            lambda _, field, pitch: _stands_out(field, pitch),
        ),
        reverse=True,
    )
    likely: list[tuple[int, int]] = []
    for total, edge, pitch in sizes:
        is_another = all(abs(edge - one) > 1 for one, _ in likely)
        if is_another and total > _LIKELY_SIZE * sizes[0][0]:
            likely.append((edge, pitch))

    def agreement(size: tuple[int, int]) -> float:
        gains = [_gains_of(picture, *size, most) for picture in pictures.values()]
        places = _common_places(gains, px_per_mm)
        return sum(_turn_and_row(one, places, _SLACK_MM * px_per_mm)[0] for one in gains)

    return max(likely, key=agreement) if len(likely) > 1 else likely[0]


def _common_places(gains: Sequence[Singles], px_per_mm: float) -> Floats:
    """Return where rows lie on tiles that are to be turned by 0 to 3 quarters, x and y, (4, 2).

    `gains` are those of each tile, (turns, counts, height, width).
    """
    together = _together([np.maximum(one.max(axis=(0, 1)), 0) for one in gains], round(2 * px_per_mm))
    together[: len(together) // 2] = -1.0
    places = np.tile(np.array(_peak(together), np.float64), (4, 1))
    rough = [_turn_and_row(one, places, _WIDE_MM * px_per_mm) for one in gains]
    # The clearest half of them give the place better than all of them together.
    plain = sorted(rough, key=lambda one: -one[0])[: max(len(rough) // 2, 1)]
    return _places([one[1] for one in plain], np.array([one[2] for one in plain], np.float64))


def _places(turns: Sequence[int], spots: Floats) -> Floats:
    """Return where rows lie on tiles that are to be turned by 0 to 3 quarters, x and y, (4, 2).

    Outlines are off towards the camera: on a tile that lies turned that is another direction.
    """
    ahead = np.array([_quarter(turn) for turn in turns])
    sides = np.hstack([np.tile(np.eye(2), (len(turns), 1)).reshape(-1, 2), ahead.reshape(-1, 2)])
    # Held towards no such error: all may lie turned alike.
    prior = np.diag([0.0, 0.0, 1.0, 1.0])
    weight, found = np.ones(2 * len(turns)), np.zeros(4)
    for _ in range(4):
        found = np.linalg.solve((sides.T * weight) @ sides + prior, (sides.T * weight) @ spots.reshape(-1))
        off = np.hypot(*(spots.reshape(-1) - sides @ found).reshape(-1, 2).T)
        weight = np.repeat(1 / (1 + (off / 2.0) ** 2), 2)
    return np.array([found[:2] + _quarter(turn) @ found[2:] for turn in range(4)])


def _quarter(turns: int) -> Floats:
    """Return the matrix that turns x and y of a picture as `numpy.rot90` does."""
    return np.asarray(np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), turns % 4), np.float64)


def straightened(picture: Picture8, tilt_deg: float) -> Picture8:
    """Return a square picture turned clockwise about its middle."""
    if tilt_deg == 0:
        return picture
    middle = (picture.shape[1] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -tilt_deg, 1.0)
    size = picture.shape[1], picture.shape[0]
    turned = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8)


def _gains_of(picture: Picture8, edge: int, pitch: int, most: int) -> Singles:
    """Return how much speaks for rows in every quarter turn and of every count, (4, most, height, width)."""
    field = _capped(squareness(picture, edge))
    numbers = np.arange(1, most + 1)[:, None, None]
    return np.stack(
        [
            numbers * (np.stack([_row_map(turned, count + 1, pitch) for count in range(most)]) - _NO_BOX)
            for turned in (_turned(field, quarter) for quarter in range(4))
        ]
    ).astype(np.float32)


def _turned_rows(
    gains: Singles, places: Floats, slack: float, edge: int, pitch: int, tilt: float
) -> TurnedRows:
    """Return the rows of one picture near the places where they lie."""
    strength, turn, _ = _turn_and_row(gains, places, slack)
    others = [one for one in range(4) if one != turn]
    rival = _turn_and_row(gains[others], places[others], slack)[0]
    lead = strength - rival
    ways = []
    for some, place in zip(gains, places.tolist(), strict=True):
        here = some
        if lead < _PLAIN_LEAD:
            # A row elsewhere may be the same one, seen from the side.
            here = some - _nearness(some.shape[1:], place, slack)
            at = [_peak(one) for one in here]
        else:
            at = [_row_at(one / (index + 1), place, slack, _LOYALTY) for index, one in enumerate(here)]
        rows = (_row(spot, here[index], index + 1, pitch, edge) for index, spot in enumerate(at))
        found = tuple(float(here[index][spot[1], spot[0]]) for index, spot in enumerate(at))
        ways.append(Rows(rows=tuple(rows), gains=found))
    return TurnedRows(tilt_deg=tilt, ways=tuple(ways), turn=turn, lead=lead)


def _turned(field: Singles, quarters: int) -> Singles:
    return np.ascontiguousarray(np.rot90(field, quarters))


def _stands_out(field: Singles, pitch: int) -> float:
    """Return the evidence for a row in a picture's squareness, level or upright."""
    ways = [_turned(field, quarter) for quarter in (0, 1)]
    return max(
        count * (float(_row_map(way, count, pitch).max()) - _NO_BOX) for way in ways for count in (2, 3)
    )


def _turn_and_row(gains: Singles, places: Floats, slack: float) -> tuple[float, int, tuple[int, int]]:
    """Return how much speaks for the best row, the turn that brings it to its place, and its x, y.

    `gains` are (turns, counts, height, width), `places` the x, y for each turn.
    """
    near = np.stack([_nearness(gains.shape[2:], at.tolist(), slack) for at in places])
    spot = gains - near[:, None]
    turn, _, row, column = np.unravel_index(int(np.argmax(spot)), spot.shape)
    return float(spot.max()), int(turn), (int(column), int(row))


def _nearness(shape: tuple[int, ...], common: Sequence[float], slack: float) -> Singles:
    """Return the penalty for being off a place, (height, width)."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    near = np.hypot(x - common[0], y - common[1])
    return np.asarray(_OFF_COSTS * (near / max(slack, 1)) ** 2, np.float32)
