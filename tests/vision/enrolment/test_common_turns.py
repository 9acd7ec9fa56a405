"""Tiles turned in any way are told to lie alike by what all of them have in common."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture8
from vision.enrolment.common_turns import common_turns

QUARTERS = (0, 1, 2, 3, 3, 1, 0, 2, 1, 2, 3, 0)


def face(dice: np.random.Generator) -> Picture8:
    """A bordered tile with a building of its own; two plates in a left column, as on all of them."""
    rough = dice.uniform(90, 200, (5, 5, 3)).astype(np.uint8)
    picture = cv2.resize(rough, (96, 96), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(picture, (3, 3), (92, 92), (60, 80, 90), 2)
    for x, y in dice.uniform(36, 60, (6, 2)).astype(int).tolist():
        end = (x + int(dice.integers(-14, 14)), y + int(dice.integers(-14, 14)))
        cv2.line(picture, (x, y), end, (40, 90, 120), 2, cv2.LINE_AA)
    for row in (36, 56):
        cv2.circle(picture, (17, row), 8, (225, 230, 235), -1, cv2.LINE_AA)
        cv2.circle(picture, (17, row), 8, (30, 60, 90), 2, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def test_turned_tiles_are_told_to_lie_alike() -> None:
    """Whichever way up that is: after its turn each lies as the others do, and plainly so."""
    dice = np.random.default_rng(3)
    lying = {str(i): np.ascontiguousarray(np.rot90(face(dice), turn)) for i, turn in enumerate(QUARTERS)}

    found = common_turns(lying)

    ways = {(found[str(i)].turns[0] + turn) % 4 for i, turn in enumerate(QUARTERS)}
    assert len(ways) == 1
    assert all(one.lead > 0 and sorted(one.turns) == [0, 1, 2, 3] for one in found.values())


def test_faces_that_have_nothing_in_common_have_little_lead() -> None:
    """A border alone, or noise, does not tell how tiles lie."""
    dice = np.random.default_rng(4)
    noise = {str(i): dice.integers(0, 255, (96, 96, 3)).astype(np.uint8) for i in range(8)}
    faces = {str(i): face(dice) for i in range(8)}

    strongest = max(one.lead for one in common_turns(noise).values())

    assert strongest < min(one.lead for one in common_turns(faces).values())
    assert common_turns({}) == {}
