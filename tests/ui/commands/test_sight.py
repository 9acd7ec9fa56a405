"""Pictures that cannot be read get a word each, and the others are read all the same."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.charuco import COLUMNS, ROWS, SQUARE_MM, charuco_modules
from calibration.profile import LensRecord, Profile
from calibration.store import load_profile, save_profile
from companion.commands import EXIT_REFUSED
from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.catalogue import CELLS, TILES
from companion.games.blue_moon_city.layout import table_layout
from companion.table import place
from companion.table_layout import TableLayout
from ui.app import main
from ui.commands import sight
from vision.capture.pictures import unpack
from vision.enrolment import from_files
from vision.enrolment.enrol import Photographs
from vision.enrolment.naming import NamingResult
from vision.enrolment.photographed_tiles import TurnedTiles, printed_of
from vision.faces.locator import Locator, Tracked
from vision.simulation.camera import SimulatedCamera
from vision.simulation.flatwork import Easel, FlatPose
from vision.simulation.printed_tiles import tile_arts
from vision.simulation.scenery import Viewpoint


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile that knows no pieces yet."""
    folder = tmp_path_factory.mktemp("profile") / "box"
    save_profile(Profile(edition="kosmos-2006", players=("white",), layout=table_layout(), faces=()), folder)
    return folder


def packed(image: np.ndarray, suffix: str = ".png") -> bytes:
    """The file of a picture."""
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


GREY = np.full((480, 640, 3), 120, np.uint8)
NOISE = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)


