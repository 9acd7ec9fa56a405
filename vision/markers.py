"""Reading a contribution box: bare, a player's marker, or not to be told.

Bare is a positive finding: the learnt box is seen. So is a marker: its colour fills about a marker's size
just where a marker on this box must appear, leaning away from the camera, and the face around it is as
learnt. All else is unknown.
"""

from __future__ import annotations

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
class BoxLook:
    """What a box looks like, in numbers 0 to 1 unless said otherwise.

    Attributes:
        bare: share of the box that is as learnt.
        print: how much the learnt print is there, -1 to 1; 1 where the box has no print to speak of.
        blind: share that says nothing.
        best: label of the strongest marker colour, `NOTHING` when none.
        fill: share of a marker's core in that colour; `strange` the share of the core that is not as learnt.
        second: the next colour's fill.
        size: area in that colour around, in marker tops.
        around: share of the rim around the marker that is as learnt.
        off_mm: how far the marker is from the box's middle.
    """

    bare: float
    print: float
    blind: float
    best: int
    fill: float
    strange: float
    second: float
    size: float
    around: float
    off_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPlace:
    """A box on an examined face, px of the face: its middle and edge, and how far a marker's top leans."""

    middle: tuple[float, float]
    edge: float
    lean: tuple[float, float]
    px_per_mm: float
    marker_mm: float


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


def look_at_box(found: Examined, place: BoxPlace, labels: Labels, count: int) -> BoxLook:
    """Return what the box looks like; `labels` of the face's colours, `count` of labels."""
    box = _square(found.odd.shape, place.middle, place.edge * 0.86)
    blind = float(found.blind[box].mean()) if box.any() else 1.0
    seen = box & ~found.blind
    bare = float((found.odd[seen] < 0.07).mean()) if seen.any() else 0.0
    core = _core(found.odd.shape, place)
    window, fills = _fills(found, labels, place, core, count)
    order = np.argsort(-fills[0]) if count else np.array([], int)
    if not count:
        return BoxLook(
            bare=bare, print=_print(found, box), blind=blind, best=NOTHING, fill=0, strange=0, second=0,
            size=0, around=0, off_mm=0,
        )  # fmt: skip
    best = int(order[0])
    spot = fills[1][best]
    around = _around(found, place, spot)
    own = (labels == best) & window & (found.strange | found.blind)
    top = (place.marker_mm * place.px_per_mm) ** 2
    middle = np.array(place.middle) + np.array(place.lean) / 2
    disc = _disc(found.odd.shape, spot, 0.33 * place.marker_mm * place.px_per_mm)
    return BoxLook(
        bare=bare,
        print=_print(found, box),
        blind=blind,
        best=best,
        fill=float(fills[0][best]),
        strange=float(found.strange[disc].mean()) if disc.any() else 0.0,
        second=float(fills[0][order[1]]) if count > 1 else 0.0,
        size=float(own.sum() / top),
        around=around,
        off_mm=float(np.hypot(*(np.array(spot) - middle)) / place.px_per_mm),
    )


def _square(shape: tuple[int, ...], middle: tuple[float, float], edge: float) -> Bools:
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.asarray((np.abs(x - middle[0]) <= edge / 2) & (np.abs(y - middle[1]) <= edge / 2), np.bool_)


def _disc(shape: tuple[int, ...], middle: tuple[float, float], radius: float) -> Bools:
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.asarray((x - middle[0]) ** 2 + (y - middle[1]) ** 2 <= radius**2, np.bool_)


def _core(shape: tuple[int, ...], place: BoxPlace) -> Bools:
    """Where the middle of a marker on this box may be seen: within 4.5 mm of where it should."""
    middle = (place.middle[0] + place.lean[0] / 2, place.middle[1] + place.lean[1] / 2)
    return _disc(shape, middle, 4.5 * place.px_per_mm)


def _fills(
    found: Examined, labels: Labels, place: BoxPlace, core: Bools, count: int
) -> tuple[Bools, tuple[Floats, list[tuple[float, float]]]]:
    """Return the box's surroundings, and for each colour its best fill and where that is."""
    size = max(round(0.62 * place.marker_mm * place.px_per_mm) | 1, 3)
    middle = (place.middle[0] + place.lean[0] / 2, place.middle[1] + place.lean[1] / 2)
    window = _disc(found.odd.shape, middle, 8.5 * place.px_per_mm)
    fills, spots = np.zeros(count), []
    for label in range(count):
        own = ((labels == label) & ~found.blind).astype(np.float32)
        # What is as learnt speaks against a marker, even in its colour.
        own *= np.where(found.odd < 0.05, np.float32(0.5), np.float32(1.0))
        share = cv2.boxFilter(own, -1, (size, size), borderType=cv2.BORDER_CONSTANT)
        share = np.where(core, share, -1.0)
        # Of many equally good places the one nearest to where the marker should be.
        y, x = np.unravel_index(int(np.argmax(share)), share.shape)
        fills[label] = max(float(share[y, x]), 0.0)
        good = np.argwhere(share >= share[y, x] - 0.03)
        spots.append((float(good[:, 1].mean()), float(good[:, 0].mean())))
    return window, (fills, spots)


def _print(found: Examined, box: Bools) -> float:
    """Return how much the learnt print is seen, by correlation in all colours."""
    use = box & ~found.blind
    if use.sum() < 20:
        return 0.0
    known, seen = found.known[use], found.colours[use]
    known, seen = known - known.mean(axis=0), seen - seen.mean(axis=0)
    contrast = float(np.sqrt((known**2).mean()))
    if contrast < 0.02:
        return 1.0
    return float((known * seen).sum() / (np.sqrt((known**2).sum() * (seen**2).sum()) + 1e-6))


def _around(found: Examined, place: BoxPlace, spot: tuple[float, float]) -> float:
    """Return how much of the rim around a marker at this spot is as learnt; shadows may fall on it."""
    half = place.marker_mm * place.px_per_mm / 2
    lean_length = float(np.hypot(*place.lean))
    direction = np.array(place.lean) / max(lean_length, 1e-6)
    y, x = np.mgrid[: found.odd.shape[0], : found.odd.shape[1]]
    dx, dy = x - spot[0], y - spot[1]
    along = np.abs(dx * direction[0] + dy * direction[1]) - lean_length / 2
    across = np.abs(-dx * direction[1] + dy * direction[0])
    far = np.hypot(np.maximum(along, 0), across) - half
    rim = (far > 0.35 * half + 1) & (far < 0.35 * half + 5) & ~found.blind
    if rim.sum() < 10:
        return 0.0
    return float((found.odd[rim] < 0.13).mean())


def label_face(found: Examined, palette: Palette) -> Labels:
    """Return the marker label of every pixel of an examined face."""
    return palette.label(cv2.GaussianBlur(found.paint, (3, 3), 0).astype(np.float32))
