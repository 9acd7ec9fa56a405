"""The wizard: its flow with a scripted guide, and the whole way with a simulated camera."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QPushButton, QWizard
from pytestqt.qtbot import QtBot

from companion.errors import DeviceError, DeviceFault, ProfileError
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.layout import table_layout
from companion.i18n import LANGUAGES
from companion.table import Picture, Place
from companion.view_model import CameraView
from tests.helpers.patience import WAIT_MS
from tests.helpers.scripted_guide import HOME, TWO, VIEW, ScriptedGuide
from ui import text
from ui.assembly.camera_guide import CameraGuide
from ui.assembly.own_copy import model_header
from ui.settings import read_settings
from ui.theme import LIGHT, dress
from ui.wizard.guide import BoardQuestion, CameraChoice, GameChoice, NamedTile, Naming, Note
from ui.wizard.tile_questions import TileQuestions
from ui.wizard.wizard import CAMERA, CHECK, LEARN, PROFILE, SetupWizard
from ui.wizard.wizard import GAME as GAME_PAGE
from vision.capture.sources.frame import Frame
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts
from vision.simulation.scenery import Scenery


class Newcomer:
    """Someone who clicks through the wizard, and how often."""

    def __init__(self, wizard: SetupWizard, qtbot: QtBot) -> None:
        self.wizard = wizard
        self.qtbot = qtbot
        self.clicks = 0

    def click(self, button: QPushButton) -> None:
        """Click, once that is possible."""
        self.qtbot.waitUntil(lambda: button.isEnabled() and button.isVisible(), timeout=WAIT_MS)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.clicks += 1

    def next(self) -> None:
        """Go on."""
        self.press(QWizard.WizardButton.NextButton)

    def press(self, which: QWizard.WizardButton) -> None:
        """Press one of the wizard's own buttons."""
        button = self.wizard.button(which)
        assert isinstance(button, QPushButton)
        self.click(button)


@pytest.fixture
def newcomer(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[object], Newcomer]]:
    """Opens a wizard on a guide; closed after the test."""
    opened: list[SetupWizard] = []

    def open_with(guide: object) -> Newcomer:
        wizard = SetupWizard(guide, tmp_path)  # type: ignore[arg-type]
        qtbot.addWidget(wizard)
        wizard.show()
        opened.append(wizard)
        return Newcomer(wizard, qtbot)

    yield open_with
    for wizard in opened:
        wizard.reject()


Opens = Callable[[object], Newcomer]


def test_with_a_known_profile_four_clicks_suffice(newcomer: Opens) -> None:
    """Camera, game, profile, check: everything is preselected."""
    someone = newcomer(ScriptedGuide((HOME,)))
    for page in (GAME_PAGE, PROFILE, CHECK):
        someone.next()
        assert page == someone.wizard.currentId()
    someone.press(QWizard.WizardButton.FinishButton)
    outcome = someone.wizard.outcome

    assert outcome is not None
    assert ("camera:0", "home") == (outcome.camera, outcome.profile)
    assert HOME.players == outcome.game.players
    assert 4 == someone.clicks


def photographed(newcomer: Opens, guide: ScriptedGuide) -> Newcomer:
    """Return someone who has taken both photographs."""
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    someone.click(someone.wizard.learn_page.shoot)
    someone.click(someone.wizard.learn_page.shoot)
    return someone


def test_learning_takes_a_photograph_a_pose(newcomer: Opens) -> None:
    """Without a profile the wizard asks for its photographs, learns, and goes on."""
    guide = ScriptedGuide()
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    assert LEARN == someone.wizard.currentId()
    assert not someone.wizard.learn_page.isComplete()
    someone.click(someone.wizard.learn_page.shoot)
    someone.click(someone.wizard.learn_page.shoot)
    someone.next()
    assert CHECK == someone.wizard.currentId()
    someone.press(QWizard.WizardButton.FinishButton)

    assert [{"empty", "sketch"}] == [set(lesson.shots) for lesson in guide.learnt]
    assert TWO == guide.learnt[0].game
    assert {"camera:0"} == set(guide.asked)
    assert someone.wizard.outcome is not None
    assert "fresh" == someone.wizard.outcome.profile


