"""The wizard that learns a copy whose pieces lie anywhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWizard
from pytestqt.qtbot import QtBot

from companion.errors import MalformedError, ProfileError
from companion.view_model import CameraView
from ui.wizard.copy_guide import SavedCopy
from ui.wizard.copy_wizard import CAMERA, DEAL, SAVE, THINGS, CopyWizard
from ui.wizard.deal_view import DealtCardView, DealView
from ui.wizard.guide import CameraChoice, Look

VIEW = CameraView(width=64, height=36, bgr=bytes(64 * 36 * 3))
THINGS_THERE = ("the wheel", "a token of red")


class Deal:
    """A deal in which one card comes."""

    def __init__(self) -> None:
        self.is_closed = threading.Event()

    def names(self) -> tuple[tuple[str, str], ...]:
        """Return one name."""
        return (("1", "the first"),)

    def views(self) -> Iterator[DealView]:
        """Yield the empty table, then a card, until `close`."""
        self.is_closed.clear()
        yield DealView(camera=VIEW, state="Ready for the next one.", following="the first")
        card = DealtCardView(picture=VIEW, face="1", name="the first")
        yield DealView(camera=VIEW, state="", following="", cards=(card,))
        self.is_closed.wait(10)

    def say(self, number: int, face: str | None) -> None:
        """Nothing is named here."""

    def undo(self) -> None:
        """Nothing is undone here."""

    def close(self) -> None:
        """End `views`."""
        self.is_closed.set()


class Guide:
    """A computer with one camera that sees a table."""

    title = "Nova Luna"
    code_sizes_mm = (20.0, 40.0, 80.0)

    def __init__(self, things: tuple[str, ...] = THINGS_THERE) -> None:
        self.is_closed = threading.Event()
        self.is_held = False
        self.dealt: list[Deal] = []
        self.pointed: list[object] = []
        self.refusal = ""
        self.unclear: tuple[str, ...] = ()
        self._things = things

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return the camera."""
        return (CameraChoice(address="camera:0", name="Front camera"),)

    def use_codes(self, edge_mm: float) -> None:
        """Codes are as they are."""

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        """Nothing is printed."""
        return (folder,)

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield one picture, then wait."""
        assert camera == "camera:0"
        self.is_closed.clear()
        self.is_held = True
        try:
            yield Look(camera=VIEW, is_table_found=True, notes=(), token="a photograph")
            self.is_closed.wait(10)
        finally:
            self.is_held = False

    def close(self) -> None:
        """End `looks`."""
        self.is_closed.set()

    def deal(self, camera: str) -> Deal:
        """Return a deal."""
        if self.refusal:
            raise MalformedError(self.refusal)
        assert camera == "camera:0"
        self.dealt.append(Deal())
        return self.dealt[-1]

    def things(self) -> tuple[str, ...]:
        """Return a board and a piece."""
        return self._things

    def point(self, shot: object, points: object) -> tuple[str, ...]:
        """Keep where somebody pointed."""
        if self.refusal:
            raise ProfileError(self.refusal)
        self.pointed.append((shot, points))
        return self.unclear

    def save(self) -> SavedCopy:
        """Return what was saved."""
        return SavedCopy(name="nova_luna", known=3, total=12, missing=tuple(f"tile {i}" for i in range(9)))


@pytest.fixture
def guide() -> Guide:
    return Guide()


@pytest.fixture
def wizard(qtbot: QtBot, tmp_path: Path, guide: Guide) -> Iterator[CopyWizard]:
    made = opened(qtbot, tmp_path, guide)
    yield made
    made.close()


def opened(qtbot: QtBot, folder: Path, guide: Guide) -> CopyWizard:
    """Return the wizard on its first page, where the table has been found."""
    made = CopyWizard(guide, folder, lambda: None)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.camera_page.isComplete)
    return made


def go_on(wizard: CopyWizard, qtbot: QtBot, page: int) -> None:
    """Wait until the page can be left, and leave it by its button."""
    shown = wizard.page(wizard.currentId())
    assert shown is not None
    qtbot.waitUntil(shown.isComplete)
    role = QWizard.WizardButton.CommitButton if shown.isCommitPage() else QWizard.WizardButton.NextButton
    button = wizard.button(role)
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wizard.currentId() == page


def test_from_a_camera_to_a_profile(wizard: CopyWizard, guide: Guide, qtbot: QtBot) -> None:
    """Each page lets go of the camera before the next; what is missing is told at the end."""
    assert wizard.currentId() == CAMERA
    go_on(wizard, qtbot, DEAL)
    go_on(wizard, qtbot, THINGS)
    assert guide.dealt[0].is_closed.is_set()
    page = wizard.things_page
    assert page is not None
    qtbot.waitUntil(page.shoot.isEnabled)
    page.shoot.click()
    assert page.points.isVisible()
    assert not guide.is_held
    page.placed.click()
    qtbot.waitUntil(page.isComplete)
    go_on(wizard, qtbot, SAVE)
    qtbot.waitUntil(wizard.save_page.isComplete)

    assert [("a photograph", page.points.points)] == guide.pointed
    assert len(page.points.points) == len(THINGS_THERE)
    assert wizard.saved is not None
    assert "3 of 12" in wizard.save_page.told.text()
    assert wizard.save_page.missing.text().endswith("and 3 more")


def test_a_game_of_cards_alone_is_saved_after_dealing(qtbot: QtBot, tmp_path: Path) -> None:
    """There is nothing to point at."""
    wizard = opened(qtbot, tmp_path, Guide(things=()))
    go_on(wizard, qtbot, DEAL)
    go_on(wizard, qtbot, SAVE)
    qtbot.waitUntil(wizard.save_page.isComplete)

    assert wizard.things_page is None
    wizard.close()


def test_going_back_to_the_deal_watches_it_again(wizard: CopyWizard, guide: Guide, qtbot: QtBot) -> None:
    """The camera changes hands both ways."""
    go_on(wizard, qtbot, DEAL)
    go_on(wizard, qtbot, THINGS)
    wizard.back()
    assert wizard.currentId() == DEAL
    assert wizard.deal_page.panel.is_watching
    qtbot.waitUntil(lambda: not guide.dealt[-1].is_closed.is_set())

    assert not guide.is_held


def test_what_was_kept_and_cannot_be_read_is_told(wizard: CopyWizard, guide: Guide) -> None:
    """Nothing comes then, and the page cannot be left forwards."""
    guide.refusal = "deal.json is damaged"
    wizard.next()

    assert "deal.json is damaged" in wizard.deal_page.fault.text()
    assert not wizard.deal_page.isComplete()


def test_what_is_not_clear_is_told_and_can_be_pointed_at_again(
    wizard: CopyWizard, guide: Guide, qtbot: QtBot
) -> None:
    """By moving the dots with the keys, or by another photograph."""
    go_on(wizard, qtbot, DEAL)
    go_on(wizard, qtbot, THINGS)
    page = wizard.things_page
    assert page is not None
    qtbot.waitUntil(page.shoot.isEnabled)
    page.shoot.click()
    guide.refusal = "the codes are not seen"
    page.placed.click()
    qtbot.waitUntil(lambda: "the codes are not seen" in page.task.text())
    assert not page.isComplete()
    guide.refusal, guide.unclear = "", ("a token of red is not clear",)
    qtbot.keyClick(page.points, Qt.Key.Key_Right)
    qtbot.keyClick(page.points, Qt.Key.Key_Return)
    qtbot.waitUntil(page.isComplete)
    assert "A token of red is not clear" in page.notes.text()
    page.again.click()
    assert not page.isComplete()
    qtbot.waitUntil(page.shoot.isEnabled)
