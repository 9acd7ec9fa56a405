"""Compares a place in a picture with a learnt face: does all that can be seen of it look as learnt?

The place is straightened in the face's own pixels and registered block by block. Its light is fitted to the
face's. What then differs is measured as a whole, as patches within the face, and against every other face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Gray, Image, Singles
from vision.photometry.light import greatest, linear, unusable, valued

SHORT_PX: Final = 112
"""Shorter edge of a face's picture when it is compared, px."""
_CELL: Final = 16
_BLOCK: Final = 24
_EVERY: Final = 16
# Standard deviation of a block, levels of 255, below which it cannot be found again.
_LEAST_CONTRAST: Final = 6.0
# How far blocks are moved, px: first and then.
_REACHES: Final = (10, 5)
_LEAST_LIKE: Final = 0.4
_LEAST_BLOCKS: Final = 6
_BLOCKS_FOR_SLANT: Final = 14
# Seen colours that are further from the learnt ones, coded 0 to 1, do not belong to the face; beyond the
# second figure it does not matter how far.
_ODD: Final = 0.10
_FAR: Final = 0.25
# Noise of a colour, coded, and how many pixels of half scale go wrong together.
_NOISE: Final = 0.07
_TOGETHER: Final = 12.0
_MARGIN_PX: Final = max(_REACHES) + 2
_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A face compared with a place.

    Attributes:
        face: its index.
        matrix: (3, 3), from pixels of the face's picture as compared to pixels of the picture.
        likeness: correlation of the better 70 % of its print, -1 to 1.
        shown: share of it that looks as learnt, 0 to 1.
        covered: share of it that something covers which reaches in over its rim, 0 to 1.
        free_shown: share of what is not covered that looks as learnt, 0 to 1.
        inner: share of the largest patch that looks otherwise and does not touch its rim, 0 to 1.
        rival: index of the face that is hardest to tell from it, -1 for none.
        ahead: logarithm of the likelihood ratio against that face.
        clear: the same as a share of what it would be if exactly this face were seen, at most 1.
    """

    face: int
    matrix: Floats
    likeness: float
    shown: float
    covered: float
    free_shown: float
    inner: float
    rival: int
    ahead: float
    clear: float


class FaceComparison:
    """Faces of one shape, ready to be compared with places.

    Attributes:
        shape: height and width of their pictures as they are compared, px.
    """

    def __init__(self, pictures: Sequence[Image], shape: tuple[int, int]) -> None:
        """Prepare pictures (height, width, 3) of any size; `shape` as from `shape_of`."""
        self.shape = shape
        size = (shape[1], shape[0])
        self._pictures = [resized(one, size) for one in pictures]
        self._known = np.stack([linear(one) for one in self._pictures])
        self._coded = np.stack([valued(one) for one in self._known])
        half = (size[0] // 2, size[1] // 2)
        # The colours one after the other, (faces, 3, height, width).
        self._half = np.stack(
            [np.stack(cv2.split(cv2.resize(one, half, interpolation=cv2.INTER_AREA))) for one in self._coded]
        )
        y, x = np.mgrid[: shape[0] // 8, : shape[1] // 8].astype(np.float32)
        y, x = y / max(y.max(), 1) * 2 - 1, x / max(x.max(), 1) * 2 - 1
        self._places = np.stack([np.ones_like(x), x, y], axis=-1)

    def register(self, picture: Image, face: int, matrix: Floats) -> Floats:
        """Return the exact view (3, 3) of a face in a picture, from a rough one (3, 3)."""
        known = _gray(self._pictures[face])
        for reach in _REACHES:
            seen = _gray(self._straightened(picture, matrix, _MARGIN_PX))
            here, there = self._moved_blocks(known, seen, reach)
            step = _step(here, there)
            if step is None:
                break
            moved = matrix @ step
            matrix = np.asarray(moved / moved[2, 2], np.float64)
        return matrix

    def compare(self, picture: Image, face: int, matrix: Floats, scale: float) -> Compared:
        """Return how a face compares with a place; `scale`: pixels of the picture for one of the face."""
        patch = self._straightened(picture, matrix)
        blind = cv2.dilate(unusable(patch).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        soft = min(0.6 / max(scale, 0.15), 3.0)
        known = np.asarray(cv2.GaussianBlur(self._coded[face], (0, 0), soft), np.float32)
        cells, weights = _correlations(known, patch)
        seen = self._relit(linear(patch), self._known[face], blind)
        odd = _odd(seen, known) > _ODD
        odd &= ~blind
        weak = cv2.resize(
            (cells < 0.35).astype(np.uint8), (self.shape[1], self.shape[0]), interpolation=cv2.INTER_NEAREST
        )
        shown = ~odd & (weak == 0) & ~blind
        cover = _cover(odd | ((weak > 0) & ~blind))
        rival, ahead, clear = self._closest(face, seen, blind)
        return Compared(
            face=face,
            matrix=matrix,
            likeness=_better_part(cells, weights),
            shown=float(shown.mean()),
            covered=float(cover.mean()),
            free_shown=float((shown & ~cover).sum()) / max(float((~cover).sum()), 1.0),
            inner=_inner_patch(odd) / odd.size,
            rival=rival,
            ahead=ahead,
            clear=clear,
        )

    def _straightened(self, picture: Image, matrix: Floats, margin: int = 0) -> Image:
        """Return what lies under a face, (height, width, 3), with a margin around it."""
        height, width = self.shape
        shift = np.array([[1.0, 0, -margin], [0, 1.0, -margin], [0, 0, 1.0]])
        size = (width + 2 * margin, height + 2 * margin)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(picture, matrix @ shift, size, flags=flags), np.uint8)

    def _moved_blocks(self, known: Gray, seen: Gray, reach: int) -> tuple[Floats, Floats]:
        """Return the middles (N, 2) of blocks of a face that are found again, and where they are."""
        here: list[tuple[float, float]] = []
        there: list[tuple[float, float]] = []
        off = _MARGIN_PX - reach
        edge = _BLOCK // 2
        for y in range(0, self.shape[0] - _BLOCK + 1, _EVERY):
            for x in range(0, self.shape[1] - _BLOCK + 1, _EVERY):
                block = known[y : y + _BLOCK, x : x + _BLOCK]
                if cv2.meanStdDev(block)[1].item() < _LEAST_CONTRAST:
                    continue
                around = seen[y + off : y + off + _BLOCK + 2 * reach, x + off : x + off + _BLOCK + 2 * reach]
                like = np.asarray(cv2.matchTemplate(around, block, cv2.TM_CCOEFF_NORMED), np.float32)
                _, most, _, at = cv2.minMaxLoc(like)
                if most > _LEAST_LIKE:
                    here.append((x + edge - 0.5, y + edge - 0.5))
                    there.append(
                        (
                            x + edge - 0.5 + at[0] - reach + _beside(like[at[1]], at[0]),
                            y + edge - 0.5 + at[1] - reach + _beside(like[:, at[0]], at[1]),
                        )
                    )
        return np.array(here, np.float64).reshape(-1, 2), np.array(there, np.float64).reshape(-1, 2)

    def _relit(self, seen: Singles, known: Singles, blind: Bools) -> Singles:
        """Return what is seen, coded, in the light in which the face was learnt.

        The light differs by a factor that varies evenly over the face, and by haze.
        """
        size = (self.shape[1] // 8, self.shape[0] // 8)
        small, learnt = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (seen, known))
        usable = cv2.resize(1 - blind.astype(np.float32), size, interpolation=cv2.INTER_AREA).ravel() > 0.5
        relit = np.empty_like(seen)
        for colour in range(3):
            design = np.column_stack(
                [(self._places * learnt[..., colour, None]).reshape(-1, 3), np.ones(size[0] * size[1])]
            )
            factors = _robust_fit(
                np.asarray(design[usable], np.float64),
                np.asarray(small[..., colour].ravel()[usable], np.float64),
            )
            gain = cv2.resize(self._places @ factors[:3].astype(np.float32), self.shape[::-1])
            relit[..., colour] = (seen[..., colour] - factors[3]) / np.maximum(gain, 0.02)
        return valued(relit)

    def _closest(self, face: int, seen: Singles, blind: Bools) -> tuple[int, float, float]:
        """Return the face that is hardest to tell from this one, how far that is behind, and how clearly."""
        if len(self._half) == 1:
            return -1, np.inf, 1.0
        size = (self.shape[1] // 2, self.shape[0] // 2)
        half = cv2.resize(cv2.GaussianBlur(seen, (0, 0), 1.0), size, interpolation=cv2.INTER_AREA)
        open_ = cv2.resize(1 - blind.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.9
        rim = 2
        open_[:rim], open_[-rim:], open_[:, :rim], open_[:, -rim:] = False, False, False, False
        others = self._half[:, :, open_]
        here = np.asarray(half[open_].T, np.float32)
        unlike = _far_apart(others, others[face])
        theirs = _far_apart(others, here)
        apart = unlike > _ODD**2
        gained = ((theirs - theirs[face]) * apart).sum(axis=1) / (2 * _NOISE**2 * _TOGETHER)
        possible = (unlike * apart).sum(axis=1) / (2 * _NOISE**2 * _TOGETHER)
        gained[face] = np.inf
        rival = int(gained.argmin())
        return rival, float(gained[rival]), float(gained[rival] / max(possible[rival], 1e-3))


def shape_of(width: float, height: float) -> tuple[int, int]:
    """Return height and width, px, at which a face of these proportions is compared."""
    short, long = sorted((width, height))
    along = max(round(SHORT_PX * min(long / short, 4.0) / _CELL), SHORT_PX // _CELL) * _CELL
    return (along, SHORT_PX) if height >= width else (SHORT_PX, along)


def resized(picture: Image, size_wh: tuple[int, int]) -> Image:
    """Return a picture at another size."""
    smaller = size_wh[0] < picture.shape[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size_wh, interpolation=how), np.uint8)


def _beside(like: Singles, at: int) -> float:
    """Return how far the top of a parabola through a line's greatest value lies beside it, -0.5 to 0.5."""
    if not 0 < at < len(like) - 1:
        return 0.0
    before, here, after = like[at - 1 : at + 2].tolist()
    bend = before - 2 * here + after
    return 0.0 if bend > -1e-6 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _gray(picture: Image) -> Gray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _step(here: Floats, there: Floats) -> Floats | None:
    """Return how a face must be moved so that its blocks lie where they were found, (3, 3)."""
    if len(here) < _LEAST_BLOCKS:
        return None
    if len(here) >= _BLOCKS_FOR_SLANT:
        step, _ = cv2.findHomography(here, there, cv2.RANSAC, 2.0, maxIters=100)
    else:
        rows, _ = cv2.estimateAffine2D(
            here, there, method=cv2.RANSAC, ransacReprojThreshold=2.0, maxIters=100
        )
        step = None if rows is None else np.vstack([rows, [0, 0, 1]])
    return None if step is None or not np.isfinite(step).all() else np.asarray(step, np.float64)


