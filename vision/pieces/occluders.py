"""What covers the city: hands, arms, foreign objects.

No background has to be learnt: tiles are covered where they are not visible and no known piece explains why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table_layout import TableLayout
from vision.arrays import Bools, Floats, Singles
from vision.faces.residuals import Residual
from vision.geometry.cells import cell_window
from vision.geometry.regions import Region, widened
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap, to_map
from vision.pieces.classifier import BoxCover

Numbers: TypeAlias = NDArray[np.int32]

# A hand is larger than any piece: a fingertip reaches in with two or three square centimetres.
_HAND_MM2 = 500.0
# A tile that is not recognised may be covered or just hard to recognise: a hand covers more than one.
_PLAIN_MM2 = 450.0
_CELLS = 1.6
_PIECES_MM2 = 700.0
# Only hands reach in across the city's outer rim. If less skin is visible, they must cover more of the rim
# than any figure that leans out there.
_ENTERING_MM2, _ENTERING_MM = 250.0, 24.0
_RIM_PX, _GAP_PX = 2, 15
# What hides a print may have its colours. Then this much of it must come in along this much of the rim, and
# it must be as large as fingers, a strip of the table beside the rim included.
_SMOOTH_MM2, _SMOOTH_MM, _BESIDE_MM, _FINGERS_MM2 = 380.0, 8.0, 12.0, 850.0
_WITH_FIGURE_MM2 = 1200.0
# A block of a tile that is explained to this share, or a blind cell, is not hidden by a hand.
_EXPLAINED = 0.25
# For each pixel of the map edges are as steep as this share of the brightness, which counts as this at least.
# A hand has less than this share of a tile's edges.
_EDGE, _DIM, _HARDLY = 0.06, 0.1, 0.4
# The table is seen where its colours differ by less than this: the share of each, and how bright each is.
_HUE, _SHADE = 0.02, 0.25
# A dragon with its wings spread, of what its body covers.
_SPREAD = 1.5
# Larger than what remains around recognised markers and figures.
_LOOSE_MM2 = 60.0
# Something unexplained may be a piece if it is as large as this share of one.
_UNEXPLAINED = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What covers the city.

    Attributes:
        foreign: (height, width) bool on the half-scale map: covered by something unknown.
        pieces: the same, covered by figures and dragons.
        patches: (height, width) int on that map: which patch of strange things a pixel belongs to.
        loose_mm2: how much of each patch is neither a marker that is plain to see nor a figure.
        hand: something as large as a hand is there.
        whole: every cell is seen but for what pieces cover.
    """

    foreign: Bools
    pieces: Bools
    patches: Numbers
    loose_mm2: Floats
    hand: bool
    whole: bool

    def may_hold(self, size_mm2: float) -> bool:
        """Whether a piece of that size may be in what is hidden or unexplained."""
        return not self.whole or bool(self.loose_mm2.max() >= _UNEXPLAINED * size_mm2)

    def share_of(self, cell: tuple[slice, slice]) -> float:
        """Return the share of a part of the map that something other than markers and figures covers."""
        return _share(self.foreign[cell] | (self.loose_mm2[self.patches[cell]] > _LOOSE_MM2))

    def over(self, found: Residual, middle: tuple[float, float], edge: float) -> BoxCover:
        """Return what covers a square on a face, `middle` and `edge` in px of the face."""
        at = found.pose.matrix(found.known.shape) @ np.array([*middle, 1.0]) / 2 - 0.25
        box, around = _window(at, edge / 4), _window(at, edge * 0.6)
        if not self.foreign[box].size:
            return BoxCover(foreign=1.0, foreign_near=1.0, hand=self.hand)
        # Without a hand there is nothing foreign.
        return BoxCover(
            foreign=_share(self.foreign[box]) if self.hand else 0.0,
            foreign_near=_share(self.foreign[around]) if self.hand else 0.0,
            pieces=_share(self.pieces[box]),
            loose_mm2=float(self.loose_mm2[self.patches[box]].max()),
            hand=self.hand,
        )

    def pieces_on(self, found: Residual) -> Bools:
        """Return which part of a face figures and dragons cover, (height, width) of the face."""
        height, width = found.odd.shape
        matrix = found.pose.matrix(found.known.shape) / 2
        matrix[:, 2] -= 0.25
        # The outlines are approximate.
        covered = cv2.dilate(self.pieces.astype(np.uint8), np.ones((3, 3), np.uint8))
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(covered, matrix, (width, height), flags=flags) > 0, np.bool_)


def _share(area: Bools) -> float:
    return np.count_nonzero(area) / area.size


def _window(at: Floats, half: float) -> tuple[slice, slice]:
    half = max(half, 1.0)
    x0, y0 = max(round(at[0] - half), 0), max(round(at[1] - half), 0)
    return slice(y0, max(round(at[1] + half) + 1, 0)), slice(x0, max(round(at[0] + half) + 1, 0))


