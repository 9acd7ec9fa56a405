"""What to do: the most important prompt large, the rest below it, everything within reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PyQt6.QtCore import QSize, Qt, pyqtBoundSignal, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from companion.decision import Fix
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.view_model import Mark
from ui.controller.view_state import Question, Trouble, ViewState
from ui.panels.flow_layout import FlowLayout
from ui.panels.players_panel import Sign
from ui.text import amount, ntr, opening, player_name, tr
from ui.ties import tie

# Roles of the style sheet: a line that is read across the table; a text that a table below it repeats.
LARGE = "prompt"
BELOW_SCALE = 1.3
LARGE_WITH_ROWS = "prompt-with-rows"
# Kinds that are shown only in the banner: whose turn it is needs no card.
SILENT_KINDS = frozenset({PromptKind.TURN})


def kind_title(kind: PromptKind) -> str:
    """Return the heading of a kind of prompt."""
    return {
        PromptKind.VIOLATION: tr("Rule"),
        PromptKind.QUESTION: tr("Question"),
        PromptKind.END: tr("End of the game"),
        PromptKind.EXCHANGE: tr("Scale exchange"),
        PromptKind.ANNOUNCEMENT: tr("Announcement"),
        PromptKind.PAYMENT: tr("Payment"),
        PromptKind.REWARD: tr("Rewards"),
        PromptKind.HOUSEKEEPING: tr("Tidy up"),
        PromptKind.OBELISK: tr("Obelisk"),
        PromptKind.TURN: tr("Turn"),
    }[kind]


def reason_text(reason: str) -> str:
    """Return the text for why a row of a prompt pays."""
    known = {
        "majority": tr("most markers"),
        "contributor": tr("contributor"),
        "neighbour": tr("neighbour"),
        "dragon": tr("dragon"),
        "exchange": tr("exchange"),
        "leader": tr("most scales"),
    }
    return known.get(reason, reason)


def amount_words(thing: str) -> tuple[str, str]:
    """Return the word before an amount (usually empty) and the thing; its sign follows the amount."""
    known = {"counted": (tr("has"), "scales"), "returned": (tr("returns"), "scales")}
    return known.get(thing, ("", thing))


def amount_text(thing: str, number: int) -> str:
    """Return an amount as text, for people who cannot see the sign."""
    before, sign = amount_words(thing)
    return f"{before} {amount(sign, number)}".strip()


class PromptCard(QFrame):
    """A framed block with a coloured edge, a heading and a body."""

    def __init__(self, title: str, text: str, mark: Mark, *, size: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setProperty("mark", mark.value)  # the style sheet gives the edge its colour
        # Not less than its words need in this width, and no more: the stretch below takes the rest.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(f"{title}: {text}")
        self.choices: list[QPushButton] = []
        self.prompt = ""  # id of the prompt it shows, if any; `done` is the button that confirms it
        self.done: QPushButton | None = None
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 8, 10, 8)
        self.body.setSpacing(5)
        heading = QLabel(title)
        heading.setProperty("role", "small")
        self._heading = QHBoxLayout()
        self._heading.addWidget(heading, 1)
        words = QLabel(opening(text))
        words.setWordWrap(True)
        words.setTextFormat(Qt.TextFormat.PlainText)
        if size:
            words.setProperty("role", size)
        self.body.addLayout(self._heading)
        self.body.addWidget(words)

    def add_at_top(self, buttons: list[QPushButton]) -> None:
        """Put buttons beside the heading, where they are in sight however long the card is."""
        for button in buttons:
            self._heading.addWidget(button)

    def add_buttons(self, buttons: list[QPushButton]) -> None:
        """Put buttons in a row at the end."""
        row = FlowLayout()
        for button in buttons:
            row.addWidget(button)
        self.body.addLayout(row)


def grouped(rows: tuple[PromptRow, ...]) -> tuple[tuple[PromptRow, tuple[str, ...]], ...]:
    """Return one row for each player and reason, in order: amounts added up, and all that pays them."""
    sums: dict[tuple[str, str], tuple[dict[str, int], list[str]]] = {}
    for row in rows:
        amounts, sources = sums.setdefault((row.player, row.reason), ({}, []))
        for thing, number in row.amounts.items():
            amounts[thing] = amounts.get(thing, 0) + number
        if row.source:
            sources.append(row.source)
    return tuple(
        (PromptRow(player=player, amounts=amounts, reason=reason), tuple(sources))
        for (player, reason), (amounts, sources) in sums.items()
    )


class ChoiceButton(QPushButton):
    """A button that breaks its text into two lines if one is too short."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = QLabel(words)
        self.words.setWordWrap(True)
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(words)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self.words)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        layout = self.layout()
        assert layout is not None
        return layout.totalHeightForWidth(width - margins.left() - margins.right())

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return super().minimumSizeHint() if layout is None else layout.totalMinimumSize()


