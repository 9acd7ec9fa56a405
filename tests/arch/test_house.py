"""The machinery is shared: it knows no game; a toy game of 150 lines and a fifth game live on it."""

import ast
from pathlib import Path

import pytest

from companion.games import registry
from tests.helpers.imports import imported_modules

ROOT = Path(__file__).parents[2]
SHARED = [
    path
    for path in sorted((ROOT / "companion").rglob("*.py"))
    if not any(name in path.parts for name in registry.NAMES) and path.stem not in ("cli", "__main__")
]


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_shared_machinery_imports_no_game(path: Path) -> None:
    """Only the registry finds a game, and by name."""
    rooms = {f"companion.games.{name}" for name in registry.NAMES}

    assert not [module for module in imported_modules(path) if any(module.startswith(room) for room in rooms)]


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
