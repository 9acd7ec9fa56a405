"""The wizard's page for choosing a profile that was learnt earlier."""

from __future__ import annotations

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWizardPage,
)

from companion.errors import CompanionError
from ui.text import player_name, said, tr
from ui.wizard.guide import GameChoice, ProfileChoice, SetupGuide


class ProfilePage(QWizardPage):
    """Choose a profile, import a file, or learn now.

    Signals:
        chosen: a profile was chosen (or None: learn now).
    """

    chosen = pyqtSignal(object)

    def __init__(self, guide: SetupGuide) -> None:
        super().__init__()
        self.guide = guide
        self.setTitle(tr("Tiles and pieces"))
        self.setSubTitle(
            tr("Moontable needs to see your own copy once, with the camera about where it is now.")
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("What was learnt"))
        self.from_file = QPushButton(tr("Import…"))
        self.from_file.clicked.connect(self._import)
        self.to_file = QPushButton(tr("Export…"))
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
        """Return the chosen profile; None = learn now."""
        row = self.list.currentRow()
        return self._profiles[row] if 0 <= row < len(self._profiles) else None

    def show_profiles(self, game: GameChoice, *, of_sensors: bool = False) -> None:
        """List the profiles that fit this game and source; the last entry is to learn now."""
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
        self.list.addItem(tr("Set up the sensor table now") if self._of_sensors else photographs)
        self.list.setCurrentRow(0)

    def _import(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, tr("Which profile?"), filter="*.zip")
        if file:
            self.import_from(file)

    def _export(self) -> None:
        profile = self.profile()
        if profile is None:
            return
        file, _ = QFileDialog.getSaveFileName(self, tr("Save as"), f"{profile.name}.zip", "*.zip")
        if file:
            self.export_to(file)

    def export_to(self, file: str) -> None:
        """Write the chosen profile to a file for sharing, or show why that is impossible."""
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
        """Import a profile file and choose it, or show why that is impossible."""
        try:
            profile = self.guide.import_profile(file)
        except CompanionError as error:
            self.trouble.setText(said(str(error)))
            return
        self.trouble.setText("")
        self._fill([profile, *self._profiles])
