"""Discs, meeples, gems and dragons on a rectified table, by their paints.

Once what lies flat is explained it is known what each pixel of it would show. A disc is looked for wherever
enough is seen in its paint and something there is not as it should be, or where that stands out from what is
around; whether it is there, a network tells (`vision.free.solid_recogniser`). Of stacked discs only the
uppermost is reported: too little is seen of the others to say whose they are. What stands is found apart
(`vision.free.figures`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.free_pieces import Shape
from vision.arrays import Bools, Floats, Image, Labels, Patches, Singles
from vision.free.discs import DiscSearch
from vision.free.expected import Expected
from vision.free.figures import FigureFinder
from vision.free.known_paint import SIZES_MM, KnownPaint, Solid
from vision.free.peeling import Find
from vision.free.remembered import SURE, RememberedPlaces, Scenery
from vision.free.solid_patches import Seen, SolidPatches, SolidPlace
from vision.free.solid_recogniser import SolidRecogniser
from vision.geometry.rectify import Flat, leaning
from vision.geometry.regions import grown
from vision.geometry.upright import Upright
from vision.photometry.light import glare
from vision.photometry.palette import NOTHING, Shade, palette_of

# Of a circle so much must have a paint for a disc to be looked for there, and so much of it be neither known
# print nor ground, unless the ring around it has less of that paint by the third share.
_PROPOSED, _LEAST_STRANGE, _STANDS_OUT = 0.5, 0.12, 0.3
# Places of one paint are so far from each other, in radii of a disc; no more of them are looked at.
_STEP, _MOST_PLACES = 0.6, 200
# Where a disc is likelier than this it is looked for close around, so far off in its widths: if it is sure
# only to find its middle.
_PROMISING: Final = 0.2
_AROUND_IT: Final = [(0.15 * x, 0.15 * y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
_ACROSS: Final = [(0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2)]
# Where a disc's logarithmic odds are less than the best by so much its middle is not. No chance is surer than
# this for these odds.
_MUCH_LESS, _LEAST_CHANCE = 5.0, 1e-5
# A disc is told from this chance on.
_SURE: Final = 0.9
NEAR_HAND_MM: Final = 45.0
"""So near to a hand, mm, there may be a tile that nobody can name."""
# A hand is thicker than this, mm.
_HAND_MM: Final = 34.0
# What is burnt out is a mirrored lamp if it is as large as so many discs; ground so near to it, mm, is white.
_GLARE_DISCS, _NEAR_GLARE_MM = 4.0, 20.0
# White that is less pure than this, as a share of its brightest colour, has the hue of something else.
_PURE: Final = 0.14
# What on a face is so much of a disc, and none that is known, may be one.
_MOST_OF_DISC: Final = 0.4
# A round outline is a polygon with so many corners.
_AROUND: Final = 20
# Discs whose middles are nearer than this share of their width stand upon each other.
_STACKED: Final = 0.6


@dataclass(frozen=True, slots=True)
class Looked:
    """What a picture shows, and where discs may be in it.

    Attributes:
        expected, seen: what it shows.
        empty, blank: (height, width) where the table is seen as it is, and where nothing is looked for.
        places: where discs may be.
    """

    expected: Expected
    seen: Seen
    empty: Bools
    blank: Bools
    places: tuple[SolidPlace, ...]


class SolidFinder:
    """Finds pieces of known paints for one camera pose.

    Attributes:
        paints: of the pieces.
    """

    def __init__(
        self,
        paints: Sequence[KnownPaint],
        camera: CameraPose,
        flat: Flat,
        seen: Bools | None = None,
        *,
        recogniser: SolidRecogniser | None = None,
    ) -> None:
        """Prepare.

        Args:
            paints: of the pieces.
            camera: the camera over the table.
            flat: the window of the rectified pictures.
            seen: which of its pixels frames show, None for all.
            recogniser: tells how likely discs are in patches; loaded when it is needed if there is none.
        """
        self.paints = tuple(paints)
        self._palette = palette_of(tuple((one.name, one.palette) for one in paints))
        # White pieces take the colour of the ground beside them, and so look like it; but not all over.
        self._plain = palette_of(tuple((one.name, _plainest(one.palette)) for one in paints))
        self._pale = {
            number
            for number, one in enumerate(paints)
            if one.shape is Shape.DISC and _plainest(one.palette) != one.palette
        }
        self._camera = camera
        self._flat = flat
        self._seen = np.ones((flat.height_px, flat.width_px), np.bool_) if seen is None else seen
        self._disc_search = DiscSearch(SIZES_MM[Shape.DISC][0] / 2 * flat.px_per_mm)
        self._recogniser = recogniser
        self._figures = FigureFinder(paints, camera, flat)
        self._remembered = RememberedPlaces()
        # By label: nothing in particular is none.
        self._is_disc = np.array([one.shape is Shape.DISC for one in paints] + [False] * 256, np.bool_)

    def find(
        self,
        picture: Image,
        finds: Sequence[Find],
        strips: Sequence[Floats] = (),
        *,
        is_whole: bool = True,
        empty: Bools | None = None,
    ) -> tuple[Solid, ...] | None:
        """Return the pieces in a rectified picture (height, width, 3) uint8, see `look`.

        None if there is too little print to tell the light by: then no colour can be named.
        """
        looked = self.look(picture, finds, strips, is_whole=is_whole, empty=empty)
        if looked is None:
            return None
        expected, labels = looked.expected, looked.seen.labels
        printed = self._palette.label(expected.known)
        found = list(self._figures.find(expected, labels, printed, looked.empty))
        if self._is_disc.any():
            self._remembered.renew(Scenery.of(picture, expected.known, looked.blank))
            found += self._told(self._closer(looked))
        return (*found, *self._unnamed(expected.strange & expected.covered, found))

    def patches(self, seen: Seen, places: Sequence[SolidPlace]) -> Patches:
        """Return what is seen of places, as the network sees it."""
        return SolidPatches(seen, [one.palette for one in self.paints]).of(places)

    def look(
        self,
        picture: Image,
        finds: Sequence[Find],
        strips: Sequence[Floats] = (),
        *,
        is_whole: bool = True,
        empty: Bools | None = None,
    ) -> Looked | None:
        """Return where pieces may be in a rectified picture (height, width, 3) uint8.

        None if there is too little print to tell the light by.

        Args:
            picture: it.
            finds: what lies flat there, the lowest first.
            strips: outlines, px, of cards that others cover but for a strip: nothing stands on those, and
                their print may look strange.
            is_whole: False if a board is missing, so that nobody knows what is ground: then pieces are looked
                for only on known faces, as they are beside a hand.
            empty: where the table is seen as it is with nothing on it, (height, width): its pattern is no
                piece. None if nobody knows.
        """
        expected = Expected.of(picture, finds, self._seen)
        if expected is None:
            return None
        labels, now = self._palette.label(expected.relit), expected.relit.copy()
        unlike = expected.strange & (labels == NOTHING)
        labels[unlike] = self._palette.label(expected.standing[unlike])
        now[unlike] = expected.standing[unlike]
        for outline in strips:
            cv2.fillConvexPoly(labels, np.round(outline).astype(np.int32), NOTHING)
        # Heaps of discs are as thick as hands.
        hands = self._beside_hands(expected.strange & ~self._is_disc[labels])
        doubtful = expected.bare & (hands | self._beside_glare(picture)) if is_whole else expected.bare
        # Printed codes are no pieces.
        blank = doubtful | ~self._seen
        labels[blank] = NOTHING
        table = expected.bare & (np.False_ if empty is None else empty)
        seen = _seen(expected, now, labels, table)
        unknown = (expected.bare | seen.strange) & ~blank
        plain = self._plain.label(expected.relit) if self._pale else labels
        places: list[SolidPlace] = []
        for number, paint in enumerate(self.paints):
            if paint.shape is Shape.DISC:
                places += self._discs(number, labels == number, seen.strange)
                if number in self._pale:
                    places += self._discs(number, (plain == number) & unknown, seen.strange)
        return Looked(expected, seen, table, blank, tuple(_apart_from_each_other(places)))

    def _closer(self, looked: Looked) -> list[tuple[SolidPlace, float]]:
        """Return the likeliest places and how likely they are, each in the middle of where the disc may be.

        Where nothing has changed since a place was looked at what was told of it is known already.
        """
        known = list(self._remembered.certain)
        hopeless = self._remembered.are_hopeless(looked.places)
        places = [
            one
            for one, is_none in zip(looked.places, hopeless, strict=True)
            if not is_none and _is_apart_from_its_like(one, known)
        ]
        chances = self._chances(looked, places)
        kept: list[tuple[SolidPlace, float]] = []
        order = np.argsort(-chances, kind="stable")
        for number in order[chances[order] >= _PROMISING].tolist():
            if _is_apart_from_its_like(places[number], kept):
                kept.append((places[number], float(chances[number])))
        sure = [one for one, chance in kept if chance >= SURE]
        doubtful = [one for one, chance in kept if chance < SURE]
        found = [*self._centred(looked, sure, _ACROSS), *self._centred(looked, doubtful, _AROUND_IT)]
        self._remembered.note(found)
        self._remembered.note(
            (places[number], float(chances[number])) for number in order[chances[order] < _PROMISING].tolist()
        )
        return [*known, *found]

    def _centred(
        self, looked: Looked, places: Sequence[SolidPlace], steps: Sequence[tuple[float, float]]
    ) -> Iterator[tuple[SolidPlace, float]]:
        """Yield places, each moved to the middle of where the disc may be, and how likely it is at most.

        `steps` are where it is looked for, right of and beyond each place, in widths of the piece.
        """
        around = [[self._beside(one, x, y) for x, y in steps] for one in places]
        chances = self._chances(looked, [one for some in around for one in some])
        odds = np.log(np.clip(chances, _LEAST_CHANCE, 1 - _LEAST_CHANCE))
        odds -= np.log(1 - np.exp(odds))
        for some, chance, odd in zip(
            around, chances.reshape(-1, len(steps)), odds.reshape(-1, len(steps)), strict=True
        ):
            weight = np.maximum(odd - odd.max() + _MUCH_LESS, 0)
            x, y = (np.array([one.at_mm for one in some]) * weight[:, None]).sum(axis=0) / weight.sum()
            yield self.place(some[0].paint, (float(x), float(y))), float(chance.max())

    def _chances(self, looked: Looked, places: Sequence[SolidPlace]) -> Singles:
        """Return how likely discs are at N places, (N,)."""
        if not places:
            return np.zeros(0, np.float32)
        if self._recogniser is None:
            self._recogniser = SolidRecogniser()
        return self._recogniser.chances(self.patches(looked.seen, places))

    def _beside(self, place: SolidPlace, x: float, y: float) -> SolidPlace:
        """Return the place so far right of and beyond another one, in widths of the piece."""
        width, _ = SIZES_MM[place.shape]
        return self.place(place.paint, (place.at_mm[0] + x * width, place.at_mm[1] + y * width))

    def _told(self, places: Sequence[tuple[SolidPlace, float]]) -> Iterator[Solid]:
        """Yield the discs that are sure, of those that lie upon each other the uppermost."""
        taken: list[tuple[float, float]] = []
        for one, chance in sorted(places, key=lambda each: -each[1]):
            if chance >= _SURE and _is_apart(one.at_mm, taken):
                taken.append(one.at_mm)
                name = self.paints[one.paint].name
                yield Solid(name=name, shape=one.shape, at_mm=one.at_mm, confidence=chance)

    def _beside_hands(self, strange: Bools) -> Bools:
        """Return where something as thick as a hand is near: of what it hides parts may be seen."""
        scale = self._flat.px_per_mm
        thick = _thick(strange, _HAND_MM / 2 * scale)
        return grown(thick, NEAR_HAND_MM * scale)

    def _beside_glare(self, picture: Image) -> Bools:
        """Return where, or beside where, a lamp is mirrored so brightly that any ground looks white."""
        disc = math.pi * self._disc_search.radius_px**2
        burnt = glare(np.asarray(picture, np.uint8), _GLARE_DISCS * disc) & self._seen
        return grown(burnt, _NEAR_GLARE_MM * self._flat.px_per_mm)

    def _discs(self, number: int, mine: Bools, strange: Bools) -> Iterator[SolidPlace]:
        """Yield where discs of a paint may lie; `mine` (height, width) is what may belong to them."""
        found = self._disc_search.places(mine, strange, _PROPOSED, _LEAST_STRANGE, _STANDS_OUT, _STEP)
        for x, y in found[:_MOST_PLACES]:
            at = self._under(np.array([[x, y]], np.float64), SIZES_MM[Shape.DISC][1])
            yield self.place(number, at)

    def place(self, number: int, at_mm: tuple[float, float]) -> SolidPlace:
        """Return a place for the piece of a paint, by its number."""
        shape = self.paints[number].shape
        foot, head, width = self._body(shape, at_mm)
        upright = Upright.of(foot, head - foot, width)
        return SolidPlace(paint=number, shape=shape, at_mm=at_mm, upright=upright)

    def outline(self, shape: Shape, at_mm: tuple[float, float]) -> Singles:
        """Return about what a piece hides of the rectified picture, a polygon in px, (N, 2)."""
        foot, head, width = self._body(shape, at_mm)
        around = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
        ring = np.column_stack([np.cos(around), np.sin(around)]) * width / 2
        hull = cv2.convexHull(np.concatenate([foot + ring, head + ring]).astype(np.float32))
        return np.asarray(hull.reshape(-1, 2), np.float32)

    def _body(self, shape: Shape, at_mm: tuple[float, float]) -> tuple[Floats, Floats, float]:
        """Return where the middles of a piece's base and of its head are seen, and how wide it is, px."""
        width, height = SIZES_MM[shape]
        at = np.array([at_mm], np.float64)
        eye = self._camera.eye_mm
        head = at + (at - eye[:2]) * float(leaning(eye, height, self._flat.height_mm))
        foot, top = self._flat.to_px(np.concatenate([at, head]))
        return foot, top, width * self._flat.px_per_mm

    def _unnamed(self, strange: Bools, found: Sequence[Solid]) -> Iterator[Solid]:
        """Yield what lies on known faces, as large as most of a disc, and was not found to be anything."""
        width, height = SIZES_MM[Shape.DISC]
        radius = width / 2 * self._flat.px_per_mm
        left = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        for one in found:
            own, tall = SIZES_MM[one.shape]
            at = self._flat.to_px(np.array([one.at_mm]))[0]
            reach = (max(own, tall) * 0.5 + 5.0) * self._flat.px_per_mm
            cv2.circle(left, (round(float(at[0])), round(float(at[1]))), math.ceil(reach), 0, -1)
        count, _, stats, middles = cv2.connectedComponentsWithStats(left, connectivity=4)
        for patch in range(1, count):
            share = float(stats[patch, cv2.CC_STAT_AREA]) / (math.pi * radius**2)
            if share >= _MOST_OF_DISC:
                at_mm = self._under(np.asarray(middles[patch : patch + 1], np.float64), height)
                yield Solid(name=None, shape=Shape.DISC, at_mm=at_mm, confidence=min(share, 1.0))

    def _under(self, at_px: Floats, height_mm: float) -> tuple[float, float]:
        """Return the table point below what is seen at a pixel and is this high, mm."""
        seen = self._flat.to_mm(at_px)[0]
        eye = self._camera.eye_mm
        share = float(leaning(eye, height_mm, self._flat.height_mm))
        at = (seen + eye[:2] * share) / (1 + share)
        return float(at[0]), float(at[1])


