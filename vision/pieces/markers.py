"""Reading a contribution box: bare, a player's marker, or unclear.

Bare is a positive finding: the learnt box is seen. So is a marker: its colour fills about a marker's size
just where a marker on this box must appear, leaning away from the camera, and the face around it is as
learnt. Everything else is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from vision.arrays import Bools, Labels, Singles
from vision.faces.residuals import ODD, Residual
from vision.geometry.rectify import Flat, lean
from vision.geometry.regions import Region, region_of, widened
from vision.photometry.palette import NOTHING, Palette

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """Something in a marker's colour and of about its size.

    Attributes:
        label: which marker.
        is_light: it is a white one: haze, stains and blurred prints look like those.
        middle: the middle of what is seen of it, px of the face.
        fill: share of its core in its colour, 0 to 1; `second` the next colour's.
        strange: share of its core that is not as learnt.
        size: area in its colour around it, in areas of a marker's outline; `spread` with what is only darker.
        around: share of the rim around it that is as learnt.
        in_glare: all around it glare washes the face out.
        under: how much of the print is seen where it would hide it, -1 to 1; 0 where nothing is printed.
        other: share of its core in another marker's colour once the haze over the face is taken away.
        apart: how far its colour is from that of the face around it, coded; 1 where little is seen of that.
    """

    label: int
    is_light: bool
    middle: tuple[float, float]
    fill: float
    second: float
    strange: float
    size: float
    spread: float
    around: float
    in_glare: bool
    under: float
    other: float
    apart: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFeatures:
    """What a box looks like.

    Attributes:
        bare: share of the box that is as learnt, 0 to 1; `even` with what is only shaded.
        print: how much the learnt print is there, -1 to 1; 1 where the box has no print to speak of.
        blind: share that says nothing.
        blur: how much softer the face is seen than it was learnt, mm.
        marker: the clearest marker nearest to this box of all boxes, None when there is none.
        off_mm: how far that marker is from this box, and `next_mm` how far from the next nearest box.
        near_mm: how far the nearest of all markers is, also of those that belong to other boxes.
        contested: a marker lies about as near to this box as to the one that it is counted for.
    """

    bare: float
    even: float
    print: float
    blind: float
    blur: float
    marker: Marker | None
    off_mm: float
    next_mm: float
    near_mm: float
    contested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPlace:
    """A box on a face, px of the face: its middle and edge, and how far a marker's top leans."""

    middle: tuple[float, float]
    edge: float
    lean: tuple[float, float]
    px_per_mm: float
    marker_mm: float

    @property
    def centre(self) -> tuple[float, float]:
        """Where the middle of a marker on this box is seen."""
        return self.middle[0] + self.lean[0] / 2, self.middle[1] + self.lean[1] / 2

    def off_mm(self, seen: Point, *, is_light: bool) -> float:
        """Return how far off its place a marker is whose middle is seen there.

        Of a white one only the top may be white, since its sides are in the shade; that leans farther.
        """
        x, y = (at - middle for at, middle in zip(seen, self.centre, strict=True))
        ahead_x, ahead_y = (one / 2 * is_light for one in self.lean)
        length = ahead_x**2 + ahead_y**2
        share = min(max((x * ahead_x + y * ahead_y) / length, 0.0), 1.0) if length > 0 else 0.0
        return math.hypot(x - share * ahead_x, y - share * ahead_y) / self.px_per_mm


def place_of_box(
    found: Residual,
    flat: Flat,
    camera: CameraPose,
    middle: tuple[float, float],
    edge_mm: float,
    marker_mm: float,
) -> BoxPlace:
    """Return the box's place; `middle` in px of the face."""
    matrix = found.pose.matrix(found.known.shape)
    city = matrix @ np.array([*middle, 1.0])
    table = flat.to_mm(city[None])
    moved = flat.to_px(lean(camera, table, flat.height_mm + marker_mm, flat.height_mm))[0] - city
    c, s = np.cos(found.pose.turn), np.sin(found.pose.turn)
    return BoxPlace(
        middle=middle,
        edge=edge_mm * flat.px_per_mm,
        lean=(float(c * moved[0] + s * moved[1]), float(-s * moved[0] + c * moved[1])),
        px_per_mm=flat.px_per_mm,
        marker_mm=marker_mm,
    )


