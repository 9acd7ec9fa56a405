"""Prompts spoken aloud."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.speech import Beep, Speaker, find_voice


class Recorded:
    """A voice that only remembers."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, words: str) -> None:
        self.said.append(words)

    def stop(self) -> None:
        self.said.append("(stop)")


def test_new_things_are_said_once() -> None:
    """Silent until switched on; the same words are not repeated, silence is not announced."""
    voice = Recorded()
    speaker = Speaker(lambda: voice)
    speaker.hear("Flip the mill.")
    assert [] == voice.said

    assert speaker.switch()
    for due in ("Flip the mill.", "Flip the mill.", "", "Flip the mill.", "Take three crystals."):
        speaker.hear(due)
    assert ["Flip the mill.", "Flip the mill.", "Take three crystals."] == voice.said

    assert not speaker.switch()
    speaker.hear("Nobody hears this.")
    assert "(stop)" == voice.said[-1]


def test_a_machine_without_a_voice_beeps(qtbot: QtBot) -> None:
    """Looking for a voice never fails, and what is found can be told to speak and to stop."""
    voice = find_voice("en")
    Beep().say("words")
    voice.stop()

    assert qtbot is not None
