"""A guide for the wizard that shows what a test or a picture wants."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.components import Pose
from companion.errors import ProfileError
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.table import Place
from companion.view_model import CameraView
from ui.assembly.own_copy import deal_table, model_header, swap_tiles
from ui.wizard.guide import (
    BoardQuestion,
    CameraChoice,
    Dealt,
    GameChoice,
    LaidOut,
    Lesson,
    Look,
    Naming,
    ProfileChoice,
    Report,
)

VIEW = CameraView(width=16, height=9, bgr=bytes(16 * 9 * 3))
TWO = GameChoice(edition="kosmos-2006", players=("purple", "white"))
HOME = ProfileChoice(address="home", name="home", edition="kosmos-2006", players=("purple", "white", "teal"))


class ScriptedGuide:
    """A guide that shows what a test wants."""

    def __init__(self, profiles: tuple[ProfileChoice, ...] = ()) -> None:
        self.kept = profiles
        self.plugged: tuple[CameraChoice, ...] = (CameraChoice(address="camera:0", name="Front camera"),)
        self.look = Look(camera=VIEW, is_table_found=True, notes=(), token=object())
        self.fault = ""
        self.trouble: Exception | None = None
        self.missing: tuple[str, ...] = ()
        self.wrong = ""
        self.checked: list[tuple[str, ...]] = []
        self.question: BoardQuestion | None = None
        self.learnt: list[Lesson] = []
        self.namings: list[Naming] = []
        self.said: list[dict[str, str]] = []
        self.asked: list[str] = []
        self._rng = random.Random(1)
        self._stop = threading.Event()

    def editions(self) -> tuple[tuple[str, str], ...]:
        return (("kosmos-2006", "2006"), ("cmon-2019", "2019"))

    def colours(self) -> tuple[str, ...]:
        return ("purple", "white", "teal", "black")

    def cameras(self) -> tuple[CameraChoice, ...]:
        return self.plugged

    def profiles(self) -> tuple[ProfileChoice, ...]:
        return self.kept

    def copies(self, players: Sequence[str]) -> tuple[ProfileChoice, ...]:
        return tuple(one for one in self.kept if set(players) <= set(one.players))

    def import_profile(self, address: str) -> ProfileChoice:
        if address != "good.zip":
            raise ProfileError("this is no profile")
        return replace(HOME, name="imported", address="imported")

    def export_profile(self, address: str, file: str) -> None:
        self.asked.append(f"{address} into {file}")

    code_sizes_mm = (15.0, 40.0, 120.0)

    def use_codes(self, edge_mm: float) -> None:
        self.asked.append(f"codes of {edge_mm:g} mm")

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        return (f"{folder}/codes.pdf",)

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        del naming
        table = CityPresenter().present(GAME.start(model_header(GAME, game)))
        return (
            Pose(name="empty", text="nothing", table=None),
            Pose(name="sketch", text="all tiles", table=table, names_tiles=bool(self.namings)),
        )

    def check(self, lesson: Lesson) -> None:
        if self.wrong:
            raise ProfileError(self.wrong)
        self.checked.append(tuple(lesson.shots))

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        del shot
        self.said.append(dict(said))
        if self.trouble is not None:
            raise self.trouble
        return self.namings.pop(0) if len(self.namings) > 1 else self.namings[0]

    def looks(self, camera: str) -> Iterator[Look]:
        self.asked.append(camera)
        return self._repeated(lambda: self.look)

    def board_question(self, lesson: Lesson) -> BoardQuestion | None:
        del lesson
        return self.question

    def learn(self, lesson: Lesson, report: Report) -> ProfileChoice:
        if self.trouble is not None:
            raise self.trouble
        self.learnt.append(lesson)
        report("tiles")
        return replace(HOME, address="fresh", name="fresh", missing=self.missing)

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:

        def seen() -> LaidOut:
            start = None if self.fault else (camera, profile, game)
            return LaidOut(camera=VIEW, fault=self.fault, start=start)

        return self._repeated(seen)

    def deal(self, game: GameChoice) -> Dealt:
        return deal_table(GAME, game, self._rng)

    def swapped(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        return swap_tiles(GAME, dealt, one, other)

    def close(self) -> None:
        self._stop.set()

    def _repeated(self, value: Callable[[], object]) -> Iterator:  # type: ignore[type-arg]
        self._stop = stop = threading.Event()
        if self.trouble is not None:
            raise self.trouble
        while not stop.wait(0.01):
            yield value()
