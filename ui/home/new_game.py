"""A new game: which one, who plays, by which variants, how it is followed; then the table to lay out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent, QShowEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QDialog,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from companion.set_up_form import Answers, FormQuestion, SetUpForm, Word
from companion.table import Place, Value
from companion.view_model import Option
from ui.home.following import Following
from ui.home.front_door import FrontDoor
from ui.home.plan import Begin, GamePlan, Watchers
from ui.home.seats_editor import SeatsEditor
from ui.settings import Settings
from ui.text import opening, said, tr
from ui.theme import THEMES, dress
from ui.ties import tie
from ui.wizard.dealt_table import DealtTable
from ui.wizard.guide import Dealt
from ui.wizard.live import Live

# As large as a small screen has room for, px.
LARGEST: Final = QSize(1260, 690)
# Left and right of the form's halves.
MARGINS_PX: Final = 24


class NewGame(QDialog):
    """Two pages: the game and its players, and the table to lay out for a game that is entered by hand.

    `plan` is filled in already; with `is_rematch` the table is shown at once. `remembered` are names of
    people to choose from, `rng` draws the order.

    Attributes:
        begun: the game to begin; None until the dialog was accepted.

    Signals:
        watched_wanted: a game that a camera or sensors follow is to begin, as `GamePlan`.
        set_up_wanted: a table is to be set up first; the game's name.
    """

    watched_wanted = pyqtSignal(object)
    set_up_wanted = pyqtSignal(str)

    def __init__(
        self,
        door: FrontDoor,
        forms: Mapping[str, SetUpForm],
        settings: Settings,
        parent: QWidget | None = None,
        *,
        plan: GamePlan | None = None,
        is_rematch: bool = False,
        remembered: Sequence[str] = (),
        rng: random.Random | None = None,
    ) -> None:
        super().__init__(parent)
        self.begun: Begin | None = None
        self._door = door
        self._forms = forms
        self._settings = settings
        self._looking: Live | None = None
        # What was chosen for each game stays while others are looked at.
        self._plans = {name: _usual_plan(name, form) for name, form in forms.items()}
        self._is_filling = False
        self.setWindowTitle(tr("Rematch") if is_rematch else tr("New game"))
        dress(self, THEMES[settings.theme_name], settings.scale)
        self.seats = SeatsEditor(rng or random.Random(), remembered, door.name_fault)
        self.seats.changed.connect(self._changed)
        self.following = Following()
        self.following.changed.connect(self._changed)
        self.following.look_wanted.connect(self.look)
        tie(self.following.set_up_wanted, self, lambda: self.set_up_wanted.emit(self.game))
        self.questions: dict[str, QComboBox] = {}
        self.table = DealtTable(
            THEMES[settings.theme_name], self._deal, self._swap, self._choices, self._relay
        )
        self._lay_out()
        first = plan.game if plan is not None and plan.game in forms else next(iter(forms))
        if plan is not None:
            self._plans[first] = plan
            self.following.prefer(plan.camera, plan.profile)
        self.games[first].setChecked(True)
        self._show_game()
        self._show_page(0)
        larger = max(1.0, settings.scale)
        self.resize(QSize(round(1000 * larger), round(640 * larger)).boundedTo(LARGEST))
        if is_rematch and plan is not None and not plan.is_watched:
            self.go_on()
        else:
            self.look()

    # -- building ---------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        self.stack.addWidget(self._form_page())
        self.stack.addWidget(self._table_page())
        self.fault = QLabel()
        self.fault.setWordWrap(True)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.back_button = QPushButton(tr("&Back"))
        tie(self.back_button.clicked, self.back_button, self.go_back)
        self.next_button = QPushButton()
        self.next_button.setProperty("role", "main")
        tie(self.next_button.clicked, self.next_button, self.go_on)
        buttons = QHBoxLayout()
        buttons.addWidget(self.fault, 1)
        for button in (self.cancel_button, self.back_button, self.next_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self.next_button.setDefault(True)
        column = QVBoxLayout(self)
        column.addWidget(self.stack, 1)
        column.addLayout(buttons)

    def _form_page(self) -> QWidget:
        self.games: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        for name, form in self._forms.items():
            button = QPushButton(said(form.title))
            button.setProperty("role", "choice")
            button.setCheckable(True)
            button.setAutoDefault(False)
            group.addButton(button)
            row.addWidget(button, 1)
            self.games[name] = button
        tie(group.buttonClicked, self, self._show_game)
        self._answers = QFormLayout()
        self._answers.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        variants = QGroupBox(tr("Variant"))
        variants.setLayout(self._answers)
        self.variants = variants
        sides = (QWidget(), QWidget())
        left, right = (QVBoxLayout(side) for side in sides)
        for column in (left, right):
            column.setContentsMargins(0, 0, 0, 0)
        left.addWidget(_boxed(tr("Players, clockwise; the first one starts"), self.seats))
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "small")
        left.addWidget(self.note)
        left.addStretch()
        right.addWidget(variants)
        right.addWidget(_boxed(tr("How the game is followed"), self.following))
        right.addStretch()
        self._sides = sides
        self._columns = columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for side in sides:
            columns.addWidget(side, 1)
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.addLayout(row)
        whole.addLayout(columns, 1)
        self._area = area = QScrollArea()
        area.setAccessibleName(tr("New game"))
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    def _table_page(self) -> QWidget:
        heading = QLabel(tr("Lay the table out like this"))
        heading.setProperty("role", "name")
        self.advice = QLabel()
        self.advice.setWordWrap(True)
        self.advice.setProperty("role", "small")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(heading)
        column.addWidget(self.advice)
        column.addWidget(self.table, 1)
        return page

    # -- the form ---------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The chosen game's name."""
        return next(name for name, button in self.games.items() if button.isChecked())

    @property
    def plan(self) -> GamePlan:
        """What is chosen now."""
        camera, profile, reader = self.following.source()
        answers = {name: box.currentData() for name, box in self.questions.items()}
        seats = self._seats(answers)
        named = zip(seats, self.seats.names(), strict=True)
        return GamePlan(
            game=self.game,
            seats=seats,
            answers=answers,
            names={seat: name for seat, name in named if name},
            camera=camera,
            profile=profile,
            reader=reader,
        )

    def _seats(self, answers: Answers) -> tuple[str, ...]:
        """Return the players; where they choose no colours they go by the form's words."""
        form = self._forms[self.game]
        chosen = self.seats.seats()
        return chosen if form.colours else form.seats(len(chosen), answers)

    def _show_game(self) -> None:
        """Show the chosen game's form as it was filled in."""
        plan, form = self._plans[self.game], self._forms[self.game]
        self._is_filling = True
        bounds = form.least, form.most
        self.seats.show_seats(plan.seats, plan.names, form.colours, bounds)
        self._ask(form.questions(len(plan.seats)), plan.answers)
        self.note.setText(said(form.note))
        self.note.setVisible(bool(form.note))
        self._is_filling = False
        if self.following.watchers is not None:
            self.look()
        self._changed()

    def _ask(self, questions: tuple[FormQuestion, ...], answers: Answers) -> None:
        """Show a choice for each question."""
        while self._answers.rowCount():
            self._answers.removeRow(0)
        self.questions = {}
        for question in questions:
            box = QComboBox()
            box.setAccessibleName(said(question.text))
            for choice in question.choices:
                box.addItem(opening(said(choice.text)), choice.word)
            box.setCurrentIndex(_index_of(question, question.chosen(answers)))
            tie(box.currentIndexChanged, box, self._changed)
            self.questions[question.name] = box
            self._answers.addRow(said(question.text), box)
        self.variants.setVisible(bool(questions))

    def _changed(self) -> None:
        """Keep what is chosen, ask what goes with it, and say what is wrong."""
        if self._is_filling:
            return
        form, plan = self._forms[self.game], self.plan
        questions = form.questions(len(plan.seats))
        self._is_filling = True
        if [question.name for question in questions] != list(self.questions) or any(
            self.questions[question.name].count() != len(question.choices) for question in questions
        ):
            self._ask(questions, plan.answers)
            plan = self.plan
        self._plans[self.game] = plan
        self.following.show_plan(plan)
        self._is_filling = False
        fault = said(form.fault(plan.answers)) if self.seats.is_complete or not form.colours else ""
        self.fault.setText(f"✗ {fault}" if fault else "")
        self._show_buttons()
        self._fit()

    @property
    def _is_complete(self) -> bool:
        form = self._forms[self.game]
        return self.seats.is_complete and not form.fault(self.plan.answers)

    # -- what can follow the game -----------------------------------------------------------------

    def look(self) -> None:
        """Look for cameras, sensor tables and profiles, in a separate thread.

        While it is busy for another game it is not disturbed: a camera may not let go for seconds.
        """
        self.following.show_looking()
        if self._looking is not None:
            return
        game = self.game

        def looking() -> Iterator[object]:
            yield self._door.watchers(game)

        self._looking = Live(looking)
        tie(self._looking.came, self, lambda watchers: self._looked(game, watchers))
        tie(self._looking.failed, self, lambda why: self._looked(game, why))
        self._looking.start()

    def _looked(self, game: str, found: object) -> None:
        """Show what was found, or why nothing was; look again if another game has been chosen meanwhile."""
        self._stop_looking()
        if game != self.game:
            self.look()
        elif isinstance(found, Watchers):
            self.following.show_watchers(found)
        else:
            self.following.show_failed(str(found))

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.stop(lambda: None)
            self._looking = None

    # -- the table to lay out ---------------------------------------------------------------------

    def _deal(self) -> Dealt:
        return self._door.deal(self.plan)

    def _swap(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        return self._door.swapped(self.plan, dealt, one, other)

    def _choices(self, dealt: Dealt, place: Place) -> tuple[Option, ...]:
        return self._door.choices(self.plan, dealt, place)

    def _relay(self, dealt: Dealt, place: Place, value: Value) -> Dealt:
        return self._door.relaid(self.plan, dealt, place, value)

    def go_on(self) -> None:
        """Show the table to lay out, or begin."""
        if not self._is_complete:
            return
        plan = self.plan
        if self.stack.currentIndex() == 0 and plan.is_watched:
            self.watched_wanted.emit(plan)
        elif self.stack.currentIndex() == 0:
            self.table.deal()
            self._show_page(1)
        elif self.table.dealt is not None:
            self.begun = Begin(plan=plan, start=self.table.dealt.start)
            self.accept()

    def go_back(self) -> None:
        """Show the form again."""
        self._show_page(0)
        if self.following.watchers is None and self._looking is None:
            self.look()

    def begin_watched(self, plan: GamePlan, start: object) -> None:
        """Begin the game that lies on the table, as the wizard has read it."""
        self.begun = Begin(plan=plan, start=start)
        self.accept()

    def _show_page(self, number: int) -> None:
        self.stack.setCurrentIndex(number)
        self.back_button.setVisible(number == 1)
        dealt = self.table.dealt
        if number == 1 and dealt is not None:
            self.advice.setText(self._advice(dealt))
        self._show_buttons()
        self.next_button.setFocus()

    def _advice(self, dealt: Dealt) -> str:
        """Return how to make the table match one that is laid out already."""
        if dealt.table.tiles:
            return tr(
                "If yours is laid out already, make this one match: click a tile, then the one to swap "
                "it with."
            )
        hidden = tr("What lies face down becomes known when it is turned up.")
        if not self._forms[self.game].laid_kinds:
            return hidden
        match = tr(
            "If yours is laid out already, make this one match: click what differs and choose what lies "
            "there."
        )
        return f"{match} {hidden}"

    def _show_buttons(self) -> None:
        is_last = self.stack.currentIndex() == 1
        self.next_button.setText(tr("&Start the game") if is_last else tr("&Next"))
        self.next_button.setEnabled(self._is_complete)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Put the two halves of the form one below the other where they have no room side by side."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent | None) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        viewport = self._area.viewport()
        assert viewport is not None
        needed = sum(side.minimumSizeHint().width() for side in self._sides) + self._columns.spacing()
        margins = self._columns.contentsMargins()
        is_narrow = needed + margins.left() + margins.right() + MARGINS_PX > viewport.width()
        self._columns.setDirection(
            QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        )

    def done(self, result: int) -> None:
        self._stop_looking()
        super().done(result)


def _usual_plan(game: str, form: SetUpForm) -> GamePlan:
    """Return the plan of somebody who chooses nothing: two players where two can play."""
    players = max(form.least, min(2, form.most))
    answers: dict[str, Word] = {one.name: one.choices[0].word for one in form.questions(players)}
    return GamePlan(game=game, seats=form.seats(players, answers), answers=answers)


def _index_of(question: FormQuestion, word: Word) -> int:
    return [choice.word for choice in question.choices].index(word)


def _boxed(title: str, inside: QWidget) -> QGroupBox:
    box = QGroupBox(title)
    column = QVBoxLayout(box)
    column.addWidget(inside)
    return box
