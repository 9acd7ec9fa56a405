"""Reading a contribution box: bare, a player's marker, or not to be told.

Bare is a positive finding: the learnt box is seen. So is a marker: its colour fills about a marker's size
just where a marker on this box must appear, leaning away from the camera, and the face around it is as
learnt. All else is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import View
from vision.explain import Examined
from vision.palette import NOTHING, Palette
from vision.rectify import Flat, lean

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceLabels:
    """Which marker has the colour of each pixel of a face, (height, width).

    Attributes:
        paint: as it is seen.
        clear: with the haze taken away; what a glossy face mirrors does not lie over a marker.
        light: the labels of white markers.
    """

    paint: Labels
    clear: Labels
    light: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """Something in a marker's colour and of about its size.

    Attributes:
        label: which marker.
        is_light: it is a white one: haze, stains and blurred prints look like those.
        middle: the middle of what is seen of it, px of the face.
        fill: share of its core in its colour, 0 to 1; `second` the next colour's.
        strange: share of its core that is not as learnt.
        size: area in its colour around it, in areas of a marker's outline.
        around: share of the rim around it that is as learnt.
        under: how much of the print is seen where it would hide it, -1 to 1; 0 where nothing is printed.
        other: share of its core in another marker's colour once the haze over the face is taken away.
    """

    label: int
    is_light: bool
    middle: tuple[float, float]
    fill: float
    second: float
    strange: float
    size: float
    around: float
    under: float
    other: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxLook:
    """What a box looks like.

    Attributes:
        bare: share of the box that is as learnt, 0 to 1.
        print: how much the learnt print is there, -1 to 1; 1 where the box has no print to speak of.
        blind: share that says nothing.
        blur: how much softer the face is seen than it was learnt, mm.
        marker: the clearest marker nearest to this box of all boxes, None when there is none.
        off_mm: how far that marker is from this box, and `next_mm` how far from the next nearest box.
        near_mm: how far the nearest of all markers is, also of those that belong to other boxes.
        contested: a marker lies about as near to this box as to the one that it is counted for.
    """

    bare: float
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
    """A box on an examined face, px of the face: its middle and edge, and how far a marker's top leans."""

    middle: tuple[float, float]
    edge: float
    lean: tuple[float, float]
    px_per_mm: float
    marker_mm: float

    @property
    def centre(self) -> tuple[float, float]:
        """Where the middle of a marker on this box is seen."""
        return self.middle[0] + self.lean[0] / 2, self.middle[1] + self.lean[1] / 2


def place_of_box(
    found: Examined, flat: Flat, view: View, middle: tuple[float, float], edge_mm: float, marker_mm: float
) -> BoxPlace:
    """Return the box's place; `middle` in px of the face."""
    matrix = found.lie.matrix(found.known.shape)
    city = matrix @ np.array([*middle, 1.0])
    table = flat.to_mm(city[None])
    moved = flat.to_px(lean(view, table, flat.height_mm + marker_mm, flat.height_mm))[0] - city
    c, s = np.cos(found.lie.turn), np.sin(found.lie.turn)
    return BoxPlace(
        middle=middle,
        edge=edge_mm * flat.px_per_mm,
        lean=(float(c * moved[0] + s * moved[1]), float(-s * moved[0] + c * moved[1])),
        px_per_mm=flat.px_per_mm,
        marker_mm=marker_mm,
    )