def box_features(
    found: Residual,
    places: Sequence[BoxPlace],
    palette: Palette,
    count: int,
    *,
    least_print: float = 0.02,
    unprinted: float = 1.0,
) -> list[BoxFeatures]:
    """Return what the boxes of a face look like; the first `count` labels of the palette are markers'.

    Where a box has less than a `least_print` of contrast its print is said to be `unprinted`.
    """
    markers = find_markers(found, places, palette, count)
    off = np.array(
        [[spot.off_mm(one.middle, is_light=one.is_light) for spot in places] for one in markers]
    ).reshape(len(markers), len(places))
    # How clearly each is a marker of the box that it is nearest to.
    clearness = [_clearness(one, float(off[row].min())) for row, one in enumerate(markers)]
    clear = [_may_contest(markers, row, clearness, places[0]) for row in range(len(markers))]
    features = []
    for index, spot in enumerate(places):
        own = [row for row in range(len(markers)) if int(off[row].argmin()) == index]
        nearest = max(own, key=clearness.__getitem__, default=None)
        others = np.delete(off[nearest], index) if nearest is not None else np.array([])
        box = square_of(found.odd.shape, spot.middle, spot.edge * 0.86)
        inside = square_of(found.odd.shape, spot.middle, spot.edge * 0.74)
        blind = found.blind[box]
        as_learnt = found.odd[box] < ODD
        bare, even = as_learnt[~blind], (as_learnt | found.shadow[box])[~blind]
        features.append(
            BoxFeatures(
                bare=float(bare.mean()) if bare.size else 0.0,
                even=float(even.mean()) if even.size else 0.0,
                print=_agreement(found, inside, ~found.blind[inside], least_print, unprinted),
                blind=float(blind.mean()) if blind.size else 1.0,
                blur=found.blur / spot.px_per_mm,
                marker=None if nearest is None else markers[nearest],
                off_mm=99.0 if nearest is None else float(off[nearest, index]),
                next_mm=float(others.min()) if others.size else 99.0,
                near_mm=float(off[:, index].min()) if len(markers) else 99.0,
                contested=(nearest is None or not is_in_place(markers[nearest], float(off[nearest, index])))
                and any(
                    row.argmin() != index and solid and _is_between(float(row.min()), float(row[index]))
                    for row, solid in zip(off, clear, strict=True)
                ),
            )
        )
    return features


def _may_contest(markers: Sequence[Marker], row: int, clearness: Sequence[float], place: BoxPlace) -> bool:
    """Whether a marker may belong to a box other than the one it is counted for.

    What the print is seen through is none, and one that was seen twice counts as it is seen more clearly.
    """
    marker = markers[row]
    if not (marker.fill > 0.8 and marker.strange > 0.7 and marker.under < _SEEN_UNDER):
        return False
    return not any(
        one.label == marker.label
        and clearness[at] > clearness[row]
        and math.dist(one.middle, marker.middle) < _SAME_SPOT * place.marker_mm * place.px_per_mm
        for at, one in enumerate(markers)
    )


def is_in_place(marker: Marker, off_mm: float) -> bool:
    """Whether a marker is so clearly on its box that no other can belong there."""
    return off_mm < 2.5 and min(marker.fill, marker.strange) > 0.95


def _is_between(nearest_mm: float, here_mm: float) -> bool:
    """Whether a marker may belong here although another box is nearer: about as near, or far from both."""
    return here_mm < _KNOCKED_MM and (nearest_mm > here_mm - _NEARER_MM or nearest_mm > 7.5)


def _clearness(marker: Marker, off_mm: float) -> float:
    """Return how clearly something is a marker of a box; clearer ones hide stains beside them.

    What the print is seen through is rather a stain.
    """
    solid = 1 - 2 * max(marker.under - 0.5, 0.0)
    return solid * marker.fill * min(marker.strange, 0.8) * min(marker.size, 0.8) - 0.06 * off_mm


