"""Compares a place with a face: where exactly it lies, what is seen of it, which rival comes closest."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Numbers, Singles
from vision.free.known_faces import Deck, reduced, relief_of, softened
from vision.free.relighting import Relit, relit
from vision.free.tokens import UNLIKELY, no_tokens
from vision.photometry.light import greatest, least, linear, valued

# Rounds of alignment; the first in softened pictures, which know the way from further away.
_ROUNDS: Final = 8
_SOFT_ROUNDS: Final = 4
# A piece on a pile is nearer to the camera and looks larger; how much larger it may be, at most.
_LEAST_SIZE, _MOST_SIZE = 0.96, 1.09
_AT_REST_PX: Final = 0.05
_SOFT_REST_PX: Final = 0.2
# Correlation of a block from which it is taken to show the face.
_ALIKE: Final = 0.35
# Colours further from the learnt ones than this, coded 0 to 1, are of something else.
_ODD: Final = 0.12
# Of a block of a face so much is free of discs where it can be judged.
_BARE: Final = 0.7
_FAR: Final = 0.25
_NOISE: Final = 0.05
# So many pixels, at the scale at which rivals are told apart, go wrong together.
_TOGETHER: Final = 8.0
# The squared distances of colours that make up a unit of likelihood.
_SCALE: Final = 2 * _NOISE**2 * _TOGETHER
_LEAST_PRINT: Final = 0.15
# What is seen of print has hardly ever less relief than this.
_PLAINLY: Final = 0.7
# What is learnt of plain paper has the noise of its photograph: so faint a print of a back, of which less
# than such a share is seen, may be none. (Of a face it is: its lack may be all that tells it from another.)
_FAINT: Final = 0.7
_LOST: Final = 0.3
_BURNT: Final = 250
# A place of which a smaller share of the print agrees is not worth a closer look.
_LEAST_ALIKE: Final = 0.3
_ALIKE_AT_FIRST, _LEAST_AT_FIRST = 0.3, 0.3
_RIVALS: Final = 5
ALIKE_PRINT: Final = 8.0
"""Faces that could be told apart by less than this are printed alike."""
# So many of the faces that differ in no more than such a share of them are compared as they would lie.
_KIN, _RELATED = 5, 0.05
# Of the faces of the likest relief so many are looked at for these.
_LIKE_RELIEF: Final = 10
# Where prints are told apart, they are softened by so many px, at that scale. One was cut no more than so
# many px beside another one, and what is so near to the rim tells nothing.
_SOFT_PX: Final = 1.4
_CUT_OFF, _AT_RIM = 2.0, 3
_HALF: Final = 0.5
_DARK: Final = 0.01
# What a disc shades is darker in every colour than such a share of the print, coded.
_SHADED: Final = 0.8
# A lamp shines more or less on a part of the table by so much.
_LEVELS: Final = (0.5, 2.0)
# Where one is mirrored so much of the light on it is left of a face.
_LEVELS_IN_HAZE: Final = (0.1, 2.0)
# So many faces are looked at as they would be in haze.
_IN_HAZE: Final = 8


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
        alone = ((least(picture) >= _BURNT) | (greatest(picture) <= 1)).astype(np.uint8)
        blind = cv2.morphologyEx(alone, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        self.free = 1 - cv2.dilate(blind, np.ones((3, 3), np.uint8)).astype(np.float32)

    def without(self, hidden: Bools) -> Scene:
        """Return the same picture in which some pixels (height, width) tell nothing any more."""
        scene = copy.copy(self)
        scene.free = np.where(hidden, np.float32(0), self.free)
        return scene


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
        strange: share of it that looks otherwise and is no disc. Where the face and what is seen may both be
            plain, and in its colours, their noise looks no way.
        is_under_discs: whether discs lie upon it.
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
    strange: float
    is_under_discs: bool = False
    mask: Bools
    closest: tuple[tuple[int, float], ...]


def register(scene: Scene, deck: Deck, face: int, start: Pose) -> Pose:
    """Return exactly where a face lies, by Gauss-Newton alignment from a rough start.

    What does not fit loses weight; size is held near 1, because little of a covered face knows it.
    """
    pose = start
    reach = np.hypot(*deck.shape) / 2
    number = 0
    while number < _ROUNDS:
        soft = number < _SOFT_ROUNDS
        points = deck.points(soft=soft)
        known = (deck.soft if soft else deck.relief)[face][points.some, points.some]
        slopes = deck.slopes(face, soft=soft)
        inner = points.inner
        x, y = pose.maps(points.x, points.y)
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
        number += 1
        if np.hypot(step[0], step[1]) + abs(step[2]) * reach < (_SOFT_REST_PX if soft else _AT_REST_PX):
            if not soft:
                break
            number = _SOFT_ROUNDS
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


def compare(
    scene: Scene,
    deck: Deck,
    face: int,
    pose: Pose,
    is_worth: Callable[[Evidence], bool],
    *,
    by_print_alone: bool = False,
) -> Evidence | None:
    """Return what speaks for a registered face, None if what is seen does not resemble it at all.

    `is_worth` is asked whether to look for rivals, which takes longest, if none were to come near; if it is
    not, None is returned as well. If `by_print_alone`, its colours may be any.
    """
    x, y = pose.maps(deck.x, deck.y)
    seen = np.asarray(
        cv2.remap(scene.relief, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
    weight = cv2.remap(scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) * deck.inner
    print_ = _Print.of(deck, face, seen, weight)
    # Colours take longest; of what discs cover half a face may remain.
    if print_.agrees < _LEAST_ALIKE * (1.0 if deck.tokens is None else 0.5):
        return None
    small, tokens, bare = _colours(scene, deck, face, pose)
    if len(tokens):
        print_ = _Print.of(deck, face, seen, weight * bare)
        if print_.agrees < _LEAST_ALIKE:
            return None
    opened, firm, has_print, both, ones, others = print_.parts
    may_be_plain = print_.may_be_plain & ~firm
    odd = _unlike(small, deck.small[face])
    grid = (deck.blocks[1], deck.blocks[0])
    odd_blocks = cv2.resize((odd > _ODD).astype(np.float32), grid, interpolation=cv2.INTER_AREA)
    plain = (odd_blocks < 0.35) | by_print_alone
    firm &= plain
    mask = firm | (
        opened & plain & ~has_print & (cv2.dilate(firm.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    )
    no_disc = cv2.resize(bare, grid, interpolation=cv2.INTER_AREA) > _BARE
    alone = Evidence(
        face=face,
        pose=pose,
        open_share=float(opened.mean()),
        shown=float(mask.mean()),
        likeness=float((both * firm).sum() / np.sqrt((ones * firm).sum() * (others * firm).sum() + 1e-9)),
        ahead=np.inf,
        rival=-1,
        clear=1.0,
        hole=_hole(opened & ~mask),
        strange=float((opened & ~mask & ~(plain & may_be_plain) & no_disc).mean()),
        is_under_discs=not bare.all(),
        mask=np.asarray(mask, np.bool_),
        closest=(),
    )
    return _beside_rivals(deck, alone, small, opened, tokens) if is_worth(alone) else None


@dataclass(frozen=True, slots=True)
class _Print:
    """Block by block, how far the print that is seen is that of a face.

    Attributes:
        parts: blocks, (rows, columns): that can be seen, that agree, that have print; and the sums of the
            products of what is seen and known, of the squares of what is known, and of what is seen.
        may_be_plain: which blocks may be plain both as learnt and as seen: their relief may be noise.
    """

    parts: tuple[Bools, Bools, Bools, Singles, Singles, Singles]
    may_be_plain: Bools

    @classmethod
    def of(cls, deck: Deck, face: int, seen: Singles, weight: Singles) -> _Print:
        """Compare the relief seen with that of a face, both as large as the face."""
        known = deck.relief[face]
        open_blocks = deck.by_block(weight)
        both, ones, others = (
            deck.by_block(weight * one) for one in (seen * known, known * known, seen * seen)
        )
        floor = np.float32(0.1) * open_blocks
        alike = both / np.sqrt((ones + floor) * (others + floor) + 1e-9)
        has_print = ones > _LEAST_PRINT * open_blocks
        if deck.faces[face].is_back:
            has_print &= (ones > _FAINT * open_blocks) | (others > _LOST * ones)
        opened = open_blocks > 0.4
        firm = opened & (alike > _ALIKE) & has_print
        may_be_plain = (ones <= deck.faint * open_blocks) & (others <= _PLAINLY * open_blocks)
        return cls((opened, firm, has_print, both, ones, others), np.asarray(may_be_plain, np.bool_))

    @property
    def agrees(self) -> float:
        """The share of the blocks with print that agree."""
        opened, firm, has_print, *_ = self.parts
        return float(firm.sum() / max((opened & has_print).sum(), 1))


def _colours(scene: Scene, deck: Deck, face: int, pose: Pose) -> tuple[Singles, Bools, Singles]:
    """Return what is seen of a face in the light in which it was learnt, the discs that may lie upon it,
    and where none does, 1 or 0, as large as the face.

    A disc lies there if the face would not show what is seen.
    """
    small, free = _small_relit(scene, deck, face, pose)
    bare = np.ones(deck.shape, np.float32)
    tokens, asked = _tokens_on(deck, face, small, free)
    for one in asked:
        bare[_resized(one, (deck.shape[1], deck.shape[0]))] = 0
    return small.printed, tokens, bare


def _tokens_on(deck: Deck, face: int, small: Relit, free: Singles) -> tuple[Bools, list[Bools]]:
    """Return the discs that may lie on a face, and those without which it would not show what is seen.

    To these belong their shaded sides and their shadows beside them.
    """
    seen, known = small.printed, deck.small[face]
    if deck.tokens is None:
        return no_tokens(seen.shape[1:]), []
    px_per_mm = seen.shape[2] / deck.size_mm[0]
    tokens = deck.tokens.find(seen, small.standing, px_per_mm) & (free > 0)
    off = _far((known - seen).reshape(1, 3, -1))[0].reshape(seen.shape[1:])

    def excess(one: Bools) -> float:
        return float(off[one].sum() - _cost_of_token(int(one.sum())))

    plainest = sorted((one for one in tokens if excess(one) > 0), key=excess, reverse=True)
    if not plainest:
        return tokens, []
    shaded = (seen < _SHADED * known).all(axis=0) & (off > _ODD**2)
    reach = 2 * round(deck.tokens.radius_mm * px_per_mm) + 1
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    asked: list[Bools] = []
    for one in plainest:
        # What a disc and its shadow explain asks for no other one beside it.
        if excess(one) > 0:
            asked.append(one | (shaded & (cv2.dilate(one.astype(np.uint8), around) > 0)))
            off[asked[-1]] = 0
    return tokens, asked


def _cost_of_token(pixels: Floats | int) -> Floats | float:
    """Return up to which squared distance of colours a face explains so many pixels better than a disc."""
    return UNLIKELY * _SCALE + _ODD**2 * pixels


def _resized(some: Bools, size_wh: tuple[int, int]) -> Bools:
    return np.asarray(
        cv2.resize(some.astype(np.uint8), size_wh, interpolation=cv2.INTER_NEAREST) > 0, np.bool_
    )


def _beside_rivals(deck: Deck, alone: Evidence, small: Singles, opened: Bools, tokens: Bools) -> Evidence:
    """Return the evidence with how far the rivals are behind."""
    closest, possible = _closest(deck, alone.face, small, opened, tokens)
    if not closest:
        return alone
    rival, ahead = closest[0]
    return replace(
        alone, closest=closest, rival=rival, ahead=ahead, clear=min(ahead / max(possible, 1e-3), 1.0)
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


def _small_relit(scene: Scene, deck: Deck, face: int, pose: Pose) -> tuple[Relit, Singles]:
    """Return what is seen of a face in the light in which it was learnt, and how much of it can be used."""
    seen, free = _small(scene, deck, pose)
    return relit(seen, deck.light[face], free), free


def light_on(scene: Scene, deck: Deck, face: int, pose: Pose, shown: Bools) -> Floats | None:
    """Return how much more of blue, green and red light falls on a face than where it was learnt, (3,).

    `shown` are its blocks that are seen; None if none is.
    """
    seen, _ = _small(scene, deck, pose)
    mask = _resized(shown, (seen.shape[1], seen.shape[0]))
    if not mask.any():
        return None
    gains = np.median(seen[mask] / np.maximum(deck.light[face][mask], _DARK), axis=0)
    return np.asarray(np.maximum(gains, _DARK), np.float64)


def likest_by_colour(
    scene: Scene, deck: Deck, pose: Pose, light: Floats, many: int
) -> list[tuple[int, Pose]]:
    """Return the faces whose colours a place shows best, with how they lie there, the likest first.

    What lies upon a face spoils its relief for some way around, but its colours only where it lies. `light`
    is what falls on the table, of which there may be more or less here (`light_on`).
    """
    step = deck.shape[0] / deck.coarse.shape[2]
    found: list[tuple[float, int, Pose]] = []
    for turn, right, down in itertools.product(deck.turns.tolist(), (-step, 0.0, step), (-step, 0.0, step)):
        there = replace(pose, x=pose.x + right, y=pose.y + down, turn=pose.turn + turn)
        seen, free = _small(scene, deck, there)
        size = (deck.coarse.shape[3], deck.coarse.shape[2])
        even = np.asarray(seen / light, np.float32)
        small = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.float32)
        open_ = cv2.resize(free, size, interpolation=cv2.INTER_AREA).ravel() > _HALF
        if open_.mean() >= _HALF:
            off = np.minimum(_off_colours(deck, small, open_), _off_in_haze(deck, small, open_))
            found += [(float(one), face, there) for face, one in enumerate(off.tolist())]
    likest: dict[int, Pose] = {}
    for _, face, there in sorted(found, key=lambda one: one[0]):
        likest.setdefault(face, there)
    return list(likest.items())[:many]


def colours_behind(scene: Scene, deck: Deck, face: int, pose: Pose, shown: Bools, light: Floats) -> float:
    """Return how much further off the colours of a face are than those of the face that fits best.

    Registered faces are compared in whatever light suits them best, so that a blue tile may pass for a green
    one; here in the `light` that falls on the table. `shown` are its blocks that are seen.
    """
    size = (deck.coarse.shape[3], deck.coarse.shape[2])
    seen, _ = _small(scene, deck, pose)
    even = np.asarray(cv2.resize(np.asarray(seen / light, np.float32), size, interpolation=cv2.INTER_AREA))
    mask = _resized(shown, size).ravel()
    if not mask.any() or len(deck.faces) == 1:
        return 0.0
    off = _off_colours(deck, np.asarray(even, np.float32), mask)
    return float(off[face] - off.min())


def _off_colours(deck: Deck, seen: Singles, where: Bools) -> Floats:
    """Return how far the light of some pixels of a coarse picture is from that of each face, (faces,).

    `seen` (height, width, 3) is linear; `where` (pixels,) says which of its pixels count.
    """
    shown = np.ascontiguousarray(seen.reshape(-1, 3)[where].T)
    known = deck.coarse_total[:, where]
    levels = np.median(shown.sum(axis=0) / np.maximum(known, _DARK), axis=1)
    levels = np.clip(levels, *_LEVELS).astype(np.float32)
    # A level of light is a factor of its code as well.
    coded, factors = valued(shown), valued(1 / levels).reshape(-1, 1)
    # What is far off is something else: how far does not matter then.
    off, colours = np.zeros(known.shape, np.float32), deck.coarse.reshape(len(deck.faces), 3, -1)
    for number, colour in enumerate(coded):
        off = np.maximum(off, np.abs(colour * factors - colours[:, number, where]))
    return np.asarray(np.minimum(off, _FAR).mean(axis=1), np.float64)


def _off_in_haze(deck: Deck, seen: Singles, where: Bools) -> Floats:
    """Return how far the light of some pixels is from each face's if a lamp is mirrored there, (faces,).

    It lays white haze over a face, as much of all colours; more or less of the rest is left. Or one was
    mirrored when it was learnt. Of faces that are less like it in that than some others it is not told,
    infinite.
    """
    shown = np.ascontiguousarray(seen.reshape(-1, 3)[where].T)
    light = deck.coarse_light[:, :, where].reshape(len(deck.faces), -1)
    apart = light - light.mean(axis=1, keepdims=True)
    both, varies = apart @ shown.ravel(), (apart * apart).sum(axis=1)
    likest = np.argsort(-both / np.sqrt(varies + _DARK))[:_IN_HAZE]
    level = np.clip(both[likest] / (varies[likest] + _DARK), *_LEVELS_IN_HAZE)
    haze = shown.mean() - level * light[likest].mean(axis=1)
    clear = np.maximum(shown[None] - haze[:, None, None], 0) / level[:, None, None]
    colours = deck.coarse[likest].reshape(len(likest), 3, -1)[:, :, where]
    coded = np.abs(valued(np.asarray(clear, np.float32)) - colours).max(axis=1)
    off = np.full(len(deck.faces), np.inf)
    off[likest] = np.minimum(coded, _FAR).mean(axis=1)
    return off


def _unlike(seen: Singles, known: Singles) -> Singles:
    """Return how far each colour seen is from what is printed around there, (height, width)."""
    around = np.ones((3, 3), np.uint8)
    most = np.zeros(seen.shape[1:], np.float32)
    for one, other in zip(seen, known, strict=True):
        beyond = np.maximum(one - cv2.dilate(other, around), cv2.erode(other, around) - one)
        most = np.maximum(most, beyond)
    return np.asarray(most, np.float32)


def _closest(
    deck: Deck, face: int, seen: Singles, opened: Bools, tokens: Bools
) -> tuple[tuple[tuple[int, float], ...], float]:
    """Return the rivals, the closest first, with how far each is behind, and how far the first could be.

    All that is open counts: where something else is seen, it may be what a rival shows.
    """
    if len(deck.small) == 1:
        return (), 0.0
    everyone = np.arange(len(deck.small), dtype=np.intp)
    coarse = reduced(seen, (deck.coarse.shape[3], deck.coarse.shape[2]))
    size = (coarse.shape[2], coarse.shape[1])
    fewer = np.array([_resized(one, size) for one in tokens], np.bool_).reshape(-1, *coarse.shape[1:])
    rough = _behind(deck.coarse, face, coarse, opened, everyone, fewer, is_rough=True)[0]
    rough[[face, *deck.alike[face]]] = np.inf
    near = np.argsort(rough)[:_RIVALS]
    near = near[np.isfinite(rough[near])]
    if not len(near):
        return (), 0.0
    behind, possible = _behind(deck.small, face, seen, opened, near, tokens)
    order = np.argsort(behind)
    return tuple((int(near[n]), float(behind[n])) for n in order), float(possible[order[0]])


def _behind(
    known: Singles,
    face: int,
    seen: Singles,
    opened: Bools,
    faces: Numbers,
    tokens: Bools,
    *,
    is_rough: bool = False,
) -> tuple[Singles, Singles]:
    """Return how far faces are behind one, and how far they would be if exactly that one were seen.

    Where one of the `tokens` may lie, no face loses more than the token is unlikely. If `is_rough`, pixels
    that stand alone count as well.
    """
    size = (known.shape[3], known.shape[2])
    shown = cv2.resize(opened.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    if len(tokens):
        shown |= tokens.any(axis=0)
    shown[:1], shown[-1:], shown[:, :1], shown[:, -1:] = False, False, False, False
    mine, here, others = known[face][:, shown], seen[:, shown], known[faces][:, :, shown]
    unlike, theirs = _far(others - mine), _far(others - here)
    apart = unlike > _ODD**2
    if not is_rough:
        apart = _patches(apart, shown)
    own = _far((mine - here)[None])[0]
    behind = ((theirs - own) * apart).sum(axis=1)
    possible = (unlike * apart).sum(axis=1)
    for one in tokens[:, shown]:
        its, mines, would = ((each * apart)[:, one].sum(axis=1) for each in (theirs, own[None], unlike))
        cost = _cost_of_token((apart & one).sum(axis=1))
        behind += np.minimum(its, cost) - np.minimum(mines, cost) - (its - mines)
        # Of what a disc hides nothing can be told.
        possible -= np.where(mines > cost, would, 0)
    return behind / _SCALE, np.maximum(possible, 0) / _SCALE


def _patches(some: Bools, where: Bools) -> Bools:
    """Return some of the pixels in a region, (N, pixels), without those that stand alone.

    Two photographs never agree to the pixel: along every edge a pixel or two differ.
    """
    whole = np.zeros((len(some), *where.shape), np.uint8)
    whole[:, where] = some
    kernel = np.ones((2, 2), np.uint8)
    return np.stack([cv2.morphologyEx(one, cv2.MORPH_OPEN, kernel)[where] > 0 for one in whole])


def tell_alike(deck: Deck, may_be: Callable[[str, str], bool] = lambda *_: False) -> None:
    """Note for each face of a deck the others that are printed alike: nothing can tell them apart.

    `may_be` says of two names whether nothing is known by which they differ: then it does not matter, either.
    """
    everyone = np.arange(len(deck.small), dtype=np.intp)
    opened, names = np.ones(deck.blocks, np.bool_), [one.name for one in deck.faces]
    result: list[tuple[int, ...]] = []
    for face in everyone.tolist():
        rough = _behind(
            deck.coarse,
            face,
            deck.coarse[face],
            opened,
            everyone,
            no_tokens(deck.coarse.shape[2:]),
            is_rough=True,
        )[1]
        near = np.array([n for n in np.argsort(rough)[:_RIVALS].tolist() if n != face], np.intp)
        none = no_tokens(deck.small.shape[2:])
        apart = _behind(deck.small, face, deck.small[face], opened, near, none)[1] if len(near) else ()
        alike = {int(n) for n, one in zip(near, apart, strict=True) if one < ALIKE_PRINT}
        alike |= {n for n in everyone.tolist() if n != face and may_be(names[face], names[n])}
        result.append(tuple(sorted(alike)))
    deck.alike = tuple(result)
    deck.kin = _kin(deck)


def _kin(deck: Deck) -> tuple[tuple[int, ...], ...]:
    """Return for each face those that differ from it in little, the likest first.

    They may have been cut a little beside where they lay, and a lamp may have been mirrored in one of them:
    those of the likest relief are compared coarsely, in the same light.
    """
    known = deck.rough.known / np.sqrt(np.maximum(deck.rough.whole, 1e-6))[:, None]
    likes = np.asarray(known @ known.T, np.float64)
    size = (deck.coarse.shape[3], deck.coarse.shape[2])
    light = [cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in deck.light]
    everywhere = np.ones(size[::-1], np.float32)

    def differs(one: int, other: int) -> float:
        unlike = _unlike(relit(light[one], light[other], everywhere).printed, deck.coarse[other])
        return float((unlike > _ODD).mean())

    near = np.zeros(likes.shape, np.bool_)
    for face, alike in enumerate(deck.alike):
        likes[face, [face, *alike]] = -np.inf
        near[face, np.argsort(-likes[face])[:_LIKE_RELIEF]] = True
    near = (near | near.T) & np.isfinite(likes)
    shares = np.full(likes.shape, np.inf)
    for one, other in np.argwhere(np.triu(near)).tolist():
        shares[one, other] = shares[other, one] = min(differs(one, other), differs(other, one))
    likest = np.argsort(shares, axis=1, kind="stable")[:, :_KIN].tolist()
    return tuple(tuple(n for n in order if shares[one, n] < _RELATED) for one, order in enumerate(likest))


@dataclass(frozen=True, slots=True)
class Misfit:
    """How far a place is from what a face shows that lies there exactly.

    Attributes:
        off: (height, width) how far its colours are off, squared.
        open: (height, width) where it can be seen.
        tokens: how many discs hide a part of it, if this face lies there.
    """

    off: Singles
    open: Bools
    tokens: int = 0

    @classmethod
    def of(cls, scene: Scene, deck: Deck, face: int, pose: Pose) -> Misfit:
        """Compare the colours of a place with those of a registered face."""
        seen, free = _small_relit(scene, deck, face, pose)
        opened = np.asarray(free > 0, np.bool_)
        _, asked = _tokens_on(deck, face, seen, free)
        for one in asked:
            # Its side and its shadow are seen beside it.
            opened &= cv2.dilate(one.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
        return cls(_squared(seen.printed, deck.small[face]), opened, len(asked))

    def ahead_of(self, other: Misfit, difference: Singles) -> float:
        """Return how much better this face explains the place: logarithm of the likelihood ratio.

        Each lies as it would itself: of faces that were cut a millimetre off one is further behind, where the
        other lies, than its print says. Only where their prints differ (`print_difference`) is anything told:
        elsewhere it is how clean each was when it was learnt.
        """
        apart = np.where(self.open & other.open, other.off - self.off, 0).astype(np.float32)
        return _told(apart, difference) + UNLIKELY * (other.tokens - self.tokens)


def print_difference(deck: Deck, face: int, other: int) -> Singles:
    """Return how far the print of two faces differs, squared, (height, width), 0 where it hardly does.

    They are compared in the light in which one of them was learnt, moved to where that one was cut.
    """
    pair = (min(face, other), max(face, other))
    if pair not in deck.differences:
        known, everywhere = deck.small[pair[0]], np.ones(deck.small.shape[2:], np.float32)
        moved = _moved_onto(known, relit(deck.light[pair[1]], deck.light[pair[0]], everywhere).printed)
        differs = _squared(moved, known)
        # At the rim lies what is around a face.
        inner = np.zeros(differs.shape, np.bool_)
        inner[_AT_RIM:-_AT_RIM, _AT_RIM:-_AT_RIM] = True
        deck.differences[pair] = np.asarray(np.where(inner & (differs > _ODD**2), differs, 0), np.float32)
    return deck.differences[pair]


def _moved_onto(known: Singles, other: Singles) -> Singles:
    """Return a picture (3, height, width) moved by some pixels at most, so that it lies on another one.

    What would have to be moved further is like it nowhere.
    """
    mine, its = (np.asarray(one.mean(axis=0), np.float64) for one in (known, other))
    window = cv2.createHanningWindow(mine.shape[::-1], cv2.CV_64F)
    off = np.array(cv2.phaseCorrelate(its, mine, window)[0], np.float64)
    if np.abs(off).max() > _CUT_OFF:
        return other
    move = np.column_stack([np.eye(2), off])
    size = (mine.shape[1], mine.shape[0])
    moved = [cv2.warpAffine(one, move, size, borderMode=cv2.BORDER_REPLICATE) for one in other]
    return np.asarray(np.stack(moved), np.float32)


def beside_kin(evidence: Evidence, behind: Mapping[int, tuple[float, float]]) -> Evidence:
    """Return evidence in which some rivals are as far behind as their own pose and light have it.

    `behind` says of a rival how far, and how far it would be if exactly the face were seen. How clear a face
    is may only grow by that: light that suits a rival takes away a part of what speaks against it. But where
    what can be seen of both is printed alike nothing is clear.
    """
    known = {**dict(evidence.closest), **{rival: far for rival, (far, _) in behind.items()}}
    closest = tuple(sorted(known.items(), key=lambda one: one[1]))
    rival, ahead = closest[0]
    told = behind[rival][1] if rival in behind else np.inf
    clear = 0.0 if told < ALIKE_PRINT else max(evidence.clear, min(ahead / told, 1.0))
    return replace(evidence, closest=closest, rival=rival, ahead=ahead, clear=clear)


def told_by(difference: Singles, opened: Bools) -> float:
    """Return how far a rival would be behind at most, where a place can be seen."""
    return _told(np.where(opened, difference, 0).astype(np.float32), difference)


def _told(apart: Singles, difference: Singles) -> float:
    return float((apart * (difference > 0)).sum() / _SCALE)


def _squared(seen: Singles, known: Singles) -> Singles:
    """Return how far colours (3, height, width) are off, squared, (height, width).

    Both are softened by what photographs of the same print differ along its edges.
    """
    soft = np.stack([cv2.GaussianBlur(one, (0, 0), _SOFT_PX) for one in seen - known])
    return np.asarray(_far(np.asarray(soft, np.float32)[None])[0], np.float32)


def _far(apart: Singles) -> Singles:
    """Return the squared distance of colours (N, 3, ...), up to the greatest that matters, (N, ...)."""
    size = np.abs(apart)
    most = np.maximum(np.maximum(size[:, 0], size[:, 1]), size[:, 2])
    return np.asarray(np.minimum(most, _FAR) ** 2, np.float32)
