"""Explains a picture piece by piece, the plainest first.

What lies on top is plainest. Once a piece is known, its pixels say nothing about others any more: of a piece
beneath it only the rest is compared, which tells far more about it than the whole would.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.free_faces import NAMED
from vision.arrays import Bools, Floats, Image, Labels, Singles
from vision.free.alignment import Like, finely_like, roughly_like
from vision.free.bare_table import OffTable
from vision.free.comparison import (
    ALIKE_PRINT,
    Evidence,
    Misfit,
    Pose,
    Scene,
    beside_kin,
    colours_behind,
    compare,
    light_on,
    likest_by_colour,
    print_difference,
    register,
    resembles,
    told_by,
)
from vision.free.known_faces import Deck
from vision.free.outlines import Poses
from vision.free.places import SAME, SAME_TURN, Places, Scorer, Spot, turned_over
from vision.geometry.regions import region_of

# So many faces are compared in one place.
_COMPARED: Final = 5
# A face that is less far ahead of its closest rival is compared again with that one.
# So is one for which less speaks than this share of what would if it were seen in full.
_DOUBTFUL: Final = 3.0
_UNCLEAR: Final = 0.5
# So many rivals at most are looked at as they would lie themselves.
_KIN_TOLD: Final = 5
_CERTAIN: Final = 0.98
# So many places are looked at before the likest of them is compared; after so many comparisons in a row that
# find nothing known, the rest show nothing either.
_LOOKED_AT: Final = 48
# Before that, the likest of so few is compared: where something plainly lies it is the first or second.
_LOOKED_AT_FIRST: Final = 6
_IN_VAIN: Final = 20
_ALL: Final = 1_000
# What is left and no thicker than this share of the shorter edge of a face shows none that could be named.
# That is known only if parts as thick as that of each face that was found, so much of it, are told from the
# table.
_LEAST_LEFT, _TOLD = 0.2, 0.5
# Where nobody knows whether it is the table, a piece may lie if it is as thick as this share of that edge.
_WHOLE_LEFT: Final = 0.8
# An outline of which this share is seen is that of something flat, whatever is printed on it.
_PLAIN_OUTLINE: Final = 0.9
_MOSTLY: Final = 0.6
# Where it may be print of a face so much of its outline will do, and of what it covers.
_PARTLY_OUTLINED, _PARTLY = 0.75, 0.4
_STILL: Final = 0.4
# What has moved further than this, mm and radians, is no longer what was seen before.
_STIRRED_MM: Final = 1.5
_STIRRED_TURN: Final = np.deg2rad(1.5)
# Where a piece of which this share is seen lies, no other piece of its size lies.
_PLAIN: Final = 0.5
# If less than this share of a piece looks otherwise and is within the outlines of known ones, it is no matter
# whether it lies below them.
_UNSEEN_OF_UPPER: Final = 0.05
# What shows less than this of a piece may be the table between two others, whose rims are as its own.
_LEAST_SHOWN: Final = 1 / 6
# What was guessed is found again from so near, in shorter edges, and not with as little more of an outline.
_NEARBY, _AS_MUCH = 0.25, 0.1
# What nobody can name lies apart from a find if their middles are further from each other, in shorter edges.
_APART, _GUESSED_APART = 0.6, 0.4
# Of pieces on which nothing but discs lies no more than this share looks otherwise than it should, and they
# are at least so clear: no more than the third share if not, and where they lie edge to edge they are.
_STRANGE, _VAGUE, _STRANGE_IF_VAGUE = 0.3, 0.4, 0.05
# A patch that nothing explains may be a piece if each of its edges has this share of the piece's at least and
# is no more than so many times as long. It may go on unseen by such a share of the piece's shorter edge, and
# pieces are sought in such steps.
_FILLED, _OVERFULL, _UNTOLD, _FILLING = 0.9, 2.0, 0.15, 0.1
# Outlines of pieces that lie edge to edge have no more in common than this share of the smaller one.
_RIM: Final = 0.15
# Pieces beside a known one are so far from it, in its widths and heights; half of their outline is seen, say.
_SIDEWAYS: Final = np.arange(0.2, 1.11, 0.1)
_SIDE_SUPPORT: Final = 0.5
_SIDE_ROUNDS: Final = 3
# Backs are held as fans, each turned against the one before it; fans of more cards than this are rare.
_FANNED_TURNS: Final = np.deg2rad([-9.0, -6.0, -3.0, 3.0, 6.0, 9.0])
_FANNED_STEPS: Final = np.arange(0.2, 0.56, 0.06)
_FAN_ROUNDS: Final = 16
# What a strip beside a back shows is known if it is a back: it is told from this confidence on, and narrower
# strips than of other faces are looked at, in edges.
_LEAST_OF_FAN, _LEAST_STRIP = 0.3, 0.1
_ASIDE: Final = 10
_LEAST_OPEN: Final = 0.1
# An outline shows a piece if such a share of the points within it that nothing explains, in shares of its
# edges, is not the table.
_WITHIN: Final = np.array(list(itertools.product(np.linspace(-0.45, 0.45, 7), repeat=2)))
_LEAST_OTHER: Final = 0.25
# A face of which this share looks otherwise, and is no disc, may be another one.
_ODD_SHARE: Final = 0.1
# What is less likely than this even without any rival is no face.
_HOPELESS: Final = 0.1
# What is more likely than this, though nobody would name it, is worth a question.
_GUESSED: Final = 0.2
# Of fewer pieces nobody knows whether the light is the same elsewhere. Colours that are so much further off
# than another face's, coded 0 to 1, are not those of a face: of true ones they are hardly ever further off.
_LIT: Final = 4
_OTHER_COLOURS: Final = 0.08
# A round outline is a polygon with so many corners.
_AROUND: Final = 48
# Overlaps are measured in so many parts of a block along each edge.
_FINER: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """A face that explains a part of a picture.

    Attributes:
        deck: its deck.
        evidence: what speaks for it.
        support: share of its outline that is seen as an edge.
        confidence: probability that it lies there.
        guess: of what nobody can name, the face that it is likest to be, and how likely.
    """

    deck: Deck
    evidence: Evidence
    support: float
    confidence: float
    guess: tuple[int, float] | None = None

    @property
    def is_back(self) -> bool:
        """Whether what lies there lies face down."""
        return self.deck.faces[self.evidence.face].is_back

    @property
    def spot(self) -> Spot:
        """Where it lies, as a place where others may lie as well."""
        return Spot(deck=self.deck, pose=self.evidence.pose, support=self.support)

    def corners(self) -> Floats:
        """Return its corners, px, from its top left clockwise, (4, 2)."""
        return self.evidence.pose.corners(self.deck.shape)

    def outline(self) -> Floats:
        """Return its outline, px, a convex polygon (N, 2): the corners, or points around a round one."""
        if not self.deck.is_round:
            return self.corners()
        pose, (height, width) = self.evidence.pose, self.deck.shape
        around = np.arange(_AROUND) * (2 * np.pi / _AROUND)
        points = np.column_stack([np.cos(around) * width / 2, np.sin(around) * height / 2]) * pose.size
        return np.asarray(points + np.array([pose.x, pose.y]), np.float64)

    def moved(self, off: Floats) -> Find:
        """Return it in a picture whose origin is elsewhere by x, y, px."""
        pose = self.evidence.pose
        pose = replace(pose, x=pose.x + float(off[0]), y=pose.y + float(off[1]))
        return replace(self, evidence=replace(self.evidence, pose=pose))

    def drawn(self, shape: tuple[int, ...], reduced: int = 1) -> Labels:
        """Return which pixels of a picture of this height and width show it, uint8, 0 or 1.

        The picture is reduced so many times.
        """
        pose, (height, width) = self.evidence.pose, self.deck.shape
        rows, columns = self.evidence.mask.shape
        across, along = width / columns * pose.size / reduced, height / rows * pose.size / reduced
        cos, sin = np.cos(pose.turn), np.sin(pose.turn)
        turn = np.array([[cos * across, -sin * along], [sin * across, cos * along]])
        middle = (np.array([pose.x, pose.y]) + 0.5) / reduced - 0.5
        matrix = np.column_stack([turn, middle - turn @ ((columns - 1) / 2, (rows - 1) / 2)])
        mask = self.evidence.mask.astype(np.uint8)
        size = (shape[1], shape[0])
        return np.asarray(cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_NEAREST), np.uint8)

    def shown_in(self, region: Singles) -> float:
        """Return the share of a part of the picture, a polygon in px, in which it is what is seen."""
        inside = self._within([region])
        shown = np.kron(self.evidence.mask, np.ones((_FINER, _FINER), np.bool_))
        return float(shown[inside].mean()) if inside.any() else 0.0

    def hidden_by(self, regions: Iterable[Singles]) -> Find:
        """Return it with some parts of the picture, polygons in px, hidden by something else."""
        rows, columns = self.deck.blocks
        inside = self._within(regions).reshape(rows, _FINER, columns, _FINER).any(axis=(1, 3))
        return replace(self, evidence=replace(self.evidence, mask=self.evidence.mask & ~inside))

    def _within(self, regions: Iterable[Singles]) -> Bools:
        """Return what of its blocks, in finer parts, is within polygons of the picture, px."""
        pose, (rows, columns) = self.evidence.pose, self.deck.blocks
        height, width = self.deck.shape
        cos, sin = np.cos(pose.turn) / pose.size, np.sin(pose.turn) / pose.size
        mask = np.zeros((rows * _FINER, columns * _FINER), np.uint8)
        for region in regions:
            points = np.asarray(region, np.float64).reshape(-1, 2) - (pose.x, pose.y)
            own = points @ np.array([[cos, -sin], [sin, cos]]) + (width / 2, height / 2)
            polygon = own * (columns / width, rows / height) * _FINER
            cv2.fillPoly(mask, [np.round(polygon).astype(np.int32)], 1)
        return np.asarray(mask > 0, np.bool_)


class Peeling:
    """Explains one picture with the faces of some decks."""

    def __init__(
        self,
        picture: Image,
        px_per_mm: float,
        decks: Sequence[Deck],
        confidence: Callable[[Evidence, float], float],
        is_edge_to_edge: Callable[[Find], bool] = lambda _: False,
        off_table: OffTable | None = None,
    ) -> None:
        """Prepare a rectified picture (height, width, 3) uint8 of this scale.

        Args:
            picture, px_per_mm: it.
            decks: what may lie there.
            confidence: how sure evidence is, given the share of an outline that is seen.
            is_edge_to_edge: whether nothing else lies over or under a find, where it is.
            off_table: where anything but the bare table is seen, None if nobody knows.
        """
        self.scene = Scene(picture, px_per_mm)
        self.finds: list[Find] = []
        self._outlined: list[Spot] = []
        self._doubted: list[Find] = []
        # Of these, what nothing was found over since: looked at again, it would be doubted again.
        self._guessed: list[Find] = []
        self._kept: list[Find] = []
        self._px_per_mm = px_per_mm
        self._decks = decks
        self._confidence = confidence
        self._is_edge_to_edge = is_edge_to_edge
        self._other = None if off_table is None else off_table.other
        self._may_be_other = None if off_table is None else off_table.other | off_table.untold
        # Where anything new may be seen, None = everywhere.
        self._news: Labels | None = None
        self._is_told_from_table = True

    def peel(self, poses: Poses, least: float, news: Labels | None = None) -> None:
        """Find pieces among proposed poses; `poses.sizes` counts decks, `least` is the least confidence.

        What lies half under another piece may show no corner, so that nothing proposes it: it is looked for
        beside all that was found. `news` (height, width), 0 or 1, is where anything new may be seen.
        """
        scorer = Scorer(self.scene.picture, self.scene, self._px_per_mm, news)
        self._news = news
        places = self._places(poses, scorer)
        self._outlined += places.outlined(_PLAIN_OUTLINE)
        self._peel(places, _Search(least=least, in_vain=_IN_VAIN))
        aside = _Search(least=least, in_vain=_ASIDE)
        self._peel_around(self._filling, _SIDE_ROUNDS, scorer, aside)
        self._peel_around(self._beside, _SIDE_ROUNDS, scorer, aside)
        fans = replace(aside, of_backs=min(_LEAST_OF_FAN, least), thick=_LEAST_STRIP)
        self._peel_around(self._fanned, _FAN_ROUNDS, scorer, fans)
        self._look_around_unnamed(scorer, least)
        self._doubt_by_colours()

    def _left_over(self, thick: float) -> Labels | None:
        """Return what is not known yet and so thick, in shorter edges, 0 or 1; None if nobody knows that."""
        if self._may_be_other is None or not self._is_told_from_table:
            return None
        left, may_be_left = self._thick_of_other(thick), self._residual(self._may_be_other)
        # Patches of the table that were burnt out are hardly ever as large as a piece.
        return np.asarray(left | _opened(may_be_left, self._in_px(_WHOLE_LEFT)), np.uint8)

    def _thick_of_other(self, thick: float) -> Labels:
        """Return what is new, surely not the table, not explained and so thick, in shorter edges, 0 or 1.

        Only where the bare table is known.
        """
        assert self._other is not None
        return _opened(self._residual(self._other), self._in_px(thick))

    def _in_px(self, edges: float) -> int:
        """Return a length in edges, the shortest of all faces, in px; 1 at least."""
        shortest = min((min(one.shape) for one in self._decks), default=1)
        return max(round(edges * shortest), 1)

    def _residual(self, some: Labels) -> Labels:
        """Return which of some pixels are new and not explained, 0 or 1."""
        free = np.asarray(some & (self.scene.free > 0), np.uint8)
        return free if self._news is None else np.asarray(free & self._news, np.uint8)

    def _peel_around(
        self, proposed: Callable[[], Poses], rounds: int, scorer: Scorer, search: _Search
    ) -> None:
        """Look around what is known, and then around what that brought, so many times at most."""
        for _ in range(rounds):
            known = len(self.finds)
            if _is_empty(self._left_over(search.thick)):
                break
            self._peel(self._places(proposed(), scorer), search)
            if len(self.finds) == known:
                break

    def _filling(self) -> Poses:
        """Return poses all over each patch that nothing explains and that is about as large as a piece.

        The sides of a high pile go on beyond its top, and a pattern breaks edges: then no corner proposes it.
        """
        if self._other is None:
            return _no_poses()
        found = [_no_poses()]
        thick = self._thick_of_other(_LEAST_LEFT)
        for patch in cv2.findContours(thick, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            middle, edges, degrees = cv2.minAreaRect(patch)
            turn = math.radians(degrees)
            for number, deck in enumerate(self._decks):
                shortest = min(deck.shape)
                for size, turned in ((deck.shape[::-1], turn), (deck.shape, turn + np.pi / 2)):
                    if all(_FILLED <= one / own <= _OVERFULL for one, own in zip(edges, size, strict=True)):
                        room = np.abs(np.subtract(edges, size)) + 2 * _UNTOLD * shortest
                        at = middle + _all_over(room, _FILLING * shortest) @ _turning(turn)
                        found.append(_proposed(at[self._are_open(at)], turned, number))
        return functools.reduce(Poses.joined, found)

    def _fanned(self) -> Poses:
        """Return poses beside the known backs, turned against them: of a fan a strip of each card is seen.

        No corner proposes these.
        """
        steps = np.concatenate([-_FANNED_STEPS, _FANNED_STEPS])
        across, turned = (one.ravel() for one in np.meshgrid(steps, _FANNED_TURNS))
        known = (*self._kept, *self.finds)
        backs = [one for one in known if one.is_back]
        return self._around(backs, lambda _, width: np.outer(across, (width, 0.0)), turned)

    def _look_around_unnamed(self, scorer: Scorer, least: float) -> None:
        """Look closely at what nobody could name, and at all places beside known pieces that reach over it.

        Where much else looks like outlines, plain ones may not have been compared. And a card between two
        others shows no corner, and as long as it is not known, neither is the one below.
        """
        for _ in range(_SIDE_ROUNDS):
            every = _Search(least=least, in_vain=_ALL, looked_at=_ALL)
            self._peel(self._places(self._outlines_of_unnamed(), scorer), every)
            self._name_by_colours(every)
            unnamed, known = self._outlined_apart(), len(self.finds)
            if not unnamed:
                break
            beside = self._beside()
            at = np.array([(one.evidence.pose.x, one.evidence.pose.y) for one in unnamed], np.float64)
            off = np.hypot(*np.moveaxis(beside.at[:, None] - at[None], -1, 0)).min(axis=1)
            reach = min(min(one.deck.shape) for one in unnamed)
            self._peel(self._places(beside.some(off < reach), scorer), replace(every, in_vain=_ASIDE))
            if len(self.finds) == known:
                break

    def _light(self, least: int) -> Floats | None:
        """Return the light that falls on most of at least so many pieces; None if there are fewer."""
        known = (*self._kept, *self.finds)
        middles = np.array([(one.evidence.pose.x, one.evidence.pose.y) for one in known]).reshape(-1, 2)
        lights = [
            light_on(self.scene, one.deck, one.evidence.face, one.evidence.pose, one.evidence.mask)
            for one in itertools.compress(known, self._are_open(middles))
        ]
        told = [one for one in lights if one is not None]
        return np.asarray(np.median(told, axis=0), np.float64) if len(told) >= least else None

    def _doubt_by_colours(self) -> None:
        """Take back the names of pieces whose colours are another's in the light that falls on the table."""
        light = self._light(_LIT)
        if light is None:
            return
        for number, one in enumerate(self.finds):
            where = one.evidence
            off = colours_behind(self.scene, one.deck, where.face, where.pose, where.mask, light)
            if off > _OTHER_COLOURS:
                self.finds[number] = replace(one, confidence=0.0)

    def _name_by_colours(self, search: _Search) -> None:
        """Look whether what nobody could name is one of the faces whose colours it shows."""
        light = self._light(1)
        if light is None:
            return
        for one in self._outlined_apart():
            best = max(self._found_by_colours(one.spot, light), key=_confidence_of, default=None)
            best = None if best is None else self._likest_of_kin(one.spot, best)
            if best is not None and self._is_believed(best, search):
                self._take(best)

    def _found_by_colours(self, spot: Spot, light: Floats) -> list[Find]:
        """Return which of the faces whose colours a place shows best in some light may lie there."""
        starts = dict(likest_by_colour(self.scene, spot.deck, spot.pose, light, _COMPARED))
        found = _found(*(self._compared(spot, face, start) for face, start in starts.items()))
        best = max(found, key=lambda one: one.evidence.ahead, default=None)
        if best is None or not _is_other(best) or best.evidence.rival in starts:
            return found
        # What is like it rather may look otherwise in the light that falls on the table.
        return found + _found(self._compared(spot, best.evidence.rival, best.evidence.pose))

    def _outlines_of_unnamed(self) -> Poses:
        """Return where something flat plainly lies that nobody could name, as proposed poses."""
        unnamed = self._outlined_apart()
        return Poses(
            np.array([(one.evidence.pose.x, one.evidence.pose.y) for one in unnamed], np.float64).reshape(
                -1, 2
            ),
            np.array([one.evidence.pose.turn for one in unnamed], np.float64),
            np.array([self._decks.index(one.deck) for one in unnamed], np.intp),
            np.array([np.full(4, one.support) for one in unnamed], np.float64).reshape(-1, 4),
        )

    def _places(self, poses: Poses, scorer: Scorer) -> Places:
        """Return proposed places without those where a known piece plainly lies: no two lie in one place."""
        places = Places(poses.some(self._show_more(poses)), self._decks, scorer)
        for one in (*self._kept, *self.finds):
            if one.evidence.shown >= _PLAIN:
                places.rule_out(one.evidence.pose, one.deck)
        return places

    def _show_more(self, poses: Poses) -> Bools:
        """Return which outlines show more than the table: wood has as many edges as all pieces together.

        Told only where the bare table is known: there are cards of its hues.
        """
        if self._other is None or not len(poses):
            return np.ones(len(poses), np.bool_)
        off = np.array([one.shape[::-1] for one in self._decks], np.float64)[poses.sizes][:, None]
        x, y = np.moveaxis(off * _WITHIN, -1, 0)
        cos, sin = np.cos(poses.turns)[:, None], np.sin(poses.turns)[:, None]
        at_x = (poses.at[:, :1] + cos * x - sin * y).astype(np.float32)
        at_y = (poses.at[:, 1:] + sin * x + cos * y).astype(np.float32)
        free, other = (
            cv2.remap(one, at_x, at_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE) > 0
            for one in (self.scene.free, self._other)
        )
        return _is_more(free, free & other)

    def _peel(self, places: Places, search: _Search) -> None:
        in_vain, left = 0, self._left_over(search.thick)
        looked_at: dict[int, _LookedAt] = {}
        while in_vain < search.in_vain and not _is_empty(left):
            is_by_share = in_vain % 2 == 0
            number = self._likest(places, looked_at, left, search.looked_at, is_by_share=is_by_share)
            if number is None:
                break
            find = looked_at.pop(number).find
            if find is not None and self._is_believed(find, search):
                in_vain = 0
                # That a strip of a fan is told by less must not be forgotten.
                self._take(replace(find, confidence=max(find.confidence, search.least)))
                places.take(find.evidence.pose, find.deck)
                left = self._left_over(search.thick)
            else:
                in_vain += 1
                places.give_up(number)
                self._give_up_beside(places, looked_at)
            # What was found shows that they are none, or covers a part of them: then they are looked at anew.
            for other in [one for one in looked_at if not places.holds(one)]:
                del looked_at[other]

    def _give_up_beside(self, places: Places, looked_at: dict[int, _LookedAt]) -> None:
        """Give up the places that wait to be compared and would only show what was guessed already."""
        for other in [number for number, one in looked_at.items() if self._was_guessed(one.ways[0][0])]:
            places.give_up(other)
            del looked_at[other]

    def _is_believed(self, find: Find, search: _Search) -> bool:
        """Whether a find is sure enough and may lie where it does; note what may be asked about."""
        least = search.least
        if search.of_backs is not None and find.is_back:
            least = search.of_backs
        if find.confidence >= least and not self._is_out_of_place(find):
            return True
        self._doubt(find)
        return False

    def _doubt(self, find: Find) -> None:
        """Note a find that is no more than a guess."""
        if find.confidence >= _GUESSED:
            self._doubted.append(find)
            # Of fans less is enough.
            if not find.is_back:
                self._guessed.append(find)

    def _was_guessed(self, spot: Spot) -> bool:
        """Whether what a place shows was looked at before, with as much of an outline, and only guessed.

        Where pieces lie edge to edge and most of one is seen, the same is found from nearby.
        """
        return any(
            one.deck is spot.deck
            and one.support + _AS_MUCH >= spot.support
            and is_same(spot.pose, one, _NEARBY)
            and (is_same(spot.pose, one) or self._is_plain_tile(one))
            for one in self._guessed
        )

    def _is_plain_tile(self, find: Find) -> bool:
        return find.evidence.shown >= _PLAIN and self._is_edge_to_edge(find)

    def _likest(
        self,
        places: Places,
        looked_at: dict[int, _LookedAt],
        left: Labels | None,
        most: int,
        *,
        is_by_share: bool,
    ) -> int | None:
        """Return the number of the likest place, compared with what it is like; None if there is none.

        No more than `most` are looked at; `is_by_share` says whether how much of each is seen counts as well.
        """
        number = None
        for many in (min(_LOOKED_AT_FIRST, most), most):
            self._look_at(places, looked_at, many, left)
            number = max(looked_at, key=lambda each: looked_at[each].priority(is_by_share), default=None)
            if number is None:
                break
            one = looked_at[number]
            if not one.is_compared:
                one = looked_at[number] = replace(one, is_compared=True, find=self._find(one))
            if self._is_certain(one.find):
                break
        return number

    def _look_at(
        self, places: Places, looked_at: dict[int, _LookedAt], most: int, left: Labels | None
    ) -> None:
        """Look at places until so many wait to be compared; what is like no face is given up."""
        while len(looked_at) < most:
            place = places.next()
            if place is None:
                break
            one = self._looked_at(place.spot, place.score, left)
            if one is None:
                places.give_up(place.number)
            else:
                looked_at[place.number] = one

    def _looked_at(self, spot: Spot, score: float, left: Labels | None) -> _LookedAt | None:
        """Return the faces that a place is like, turned either way that it may be; None if there are none.

        None, too, if it hardly shows any of what is left over (`left`), if that is known, or hardly more than
        the table now that pieces beside it are known, or if it was guessed already.
        """
        if self._was_guessed(spot):
            return None
        free = self._marked(self.scene.free, spot)
        shown = free if self._other is None else free & self._marked(self._other, spot)
        if self._other is not None and not _is_more(free, shown).all():
            return None
        if left is not None and self._marked(left, spot).mean() < _LEAST_OPEN:
            return None
        ways = (spot, turned_over(spot)) if spot.turned else (spot,)
        likes = tuple((way, roughly_like(self.scene, way.deck, way.pose)) for way in ways)
        likest = max((one for _, some in likes for one in some), key=lambda one: one.like, default=None)
        if likest is None:
            return None
        is_back = spot.deck.faces[likest.face].is_back
        return _LookedAt(ways=likes, like=likest.like + score, share=1.0 if is_back else float(shown.mean()))

    @staticmethod
    def _marked(of: Labels | Singles, spot: Spot) -> Bools:
        """Return at which of some points within a place something is marked in the picture."""
        height, width = spot.deck.shape
        x, y = spot.pose.maps(*np.asarray(_WITHIN * (width, height), np.float32).T)
        marked = cv2.remap(of, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(marked > 0, np.bool_)

    def _beside(self) -> Poses:
        """Return poses beside all that is known, as people lay pieces: straight, touching or half covered."""
        steps = np.concatenate([-_SIDEWAYS, _SIDEWAYS])

        def own(height: int, width: int) -> Floats:
            return np.concatenate([np.outer(steps, (width, 0.0)), np.outer(steps, (0.0, height))])

        return self._around((*self._kept, *self.finds), own, np.zeros(2 * len(steps)))

    def _around(self, finds: Iterable[Find], own: Callable[[int, int], Floats], turned: Floats) -> Poses:
        """Return the poses around some finds that are in the picture.

        `own` gives where they are, (N, 2), from a find's middle and in its turn, for its height and width in
        px; each is `turned` (N,) against it.
        """
        found = [_no_poses()]
        for one in finds:
            pose = one.evidence.pose
            there = own(*one.deck.shape) @ _turning(pose.turn) + (pose.x, pose.y)
            is_open = self._are_open(there)
            found.append(
                _proposed(there[is_open], (pose.turn + turned)[is_open], self._decks.index(one.deck))
            )
        return functools.reduce(Poses.joined, found)

    def _are_open(self, at: Floats) -> Bools:
        """Return which points are in the picture."""
        height, width = self.scene.free.shape
        return np.asarray((at >= 0).all(axis=1) & (at < (width, height)).all(axis=1), np.bool_)

    def look_again(self, finds: Sequence[Find], least: float) -> None:
        """Keep what was found here before as far as it still lies there, what is plainest first.

        Of what nobody could name nothing is known that could be found again.
        """
        named = [one for one in finds if one.confidence >= least]
        for one in sorted(named, key=lambda each: -each.confidence):
            if not resembles(self.scene, one.deck, one.evidence.face, one.evidence.pose):
                continue
            found = self._found_again(one, least)
            if found is None or not is_same(found.evidence.pose, one):
                continue
            # However sure it was: only its rim is left beside what lies upon it.
            if found.confidence >= least and not any(_shows_less(found, other) for other in self.finds):
                self._take(found)

    def _found_again(self, before: Find, least: float) -> Find | None:
        """Return what lies where a piece was found before: most often that."""
        place = before.spot
        own = self._compared(place, before.evidence.face, before.evidence.pose)
        found = self._beside_rival(place, own)
        if own is None or found is None:
            return found
        if found.confidence < least:
            if own.evidence.is_under_discs and self._told_apart(own, found) < ALIKE_PRINT:
                # Discs hide all by which they differ, so that nothing but chance says that it is another one.
                own = replace(own, evidence=beside_kin(own.evidence, {found.evidence.face: (0.0, 0.0)}))
            if not _is_other(own):
                # Too little is left to be seen to say that it is another one.
                found = own
        is_the_same = found.evidence.face == before.evidence.face
        if is_the_same and _still_agrees(found) and self._is_still(found, before):
            # What was laid upon it since takes nothing from what was seen before.
            return replace(found, confidence=max(found.confidence, before.confidence))
        return found

    def _beside_rival(self, place: Spot, find: Find | None) -> Find | None:
        """Return a find, or what explains a place better of the rival most like it and what looks alike."""
        find = None if find is None else self._likest_of_kin(place, find)
        if find is None or not self._is_doubtful(find):
            return find
        if find.confidence >= NAMED and find.evidence.rival in _kin_of(find, ()):
            # They were told apart, each in its own light.
            return find
        rival = self._compared(place, find.evidence.rival, find.evidence.pose)
        return self._likest_of(place, _found(find, rival))

    def _told_apart(self, find: Find, other: Find) -> float:
        """Return how far what is seen of a place can tell the faces of two finds apart that may lie there."""
        if find.evidence.face == other.evidence.face:
            return np.inf
        theirs = other.evidence
        fits = _Misfits(self.scene, find).with_rival(theirs.face, theirs.pose)
        return fits.apart(find.evidence.face, theirs.face)[1]

    def _is_still(self, find: Find, before: Find) -> bool:
        """Whether a piece lies exactly where it did, so that it cannot be another one."""
        pose, other = find.evidence.pose, before.evidence.pose
        off_mm = np.hypot(pose.x - other.x, pose.y - other.y) / self._px_per_mm
        return bool(off_mm < _STIRRED_MM and abs(pose.turn - other.turn) < _STIRRED_TURN)

    def unnamed(self) -> list[Find]:
        """Return where something flat plainly lies apart from all finds that nobody can name.

        Either an outline shows it, or, of what others may lie upon, most of one and what may be print of a
        face.
        """
        apart = self._outlined_apart()
        for one in sorted(self._doubted, key=_confidence_of, reverse=True):
            unread = replace(_unread(one.spot), guess=(one.evidence.face, one.confidence))
            is_card = one.support >= _PARTLY_OUTLINED and not self._is_under_discs_alone(one)
            if is_card and self._is_apart(unread, apart, _PARTLY):
                apart.append(unread)
        return apart

    def _outlined_apart(self) -> list[Find]:
        """Return where an outline shows that something flat lies apart from all finds."""
        apart: list[Find] = []
        for place in self._outlined:
            one = replace(_unread(place), guess=self._guess(place))
            if self._is_apart(one, apart, _MOSTLY):
                apart.append(one)
        return apart

    def _is_apart(self, find: Find, others: Iterable[Find], least: float) -> bool:
        """Whether what lies there is none that is known, nor one of some others; `least` as in `_is_open`."""
        known = (*self._kept, *self.finds, *others)
        return self._is_open(find, least) and not any(is_near(find, other) for other in known)

    def _guess(self, place: Spot) -> tuple[int, float] | None:
        """Return what a place is likest to show, though nobody would name it, and how likely."""
        here = [one for one in self._doubted if one.deck is place.deck and is_same(place.pose, one)]
        best = max(here, key=_confidence_of, default=None)
        return None if best is None else (best.evidence.face, best.confidence)

    def _is_open(self, find: Find, least: float) -> bool:
        """Whether nothing explains at least such a share of what is seen within an outline, nor the table.

        Where that is bare between pieces, their edges are its outline.
        """
        x, y = find.evidence.pose.maps(find.deck.x[::4, ::4], find.deck.y[::4, ::4])
        open_ = cv2.remap(self.scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0
        if self._other is not None:
            open_ &= cv2.remap(self._other, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0
        return float(open_.mean()) >= least

    def _is_certain(self, find: Find | None) -> bool:
        return find is not None and find.confidence > _CERTAIN and not self._is_doubtful(find)

    def _is_doubtful(self, find: Find) -> bool:
        """Whether the rival most like a face has to be looked at as it would lie itself.

        A card half under others shows too little to be clear; what lies beside others shows all but discs.
        Without a rival a face is clear.
        """
        unclear = find.evidence.clear < _UNCLEAR and self._is_edge_to_edge(find)
        return unclear or find.evidence.ahead < _DOUBTFUL

    def _is_out_of_place(self, find: Find) -> bool:
        """Whether a find cannot lie where it does.

        A piece in the same place is surer and more of it is seen: the find is but its rim. So it is, however
        sure by itself, of what nothing but discs may lie upon. Or nothing lies over or under another there,
        and it could only be there so. What shows too little may be a gap, and what does not look like a tile
        where no disc lies is none.
        """
        evidence = find.evidence
        is_alone = self._is_under_discs_alone(find)
        if evidence.shown < _LEAST_SHOWN or any(
            _shows_less(find, one) and (is_alone or one.confidence >= find.confidence)
            for one in (*self._kept, *self.finds)
        ):
            return True
        is_vague = evidence.clear < _VAGUE
        if is_alone and evidence.strange > (_STRANGE_IF_VAGUE if is_vague else _STRANGE):
            return True
        return self._is_edge_to_edge(find) and (
            is_vague
            or any(
                one.confidence >= find.confidence and not is_same(evidence.pose, one) and _cross(find, one)
                for one in (*self._kept, *self.finds)
            )
        )

    def _is_under_discs_alone(self, find: Find) -> bool:
        """Whether nothing but discs may lie upon a find."""
        return find.deck.tokens is not None or self._is_edge_to_edge(find)

    def _take(self, find: Find) -> None:
        """Note a find; what was thought to lie in the same place, little of it seen, was none.

        Nor was what is less sure and would lie over or under it where nothing does.
        """
        self.finds = [one for one in self.finds if not self._is_ousted(one, find)]
        self.finds.append(find)
        self._guessed = [one for one in self._guessed if not _common(one.outline(), find.outline())]
        self.cover(find)

    def _is_ousted(self, find: Find, by: Find) -> bool:
        """Whether a find cannot lie where it does beside another one."""
        if find.deck is by.deck and is_same(by.evidence.pose, find):
            return True
        return find.confidence < by.confidence and self._is_edge_to_edge(find) and _cross(find, by)

    def _find(self, place: _LookedAt) -> Find | None:
        """Return the face that explains a place best, turned either way that it may lie."""
        best: Find | None = None
        for spot, likes in sorted(place.ways, key=_most_like, reverse=True):
            if not self._is_certain(best):
                best = max(_found(best, self._found_at(spot, likes)), key=_confidence_of, default=None)
        return best

    def _found_at(self, place: Spot, likes: Sequence[Like]) -> Find | None:
        """Return the face that explains a place best, turned as it says."""
        finds = self._all_found_at(place, likes)
        if not finds:
            return None
        best = max(finds, key=_confidence_of)
        is_odd = best.evidence.strange >= _ODD_SHARE and self._is_under_discs_alone(best)
        if is_odd and best.confidence >= _GUESSED:
            finds += self._seen_otherwise(best)
        return self._likest_of(place, finds)

    def _likest_of(self, place: Spot, finds: Sequence[Find]) -> Find:
        """Return what explains a place best of what was found there and what looks alike."""
        best = max(finds, key=_confidence_of)
        # Where a lamp was mirrored in one of them when it was learnt, each is the likest in its own light.
        return self._likest_of_kin(place, best, [one for one in finds if one.confidence >= NAMED])

    def _seen_otherwise(self, find: Find) -> list[Find]:
        """Return what else may lie where a part of a face looks otherwise than it should, by its colours.

        Faces that were cut some millimetres beside where they lay are not among the likest at first sight.
        """
        where = find.evidence
        light = light_on(self.scene, find.deck, where.face, where.pose, where.mask)
        return [] if light is None else self._found_by_colours(find.spot, light)

    def _all_found_at(self, place: Spot, likes: Sequence[Like]) -> list[Find]:
        """Return the faces that may explain a place, turned as it says; none any more once one is certain."""
        best: Find | None = None
        tried: dict[int, Find | None] = {}
        starts = {
            one.face: one.pose
            for one in finely_like(self.scene, place.deck, likes)
            if resembles(self.scene, place.deck, one.face, one.pose)
        }
        queue = deque(starts)
        while queue and len(tried) < _COMPARED and not self._is_certain(best):
            face = queue.popleft()
            if face in tried:
                continue
            start = starts.get(face, place.pose) if best is None else best.evidence.pose
            find = tried[face] = self._compared(place, face, start)
            best = max(_found(best, find), key=_confidence_of, default=None)
            if find is not None and self._is_doubtful(find):
                queue.appendleft(find.evidence.rival)
        return _found(*tried.values())

    def _likest_of_kin(self, place: Spot, find: Find, rivals: Sequence[Find] = ()) -> Find:
        """Return what explains a place best of a face and those that may be mistaken for it.

        Some `rivals` were found there as well.

        Where they lie, and in what light, is found for each: seen in the light that suits one of them, it is
        always a little ahead of the others. So a find that nobody would name may be plain enough.
        """
        kin = _kin_of(find, rivals)
        if find.confidence < (_HOPELESS if self._is_unclear(find.evidence) else NAMED):
            return find
        best, behind = find, dict[int, tuple[float, float]]()
        fits = _Misfits(self.scene, find)
        queue = deque(kin)
        while len(behind) < _KIN_TOLD:
            rival = queue.popleft() if queue else best.evidence.rival
            if rival in behind or not (rival in kin or self._may_be_another(best)):
                break
            pose = register(self.scene, find.deck, rival, find.evidence.pose)
            by, most = fits.with_rival(rival, pose).apart(best.evidence.face, rival)
            other = self._compared(place, rival, pose) if by < 0 and most >= ALIKE_PRINT else None
            if other is None:
                behind[rival] = max(by, 0.0), most
            else:
                # All that was told so far is of the one that was thought to lie there.
                best, behind = other, fits.behind(rival)
            evidence = beside_kin(best.evidence, behind)
            best = replace(best, evidence=evidence, confidence=self._confidence(evidence, best.support))
        return best

    def _may_be_another(self, find: Find) -> bool:
        """Whether the likest rival of a find matters though they differ in much.

        Beside discs their rims seem to tell faces apart of which they hide all that differs.
        """
        is_unclear = find.confidence < NAMED and self._is_unclear(find.evidence)
        return is_unclear or find.evidence.is_under_discs

    @staticmethod
    def _is_unclear(evidence: Evidence) -> bool:
        """Whether a rival hardly differs from a face as both are seen in its light."""
        return evidence.rival >= 0 and 0 <= evidence.clear < _UNCLEAR

    def _compared(self, place: Spot, face: int, start: Pose) -> Find | None:
        """Return a face as it lies in a place, None if it does not."""
        pose = register(self.scene, place.deck, face, start)

        def is_worth(alone: Evidence) -> bool:
            return alone.open_share >= _LEAST_OPEN and self._confidence(alone, place.support) >= _HOPELESS

        find = self._told_in(self.scene, place, face, pose, is_worth)
        if find is None or find.confidence >= NAMED or self._is_under_discs_alone(find):
            return find
        below = self._below(find)
        if below is None:
            return find
        return max(_found(find, self._told_in(below, place, face, pose, is_worth)), key=_confidence_of)

    def _told_in(
        self, scene: Scene, place: Spot, face: int, pose: Pose, is_worth: Callable[[Evidence], bool]
    ) -> Find | None:
        """Return a registered face as it lies in a scene, None if it does not."""
        evidence = compare(scene, place.deck, face, pose, is_worth)
        if evidence is None:
            return None
        return Find(
            deck=place.deck,
            evidence=evidence,
            support=place.support,
            confidence=self._confidence(evidence, place.support),
        )

    def _below(self, find: Find) -> Scene | None:
        """Return the scene as it is if a find lies below all that is known; None if that changes little.

        Where a lamp is mirrored a part of a known face shows no print that is known, but still hides what
        lies below it.
        """
        evidence = find.evidence
        if evidence.strange < _UNSEEN_OF_UPPER or evidence.shown < _LEAST_SHOWN:
            return None
        outline = find.outline()
        above = [one.outline() for one in (*self._kept, *self.finds)]
        above = [one for one in above if _common(outline, one)]
        if not above:
            return None
        mine = np.zeros(self.scene.free.shape, np.uint8)
        cv2.fillConvexPoly(mine, np.round(outline).astype(np.int32), 1)
        hidden = np.zeros_like(mine)
        for one in above:
            cv2.fillConvexPoly(hidden, np.round(one).astype(np.int32), 1)
        hides = (mine & hidden > 0) & (self.scene.free > 0)
        if np.count_nonzero(hides) < _UNSEEN_OF_UPPER * np.count_nonzero(mine):
            return None
        return self.scene.without(hides)

    def keep(self, find: Find) -> None:
        """Take a piece as known that need not be found again."""
        self._kept.append(find)
        self.cover(find)

    def cover(self, find: Find) -> None:
        """Take what shows a find as explained."""
        shown = find.drawn(self.scene.free.shape)
        self.scene.free[shown > 0] = 0
        where = region_of(shown.view(np.bool_))
        if self._may_be_other is not None and where is not None:
            told, whole = (
                _opened(one, self._in_px(_LEAST_LEFT))
                for one in (shown[where] & self._may_be_other[where], shown[where])
            )
            self._is_told_from_table &= cv2.countNonZero(told) >= _TOLD * cv2.countNonZero(whole)


class _Misfits:
    """How far a place is from some faces, each as it would lie there itself."""

    def __init__(self, scene: Scene, find: Find) -> None:
        """Take a scene and what was found in it; it is looked at only once there is a rival."""
        self._scene, self._find = scene, find
        self._fits = dict[int, Misfit]()

    def with_rival(self, face: int, pose: Pose) -> _Misfits:
        """Look at another face that is registered there; return the same."""
        evidence = self._find.evidence
        if not self._fits:
            self._look_at(evidence.face, evidence.pose)
        self._look_at(face, pose)
        return self

    def behind(self, best: int) -> dict[int, tuple[float, float]]:
        """Return of each other face how far it is behind one of them, and how far it could be."""
        return {face: self.apart(best, face) for face in self._fits if face != best}

    def apart(self, face: int, other: int) -> tuple[float, float]:
        """Return how far a face is ahead of another one, and how far it could be."""
        mine, its = self._fits[face], self._fits[other]
        difference = print_difference(self._find.deck, face, other)
        return mine.ahead_of(its, difference), told_by(difference, mine.open & its.open)

    def _look_at(self, face: int, pose: Pose) -> None:
        self._fits[face] = Misfit.of(self._scene, self._find.deck, face, pose)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LookedAt:
    """A place, and which faces it is like, for each way that it may be turned.

    Attributes:
        ways: these.
        like: how like the likest it is.
        share: share of it that is seen and is not the table; 1 for backs: fans of them show only strips.
        is_compared: whether it was compared with them.
        find: what explains it best then, None if nothing does.
    """

    ways: tuple[tuple[Spot, list[Like]], ...]
    like: float
    share: float
    is_compared: bool = False
    find: Find | None = None

    def priority(self, is_by_share: bool) -> float:
        """Return how plain a place is.

        What shows little is like many faces by chance, so how plain it is grows as the square root of how
        much is seen. But narrow strips would never be compared that way: each order has its turn.
        """
        return self.like * math.sqrt(self.share) if is_by_share else self.like


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """How places are looked at.

    Attributes:
        least: how sure a face has to be.
        of_backs: how sure a back has to be instead, None = as sure as any face.
        in_vain: after so many comparisons in a row that find nothing the rest is left.
        looked_at: so many places are looked at before the likest of them is compared.
        thick: only where so much is left that nothing explains, in edges, the shortest of all faces.
    """

    least: float
    of_backs: float | None = None
    in_vain: int
    looked_at: int = _LOOKED_AT
    thick: float = _LEAST_LEFT


def _most_like(way: tuple[Spot, list[Like]]) -> float:
    return max((one.like for one in way[1]), default=-1.0)


def _confidence_of(find: Find) -> float:
    return find.confidence


def is_same(pose: Pose, find: Find, near: float = SAME) -> bool:
    """Whether a pose is that of a piece that was found, up to so many of its shorter edges."""
    short = min(find.deck.shape)
    other = find.evidence.pose
    off = float(np.hypot(pose.x - other.x, pose.y - other.y))
    period = np.pi / 2 if find.deck.shape[0] == find.deck.shape[1] else np.pi
    turn = abs((pose.turn - other.turn + period / 2) % period - period / 2)
    return off < near * short and turn < SAME_TURN


def _shows_less(find: Find, than: Find) -> bool:
    """Whether a find lies exactly where another one does of which as much is seen, or more."""
    return (
        find.deck is than.deck
        and is_same(find.evidence.pose, than)
        and than.evidence.shown >= find.evidence.shown
    )


def _is_more(free: Bools, shown: Bools) -> Bools:
    """Return whether enough of each place is not the table, by its points (places, points) or (points,).

    `free` is what nothing explains, `shown` what of that is not the table.
    """
    share = shown.mean(axis=-1)
    return np.asarray((share >= _LEAST_OPEN) & (share >= _LEAST_OTHER * free.mean(axis=-1)), np.bool_)


def _opened(some: Labels, least_px: int) -> Labels:
    """Return those parts of what is marked into which a square of so many pixels fits, 0 or 1."""
    around = np.ones((least_px,) * 2, np.uint8)
    return np.asarray(cv2.dilate(cv2.erode(some, around, borderValue=0), around), np.uint8)


def _is_empty(left: Labels | None) -> bool:
    """Whether nothing is left over, and that is known."""
    return left is not None and not left.any()


def _still_agrees(find: Find) -> bool:
    """Whether most of what is seen of a face is as learnt, and surely like no other rather."""
    return not _is_other(find) and find.evidence.shown >= _STILL * find.evidence.open_share


def _found(*finds: Find | None) -> list[Find]:
    return [one for one in finds if one is not None]


def _kin_of(find: Find, rivals: Iterable[Find]) -> tuple[int, ...]:
    """Return the faces that may be mistaken for a find: others found in its place, and those much like it."""
    known = find.evidence.face, *find.deck.alike[find.evidence.face]
    faces = dict.fromkeys((*(one.evidence.face for one in rivals), *find.deck.kin[find.evidence.face]))
    return tuple(one for one in faces if one not in known)


def _is_other(find: Find) -> bool:
    """Whether what is seen is surely like another face rather."""
    return find.evidence.ahead <= -_DOUBTFUL


def _no_poses() -> Poses:
    return _proposed(np.zeros((0, 2)), 0.0, 0)


def _proposed(at: Floats, turns: float | Floats, size: int) -> Poses:
    """Return poses (N, 2) in one turn or in N of them, of one deck, of whose outline nothing is known."""
    many = len(at)
    return Poses(at, np.full(many, turns), np.full(many, size, np.intp), np.full((many, 4), _SIDE_SUPPORT))


def _all_over(room: Floats, step: float) -> Floats:
    """Return points no further apart than a step all over a rectangle of so many px about 0, (N, 2)."""
    across, along = (np.linspace(-0.5, 0.5, math.ceil(one / step) + 1) * one for one in room.tolist())
    return np.array(list(itertools.product(across, along)))


def _turning(turn: float) -> Floats:
    """Return what turns points (N, 2), multiplied from the right."""
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array([[cos, sin], [-sin, cos]])


def _unread(place: Spot) -> Find:
    """Return an outline as that of something of which nothing is known."""
    evidence = Evidence(
        face=0,
        pose=place.pose,
        open_share=1.0,
        shown=0.0,
        likeness=0.0,
        ahead=0.0,
        rival=-1,
        clear=0.0,
        hole=0.0,
        strange=0.0,
        mask=np.zeros(place.deck.blocks, np.bool_),
        closest=(),
    )
    return Find(deck=place.deck, evidence=evidence, support=place.support, confidence=0.0)


def _common(one: Floats, other: Floats) -> float:
    """Return how large the part is that two outlines, convex polygons (N, 2), have in common, square px."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def _cross(one: Find, other: Find) -> bool:
    """Whether two outlines have more of the smaller one in common than a rim."""
    mine, others = one.outline(), other.outline()
    smaller = min(cv2.contourArea(each.astype(np.float32)) for each in (mine, others))
    return _common(mine, others) > _RIM * smaller


def is_near(one: Find, other: Find) -> bool:
    """Whether a piece that nobody can name lies too close to another one to be any other.

    What may be print of a face shows it also where less of it is to be seen beside the other.
    """
    apart = _APART if one.guess is None else _GUESSED_APART
    mine, its = one.evidence.pose, other.evidence.pose
    off = math.hypot(mine.x - its.x, mine.y - its.y)
    return off < apart * min(*one.deck.shape, *other.deck.shape)