_REACH_MM = 11.0
# A marker nearer by this factor to one box than to the next belongs to it.
_NEARER_MM = 1.5
# No marker is this far from its box.
_KNOCKED_MM = 10.0
# Where this much of the print is visible, no marker lies.
_SEEN_UNDER = 0.5
# Two markers are at least an edge apart; one may seem to have two middles.
_SAME_SPOT = 0.5
# This much of a marker is enough to recognise it.
_MOSTLY_SEEN = 0.7
# This much of a marker can be distinguished from a shadow unless all of it looks like one.
_MOSTLY_LIT = 0.6
# A rim of fewer pixels says nothing.
_LEAST_RIM_PX = 10
# Computed once: looking up a few numbers again and again takes longer than using them.
_NUMBERS = np.arange(4096, dtype=np.float32)
# Smaller differences from the face are ignored.
_PLAIN = 0.04


def find_markers(found: Residual, places: Sequence[BoxPlace], palette: Palette, count: int) -> list[Marker]:
    """Return what looks like markers on or near the boxes of a face, no two in one spot."""
    if not places or not count:
        return []
    shape, first = found.odd.shape, places[0]
    patch = np.zeros(shape, bool)
    for spot in places:
        region = _around(shape, spot.centre, _REACH_MM * spot.px_per_mm)
        patch[region] |= _disc(region, spot.centre, _REACH_MM * spot.px_per_mm)
    labels = palette.label(_smooth(found.paint))
    owns = [labels == label for label in range(count)]
    near = region_of(patch)
    if near is None:
        return []
    fills = _fills(found, owns, near, max(round(0.62 * first.marker_mm * first.px_per_mm) | 1, 3))
    best = np.where(patch, fills.max(axis=0), -1.0)
    markers: list[Marker] = []
    while float(best.max()) > 0.6:
        y, x = np.unravel_index(int(np.argmax(best)), shape)
        label = int(fills[:, y, x].argmax())
        middle = _refined(found, owns[label], (float(x), float(y)), first)
        markers.append(_measure(found, labels, fills, label, middle, first, palette))
        for taken in (middle, (float(x), float(y))):
            region, outline = outline_at(shape, taken, first, 1.25)
            best[region][outline] = -1.0
    return markers


def _fills(found: Residual, owns: Sequence[Bools], region: Region, size: int) -> Singles:
    """Return for every colour and pixel how much of a window around it has the colour and is not as learnt.

    Unknown pixels are ignored, unless there are many. Outside of `patch` it is 0.
    """
    shape = found.odd.shape
    # The result for a part needs the pixels around it.
    rows, columns = near = widened(region, shape, (size, size))
    inner = tuple(
        slice(one.start - start, one.stop - start)
        for one, start in zip(region, (rows.start, columns.start), strict=True)
    )
    # Pixels that are as learnt are evidence against a marker, even in its colour.
    speaks = np.clip((found.odd[near] - np.float32(0.02)) * np.float32(20), 0.4, 1.0)
    speaks[found.shadow[near]] *= np.float32(0.5)
    speaks[found.blind[near]] = 0.0
    filled = np.zeros((len(owns), *shape), np.float32)
    edge = cv2.BORDER_CONSTANT
    for label, own in enumerate(owns):
        here = own[near]
        if here.any():
            mean = cv2.boxFilter(speaks * here, -1, (size, size), borderType=edge)
            filled[(label, *region)] = mean[inner]
    if found.blind[near].any():
        seen = cv2.boxFilter((~found.blind[near]).astype(np.float32), -1, (size, size), borderType=edge)
        filled[(slice(None), *region)] /= np.maximum(seen[inner], _MOSTLY_SEEN)
    return filled


def _refined(found: Residual, own: Bools, start: Point, place: BoxPlace) -> Point:
    """Return the middle of the visible part of a marker, from a first guess."""
    middle = start
    for _ in range(4):
        region, window = outline_at(found.odd.shape, middle, place, 1.1)
        shown = window & own[region] & (found.odd[region] > _PLAIN)
        # The marker is where its top is visible, whatever is in the shade beside it.
        seen = _without_shadow(found, region, shown, _MOSTLY_LIT * (place.marker_mm * place.px_per_mm) ** 2)
        y, x = np.nonzero(seen)
        if len(x) < 8:
            break
        before, middle = middle, (float(x.mean()) + region[1].start, float(y.mean()) + region[0].start)
        if middle == before:
            break
    return middle


