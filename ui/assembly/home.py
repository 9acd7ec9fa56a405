"""The home screen and what is done from it, one window after the other, until the program is left."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from companion import log
from companion.errors import CompanionError, MalformedError
from companion.game import Json
from companion.games import registry
from companion.people.person import clean_name
from companion.people.seating import Seats
from companion.people.store import PeopleStore
from companion.session.journal import Journal
from companion.session.library import PastGame
from companion.set_up_form import SetUpForm
from companion.table import Place, Value
from companion.view_model import Option
from ui import folders
from ui import settings as settings_store
from ui.assembly.own_copy import choices_at, dealt, relay, swap_tiles
from ui.assembly.play import play_by_hand, play_watched, resume, shelf_of
from ui.controller.shelf import Shelf
from ui.home.front_door import Guides, LastGame
from ui.home.plan import Begin, GamePlan, KnownProfile, Resume, WatchDemo, Watchers, Wish
from ui.last_table import last_table
from ui.onward import Left, Onward
from ui.text import said
from ui.wizard.copy_guide import CopyGuide
from ui.wizard.guide import Dealt, TableReader


def run_home() -> int:
    """Show the home screen, then what is chosen there, until the program is left; return the exit status."""
    return after(Left(status=0, onward=Onward.HOME))


def after(left: Left) -> int:
    """Go where a closed window leads; return the exit status when the program is left.

    A window that was just closed ends the program, unless it was opened from the home screen.
    """
    is_at_home, notice = left.onward not in (Onward.CLOSED, Onward.QUIT), ""
    while is_at_home:
        wish = _asked_at_home(left, notice)
        if isinstance(wish, Left):
            return wish.status
        notice = ""
        try:
            left = _carried_out(wish)
        except CompanionError as error:
            left, notice = Left(status=0), str(error)
        except OSError as error:
            left, notice = Left(status=0), f"{error.filename or ''}: {error.strerror or error}"
        is_at_home = left.onward is not Onward.QUIT
    return left.status


def _asked_at_home(left: Left, notice: str) -> Wish | Left:
    """Show the home screen; return what is wished for, or how the program is left."""
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.home.run import show_home

    door = ProgramBehind(folders.games_folder(), folders.profiles_folder(), folders.people_file())
    return show_home(door, settings_store.default_folder(), left, notice)


def _carried_out(wish: Wish) -> Left:
    """Do what was wished for until its window is closed; raises CompanionError or OSError."""
    match wish:
        case Resume(name=name):
            return resume(folders.games_folder() / name)
        case WatchDemo(game=game):
            # Nothing else needs the simulated table and its camera.
            from ui.assembly.demo import Demo, play_demo

            return play_demo(Demo(game=game))
        case Begin(plan=plan, start=start) if plan.is_watched:
            header, seats = cast(Json, start), _seated(plan)
            return play_watched(plan.game, plan.camera, Path(plan.profile), header, seats)
        case Begin(plan=plan, start=start):
            return play_by_hand(plan.game, cast(Json, start), _seated(plan))


def _seated(plan: GamePlan) -> Seats:
    """Return who sits where; people whose names are new are remembered."""
    store = PeopleStore(folders.people_file())
    colours = registry.display(plan.game).form.colours
    return {seat: store.named(name, seat if seat in colours else "").id for seat, name in plan.names.items()}


class ProgramBehind:
    """The home screen's `FrontDoor`.

    `games` and `profiles` are folders, `people` is the list of people.
    """

    def __init__(self, games: Path, profiles: Path, people: Path) -> None:
        self._games = games
        self._profiles = profiles
        self._people = PeopleStore(people)
        self._rng = random.Random()

    def shelf(self) -> Shelf:
        """Return the past games."""
        return shelf_of(self._games)

    def forms(self) -> Mapping[str, SetUpForm]:
        """Return the games' forms."""
        return {name: registry.display(name).form for name in registry.NAMES}

    def last_game(self) -> LastGame | None:
        """Return the newest game that can be continued or looked at."""
        shelf = self.shelf()
        games = shelf.library.games()
        past = max((game for game in games if shelf.can_show(game)), key=_when, default=None)
        if past is None:
            return None
        film = shelf.film(past.name)
        title = shelf.title(past.game, past.edition)
        called = self._people.called(self._games / past.name)
        return LastGame(past=past, title=title, called=called, table=film.moment(len(film)))

    def remembered(self) -> tuple[str, ...]:
        """Return the names of the people who are remembered, who played last first."""
        try:
            people = self._people.read()
        except (OSError, MalformedError) as error:
            log.ui.warning("people read=no reason=%s", error)
            return ()
        return tuple(person.name for person in people.recent())

    def name_fault(self, name: str) -> str:
        """Return what is wrong with a person's name, in words; "" if it will do."""
        try:
            clean_name(name)
        except MalformedError as error:
            return said(str(error))
        return ""

    def watchers(self, game: str) -> Watchers:
        """Look for cameras, sensor tables, and profiles that know the game."""
        if not registry.has_components(game):
            return self._free_watchers(game)
        guide = self._house(game)
        tables = guide.sensors.tables()
        addresses = {address for address, _ in tables}
        cameras = [(one.address, one.name) for one in guide.camera.cameras() if one.address not in addresses]
        return Watchers(
            can_follow=True,
            cameras=tuple(cameras),
            tables=tables,
            profiles=tuple(
                KnownProfile(
                    address=one.address,
                    name=one.name,
                    answers={"edition": one.edition},
                    colours=one.players,
                    has_faces=one.has_faces,
                    has_sensors=one.has_sensors,
                )
                for one in guide.camera.profiles()
            ),
        )

    def _free_watchers(self, game: str) -> Watchers:
        """Look for cameras, and profiles of a game whose pieces lie anywhere."""
        # What reads cameras is loaded when it is looked for.
        from ui.assembly.table_camera import copies_in, plugged_in

        if not registry.can_be_followed(game):
            return Watchers(can_follow=False)
        return Watchers(
            can_follow=True,
            has_board=False,
            cameras=tuple((one.address, one.name) for one in plugged_in()),
            profiles=tuple(
                KnownProfile(
                    address=str(folder),
                    name=folder.name,
                    answers={},
                    colours=pieces,
                    has_faces=True,
                    has_sensors=False,
                )
                for folder, pieces in copies_in(self._profiles, game)
            ),
        )

    def plan_of(self, name: str) -> GamePlan:
        """Return how a past game was begun; raises CompanionError with the reason."""
        header = Journal.look(self._games / name, lambda kept: kept.header)
        game = registry.lookup(header["game"])
        table = last_table(name)
        return GamePlan(
            game=game.name,
            seats=tuple(header["players"]),
            answers=registry.display(game.name).form.answers(header),
            names=self._people.called(self._games / name),
            camera="" if table is None else table.camera,
            profile="" if table is None else table.profile,
        )

    def deal(self, plan: GamePlan) -> Dealt:
        """Return a table laid out at random by the rules; raises MalformedError."""
        game = registry.lookup(plan.game)
        options = registry.display(plan.game).form.options(plan.seats, plan.answers)
        return dealt(game, game.public_header(game.deal(self._rng, options)))

    def swapped(self, plan: GamePlan, laid: Dealt, one: Place, other: Place) -> Dealt:
        """Return the table with two tiles swapped; raises MalformedError where the rules forbid that."""
        return swap_tiles(registry.lookup(plan.game), laid, one, other)

    def choices(self, plan: GamePlan, laid: Dealt, place: Place) -> tuple[Option, ...]:
        """Return what may lie at a place of a laid-out table; empty where it cannot be named."""
        return choices_at(registry.lookup(plan.game), laid, place)

    def relaid(self, plan: GamePlan, laid: Dealt, place: Place, value: Value) -> Dealt:
        """Return the table with something else at a place; raises CompanionError if it cannot be."""
        return relay(registry.lookup(plan.game), laid, place, value, self._rng)

    def set_up_games(self) -> tuple[str, ...]:
        """Return the games that a camera can follow."""
        return tuple(name for name in registry.NAMES if registry.can_be_followed(name))

    def guides(self, game: str) -> Guides | CopyGuide:
        """Return what the wizard calls."""
        if registry.has_components(game):
            return self._house(game)
        # As above.
        from ui.assembly.free_copy_guide import FreeCopyGuide

        return FreeCopyGuide(self._profiles, game)

    def _house(self, game: str) -> Guides:
        # What reads cameras and sensor tables is loaded when it is looked for.
        from ui.assembly.house_guide import HouseGuide

        guide = HouseGuide(self._profiles, game)
        return Guides(camera=guide, sensors=guide)

    def table_reader(self, plan: GamePlan) -> TableReader:
        """Return what reads the laid-out table of a game that is to be watched."""
        if registry.has_components(plan.game):
            return self._house(plan.game).camera
        # As above.
        from ui.assembly.laid_table import FreeTableReader

        return FreeTableReader(plan.game, registry.display(plan.game).form.options(plan.seats, plan.answers))

    def prepare_demo(self, game: str, report: Callable[[str, int, int], None]) -> None:
        """Learn what the demo's camera must know, unless that is kept from an earlier time."""
        # Nothing else needs the simulated table and its camera.
        from ui.assembly.demo import Demo, prepare_demo

        prepare_demo(Demo(game=game), report)


def _when(game: PastGame) -> tuple[float, str]:
    return game.ended_s, game.name