def test_a_measured_lens_is_kept_and_used(
    profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lens sheet's pictures give the profile a lens, and tables are placed with it from then on."""
    folder = tmp_path / "box"
    save_profile(load_profile(profile), folder)
    files = []
    for number, (tilt, turn) in enumerate(((0, 0), (25, 0), (25, 90), (25, 180), (25, 270), (35, 45))):
        eye = Viewpoint(tilt_deg=tilt, azimuth_deg=turn, distance_mm=300, aim_mm=(10.0, 10.0), k1=-0.12)
        files.append(tmp_path / f"{number}.png")
        cv2.imwrite(str(files[-1]), photograph_of_sheet(eye))
    parser = argparse.ArgumentParser()
    sight.add_commands(parser.add_subparsers())
    arguments = parser.parse_args(["lens", *map(str, files), "--profile", str(folder)])

    assert arguments.func(arguments) == 0
    assert "lens measured for 1280 x 720" in capsys.readouterr().out
    lens = load_profile(folder).lens
    assert lens is not None
    assert lens.measured
    camera = SimulatedCamera(table_layout(), [], {}, viewpoint=Viewpoint(k1=-0.12))
    learnt = load_profile(folder)
    view, _ = Locator(learnt).locate(camera.frame({}), Tracked(layout=learnt.layout))
    assert view is not None
    assert view.lens.focal_px == lens.focal_px


MEASURED = LensRecord(size_wh=(1280, 720), focal_px=900, centre_px=(640, 360), k1=-0.1, k2=0.0, measured=True)


@pytest.mark.parametrize(("width", "is_kept"), [(1920, True), (1440, False)])
def test_learning_again_keeps_a_measured_lens(
    width: int,
    is_kept: bool,
    profile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tiles learnt anew leave the lens as it was measured, unless the pictures are of another shape."""
    folder, picture, layout = tmp_path / "box", tmp_path / "any.png", tmp_path / "layout.json"
    before = replace(load_profile(profile), lens=MEASURED)
    save_profile(before, folder)
    guessed = replace(MEASURED, size_wh=(width, 1080), focal_px=1400, measured=False)
    monkeypatch.setattr(
        from_files, "enrol", lambda *_, **__: replace(before, players=("teal",), lens=guessed)
    )
    monkeypatch.setattr(from_files, "PhotographNamer", ToldNamer)
    monkeypatch.setattr(from_files, "check_photographs", lambda _, layout, *__, **___: ((), layout))
    picture.write_bytes(packed(NOISE))
    layout.write_text(json.dumps(dict(zip(CELLS, TILES, strict=True))), "utf-8")
    words = ["enrol", "--profile", str(folder), "--edition", "kosmos-2006", "--players", "teal,white"]
    for name in ("empty", "sketch", "built"):
        words += [f"--{name}", str(picture)]
    parser = argparse.ArgumentParser()
    sight.add_commands(parser.add_subparsers())
    arguments = parser.parse_args([*words, "--layout", str(layout)])

    assert arguments.func(arguments) == 0
    learnt = load_profile(folder)
    assert learnt.players == ("teal",)
    assert learnt.lens == (MEASURED if is_kept else guessed)


class ToldNamer:
    """Believes what it is told, and is sure of nothing else but that two tiles are alike."""

    def __init__(self, photograph: np.ndarray, layout: TableLayout, *_: object) -> None:
        assert layout == table_layout()
        self.photograph = photograph

    def name(self, said: dict[str, str]) -> dict[str, NamingResult]:
        """The tiles in the usual order; of the last two nobody knows which is which."""
        tiles = dict(zip(CELLS, TILES, strict=True))
        named = {
            cell: NamingResult(
                tile=said.get(cell, tile),
                turn=0,
                is_sure=True,
                others=(),
                values=printed_of(COMPONENTS.tiles)[tile].values,
                printed=printed_of(COMPONENTS.tiles)[tile],
            )
            for cell, tile in tiles.items()
        }
        first, last = CELLS[-2:]
        if first not in said and last not in said:
            for cell, other in ((first, last), (last, first)):
                named[cell] = replace(named[cell], is_sure=False, others=(tiles[other],))
        one = next(cell for cell, named_one in named.items() if named_one.tile == "mill")
        named[one] = replace(named[one], values=(4, 2, 2))
        one = next(cell for cell, named_one in named.items() if named_one.tile == "thermae")
        named[one] = replace(named[one], is_unclear=True, boxes=np.zeros((4, 12, 3), np.uint8))
        return named

    def turned_over(
        self, named: dict[str, NamingResult], photograph: np.ndarray, bad: set[str]
    ) -> TurnedTiles:
        """All turned over in their places."""
        assert not bad
        assert photograph.shape == self.photograph.shape
        return TurnedTiles(tiles={cell: one.tile for cell, one in named.items()}, turns={})


def test_enrolling_without_a_layout_asks_only_what_it_cannot_tell(
    profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first time it says which tiles are alike and how to name them; then it learns."""
    folder, picture, layout = tmp_path / "box", tmp_path / "any.png", tmp_path / "layout.json"
    learnt: list[Photographs] = []

    def enrolled(photographs: Photographs, *_: object, **__: object) -> Profile:
        learnt.append(photographs)
        return load_profile(profile)

    monkeypatch.setattr(from_files, "enrol", enrolled)
    monkeypatch.setattr(from_files, "PhotographNamer", ToldNamer)
    monkeypatch.setattr(from_files, "check_photographs", lambda _, layout, *__, **___: ((), layout))
    picture.write_bytes(packed(NOISE))
    words = ["enrol", "--profile", str(folder), "--edition", "kosmos-2006", "--players", "teal,white"]
    for name in ("empty", "sketch", "built"):
        words += [f"--{name}", str(picture)]
    parser = argparse.ArgumentParser()
    sight.add_commands(parser.add_subparsers())
    with pytest.raises(ProfileError, match="could not be recognised") as refused:
        (arguments := parser.parse_args(words)).func(arguments)
    example = str(refused.value)[str(refused.value).index("{") :]
    assert set(json.loads(example)) == set(CELLS[-2:])
    layout.write_text(example, "utf-8")
    arguments = parser.parse_args([*words, "--layout", str(layout)])

    assert arguments.func(arguments) == 0
    assert learnt[0].tiles == dict(zip(CELLS, TILES, strict=True))
    told = capsys.readouterr().err
    assert "mill seems to show 4,2,2, the list says 3,2,2" in told
    assert f"a number cannot be read for sure; see {tmp_path / 'box-thermae.png'}" in told
    assert unpack((tmp_path / "box-thermae.png").read_bytes()).shape == (4, 12, 3)


def test_a_wrong_photograph_is_told_before_anything_is_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table full of tiles is not the empty table; nothing is kept."""
    camera = SimulatedCamera(table_layout(), tile_arts(COMPONENTS.tiles), {}, seed=3)
    picture = tmp_path / "tiles.png"
    picture.write_bytes(
        packed(
            camera.frame(
                {place("cell", cell): f"{tile}/sketch" for cell, tile in zip(CELLS, TILES, strict=True)}
            )
        )
    )
    words = ["enrol", "--profile", str(tmp_path / "box"), "--edition", "kosmos-2006"]
    words += ["--players", "teal,white"]
    for name in ("empty", "sketch", "built"):
        words += [f"--{name}", str(picture)]

    assert main(words) == EXIT_REFUSED
    assert "the photograph of the empty table shows tiles" in capsys.readouterr().err
    assert not (tmp_path / "box").exists()


def photograph_of_sheet(eye: Viewpoint) -> np.ndarray:
    """The lens sheet as a camera sees it."""
    sheet = np.where(np.kron(charuco_modules(), np.ones((6, 6), bool)), 12, 235).astype(np.uint8)
    width, height = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    pose = FlatPose(x_mm=0, y_mm=0, z_mm=0, turn_deg=0, width_mm=width, height_mm=height)
    frame = np.full((720, 1280, 3), 0.2, np.float32)
    patch = Easel(eye.pose((1280, 720))).paint(np.dstack([sheet] * 3), pose)
    assert patch is not None
    patch.blend_over(frame)
    return np.asarray(255 * np.clip(frame, 0, 1) ** (1 / 2.2), np.uint8)


def test_a_game_with_printed_places_needs_its_photographs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is needed is said, for each kind of game."""
    words = ["enrol", "--profile", str(tmp_path / "box"), "--players", "red,blue"]

    assert main(words) == EXIT_REFUSED
    assert "--sketch" in capsys.readouterr().err
    assert main([*words, "--game", "nova_luna"]) == EXIT_REFUSED
    assert "--photos" in capsys.readouterr().err


def test_photographs_of_a_game_are_described_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A face that the game does not have is refused by its name."""
    said = {"faces": [{"picture": "a.jpg", "rows": [["1", "99"]]}]}
    (tmp_path / "photos.json").write_text(json.dumps(said), encoding="utf-8")
    words = ["enrol", "--profile", str(tmp_path / "box"), "--players", "red,blue", "--game", "nova_luna"]

    assert main([*words, "--photos", str(tmp_path)]) == EXIT_REFUSED
    assert "99" in capsys.readouterr().err
