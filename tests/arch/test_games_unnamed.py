"""No shared module names a game: the default is the registry's first, and what a game looks like is data."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

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
# The one module that knows the games by name.
REGISTRY = ROOT / "companion" / "games" / "registry.py"


def texts_of(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield every text in the code of some files."""
    for path in files:
        for node in ast.walk(syntax_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.value


def test_no_shared_module_names_a_game() -> None:
    """Neither in an import nor in a text, nor in what is said about the code."""
    words = {path: path.read_text(encoding="utf-8") for path in SHARED}
    named = {path: {name for name in registry.NAMES if name in text} for path, text in words.items()}

    assert {REGISTRY: set(registry.NAMES)} == {path: names for path, names in named.items() if names}


def test_no_shared_module_imports_a_game() -> None:
    """The registry imports a game when it is asked for, by its name."""
    rooms = {f"companion.games.{name}" for name in registry.NAMES}
    imported = {(path, module) for path in SHARED for module in imported_modules(path)}

    assert set() == {(path, name) for path, name in imported if ".".join(name.split(".")[:3]) in rooms}


# What looks at a table knows the kinds of places that all tables with a grid have (`companion.table`). How a
# game calls its board and its areas comes with the layout. Left out are the sensor board, whose wire protocol
# names its obelisk, and the reader of old layouts.
LOOKING = [
    file
    for room in ("companion/session", "companion/reconcile", "companion/simulation", "vision", "calibration")
    for file in python_files(room)
    if file.name != "old_layouts.py"
]


def own_places() -> set[str]:
    """The names that the games' layouts give to their boards and areas, without the players'."""
    layouts = [registry.lookup(name).table_layout(("red", "blue")) for name in registry.NAMES]
    named = {layout.places.board_box for layout in layouts if layout is not None and layout.board_rows}
    areas = (one for layout in layouts if layout is not None for one in layout.areas.items())
    return named | {name for name, area in areas if area.owner is None and name not in COMMON}


# Words that mean other things as well.
COMMON = {"board", "cities", "waiting", "book", "wheel", "moon", "track"}


def test_what_looks_at_tables_names_no_place_of_a_game() -> None:
    """Neither the obelisk nor a deck: the layout says where they are and what lies there."""
    own = own_places()

    assert {"discard", "deck", "obelisk"} <= own
    assert [] == [(path, text) for path, text in texts_of(LOOKING) if text.partition(":")[0] in own]


# What decides about a game's table without knowing the game; the kinds of its places are the game's own.
DECIDING = [
    file
    for room in ("companion/session", "companion/reconcile", "ui/controller")
    for file in python_files(room)
]
KINDS = ("cell", "box", "figure", "dragon", "obelisk", "discard")


def test_what_decides_names_no_kind_of_place() -> None:
    """Which places are pointed at, marked or left out is asked of the game."""
    assert [] == [(path, text) for path, text in texts_of(DECIDING) if text.partition(":")[0] in KINDS]