def test_the_board_s_boxes_are_pointed_at_when_they_are_not_found(newcomer: Opens, qtbot: QtBot) -> None:
    """After the last photograph: what was pointed at is learnt from; found ones are not asked about."""
    guide = ScriptedGuide()
    guide.question = BoardQuestion(picture=VIEW, boxes=((3.0, 4.0), (8.0, 5.0)), token="it")
    someone = photographed(newcomer, guide)
    page = someone.wizard.learn_page
    qtbot.waitUntil(page.board_points.isVisible, timeout=WAIT_MS)
    assert "1 onto the lowest number, 2 onto the highest" in page.task.text()
    assert not page.picture.isVisible()
    qtbot.keyClick(page.board_points, Qt.Key.Key_Right)
    someone.click(page.placed)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    pointed = guide.learnt[0].board

    assert pointed is not None
    assert (guide.question, ((4.0, 4.0), (8.0, 5.0))) == (pointed.question, pointed.boxes)


def test_what_the_photographs_did_not_teach_is_told(newcomer: Opens, qtbot: QtBot) -> None:
    """The first three things by name; all the same the copy is learnt, and the wizard goes on."""
    guide = ScriptedGuide()
    guide.missing = tuple(f"The {name} is not seen." for name in ("mill", "board", "hospice", "dragon"))
    someone = photographed(newcomer, guide)
    page = someone.wizard.learn_page
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    first, *rest = page.task.text().splitlines()

    assert first.startswith("✓ Done.")
    assert rest == [*(f"• {why}" for why in guide.missing[:3]), "… and 1 more."]


def test_learning_that_fails_says_why_and_can_be_repeated(newcomer: Opens, qtbot: QtBot) -> None:
    """A photograph that does not serve is told in words; the four are taken again."""
    guide = ScriptedGuide()
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    page = someone.wizard.learn_page
    someone.click(page.shoot)
    qtbot.waitUntil(page.shoot.isEnabled, timeout=WAIT_MS)
    guide.trouble = ProfileError("the second photograph is blurred")
    someone.click(page.shoot)
    qtbot.waitUntil(lambda: "blurred" in page.task.text(), timeout=WAIT_MS)
    assert not page.isComplete()

    guide.trouble = None
    someone.click(page.again)
    someone.click(page.shoot)
    someone.click(page.shoot)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)


def test_a_wrong_photograph_is_told_at_once_and_taken_again(newcomer: Opens, qtbot: QtBot) -> None:
    """Right after it was taken: what is wrong with it; those before it stay."""
    guide = ScriptedGuide()
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    page = someone.wizard.learn_page
    someone.click(page.shoot)
    qtbot.waitUntil(page.shoot.isEnabled, timeout=WAIT_MS)
    guide.wrong = "row 2 from far: no tile lies there"
    someone.click(page.shoot)
    qtbot.waitUntil(lambda: "no tile lies there" in page.task.text(), timeout=WAIT_MS)
    assert "Photograph 2 of 2" in page.task.text()
    assert {"empty"} == set(page.shots)
    assert [] == guide.learnt

    guide.wrong = ""
    someone.click(page.shoot)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    assert [("empty",), ("empty", "sketch")] == guide.checked


def named(
    cell: str, *tiles: str, seen: tuple[int, ...] = (3, 2), listed: tuple[int, ...] = (3, 2)
) -> NamedTile:
    """A tile that may be any of these."""
    return NamedTile(
        cell=cell,
        picture=VIEW,
        tile=tiles[0],
        name=tiles[0],
        choices=tuple((tile, tile) for tile in tiles),
        seen=seen,
        listed=listed,
    )


def test_tiles_that_are_alike_are_asked_about(newcomer: Opens, qtbot: QtBot) -> None:
    """First which is which, no tile twice; then numbers that the list does not know; both are learnt."""
    guide = ScriptedGuide()
    other = named("2,2", "citadel", seen=(5, 4), listed=(5,))
    guide.namings = [
        Naming(tiles=(named("0,1", "mill", "thermae"), named("0,2", "thermae", "mill"), other), token=1),
        Naming(tiles=(named("0,1", "thermae"), named("0,2", "mill"), other), token=2),
    ]
    someone = photographed(newcomer, guide)
    page = someone.wizard.learn_page
    qtbot.waitUntil(lambda: len(page.questions.answers) == 2, timeout=WAIT_MS)
    assert [-1, -1] == [answer.currentIndex() for answer in page.questions.answers]
    assert not page.answered.isEnabled()
    page.questions.answers[0].setCurrentIndex(1)
    assert not page.answered.isEnabled()
    page.questions.answers[1].setCurrentIndex(0)
    assert "only one thermae" in page.notes.text()
    assert not page.answered.isEnabled()
    page.questions.answers[1].setCurrentIndex(1)
    someone.click(page.answered)
    qtbot.waitUntil(lambda: len(page.questions.answers) == 1, timeout=WAIT_MS)
    assert "place 1 from the left\nCitadel" in page.questions.answers[0].accessibleName()
    assert not page.answered.isEnabled()
    page.take_answers()
    assert not page.isComplete()
    page.questions.answers[0].setCurrentText("It shows 5 4")
    someone.click(page.answered)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)

    assert [{}, {"0,1": "thermae", "0,2": "mill"}] == guide.said
    assert guide.learnt[0].naming is not None
    assert 2 == guide.learnt[0].naming.token
    assert {"citadel": (5, 4)} == guide.learnt[0].own_values


