"""Looking up rules: by words, by topic, and by what is happening now."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtGui import QFont, QKeyEvent
from PyQt6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from companion.view_model import Reminder
from ui.text import tr


def fitting(reminders: tuple[Reminder, ...], rule: str | None, hints: tuple[str, ...]) -> Reminder | None:
    """Return the best reminder: for the rule, else for the first hint that has one, else the first one."""
    if rule is not None:
        best = max(reminders, key=lambda reminder: reminder.explains(rule), default=None)
        if best is not None and best.explains(rule):
            return best
    for hint in hints:
        for reminder in reminders:
            if hint in reminder.hints:
                return reminder
    return reminders[0] if reminders else None


def matches(reminder: Reminder, words: str) -> bool:
    """Whether every word typed occurs in the reminder."""
    return reminder.has(words)


class RemindersPanel(QDialog):
    """A search field above a list by topic, with the text beside it; stays open during the game."""

    def __init__(self, reminders: tuple[Reminder, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        topics = list(dict.fromkeys(reminder.topic for reminder in reminders))
        self._reminders = sorted(reminders, key=lambda reminder: topics.index(reminder.topic))
        self.setWindowTitle(tr("Rules"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search the rules"))
        self.search.setAccessibleName(tr("Search the rules"))
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Rules"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setWordWrap(True)
        self._heading_font = QFont()
        self._heading_font.setBold(True)
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("The rule"))
        left = QVBoxLayout()
        left.addWidget(self.search)
        left.addWidget(self.list)
        row = QHBoxLayout(self)
        row.addLayout(left, 3)
        row.addWidget(self.text, 4)
        self.search.textChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self._show)
        self._fill("")
        self.resize(900, 520)

    def show_reminder(self, reminder: Reminder | None) -> None:
        """Select a reminder and show its text."""
        self.search.clear()
        for row in range(self.list.count()):
            item = self.list.item(row)
            if (
                item is not None
                and reminder is not None
                and item.data(Qt.ItemDataRole.UserRole) == reminder.id
            ):
                self.list.setCurrentRow(row)
        self.show()
        self.raise_()
        self.search.setFocus()

    def current(self) -> Reminder | None:
        """Return the reminder whose text is shown."""
        item = self.list.currentItem()
        wanted = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        return next((reminder for reminder in self._reminders if reminder.id == wanted), None)

    def _fill(self, words: str) -> None:
        """List the reminders that match the words, by topic."""
        self.list.clear()
        topic = ""
        for reminder in self._reminders:
            if not matches(reminder, words):
                continue
            if reminder.topic != topic:
                topic = reminder.topic
                heading = QListWidgetItem(topic)
                heading.setFont(self._heading_font)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                self.list.addItem(heading)
            item = QListWidgetItem(f"    {reminder.title}")
            item.setData(Qt.ItemDataRole.UserRole, reminder.id)
            self.list.addItem(item)
        self._step(1)

    def _step(self, direction: int) -> None:
        """Move to the next rule in a direction, skipping the headings."""
        row = self.list.currentRow() + direction
        while 0 <= row < self.list.count():
            item = self.list.item(row)
            if item is not None and item.flags() & Qt.ItemFlag.ItemIsSelectable:
                self.list.setCurrentRow(row)
                return
            row += direction

    def _show(self) -> None:
        reminder = self.current()
        if reminder is None:
            self.text.clear()
            return
        notes = []
        if reminder.ruling is not None:
            notes.append(
                tr("A ruling (number {number}): the rulebooks are not clear here.", number=reminder.ruling)
            )
        if reminder.is_edition:
            notes.append(tr("The editions differ here."))
        lines = "".join(f"<p><i>{note}</i></p>" for note in notes)
        self.text.setHtml(f"<h2>{reminder.title}</h2><p style='line-height:130%'>{reminder.text}</p>{lines}")

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Let the up and down keys move through the list while words are being typed."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self._step(1)
                return True
            if event.key() == Qt.Key.Key_Up:
                self._step(-1)
                return True
        return False
