"""Photo-like pictures with exact truth: which pieces lie there, and which of those told are true."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from companion.game import Json
from companion.games.nova_luna.catalogue import twin

# So far from where it is, in shares of the shorter edge or of the width, a piece counts as found.
NEAR: Final = 0.35
# Widths of what is not flat, in edges of a code (40 mm).
WIDTHS: Final = {"disc": 13 / 40, "gem": 12 / 40, "meeple": 26 / 40, "dragon": 24 / 40}
# Kinds of places of which the number of the slot, or the row and its side, is part of the zone.
NUMBERED: Final = {"wheel": 1, "track": 1, "meeple": 1, "city": 1, "dream": 2}


@dataclass(frozen=True)
class TruePiece:
    """A piece of the truth.

    Attributes:
        id, shape, place: as a reading names them.
        at: its middle, px.
        near: how near a claim of it must be, px.
        kind: how much of it is seen, in words, or its shape.
    """

    id: str
    shape: str
    at: tuple[float, float]
    near: float
    kind: str
    place: str


def matched(told: Sequence[Json], pieces: Sequence[TruePiece]) -> Iterator[tuple[Json, TruePiece | None]]:
    """Yield what a reading tells, the surest first, each with the piece that it is, None for none."""
    left = list(pieces)
    for claim in sorted(told, key=lambda each: -each["confidence"]):
        at = tuple(claim["at_px"])
        near = [one for one in left if one.shape == claim["shape"] and math.dist(one.at, at) < one.near]
        # The truth calls the token after the element that it shows; there is but one.
        same = [one for one in near if one.shape == "gem" or _alike(one.id) == _alike(claim["id"])]
        best = min(same, key=lambda one: math.dist(one.at, at), default=None)
        if best is not None:
            left.remove(best)
        yield claim, best


def true_pieces(truth: Json) -> list[TruePiece]:
    """Return the pieces of a line of truth; the dragons' board and the wheel are faces as well."""
    return list(_pieces(truth))


def _pieces(truth: Json) -> Iterator[TruePiece]:
    code = truth["markers"]["0"]["corners_px"]
    code_px = math.dist(code[0], code[2]) / math.sqrt(2)
    flats = [one for one in truth["pieces"] if one["shape"] == "flat"]
    for one in truth["pieces"]:
        flat = one["shape"] in ("flat", "disc-board")
        corners = np.array(one.get("corners_px") or [one.get("base_px", (0, 0))], np.float64)
        at = _crossing(corners) if flat else (float(corners[0][0]), float(corners[0][1]))
        short = min(math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])) if flat else 0.0
        width = short if flat else WIDTHS[one["shape"]] * code_px * 1.6
        kind, shape = _kind(one, flats), "flat" if flat else one["shape"]
        yield TruePiece(str(one["id"]), shape, at, NEAR * width, kind, one["place"])


def _kind(one: Json, flats: Sequence[Json]) -> str:
    """Return the class of a piece by how much of it is seen."""
    seen = one["visible"] - one.get("outside", 0.0)
    if one["shape"] == "flat":
        # The truth's own share does not count cards that lie closely upon each other.
        seen = min(seen, _uncovered(one, [other for other in flats if other["z"] > one["z"]]))
    if one["shape"] not in ("flat", "disc-board"):
        return str(one["shape"]) if seen >= 0.5 else "hidden"
    if one["id"] == "back":
        return "backs" if seen >= 0.5 else "hidden"
    return "half seen" if seen >= 0.5 else "a third seen" if seen >= 0.25 else "less"


def _uncovered(one: Json, upper: Sequence[Json]) -> float:
    """Return the share of a face that no others cover."""
    corners = np.array(one["corners_px"])
    low = corners.min(axis=0)
    width, height = (corners.max(axis=0) - low).astype(int) + 2
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(corners - low).astype(np.int32)], 1)
    whole = int(mask.sum())
    for other in upper:
        cv2.fillPoly(mask, [np.round(np.array(other["corners_px"]) - low).astype(np.int32)], 0)
    return float(mask.sum()) / max(whole, 1)


def _crossing(corners: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """Return where the diagonals of a quadrilateral cross: the middle as a camera sees it."""
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    share = np.linalg.solve(np.column_stack([one, -other]), corners[1] - corners[0])[0]
    x, y = corners[0] + share * one
    return float(x), float(y)


def _alike(name: str) -> str:
    """Return the name that all tiles of one look share."""
    return str(twin(int(name))) if name.isdigit() else name


def zone_of(where: str | None) -> str:
    """Return the kind of a place and its owner, with its number where that is part of where it is."""
    kind, *parts = (where or "none").split(":")
    kind = {"discard-under": "discard", "under-leader": "leader", "covered": "combat"}.get(kind, kind)
    kept = 0 if kind == "stock" else NUMBERED.get(kind, 1)
    return ":".join((kind, *parts[:kept]))
