"""Lights, buzzer and tuning of a board: from requests to commands.

Requests come from any thread; the one thread that owns the link queues commands on it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from calibration.sensors import SensorProfile
from companion.table import Place, kind_of, parts_of, place
from firmware_bridge.lights import DARK, dimmed, light_commands, map_lights
from firmware_bridge.wire import messages
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import TUNE_MOST, Colour, Command, GeometryEntry

TUNE_AGAIN_S: Final = 2.0
# After the board has said that it shows them, lights fade in a camera's picture for a few frames.
SETTLE_S: Final = 0.4
BEEPS_MOST: Final = 4
START_TUNING: Final = (512, 64)


class Outputs:
    """Lights and buzzer of one table.

    Attributes:
        brightness: 0 (dark) to 1; may be set at any time.
        is_on: whether lights and buzzer are switched on.
    """

    def __init__(self, brightness: float) -> None:
        self.brightness = brightness
        self.is_on = True
        self._lock = threading.Lock()
        self._wanted: dict[Place, Colour] = {}
        self._beeps: deque[Command] = deque(maxlen=BEEPS_MOST)
        self._lamps: dict[Place, int] = {}
        self._shown: list[Colour] = []
        self._tickets: set[int] = set()
        self._changed_s = float("-inf")

    def show(self, lit: Mapping[Place, Colour]) -> None:
        """Light exactly these places."""
        with self._lock:
            self._wanted = dict(lit)

    def beep(self, hz: int, ms: int) -> None:
        """Sound the buzzer; if beeps have to wait, only the newest few are kept."""
        with self._lock:
            self._beeps.append(messages.buzz(hz, ms))

    def begin(self, entries: Sequence[GeometryEntry]) -> None:
        """A session has begun on a board with this geometry: everything is dark."""
        self._lamps = map_lights(entries)
        self._shown = [DARK] * sum(e.count for e in entries if e.kind in messages.LIGHT_KINDS)
        with self._lock:
            self._tickets.clear()

    def push(self, link: Link) -> None:
        """Queue the commands for the wanted lights and sounds, unless commands are still waiting."""
        if link.unanswered:
            return
        with self._lock:
            beeps = list(self._beeps) if self.is_on else []
            self._beeps.clear()
            colours = self._colours()
        for beep in beeps:
            link.send(beep)
        tickets = {link.send(command) for command in light_commands(self._shown, colours)}
        self._shown = colours
        with self._lock:
            self._tickets |= tickets

    def answered(self, ticket: int, now_s: float) -> None:
        """A command was answered, or will never be."""
        with self._lock:
            if ticket in self._tickets:
                self._tickets.discard(ticket)
                self._changed_s = now_s

    def is_changing(self, now_s: float) -> bool:
        """Whether lights are changing, or changed so recently that a camera still sees it."""
        with self._lock:
            return bool(self._tickets) or now_s - self._changed_s < SETTLE_S

    def _colours(self) -> list[Colour]:
        colours = [DARK] * len(self._shown)
        if not self.is_on:
            return colours
        # Boxes first: a table without lights for them lights their cell, unless the cell has a colour itself.
        for where, colour in sorted(self._wanted.items(), key=lambda item: kind_of(item[0]) == "cell"):
            lamp = self._lamps.get(where)
            if lamp is None and kind_of(where) == "box":
                lamp = self._lamps.get(place("cell", parts_of(where)[0]))
            if lamp is not None:
                colours[lamp] = dimmed(colour, self.brightness)
        return colours


class Tuner:
    """Gives a board the thresholds of the profile, again until the board reports them as its own."""

    def __init__(self, profile: SensorProfile) -> None:
        self._profile = profile
        self._sent_s = float("-inf")

    def begin(self) -> None:
        """A session has begun."""
        self._sent_s = float("-inf")

    def spots(self, count: int) -> Sequence[tuple[int, int]]:
        """Return (rest, scale) of every spot of a table with this many."""
        return self._profile.spots or (START_TUNING,) * count

    def is_tuned(self, link: Link, count: int) -> bool:
        """Whether the board's `count` spots use the profile's thresholds."""
        return link.config == messages.config_check(self._profile.windows, self.spots(count))

    def push(self, link: Link, count: int, now_s: float) -> bool:
        """Queue the tuning if it is needed; return whether it was."""
        if self.is_tuned(link, count) or link.unanswered or now_s - self._sent_s < TUNE_AGAIN_S:
            return False
        self._sent_s = now_s
        link.send(messages.windows(0, self._profile.windows))
        spots = self.spots(count)
        for first in range(0, len(spots), TUNE_MOST):
            link.send(messages.tune(first, spots[first : first + TUNE_MOST]))
        link.send(messages.keep())
        return True
