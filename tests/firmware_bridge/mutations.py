"""Seeded bugs, each of which the test bench must catch.

    python -m tests.firmware_bridge.mutations [NAME ...]

For each of mutations.toml, a copy of the tree gets the bug and the gate's tests run on it until one fails.
Exit status 1 when a bug gets through.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("companion", "calibration", "firmware_bridge", "tests/firmware_bridge", "tests/helpers")
GATE = [
    f"test_{name}.py"
    for name in ("bench", "slots", "link", "atlas", "board_clock", "framing", "firmware", "fuzz")
]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One bug: in `file`, `old` becomes `new`."""

    name: str
    file: str
    old: str
    new: str


def load() -> tuple[Mutation, ...]:
    """Return the mutation list."""
    data = tomllib.loads((Path(__file__).parent / "mutations.toml").read_text())
    return tuple(Mutation(**entry) for entry in data["mutation"])


MUTATIONS = load()


def copy_tree(folder: Path) -> None:
    """Copy what the gate needs into an empty folder."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, folder / name)


def caught_by(mutation: Mutation) -> str | None:
    """Return the line that names the failing test, None when the bug gets through."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_tree(folder)
        path = folder / mutation.file
        path.write_text(path.read_text().replace(mutation.old, mutation.new))
        gate = [f"tests/firmware_bridge/{test}" for test in GATE]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-m",
            "not slow",
            *gate,
        ]
        environment = {**os.environ, "MOONTABLE_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
    if done.returncode == 0:
        return None
    named = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not named or named[0].startswith("ERROR"):
        # Refused by the compiler, not caught by the bench: the mutation itself is at fault.
        raise SystemExit(f"{mutation.name} does not build: {done.stdout[-2000:]}")
    return named[0].split(" - ")[0].split("::")[-1]


def main() -> int:
    """Try all mutations, or those whose names contain one of the words given."""
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    chosen = [m for m in MUTATIONS if not words or any(word in m.name for word in words)]
    escaped = 0
    for mutation in chosen:
        start = time.monotonic()
        caught = caught_by(mutation)
        escaped += caught is None
        print(f"{mutation.name}: {caught or 'NOT CAUGHT'} [{time.monotonic() - start:.1f} s]", flush=True)
    print(f"{len(chosen) - escaped} of {len(chosen)} seeded bugs caught")
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
