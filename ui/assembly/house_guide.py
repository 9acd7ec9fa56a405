"""The wizard's guide, with sensor tables as well as cameras."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from calibration.sensors import SensorProfile
from calibration.store import load_profile
from companion.errors import BugError, ProfileError
from companion.games import registry
from companion.i18n import msg
from companion.reconcile.debounce import Debouncer
from firmware_bridge.port import Port, SerialPort, find_ports
from firmware_bridge.session import SensorTable
from ui.assembly.camera_guide import CameraGuide, choice_of
from ui.assembly.laid_table import NO_PICTURE, UNSEEN
from ui.assembly.layouts import layout_of
from ui.assembly.own_copy import game_for
from ui.assembly.sensor_lesson import SensorLesson, keep_sensors
from ui.assembly.sensor_table import NAME, WORD, debounce_rules, is_sensors, port_of
from ui.assembly.table_camera import free_folder
from ui.text import tr
from ui.wizard.guide import CameraChoice, GameChoice, LaidOut, Look, Note, ProfileChoice
from ui.wizard.sensor_guide import LessonView
from vision.capture.sources import open_source
from vision.capture.sources.frame import FrameSource


class HouseGuide(CameraGuide):
    """The wizard's guide for cameras and sensor tables.

    `game`, `opener` and `known` are as for `CameraGuide`; `finder` lists the ports with boards plugged in,
    and `port_opener` opens one.
    """

    def __init__(
        self,
        folder: Path,
        game: str = registry.DEFAULT,
        *,
        opener: Callable[[str], FrameSource] = open_source,
        known: tuple[CameraChoice, ...] = (),
        finder: Callable[[], list[str]] = find_ports,
        port_opener: Callable[[str], Port] = SerialPort,
    ) -> None:
        super().__init__(folder, game, opener=opener, known=known)
        self._finder = finder
        self._port_opener = port_opener
        self._lesson: SensorLesson | None = None

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return what can watch a table: cameras and the sensor tables that are plugged in."""
        tables = (CameraChoice(address=address, name=name) for address, name in self.tables())
        return (*super().cameras(), *tables)

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield live pictures; for a sensor table, only whether it answers."""
        if not is_sensors(camera):
            yield from super().looks(camera)
            return
        table = self._take(self._opened(camera, SensorProfile()))
        for _ in table.observations():
            found = table.shape is not None
            notes = (Note(text=msg("The sensor table is connected."), is_bad=False),) if found else ()
            yield Look(camera=NO_PICTURE, is_table_found=found, notes=notes, token=None)

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what the sources see of the laid-out table and what is still wrong on it."""
        if not is_sensors(camera):
            yield from super().laid_out(camera, profile, game)
            return
        known = load_profile(Path(profile)).sensors
        table = self._take(self._opened(camera, known))
        rules = game_for(self._game.name, Path(profile))
        debouncer = Debouncer(debounce_rules())
        last = UNSEEN
        for observation in table.observations():
            snapshot = debouncer.feed(observation)
            if snapshot is not None:
                last = self._judged_table(rules, snapshot, game, last)
            yield replace(last, camera=NO_PICTURE)

    # -- setting a sensor table up ----------------------------------------------------------------

    def tables(self) -> tuple[tuple[str, str], ...]:
        """Return the sensor tables that are plugged in: address and name."""
        return tuple((f"{WORD}:{port}", tr("Sensor table on {port}", port=port)) for port in self._finder())

    def lesson(self, address: str, game: GameChoice) -> Iterator[LessonView]:
        """Yield what to do, until everything is learnt or `close` is called."""
        table = self._opened(address, SensorProfile())
        self._lesson = self._take(SensorLesson(table, self._box, game.players))
        return self._lesson.views()

    def skip(self) -> None:
        """Skip the current step."""
        if self._lesson is not None:
            self._lesson.skip()

    def back(self) -> None:
        """Go back to the previous step."""
        if self._lesson is not None:
            self._lesson.back()

    def keep(self, game: GameChoice) -> ProfileChoice:
        """Keep what was learnt so far in a new profile; raises ProfileError with the reason."""
        if self._lesson is None:
            raise BugError("there was no lesson")
        folder = free_folder(self._folder, "-".join((WORD, game.edition, *game.players)))
        profile = keep_sensors(
            folder,
            self._lesson.profile,
            edition=game.edition,
            players=game.players,
            layout=layout_of(self._game.name),
        )
        return choice_of(profile, folder)

    def _opened(self, address: str, known: SensorProfile | None) -> SensorTable:
        if known is None:
            raise ProfileError(msg("This profile has no sensor table yet."))
        return SensorTable(known, port=port_of(address), opener=self._port_opener, name=NAME)
