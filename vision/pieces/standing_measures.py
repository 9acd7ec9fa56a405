"""What is measured of the places where figures and dragons may stand, as numbers for a model.

Lengths are in bases of the piece, areas in its body, so that pieces and tiles of any size give like numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from calibration.profile import PieceRecord
from companion.table import Place
from companion.table_layout import TableLayout
from vision.arrays import Bools, Floats, Patches, Singles
from vision.faces.residuals import Residual
from vision.geometry.regions import share_within, widened, within
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate, Paint, are_apart, touching
from vision.pieces.print_visibility import print_visibility
from vision.pieces.standing_patches import StandingPatches

Look: TypeAlias = Callable[[Patches], Singles]
"""Tells of some patches (N, channels, size, size) how likely each shows the piece, or the odds, (N,)."""

MEASURES = 47
"""How many numbers there are of a place."""
COMMON = 15
"""How many numbers there are of a piece, wherever it may stand."""
MOST_PLACES = 12
"""So many places of each piece are judged."""
LOOKS = 2
"""How many numbers the network that looks at a place gives: there, and there and around it, on average."""
NOTHING_SEEN = -12.0
"""The odds of a place that nothing resembles."""
OF_COLOUR, OF_LIKE_COLOUR = 4, 4
"""So many of them are in its colour, and so many in a colour that may be its own; the likeliest first.

The others look like it, whatever their colour.
"""
# Larger values tell no more than these.
_MOST, _FAR, _SOFT_PX = 3.0, 2.0, 3.0
# Where the network looks around a place as well, in bases; at so many places, and where odds are no worse.
_NEAR, _CORNER = 0.15, 0.25
_AROUND = (
    *((_NEAR, 0.0), (-_NEAR, 0.0), (0.0, _NEAR), (0.0, -_NEAR)),
    *((_CORNER, _CORNER), (-_CORNER, _CORNER), (_CORNER, -_CORNER), (-_CORNER, -_CORNER)),
)
_MOST_AROUND, _UNLIKELY = 6, -5.0
# Colours are compared on so many pixels of a body at most; differences in Lab count up to so much.
_SAMPLES, _DIFFERS = 120, 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """A figure or dragon that is sought.

    Attributes:
        piece: as it was learnt; `paint` is its colour.
        places: where it may stand, the likeliest first; after those in its own colour `loosely` of them are
            in a colour that may be its own, and the last `proposed` look like it.
        everywhere: whether it was looked for wherever something may stand.
        marked: (height, width) bool of the map: what is taken for markers of its colour.
    """

    piece: PieceRecord
    paint: Paint
    places: Sequence[Candidate]
    loosely: int = 0
    proposed: int = 0
    everywhere: bool = False
    marked: Bools

    @property
    def own(self) -> int:
        """How many places are in its own colour."""
        return len(self.places) - self.loosely - self.proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What is measured of a piece.

    Attributes:
        places: where it may stand, the likeliest first.
        values: of each of them, (N, `MEASURES`).
        patches: how each of them looks, (N, channels, size, size); `odds` (N, `LOOKS`) that it is the piece.
        common: of the piece in all, (`COMMON`,).
    """

    places: tuple[Candidate, ...]
    values: Singles
    patches: Patches
    odds: Singles
    common: Singles


