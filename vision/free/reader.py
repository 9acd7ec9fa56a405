"""Reads all that lies free in the areas of a table, frame after frame.

The table is redrawn as seen from straight above. The first frame is explained whole, every later one only
where it has changed; what lay there before is proposed again.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.free_faces import NAMED, FreeFace, FreeReading, Side
from companion.loose_pieces import Point
from companion.table_layout import Area, Arrangement, Fiducial
from vision.arrays import Bools, Floats, Image, Labels, Numbers, Picture8, Singles
from vision.capture.image_pyramid import differing_but_for_specks, gain_between, smoothed
from vision.faces.cutting import paper_light
from vision.free.bare_table import BURNT_LEVEL, BareTable, OffTable
from vision.free.boards import BoardFinder
from vision.free.comparison import tell_alike
from vision.free.confidence import confidence_of
from vision.free.ground import off_ground
from vision.free.known_faces import Deck, KnownFace, decks_of
from vision.free.layers import in_order
from vision.free.outlines import OutlineFinder, Poses
from vision.free.peeling import Find, Peeling, is_near, is_same
from vision.free.solids import NEAR_HAND_MM
from vision.free.tokens import TokenFinder
from vision.geometry.rectify import Flat, Maps, flat_maps, flatten
from vision.geometry.regions import Region, grown, joined
from vision.photometry.light import coded, linear

# The scale follows the camera's own between these, px a millimetre.
_LEAST_SCALE, _MOST_SCALE = 1.0, 1.6
# What was prepared for one scale serves for others that differ by no more than such a share.
_AS_LARGE: Final = 0.01
# A face that is reported may be one of these others, if it is not quite sure.
_DOUBT: Final = 0.02
_REDUCED: Final = 4
_SEEN: Final = 255
# All levels of a pixel, one colour beside the other; light that changes by a smaller share is noise.
_LEVELS: Final = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
_RELIT: Final = 0.04
# What reaches in and is thicker than this, mm, is an arm or the like.
_ARM_MM: Final = 30.0
# So much of its outline is steep, levels a reduced pixel.
_SHARP, _STEEP = 0.5, 10.0
# A code's paper is so many times as large as its square.
_PAPER: Final = 1.6
_LEAST_CHANGED: Final = 3
# So much of what was lost is kept: all that an arm may hide.
_MOST_LOST: Final = 24
# Print of the table's colours is no broader than this.
_HOLES: Final = np.ones((4 * _REDUCED + 1, 4 * _REDUCED + 1), np.uint8)
# Edges of tiles differ by no more, as a share; cards are longer.
_SQUARE: Final = 0.1
# So near to each other, in edges, tiles that lie face down are of one pile.
_ON_PILE: Final = 0.75
# A piece on a pile looks larger; less than this is noise.
_LEAST_RAISED: Final = 1.004
_PLANE_MM: Final = 0.4
# Of a deck, mm: how high it is at most, and how far its cards lie apart.
_TALLEST_MM: Final = 25.0
_JUT_MM: Final = 5.0
# The edges of what is new are no further than this from what has changed, mm.
_NEAR_MM: Final = 6.0
# What is not ground may be a face if it is so thick, half of it, as a share of a face's shorter edge.
_LEAST_STRANGE: Final = 0.14
# A card of a fan of which less is seen is a strip, as a share of it.
_WHOLE: Final = 0.5
# Beside a card of a hand the next one shows no further than this, in widths.
_STRIP: Final = 0.35
# If it lies so far from every face, as such a share, it is none unless it is so thick by itself, half of it.
_APART: Final = 0.25
_LEAST_FACE: Final = 0.35
# What hides the table is told by points so far apart, mm.
_HIDDEN_MM: Final = 10.0
# Of a part of a face that looks otherwise so much is within the outline; of the face it is less than this.
_WITHIN, _PART = 0.8, 0.5
# What is printed so near to a face's edge, as such a share, mixes with what lies beside it.
_RIM: Final = 0.1


@dataclass(slots=True)
class _Seen:
    """What the last frame showed.

    Attributes:
        small: (height, width, 3) the reduced picture.
        read: (height, width, 3) how each part of it looked when it was read.
        finds: what explains it.
        lost: what lay in places where nothing is named now, the latest last. Discs or a hand may hide what
            tells a tile from its like: one that still agrees and lies exactly there is the one that did.
        vain: of `finds` what nobody could name, though it was looked at twice.
    """

    small: Picture8
    read: Picture8
    finds: list[Find] = field(default_factory=list)
    lost: list[Find] = field(default_factory=list)
    vain: list[Find] = field(default_factory=list)

    def renewed(self, finds: list[Find]) -> None:
        """Take what explains a later picture, and keep what lay where nothing is named any more."""
        named = [one for one in finds if one.confidence >= NAMED]
        self.lost = [
            one
            for one in (*self.lost, *self.finds)
            if one.confidence >= NAMED and not any(_is_told(one, other) for other in named)
        ][-_MOST_LOST:]
        self.finds = finds


@dataclass(frozen=True, slots=True)
class LastRead:
    """A rectified picture and what explains it.

    Attributes:
        picture: (height, width, 3) uint8, the pixels of `FreeAreaReader.flat`.
        finds: what lies flat there, the lowest first.
        strips: outlines, (4, 2) px, of the strips of fans: nothing stands on those.
    """

    picture: Picture8
    finds: tuple[Find, ...]
    strips: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True)
class _Uncovered:
    """What of a reduced picture is not what was made out.

    Attributes:
        small, finds: the picture, and what was made out of it.
        covered: (height, width) where that is seen, its rims and the sides of piles, 0 or 1.
        beside: (height, width) where no face lies that was made out.
        table: where the bare table is seen, and where surely something else; None if it is not known.
    """

    small: Picture8
    finds: list[Find]
    covered: Labels
    beside: Bools
    table: tuple[Bools, Bools] | None


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Faces as they are looked for at one scale.

    Attributes:
        px_per_mm: it.
        decks: tiles and cards by their size, with what looks alike told.
        boards: finds the boards.
    """

    px_per_mm: float
    decks: Sequence[Deck]
    boards: BoardFinder

    @classmethod
    def of(
        cls,
        cards: Sequence[KnownFace],
        boards: Sequence[KnownFace],
        px_per_mm: float,
        tokens: TokenFinder | None,
        may_look_alike: Callable[[str, str], bool],
    ) -> _Prepared:
        """Prepare tiles and cards, and boards."""
        decks = decks_of(cards, px_per_mm, tokens)
        for deck in decks:
            tell_alike(deck, may_look_alike)
        return cls(px_per_mm, decks, BoardFinder(boards, px_per_mm, confidence_of))


