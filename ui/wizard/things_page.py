"""The page on which boards and solid pieces are photographed and pointed at, one dot on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from companion.view_model import CameraView
from ui.text import opening, said, tr
from ui.wizard.board_points import BoardPoints
from ui.wizard.copy_guide import CopyGuide
from ui.wizard.guide import Look
from ui.wizard.live import Task
from ui.wizard.live_page import LivePage


class ThingsPage(LivePage):
    """Takes one photograph, has each thing pointed at, and learns them.

    Attributes:
        camera: the camera's address.
        is_learnt: whether the things were learnt, perhaps not all of them.
    """

    def __init__(self, guide: CopyGuide, scale: float) -> None:
        super().__init__(guide.close)
        self.guide = guide
        self.camera = ""
        self.is_learnt = False
        self._scale = scale
        self._look: Look | None = None
        self._shot: Look | None = None
        self._thinking = Task(self)
        self.setTitle(tr("Board and pieces"))
        self.setSubTitle(tr("Clear the table, then lay these on it side by side, with nothing on them."))
        self.things = QLabel()
        self.things.setWordWrap(True)
        self.task = QLabel()
        self.task.setWordWrap(True)
        self.task.setProperty("role", "name")
        self.points = BoardPoints()
        self.points.setAccessibleName(tr("Board and pieces"))
        self.points.taken.connect(self.take_points)
        self.points.moved.connect(self._moved)
        self.shoot = QPushButton(tr("Take the photograph"))
        self.shoot.setProperty("role", "main")
        self.shoot.clicked.connect(self.take_photograph)
        self.placed = QPushButton(tr("All dots are in place"))
        self.placed.setProperty("role", "main")
        self.placed.clicked.connect(self.take_points)
        self.undo = QPushButton(tr("Undo"))
        self.undo.clicked.connect(self.points.undo)
        self.again = QPushButton(tr("Photograph again"))
        self.again.clicked.connect(self.initializePage)
        self._lay_out()

    def _lay_out(self) -> None:
        pictures = QHBoxLayout()
        pictures.addWidget(self.picture, 1)
        pictures.addWidget(self.points, 1)
        buttons = QHBoxLayout()
        for button in (self.shoot, self.placed, self.undo, self.again):
            buttons.addWidget(button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.addWidget(self.things)
        column.addWidget(self.task)
        column.addLayout(pictures, 1)
        column.addWidget(self.notes)
        column.addLayout(buttons)

    def initializePage(self) -> None:
        self._thinking.end()
        names = (f"<b>{i}</b> {opening(said(one))}" for i, one in enumerate(self.guide.things(), 1))
        self.things.setText(" &nbsp; ".join(names))
        self.task.setText("")
        self._shot = None
        self._set_learnt(is_learnt=False)
        self._show_points(are_there=False)
        self.start()

    def values(self) -> Iterator[object]:
        return self.guide.looks(self.camera)

    def take(self, value: object) -> None:
        assert isinstance(value, Look)
        self._look = value
        self.picture.show_view(value.camera)
        self.notes.setText("\n".join(opening(said(note.text)) for note in value.notes if note.is_bad))
        self.shoot.setEnabled(value.is_table_found)

    def take_photograph(self) -> None:
        """Keep the current picture, and ask for each thing in it."""
        if self._look is None or self._shot is not None:
            return
        self._shot = self._look
        super().stop()
        self.notes.setText("")
        self._show_points(are_there=True)
        view = self._shot.camera
        self.points.show_picture(view, _beside_each_other(len(self.guide.things()), view), self._scale)
        self._ask_for_points()

    def _ask_for_points(self) -> None:
        self.task.setText(
            tr(
                "Drag each dot onto its thing: a board's middle, the foot of what stands. Or use the keys: "
                "Tab for the next dot, arrows to move it, Enter when all are in place."
            )
        )
        self.placed.setEnabled(True)
        self.undo.setEnabled(self.points.can_undo)
        self.points.setFocus()

    def _moved(self) -> None:
        self.undo.setEnabled(self.points.can_undo)
        self.placed.setEnabled(True)

    def take_points(self) -> None:
        """Learn the things where the dots are."""
        if self._shot is None or self._thinking.is_running:
            return
        token, points = self._shot.token, self.points.points
        self.task.setText(tr("Learning; this takes a moment …"))
        for button in (self.placed, self.undo, self.again):
            button.setEnabled(False)

        def learning() -> Iterator[object]:
            yield self.guide.point(token, points)

        self._thinking.begin(learning, self._has_learnt, self._could_not_learn)

    def _has_learnt(self, unclear: object) -> None:
        assert isinstance(unclear, tuple)
        self._thinking.end()
        self.again.setEnabled(True)
        self.undo.setEnabled(self.points.can_undo)
        if unclear:
            self.task.setText(tr("Not everything was clear. Move the dots, photograph again, or go on."))
            self.notes.setText("\n".join(f"✗ {opening(said(one))}" for one in unclear))
            self.placed.setEnabled(True)
        else:
            self.task.setText(tr("✓ Board and pieces are known."))
            self.notes.setText("")
        self._set_learnt(is_learnt=True)

    def _could_not_learn(self, why: str) -> None:
        self._thinking.end()
        self.task.setText(tr("That did not work: {why}", why=why))
        for button in (self.placed, self.again):
            button.setEnabled(True)

    def _set_learnt(self, *, is_learnt: bool) -> None:
        self.is_learnt = is_learnt
        self.completeChanged.emit()

    def _show_points(self, *, are_there: bool) -> None:
        """Show the photograph to point at, or the live picture."""
        for widget in (self.points, self.placed, self.undo, self.again):
            widget.setVisible(are_there)
        self.picture.setVisible(not are_there)
        self.shoot.setVisible(not are_there)
        self.shoot.setEnabled(False)
        self.again.setEnabled(True)

    def isComplete(self) -> bool:
        return self.is_learnt

    def stop(self) -> None:
        super().stop()
        self._thinking.end()


def _beside_each_other(count: int, view: CameraView) -> Sequence[tuple[float, float]]:
    """Return a place for each dot: in a row across the middle of a picture."""
    return [(view.width * (i + 1) / (count + 1), view.height / 2) for i in range(count)]
