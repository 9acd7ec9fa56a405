"""The README and the page for players say only what is true."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache

import pytest

from tests.helpers.imports import ROOT

PAGES = ("README.md", "docs/players.md")


def text_of(page: str) -> str:
    """Return a page."""
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def commands() -> set[str]:
    """Return the commands that ``moontable --help`` lists."""
    done = subprocess.run(
        [sys.executable, "-m", "ui.app", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(re.findall(r"^    ([a-z][a-z-]+)\b", done.stdout, flags=re.M))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_named_exists(page: str) -> None:
    """Each `moontable something` is a command of the program."""
    named = set(re.findall(r"\bmoontable ([a-z][a-z-]+)\b", text_of(page)))

    assert named
    assert set() == named - commands()


def test_every_make_target_named_exists() -> None:
    """Each `make something` is a target."""
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), flags=re.M))
    named = set(re.findall(r"\bmake ([a-z]+)\b", text_of("README.md")))

    assert {"demo", "test"} <= named
    assert set() == named - targets


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_exists(page: str) -> None:
    """Links to files of the repository lead somewhere."""
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text_of(page)) if "://" not in link]
    missing = [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]

    assert links
    assert [] == missing
