"""No shared module names a game: the default is the registry's first, and what a game looks like is data."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.games import registry
from tests.helpers.imports import ROOT, imported_modules, python_files, syntax_of

ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui")
GAMES = ROOT / "companion" / "games"
SHARED = [
    path
    for room in ROOMS
    for path in python_files(room)
    if not any(path.is_relative_to(GAMES / name) for name in registry.NAMES)
]
# Where the names themselves are, and where the usual arrangement of the first game is still written in code.
NAMED = {
    "companion/games/registry.py": set(registry.NAMES),
    "calibration/layout.py": {"blue_moon_city"},
    "calibration/commands.py": {"blue_moon_city"},
    "vision/commands.py": {"blue_moon_city"},
    "vision/training/tables.py": {"blue_moon_city"},
    "ui/assembly/layouts.py": {"blue_moon_city"},
}


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_shared_module_names_a_game(path: Path) -> None:
    """Neither in an import nor in a text, nor in what is said about the code."""
    words = path.read_text(encoding="utf-8")
    named = {name for name in registry.NAMES if name in words}

    assert NAMED.get(path.relative_to(ROOT).as_posix(), set()) == named


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_shared_module_imports_a_game(path: Path) -> None:
    """The registry imports a game when it is asked for, by its name."""
    rooms = {f"companion.games.{name}" for name in registry.NAMES}

    assert set() == {module for module in imported_modules(path) if ".".join(module.split(".")[:3]) in rooms}


# What decides about a game's table without knowing the game; the kinds of its places are the game's own.
DECIDING = [
    file
    for room in ("companion/session", "companion/reconcile", "ui/controller")
    for file in python_files(room)
]
KINDS = ("cell", "box", "figure", "dragon", "obelisk", "discard")


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_decides_names_no_kind_of_place(path: Path) -> None:
    """Which places are pointed at, marked or left out is asked of the game."""
    texts = [node.value for node in ast.walk(syntax_of(path)) if isinstance(node, ast.Constant)]
    named = [text for text in texts if isinstance(text, str) and text.partition(":")[0] in KINDS]

    assert [] == named
