"""Opening a sensor table with its profile, and letting the game control its lights."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from calibration.sensors import Colour, SensorProfile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.prompts import PromptKind
from companion.reconcile.debounce import DebounceRules
from companion.session.highlights import Highlights
from firmware_bridge.lights import compose
from firmware_bridge.recording import FrameLog
from firmware_bridge.session import SensorTable
from firmware_bridge.talk import BoardTalk

NAME: Final = msg("sensor table")
WORD: Final = "sensors"

# Default lights of players, by the colour of their pieces; a profile may name others.
PLAYER_COLOURS: Final[Mapping[str, Colour]] = {
    "purple": (160, 0, 255),
    "white": (255, 255, 255),
    "teal": (0, 255, 160),
    "orange": (255, 110, 0),
    "pink": (255, 60, 120),
    "grey": (110, 120, 140),
    "black": (60, 60, 90),
    "brown": (150, 70, 10),
    "yellow": (255, 220, 0),
    "green": (0, 220, 40),
    "blue": (0, 60, 255),
}
# Tones played when a prompt opens: hertz, milliseconds.
TONES: Final[Mapping[PromptKind, tuple[int, int]]] = {
    PromptKind.VIOLATION: (180, 400),
    PromptKind.QUESTION: (660, 150),
    PromptKind.END: (880, 900),
    PromptKind.EXCHANGE: (1320, 250),
    PromptKind.PAYMENT: (1320, 80),
    PromptKind.REWARD: (1320, 80),
}


class TableLamps:
    """The lights and the buzzer of a sensor table, as game and window use them.

    May be used from any thread.
    """

    def __init__(self, table: BoardTalk, profile: SensorProfile) -> None:
        self._table = table
        self._colours = {**PLAYER_COLOURS, **profile.colours}
        self._lock = threading.Lock()
        self._highlights = Highlights()
        self._is_on = True
        self._is_loud = True
        self._shows_reach = False
        self._brightness = profile.brightness

    # -- for the game -----------------------------------------------------------------------------

    def show(self, highlights: Highlights) -> None:
        """Light what is due."""
        with self._lock:
            self._highlights = highlights
            self._light()

    def sound(self, kind: PromptKind) -> None:
        """Beep for a newly opened prompt, if its kind has a tone."""
        if self._is_loud and kind in TONES:
            self._table.beep(*TONES[kind])

    # -- for the window ---------------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether lights and buzzer are switched on."""
        return self._is_on

    @property
    def brightness(self) -> float:
        """How bright the lights are, 0 to 1."""
        return self._brightness

    def switch(self, on: bool) -> None:
        """Switch the lights and the buzzer on or off."""
        self._is_on = on
        self._table.set_outputs(is_on=on)

    def dim(self, brightness: float) -> None:
        """Set how bright the lights are, 0 to 1."""
        self._brightness = min(max(brightness, 0.0), 1.0)
        self._table.set_outputs(brightness=self._brightness)

    def mute(self, quiet: bool) -> None:
        """Switch only the buzzer on or off."""
        self._is_loud = not quiet

    def show_reach(self, on: bool) -> None:
        """Light the cells that the moving player's figure can still reach, or turn them off."""
        with self._lock:
            self._shows_reach = on
            self._light()

    def _light(self) -> None:
        found = self._highlights
        lit = compose(
            wanted=found.wanted,
            taken=found.taken,
            wrong=found.wrong,
            payable=found.payable,
            reachable=found.reachable if self._shows_reach else (),
            colours=self._colours,
        )
        self._table.show(lit)


def is_sensors(address: str) -> bool:
    """Whether an address names only a sensor table: ``sensors`` or ``sensors:PORT``."""
    return address == WORD or address.startswith(f"{WORD}:")


def port_of(address: str) -> str | None:
    """Return the port that a sensor table's address names; None = search for one."""
    return address.partition(":")[2] or None


def open_table(profile: SensorProfile | None, port: str | None, *, log: Path | None = None) -> SensorTable:
    """Return the sensor table of a profile; raises ProfileError if it was never set up."""
    if profile is None:
        raise ProfileError("this profile knows no sensor table yet: set it up with `moontable board setup`")
    return SensorTable(profile, port=port, frame_log=None if log is None else FrameLog(log), name=NAME)


def debounce_rules(*, stills: bool = False) -> DebounceRules:
    """Return the debounce rules for sources that may include sensors, whose readings are settled already."""
    if stills:
        return DebounceRules.for_stills()
    return DebounceRules(debounced=frozenset({NAME}))
