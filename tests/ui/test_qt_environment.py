"""Qt beside OpenCV's wheel."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ui.qt_environment import forget_foreign_qt, has_display

OPEN_A_WINDOW = """
import cv2
from ui.qt_environment import forget_foreign_qt
forget_foreign_qt()
from PyQt6.QtWidgets import QApplication, QLabel
app = QApplication([])
label = QLabel("here")
label.show()
app.processEvents()
print(app.platformName(), label.isVisible())
"""


def test_a_window_opens_after_opencv_was_imported() -> None:
    """In a fresh process with OpenCV imported first, Qt finds its own plugins."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("QT_")}
    done = subprocess.run(
        [sys.executable, "-c", OPEN_A_WINDOW],
        env={**clean, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "offscreen True" == done.stdout.strip(), done.stderr


def test_what_a_user_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the variables that OpenCV set are dropped."""
    monkeypatch.setenv("QT_QPA_PLATFORM_PLUGIN_PATH", os.path.join("lib", "cv2", "qt", "plugins"))
    monkeypatch.setenv("QT_QPA_FONTDIR", "fonts-of-mine")
    forget_foreign_qt()

    assert "QT_QPA_PLATFORM_PLUGIN_PATH" not in os.environ
    assert "fonts-of-mine" == os.environ["QT_QPA_FONTDIR"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has machines without a screen")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "w"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
    ],
)
def test_a_missing_display_is_noticed(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
) -> None:
    """Without X and Wayland there is no window; a virtual platform counts as a display."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert expected == has_display()
