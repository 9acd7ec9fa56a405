"""The pages of the wizard, each with one question."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWizardPage,
)

from companion.errors import CompanionError
from companion.view import CameraView, Mark, TableView
from ui.camera_view import CameraPicture
from ui.settings import Settings
from ui.table_view import TableScene, TableTwin
from ui.text import player_name, said, tr
from ui.theme import THEMES
from ui.wizard.guide import CameraChoice, GameChoice, LaidOut, Look, Pose, ProfileChoice, SetupGuide
from ui.wizard.live import Live


class LivePage(QWizardPage):
    """A page with a live picture; the camera is held only while the page is shown."""

    def __init__(self, guide: SetupGuide) -> None:
        super().__init__()
        self.guide = guide
        self.picture = CameraPicture()
        self.picture.setMinimumSize(420, 240)
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        self._live: Live | None = None

    def values(self) -> Iterator[object]:
        """Return what is iterated while the page is shown."""
        raise NotImplementedError

    def take(self, value: object) -> None:
        """Show one value."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin, or begin anew."""
        self.stop()
        self.picture.show_notice(tr("Waiting for the first picture…"))
        self._live = Live(self.values)
        self._live.came.connect(self._came)
        self._live.failed.connect(self._failed)
        self._live.start()

    @property
    def is_watching(self) -> bool:
        """Whether the page holds the camera."""
        return self._live is not None

    def stop(self) -> None:
        """Let go of the camera."""
        if self._live is not None:
            self._live.stop(self.guide.close)
            self._live = None

    def _show_picture(self, view: CameraView) -> None:
        """Show a picture; a sensor table has none."""
        if view.width:
            self.picture.show_view(view)
        else:
            self.picture.show_notice(tr("A sensor table: it feels, there is nothing to see."))

    def _came(self, value: object) -> None:
        if self._live is not None:
            self.picture.show_notice("")
            self.take(value)
            self._live.taken()

    def _failed(self, why: str) -> None:
        self.picture.show_notice(tr("No picture"))
        self.notes.setText(why)


