"""Tests for ui.assembly.demo_profile: what the demo keeps on disk, and what it forgets."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from companion.games import registry
from ui.assembly import demo_profile
from ui.assembly.demo_profile import drawings_of
from ui.assembly.layouts import layout_of

GAME, PLAYERS = "blue_moon_city", ("blue", "green")


def test_each_camera_has_drawings_of_its_own_and_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_profile, "cache_folder", lambda: tmp_path / "demo")
    layout, box = layout_of(GAME, PLAYERS), registry.components(GAME)
    made: list[str] = []
    for seed in range(3):
        drawings = drawings_of(layout, seed, box, PLAYERS)
        assert seed == drawings.kept("table", lambda seed=seed: np.array([seed]))[0]
        (new,) = (one for one in (tmp_path / "drawn").iterdir() if one.name not in made)
        made.append(new.name)
        os.utime(new, (seed, seed))
    assert set(made[1:]) == {one.name for one in (tmp_path / "drawn").iterdir()}
