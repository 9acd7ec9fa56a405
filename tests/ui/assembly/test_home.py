"""What the program behind the home screen finds to follow a game."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.store import save_profile
from companion.games import registry
from tests.helpers.drawn_profile import perfect_profile
from ui.assembly.free_copy_guide import FreeCopyGuide
from ui.assembly.free_demo import FreeDemo
from ui.assembly.home import ProgramBehind
from ui.assembly.laid_table import FreeTableReader
from ui.home.front_door import Guides
from ui.home.plan import GamePlan
from ui.wizard.guide import CameraChoice


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProgramBehind:
    """A program on a computer with a camera and a copy of Nova Luna for two."""
    found = (CameraChoice(address="camera:0", name="Front camera"),)
    monkeypatch.setattr("ui.assembly.table_camera.plugged_in", lambda: found)
    header = registry.lookup("nova_luna").deal(random.Random(1), {"players": ["red", "blue"]})
    demo = FreeDemo(registry.lookup("nova_luna"), header, 1)
    save_profile(perfect_profile(demo.copy.arranger, header), tmp_path / "profiles" / "ours")
    return ProgramBehind(tmp_path, tmp_path / "profiles", tmp_path / "people.json")


def test_a_copy_that_was_learnt_can_be_followed(door: ProgramBehind) -> None:
    found = door.watchers("nova_luna")
    two, three = (
        GamePlan(game="nova_luna", seats=seats) for seats in (("red", "blue"), ("red", "blue", "white"))
    )

    assert found.cameras == (("camera:0", "Front camera"),)
    assert [one.name for one in found.profiles] == ["ours"]
    assert found.profiles[0].fits(two)
    assert not found.profiles[0].fits(three)
    assert isinstance(door.table_reader(two), FreeTableReader)


def test_a_copy_with_other_decks_does_not_fit(door: ProgramBehind, tmp_path: Path) -> None:
    header = registry.lookup("blue_moon_legends").deal(random.Random(1), {"decks": ["vulca", "hoax"]})
    demo = FreeDemo(registry.lookup("blue_moon_legends"), header, 1)
    known = perfect_profile(demo.copy.arranger, header)
    faces = tuple(face for face in known.faces if not face.name.startswith("flit"))
    save_profile(replace(known, faces=faces), tmp_path / "profiles" / "cards")
    found = door.watchers("blue_moon_legends")
    plans = [GamePlan(game="blue_moon_legends", seats=("hoax", deck)) for deck in ("vulca", "flit")]

    assert [found.profiles[0].fits(plan) for plan in plans] == [True, False]


def test_a_copy_of_another_game_is_none_of_this_one(door: ProgramBehind) -> None:
    found = door.watchers("urbion")

    assert found.can_follow
    assert not found.has_board
    assert found.profiles == ()


def test_what_a_camera_can_follow_is_set_up_or_learnt(door: ProgramBehind) -> None:
    """A table with printed places is set up; where pieces lie anywhere a copy is learnt."""
    games = door.set_up_games()
    guides = {game: door.guides(game) for game in games}

    assert set(games) == set(registry.NAMES)
    assert [name for name, one in guides.items() if isinstance(one, Guides)] == ["blue_moon_city"]
    assert isinstance(guides["urbion"], FreeCopyGuide)


def test_a_game_that_no_camera_can_follow_is_played_by_hand(
    door: ProgramBehind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.pieces("blue_moon_legends")), "is_readable", False)

    assert "blue_moon_legends" not in door.set_up_games()
    assert not door.watchers("blue_moon_legends").can_follow
