"""The firmware's parser under ASan and UBSan; the Python one under hypothesis is in test_messages.py."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.virtual.native import FIRMWARE, find_compiler


def build_fuzzer(folder: Path) -> Path:
    """Build the fuzz harness into a folder; skip where that cannot be done."""
    if shutil.which("make") is None or find_compiler() is None:
        pytest.skip("no make or no C compiler")
    done = subprocess.run(
        ["make", "-C", str(FIRMWARE), f"BUILD={folder}", "fuzz"], capture_output=True, text=True, check=False
    )
    if "cannot find" in done.stderr and "asan" in done.stderr:
        pytest.skip("the compiler lacks its sanitizers' libraries")
    assert done.returncode == 0, done.stderr
    return folder / "fuzz"


def test_the_firmware_survives_rubbish(tmp_path: Path) -> None:
    """Two hundred thousand inputs, no finding, and commands do get through."""
    fuzzer = build_fuzzer(tmp_path)
    done = subprocess.run([str(fuzzer), "200000"], capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split(" commands")[0].split()[-1]) > 1000
