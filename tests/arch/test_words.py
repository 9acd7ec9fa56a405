"""One thing, one word: what the glossary retired names no module, class or function any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.helpers.imports import ROOT

_SIGHT = {
    "assign": "linear assignment",
    "assigning": "linear assignment",
    "book": "face library",
    "examine": "residual",
    "examined": "residual",
    "explain": "residual",
    "explained": "residual",
    "habit": "prior",
    "judge": "classifier",
    "lay": "register",
    "laying": "registration",
    "lie": "pose",
    "lies": "poses",
    "looks": "features",
    "lying": "pose",
    "memory": "change detection",
    "misread": "bug report",
    "parts": "regions",
    "shrunk": "reduced, image pyramid",
    "sureness": "likelihood",
    "telling": "classifier",
    "through": "visibility",
    "unexplained": "residual",
    "unseen": "occlusion",
    "washed": "glare",
}
_SESSION = {
    "again": "resume",
    "bundle": "bug report",
    "desk": "controller",
    "due": "highlights",
    "eyes": "sources",
    "fuse": "fusion",
    "fused": "fusion",
    "hindsight": "retrodiction",
    "lying": "loose pieces",
    "memory": "table history",
    "settler": "debouncer",
    "sights": "pictured observations",
}
# By room: the retired words, and what is said instead.
RETIRED = {
    "vision": _SIGHT,
    "calibration": _SIGHT,
    "companion/reconcile": _SESSION,
    "companion/session": _SESSION,
    "firmware_bridge": {word: _SESSION[word] for word in ("desk", "eyes", "lying", "memory", "sights")},
    "ui/controller": _SESSION,
}


def names_of(source: str) -> Iterator[str]:
    """Yield the names of the classes and functions of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def words_of(name: str) -> set[str]:
    """Return the words of a name, small letters: `FoundFace` and `found_face` have the same."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")) - {""}


def retired_in(room: str, retired: dict[str, str]) -> Iterator[str]:
    """Yield every name of a room's modules, classes and functions that holds a retired word."""
    for file in sorted((ROOT / room).rglob("*.py")):
        names = [*file.relative_to(ROOT).with_suffix("").parts, *names_of(file.read_text("utf-8"))]
        for name in names:
            for word in sorted(words_of(name) & retired.keys()):
                yield f"{file.relative_to(ROOT)}: {name} says {word!r}; say {retired[word]!r}"


@pytest.mark.parametrize("room", RETIRED)
def test_no_name_says_what_the_glossary_retired(room: str) -> None:
    """Modules, classes and functions are named with the words that are left."""
    assert (ROOT / room).is_dir()
    assert list(retired_in(room, RETIRED[room])) == []


def test_names_are_taken_apart() -> None:
    """Words are found wherever they stand in a name, and whole words only."""
    assert words_of("TileBook") == {"tile", "book"}
    assert words_of("_is_seen_through") == {"is", "seen", "through"}
    assert not words_of("believe") & _SIGHT.keys()
    assert list(names_of("class A:\n    async def lie(self): ...\n    def b(self): ...\n")) == [
        "A",
        "lie",
        "b",
    ]
