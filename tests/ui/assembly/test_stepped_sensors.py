"""The demo's sensor table without a window: one seed, one run; whole games without a wrong commit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.blue_moon_city import COMPONENTS
from companion.table import Place
from firmware_bridge.virtual import virtual_board
from tests.helpers.logfail import WarningCollector
from tests.helpers.sensor_game import play_sensor_game
from tests.ui.assembly.test_played_sensors import START
from ui.assembly.stepped_sensors import SteppedSensors

FAULTS = 0.003
SHORT = 14  # a game of few turns


def test_time_is_the_tables_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much of it passes as was asked for, and not a moment of ours is waited."""
    monkeypatch.setattr(virtual_board, "find_compiler", lambda: None)
    sensors = SteppedSensors(START, COMPONENTS, faults=0.0, seed=1)
    first = list(sensors.during(1.0))
    sensors.lay({**START, Place("figure:purple"): "1,1"})
    then = list(sensors.waiting()) + list(sensors.during(0.3))
    sensors.close()

    assert first[-1].sightings[Place("figure:purple")].value == "0,1"
    assert then[-1].sightings[Place("figure:purple")].value == "1,1"
    assert 1.35 < sensors.clock() < 1.40
    assert sensors.is_closed
    assert list(sensors.following()) == []


def test_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    """In another process, with other hash seeds and beside whatever else it does: to the last bit."""
    code = (
        "import sys; from pathlib import Path; from tests.helpers.sensor_game import play_sensor_game; "
        f"print(play_sensor_game({SHORT}, {FAULTS}, Path(sys.argv[1])).digest)"
    )
    game = play_sensor_game(SHORT, FAULTS, tmp_path)
    (tmp_path / "again").mkdir()
    again = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "again")],
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert again.stdout.strip() == game.digest, again.stderr
    assert (game.wrong, game.missed, game.result) == (0, 0, game.true_result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "faults"),
    [(12, FAULTS), (13, FAULTS), (13, 0.02), (77, FAULTS), (48, FAULTS)],
    ids=["a marker off first", "another", "a bad line", "a stalemate", "a stalemate that may be none"],
)
def test_whole_games_are_followed_without_a_wrong_commit(
    seed: int, faults: float, tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """To their end, whoever settles it; only a line that is really bad is called so."""
    game = play_sensor_game(seed, faults, tmp_path)
    told = logged_warnings.take()

    assert all("Only damaged data comes" in warning for warning in told)
    assert faults > FAULTS or not told
    assert (game.wrong, game.missed) == (0, 0)
    assert game.result == game.true_result is not None
