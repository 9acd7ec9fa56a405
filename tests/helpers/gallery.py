"""Every window there is, opened as in a game: for pictures, and for tests that measure them."""

from __future__ import annotations

import functools
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PyQt6.QtWidgets import QApplication, QWidget

from calibration.profile import PieceRecord
from companion.components import Pose
from companion.games import registry
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.actions import Contribute
from companion.games.blue_moon_city.catalogue import CELLS
from companion.games.blue_moon_city.layout import table_layout
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.texts import fix_text, reading_text, tile_name
from companion.games.nova_luna.texts import tile_text
from companion.i18n import msg
from companion.names import player_name
from companion.people.store import PeopleStore
from companion.prompts import PromptKind
from companion.sensor_health import CellHealth, HealthLine, HealthReport
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place
from companion.view_model import CameraView
from tests.helpers.city_session import PlayedTable, entered_session, played_table, unseen_cards
from tests.helpers.drawn_deal import Film, copy_of, drawn_deal
from tests.helpers.scripted_guide import HOME, TWO, ScriptedGuide
from tests.helpers.simulated_look import one_look
from ui.assembly.camera_guide import CameraGuide
from ui.assembly.free_copy_guide import FreeCopyGuide
from ui.assembly.home import ProgramBehind
from ui.assembly.own_copy import model_header
from ui.assembly.play import shelf_of
from ui.assembly.table_camera import pictured
from ui.controller.bridge import ControllerBridge
from ui.controller.view_state import Question
from ui.dialogs.about import About
from ui.dialogs.mishap_box import MishapBox
from ui.dialogs.past_games import PastGames
from ui.dialogs.people import PeopleWindow
from ui.dialogs.preferences import Preferences
from ui.dialogs.replay import Replay
from ui.home.home_window import HomeWindow
from ui.home.new_game import NewGame
from ui.home.plan import Watchers
from ui.main_window import MainWindow
from ui.mishaps import Mishaps
from ui.panels.health_page import HealthPage
from ui.settings import Settings, write_settings
from ui.text import tr
from ui.wizard.copy_guide import SavedCopy
from ui.wizard.copy_wizard import SAVE, THINGS, CopyWizard
from ui.wizard.deal_window import DealWindow
from ui.wizard.guide import CameraChoice, GameChoice, LaidOut, Look, NamedTile, Naming, Note
from ui.wizard.sensor_guide import LessonView
from ui.wizard.sensor_page import LessonWindow
from ui.wizard.table_reading import ChosenSource, TableReading
from ui.wizard.watch_wizard import COPY, WatchWizard
from ui.wizard.wizard import SetupWizard
from vision.arrays import Image
from vision.enrolment.photographed_tiles import printed_of
from vision.enrolment.pieces import of_like_colours
from vision.enrolment.quality import check_quality
from vision.photometry.palette import shades_of
from vision.simulation.art import draw_tile
from vision.simulation.camera import SimulatedCamera
from vision.simulation.free_photographs import take_photographs
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts

PATIENCE_S = 10.0
ROUNDS = 20


def settle(app: QApplication, condition: Callable[[], bool] = lambda: False, at_most_s: float = 0.3) -> None:
    """Let the window work until the condition holds or time is over, for some rounds at least."""
    end, rounds = time.monotonic() + at_most_s, 0
    while (time.monotonic() < end or rounds < ROUNDS) and not condition():
        app.processEvents()
        time.sleep(0.002)
        rounds += 1


@functools.cache
def city_game(players: int, *, is_over: bool = False) -> PlayedTable:
    """Return a game up to a completed building, or to its end."""
    game = played_table(2000 if is_over else 150, players=players, seed=5)
    return game if is_over else cut(game, completes)


def cut(game: PlayedTable, wanted: Callable[[PlayedTable, int], bool]) -> PlayedTable:
    """Return the game up to the last action that is wanted."""
    last = max(number for number in range(1, len(game.actions) + 1) if wanted(game, number))
    return PlayedTable(
        header=game.header,
        tables=game.tables[: last + 1],
        states=game.states[: last + 1],
        actions=game.actions[:last],
    )


