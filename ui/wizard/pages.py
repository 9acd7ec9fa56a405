"""The pages of the wizard that look at laid-out tiles: learning them, and checking the city."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from companion.view import Mark, TableView
from ui.settings import Settings
from ui.table_view import TableScene, TableTwin
from ui.text import opening, player_name, said, tr
from ui.theme import THEMES
from ui.wizard.guide import GameChoice, LaidOut, Look, Pose, ProfileChoice, SetupGuide
from ui.wizard.live import Live
from ui.wizard.live_page import LivePage


class LearnPage(LivePage):
    """Four photographs, then learning."""

    def __init__(self, guide: SetupGuide, settings: Settings) -> None:
        super().__init__(guide)
        self.setTitle(tr("Learning your tiles and pieces"))
        self.camera = ""
        self.game: GameChoice | None = None
        self.learnt: ProfileChoice | None = None
        self.shots: dict[str, object] = {}
        self._poses: tuple[Pose, ...] = ()
        self._look: Look | None = None
        self.looks_taken = 0
        self._learning: Live | None = None
        self.task = QLabel()
        self.task.setWordWrap(True)
        self.task.setProperty("role", "name")
        self.scene = TableScene(THEMES[settings.theme_name])
        self.scene.is_still = True
        self.model = TableTwin(self.scene)
        self.shoot = QPushButton(tr("Take the photograph"))
        self.shoot.setProperty("role", "main")
        self.shoot.clicked.connect(self.take_photograph)
        self.again = QPushButton(tr("Begin again"))
        self.again.clicked.connect(lambda: self.initializePage())
        pictures = QHBoxLayout()
        pictures.addWidget(self.model, 1)
        pictures.addWidget(self.picture, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.shoot)
        buttons.addWidget(self.again)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.addWidget(self.task)
        column.addLayout(pictures, 1)
        column.addWidget(self.notes)
        column.addLayout(buttons)

    def initializePage(self) -> None:
        assert self.game is not None
        self.shots.clear()
        self.learnt = None
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
        if self._learning is None and len(self.shots) < len(self._poses):
            self.notes.setText("\n".join(opening(said(note.text)) for note in value.notes if note.is_bad))
            self.shoot.setEnabled(value.is_table_found)

    def take_photograph(self) -> None:
        """Keep the picture of this moment for the pose; after the last one, learn."""
        if self._look is None or len(self.shots) >= len(self._poses):
            return
        self.shots[self._poses[len(self.shots)].name] = self._look.token
        if len(self.shots) < len(self._poses):
            self._ask_for_pose()
        else:
            self._learn()

    def isComplete(self) -> bool:
        return self.learnt is not None

    def stop(self) -> None:
        super().stop()
        if self._learning is not None:
            self._learning.stop(lambda: None)
            self._learning = None

    def _ask_for_pose(self) -> None:
        pose = self._poses[len(self.shots)]
        number = tr("Photograph {number} of {total}", number=len(self.shots) + 1, total=len(self._poses))
        self.task.setText(f"{number}: {said(pose.text)}")
        self.model.setVisible(pose.table is not None)
        if pose.table is not None:
            self.scene.show_view(said(pose.table))
        self.shoot.setEnabled(self._look is not None and self._look.is_table_found)
        self.completeChanged.emit()

    def _learn(self) -> None:
        assert self.game is not None
        game, shots = self.game, dict(self.shots)
        self.shoot.setEnabled(False)
        self.again.setEnabled(False)
        super().stop()
        self.task.setText(tr("Learning; this takes a little while …"))

        def learning() -> Iterator[object]:
            told: list[str] = []
            yield self.guide.learn(shots, game, told.append)

        self._learning = Live(learning)
        self._learning.came.connect(self._has_learnt)
        self._learning.failed.connect(self._could_not_learn)
        self._learning.start()

    def _has_learnt(self, profile: object) -> None:
        assert isinstance(profile, ProfileChoice)
        self.learnt = profile
        self.again.setEnabled(True)
        self.task.setText(tr("✓ Learnt. Moontable knows your copy now."))
        self.completeChanged.emit()

    def _could_not_learn(self, why: str) -> None:
        self.again.setEnabled(True)
        self.task.setText(tr("This did not work: {why}", why=why))


class CheckPage(LivePage):
    """Is the city laid out as the rules want it?"""

    def __init__(self, guide: SetupGuide, settings: Settings) -> None:
        super().__init__(guide)
        self.setTitle(tr("The laid-out city"))
        self.setSubTitle(tr("Lay out the city for the game: sketch sides up, all figures in the courtyard."))
        self.camera = ""
        self.profile = ""
        self.game: GameChoice | None = None
        self.laid: LaidOut | None = None
        self.scene = TableScene(THEMES[settings.theme_name])
        self.scene.is_still = True
        self.twin = TableTwin(self.scene)
        self.twin.hide()
        pictures = QHBoxLayout()
        pictures.addWidget(self.twin, 1)
        pictures.addWidget(self.picture, 1)
        self.notes.setProperty("role", "name")
        column = QVBoxLayout(self)
        column.addLayout(pictures, 1)
        column.addWidget(self.notes)

    def initializePage(self) -> None:
        self.laid = None
        self.start()

    def values(self) -> Iterator[object]:
        assert self.game is not None
        return self.guide.laid_out(self.camera, self.profile, self.game)

    def take(self, value: object) -> None:
        assert isinstance(value, LaidOut)
        was_ready = self.isComplete()
        self.laid = value
        self._show_picture(value.camera)
        self._show_table(said(value.table))
        self.scene.set_marks(dict.fromkeys(value.wrong, Mark.WRONG))
        begins = self.game.players[0] if self.game is not None else ""
        ready = tr("✓ Everything lies right. {player} begins.", player=player_name(begins))
        self.notes.setText(f"✗ {said(value.fault)}" if value.fault else ready)
        if was_ready != self.isComplete():
            self.completeChanged.emit()

    def isComplete(self) -> bool:
        return self.laid is not None and not self.laid.fault and self.laid.start is not None

    def _show_table(self, table: TableView | None) -> None:
        self.twin.setVisible(table is not None)
        if table is not None:
            self.scene.show_view(table)
