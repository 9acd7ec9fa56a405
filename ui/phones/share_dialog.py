"""The window that shares a game: address, role, code to scan."""

from __future__ import annotations

from typing import Final

import segno
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage, QPixmap
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from companion.errors import CompanionError
from companion.phones.admission import EVERYBODY, SEAT, Role
from ui.phones.sharing import Reply, Sharing, local_addresses
from ui.text import player_name, said, tr
from ui.ties import tie

CODE_PX: Final = 300
QUIET: Final = 4


def code_picture(link: str) -> QImage:
    """Return a link as a QR code, one pixel for each module, with its quiet zone."""
    rows = [bytes(row) for row in segno.make(link, error="m", micro=False).matrix_iter(border=QUIET)]
    picture = QImage(len(rows[0]), len(rows), QImage.Format.Format_RGB32)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            picture.setPixel(x, y, 0xFF000000 if is_dark else 0xFFFFFFFF)
    return picture


def role_text(role: Role) -> str:
    """Return a role in words."""
    if role.kind == SEAT:
        return tr("{player}'s seat", player=player_name(role.player))
    return tr("Everybody") if role.kind == EVERYBODY else tr("Overlay for a stream")


class ShareDialog(QDialog):
    """Begins and ends sharing, and shows the code of each role."""

    def __init__(self, sharing: Sharing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sharing = sharing
        self.setWindowTitle(tr("Share with phones"))
        self.address = QComboBox()
        self.address.addItems(local_addresses())
        self.role = QComboBox()
        self.code = QLabel()
        self.code.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.link = QLineEdit()
        self.link.setReadOnly(True)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.button = QPushButton()
        plain = QLabel(
            tr(
                "Phones in the same network open the page by its code. A local network is not encrypted: "
                "others in it could read along. Nothing is shared until you begin."
            )
        )
        plain.setWordWrap(True)
        form = QFormLayout()
        for name, control in (
            (tr("Address"), self.address),
            (tr("For"), self.role),
            (tr("Link"), self.link),
        ):
            control.setAccessibleName(name)
            form.addRow(name, control)
        column = QVBoxLayout(self)
        column.addWidget(plain)
        column.addLayout(form)
        column.addWidget(self.code)
        column.addWidget(self.said)
        column.addWidget(self.button)
        tie(self.button.clicked, self, self._swap)
        tie(self.role.currentIndexChanged, self, self._show_code)
        tie(sharing.changed, self, self._show)
        self._show()

    def _swap(self) -> None:
        self.said.clear()
        if self._sharing.server is not None:
            self._sharing.end()
            return
        try:
            self._sharing.begin(self.address.currentText())
        except CompanionError as error:
            self.said.setText(said(str(error)))

    def _show(self) -> None:
        hub = self._sharing.hub
        self.button.setText(tr("Begin to share") if hub is None else tr("Stop sharing"))
        self.address.setEnabled(hub is None)
        self.role.clear()
        for role, token in () if hub is None else hub.links:
            self.role.addItem(role_text(role), token)
        self._show_code()

    def _show_code(self) -> None:
        server, token = self._sharing.server, self.role.currentData()
        if server is None or token is None:
            self.code.clear()
            self.link.clear()
            return
        link = server.link(token)
        self.link.setText(link)
        picture = code_picture(link)
        size = max(1, CODE_PX // picture.width()) * picture.width()
        self.code.setPixmap(QPixmap.fromImage(picture).scaled(size, size))


def ask_second_device(role: Role, reply: Reply, parent: QWidget) -> QMessageBox:
    """Ask whether a second device may take a seat over; the answer goes into `reply`."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(tr("Another device opens {player}'s seat. May it have it?", player=player_name(role.player)))
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    tie(box.finished, box, lambda: reply.put(box.result() == QMessageBox.StandardButton.Yes))
    box.open()
    return box