def completes(game: PlayedTable, number: int) -> bool:
    """Whether action `number` completes a building."""
    return (
        isinstance(game.actions[number - 1], Contribute)
        and len(game.states[number].built) > len(game.states[number - 1].built)
        and game.states[number].outcome is None
    )


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What a scene is made of: the main window over a game that was entered, and a folder to write in."""

    app: QApplication
    window: MainWindow
    folder: Path
    settings: Settings


# -- the main window and what it opens -----------------------------------------------------------------------


def reward_scene(stage: Stage) -> QWidget:
    """A building has just been completed."""
    return stage.window


def trouble_scene(stage: Stage) -> QWidget:
    """A marker lies where none may lie."""
    window = stage.window
    assert window.shown is not None
    for prompt in window.shown.prompts:
        if prompt.kind is not PromptKind.TURN:
            window.prompts.confirmed.emit(prompt.id)
    built = {tile.place for tile in window.shown.table.tiles if tile.side == "built"}
    spots = [spot for tile in window.shown.table.tiles if tile.place not in built for spot in tile.spots]
    free = [spot for spot in spots if spot.owner is None]
    player = next(player.player for player in window.shown.table.players if not player.is_active)
    window.bridge.report(Place(free[-1].place), player)
    settle(stage.app, lambda: window.shown is not None and window.shown.trouble is not None, PATIENCE_S)
    return window


def question_scene(stage: Stage) -> QWidget:
    """What was seen can be read in three ways."""
    window = stage.window
    assert window.shown is not None
    last = window.shown.history[-1].number
    asked = Question(
        text=tr("The table can be read in more than one way: which of these happened?"),
        choices=tuple(entry.text for entry in window.bridge.alternatives(last)[:3]),
    )
    window.show_shown(replace(window.shown, question=asked))
    return window


def log_scene(stage: Stage) -> QWidget:
    """The log is open."""
    stage.window.tabs.setCurrentIndex(1)
    return stage.window


def camera_scene(stage: Stage) -> QWidget:
    """What the camera sees, with what was recognised, in the large place."""
    stage.window.menus.camera.trigger()
    return stage.window


WRONG = "LookupError('a line of the log that is longer than anybody would have thought it could be')"


def mishap_scene(stage: Stage) -> QWidget:
    """Something went wrong inside, and the game goes on."""
    stage.window.notices.mishap(msg("Internal error: {error}", error=WRONG))
    return stage.window


def mishap_box_scene(stage: Stage) -> QWidget:
    """Something went wrong in a window without a game."""
    box = MishapBox(Mishaps(), stage.folder)
    box.tell(msg("Internal error: {error}", error=WRONG))
    return box


def mend_scene(stage: Stage) -> QWidget:
    """An action is being mended."""
    stage.window.menus.mend.trigger()
    return stage.window.side.mend_dialog


def glance_scene(stage: Stage) -> QWidget:
    """Whose turn it is and what is due, for the far end of the room."""
    stage.window.menus.glance.trigger()
    return stage.window.side.glance


def table_mode_scene(stage: Stage) -> QWidget:
    """A screen that lies on the table."""
    stage.window.menus.table_mode.trigger()
    table_mode = stage.window.side.table_mode
    table_mode.showNormal()
    table_mode.resize(1280, 900)
    return table_mode


def report_scene(stage: Stage) -> QWidget:
    """Charts of the game so far."""
    side = stage.window.side
    stage.window.menus.report.trigger()
    settle(stage.app, lambda: side.report is not None, PATIENCE_S)
    assert side.report is not None
    return side.report


def standings_scene(stage: Stage) -> QWidget:
    """The game is over: who won, and what comes next."""
    settle(stage.app, stage.window.menus.standings.isEnabled, PATIENCE_S)  # after the panels are shown
    stage.window.menus.standings.trigger()
    return stage.window.side.standings


def rules_scene(stage: Stage) -> QWidget:
    """Looking up a rule."""
    stage.window.menus.rules.trigger()
    return stage.window.side.rules_panel


def keys_scene(stage: Stage) -> QWidget:
    """The list of keys."""
    stage.window.side.open_keys()
    return stage.window.side.keys_window


def share_scene(stage: Stage) -> QWidget:
    """Sharing the game with phones, before it is begun."""
    stage.window.side.open_sharing()
    return stage.window.side.share_dialog


# -- past games ----------------------------------------------------------------------------------------------


def past_games_scene(stage: Stage) -> PastGames:
    """The list of past games: one over, one not, one broken."""
    games = (("1", city_game(3, is_over=True)), ("2", city_game(2)))
    for name, game in games if not (stage.folder / "3.moontable").exists() else ():
        with Journal.create(stage.folder / f"{name}.moontable", game.header) as journal:
            referee = Referee(GAME, journal)
            for action in game.actions:
                referee.enter(unseen_cards(action))
    (stage.folder / "3.moontable").write_text("torn")
    dialog = PastGames(shelf_of(stage.folder), stage.settings, stage.window)
    dialog.show()
    settle(stage.app, lambda: bool(dialog.games), PATIENCE_S)
    dialog.list.selectRow(len(dialog.games) - 1)
    return dialog


def statistics_scene(stage: Stage) -> QWidget:
    """Statistics of past games."""
    dialog = past_games_scene(stage)
    dialog.tabs.setCurrentIndex(1)
    return dialog


def people_scene(stage: Stage) -> QWidget:
    """Who is remembered; a name that is on the list already is refused."""
    store = PeopleStore(stage.folder / "people.json", clock=lambda: 1.7e9)
    for name, colour in (("Ada", "purple"), ("Оля", "white"), ("דנה", ""), ("Maximilian Featherstone", "")):
        store.like(store.named(name).id, colour or "natural")
    dialog = PeopleWindow(store, stage.folder, stage.settings, stage.window)
    dialog.show()
    dialog.name.setText("ada")
    dialog.add()
    return dialog


def preferences_scene(stage: Stage) -> QWidget:
    """The page of settings."""
    page = Preferences(stage.settings, lambda _: None, lambda _: None, stage.window)
    page.show()
    return page


def about_scene(stage: Stage) -> QWidget:
    """What the program is, and where it keeps things."""
    page = About(stage.folder, stage.window)
    page.show()
    return page


def replay_scene(stage: Stage) -> QWidget:
    """A past game, moment by moment."""
    past_games_scene(stage).close()
    dialog = Replay(shelf_of(stage.folder).film("2.moontable"), stage.settings, stage.window)
    dialog.show()
    dialog.slider.setValue(dialog.slider.maximum() // 2)
    return dialog


# -- the home screen -----------------------------------------------------------------------------------------


class SceneDoor(ProgramBehind):
    """The program behind the home screen, on a computer with a camera and nothing learnt."""

    def watchers(self, game: str) -> Watchers:
        """Return a camera that no profile goes with, or that the game cannot be followed."""
        if not registry.can_be_followed(game):
            return Watchers(can_follow=False)
        has_board = registry.has_components(game)
        cameras = (("camera:0", "Front camera"),)
        return Watchers(can_follow=True, has_board=has_board, cameras=cameras)


def _home(stage: Stage) -> HomeWindow:
    """Return the home screen over the games in the stage's folder."""
    people = stage.folder / "people.json"
    window = HomeWindow(SceneDoor(stage.folder, stage.folder / "profiles", people), stage.folder)
    window.resize(stage.window.size().boundedTo(window.size()))
    window.show()
    settle(stage.app, lambda: window.is_read, PATIENCE_S)
    return window


