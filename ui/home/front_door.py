"""What the home screen needs from the rest of the program: one protocol, supplied by assembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.session.library import PastGame
from companion.set_up_form import SetUpForm
from companion.table import Place, Value
from companion.view_model import Option, TableView
from ui.controller.shelf import Shelf
from ui.home.plan import GamePlan, Watchers
from ui.wizard.copy_guide import CopyGuide
from ui.wizard.guide import Dealt, SetupGuide, TableReader
from ui.wizard.sensor_guide import SensorGuide


@dataclass(frozen=True, slots=True, kw_only=True)
class LastGame:
    """The game that was played last.

    Attributes:
        title: what players call the game, with its edition.
        called: names of the people who played, by player; who is missing goes by colour.
        table: how it was left; None where that cannot be drawn.
    """

    past: PastGame
    title: str
    called: Mapping[str, str]
    table: TableView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guides:
    """What the wizard calls: the same object for cameras and for sensor tables."""

    camera: SetupGuide
    sensors: SensorGuide


class FrontDoor(Protocol):
    """The program behind the home screen.

    Everything but `name_fault` and what concerns a table to lay out may take a while and is called from other
    threads.
    """

    def shelf(self) -> Shelf:
        """Return the past games."""

    def forms(self) -> Mapping[str, SetUpForm]:
        """Return the games' forms by the games' names, in the order to list them."""

    def remembered(self) -> tuple[str, ...]:
        """Return the names of the people who are remembered, who played last first."""

    def name_fault(self, name: str) -> str:
        """Return what is wrong with a person's name, in words; "" if it will do. Quick."""

    def last_game(self) -> LastGame | None:
        """Return the game that was played last; None if there is none that can be continued or shown."""

    def watchers(self, game: str) -> Watchers:
        """Look for cameras and sensor tables, and for profiles that know the game."""

    def plan_of(self, name: str) -> GamePlan:
        """Return how a past game was begun; raises CompanionError with the reason."""

    def deal(self, plan: GamePlan) -> Dealt:
        """Return a table laid out at random, another one each time; raises MalformedError."""

    def swapped(self, plan: GamePlan, laid: Dealt, one: Place, other: Place) -> Dealt:
        """Return the table with two tiles swapped; raises MalformedError where the rules forbid that."""

    def choices(self, plan: GamePlan, laid: Dealt, place: Place) -> tuple[Option, ...]:
        """Return what may lie at a place of a laid-out table; empty where it cannot be named. Quick."""

    def relaid(self, plan: GamePlan, laid: Dealt, place: Place, value: Value) -> Dealt:
        """Return the table with something else at a place; raises CompanionError if it cannot be."""

    def set_up_games(self) -> tuple[str, ...]:
        """Return the names of the games for which a table can be set up, or a copy learnt. Quick."""

    def guides(self, game: str) -> Guides | CopyGuide:
        """Return what the wizard calls; loads what reads cameras and sensor tables.

        Of a game whose pieces lie anywhere a copy is learnt.
        """

    def table_reader(self, plan: GamePlan) -> TableReader:
        """Return what reads the laid-out table of a game that is to be watched; loads what reads cameras."""

    def prepare_demo(self, game: str, report: Callable[[str, int, int], None]) -> None:
        """Make everything ready for a demo that begins at once.

        `report` is told what is being done, and the number of this step of how many.
        """
