"""Finding the printed fiducials in a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Gray, Picture8
from vision.photometry.light import linear

# Width of the picture for a first quick search, and for a closer one if that does not find all of them.
_GLANCE_WIDTH, _QUICK_WIDTH = 640, 960
# Pictures up to this width are enlarged by this factor to find what was missed.
_SMALL_WIDTH, _ENLARGED = 1600, 1.5
# Two findings closer than this, in edges, are the same code.
_ONE_CODE = 0.2
# An adaptive threshold over this many pixels finds codes of any size in good light.
_GLANCE_WINDOW = 23
# Where along a side its edge is measured, and how far to either side of it, in widths of the code, roughly at
# first. The printed border is a sixth wide, the paper around it at least as much.
_ALONG = np.linspace(0.12, 0.88, 24)
_REACHES = (0.2, 0.125, 0.125)
_REACH_PX = (1.5, 5.0)
_STEPS = 17
_LEAST_EDGE_PX = 8.0
_LEAST_CONTRAST = 0.02
_CROOKED_PX = 0.6


def fiducial_detector(*, glance: bool = False) -> cv2.aruco.ArucoDetector:
    """Return a detector of DICT_4X4_50 codes, set for cut-out codes on any table.

    With `glance` it is four times as fast and misses some codes in bad light.
    """
    parameters = cv2.aruco.DetectorParameters()
    # The default of 0.125 keeps the paper's edge instead of the code's on dark or patterned tables.
    parameters.minMarkerDistanceRate = 0.02
    parameters.adaptiveThreshWinSizeMin = _GLANCE_WINDOW if glance else 3
    parameters.adaptiveThreshWinSizeMax = _GLANCE_WINDOW if glance else 43
    # Four pixels a cell, the default, misses sharp codes seen from the side.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def find_fiducials(gray: Gray, wanted: frozenset[int]) -> dict[int, Corners]:
    """Return the corners of the wanted fiducials, each (4, 2) px: far left, far right, near right, near left.

    A code found in two places is left out: one of the two is a stray and nothing shows which. A code with
    unclear sides is left out too: something lies on it, or it is not a code. The missing ones are searched
    for again in an enlarged picture if the picture is small: a module of a blurred code is only a few pixels
    wide there.
    """
    codes = _codes(gray)
    found = sharpen_all(gray, _single(codes, wanted))
    missing = {number for number in wanted - found.keys() if _is_one(codes.get(number, []))}
    if missing and gray.shape[1] <= _SMALL_WIDTH:
        size = (round(gray.shape[1] * _ENLARGED), round(gray.shape[0] * _ENLARGED))
        large = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        more = _single(_codes(large), missing).items()
        found |= sharpen_all(gray, {number: (at + 0.5) / _ENLARGED - 0.5 for number, at in more})
    return found


def _detect(gray: Gray, wanted: frozenset[int], *, glance: bool = False) -> dict[int, Corners]:
    """Return the approximate corners of the wanted fiducials; a `glance` is quick and misses some."""
    return _single(_codes(gray, glance=glance), wanted)


def _codes(gray: Gray, *, glance: bool = False) -> dict[int, list[Corners]]:
    """Return the approximate corners of all codes, by number."""
    corners, ids, _ = fiducial_detector(glance=glance).detectMarkers(gray)
    # None if nothing was found, whatever the stubs say.
    numbers = [] if not len(corners) else [int(one) for one in np.asarray(ids).ravel()]
    places: dict[int, list[Corners]] = {}
    for number, found in zip(numbers, corners, strict=True):
        places.setdefault(number, []).append(np.asarray(found, np.float64).reshape(4, 2))
    return places


def _single(codes: Mapping[int, Sequence[Corners]], wanted: AbstractSet[int]) -> dict[int, Corners]:
    """Return the corners of the wanted codes that are seen in one place only, by their outermost edges."""
    return {
        number: max(places, key=lambda at: float(np.linalg.norm(at[0] - at[2])))
        for number, places in codes.items()
        if number in wanted and _is_one(places)
    }


def _is_one(places: Sequence[Corners]) -> bool:
    """Whether all are the same code: both the outer and the inner edge of its border may have been found."""
    middles = [at.mean(axis=0) for at in places]
    edge = min((float(np.linalg.norm(at[0] - at[1])) for at in places), default=0.0)
    return all(float(np.linalg.norm(one - middles[0])) < _ONE_CODE * edge for one in middles)


def sharpen_all(
    picture: NDArray[np.uint8], rough: Mapping[int, Corners], *, at_rest: bool = False
) -> dict[int, Corners]:
    """Return the corners (4, 2) of black squares on white, where their four sides meet; only clear squares.

    Blur moves a corner inwards, but not a side, if the side is located in linear light. `picture` is grey or
    has three colours. With `at_rest` the given corners are those of an earlier frame: a square that has moved
    by more than a few pixels then counts as unclear.
    """
    numbers, corners = np.array(list(rough), np.intp), np.array(list(rough.values())).reshape(-1, 4, 2)
    for share in _REACHES[-1:] if at_rest else _REACHES:
        following = np.roll(corners, -1, axis=1)
        edges = np.sqrt(((following - corners) ** 2).sum(axis=2))
        large = edges.min(axis=1) >= _LEAST_EDGE_PX
        numbers, corners, following, edges = (one[large] for one in (numbers, corners, following, edges))
        if not len(numbers):
            return {}
        ahead = (following - corners) / edges[..., None]
        outward = np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)
        # Measured in widths of the square across each side; its border is a fraction of that.
        across = np.abs(((np.roll(corners, -2, axis=1) - following) * outward).sum(axis=2))
        reach = np.clip(across * share, *_REACH_PX)
        light = _profiles(picture, corners, following, outward, reach)
        if share > _REACHES[-1]:
            off = _steepest(light, reach.ravel())
        else:
            off, are_clear = _sides(light, reach.ravel())
            clear = are_clear.reshape(-1, 4).all(axis=1)
            numbers, corners, following, outward = (
                one[clear] for one in (numbers, corners, following, outward)
            )
            off = off.reshape(-1, 8)[clear]
        corners = _crossed(corners, following, outward, off.reshape(-1, 4, 2))
    return dict(zip(numbers.tolist(), corners, strict=True))


def _profiles(
    picture: NDArray[np.uint8], starts: Corners, ends: Corners, outward: Corners, reach: Corners
) -> NDArray[np.float32]:
    """Return linear light from inside to outside at places along sides (N, 4): (4 N, places, steps)."""
    spots = starts[:, :, None] + _ALONG[None, None, :, None] * (ends - starts)[:, :, None]
    steps = reach[..., None] * np.linspace(-1, 1, _STEPS)
    points = spots[:, :, :, None] + steps[:, :, None, :, None] * outward[:, :, None, None]
    x, y = (points[..., axis].reshape(-1, _STEPS).astype(np.float32) for axis in (0, 1))
    seen = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), np.uint8)
    if seen.ndim == 3:
        seen = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)
    return linear(seen).reshape(-1, len(_ALONG), _STEPS)


def _crossed(starts: Corners, ends: Corners, outward: Corners, off: Corners) -> Corners:
    """Return the corners (N, 4, 2) after moving each side outwards by `off` at its start and its end."""
    begin = starts + off[..., :1] * outward
    ways = ends + off[..., 1:] * outward - begin
    before, way_before = np.roll(begin, 1, axis=1), np.roll(ways, 1, axis=1)
    gap = begin - before
    cross = way_before[..., 0] * ways[..., 1] - way_before[..., 1] * ways[..., 0]
    part = (gap[..., 0] * ways[..., 1] - gap[..., 1] * ways[..., 0]) / np.where(cross == 0, np.inf, cross)
    return np.asarray(before + part[..., None] * way_before, np.float64)


def _steepest(light: NDArray[np.float32], reach: Corners) -> Corners:
    """Return about how far outside sides lie at their starts and ends, px, (sides, 2).

    Going outwards, only the border's outer edge changes from dark to bright; edges inside change the other
    way.
    """
    half = light.shape[1] // 2
    means = np.stack([light[:, :half].mean(axis=1), light[:, half:].mean(axis=1)], axis=1)
    at = (means[..., 2:] - means[..., :-2]).argmax(axis=2) + 1
    off = (at * 2 / (_STEPS - 1) - 1) * reach[:, None]
    # The halves' middles lie at about a third and two thirds; the ends follow by linear extrapolation.
    first, second = _ALONG[:half].mean(), _ALONG[half:].mean()
    slope = (off[:, 1] - off[:, 0]) / (second - first)
    start = off[:, 0] - slope * first
    return np.column_stack([start, start + slope]).astype(np.float64)


def _sides(light: NDArray[np.float32], reach: Corners) -> tuple[Corners, NDArray[np.bool_]]:
    """Return how far outside sides lie at their starts and ends, px, (sides, 2), and which are clear.

    `light` (sides, places, steps) runs from inside to outside at each place. The dark share of a profile
    gives the position of the edge, however blurred it is.
    """
    count = len(light)
    dark = np.median(light[:, :, :3].reshape(count, -1), axis=1)[:, None, None]
    bright = np.median(light[:, :, -3:].reshape(count, -1), axis=1)[:, None, None]
    contrast = bright - dark
    are_plain = contrast.ravel() >= _LEAST_CONTRAST
    share = np.clip((bright - light) / np.maximum(contrast, _LEAST_CONTRAST), -0.3, 1.3)
    length = (share.sum(axis=2) - (share[:, :, 0] + share[:, :, -1]) / 2) * (2 / (_STEPS - 1))
    off = (length - 1) * reach[:, None]
    stray = np.abs(off - np.median(off, axis=1, keepdims=True))
    usual = np.median(stray, axis=1, keepdims=True)
    use = (stray < np.maximum(0.4, 2 * usual)).astype(np.float64)
    # Weighted least squares: a straight line through the remaining points.
    total = use.sum(axis=1)
    mean_at, mean_off = (use @ _ALONG) / total, (use * off).sum(axis=1) / total
    apart = _ALONG[None] - mean_at[:, None]
    slope = (use * apart * off).sum(axis=1) / (use * apart**2).sum(axis=1)
    start = mean_off - slope * mean_at
    return np.column_stack([start, start + slope]).astype(np.float64), are_plain & (
        usual.ravel() <= _CROOKED_PX
    )


def find_quickly(gray: Gray, wanted: frozenset[int]) -> dict[int, Corners]:
    """Return the same as `find_fiducials`, from reduced pictures first and then refined at full size.

    If some are missing there, the whole picture is searched.
    """
    for width in (_GLANCE_WIDTH, _QUICK_WIDTH):
        shrink = width / gray.shape[1]
        if shrink > 0.8:
            break
        size = (width, max(round(gray.shape[0] * shrink), 1))
        small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
        seen = _detect(small, wanted, glance=width == _GLANCE_WIDTH)
        if len(seen) < len(wanted):
            continue
        about = {number: (at + 0.5) / shrink - 0.5 for number, at in seen.items()}
        found = sharpen_all(gray, about)
        if len(found) < len(wanted):
            found = find_near(gray, about)
        if len(found) == len(wanted):
            return found
    return find_fiducials(gray, wanted)


def find_near(
    picture: NDArray[np.uint8], expected: Mapping[int, Corners], margin: float = 0.6
) -> dict[int, Corners]:
    """Look for each fiducial only around where it is expected; `margin` in edges of the code.

    `picture` is gray or has three colours.
    """
    rough: dict[int, Corners] = {}
    height, width = picture.shape[:2]
    for number, corners in expected.items():
        edge = float(np.linalg.norm(corners[0] - corners[2])) / np.sqrt(2)
        low = np.floor(corners.min(axis=0) - margin * edge).astype(int).clip(0)
        high = np.ceil(corners.max(axis=0) + margin * edge).astype(int)
        x0, y0, x1, y1 = int(low[0]), int(low[1]), min(int(high[0]), width), min(int(high[1]), height)
        if x1 - x0 < 12 or y1 - y0 < 12:
            continue
        part, only = np.ascontiguousarray(picture[y0:y1, x0:x1]), frozenset({number})
        if part.ndim == 3:
            part = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
        seen = _detect(part, only, glance=True)
        if not seen:
            seen = _detect(part, only)
        rough |= {one: at + np.array([x0, y0]) for one, at in seen.items()}
    return sharpen_all(picture, rough)


# -- the true size ---------------------------------------------------------------------------------------

# A code is this many modules wide, its border included; paper surrounds it.
_MODULES = 6
# Where across a module, and how far to both sides of a boundary, in modules, the light is sampled.
_ACROSS = np.linspace(-0.3, 0.3, 5)
_BESIDE = np.linspace(-0.45, 0.45, 19)


def without_bloom(picture: Picture8, found: Mapping[int, Corners]) -> dict[int, Corners]:
    """Return the corners (4, 2) of codes, corrected for white that spreads into black.

    In the lens and by the camera's tone curve, bright paper spills over the print, so that codes look too
    small, by a pixel and more in strong light. White modules inside the code grow by the same amount, so it
    can be measured there. `picture` is grey or has three colours.
    """
    return {number: _grown(picture, number, corners) for number, corners in found.items()}


def _grown(picture: Picture8, number: int, corners: Corners) -> Corners:
    half = _MODULES / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    spots, along, place, bright_ahead = _boundaries(number)
    points = (spots[:, :, None] + along[:, None, None] * _BESIDE[:, None]).reshape(-1, 1, 2)
    at = cv2.perspectiveTransform(points.astype(np.float64), matrix).reshape(len(spots), -1, 2)
    x, y = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
    seen = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if seen.ndim == 3:
        seen = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)
    light = linear(seen).reshape(len(spots), -1, len(_BESIDE)).mean(axis=1).astype(np.float64)
    light = np.where(bright_ahead[:, None] > 0, light, light[:, ::-1])
    dark, bright = np.median(light[:, :3], axis=1), np.median(light[:, -3:], axis=1)
    clear = bright - dark > _LEAST_CONTRAST
    share = np.clip((light - dark[:, None]) / np.maximum(bright - dark, _LEAST_CONTRAST)[:, None], -0.3, 1.3)
    # The bright part of the profile beyond half of it, in modules, is how far white has spread.
    step = _BESIDE[1] - _BESIDE[0]
    spread = (share.sum(axis=1) - (share[:, 0] + share[:, -1]) / 2) * step - (_BESIDE[-1] - _BESIDE[0]) / 2
    off = -bright_ahead * spread
    # The rest is an offset and a change of size, each in x and y; with the spread, five unknowns.
    in_x = along[:, 0] != 0
    columns = [in_x, ~in_x, in_x * place, ~in_x * place, -bright_ahead]
    known = np.column_stack(columns).astype(np.float64)
    bloom = float(np.linalg.lstsq(known[clear], off[clear], rcond=None)[0][-1]) if clear.sum() > 8 else 0.0
    wider = square.astype(np.float64) * (half + bloom) / half
    return np.asarray(cv2.perspectiveTransform(wider.reshape(-1, 1, 2), matrix).reshape(4, 2), np.float64)


@cache
def _boundaries(number: int) -> tuple[Corners, Corners, Corners, Corners]:
    """Return all boundaries of black and white in a code, in modules from its middle, y downwards.

    For each: points along it (N, spots, 2), the direction across it (N, 2), its position on that axis (N,),
    and 1 if white lies ahead, -1 if black does.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    inside = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, _MODULES, borderBits=1)) > 127
    white = np.pad(inside, 1, constant_values=True)
    half = _MODULES / 2
    found = []
    for row, column in np.argwhere(white[:, 1:] != white[:, :-1]):
        x, y = column - half, row - half - 0.5
        spots = np.column_stack([np.full(len(_ACROSS), x), y + _ACROSS])
        found.append((spots, (1.0, 0.0), x, 1.0 if white[row, column + 1] else -1.0))
    for row, column in np.argwhere(white[1:] != white[:-1]):
        x, y = column - half - 0.5, row - half
        spots = np.column_stack([x + _ACROSS, np.full(len(_ACROSS), y)])
        found.append((spots, (0.0, 1.0), y, 1.0 if white[row + 1, column] else -1.0))
    columns = zip(*found, strict=True)
    spots_of_all, along, place, ahead = (np.array(one, np.float64) for one in columns)
    return spots_of_all, along, place, ahead