def _seen(expected: Expected, now: Singles, labels: Labels, table: Bools) -> Seen:
    """Return what is seen; the `table` is known, too, where it is seen as it is with nothing on it."""
    printed = expected.known.copy()
    np.copyto(printed, now, where=table[..., None])
    return Seen(
        now=now,
        printed=printed,
        covered=expected.covered | table,
        strange=expected.strange & ~table,
        faint=expected.faint & ~table,
        labels=labels,
    )


def _plainest(palette: tuple[Shade, ...]) -> tuple[Shade, ...]:
    """Return the shades of a white paint that have no hue; all of another paint."""
    pure = tuple(shade for shade in palette if max(shade) - min(shade) <= _PURE * max(shade))
    return pure or palette


def _thick(some: Bools, radius: float) -> Bools:
    """Return where a circle of this radius fits into what is marked, (height, width)."""
    marked = np.pad(some.astype(np.uint8), 1)
    inner = np.asarray(cv2.distanceTransform(marked, cv2.DIST_L2, 5) > radius, np.bool_)
    return grown(inner, radius)[1:-1, 1:-1]


def _is_apart(at_mm: tuple[float, float], others: Iterable[tuple[float, float]]) -> bool:
    """Whether a disc there lies upon none of some others."""
    near = _STACKED * SIZES_MM[Shape.DISC][0]
    return all(math.dist(at_mm, other) >= near for other in others)


def _is_apart_from_its_like(place: SolidPlace, told: Iterable[tuple[SolidPlace, float]]) -> bool:
    """Whether a disc there lies upon none of its paint that was told."""
    return _is_apart(place.at_mm, [one.at_mm for one, _ in told if one.paint == place.paint])


def _apart_from_each_other(places: Iterable[SolidPlace]) -> Iterator[SolidPlace]:
    """Yield places, none of them twice."""
    known: set[tuple[int, int, int]] = set()
    for one in places:
        key = one.paint, round(one.at_mm[0]), round(one.at_mm[1])
        if key not in known:
            known.add(key)
            yield one
