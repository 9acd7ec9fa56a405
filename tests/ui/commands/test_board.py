"""`moontable board`: health, set-up, rests and lights on the command line, against a virtual board."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.sensors import SensorProfile
from calibration.store import load_profile
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.virtual_board import VirtualBoard
from ui.app import main
from ui.assembly.sensor_lesson import SensorLesson, keep_sensors, walk
from ui.assembly.sensor_table import open_table

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals here")
PLAYERS = {1: "purple", 2: "white"}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    """A virtual board whose time runs four times as fast."""
    profile = SensorProfile(players=PLAYERS)
    with VirtualBoard(profile, path=tmp_path / "tty", board=DoubleBoard(), speed=4) as made:
        yield made


def test_health_names_what_is_wrong(board: VirtualBoard, capsys: pytest.CaptureFixture[str]) -> None:
    """In words with advice, cell by cell; the exit status says that something is."""
    board.break_reader("2,1")
    board.set_spot(85, 1023)
    status = main(["board", "health", "--port", board.path])
    told = capsys.readouterr().out

    assert status == 1
    assert "! Dead readers: 2,1" in told
    assert "! Stuck spots: 85 (obelisk 6)" in told
    assert "cell 2,1: ! reader dead" in told


def test_health_of_a_well_table_as_json(board: VirtualBoard, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing bad, and the status says so too."""
    status = main(["board", "health", "--port", board.path, "--json"])
    told = json.loads(capsys.readouterr().out)

    assert status == 0
    assert [line["advice"] for line in told["lines"] if line["advice"]] == []
    assert len(told["cells"]) == 21


def test_rests_are_kept_in_the_profile(
    board: VirtualBoard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tags stay as they were."""
    keep_sensors(
        tmp_path / "p",
        SensorProfile(spots=((500, 64),) * 113),
        edition="kosmos-2006",
        players=["purple"],
        layout=table_layout(),
    )
    status = main(["board", "rest", "--profile", str(tmp_path / "p"), "--port", board.path])
    learnt = load_profile(tmp_path / "p").sensors

    assert status == 0
    assert learnt is not None
    assert learnt.spots == ((512, 64),) * 113
    assert "113 had moved" in capsys.readouterr().out


def test_the_lights_are_shown_one_by_one(board: VirtualBoard, capsys: pytest.CaptureFixture[str]) -> None:
    """Cells first, everything once."""
    assert main(["board", "lights", "--port", board.path, "--fast"]) == 0
    told = capsys.readouterr().out.split()

    assert len(told) == len(set(told)) == 114
    assert told[0].startswith("cell:")
    assert told[-1].startswith("obelisk:")


def test_a_lesson_is_walked_in_the_terminal(board: VirtualBoard, capsys: pytest.CaptureFixture[str]) -> None:
    """Each step is told once, what is missing too; closing it in between keeps what was learnt."""
    table = open_table(SensorProfile(), board.path)
    lesson = SensorLesson(table, COMPONENTS, ["purple"])
    views = lesson.views

    def cut() -> Iterator[object]:
        for view in views():
            yield view
            if view.done == 1 and not view.missing:
                board.set_picture({Place("obelisk:2"): "purple"})
            if view.done == 2:
                lesson.close()

    lesson.views = cut  # type: ignore[method-assign, assignment]
    is_over = walk(lesson)
    told = capsys.readouterr().out

    assert not is_over
    assert told.count("Take everything off the table.") == 1
    assert "Put one marker of purple" in told
    assert lesson.profile.players == {1: "purple"}
    assert len(lesson.profile.spots) == 113


def test_a_table_without_readers_is_told_its_tiles(tmp_path: Path) -> None:
    """Out of the game's header; a file without a layout is refused."""
    keep_sensors(
        tmp_path / "p", SensorProfile(), edition="kosmos-2006", players=["purple"], layout=table_layout()
    )
    header = tmp_path / "header.json"
    header.write_text(json.dumps({"layout": {"0,1": "mill", "2,2": "courtyard"}}))
    status = main(["board", "layout", str(header), "--profile", str(tmp_path / "p")])
    learnt = load_profile(tmp_path / "p").sensors
    header.write_text("{}")

    assert status == 0
    assert learnt is not None
    assert learnt.layout == {"0,1": "mill", "2,2": "courtyard/built"}
    assert main(["board", "layout", str(header), "--profile", str(tmp_path / "p")]) != 0


def test_without_anything_to_do_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """And the status says that nothing was done."""
    assert main(["board"]) == 2
    assert "setup" in capsys.readouterr().out


def test_a_profile_without_a_table_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the command that makes one."""
    with pytest.raises(SystemExit):
        main(["board", "setup"])
    assert main(["board", "rest", "--profile", str(tmp_path / "none")]) != 0
    assert "no profile" in capsys.readouterr().err
