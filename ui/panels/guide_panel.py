"""A few hints for a first game, one after the other: what is shown where, and how to correct it."""

from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from ui.text import tr


def hints() -> tuple[str, ...]:
    """Return the hints in their order."""
    return (
        tr("The drawing on the left is the table as Moontable knows it. It follows what you play."),
        tr("On the right is what to do now, the most important first. Press Enter or Done once it is done."),
        tr(
            "Is something wrong on the drawing? Click it and choose what is really there. By keyboard: arrow "
            "keys, then Enter."
        ),
        tr(
            "Is something wrong in the log? Double-click the line to correct it, or take it back with Ctrl+Z."
        ),
    )


class GuidePanel(QFrame):
    """Shows one hint at a time; hidden unless a first game is guided.

    Signals:
        finished: the last hint was read, or the hints were skipped.
    """

    finished = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step: int | None = None
        self.setProperty("role", "card")
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.next = QPushButton(tr("Next"))
        self.skip = QPushButton(tr("Skip the hints"))
        self.next.clicked.connect(self._go_on)
        self.skip.clicked.connect(self._finish)
        row = QHBoxLayout(self)
        row.addWidget(self.words, 1)
        for button in (self.next, self.skip):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        self.hide()

    def show_step(self, step: int | None) -> None:
        """Show the hint of this number, from 0; None for no hint."""
        self.step = step
        self.setVisible(step is not None)
        if step is None:
            return
        told = hints()
        self.words.setText(f"{step + 1}/{len(told)}   {told[step]}")
        self.setAccessibleName(told[step])
        is_last = step == len(told) - 1
        self.next.setText(tr("Start playing") if is_last else tr("Next"))
        self.skip.setVisible(not is_last)

    def _go_on(self) -> None:
        if self.step is None or self.step == len(hints()) - 1:
            self._finish()
        else:
            self.show_step(self.step + 1)

    def _finish(self) -> None:
        self.show_step(None)
        self.finished.emit()
