"""The assembly point: what holds before any room is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

ASKED = """
import sys
from ui import app
loaded = "numpy" in sys.modules
try:
    app.main(["{command}", "--help"])
except SystemExit:
    pass
import os
print()
print(loaded, "numpy" in sys.modules, os.environ["OMP_NUM_THREADS"])
"""


def told(command: str) -> list[str]:
    script = ASKED.format(command=command)
    bare = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=bare)
    return run.stdout.splitlines()[-1].split()


def test_linear_algebra_is_kept_to_one_thread_before_it_is_loaded() -> None:
    assert told("read") == ["False", "True", "1"]


def test_a_command_without_pictures_loads_no_numpy() -> None:
    assert told("verify") == ["False", "False", "1"]