def home_scene(stage: Stage) -> QWidget:
    """The home screen with a game to be continued."""
    past_games_scene(stage).close()
    return _home(stage)


def first_home_scene(stage: Stage) -> QWidget:
    """The home screen when nothing has been played yet."""
    for file in stage.folder.glob("*.moontable*"):
        file.unlink()
    return _home(stage)


def _new_game(stage: Stage, game: str) -> NewGame:
    """Return the dialog for a new game, opened from the home screen's door."""
    door = SceneDoor(stage.folder, stage.folder / "profiles", stage.folder / "people.json")
    dialog = NewGame(door, door.forms(), stage.settings, stage.window)
    dialog.show()
    dialog.games[game].click()
    settle(stage.app, lambda: dialog.following.watchers is not None, PATIENCE_S)
    return dialog


def new_game_scene(stage: Stage, game: str) -> QWidget:
    """A new game is being chosen, with as many players as can play."""
    dialog = _new_game(stage, game)
    while dialog.seats.add_button.isVisible() and dialog.seats.add_button.isEnabled():
        dialog.seats.add()
    return dialog


def dealt_scene(stage: Stage, game: str = registry.DEFAULT) -> QWidget:
    """The table to lay out for a game that is entered by hand."""
    dialog = _new_game(stage, game)
    dialog.go_on()
    return dialog


