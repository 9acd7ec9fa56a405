"""Finding the printed fiducials in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Gray: TypeAlias = NDArray[np.uint8]
Corners: TypeAlias = NDArray[np.float64]

_QUICK_WIDTH = 960


def fiducial_detector() -> cv2.aruco.ArucoDetector:
    """Return a detector of DICT_4X4_50 codes, set for cut-out codes on any table."""
    parameters = cv2.aruco.DetectorParameters()
    # The default of 0.125 keeps the paper's edge instead of the code's on dark or patterned tables.
    parameters.minMarkerDistanceRate = 0.02
    parameters.adaptiveThreshWinSizeMax = 43
    # Four pixels a cell, the default, misses sharp codes seen from the side.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def find_fiducials(gray: Gray, wanted: frozenset[int]) -> dict[int, Corners]:
    """Return the corners of the wanted fiducials, each (4, 2) px: far left, far right, near right, near left.

    A code found twice is left out: one of the two is not ours and nothing says which.
    """
    corners, ids, _ = fiducial_detector().detectMarkers(gray)
    # None when nothing was found, whatever the stubs say.
    numbers = [] if not len(corners) else [int(one) for one in np.asarray(ids).ravel()]
    return {
        number: np.asarray(found, np.float64).reshape(4, 2)
        for number, found in zip(numbers, corners, strict=True)
        if number in wanted and numbers.count(number) == 1
    }


def find_quickly(gray: Gray, wanted: frozenset[int]) -> dict[int, Corners]:
    """Return what `find_fiducials` does, looking at a smaller picture first and then closely.

    Where that does not show all of them the whole picture is searched.
    """
    shrink = _QUICK_WIDTH / gray.shape[1]
    if shrink > 0.8:
        return find_fiducials(gray, wanted)
    size = (_QUICK_WIDTH, max(round(gray.shape[0] * shrink), 1))
    small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
    rough = {number: (at + 0.5) / shrink - 0.5 for number, at in find_fiducials(small, wanted).items()}
    found = find_near(gray, rough) if len(rough) == len(wanted) else {}
    return found if len(found) == len(wanted) else find_fiducials(gray, wanted)


def find_near(gray: Gray, expected: Mapping[int, Corners], margin: float = 0.6) -> dict[int, Corners]:
    """Look for each fiducial only around where it is expected; `margin` in edges of the code."""
    found: dict[int, Corners] = {}
    height, width = gray.shape
    for number, corners in expected.items():
        edge = float(np.linalg.norm(corners[0] - corners[2])) / np.sqrt(2)
        low = np.floor(corners.min(axis=0) - margin * edge).astype(int).clip(0)
        high = np.ceil(corners.max(axis=0) + margin * edge).astype(int)
        x0, y0, x1, y1 = int(low[0]), int(low[1]), min(int(high[0]), width), min(int(high[1]), height)
        if x1 - x0 < 12 or y1 - y0 < 12:
            continue
        inside = find_fiducials(np.ascontiguousarray(gray[y0:y1, x0:x1]), frozenset({number}))
        if number in inside:
            found[number] = inside[number] + (x0, y0)
    return found
