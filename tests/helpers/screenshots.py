"""Pictures of the window: ``python -m tests.helpers.screenshots FOLDER [--all] [--only SCENE]``.

Without ``--all`` only what the documents show, in English; with it every window in every language, light and
dark, on both usual screens and on one of 200 %.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from PyQt6.QtGui import QPixmap
from PyQt6.QtWidgets import QApplication

from companion.i18n import LANGUAGES
from tests.helpers.gallery import SCENES, opened
from ui.settings import Settings

SIZES = {"1280x720": (1280, 720), "1920x1080": (1920, 1080)}
DOUBLE = "200%"
THEMES = ("light", "dark")
# What the documents show, each in the light theme; the first also in the dark one.
SHOWN = (
    "rewards",
    "trouble",
    "log",
    "mend",
    "glance",
    "table-mode",
    "rules",
    "report",
    "camera",
    "past-games",
    "replay",
    "home",
    "new-game-blue_moon_city",
    "dealt-nova_luna",
    "deal",
    "copy-things",
    "people",
    "preferences",
    "share",
    "standings",
)
# Flat drawings as PNG, packed as small as can be; photographs as JPEG.
QUALITY = {".png": 0, ".jpg": 85}


def shoot(app: QApplication, scene: str, settings: Settings, size: tuple[int, int], target: Path) -> None:
    """Write one picture."""
    with opened(app, scene, settings, size) as shot:
        picture: QPixmap = shot.grab()
        if not picture.save(str(target), quality=QUALITY[target.suffix]):
            raise OSError(f"{target} cannot be written")


def ending(scene: str) -> str:
    """Return the kind of file for a scene."""
    return ".jpg" if scene in ("camera", "deal", "copy-things") or scene.startswith("wizard") else ".png"


def wanted(chosen: argparse.Namespace) -> Iterator[tuple[str, Settings, tuple[int, int], str]]:
    """Yield what to shoot: scene, settings, size and the file's name."""
    if not chosen.all:
        for scene in chosen.only or SHOWN:
            for theme in THEMES if scene == SHOWN[0] else THEMES[:1]:
                settings = Settings(theme=theme, language="en", is_still=True)
                yield scene, settings, SIZES["1280x720"], f"{scene}-{theme}{ending(scene)}"
        return
    sizes = {DOUBLE: SIZES["1280x720"]} if chosen.double else SIZES
    languages = chosen.language or LANGUAGES
    for scene, language, theme, size in product(chosen.only or SCENES, languages, THEMES, sizes):
        settings = Settings(theme=theme, language=language, is_still=True)
        yield scene, settings, sizes[size], f"{scene}-{language}-{theme}-{size}{ending(scene)}"


def shoot_doubled() -> int:
    """Do the same on a screen of 200 %, which must be known before the first window is made."""
    command = [sys.executable, "-m", "tests.helpers.screenshots", *sys.argv[1:], "--double"]
    return subprocess.run(command, env={**os.environ, "QT_SCALE_FACTOR": "2"}, check=False).returncode


def main() -> int:
    """Write the pictures and say which."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="every scene, language, theme, size and scale")
    parser.add_argument("--only", action="append", choices=SCENES, help="this scene; may be repeated")
    parser.add_argument("--language", action="append", choices=LANGUAGES, help="with --all: this language")
    parser.add_argument("--double", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    for scene, settings, size, name in wanted(chosen):
        shoot(app, scene, settings, size, chosen.folder / name)
        print(chosen.folder / name, flush=True)
    return shoot_doubled() if chosen.all and not chosen.double else 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