# -- the wizard ----------------------------------------------------------------------------------------------


@functools.cache
def _picture() -> tuple[CameraView, tuple[Note, ...]]:
    """Return a picture of the laid-out table that is a little too dark, and what to improve."""
    layout = table_layout()
    header = model_header(GAME, TWO)
    colours = {name: PIECE_COLOURS[name] for name in TWO.players}
    camera = SimulatedCamera(layout, tile_arts(COMPONENTS.tiles), colours, seed=1)
    frame = camera.frame(COMPONENTS.model_pieces(header["layout"], TWO.players)) // 4
    findings = check_quality(frame, layout).findings
    view = CameraView(width=frame.shape[1], height=frame.shape[0], bgr=frame.tobytes())
    return view, tuple(Note(text=one.text, is_bad=one.is_bad) for one in findings)


def _view(picture: Image) -> CameraView:
    """Return a picture as the window takes it."""
    return CameraView(width=picture.shape[1], height=picture.shape[0], bgr=picture.tobytes())


class PictureGuide(ScriptedGuide):
    """A scripted guide with the real wizard's words and a picture worth looking at."""

    def __init__(self, folder: Path) -> None:
        super().__init__((HOME,))
        self._real = CameraGuide(folder)
        view, notes = _picture()
        self.look = Look(camera=view, is_table_found=True, notes=notes, token=object())
        state = GAME.start(model_header(GAME, TWO))
        cell = CELLS[0]
        tile = state.setup.layout[0]
        self.fault = fix_text(state, Place(f"cell:{cell}"), f"{tile}/built", f"{tile}/sketch")
        paints = {"purple": (120, 40, 110), "white": (115, 38, 104)}
        markers = [
            PieceRecord(kind="marker", name=name, palette=shades_of(one)) for name, one in paints.items()
        ]
        self.missing = tuple(one.why for one in of_like_colours(markers))

    def editions(self) -> tuple[tuple[str, str], ...]:
        return self._real.editions()

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        return self._real.poses(game, naming)

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        del shot
        layout = model_header(GAME, TWO)["layout"]
        arts = {art.tile: art for art in tile_arts(COMPONENTS.tiles)}
        tiles = []
        for cell, tile in layout.items():
            picture = draw_tile(arts[tile], "sketch", 192)
            values = printed_of(COMPONENTS.tiles)[tile].values
            alike = ("mill", "iron_foundry", "thermae")
            is_asked = tile in alike and not said
            others = [one for one in alike if one != tile] if is_asked else []
            tiles.append(
                NamedTile(
                    cell=cell,
                    picture=_view(picture),
                    boxes=_view(np.ascontiguousarray(picture[130:192])),
                    tile=tile,
                    name=tile_name(tile),
                    choices=tuple((one, tile_name(one)) for one in (tile, *others)),
                    seen=(4, 3) if tile in ("great_hall", "trading_house") else values,
                    listed=values,
                )
            )
        return Naming(tiles=tuple(tiles), token=None)

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        del camera, profile
        table = CityPresenter().present(GAME.start(model_header(GAME, game)))
        return self._repeated(lambda: LaidOut(camera=self.look.camera, fault=self.fault, table=table))


