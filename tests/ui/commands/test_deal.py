"""``enrol --dealt``: tiles that are laid one after another in a folder of frames."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import cv2
import pytest

from calibration.store import load_profile
from companion.cli import main
from companion.games import registry
from ui.assembly.deal_lesson import DealLesson
from ui.commands import sight
from vision.simulation.dealt_film import dealt
from vision.simulation.free_frames import DrawnCopy

GAME = "nova_luna"
NAMES = ["back", "1", "2"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames in which a back and two tiles are dealt."""
    folder = tmp_path_factory.mktemp("film")
    header = registry.lookup(GAME).deal(random.Random(1), {})
    layout = registry.lookup(GAME).table_layout(header["players"])
    assert layout is not None
    copy = DrawnCopy.of(layout, registry.pieces(GAME), seed=11, size_wh=(1600, 900))
    for number, frame in enumerate(dealt(copy.camera, copy.arranger, NAMES, seed=4)):
        cv2.imwrite(str(folder / f"{number}.png"), frame.image)
    return folder


def enrol(film: Path, profile: Path, *more: str) -> int:
    """Run the command."""
    given = ["enrol", "--game", GAME, "--players", "red,blue", "--profile", str(profile)]
    return main([*given, "--dealt", str(film), *more], [sight.add_commands])


def test_dealt_tiles_are_learnt_and_told(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for each as it is taken; what was not dealt is named; no draft is left."""
    profile = tmp_path / "home"
    assert 0 == enrol(film, profile)
    told = capsys.readouterr()

    assert ["1 back", "2 1", "3 2"] == told.out.splitlines()[:3]
    assert "not learnt: " in told.err
    assert set(NAMES) == {one.name for one in load_profile(profile).faces}
    assert [profile] == list(tmp_path.iterdir())


def test_names_can_be_overridden(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order goes on from there; what an earlier deal taught stays."""
    profile, names = tmp_path / "home", tmp_path / "names.json"
    assert 0 == enrol(film, profile)
    names.write_text('{"2": "30"}')
    assert 0 == enrol(film, profile, "--names", str(names))

    assert {"2 30", "3 31"} <= set(capsys.readouterr().out.splitlines())
    assert {*NAMES, "30", "31"} == {one.name for one in load_profile(profile).faces}


def test_what_does_not_go_together_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Photographs and dealing; a game with printed places; a film without a card."""
    assert 1 == enrol(tmp_path, tmp_path / "home", "--photos", str(tmp_path))
    assert "--dealt alone" in capsys.readouterr().err
    city = ["enrol", "--players", "purple,white", "--profile", str(tmp_path / "home"), "--dealt", "x"]
    assert 1 == main(city, [sight.add_commands])
    assert 1 == enrol(tmp_path, tmp_path / "home")
    assert "holds no images" in capsys.readouterr().err


def test_in_a_window_it_is_saved_when_that_is_wanted(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left for later, the cards are kept, and the same command goes on."""
    profile = tmp_path / "home"

    def shown(lesson: DealLesson, *, is_wanted: bool) -> bool:
        assert all(step.fault == "" for _, step in lesson.steps())
        return is_wanted

    monkeypatch.setattr("ui.commands.deal.show_deal", partial(shown, is_wanted=False))
    assert 1 == enrol(film, profile, "--window")
    assert "goes on where you left off" in capsys.readouterr().err
    assert not profile.exists()
    monkeypatch.setattr("ui.commands.deal.show_deal", lambda _: True)
    assert 1 == enrol(film, profile, "--window")
    assert "going on after 3 cards" in capsys.readouterr().err
