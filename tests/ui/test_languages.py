"""Every window in every language: nothing cut off, no word left untranslated, changed at once."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PyQt6.QtCore import QRect, QRectF, Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from companion import i18n as words
from companion.i18n import LANGUAGES
from tests.helpers.gallery import PATIENCE_S, SCENES, Stage, city_game, opened, settle, staged
from tests.helpers.measure import clipped, cut_off, overflowing, words_of
from tests.helpers.patience import WAIT_MS
from ui.main_window import LEAST_WH
from ui.painting import art
from ui.settings import SCALES, Settings, read_settings

SMALL = (1280, 720)
# The camera's window needs minutes of learning; its words are those of the others.
UNWATCHED = [scene for scene in SCENES if not SCENES[scene].is_watched]
# Words of Qt's own buttons, keys, proper names, and what the test's own game is made of.
UNTOUCHED = re.compile(
    r"""<[^>]*> | &\w+; | Moontable | Blue\ Moon\ City | Front\ camera | home | moontable | tmp | /dev/ttyACM0
    | Ctrl | Shift | Alt | Esc | Enter | Del | F\d+ | Space
    | &?Next\ > | <\ &?Back | &?Cancel | &?Close | &?OK | &?Finish | &?Help | Commit | [AP]M
    | English | Русский | Español | Українська | Scroll\ (?:Left|Right)
    | Ada | Оля | דנה | Maximilian\ Featherstone
    | Buka | Vulca | Terrah | Aqua | Flit | Khind | Mimix | Hoax | Pillar
    | (?<=\()\w\) | \b[A-Z]\b""",
    re.VERBOSE,
)


class Bracketed(gettext.NullTranslations):
    """A language whose words are the English ones in brackets, which may hold one another."""

    def gettext(self, message: str) -> str:
        """Return the text in brackets."""
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the text for a number in brackets."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """Return the text in brackets."""
        del context
        return self.gettext(message)


def untranslated(told: str) -> str:
    """Return what is left of a text without what is in brackets or needs no translation."""
    before = None
    while before != told:
        before, told = told, re.sub(r"⟦[^⟦⟧]*⟧", "", told)
    left = UNTOUCHED.sub("", told)
    return left if re.search(r"[^\W\d_]", left) else ""


def drawn_words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that fills with every word that is painted."""
    drawn: list[str] = []
    draw_text = art.draw_text

    def listed(painter: QPainter, area: QRectF, told: str, *others: Any, **more: Any) -> None:
        drawn.append(told)
        draw_text(painter, area, told, *others, **more)

    monkeypatch.setattr(art, "draw_text", listed)
    return drawn


def staged_scenes(app: QApplication, language: str) -> Iterator[tuple[str, Stage]]:
    """Yield every window's scene with a main window over a game that is at the point it needs."""
    settings = Settings(language=language, is_still=True)
    for is_over in (False, True):
        with staged(app, city_game(4, is_over=is_over), settings, SMALL) as stage:
            for scene in UNWATCHED:
                if SCENES[scene].is_over == is_over:
                    yield scene, stage


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off(qapp: QApplication, language: str) -> None:
    """On the smallest screen every window has room for all its words."""
    faults: dict[str, list[str]] = {}
    for scene, stage in staged_scenes(qapp, language):
        shot = SCENES[scene].prepare(stage)
        settle(qapp, lambda shot=shot: not cut_off(shot), PATIENCE_S)  # type: ignore[misc]
        found = cut_off(shot)
        least = shot.minimumSizeHint()
        if least.width() > SMALL[0] or least.height() > SMALL[1]:
            found.append(f"needs {least.width()}x{least.height()}")
        if found:
            faults[scene] = found
        if shot is not stage.window:
            shot.close()

    assert {} == faults


