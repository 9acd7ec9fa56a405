"""The line at the top: current problems, and short messages that pass."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from companion.i18n import msg
from ui.text import opening, said

PASSING_MS: Final = 6000
PAUSE: Final = "pause"
MISHAP: Final = "mishap"


class Notices(QObject):
    """Keeps the current problems as messages, which are translated when they are shown.

    Signals:
        changed: what to show now; empty = nothing.
    """

    changed = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._amiss: dict[str, str] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.tell)

    def tell(self) -> None:
        """Show the current problems."""
        self.changed.emit("\n".join(opening(said(each)) for each in self._amiss.values()))

    def pass_by(self, words: str) -> None:
        """Show a text for a while."""
        self.changed.emit(words)
        self._timer.start(PASSING_MS)

    def lose(self, name: str, why: str) -> None:
        """Note that a source is gone."""
        self._amiss[name] = msg("{name}: {why} The game continues; trying again.", name=name, why=why)
        self.tell()

    def find(self, name: str) -> None:
        """Note that a source is back."""
        self._amiss.pop(name, None)
        self.tell()

    @property
    def has_mishap(self) -> bool:
        """Whether an unexpected error is shown, for which a bug report can be saved."""
        return MISHAP in self._amiss

    def mishap(self, why: str) -> None:
        """Note an unexpected error; of several, only the last one is shown."""
        self._amiss[MISHAP] = msg("{why}. The game continues; nothing is lost.", why=why)
        self.tell()

    def forget_mishap(self) -> None:
        """Drop the unexpected error: it was reported or dismissed."""
        self._amiss.pop(MISHAP, None)
        self.tell()

    def pause(self, is_paused: bool) -> None:
        """Note that the game is paused or has resumed."""
        if is_paused:
            self._amiss[PAUSE] = msg(
                "Paused: nothing is watched, and no thinking time counts (press P to continue)."
            )
        else:
            self._amiss.pop(PAUSE, None)
        self.tell()
