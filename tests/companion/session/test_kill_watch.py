"""Killed at random instants, a watching process loses nothing that it has shown."""

import os
from pathlib import Path

import pytest

from tests.benchmarks.kill_watch import run


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a matter of POSIX")
def test_nothing_shown_is_lost_when_killed(tmp_path: Path) -> None:
    """After every kill the journal opens, holds all that was shown, and the game goes on to its true end."""
    tally = run(10, seed=1, folder=tmp_path)

    assert tally.kills == 10
    assert tally.shown > 0
    assert (tally.lost, tally.wrong_ends) == (0, 0)
