"""Faces laid exactly, one by one and many at once."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.faces.registration import Face, FineFaces, Match, Pose2D, soften
from vision.photometry.light import coded, gray_of, linear


def face(number: int) -> Face:
    """A face with blobs of its own."""
    rough = np.random.default_rng(number).uniform(40, 220, (12, 12, 3)).astype(np.uint8)
    picture = cv2.resize(rough, (96, 96), interpolation=cv2.INTER_CUBIC)
    return Face(name=f"tile{number}", picture=linear(np.asarray(picture)), valid=np.ones((96, 96), bool))


FACES = [face(number) for number in range(20)]
FINE = FineFaces(FACES)
TRUE = Pose2D(x_px=97.0, y_px=93.5, turn=0.05)


def table(number: int = 3) -> NDArray[np.float32]:
    """A softened picture of a table with one face on it."""
    shown = cv2.warpAffine(
        coded(FACES[number].picture), TRUE.matrix((96, 96)), (192, 192), borderValue=(90, 90, 90)
    )
    return soften(gray_of(np.asarray(shown, np.uint8)))


def register(number: int) -> Match:
    """The face laid by itself."""
    return FINE.register(table(), number, Pose2D(x_px=95.5, y_px=95.5, turn=0.0))


def test_a_face_finds_its_place() -> None:
    """Position to 0.1 px, turn to 0.005, with good agreement."""
    found = register(3)

    assert found.score > 0.85
    assert (found.pose.x_px, found.pose.y_px) == pytest.approx((TRUE.x_px, TRUE.y_px), abs=0.1)
    assert found.pose.turn == pytest.approx(TRUE.turn, abs=0.005)


def test_together_as_alone() -> None:
    """Twenty faces laid at once come out as each by itself."""
    start = Pose2D(x_px=95.5, y_px=95.5, turn=0.0)
    together = FINE.register_all(table(), [(number, start) for number in range(20)])
    alone = [register(number) for number in range(20)]

    assert [one.face for one in together] == list(range(20))
    assert [one.score for one in together] == pytest.approx([one.score for one in alone], abs=1e-4)
    assert [one.pose.x_px for one in together] == pytest.approx([one.pose.x_px for one in alone], abs=0.05)


def test_rivals_fall_behind_without_harm() -> None:
    """Among rivals the right face wins just as surely, and no rival gains by being dropped early."""
    start = Pose2D(x_px=95.5, y_px=95.5, turn=0.0)
    rivals = FINE.register_all(table(), [(number, start) for number in range(20)], groups=[0] * 20)
    best = max(rivals, key=lambda match: match.score)

    assert best.face == 3
    assert best.score == pytest.approx(register(3).score, abs=1e-4)
    assert all(one.score <= register(one.face).score + 1e-4 for one in rivals)


def test_what_is_covered_has_no_say() -> None:
    """With half of it covered, and the cover told, the face still finds its place."""
    gray = table()
    gray[:, 96:] = 40.0
    free = np.ones_like(gray)
    free[:, 93:] = 0.0
    found = FINE.register_all(gray, [(3, Pose2D(x_px=95.5, y_px=95.5, turn=0.0))], free=free)[0]

    assert found.score > 0.75
    assert (found.pose.x_px, found.pose.y_px) == pytest.approx((TRUE.x_px, TRUE.y_px), abs=0.5)
    assert float(found.blocks[:, :2].mean()) > 0.8


def test_nothing_asked_nothing_found() -> None:
    """No starts, no matches."""
    assert FINE.register_all(table(), []) == []
