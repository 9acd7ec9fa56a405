"""Copies of games whose pieces lie anywhere, learnt from drawn photographs in random art."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.errors import ProfileError
from companion.free_faces import Side
from companion.games import registry
from companion.table_pieces import PieceSet
from vision.arrays import Floats, Image
from vision.enrolment.free_copy import (
    LearntCopy,
    learn_copy,
)
from vision.free.learnt_faces import known_faces_of
from vision.photometry.light import coded, linear
from vision.simulation.free_camera import FlatPiece
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.free_photographs import LaidPhotographs, take_photographs

GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]
# Corners are found to a good millimetre on the table; printed frames lie further within.
MOST_OFF_MM = 1.2


@lru_cache
def photographed(name: str) -> tuple[DrawnCopy, LaidPhotographs, list[str]]:
    """A drawn copy, its photographs and its players; so many faces of it that the test is quick."""
    header = registry.lookup(name).deal(random.Random(1), {})
    layout = registry.lookup(name).table_layout(header["players"])
    assert layout is not None
    pieces = registry.pieces(name)
    copy = DrawnCopy.of(layout, pieces, seed=5)
    wanted = list(pieces.in_play(header))
    backs = [one for one in wanted if pieces.faces[one].is_back]
    faces = [one for one in wanted if one not in backs][:6]
    taken = take_photographs(copy.camera, copy.arranger, [*faces, *backs], pieces.paints(header))
    return copy, taken, list(header["players"])


@lru_cache
def learnt(name: str) -> LearntCopy:
    """The profile of that copy."""
    copy, taken, players = photographed(name)
    return learn_copy(name, registry.pieces(name), copy.arranger.layout, players, taken.photographs())


def laid(name: str) -> dict[str, FlatPiece]:
    """All faces as they truly lie."""
    _, taken, _ = photographed(name)
    return {one.face.name: one for shot in taken.pictures for one in shot.table.flat}


def corners_mm(one: FlatPiece) -> Floats:
    """The corners (4, 3) of a face that lies on the table, from the upper left clockwise."""
    turn = np.deg2rad(one.turn_deg)
    half = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * (one.width_mm / 2, one.height_mm / 2)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.column_stack([half @ spin + (one.x_mm, one.y_mm), np.full(4, one.top_mm)])


@pytest.mark.parametrize("name", GAMES)
def test_every_face_is_found_where_it_lies(name: str) -> None:
    """Faces, backs and boards, by their names; a round board has no corners but a middle."""
    copy, _, _ = photographed(name)
    pose = copy.camera.studio.pose
    there, found = laid(name), learnt(name).faces
    off = {}
    for face, one in there.items():
        seen, true = found[face].corners_px, pose.project(corners_mm(one))
        if one.is_round:
            seen, true = seen.mean(axis=0, keepdims=True), true.mean(axis=0, keepdims=True)
        off[face] = float(np.abs(pose.to_table(seen, one.top_mm) - pose.to_table(true, one.top_mm)).max())

    assert set(there) == set(found)
    assert max(off.values()) < MOST_OFF_MM, max(off, key=off.__getitem__)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_kept_shows_the_print(name: str) -> None:
    """Each face looks more like its own print than like any other's, and says its side."""
    copy, _, _ = photographed(name)
    pieces: PieceSet = registry.pieces(name)
    known = {one.name: one for one in known_faces_of(learnt(name).profile)}
    prints = {
        face: small(copy.arranger.artwork.face(pieces.faces[face], known[face].size_mm)) for face in known
    }
    for face, one in known.items():
        likest = max(prints, key=lambda other: float((small(one.picture) * prints[other]).mean()))

        assert (Side.BACK if pieces.faces[face].is_back else Side.FACE) is one.side
        assert face == likest or np.allclose(prints[face], prints[likest], atol=0.2)


def small(picture: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """A picture reduced, without its brightness and contrast."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    reduced = cv2.resize(gray, (24, 24), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray((reduced - reduced.mean()) / max(float(reduced.std()), 1e-6), np.float32)


@pytest.mark.parametrize("name", GAMES)
def test_the_paints_of_solid_pieces_are_learnt(name: str) -> None:
    """Each in its own shape."""
    _, taken, _ = photographed(name)
    wanted = {(one.shape, one.name) for one in taken.things if one.shape not in ("flat", "disc-board")}

    assert wanted == {(one.kind, one.name) for one in learnt(name).profile.pieces}
    assert () == learnt(name).profile.not_learnt


def test_one_bad_photograph_does_not_spoil_the_others() -> None:
    """What it should have taught is named; all the rest is learnt."""
    name = "urbion"
    copy, taken, players = photographed(name)
    photographs = taken.photographs()
    bad = photographs.rows[0].picture
    images = {**photographs.images, bad: np.full_like(photographs.images[bad], 90)}
    found = learn_copy(
        name, registry.pieces(name), copy.arranger.layout, players, replace(photographs, images=images)
    )
    lost = {f"face:{face}" for row in photographs.rows[0].rows for face in row}

    assert lost == {one.what for one in found.profile.not_learnt}
    assert all(bad in one.why for one in found.profile.not_learnt)
    assert {one.name for one in photographs.things} == set(found.faces)


def test_photographs_without_codes_are_refused() -> None:
    """Nothing says how large anything is."""
    name = "urbion"
    copy, taken, players = photographed(name)
    photographs = taken.photographs()
    images = {file: np.full_like(one, 90) for file, one in photographs.images.items()}

    with pytest.raises(ProfileError, match="codes"):
        learn_copy(
            name, registry.pieces(name), copy.arranger.layout, players, replace(photographs, images=images)
        )


def test_an_empty_table_in_other_light_spoils_nothing() -> None:
    """Then the colours of the table have to do."""
    copy, taken, players = photographed("urbion")
    said = taken.photographs()
    height, width = taken.empty.shape[:2]
    lamp = np.linspace(0.2, 1.0, width)[None, :, None] * np.ones((height, 1, 1))
    dark = np.asarray(np.clip(taken.empty * lamp, 0, 255), np.uint8)
    lit = replace(said, images={**said.images, "empty.png": dark})
    found = learn_copy("urbion", registry.pieces("urbion"), copy.arranger.layout, players, lit).faces

    assert set(found) == set(laid("urbion"))


def test_a_face_in_glare_is_named_and_the_rest_learnt() -> None:
    """Its colours cannot be told, so that it would be taken for others."""
    name = "nova_luna"
    copy, taken, players = photographed(name)
    row = taken.photographs().rows[0]
    lost = row.rows[0][1]
    dim = linear(np.asarray(taken.photographs().images[row.picture], np.uint8)) * 0.4
    mirrored = np.zeros(dim.shape, np.float32)
    outline = copy.camera.studio.pose.project(corners_mm(laid(name)[lost]))
    cv2.fillConvexPoly(mirrored, outline.round().astype(np.int32), (1.1, 1.1, 0.9))
    seen = coded(np.asarray(dim + mirrored, np.float32))
    photographs = replace(taken.photographs(), images={row.picture: seen}, rows=(row,), things=(), empty="")
    found = learn_copy(name, registry.pieces(name), copy.arranger.layout, players, photographs)

    assert [one.what for one in found.profile.not_learnt] == [f"face:{lost}"]
    assert "lamp" in found.profile.not_learnt[0].why
    assert set(found.faces) == {*row.rows[0]} - {lost}
