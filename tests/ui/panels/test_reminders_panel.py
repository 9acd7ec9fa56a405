"""Looking up a rule."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import TILES
from companion.games.blue_moon_city.texts import RULES
from ui.panels.reminders_panel import RemindersPanel, fitting, matches

ALL = GAME.reminders()


def test_reminders_are_complete() -> None:
    """Every rule that names a player's doing is explained, and every rule named exists."""
    unexplained = [
        rule
        for rule in RULES
        if not rule.startswith("table.") and not any(each.explains(rule) for each in ALL)
    ]
    named = {rule for each in ALL for rule in each.rules}

    assert [] == unexplained
    assert all(any(rule.startswith(each) for rule in RULES) for each in named)
    assert len(ALL) == len({each.id for each in ALL})
    assert {hint for each in ALL for hint in each.hints} & set(TILES)


@pytest.mark.parametrize(
    ("rule", "hints", "expected"),
    [
        ("fly.wrong_card", (), "flit"),
        ("dragon.step_not_orthogonal", (), "dragons-diagonal"),
        ("setup.start_tile", ("moving",), "setup-start"),
        (None, ("royal_palace", "moving"), "palace"),
        (None, ("mill", "moving"), "walk"),
        (None, ("nothing",), "goal"),
        ("no.such", ("contributing",), "contribute"),
    ],
)
def test_the_closest_reminder_fits(rule: str | None, hints: tuple[str, ...], expected: str) -> None:
    """The rule just named wins over the tile, the tile over the phase."""
    found = fitting(ALL, rule, hints)

    assert found is not None
    assert expected == found.id


def test_no_reminders_at_all() -> None:
    """A game without reminders opens an empty list."""
    assert fitting((), "x", ("y",)) is None


def test_words_narrow_the_list(qtbot: QtBot) -> None:
    """Typing narrows; up and down walk the rules while typing; rulings say what they are."""
    panel = RemindersPanel(ALL)
    qtbot.addWidget(panel)
    panel.show_reminder(fitting(ALL, "fly.wrong_card", ()))
    assert panel.current() is not None
    assert "Flit" in panel.text.toPlainText()

    qtbot.keyClicks(panel.search, "golden scale")
    first = panel.current()
    assert first is not None
    assert matches(first, "SCALE golden")
    qtbot.keyClick(panel.search, Qt.Key.Key_Down)
    second = panel.current()
    assert second is not None
    assert second.id != first.id
    qtbot.keyClick(panel.search, Qt.Key.Key_Up)
    assert first == panel.current()

    panel.search.setText("exchange leader")
    assert "ruling" in panel.text.toPlainText()
    panel.search.setText("no such words")
    assert panel.current() is None
    assert "" == panel.text.toPlainText()