def _correlations(known: Singles, patch: Image) -> tuple[Singles, Singles]:
    """Return how each cell of a face correlates with what is seen, -1 to 1, and how much print it has."""
    one = np.asarray(cv2.cvtColor(known, cv2.COLOR_BGR2GRAY), np.float32) * np.float32(255)
    other = np.asarray(_gray(patch), np.float32)
    size = (one.shape[1] // _CELL, one.shape[0] // _CELL)

    def mean(values: Singles) -> Singles:
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)

    one_mean, other_mean = mean(one), mean(other)
    both = mean(one * other) - one_mean * other_mean
    ones, others = mean(one * one) - one_mean**2, mean(other * other) - other_mean**2
    # The noise of a dim picture is some levels: a cell without a print must show none.
    cells = np.asarray(both / np.sqrt((ones + 9) * (others + 9)), np.float32)
    return cells, np.asarray(np.sqrt(np.maximum(ones, 0)) + 3, np.float32)


def _better_part(cells: Singles, weights: Singles) -> float:
    order = np.argsort(-cells, axis=None)
    ranked, weighed = cells.ravel()[order], weights.ravel()[order]
    kept = np.cumsum(weighed) <= 0.7 * weighed.sum()
    kept[0] = True
    return float((ranked * weighed)[kept].sum() / weighed[kept].sum())


