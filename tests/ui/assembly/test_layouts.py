"""Which game a profile is of, and for which games there is a sensor table."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.profile import Profile
from calibration.store import save_profile
from companion.errors import MalformedError, ProfileError
from companion.games import registry
from ui.app import main
from ui.assembly.demo import Demo, play_demo
from ui.assembly.layouts import ensure_profile_of, has_board, layout_of
from ui.assembly.sources import open_sources


def profile_of(name: str) -> Profile:
    """Return an empty profile of a game."""
    return Profile(edition="", players=("red", "blue"), layout=layout_of(name, ("red", "blue")), faces=())


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_profile_fits_its_own_game_alone(name: str) -> None:
    """Any other game refuses it and says which it is."""
    profile = profile_of(name)
    ensure_profile_of(name, profile)
    for other in registry.NAMES:
        if other != name:
            with pytest.raises(ProfileError, match=f"is of {profile.layout.name}, not of"):
                ensure_profile_of(other, profile)


def test_watching_refuses_the_profile_of_another_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which game it is of, before any camera is looked for."""
    mine = tmp_path / "mine"
    save_profile(profile_of("nova_luna"), mine)
    status = main(["watch", "camera:0", "--profile", str(mine), "--game", "urbion", "--headless"])
    told = capsys.readouterr().err.strip().splitlines()

    assert 1 == status
    assert 1 == len(told)
    assert "Nova Luna, not of Urbion" in told[0]


def test_a_sensor_table_is_for_tiles_on_printed_cells() -> None:
    """The first game has one; where pieces lie anywhere there is none, and asking for it says so."""
    assert ["blue_moon_city"] == [name for name in registry.NAMES if has_board(name)]
    for name in registry.NAMES[1:]:
        with pytest.raises(ProfileError, match="no sensor table"):
            open_sources("sensors", profile_of(name), label=lambda where, value: f"{where} {value}")
        with pytest.raises(MalformedError, match="no sensor table"):
            play_demo(Demo(game=name, sensors=True, is_headless=True))
