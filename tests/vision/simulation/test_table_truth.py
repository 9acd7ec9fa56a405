"""What is written down of a drawn table."""

from __future__ import annotations

import random

from companion.games import registry
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.scenery import HandPose
from vision.simulation.table_truth import pieces_truth


def test_all_that_lies_there_is_told() -> None:
    """Each piece has its place and its share; an arm lowers shares and moves nothing."""
    name = next(name for name in registry.NAMES if registry.has_pieces(name))
    game, pieces = registry.lookup(name), registry.pieces(name)
    header = game.deal(random.Random(1), {})
    layout = game.table_layout(header["players"])
    assert layout is not None
    copy = DrawnCopy.of(layout, pieces, seed=3, size_wh=(640, 360))
    state = game.start(header)
    table = copy.arranger.arrange(pieces.laid(state, game.predict(state)), {})
    told = pieces_truth(copy.camera, table)
    assert [one["key"] for one in told] == [one.key for one in (*table.flat, *table.solid)]
    assert all(one["place"] for one in told)
    hand = HandPose(tip_mm=(0.0, 0.0), elbow_mm=(0.0, -500.0))
    covered = pieces_truth(copy.camera, table, hand_pose=hand)
    assert [one["pose"] for one in covered] == [one["pose"] for one in told]
    seen = [(a.get("visible", 1.0), b.get("visible", 1.0)) for a, b in zip(told, covered, strict=True)]
    assert all(less <= whole for whole, less in seen)
    assert any(less < whole for whole, less in seen)
