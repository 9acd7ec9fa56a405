"""The menus of what can be put right."""

from __future__ import annotations

from PyQt6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from companion.table import Place
from companion.view_model import HandMove, Option, TableView
from ui.correction import moves_menu, place_menu

WHERE = Place("cell:0,0")


def test_a_name_with_an_ampersand_is_no_key(qtbot: QtBot) -> None:
    """It is written out in full, at options and moves and at their groups."""
    parent = QWidget()
    qtbot.addWidget(parent)
    options = (
        Option(value="a", text="a marker of Ada & Bo"),
        Option(value="b", text="a marker of B&B", group="Ada & Bo"),
    )
    view = TableView(title="", turn=1, phase="", outcome=None, players=())
    placed = place_menu(parent, WHERE, view, lambda _: options, lambda _, __: None)
    move = HandMove(path=(WHERE,), action=None, text="Ada & Bo goes", groups=("B&B",))
    moved = moves_menu(parent, (move,), lambda _: None)
    (below,) = moved.actions()
    group = below.menu()
    assert group is not None

    assert ["a marker of Ada && Bo", "Ada && Bo"] == [action.text() for action in placed.actions()]
    assert "B&&B" == below.text()
    assert ["Ada && Bo goes"] == [action.text() for action in group.actions()]


def test_moves_are_listed_below_each_of_their_groups(qtbot: QtBot) -> None:
    """Moves that share their first groups lie in one menu up to there."""
    parent = QWidget()
    qtbot.addWidget(parent)
    moves = [
        HandMove(path=(WHERE,), action=None, text=" ".join(words), groups=tuple(words[:-1]))
        for words in (["two", "a", "b"], ["two", "a", "c"], ["two", "b", "c"], ["one"])
    ]

    assert lines_of(moves_menu(parent, moves, lambda _: None)) == {
        "Two": {"A": {"Two a b": {}, "Two a c": {}}, "B": {"Two b c": {}}},
        "One": {},
    }


def lines_of(menu: QMenu) -> dict[str, object]:
    """Return the lines of a menu, each with those below it."""
    return {
        action.text(): {} if (below := action.menu()) is None else lines_of(below)
        for action in menu.actions()
    }
