"""The real AVR binary under simavr, with the face of the native board; tests only (simavr is GPL-3)."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from pathlib import Path

from firmware_bridge.virtual.native import FIRMWARE, NativeBoard, cache_folder

PACKAGES = "gcc-avr avr-libc simavr libsimavr-dev"
CHIPS = {"full": "atmega2560", "halls": "atmega328p"}
HALLS = ("READERS=0", "BOX_LIGHTS=0", "RING=16")


def missing() -> str | None:
    """Return why the AVR tests cannot run here, None if they can."""
    if shutil.which("avr-gcc") is None or not Path("/usr/include/simavr/sim_avr.h").exists():
        return f"not installed: {PACKAGES}"
    if shutil.which("make") is None or shutil.which("gcc") is None:
        return "not installed: make gcc"
    return None


def build() -> Path:
    """Build the binaries and the simulator's library; return the folder that holds them."""
    digest = hashlib.sha256()
    for path in [*sorted(FIRMWARE.glob("*/*.[ch]")), FIRMWARE / "Makefile"]:
        digest.update(path.read_bytes())
    folder = cache_folder() / f"avr-{digest.hexdigest()[:20]}"
    if not (folder / "avrsim.so").exists():
        run_make(folder, "avr", "sim")
        run_make(folder / "halls", "sim", "SIM_DEFINES=" + " ".join(f"-D{d}" for d in HALLS))
    return folder


def run_make(folder: Path, *words: str) -> str:
    """Run the firmware's Makefile into this folder; return what it printed."""
    command = ["make", "-C", str(FIRMWARE), f"BUILD={folder}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class AvrBoard(NativeBoard):
    """A board whose processor is simulated instruction by instruction."""

    def __init__(self, variant: str = "full") -> None:
        folder = build()
        library = folder / "avrsim.so" if variant == "full" else folder / variant / "avrsim.so"
        self._elf = (str(folder / f"{variant}.elf").encode(), CHIPS[variant].encode())
        super().__init__(library=library)

    def _start(self) -> None:
        if self._c.avrsim_load(*self._elf):
            raise AssertionError(f"simavr does not take {self._elf}")

    def pulses(self) -> tuple[int, int, int]:
        """Return light pulses within specification, outside it, and frames that were no whole lights."""
        counts = (ctypes.c_uint32 * 3)()
        self._c.avrsim_pulses(counts)
        return counts[0], counts[1], counts[2]
