"""``moontable watch`` on pictures that show no table: each is named with the reason, no turn is entered."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.store import save_profile
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.layout import table_layout
from tests.helpers.logfail import WarningCollector
from ui.app import main

PLAYERS = ("purple", "white")
GREY = np.full((240, 320, 3), 120, np.uint8)
NOISE = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)


def packed(image: np.ndarray, suffix: str = ".png") -> bytes:
    """The file of a picture."""
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


PICTURES = {
    "a_black.png": (packed(GREY * 0), "all but black"),
    "b_white.png": (packed(GREY * 0 + 255), "all but white"),
    "c_torn.jpg": (packed(NOISE, ".jpg")[:5000], "incomplete"),
    "d_tiny.png": (packed(GREY[:9, :9]), "too few"),
    "e_huge.png": (packed(np.zeros((9000, 9000), np.uint8)), "too many"),
    "f_text.jpg": (b"hello", "not a picture"),
    "g_empty.png": (b"", "empty"),
    "h_noise.png": (packed(NOISE), "fiducials"),
}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The command line but for the source: a bare profile, a game's header, a journal."""
    save_profile(
        Profile(edition="kosmos-2006", players=PLAYERS, layout=table_layout(), faces=()), tmp_path / "box"
    )
    header = GAME.public_header(GAME.deal(random.Random(1), {"players": PLAYERS, "edition": "kosmos-2006"}))
    (tmp_path / "header.json").write_text(json.dumps(header), encoding="utf-8")
    return [
        "--profile", str(tmp_path / "box"), "--setup", str(tmp_path / "header.json"),
        "--journal", str(tmp_path / "game.moontable"), "--json",
    ]  # fmt: skip


@pytest.mark.parametrize("stills", [True, False])
def test_every_picture_gets_a_word(
    words: list[str],
    tmp_path: Path,
    stills: bool,
    logged_warnings: WarningCollector,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As photographs each is named; as a film what moves is passed over. No turn is entered."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, (content, _) in PICTURES.items():
        (folder / name).write_bytes(content)
    status = main(["watch", str(folder), *words, *(["--stills"] if stills else [])])
    told = logged_warnings.take()

    assert status == 0
    assert json.loads(capsys.readouterr().out)["turns"] == 0
    for name, (_, reason) in PICTURES.items():
        is_said = any(name in one and reason in one for one in told)
        assert is_said or (not stills and name[0] in "bh"), (name, told)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("film.mp4", b"no film", "neither an image nor a video"),
        ("film.avi", b"RIFF" + bytes(200), "neither an image nor a video"),
        ("torn.jpg", packed(NOISE, ".jpg")[:5000], "incomplete"),
    ],
)
def test_a_source_without_any_picture_is_refused(
    words: list[str],
    tmp_path: Path,
    name: str,
    content: bytes,
    reason: str,
    logged_warnings: WarningCollector,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The exit status tells a script, the words tell people."""
    (tmp_path / name).write_bytes(content)
    status = main(["watch", str(tmp_path / name), *words])
    logged_warnings.take()

    assert status == 1
    assert reason in capsys.readouterr().err
