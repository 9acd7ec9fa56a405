"""Boxes on tiles are found whatever their shape, wherever they are printed and however they are arranged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Picture8
from vision.enrolment.box_places import find_boxes

PX_PER_MM = 1.6
COUNTS = {**dict.fromkeys("abc", 1), **dict.fromkeys("defg", 2), **dict.fromkeys("hijklmnop", 3), "q": 4}
# Where the boxes of a tile are, mm from its middle: of so many, by number.
ARRANGED = {
    "lower row": lambda n: [((i - (n - 1) / 2) * 13.5, -20.5) for i in range(n)],
    "left column": lambda n: [(-20.5, ((n - 1) / 2 - i) * 12.5) for i in range(n)],
    "upper row from the left": lambda n: [(-20.5 + 12.5 * i, 20.5) for i in range(n)],
    "slanted": lambda n: [(-20 + 11 * i, -19 + 9 * i) for i in range(n)],
}


def shape_of(kind: str) -> Floats:
    """The outline of a box, mm from its middle."""
    corners = {"square": 4, "hexagon": 6, "circle": 40}[kind]
    angles = np.linspace(0, 2 * np.pi, corners + 1)[:-1] + (np.pi / 4 if kind == "square" else 0)
    return np.column_stack([np.cos(angles), np.sin(angles)]) * (7.2 if kind == "square" else 5.2)


def tile(middles: list[tuple[float, float]], kind: str, rng: np.random.Generator) -> Picture8:
    """A bordered tile with a building of its own, and boxes in its people's colour."""
    rough = rng.uniform(90, 200, (5, 5, 3)).astype(np.uint8)
    picture = cv2.resize(rough, (96, 96), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(picture, (3, 3), (92, 92), (60, 80, 90), 2)
    for x, y in rng.uniform(36, 60, (6, 2)):
        ends = rng.uniform(-14, 14, 2)
        tint = tuple(int(one) for one in rng.uniform(30, 220, 3))
        cv2.line(
            picture, (round(x), round(y)), (round(x + ends[0]), round(y + ends[1])), tint, 2, cv2.LINE_AA
        )
    people = tuple(int(one) for one in rng.uniform(20, 230, 3))
    for number, (x, y) in enumerate(middles):
        at = np.array([47.5 + x * PX_PER_MM, 47.5 - y * PX_PER_MM])
        outline = [np.rint((at + shape_of(kind) * PX_PER_MM) * 16).astype(np.int32)]
        cv2.fillPoly(picture, outline, (225, 230, 235), cv2.LINE_AA, 4)
        cv2.polylines(picture, outline, True, people, 2, cv2.LINE_AA, 4)
        corner = (round(at[0]) - 3, round(at[1]) + 4)
        cv2.putText(picture, str(5 - number), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.32, (40, 40, 40), 1)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.7) + rng.normal(0, 2, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@pytest.mark.parametrize("kind", ["square", "hexagon", "circle"])
@pytest.mark.parametrize("arranged", ARRANGED)
def test_boxes_are_found_in_their_order(arranged: str, kind: str) -> None:
    """Each to about a millimetre, numbered from the left or from above."""
    rng = np.random.default_rng(11)
    wanted = {name: ARRANGED[arranged](count) for name, count in COUNTS.items()}
    pictures = {name: tile(middles, kind, rng) for name, middles in wanted.items()}

    found = find_boxes({**pictures, "bare": tile([], kind, rng)}, COUNTS, PX_PER_MM)

    assert set(found) == set(COUNTS)
    for name, middles in wanted.items():
        seen = (np.array(found[name].middles_px) - 47.5) / (PX_PER_MM, -PX_PER_MM)
        assert np.hypot(*(seen - np.array(middles)).T).max() < 1.6, name


def test_tiles_without_boxes_have_none() -> None:
    """Nothing is looked for where nothing is printed."""
    rng = np.random.default_rng(2)

    assert find_boxes({"a": tile([], "square", rng)}, {"a": 0}, PX_PER_MM) == {}
    assert find_boxes({}, {}, PX_PER_MM) == {}
