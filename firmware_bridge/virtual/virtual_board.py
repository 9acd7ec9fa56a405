"""A sensor table without hardware: the firmware or its Python double, and pieces placed as in a picture."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import select
import sys
import threading
import time
import tty
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from calibration.sensors import SensorProfile, Tag
from companion import log
from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from firmware_bridge.lights import map_lights
from firmware_bridge.reader import map_slots
from firmware_bridge.virtual.boards import SimulatedBoard
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.native import NativeBoard, find_compiler
from firmware_bridge.wire.messages import Colour, tag_value

# What a spot reads over the magnets of the classes 0 to 4.
READINGS: Final = {0: 512, 1: 587, 2: 437, 3: 712, 4: 312}
PLAYER_LIGHTS: Final[tuple[Colour, ...]] = ((160, 0, 255), (255, 255, 255), (0, 255, 160), (255, 120, 0))
PUMP_S: Final = 0.002
LAG_MOST_S: Final = 0.25
DOUBLE_WORDS: Final = (
    "There is no C compiler: a double in Python serves. Install gcc for the firmware itself."
)


def make_board(seed: int = 1) -> SimulatedBoard:
    """Return the firmware's native build, or its double where there is no C compiler."""
    if find_compiler() is None:
        log.bridge.info("no C compiler: the board's double in Python serves")
        return DoubleBoard(seed)
    return NativeBoard(seed)


def note_on_board() -> str:
    """Return what people should know about the board that `make_board` makes; empty if it is the firmware."""
    return DOUBLE_WORDS if find_compiler() is None else ""


def uid_of(piece: str, name: str) -> bytes:
    """Return the serial number of the tag that a simulated piece carries."""
    return b"\x04" + hashlib.sha256(f"{piece} {name}".encode()).digest()[:6]


# Pieces that stand on cells.
_STANDING: Final = ("figure", "dragon")


def profile_for(
    picture: Picture, *, boxes: Mapping[str, int] | None = None, brightness: float = 0.5
) -> SensorProfile:
    """Return the profile of simulated pieces: every tile, figure and dragon that the picture names.

    `boxes` is the number of contribution boxes by tile; what it does not name is counted in the picture.
    Players get their magnets (classes 1 to 4) in the picture's order.
    """
    counted = _boxes_in(picture) | dict(boxes or {})
    standing = [(kind_of(where), parts_of(where)[0]) for where in picture if kind_of(where) in _STANDING]
    players = [name for kind, name in standing if kind == "figure"]
    tags = {tag_value(uid_of(kind, name)): Tag(kind, name) for kind, name in standing}
    for where, value in picture.items():
        if kind_of(where) == "cell" and value is not None:
            tile, _, side = value.partition("/")
            tags[tag_value(uid_of("tile", tile))] = Tag("tile", tile, None if tile in counted else side)
    return SensorProfile(
        tags=tags,
        players=dict(enumerate(players, 1)),
        boxes={tile: tuple(range(count)) for tile, count in counted.items()},
        colours=dict(zip(players, PLAYER_LIGHTS, strict=False)),
        brightness=brightness,
    )


def _boxes_in(picture: Picture) -> dict[str, int]:
    """Return the number of contribution boxes that a picture names, by tile."""
    cells = Counter(parts_of(where)[0] for where in picture if kind_of(where) == "box")
    return {
        (picture.get(place("cell", cell)) or "").partition("/")[0]: count for cell, count in cells.items()
    }