def _wizard(stage: Stage, page: str) -> QWidget:
    """Return the wizard at a page."""
    wizard = SetupWizard(PictureGuide(stage.folder), stage.folder, stage.window)
    wizard.show()
    settle(stage.app, lambda: wizard.camera_page.is_found, PATIENCE_S)
    if page != "camera":
        wizard.next()
    if page != "camera" and page != "game":
        wizard.next()
    if page in ("learn", "names", "numbers", "learnt"):
        wizard.profile_page.list.setCurrentRow(wizard.profile_page.list.count() - 1)
        wizard.next()
        learn = wizard.learn_page
        settle(stage.app, lambda: learn.looks_taken > 1, PATIENCE_S)
        learn.take_photograph()
    if page in ("names", "numbers", "learnt"):
        # The one before is looked at first.
        settle(stage.app, learn.shoot.isEnabled, PATIENCE_S)
        learn.take_photograph()
        settle(stage.app, lambda: len(learn.questions.answers) == 3, PATIENCE_S)
    if page in ("numbers", "learnt"):
        for number, answer in enumerate(learn.questions.answers):
            answer.setCurrentIndex(answer.findData(("mill", "iron_foundry", "thermae")[number]))
        learn.take_answers()
        settle(stage.app, lambda: len(learn.questions.answers) == 2, PATIENCE_S)
    if page == "learnt":
        for answer in learn.questions.answers:
            answer.setCurrentIndex(1)
        learn.take_answers()
        for _ in range(2):
            settle(stage.app, learn.shoot.isEnabled, PATIENCE_S)
            learn.take_photograph()
        settle(stage.app, learn.isComplete, PATIENCE_S)
    if page == "check":
        wizard.next()
        settle(stage.app, lambda: wizard.check_page.laid is not None, PATIENCE_S)
    return wizard


# -- the sensor table ----------------------------------------------------------------------------------------


class FaultyFace:
    """A sensor table that wants looking after."""

    is_on = True
    brightness = 0.5

    def switch(self, on: bool) -> None:
        """Stay as it is."""

    def dim(self, brightness: float) -> None:
        """Stay as it is."""

    def mute(self, quiet: bool) -> None:
        """Stay as it is."""

    def show_reach(self, on: bool) -> None:
        """Stay as it is."""

    def health(self) -> HealthReport:
        """Return a reader that is dead, and a tile with a marker that is felt."""
        dead = msg("Does the reader get 3.3 V? Is its select wire connected? Is the bus too long?")
        stuck = msg("A supply, ground or signal wire has come off, or a multiplexer channel is dead.")
        felt = (
            reading_text(Place("cell:0,1"), "monastery_tower/sketch"),
            msg("box {number}: {what}", number=1, what=player_name("teal")),
        )
        faults = (msg("reader dead"), msg("box {number} {fault}", number=2, fault=msg("stuck")))
        return HealthReport(
            lines=(
                HealthLine(name=msg("Connected to"), value="/dev/ttyACM0"),
                HealthLine(name=msg("Dead readers"), value="0,1", advice=dead),
                HealthLine(name=msg("Stuck spots"), value="17", advice=stuck),
            ),
            cells=tuple(
                CellHealth(cell=(row, column), words=felt, faults=faults if row == 0 else ())
                for row, column in (map(int, cell.split(",")) for cell in CELLS)
            ),
        )


def health_scene(stage: Stage) -> QWidget:
    """How a sensor table fares."""
    page = HealthPage(FaultyFace(), stage.settings, stage.window)
    page.show()
    return page


def lesson_scene(stage: Stage) -> QWidget:
    """A sensor table is being set up."""
    ended = threading.Event()

    def views() -> Iterator[object]:
        while not ended.wait(0.02):
            yield LessonView(
                text=msg(
                    "Take the marker off. Put {tile} on any cell, sketch side up.",
                    tile=tile_name("monastery_tower"),
                ),
                missing=msg("The tile's magnet has not been detected yet."),
                done=3,
                steps=30,
            )

    def nothing() -> None:
        """The lesson stays where it is."""

    window = LessonWindow(views, skip=nothing, back=nothing, close=ended.set, settings=stage.settings)
    window.show()
    settle(stage.app, window.panel.isVisible, PATIENCE_S)
    return window


