"""Which modules a source file imports, read from its syntax tree without running it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def syntax_of(path: Path) -> ast.Module:
    """Return the parsed source of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path) -> str:
    """Return the dotted name of a file below the root: ``companion/log.py`` -> ``companion.log``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Return every module the file imports, at any depth, in functions and under TYPE_CHECKING too.

    ``from a import b`` counts as ``a.b`` when that is a module of this house, else as ``a``.
    """
    found: set[str] = set()
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(path, node)
            found |= {_module_or_member(base, alias.name) for alias in node.names}
    return frozenset(found)


def python_files(room: str) -> list[Path]:
    """Return the source files of a room, sorted."""
    return sorted((ROOT / room).rglob("*.py"))


def _absolute(path: Path, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, node.module] if node.module else package)


def _module_or_member(base: str, name: str) -> str:
    there = ROOT.joinpath(*base.split("."), name)
    is_module = there.is_dir() or there.with_suffix(".py").is_file()
    return f"{base}.{name}" if is_module else base
