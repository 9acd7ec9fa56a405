"""Films of a table on which pieces lie anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.games import registry
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import DrawnCopy, FilmedTable, FreeFrames, hand_over

NAME = next(name for name in registry.NAMES if registry.has_pieces(name))


@pytest.fixture(scope="module")
def filmed() -> tuple[DrawnCopy, LaidTable]:
    """A small copy and its table after the set-up."""
    game, pieces = registry.lookup(NAME), registry.pieces(NAME)
    header = game.deal(random.Random(1), {})
    layout = game.table_layout(header["players"])
    assert layout is not None
    copy = DrawnCopy.of(layout, pieces, seed=3, size_wh=(640, 360))
    state = game.start(header)
    return copy, copy.arranger.arrange(pieces.laid(state, game.predict(state)), {})


def test_scenes_at_rest_last_and_hands_pass(filmed: tuple[DrawnCopy, LaidTable]) -> None:
    """A hand is over the table for one frame, the table rests for several; frames count on."""
    copy, table = filmed
    scenes = [FilmedTable(table=table), FilmedTable(table=table, hand_over=table.flat[1].key)]
    frames = list(FreeFrames(copy.camera, scenes, rest_frames=3).frames())
    assert [one.seq for one in frames] == [0, 1, 2, 3]
    still, hand = frames[0].image.astype(int), frames[3].image.astype(int)
    assert (np.abs(still - hand).max(axis=2) > 40).mean() > 0.01


def test_a_closed_film_ends(filmed: tuple[DrawnCopy, LaidTable]) -> None:
    """After close no frame comes."""
    copy, table = filmed
    source = FreeFrames(copy.camera, [FilmedTable(table=table)] * 3)
    frames = source.frames()
    next(frames)
    source.close()
    assert list(frames) == []


def test_a_hand_reaches_for_what_is_touched(filmed: tuple[DrawnCopy, LaidTable]) -> None:
    """Its fingers are over the piece, its elbow outside; without a hand there is none."""
    _, table = filmed
    one = table.solid[0]
    arm = hand_over(FilmedTable(table=table, hand_over=one.key))
    assert arm is not None
    assert arm.tip_mm == (one.x_mm, one.y_mm)
    assert abs(arm.elbow_mm[1]) > 400
    assert hand_over(FilmedTable(table=table)) is None
