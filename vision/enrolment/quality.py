"""Is the picture good enough to read the table? Focus, light, glare, size and framing, in words.

The measure is the fiducials' white paper and black squares, which are the same on every table.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from calibration.survey import Shot, survey, usual_frame
from companion.i18n import Message, join, mark, msg, nmsg
from companion.names import list_text
from companion.table_layout import Fiducial, TableLayout
from vision.arrays import Floats, Image
from vision.geometry.fiducials import find_fiducials

BEST_TILE_PX = 50.0
LEAST_TILE_PX = 34.0
_DARK = 70.0
_BURNT = 252
_UNEVEN = 3.5
_BLURRED_PX = 4.0
_GLARE_SHARE = 0.004
_LOWEST_DEG = 58.0
_CODE_PX = 120
_PARTS_OF_CITY = (
    (mark("far left"), mark("far middle"), mark("far right")),
    (mark("middle left"), mark("middle"), mark("middle right")),
    (mark("near left"), mark("near middle"), mark("near right")),
)


class Check(enum.Enum):
    """What was looked at."""

    FRAMING = "framing"
    LIGHT = "light"
    GLARE = "glare"
    FOCUS = "focus"
    SIZE = "size"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to improve.

    Attributes:
        check: which check found it.
        is_bad: reading will fail, or fail often; otherwise it is a hint.
        text: what is wrong and what to do.
    """

    check: Check
    is_bad: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """The judgement of one picture.

    Attributes:
        findings: what to improve, bad things first; empty = all is well.
        tile_px: width of the smallest tile or card in px, None if the table was not found.
        edge_px: how many px a sharp edge is wide, None if there is none to measure.
        paper: brightness of the fiducials' paper by number, 0 to 255.
    """

    findings: tuple[Finding, ...]
    tile_px: float | None = None
    edge_px: float | None = None
    paper: Mapping[int, float] | None = None

    @property
    def is_good(self) -> bool:
        """Whether nothing bad was found."""
        return not any(one.is_bad for one in self.findings)


def check_quality(image: Image, layout: TableLayout, camera: CameraPose | None = None) -> Quality:
    """Judge a picture (height, width, 3) BGR of a table.

    Args:
        image: the picture.
        layout: what should lie where.
        camera: the camera over the table, if it is known already.
    """
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    blind = _check_blind(gray)
    if blind is not None:
        return Quality(findings=(blind,))
    height, width = gray.shape
    found = find_fiducials(gray, frozenset(one.id for one in layout.fiducials))
    findings = _check_fiducials(layout, found)
    if camera is None:
        layout, camera = _surveyed_pose(layout, found, (width, height))
    if camera is None:
        edge_px = edge_width_px(gray, found) or _sharpest_edge(gray)
        return Quality(findings=(*findings, *_check_thirds(gray), *_check_focus(edge_px)), edge_px=edge_px)
    paper = {one.id: _paper_level(gray, camera, one) for one in layout.fiducials if one.id in found}
    edge_px = edge_width_px(gray, found)
    tile_px = _tile_px(camera, layout)
    findings += _check_framing(camera, layout, (width, height))
    findings += _check_light(layout, paper)
    findings += _check_glare(image, camera, layout)
    findings += _check_focus(edge_px)
    findings += _check_size(tile_px, layout)
    findings.sort(key=lambda one: not one.is_bad)
    return Quality(findings=tuple(findings), tile_px=tile_px, edge_px=edge_px, paper=paper)


def _surveyed_pose(
    layout: TableLayout, found: Mapping[int, Floats], size_wh: tuple[int, int]
) -> tuple[TableLayout, CameraPose | None]:
    """Return a layout with the codes where they lie, the city in their middle, and the view."""
    surveyed = survey([Shot(size_wh=size_wh, corners=found)], layout.fiducials[0].edge_mm)
    if surveyed is None:
        return layout, None
    surveyed = surveyed.reframed(usual_frame(surveyed.codes, layout))
    return replace(layout, fiducials=surveyed.codes), surveyed.cameras[0]


def _check_blind(gray: NDArray[np.uint8]) -> Finding | None:
    low, high = (float(one) for one in np.percentile(gray, (2, 98)))
    if high < 25:
        text = msg("the picture is black: is the lens covered, or the light off?")
    elif low > 245:
        text = msg("the picture is white: there is too much light, or the exposure is too long")
    elif high - low < 6:
        text = msg("the picture is all one colour: is something in front of the lens?")
    else:
        return None
    return Finding(check=Check.LIGHT, is_bad=True, text=text)


def _check_fiducials(layout: TableLayout, found: Mapping[int, Floats]) -> list[Finding]:
    missing = [one for one in layout.fiducials if one.id not in found]
    if not missing:
        return []
    if len(missing) == len(layout.fiducials):
        text = msg(
            "none of the printed codes can be seen: put them round the table and point the camera at it"
        )
        return [Finding(check=Check.FRAMING, is_bad=True, text=text)]
    where = list_text([join(" ", (str(one.id), join("", ("(", _corner(one), ")")))) for one in missing])
    text = nmsg(
        "code {fiducials} cannot be seen: is it covered, in glare or outside the picture?",
        "codes {fiducials} cannot be seen: are they covered, in glare or outside the picture?",
        len(missing),
        fiducials=where,
    )
    return [Finding(check=Check.FRAMING, is_bad=len(found) < 3, text=text)]


