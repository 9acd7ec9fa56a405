"""What is done in a separate thread while a window says what it is and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from ui.text import said, tr
from ui.ties import tie
from ui.wizard.live import Live


class WorkStoppedError(Exception):
    """What is being done is no longer wanted."""


class Work(QWidget):
    """A line with the task, how far it is, and a button that gives it up; hidden while there is none.

    Signals:
        failed: why the task could not be done, as text.
    """

    failed = pyqtSignal(str)
    _reported = pyqtSignal(str, int, int)

    def __init__(self) -> None:
        super().__init__()
        self._task: _Task | None = None
        self._ending: list[_Task] = []
        self.told = QLabel()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.stop_button = QPushButton(tr("Stop"))
        tie(self.stop_button.clicked, self.stop_button, self.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.told)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop_button)
        self._reported.connect(self._show)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """Whether something is being done."""
        return self._task is not None

    def begin(
        self, told: str, values: Callable[[], Iterator[object]], came: Callable[[object], None]
    ) -> None:
        """Do something; `came` gets its values one after the other. What was being done is given up."""
        self.stop()
        task = self._task = _Task(values)

        def take(value: object) -> None:
            if self._task is task:
                came(value)
                task.live.taken()

        def fail(why: str) -> None:
            if self._task is task:
                self.stop()
                self.failed.emit(why)

        tie(task.live.came, self, take)
        tie(task.live.failed, self, fail)
        tie(task.live.finished, self, lambda: self._ended(task))
        self.told.setText(told)
        self.bar.setRange(0, 0)
        self.show()
        task.live.start()

    def report(self, what: str, step: int, steps: int) -> None:
        """Take from the working thread what is being done; what is no longer wanted ends there."""
        task = self._task
        if task is None or not task.is_mine():
            raise WorkStoppedError
        self._reported.emit(what, step, steps)

    def _show(self, what: str, step: int, steps: int) -> None:
        self.told.setText(said(what))
        self.bar.setRange(0, steps)
        self.bar.setValue(step)

    def stop(self) -> None:
        """Give the task up; its thread ends at its next report."""
        if self._task is not None:
            self._ending.append(self._task)
            self._task = None
        self.hide()

    def _ended(self, task: _Task) -> None:
        if task in self._ending:
            self._ending.remove(task)
        if self._task is task:
            self._task = None
            self.hide()

    def end(self) -> None:
        """Give everything up and wait for the threads."""
        self.stop()
        for task in self._ending:
            task.live.stop(lambda: None)
        self._ending.clear()


class _Task:
    """One thing that is done, and its thread."""

    def __init__(self, values: Callable[[], Iterator[object]]) -> None:
        self._values = values
        self.live = Live(self._guarded)

    def _guarded(self) -> Iterator[object]:
        try:
            yield from self._values()
        except WorkStoppedError:
            return

    def is_mine(self) -> bool:
        """Whether the calling thread is the task's."""
        return self.live is Live.currentThread()
