"""Registration of learnt faces: position and rotation of a face in the city picture, and how well it agrees.

Gauss-Newton image alignment (Lucas and Kanade, 1981) on edge fields at half the city's scale. Agreement is
measured block by block: figures, hands and glare cover blocks, and the others must still agree. Many faces
are registered at once, which makes it fast.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Singles
from vision.photometry.light import coded, edges, gray_of

Numbers: TypeAlias = NDArray[np.intp]
# The fields seen under faces, (N, 2, height, width), and how their blocks agree, (N, rows, columns).
_Sample: TypeAlias = tuple[Singles, Singles]

BLOCK = 16  # city pixels of a block's edge: 10 mm
_EDGE = BLOCK // 2  # the same at half scale
_REACH = 9  # px over which edges are evened out
_PAD = _REACH // 2 + 1
_HALF_SCALE = np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
# This many faces at a time fit into the processor's cache.
_AT_ONCE = 16
# A face this far behind its rivals never catches up: at the start, and after each step.
_HOPELESS = (0.3, 0.2)
# Steps smaller than this are the last: px of half scale, radians.
_AT_REST, _AT_REST_TURN = 0.1, 0.0025


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One learnt face of a tile.

    Attributes:
        name: for example ``mill/sketch``.
        picture: (height, width, 3) float32, linear light relative to white paper, at the city's scale; both
            are multiples of `BLOCK`, so a rim of the face may be left out.
        valid: (height, width) bool; False if it could not be learnt.
    """

    name: str
    picture: Singles
    valid: NDArray[np.bool_]

    def turned(self, quarters: int) -> Face:
        """Return the face after quarter turns anticlockwise, as `numpy.rot90` turns."""
        return replace(
            self,
            picture=np.ascontiguousarray(np.rot90(self.picture, quarters)),
            valid=np.ascontiguousarray(np.rot90(self.valid, quarters)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose2D:
    """Pose of a face in the city picture: its middle, px, its turn, radians, its size against nominal."""

    x_px: float
    y_px: float
    turn: float
    size: float = 1.0

    def matrix(self, shape: tuple[int, ...]) -> Floats:
        """Return the map (2, 3) from pixels of a face (height, width, ...) to pixels of the city picture."""
        c, s = self.size * math.cos(self.turn), self.size * math.sin(self.turn)
        x, y = (shape[1] - 1) / 2, (shape[0] - 1) / 2
        return np.array([[c, -s, self.x_px - c * x + s * y], [s, c, self.y_px - s * x - c * y]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One face registered in one place.

    Attributes:
        face: index into the library.
        pose: its exact pose.
        score: agreement over the better part of the face, -1 to 1.
        blocks: agreement of each block of the face, -1 to 1.
    """

    face: int
    pose: Pose2D
    score: float
    blocks: Singles


class FineFaces:
    """Faces of one size at half the city's scale: their edge fields, and the derivatives of these by pose."""

    def __init__(self, faces: Sequence[Face]) -> None:
        """Prepare one face or several."""
        self._shape = faces[0].picture.shape[:2]
        height, width = self._shape[0] // 2, self._shape[1] // 2
        self._size, self._grid = (height, width), (height // _EDGE, width // _EDGE)
        count = len(faces)
        self._fields = np.zeros((count, 2, height, width), np.float32)
        self._slopes = np.zeros((count, 4, 2, height, width), np.float32)
        self._masks = np.zeros((count, height, width), np.float32)
        for number, face in enumerate(faces):
            small = cv2.resize(gray_of(coded(face.picture)), (width, height), interpolation=cv2.INTER_AREA)
            self._fields[number] = edges(np.asarray(small, np.float32), _REACH)
            self._slopes[number] = _moves(self._fields[number])
            self._masks[number] = _mask(face.valid, (width, height))
        # The energy of the fields, by block and in total.
        self._energy = (self._fields**2).sum(axis=1)
        self._blocks = _by_block(self._energy * self._masks)
        self._floors = np.asarray(self._blocks.mean(axis=(1, 2)), np.float32)
        self._weights = _weigh(self._blocks, _by_block(self._masks, mean=True), self._floors)
        self._all = self._weights.sum(axis=(1, 2))
        pairs = zip(self._slopes, self._masks, strict=True)
        self._squares = np.stack([_block_squares(slopes, mask) for slopes, mask in pairs])

    def register(self, gray: Singles, face: int, start: Pose2D, rounds: int = 8) -> Match:
        """Register one face, from a rough start, on a picture softened by `soften`."""
        return self.register_all(gray, [(face, start)], rounds=rounds)[0]

    def register_all(
        self,
        gray: Singles,
        starts: Sequence[tuple[int, Pose2D]],
        *,
        groups: Sequence[int] | None = None,
        rounds: int = 8,
        free: Singles | None = None,
    ) -> list[Match]:
        """Register faces from rough starts; blocks that disagree lose weight.

        Args:
            gray: the city's brightness, softened by `soften`.
            starts: faces and their initial poses.
            groups: a number for each; of those with the same number only the best is needed, and those
                hopelessly behind are registered less exactly.
            rounds: maximum number of steps.
            free: of the size of `gray`, 0 where something known covers the city.
        """
        if not starts:
            return []
        faces = np.array([face for face, _ in starts], np.intp)
        poses = np.array([[one.x_px, one.y_px, one.turn, one.size] for _, one in starts])
        rivals = np.arange(len(starts)) if groups is None else np.array(groups, np.intp)
        asked = self._asked(faces, poses, None if free is None else self._patches(free, faces, poses))
        best = _Best(rivals, self._grid)
        here, now = np.arange(len(starts)), poses
        for turn in range(rounds + 1):
            # All are sampled before any is moved: rivals are compared with each other.
            some = _in_batches(len(here))
            samples = [self._sample(gray, asked, here[part], now[part], best) for part in some]
            if turn == rounds or not some:
                break
            here, now = self._move_all(asked, here, now, samples, best, _HOPELESS[min(turn, 1)])
        return best.matches(faces)

    def _asked(self, faces: Numbers, poses: Floats, free: Singles | None) -> _Asked:
        """Return the faces to register; `free` (N, height, width) is 0 where a face is covered."""
        if free is None:
            return _Asked(faces, poses, None, self._blocks[faces], self._weights[faces])
        masks = self._masks[faces] * free
        blocks = _by_block(self._energy[faces] * masks)
        weights = _weigh(blocks, _by_block(masks, mean=True), self._floors[faces])
        return _Asked(faces, poses, masks, blocks, weights)

    def _sample(self, gray: Singles, asked: _Asked, which: Numbers, poses: Floats, best: _Best) -> _Sample:
        """Record how well some faces agree at their poses; return the fields seen there and the blocks."""
        seen = _all_edges(self._patches(gray, asked.faces[which], poses))
        scores, blocks = self._agreement(asked, which, seen)
        best.note(which, poses, scores, blocks)
        return seen, blocks

    def _move_all(
        self,
        asked: _Asked,
        which: Numbers,
        poses: Floats,
        samples: Sequence[_Sample],
        best: _Best,
        behind: float,
    ) -> tuple[Numbers, Floats]:
        """Return the same as `_move` for faces that were sampled in batches."""
        batches = zip(_in_batches(len(which)), samples, strict=True)
        going = [self._move(asked, which[at], poses[at], sample, best, behind) for at, sample in batches]
        return np.concatenate([one for one, _ in going]), np.concatenate([one for _, one in going])

    def _move(
        self, asked: _Asked, which: Numbers, poses: Floats, sample: _Sample, best: _Best, behind: float
    ) -> tuple[Numbers, Floats]:
        """Return which of some faces need another step, and their poses.

        Those have not converged and are not `behind` their best rival by that much.
        """
        going = best.scores[which] > best.of_rivals()[which] - behind
        which, poses, (seen, blocks) = which[going], poses[going], (one[going] for one in sample)
        if not len(which):
            return which, poses
        steps = self._steps(asked, which, seen, blocks)
        moved = _moved(poses, steps, asked.poses[which])
        rests = (np.abs(steps[:, :2]).max(axis=1) < _AT_REST) & (np.abs(steps[:, 2]) < _AT_REST_TURN)
        best.move(which[rests], poses[rests], moved[rests])
        return which[~rests], moved[~rests]

    def _patches(self, picture: Singles, faces: Numbers, poses: Floats) -> Singles:
        """Return what lies under each face in a picture of the city, (N, height, width), at half scale."""
        height, width = self._size
        patches = np.empty((len(faces), height, width), np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        matrices = _matrices(poses, self._shape) @ _HALF_SCALE
        # A softened picture lies half a pixel to the right and below.
        matrices[:, :, 2] += 0.5
        for patch, matrix in zip(patches, matrices, strict=True):
            cv2.warpAffine(
                picture, matrix, (width, height), dst=patch, flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
        return patches

    def _steps(self, asked: _Asked, which: Numbers, seen: Singles, blocks: Singles) -> Floats:
        """Return the steps (N, 4): x and y in px of half scale, turn in radians, size."""
        height, width = self._size
        count, faces = len(which), asked.faces[which]
        trust = np.clip(blocks, 0.05, 1).astype(np.float32)
        spread = cv2.resize(
            trust.reshape(-1, width // _EDGE), (width, count * height), interpolation=cv2.INTER_NEAREST
        ).reshape(count, 1, height, width)
        weight = spread * (self._masks[faces] if asked.masks is None else asked.masks[which])[:, None]
        off = (weight * (seen - self._fields[faces])).reshape(count, -1)
        slopes = [self._slopes[face].reshape(4, -1) for face in faces]
        pull = np.stack([slope @ one for slope, one in zip(slopes, off, strict=True)])
        if asked.masks is None:
            square = np.einsum("nb,nbij->nij", trust.reshape(count, -1), self._squares[faces])
        else:
            both = np.repeat(weight, 2, axis=1).reshape(count, 1, -1)
            square = np.stack([(s * w) @ s.T for s, w in zip(slopes, both, strict=True)])
        # Sizes hardly vary: a learnt face has its own size, up to errors of the lens model.
        prior = np.diag([0.0, 0.0, 0.0, 400.0]) + np.eye(4) * 1e-4
        return np.asarray(np.linalg.solve(square + prior, -pull[:, :, None])[..., 0], np.float64)

    def _agreement(self, asked: _Asked, which: Numbers, seen: Singles) -> tuple[Singles, Singles]:
        """Return scores (N,) and the blocks' agreement (N, rows, columns)."""
        faces, count = asked.faces[which], len(which)
        masks = self._masks[faces] if asked.masks is None else asked.masks[which]
        products = np.empty((2, count, *self._size), np.float32)
        np.multiply((seen * self._fields[faces]).sum(axis=1), masks, out=products[0])
        np.multiply((seen * seen).sum(axis=1), masks, out=products[1])
        both, theirs = _by_block(products.reshape(-1, *self._size)).reshape(2, count, *self._grid)
        # A block without edges on the face must have none on the table either.
        floor = (0.15 * self._floors[faces] + 1e-6)[:, None, None]
        blocks = both / np.sqrt((asked.blocks[which] + floor) * (theirs + floor))
        weight, flat = asked.weights[which].reshape(count, -1), blocks.reshape(count, -1)
        order = np.argsort(-flat, axis=1)
        ranked, weighed = np.take_along_axis(flat, order, 1), np.take_along_axis(weight, order, 1)
        total = weight.sum(axis=1)
        share = np.cumsum(weighed, axis=1) / total[:, None]
        # The better part: the best blocks up to 0.7 of the weight, at least one.
        kept = share < 0.7
        kept[:, 0] = True
        scores = (ranked * weighed * kept).sum(axis=1) / (weighed * kept).sum(axis=1)
        # If little of the face is visible, agreement proves little.
        scores *= np.minimum(1.0, total / (0.45 * self._all[faces]))
        return scores, blocks


@dataclass(frozen=True, slots=True)
class _Asked:
    """N faces to be registered.

    Attributes:
        faces, poses: their indices and initial poses.
        masks: (N, height, width), how much each pixel counts; None if every learnt pixel counts fully.
        blocks, weights: (N, rows, columns), energy and weight of the blocks.
    """

    faces: Numbers
    poses: Floats
    masks: Singles | None
    blocks: Singles
    weights: Singles


class _Best:
    """The best pose found so far of every face being registered; rivals have the same number in `groups`."""

    def __init__(self, groups: Numbers, blocks: tuple[int, int]) -> None:
        count = len(groups)
        self._groups = groups
        self.scores = np.full(count, -np.inf)
        self.poses = np.zeros((count, 4))
        self.blocks = np.zeros((count, *blocks), np.float32)

    def note(self, which: Numbers, poses: Floats, scores: Singles, blocks: Singles) -> None:
        """Keep the poses that are better than before."""
        better = scores > self.scores[which]
        at = which[better]
        self.scores[at], self.poses[at], self.blocks[at] = scores[better], poses[better], blocks[better]

    def move(self, which: Numbers, poses: Floats, moved: Floats) -> None:
        """Take a last small step from the current poses of some faces if those are their best."""
        still = (self.poses[which] == poses).all(axis=1)
        self.poses[which[still]] = moved[still]

    def of_rivals(self) -> Floats:
        """Return for every face the best score of its group."""
        best = np.full(int(self._groups.max()) + 1, -np.inf)
        np.maximum.at(best, self._groups, self.scores)
        return best[self._groups]

    def matches(self, faces: Numbers) -> list[Match]:
        """Return these faces where they are best, in their order."""
        poses = (
            Pose2D(x_px=float(x), y_px=float(y), turn=float(turn), size=float(size))
            for x, y, turn, size in self.poses
        )
        each = zip(faces, poses, self.scores, self.blocks, strict=True)
        return [
            Match(face=int(face), pose=pose, score=float(score), blocks=blocks)
            for face, pose, score, blocks in each
        ]


def _in_batches(count: int) -> list[slice]:
    """Return slices of at most `_AT_ONCE` that cover so many."""
    return [slice(first, first + _AT_ONCE) for first in range(0, count, _AT_ONCE)]


def soften(gray: Singles) -> Singles:
    """Return the picture prepared for registration: nothing finer than its half scale."""
    return np.asarray(cv2.blur(gray, (2, 2)), np.float32)


def _mask(valid: NDArray[np.bool_], size_wh: tuple[int, int]) -> Singles:
    known = cv2.resize(valid.astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    mask = cv2.erode(np.asarray(known, np.float32), np.ones((3, 3), np.uint8)) > 0.9
    mask[:2], mask[-2:], mask[:, :2], mask[:, -2:] = False, False, False, False
    return mask.astype(np.float32)


def _moves(field: Singles) -> Singles:
    """Return the derivatives of a field by x, y, turn (radians) and size, (4, 2, height, width)."""
    height, width = field.shape[1:]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x - (width - 1) / 2, y - (height - 1) / 2
    dx = np.stack([cv2.Sobel(one, cv2.CV_32F, 1, 0, ksize=3, scale=0.125) for one in field])
    dy = np.stack([cv2.Sobel(one, cv2.CV_32F, 0, 1, ksize=3, scale=0.125) for one in field])
    return np.stack([dx, dy, dy * x - dx * y, dx * x + dy * y]).astype(np.float32)


def _block_squares(slopes: Singles, mask: Singles) -> Singles:
    """Return every block's share of the Gauss-Newton matrix, (blocks, 4, 4)."""
    pairs = [
        _by_block((one * other).sum(axis=0)[None] * mask)[0].ravel() for one in slopes for other in slopes
    ]
    return np.stack(pairs, axis=-1).reshape(-1, 4, 4).astype(np.float32)


def _by_block(values: Singles, *, mean: bool = False) -> Singles:
    """Return the sums (or means) over blocks of pictures (N, height, width)."""
    count, height, width = values.shape
    tall = np.ascontiguousarray(values, np.float32).reshape(-1, width)
    means = cv2.resize(tall, (width // _EDGE, count * height // _EDGE), interpolation=cv2.INTER_AREA)
    blocks = means.reshape(count, height // _EDGE, width // _EDGE)
    return np.asarray(blocks if mean else blocks * _EDGE**2, np.float32)


def _weigh(energy: Singles, share: Singles, floors: Singles) -> Singles:
    """Return the blocks' weights from their energy and from the share of each that counts."""
    return np.asarray(np.sqrt(energy + 0.15 * floors[:, None, None] * share + 1e-6), np.float32)


def _all_edges(patches: Singles) -> Singles:
    """Return what `edges` gives of each of the pictures (N, height, width): (N, 2, height, width)."""
    count, height, width = patches.shape
    pad, inner = _PAD, (slice(None), slice(_PAD, -_PAD), slice(_PAD, -_PAD))
    # Stacked one under the other, each padded by mirroring, so that neighbours do not affect each other.
    tall = np.empty((count, height + 2 * pad, width + 2 * pad), np.float32)
    tall[inner] = patches
    tall[:, :pad, pad:-pad] = patches[:, pad:0:-1]
    tall[:, -pad:, pad:-pad] = patches[:, -2 : -pad - 2 : -1]
    tall[:, :, :pad] = tall[:, :, 2 * pad : pad : -1]
    tall[:, :, -pad:] = tall[:, :, -pad - 2 : -2 * pad - 2 : -1]
    sheet = edges(tall.reshape(-1, width + 2 * pad), _REACH).reshape(2, *tall.shape)
    return np.ascontiguousarray(sheet[(slice(None), *inner)].transpose(1, 0, 2, 3))


def _matrices(poses: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the maps (N, 2, 3) from pixels of a face to pixels of the city picture of lies (N, 4)."""
    at_x, at_y, turn, size = poses.T
    c, s = np.cos(turn) * size, np.sin(turn) * size
    x, y = (shape[1] - 1) / 2, (shape[0] - 1) / 2
    rows = np.stack([c, -s, at_x - c * x + s * y, s, c, at_y - s * x - c * y], axis=-1)
    return np.asarray(rows.reshape(-1, 2, 3), np.float64)


def _moved(poses: Floats, steps: Floats, starts: Floats) -> Floats:
    """Return the lies (N, 4) after steps given in half-scale pixels of the face, kept near the starts."""
    most = np.array([1.5, 1.5, 0.05, 0.02])
    dx, dy, turn, grow = np.clip(steps, -most, most).T
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    moved = poses + np.stack([2 * (c * dx - s * dy), 2 * (s * dx + c * dy), turn, grow], axis=-1)
    reach = np.array([8.0, 8.0, 0.14, np.inf])
    near = np.clip(moved, starts - reach, starts + reach)
    near[:, 3] = np.clip(near[:, 3], 0.95, 1.05)
    return np.asarray(near, np.float64)
