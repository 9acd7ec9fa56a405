"""The wizard's page on which a copy of the game is learnt from photographs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from companion.components import Pose
from ui.painting.table_view import TableScene, TableTwin
from ui.settings import Settings
from ui.text import opening, said, tr
from ui.theme import THEMES
from ui.wizard.board_points import BoardPoints
from ui.wizard.guide import (
    BoardQuestion,
    GameChoice,
    Lesson,
    Look,
    Naming,
    PointedBoxes,
    ProfileChoice,
    SetupGuide,
)
from ui.wizard.live import Task
from ui.wizard.live_page import LivePage
from ui.wizard.tile_questions import TileQuestions

# So many of the things that could not be learnt are named one by one.
_MOST_NAMED: Final = 3


class LearnPage(LivePage):
    """Takes the photographs, asks what they do not show for certain, then learns."""

    def __init__(self, guide: SetupGuide, settings: Settings) -> None:
        super().__init__(guide.close)
        self.guide = guide
        self.setTitle(tr("Learning your tiles and pieces"))
        self.camera = ""
        self.game: GameChoice | None = None
        self.learnt: ProfileChoice | None = None
        self.shots: dict[str, object] = {}
        self._poses: tuple[Pose, ...] = ()
        self._look: Look | None = None
        self.looks_taken = 0
        self._thinking = Task(self)
        self._naming: Naming | None = None
        self._said: dict[str, str] = {}
        self._own_values: dict[str, tuple[int, ...]] = {}
        self._board_question: BoardQuestion | None = None
        self._board: PointedBoxes | None = None
        self._scale = settings.scale
        self.task = QLabel()
        self.task.setWordWrap(True)
        self.task.setProperty("role", "name")
        self.scene = TableScene(THEMES[settings.theme_name])
        self.scene.is_still = True
        self.model = TableTwin(self.scene)
        self.questions = TileQuestions()
        self.questions.changed.connect(self._check_answers)
        self.questions.hide()
        self._make_board()
        self.shoot = QPushButton(tr("Take the photograph"))
        self.shoot.setProperty("role", "main")
        self.shoot.clicked.connect(self.take_photograph)
        self.answered = QPushButton(tr("That is right"))
        self.answered.setProperty("role", "main")
        self.answered.clicked.connect(self.take_answers)
        self.answered.hide()
        self.again = QPushButton(tr("Start again"))
        self.again.clicked.connect(self.initializePage)
        pictures = QHBoxLayout()
        pictures.addWidget(self.model, 1)
        pictures.addWidget(self.picture, 1)
        pictures.addWidget(self.questions, 1)
        pictures.addWidget(self.board_points, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.shoot)
        buttons.addWidget(self.answered)
        buttons.addWidget(self.placed)
        buttons.addWidget(self.undo)
        buttons.addWidget(self.again)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.addWidget(self.task)
        column.addLayout(pictures, 1)
        column.addWidget(self.notes)
        column.addLayout(buttons)

    def _make_board(self) -> None:
        """Make what points at the board's boxes; it is shown only where they are not found."""
        self.board_points = BoardPoints()
        self.board_points.taken.connect(self.take_board)
        self.board_points.moved.connect(self._board_moved)
        self.board_points.hide()
        self.placed = QPushButton(tr("These are the boxes"))
        self.placed.setProperty("role", "main")
        self.placed.clicked.connect(self.take_board)
        self.placed.hide()
        self.undo = QPushButton(tr("Undo"))
        self.undo.clicked.connect(self.board_points.undo)
        self.undo.hide()

    def initializePage(self) -> None:
        assert self.game is not None
        self._thinking.end()
        self.shots.clear()
        self.learnt = None
        self._naming = None
        self._said, self._own_values = {}, {}
        self._board_question, self._board = None, None
        self._poses = self.guide.poses(self.game)
        self._ask_for_pose()
        self.start()

    def values(self) -> Iterator[object]:
        return self.guide.looks(self.camera)

    def take(self, value: object) -> None:
        assert isinstance(value, Look)
        self._look = value
        self.looks_taken += 1
        self.picture.show_view(value.camera)
        if self._is_asking_for_pose:
            self.notes.setText("\n".join(opening(said(note.text)) for note in value.notes if note.is_bad))
            self.shoot.setEnabled(value.is_table_found)

    @property
    def _is_asking_for_pose(self) -> bool:
        """Whether the page is waiting for the next photograph."""
        return (
            not self._thinking.is_running and self.questions.isHidden() and len(self.shots) < len(self._poses)
        )

    def take_photograph(self) -> None:
        """Keep the current picture for the pose; after the last one, learn."""
        if self._look is None or not self._is_asking_for_pose:
            return
        pose = self._poses[len(self.shots)]
        self.shots[pose.name] = self._look.token
        self.task.setText(tr("Looking at the photograph …"))
        lesson = self._lesson()

        def checking() -> Iterator[object]:
            self.guide.check(lesson)
            yield pose

        self._think(checking, self._has_checked, self._could_not_use)

    def _has_checked(self, pose: object) -> None:
        assert isinstance(pose, Pose)
        self._thinking.end()
        self.again.setEnabled(True)
        if pose.names_tiles:
            self._name_tiles()
        else:
            self._go_on()

    def take_answers(self) -> None:
        """Take the answers about single tiles."""
        if not self.questions.is_answered:
            return
        names = self.questions.names()
        if names:
            self._said |= names
            self._name_tiles()
            return
        self._own_values = self.questions.own_values()
        self._go_on()

    def isComplete(self) -> bool:
        return self.learnt is not None

    def stop(self) -> None:
        super().stop()
        self._thinking.end()

    def _go_on(self) -> None:
        """Ask for the next photograph, or look for the board's boxes and learn if there is none."""
        if len(self.shots) < len(self._poses):
            self._ask_for_pose()
        else:
            self._look_for_board()

    def _ask_for_pose(self) -> None:
        pose = self._poses[len(self.shots)]
        number = tr("Photograph {number} of {total}", number=len(self.shots) + 1, total=len(self._poses))
        self.task.setText(f"{number}: {said(pose.text)}")
        self._show_questions(are_there=False)
        self.model.setVisible(pose.table is not None)
        if pose.table is not None:
            self.scene.show_view(said(pose.table))
        self.shoot.setEnabled(self._look is not None and self._look.is_table_found)
        self.completeChanged.emit()

    def _show_questions(self, *, are_there: bool) -> None:
        """Show questions about tiles instead of the camera's picture, or the picture again."""
        self.questions.setVisible(are_there)
        self.answered.setVisible(are_there)
        self.picture.setVisible(not are_there)
        self.shoot.setVisible(not are_there)
        self._show_board(is_there=False)

    def _show_board(self, *, is_there: bool) -> None:
        """Show the picture to point at, or hide it."""
        for widget in (self.board_points, self.placed, self.undo):
            widget.setVisible(is_there)

    def _think(
        self,
        values: Callable[[], Iterator[object]],
        came: Callable[[object], None],
        failed: Callable[[str], None],
    ) -> None:
        """Let the guide work in a separate thread, with the buttons disabled."""
        for button in (self.shoot, self.answered, self.again):
            button.setEnabled(False)
        self._thinking.begin(values, came, failed)

    # -- which tile is which ----------------------------------------------------------------------

    def _name_tiles(self) -> None:
        shot, names = self.shots[self._poses[len(self.shots) - 1].name], dict(self._said)
        self.task.setText(tr("Finding out which tile is which …"))

        def naming() -> Iterator[object]:
            yield self.guide.name_tiles(shot, names)

        self._think(naming, self._has_named, self._could_not_use)

    def _could_not_use(self, why: str) -> None:
        """Ask for the same photograph again."""
        self._thinking.end()
        self.again.setEnabled(True)
        del self.shots[self._poses[len(self.shots) - 1].name]
        self._ask_for_pose()
        self.task.setText("\n".join((tr("That did not work: {why}", why=why), self.task.text())))

    def _has_named(self, naming: object) -> None:
        assert isinstance(naming, Naming)
        assert self.game is not None
        self._thinking.end()
        self.again.setEnabled(True)
        self._naming = naming
        self._poses = self.guide.poses(self.game, naming)
        if not naming.asked:
            self._go_on()
            return
        self.notes.setText("")
        if any(not one.is_sure for one in naming.asked):
            self.task.setText(tr("Moontable cannot tell some tiles apart. Which is which?"))
        else:
            self.task.setText(tr("Some tiles seem to show different numbers from the game's list."))
        self.model.hide()
        self._show_questions(are_there=True)
        self.questions.ask(naming, self._scale)
        self._check_answers()

    def _check_answers(self) -> None:
        clash = self.questions.clash()
        self.notes.setText(f"✗ {clash}" if clash else "")
        self.answered.setEnabled(self.questions.is_answered)

    # -- where the board's boxes are ------------------------------------------------------------------

    def _look_for_board(self) -> None:
        lesson = self._lesson()
        self._show_questions(are_there=False)
        super().stop()
        self.task.setText(tr("Looking for the boxes of the board …"))

        def looking() -> Iterator[object]:
            yield self.guide.board_question(lesson)

        self._think(looking, self._has_looked, self._could_not_learn)

    def _has_looked(self, question: object) -> None:
        self._thinking.end()
        self.again.setEnabled(True)
        if question is None:
            self._learn()
            return
        assert isinstance(question, BoardQuestion)
        self._board_question = question
        self.task.setText(
            tr(
                "Moontable cannot find the boxes of the board by itself. Drag each dot onto its box: 1 onto "
                "the lowest number, {last} onto the highest. Or use the keys: Tab for the next dot, arrows "
                "to move it, Enter when all are in place.",
                last=len(question.boxes),
            )
        )
        for widget in (self.picture, self.shoot, self.model):
            widget.hide()
        self._show_board(is_there=True)
        self.board_points.show_picture(question.picture, question.boxes, self._scale)
        self.placed.setEnabled(True)
        self.undo.setEnabled(False)
        self.board_points.setFocus()

    def _board_moved(self) -> None:
        self.undo.setEnabled(self.board_points.can_undo)

    def take_board(self) -> None:
        """Take the boxes as they are pointed at, and learn."""
        if self._board_question is not None:
            self._board = PointedBoxes(question=self._board_question, boxes=self.board_points.points)
            self._learn()

    # -- learning ---------------------------------------------------------------------------------

    def _lesson(self) -> Lesson:
        """Return everything to learn from so far."""
        assert self.game is not None
        return Lesson(
            shots=dict(self.shots),
            game=self.game,
            naming=self._naming,
            own_values=dict(self._own_values),
            board=self._board,
        )

    def _learn(self) -> None:
        lesson = self._lesson()
        self._show_questions(are_there=False)
        super().stop()
        self.task.setText(tr("Learning; this takes a moment …"))

        def learning() -> Iterator[object]:
            told: list[str] = []
            yield self.guide.learn(lesson, told.append)

        self._think(learning, self._has_learnt, self._could_not_learn)

    def _could_not_learn(self, why: str) -> None:
        self.again.setEnabled(True)
        self.task.setText(tr("That did not work: {why}", why=why))

    def _has_learnt(self, profile: object) -> None:
        assert isinstance(profile, ProfileChoice)
        self.learnt = profile
        self.again.setEnabled(True)
        self.task.setText(_told(profile.missing))
        self.completeChanged.emit()


def _told(missing: Sequence[str]) -> str:
    """Return what is said once a copy is learnt, of which this could not be."""
    if not missing:
        return tr("✓ Done. Moontable now knows your copy of the game.")
    first = tr("✓ Done. Moontable now knows your copy of the game, but for this:")
    named = [f"• {opening(said(why))}" for why in missing[:_MOST_NAMED]]
    more = len(missing) - len(named)
    rest = [tr("… and {n} more.", n=more)] if more else []
    return "\n".join([first, *named, *rest])
