"""Which built side belongs to which sketch side: both show the same building, drawn and painted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Picture8, Singles
from vision.enrolment.linear_assignment import linear_assignment
from vision.photometry.light import gray_of

_SIZE_PX = 64
# Lines count by their direction, smoothed over this many px; fainter gradients are ignored.
_REACH_PX, _FAINT = 17, 5.0
# The middle of a built side is searched for on the sketch side, whose rims have other things on them.
_MIDDLE = slice(14, 50), slice(12, 52)
# A tile is assumed to have been turned over in place unless another place agrees better by this much.
_IN_PLACE = 0.1
# With less agreement it is unknown how a tile is turned.
_PLAIN = 0.3
# If this share of those that agree clearly were turned over in place, so were the others.
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """What a built side is taken for.

    Attributes:
        home: the cell where its sketch side lay.
        turn: quarter turns anticlockwise that set it upright.
        is_plain: it agrees with that sketch side, or all were turned over where they lay.
    """

    home: str
    turn: int
    is_plain: bool


def pair_sides(sketch: Mapping[str, Picture8], built: Mapping[str, Picture8]) -> dict[str, Paired]:
    """Return for each built side whose sketch side it belongs to.

    Args:
        sketch: upright pictures of sketch sides (edge, edge, 3), coded, by the cell where they lay.
        built: pictures of as many built sides, by cell, however turned; quarter turns are anticlockwise.
    """
    cells, drawn = list(built), [_lines(picture) for picture in sketch.values()]
    agree = np.zeros((len(built), len(sketch)))
    turns = np.zeros((len(built), len(sketch)), np.intp)
    for row, picture in enumerate(built.values()):
        ways = [_lines(np.ascontiguousarray(np.rot90(picture, quarters))) for quarters in range(4)]
        each = np.array([[_agreement(one, way) for way in ways] for one in drawn])
        agree[row], turns[row] = each.max(axis=1), each.argmax(axis=1)
    homes = list(sketch)
    stays = np.array([[home == cell for home in homes] for cell in cells])
    found = linear_assignment(agree + _IN_PLACE * stays)
    rows = np.arange(len(cells))
    plain, in_place = agree[rows, found] > _PLAIN, stays[rows, found]
    # Nothing is visible of a tile under glare: it is assumed to lie as the others do.
    lie_in_place = int((plain & in_place).sum()) >= _MOSTLY * max(int(plain.sum()), 1)
    return {
        cell: Paired(
            home=homes[found[row]],
            turn=int(turns[row, found[row]]) if plain[row] else 0,
            is_plain=bool(plain[row] or (lie_in_place and in_place[row])),
        )
        for row, cell in enumerate(cells)
    }


def _lines(picture: Picture8) -> Singles:
    """Return the directions of a picture's lines, whichever side of them is darker, (2, height, width)."""
    gray = cv2.resize(gray_of(picture), (_SIZE_PX, _SIZE_PX), interpolation=cv2.INTER_AREA)
    x, y = cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)
    energy = cv2.boxFilter(x * x + y * y, cv2.CV_32F, (_REACH_PX, _REACH_PX))
    strength = np.sqrt((x * x + y * y) / (energy + _FAINT**2))
    # Twice the angle: a line has an orientation, but neither end is its front.
    angle = 2 * np.arctan2(y, x)
    return np.stack([strength * np.cos(angle), strength * np.sin(angle)]).astype(np.float32)


def _agreement(sketch: Singles, built: Singles) -> float:
    """Return how well the middle of one field agrees with any part of another, -1 to 1."""
    part = np.ascontiguousarray(built[(slice(None), *_MIDDLE)].transpose(1, 2, 0))
    whole = np.ascontiguousarray(sketch.transpose(1, 2, 0))
    return float(cv2.matchTemplate(whole, part, cv2.TM_CCORR_NORMED).max())
