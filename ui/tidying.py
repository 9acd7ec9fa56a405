"""Garbage collection in the window's thread, the only one where the window's objects may be destroyed."""

from __future__ import annotations

import gc
from typing import Final

from PyQt6.QtCore import QObject, QTimer

EVERY_MS: Final = 100


class Tidying(QObject):
    """Collects garbage only in the window's thread while it is active.

    Python itself collects in whichever thread happens to allocate objects, and could destroy widgets in a
    source's thread. Objects that exist at the start are frozen (`gc.freeze`), so they are not scanned again.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.tidy)

    def start(self) -> None:
        """Take over garbage collection from Python."""
        gc.disable()
        gc.unfreeze()  # what an earlier window froze may be garbage by now
        gc.collect()
        gc.freeze()
        self._timer.start(EVERY_MS)

    def stop(self) -> None:
        """Return garbage collection to Python."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def tidy(self) -> None:
        """Collect the oldest generation that is due, as Python would."""
        due = [made > most > 0 for made, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(due):
            gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))
