"""Connections end with a life, and nothing else is connected to a signal."""

from __future__ import annotations

import ast
import functools
import importlib
from pathlib import Path

import pytest
from PyQt6 import sip
from PyQt6.QtCore import QObject, QThread, pyqtSignal
from pytestqt.qtbot import QtBot

from tests.helpers.imports import module_name, python_files, syntax_of
from tests.helpers.patience import WAIT_MS
from ui.ties import tie


class Sender(QObject):
    """Something that lives on."""

    told = pyqtSignal(int, str)


class Life(QObject):
    """Something that dies, and a note of what it heard."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[object, ...]] = []

    def hear(self) -> None:
        """Note it."""
        self.heard.append(())


def test_a_tie_ends_with_its_life(qtbot: QtBot) -> None:
    """While the life lasts everything is heard, afterwards nothing; the sender goes on with the others."""
    sender, short, long = Sender(), Life(), Life()
    heard: list[str] = []
    tie(sender.told, short, lambda _number, words: heard.append(f"short {words}"))
    tie(sender.told, long, lambda _number, words: heard.append(f"long {words}"))
    sender.told.emit(1, "a")
    sip.delete(short)
    sender.told.emit(2, "b")

    assert qtbot is not None
    assert ["short a", "long a", "long b"] == heard


def test_what_was_on_its_way_is_not_heard_after_the_end(qtbot: QtBot) -> None:
    """A signal of another thread that waits for the event loop finds nobody."""
    sender, short, long = Sender(), Life(), Life()
    heard: list[str] = []

    class Other(QThread):
        def run(self) -> None:
            sender.told.emit(1, "late")

    tie(sender.told, short, lambda: heard.append("short"))
    tie(sender.told, long, lambda: heard.append("long"))
    other = Other()
    other.start()
    assert other.wait(5000)
    assert [] == heard  # it is heard in the thread of the life, not in that of the sender
    sip.delete(short)
    qtbot.waitUntil(lambda: bool(heard), timeout=WAIT_MS)

    assert ["long"] == heard


def test_a_tie_holds_nothing_after_the_end(qtbot: QtBot) -> None:
    """What the function refers to may be forgotten with the life."""
    sender, short = Sender(), Life()
    held = Life()
    gone: list[str] = []
    held.destroyed.connect(functools.partial(gone.append, "gone"))
    tie(sender.told, short, functools.partial(held.heard.append, ()))
    tie(sender.told, short, held.hear)
    del held
    assert [] == gone
    sip.delete(short)

    assert qtbot is not None
    assert ["gone"] == gone


def test_a_function_gets_as_many_values_as_it_needs(qtbot: QtBot) -> None:
    """Parameters with a default keep it, whatever the signal brings along."""
    sender, life = Sender(), Life()
    heard = life.heard
    tie(sender.told, life, lambda: heard.append(()))
    tie(sender.told, life, lambda number: heard.append((number,)))
    tie(sender.told, life, lambda number, words: heard.append((number, words)))
    tie(sender.told, life, lambda number, words="own": heard.append((number, words)))
    tie(sender.told, life, functools.partial(lambda first, number: heard.append((first, number)), "first"))
    sender.told.emit(7, "seven")

    assert qtbot is not None
    assert [(), (7,), (7, "seven"), (7, "own"), ("first", 7)] == heard


# -- the whole room ------------------------------------------------------------------------------------------


def connected(tree: ast.Module) -> list[tuple[ast.expr, str]]:
    """Return what is connected to signals in a file, each with the name of the class around it."""
    found: list[tuple[ast.expr, str]] = []

    def look(node: ast.AST, around: str) -> None:
        here = node.name if isinstance(node, ast.ClassDef) else around
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "connect"
            and node.args
        ):
            found.append((node.args[0], here))
        for child in ast.iter_child_nodes(node):
            look(child, here)

    look(tree, "")
    return found


def lives_by_itself(slot: ast.expr, around: str, module: str) -> bool:
    """Whether a slot is written as a method of something, and that of ``self`` only where it is a QObject."""
    if not isinstance(slot, ast.Attribute):
        return False
    if isinstance(slot.value, ast.Name) and slot.value.id == "self":
        return issubclass(getattr(importlib.import_module(module), around), QObject)
    return not isinstance(slot.value, ast.Name) or not slot.value.id[0].isupper()


@pytest.mark.parametrize("path", python_files("ui"), ids=lambda path: path.stem)
def test_only_methods_of_objects_are_connected(path: Path) -> None:
    """No lambda, partial or function is connected to a signal past `tie`.

    What `a.b.method` is a method of is not known here; PyQt holds the object of such a method weakly.
    """
    loose = [
        f"{module_name(path)}:{slot.lineno} {ast.unparse(slot)}"
        for slot, around in connected(syntax_of(path))
        if not lives_by_itself(slot, around, module_name(path))
    ]

    assert [] == loose


@pytest.mark.parametrize(
    ("line", "is_fine"),
    [
        ("signal.connect(self.hear)", True),
        ("signal.connect(label.setText)", True),
        ("signal.connect(lambda: None)", False),
        ("signal.connect(partial(self.hear, 1))", False),
        ("signal.connect(hear)", False),
        ("signal.connect(Label.setText)", False),
    ],
)
def test_what_is_refused(line: str, is_fine: bool) -> None:
    """The check itself sees what it is for."""
    ((slot, around),) = connected(ast.parse(f"class Life:\n    {line}"))

    assert is_fine == lives_by_itself(slot, around, __name__)


def test_a_method_of_no_qobject_is_refused() -> None:
    """Where it is known what ``self`` is, it must be an object that Qt knows."""
    ((slot, around),) = connected(ast.parse("class Plain:\n    signal.connect(self.hear)"))

    assert not lives_by_itself(slot, around, __name__)


class Plain:
    """Nothing that Qt knows."""
