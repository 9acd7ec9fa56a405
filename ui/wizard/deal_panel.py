"""A deal as it goes on: what came, what is missing, what somebody should look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QKeySequence
from PyQt6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from companion.i18n import join
from ui.painting.camera_view import CameraPicture, pixmap_of
from ui.text import opening, said, tr
from ui.wizard.deal_view import DealGuide, DealtCardView, DealView
from ui.wizard.live import Live

ICON_PX: Final = 96
# So many names of what is missing are told.
_TOLD: Final = 4


class DealPanel(QWidget):
    """Shows a deal card by card; every card can be named, the last one undone.

    Signals:
        changed: a card has come, or something else is shown of those that came.
    """

    changed = pyqtSignal()

    def __init__(self, scale: float, acknowledge: Callable[[], None], parent: QWidget | None = None) -> None:
        """Prepare; `acknowledge` is called for every card that is taken: it makes a sound."""
        super().__init__(parent)
        self._guide: DealGuide | None = None
        self._acknowledge = acknowledge
        self._scale = scale
        self._view: DealView | None = None
        self._live: Live | None = None
        self._make_labels()
        self._make_cards()
        self._make_buttons()
        self._lay_out()

    @property
    def is_watching(self) -> bool:
        """Whether it holds the camera."""
        return self._live is not None

    @property
    def has_cards(self) -> bool:
        """Whether any card has come."""
        return self._view is not None and bool(self._view.cards)

    def _make_labels(self) -> None:
        self.following = QLabel()
        self.following.setProperty("role", "prompt")
        self.following.setWordWrap(True)
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.missing = QLabel()
        self.missing.setWordWrap(True)
        self.missing.setProperty("role", "small")
        self.picture = CameraPicture()
        self.picture.setMinimumSize(320, 200)
        self.progress = QProgressBar()
        self.progress.setFormat("%v / %m")

    def _make_cards(self) -> None:
        edge = round(ICON_PX * self._scale)
        self.cards = QListWidget()
        self.cards.setAccessibleName(tr("What was dealt"))
        self.cards.setViewMode(QListView.ViewMode.IconMode)
        self.cards.setMovement(QListView.Movement.Static)
        self.cards.setResizeMode(QListView.ResizeMode.Adjust)
        self.cards.setWordWrap(True)
        self.cards.setIconSize(QSize(edge, edge))
        self.cards.setGridSize(QSize(round(edge * 1.45), round(edge * 1.6)))
        self.cards.currentRowChanged.connect(self._choose_card)
        self.naming = QLabel()
        self.names = QComboBox()
        self.names.setAccessibleName(tr("What it is"))
        self.names.addItem(tr("As the order says"), None)
        self.names.setMinimumContentsLength(18)
        self.names.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.names.activated.connect(self._say)

    def _make_buttons(self) -> None:
        self.doubtful = QPushButton(tr("Next doubtful one"))
        self.doubtful.setShortcut(QKeySequence("F3"))
        self.doubtful.clicked.connect(self.show_next_doubtful)
        self.undo = QPushButton(tr("Undo the last one"))
        self.undo.setShortcut(QKeySequence.StandardKey.Undo)
        self.undo.clicked.connect(self._undo)
        self.again = QPushButton(tr("Try again"))
        self.again.clicked.connect(self.start)
        self.again.hide()
        for button in (self.doubtful, self.undo, self.again):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        seen = QVBoxLayout()
        seen.addWidget(self.picture, 1)
        seen.addWidget(self.state)
        named = QHBoxLayout()
        named.addWidget(self.naming)
        named.addWidget(self.names, 1)
        named.addWidget(self.doubtful)
        dealt = QVBoxLayout()
        dealt.addWidget(self.cards, 1)
        dealt.addLayout(named)
        dealt.addWidget(self.progress)
        dealt.addWidget(self.missing)
        both = QHBoxLayout()
        both.addLayout(seen, 1)
        both.addLayout(dealt, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.undo)
        buttons.addWidget(self.again)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.following)
        column.addLayout(both, 1)
        column.addLayout(buttons)

    # -- what is seen -----------------------------------------------------------------------------

    def watch(self, guide: DealGuide) -> None:
        """Show a deal from now on."""
        self.stop()
        self._guide, self._view = guide, None
        while self.names.count() > 1:
            self.names.removeItem(1)
        for face, name in guide.names():
            self.names.addItem(opening(said(name)), face)
        self.start()

    def start(self) -> None:
        """Start watching, or restart after the camera was lost."""
        self.stop()
        if self._guide is None:
            return
        self.again.hide()
        self.picture.show_notice(tr("Waiting for the first picture…"))
        self._show_buttons()
        self._live = Live(self._guide.views)
        self._live.came.connect(self._came)
        self._live.failed.connect(self._failed)
        self._live.start()

    def stop(self) -> None:
        """Release the camera."""
        if self._live is not None and self._guide is not None:
            self._live.stop(self._guide.close)
            self._live = None

    def _came(self, view: object) -> None:
        if self._live is not None:
            assert isinstance(view, DealView)
            self.show_view(view)
            self._live.taken()

    def _failed(self, why: str) -> None:
        self.state.setText(why)
        self.again.show()

    def show_view(self, view: DealView) -> None:
        """Show one moment; what has just been taken is acknowledged."""
        before, self._view = self._view, view
        if view.camera.width:
            self.picture.show_notice("")
            self.picture.show_view(view.camera)
        self.state.setText(opening(said(view.state)))
        if view.following:
            self.following.setText(tr("Next: {name}", name=said(view.following)))
        else:
            self.following.setText(tr("✓ That was all of them."))
        if before is None or before.cards is not view.cards:
            self._show_cards(() if before is None else before.cards, view.cards)
            self._show_missing(view)
        if before is not None and len(view.cards) > len(before.cards):
            self._acknowledge()
        self._show_buttons()
        self.changed.emit()

    def _show_cards(self, before: tuple[DealtCardView, ...], cards: tuple[DealtCardView, ...]) -> None:
        row = self.cards.currentRow()
        # Whoever looks at the newest card goes on to do so.
        follows = row < 0 or row >= len(before) - 1
        while self.cards.count() > len(cards):
            self.cards.takeItem(self.cards.count() - 1)
        for number, card in enumerate(cards):
            if number >= self.cards.count():
                self.cards.addItem(QListWidgetItem())
            elif number < len(before) and before[number] == card:
                continue
            item = self.cards.item(number)
            assert item is not None
            self._fill(item, number, card)
        if cards and follows:
            self.cards.setCurrentRow(len(cards) - 1)
            self.cards.scrollToBottom()
        self._choose_card(self.cards.currentRow())

    def _fill(self, item: QListWidgetItem, number: int, card: DealtCardView) -> None:
        name = opening(said(card.name)) if card.name else tr("unknown")
        item.setText(f"{number + 1}. {name}{' ?' if card.is_doubtful else ''}")
        item.setToolTip(tr("Please look: is this right?") if card.is_doubtful else name)
        icon, picture = QIcon(), pixmap_of(card.picture)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # a chosen card is not tinted
            icon.addPixmap(picture, mode)
        item.setIcon(icon)
        font = item.font()
        font.setBold(card.is_doubtful)
        item.setFont(font)

    def _show_missing(self, view: DealView) -> None:
        come = len({card.face for card in view.cards if card.face})
        self.progress.setRange(0, max(come + len(view.missing), 1))
        self.progress.setValue(come)
        told = join(", ", view.missing[:_TOLD])
        more = len(view.missing) - _TOLD
        if not view.missing:
            self.missing.setText(tr("Nothing is missing."))
        elif more > 0:
            words = tr("Still missing: {names} and {number} more", names=said(told), number=more)
            self.missing.setText(words)
        else:
            self.missing.setText(tr("Still missing: {names}", names=said(told)))

    def _show_buttons(self) -> None:
        cards = () if self._view is None else self._view.cards
        self.undo.setEnabled(bool(cards))
        self.doubtful.setEnabled(any(card.is_doubtful for card in cards))

    # -- what people say --------------------------------------------------------------------------

    def _choose_card(self, row: int) -> None:
        """Show what the chosen card is taken to be."""
        cards = () if self._view is None else self._view.cards
        is_there = 0 <= row < len(cards)
        self.names.setEnabled(is_there)
        self.naming.setText(tr("Number {number} is:", number=row + 1) if is_there else "")
        if is_there:
            card = cards[row]
            at = self.names.findData(card.face) if card.is_said else 0
            self.names.setCurrentIndex(max(at, 0))

    def _say(self) -> None:
        row = self.cards.currentRow()
        if row >= 0 and self._guide is not None:
            self._guide.say(row, self.names.currentData())

    def _undo(self) -> None:
        if self._guide is not None:
            self._guide.undo()

    def show_next_doubtful(self) -> None:
        """Go to the next card that somebody should look at, round about from the chosen one."""
        cards = () if self._view is None else self._view.cards
        first = self.cards.currentRow() + 1
        for number in (*range(first, len(cards)), *range(first)):
            if number < len(cards) and cards[number].is_doubtful:
                self.cards.setCurrentRow(number)
                self.names.setFocus(Qt.FocusReason.OtherFocusReason)
                return
