"""Compares a place with a face: where exactly it lies, what is seen of it, which rival comes closest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Numbers, Singles
from vision.free.known_faces import Deck, reduced, relief_of, softened
from vision.photometry.light import linear, valued

# Rounds of alignment; the first in softened pictures, which know the way from further away.
_ROUNDS: Final = 8
_SOFT_ROUNDS: Final = 4
# A piece on a pile is nearer to the camera and looks larger; how much larger it may be, at most.
_LEAST_SIZE, _MOST_SIZE = 0.96, 1.09
_AT_REST_PX: Final = 0.05
# Correlation of a block from which it is taken to show the face.
_ALIKE: Final = 0.35
# Colours further from the learnt ones than this, coded 0 to 1, are of something else.
_ODD: Final = 0.12
_FAR: Final = 0.25
_NOISE: Final = 0.05
# So many pixels, at the scale at which rivals are told apart, go wrong together.
_TOGETHER: Final = 8.0
_LEAST_PRINT: Final = 0.15
_BURNT: Final = 250
# A place of which a smaller share of the print agrees is not worth a closer look.
_LEAST_ALIKE: Final = 0.3
_ALIKE_AT_FIRST, _LEAST_AT_FIRST = 0.3, 0.3
_RIVALS: Final = 5
# Faces that could be told apart by less than this are printed alike.
_ALIKE_PRINT: Final = 8.0
_FITS: Final = 4
# A plain gain is likeliest; slopes and haze follow only from clear evidence.
_PRIOR: Final = np.diag([1e-6, 0.003, 0.003, 0.03])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Where a face lies in a rectified picture: its middle, px, its turn, radians clockwise, its size."""

    x: float
    y: float
    turn: float
    size: float = 1.0

    def maps(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """Return where points x, y of a face, px from its middle, are seen."""
        cos, sin = np.float32(self.size * np.cos(self.turn)), np.float32(self.size * np.sin(self.turn))
        return np.float32(self.x) + cos * x - sin * y, np.float32(self.y) + sin * x + cos * y

    def corners(self, shape: tuple[int, int]) -> Floats:
        """Return the corners of a face of this shape, px, from its top left clockwise, (4, 2)."""
        height, width = shape
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
        cos, sin = self.size * np.cos(self.turn), self.size * np.sin(self.turn)
        return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (self.x, self.y), np.float64)