class StandingMeasures:
    """Measures the places of all pieces on one map."""

    def __init__(
        self,
        city: CityMap,
        bodies: Silhouettes,
        faces: Mapping[str, Residual],
        boxes: Bools,
        sought: Mapping[Place, Sought],
        bests: Mapping[Place, Candidate],
        look: Look,
    ) -> None:
        """Begin; `boxes` (height, width) of the map are boxes of recognised tiles.

        `bests` are the likeliest places of pieces sought before; `look` tells the odds of what is seen.
        """
        self._look = look
        self._city, self._bodies, self._faces, self._boxes = city, bodies, faces, boxes
        self._layout: TableLayout = bodies.layout
        self._sought = sought
        self._bests = {**bests, **{where: one.places[0] for where, one in sought.items() if one.places}}
        blurs = [one.blur for one in faces.values()]
        self._blur = min(float(np.median(blurs)), _SOFT_PX) if blurs else _SOFT_PX
        self._patches = StandingPatches(city, bodies, [one.piece for one in sought.values()])
        self._shades = {
            where: _lab(np.array(one.piece.palette, np.float32).reshape(-1, 3) / np.float32(255))
            for where, one in sought.items()
        }

    def of(self, where: Place) -> Measured:
        """Return what is measured of a piece."""
        sought = self._sought[where]
        rows = [self._of_place(where, sought, one, rank) for rank, one in enumerate(sought.places)]
        patches = self._patches.of(sought.piece, sought.places, sought.marked)
        return Measured(
            places=tuple(sought.places),
            values=np.array(rows, np.float32).reshape(-1, MEASURES),
            patches=patches,
            odds=self._looked_at(sought, patches),
            common=np.array(self._in_common(sought), np.float32),
        )

    def _looked_at(self, sought: Sought, patches: Patches) -> Singles:
        """Return the odds of a piece at its places, there and on average around, (N, `LOOKS`).

        A little beside a network errs in another way. Looking takes time, so only what is sought everywhere
        is looked at so, and only where it may be.
        """
        there = self._look(patches)
        around = there.copy()
        if sought.everywhere:
            likely = [number for number in np.argsort(-there)[:_MOST_AROUND] if there[number] > _UNLIKELY]
            for number in likely:
                beside = [self._beside(sought, sought.places[number], off) for off in _AROUND]
                odds = self._look(self._patches.of(sought.piece, beside, sought.marked))
                around[number] = float(np.append(odds, there[number]).mean())
        return np.column_stack([there, around])

    def _beside(self, sought: Sought, at: Candidate, off: tuple[float, float]) -> Candidate:
        """Return a place so many bases off."""
        base_mm, _ = self._layout.pieces.size_of(sought.piece.kind)
        base = (at.base_mm[0] + off[0] * base_mm, at.base_mm[1] + off[1] * base_mm)
        region, body = self._bodies.outline(sought.piece.kind, base, 1)
        return replace(at, base_mm=base, region=region, body=body)

    def _of_place(self, where: Place, sought: Sought, at: Candidate, rank: int) -> list[float]:
        piece, paint = sought.piece, sought.paint
        others = [one for one in sought.places if are_apart(one.base_mm, at.base_mm)]
        return [
            float(piece.kind == "dragon"),
            rank / MOST_PLACES,
            float(rank >= sought.own),
            float(rank >= sought.own + sought.loosely),
            float(sought.everywhere),
            at.share,
            at.share / max(piece.seen, 0.3),
            at.fit,
            at.spill,
            at.strength,
            at.strength - max((one.strength for one in others), default=0.0),
            at.share - max((one.share for one in others), default=0.0),
            at.fit - max((one.fit for one in others), default=0.0),
            float(paint.is_light),
            paint.rarity,
            self._blur,
            *self._of_base(piece, at),
            *self._of_body(sought, at),
            *self._of_thing(sought, at),
            *self._of_colour(where, sought, at),
            *self._of_rivals(where, at),
        ]

    def _of_base(self, piece: PieceRecord, at: Candidate) -> list[float]:
        """Return how well inside its cell a base is, whether the tile is known, and how the body leans."""
        x, y = self._layout.cells[at.cell]
        off = max(abs(at.base_mm[0] - x), abs(at.base_mm[1] - y))
        base_mm, _ = self._layout.pieces.size_of(piece.kind)
        inside = (self._layout.tile_edge_mm / 2 - off) / base_mm
        length = self._lean(piece, at)[1] / (base_mm * self._city.flat.px_per_mm)
        return [float(np.clip(inside, -1, _FAR)), float(at.cell in self._faces), min(length, _MOST)]

    def _lean(self, piece: PieceRecord, at: Candidate) -> tuple[Floats, float]:
        """Return where a body leans on the map, a unit vector, and how far, px."""
        foot = self._city.flat.to_px(np.array(at.base_mm))
        head = self._bodies.head_px(piece.kind, at.base_mm)
        length = float(np.hypot(*(head - foot)))
        return ((head - foot) / length if length > 1 else np.array([0.0, -1.0])), length

    def _of_body(self, sought: Sought, at: Candidate) -> list[float]:
        """Return the shares of a body that are of its colour, strange, hidden and so on."""
        there, body = self._city.cut(at.region), at.body
        own = there.labels == sought.paint.label
        named = there.labels != NOTHING
        lit = own & there.strange
        shares = (
            own,
            lit,
            there.strange & named & ~own,
            there.strange & ~named,
            there.tile & ~there.strange & ~there.blind,
            there.unknown,
            there.blind,
            there.taken,
            lit & there.shadow,
            there.glare,
            sought.marked[at.region],
            self._boxes[at.region] & lit,
            own & ~there.tile,
        )
        rising = self._rising(sought.piece, at)
        thirds = [body & (rising >= low) & (rising < low + 1 / 3 + 1e-6) for low in (0.0, 1 / 3, 2 / 3)]
        return [*(share_within(one, body) for one in shares), *(share_within(lit, third) for third in thirds)]

    def _rising(self, piece: PieceRecord, at: Candidate) -> Singles:
        """Return how high up on a body each pixel of its region is, 0 at its lower end to 1."""
        (across, down), _ = self._lean(piece, at)
        rows, columns = np.indices(at.body.shape, np.float32)
        along = np.asarray(columns * across + rows * down, np.float32)
        low, high = (float(some(along[at.body])) if at.body.any() else 0.0 for some in (np.min, np.max))
        return (along - np.float32(low)) / np.float32(max(high - low, 1.0))

    def _of_thing(self, sought: Sought, at: Candidate) -> list[float]:
        """Return how the thing of its colour that touches a body lies to it: size, middle, extent."""
        shape = self._city.labels.shape
        reach = tuple(one.stop - one.start for one in at.region)
        near = widened(at.region, shape, (reach[0] // 2, reach[1] // 2))
        there = self._city.cut(near)
        body = np.zeros(there.labels.shape, np.bool_)
        body[within(at.region, near)] = at.body
        lit = (there.labels == sought.paint.label) & (there.strange | there.unknown) & ~there.glare
        thing = touching(lit, body)
        if not thing.any() or not body.any():
            return [0.0] * 6
        (across, down), _ = self._lean(sought.piece, at)
        base_mm, _ = self._layout.pieces.size_of(sought.piece.kind)
        base = base_mm * self._city.flat.px_per_mm
        along, beside = (
            [np.percentile(value, (5, 50, 95)) for value in _axes(mask, across, down)]
            for mask in (thing, body)
        )
        length, width = ((along[i][2] - along[i][0] + 1) / (beside[i][2] - beside[i][0] + 1) for i in (0, 1))
        up, aside = ((along[i][1] - beside[i][1]) / base for i in (0, 1))
        size = np.count_nonzero(thing) / np.count_nonzero(body)
        joint = int(np.count_nonzero(thing & body)) / max(int(np.count_nonzero(thing | body)), 1)
        return [
            min(size, _MOST),
            min(float(length), _MOST),
            min(float(width), _MOST),
            float(np.clip(up, -_FAR, _FAR)),
            float(np.clip(abs(aside), 0, _FAR)),
            joint,
        ]

    def _of_colour(self, where: Place, sought: Sought, at: Candidate) -> list[float]:
        """Return how near the seen colours are to the piece's own, and to the nearest other's; print seen."""
        there = self._city.cut(at.region)
        lit = at.body & there.strange & (there.labels == sought.paint.label)
        seen = there.colours[lit]
        whole = np.zeros(self._city.labels.shape, np.bool_)
        whole[at.region] = at.body
        visible = print_visibility(whole, self._faces.values())
        if not len(seen):
            return [1.0, 1.0, visible]
        picked = _lab(seen[:: max(len(seen) // _SAMPLES, 1)])
        own = _apart(picked, self._shades[where])
        others = [
            _apart(picked, shades)
            for name, shades in self._shades.items()
            if name != where and self._sought[name].paint.label != sought.paint.label
        ]
        nearest = min(others, default=_DIFFERS)
        return [min(own, _DIFFERS) / _DIFFERS, min(nearest, _DIFFERS) / _DIFFERS, visible]

    def _of_rivals(self, where: Place, at: Candidate) -> list[float]:
        """Return how strong the strongest other piece is that would cover much of a body, and how much."""
        worst = (0.0, 0.0)
        for name, other in self._bests.items():
            if name != where:
                worst = max(worst, (other.strength * (share := at.hidden_by(other)), share))
        return [worst[0], worst[1], worst[0] - at.strength]

    def _in_common(self, sought: Sought) -> list[float]:
        """Return what tells whether a piece stands anywhere else, or not in the city at all."""
        city, sizes = self._city, self._layout.pieces
        base, height = sizes.size_of(sought.piece.kind)
        body_px = base * height * city.flat.px_per_mm**2
        tiles = max(int(np.count_nonzero(city.tile | city.unknown)), 1)
        lit = (city.labels == sought.paint.label) & city.strange & ~city.glare & ~city.taken
        best = sought.places[0] if sought.places else None
        return [
            float(sought.piece.kind == "dragon"),
            float(sought.everywhere),
            float(sought.paint.is_light),
            sought.paint.rarity,
            self._blur,
            sought.piece.seen,
            0.0 if best is None else best.strength,
            0.0 if best is None else best.share,
            0.0 if best is None else best.fit,
            len(sought.places) / MOST_PLACES,
            min(int(np.count_nonzero(lit)) / body_px, _MOST),
            min(int(np.count_nonzero(lit & ~sought.marked)) / body_px, _MOST),
            int(np.count_nonzero(city.unknown)) / tiles,
            int(np.count_nonzero(city.blind & city.tile)) / tiles,
            min(int(np.count_nonzero(city.strange & (city.labels == NOTHING))) / body_px, _MOST),
        ]


def _axes(mask: Bools, across: float, down: float) -> tuple[Floats, Floats]:
    """Return where the pixels of a mask are along a direction and beside it, px."""
    rows, columns = np.nonzero(mask)
    return columns * across + rows * down, columns * -down + rows * across


def _lab(colours: Singles) -> Singles:
    if not len(colours):
        return np.zeros((0, 3), np.float32)
    coded = np.ascontiguousarray(np.clip(colours, 0, 1), np.float32).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(coded, cv2.COLOR_BGR2Lab).reshape(-1, 3), np.float32)


def _apart(seen: Singles, shades: Singles) -> float:
    """Return how far colours (N, 3) are from the nearest of some shades (M, 3), both Lab: their median."""
    if not len(shades):
        return _DIFFERS
    return float(np.median(np.linalg.norm(seen[:, None] - shades[None], axis=2).min(axis=1)))
