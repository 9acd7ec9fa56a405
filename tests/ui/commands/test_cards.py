"""``moontable cards``: photographs and a list of names become faces in a profile, or a word why not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from calibration.profile import Profile
from calibration.store import load_profile, save_profile
from companion.games.blue_moon_city.layout import table_layout
from ui.app import main
from vision.simulation.camera import SimulatedCamera

CARDS = ("mimix-2", "aqua-1", "hoax-3")


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photograph of the empty table and one of three cards."""
    folder = tmp_path_factory.mktemp("photographs")
    camera = SimulatedCamera(table_layout(), [], {}, seed=3)
    cv2.imwrite(str(folder / "empty.png"), camera.frame({}))
    cv2.imwrite(str(folder / "cards.png"), camera.card_photographs(CARDS)[0])
    return folder


def learn(photographs: Path, profile: Path, order: object) -> int:
    """Run the command."""
    (profile.parent / "order.json").write_text(json.dumps(order), encoding="utf-8")
    words = ["cards", str(photographs / "cards.png"), "--empty", str(photographs / "empty.png")]
    return main([*words, "--profile", str(profile), "--order", str(profile.parent / "order.json")])


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A profile without cards."""
    folder = tmp_path / "box"
    bare = Profile(edition="kosmos-2006", players=("white",), layout=table_layout(), faces=())
    save_profile(bare, folder)
    return folder


def test_cards_are_added_to_a_profile(
    photographs: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are named in reading order and stay when others are learnt."""
    assert learn(photographs, profile, CARDS) == 0
    assert "3 of 24" in capsys.readouterr().out
    assert learn(photographs, profile, ["mimix-2", "aqua-2", "hoax-2"]) == 0
    assert {one.name for one in load_profile(profile).cards} == {*CARDS, "aqua-2", "hoax-2"}


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["aqua-1", "hoax-3"], "show 3 cards, not 2"),
        (["aqua-1", "aqua-1", "hoax-3"], "named twice"),
        (["aqua-4", "aqua-1", "hoax-3"], "aqua-4"),
        ({"aqua-1": 1}, "must be a list"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(
    photographs: Path, profile: Path, capsys: pytest.CaptureFixture[str], order: object, words: str
) -> None:
    """A wrong list leaves the profile as it was."""
    assert learn(photographs, profile, order) == 1
    assert words in capsys.readouterr().err
    assert load_profile(profile).cards == ()
