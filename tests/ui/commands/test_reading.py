"""What `read` says of photographs: what is the matter with bad ones, and each piece that lies anywhere."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.store import save_profile
from companion.errors import MalformedError
from companion.games import registry
from companion.games.blue_moon_city.layout import table_layout
from tests.helpers.golden import GOLDEN
from tests.helpers.true_pieces import matched, true_pieces, zone_of
from ui.app import main
from ui.assembly.layouts import game_of, layout_of
from ui.commands import reading
from vision.enrolment.copy_photographs import read_copy_photographs
from vision.enrolment.free_copy import learn_copy

FOLDER = GOLDEN / "nova_luna"
PLAYERS = ("red", "blue")
TRUTH = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile that knows no pieces yet."""
    folder = tmp_path_factory.mktemp("profile") / "box"
    save_profile(Profile(edition="kosmos-2006", players=("white",), layout=table_layout(), faces=()), folder)
    return folder


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is learnt of tiles, wheel and discs from their photographs."""
    pieces = registry.pieces("nova_luna")
    photographs, _ = read_copy_photographs(FOLDER / "enrol", pieces)
    learnt = learn_copy("nova_luna", pieces, layout_of("nova_luna", PLAYERS), PLAYERS, photographs).profile
    folder = tmp_path_factory.mktemp("profile") / "tiles"
    save_profile(learnt, folder)
    assert "nova_luna" == game_of(learnt)
    return folder


@pytest.fixture(scope="module")
def images(tiles: Path) -> list[dict[str, Any]]:
    """What the command says of a table, and of one with an arm over it."""
    frames = [str(FOLDER / "frames" / one["frame"]) for one in TRUTH]
    with pytest.MonkeyPatch.context() as patch:
        told: list[Any] = []
        patch.setattr(reading, "print_json", told.append)
        assert main(["read", *frames, "--profile", str(tiles), "--json"]) == 0
    return list(told[0]["images"])


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
    "torn": (packed(NOISE, ".jpg")[:5000], "incomplete"),
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
    reading.add_commands(parser.add_subparsers())
    arguments = parser.parse_args(["read", str(file), str(missing), "--profile", str(profile)])
    status = arguments.func(arguments)
    told = capsys.readouterr()

    assert status == 1
    assert any(str(file) in line and words in line for line in told.err.splitlines())
    assert f"{missing}: No such file" in told.err
    assert '"tile"' not in told.out


def test_every_piece_that_is_told_is_there(images: list[dict[str, Any]]) -> None:
    """Tiles, wheel, discs, moon and piles, at their slots, in their areas; also beside an arm."""
    for image, truth in zip(images, TRUTH, strict=True):
        for claim, piece in matched(image["pieces"], true_pieces(truth)):
            assert piece is not None, claim
            assert zone_of(piece.place) == zone_of(claim["place"]), claim


def test_of_a_table_at_rest_all_but_heaped_discs_are_told(images: list[dict[str, Any]]) -> None:
    """Though the lamp is mirrored beside one of the heaps."""
    pieces = true_pieces(TRUTH[0])
    found = [id(one) for _, one in matched(images[0]["pieces"], pieces)]
    missed = [one for one in pieces if id(one) not in found and one.kind not in ("less", "hidden")]
    assert [] == [one for one in missed if not one.place.startswith("supply")]
    assert len(missed) < 8


def test_an_arm_is_told(images: list[dict[str, Any]]) -> None:
    """A mug, a sheet of paper and a box at the edges are none."""
    assert [False, True] == [image["hand"] for image in images]


def test_the_table_is_told_as_a_state(images: list[dict[str, Any]]) -> None:
    """With how sure each place is; what is told is true."""
    told = registry.lookup("nova_luna").parse_table(images[0]["table"])
    true = registry.lookup("nova_luna").parse_table(TRUTH[0]["state"])
    assert told
    assert {where: true[where] for where in told} == told


def test_steps_of_reading_are_for_printed_places(tiles: Path, tmp_path: Path) -> None:
    """The reason is told."""
    frame, steps = str(FOLDER / "frames" / TRUTH[0]["frame"]), str(tmp_path)
    parser = argparse.ArgumentParser()
    reading.add_commands(parser.add_subparsers())
    arguments = parser.parse_args(["read", frame, "--profile", str(tiles), "--debug", steps])
    with pytest.raises(MalformedError, match="printed places"):
        reading.run_read(arguments)
