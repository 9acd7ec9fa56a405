"""The interface of every simulated board: the native firmware and its Python double."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from firmware_bridge.wire.messages import Colour, GeometryEntry


class SimulatedBoard(Protocol):
    """A board in virtual time, whose sensors the caller controls.

    Nothing happens but in `run`. Cells are counted in the order of the geometry's reader or presence entries,
    spots as in the protocol.
    """

    @property
    def entries(self) -> tuple[GeometryEntry, ...]:
        """The geometry as the board will tell it."""

    @property
    def now_us(self) -> int:
        """Virtual time since the board was switched on, microseconds."""

    @property
    def lights(self) -> list[Colour]:
        """What the lights show."""

    @property
    def buzzer_hz(self) -> int:
        """What the buzzer sounds, 0 = silence."""

    def run(self, us: int) -> None:
        """Let virtual time pass."""

    def feed(self, data: bytes) -> None:
        """Put bytes on the line to the board; they arrive one by one at the line's speed."""

    def take(self) -> bytes:
        """Return and forget the bytes that have left the board."""

    def set_presence(self, cell: int, present: bool) -> None:
        """Put a magnet over the presence sensor of a cell, or take it away."""

    def set_spot(self, spot: int, reading: int, noise: int = 0) -> None:
        """Set a spot's reading (0 to 1023), plus or minus `noise`."""

    def set_tags(self, reader: int, uids: Iterable[bytes], missed_permille: int = 0) -> None:
        """Put exactly these tags on a reader; each is missed with this probability."""

    def break_reader(self, reader: int, broken: bool = True) -> None:
        """Disconnect a reader, or connect it again."""

    def reset(self, cause: int = 2) -> None:
        """Reset the processor (2 reset line, 4 brown-out, 8 watchdog); stored settings stay."""

    def close(self) -> None:
        """Release the board's resources; safe to call twice."""
