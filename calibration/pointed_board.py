"""Where the board with boxes lies, as somebody points at it in a photograph: `enrol --board FILE`.

The file is a JSON object (docs/reading.md): ``picture`` names the photograph, ``boxes_px`` holds the middle
x, y of every box by number, and ``outline_px``, which may be left out, the corners of the board's outline.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import MalformedError
from companion.storage.strict import as_choice, as_list, as_numbers, as_object, named, parse_json, read_bytes

PICTURES: Final = ("empty", "sketch", "built", "pieces")
# No picture has more pixels along an edge.
MOST_PX: Final = 20_000.0
LEAST_CORNERS, MOST_CORNERS = 3, 200
# Two boxes nearer to each other than this are one that was pointed at twice.
LEAST_APART_PX: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PointedBoard:
    """The board as it was pointed at, x, y in pixels of a photograph as OpenCV counts them.

    Attributes:
        picture: which of `PICTURES` it was.
        boxes_px: the middles of its boxes by number.
        outline_px: the corners of its outline one after the other, empty when nobody gave any.
    """

    picture: str
    boxes_px: tuple[tuple[float, float], ...]
    outline_px: tuple[tuple[float, float], ...] = ()


def parse_pointed_board(found: object, boxes: int) -> PointedBoard:
    """Return the board that a JSON object points at; raises MalformedError unless it has so many boxes."""
    told = as_object(found, "the board", ("picture", "boxes_px"), ("outline_px",))
    middles = as_list(told["boxes_px"], "boxes_px")
    if len(middles) != boxes:
        raise MalformedError(f"boxes_px has {len(middles)} boxes, not {boxes}: one for each number, in order")
    places = tuple(_point(one, f"box {number}") for number, one in enumerate(middles))
    for number, (x, y) in enumerate(places):
        for other, (u, v) in enumerate(places[:number]):
            if max(abs(x - u), abs(y - v)) < LEAST_APART_PX:
                raise MalformedError(f"boxes {other} and {number} are in the same place, {x:g}, {y:g}")
    corners = as_list(told.get("outline_px", []), "outline_px", most=MOST_CORNERS)
    if corners and len(corners) < LEAST_CORNERS:
        raise MalformedError(f"outline_px has {len(corners)} corners; an outline has {LEAST_CORNERS} or more")
    return PointedBoard(
        picture=as_choice(told["picture"], "picture", PICTURES),
        boxes_px=places,
        outline_px=tuple(_point(one, "a corner of outline_px") for one in corners),
    )


def read_pointed_board(file: Path, boxes: int) -> PointedBoard:
    """Return the board that a file points at; raises MalformedError in words, or OSError."""
    with named(str(file)):
        return parse_pointed_board(parse_json(read_bytes(file)), boxes)


def _point(found: object, what: str) -> tuple[float, float]:
    x, y = as_numbers(found, what, 2, 0.0, MOST_PX)
    return x, y