class LaidReader:
    """A reader that sees a game of Nova Luna laid out, but for one tile."""

    def __init__(self) -> None:
        self._is_closed = threading.Event()

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen until it is closed."""
        del camera, profile
        rules = registry.lookup("nova_luna")
        header = rules.deal(random.Random(1), {"players": list(game.players)})
        table = registry.display("nova_luna").presenter.present(rules.start(header))
        fault = msg("A piece is not on its starting place.")
        while not self._is_closed.wait(0.02):
            yield LaidOut(camera=_picture()[0], fault=fault, table=table)

    def close(self) -> None:
        """End."""
        self._is_closed.set()


def table_reading_scene(stage: Stage) -> QWidget:
    """A table of another game is being laid out under a camera."""
    game = GameChoice(edition="", players=("red", "blue"))
    chosen = ChosenSource(game=game, camera="camera:0", profile="home")
    advice = tr("Lay out the table as for a new game.")
    window = TableReading(LaidReader(), chosen, stage.folder, stage.window, advice=advice)
    window.open()
    settle(stage.app, lambda: window.check_page.laid is not None, PATIENCE_S)
    return window


def deal_scene(stage: Stage) -> QWidget:
    """Cards are dealt to be learnt; one of them is not what was expected."""
    order = new_faces("urbion")
    lesson = drawn_deal("urbion", [*order[:9], order[5], order[5]], stage.folder)
    window = DealWindow(lesson, stage.settings, lambda: None)
    window.show()
    settle(
        stage.app, lambda: window.panel.cards.count() == 11 and bool(window.panel.state.text()), PATIENCE_S
    )
    return window


class LearntCopy(FreeCopyGuide):
    """The guide of a copy of Nova Luna whose board and pieces lie under the camera; most tiles are known."""

    def __init__(self, folder: Path) -> None:
        copy, pieces, _ = copy_of("nova_luna")
        paints = pieces.paints({"players": registry.display("nova_luna").form.colours})
        self.taken = take_photographs(copy.camera, copy.arranger, [], paints)
        image = self.taken.pictures[-1].image
        known = (CameraChoice(address="camera:0", name="Front camera"),)
        super().__init__(folder, "nova_luna", opener=lambda _: Film([image]), known=known)

    def save(self) -> SavedCopy:
        """Nothing is saved: this is only shown."""
        return SavedCopy(name="nova_luna", known=72, total=75, missing=tuple(map(tile_text, (12, 13, 68))))


def copy_scene(stage: Stage, page: int) -> QWidget:
    """A copy is learnt: the board and the pieces are pointed at, or everything is saved."""
    guide = LearntCopy(stage.folder)
    window = CopyWizard(guide, stage.folder, lambda: None, stage.window)
    window.setStartId(page)
    things = window.things_page
    assert things is not None
    window.open()
    if page == SAVE:
        settle(stage.app, window.save_page.isComplete, PATIENCE_S)
        return window
    settle(stage.app, things.shoot.isEnabled, PATIENCE_S)
    things.take_photograph()
    at = {one.name: one.at_px for one in guide.taken.things if one.name != "back"}
    shot = pictured(guide.taken.pictures[-1].image)
    things.points.show_picture(shot, tuple(at.values()), stage.settings.scale)
    return window


def watch_again_scene(stage: Stage) -> QWidget:
    """Camera and copy are chosen again during a game of Nova Luna."""
    guide = ScriptedGuide((replace(HOME, name="nova_luna"), replace(HOME, name="nova_luna-2")))
    window = WatchWizard(guide, stage.folder, stage.window, players=("white",), profile="")
    window.setStartId(COPY)
    window.open()
    return window


def new_faces(game: str) -> list[str]:
    """Return the faces of a game in the order in which they are dealt, each once."""
    pieces, header = registry.pieces(game), registry.lookup(game).deal(random.Random(1), {})
    return list(dict.fromkeys((*pieces.backs(header), *pieces.sorted_copy(header))))


@dataclass(frozen=True)
class Scene:
    """How many players, and how the window is opened; whether the game is over, whether a camera watches."""

    players: int
    prepare: Callable[[Stage], QWidget]
    is_over: bool = False
    is_watched: bool = False


SCENES: dict[str, Scene] = {
    "deal": Scene(2, deal_scene),
    "copy-things": Scene(2, functools.partial(copy_scene, page=THINGS)),
    "watch-again": Scene(2, watch_again_scene),
    "copy-saved": Scene(2, functools.partial(copy_scene, page=SAVE)),
    "rewards": Scene(2, reward_scene),
    "trouble": Scene(3, trouble_scene),
    "question": Scene(2, question_scene),
    "end": Scene(3, reward_scene, is_over=True),
    "log": Scene(4, log_scene),
    "camera": Scene(2, camera_scene, is_watched=True),
    "mishap": Scene(2, mishap_scene),
    "mishap-box": Scene(2, mishap_box_scene),
    "mend": Scene(2, mend_scene),
    "glance": Scene(3, glance_scene),
    "table-mode": Scene(4, table_mode_scene),
    "rules": Scene(2, rules_scene),
    "report": Scene(3, report_scene, is_over=True),
    "standings": Scene(3, standings_scene, is_over=True),
    "keys": Scene(2, keys_scene),
    "share": Scene(2, share_scene),
    "past-games": Scene(2, past_games_scene),
    "statistics": Scene(2, statistics_scene),
    "people": Scene(2, people_scene),
    "about": Scene(2, about_scene),
    "preferences": Scene(2, preferences_scene),
    "replay": Scene(2, replay_scene),
    "home": Scene(2, home_scene),
    "home-first": Scene(2, first_home_scene),
    **{f"new-game-{game}": Scene(2, functools.partial(new_game_scene, game=game)) for game in registry.NAMES},
    "dealt": Scene(2, dealt_scene),
    "dealt-nova_luna": Scene(2, functools.partial(dealt_scene, game="nova_luna")),
    **{
        f"wizard-{page}": Scene(2, functools.partial(_wizard, page=page))
        for page in ("camera", "game", "profile", "learn", "names", "numbers", "learnt", "check")
    },
    "table-reading": Scene(2, table_reading_scene),
    "sensor-health": Scene(2, health_scene),
    "sensor-lesson": Scene(2, lesson_scene),
}


@contextmanager
def staged(
    app: QApplication,
    game: PlayedTable,
    settings: Settings,
    size: tuple[int, int],
    *,
    is_watched: bool = False,
) -> Iterator[Stage]:
    """Open the main window over a game and close it again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_settings(folder, settings)
        sources = [one_look(game.tables[-1], list(game.header["players"]))] if is_watched else []
        session = entered_session(folder, game, *sources)
        window = MainWindow(ControllerBridge(session), folder, session.title)
        window.resize(*size)
        window.show()
        window.bridge.start()
        settle(app, lambda: window.shown is not None, PATIENCE_S)
        if is_watched:
            settle(app, lambda: window.picture is not None, PATIENCE_S)
        try:
            yield Stage(app=app, window=window, folder=folder, settings=settings)
        finally:
            window.close()
            settle(app, at_most_s=0.02)
            session.referee.journal.close()


@contextmanager
def opened(app: QApplication, scene: str, settings: Settings, size: tuple[int, int]) -> Iterator[QWidget]:
    """Open a window over a main window of this size, and close everything again."""
    wanted = SCENES[scene]
    game = city_game(wanted.players, is_over=wanted.is_over)
    with staged(app, game, settings, size, is_watched=wanted.is_watched) as stage:
        shot = wanted.prepare(stage)
        settle(app)
        try:
            yield shot
        finally:
            if shot is not stage.window:
                shot.close()
