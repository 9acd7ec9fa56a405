"""What a simulated board does with commands: lights, buzzer, tuning. Part of the board's double."""

from __future__ import annotations

import struct
from typing import Final

from firmware_bridge.wire.framing import WireFrame
from firmware_bridge.wire.messages import UNCLEAR, Colour, Type, Window

BUZZ_MOST_MS: Final = 2000
DARK: Final[Colour] = (0, 0, 0)
START_WINDOWS: Final[tuple[Window, ...]] = (
    (-24, 24), (40, 110), (-110, -40), (140, 450), (-450, -140), (1, 0), (1, 0), (1, 0),
)  # fmt: skip
START_TUNING: Final = (512, 64)


class DoubleOutputs:
    """Lights, buzzer and tuning, as the commands leave them.

    Attributes:
        colours: of the lights, as set; `shown`: as they shine.
        buzz_hz: what the buzzer sounds, 0 = silence.
        windows, tuning: the classes' windows, (rest, scale) of every spot.
        kept: both as they outlive a reset, None before they were kept.
        is_retuned: the tuning has changed; cleared by whoever has looked at the spots again.
    """

    def __init__(self, lights: int, spots: int) -> None:
        self.colours = [DARK] * lights
        self.shown = list(self.colours)
        self.buzz_hz = 0
        self.windows = list(START_WINDOWS)
        self.tuning = [START_TUNING] * spots
        self.kept: tuple[list[Window], list[tuple[int, int]]] | None = None
        self.is_retuned = False
        self._silent_ms = 0

    def reset(self) -> None:
        """Start as after a reset: dark, silent, tuned as was kept."""
        self.darken()
        windows, tuning = self.kept or (START_WINDOWS, [START_TUNING] * len(self.tuning))
        self.windows, self.tuning = list(windows), list(tuning)

    def darken(self) -> None:
        """Switch lights and buzzer off."""
        self.colours = [DARK] * len(self.colours)
        self.shown = list(self.colours)
        self.buzz_hz = 0

    def poll(self, now_ms: int) -> None:
        """End a beep whose time is over."""
        if self.buzz_hz and now_ms >= self._silent_ms:
            self.buzz_hz = 0

    def classify(self, spot: int, reading: int) -> int:
        """Return the class of a reading."""
        rest, scale = self.tuning[spot]
        deviation = int((reading - rest) * scale / 64)
        return next((c for c, (low, high) in enumerate(self.windows) if low <= deviation <= high), UNCLEAR)

    def carry_out(self, frame: WireFrame, now_ms: int) -> int | None:
        """Return the status, None for a body that does not fit its type."""
        body = frame.body[2:]
        try:
            match frame.type:
                case Type.LIGHTS:
                    colours = [(r, g, b) for r, g, b in struct.iter_unpack("<3B", body[3:])]
                    first, show = struct.unpack_from("<HB", body)
                    return self._light(first, colours, show) if colours else None
                case Type.FILL:
                    first, count, show, *rgb = struct.unpack("<HHB3B", body)
                    return self._light(first, [(rgb[0], rgb[1], rgb[2])] * count, show)
                case Type.BUZZ:
                    hz, ms = struct.unpack("<HH", body)
                    return self._buzz(hz, ms, now_ms)
                case Type.TUNE:
                    return self._tune(body)
                case Type.WINDOWS:
                    return self._set_windows(body)
                case _ if not body:
                    self.kept = (list(self.windows), list(self.tuning))
                    return 0
                case _:
                    return None
        except struct.error:
            return None

    def _light(self, first: int, colours: list[Colour], show: int) -> int:
        if first >= len(self.colours) or first + len(colours) > len(self.colours):
            return 1
        self.colours[first : first + len(colours)] = colours
        if show & 1:
            self.shown = list(self.colours)
        return 0

    def _buzz(self, hz: int, ms: int, now_ms: int) -> int:
        if ms > BUZZ_MOST_MS:
            return 1
        self.buzz_hz = hz if ms else 0
        self._silent_ms = now_ms + ms
        return 0

    def _tune(self, body: bytes) -> int | None:
        (first,) = struct.unpack_from("<H", body)
        values = [(rest, scale) for rest, scale in struct.iter_unpack("<HB", body[2:])]
        if not values:
            return None
        if first >= len(self.tuning) or first + len(values) > len(self.tuning):
            return 1
        self.tuning[first : first + len(values)] = values
        self.is_retuned = True
        return 0

    def _set_windows(self, body: bytes) -> int | None:
        values = [(low, high) for low, high in struct.iter_unpack("<hh", body[1:])]
        if not values:
            return None
        if body[0] >= len(self.windows) or body[0] + len(values) > len(self.windows):
            return 1
        self.windows[body[0] : body[0] + len(values)] = values
        self.is_retuned = True
        return 0
