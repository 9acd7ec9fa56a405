"""Finding figures and dragons: upright pieces of a known colour and size, wherever on the city they stand.

Seen from the side a figure covers what is behind it. Where it stands is told by its base, not by its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.citymap import CityMap
from vision.palette import NOTHING
from vision.silhouettes import Kernel, Silhouettes

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
# The best place on a cell: share, cell, base in mm, spill, fit.
Candidate: TypeAlias = tuple[float, str, tuple[float, float], float, float]
# How much the word of what cannot be seen of an outline counts against it.
_UNSEEN = 0.2
# How far wings, tails and heads reach out of an outline, as shares of the base.
_REACH = {"dragon": 0.5, "figure": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """A piece's colour: its label, how little of it the tiles show, 0 to 1, and if it is nearly white."""

    label: int
    rarity: float = 1.0
    is_light: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A figure found.

    Attributes:
        cell: the cell its base stands on.
        base_mm: where.
        share: how much of its outline shows it, at most 1.
        rival: the best share on any other cell.
        lead: how much stronger it is than anywhere else, its share and its fit taken together.
        spill: how much of the rim around the outline shows its colour: a figure ends, an arm does not.
        mass: how large the patches of its colour are that show on the outline, of the outline's size.
        fit: how well its outline and the strange thing that is seen there cover each other, 0 to 1.
        outline: (height, width) bool on the map, what it covers, and what of its colour reaches out.
    """

    cell: str
    base_mm: tuple[float, float]
    share: float
    rival: float
    lead: float
    spill: float
    mass: float
    fit: float
    outline: Bools


def evidence(city: CityMap, paint: Paint, part: tuple[slice, slice]) -> tuple[Singles, Singles]:
    """Return how much each pixel speaks for a piece of this colour, -0.5 to 1, and how much its word weighs.

    Both are (height, width) of the map, and 0 outside of `part`.
    """
    whole = np.zeros((2, *city.labels.shape), np.float32)
    whole[(slice(None), *part)] = _evidence(city.cut(part), paint)
    return whole[0], whole[1]


def _evidence(city: CityMap, paint: Paint) -> tuple[Singles, Singles]:
    """On an unknown tile a rare colour says more; what is only darker than the tile is no light piece."""
    own = city.labels == paint.label
    speaks = np.where(own, np.float32(0.45), np.float32(-0.1))
    speaks[own & city.unknown] = 0.45 + 0.45 * paint.rarity
    explained = city.tile & ~city.strange
    speaks[explained] = np.where(own[explained], 0.1, -0.5)
    speaks[city.strange] = np.where(own[city.strange], 1.0, 0.1)
    speaks[own & city.strange & (city.darker if paint.is_light else city.shadow)] = 0.3
    if paint.is_light:
        speaks[own & city.washed] = 0.1
    # Another piece may stand in front.
    other = city.strange & ~own & (city.labels != NOTHING)
    speaks[other] = 0.0
    weight = np.where(city.tile | city.unknown, np.float32(1.0), np.float32(0.3))
    quiet = city.blind | city.taken
    weight[quiet] = 0.3
    speaks[quiet] = 0.0
    return speaks, weight


def find_standing(
    city: CityMap,
    bodies: Silhouettes,
    paint: Paint,
    kind: str,
    cells: Sequence[str] | None = None,
    known: dict[str, Candidate | None] | None = None,
) -> Standing | None:
    """Return where a piece most likely stands, None when its colour is hardly anywhere.

    Cells in `known` are not looked at again; what is found on the others is added there.
    """
    sizes = bodies.layout.pieces
    base_mm = sizes.dragon_base_mm if kind == "dragon" else sizes.figure_base_mm
    reach = round(_REACH[kind] * base_mm * bodies.flat.px_per_mm)
    label, asked = paint.label, list(bodies.layout.cells if cells is None else cells)
    known = {} if known is None else known
    new = [cell for cell in asked if cell not in known]
    speaks = evidence(city, paint, _parts_together(bodies, kind, new)) if new else None
    for cell in new:
        assert speaks is not None
        best = _best_on(bodies, kind, cell, speaks)
        known[cell] = None
        if best is not None and best[0] > 0.2:
            outline = bodies.outline(kind, best[1])
            spill = _spill(city, outline, label, reach)
            known[cell] = best[0], cell, best[1], spill, _fit(city, outline, label)
    found = [one for cell in asked if (one := known[cell]) is not None]
    if not found:
        return None
    found.sort(key=lambda one: -_strength(one))
    share, cell, base, spill, fit = found[0]
    others = [one for one in found[1:] if _apart(one[2], base)]
    outline = bodies.outline(kind, base)
    return Standing(
        cell=cell,
        base_mm=base,
        share=share,
        rival=max((one[0] for one in others if one[3] < 0.35), default=0.0),
        lead=_strength(found[0]) - max((_strength(one) for one in others), default=0.0),
        spill=spill,
        mass=_mass(city, outline, label),
        fit=fit,
        outline=outline | _reaching_out(city, outline, label),
    )


def _strength(one: Candidate) -> float:
    """Return how strongly a candidate stands for the piece.

    An arm of the same colour shows more of it than any figure: it is told by having no end.
    """
    share, _, _, spill, fit = one
    return share * (0.55 + 0.6 * min(fit, 0.75)) - (max(spill - 0.15, 0.0) * 2 if fit < 0.5 else 0.0)


def _parts_together(bodies: Silhouettes, kind: str, cells: Sequence[str]) -> tuple[slice, slice]:
    """Return the part of the map that bodies on some cells may cover."""
    parts = [bodies.kernel(kind, cell).part for cell in cells]
    rows = slice(min(rows.start for rows, _ in parts), max(rows.stop for rows, _ in parts))
    return rows, slice(min(one.start for _, one in parts), max(one.stop for _, one in parts))


def _reaching_out(city: CityMap, outline: Bools, label: int) -> Bools:
    """Return what is of the figure's colour and hangs together with its outline: wings, tails, crests."""
    part = _around(outline)
    body = outline[part]
    near = cv2.dilate(body.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    own = near & (city.labels[part] == label) & (city.strange[part] | city.unknown[part])
    _, patches = cv2.connectedComponents((own | body).astype(np.uint8))
    touched = np.unique(patches[body])
    reaching = np.zeros_like(outline)
    reaching[part] = np.isin(patches, touched[touched > 0]) & own
    return reaching


def _spill(city: CityMap, outline: Bools, label: int, reach: int) -> float:
    """Return the share of the rim, some millimetres off the outline, that is strange and of this colour.

    What ends within `reach` px of the outline is a part of the piece: a wing, a tail.
    """
    part = _around(outline, reach)
    near = cv2.dilate(outline[part].astype(np.uint8), np.ones((7, 7), np.uint8))
    far = cv2.dilate(near, np.ones((5, 5), np.uint8))
    rim = (far > near) & ~city.blind[part] & city.tile[part]
    own = (city.labels[part] == label) & city.strange[part]
    if reach > 0 and (own & rim).any():
        inside = cv2.dilate(outline[part].astype(np.uint8), _disc(reach)) > 0
        _, patches = cv2.connectedComponents(own.astype(np.uint8))
        own &= np.isin(patches, patches[own & ~inside])
    return float(own[rim].mean()) if np.count_nonzero(rim) >= 20 else 0.0


def _mass(city: CityMap, outline: Bools, label: int) -> float:
    """Return the size of the patches of this colour that show on the outline, as a share of the outline's.

    Only what is on tiles counts, of either.
    """
    use = city.tile & ~city.blind & ~city.taken
    own = (city.labels == label) & city.strange & ~city.washed & use
    _, patches = cv2.connectedComponents(own.astype(np.uint8))
    shown = np.isin(patches, patches[own & outline]) & own
    size = max(int(np.count_nonzero(outline & use)), int(np.count_nonzero(outline)) // 2, 1)
    return float(np.count_nonzero(shown)) / size


def _disc(radius: int) -> NDArray[np.uint8]:
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return np.asarray(ellipse, np.uint8)


def _fit(city: CityMap, outline: Bools, label: int) -> float:
    """Return how well an outline and the strange thing seen there cover each other: common by joint area."""
    part = _around(outline)
    body, there = outline[part], city.cut(part)
    odd = there.strange & ~there.shadow & ~there.washed
    odd &= (there.labels == label) | (there.labels == NOTHING)
    use = there.tile & ~there.blind & ~there.taken
    _, patches = cv2.connectedComponents((odd & use).astype(np.uint8))
    touched = np.unique(patches[body])
    thing = np.isin(patches, touched[touched > 0])
    joint = np.count_nonzero((thing | body) & use)
    if joint < 0.7 * np.count_nonzero(body):
        return 0.0
    return np.count_nonzero(thing & body & use) / joint


def _around(outline: Bools, reach: int = 0) -> tuple[slice, slice]:
    """Return the part of the map that holds an outline and some pixels more than `reach` around it."""
    x, y, width, height = cv2.boundingRect(outline.astype(np.uint8))
    more = 9 + reach
    return slice(max(y - more, 0), y + height + more), slice(max(x - more, 0), x + width + more)


def _apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two places are so far apart that they cannot be the same piece seen twice."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1])) > 20.0


def _best_on(
    bodies: Silhouettes, kind: str, cell: str, speaks: tuple[Singles, Singles]
) -> tuple[float, tuple[float, float]] | None:
    """Return the best share and place with the base on this cell."""
    kernel = bodies.kernel(kind, cell)
    (x0, y0, x1, y1), part = kernel.base, kernel.part
    start_y, start_x = part[0].start, part[1].start
    window, weight = speaks[0][part], speaks[1][part]
    if not window.size or np.count_nonzero(window > 0.4) < 0.25 * kernel.area:
        return None
    seen = _filtered(weight, kernel)
    score = _filtered(window * weight, kernel) / (seen + _UNSEEN * (kernel.area - seen) + 1e-3)
    inside = score[max(y0 - start_y, 0) : y1 - start_y, max(x0 - start_x, 0) : x1 - start_x]
    if not inside.size:
        return None
    row, column = np.unravel_index(int(np.argmax(inside)), inside.shape)
    place = bodies.flat.to_mm(np.array([max(x0, start_x) + column, max(y0, start_y) + row], np.float64))
    return float(inside[row, column]), (float(place[0]), float(place[1]))


def _filtered(field: Singles, kernel: Kernel) -> Singles:
    edge, anchor = cv2.BORDER_CONSTANT, (kernel.column, kernel.row)
    return np.asarray(cv2.filter2D(field, -1, kernel.cover, anchor=anchor, borderType=edge), np.float32)
