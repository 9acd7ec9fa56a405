"""The firmware itself, built with gcc and run inside this process in virtual time."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.errors import DeviceError, DeviceFault
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import Colour, GeometryEntry

FIRMWARE = Path(__file__).parents[1] / "firmware"
# Our own names first: Debian's Python exports a crc32 too, and the firmware would call that one.
BIND = ("-Wl,-Bsymbolic",) if sys.platform.startswith("linux") else ()
FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared", "-fPIC", *BIND)
_TAKE_MOST = 8192


def sources() -> list[Path]:
    """Return the C files of the native build."""
    core = sorted((FIRMWARE / "core").glob("*.c"))
    simulated = [FIRMWARE / "sim" / name for name in ("readers.c", "world.c")]
    return [*core, *simulated, FIRMWARE / "native" / "native.c"]


def find_compiler() -> str | None:
    """Return the C compiler's path, None if there is none."""
    return shutil.which(os.environ.get("CC", "gcc")) or shutil.which("cc")


def cache_folder() -> Path:
    """Return where built libraries are kept."""
    root = os.environ.get("MOONTABLE_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "moontable" / "firmware"


def build(defines: Sequence[str] = ()) -> Path:
    """Compile the firmware for this machine unless that was done before; return the library's path.

    `defines` such as ``TAGS_EACH=4`` override the table's configuration. Raises DeviceError if there is no
    compiler or it fails.
    """
    compiler = find_compiler()
    if compiler is None:
        raise DeviceError(
            "No C compiler was found to run the firmware: install gcc, or use the Python double.",
            DeviceFault.NOT_FOUND,
        )
    digest = hashlib.sha256(repr((compiler, FLAGS, tuple(defines))).encode())
    for path in sorted(FIRMWARE.glob("*/*.[ch]")):
        digest.update(path.read_bytes())
    library = cache_folder() / f"table-{digest.hexdigest()[:20]}.so"
    if not library.exists():
        _compile(compiler, defines, library)
    return library


def _compile(compiler: str, defines: Sequence[str], library: Path) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    # Built beside its place and moved there, so that two processes may build at once.
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        built = Path(folder) / library.name
        command = [compiler, *FLAGS, *(f"-D{d}" for d in defines), *map(str, sources()), "-o", str(built)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise DeviceError(f"The firmware does not compile here: {done.stderr}", DeviceFault.NOT_FOUND)
        built.replace(library)


class NativeBoard:
    """The firmware's native build; see `SimulatedBoard`. Each has its own copy of the library."""

    def __init__(self, seed: int = 1, defines: Sequence[str] = (), library: Path | None = None) -> None:
        source = library or build(defines)
        with tempfile.NamedTemporaryFile(suffix=".so") as copy:
            shutil.copyfile(source, copy.name)
            self._c = ctypes.CDLL(copy.name)
        self._c.native_number.restype = ctypes.c_uint32
        self._c.native_light.restype = ctypes.c_uint32
        self._c.native_slot.restype = ctypes.c_uint32
        self._c.native_event.restype = ctypes.c_uint32
        self._c.native_now_us.restype = ctypes.c_uint64
        self._taken = ctypes.create_string_buffer(_TAKE_MOST)
        self._seed = seed
        self._start()
        self._entries = self._ask_geometry()
        self._c.native_power(seed)

    def _start(self) -> None:
        self._c.native_power(self._seed)

    def _ask_geometry(self) -> tuple[GeometryEntry, ...]:
        # A session of its own, over before the table's own session begins.
        link = Link(lambda: 1)
        while not link.geometry:
            self.run(1000)
            now_s = self.now_us / 1e6
            link.feed(self.take(), now_s)
            link.poll(now_s)
            self.feed(link.take_output())
        return link.geometry

    @property
    def entries(self) -> tuple[GeometryEntry, ...]:
        """The geometry as the board tells it."""
        return self._entries

    @property
    def now_us(self) -> int:
        """Virtual time, microseconds."""
        return int(self._c.native_now_us())

    @property
    def lights(self) -> list[Colour]:
        """What the lights show."""
        words = [int(self._c.native_light(i)) for i in range(self.number(3))]
        return [(w >> 16, w >> 8 & 0xFF, w & 0xFF) for w in words]

    @property
    def buzzer_hz(self) -> int:
        """What the buzzer sounds."""
        return self.number(5)

    def number(self, which: int) -> int:
        """Return one of the native build's own numbers (`native_number` in native.h)."""
        return int(self._c.native_number(which))

    @property
    def next_event(self) -> int:
        """The number of the next event that the board will make."""
        return self.number(12)

    @property
    def digest(self) -> int:
        """The digest of what the board holds."""
        return self.number(13)

    def made_event(self, number: int) -> tuple[int, int]:
        """Return (slot, value) of an event made since boot."""
        slot = ctypes.c_uint16()
        value = int(self._c.native_event(number, ctypes.byref(slot)))
        return slot.value, value

    def slot_values(self) -> list[int]:
        """Return what the board holds, slot by slot."""
        return [int(self._c.native_slot(slot)) for slot in range(self.number(4))]

    def run(self, us: int) -> None:
        """Let virtual time pass."""
        self._c.native_run(us)

    def feed(self, data: bytes) -> None:
        """Put bytes on the line to the board."""
        if data:
            self._c.native_feed(data, len(data))

    def take(self) -> bytes:
        """Return and forget the bytes that have left the board."""
        count = self._c.native_take(self._taken, _TAKE_MOST)
        return self._taken.raw[:count]

    def set_presence(self, cell: int, present: bool) -> None:
        """Put a magnet over the presence sensor of a cell, or take it away."""
        self._c.native_hall(cell, present)

    def set_spot(self, spot: int, reading: int, noise: int = 0) -> None:
        """Set a spot's reading."""
        self._c.native_spot(spot, reading, noise)

    def set_tags(self, reader: int, uids: Iterable[bytes], missed_permille: int = 0) -> None:
        """Lay exactly these tags on a reader."""
        self._c.native_tags_off(reader)
        for uid in uids:
            self._c.native_tag(reader, uid, len(uid), missed_permille)

    def break_reader(self, reader: int, broken: bool = True) -> None:
        """Disconnect a reader, or connect it again (with its registers lost)."""
        self.set_reader_fault(reader, 1 if broken else 0)
        self._c.native_forget(reader)

    def set_reader_fault(self, reader: int, fault: int) -> None:
        """Let a reader read 0 as zeros (1), ones (2), hang (3), or be sound (0)."""
        self._c.native_fault(reader, fault)

    def forget_reader(self, reader: int) -> None:
        """Let a reader lose its registers."""
        self._c.native_forget(reader)

    def count_collisions_from_received(self, yes: bool) -> None:
        """Let the reader chips count collisions the other way."""
        self._c.native_count_from_received(yes)

    def age(self, ms: int) -> None:
        """Pretend that the board has been on for that much longer."""
        self._c.native_age(ctypes.c_uint32(ms))

    def power(self, seed: int) -> None:
        """Start from new: nothing on the table, nothing stored, time zero."""
        self._c.native_power(seed)

    def reset(self, cause: int = 2) -> None:
        """Reset the processor."""
        self._c.native_reset(cause)

    def close(self) -> None:
        """Nothing to free: the copy of the library goes with the process."""