def test_a_number_that_cannot_be_read_is_asked_about_with_its_picture(qtbot: QtBot) -> None:
    """None but the listed one is offered; another can be typed."""
    questions = TileQuestions()
    qtbot.addWidget(questions)
    boxes = CameraView(width=40, height=10, bgr=bytes([30, 90, 200]) * 400)
    tile = replace(named("0,1", "mill", seen=(4, 3), listed=(4, 3)), boxes=boxes, is_unclear=True)
    naming = Naming(tiles=(tile, named("0,2", "citadel")), token=1)
    questions.ask(naming)
    (answer,) = questions.answers

    assert (tile,) == naming.asked
    assert ["It shows 4 3, as listed", "It shows different numbers:"] == [
        answer.itemText(at) for at in range(answer.count())
    ]
    assert -1 == answer.currentIndex()
    answer.setCurrentIndex(0)
    assert questions.is_answered
    assert {} == questions.own_values()


def test_no_number_is_chosen_before_somebody_looks(qtbot: QtBot) -> None:
    """Read as 4 2 where the list says 4 3: neither stands there, and the boxes are shown beside it."""
    questions = TileQuestions()
    qtbot.addWidget(questions)
    boxes = CameraView(width=40, height=10, bgr=bytes([30, 90, 200]) * 400)
    tile = replace(named("0,1", "mill", seen=(4, 2), listed=(4, 3)), boxes=boxes)
    questions.ask(Naming(tiles=(tile,), token=1))
    pictures = [each.pixmap() for each in questions.findChildren(QLabel) if not each.pixmap().isNull()]

    assert [-1] == [answer.currentIndex() for answer in questions.answers]
    assert not questions.is_answered
    assert {} == questions.own_values()
    assert 4 == max(round(each.width() / each.height()) for each in pictures)

    questions.answers[0].setCurrentText("It shows 4 3, as listed")

    assert questions.is_answered
    assert {} == questions.own_values()


def test_numbers_that_nobody_read_can_be_typed(qtbot: QtBot) -> None:
    """Neither the list nor the reading is right: the numbers are typed, one for each box."""
    questions = TileQuestions()
    qtbot.addWidget(questions)
    questions.ask(Naming(tiles=(named("0,1", "mill", seen=(4, 2), listed=(5, 2)),), token=1))
    assert questions.typed[0].isHidden()
    questions.answers[0].setCurrentText("It shows different numbers:")
    assert not questions.typed[0].isHidden()
    for words in ("", "4", "4 3 2", "4 0", "4 x", "43x"):
        questions.typed[0].setText(words)

        assert not questions.is_answered, words

    for words in ("4 3", "43", "4, 3"):
        questions.typed[0].setText(words)

        assert questions.is_answered, words
        assert {"mill": (4, 3)} == questions.own_values()


def test_an_answer_that_cannot_be_given_looks_so(qtbot: QtBot) -> None:
    """The main button that is disabled is not painted in the colour of one that can be pressed."""
    button = QPushButton("That is right")
    qtbot.addWidget(button)
    button.setProperty("role", "main")
    dress(button, LIGHT, 1.0)
    button.resize(120, 40)
    painted = []
    for is_enabled in (True, False):
        button.setEnabled(is_enabled)
        painted.append(button.grab().toImage().pixelColor(60, 5).name())

    assert LIGHT.accent == painted[0] != painted[1]


def test_a_photograph_that_names_nothing_is_taken_again(newcomer: Opens, qtbot: QtBot) -> None:
    """The reason is told, what was photographed before is kept."""
    guide = ScriptedGuide()
    guide.namings = [Naming(tiles=(named("0,1", "mill"),), token=1)]
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    page = someone.wizard.learn_page
    someone.click(page.shoot)
    guide.trouble = ProfileError("two codes are hidden")
    someone.click(page.shoot)
    qtbot.waitUntil(lambda: "two codes are hidden" in page.task.text(), timeout=WAIT_MS)
    assert {"empty"} == set(page.shots)
    guide.trouble = None
    someone.click(page.shoot)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)

    assert {} == guide.learnt[0].own_values


