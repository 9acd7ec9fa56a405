"""Tests for finding faces by what they change on an empty table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.enrolment.laid_outlines import (
    FINDING_PX_PER_MM,
    FITTING_PX_PER_MM,
    EmptyTable,
    LaidOutline,
    find_outlines,
    fit_outlines,
)

SIZE_MM = (59.0, 91.0)
RIM_MM = 3.0
WOOD, RIM = (90, 150, 200), (95, 145, 235)
# Middles and turns of faces, mm and degrees; the last two are 6 mm apart.
LIE = ((60.0, 70.0, 2.0), (140.0, 72.0, -3.0), (60.0, 190.0, 0.0), (125.0, 190.0, 0.0))
WINDOW_MM = (210, 260)


def drawn(px_per_mm: float, *, faces: bool = True) -> Image:
    """A table of uneven wood; faces on it have a rim much like it, and print within."""
    width, height = (round(edge * px_per_mm) for edge in WINDOW_MM)
    y, _ = np.mgrid[0:height, 0:width] / px_per_mm
    grain = (12 * np.sin(y / 3) + 6 * np.sin(y / 0.9)).astype(np.float32)
    table = np.asarray(np.clip(np.array(WOOD, np.float32) + grain[..., None], 0, 255), np.uint8)
    for number, (x, at, turn) in enumerate(LIE if faces else ()):
        for edge, colour in ((0.0, RIM), (RIM_MM, (60 + 40 * number, 90, 190 - 30 * number))):
            size = (SIZE_MM[0] - 2 * edge, SIZE_MM[1] - 2 * edge)
            corners = cv2.boxPoints(((x, at), size, turn)) * px_per_mm - 0.5
            cv2.fillPoly(table, [np.rint(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return table


def empty_table(px_per_mm: float) -> EmptyTable:
    """What the empty table tells of it."""
    apart = drawn(px_per_mm).astype(np.float32) - drawn(px_per_mm, faces=False)
    return EmptyTable(np.asarray(np.minimum(np.abs(apart).max(axis=2) / 16, 1), np.float32), apart)


def found(most: int) -> list[LaidOutline]:
    """Where faces are found."""
    searched = np.ones(drawn(FINDING_PX_PER_MM).shape[:2], bool)
    size_px = (SIZE_MM[0] * FINDING_PX_PER_MM, SIZE_MM[1] * FINDING_PX_PER_MM)
    rough = find_outlines(
        drawn(FINDING_PX_PER_MM), size_px, searched, most, empty=empty_table(FINDING_PX_PER_MM)
    )
    larger = [one.enlarged(FITTING_PX_PER_MM / FINDING_PX_PER_MM) for one in rough]
    return fit_outlines(drawn(FITTING_PX_PER_MM), larger, empty=empty_table(FITTING_PX_PER_MM))


def corners_mm(lies: tuple[float, float, float]) -> Floats:
    """The corners of a face, in any order, (4, 2)."""
    x, y, turn = lies
    return np.asarray(cv2.boxPoints(((x, y), SIZE_MM, turn)), np.float64)


def test_a_rim_much_like_the_table_belongs_to_the_face() -> None:
    """Each face is found to its outer edge, also where another is close by."""
    outlines = [(one.corners_px() + 0.5) / FITTING_PX_PER_MM for one in found(len(LIE))]

    assert len(outlines) == len(LIE)
    for lies in LIE:
        true = corners_mm(lies)
        seen = min(outlines, key=lambda one: float(np.hypot(*(one.mean(axis=0) - true.mean(axis=0)))))
        off = np.hypot(*(seen[:, None] - true[None]).transpose(2, 0, 1)).min(axis=1)
        assert off.max() < 1.0, lies


def test_nothing_is_found_beside_what_lies_there() -> None:
    """However many are wanted, faces are only where something covers the table."""
    assert len(found(len(LIE) + 3)) == len(LIE)


def test_an_empty_table_has_no_faces() -> None:
    """Though its grain has straight lines."""
    table = drawn(FINDING_PX_PER_MM, faces=False)
    nothing: Singles = np.zeros(table.shape[:2], np.float32)
    empty = EmptyTable(nothing, np.zeros(table.shape, np.float32))
    size_px = (SIZE_MM[0] * FINDING_PX_PER_MM, SIZE_MM[1] * FINDING_PX_PER_MM)

    assert not find_outlines(table, size_px, np.ones(table.shape[:2], bool), 3, empty=empty)