class RowsTable(QWidget):
    """Who gets what, and why."""

    def __init__(
        self, rows: tuple[PromptRow, ...], shapes: dict[str, str], names: dict[str, str], scale: float = 1.0
    ) -> None:
        super().__init__()
        self._scale = scale
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        # Large text leaves no room beside name and amount: the reason goes below them.
        is_below = scale >= BELOW_SCALE
        for number, (row, sources) in enumerate(grouped(rows)):
            line = 2 * number
            grid.addWidget(Sign("", round(20 * scale), row.player, shapes.get(row.player, "circle")), line, 0)
            grid.addWidget(QLabel(player_name(row.player)), line, 1)
            grid.addWidget(self._amounts(row), line, 2)
            payers = [names.get(source, source.replace("_", " ")) for source in sources]
            why = ", ".join((reason_text(row.reason), *payers))
            reason = QLabel(why)
            reason.setProperty("role", "small")
            reason.setWordWrap(True)
            grid.addWidget(reason, line + is_below, 1 if is_below else 3, 1, 3 if is_below else 1)
        grid.setColumnStretch(3, 1)

    def _amounts(self, row: PromptRow) -> QWidget:
        box = QWidget()
        line = QHBoxLayout(box)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(3)
        for thing, number in row.amounts.items():
            if number:
                before, sign = amount_words(thing)
                label = QLabel(f"{before} {number}".strip())
                label.setProperty("role", "name")
                line.addWidget(label)
                line.addWidget(Sign(sign, round(18 * self._scale)))
        line.addStretch()
        box.setAccessibleName(", ".join(amount_text(thing, number) for thing, number in row.amounts.items()))
        return box


@dataclass(frozen=True, slots=True)
class _Due:
    """A widget to show: everything that its appearance depends on, and how to make it."""

    content: tuple[object, ...]
    make: Callable[[], QWidget]


