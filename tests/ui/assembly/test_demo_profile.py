"""Tests for ui.assembly.demo_profile: what the demo keeps on disk, and what it forgets."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import Profile
from companion.games import registry
from tests.helpers.readers import some_profile
from ui.assembly import demo_profile
from ui.assembly.demo_profile import drawings_of, kept_profile
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


def test_what_came_with_the_program_is_not_learnt_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken before what was learnt last; what is missing or torn is learnt, and kept beside."""
    brought, cache = tmp_path / "brought", tmp_path / "cache"
    monkeypatch.setattr(demo_profile, "BROUGHT", brought)
    monkeypatch.setattr(demo_profile, "cache_folder", lambda: cache)
    one, other = (replace(some_profile(), edition=edition) for edition in ("one", "other"))
    learnt: list[Profile] = []

    def learn(profile: Profile) -> Profile:
        learnt.append(profile)
        return profile

    assert one.edition == kept_profile("old", lambda: learn(one), brought).edition
    assert one.edition == kept_profile("key", lambda: learn(one), brought).edition
    assert ["key"] == [each.name for each in brought.iterdir()], "only the newest comes with the program"
    assert one.edition == kept_profile("key", lambda: learn(other)).edition
    assert [one, one] == learnt
    assert not cache.exists()

    (brought / "key" / "profile.json").write_text("torn", "utf-8")
    for _ in range(2):
        assert other.edition == kept_profile("key", lambda: learn(other)).edition
    assert [one, one, other] == learnt
    assert ["key"] == [each.name for each in cache.iterdir()]
