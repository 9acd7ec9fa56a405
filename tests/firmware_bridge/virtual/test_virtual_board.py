"""The virtual board behind a pseudo terminal, read through pyserial; a few, with loose time-outs."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.table import Place, Value
from firmware_bridge.commands import add_options, run_board
from firmware_bridge.reader import SlotReader
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual import virtual_board
from firmware_bridge.virtual.boards import SimulatedBoard
from firmware_bridge.virtual.control import BoardControl
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.native import NativeBoard, build
from firmware_bridge.virtual.virtual_board import (
    Arranger,
    VirtualBoard,
    make_board,
    note_on_board,
    profile_for,
)
from tests.firmware_bridge.bench import Bench, Board
from tests.firmware_bridge.test_session import PICTURE, PROFILE, shows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals here")


def see(table: SensorTable, picture: dict[Place, Value]) -> None:
    """Wait until the picture is seen; faults on the way are passed over."""
    while True:
        try:
            for seen in table.observations():
                if shows(seen, picture):
                    return
        except DeviceError:
            continue


def test_a_table_is_played_on_through_the_terminal(firmware: NativeBoard, tmp_path: Path) -> None:
    """Pieces moved, the cable pulled, the board reset, lights lit: firmware, protocol, pyserial."""
    with VirtualBoard(PROFILE, path=tmp_path / "ttyMoon", board=firmware, faults=0.003) as board:
        table = SensorTable(PROFILE, port=board.path)
        try:
            board.set_picture(PICTURE)
            see(table, PICTURE)
            board.unplug()
            with pytest.raises(DeviceError):
                for _ in table.observations():
                    pass
            changed = {**PICTURE, Place("box:0,1:0"): "white", Place("figure:white"): "1,1"}
            board.set_picture(changed)
            board.plug()
            see(table, changed)
            board.reset()
            board.set_picture(PICTURE)
            see(table, PICTURE)
            table.show({Place("cell:0,1"): (255, 0, 0)})
            for _ in table.observations():
                if board.lit == {Place("cell:0,1"): (128, 0, 0)}:
                    break
        finally:
            table.close()
    assert not (tmp_path / "ttyMoon").is_symlink()


def test_the_double_serves_where_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same face, the same protocol."""
    monkeypatch.setattr(virtual_board, "find_compiler", lambda: None)
    board = make_board()
    assert isinstance(board, DoubleBoard)
    assert "install gcc" in note_on_board().lower()
    with VirtualBoard(PROFILE, board=board, speed=4) as shown:
        shown.set_picture(PICTURE)
        table = SensorTable(PROFILE, port=shown.path)
        see(table, PICTURE)
        table.close()


def test_the_firmware_serves_where_there_is_a_compiler(library: Path) -> None:
    """Built once, then found again."""
    assert isinstance(make_board(), NativeBoard)
    assert note_on_board() == ""
    assert build() == library


def test_without_a_compiler_the_build_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words."""
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DeviceError, match="install gcc") as caught:
        build()

    assert caught.value.fault is DeviceFault.NOT_FOUND


def test_any_picture_is_read_as_it_was_laid(board: Board) -> None:
    """Random tables: what the arranger lays out, the reader sees, on the firmware and on the double."""
    rng = random.Random(11)
    tiles = {f"tile_{i}": 1 + i % 4 for i in range(20)}
    cells = [f"{r},{c}" for r in range(5) for c in range(5) if (r % 4 or c % 4) and (r, c) != (2, 2)]
    players = ["purple", "white", "grey", "brown"]
    start = laid_out(tiles, cells, dict.fromkeys(tiles, "sketch"), [None], rng)
    profile = profile_for({**start, **{Place(f"figure:{p}"): None for p in players}})
    arranger = Arranger(board, profile)
    reader = SlotReader(board.entries, profile)
    bench = Bench(board)
    for _ in range(6):
        sides = {tile: rng.choice(["sketch", "built"]) for tile in tiles}
        rng.shuffle(cells)
        picture = laid_out(tiles, cells, sides, [None, *players], rng)
        picture |= {Place(f"figure:{p}"): rng.choice([None, *cells]) for p in players}
        arranger.lay(picture)
        bench.run(800)
        assert bench.run_until_whole(200) is not None
        seen = reader.read(bench.link.slots.values, source="test", seq=1, seen_at_s=0.0)
        assert {w: s.value for w, s in seen.sightings.items()} == picture


def laid_out(
    tiles: dict[str, int],
    cells: list[str],
    sides: dict[str, str],
    markers: list[str | None],
    rng: random.Random,
) -> dict[Place, Value]:
    """Return a picture with these tiles (and their numbers of boxes) on these cells, in order."""
    picture: dict[Place, Value] = {Place("cell:2,2"): "courtyard/built"}
    for (tile, boxes), cell in zip(tiles.items(), cells, strict=True):
        picture[Place(f"cell:{cell}")] = f"{tile}/{sides[tile]}"
        if sides[tile] == "sketch":
            picture |= {Place(f"box:{cell}:{i}"): rng.choice(markers) for i in range(boxes)}
    return picture | {Place(f"obelisk:{i}"): rng.choice(markers) for i in range(13)}


def test_a_profile_is_made_of_a_picture() -> None:
    """Tiles, figures, dragons, boxes; the courtyard's tag tells its side."""
    told = {tag.name: tag.side for tag in PROFILE.tags.values()}

    assert told == {
        "courtyard": "built",
        "mill": None,
        "aqueduct": None,
        "purple": None,
        "white": None,
        "fire": None,
    }
    assert PROFILE.players == {1: "purple", 2: "white"}
    assert PROFILE.boxes == {"mill": (0, 1), "aqueduct": (0,)}


