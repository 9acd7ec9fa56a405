"""No module needs, by whatever way, one that needs it; nor does any package of modules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, imported_modules, module_name, python_files

ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui")


def graph(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return what each module imports of the house, at any depth."""
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        homes = (home_of(module, files) for module in imported_modules(path))
        found[name] = {home for home in homes if home and home != name}
    return found


def home_of(module: str, files: Mapping[str, Path]) -> str:
    """Return the module of the house that an import names; empty for none."""
    while module and module not in files:
        module = module.rpartition(".")[0]
    return module


def package_of(module: str) -> str:
    """Return the package right below a room in which a module lies, else the module itself."""
    first, second = (*module.split("."), "")[:2]
    return f"{first}.{second}" if (ROOT / first / second).is_dir() and second else module


def cycles(needs: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Return the largest sets in which everything needs everything else (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(needs.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            component, stack[at:] = frozenset(stack[at:]), []
            if len(component) > 1:
                found.append(component)

    for node in sorted(needs):
        if node not in index:
            visit(node)
    return found


@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [{"a", "b", "c"}]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d", "a"}, "d": {"c"}}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_what_needs_itself_is_found(needs: dict[str, set[str]], expected: list[set[str]]) -> None:
    """Chains are none; rings are, each by itself."""
    assert expected == cycles(needs)


def test_no_modules_need_each_other() -> None:
    """Imports within functions count as well."""
    files = {module_name(path): path for room in ROOMS for path in python_files(room)}

    assert [] == cycles(graph(files))


@pytest.mark.parametrize("room", ROOMS)
def test_no_packages_need_each_other(room: str) -> None:
    """A package may be read without those that stand on it."""
    files = {module_name(path): path for path in python_files(room)}
    needs: dict[str, set[str]] = {}
    for name, others in graph(files).items():
        if name != room:
            home = package_of(name)
            needs.setdefault(home, set()).update({package_of(other) for other in others} - {home, room})

    assert [] == cycles(needs)