def find_cover(
    city: CityMap,
    layout: TableLayout,
    outlines: Sequence[Bools],
    residuals: Mapping[str, Residual],
    dragons: Sequence[int] = (),
    is_figure_lost: Callable[[], bool] = lambda: False,
) -> Cover:
    """Find what covers the city.

    `outlines` are those of figures found, `residuals` the cells recognised, `dragons` the labels of their
    paints; `is_figure_lost` says whether a figure was not found.
    """
    pieces = np.zeros(city.labels.shape, bool)
    for outline in outlines:
        pieces |= outline
    around = cv2.dilate((pieces | city.taken).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    # Where the lines of a tile's print are seen nothing but light is on it.
    free = _of_blocks(city, {cell: one.plain for cell, one in residuals.items()}, residuals)
    strange = city.strange & ~city.shadow & ~city.glare & ~around & ~free
    unknown = city.unknown & ~city.blind & ~around
    foreign = _as_large_as_hands(city, layout, strange, unknown, dragons)
    if not foreign.any():
        smooth = _without_print(city, residuals, pieces | city.taken) | _plain_cells(city, layout, residuals)
        if smooth.any():
            foreign = _entering(city, strange, smooth, unknown, dragons)
            # A figure that was not found, with markers beside it, may hide as much.
            if 0 < np.count_nonzero(foreign) < _WITH_FIGURE_MM2 * city.flat.px_per_mm**2 and is_figure_lost():
                foreign[:] = False
    is_hand = bool(foreign.any())
    things, loose = _things(city, strange=city.strange & ~city.shadow & ~city.glare, pieces=pieces)
    return Cover(
        foreign=foreign,
        pieces=pieces,
        patches=things,
        loose_mm2=loose,
        hand=is_hand,
        whole=len(residuals) == len(layout.cells) and not is_hand,
    )


def _as_large_as_hands(
    city: CityMap, layout: TableLayout, strange: Bools, unknown: Bools, dragons: Sequence[int]
) -> Bools:
    """Return what covers the city, (height, width), and is larger than any piece or comes in over its rim."""
    count, patches, there = _joined(strange | unknown)
    mm2, held = city.flat.px_per_mm**2, patches.ravel()[there]
    odd, labels = strange.ravel()[there], city.labels.ravel()[there]
    areas, plain, painted = (
        np.bincount(some, minlength=count) / mm2
        for some in (held, held[odd], held[odd & (labels != NOTHING)])
    )
    large = (areas >= _HAND_MM2) & ((plain >= _PLAIN_MM2) | (areas >= _CELLS * layout.tile_edge_mm**2))
    # A figure that was not found has one piece's colour and is no larger than a few pieces together.
    large &= (areas >= _PIECES_MM2) | (painted < 0.7 * areas)
    sizes = layout.pieces
    spread_mm2 = _SPREAD * sizes.dragon_base_mm * sizes.dragon_height_mm
    for label in dragons:
        painted = np.bincount(held[odd & (labels == label)], minlength=count) / mm2
        large &= (areas >= spread_mm2) | (painted < 0.7 * areas)
    enters = plain >= _ENTERING_MM2
    if (enters & ~large)[1:].any():
        rim_px = np.bincount(patches[_rim(city) & (patches > 0)], minlength=count)
        enters &= rim_px >= _ENTERING_MM * city.flat.px_per_mm * _RIM_PX
        for label in dragons:
            enters &= np.bincount(held[odd & (labels == label)], minlength=count) / mm2 < 0.7 * areas
        large |= enters
    large[0] = False
    return np.asarray(large[patches], np.bool_)


def _joined(covered: Bools) -> tuple[int, Numbers, NDArray[np.intp]]:
    """Return the patches of what is covered, specks left out and gaps closed, and the pixels that are in any.

    There is usually little, so only those pixels are counted.
    """
    opened = cv2.morphologyEx(covered.view(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    joined = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    count, patches = cv2.connectedComponents(joined)
    return count, np.asarray(patches, np.int32), np.flatnonzero(joined)


def _without_print(city: CityMap, residuals: Mapping[str, Residual], known: Bools) -> Bools:
    """Return where the tiles' print is not seen, (height, width), and nothing that is `known` covers it.

    Skin may be so close to a tile's colour that it looks like a shadow on it, or like the tile itself.
    """
    lost: dict[str, Bools] = {}
    for cell, found in residuals.items():
        if not found.lost.any():
            continue
        matrix, region = to_map(found, known.shape)
        (height, width), (rows, columns) = found.odd.shape, found.lost.shape
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        said = cv2.warpAffine(known[region].astype(np.float32), matrix, (width, height), flags=flags)
        said = np.maximum(said, found.blind)
        share = cv2.resize(said, (columns, rows), interpolation=cv2.INTER_AREA)
        lost[cell] = found.lost & (share < _EXPLAINED)
    return _of_blocks(city, lost, residuals) & ~known


def _of_blocks(city: CityMap, blocks: Mapping[str, Bools], residuals: Mapping[str, Residual]) -> Bools:
    """Return where some blocks (rows, columns) of the tiles are on the map, (height, width)."""
    there = np.zeros(city.labels.shape, np.uint8)
    for cell, some in blocks.items():
        if not some.any():
            continue
        matrix, region = to_map(residuals[cell], there.shape)
        height, width = residuals[cell].odd.shape
        whole = cv2.resize(some.view(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        size = (region[1].stop - region[1].start, region[0].stop - region[0].start)
        there[region] |= np.asarray(cv2.warpAffine(whole, matrix, size, flags=cv2.INTER_NEAREST), np.uint8)
    return there > 0


def _plain_cells(city: CityMap, layout: TableLayout, residuals: Mapping[str, Residual]) -> Bools:
    """Return the cells, (height, width), on which no tile was recognised and hardly any edge is visible.

    Whatever is printed on a tile, and whatever stands on it, has far more of them than the back of a hand.
    A bare table has as few, but is visible between the tiles as well.
    """
    plain = np.zeros(city.labels.shape, np.bool_)
    if len(residuals) == len(layout.cells) or not residuals:
        return plain
    gray = np.asarray(cv2.cvtColor(city.colours, cv2.COLOR_BGR2GRAY), np.float32)
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *way, ksize=3, scale=0.125) for way in ((1, 0), (0, 1)))
    are_edges = np.hypot(across, down) > _EDGE * np.maximum(gray, _DIM)
    inner = {cell: _inner(cell_window(city.flat, layout, cell)) for cell in layout.cells}
    usual = float(np.median([_share(are_edges[inner[cell]]) for cell in residuals]))
    gaps = cv2.erode((~(city.tile | city.unknown)).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    for cell in layout.cells.keys() - residuals.keys():
        region = inner[cell]
        has_edges = _share(are_edges[region]) >= _HARDLY * usual
        if has_edges or _share(city.blind[region]) >= _EXPLAINED:
            continue
        window = cell_window(city.flat, layout, cell)
        edge = window[0].stop - window[0].start
        beside = gaps.copy()
        beside[widened(window, gaps.shape, (edge, edge))] = False
        if not _are_alike(city.colours[region].reshape(-1, 3), city.colours[beside]):
            plain[window] = True
    return plain


def _are_alike(some: Singles, others: Singles) -> bool:
    """Whether two sets of coded colours (N, 3) belong to one thing: the same hue, and about as bright."""
    if not len(some) or not len(others):
        return False
    one, other = (np.maximum(np.median(colours, axis=0), _DIM) for colours in (some, others))
    hue = np.abs(one / one.sum() - other / other.sum()).max()
    return bool(hue < _HUE and np.abs(one - other).max() < _SHADE)


def _inner(window: Region) -> Region:
    """Return what is well inside a cell however its tile is shifted."""
    rows, columns = (
        slice(one.start + rim, one.stop - rim) for one in window for rim in ((one.stop - one.start) // 10,)
    )
    return rows, columns


def _entering(city: CityMap, strange: Bools, smooth: Bools, unknown: Bools, dragons: Sequence[int]) -> Bools:
    """Return what covers the city, (height, width), reaches in across its rim, and is as large as fingers.

    Only the `strange` part shows whether it is a dragon that was not found.
    """
    covered = strange | smooth
    count, patches, there = _joined(covered | unknown)
    held, odd, labels = (one.ravel()[there] for one in (patches, strange, city.labels))
    scale = city.flat.px_per_mm
    areas_mm2 = np.bincount(held[covered.ravel()[there]], minlength=count) / scale**2
    if not (areas_mm2 >= _SMOOTH_MM2).any():
        return np.zeros(covered.shape, np.bool_)
    rim_px, odd_px = (np.bincount(held[some], minlength=count) for some in (_rim(city).ravel()[there], odd))
    rim_mm = rim_px / (scale * _RIM_PX)
    enters = (areas_mm2 >= _SMOOTH_MM2) & (rim_mm >= _SMOOTH_MM)
    enters &= areas_mm2 + _BESIDE_MM * rim_mm >= _FINGERS_MM2
    for label in dragons:
        painted_px = np.bincount(held[odd & (labels == label)], minlength=count)
        enters &= painted_px < np.maximum(0.6 * odd_px, 1)
    enters[0] = False
    return np.asarray(enters[patches], np.bool_)


def _rim(city: CityMap) -> Bools:
    """Return the outer rim of all tiles, those not recognised too, (height, width)."""
    tiles = (city.tile | city.unknown).astype(np.uint8)
    joined = cv2.morphologyEx(tiles, cv2.MORPH_CLOSE, np.ones((_GAP_PX, _GAP_PX), np.uint8))
    edge = 2 * _RIM_PX + 1
    return np.asarray(cv2.erode(joined, np.ones((edge, edge), np.uint8), borderValue=0) < joined, np.bool_)


def _things(city: CityMap, *, strange: Bools, pieces: Bools) -> tuple[Numbers, Floats]:
    """Return the patches of what is strange, markers among them, and how much of each is neither, mm2."""
    known = cv2.dilate(pieces.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    opened = cv2.morphologyEx((strange & ~known).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, patches = cv2.connectedComponents(opened)
    free = np.flatnonzero(opened.view(np.bool_) & ~city.taken)
    loose = np.bincount(patches.ravel()[free], minlength=count) / city.flat.px_per_mm**2
    return np.asarray(patches, np.int32), np.asarray(loose, np.float64)