class Arranger:
    """Lays the pieces of a picture on a simulated board, touching only what changed.

    Attributes:
        map: which slot of the board is where.
    """

    def __init__(self, board: SimulatedBoard, profile: SensorProfile) -> None:
        self._board = board
        self._profile = profile
        self.map = map_slots(board.entries)
        self._spot_of = {slot: spot for spot, slot in enumerate(self.map.spots)}
        self._class_of = {player: c for c, player in profile.players.items()}
        self._side_class = {side: c for c, side in sorted(profile.sides.items(), reverse=True)}
        self._laid: dict[tuple[str, int], object] = {}

    def lay(self, picture: Picture) -> None:
        """Lay out the picture; a place that it does not name holds nothing."""
        standing: dict[str, list[bytes]] = {}
        for where, value in picture.items():
            if kind_of(where) in ("figure", "dragon") and value is not None:
                standing.setdefault(value, []).append(uid_of(kind_of(where), parts_of(where)[0]))
        for name in self.map.cells:
            self._lay_cell(name, picture, standing.get(name, []))
        for box, slot in self.map.obelisk.items():
            self._spot(slot, self._class_of.get(picture.get(place("obelisk", box)) or "", 0))

    def _lay_cell(self, name: str, picture: Picture, standing: list[bytes]) -> None:
        """Lay one cell out: its tile, the markers on it, and who stands there."""
        slots = self.map.cells[name]
        tile, _, side = (picture.get(place("cell", name)) or "").partition("/")
        tags = ([uid_of("tile", tile)] if tile else []) + standing
        if name in self.map.readers:
            self._tags(self.map.readers.index(name), tags)
        if name in self.map.presences:
            self._presence(self.map.presences.index(name), bool(tags))
        if slots.side is not None:
            self._spot(slots.side, self._side_class.get(side, 0))
        spots = slots.boxes or ()
        shown = self._profile.boxes.get(tile, tuple(range(len(spots))))
        markers = {spot: picture.get(place("box", name, box)) for box, spot in enumerate(shown)}
        for spot, slot in enumerate(spots):
            self._spot(slot, self._class_of.get(markers.get(spot) or "", 0))

    def check(self, where: Place, value: Value) -> None:
        """Raise MalformedError where the board has no such place, or could not feel such a piece there."""
        if not self._feels(where, value):
            raise MalformedError(f"the board feels nothing at {where} {value or ''}".rstrip())
        kind = kind_of(where)
        if kind in ("box", "obelisk") and value is not None and value not in self._class_of:
            raise MalformedError(f"no magnet is known for {value}, only for {', '.join(self._class_of)}")
        if kind == "cell" and value is not None and value.partition("/")[2] not in self._side_class:
            raise MalformedError(f"{value} is not a tile and side: TILE/{' or TILE/'.join(self._side_class)}")

    def _feels(self, where: Place, value: Value) -> bool:
        match kind_of(where), *parts_of(where):
            case "obelisk", box:
                return box.isdecimal() and int(box) in self.map.obelisk
            case "box", cell, box if cell in self.map.cells:
                return box.isdecimal() and int(box) < len(self.map.cells[cell].boxes or ())
            case "cell", cell:
                return cell in self.map.cells
            case "figure" | "dragon", _:
                return value is None or value in self.map.cells
            case _:
                return False

    def _is_new(self, what: str, index: int, value: object) -> bool:
        if self._laid.get((what, index)) == value:
            return False
        self._laid[what, index] = value
        return True

    def _tags(self, reader: int, uids: Sequence[bytes]) -> None:
        if self._is_new("tags", reader, sorted(uids)):
            self._board.set_tags(reader, uids)

    def _presence(self, cell: int, present: bool) -> None:
        if self._is_new("presence", cell, present):
            self._board.set_presence(cell, present)

    def _spot(self, slot: int, class_: int) -> None:
        if self._is_new("spot", slot, class_):
            self._board.set_spot(self._spot_of[slot], READINGS[class_])


class NoisyLine:
    """Loses and flips bytes, each with probability `p`."""

    def __init__(self, p: float, seed: int) -> None:
        self._p = p
        self._rng = random.Random(seed)

    def __call__(self, data: bytes) -> bytes:
        """Return what is left of the bytes."""
        if not self._p:
            return data
        rng = self._rng.random
        kept = (b for b in data if rng() >= self._p)
        return bytes(b ^ 1 << int(rng() * 8) if rng() < self._p else b for b in kept)


