"""Features that vote for faces and how they lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.faces.test_free_faces import ARTS
from vision.arrays import Gray
from vision.faces.voting import FaceVoting

FACES: list[Gray] = [np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in ARTS[:6]]
VOTING = FaceVoting(FACES)


def scene(zoom: float, turn_deg: float) -> Gray:
    """A picture with face 2 in its middle."""
    picture = np.full((500, 700), 110, np.uint8)
    matrix = cv2.getRotationMatrix2D((95.5, 95.5), turn_deg, zoom)
    matrix[:, 2] += (350 - 95.5, 250 - 95.5)
    cv2.warpAffine(FACES[2], matrix, (700, 500), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


@pytest.mark.parametrize(("zoom", "turn_deg"), [(1.0, 0), (0.6, 75), (1.7, -160)])
def test_the_face_is_proposed_where_it_lies(zoom: float, turn_deg: float) -> None:
    """Any size, any turn: the most votes are for it, and its middle is right."""
    best = VOTING.propose(scene(zoom, turn_deg))[0]
    middle = best.matrix @ np.array([95.5, 95.5, 1.0])

    assert best.face == 2
    assert middle == pytest.approx([350, 250], abs=2)
    assert np.sqrt(np.linalg.det(best.matrix[:, :2])) == pytest.approx(zoom, rel=0.03)


def test_only_possible_faces_and_sizes_are_proposed() -> None:
    """Neither a face that is not in play nor one of another size."""
    picture = scene(1.0, 20)
    others = np.arange(6) != 2

    assert all(one.face != 2 for one in VOTING.propose(picture, faces=others))
    assert all(one.face != 2 or one.votes < 6 for one in VOTING.propose(picture, sizes=(1.5, 2.0)))
    assert VOTING.propose(picture, np.zeros(picture.shape, np.uint8)) == []