@pytest.mark.parametrize(
    ("scene", "language"),
    [
        ("end", "es"),
        ("end", "ru"),
        ("home-first", "es"),
        ("new-game-blue_moon_legends", "es"),
        ("wizard-names", "en"),
        ("wizard-numbers", "es"),
        ("sensor-health", "ru"),
        ("glance", "ru"),
        ("mishap-box", "es"),
        ("wizard-camera", "es"),
    ],
)
def test_the_largest_text_is_not_cut_off(qapp: QApplication, scene: str, language: str) -> None:
    """Where words are longest, the largest text has room too."""
    settings = Settings(language=language, is_still=True, scale=SCALES[-1])
    with opened(qapp, scene, settings, SMALL) as shot:
        settle(qapp, lambda: not list(clipped(shot)), PATIENCE_S)
        found = list(clipped(shot))
        if scene.startswith("wizard"):
            found += overflowing(shot)

    assert [] == found


@pytest.mark.parametrize("size", [SMALL, LEAST_WH])
@pytest.mark.parametrize("language", LANGUAGES)
def test_done_is_in_sight_with_four_players_on_a_small_screen(
    qapp: QApplication, language: str, size: tuple[int, int]
) -> None:
    """The first prompt's button is wholly in sight, in the least window too; a line counts what is below."""
    with staged(qapp, city_game(4), Settings(language=language, is_still=True), size) as stage:
        panel = stage.window.prompts
        settle(qapp, panel.more.isVisible, PATIENCE_S)
        viewport, shown = panel.viewport(), stage.window.shown
        assert viewport is not None
        assert shown is not None
        main = [each for each in panel.findChildren(QPushButton) if each.property("role") == "main"]
        places = [QRect(each.mapTo(viewport, each.rect().topLeft()), each.size()) for each in main]
        counted = [int(word) for word in panel.more.text().split() if word.isdigit()]

        assert size == (stage.window.width(), stage.window.height())
        assert [] == list(clipped(stage.window))
        assert [True] == [viewport.rect().contains(place) for place in places]
        assert panel.more.isVisible()
        assert [0] < counted < [len(shown.prompts)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_menu_entry_has_a_letter_of_its_own(qapp: QApplication, language: str) -> None:
    """Menus are gone through by their underlined letters; none is there twice."""
    with staged(qapp, city_game(2), Settings(language=language, is_still=True), SMALL) as stage:
        bar = stage.window.menuBar()
        assert bar is not None
        menus = [menu for action in bar.actions() if (menu := action.menu()) is not None]
        assert len(menus) >= 3
        for actions in (bar.actions(), *(menu.actions() for menu in menus)):
            told = [action.text() for action in actions if action.isVisible() and action.text()]
            letters = [match[1].lower() for text in told if (match := re.search(r"&(\w)", text))]

            assert len(told) == len(letters), told
            assert len(letters) == len(set(letters)), told


def test_no_word_is_left_untranslated(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every translation in brackets, no word of any window stands outside of them."""
    monkeypatch.setattr(words, "catalogue", lambda _language: Bracketed())
    drawn = drawn_words(monkeypatch)
    left: dict[str, set[str]] = {}
    for scene, stage in staged_scenes(qapp, "en"):
        drawn.clear()
        shot = SCENES[scene].prepare(stage)
        settle(qapp)
        shot.grab()
        found = {told for told in (*words_of(shot), *drawn) if untranslated(told)}
        if found:
            left[scene] = found
        if shot is not stage.window:
            shot.close()

    assert {} == left


def test_the_language_changes_at_once(qapp: QApplication, qtbot: QtBot) -> None:
    """A key changes every word of the window, the choice is kept, and back again."""
    with staged(qapp, city_game(2), Settings(language="en", is_still=True), SMALL) as stage:
        window = stage.window
        before = window.banner.text()
        click: Any = qtbot.keyClick
        click(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: "заканчивает ход" in window.entry_button.text(), timeout=WAIT_MS)

        assert "ru" == read_settings(stage.folder).language
        assert "Русский" == next(a.text() for a in window.menus.languages.actions() if a.isChecked())
        assert "Отменить" == window.menus.undo.text().replace("&", "")
        assert window.banner.text().startswith("Ходит")

        click(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: window.banner.text() == before, timeout=WAIT_MS)
