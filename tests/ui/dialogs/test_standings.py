"""The page of a finished game: it comes by itself, tells who won, and leads on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.view_model import PlayerView, TableView
from tests.helpers.city_session import entered_session
from tests.helpers.gallery import Stage, city_game, staged
from tests.helpers.patience import WAIT_MS
from ui import text
from ui.dialogs.standings import StandingsPage
from ui.onward import Onward
from ui.painting.standings import in_words, ranked, standings_image
from ui.settings import Settings
from ui.theme import DARK, LIGHT


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> TableView:
    """The table of a finished game of three."""
    session = entered_session(tmp_path_factory.mktemp("game"), city_game(3, is_over=True))
    view = session.presenter.present(session.referee.state)
    session.referee.journal.close()
    return text.said(view)


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    """A main window over a finished game."""
    game = city_game(3, is_over=True)
    with staged(qapp, game, Settings(language="en", is_still=True), (1280, 720)) as opened:
        yield opened
    text.install("en")


def pages() -> list[StandingsPage]:
    """Return the open pages."""
    return [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, StandingsPage) and each.isVisible()
    ]


def test_it_comes_when_the_game_ends_and_goes_when_the_end_is_undone(stage: Stage, qtbot: QtBot) -> None:
    """A game that is over already when its window opens stays quiet; its end, played again, does not."""
    window = stage.window
    assert [] == pages()

    window.bridge.undo()
    qtbot.waitUntil(lambda: window.shown is not None and not window.shown.table.outcome, timeout=WAIT_MS)
    window.bridge.redo()
    qtbot.waitUntil(lambda: len(pages()) == 1, timeout=WAIT_MS)
    window.bridge.undo()
    qtbot.waitUntil(lambda: not pages(), timeout=WAIT_MS)


def test_it_leads_to_the_next_game_by_keyboard(stage: Stage, qtbot: QtBot) -> None:
    """Enter on the page begins the rematch."""
    window = stage.window
    qtbot.waitUntil(window.menus.standings.isEnabled, timeout=WAIT_MS)
    window.menus.standings.trigger()
    qtbot.keyClick(pages()[0], Qt.Key.Key_Return)

    assert window.onward is Onward.REMATCH
    assert not window.isVisible()
    assert [] == pages()


def test_a_simulated_table_has_no_rematch(qtbot: QtBot, table: TableView) -> None:
    """Nobody plays there who could play again."""
    page = StandingsPage(table, LIGHT, 1.0, can_rematch=False)
    qtbot.addWidget(page)
    asked: list[bool] = []
    page.report_wanted.connect(lambda: asked.append(True))
    page.buttons["report"].click()

    assert "rematch" not in page.buttons
    assert [True] == asked


def test_the_picture_is_saved_and_copied(qtbot: QtBot, tmp_path: Path, table: TableView) -> None:
    """File and clipboard hold the same picture; a folder that is not there is said."""
    page = StandingsPage(table, DARK, 1.0, can_rematch=True)
    qtbot.addWidget(page)
    page.copy()
    clipboard = QApplication.clipboard()
    assert clipboard is not None
    kinds = QImage.Format.Format_RGB32
    file = tmp_path / "end.png"

    assert page.save(file)
    assert QImage(str(file)).convertToFormat(kinds) == page.picture.image
    assert clipboard.image().convertToFormat(kinds) == page.picture.image
    assert not page.save(tmp_path / "missing" / "end.png")
    assert "could not be written" in page.said.text()


def test_the_best_comes_first_and_ties_share_a_place(table: TableView) -> None:
    """By rank, those who tie in seat order; nobody has a place where there is no order."""
    players = [
        PlayerView(player=name, is_active=False, is_winner=rank == 1, counters=(), rank=rank)
        for name, rank in (("white", 2), ("teal", 1), ("purple", 2))
    ]
    view = replace(table, players=tuple(players))
    together = replace(table, players=tuple(replace(player, rank=None) for player in players))

    assert ["teal", "white", "purple"] == [player.player for player in ranked(view)]
    assert ["white", "teal", "purple"] == [player.player for player in ranked(together)]
    assert ["1. Teal", "2. White", "2. Purple"] == [
        line.split(":")[0] for line in in_words(text.said(view)).splitlines()[1:]
    ]
    assert ["White", "Teal", "Purple"] == [
        line.split(":")[0] for line in in_words(text.said(together)).splitlines()[1:]
    ]


@pytest.mark.usefixtures("qapp")
def test_names_and_colours_are_in_the_picture(table: TableView) -> None:
    """Another name makes another picture, and so does another theme."""
    plain = standings_image(table, LIGHT)

    assert plain == standings_image(table, LIGHT)
    assert plain != standings_image(table, DARK)
    text.call({table.players[0].player: "Ada & Bo"})
    try:
        assert plain != standings_image(table, LIGHT)
        assert "Ada & Bo" in in_words(table)
    finally:
        text.call({})
