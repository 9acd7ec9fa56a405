"""Text grows with the window: a large screen is read from further away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PyQt6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.helpers.gallery import Stage, city_game, staged
from tests.helpers.patience import WAIT_MS
from ui.main_window import SIZE_WH
from ui.settings import Settings, read_settings

LARGE = tuple(round(1.5 * side) for side in SIZE_WH)


@pytest.fixture(params=[0.8, 1.0, 1.3])
def stage(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A window of the usual size with text of some size."""
    settings = Settings(language="en", is_still=True, scale=request.param)
    with staged(qapp, city_game(2), settings, SIZE_WH) as opened:
        yield opened


def height_px(label: QLabel) -> int:
    """Return how large a label's letters are."""
    return label.fontInfo().pixelSize()


def test_text_grows_with_the_window_and_shrinks_again(stage: Stage, qtbot: QtBot) -> None:
    """At half as large again it is half as large again, if not larger by choice; the choice stays."""
    window = stage.window
    usual = height_px(window.banner)
    scale = window.settings.scale
    window.resize(*LARGE)
    grown = max(scale, 1.5 * min(scale, 1.0)) / scale
    qtbot.waitUntil(lambda: abs(height_px(window.banner) / usual - grown) < 0.08, timeout=WAIT_MS)
    assert scale == window.settings.scale == read_settings(stage.folder).scale

    window.resize(*SIZE_WH)
    qtbot.waitUntil(lambda: height_px(window.banner) == usual, timeout=WAIT_MS)


def test_the_glance_fills_its_window(stage: Stage, qtbot: QtBot) -> None:
    """Twice as large a window has letters and signs twice as large."""
    stage.window.menus.glance.trigger()
    glance = stage.window.side.glance
    width, height = glance.width(), glance.height()
    usual, sign = height_px(glance.turn), glance.sign.width()
    glance.resize(2 * width, 2 * height)
    qtbot.waitUntil(lambda: abs(height_px(glance.turn) - 2 * usual) <= 1, timeout=WAIT_MS)

    assert 2 * sign == glance.sign.width()
