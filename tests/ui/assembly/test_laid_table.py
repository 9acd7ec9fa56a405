"""Reading a table on which pieces lie anywhere, laid out for a new game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from calibration.store import save_profile
from companion.errors import ProfileError
from companion.game import Json
from companion.games import registry
from companion.simulation.table import SimulatedTable
from tests.helpers.drawn_profile import perfect_profile
from ui.assembly.free_demo import FreeDemo
from ui.assembly.laid_table import FreeTableReader
from ui.wizard.guide import GameChoice
from vision.capture.sources.frame import FrameSource
from vision.simulation.free_frames import FreeFrames

SEED = 2
NAME = "urbion"


@pytest.fixture
def laid(tmp_path: Path) -> tuple[Json, FrameSource, Path]:
    """Lay a new game out under a drawn camera; return its header, the camera, and the copy's profile."""
    game, rng = registry.lookup(NAME), random.Random(SEED)
    header = game.deal(rng, {})
    table, demo = SimulatedTable(game, header, rng, stages=game.stages), FreeDemo(game, header, SEED)
    first = next(one for one in table.moments() if not one.busy)
    frames = FreeFrames(demo.copy.camera, demo.scenes(table, [first]), rest_frames=5)
    save_profile(perfect_profile(demo.copy.arranger, header), tmp_path / "copy")
    return header, frames, tmp_path / "copy"


def test_a_laid_out_table_tells_what_the_game_starts_with(laid: tuple[Json, FrameSource, Path]) -> None:
    header, frames, profile = laid
    reader = FreeTableReader(NAME, {}, opener=lambda _: frames)

    seen = list(reader.laid_out("camera:0", str(profile), GameChoice(edition="", players=header["players"])))
    reader.close()

    assert seen[0].start is None
    assert seen[0].camera.width > 0
    assert seen[-1].fault == ""
    assert seen[-1].table is not None
    start = seen[-1].start
    assert isinstance(start, dict)
    state, true = registry.lookup(NAME).start(start), registry.lookup(NAME).start(header)
    assert state.rows == true.rows
    assert seen[-1].begins == registry.lookup(NAME).turn_of(state)
    assert {*map(frozenset, state.hands)} == {*map(frozenset, true.hands)}


def test_a_profile_of_another_game_is_refused(laid: tuple[Json, FrameSource, Path]) -> None:
    _, frames, profile = laid
    reader = FreeTableReader("nova_luna", {}, opener=lambda _: frames)

    with pytest.raises(ProfileError, match="Urbion"):
        next(reader.laid_out("camera:0", str(profile), GameChoice(edition="", players=("red", "blue"))))
