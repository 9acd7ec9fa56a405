"""What the documents name is there: files and folders; in the architecture every piece of code as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, python_files, syntax_of

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
ROOMS = ("companion", "vision", "firmware_bridge", "calibration", "ui", "tests", "docs")
# A path in a room, without placeholders such as NAME.
NAMED = re.compile(rf"(?<![\w/.])((?:{'|'.join(ROOMS)})/[\w./-]*[\w/])")
# Code that a document names: `Class`, `Class.method`, `function`; and where it says that it stands.
CODE = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)`(?:\s+\(`([\w/]+\.py)`)?")
# Words in code letters that name no code.
OTHER = frozenset({"make", "moontable"})


@cache
def definitions(path: Path) -> frozenset[str]:
    """Return what a file defines: classes, functions, `Class.member`, and members by themselves."""
    return frozenset(_defined(syntax_of(path)))


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
            for name in _members(node):
                yield name
                yield f"{node.name}.{name}"
        elif isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _members(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            yield each.name
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id


@cache
def everything() -> frozenset[str]:
    """Return what is defined anywhere in the product."""
    rooms = ("companion", "vision", "firmware_bridge", "calibration", "ui")
    return frozenset().union(*(definitions(path) for room in rooms for path in python_files(room)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    """Files and folders of the house; a word in capitals stands for any."""
    named = set(NAMED.findall(document.read_text(encoding="utf-8")))
    lost = [one for one in named if not re.search(r"[A-Z]{3}", one) and not (ROOT / one).exists()]

    assert [] == sorted(lost)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_picture_and_page_that_a_document_links_to_exists(document: Path) -> None:
    """Links within the repository."""
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))

    assert [] == [link for link in links if not (document.parent / link).exists()]


def test_everything_that_the_architecture_names_is_defined_where_it_says() -> None:
    """Classes, methods and functions; those with a file beside them in that very file."""
    named = set(CODE.findall(ARCHITECTURE.read_text(encoding="utf-8")))
    placed = {(name, file) for name, file in named if file}
    wanting = [name for name, file in named if not file and name not in everything() | OTHER]

    assert [] == sorted(wanting)
    assert [] == sorted((name, file) for name, file in placed if name not in definitions(ROOT / file))
    assert len(placed) > 30


@pytest.mark.parametrize("way", ["One frame", "One serial byte", "One click"])
def test_the_architecture_walks_three_ways_through_the_house(way: str) -> None:
    """Each in numbered steps, each through at least three rooms or packages."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    _, _, rest = text.partition(f"### {way}\n")
    walk = re.split(r"^##", rest, maxsplit=1, flags=re.MULTILINE)[0]

    assert len(re.findall(r"^\d+\. ", walk, flags=re.MULTILINE)) >= 5
    assert len({Path(path).parent for path in NAMED.findall(walk)}) >= 3