def test_the_board_command_runs_a_board_and_does_what_is_typed(tmp_path: Path) -> None:
    """`board --pty PATH` serves until it is interrupted; lines lay pieces on it."""
    path = tmp_path / "ttyMoon"
    code = (
        "import argparse, sys; from firmware_bridge.commands import add_options, run_board\n"
        "parser = argparse.ArgumentParser(); add_options(parser)\n"
        "sys.exit(run_board(parser.parse_args(sys.argv[1:])))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--pty", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdin is not None
        assert str(path) in process.stdout.readline()
        table = SensorTable(PROFILE, port=str(path))
        see(table, {Place("cell:0,1"): None, Place("obelisk:0"): None})
        process.stdin.write("lay cell:0,1 mill/sketch\nlay obelisk:0 purple\nlit\n")
        process.stdin.flush()
        see(table, {Place("cell:0,1"): "mill/sketch", Place("obelisk:0"): "purple"})
        assert process.stdout.readline() == "all dark\n"
        table.close()
    finally:
        process.send_signal(2)
        assert process.wait(20) == 0
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()


def test_the_board_command_takes_no_file_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that is something else is refused."""
    path = tmp_path / "precious"
    path.write_text("x")
    parser = argparse.ArgumentParser()
    add_options(parser)

    assert run_board(parser.parse_args(["--pty", str(path)])) == 1
    assert path.read_text() == "x"
    assert "precious" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        parser.parse_args(["--pty", str(path), "--faults", "2"])


def test_a_hand_on_the_virtual_board() -> None:
    """Every line of the control does what it says; any other is refused with the list."""
    with VirtualBoard(PROFILE, board=DoubleBoard()) as board:
        control = BoardControl(board)
        for line in (
            "lay cell:0,1 mill/sketch",
            "magnet 5 600",
            "dead 2,1",
            "well 2,1",
            "",
            "reset",
            "clear",
        ):
            assert control.obey(line) == ""
        assert control.obey("lit") == "all dark"
        first = board.path
        control.obey("unplug")
        control.obey("plug")
        assert Path(board.path).exists()
        assert first
        for wrong in ("lay", "lay sky:1 x", "magnet x 5", "magnet 999 5", "dead 9,9", "what"):
            with pytest.raises(MalformedError):
                control.obey(wrong)
        for wrong, word in (
            ("lay box:0,1:0 orange", "only for purple, white"),
            ("lay obelisk:1 orange", "only for purple, white"),
            ("lay box:0,1:9 purple", "feels nothing at box:0,1:9"),
            ("lay box:9,9:0 purple", "feels nothing"),
            ("lay obelisk:13 purple", "feels nothing"),
            ("lay cell:9,9 mill/sketch", "feels nothing"),
            ("lay cell:0,1 mill", "mill is not a tile and side"),
            ("lay cell mill/sketch", "feels nothing"),
            ("lay figure:purple 9,9", "feels nothing"),
        ):
            with pytest.raises(MalformedError, match=word):
                control.obey(wrong)
        assert control.obey("lay box:0,1:0 purple") == control.obey("lay figure:purple 0,1") == ""


def test_both_boards_show_one_face(library: Path) -> None:
    """Everything of `SimulatedBoard` is there."""
    face = {name for name in dir(SimulatedBoard) if not name.startswith("_")}

    assert face <= set(dir(DoubleBoard))
    assert face <= set(dir(NativeBoard(library=library)))
