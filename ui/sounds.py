"""Short sounds for what calls for attention: our own, computed when they are first needed.

Where there is no audio device, or Qt's multimedia cannot be loaded, everything is silent.
"""

from __future__ import annotations

import array
import enum
import importlib
import math
import os
import sys
import tempfile
import threading
import wave
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PyQt6.QtCore import QLoggingCategory, QUrl

from companion import log
from companion.prompts import PromptKind
from ui.controller.view_state import ViewState

if TYPE_CHECKING:
    from PyQt6.QtMultimedia import QSoundEffect

RATE_HZ: Final = 22_050
LOUDEST: Final = 0.6
# How long a note takes to come and to half fade, in seconds.
ATTACK_S: Final = 0.008
HALF_LIFE_S: Final = 0.07
# The strength of the overtones, from the first: soft, like a bell of wood.
OVERTONES: Final = (1.0, 0.3, 0.1)


class Sound(enum.Enum):
    """What calls for attention; the order is the order of precedence, strongest first."""

    WRONG = "wrong"
    QUESTION = "question"
    REWARD = "reward"
    TURN = "turn"


# Notes of each sound: frequency in Hz, beginning and length in seconds.
NOTES: Final = {
    Sound.WRONG: ((220.0, 0.0, 0.22), (174.6, 0.16, 0.34)),
    Sound.QUESTION: ((440.0, 0.0, 0.16), (587.3, 0.12, 0.3)),
    Sound.REWARD: ((523.3, 0.0, 0.16), (659.3, 0.09, 0.18), (784.0, 0.18, 0.4)),
    Sound.TURN: ((392.0, 0.0, 0.24),),
}


def sound_of(before: ViewState | None, after: ViewState) -> Sound | None:
    """Return the sound for what is new since the moment before; None for nothing, and at the beginning."""
    if before is None:
        return None
    if after.trouble is not None and (before.trouble is None or before.trouble.text != after.trouble.text):
        return Sound.WRONG
    if after.question is not None and after.question != before.question:
        return Sound.QUESTION
    if _rewards(after) - _rewards(before):
        return Sound.REWARD
    return Sound.TURN if _active(after) - _active(before) else None


def _rewards(shown: ViewState) -> set[str]:
    return {prompt.id for prompt in shown.prompts if prompt.kind is PromptKind.REWARD}


def _active(shown: ViewState) -> set[str]:
    return {player.player for player in shown.table.players if player.is_active}


def samples_of(notes: Iterable[tuple[float, float, float]]) -> array.array[int]:
    """Return the samples of some notes: 16 bits, one channel, `RATE_HZ`, never louder than `LOUDEST`."""
    notes = tuple(notes)
    length = math.ceil(RATE_HZ * max(begin + lasts for _, begin, lasts in notes))
    mixed = [0.0] * length
    for frequency, begin, lasts in notes:
        first = round(begin * RATE_HZ)
        for index in range(min(round(lasts * RATE_HZ), length - first)):
            mixed[first + index] += _note(frequency, index / RATE_HZ, lasts)
    loudest = max(map(abs, mixed)) or 1.0
    top = LOUDEST * 32_767 / loudest
    return array.array("h", (round(value * top) for value in mixed))


def _note(frequency: float, at_s: float, lasts_s: float) -> float:
    """Return a note at one instant: it comes quickly, fades, and ends in silence."""
    swell = min(1.0, at_s / ATTACK_S) * min(1.0, (lasts_s - at_s) / (4 * ATTACK_S))
    tone = sum(
        part * math.sin(2 * math.pi * frequency * number * at_s) for number, part in enumerate(OVERTONES, 1)
    )
    return float(swell * tone * 0.5 ** (at_s / HALF_LIFE_S))


def write_sound(sound: Sound, file: Path) -> None:
    """Write a sound as a WAV file; raises OSError where that is impossible."""
    samples = samples_of(NOTES[sound])
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(file), "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(samples.itemsize)
        written.setframerate(RATE_HZ)
        written.writeframes(samples.tobytes())


class Player(Protocol):
    """Something that makes sounds."""

    def play(self, sound: Sound, volume: float) -> None:
        """Begin a sound, 0 to 1 loud, and return at once."""


class Silence:
    """Stands in where there is no audio device."""

    def play(self, sound: Sound, volume: float) -> None:
        """Do nothing."""


