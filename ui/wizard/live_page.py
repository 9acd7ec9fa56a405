"""The base of all wizard pages with a live picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PyQt6.QtWidgets import QLabel, QWizardPage

from companion.view_model import CameraView
from ui.painting.camera_view import CameraPicture
from ui.text import tr
from ui.wizard.live import Live


class LivePage(QWizardPage):
    """A page with a live picture; the camera is held only while the page is shown."""

    def __init__(self, release: Callable[[], None]) -> None:
        """Prepare; `release` makes whoever holds the camera let it go."""
        super().__init__()
        self._release = release
        self.picture = CameraPicture()
        self.picture.setMinimumSize(420, 240)
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        self._live: Live | None = None

    def values(self) -> Iterator[object]:
        """Return the values to show, which are iterated while the page is open."""
        raise NotImplementedError

    def take(self, value: object) -> None:
        """Show one value."""
        raise NotImplementedError

    def start(self) -> None:
        """Start or restart watching."""
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
        """Release the camera."""
        if self._live is not None:
            self._live.stop(self._release)
            self._live = None

    def _show_picture(self, view: CameraView) -> None:
        """Show a picture; a sensor table has none."""
        if view.width:
            self.picture.show_view(view)
        else:
            self.picture.show_notice(tr("A sensor table has no picture to show."))

    def _came(self, value: object) -> None:
        if self._live is not None:
            self.picture.show_notice("")
            self.take(value)
            self._live.taken()

    def _failed(self, why: str) -> None:
        self.picture.show_notice(tr("No picture"))
        self.notes.setText(why)
