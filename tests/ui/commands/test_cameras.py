"""The camera commands: list, check, capture."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import layout_text
from companion.errors import DeviceError
from companion.games.blue_moon_city.layout import table_layout
from ui.commands import cameras
from vision.capture.sources import open_source
from vision.capture.sources.camera import CameraInfo
from vision.simulation.camera import SimulatedCamera


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    cameras.add_commands(parser.add_subparsers())
    arguments = parser.parse_args(words)
    status: int = arguments.func(arguments)
    return status


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three photographs of an empty table."""
    folder = tmp_path_factory.mktemp("table")
    camera = SimulatedCamera(table_layout(), [], {})
    for t in range(3):
        cv2.imwrite(str(folder / f"{t}.png"), camera.frame({}, t=t))
    return folder


def test_cameras_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each camera is named the way that `watch` takes it."""
    monkeypatch.setattr(cameras, "list_cameras", lambda: [CameraInfo(name="Table Eye", index=2, backend=200)])

    assert 0 == _run("cameras")
    assert "camera:2  Table Eye\n" == capsys.readouterr().out
    assert 0 == _run("cameras", "--json")
    assert {"cameras": [{"index": 2, "name": "Table Eye"}]} == json.loads(capsys.readouterr().out)


def test_no_camera_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a camera the player learns of another way."""
    monkeypatch.setattr(cameras, "list_cameras", list)

    assert 0 == _run("cameras")
    assert "phone" in capsys.readouterr().out


def test_a_good_table_passes(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A good picture gives status 0 and the size of the tiles; a layout of one's own is taken."""
    (tmp_path / "layout.json").write_text(layout_text(table_layout()))

    assert 0 == _run("check", str(table), "--layout", str(tmp_path / "layout.json"))
    assert "can be read" in capsys.readouterr().out


def test_a_bad_picture_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A black picture gives status 1 and the reason, as JSON too."""
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((200, 300, 3), np.uint8))

    assert 1 == _run("check", str(tmp_path / "black.png"), "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["good"] is False
    assert "black" in found["findings"][0]["text"]


def test_capture_records_what_plays_back(table: Path, tmp_path: Path) -> None:
    """So many frames are recorded and play back identically."""
    assert 0 == _run("capture", str(table), "--out", str(tmp_path / "r"), "--frames", "2")
    played = [frame.packed for frame in open_source(str(tmp_path / "r")).frames()]

    assert [(table / "0.png").read_bytes(), (table / "1.png").read_bytes()] == played


def test_capture_stops_in_time(table: Path, tmp_path: Path) -> None:
    """No seconds at all are enough for one frame."""
    _run("capture", str(table), "--out", str(tmp_path / "r"), "--seconds", "0")

    assert 1 == len(list(open_source(str(tmp_path / "r")).frames()))


def test_a_missing_source_is_an_error(tmp_path: Path) -> None:
    """What cannot be opened is a DeviceError before anything is written."""
    with pytest.raises(DeviceError, match="no file or folder"):
        _run("capture", str(tmp_path / "nothing"), "--out", str(tmp_path / "r"))
    assert not (tmp_path / "r").exists()
