"""Where a game's pieces lie on a simulated table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import registry
from tests.helpers.drawn_game import FREE_GAMES, DrawnGame
from tests.helpers.free_tables import differences, seen_places
from tests.helpers.seen_truth import table_of
from vision.simulation.arrangement import Arranger, Care, viewpoint_over
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.table_truth import pieces_truth

SIZE = (640, 360)


def tables(name: str, seed: int, care: Care) -> Iterator[tuple[Arranger, LaidTable]]:
    """Yield a random game's tables at rest."""
    drawn = DrawnGame(name, seed, size_wh=(320, 180), care=care)
    return ((drawn.copy.arranger, moment.table) for moment in drawn.moments(at_rest=True))


@pytest.mark.parametrize("name", FREE_GAMES)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 999))
def test_pieces_lie_in_their_areas(name: str, seed: int) -> None:
    """The middle of each piece is in the area that it belongs to, or hardly outside."""
    for arranger, laid in islice(tables(name, seed, Care(slip_mm=0.5, turn_deg=0.5)), 0, 20, 5):
        around = {key: area.around for key, area in arranger.layout.areas.items()}
        for one in (*laid.flat, *laid.solid):
            assert any(
                abs(one.x_mm - box.x_mm) <= box.width_mm / 2 + 25.0
                and abs(one.y_mm - box.y_mm) <= box.height_mm / 2 + 25.0
                for box in around.values()
            ), one


@pytest.mark.parametrize("name", FREE_GAMES)
def test_keys_stay_apart_and_what_lies_on_others_is_higher(name: str) -> None:
    """No two pieces share a key; a piece whose middle is covered lies lower than what covers it."""
    for _, laid in islice(tables(name, 4, Care()), 0, 25, 4):
        keys = [one.key for one in (*laid.flat, *laid.solid)]
        assert len(set(keys)) == len(keys)
        for number, lower in enumerate(laid.flat):
            for upper in laid.flat[number + 1 :]:
                if math.hypot(lower.x_mm - upper.x_mm, lower.y_mm - upper.y_mm) < 15.0:
                    assert upper.lowest_mm >= lower.top_mm


@pytest.mark.parametrize("name", FREE_GAMES)
def test_the_same_seed_lays_the_same_table(name: str) -> None:
    """What hands do is drawn from the seed alone."""
    one, other = (next(tables(name, 6, Care()))[1] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("name", FREE_GAMES)
def test_the_camera_has_all_in_view(name: str) -> None:
    """Every piece and every code of a set-up is whole in the picture, but for what lies on others."""
    arranger, laid = next(tables(name, 2, Care()))
    copy = DrawnCopy.of(arranger.layout, arranger.pieces, seed=3, size_wh=SIZE)
    for code in arranger.layout.fiducials:
        corners = copy.camera.studio.pose.project(np.array([(*at, 0.0) for at in code.corners_mm()]))
        assert ((corners >= 0) & (corners < SIZE)).all()
    for one in laid.flat:
        corners = copy.camera.corners_px(one)
        assert ((corners >= 0) & (corners < SIZE)).all(), one


def test_the_view_widens_with_the_table() -> None:
    """A picture as tall as it is wide needs no more distance than a flat one."""
    layout = registry.lookup(FREE_GAMES[0]).table_layout(["red", "blue"])
    assert layout is not None
    flat, square = viewpoint_over(layout, (1280, 720)), viewpoint_over(layout, (1000, 1000))
    assert square.distance_mm <= flat.distance_mm


@pytest.mark.parametrize("name", FREE_GAMES)
def test_what_lies_there_comes_to_the_places_that_the_game_predicts(name: str) -> None:
    """Read without an error, the pieces as hands have laid them are where the game says: nothing is wrong."""
    drawn = DrawnGame(name, 8, size_wh=(320, 180))
    for moment in islice(drawn.moments(at_rest=True), 0, 30, 3):
        truth = pieces_truth(drawn.copy.camera, moment.table)
        seen = seen_places(drawn.game, moment.state, drawn.header["players"], table_of(truth))
        assert differences(drawn.game, seen, moment.picture) == {}
        assert sum(where in moment.picture for where in seen) > 0.7 * len(moment.picture)


def test_a_film_shows_hands_between_rests() -> None:
    """Each movement has a hand over the piece it touches, or over the middle."""
    scenes = list(islice(DrawnGame(FREE_GAMES[0], 8, size_wh=(320, 180)).film(), 12))
    assert scenes[0].hand_over is None
    assert any(scene.hand_over is not None for scene in scenes)
