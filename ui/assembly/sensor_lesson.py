"""The set-up of a sensor table: the lesson shared by terminal and window, and keeping its result."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from calibration.profile import Profile
from calibration.sensor_steps import SensorSetup
from calibration.sensors import SensorProfile
from calibration.store import load_profile, save_profile
from companion.components import Components
from companion.errors import DeviceError
from companion.i18n import msg
from companion.table_layout import TableLayout
from firmware_bridge.rests import LOOK_EVERY_S
from firmware_bridge.session import SensorTable
from ui.wizard.sensor_guide import LessonView


class SensorLesson:
    """Leads through the set-up of a table; `views` yields what to do. `skip` and `back` work at any time.

    Attributes:
        profile: what has been learnt so far.
    """

    def __init__(
        self,
        table: SensorTable,
        components: Components,
        players: Sequence[str],
        known: SensorProfile | None = None,
        *,
        every_box: bool = False,
    ) -> None:
        self.profile = known or SensorProfile()
        self._table = table
        self._components = components
        self._players = tuple(players)
        self._every_box = every_box
        self._wishes: deque[Callable[[SensorSetup], None]] = deque()
        self._closing = threading.Event()

    def skip(self) -> None:
        """Skip the current step."""
        self._wishes.append(SensorSetup.skip)

    def back(self) -> None:
        """Go back to the previous step."""
        self._wishes.append(SensorSetup.back)

    def close(self) -> None:
        """End the lesson and release the table; safe from any thread and twice."""
        self._closing.set()
        self._table.close()

    def views(self) -> Iterator[LessonView]:
        """Yield what to do after every reading of the table, until everything is learnt or `close` is called.

        If the table is unplugged, waits until it is back. Raises ProfileError if magnets cannot tell the
        players apart.
        """
        self._table.raw_every_s = LOOK_EVERY_S
        setup: SensorSetup | None = None
        while not self._closing.is_set():
            try:
                for _ in self._table.observations():
                    setup = setup or self._begun()
                    if setup is None:
                        continue
                    yield self._looked(setup)
                    if setup.step is None:
                        return
            except DeviceError as error:
                yield LessonView(text=str(error), done=0, steps=1)

    def _begun(self) -> SensorSetup | None:
        shape = self._table.shape
        if shape is None:
            return None
        box = self._components
        return SensorSetup(
            shape,
            players=self._players,
            tiles={tile: len(one.values) for tile, one in box.tiles.items()},
            dragons=box.dragons,
            built_only=box.built_only,
            profile=self.profile,
            every_box=self._every_box,
            name_of=box.name_of,
        )

    def _looked(self, setup: SensorSetup) -> LessonView:
        while self._wishes:
            self._wishes.popleft()(setup)
        look = self._table.look()
        if look is not None:
            setup.see(look)
        self.profile = setup.profile
        done, steps = setup.progress
        step = setup.step
        if step is None:
            return LessonView(text=msg("Everything is learnt."), done=done, steps=steps, is_over=True)
        return LessonView(text=step.text, missing=setup.words, done=done, steps=steps)


def walk(lesson: SensorLesson) -> bool:
    """Print what to do during the lesson; return whether everything was learnt."""
    last: LessonView | None = None
    try:
        for view in lesson.views():
            _print_news(view, last)
            last = view
    except KeyboardInterrupt:
        pass
    finally:
        lesson.close()
    return last is not None and last.is_over


def _print_news(view: LessonView, last: LessonView | None) -> None:
    if last is None or view.text != last.text:
        print(f"{view.done + 1}/{view.steps}  {view.text}", flush=True)
    if view.missing and (last is None or view.missing != last.missing):
        print(f"      {view.missing}", flush=True)


def lead_by(lesson: SensorLesson, lines: Iterable[str]) -> None:
    """Control the lesson by typed lines: ``b`` goes back, ``q`` quits, anything else skips the step."""
    for line in lines:
        word = line.strip().lower()
        if word == "q":
            lesson.close()
            return
        (lesson.back if word == "b" else lesson.skip)()


def keep_sensors(
    folder: Path, learnt: SensorProfile, *, edition: str, players: Sequence[str], layout: TableLayout
) -> Profile:
    """Keep what was learnt in the folder's profile, or in a new one if it has none; return the profile."""
    if (folder / "profile.json").is_file():
        profile = replace(load_profile(folder), sensors=learnt)
    else:
        profile = Profile(edition=edition, players=tuple(players), layout=layout, faces=(), sensors=learnt)
    save_profile(profile, folder)
    return profile
