"""Prompts spoken aloud if the computer has a voice, a quiet sound if it has none; off at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PyQt6.QtCore import QLocale
from PyQt6.QtWidgets import QApplication

from companion import log

if TYPE_CHECKING:
    from PyQt6.QtTextToSpeech import QTextToSpeech


class Voice(Protocol):
    """Something that can read words aloud."""

    def say(self, words: str) -> None:
        """Speak; new words interrupt old ones."""

    def stop(self) -> None:
        """Be silent."""


class QtVoice:
    """The machine's own voice in the players' language."""

    def __init__(self, engine: QTextToSpeech, language: str) -> None:
        self._engine = engine
        wanted = QLocale(language)
        if any(each.language() == wanted.language() for each in engine.availableLocales()):
            engine.setLocale(wanted)

    def say(self, words: str) -> None:
        """Speak; new words interrupt old ones."""
        self._engine.stop()
        self._engine.say(words)

    def stop(self) -> None:
        """Be silent."""
        self._engine.stop()


class Beep:
    """What is left where no voice is installed."""

    def say(self, words: str) -> None:
        """Make the quiet sound of the system."""
        QApplication.beep()

    def stop(self) -> None:
        """A beep is over at once."""


def find_voice(language: str) -> Voice:
    """Return the machine's voice, or a beep where it has none; asking may take a moment."""
    try:
        from PyQt6.QtTextToSpeech import QTextToSpeech  # wants PulseAudio, which not every machine has
    except ImportError as error:
        log.ui.info("no speech reason=%s", error)
        return Beep()
    engines = [name for name in QTextToSpeech.availableEngines() if name != "mock"]
    if engines:
        engine = QTextToSpeech(engines[0])
        if engine.state() != QTextToSpeech.State.Error and engine.availableVoices():
            return QtVoice(engine, language)
    log.ui.info("no voice is installed engines=%s", ",".join(engines))
    return Beep()


class Speaker:
    """Speaks what is due whenever that is something new."""

    def __init__(self, make_voice: Callable[[], Voice]) -> None:
        self._make_voice = make_voice
        self._voice: Voice | None = None
        self._said = ""

    @property
    def is_on(self) -> bool:
        """Whether anything is said."""
        return self._voice is not None

    def switch(self) -> bool:
        """Turn speech on or off and return which; the voice is looked for when it is first wanted."""
        if self._voice is None:
            self._voice = self._make_voice()
        else:
            self._voice.stop()
            self._voice = None
        self._said = ""
        return self.is_on

    def change_voice(self) -> None:
        """The language is another now: look for its voice, if anything is said at all."""
        if self.is_on:
            self.switch()
            self.switch()

    def hear(self, due: str) -> None:
        """Speak what is due, unless it was said already."""
        if due != self._said:
            self._said = due
            if due and self._voice is not None:
                self._voice.say(due)
