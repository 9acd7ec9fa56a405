"""`moontable watch sensors`: a real session on a virtual board, up to the first accepted actions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from calibration.profile import Profile
from calibration.sensors import SensorProfile
from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.actions import Contribute
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Picture
from firmware_bridge.recording import read_log, replay
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.virtual_board import VirtualBoard, profile_for
from tests.helpers.city_session import played_table
from tests.helpers.logfail import WarningCollector
from tests.helpers.patience import WAIT_S
from ui.app import main
from ui.assembly.sensor_lesson import keep_sensors
from ui.assembly.sources import open_sources, split_address


@pytest.mark.parametrize(
    ("address", "camera", "port"),
    [
        ("camera:0", "camera:0", None),
        ("a+b/film.mp4", "a+b/film.mp4", None),
        ("sensors", None, ""),
        ("sensors:/dev/ttyACM0", None, "/dev/ttyACM0"),
        ("camera:0+sensors", "camera:0", ""),
        ("http://h:8/v+sensors:COM3", "http://h:8/v", "COM3"),
        ("sensors_of_mine/", "sensors_of_mine/", None),
    ],
)
def test_one_address_names_camera_and_sensors(address: str, camera: str | None, port: str | None) -> None:
    """Whatever else it says is the camera's own."""
    assert split_address(address) == (camera, port)


def test_a_table_that_does_not_feel_figures_wants_a_camera_beside_it() -> None:
    """It could only guess who walked where."""
    halls = SensorProfile(players={1: "purple"}, layout={"0,1": "mill"})
    profile = Profile(edition="x", players=("purple",), layout=table_layout(), faces=(), sensors=halls)
    with pytest.raises(ProfileError, match=r"camera:0\+sensors"):
        open_sources("sensors", profile, label=COMPONENTS.reading_text)


def moved(picture: Picture) -> Picture:
    """Return a picture as it can be laid: nobody feels the discard pile."""
    return {where: value for where, value in picture.items() if where != "discard"}


def wait_for(process: subprocess.Popen[str], file: Path) -> None:
    """Wait until a file is there."""
    end = time.monotonic() + WAIT_S
    while not file.exists():
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.1)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals here")
def test_a_game_is_watched_by_sensors_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The set-up is read off the table, a contribution is accepted, every byte is kept and replayed."""
    game = played_table(60, seed=5)
    after = next(i for i, action in enumerate(game.actions, 1) if isinstance(action, Contribute))
    profile = profile_for(game.tables[0], boxes=GAME.boxes_of_tile)
    keep_sensors(
        tmp_path / "mine",
        profile,
        edition="kosmos-2006",
        players=game.header["players"],
        layout=table_layout(),
    )
    journal, log = tmp_path / "game.moontable", tmp_path / "line.log"
    with VirtualBoard(profile, path=tmp_path / "tty", board=DoubleBoard()) as board:
        board.set_picture(moved(game.tables[0]))
        command = [sys.executable, "-m", "ui.app", "watch", f"sensors:{board.path}", "--headless"]
        command += ["--profile", str(tmp_path / "mine"), "--journal", str(journal), "--frame-log", str(log)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            wait_for(process, journal)
            board.set_picture(moved(game.tables[after]))
            told = next(line for line in process.stdout if line.strip()[:1].isdecimal())
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=WAIT_S)
    link, _ = replay(read_log(log))
    status = main(["board", "replay", str(log)])

    assert told.strip().startswith("1. ")
    assert "the game is not over" in rest
    assert link.is_whole
    assert status == 0
    assert "whole; slots that hold something: {" in capsys.readouterr().out
    assert main(["board", "replay", str(tmp_path / "nothing")]) != 0


@pytest.mark.parametrize("is_set_up", [True, False])
def test_a_port_that_is_not_there_ends_the_watching(
    is_set_up: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], logged_warnings: WarningCollector
) -> None:
    """Without a window nobody would plug anything in: one line says what is wrong, and that is that."""
    game = played_table(1, seed=5)
    profile = profile_for(game.tables[0], boxes=GAME.boxes_of_tile)
    keep_sensors(
        tmp_path / "mine",
        profile,
        edition="kosmos-2006",
        players=game.header["players"],
        layout=table_layout(),
    )
    (tmp_path / "header.json").write_text(json.dumps(game.header))
    command = ["watch", f"sensors:{tmp_path / 'tty'}", "--headless", "--profile", str(tmp_path / "mine")]
    command += ["--journal", str(tmp_path / "game.moontable")]
    command += ["--setup", str(tmp_path / "header.json")] if is_set_up else []

    assert main(command) == 1
    assert f"no sensor table on {tmp_path / 'tty'}" in capsys.readouterr().err
    assert all("source failed" in warning for warning in logged_warnings.take())