class VirtualBoard:
    """A simulated board behind a pseudo terminal, in real time (or `speed` times as fast).

    Attributes:
        path: what to give to pyserial as the port's name.
    """

    def __init__(
        self,
        profile: SensorProfile,
        *,
        path: Path | None = None,
        board: SimulatedBoard | None = None,
        faults: float = 0.0,
        speed: float = 1.0,
        seed: int = 1,
    ) -> None:
        if sys.platform == "win32":
            raise DeviceError(
                "The virtual board needs a pseudo terminal: Linux or macOS.", DeviceFault.NOT_FOUND
            )
        self._board = board or make_board(seed)
        self._arranger = Arranger(self._board, profile)
        self._lamps = map_lights(self._board.entries)
        self._up, self._down = NoisyLine(faults, seed), NoisyLine(faults, seed + 1)
        self._speed = speed
        self._link_path = path
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._master = self._slave = -1
        self.path = ""
        self.plug()
        self._thread = threading.Thread(target=self._pump, name="virtual board", daemon=True)
        self._thread.start()

    def __enter__(self) -> VirtualBoard:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def set_picture(self, picture: Picture) -> None:
        """Lay these pieces on the table."""
        with self._lock:
            self._arranger.lay(picture)

    def check_lay(self, where: Place, value: Value) -> None:
        """Raise MalformedError where this cannot be laid there so that the board feels it."""
        self._arranger.check(where, value)

    def set_spot(self, spot: int, reading: int) -> None:
        """Set a spot's reading (0 to 1023) until pieces are laid there again; raises MalformedError."""
        with self._lock:
            if not 0 <= spot < len(self._arranger.map.spots):
                raise MalformedError(f"there is no spot {spot}")
            self._board.set_spot(spot, reading)

    def break_reader(self, cell: str, broken: bool = True) -> None:
        """Disconnect the reader of a cell ("row,col"), or connect it again; raises MalformedError."""
        with self._lock:
            if cell not in self._arranger.map.readers:
                raise MalformedError(f"there is no reader on cell {cell}")
            self._board.break_reader(self._arranger.map.readers.index(cell), broken)

    @property
    def lit(self) -> dict[Place, Colour]:
        """The places that are lit, and how."""
        with self._lock:
            lights = self._board.lights
        return {where: lights[lamp] for where, lamp in self._lamps.items() if any(lights[lamp])}

    @property
    def buzzer_hz(self) -> int:
        """What the buzzer sounds, 0 = silence."""
        with self._lock:
            return self._board.buzzer_hz

    def reset(self) -> None:
        """Press the board's reset button."""
        with self._lock:
            self._board.reset(2)

    def unplug(self) -> None:
        """Pull the cable."""
        with self._lock:
            self._close_pty()

    def plug(self, path: Path | None = None) -> None:
        """Plug the cable in (again): a new terminal, under the path that was asked for, now or at first."""
        with self._lock:
            self._close_pty()
            self._link_path = path or self._link_path
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self.path = os.ttyname(self._slave)
            if self._link_path is not None:
                self._link_path.unlink(missing_ok=True)
                self._link_path.symlink_to(self.path)
                self.path = str(self._link_path)

    def close(self) -> None:
        """Switch the board off; safe to call twice."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            self._close_pty()
            self._board.close()

    def _close_pty(self) -> None:
        if self._master < 0:
            return
        if self._link_path is not None:
            self._link_path.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1

    def _pump(self) -> None:
        last_s = time.monotonic()
        while not self._closing.wait(PUMP_S):
            now_s = time.monotonic()
            # A machine that was asleep does not make the board catch up for minutes.
            passed_s = min(now_s - last_s, LAG_MOST_S)
            last_s = now_s
            with self._lock:
                self._carry(int(passed_s * self._speed * 1e6))

    def _carry(self, us: int) -> None:
        if self._master >= 0:
            self._board.feed(self._down(_read(self._master)))
        self._board.run(us)
        data = self._up(self._board.take())
        if self._master >= 0 and data:
            # Nobody reads: the bytes are lost, as on a UART.
            with contextlib.suppress(BlockingIOError):
                os.write(self._master, data)


def _read(master: int) -> bytes:
    ready, _, _ = select.select([master], [], [], 0)
    try:
        return os.read(master, 4096) if ready else b""
    except (BlockingIOError, OSError):
        return b""


class BoardPort:
    """A port straight into a simulated board, in virtual time: every read lets `step_us` pass."""

    def __init__(
        self,
        board: SimulatedBoard,
        *,
        faults: float = 0.0,
        seed: int = 1,
        step_us: int = 5000,
        name: str = "virtual",
    ) -> None:
        self._board = board
        self._name = name
        self._step_us = step_us
        self._up, self._down = NoisyLine(faults, seed), NoisyLine(faults, seed + 1)
        self.is_plugged = True

    @property
    def name(self) -> str:
        """The port's name."""
        return self._name

    def clock(self) -> float:
        """Return the board's virtual time, seconds; give it to `SensorTable` as its clock."""
        return self._board.now_us / 1e6

    def read(self) -> bytes:
        """Let time pass and return what the board sent."""
        self._board.run(self._step_us)
        data = self._up(self._board.take())
        if not self.is_plugged:
            raise DeviceError(
                f"The sensor table was unplugged from {self._name}: plug it in again.", DeviceFault.UNPLUGGED
            )
        return data

    def write(self, data: bytes) -> None:
        """Send bytes to the board."""
        self._board.feed(self._down(data))

    def close(self) -> None:
        """Nothing to close: the board goes on."""