class PromptPanel(QScrollArea):
    """The column of cards.

    A card that is already shown keeps its widget wherever it moves: it keeps the focus, a click hits the
    intended target, and nothing is made twice.

    Signals:
        confirmed: id of the prompt that the players say is done.
        answered: index of the choice that answers the question, or of the accepted offer.
        mend_wanted: the players say that the table is right and the game is not.
        misread: the players say that the game is right and the table was misread.
        dismissed: the players dismiss a card until the table changes.
        edits_dropped: the players discard their corrections by hand.
        report_wanted: the players want to see the charts of the finished game.
        height_changed: the cards need another height than before.
    """

    confirmed = pyqtSignal(str)
    answered = pyqtSignal(int)
    mend_wanted = pyqtSignal()
    misread = pyqtSignal()
    dismissed = pyqtSignal()
    edits_dropped = pyqtSignal()
    report_wanted = pyqtSignal()
    height_changed = pyqtSignal()

    def __init__(self, scale: float = 1.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = scale
        self._shown: list[tuple[tuple[object, ...], QWidget]] = []
        self.top_prompt: str | None = None
        self.choice_buttons: list[QPushButton] = []
        self.buttons: list[QPushButton] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("To do"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 4, 0)
        self._column.setSpacing(6)
        self._column.addStretch()
        self.setWidget(body)
        body.setAutoFillBackground(False)
        self.more = QPushButton(self)
        self.more.setProperty("role", "more")
        self.more.setFocusPolicy(
            Qt.FocusPolicy.NoFocus
        )  # Tab moves to what is below and scrolls it into sight
        self.more.clicked.connect(self._show_more)
        self.more.hide()
        self._bar = self.verticalScrollBar()
        assert self._bar is not None
        self._bar.valueChanged.connect(self._tell_more)
        self._bar.rangeChanged.connect(self._tell_more)

    def show_shown(self, shown: ViewState, shapes: dict[str, str]) -> None:
        """Bring the cards up to date."""
        self.top_prompt = next((p.id for p in shown.prompts if p.kind not in SILENT_KINDS), None)
        due = self._due(shown, shapes)
        if [one.content for one in due] == [content for content, _ in self._shown]:
            return
        held = self._card_in_focus()
        left, self._shown = self._shown, []
        for one in due:
            at = next((i for i, (content, _) in enumerate(left) if content == one.content), None)
            self._shown.append((one.content, one.make()) if at is None else left.pop(at))
        for _, gone in left:
            self._drop(gone, is_held=held is not None and held[1] is gone)
        cards = [card for _, card in self._shown]
        self._line_up(cards)
        if held is not None and held[1] not in cards:
            self._pass_focus_on(*held)
        self._column.activate()
        self._tell_more()
        self.height_changed.emit()

    def needed_height(self) -> int:
        """Return how high the panel must be to show all cards whole."""
        viewport = self.viewport()
        assert viewport is not None
        width = viewport.width()
        return self._column.totalHeightForWidth(width) if self._column.hasHeightForWidth() else 0

    def _drop(self, card: QWidget, *, is_held: bool) -> None:
        """Remove a card; `is_held` says that the widget in focus is on it."""
        focus = self._focus_inside() if is_held else None
        if focus is not None:
            focus.clearFocus()  # else Qt gives it to the next widget, which Enter would then press
        self._column.removeWidget(card)
        card.hide()
        card.setParent(None)
        card.deleteLater()

    def _line_up(self, cards: list[QWidget]) -> None:
        """Stack the cards, and put their buttons into tab order."""
        for line, card in enumerate(cards):
            if self._column.indexOf(card) != line:
                self._column.removeWidget(card)
                self._column.insertWidget(line, card)
            card.show()
            card.raise_()  # screen readers and the Tab key go from top to bottom
        buttons = [button for card in cards for button in card.findChildren(QPushButton)]
        for before, after in pairwise(buttons):
            QWidget.setTabOrder(before, after)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not redirect the next Enter
        self.buttons = buttons
        self.choice_buttons = [b for card in cards if isinstance(card, PromptCard) for b in card.choices]

    @property
    def is_in_focus(self) -> bool:
        """Whether one of the cards has the window's focus."""
        return self._focus_inside() is not None

    def _focus_inside(self) -> QWidget | None:
        """Return the widget in focus inside this panel; None if the focus is elsewhere in the window."""
        window = self.window()
        focus = None if window is None else window.focusWidget()
        return focus if focus is not None and self.isAncestorOf(focus) else None

    def _card_in_focus(self) -> tuple[int, PromptCard] | None:
        """Return the line and the card that has the focus."""
        focus = self._focus_inside()
        return next(
            (
                (line, card)
                for line, (_, card) in enumerate(self._shown)
                if focus is not None and isinstance(card, PromptCard) and card.isAncestorOf(focus)
            ),
            None,
        )

    def _pass_focus_on(self, line: int, gone: PromptCard) -> None:
        """Move the focus to the prompt of a removed card, else to the card now in its place, else nowhere."""
        cards = [card for _, card in self._shown if isinstance(card, PromptCard) and card.done is not None]
        same = [card for card in cards if card.prompt == gone.prompt]
        there = [card for _, card in self._shown[line : line + 1] if card in cards]
        for card in (*same, *there)[:1]:
            if card.done is not None:
                card.done.setFocus()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the note on hidden prompts at the lower edge."""
        super().resizeEvent(event)
        self._tell_more()

    def _tell_more(self) -> None:
        """Say at the lower edge how many prompts are hidden below."""
        bar, viewport = self._bar, self.viewport()
        assert bar is not None
        assert viewport is not None
        end, height = bar.value() + viewport.height(), self.more.sizeHint().height()
        is_cut = any(card.geometry().bottom() >= end for _, card in self._shown)
        below = [card for _, card in self._shown if card.geometry().bottom() >= end - height]
        count = len(below) - (bool(below) and below[0] is self._shown[0][1])
        words = ntr("{n} more to do", "{n} more to do", count) if count else tr("more below")
        self.more.setText(f"▼  {words}")
        self.more.setGeometry(0, viewport.height() - height, viewport.width(), height)
        self.more.setVisible(is_cut)

    def _show_more(self) -> None:
        """Scroll to the next prompt that is hidden below."""
        bar = self._bar
        assert bar is not None
        bar.setValue(bar.value() + bar.pageStep())

    def confirm_top(self) -> None:
        """Confirm the most important prompt, if there is one."""
        if self.top_prompt is not None:
            self.confirmed.emit(self.top_prompt)

    def answer(self, index: int) -> None:
        """Choose an answer by its index, if the question has that many."""
        if 0 <= index < len(self.choice_buttons):
            self.answered.emit(index)

    def _due(self, shown: ViewState, shapes: dict[str, str]) -> list[_Due]:
        due: list[_Due] = []
        if (trouble := shown.trouble) is not None:
            due.append(_Due((trouble,), partial(self._trouble_card, trouble)))
        if (question := shown.question) is not None:
            due.append(_Due((question,), partial(self._question_card, question)))
        if shown.hand_edits:
            due.append(_Due(("edits", shown.hand_edits), partial(self._edits_card, shown.hand_edits)))
        names = {tile.tile: tile.name for tile in shown.table.tiles}
        names |= {piece.colour: piece.name for piece in shown.table.pieces}
        for prompt in shown.prompts:
            if prompt.kind not in SILENT_KINDS:
                due.append(self._due_prompt(prompt, shapes, names, is_large=not due))
        if shown.waiting:
            is_large = not due
            due.append(
                _Due(
                    ("waiting", shown.waiting, shown.pending, is_large),
                    partial(self._waiting_card, shown.waiting, shown.pending, is_large=is_large),
                )
            )
        return due or self._calm(shown)

    def _due_prompt(
        self, prompt: Prompt, shapes: dict[str, str], names: dict[str, str], *, is_large: bool
    ) -> _Due:
        is_top = prompt.id == self.top_prompt
        return _Due(
            (prompt, tuple(shapes.items()), is_large, is_top),
            partial(self._prompt_card, prompt, shapes, names, is_large=is_large, is_top=is_top),
        )

    def _calm(self, shown: ViewState) -> list[_Due]:
        """Return lines that say that all is well, and what was recognised last."""
        agreed = tr("Nothing to do. The table and the game agree.")
        told = [agreed if shown.is_watched else tr("Nothing to do. Enter what is played on the drawing.")]
        if shown.history:
            told.append(f"{shown.history[-1].turn}. {opening(shown.history[-1].text)}")
        return [_Due((words,), partial(_quiet_line, words)) for words in told]

    def _trouble_card(self, trouble: Trouble) -> PromptCard:
        card = PromptCard(tr("Out of step"), trouble.text, Mark.WRONG, size=LARGE)
        if trouble.rule_text and trouble.rule_text != trouble.text:
            rule = QLabel(trouble.rule_text)
            rule.setWordWrap(True)
            card.body.addWidget(rule)
        self._add_fixes(card, trouble.fixes)
        self._add_choices(card, trouble.offers)
        card.add_buttons(
            [
                self._button(tr("Correct the game (F2)"), self.mend_wanted),
                self._button(tr("Misread (R)"), self.misread),
                self._button(tr("Not now (Esc)"), self.dismissed),
            ]
        )
        return card

    def _question_card(self, question: Question) -> PromptCard:
        card = PromptCard(tr("Question"), question.text, Mark.DUE, size=LARGE)
        self._add_choices(card, question.choices)
        card.add_buttons([self._button(tr("Not now (Esc)"), self.dismissed)])
        return card

    def _add_choices(self, card: PromptCard, choices: tuple[str, ...]) -> None:
        """Put a button for each answer on a card, labelled with the digit that chooses it."""
        for index, text in enumerate(choices):
            button = ChoiceButton(f"{index + 1}   {opening(text)}")
            tie(button.clicked, button, lambda i=index: self.answered.emit(i))
            card.choices.append(button)
            card.body.addWidget(button)

    def _button(self, text: str, wish: pyqtBoundSignal) -> QPushButton:
        button = QPushButton(text)
        tie(button.clicked, button, lambda: wish.emit())
        return button

    def _edits_card(self, edits: tuple[str, ...]) -> PromptCard:
        card = PromptCard(tr("Corrected by hand"), "\n".join(edits), Mark.NEWS)
        card.add_buttons([self._button(tr("Dismiss (Esc)"), self.edits_dropped)])
        return card

    def _prompt_card(
        self, prompt: Prompt, shapes: dict[str, str], names: dict[str, str], *, is_large: bool, is_top: bool
    ) -> PromptCard:
        is_end = prompt.kind is PromptKind.END
        mark = Mark.WRONG if prompt.kind is PromptKind.VIOLATION else Mark.DUE
        size = (LARGE_WITH_ROWS if prompt.rows else LARGE) if is_large else ""
        card = PromptCard(kind_title(prompt.kind), prompt.text, mark, size=size)
        if prompt.rows:
            card.body.addWidget(RowsTable(prompt.rows, shapes, names, self._scale))
        done = QPushButton(tr("Done (Enter)") if is_top else tr("Done"))
        done.setAccessibleName(tr("Done: {what}", what=prompt.text))
        card.prompt, card.done = prompt.id, done
        tie(done.clicked, done, lambda: self.confirmed.emit(prompt.id))
        if is_top:
            done.setProperty("role", "main")
        card.add_at_top([done])
        if is_end:
            card.add_buttons([self._button(tr("Report… (Ctrl+R)"), self.report_wanted)])
        return card

    def _waiting_card(self, text: str, pending: tuple[Fix, ...], *, is_large: bool) -> PromptCard:
        card = PromptCard(tr("Waiting"), text, Mark.UNCERTAIN, size=LARGE if is_large and pending else "")
        self._add_fixes(card, pending)
        return card

    def _add_fixes(self, card: PromptCard, fixes: tuple[Fix, ...]) -> None:
        for fix in fixes:
            line = QLabel(("−  " if fix.is_removal else "+  ") + fix.text)
            line.setWordWrap(True)
            card.body.addWidget(line)


def _quiet_line(words: str) -> QLabel:
    line = QLabel(words)
    line.setProperty("role", "phase")
    line.setWordWrap(True)
    return line
