"""Sounds for what calls for attention."""

from __future__ import annotations

import wave
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.blue_moon_city.presenter import CityPresenter
from companion.prompts import Prompt, PromptKind
from tests.helpers.city import city_after
from ui.controller.view_state import Question, Trouble, ViewState
from ui.sounds import LOUDEST, RATE_HZ, Sound, Sounds, file_of, has_sound_server, sound_of, write_sound

CALM = ViewState(table=CityPresenter().present(city_after(50, players=2)))
TROUBLE = Trouble(text="Not so.", rule="x", rule_text="", fixes=())
QUESTION = Question(text="Which?", choices=("this", "that"))
REWARD = Prompt(id="reward/1", kind=PromptKind.REWARD, text="Take it.")
NEXT = replace(
    CALM,
    table=replace(
        CALM.table,
        players=tuple(replace(player, is_active=not player.is_active) for player in CALM.table.players),
    ),
)


class Recorded:
    """A player that only remembers."""

    def __init__(self) -> None:
        self.played: list[tuple[Sound, float]] = []

    def play(self, sound: Sound, volume: float) -> None:
        self.played.append((sound, volume))


@pytest.mark.parametrize(
    ("after", "sound"),
    [
        (CALM, None),
        (NEXT, Sound.TURN),
        (replace(NEXT, prompts=(REWARD,)), Sound.REWARD),
        (replace(NEXT, prompts=(REWARD,), question=QUESTION), Sound.QUESTION),
        (replace(NEXT, question=QUESTION, trouble=TROUBLE), Sound.WRONG),
        (replace(CALM, prompts=(replace(REWARD, kind=PromptKind.PAYMENT),)), None),
    ],
)
def test_the_strongest_news_has_its_sound(after: ViewState, sound: Sound | None) -> None:
    """A broken rule before a question, a reward, and the turn; what was there before is no news."""
    assert sound == sound_of(CALM, after)
    assert sound_of(after, after) is None
    assert sound_of(None, after) is None


@pytest.mark.parametrize("sound", list(Sound))
def test_a_sound_is_short_and_ends_in_silence(tmp_path: Path, sound: Sound) -> None:
    """A readable file of less than a second that begins and ends quietly and is never overdriven."""
    file = file_of(sound, tmp_path)
    write_sound(sound, file)
    with wave.open(str(file)) as written:
        assert (1, 2, RATE_HZ) == (written.getnchannels(), written.getsampwidth(), written.getframerate())
        frames = written.readframes(written.getnframes())
    samples = [int.from_bytes(frames[at : at + 2], "little", signed=True) for at in range(0, len(frames), 2)]

    assert 0.1 < len(samples) / RATE_HZ < 1
    assert abs(max(map(abs, samples)) - LOUDEST * 32_767) < 2
    assert abs(samples[0]) < 400
    assert abs(samples[-1]) < 400


def test_sounds_are_made_when_they_are_ready_and_on() -> None:
    """Prepared beside the window; what is new while sounds are off is never made up for."""
    recorded = Recorded()
    sounds = Sounds(find=lambda _: recorded, prepare=lambda _: None, is_possible=lambda: True)
    sounds.hear(CALM, is_on=True, volume=0.5)
    assert sounds._preparing is not None
    sounds._preparing.join()
    sounds.hear(NEXT, is_on=False, volume=0.5)
    sounds.hear(replace(NEXT, prompts=(REWARD,)), is_on=True, volume=0.25)
    sounds.close()
    sounds.hear(CALM, is_on=True, volume=0.5)
    sounds.close()

    assert [(Sound.REWARD, 0.25)] == recorded.played


def test_without_a_sound_server_nothing_is_prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt is not even asked, since it would complain."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("PULSE_SERVER", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    sounds = Sounds(find=lambda _: pytest.fail("asked"))
    sounds.play(Sound.TURN, 1.0)

    assert not has_sound_server()
    assert sounds._preparing is None
    (tmp_path / "pulse").mkdir()
    (tmp_path / "pulse" / "native").touch()
    assert has_sound_server()
