"""The line at the top: what is wrong, until it is right again, and short messages."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from companion.i18n import msg
from ui.text import opening, said

PASSING_MS: Final = 6000
PAUSE: Final = "pause"
MISHAP: Final = "mishap"


class Notices(QObject):
    """Keeps what is amiss as messages, to be said in whatever language is chosen then.

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
        """Show what is amiss."""
        self.changed.emit("\n".join(opening(said(each)) for each in self._amiss.values()))

    def pass_by(self, words: str) -> None:
        """Show some words for a while."""
        self.changed.emit(words)
        self._timer.start(PASSING_MS)

    def lose(self, name: str, why: str) -> None:
        """Something that watches is gone."""
        self._amiss[name] = msg("{name}: {why} The game continues; trying again.", name=name, why=why)
        self.tell()

    def find(self, name: str) -> None:
        """It is back."""
        self._amiss.pop(name, None)
        self.tell()

    @property
    def has_mishap(self) -> bool:
        """Whether something went wrong inside that a report can be saved of."""
        return MISHAP in self._amiss

    def mishap(self, why: str) -> None:
        """Something went wrong inside; of many the last one is told."""
        self._amiss[MISHAP] = msg("{why}. The game continues; nothing is lost.", why=why)
        self.tell()

    def forget_mishap(self) -> None:
        """It was reported, or is to be heard of no more."""
        self._amiss.pop(MISHAP, None)
        self.tell()

    def pause(self, is_paused: bool) -> None:
        """Nobody watches for now, or again."""
        if is_paused:
            self._amiss[PAUSE] = msg("Paused: the table is not being watched (press P to continue).")
        else:
            self._amiss.pop(PAUSE, None)
        self.tell()
