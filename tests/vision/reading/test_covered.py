"""Faces that pieces partly hide."""

from __future__ import annotations

from typing import cast

import numpy as np

from tests.vision.pieces.test_classifier import box, marker
from vision.faces.registration import Match, Pose2D
from vision.faces.scene import Plane
from vision.pieces.markers import BoxPlace
from vision.reading.covered import apart_from_pieces, is_outdone
from vision.reading.faces import Faces

EDGE = 96
PLACE = BoxPlace(middle=(20.0, 20.0), edge=20.0, lean=(0.0, 0.0), px_per_mm=1.6, marker_mm=8.0)


def test_what_is_a_part_of_a_figure_is_no_marker() -> None:
    """The foot of a figure of the same colour looks like one; a marker beside it counts."""
    pieces = np.zeros((EDGE, EDGE), np.bool_)
    pieces[40:70, 40:56] = True
    boxes = [box(marker=marker(middle=at)) for at in ((48.0, 60.0), (65.0, 60.0), (20.0, 20.0))]

    rest = apart_from_pieces(pieces, [PLACE] * 4, [*boxes, box()])

    assert rest[0].marker is None
    assert rest[1:3] == boxes[1:]
    assert rest[3] == box()


def test_a_marker_at_the_edge_of_a_face_is_looked_at_as_far_as_the_face_goes() -> None:
    """Beyond it nothing is known of pieces."""
    pieces = np.ones((EDGE, EDGE), np.bool_)
    at_the_edge, outside = (box(marker=marker(middle=at)) for at in ((95.0, 50.0), (120.0, 50.0)))

    assert apart_from_pieces(pieces, [PLACE], [at_the_edge])[0].marker is None
    assert apart_from_pieces(pieces, [PLACE], [outside]) == [outside]


def test_what_follows_from_other_tiles_must_not_be_outdone_by_one_of_them() -> None:
    """A face told elsewhere that agrees clearly better here says that one of the two is mistaken."""
    pose = Pose2D(x_px=0.0, y_px=0.0, turn=0.0)
    best, left = (
        Match(face=number, pose=pose, score=score, blocks=np.full((6, 6), score, np.float32))
        for number, score in enumerate((0.64, 0.59))
    )
    faces = Faces(plane=cast(Plane, None), matches={"1,1": [best, left], "1,2": [left]})

    assert is_outdone(faces, "1,1", left)
    assert not is_outdone(faces, "1,1", best)
    assert not is_outdone(faces, "1,2", left)