def test_the_table_must_be_found_first(newcomer: Opens, qtbot: QtBot) -> None:
    """Next stays closed, with advice, until the codes are seen."""
    guide = ScriptedGuide((HOME,))
    good = guide.look
    guide.look = replace(good, is_table_found=False, notes=(Note(text="Code 2 is hidden.", is_bad=True),))
    someone = newcomer(guide)
    page = someone.wizard.camera_page
    qtbot.waitUntil(lambda: "✗ Code 2 is hidden." in page.notes.text(), timeout=WAIT_MS)
    assert not page.isComplete()

    guide.look = good
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)


def test_a_missing_camera_is_told(newcomer: Opens, qtbot: QtBot) -> None:
    """No camera plugged in, or one that fails: words, no crash; a typed address is tried."""
    guide = ScriptedGuide()
    guide.plugged = ()
    someone = newcomer(guide)
    page = someone.wizard.camera_page
    assert "Plug one in" in page.notes.text()

    guide.trouble = DeviceError("nobody answers there", DeviceFault.NOT_FOUND)
    page.choice.setEditText("http://phone/video")
    page.start()
    qtbot.waitUntil(lambda: "nobody answers" in page.notes.text(), timeout=WAIT_MS)
    assert "http://phone/video" == page.address


def test_a_city_laid_out_wrongly_cannot_begin(newcomer: Opens, qtbot: QtBot) -> None:
    """The fault is told beside the picture; put right, the game can begin."""
    guide = ScriptedGuide((HOME,))
    guide.fault = "The mill is turned."
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    page = someone.wizard.check_page
    qtbot.waitUntil(lambda: "✗ The mill is turned." == page.notes.text(), timeout=WAIT_MS)
    assert not page.isComplete()

    guide.fault = ""
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    assert "Purple starts" in page.notes.text()


def test_players_must_differ(newcomer: Opens) -> None:
    """Two players of one colour cannot go on; a profile that lacks a colour is not offered."""
    someone = newcomer(ScriptedGuide((HOME,)))
    page = someone.wizard.game_page
    page.seats[1].setCurrentIndex(0)
    assert not page.isComplete()
    page.choose("cmon-2019", ("black", "white"))
    assert GameChoice(edition="cmon-2019", players=("black", "white")) == page.game()
    someone.wizard.profile_page.show_profiles(page.game())

    assert someone.wizard.profile_page.profile() is None


def test_a_profile_may_come_from_a_file(newcomer: Opens) -> None:
    """A file that is no profile is refused in words; a good one is chosen at once."""
    someone = newcomer(ScriptedGuide())
    page = someone.wizard.profile_page
    page.show_profiles(TWO)
    page.import_from("bad.zip")
    assert "no profile" in page.trouble.text()
    page.import_from("good.zip")
    chosen = page.profile()

    assert chosen is not None
    assert "imported" == chosen.name


def test_going_back_releases_and_takes_up_the_camera(newcomer: Opens) -> None:
    """Only the page that is shown holds the camera."""
    someone = newcomer(ScriptedGuide((HOME,)))
    assert someone.wizard.camera_page.is_watching
    someone.next()
    assert not someone.wizard.camera_page.is_watching
    someone.press(QWizard.WizardButton.BackButton)
    assert CAMERA == someone.wizard.currentId()
    assert someone.wizard.camera_page.is_watching


def test_the_language_is_chosen_on_the_first_page(newcomer: Opens, qtbot: QtBot, tmp_path: Path) -> None:
    """Everything is said in it at once, the camera goes on, the choice is kept."""
    someone = newcomer(ScriptedGuide((HOME,)))
    wizard = someone.wizard
    box = wizard.camera_page.languages
    assert list(LANGUAGES) == [box.itemData(row) for row in range(box.count())]
    box.setCurrentIndex(box.findData("ru"))
    box.activated.emit(box.currentIndex())

    assert "ru" == read_settings(tmp_path).language == wizard.camera_page.languages.currentData()
    assert "Камера" in wizard.camera_page.title()
    qtbot.waitUntil(wizard.camera_page.isComplete, timeout=WAIT_MS)
    for page in (GAME_PAGE, PROFILE, CHECK):
        someone.next()
        assert page == wizard.currentId()
    someone.press(QWizard.WizardButton.FinishButton)
    text.install("en")

    assert wizard.outcome is not None


