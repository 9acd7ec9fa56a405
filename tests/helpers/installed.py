"""Starting the installed program: its demo in a window, until the first action is accepted."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.session.seals import read_seals
from tests.helpers.patience import WAIT_S

POLL_S = 0.2


def play_until_accepted(
    command: Sequence[str], folder: Path, variables: Mapping[str, str]
) -> tuple[int, str]:
    """Run the demo in an empty folder; return its exit status and what it wrote to standard error.

    The window is closed by SIGTERM as soon as an action was accepted, which comes after the window is shown.
    Raises TimeoutError if that never happens.
    """
    homes = {name: str(folder) for name in ("HOME", "TMPDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with subprocess.Popen(
        command, cwd=folder, env={**variables, **homes}, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            _await_action(process, folder)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=WAIT_S)
        finally:
            if process.poll() is None:
                process.kill()
    return process.returncode, errors


def _await_action(process: subprocess.Popen[str], folder: Path) -> None:
    end = time.monotonic() + WAIT_S
    while not any(map(_has_action, folder.glob("moontable-demo-*/demo.moontable"))):
        try:
            process.wait(POLL_S)
            return  # it ended by itself: its status and its words tell why
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                raise TimeoutError("no action was accepted") from None


def _has_action(journal: Path) -> bool:
    """Whether an entry was written: the journal itself is locked, but its seals stand in a file beside it."""
    return len(read_seals(journal)) > 1  # the first is the header's