class QtPlayer:
    """Plays the files of the sounds with Qt, which loads them beforehand in a thread of its own."""

    def __init__(self, make: Callable[[], QSoundEffect], folder: Path) -> None:
        self._effects: dict[Sound, QSoundEffect] = {}
        for sound in Sound:
            effect = make()
            effect.setSource(QUrl.fromLocalFile(str(file_of(sound, folder))))
            self._effects[sound] = effect

    def play(self, sound: Sound, volume: float) -> None:
        """Begin a sound and return at once."""
        effect = self._effects[sound]
        effect.setVolume(volume)
        effect.play()


def file_of(sound: Sound, folder: Path) -> Path:
    """Return the file of a sound."""
    return folder / f"{sound.value}.wav"


def has_sound_server() -> bool:
    """Whether a program may make sounds; this is checked only on Linux and assumed elsewhere.

    Qt complains loudly where no sound server runs.
    """
    if not sys.platform.startswith("linux"):
        return True
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return "PULSE_SERVER" in os.environ or bool(runtime and Path(runtime, "pulse", "native").exists())


def prepare_files(folder: Path) -> None:
    """Do what takes long, in a thread of its own: write the files, and load Qt's multimedia."""
    try:
        for sound in Sound:
            write_sound(sound, file_of(sound, folder))
        importlib.import_module("PyQt6.QtMultimedia")
    except (ImportError, OSError) as error:  # found again, and told, when the player is made
        log.ui.info("sounds prepared=no reason=%s", error)


def find_player(folder: Path) -> Player:
    """Return the system's audio, or silence; in the window's thread, after `prepare_files`."""
    # What Qt looks for and does not find, it can do without.
    QLoggingCategory.setFilterRules("qt.multimedia.*.warning=false\nqt.multimedia.*.info=false")
    try:
        # It needs libraries that not all systems have.
        from PyQt6.QtMultimedia import QMediaDevices, QSoundEffect
    except ImportError:
        return Silence()
    if not QMediaDevices.audioOutputs():
        log.ui.info("no sounds reason=no audio device")
        return Silence()
    return QtPlayer(QSoundEffect, folder)


class Sounds:
    """Makes the sound of every moment, if sounds are on.

    Everything is prepared from the first moment at which they are, in a thread of its own; until that is done
    there is silence.
    """

    def __init__(
        self,
        find: Callable[[Path], Player] = find_player,
        prepare: Callable[[Path], None] = prepare_files,
        is_possible: Callable[[], bool] = has_sound_server,
    ) -> None:
        self._find = find
        self._prepare = prepare
        self._is_possible = is_possible
        self._player: Player | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._preparing: threading.Thread | None = None
        self._before: ViewState | None = None

    def hear(self, shown: ViewState, *, is_on: bool, volume: float) -> None:
        """Make the sound of what is new at this moment."""
        sound = sound_of(self._before, shown)
        self._before = shown
        if is_on and self._is_ready() and sound is not None:
            self.play(sound, volume)

    def play(self, sound: Sound, volume: float) -> None:
        """Make one sound, if all is ready."""
        if self._is_ready() and self._player is not None:
            self._player.play(sound, volume)

    def acknowledge(self, *, is_on: bool, volume: float) -> None:
        """Make the sound of something that was taken, if sounds are on."""
        if is_on:
            self.play(Sound.TURN, volume)

    def _is_ready(self) -> bool:
        """Whether sounds can be made; the first time, begin to prepare them."""
        if self._player is not None:
            return True
        if self._preparing is None or self._folder is None:
            if not self._is_possible():
                self._player = Silence()
                return True
            self._folder = tempfile.TemporaryDirectory(prefix="moontable-sounds-")
            folder = Path(self._folder.name)
            self._preparing = threading.Thread(
                target=self._prepare, args=(folder,), name="sounds", daemon=True
            )
            self._preparing.start()
        if self._preparing.is_alive():
            return False
        self._player = self._find(Path(self._folder.name))
        return True

    def close(self) -> None:
        """Wait for what is being prepared, and remove the files; safe to call twice."""
        if self._preparing is not None:
            self._preparing.join()
        if self._folder is not None:
            self._folder.cleanup()
        self._player, self._folder = Silence(), None