def _measure(
    found: Residual,
    labels: Labels,
    fills: Singles,
    label: int,
    middle: Point,
    place: BoxPlace,
    palette: Palette,
) -> Marker:
    shape = found.odd.shape
    x, y = (
        int(np.clip(round(one), 0, limit - 1))
        for one, limit in zip(middle, (shape[1], shape[0]), strict=True)
    )
    here = fills[:, y, x]
    second = float(np.delete(here, label).max()) if len(here) > 1 else 0.0
    region, far = _spread(shape, middle, place, 1.75)
    around = far <= _reach_px(place, 1.75) ** 2
    odd, blind = found.odd[region], found.blind[region]
    own, plain = labels[region] == label, odd <= _PLAIN
    core = _disc(region, middle, 0.33 * place.marker_mm * place.px_per_mm)
    body, outside, under = (far <= _reach_px(place, scale) ** 2 for scale in (1.0, 1.35, 0.8))
    told = core & ~blind
    if np.count_nonzero(told) < _MOSTLY_SEEN * np.count_nonzero(core):
        told = core
    ring = around & ~outside
    # Another piece beside it is no evidence against it.
    rim = ring & ~blind & (own | (labels[region] == NOTHING) | (odd < _PLAIN))
    strange = found.strange_in(region)[told]
    shown = own & ~plain & around
    as_learnt, is_in_glare = ((odd < 0.13) | found.shadow[region])[rim], False
    if label not in palette.light and len(as_learnt) < _LEAST_RIM_PX <= np.count_nonzero(ring & blind):
        # In glare the face is brighter; a marker in a strong colour ends there.
        is_in_glare = True
        as_learnt = (found.brighter[region] & ~own)[ring]
    alone = float(as_learnt.mean()) if len(as_learnt) >= _LEAST_RIM_PX else 0.0
    own_px = max(int(np.count_nonzero(body)), 1)
    return Marker(
        label=label,
        is_light=label in palette.light,
        middle=middle,
        fill=float(here[label]),
        second=second,
        strange=float(strange.mean()) if strange.size else 0.0,
        # A low camera sees as much of its side, which may be in the shade, as of its top.
        size=np.count_nonzero(_without_shadow(found, region, shown, _MOSTLY_LIT * own_px)) / own_px,
        spread=np.count_nonzero(shown) / own_px,
        around=alone,
        in_glare=is_in_glare,
        other=_another(palette.label(_smooth(found.colours[region])[core]), label, len(fills)),
        under=_agreement(found, region, under & ~blind, 0.05, 0.0),
        apart=_apart(found.colours[region], told & own, rim & plain),
    )


def _without_shadow(found: Residual, region: Region, own: Bools, least_px: float) -> Bools:
    """Return the part of a marker-coloured area that is the marker and not its shadow.

    A marker of the face's colour, or of a dull one, may itself look like a shadow: then all counts. So it
    does where less than `least_px` would be left.
    """
    lit = own & ~found.shadow[region]
    return lit if np.count_nonzero(lit & (found.odd[region] > ODD)) > least_px else own


def _apart(colours: Singles, one: Bools, other: Bools) -> float:
    """Return how far apart the colours (height, width, 3) of two parts are, 1 if one is hardly seen."""
    if min(np.count_nonzero(one), np.count_nonzero(other)) < 10:
        return 1.0
    first, second = (_median(colours[region]) for region in (one, other))
    return float(np.abs(first - second).max())


def _median(colours: Singles) -> Singles:
    """Return the middle of colours (N, 3) in each of their three; several times faster than numpy's."""
    middle = len(colours) // 2
    return np.asarray(np.partition(colours, middle, axis=0)[middle], np.float32)


def _smooth(colours: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(colours, (3, 3), 0), np.float32)


