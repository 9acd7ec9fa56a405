"""Who may import whom: the house's rules, kept by reading every import statement."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, imported_modules, module_name, python_files, syntax_of

ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui")
EVERY_FILE = [path for room in ROOMS for path in python_files(room)]
ROOMS_OF_GAMES = (path.parent.name for path in (ROOT / "companion" / "games").glob("*/__init__.py"))
GAME_ROOMS = sorted(set(ROOMS_OF_GAMES) - {"kit"})

# The shared words: what a room may know of companion without knowing rules or referee.
# Installed for training alone.
TRAINING = {"torch", "onnx"}
SHARED_WORDS = {
    "companion.table",
    "companion.commands",
    "companion.errors",
    "companion.ports",
    "companion.source_runner",
    "companion.log",
    "companion.observation",
    "companion.i18n",
    "companion.storage.strict",
    "companion.names",
    "companion.loose_pieces",
    "companion.addresses",
    "companion.components",
    "companion.sensor_health",
}
WORDS_OF_GAMES = SHARED_WORDS | {
    "companion.prompts",
    "companion.view_model",
    "companion.decision",
    "companion.games",
    "companion.game",
}
WORDS_OF_THE_WINDOW = SHARED_WORDS | {
    "companion.session.referee",
    "companion.session.update",
    "companion.session.bug_report",
    "companion.session.exporting",
    "companion.session.ledger",
    "companion.session.library",
    "companion.storage.files",
    "companion.stopping",
    "companion.prompts",
    "companion.view_model",
    "companion.decision",
}


def relative(path: Path) -> str:
    """Name a file in a test's id."""
    return str(path.relative_to(ROOT))


def is_within(module: str, homes: set[str]) -> bool:
    """Whether a module is one of the homes or lies below one."""
    return any(module == home or module.startswith(home + ".") for home in homes)


def foreign(path: Path, homes: set[str]) -> set[str]:
    """Return the imports of a file that are neither the standard library nor within the homes."""
    return {
        module
        for module in imported_modules(path)
        if module.partition(".")[0] not in sys.stdlib_module_names and not is_within(module, homes)
    }


@pytest.mark.parametrize("path", python_files("companion"), ids=relative)
def test_companion_is_headless(path: Path) -> None:
    """companion/ needs nothing but the standard library and itself."""
    unwanted = foreign(path, {"companion"})

    if path.name in {"cli.py", "__main__.py"}:
        unwanted -= {"ui.app"}
    assert set() == unwanted


@pytest.mark.parametrize("path", python_files("companion/games"), ids=relative)
def test_games_know_the_shared_words_only(path: Path) -> None:
    """A game's rules import shared words, the protocol and their own room: no clock, no journal."""
    room = "companion.games"
    parts = module_name(path).split(".")
    others = {f"{room}.{name}" for name in GAME_ROOMS} - {".".join(parts[:3])}
    imported = imported_modules(path)
    if path == ROOT / "companion" / "games" / "registry.py":
        others = set()

    assert set() == foreign(path, WORDS_OF_GAMES)
    assert set() == {module for module in imported if is_within(module, others)}
    assert set() == imported & {"time", "datetime", "secrets", "os", "threading", "socket", "sqlite3"}


@pytest.mark.parametrize("path", python_files("companion/games"), ids=relative)
def test_games_draw_no_random_number(path: Path) -> None:
    """Games may name ``random.Random`` as a type; they never make or ask a generator of their own."""
    named = [
        node
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"
    ]
    called = [node for node in ast.walk(syntax_of(path)) if isinstance(node, ast.Call) and node.func in named]
    star = [
        node
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.ImportFrom) and node.module == "random"
        if {alias.name for alias in node.names} - {"Random"}
    ]

    assert {"Random"} >= {node.attr for node in named}
    assert [] == called
    assert [] == star


@pytest.mark.parametrize("path", python_files("companion/reconcile"), ids=relative)
def test_reconciling_knows_no_single_game(path: Path) -> None:
    """companion/reconcile serves every game: it imports the protocol, never a game's room."""
    rooms = {f"companion.games.{name}" for name in GAME_ROOMS}

    assert set() == {module for module in imported_modules(path) if is_within(module, rooms)}


