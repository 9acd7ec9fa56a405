"""A moving picture of a watched game: ``python -m tests.helpers.moving_picture FILE.webp``.

The demo is played in a window that nobody sees; its last moments up to the rewards of a building are kept.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QApplication

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import PromptKind
from ui.assembly import demo
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow
from ui.onward import Left
from ui.qt_environment import favour_the_window
from ui.settings import Settings, write_settings
from vision.arrays import Image

WINDOW_WH = (1280, 720)
FILM_WH = (960, 540)
STEP_MS = 400
# So many pictures before the rewards are due, and so many while they are.
BEFORE, AFTER = 36, 8
BUILT = 3
QUALITY = 75


class Film:
    """Takes a picture of the window every so often until the rewards of a building have been shown."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        self.pictures: deque[Image] = deque(maxlen=BEFORE + AFTER)
        self._app = app
        self._window = window
        self._left = AFTER
        self._timer = QTimer()
        self._timer.timeout.connect(self._take)
        self._timer.start(STEP_MS)

    def _take(self) -> None:
        picture = pixels(self._window)
        if not self.pictures or not np.array_equal(picture, self.pictures[-1]):
            self.pictures.append(picture)
        if self._is_paying():
            self._left -= 1
            if self._left <= 0:
                self._timer.stop()
                self._app.quit()

    def _is_paying(self) -> bool:
        shown = self._window.shown
        if shown is None or len(self.pictures) < BEFORE:
            return False
        built = sum(tile.side == "built" for tile in shown.table.tiles)
        kinds = {prompt.kind for prompt in shown.prompts}
        return self._left < AFTER or (built > BUILT and PromptKind.REWARD in kinds)


def pixels(window: MainWindow) -> Image:
    """Return the window's picture, (height, width, 3) BGR, in the film's size."""
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_BGR888)
    bits = image.constBits()
    assert bits is not None
    rows = np.frombuffer(bits.asstring(image.sizeInBytes()), np.uint8).reshape(image.height(), -1)
    whole = rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3)
    return np.asarray(cv2.resize(whole, FILM_WH, interpolation=cv2.INTER_AREA), np.uint8)


def write_film(pictures: list[Image], file: Path) -> None:
    """Write the pictures as one moving WebP; raises OSError where that fails."""
    animation = cv2.Animation()
    animation.frames = [cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA) for picture in pictures]
    animation.durations = np.full(len(pictures), STEP_MS, np.int32)
    animation.durations[-1] = 6 * STEP_MS
    if not cv2.imwriteanimation(str(file), animation, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
        raise OSError(f"{file} cannot be written")


def play(app: QApplication, keep: Callable[[list[Image]], None]) -> Callable[..., Left]:
    """Return what shows the demo's window, filmed."""

    def show(referee: Any, sources: Any, *, played: Any, **_: Any) -> Left:
        with tempfile.TemporaryDirectory() as folder:
            write_settings(Path(folder), Settings(is_still=True, language="en"))
            session = Session(
                referee=referee,
                presenter=CityPresenter(),
                sources=sources,
                answer=played.answer,
                protest=played.protest,
            )
            window = MainWindow(ControllerBridge(session), Path(folder), "Moontable")
            window.resize(*WINDOW_WH)
            window.show()
            window.bridge.start()
            film = Film(app, window)
            app.exec()
            keep(list(film.pictures))
            window.close()
        return Left(status=0)

    return show


def main() -> int:
    """Film the demo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    favour_the_window()
    app = QApplication(sys.argv[:1])
    kept: list[Image] = []
    demo.show_window = play(app, kept.extend)
    demo.play_demo(demo.Demo(seed=chosen.seed))
    write_film(kept, chosen.file)
    print(f"{chosen.file}: {len(kept)} pictures, {chosen.file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
