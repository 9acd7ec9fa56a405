"""Sensor table set-up: one thing to do at a time, and its effect on the readings is learnt.

`LessonPanel` is the panel itself, `SensorPage` shows it in the wizard, `LessonWindow` in its own window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
    QWizardPage,
)

from companion.errors import CompanionError
from ui.settings import Settings
from ui.text import said, tr
from ui.theme import THEMES, dress
from ui.ties import tie
from ui.wizard.guide import GameChoice, ProfileChoice
from ui.wizard.live import Live
from ui.wizard.sensor_guide import LessonView, SensorGuide


class LessonPanel(QWidget):
    """Shows what to do, the progress and what is missing; buttons skip a step or go back.

    Signals:
        over: everything is learnt.
    """

    over = pyqtSignal()

    def __init__(self, skip: Callable[[], None], back: Callable[[], None]) -> None:
        super().__init__()
        self.task = QLabel()
        self.task.setProperty("role", "prompt")
        self.task.setWordWrap(True)
        self.missing = QLabel()
        self.missing.setWordWrap(True)
        self.progress = QProgressBar()
        self.progress.setFormat("%v / %m")
        self.back_button = QPushButton(tr("Previous step"))
        tie(self.back_button.clicked, self, back)
        self.skip_button = QPushButton(tr("Skip"))
        tie(self.skip_button.clicked, self, skip)
        self._live: Live | None = None
        self._close: Callable[[], None] = lambda: None
        row = QHBoxLayout()
        row.addWidget(self.progress, 1)
        row.addWidget(self.back_button)
        row.addWidget(self.skip_button)
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addWidget(self.task)
        column.addWidget(self.missing)
        column.addStretch(2)
        column.addLayout(row)
        self._set_idle(True)

    @property
    def is_running(self) -> bool:
        """Whether a lesson is running."""
        return self._live is not None

    def start(self, views: Callable[[], Iterator[object]], close: Callable[[], None]) -> None:
        """Start or restart; `close` must make the views end."""
        self.stop()
        self._close = close
        self.task.setText(tr("Looking for the table…"))
        self.missing.clear()
        self._live = Live(views)
        self._live.came.connect(self._came)
        self._live.failed.connect(self._failed)
        self._live.start()

    def stop(self) -> None:
        """Release the table."""
        if self._live is not None:
            self._live.stop(self._close)
            self._live = None
        self._set_idle(True)

    def _came(self, view: LessonView) -> None:
        if self._live is None:
            return
        self._live.taken()
        self.show_view(view)

    def show_view(self, view: LessonView) -> None:
        """Show one moment."""
        self._set_idle(view.is_over)
        self.task.setText(said(view.text))
        self.missing.setText(said(view.missing))
        self.progress.setRange(0, max(view.steps, 1))
        self.progress.setValue(view.done)
        if view.is_over:
            self.over.emit()

    def _failed(self, why: str) -> None:
        self.task.setText(tr("This cannot continue."))
        self.missing.setText(why)
        self._set_idle(True)

    def _set_idle(self, idle: bool) -> None:
        self.back_button.setDisabled(idle)
        self.skip_button.setDisabled(idle)


class SensorPage(QWizardPage):
    """The wizard's page that sets up a sensor table for the game chosen on an earlier page.

    Attributes:
        game: edition and players; must be set before the page is shown.
        learnt: the profile that keeps what was learnt; None until it is kept.
    """

    def __init__(self, guide: SensorGuide) -> None:
        super().__init__()
        self.setTitle(tr("Sensor table"))
        self.setSubTitle(tr("Follow the steps one by one; the table notices each on its own."))
        self._guide = guide
        self.game: GameChoice | None = None
        self.learnt: ProfileChoice | None = None
        self.choice = QComboBox()
        self.choice.setEditable(True)
        self.choice.setAccessibleName(tr("Sensor table"))
        self.panel = LessonPanel(guide.skip, guide.back)
        self.panel.over.connect(self._keep)
        self.begin_button = QPushButton(tr("Start"))
        self.begin_button.clicked.connect(self.start)
        row = QHBoxLayout()
        row.addWidget(self.choice, 1)
        row.addWidget(self.begin_button)
        column = QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.panel, 1)

    @property
    def address(self) -> str:
        """The table's address."""
        known: str | None = self.choice.currentData()
        return known if known is not None else self.choice.currentText()

    def initializePage(self) -> None:
        self.choice.clear()
        for address, name in self._guide.tables():
            self.choice.addItem(said(name), address)

    def begin_at(self, address: str) -> None:
        """Begin the lesson on the table that was chosen on an earlier page."""
        known = self.choice.findData(address)
        if known >= 0:
            self.choice.setCurrentIndex(known)
        else:
            self.choice.setCurrentText(address)
        self.start()

    def start(self) -> None:
        """Begin the lesson on the chosen table."""
        game = self.game
        if game is not None:
            address = self.address
            self.panel.start(lambda: iter(self._guide.lesson(address, game)), self._guide.close)

    def stop(self) -> None:
        """Release the table."""
        self.panel.stop()

    def cleanupPage(self) -> None:
        self.stop()

    def isComplete(self) -> bool:
        return self.learnt is not None

    def _keep(self) -> None:
        assert self.game is not None
        try:
            self.learnt = self._guide.keep(self.game)
        except CompanionError as error:
            self.panel.missing.setText(said(str(error)))
        self.completeChanged.emit()


class LessonWindow(QDialog):
    """The set-up in its own window; closing it keeps what was learnt so far.

    Attributes:
        is_over: whether everything was learnt.
    """

    def __init__(
        self,
        views: Callable[[], Iterator[object]],
        *,
        skip: Callable[[], None],
        back: Callable[[], None],
        close: Callable[[], None],
        settings: Settings,
    ) -> None:
        super().__init__()
        theme = THEMES[settings.theme_name]
        self.is_over = False
        self.setWindowTitle(tr("Sensor table set-up"))
        dress(self, theme, settings.scale)
        self.panel = LessonPanel(skip, back)
        self.panel.over.connect(self._finish)
        self.done_button = QPushButton(tr("Save and close"))
        self.done_button.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(self.panel, 1)
        column.addWidget(self.done_button)
        self.resize(760, 420)
        self.panel.start(views, close)

    def _finish(self) -> None:
        self.is_over = True
        self.done_button.setText(tr("Done"))

    def done(self, result: int) -> None:
        self.panel.stop()
        super().done(result)
