"""Pictures that cannot be read get a word each, and the others are read all the same."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import blue_moon_city
from calibration.profile import Profile
from calibration.store import save_profile
from ui.commands import sight


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile that knows no pieces yet."""
    folder = tmp_path_factory.mktemp("profile") / "box"
    save_profile(
        Profile(edition="kosmos-2006", players=("white",), layout=blue_moon_city(), faces=()), folder
    )
    return folder


def packed(image: np.ndarray, suffix: str = ".png") -> bytes:
    """The file of a picture."""
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


GREY = np.full((480, 640, 3), 120, np.uint8)
NOISE = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
BAD = {
    "black": (packed(GREY * 0), "all but black"),
    "white": (packed(GREY * 0 + 255), "all but white"),
    "plain": (packed(GREY), "hardly anything"),
    "noise": (packed(NOISE), "fiducials"),
    "torn": (packed(NOISE, ".jpg")[:5000], "torn"),
    "tiny": (packed(GREY[:3, :5]), "too few"),
    "huge": (packed(np.zeros((9000, 9000), np.uint8)), "too many"),
    "text": (b"hello", "not a picture"),
    "empty": (b"", "empty"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_pictures_are_named(
    kind: str, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each names the file and says what is the matter; nothing is claimed."""
    content, words = BAD[kind]
    file, missing = tmp_path / f"{kind}.png", tmp_path / "none.png"
    file.write_bytes(content)
    parser = argparse.ArgumentParser()
    sight.add_commands(parser.add_subparsers())
    arguments = parser.parse_args(["read", str(file), str(missing), "--profile", str(profile)])
    status = arguments.func(arguments)
    told = capsys.readouterr()

    assert status == 1
    assert any(str(file) in line and words in line for line in told.err.splitlines())
    assert f"{missing}: No such file" in told.err
    assert '"tile"' not in told.out