def _robust_fit(design: Floats, values: Floats) -> Floats:
    """Return factors (4,) of a least squares fit in which what disagrees loses weight."""
    weight = np.ones(len(values))
    prior = np.diag([1e-4, 0.3, 0.3, 3.0])
    factors = np.array([1.0, 0, 0, 0])
    for _ in range(_ROUNDS):
        pull = design * weight[:, None]
        middle = float(np.sum(weight * design[:, 0] * values) / max(np.sum(weight * design[:, 0] ** 2), 1e-9))
        start = np.array([middle, 0, 0, 0])
        factors = start + np.linalg.solve(pull.T @ design + prior, pull.T @ (values - design @ start))
        off = np.abs(values - design @ factors)
        scale = 1.5 * float(np.median(off)) + 1e-3 if len(off) else 1.0
        weight = 1 / (1 + (off / scale) ** 2)
    return factors


def _odd(seen: Singles, known: Singles) -> Singles:
    """Return how far each pixel is from what is printed around there, coded."""
    soft = cv2.GaussianBlur(seen, (3, 3), 0)
    around = np.ones((5, 5), np.uint8)
    beyond = np.maximum(soft - cv2.dilate(known, around), cv2.erode(known, around) - soft)
    return greatest(np.maximum(np.asarray(beyond, np.float32), 0))


def _far_apart(some: Singles, other: Singles) -> Singles:
    """Return the squared distance, up to the greatest that matters, of colours (N, 3, pixels) from others."""
    apart = np.abs(some - other)
    most = np.maximum(np.maximum(apart[:, 0], apart[:, 1]), apart[:, 2])
    return np.asarray(np.minimum(most, _FAR) ** 2, np.float32)


def _cover(strange: Bools) -> Bools:
    """Return the largest patch that reaches the rim: what lies on a face reaches in from outside."""
    whole = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((13, 13), np.uint8))
    count, patches, stats, _ = cv2.connectedComponentsWithStats(whole)
    height, width = strange.shape
    best, most = 0, 0
    for number, (left, top, across, down, area) in enumerate(stats[1:count].tolist(), start=1):
        at_rim = left < 2 or top < 2 or left + across > width - 2 or top + down > height - 2
        if at_rim and area > most:
            best, most = number, area
    return np.asarray((patches == best) & (best > 0), np.bool_)


def _inner_patch(odd: Bools) -> int:
    """Return the pixels of the largest odd patch that does not reach the rim."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    )
    height, width = odd.shape
    inner = [
        int(area)
        for left, top, across, down, area in stats[1:count].tolist()
        if left > 2 and top > 2 and left + across < width - 2 and top + down < height - 2
    ]
    return max(inner, default=0)