@pytest.mark.parametrize("path", python_files("vision") + python_files("firmware_bridge"), ids=relative)
def test_sources_know_neither_rules_nor_each_other(path: Path) -> None:
    """vision and firmware_bridge import the shared words, calibration and themselves, and no window."""
    own = path.relative_to(ROOT).parts[0]
    libraries = {"numpy", "cv2", "cv2_enumerate_cameras"} if own == "vision" else {"serial"}
    if path.is_relative_to(ROOT / "vision" / "training"):
        libraries |= TRAINING

    assert set() == foreign(path, SHARED_WORDS | {own, "calibration"} | libraries)


@pytest.mark.parametrize("path", python_files("calibration"), ids=relative)
def test_calibration_serves_both_sources(path: Path) -> None:
    """calibration imports the shared words; Qt only where sheets are printed; no pixels in the profile."""
    libraries = {"numpy", "cv2", "platformdirs"}
    if path.name == "sheets.py":
        libraries |= {"PyQt6"}
    if path.name in {"profile.py", "store.py", "steps.py", "upgrade.py"}:
        libraries -= {"numpy", "cv2"}
    # How files are opened and written without trusting them is nobody's own.
    files = {"companion.storage.files", "companion.storage.archives"}

    assert set() == foreign(path, SHARED_WORDS | files | {"calibration"} | libraries)


ASSEMBLY = {"ui.app", "ui.assembly", "ui.commands"}


def is_assembly(path: Path) -> bool:
    """Whether a file puts rooms together, or is a command that has it done."""
    homes = (ROOT / "ui" / "assembly", ROOT / "ui" / "commands")
    return path == ROOT / "ui" / "app.py" or any(path.is_relative_to(home) for home in homes)


@pytest.mark.parametrize("path", python_files("ui"), ids=relative)
def test_the_window_knows_no_rules_and_no_pixels(path: Path) -> None:
    """Only the assembly point imports sources, calibration or a game."""
    if is_assembly(path):
        return

    assert set() == foreign(path, WORDS_OF_THE_WINDOW | {"ui", "PyQt6", "platformdirs"}) - {"ui.app"}


@pytest.mark.parametrize("path", EVERY_FILE, ids=relative)
def test_nothing_imports_the_assembly_point(path: Path) -> None:
    """What puts the house together is imported by nobody but the command line's door."""
    doors = {ROOT / "companion" / "__main__.py", ROOT / "companion" / "cli.py", ROOT / "ui" / "__main__.py"}

    assembled = {module for module in imported_modules(path) if is_within(module, ASSEMBLY)}

    assert path in doors or is_assembly(path) or set() == assembled


@pytest.mark.parametrize("path", EVERY_FILE, ids=relative)
def test_imports_within_functions_say_why(path: Path) -> None:
    """A slow or optional library may be loaded late; a comment on the line, or above the first, says so."""
    lines = path.read_text(encoding="utf-8").splitlines()
    functions = [node for node in ast.walk(syntax_of(path)) if isinstance(node, ast.FunctionDef)]
    late = sorted(
        {
            node.lineno
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
    )
    silent = [
        number
        for number in late
        if "#" not in lines[number - 1]
        and not lines[number - 2].lstrip().startswith("#")
        and number - 1 not in late
    ]

    assert [] == silent


MACHINE_PATH = re.compile(r"""["'`\s(](/work|/tmp|/home|/root|/Users|C:\\)[/\\]?""")
# An example in a document may well put something into the folder for passing things.
EXAMPLE_PATH = re.compile(r"""["'`\s(]/tmp/""")
TEXTS = {".py", ".md", ".toml", ".json", ".c", ".h", ".txt", ".ui", ".po"}


@pytest.mark.parametrize("room", [*ROOMS, "docs"])
def test_nothing_names_a_machine_path(room: str) -> None:
    """The product works wherever it is put: no file names a folder of somebody's machine."""
    texts = [path for path in sorted((ROOT / room).rglob("*")) if path.suffix in TEXTS]
    named = []
    for path in texts:
        words = path.read_text(encoding="utf-8")
        words = EXAMPLE_PATH.sub(" ", words) if path.suffix == ".md" else words
        if MACHINE_PATH.search(words):
            named.append(relative(path))

    assert [] == named
