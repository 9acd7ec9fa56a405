"""Setting a sensor table up: the lesson that terminal and window share, and where what it teaches is kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from calibration.layout import blue_moon_city
from calibration.profile import Profile
from calibration.sensor_steps import SCANS, SensorSetup
from calibration.sensors import SensorProfile, learn_rest
from calibration.store import load_profile, save_profile
from companion.errors import DeviceError, ProfileError
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import COURTYARD, DRAGONS
from companion.games.blue_moon_city.texts import dragon_name, tile_name
from companion.i18n import msg
from companion.names import player_name
from firmware_bridge.session import SensorTable
from ui.wizard.sensor_guide import LessonView

# While something is learnt all spots are asked for this often.
LOOK_EVERY_S: Final = 0.25


class SensorLesson:
    """Walks a table through its set-up; `views` says what to do, skipping and going back may come any time.

    Attributes:
        profile: what has been learnt so far.
    """

    def __init__(
        self,
        table: SensorTable,
        players: Sequence[str],
        known: SensorProfile | None = None,
        *,
        every_box: bool = False,
    ) -> None:
        self.profile = known or SensorProfile()
        self._table = table
        self._players = tuple(players)
        self._every_box = every_box
        self._wishes: deque[Callable[[SensorSetup], None]] = deque()
        self._closing = threading.Event()

    def skip(self) -> None:
        """Leave the present step out."""
        self._wishes.append(SensorSetup.skip)

    def back(self) -> None:
        """Do the step before again."""
        self._wishes.append(SensorSetup.back)

    def close(self) -> None:
        """End the lesson and release the table; safe from any thread and twice."""
        self._closing.set()
        self._table.close()

    def views(self) -> Iterator[LessonView]:
        """Yield what to do after every look at the table, until all is learnt or `close`.

        A table that is unplugged meanwhile is waited for. Raises ProfileError for players that magnets cannot
        tell apart.
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
        return SensorSetup(
            shape,
            players=self._players,
            tiles={COURTYARD: 0, **GAME.boxes_of_tile},
            dragons=DRAGONS,
            built_only=[COURTYARD],
            profile=self.profile,
            every_box=self._every_box,
            name_of=_name_of,
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


def _name_of(kind: str, name: str) -> str:
    return {"tile": tile_name, "dragon": dragon_name, "player": player_name}[kind](name)


def learn_rests(table: SensorTable, known: SensorProfile) -> SensorProfile:
    """Return the profile with the rests of all spots learnt anew from the empty table.

    Raises ProfileError where a spot wavers or far too much has changed, DeviceError where there is no table.
    """
    table.raw_every_s = LOOK_EVERY_S
    scans: list[Sequence[int]] = []
    for _ in table.observations():
        look = table.look()
        if look is not None and -1 not in look.readings:
            scans.append(tuple(look.readings))
        if len(scans) >= SCANS:
            break
    if not scans:
        raise ProfileError(msg("The table could not be read."))
    rests = learn_rest(scans)
    scales = [scale for _, scale in known.spots] or [64] * len(rests)
    return replace(known, spots=tuple(zip(rests, scales, strict=True)))


def kept(folder: Path, learnt: SensorProfile, *, edition: str, players: Sequence[str]) -> Profile:
    """Keep what was learnt in the profile of a folder, a new one where there is none; return the profile."""
    if (folder / "profile.json").is_file():
        profile = replace(load_profile(folder), sensors=learnt)
    else:
        profile = Profile(
            edition=edition, players=tuple(players), layout=blue_moon_city(), faces=(), sensors=learnt
        )
    save_profile(profile, folder)
    return profile