def _corner(one: Fiducial) -> Message:
    if one.y_mm > 0:
        return msg("far left") if one.x_mm < 0 else msg("far right")
    return msg("near left") if one.x_mm < 0 else msg("near right")


def _dark_third(side: str) -> Message:
    """Say which third of the picture wants a lamp."""
    if side == "left":
        return msg("the left third is too dark: put a lamp there")
    if side == "right":
        return msg("the right third is too dark: put a lamp there")
    return msg("the middle third is too dark: put a lamp there")


def _check_thirds(gray: NDArray[np.uint8]) -> list[Finding]:
    """Judge the light without knowing where the table is."""
    names = ("left", "middle", "right")
    bright = [float(np.percentile(region, 90)) for region in np.array_split(gray, 3, axis=1)]
    return [
        Finding(check=Check.LIGHT, is_bad=False, text=_dark_third(name))
        for name, level in zip(names, bright, strict=True)
        if level < _DARK
    ]


def _paper_level(gray: NDArray[np.uint8], camera: CameraPose, one: Fiducial) -> float:
    """Return the brightness of the white paper around a fiducial, 0 to 255."""
    reach = one.edge_mm * 0.585
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    square = np.maximum(np.abs(np.cos(turns)), np.abs(np.sin(turns)))
    around = np.stack([reach * np.cos(turns) / square, reach * np.sin(turns) / square], axis=1)
    ring = np.column_stack([one.points_mm(map(tuple, around)), np.zeros_like(turns)])
    at = np.rint(camera.project(ring)).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < gray.shape[1]) & (at[:, 1] < gray.shape[0])
    at = at[inside]
    return float(np.median(gray[at[:, 1], at[:, 0]])) if len(at) else 0.0


def _check_light(layout: TableLayout, paper: Mapping[int, float]) -> list[Finding]:
    """Judge the light by the brightness of the paper around each code, 0 to 255."""
    findings = _check_dark(layout, paper) or _check_even(layout, paper)
    if paper and min(paper.values()) >= _BURNT:
        text = msg("the picture is overexposed: use less light or a shorter exposure")
        findings.append(Finding(check=Check.LIGHT, is_bad=True, text=text))
    return findings


def _check_dark(layout: TableLayout, paper: Mapping[int, float]) -> list[Finding]:
    sides: dict[str, list[float]] = {"left": [], "right": []}
    for one in layout.fiducials:
        if one.id in paper:
            sides["left" if one.x_mm < 0 else "right"].append(paper[one.id])
    levels = {side: float(np.mean(seen)) for side, seen in sides.items() if seen}
    if levels and max(levels.values()) < _DARK:
        text = msg("the table is too dark: switch a lamp on")
        return [Finding(check=Check.LIGHT, is_bad=True, text=text)]
    dark = [side for side, level in levels.items() if level < _DARK]
    return [Finding(check=Check.LIGHT, is_bad=True, text=_dark_third(side)) for side in dark]


def _check_even(layout: TableLayout, paper: Mapping[int, float]) -> list[Finding]:
    light = {number: (level / 255) ** 2.2 for number, level in paper.items() if level > 0}
    if not light or max(light.values()) <= _UNEVEN * min(light.values()):
        return []
    dark = next(one for one in layout.fiducials if one.id == min(light, key=lambda number: light[number]))
    times = max(light.values()) / light[dark.id]
    text = msg(
        "one corner ({corner}) gets {times} times less light than the brightest: make the light more even",
        corner=_corner(dark),
        times=round(times),
    )
    return [Finding(check=Check.LIGHT, is_bad=times > 2.5 * _UNEVEN, text=text)]


def _check_glare(image: Image, camera: CameraPose, layout: TableLayout) -> list[Finding]:
    """Look for spots on the table where a lamp is mirrored: white in all colours, and larger than a box."""
    hull = _city_hull(camera, layout)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    city_px = max(int(np.count_nonzero(mask)), 1)
    burnt = np.asarray((image.min(axis=2) >= _BURNT) & (mask > 0), np.uint8)
    burnt = np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
    if count < 2:
        return []
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest, cv2.CC_STAT_AREA] < _GLARE_SHARE * city_px:
        return []
    u, v = (middles[largest] - hull.min(axis=0)) / np.ptp(hull, axis=0)
    where = msg(_PARTS_OF_CITY[min(int(v * 3), 2)][min(int(u * 3), 2)])
    text = (
        msg("a lamp is reflected in the city ({where}): move the lamp or the camera", where=where)
        if layout.cells
        else msg("a lamp is reflected on the table ({where}): move the lamp or the camera", where=where)
    )
    return [Finding(check=Check.GLARE, is_bad=False, text=text)]