class Scene:
    """A rectified picture, and which of its pixels nothing has explained yet.

    Attributes:
        picture: (height, width, 3) uint8.
        free: (height, width) float32, 1 where something not yet known may be seen, 0 elsewhere.
    """

    def __init__(self, picture: Image, px_per_mm: float) -> None:
        """Prepare a picture at this scale."""
        self.picture = picture
        self.relief = relief_of(picture, px_per_mm)
        self.soft = softened(self.relief, px_per_mm)
        darkest, brightest = picture.min(axis=2), picture.max(axis=2)
        blind = ((darkest >= _BURNT) | (brightest <= 1)).astype(np.uint8)
        blind = cv2.morphologyEx(blind, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        self.free = 1 - cv2.dilate(blind, np.ones((3, 3), np.uint8)).astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for a face in a place.

    Attributes:
        face: its index in the deck.
        pose: exactly where.
        open_share: share of it that nothing known covers.
        shown: share of it that looks as learnt.
        likeness: correlation of what is shown, -1 to 1.
        ahead: logarithm of the likelihood ratio against the closest rival, over all that is open.
        rival: that face, -1 for none.
        clear: `ahead` as a share of what it would be if exactly this face were seen.
        hole: share of it that looks otherwise within its rim: what covers it mostly reaches in from outside.
        mask: (rows, columns) the blocks that show it.
        closest: the faces that come closest, nearest first, and how far each is behind.
    """

    face: int
    pose: Pose
    open_share: float
    shown: float
    likeness: float
    ahead: float
    rival: int
    clear: float
    hole: float
    mask: Bools
    closest: tuple[tuple[int, float], ...]


def register(scene: Scene, deck: Deck, face: int, start: Pose) -> Pose:
    """Return exactly where a face lies, by Gauss-Newton alignment from a rough start.

    What does not fit loses weight; size is held near 1, because little of a covered face knows it.
    """
    some = slice(None, None, 2)
    at_x, at_y = np.ascontiguousarray(deck.x[some, some]), np.ascontiguousarray(deck.y[some, some])
    inner = deck.inner[some, some]
    pose = start
    reach = np.hypot(*deck.shape) / 2
    for number in range(_ROUNDS):
        soft = number < _SOFT_ROUNDS
        known = (deck.soft if soft else deck.relief)[face][some, some]
        slopes = deck.slopes(face, soft=soft).reshape(4, -1)
        x, y = pose.maps(at_x, at_y)
        field = scene.soft if soft else scene.relief
        seen = cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        open_ = cv2.remap(scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        off = seen - known
        weight = (open_ * inner / (1 + (off / (1.2 if soft else 0.8)) ** 2) ** 2).ravel()
        pulled = slopes * weight
        square = np.asarray(pulled @ slopes.T, np.float64)
        pull = np.asarray(pulled @ off.ravel(), np.float64)
        # The size is known beforehand to about 1 %.
        square[3, 3] += square[0, 0] * reach**2 + 1e-3
        pull[3] += (pose.size - 1) * square[0, 0] * reach**2 * 0.02
        square += np.eye(4) * 1e-3
        step = -np.linalg.solve(square, pull)
        step[:2] = np.clip(step[:2], -2, 2)
        step[2] = np.clip(step[2], -0.03, 0.03)
        step[3] = np.clip(step[3], -0.01, 0.01)
        # Steps are of the face's own picture.
        cos, sin = pose.size * np.cos(pose.turn), pose.size * np.sin(pose.turn)
        pose = Pose(
            x=float(pose.x + cos * step[0] - sin * step[1]),
            y=float(pose.y + sin * step[0] + cos * step[1]),
            turn=float(pose.turn + step[2]),
            size=float(np.clip(pose.size * (1 + step[3]), _LEAST_SIZE, _MOST_SIZE)),
        )
        if not soft and np.hypot(step[0], step[1]) + abs(step[2]) * reach < _AT_REST_PX:
            break
    return pose


def resembles(scene: Scene, deck: Deck, face: int, pose: Pose) -> bool:
    """Whether a place is like a face at first sight, roughly placed."""
    some = slice(None, None, 2)
    x, y = pose.maps(np.ascontiguousarray(deck.x[some, some]), np.ascontiguousarray(deck.y[some, some]))
    seen = cv2.remap(scene.soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = cv2.remap(scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
    weight = weight * deck.inner[some, some]
    known = deck.soft[face][some, some]
    both, ones, others, opened = (
        deck.by_block(one)
        for one in (weight * seen * known, weight * known * known, weight * seen * seen, weight)
    )
    can = opened > 0.4
    alike = both / np.sqrt((ones + 0.01) * (others + 0.01))
    return bool((can & (alike > _ALIKE_AT_FIRST)).sum() >= max(_LEAST_AT_FIRST * can.sum(), 2))


def compare(scene: Scene, deck: Deck, face: int, pose: Pose) -> Evidence | None:
    """Return what speaks for a registered face, None if what is seen does not resemble it at all."""
    x, y = pose.maps(deck.x, deck.y)
    open_ = cv2.remap(scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
    seen = cv2.remap(scene.relief, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    known = deck.relief[face]
    weight = open_ * deck.inner
    open_blocks = deck.by_block(weight)
    both, ones, others = (deck.by_block(weight * one) for one in (seen * known, known * known, seen * seen))
    floor = np.float32(0.1) * open_blocks
    alike = both / np.sqrt((ones + floor) * (others + floor) + 1e-9)
    has_print = ones > _LEAST_PRINT * open_blocks
    opened = open_blocks > 0.4
    firm = opened & (alike > _ALIKE) & has_print
    if firm.sum() < _LEAST_ALIKE * max((opened & has_print).sum(), 1):
        return None
    small, free = _small(scene, deck, pose)
    small = _relit(deck, small, deck.light[face], free)
    odd = _unlike(small, deck.small[face])
    grid = (deck.blocks[1], deck.blocks[0])
    odd_blocks = cv2.resize((odd > _ODD).astype(np.float32), grid, interpolation=cv2.INTER_AREA)
    plain = odd_blocks < 0.35
    firm &= plain
    mask = firm | (
        opened & plain & ~has_print & (cv2.dilate(firm.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    )
    likeness = float((both * firm).sum() / np.sqrt((ones * firm).sum() * (others * firm).sum() + 1e-9))
    closest, possible = _closest(deck, face, small, opened)
    rival, ahead = closest[0] if closest else (-1, np.inf)
    return Evidence(
        face=face,
        pose=pose,
        open_share=float(opened.mean()),
        shown=float(mask.mean()),
        likeness=likeness,
        ahead=ahead,
        rival=rival,
        clear=min(ahead / max(possible, 1e-3), 1.0) if closest else 1.0,
        hole=_hole(opened & ~mask),
        mask=np.asarray(mask, np.bool_),
        closest=closest,
    )


def _hole(other: Bools) -> float:
    """Return the share of blocks that look otherwise, in patches that do not reach the rim."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(other.astype(np.uint8), connectivity=4)
    height, width = other.shape
    inside = [
        int(area)
        for left, top, across, down, area in stats[1:count].tolist()
        if left > 0 and top > 0 and left + across < width and top + down < height
    ]
    return sum(inside) / other.size


def _small(scene: Scene, deck: Deck, pose: Pose) -> tuple[Singles, Singles]:
    """Return the light seen at the scale at which rivals are told apart, and how much of it can be used."""
    x, y = pose.maps(deck.small_x, deck.small_y)
    colours = cv2.remap(scene.picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    free = cv2.remap(scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
    return linear(np.asarray(colours, np.uint8)), np.asarray(free, np.float32)


def _unlike(seen: Singles, known: Singles) -> Singles:
    """Return how far each colour seen is from what is printed around there, (height, width)."""
    around = np.ones((3, 3), np.uint8)
    most = np.zeros(seen.shape[1:], np.float32)
    for one, other in zip(seen, known, strict=True):
        beyond = np.maximum(one - cv2.dilate(other, around), cv2.erode(other, around) - one)
        most = np.maximum(most, beyond)
    return np.asarray(most, np.float32)


def _closest(
    deck: Deck, face: int, seen: Singles, opened: Bools
) -> tuple[tuple[tuple[int, float], ...], float]:
    """Return the rivals, the closest first, with how far each is behind, and how far the first could be.

    All that is open counts: where something else is seen, it may be what a rival shows.
    """
    if len(deck.small) == 1:
        return (), 0.0
    everyone = np.arange(len(deck.small), dtype=np.intp)
    coarse = reduced(seen, (deck.coarse.shape[3], deck.coarse.shape[2]))
    rough = _behind(deck.coarse, face, coarse, opened, everyone)[0]
    rough[[face, *deck.alike[face]]] = np.inf
    near = np.argsort(rough)[:_RIVALS]
    near = near[np.isfinite(rough[near])]
    if not len(near):
        return (), 0.0
    behind, possible = _behind(deck.small, face, seen, opened, near)
    order = np.argsort(behind)
    return tuple((int(near[n]), float(behind[n])) for n in order), float(possible[order[0]])


def _behind(
    known: Singles, face: int, seen: Singles, opened: Bools, faces: Numbers
) -> tuple[Singles, Singles]:
    """Return how far faces are behind one, and how far they would be if exactly that one were seen."""
    size = (known.shape[3], known.shape[2])
    shown = cv2.resize(opened.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    shown[:1], shown[-1:], shown[:, :1], shown[:, -1:] = False, False, False, False
    mine, here, others = known[face][:, shown], seen[:, shown], known[faces][:, :, shown]
    unlike, theirs = _far(others - mine), _far(others - here)
    apart = _patches(unlike > _ODD**2, shown)
    scale = 2 * _NOISE**2 * _TOGETHER
    own = _far((mine - here)[None])[0]
    return ((theirs - own) * apart).sum(axis=1) / scale, (unlike * apart).sum(axis=1) / scale


def _patches(some: Bools, where: Bools) -> Bools:
    """Return some of the pixels in a region, (N, pixels), without those that stand alone.

    Two photographs never agree to the pixel: along every edge a pixel or two differ.
    """
    whole = np.zeros((len(some), *where.shape), np.uint8)
    whole[:, where] = some
    kernel = np.ones((2, 2), np.uint8)
    return np.stack([cv2.morphologyEx(one, cv2.MORPH_OPEN, kernel)[where] > 0 for one in whole])


def tell_alike(deck: Deck) -> None:
    """Note for each face of a deck the others that are printed alike: nothing can tell them apart."""
    everyone = np.arange(len(deck.small), dtype=np.intp)
    opened = np.ones(deck.blocks, np.bool_)
    result: list[tuple[int, ...]] = []
    for face in everyone.tolist():
        rough = _behind(deck.coarse, face, deck.coarse[face], opened, everyone)[1]
        near = np.array([n for n in np.argsort(rough)[:_RIVALS].tolist() if n != face], np.intp)
        apart = _behind(deck.small, face, deck.small[face], opened, near)[1] if len(near) else ()
        result.append(tuple(int(n) for n, one in zip(near, apart, strict=True) if one < _ALIKE_PRINT))
    deck.alike = tuple(result)


def _far(apart: Singles) -> Singles:
    """Return the squared distance of colours (N, 3, pixels), up to the greatest that matters."""
    size = np.abs(apart)
    most = np.maximum(np.maximum(size[:, 0], size[:, 1]), size[:, 2])
    return np.asarray(np.minimum(most, _FAR) ** 2, np.float32)


def _relit(deck: Deck, seen: Singles, known: Singles, usable: Singles) -> Singles:
    """Return colours seen (height, width, 3), coded, (3, height, width), in the light of the learnt ones.

    The light differs by a gain that varies evenly over the face, and by haze. What does not fit loses weight.
    """
    some = slice(1, None, 3)
    trusted = usable[some, some].ravel()
    full_x, full_y = deck.small_x / deck.shape[1] * 2, deck.small_y / deck.shape[0] * 2
    x, y = full_x[some, some].ravel(), full_y[some, some].ravel()
    prior = _PRIOR * max(float(trusted.sum()), 1.0)
    relit = np.empty((3, *seen.shape[:2]), np.float32)
    for colour in range(3):
        learnt, light = known[some, some, colour].ravel(), seen[some, some, colour].ravel()
        design = np.stack([learnt, learnt * x, learnt * y, np.ones_like(learnt)])
        trust, factors = trusted, np.zeros(4)
        for turn in range(_FITS):
            pull = design * trust
            plain = float(pull[0] @ light) / max(float(pull[0] @ learnt), 1e-6)
            start = np.array([plain, 0, 0, 0])
            square = np.asarray(pull @ design.T, np.float64) + prior
            factors = start + np.linalg.solve(square, pull @ (light - plain * learnt))
            off = np.abs(light - factors.astype(np.float32) @ design)
            scale = 1.5 * float((off * trust).sum() / max(float(trust.sum()), 1e-6)) + 4e-3
            trust = trusted / (1 + (off / (scale * (1.5 if turn == 0 else 0.8))) ** 2) ** 2
        gain = np.maximum(factors[0] + factors[1] * full_x + factors[2] * full_y, 0.02)
        relit[colour] = (seen[..., colour] - np.float32(factors[3])) / gain
    return valued(relit)
