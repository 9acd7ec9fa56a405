"""The machinery is shared: a toy game of 150 lines and a fifth game live on it."""

import ast

import pytest

from tests.helpers.imports import ROOT


def test_the_toy_game_is_small() -> None:
    """What a game must bring fits into about 150 lines of code."""
    text = (ROOT / "tests" / "helpers" / "toy_game.py").read_text(encoding="utf-8")
    docstring = ast.parse(text).body[0]
    code = [line for line in text.splitlines()[docstring.end_lineno :] if line.strip()]

    assert len(code) <= 150


FIFTH = ROOT / "tests" / "helpers" / "five_in_a_row"


def test_the_fifth_game_has_as_many_lines_as_its_page_says() -> None:
    """A whole game, made after docs/adding_a_game.md alone."""
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in FIFTH.glob("*.py"))
    page = (ROOT / "docs" / "adding_a_game.md").read_text("utf-8")

    assert f"has {lines} lines" in page
    assert lines <= 350


@pytest.mark.parametrize("room", ["companion", "ui", "vision", "firmware_bridge", "calibration"])
def test_no_shared_module_names_the_fifth_game(room: str) -> None:
    """It is a game of the house without a line elsewhere."""
    assert [] == [file for file in (ROOT / room).rglob("*.py") if FIFTH.name in file.read_text("utf-8")]
