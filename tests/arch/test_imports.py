"""Who may import whom: the house's rules, kept by reading every import statement."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterable, Set
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
    "companion.table_layout",
    "companion.table_pieces",
    "companion.commands",
    "companion.errors",
    "companion.ports",
    "companion.source_runner",
    "companion.log",
    "companion.observation",
    "companion.i18n",
    "companion.storage.strict",
    "companion.names",
    "companion.free_faces",
    "companion.free_pieces",
    "companion.loose_pieces",
    "companion.addresses",
    "companion.components",
    "companion.set_up_form",
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
    "companion.people",
    "companion.phones",
    "companion.session.bug_report",
    "companion.session.exporting",
    "companion.session.ledger",
    "companion.session.library",
    "companion.session.thinking",
    "companion.storage.files",
    "companion.stopping",
    "companion.prompts",
    "companion.view_model",
    "companion.decision",
}


def relative(path: Path) -> str:
    """Name a file as seen from the root."""
    return str(path.relative_to(ROOT))


def found_in(
    paths: Iterable[Path], find: Callable[[Path], Collection[object]]
) -> dict[str, Collection[object]]:
    """Return by file what a search finds, of those files where it finds anything."""
    found = ((relative(path), find(path)) for path in paths)
    return {name: what for name, what in found if what}


def is_within(module: str, homes: set[str]) -> bool:
    """Whether a module is one of the homes or lies below one."""
    return any(module == home or module.startswith(home + ".") for home in homes)


def foreign(path: Path, homes: set[str]) -> Set[str]:
    """Return the imports of a file that are neither the standard library nor within the homes."""
    return {
        module
        for module in imported_modules(path)
        if module.partition(".")[0] not in sys.stdlib_module_names and not is_within(module, homes)
    }


def test_companion_is_headless() -> None:
    """companion/ needs nothing but the standard library and itself."""

    def unwanted(path: Path) -> Set[str]:
        return foreign(path, {"companion"}) - (
            {"ui.app"} if path.name in {"cli.py", "__main__.py"} else set()
        )

    assert {} == found_in(python_files("companion"), unwanted)


def test_games_know_the_shared_words_only() -> None:
    """A game's rules import shared words, the protocol and their own room: no clock, no journal."""
    rooms = {f"companion.games.{name}" for name in GAME_ROOMS}
    registry = ROOT / "companion" / "games" / "registry.py"

    def of_other_games(path: Path) -> Set[str]:
        others = rooms - {".".join(module_name(path).split(".")[:3])}
        return {module for module in imported_modules(path) if path != registry and is_within(module, others)}

    def of_the_machine(path: Path) -> Set[str]:
        machine = {"time", "datetime", "secrets", "os", "threading", "socket", "sqlite3"}
        return imported_modules(path) & machine

    files = python_files("companion/games")

    assert {} == found_in(files, lambda path: foreign(path, WORDS_OF_GAMES))
    assert {} == found_in(files, of_other_games)
    assert {} == found_in(files, of_the_machine)


def uses_of_random(path: Path) -> list[str]:
    """Return what a file does with `random` but naming ``random.Random`` as a type."""
    nodes = list(ast.walk(syntax_of(path)))
    named = [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"
    ]
    called = [node for node in nodes if isinstance(node, ast.Call) and node.func in named]
    star = [
        node
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "random"
        if {alias.name for alias in node.names} - {"Random"}
    ]
    others = [node for node in named if node.attr != "Random"]
    return [ast.unparse(node) for node in (*others, *called, *star)]


def test_games_draw_no_random_number() -> None:
    """Games may name ``random.Random`` as a type; they never make or ask a generator of their own."""
    assert {} == found_in(python_files("companion/games"), uses_of_random)


def test_reconciling_knows_no_single_game() -> None:
    """companion/reconcile serves every game: it imports the protocol, never a game's room."""
    rooms = {f"companion.games.{name}" for name in GAME_ROOMS}

    def of_games(path: Path) -> Set[str]:
        return {module for module in imported_modules(path) if is_within(module, rooms)}

    assert {} == found_in(python_files("companion/reconcile"), of_games)


@pytest.mark.parametrize("own", ["vision", "firmware_bridge"])
def test_sources_know_neither_rules_nor_each_other(own: str) -> None:
    """vision and firmware_bridge import the shared words, calibration and themselves, and no window."""
    libraries = {"numpy", "cv2", "cv2_enumerate_cameras"} if own == "vision" else {"serial"}

    def unwanted(path: Path) -> Set[str]:
        training = TRAINING if path.is_relative_to(ROOT / "vision" / "training") else set()
        return foreign(path, SHARED_WORDS | {own, "calibration"} | libraries | training)

    assert {} == found_in(python_files(own), unwanted)


def test_calibration_serves_both_sources() -> None:
    """calibration imports the shared words; Qt only where sheets are printed; no pixels in the profile."""
    # How files are opened and written without trusting them is nobody's own.
    files = {"companion.storage.files", "companion.storage.archives"}

    def unwanted(path: Path) -> Set[str]:
        libraries = {"numpy", "cv2", "platformdirs"}
        if path.name == "sheets.py":
            libraries |= {"PyQt6"}
        if path.name in {"profile.py", "store.py", "steps.py", "upgrade.py"}:
            libraries -= {"numpy", "cv2"}
        return foreign(path, SHARED_WORDS | files | {"calibration"} | libraries)

    assert {} == found_in(python_files("calibration"), unwanted)


ASSEMBLY = {"ui.app", "ui.assembly", "ui.commands"}


def is_assembly(path: Path) -> bool:
    """Whether a file puts rooms together, or is a command that has it done."""
    homes = (ROOT / "ui" / "assembly", ROOT / "ui" / "commands")
    return path == ROOT / "ui" / "app.py" or any(path.is_relative_to(home) for home in homes)


def test_the_window_knows_no_rules_and_no_pixels() -> None:
    """Only the assembly point imports sources, calibration or a game."""
    homes = WORDS_OF_THE_WINDOW | {"ui", "PyQt6", "platformdirs"}
    files = [path for path in python_files("ui") if not is_assembly(path)]

    def unwanted(path: Path) -> Set[str]:
        phones = {"segno", "websockets"} if path.is_relative_to(ROOT / "ui" / "phones") else set()
        return foreign(path, homes | phones) - {"ui.app"}

    assert {} == found_in(files, unwanted)


def test_nothing_imports_the_assembly_point() -> None:
    """What puts the house together is imported by nobody but the command line's door."""
    doors = {ROOT / "companion" / "__main__.py", ROOT / "companion" / "cli.py", ROOT / "ui" / "__main__.py"}
    files = [path for path in EVERY_FILE if path not in doors and not is_assembly(path)]

    def assembled(path: Path) -> Set[str]:
        return {module for module in imported_modules(path) if is_within(module, ASSEMBLY)}

    assert {} == found_in(files, assembled)


def silent_imports(path: Path) -> list[int]:
    """Return the lines of imports within functions that no comment explains."""
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
    return [
        number
        for number in late
        if "#" not in lines[number - 1]
        and not lines[number - 2].lstrip().startswith("#")
        and number - 1 not in late
    ]


def test_imports_within_functions_say_why() -> None:
    """A slow or optional library may be loaded late; a comment on the line, or above the first, says so."""
    assert {} == found_in(EVERY_FILE, silent_imports)


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
