"""Short versions of the runs of tests/benchmarks/link_faults.py; each checks itself as it goes."""

from __future__ import annotations

import pytest

from firmware_bridge.virtual.native import NativeBoard
from tests.firmware_bridge.bench import Board
from tests.firmware_bridge.runs import RIGHT_MS, host_run, lossy_run, reset_run, unplug_run


def test_lossy_runs(firmware: NativeBoard) -> None:
    """0.3 % lost and flipped both ways: right, every event once or covered."""
    for seed in range(12):
        run = lossy_run(firmware, seed, 0.003, 2000)
        assert run.made > 10


@pytest.mark.slow
def test_very_lossy_runs(firmware: NativeBoard) -> None:
    """3 %: slower, never wrong."""
    for seed in range(6):
        assert lossy_run(firmware, seed, 0.03, 60_000).made > 10


def test_a_run_is_the_same_every_time(firmware: NativeBoard) -> None:
    """Virtual time: nothing depends on the machine."""
    assert lossy_run(firmware, 7, 0.003, 2000) == lossy_run(firmware, 7, 0.003, 2000)


def test_resets_at_many_byte_positions(board: Board) -> None:
    """Every 149th byte time of a session; the benchmark takes every one."""
    for position in range(3, 3900, 149):
        assert reset_run(board, position) <= RIGHT_MS


def test_unplugging_at_random(board: Board) -> None:
    """With the board's power kept and lost in turns."""
    for seed in range(10):
        assert unplug_run(board, seed) <= RIGHT_MS


@pytest.mark.parametrize("restart", [False, True], ids=["hung", "restarted"])
@pytest.mark.parametrize("pause_ms", [1000, 5000])
def test_a_stopped_host(board: Board, pause_ms: int, restart: bool) -> None:
    """Stopped for one or five seconds, or started anew: right within 200 ms."""
    for seed in range(3):
        assert host_run(board, seed, pause_ms, restart) <= RIGHT_MS
