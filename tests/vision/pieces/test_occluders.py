"""What covers the city, and what of a face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Bools
from vision.faces.registration import Face, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.pieces.occluders import Cover, on_map

EDGE = 96


def test_a_small_thing_that_is_not_explained_may_be_a_figure_but_no_dragon() -> None:
    """Where not all is seen, any piece may be."""
    nothing = np.zeros((4, 4), np.bool_)
    cover = Cover(
        foreign=nothing, pieces=nothing, patches=np.zeros((4, 4), np.int32), loose_mm2=np.array([0.0, 150.0]),
        hand=False, whole=True,
    )  # fmt: skip

    assert cover.may_hold(25.0 * 13.0)
    assert not cover.may_hold(32.0 * 24.0)
    assert replace(cover, whole=False).may_hold(32.0 * 24.0)


def turned_face() -> Residual:
    """A face in a quarter turn: what is left of the middle on the map is above or below it on the face."""
    picture = np.random.default_rng(1).uniform(0.2, 0.6, (EDGE, EDGE, 3)).astype(np.float32)
    face = Face(name="mill/sketch", picture=picture, valid=np.ones((EDGE, EDGE), np.bool_))
    match = Match(
        face=0, pose=Pose2D(x_px=160.0, y_px=200.0, turn=np.pi / 2), score=0.9,
        blocks=np.full((6, 6), 0.9, np.float32),
    )  # fmt: skip
    return Pattern(face).residual(np.zeros((400, 400, 3), np.uint8), np.zeros((400, 400), np.bool_), match)


def covered(*, foreign: Bools, pieces: Bools) -> Cover:
    """A map of which this is covered."""
    return Cover(
        foreign=foreign, pieces=pieces, patches=np.zeros(pieces.shape, np.int32), loose_mm2=np.zeros(1),
        hand=bool(foreign.any()), whole=not foreign.any(),
    )  # fmt: skip


def test_a_figure_on_the_map_is_found_on_the_face_below() -> None:
    """The map is half as fine as a face, which may be turned: what a piece covers is mapped back to it."""
    pieces = np.zeros((200, 200), np.bool_)
    pieces[90:110, 60:70] = True
    y, x = np.nonzero(covered(foreign=np.zeros_like(pieces), pieces=pieces).pieces_on(turned_face()))

    assert abs(float(x.mean()) - 47.5) < 1.5
    assert abs(float(y.mean()) - 77.5) < 1.5
    assert np.ptp(x) > 1.5 * np.ptp(y)


def test_a_hand_is_beside_what_it_covers_in_part_and_not_beside_the_rest_of_the_tile() -> None:
    """Nothing is read of a box that its fingers reach; where no hand is, none is beside anything."""
    nothing, fingers = np.zeros((200, 200), np.bool_), np.zeros((200, 200), np.bool_)
    face, middle = turned_face(), (47.5, 47.5)
    x, y = (round(at) for at in on_map(face, middle))
    fingers[y - 20 : y + 20, x + 3 : x + 20] = True
    cover = covered(foreign=fingers, pieces=nothing)

    assert cover.is_beside(face, middle, 16.0)
    assert not cover.is_beside(face, (47.5, 90.0), 16.0)
    assert not covered(foreign=nothing, pieces=nothing).is_beside(face, middle, 16.0)