def outlines(shape: tuple[int, ...], place: BoxPlace, scales: Sequence[float]) -> tuple[Region, list[Bools]]:
    """Return what markers of several sizes on a box would cover of a face, and the part that holds it.

    The sizes are those of a marker times each of `scales`.
    """
    region, far = _spread(shape, place.centre, place, max(scales))
    return region, [far <= _reach_px(place, scale) ** 2 for scale in scales]


def outline_at(shape: tuple[int, ...], middle: Point, place: BoxPlace, scale: float) -> tuple[Region, Bools]:
    """Return what a marker covers whose seen middle is here, and the part of the face that holds it."""
    region, far = _spread(shape, middle, place, scale)
    return region, far <= _reach_px(place, scale) ** 2


def _spread(shape: tuple[int, ...], middle: Point, place: BoxPlace, scale: float) -> tuple[Region, Singles]:
    """Return how far a part's pixels are from a marker's axis, squared, and the part that may hold it."""
    region = _around(shape, middle, _reach_px(place, scale) + float(np.hypot(*place.lean)) / 2)
    return region, _far(region, middle, place)


def _reach_px(place: BoxPlace, scale: float) -> float:
    """Return how far a marker reaches: a square of any turn, as a disc of the same area."""
    return scale * 0.564 * place.marker_mm * place.px_per_mm


def _around(shape: tuple[int, ...], middle: Point, reach: float) -> Region:
    """Return the part of a face (height, width) so far around a place."""
    columns, rows = (
        slice(min(max(int(at - reach), 0), limit), min(max(int(at + reach) + 2, 0), limit))
        for at, limit in zip(middle, (shape[1], shape[0]), strict=True)
    )
    return rows, columns


def _offsets(region: Region, middle: Point) -> tuple[Singles, Singles]:
    """Return how far the rows and the columns of a part are from a place, (rows, 1) and (1, columns)."""
    rows, columns = region
    return _NUMBERS[rows, None] - np.float32(middle[1]), _NUMBERS[None, columns] - np.float32(middle[0])


def _far(region: Region, middle: Point, place: BoxPlace) -> Singles:
    """Return how far what is seen is from a marker's axis, from its base to its top, squared."""
    length = float(np.hypot(*place.lean))
    # Seen from straight above it leans nowhere: then any direction is ahead.
    ahead_x, ahead_y = (np.float32(one / length) for one in place.lean) if length > 0 else (1, 0)
    dy, dx = _offsets(region, middle)
    along = np.maximum(np.abs(dx * ahead_x + dy * ahead_y) - np.float32(length / 2), 0)
    across = dy * ahead_x - dx * ahead_y
    return np.asarray(along * along + across * across, np.float32)


def square_of(shape: tuple[int, ...], middle: Point, edge: float) -> Region:
    """Return the part of a face that is an upright square around a place."""
    columns, rows = (
        slice(
            min(max(int(np.ceil(at - edge / 2)), 0), limit),
            min(max(int(np.floor(at + edge / 2)) + 1, 0), limit),
        )
        for at, limit in zip(middle, (shape[1], shape[0]), strict=True)
    )
    return rows, columns


def _disc(region: Region, middle: Point, radius: float) -> Bools:
    y, x = _offsets(region, middle)
    return np.asarray(x * x + y * y <= radius**2, np.bool_)


def _agreement(found: Residual, region: Region, use: Bools, contrast: float, plain: float) -> float:
    """Return how visible the learnt print is in a part, where it is of use, by correlation in all colours.

    What the print says too little about, of less than a `contrast`, is answered `plain`.
    """
    if np.count_nonzero(use) < 20:
        return 0.0
    known, seen = found.known[region][use], found.colours[region][use]
    known, seen = known - known.mean(axis=0), seen - seen.mean(axis=0)
    energy = float(np.vdot(known, known))
    if np.sqrt(energy / known.size) < contrast:
        return plain
    return float(np.vdot(known, seen)) / (float(np.sqrt(energy * np.vdot(seen, seen))) + 1e-6)


def _another(labels: Labels, label: int, count: int) -> float:
    """Return the largest share of any other marker's colour."""
    if not labels.size:
        return 0.0
    shares = np.bincount(labels, minlength=count)[:count] / labels.size
    shares[label] = 0.0
    return float(shares.max())