def test_sheets_are_saved(newcomer: Opens) -> None:
    """The page says which files to print."""
    page = newcomer(ScriptedGuide()).wizard.camera_page
    page.save_sheets_to("folder")

    assert "folder/codes.pdf" in page.notes.text()


def test_the_size_of_the_codes_is_told_once(newcomer: Opens) -> None:
    """It is 40 mm unless somebody says otherwise."""
    guide = ScriptedGuide()
    page = newcomer(guide).wizard.camera_page
    assert page.code_size.value() == 40.0
    page.code_size.setValue(38.5)

    assert "codes of 38.5 mm" in guide.asked


# So many looks at one table are enough to see that it rests.
LOOKS_AT_ONE_TABLE = 8


class StagedCamera:
    """A simulated camera over a table that the test lays out; kept as a frame source."""

    name = "staged"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._stop = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yield the stage until closed, less often where nothing new lies: it would slow the learning."""
        seq, looks_at, looks = 0, self._stage.picture, 0
        while not self._stop.wait(0.4 if looks < LOOKS_AT_ONE_TABLE else 2.0):
            looks = looks + 1 if looks_at is self._stage.picture else 1
            looks_at = self._stage.picture
            yield Frame(image=self._stage.image(seq), seq=seq, seen_at_s=seq / 10)
            seq += 1

    def close(self) -> None:
        """End."""
        self._stop.set()


class Stage:
    """What lies on the simulated table."""

    def __init__(self, players: tuple[str, ...]) -> None:
        colours = {name: PIECE_COLOURS[name] for name in players}
        self._camera = SimulatedCamera(
            table_layout(),
            tile_arts(COMPONENTS.tiles),
            colours,
            scenery=Scenery(quarter_turns=True),
            seed=4,
        )
        self.picture: Picture = {}

    def image(self, seq: int):  # type: ignore[no-untyped-def]
        """Return one frame."""
        return self._camera.frame(self.picture, t=seq / 10)

    def lay(self, picture: Picture) -> None:
        """Lay out another table."""
        self.picture = picture


@pytest.mark.slow
def test_from_nothing_to_a_game_with_a_simulated_camera(
    newcomer: Opens, qtbot: QtBot, tmp_path: Path
) -> None:
    """The whole way with the real guide: four photographs, learning, the city; clicks are counted.

    The tiles are learnt in an order of their own, every one turned somehow.
    """
    stage = Stage(TWO.players)
    guide = CameraGuide(
        tmp_path / "profiles",
        opener=lambda _address: StagedCamera(stage),
        known=(CameraChoice(address="staged", name="Staged"),),
    )
    header = model_header(GAME, TWO)
    mixed = list(header["layout"].values())
    random.Random(8).shuffle(mixed)
    pieces = COMPONENTS.model_pieces(dict(zip(header["layout"], mixed, strict=True)), TWO.players)
    tiles = {place: value for place, value in pieces.items() if place.startswith("cell:")}
    turned = {place: f"{str(value).partition('/')[0]}/built" for place, value in tiles.items()}
    courtyard = next(place for place, value in tiles.items() if value == "courtyard/built")
    tiles[courtyard] = "courtyard/sketch"  # its other side
    start = GAME.predict(GAME.start(header))
    someone = newcomer(guide)
    for _ in range(3):
        someone.next()
    page = someone.wizard.learn_page
    for number, table in enumerate(({}, tiles, turned, pieces)):
        stage.lay(table)
        looked = page.looks_taken
        qtbot.waitUntil(lambda seen=looked: page.looks_taken > seen + 2, timeout=WAIT_MS)
        qtbot.waitUntil(page.shoot.isEnabled, timeout=WAIT_MS)
        someone.click(page.shoot)
        assert number + 1 == len(page.shots)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    first = Place("cell:0,1")
    stage.lay({**start, first: f"{str(start[first]).partition('/')[0]}/built"})
    someone.next()
    check = someone.wizard.check_page
    qtbot.waitUntil(lambda: "sketch side" in check.notes.text(), timeout=WAIT_MS)
    stage.lay(start)
    qtbot.waitUntil(check.isComplete, timeout=WAIT_MS)
    someone.press(QWizard.WizardButton.FinishButton)
    outcome = someone.wizard.outcome
    assert outcome is not None
    print(f"clicks without a profile: {someone.clicks}")

    assert header["layout"] == outcome.start["layout"]  # type: ignore[index]
    assert someone.clicks <= 40
    assert [outcome.profile] == [profile.address for profile in guide.profiles()]
