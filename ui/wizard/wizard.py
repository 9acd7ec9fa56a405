"""The wizard: four pages, five for a new copy of the game, three for playing by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PyQt6.QtWidgets import QWidget, QWizard

from ui import text
from ui.settings import read_settings, write_settings
from ui.text import tr
from ui.wizard.by_hand_page import ByHandPage
from ui.wizard.camera_page import CameraPage
from ui.wizard.check_page import CheckPage
from ui.wizard.dressing import dress_wizard, enlarge_titles
from ui.wizard.game_page import GamePage
from ui.wizard.guide import GameChoice, ProfileChoice, SetupGuide
from ui.wizard.learn_page import LearnPage
from ui.wizard.live_page import LivePage
from ui.wizard.profile_page import ProfilePage
from ui.wizard.sensor_guide import SensorGuide
from ui.wizard.sensor_page import SensorPage

CAMERA, GAME, PROFILE, LEARN, CHECK, SENSORS, BY_HAND = range(7)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpOutcome:
    """The result of the wizard.

    Attributes:
        camera, profile: addresses; both are empty for a game entered by hand.
        start: what the game starts with, in the guide's own form; None during a game.
    """

    camera: str
    profile: str
    game: GameChoice
    start: object


class SetupWizard(QWizard):
    """Leads from nothing to a game that can begin; `outcome` has the result.

    With `game` it is used during a game: edition and players stay the same, camera and profile are chosen
    again, and the table is compared with the game so far. With `is_by_hand` no camera is needed.

    Attributes:
        outcome: the result; None if the wizard was left early.
        wants_demo: whether it was left to watch simulated players instead.
    """

    def __init__(
        self,
        guide: SetupGuide,
        folder: Path,
        parent: QWidget | None = None,
        *,
        game: GameChoice | None = None,
        sensors: SensorGuide | None = None,
        is_by_hand: bool = False,
    ) -> None:
        super().__init__(parent)
        self._guide = guide
        self._sensors = sensors
        self._folder = folder
        self._going_on = game
        self._is_by_hand = is_by_hand
        self.outcome: SetUpOutcome | None = None
        self.wants_demo = False
        self._build()
        if is_by_hand:
            self.setStartId(GAME)
        self.currentIdChanged.connect(self._release_other_pages)
        self.resize(1000, 680)

    def _build(self) -> None:
        """Make all pages in the chosen language, colours and size."""
        guide, game = self._guide, self._going_on
        settings = read_settings(self._folder)
        text.install(settings.language)
        dress_wizard(self, settings)
        self.setWindowTitle(tr("Setting up"))
        self.setButtonText(
            QWizard.WizardButton.FinishButton, tr("Start the game") if game is None else tr("Continue")
        )
        # During a game, the languages are in the main window's menu.
        self.camera_page = CameraPage(guide, is_first_time=game is None)
        self.camera_page.language_wanted.connect(self._speak)
        self.camera_page.by_hand_wanted.connect(self.play_by_hand)
        self.camera_page.demo_wanted.connect(self.watch_demo)
        self.game_page = GamePage(guide)
        self.profile_page = ProfilePage(guide)
        self.learn_page = LearnPage(guide, settings)
        self.check_page = CheckPage(guide, settings)
        self.by_hand_page = ByHandPage(guide, settings)
        for number, page in (
            (CAMERA, self.camera_page),
            (GAME, self.game_page),
            (PROFILE, self.profile_page),
            (LEARN, self.learn_page),
            (CHECK, self.check_page),
            (BY_HAND, self.by_hand_page),
        ):
            if game is None or number not in (GAME, CHECK, BY_HAND):
                self.setPage(number, page)
        self.sensor_page = None if self._sensors is None else SensorPage(self._sensors)
        if self.sensor_page is not None:
            self.setPage(SENSORS, self.sensor_page)
        enlarge_titles(self, settings.scale)
        known = guide.profiles()
        if known:
            self.game_page.choose(known[0].edition, known[0].players)

    def _speak(self, language: str) -> None:
        """Restart in another language, which is kept for the game too."""
        if language == text.language():
            return
        write_settings(self._folder, replace(read_settings(self._folder), language=language))
        self._release_other_pages(-1)
        for number in reversed(self.pageIds()):  # the page shown goes last, else Qt would show another
            page = self.page(number)
            self.removePage(number)
            if page is not None:
                page.deleteLater()
        self._build()
        self.restart()

    def play_by_hand(self) -> None:
        """Go on without a source."""
        self._is_by_hand = True
        if self._going_on is None:
            self.next()
        else:
            self.accept()

    def watch_demo(self) -> None:
        """Leave the wizard to watch the demo."""
        self.wants_demo = True
        self.reject()

    def nextId(self) -> int:
        here = self.currentId()
        if self._is_by_hand:
            return {CAMERA: GAME, GAME: BY_HAND}.get(here, -1)
        if self._going_on is not None:
            learns = here == PROFILE and self.profile_page.profile() is None
            return self._lesson() if learns else PROFILE if here == CAMERA else -1
        if here == PROFILE:
            return self._lesson() if self.profile_page.profile() is None else CHECK
        return {CAMERA: GAME, GAME: PROFILE, LEARN: CHECK, SENSORS: CHECK}.get(here, -1)

    def _lesson(self) -> int:
        """Return the page that learns what the chosen source needs."""
        return SENSORS if self.sensor_page is not None and self.camera_page.is_sensors else LEARN

    def initializePage(self, number: int) -> None:
        """Give each page the results of the pages before it."""
        if number == PROFILE:
            self.profile_page.show_profiles(self.game(), of_sensors=self._lesson() == SENSORS)
        if number == SENSORS and self.sensor_page is not None:
            self.sensor_page.game = self.game()
        if number == LEARN:
            self.learn_page.camera = self.camera_page.address
            self.learn_page.game = self.game()
        if number == CHECK:
            self.check_page.camera = self.camera_page.address
            self.check_page.profile = self._profile().address
            self.check_page.game = self.game()
        if number == BY_HAND:
            self.by_hand_page.game = self.game()
        self._release_other_pages(number)
        super().initializePage(number)
        if number == SENSORS and self.sensor_page is not None:
            self.sensor_page.begin_at(self.camera_page.address)

    def game(self) -> GameChoice:
        """Return the chosen game or, during a game, the current one."""
        return self._going_on or self.game_page.game()

    def _profile(self) -> ProfileChoice:
        taught = None if self.sensor_page is None else self.sensor_page.learnt
        profile = self.profile_page.profile() or self.learn_page.learnt or taught
        assert profile is not None
        return profile

    def cleanupPage(self, number: int) -> None:
        """Going back releases the camera; the previous page opens it again."""
        super().cleanupPage(number)
        self._release_other_pages(-1)

    def accept(self) -> None:
        outcome = self._by_hand() if self._is_by_hand else self._watched()
        if outcome is not None:
            self.outcome = outcome
            super().accept()

    def _by_hand(self) -> SetUpOutcome | None:
        """Return the outcome for a game by hand; None until the city to lay out has been shown."""
        if self._going_on is not None:
            return SetUpOutcome(camera="", profile="", game=self._going_on, start=None)
        page = self.by_hand_page
        if page.dealt is None or page.game is None:
            return None
        return SetUpOutcome(camera="", profile="", game=page.game, start=page.dealt.start)

    def _watched(self) -> SetUpOutcome | None:
        """Return the outcome for a game with a source; None until the city is laid out correctly."""
        if self._going_on is not None:
            return SetUpOutcome(
                camera=self.camera_page.address,
                profile=self._profile().address,
                game=self._going_on,
                start=None,
            )
        page = self.check_page
        if page.laid is None or page.laid.start is None or page.game is None:
            return None
        return SetUpOutcome(camera=page.camera, profile=page.profile, game=page.game, start=page.laid.start)

    def done(self, result: int) -> None:
        self._release_other_pages(-1)
        super().done(result)

    def _release_other_pages(self, number: int) -> None:
        """Make sure that only the page that is shown holds the camera."""
        for page_id in self.pageIds():
            page = self.page(page_id)
            if page_id != number and isinstance(page, LivePage | SensorPage):
                page.stop()
        shown = self.page(number) if number >= 0 else None
        if number == CAMERA:
            self._is_by_hand = False
        if isinstance(shown, CameraPage) and shown.choice.count() and not shown.is_watching:
            shown.start()
