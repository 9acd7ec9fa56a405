"""Functions that are too hard to follow: ``python -m tests.helpers.complexity`` lists new ones.

Cognitive complexity (Campbell 2018) counts what a reader has to keep in mind: branches, and branches within
branches more. The exceptions are functions from before there was a limit; the list only becomes shorter.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from complexipy import file_complexity

from tests.helpers.imports import ROOT, python_files

ROOMS: Final = ("companion", "vision", "firmware_bridge", "calibration", "ui")
MOST: Final = 15
EXCEPTIONS: Final = Path(__file__).with_name("complexity_exceptions.txt")


def too_complex() -> dict[str, int]:
    """Return the functions of the product over the limit, ``file::function``, and how complex they are."""
    found: dict[str, int] = {}
    for path in (file for room in ROOMS for file in python_files(room)):
        for one in file_complexity(str(path)).functions:
            if one.complexity > MOST:
                found[f"{path.relative_to(ROOT).as_posix()}::{one.name}"] = one.complexity
    return found


def exceptions() -> set[str]:
    """Return the functions that may be over the limit."""
    return set(EXCEPTIONS.read_text("utf-8").split())


def main() -> int:
    """Print what is over the limit and no exception, and exceptions that are none any longer."""
    found = too_complex()
    for name in sorted(found.keys() - exceptions()):
        print(f"{name}: cognitive complexity {found[name]} is more than {MOST}")
    for name in sorted(exceptions() - found.keys()):
        print(f"{name} is no exception any longer: take it off {EXCEPTIONS.relative_to(ROOT)}")
    return int(found.keys() != exceptions())


if __name__ == "__main__":
    sys.exit(main())
