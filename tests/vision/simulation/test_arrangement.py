"""Where a game's pieces lie on a simulated table."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import registry
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.simulation.table import SimulatedTable
from vision.simulation.arrangement import Arranger, Care, viewpoint_over
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.printed_faces import FaceArtwork

GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]
SIZE = (640, 360)


def tables(name: str, seed: int, care: Care) -> Iterator[tuple[Arranger, LaidTable, dict[str, str]]]:
    """Yield a random game's tables at rest, with what its pictures say."""
    game, pieces = registry.lookup(name), registry.pieces(name)
    header = game.deal(random.Random(seed), {})
    played = SimulatedTable(game, header, random.Random(seed), stages=game.stages)
    layout = game.table_layout(header["players"])
    assert layout is not None
    arranger = Arranger(layout, pieces, FaceArtwork(seed), seed=seed, care=care)
    loose = LooseTable(game, random.Random(seed), Hands(slip_mm=care.slip_mm, turn_deg=care.turn_deg))
    for moment in played.moments():
        loose.lay(moment.picture)
        if not moment.busy:
            laid = arranger.arrange(pieces.laid(played.states[-1], moment.picture), loose.pieces())
            there = {where: value for where, value in moment.picture.items() if value is not None}
            yield arranger, laid, {str(where): value for where, value in there.items()}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 999))
def test_pieces_lie_in_their_areas(name: str, seed: int) -> None:
    """The middle of each piece is in the area that it belongs to, or hardly outside."""
    for arranger, laid, _ in islice(tables(name, seed, Care(slip_mm=0.5, turn_deg=0.5)), 0, 20, 5):
        around = {key: area.around for key, area in arranger.layout.areas.items()}
        for one in (*laid.flat, *laid.solid):
            assert any(
                abs(one.x_mm - box.x_mm) <= box.width_mm / 2 + 25.0
                and abs(one.y_mm - box.y_mm) <= box.height_mm / 2 + 25.0
                for box in around.values()
            ), one


@pytest.mark.parametrize("name", GAMES)
def test_keys_stay_apart_and_what_lies_on_others_is_higher(name: str) -> None:
    """No two pieces share a key; a piece whose middle is covered lies lower than what covers it."""
    for _, laid, _ in islice(tables(name, 4, Care()), 0, 25, 4):
        keys = [one.key for one in (*laid.flat, *laid.solid)]
        assert len(set(keys)) == len(keys)
        for number, lower in enumerate(laid.flat):
            for upper in laid.flat[number + 1 :]:
                if math.hypot(lower.x_mm - upper.x_mm, lower.y_mm - upper.y_mm) < 15.0:
                    assert upper.lowest_mm >= lower.top_mm


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_lays_the_same_table(name: str) -> None:
    """What hands do is drawn from the seed alone."""
    one, other = (next(tables(name, 6, Care()))[1] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("name", GAMES)
def test_the_camera_has_all_in_view(name: str) -> None:
    """Every piece and every code of a set-up is whole in the picture, but for what lies on others."""
    arranger, laid, _ = next(tables(name, 2, Care()))
    copy = DrawnCopy.of(arranger.layout, arranger.pieces, seed=3, size_wh=SIZE)
    for code in arranger.layout.fiducials:
        corners = copy.camera.studio.pose.project(np.array([(*at, 0.0) for at in code.corners_mm()]))
        assert ((corners >= 0) & (corners < SIZE)).all()
    for one in laid.flat:
        corners = copy.camera.corners_px(one)
        assert ((corners >= 0) & (corners < SIZE)).all(), one


def test_the_view_widens_with_the_table() -> None:
    """A picture as tall as it is wide needs no more distance than a flat one."""
    layout = registry.lookup(GAMES[0]).table_layout(["red", "blue"])
    assert layout is not None
    flat, square = viewpoint_over(layout, (1280, 720)), viewpoint_over(layout, (1000, 1000))
    assert square.distance_mm <= flat.distance_mm
