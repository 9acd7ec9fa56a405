"""Photographs of a copy whose pieces lie anywhere."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from companion.games import registry
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.free_photographs import take_photographs

GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]


@lru_cache
def copy_of(name: str, size_wh: tuple[int, int] = (640, 360)) -> tuple[DrawnCopy, dict[str, Any]]:
    """Return a small drawn copy of a game and a header."""
    game = registry.lookup(name)
    header = game.deal(random.Random(1), {})
    layout = game.table_layout(header["players"])
    assert layout is not None
    return DrawnCopy.of(layout, registry.pieces(name), seed=3, size_wh=size_wh), header


@pytest.mark.parametrize("name", GAMES)
def test_every_face_is_shown_once_and_whole(name: str) -> None:
    """Rows hold the faces in order, backs and boards are pointed at, nothing lies on anything."""
    copy, header = copy_of(name)
    pieces = registry.pieces(name)
    faces = pieces.in_play(header)
    taken = take_photographs(copy.camera, copy.arranger, faces, pieces.paints(header))
    said = taken.said()
    in_rows = [face for one in said["faces"] for row in one["rows"] for face in row]
    things = [one["id"] for one in said["things"]]
    assert in_rows == [face for face in faces if not pieces.faces[face].is_back]
    assert {face for face in faces if pieces.faces[face].is_back} <= set(things)
    assert set(pieces.paints(header)) <= set(things)
    assert set(taken.images()) == {"empty.png", *(one.name for one in taken.pictures)}
    for one in taken.pictures:
        shares = copy.camera.visible_shares(one.table)
        assert min(shares.values()) > 0.9, min(shares, key=shares.__getitem__)


@pytest.mark.parametrize("name", GAMES)
def test_the_rows_are_as_they_are_said(name: str) -> None:
    """The far row comes first, each row from the left."""
    copy, header = copy_of(name)
    pieces = registry.pieces(name)
    taken = take_photographs(copy.camera, copy.arranger, pieces.in_play(header), {})
    for one in taken.pictures:
        lies = {piece.face.name: piece for piece in one.table.flat}
        for row in one.rows:
            xs = [lies[face].x_mm for face in row]
            assert xs == sorted(xs)
        for far, near in pairwise(one.rows):
            assert min(lies[face].y_mm for face in far) > max(lies[face].y_mm for face in near)