def look_at_boxes(
    found: Examined, places: Sequence[BoxPlace], labels: FaceLabels, count: int
) -> list[BoxLook]:
    """Return what the boxes of a face look like; `count` of labels that are markers'."""
    markers = find_markers(found, places, labels, count)
    off = np.array(
        [
            [np.hypot(m.middle[0] - p.centre[0], m.middle[1] - p.centre[1]) / p.px_per_mm for p in places]
            for m in markers
        ]
    ).reshape(len(markers), len(places))
    clear = [one.fill > 0.8 and one.strange > 0.7 for one in markers]
    looks = []
    for index, spot in enumerate(places):
        own = [row for row in range(len(markers)) if int(off[row].argmin()) == index]
        nearest = max(own, key=lambda row: _clearness(markers[row], float(off[row, index])), default=None)
        others = np.delete(off[nearest], index) if nearest is not None else np.array([])
        box = _square(found.odd.shape, spot.middle, spot.edge * 0.86)
        inside = _square(found.odd.shape, spot.middle, spot.edge * 0.74)
        seen = box & ~found.blind
        looks.append(
            BoxLook(
                bare=float((found.odd[seen] < 0.09).mean()) if seen.any() else 0.0,
                print=_agreement(found, inside, 0.02, 1.0),
                blind=float(found.blind[box].mean()) if box.any() else 1.0,
                blur=found.blur / spot.px_per_mm,
                marker=None if nearest is None else markers[nearest],
                off_mm=99.0 if nearest is None else float(off[nearest, index]),
                next_mm=float(others.min()) if others.size else 99.0,
                near_mm=float(off[:, index].min()) if len(markers) else 99.0,
                contested=any(
                    row.argmin() != index and solid and _is_between(float(row.min()), float(row[index]))
                    for row, solid in zip(off, clear, strict=True)
                ),
            )
        )
    return looks


def _is_between(nearest_mm: float, here_mm: float) -> bool:
    """Whether a marker may belong here though another box is nearer: about as near, or astray from both."""
    return here_mm < 9.5 and (nearest_mm > here_mm - 1.5 or nearest_mm > 5.5)


def _clearness(marker: Marker, off_mm: float) -> float:
    """Return how clearly something is a marker of a box; clearer ones hide stains beside them."""
    return marker.fill * min(marker.strange, 0.8) * min(marker.size, 0.8) - 0.06 * off_mm


_REACH_MM = 11.0
# A marker is known by so much of it, whatever the rest is.
_MOSTLY_SEEN = 0.7


def find_markers(found: Examined, places: Sequence[BoxPlace], labels: FaceLabels, count: int) -> list[Marker]:
    """Return what looks like markers on or near the boxes of a face, no two in one spot."""
    if not places or not count:
        return []
    shape, first = found.odd.shape, places[0]
    region = np.zeros(shape, bool)
    for spot in places:
        region |= _disc(shape, spot.centre, _REACH_MM * spot.px_per_mm)
    size = max(round(0.62 * first.marker_mm * first.px_per_mm) | 1, 3)
    fills = np.stack([_fill(found, labels.paint == label, size) for label in range(count)])
    best = np.where(region, fills.max(axis=0), -1.0)
    markers: list[Marker] = []
    while float(best.max()) > 0.6:
        y, x = np.unravel_index(int(np.argmax(best)), shape)
        label = int(fills[:, y, x].argmax())
        middle = _settle(found, labels.paint == label, (float(x), float(y)), first)
        markers.append(_measure(found, labels, fills, label, middle, first))
        for taken in (middle, (float(x), float(y))):
            best[_outline(shape, taken, first, 1.25)] = -1.0
    return markers


