"""What holds for the tests themselves."""

from __future__ import annotations

import re

from tests.helpers.imports import ROOT

HERE = ROOT / "tests"
# How a test could look for what is not in the repository; benchmarks may.
BESIDE = re.compile(r"MOONTABLE_SAMPLE[S]|ROOT\.paren[t]\b|\bimport [^\n]*\bsamples\b")


def test_no_test_needs_a_folder_beside_the_repository() -> None:
    """A clone by itself runs as many tests as any other; none is skipped for want of a sample."""
    files = [
        path for path in HERE.rglob("*.py") if "benchmarks" not in path.parts and path != HERE / __file__
    ]
    found = [path.name for path in files if BESIDE.search(path.read_text("utf-8"))]

    assert len(files) > 100
    assert [] == found


def test_every_golden_folder_says_what_it_holds() -> None:
    """A few words on each case, and a line on each folder in the list of all."""
    folders = sorted(path for path in (HERE / "golden").iterdir() if path.is_dir())
    listed = (HERE / "golden" / "README.md").read_text("utf-8")

    assert [] == [path.name for path in folders if not (path / "README.md").is_file()]
    assert [] == [path.name for path in folders if f"`{path.name}/`" not in listed]
