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


def test_another_language_takes_another_voice() -> None:
    """Its voice is looked for at once, and what is due is said again; a silent window stays silent."""
    voices: list[Recorded] = []

    def make_voice() -> Recorded:
        voices.append(Recorded())
        return voices[-1]

    speaker = Speaker(make_voice)
    speaker.change_voice()
    assert [] == voices

    speaker.switch()
    speaker.hear("Flip the mill.")
    speaker.change_voice()
    speaker.hear("Переверните плитку.")
    assert [["Flip the mill.", "(stop)"], ["Переверните плитку."]] == [voice.said for voice in voices]
