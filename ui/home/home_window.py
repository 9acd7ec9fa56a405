"""The home screen: continue, a new game, the demo, past games, setting up a table, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QAction, QCloseEvent, QKeySequence, QShowEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QMenu, QVBoxLayout, QWidget

from companion.set_up_form import SetUpForm
from ui import settings as settings_store
from ui import text
from ui.home.front_door import FrontDoor, Guides, LastGame
from ui.home.last_game_card import LastGameCard
from ui.home.paintings import HomeButton, Motif, TitleBanner
from ui.home.plan import Begin, GamePlan, Resume, WatchDemo, Wish
from ui.home.work import Work
from ui.settings import Settings
from ui.text import said, tr
from ui.theme import THEMES, dress
from ui.ties import tie
from ui.wizard.guide import GameChoice

if TYPE_CHECKING:
    from ui.dialogs.past_games import PastGames
    from ui.home.new_game import NewGame
    from ui.wizard.copy_guide import CopyGuide
    from ui.wizard.copy_wizard import CopyWizard
    from ui.wizard.guide import TableReader
    from ui.wizard.table_reading import TableReading
    from ui.wizard.wizard import SetupWizard

SIZE_WH: Final = (1120, 700)
# Sizes of text up to which the title grows, and up to which a button has room for its second line: all is to
# fit on a small screen.
LARGEST_TITLE: Final = 1.0
LARGEST_WITH_NOTES: Final = 1.3


class HomeWindow(QMainWindow):
    """What the program opens with; it closes as soon as it is known what comes next.

    `notice` says why the last wish could not be carried out.

    Attributes:
        wish: what to do next; None if the window was just closed.
        last: the game played last; None if there is none, or it is not known yet.
        forms: the games' forms; empty until they are known.
        is_read: whether the games are known.
    """

    def __init__(self, door: FrontDoor, folder: Path, notice: str = "") -> None:
        super().__init__()
        self.wish: Wish | None = None
        self.last: LastGame | None = None
        self.forms: Mapping[str, SetUpForm] = {}
        self.settings = settings_store.read_settings(folder)
        self.new_game: NewGame | None = None
        self.past_games: PastGames | None = None
        self.wizard: SetupWizard | None = None
        self.copy_wizard: CopyWizard | None = None
        self.reading: TableReading | None = None
        self._door = door
        self._remembered: tuple[str, ...] = ()
        self._folder = folder
        self._notice = notice
        self._is_shown = False
        self.is_read = False
        self._afterwards: list[Callable[[], None]] = []
        self._build()
        self.resize(*SIZE_WH)
        self._key("Ctrl+Q", self.close)

    # -- building ---------------------------------------------------------------------------------

    def _build(self) -> None:
        """Rebuild all widgets in the chosen theme, size and language."""
        text.install(self.settings.language)
        theme, scale = THEMES[self.settings.theme_name], self.settings.scale
        dress(self, theme, scale)
        self.setWindowTitle("Moontable")
        self.card = LastGameCard(theme)
        self.card.chosen.connect(self.go_on)
        self.buttons: dict[str, HomeButton] = {}
        for name, does, motif, words, more in self._choices():
            told = more if scale <= LARGEST_WITH_NOTES else ""
            self.buttons[name] = HomeButton(words, told, motif, theme, scale)
            self.buttons[name].setAccessibleDescription(more)
            self.buttons[name].setToolTip(more if not told else "")
            tie(self.buttons[name].clicked, self.buttons[name], does)
        self.notice = QLabel(said(self._notice))
        self.notice.setProperty("role", "notice")
        self.notice.setWordWrap(True)
        self.notice.setVisible(bool(self._notice))
        self.work = Work()
        self.work.failed.connect(self.say)
        self.setCentralWidget(self._lay_out(scale))
        self._show_games()

    def _choices(self) -> tuple[tuple[str, Callable[[], None], Motif, str, str], ...]:
        """Return for each button its name, what it does, what is drawn on it, and its two lines."""
        begin, more = tr("&New game"), tr("Which game, who plays, how it is followed")
        demo, simulated = tr("&Demo"), tr("Simulated players at a simulated table")
        past, played = tr("&Past games"), tr("Continue, replay, statistics")
        table, known = tr("Set &up a table"), tr("Camera, sensors, your own tiles")
        settings, chosen = tr("Pre&ferences"), tr("Language, colours, text size")
        return (
            ("new", self.begin, Motif.TABLE, begin, more),
            ("demo", self.open_demos, Motif.PLAY, demo, simulated),
            ("past", self.open_past_games, Motif.BOOK, past, played),
            ("set-up", self.open_set_ups, Motif.CAMERA, table, known),
            ("settings", self.open_settings, Motif.WHEEL, settings, chosen),
        )

    def _lay_out(self, scale: float) -> QWidget:
        right = QVBoxLayout()
        right.setSpacing(8)
        for button in self.buttons.values():
            right.addWidget(button, 1)
        columns = QHBoxLayout()
        columns.setSpacing(12)
        columns.addWidget(self.card, 58)
        columns.addLayout(right, 42)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addWidget(TitleBanner(min(scale, LARGEST_TITLE)))
        column.addWidget(self.notice)
        column.addLayout(columns, 1)
        column.addWidget(self.work)
        return whole

    def _key(self, key: str, does: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcut(QKeySequence(key))
        tie(action.triggered, action, does)
        self.addAction(action)

    def say(self, words: str) -> None:
        """Show a notice; "" hides it."""
        self._notice = words
        self.notice.setText(said(words))
        self.notice.setVisible(bool(words))

    # -- the games there are ----------------------------------------------------------------------

    def showEvent(self, event: QShowEvent | None) -> None:
        """Read the games as soon as the window has been painted."""
        super().showEvent(event)
        if not self._is_shown:
            self._is_shown = True
            QTimer.singleShot(0, self.read_games)

    def read_games(self) -> None:
        """Read the games' forms and the last game, in a separate thread."""
        door = self._door

        def reading() -> Iterator[object]:
            yield door.forms(), door.remembered()
            yield door.last_game()

        self.work.begin(tr("Reading the games…"), reading, self._take_read)

    def _take_read(self, found: object) -> None:
        if isinstance(found, tuple):
            self.forms, self._remembered = found
        else:
            self.last = found if isinstance(found, LastGame) else None
            self.is_read = True
            self.work.stop()
        self._show_games()
        if self.is_read:
            afterwards, self._afterwards = self._afterwards, []
            for does in afterwards:
                does()

    def when_read(self, does: Callable[[], None]) -> None:
        """Do something as soon as the games are known."""
        if self.is_read:
            does()
        else:
            self._afterwards.append(does)

    def _show_games(self) -> None:
        """Show what is known of the games; the first focus is on what comes next most often."""
        self.card.show_game(self.last, is_read=self.is_read)
        for name in ("new", "demo", "set-up"):
            self.buttons[name].setEnabled(bool(self.forms))
        (self.card.button if self.is_read else self.buttons["new"]).setFocus()

    def go_on(self) -> None:
        """Continue the last game, or play it again if it is over."""
        if self.last is None:
            self.begin()
        elif self.last.past.is_over:
            self.rematch(self.last.past.name)
        else:
            self._leave(Resume(name=self.last.past.name))

    def _leave(self, wish: Wish) -> None:
        self.wish = wish
        self.close()

    # -- a new game -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open the dialog for a new game, filled in as the last one was."""
        last = None if self.last is None else self.last.past.name
        self._plan_of(last, is_rematch=False)

    def rematch(self, name: str) -> None:
        """Open the dialog for a game like a past one, with the same people."""
        self._plan_of(name, is_rematch=True)

    def _plan_of(self, name: str | None, *, is_rematch: bool) -> None:
        """Read how a past game was begun, then open the dialog for a new one like it."""
        if name is None:
            self._open_new_game(None, is_rematch=False)
            return

        def reading() -> Iterator[object]:
            yield self._door.plan_of(name)

        def read(plan: object) -> None:
            assert isinstance(plan, GamePlan)
            self.work.stop()
            self._open_new_game(plan, is_rematch=is_rematch)

        self.work.begin(tr("Reading the games…"), reading, read)

    def _open_new_game(self, plan: GamePlan | None, *, is_rematch: bool) -> None:
        # What is opened from here is loaded when it is wanted, so that the first window comes at once.
        from ui.home.new_game import NewGame

        self.say("")
        self.new_game = NewGame(
            self._door,
            self.forms,
            self.settings,
            self,
            plan=plan,
            is_rematch=is_rematch,
            remembered=self._remembered,
        )
        tie(self.new_game.accepted, self.new_game, self._new_game_chosen)
        tie(self.new_game.watched_wanted, self.new_game, self._read_table)
        tie(self.new_game.set_up_wanted, self.new_game, self.set_up)
        self.new_game.open()

    def _new_game_chosen(self) -> None:
        if self.new_game is not None and self.new_game.begun is not None:
            self._leave(self.new_game.begun)

    # -- the demo ---------------------------------------------------------------------------------

    def open_demos(self) -> None:
        """Let a game be chosen for the demo."""
        self._offer_games("demo", tuple(self.forms), self.watch_demo)

    def _offer_games(self, button: str, games: Sequence[str], does: Callable[[str], None]) -> None:
        """Show a menu of games below a button."""
        self.games = QMenu(self)
        for name in games:
            action = self.games.addAction(said(self.forms[name].title))
            if action is not None:
                tie(action.triggered, action, lambda name=name: does(name))
        below = self.buttons[button]
        self.games.popup(below.mapToGlobal(below.rect().bottomLeft()))

    def watch_demo(self, game: str) -> None:
        """Prepare the demo of a game, then leave for it."""
        door, report = self._door, self.work.report

        def preparing() -> Iterator[object]:
            door.prepare_demo(game, report)
            yield WatchDemo(game=game)

        def ready(wish: object) -> None:
            assert isinstance(wish, WatchDemo)
            self._leave(wish)

        self.say("")
        self.work.begin(tr("Preparing the demo…"), preparing, ready)

    # -- other windows ----------------------------------------------------------------------------

    def open_past_games(self) -> None:
        """Open the list of past games."""
        # As above.
        from ui.dialogs.past_games import PastGames

        self.past_games = PastGames(self._door.shelf(), self.settings, self)
        tie(self.past_games.resume_wanted, self.past_games, lambda name: self._leave(Resume(name=name)))
        tie(self.past_games.finished, self.past_games, self._past_games_closed)
        self.past_games.open()

    def _past_games_closed(self) -> None:
        if self.wish is None:  # the last game may have been deleted
            self.read_games()

    def open_settings(self) -> None:
        """Open the page of everything that can be chosen."""
        # As above.
        from ui.dialogs.preferences import Preferences
        from ui.sounds import Sound, Sounds

        sounds = Sounds()
        preferences = Preferences(
            self.settings, self.adopt, lambda volume: sounds.play(Sound.REWARD, volume), self
        )
        preferences.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        tie(preferences.finished, preferences, sounds.close)
        self.preferences = preferences
        preferences.open()

    def adopt(self, settings: Settings) -> None:
        """Keep changed settings and rebuild the window with them."""
        self.settings = settings
        settings_store.write_settings(self._folder, settings)
        self.work.end()
        self._build()
        if not self.is_read:
            self.read_games()

    # -- the wizard -------------------------------------------------------------------------------

    def open_set_ups(self) -> None:
        """Let the game be chosen whose table is to be set up."""
        self._offer_games("set-up", self._door.set_up_games(), self.set_up)

    def set_up(self, game: str) -> None:
        """Open the wizard as soon as what sees cameras and sensor tables is loaded."""
        door = self._door

        def loading() -> Iterator[object]:
            yield door.guides(game)

        def loaded(guides: object) -> None:
            self.work.stop()
            if isinstance(guides, Guides):
                self._open_wizard(game, guides)
            else:
                self._learn_copy(cast("CopyGuide", guides))

        self.work.begin(tr("Looking for cameras and sensor tables…"), loading, loaded)

    def _above(self) -> QWidget:
        """The window that a wizard belongs to."""
        return self if self.new_game is None or not self.new_game.isVisible() else self.new_game

    def _open_wizard(self, game: str, guides: Guides) -> None:
        # As above.
        from ui.wizard.wizard import SetupWizard

        self.wizard = SetupWizard(guides.camera, self._folder, self._above(), sensors=guides.sensors)
        tie(self.wizard.finished, self.wizard, lambda: self._set_up_closed(game))
        self.wizard.open()

    def _learn_copy(self, guide: CopyGuide) -> None:
        # As above.
        from ui.sounds import Sounds
        from ui.wizard.copy_wizard import CopyWizard

        sounds = Sounds()

        def acknowledge() -> None:
            sounds.acknowledge(is_on=self.settings.has_sounds, volume=self.settings.volume)

        self.copy_wizard = CopyWizard(guide, self._folder, acknowledge, self._above())
        tie(self.copy_wizard.finished, self.copy_wizard, sounds.close)
        tie(self.copy_wizard.finished, self.copy_wizard, self._look_again)
        self.copy_wizard.open()

    def _look_again(self) -> None:
        """What has been learnt may now follow the game that is to begin."""
        if self.new_game is not None and self.new_game.isVisible():
            self.new_game.look()

    def _read_table(self, plan: object) -> None:
        """Read the laid-out table of a game that is to be watched."""
        assert isinstance(plan, GamePlan)
        door = self._door

        def loading() -> Iterator[object]:
            yield door.table_reader(plan)

        self.work.begin(
            tr("Looking for cameras and sensor tables…"),
            loading,
            lambda reader: self._reading(plan, cast("TableReader", reader)),
        )

    def _reading(self, plan: GamePlan, reader: TableReader) -> None:
        # As above.
        from ui.wizard.table_reading import ChosenSource, TableReading

        self.work.stop()
        choice = GameChoice(edition=str(plan.answers.get("edition", "")), players=plan.seats)
        chosen = ChosenSource(game=choice, camera=plan.reader, profile=plan.profile)
        advice = "" if choice.edition else tr("Lay out the table as for a new game.")
        above = self if self.new_game is None else self.new_game
        self.reading = TableReading(reader, chosen, self._folder, above, advice=advice)
        tie(self.reading.finished, self.reading, lambda: self._table_read(plan))
        self.reading.open()

    def _table_read(self, plan: GamePlan) -> None:
        start = None if self.reading is None else self.reading.start
        if start is not None and self.new_game is not None:
            self.new_game.begin_watched(plan, start)

    def _set_up_closed(self, game: str) -> None:
        """Go on as the wizard was left: with its game, the demo, or back."""
        wizard = self.wizard
        if wizard is None:
            return
        if wizard.wants_demo:
            self.watch_demo(game)
        elif wizard.outcome is not None:
            done = wizard.outcome
            plan = GamePlan(
                game=game,
                seats=done.game.players,
                answers={"edition": done.game.edition},
                camera=done.camera,
                profile=done.profile,
            )
            self._leave(Begin(plan=plan, start=done.start))
        else:
            self._look_again()

    # -- Qt ---------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Close what is open above, and end what is being done."""
        for dialog in (self.reading, self.wizard, self.copy_wizard, self.new_game, self.past_games):
            if dialog is not None and dialog.isVisible():
                dialog.close()
        self.work.end()
        super().closeEvent(event)