def _city_hull(camera: CameraPose, layout: TableLayout) -> Floats:
    x0, x1, y0, y1 = layout.extent_mm()
    z = layout.pieces.tile_thickness_mm
    return camera.project(np.array([(x0, y1, z), (x1, y1, z), (x1, y0, z), (x0, y0, z)]))


def edge_width_px(gray: NDArray[np.uint8], found: Mapping[int, Floats]) -> float | None:
    """Return how many px the change from paper to black takes, the median over the edges of `found`."""
    widths: list[float] = []
    straight = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    for corners in found.values():
        target = (straight * 0.5 + 0.25) * _CODE_PX
        back = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
        flat = cv2.warpPerspective(gray, back, (_CODE_PX, _CODE_PX), flags=cv2.INTER_LINEAR).astype(
            np.float32
        )
        for turn in range(4):
            turned = np.rot90(flat, turn)
            strip = turned[_CODE_PX // 4 - 12 : _CODE_PX // 4 + 8, _CODE_PX * 3 // 8 : _CODE_PX * 5 // 8]
            profile = strip.mean(axis=1)
            steepest = float(np.max(profile[:-1] - profile[1:]))
            drop = float(np.percentile(profile, 95) - np.percentile(profile, 5))
            if steepest <= 0 or drop < 20:
                continue
            side = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[1])
            widths.append(drop / steepest * float(side) / _CODE_PX)
    return float(np.median(widths)) if widths else None


def _sharpest_edge(gray: NDArray[np.uint8]) -> float | None:
    """Return how many px the sharpest strong edges of any picture are wide."""
    kernel = np.ones((21, 21), np.uint8)
    fine = cv2.GaussianBlur(gray, (0, 0), 0.7)
    reach = cv2.subtract(cv2.dilate(fine, kernel), cv2.erode(fine, kernel)).astype(np.float32)
    slope = cv2.magnitude(cv2.Sobel(fine, cv2.CV_32F, 1, 0), cv2.Sobel(fine, cv2.CV_32F, 0, 1)) / 8
    strong = (reach > 60) & (slope > 2)
    if np.count_nonzero(strong) < 50:
        return None
    return float(np.percentile(reach[strong] / slope[strong], 5))


def _check_focus(edge_px: float | None) -> list[Finding]:
    if edge_px is None or edge_px < _BLURRED_PX:
        return []
    text = msg(
        "the picture is blurred (edges are {edge} pixels wide): focus the camera and keep it still",
        edge=round(edge_px),
    )
    return [Finding(check=Check.FOCUS, is_bad=edge_px > 1.8 * _BLURRED_PX, text=text)]


def _tile_px(camera: CameraPose, layout: TableLayout) -> float:
    """Return the width in px of a tile, or of a card, where it is smallest; without a grid at the edges."""
    half, z = (layout.tile_edge_mm or layout.pieces.card_width_mm) / 2, layout.pieces.tile_thickness_mm
    left, right, near, far = layout.extent_mm()
    middles = [*layout.cells.values()] or [(x, y) for x in (left, right) for y in (near, far)]
    ends = np.array([[(x - half, y, z), (x + half, y, z)] for x, y in middles])
    seen = camera.project(ends.reshape(-1, 3)).reshape(-1, 2, 2)
    return float(np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1).min())


def _check_size(tile_px: float, layout: TableLayout) -> list[Finding]:
    if tile_px >= BEST_TILE_PX:
        return []
    width, best = round(tile_px), round(BEST_TILE_PX)
    if layout.tile_edge_mm > 0:
        text = msg(
            "tiles are only {width} pixels wide: move the camera closer, {best} or more is best",
            width=width,
            best=best,
        )
    else:
        text = msg(
            "cards are only {width} pixels wide: move the camera closer, {best} or more is best",
            width=width,
            best=best,
        )
    return [Finding(check=Check.SIZE, is_bad=tile_px < LEAST_TILE_PX, text=text)]


def _check_framing(camera: CameraPose, layout: TableLayout, size_wh: tuple[int, int]) -> list[Finding]:
    findings: list[Finding] = []
    hull = _city_hull(camera, layout)
    out = {
        msg("left edge"): hull[:, 0].min() < 0,
        msg("right edge"): hull[:, 0].max() >= size_wh[0],
        msg("upper edge"): hull[:, 1].min() < 0,
        msg("lower edge"): hull[:, 1].max() >= size_wh[1],
    }
    cut = [side for side, is_out in out.items() if is_out]
    if cut:
        edges = list_text(cut)
        text = (
            msg(
                "part of the city is outside the picture ({edges}): point the camera at its middle",
                edges=edges,
            )
            if layout.cells
            else msg(
                "part of the table is outside the picture ({edges}): point the camera at its middle",
                edges=edges,
            )
        )
        findings.append(Finding(check=Check.FRAMING, is_bad=True, text=text))
    eye = camera.eye_mm
    low_deg = float(np.degrees(np.arctan2(np.hypot(eye[0], eye[1]), eye[2])))
    if low_deg > _LOWEST_DEG:
        text = msg(
            "the camera is too low ({angle}° above the table): mount it higher",
            angle=round(90 - low_deg),
        )
        findings.append(Finding(check=Check.FRAMING, is_bad=False, text=text))
    return findings
