"""What is to be known about the program: its version, the licences of what it uses, where its data lie."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path
from typing import Final

from PyQt6.QtCore import PYQT_VERSION_STR, QT_VERSION_STR, Qt
from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from ui import folders
from ui.icon import program_icon
from ui.text import tr

ICON_PX: Final = 96
# What is built in and under which licence, as in docs/dependencies.md.
PARTS: Final = {
    "PyQt6": "GPL-3.0",
    "PyQt6-Charts": "GPL-3.0",
    "opencv-python": "Apache-2.0",
    "numpy": "BSD-3-Clause",
    "pyserial": "BSD-3-Clause",
    "websockets": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "platformdirs": "MIT",
    "cv2-enumerate-cameras": "MIT",
}


def version_of(package: str) -> str:
    """Return the version of an installed package; empty where that is not known."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


# So many letters have room beside one another.
_LETTERS = 80


class About(QDialog):
    """The page; its text can be selected and copied."""

    def __init__(self, settings_folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About Moontable"))
        picture = QLabel()
        picture.setPixmap(program_icon().pixmap(ICON_PX, ICON_PX))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        name = QLabel(f"Moontable {version_of('moontable')}".strip())
        name.setProperty("role", "banner")
        name.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.addWidget(picture)
        column.addWidget(name)
        for words in (*_sentences(), _places(settings_folder)):
            column.addWidget(_paragraph(words))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self._column = column

    def showEvent(self, event: QShowEvent | None) -> None:
        """Make room for all words: how high they are is known once they have their font."""
        width = _LETTERS * self.fontMetrics().averageCharWidth()
        self.setMinimumSize(width, self._column.totalHeightForWidth(width))
        super().showEvent(event)


def _sentences() -> tuple[str, ...]:
    """Return what it is, whose it is, and what it is made of."""
    parts = ", ".join(f"{part} {version_of(part)}".strip() + f" ({by})" for part, by in PARTS.items())
    system = f"Python {platform.python_version()}, Qt {QT_VERSION_STR}, PyQt {PYQT_VERSION_STR}"
    return (
        tr("A companion for real board games at a real table."),
        tr("Free software under the GNU General Public License, version 3 or later. No warranty."),
        tr("Built with: {parts}.", parts=parts),
        tr("Runs on: {system}.", system=f"{system}, {platform.system()} {platform.release()}"),
    )


def _places(settings_folder: Path) -> str:
    """Return where everything is kept."""
    lines = (
        tr("Games: {folder}", folder=str(folders.games_folder())),
        tr("Profiles: {folder}", folder=str(folders.profiles_folder())),
        tr("Preferences: {folder}", folder=str(settings_folder)),
    )
    return "\n".join((tr("Everything stays on this computer."), *lines))


def _paragraph(words: str) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