class FreeAreaReader:
    """Reads free areas for one camera pose.

    Attributes:
        flat: ties the pixels of the rectified picture to millimetres.
        seen: (height, width) which of its pixels frames show.
    """

    def __init__(
        self,
        areas: Mapping[str, Area],
        faces: Sequence[KnownFace],
        camera: CameraPose,
        *,
        in_play: Collection[str] | None = None,
        boards: Collection[str] = (),
        tokens: TokenFinder | None = None,
        ground: Callable[[Flat], BareTable | None] = lambda _: None,
        codes: Iterable[Fiducial] = (),
        may_look_alike: Callable[[str, str], bool] = lambda *_: False,
        before: FreeAreaReader | None = None,
    ) -> None:
        """Prepare.

        Args:
            areas: where pieces may lie, by name.
            faces: all that may lie there, backs included.
            camera: the camera over the table.
            in_play: names of the faces that can be there in this game, None = all.
            boards: names of those of which there is one, and upon which pieces stand.
            tokens: finds discs that may lie upon faces, None if there are none.
            ground: what the empty table looks like in a window, None if that is not known.
            codes: the printed codes, which are neither pieces nor ground.
            may_look_alike: whether nothing is known by which two faces differ.
            before: the reader for the pose before this one, if it is of the same faces: they take longest
                to prepare, and serve again where they are seen about as large.
        """
        self._areas = dict(areas)
        self._camera, self._codes = camera, tuple(codes)
        # Of the light on white paper, as it was measured last.
        self._white: Floats | None = None
        # From which light on each colour is burnt out in the rectified picture.
        self._burnt: Singles | None = None
        known = [one for one in faces if in_play is None or one.is_back or one.name in in_play]
        points = np.array([point for area in areas.values() for point in area.outline_mm], np.float64)
        cards = [one for one in known if one.name not in boards]
        reach = max(math.hypot(*one.size_mm) for one in cards or known) / 2
        low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
        scale = min(max(_scale_of(camera, (low + high) / 2), _LEAST_SCALE), _MOST_SCALE)
        prepared: _Prepared | None = None if before is None else before._prepared
        if prepared is None or abs(prepared.px_per_mm / scale - 1) > _AS_LARGE:
            those = [one for one in known if one.name in boards]
            prepared = _Prepared.of(cards, those, scale, tokens, may_look_alike)
        self._prepared: _Prepared = prepared
        scale, self._boards, self._decks = prepared.px_per_mm, prepared.boards, prepared.decks
        self.flat = Flat.around(low[0], high[0], low[1], high[1], scale, _PLANE_MM)
        self._maps: Maps = flat_maps(camera, self.flat)
        self._ground = ground(self.flat.reduced(_REDUCED))
        self._confidence = functools.partial(confidence_of, of_tile=tokens is not None)
        self._outlines = OutlineFinder([deck.size_mm for deck in self._decks], scale)
        self._reach_px = reach * scale
        self.seen: Bools = self._shown()
        self._seen: _Seen | None = None
        self._uncovered_last: _Uncovered | None = None
        self._picture: Picture8 | None = None
        self._number = 0

    def _shown(self) -> Bools:
        """Return which pixels of the rectified picture frames show, but for the printed codes.

        People lay pieces out as they like: whatever the camera sees may be one.
        """
        width, height = self._camera.lens.size_wh
        seen = flatten(np.full((height, width, 3), _SEEN, np.uint8), self._maps).min(axis=2)
        for code in self._codes:
            paper = replace(code, edge_mm=code.edge_mm * _PAPER).corners_mm()
            cv2.fillConvexPoly(seen, np.round(self.flat.to_px(np.array(paper))).astype(np.int32), 0)
        return np.asarray(seen == _SEEN, np.bool_)

    def read(self, frame: Picture8) -> FreeReading:
        """Return what lies in the areas of a frame (height, width, 3) uint8."""
        picture = self._picture = self._balanced(frame, flatten(frame, self._maps))
        small = _reduced(picture)
        if self._seen is None:
            self._number += 1
            self._seen = _Seen(small, small.copy(), self._find(picture))
        else:
            self._update(self._seen, picture, small)
        return self.reading()

    def suppose(self, frame: Picture8, finds: Sequence[Find]) -> None:
        """Take a frame (height, width, 3) uint8 in which this is what lies flat; nothing is looked for."""
        self._number += 1
        picture = self._picture = self._balanced(frame, flatten(frame, self._maps))
        small = _reduced(picture)
        self._seen = _Seen(small, small.copy(), list(finds))

    def _balanced(self, frame: Picture8, picture: Picture8) -> Picture8:
        """Return the rectified picture of a frame with the colour of the light taken off: paper is white.

        The paper of the codes shows it, as where faces were learnt.
        """
        white = paper_light(frame, self._codes, self._camera)
        if white is None:
            return picture
        if self._white is None or np.abs(white / self._white - 1).max() > _RELIT:
            self._white = white
        shares = self._white / self._white.mean()
        levels = coded(np.asarray(linear(_LEVELS) / shares, np.float32))
        self._burnt = linear(levels)[0, BURNT_LEVEL]
        return np.asarray(cv2.LUT(picture, levels), np.uint8)

    @property
    def number(self) -> int:
        """How often anything was read anew."""
        return self._number

    def last_read(self) -> LastRead:
        """Return the picture of the frame read last and its finds; only after a frame was read."""
        assert self._seen is not None
        assert self._picture is not None
        ordered, _ = in_order(self._seen.finds)
        return LastRead(
            self._picture,
            tuple(one for one in ordered if one.confidence >= NAMED),
            tuple(one.corners() for one in ordered if self._is_strip(one)),
        )

    def hidden(self, residual: Bools) -> tuple[Point, ...]:
        """Return points x, y, mm, where the frame read last shows neither ground nor what was made out.

        What cannot be read may be a piece, so that no place there is known to be free. `residual` is what
        this frame shows of that (`residual`). Where an outline shows that a piece lies, nothing is hidden.
        """
        assert self._seen is not None
        residual = residual.copy()
        for one in self._seen.finds:
            if one.confidence < NAMED:
                residual &= _filled(residual.shape, one) == 0
        inner = self._thick(residual)
        rows, columns = np.nonzero(inner)
        at_px = np.column_stack([columns, rows]).astype(np.float64) * _REDUCED + (_REDUCED - 1) / 2
        at = self.flat.to_mm(at_px)
        steps = np.unique(np.round(at / _HIDDEN_MM).astype(np.intp), axis=0)
        return tuple((float(x), float(y)) for x, y in steps * _HIDDEN_MM)

    def _thick(self, residual: Bools) -> Bools:
        """Return where what nobody could make out is thick enough for a face and near enough to others."""
        scale = min(min(deck.size_mm) for deck in self._decks) * self.flat.px_per_mm / _REDUCED
        strange = residual & ~self._within_one(residual)
        # A print may have lines of the table's colour.
        whole = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        far = np.asarray(cv2.distanceTransform(whole, cv2.DIST_L2, 3), np.float32)
        inner = np.asarray(far >= _LEAST_STRANGE * scale, np.bool_)
        if self._ground is not None:
            inner &= ~self._apart(far, scale)
        return inner

    def _within_one(self, residual: Bools) -> Bools:
        """Return which of what nobody could make out is a part of one face that looks otherwise.

        A lamp may be mirrored there, say. A card upon it would be seen whole, or end at another one that lies
        over it. What is smaller than a card may lie on any face where there are discs, and on boards.
        """
        assert self._seen is not None
        count, labelled = cv2.connectedComponents(residual.astype(np.uint8), connectivity=8)
        patches, beside = np.asarray(labelled, np.intp), np.ones((3, 3), np.uint8)
        touched, within = np.zeros(count, np.intp), np.zeros(count, np.intp)
        least = np.inf
        for one in self._seen.finds:
            outline = _filled(residual.shape, one)
            is_card = not self._boards.is_board(one) and one.deck.tokens is None
            is_plain = is_card and one.confidence >= NAMED
            near = np.unique(patches[cv2.dilate(outline, beside) > 0])
            touched[near] += 1 if is_plain else 2
            inside = np.bincount(patches[outline > 0], minlength=count)
            within = np.maximum(within, inside)
            least = min(least, float(outline.sum()) if is_card else np.inf)
        size = np.bincount(patches.ravel(), minlength=count)
        is_part = (touched == 1) & (within >= _WITHIN * size) & (size < _PART * least)
        is_part[0] = False
        return np.asarray(is_part[patches], np.bool_)

    def hands(self, residual: Bools) -> Bools:
        """Return where something thick reaches as far as to a face from outside of the frame: an arm, say.

        The glare of a lamp may reach as far, but its edges are soft. `residual` as in `hidden`.
        """
        assert self._seen is not None
        strange = residual.astype(np.uint8)
        count, labelled = cv2.connectedComponents(strange, connectivity=4)
        patches, around = np.asarray(labelled, np.intp), np.ones((3, 3), np.uint8)

        def in_patches(some: Bools) -> Numbers:
            return np.asarray(np.bincount(patches[some], minlength=count), np.intp)

        far = cv2.distanceTransform(strange, cv2.DIST_L2, 3)
        near = 2 * math.ceil(_NEAR_MM * self.flat.px_per_mm / _REDUCED) + 1
        thick = in_patches(far >= _ARM_MM / 2 * self.flat.px_per_mm / _REDUCED) > 0
        at_face = in_patches(cv2.dilate(self._under_faces(), np.ones((near, near), np.uint8)) > 0) > 0
        inner = cv2.erode(self._seen_reduced(strange.shape), around, borderValue=0) > 0
        at_edge = in_patches(~inner) > 0
        gray = cv2.cvtColor(self._seen.small, cv2.COLOR_BGR2GRAY)
        x, y = (cv2.Sobel(gray, cv2.CV_32F, one, 1 - one, scale=0.25) for one in (1, 0))
        rim = (cv2.erode(strange, around) == 0) & (strange > 0) & inner
        sharp = in_patches(rim & (np.hypot(x, y) > _STEEP)) >= _SHARP * np.maximum(in_patches(rim), 1)
        is_hand = thick & at_face & at_edge & sharp
        is_hand[0] = False
        return np.asarray(is_hand[patches], np.bool_)

    def are_beside(self, hands: Bools, at_mm: Floats) -> Bools:
        """Return which points of the table, (N, 2) mm, are so near to hands that parts of tiles may show.

        `hands` as `hands` tells them.
        """
        columns, rows = np.round(self.flat.to_px(at_mm) / _REDUCED).astype(np.intp).T
        height, width = hands.shape
        beside = grown(hands, NEAR_HAND_MM * self.flat.px_per_mm / _REDUCED)
        return np.asarray(beside[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)], np.bool_)

    def _seen_reduced(self, shape: tuple[int, ...]) -> Labels:
        """Return what frames show, uint8, 0 or 1, in a reduced picture of this size."""
        size = (shape[1], shape[0])
        return np.asarray(
            cv2.resize(self.seen.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8
        )

    def _apart(self, far: Singles, short_px: float) -> Bools:
        """Return where something strange lies apart from all faces that is too slim for one: a pen, say.

        A hand is broad, or beside a face; slim patches beside a broad one may be its parts. Told only where
        the bare table is known, for else a hand of the table's hue may show in parts. `far` is how far the
        edge of what is strange is, `short_px` the shorter edge of a face.
        """
        count, labelled = cv2.connectedComponents((far > 0).astype(np.uint8), connectivity=8)
        patches = np.asarray(labelled, np.intp)
        is_broad = np.zeros(count, np.bool_)
        is_broad[np.unique(patches[far >= _LEAST_FACE * short_px])] = True
        is_broad[0] = False
        broad = np.asarray(is_broad[patches], np.bool_)

        def around(some: Bools | Labels, shares: float) -> Bools:
            reach = 2 * math.ceil(shares * short_px) + 1
            round_it = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
            return np.asarray(cv2.dilate(some.astype(np.uint8), round_it) > 0, np.bool_)

        near = around(self._under_faces(), _LEAST_STRANGE + _APART) | around(broad, _LEAST_FACE)
        is_near = np.zeros(count, np.bool_)
        is_near[np.unique(patches[near & (far >= _LEAST_STRANGE * short_px)])] = True
        return np.asarray(~is_near[patches], np.bool_)

    def residual(self, stood: Sequence[tuple[float, float, float]] = ()) -> Bools:
        """Return where the frame read last shows neither ground nor what was made out, in a reduced picture.

        `stood` is what stands there: its middle, mm, and how far around it shows. Only after a frame.
        """
        assert self._seen is not None
        uncovered, lying = self._uncovered(), self._under_faces()
        covered, beside = uncovered.covered, uncovered.beside
        shown = self._seen_reduced(covered.shape) > 0
        strange = (off_ground(linear(self._seen.small), beside) | (lying > 0)).astype(np.uint8)
        if self._ground is not None and uncovered.table is not None:
            is_bare, is_other = uncovered.table
            strange[is_bare & (lying == 0)] = 0
            # A hand may have the hue of the table.
            strange[is_other & beside] = 1
            # A card of a hand may look like the shadow of the one beside it.
            strange[self._beside_backs(covered.shape) & ~is_bare & self._ground.known & beside] = 1
        strange[covered > 0] = 0
        for x, y, reach in stood:
            at = (self.flat.to_px(np.array([[x, y]]))[0] / _REDUCED).astype(int)
            radius = math.ceil(reach * self.flat.px_per_mm / _REDUCED)
            cv2.circle(strange, (int(at[0]), int(at[1])), radius, 0, -1)
        return np.asarray((strange > 0) & shown, np.bool_)

    def empty(self) -> Bools | None:
        """Return where the frame read last shows the table as it is with nothing on it, (height, width).

        None if nobody knows what that looks like. Only after a frame.
        """
        table = self._uncovered().table
        return None if table is None else np.asarray(self._enlarged(table[0].view(np.uint8)) > 0, np.bool_)

    def _uncovered(self) -> _Uncovered:
        """Return what of the frame read last is not what was made out; told once a reading."""
        seen, last = self._seen, self._uncovered_last
        assert seen is not None
        if last is None or last.small is not seen.small or last.finds is not seen.finds:
            covered, beside, table = self._covered(), self._beside_faces(), None
            if self._ground is not None:
                table = self._ground.compared(linear(seen.small), beside & (covered == 0), self._burnt)
            last = self._uncovered_last = _Uncovered(seen.small, seen.finds, covered, beside, table)
        return last

    def _covered(self) -> Labels:
        """Return where what was made out is seen, its rims and the sides of piles, uint8, 0 or 1, reduced."""
        assert self._seen is not None
        covered = np.zeros(self._seen.small.shape[:2], np.uint8)
        for one in self._seen.finds:
            # Where a piece is not what is seen, something unknown may lie upon it.
            covered |= one.drawn(covered.shape, _REDUCED)
            covered |= _rim_of(one, covered.shape) | self._side_of(one, covered.shape)
        return np.asarray(cv2.morphologyEx(covered, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)

    def _beside_faces(self) -> Bools:
        """Return where no face lies that was made out, as far as the frame shows it, reduced."""
        lying = self._under_faces()
        near = cv2.dilate(lying, np.ones((3, 3), np.uint8)) > 0
        return np.asarray(~near & (self._seen_reduced(lying.shape) > 0), np.bool_)

    def _under_faces(self) -> Labels:
        """Return where faces lie that were made out, uint8, 0 or 1, reduced."""
        assert self._seen is not None
        return _under(self._seen.finds, self._seen.small.shape[:2])

    def _side_of(self, find: Find, shape: tuple[int, ...]) -> Labels:
        """Return where the side of a pile may be seen whose uppermost face this is, uint8, 0 or 1, reduced.

        How high it is can hardly be measured; what lies face down may be a whole deck, whose cards jut out.
        """
        side = np.zeros(shape, np.uint8)
        if find.is_back and self._is_deck(find):
            # What lies higher looks larger, and further from the point below the camera.
            x, y, high = self._camera.eye_mm
            eye, size = self.flat.to_px(np.array([[x, y]])), high / (high - _TALLEST_MM)
            top = find.corners()
            whole = np.vstack([top, eye + (top - eye) / size]) / _REDUCED
            cv2.fillConvexPoly(side, cv2.convexHull(np.round(whole).astype(np.int32)), 1)
            jut = 2 * math.ceil(_JUT_MM * self.flat.px_per_mm / _REDUCED) + 1
            side = np.asarray(cv2.dilate(side, np.ones((jut, jut), np.uint8)), np.uint8)
        return side

    def _beside_backs(self, shape: tuple[int, ...]) -> Bools:
        """Return where more cards of a hand may show, a strip of each, reduced."""
        assert self._seen is not None
        there = np.zeros(shape, np.bool_)
        for one in self._seen.finds:
            if one.is_back and one.confidence >= NAMED and not self._is_deck(one):
                reach = 2 * math.ceil(_STRIP * min(one.deck.shape) / _REDUCED) + 1
                there |= cv2.dilate(_filled(shape, one), np.ones((reach, reach), np.uint8)) > 0
        return there

    def _is_strip(self, find: Find) -> bool:
        """Whether it is a card of a fan of which the next card leaves a strip.

        It may lie a little off, so that its print looks strange; and nothing stands upon a fan.
        """
        return find.is_back and find.evidence.shown < _WHOLE and not self._is_deck(find)

    def _is_deck(self, find: Find) -> bool:
        """Whether what lies face down is no card of a hand: others beside it may be hidden under it."""
        assert self._seen is not None
        middle, face = find.corners().mean(axis=0), find.evidence.face
        near = [
            other
            for other in self._seen.finds
            if other is not find
            and other.deck is find.deck
            and other.evidence.face == face
            and np.hypot(*(other.corners().mean(axis=0) - middle)) < min(find.deck.shape)
        ]
        area = self.area_of(self.flat.to_mm(middle[None])[0])
        is_spread = area is not None and self._areas[area].arrangement is Arrangement.SPREAD
        return not near and not is_spread

    def forget(self) -> None:
        """Read the whole table again the next time."""
        self._seen = None

    def _update(self, seen: _Seen, picture: Image, small: Picture8) -> None:
        """Explain again what has changed since it was read."""
        differs = differing_but_for_specks(seen.read, small)
        if int(differs.sum()) < _LEAST_CHANGED:
            return
        self._number += 1
        around = cv2.dilate(differs.view(np.uint8), np.ones((3, 3), np.uint8))
        changed = np.asarray(around > 0, np.bool_)
        seen.renewed(self._found_where(seen, picture, small, changed))
        seen.small = small.copy()
        # Elsewhere a picture is compared with what was read there, however slowly it changes.
        gain = gain_between(seen.read, small)
        seen.read[changed] = cv2.convertScaleAbs(small, alpha=gain)[changed]

    def look_again(self, residual: Bools) -> bool:
        """Try once more to explain what is thick enough of `residual`; return whether that changed anything.

        What is laid down in haste is read while an arm still hides a part of it, and another frame has other
        noise. Only after a frame, and only while it is the one that was read last.
        """
        assert self._seen is not None
        assert self._picture is not None
        seen, before = self._seen, self._seen.finds
        vain = _under([one for one in seen.vain if any(one is each for each in before)], residual.shape)
        thick = self._thick(residual & (vain == 0))
        if not thick.any():
            return False
        seen.renewed(self._found_where(seen, self._picture, _reduced(self._picture), thick))
        seen.vain = [one for one in seen.finds if one.confidence < NAMED]
        is_same_as_before = len(before) == len(seen.finds) and all(
            any(one is other or _is_where(one, other) for other in before) for one in seen.finds
        )
        if not is_same_as_before:
            self._number += 1
        return not is_same_as_before

    def _found_where(self, seen: _Seen, picture: Image, small: Picture8, changed: Bools) -> list[Find]:
        """Return what explains a picture of which only a part, reduced, may show what was not `seen`."""
        touched = [one for one in seen.finds if _touches(one, changed)]
        boards, old = self._apart_from_boards(touched)
        _, lost = self._apart_from_boards([one for one in seen.lost if _touches(one, changed)])
        found: list[Find] = []
        off_table = self._off_table(small, seen.finds)
        kept = [one for one in seen.finds if not any(one is each for each in touched)]
        kept += self._boards_again(picture, boards, kept)
        for window, here in self._windows(changed, (*touched, *lost)):
            mine, missed = ([one for one in some if _is_in(one, here)] for some in (old, lost))
            news = (changed & here).astype(np.uint8)
            found += self._find_new(picture, window, [*kept, *found], mine, missed, news, off_table)
        return self._once(kept + found)

    def _apart_from_boards(self, finds: Iterable[Find]) -> tuple[list[Find], list[Find]]:
        """Return which finds are boards, and the others."""
        boards: list[Find] = []
        others: list[Find] = []
        for one in finds:
            (boards if self._boards.is_board(one) else others).append(one)
        return boards, others

    def _windows(self, changed: Bools, finds: Iterable[Find]) -> Iterator[tuple[Region, Bools]]:
        """Yield the windows in which what has changed, or lies there, is, and where of a reduced picture."""
        region = changed.astype(np.uint8)
        for one in finds:
            _fill(region, one)
        near = 2 * math.ceil(_NEAR_MM * self.flat.px_per_mm / _REDUCED) + 1
        apart = cv2.dilate(region, np.ones((near, near), np.uint8))
        count, patches, stats, _ = cv2.connectedComponentsWithStats(apart, connectivity=8)
        for window, those in joined([self._window(stats[patch].tolist()) for patch in range(1, count)]):
            yield window, np.asarray(np.isin(patches, those + 1), np.bool_)

    def _once(self, finds: Sequence[Find]) -> list[Find]:
        """Return finds but those that nobody can name and that lie where another does, boards apart."""
        beside = [one for one in finds if one.confidence >= NAMED and not self._boards.is_board(one)]
        once: list[Find] = []
        for one in finds:
            if one.confidence < NAMED:
                if any(is_near(one, other) for other in beside):
                    continue
                beside.append(one)
            once.append(one)
        return once

    def _boards_again(self, picture: Image, touched: Sequence[Find], others: Sequence[Find]) -> list[Find]:
        """Return where boards lie about which something has changed: most often where they did.

        What is not among these and `others` is looked for: it was hidden, say, or has just been laid.
        """
        again = [self._boards.find_again(picture, one, NAMED) for one in touched]
        still = [one for one in again if one is not None]
        return [*still, *self._boards.find(picture, NAMED, [*others, *still])]

    def _window(self, stats: Sequence[int]) -> Region:
        """Return the rows and columns in which a piece may lie of which a patch shows a part."""
        left, top, across, down = (one * _REDUCED for one in stats[:4])
        beyond = 2 * math.ceil(self._reach_px)
        return (
            slice(max(top - beyond, 0), min(top + down + beyond, self.flat.height_px)),
            slice(max(left - beyond, 0), min(left + across + beyond, self.flat.width_px)),
        )

    def _find(self, picture: Image) -> list[Find]:
        """Return what explains the whole rectified picture."""
        boards = self._boards.find(picture, NAMED)
        if not self._decks:
            return boards
        off_table = self._off_table(_reduced(picture), boards)
        peeling = Peeling(
            picture, self.flat.px_per_mm, self._decks, self._confidence, self._is_edge_to_edge, off_table
        )
        for one in boards:
            peeling.cover(one)
        peeling.peel(self._outlined(picture, self.seen, off_table), NAMED)
        return [*boards, *peeling.finds, *peeling.unnamed()]

    def _off_table(self, small: Picture8, known: Iterable[Find]) -> OffTable | None:
        """Return where a picture shows anything but the table; None where the bare one is not known.

        `small` is the reduced picture. `known` lies there, so that no light is measured upon it.
        """
        if self._ground is None:
            return None
        shown = self._seen_reduced(small.shape) > 0
        free = shown & (_under(known, shown.shape) == 0)
        other = shown & ~self._ground.compared(linear(small), free, self._burnt)[0]
        untold = shown & ~other & self._ground.was_burnt
        return OffTable(self._enlarged(other.view(np.uint8)), self._enlarged(untold.view(np.uint8)))

    def _enlarged(self, reduced: Labels) -> Labels:
        """Return labels of the reduced picture for the whole one."""
        size = self.flat.width_px, self.flat.height_px
        return np.asarray(cv2.resize(reduced, size, interpolation=cv2.INTER_NEAREST), np.uint8)

    def _outlined(self, part: Image, searched: Bools, off_table: OffTable | None) -> Poses:
        """Return where pieces may lie in a part of the picture whose edges are where it is searched.

        `off_table` is where the part shows more than the table, None if that is not known.
        """
        if off_table is None:
            return self._outlines.find(part, searched)
        other = off_table.other
        near = 2 * math.ceil(_NEAR_MM * self.flat.px_per_mm) + 1
        may_be = cv2.dilate(other, np.ones((near, near), np.uint8)) > 0
        # Print of the table's colours makes no edges of its own.
        whole = cv2.morphologyEx(other, cv2.MORPH_CLOSE, _HOLES)
        shapes = cv2.blur(whole * np.uint8(_SEEN), (_REDUCED, _REDUCED))
        return self._outlines.find(
            part, np.asarray(searched & may_be, np.bool_), np.asarray(shapes, np.uint8)
        )

    def _find_new(
        self,
        picture: Image,
        window: Region,
        kept: Sequence[Find],
        before: Sequence[Find],
        missed: Sequence[Find],
        changed: Labels,
        off_table: OffTable | None,
    ) -> list[Find]:
        """Return what explains a window of the rectified picture in which something has changed.

        `kept` is what is still known there, `before` what was there, and `missed` what was there earlier, and
        either may be again; `changed`, reduced, is where anything has changed, `off_table` where more than
        the table is seen. What is new shows mostly what has changed.
        """
        off = np.array([window[1].start, window[0].start], np.float64)
        part = np.ascontiguousarray(picture[window])
        here = None if off_table is None else off_table.within(window)
        peeling = Peeling(
            part,
            self.flat.px_per_mm,
            self._decks,
            self._confidence,
            lambda one: self._is_edge_to_edge(one.moved(off)),
            here,
        )
        for one in kept:
            (peeling.cover if self._boards.is_board(one) else peeling.keep)(one.moved(-off))
        peeling.look_again([one.moved(-off) for one in (*before, *missed)], NAMED)
        found = [one.moved(off) for one in peeling.finds]
        news = self._news(changed, before, kept, found)
        # Shadows and edges that stirred are thinner than anything that could be named.
        if not cv2.erode(news, np.ones((3, 3), np.uint8)).any():
            return found
        mine = np.ascontiguousarray(self._enlarged(news)[window])
        beside = 2 * math.ceil(_NEAR_MM * self.flat.px_per_mm) + 1
        edges = (cv2.dilate(mine, np.ones((beside, beside), np.uint8)) > 0) & self.seen[window]
        poses = self._outlined(part, np.asarray(edges, np.bool_), here)
        peeling.peel(poses, NAMED, mine)
        # What was laid half over them is known now.
        lost = [
            one
            for one in (*before, *missed)
            if not any(_is_where(one, each.moved(off)) for each in peeling.finds)
        ]
        peeling.look_again([one.moved(-off) for one in lost], NAMED)
        return [one.moved(off) for one in (*peeling.finds, *peeling.unnamed())]

    def _news(
        self, changed: Labels, before: Sequence[Find], kept: Sequence[Find], found: Sequence[Find]
    ) -> Labels:
        """Return where a picture may show anything new, reduced: what is known there explains the rest."""
        news = changed.copy()
        for one in before:
            if not any(_is_where(one, other) for other in found):
                _fill(news, one)
        for one in (*kept, *found):
            news[one.drawn(news.shape, _REDUCED) > 0] = 0
            # On a tile that nothing may lie over no other one is new, but discs are.
            if one.confidence >= NAMED and self._is_edge_to_edge(one):
                cv2.fillConvexPoly(news, np.round(one.outline() / _REDUCED).astype(np.int32), 0)
        return news

    def reading(self) -> FreeReading:
        """Return what lies in the areas of the frame read last; only after a frame was read."""
        assert self._seen is not None
        finds = self._seen.finds
        ordered, over = in_order([one for one in finds if not _is_in_pile(one, finds)])
        faces = tuple(
            self._face(find, number, tuple(sorted(over[number]))) for number, find in enumerate(ordered)
        )
        return FreeReading(faces=faces)

    def _face(self, find: Find, order: int, over: tuple[int, ...]) -> FreeFace:
        evidence, deck = find.evidence, find.deck
        face, pose = deck.faces[evidence.face], evidence.pose
        at = self.flat.to_mm(np.array([[pose.x, pose.y]]))[0]
        area = self.area_of(at)
        top_mm = self.flat.height_mm
        if (
            area is not None
            and self._areas[area].arrangement is Arrangement.PILE
            and pose.size > _LEAST_RAISED
        ):
            # What lies higher looks larger, and further from the point below the camera.
            eye = self._camera.eye_mm
            at = eye[:2] + (at - eye[:2]) / pose.size
            top_mm = float(eye[2] - (eye[2] - top_mm) / pose.size)
        if find.confidence < NAMED:
            return self._unnamed(find, at, order, over)
        others = {
            deck.faces[number].name: (1 - find.confidence) * 0.5
            for number, _ in evidence.closest[:1]
            if 1 - find.confidence > _DOUBT
        }
        return FreeFace(
            name=face.name,
            side=face.side,
            x_mm=float(at[0]),
            y_mm=float(at[1]),
            # Pixels run down, the table's y runs away.
            turn_deg=float((-np.degrees(pose.turn) + 180) % 360 - 180),
            width_mm=face.width_mm,
            height_mm=face.height_mm,
            visible_share=min(evidence.shown, 1.0),
            order=order,
            over=over,
            confidence=find.confidence,
            area=area,
            top_mm=top_mm,
            alike=tuple(deck.faces[number].name for number in deck.alike[evidence.face]),
            others=others,
        )

    def _unnamed(self, find: Find, at: Floats, order: int, over: tuple[int, ...]) -> FreeFace:
        """Return something flat that nobody can name: by its outline it is there."""
        width, height = find.deck.size_mm
        guess = {} if find.guess is None else {find.deck.faces[find.guess[0]].name: find.guess[1]}
        return FreeFace(
            name=None,
            side=Side.UNKNOWN,
            x_mm=float(at[0]),
            y_mm=float(at[1]),
            turn_deg=float((-np.degrees(find.evidence.pose.turn) + 180) % 360 - 180),
            width_mm=width,
            height_mm=height,
            visible_share=1.0,
            order=order,
            over=over,
            confidence=min(find.support, 1.0),
            area=self.area_of(at),
            top_mm=self.flat.height_mm,
            others=guess,
        )

    def _is_edge_to_edge(self, find: Find) -> bool:
        """Whether a find lies where everything lies edge to edge: in such an area, or nearest to one."""
        pose = find.evidence.pose
        at = self.flat.to_mm(np.array([[pose.x, pose.y]]))[0]
        area = self.area_of(at) or min(self._areas, key=lambda name: self._areas[name].outside_mm(*at))
        return self._areas[area].arrangement is Arrangement.GRID

    def area_of(self, at: Floats) -> str | None:
        """Return the area in which a point lies; of several the smallest."""
        point = (float(at[0]), float(at[1]))
        inside = [
            (cv2.contourArea(outline), name)
            for name, area in self._areas.items()
            for outline in [np.array(area.outline_mm, np.float32)]
            if cv2.pointPolygonTest(outline, point, measureDist=False) >= 0
        ]
        return min(inside)[1] if inside else None


def _scale_of(camera: CameraPose, at: Floats) -> float:
    """Return how many pixels of the frame a millimetre at a point of the table is."""
    around = np.column_stack([at + np.array([[0, 0], [10, 0], [0, 10]]), np.zeros(3)])
    seen = camera.project(around)
    return float(np.hypot(*(seen[1:] - seen[0]).T).mean() / 10)


def _rim_of(find: Find, shape: tuple[int, ...]) -> Labels:
    """Return the outermost part of a face, uint8, 0 or 1, reduced."""
    rim, corners = np.zeros(shape, np.uint8), find.outline() / _REDUCED
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(rim, np.round(corners).astype(np.int32), 1)
    cv2.fillConvexPoly(rim, np.round(middle + (corners - middle) * (1 - 2 * _RIM)).astype(np.int32), 0)
    return rim


def _reduced(picture: Image) -> Picture8:
    size = (max(picture.shape[1] // _REDUCED, 1), max(picture.shape[0] // _REDUCED, 1))
    return smoothed(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))


def _is_in(find: Find, where: Bools) -> bool:
    """Whether the middle of a piece is in a part of a reduced picture."""
    x, y = np.round(find.corners().mean(axis=0) / _REDUCED).astype(np.intp)
    height, width = where.shape
    return bool(where[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])


def _filled(shape: tuple[int, ...], find: Find) -> Labels:
    """Return the outline of a piece, uint8, 0 or 1, in a reduced picture of this size."""
    mask = np.zeros(shape, np.uint8)
    _fill(mask, find)
    return mask


def _fill(mask: Labels, find: Find) -> None:
    """Set the outline of a piece in a reduced picture."""
    cv2.fillConvexPoly(mask, np.round(find.outline() / _REDUCED).astype(np.int32), 1)


def _under(finds: Iterable[Find], shape: tuple[int, ...]) -> Labels:
    """Return where pieces lie, uint8, 0 or 1, in a reduced picture of this size."""
    lying = np.zeros(shape, np.uint8)
    for one in finds:
        _fill(lying, one)
    return lying


def _is_where(find: Find, other: Find) -> bool:
    """Whether a find is that of a piece which was found again."""
    return (
        find.deck is other.deck
        and find.evidence.face == other.evidence.face
        and is_same(other.evidence.pose, find)
    )


def _is_told(find: Find, named: Find) -> bool:
    """Whether a piece that was found before need not be kept: it was named again, or another in its place."""
    is_it = find.deck is named.deck and find.evidence.face == named.evidence.face and not find.is_back
    return is_it or is_near(find, named)


def _touches(find: Find, changed: Bools) -> bool:
    """Whether a piece lies where a reduced picture has changed."""
    return bool(((_filled(changed.shape, find) > 0) & changed).any())


def _is_in_pile(find: Find, others: Iterable[Find]) -> bool:
    """Whether a find is the side of a pile of tiles: tiles that lie face down are not spread like cards."""
    (width, height), at = find.deck.size_mm, find.corners().mean(axis=0)
    if abs(width / height - 1) > _SQUARE or not find.is_back:
        return False
    return any(
        other.deck is find.deck
        and other.evidence.face == find.evidence.face
        and other.evidence.shown > find.evidence.shown
        and float(np.hypot(*(other.corners().mean(axis=0) - at))) < _ON_PILE * min(find.deck.shape)
        for other in others
    )