class CameraPage(LivePage):
    """Which camera, and does it see the table well?"""

    def __init__(self, guide: SetupGuide) -> None:
        super().__init__(guide)
        self.setTitle(tr("Camera and table"))
        self.setSubTitle(
            tr("Lay the four printed codes around the table so that the camera sees all of them.")
        )
        self.choice = QComboBox()
        self.choice.setEditable(True)
        self.choice.setAccessibleName(tr("Camera"))
        self.choice.setToolTip(tr("A camera, or the address of a phone's camera app."))
        self.sheets = QPushButton(tr("Save the codes for printing…"))
        self.sheets.clicked.connect(self._save_sheets)
        self.is_found = False
        self.look: Look | None = None
        row = QHBoxLayout()
        row.addWidget(self.choice, 1)
        row.addWidget(self.sheets)
        column = QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.picture, 1)
        column.addWidget(self.notes)
        self.choice.activated.connect(lambda: self.start())

    @property
    def address(self) -> str:
        """What the camera is known by."""
        known: CameraChoice | None = self.choice.currentData()
        text = self.choice.currentText()
        return known.address if known is not None and known.name == text else text

    @property
    def is_sensors(self) -> bool:
        """Whether a sensor table was chosen."""
        return self.address.partition(":")[0] == "sensors"

    def initializePage(self) -> None:
        self.choice.clear()
        for camera in self.guide.cameras():
            self.choice.addItem(camera.name, camera)
        if self.choice.count():
            self.start()
        else:
            self.picture.show_notice(tr("No camera was found"))
            self.notes.setText(tr("Plug one in and come back, or type the address of a phone's camera."))

    def values(self) -> Iterator[object]:
        return self.guide.looks(self.address)

    def take(self, value: object) -> None:
        assert isinstance(value, Look)
        self.look = value
        self._show_picture(value.camera)
        told = [("✗ " if note.is_bad else "• ") + said(note.text) for note in value.notes]
        self.notes.setText("\n".join(told) or tr("✓ The table is found, light and focus are good."))
        if value.is_table_found != self.is_found:
            self.is_found = value.is_table_found
            self.completeChanged.emit()

    def isComplete(self) -> bool:
        return self.is_found

    def _save_sheets(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Where to?"))
        if folder:
            self.save_sheets_to(folder)

    def save_sheets_to(self, folder: str) -> None:
        """Write the sheets and say where."""
        try:
            files = self.guide.write_sheets(folder)
        except (CompanionError, OSError) as error:
            self.notes.setText(said(str(error)))
            return
        self.notes.setText(tr("Print at 100 %: {files}", files=", ".join(files)))


class ProfilePage(QWizardPage):
    """Use what was learnt, take a file, or learn now.

    Signals:
        chosen: a profile was chosen (or None: learn now).
    """

    chosen = pyqtSignal(object)

    def __init__(self, guide: SetupGuide) -> None:
        super().__init__()
        self.guide = guide
        self.setTitle(tr("Tiles and pieces"))
        self.setSubTitle(
            tr("Moontable must have seen your own copy once, from about where the camera stands.")
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("What was learnt"))
        self.from_file = QPushButton(tr("From a file…"))
        self.from_file.clicked.connect(self._import)
        self.to_file = QPushButton(tr("Into a file…"))
        self.to_file.clicked.connect(self._export)
        self.trouble = QLabel()
        self.trouble.setWordWrap(True)
        self._profiles: list[ProfileChoice] = []
        self._of_sensors = False
        files = QHBoxLayout()
        files.addWidget(self.from_file)
        files.addWidget(self.to_file)
        files.addStretch()
        column = QVBoxLayout(self)
        column.addWidget(self.list, 1)
        column.addLayout(files)
        column.addWidget(self.trouble)
        self.list.currentRowChanged.connect(self._chosen)

    def _chosen(self) -> None:
        self.to_file.setEnabled(self.profile() is not None)
        self.completeChanged.emit()

    def profile(self) -> ProfileChoice | None:
        """Return the chosen profile, None = learn now."""
        row = self.list.currentRow()
        return self._profiles[row] if 0 <= row < len(self._profiles) else None

    def show_profiles(self, game: GameChoice, *, of_sensors: bool = False) -> None:
        """List the profiles that serve this game and these eyes, and learning at the end."""
        self._of_sensors = of_sensors
        serving = [
            profile
            for profile in self.guide.profiles()
            if profile.edition == game.edition
            and set(game.players) <= set(profile.players)
            and (profile.has_sensors if of_sensors else profile.has_faces)
        ]
        self._fill(serving)

    def _fill(self, profiles: list[ProfileChoice]) -> None:
        self._profiles = profiles
        self.list.clear()
        for profile in profiles:
            self.list.addItem(
                tr(
                    "Use “{name}” ({players})",
                    name=profile.name,
                    players=", ".join(map(player_name, profile.players)),
                )
            )
        photographs = tr("Learn my tiles and pieces now: four photographs")
        self.list.addItem(tr("Set the sensor table up now") if self._of_sensors else photographs)
        self.list.setCurrentRow(0)

    def _import(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, tr("Which profile?"), filter="*.zip")
        if file:
            self.import_from(file)

    def _export(self) -> None:
        profile = self.profile()
        if profile is None:
            return
        file, _ = QFileDialog.getSaveFileName(self, tr("Where to?"), f"{profile.name}.zip", "*.zip")
        if file:
            self.export_to(file)

    def export_to(self, file: str) -> None:
        """Write the chosen profile into a file to be shared, or say why not."""
        profile = self.profile()
        if profile is None:
            return
        try:
            self.guide.export_profile(profile.address, file)
        except CompanionError as error:
            self.trouble.setText(said(str(error)))
        else:
            self.trouble.setText(tr("Saved: {file}", file=file))

    def import_from(self, file: str) -> None:
        """Take over a profile file and choose it, or say why not."""
        try:
            profile = self.guide.import_profile(file)
        except CompanionError as error:
            self.trouble.setText(said(str(error)))
            return
        self.trouble.setText("")
        self._fill([profile, *self._profiles])


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
        self.scene = TableScene(THEMES.get(settings.theme, THEMES["light"]))
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
            self.notes.setText("\n".join(said(note.text) for note in value.notes if note.is_bad))
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
        self.scene = TableScene(THEMES.get(settings.theme, THEMES["light"]))
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