def _fill(found: Examined, own: Bools, size: int) -> Singles:
    """Return for every pixel how much of a window around it is in a colour and not as learnt.

    What nothing is known of has no say, unless it is much.
    """
    speaks = (own & ~found.blind).astype(np.float32)
    # What is as learnt speaks against a marker, even in its colour.
    speaks *= np.clip((found.odd - 0.02) / 0.05, 0.4, 1.0) * np.where(found.shadow, np.float32(0.5), 1.0)
    filled = cv2.boxFilter(speaks, -1, (size, size), borderType=cv2.BORDER_CONSTANT)
    if not found.blind.any():
        return np.asarray(filled, np.float32)
    seen = cv2.boxFilter((~found.blind).astype(np.float32), -1, (size, size), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(filled / np.maximum(seen, _MOSTLY_SEEN), np.float32)


def _settle(found: Examined, own: Bools, start: tuple[float, float], place: BoxPlace) -> tuple[float, float]:
    """Return the middle of what is seen of a marker, from a first guess."""
    middle = start
    for _ in range(4):
        window = _outline(found.odd.shape, middle, place, 1.1) & own & (found.odd > 0.04)
        if window.sum() < 8:
            break
        y, x = np.nonzero(window)
        middle = float(x.mean()), float(y.mean())
    return middle


def _measure(
    found: Examined,
    labels: FaceLabels,
    fills: Singles,
    label: int,
    middle: tuple[float, float],
    place: BoxPlace,
) -> Marker:
    shape = found.odd.shape
    x, y = (
        int(np.clip(round(one), 0, limit - 1))
        for one, limit in zip(middle, (shape[1], shape[0]), strict=True)
    )
    here = fills[:, y, x]
    second = float(np.delete(here, label).max()) if len(here) > 1 else 0.0
    core = _disc(shape, middle, 0.33 * place.marker_mm * place.px_per_mm)
    told = core & ~found.blind
    if np.count_nonzero(told) < _MOSTLY_SEEN * np.count_nonzero(core):
        told = core
    body = _outline(shape, middle, place, 1.0)
    around = _outline(shape, middle, place, 1.75)
    own = (labels.paint == label) & (found.odd > 0.04) & around
    rim = around & ~_outline(shape, middle, place, 1.35) & ~found.blind
    # Another piece beside it says nothing against it.
    rim &= (labels.paint == label) | (labels.paint == NOTHING) | (found.odd < 0.04)
    return Marker(
        label=label,
        is_light=label in labels.light,
        middle=middle,
        fill=float(here[label]),
        second=second,
        strange=float(found.strange[told].mean()) if told.any() else 0.0,
        size=float(own.sum() / max(body.sum(), 1)),
        around=float(((found.odd < 0.13) | found.shadow)[rim].mean()) if rim.sum() >= 10 else 0.0,
        other=_another(labels.clear[core], label, len(fills)),
        under=_agreement(found, _outline(shape, middle, place, 0.8), 0.05, 0.0),
    )


def _outline(shape: tuple[int, ...], middle: tuple[float, float], place: BoxPlace, scale: float) -> Bools:
    """Return what a marker covers whose seen middle is here: its base, its top and all between."""
    length = float(np.hypot(*place.lean))
    ahead_x, ahead_y = (one / max(length, 1e-6) for one in place.lean)
    y, x = np.ogrid[: shape[0], : shape[1]]
    dx, dy = (x - middle[0]).astype(np.float32), (y - middle[1]).astype(np.float32)
    along = np.maximum(np.abs(dx * ahead_x + dy * ahead_y) - length / 2, 0)
    across = dy * ahead_x - dx * ahead_y
    # A square of any turn, as a disc of the same area.
    radius = scale * 0.564 * place.marker_mm * place.px_per_mm
    return np.asarray(along * along + across * across <= radius**2, np.bool_)


def _square(shape: tuple[int, ...], middle: tuple[float, float], edge: float) -> Bools:
    y, x = np.ogrid[: shape[0], : shape[1]]
    return np.asarray((np.abs(x - middle[0]) <= edge / 2) & (np.abs(y - middle[1]) <= edge / 2), np.bool_)


def _disc(shape: tuple[int, ...], middle: tuple[float, float], radius: float) -> Bools:
    y, x = np.ogrid[: shape[0], : shape[1]]
    return np.asarray((x - middle[0]) ** 2 + (y - middle[1]) ** 2 <= radius**2, np.bool_)


def _agreement(found: Examined, area: Bools, contrast: float, plain: float) -> float:
    """Return how much the learnt print is seen in an area, by correlation in all colours.

    What the print says too little about, of less than a `contrast`, is answered `plain`.
    """
    use = area & ~found.blind
    if use.sum() < 20:
        return 0.0
    known, seen = found.known[use], found.colours[use]
    known, seen = known - known.mean(axis=0), seen - seen.mean(axis=0)
    if float(np.sqrt((known**2).mean())) < contrast:
        return plain
    return float((known * seen).sum() / (np.sqrt((known**2).sum() * (seen**2).sum()) + 1e-6))


def _another(labels: Labels, label: int, count: int) -> float:
    """Return the largest share of any other marker's colour."""
    if not labels.size:
        return 0.0
    shares = np.bincount(labels, minlength=count)[:count] / labels.size
    shares[label] = 0.0
    return float(shares.max())


def label_face(found: Examined, palette: Palette) -> FaceLabels:
    """Return the labels of every pixel of an examined face."""
    paint, clear = (
        palette.label(np.asarray(cv2.GaussianBlur(one, (3, 3), 0), np.float32))
        for one in (found.paint, found.colours)
    )
    return FaceLabels(paint=paint, clear=clear, light=palette.light)
