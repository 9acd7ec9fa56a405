"""The stage of the faces, without a picture."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from companion.table import place
from tests.vision.faces.test_residuals import EDGE
from tests.vision.faces.test_residuals import face as printed
from vision.faces.registration import Match, Pose2D
from vision.faces.residuals import Pattern
from vision.faces.scene import Plane
from vision.photometry.light import coded
from vision.pieces.face_library import FaceLibrary
from vision.pieces.figures import Paint, StandingFigure
from vision.reading.faces import Faces, Proof, is_told_by_colours

ONE, OTHER = "0,1", "0,2"
BOXES = {cell: place("box", cell, 0) for cell in (ONE, OTHER)}


def marker(label: int) -> Any:
    """A marker of a colour in the middle of its face."""
    return SimpleNamespace(label=label, middle=(47.5, 47.5))


def face(x_px: float) -> tuple[int, Any]:
    """A face that lies at this column of the city."""
    pose = Pose2D(x_px=x_px, y_px=100.0, turn=0.0)
    return 0, SimpleNamespace(pose=pose, known=np.zeros((96, 96, 3), np.float32))


@pytest.fixture
def faces() -> Faces:
    """Two tiles, each with a marker of its own colour; the second was told by elimination."""
    return Faces(
        plane=cast(Plane, None),
        matches={cell: cast(Any, [cell]) for cell in (ONE, OTHER)},
        residuals={ONE: face(100.0), OTHER: face(300.0)},
        proofs={OTHER: Proof.MARKERS},
        proving=frozenset({BOXES[OTHER]}),
        features={
            BOXES[cell]: cast(Any, SimpleNamespace(marker=marker(at))) for at, cell in enumerate(BOXES)
        },
        spots={BOXES[cell]: cast(Any, cell) for cell in BOXES},
    )


def test_what_lay_on_a_cell_is_left_out_with_all_that_was_seen_there(faces: Faces) -> None:
    """The other cell keeps everything, and so do the faces left behind."""
    rest = faces.but(frozenset({OTHER}))

    assert [set(one) for one in (rest.matches, rest.residuals, rest.features, rest.spots)] == [
        {ONE},
        {ONE},
        {BOXES[ONE]},
        {BOXES[ONE]},
    ]
    assert (rest.proofs, rest.proving) == ({}, frozenset())
    assert faces.proofs == {OTHER: Proof.MARKERS}
    assert set(faces.residuals) == {ONE, OTHER}


def test_candidates_may_remain_where_a_face_is_given_up(faces: Faces) -> None:
    """They are what the cell is told by when more is known."""
    rest = faces.but(frozenset({OTHER}), matched=True)

    assert set(rest.matches) == {ONE, OTHER}
    assert set(rest.residuals) == {ONE}


def test_a_figure_is_among_markers_of_its_own_colour_where_it_reaches_one(faces: Faces) -> None:
    """The other player's marker, and one's own far away, say nothing of it."""
    outline = np.zeros((200, 200), np.bool_)
    outline[40:60, 40:60] = True
    standing = cast(
        StandingFigure, SimpleNamespace(may_reach=lambda at: bool(outline[round(at[1]), round(at[0])]))
    )

    assert faces.markers_of(0) == [(BOXES[ONE], faces.features[BOXES[ONE]].marker)]
    assert faces.is_on_markers(Paint(label=0), standing)
    assert not faces.is_on_markers(Paint(label=1), standing)


def looked_at(shown: str, scores: tuple[float, float]) -> bool:
    """Whether the first of two faces with the same lines in other colours is told."""
    one = printed()
    other = replace(one, name="mill/built", picture=np.ascontiguousarray(one.picture[..., ::-1]))
    pictures = {"one": one.picture, "other": other.picture, "gray": one.picture.mean(axis=2, keepdims=True)}
    picture = coded(np.ascontiguousarray(np.broadcast_to(pictures[shown], one.picture.shape)))
    library = cast(
        FaceLibrary,
        SimpleNamespace(names=(one.name, other.name), patterns=[Pattern(one), Pattern(other)]),
    )
    middle = (EDGE - 1) / 2
    found = [
        Match(
            face=number, pose=Pose2D(x_px=middle, y_px=middle, turn=0.0), score=score, blocks=np.ones((6, 6))
        )
        for number, score in enumerate(scores)
    ]
    plane = cast(Plane, SimpleNamespace(picture=picture, blind=np.zeros((EDGE, EDGE), np.bool_)))
    return is_told_by_colours(library, plane, found)


def test_of_two_faces_with_the_same_lines_the_colours_tell_one() -> None:
    """But not where the other's colours are seen, nor where the best is not plain to see."""
    assert looked_at("one", (0.85, 0.8))
    assert not looked_at("other", (0.85, 0.8))
    assert not looked_at("one", (0.6, 0.55))


def test_colours_that_are_neither_s_tell_nothing() -> None:
    """Where all is gray both are as much unlike it."""
    assert not looked_at("gray", (0.85, 0.8))


def test_where_no_other_face_agrees_nearly_as_well_there_is_none_to_tell_it_from() -> None:
    """Whatever the colours."""
    assert looked_at("gray", (0.85, 0.4))


def test_a_cell_is_told_by_how_likely_its_candidates_are() -> None:
    """Chances come with candidates, and go with them; of the others nothing changes."""
    library = cast(
        FaceLibrary, SimpleNamespace(chances=lambda found: [0.995 if some else 0.0 for some in found])
    )
    found = cast(Any, ["something"])

    faces = Faces(plane=cast(Plane, None)).matched(library, {ONE: found}).matched(library, {OTHER: []})

    assert (faces.is_told(ONE), faces.is_told(OTHER), faces.is_told("4,4")) == (True, False, False)
    assert faces.matches == {ONE: found, OTHER: []}
    assert faces.but(frozenset({ONE})).chances == {OTHER: 0.0}
    assert set(faces.but(frozenset({ONE}), matched=True).chances) == {ONE, OTHER}


@pytest.mark.parametrize(("unusable", "is_ground"), [(0.2, True), (0.7, False)])
def test_a_tile_that_was_hardly_learnt_does_not_show_what_stands_on_it(
    faces: Faces, unusable: float, *, is_ground: bool
) -> None:
    """It is recognised all the same."""
    for cell, share in ((ONE, 0.0), (OTHER, unusable)):
        blind = np.zeros((10, 10), np.bool_)
        blind[: round(10 * share)] = True
        faces.residuals[cell][1].blind = blind

    assert (OTHER in faces.grounds()) is is_ground
    assert ONE in faces.grounds()
    assert OTHER in faces.on_cells()
