"""Prompts spoken aloud, or a quiet sound if the computer has no voice; off by default."""

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
        """Speak the words, interrupting earlier ones."""

    def stop(self) -> None:
        """Stop speaking."""


class QtVoice:
    """The system's voice in the players' language."""

    def __init__(self, engine: QTextToSpeech, language: str) -> None:
        self._engine = engine
        wanted = QLocale(language)
        if any(each.language() == wanted.language() for each in engine.availableLocales()):
            engine.setLocale(wanted)

    def say(self, words: str) -> None:
        """Speak the words, interrupting earlier ones."""
        self._engine.stop()
        self._engine.say(words)

    def stop(self) -> None:
        """Stop speaking."""
        self._engine.stop()


class Beep:
    """Stands in for a voice if none is installed."""

    def say(self, words: str) -> None:
        """Make the system's quiet sound."""
        QApplication.beep()

    def stop(self) -> None:
        """Do nothing: a beep is over at once."""


def find_voice(language: str) -> Voice:
    """Return the system's voice, or a beep if it has none; this may take a moment."""
    try:
        from PyQt6.QtTextToSpeech import QTextToSpeech  # needs PulseAudio, which not every computer has
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
    """Speaks the prompt that is due whenever it changes."""

    def __init__(self, make_voice: Callable[[], Voice]) -> None:
        self._make_voice = make_voice
        self._voice: Voice | None = None
        self._said = ""

    @property
    def is_on(self) -> bool:
        """Whether speech is on."""
        return self._voice is not None

    def switch(self) -> bool:
        """Turn speech on or off and return whether it is on; the voice is searched for at the first use."""
        if self._voice is None:
            self._voice = self._make_voice()
        else:
            self._voice.stop()
            self._voice = None
        self._said = ""
        return self.is_on

    def change_voice(self) -> None:
        """Search for a voice in the new language, if speech is on."""
        if self.is_on:
            self.switch()
            self.switch()

    def hear(self, due: str) -> None:
        """Speak what is due, unless it was already spoken."""
        if due != self._said:
            self._said = due
            if due and self._voice is not None:
                self._voice.say(due)
