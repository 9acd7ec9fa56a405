"""``moontable find``: what scripts rely on."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.faces.test_free_faces import ARTS
from ui.app import main


@pytest.fixture
def faces(tmp_path: Path) -> Path:
    """A folder of four faces."""
    folder = tmp_path / "faces"
    folder.mkdir()
    for number in range(4):
        cv2.imwrite(str(folder / f"tile{number}.png"), ARTS[number])
    return folder


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    """A photograph with one of them, upside down."""
    picture = np.full((600, 800, 3), 120, np.uint8)
    picture[200:392, 300:492] = ARTS[1][::-1, ::-1]
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), picture)
    return file


def test_a_face_is_named_with_its_corners(
    faces: Path, photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON document and nothing else on standard output."""
    assert main(["find", "--faces", str(faces), str(photograph), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (image,) = document["images"]
    found = image["found"][0]

    assert image["file"] == str(photograph)
    assert set(found) == {"face", "confidence", "corners_px"}
    assert (found["face"], found["confidence"] > 0.9) == ("tile1", True)
    expected = np.array([[491.5, 391.5], [299.5, 391.5], [299.5, 199.5], [491.5, 199.5]])
    assert np.array(found["corners_px"]) == pytest.approx(expected, abs=2)


def test_what_cannot_be_opened_is_told_and_the_others_go_on(
    faces: Path, photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An absent photograph and a face that is no picture: exit status 1, the rest is done."""
    (faces / "odd.jpg").write_text("no picture")
    absent = photograph.with_name("absent.jpg")

    assert main(["find", "--faces", str(faces), str(absent), str(photograph), "--json"]) == 1
    told = capsys.readouterr()
    assert [Path(one["file"]).name for one in json.loads(told.out)["images"]] == ["table.png"]
    assert "odd.jpg" in told.err
    assert "absent.jpg" in told.err


def test_without_json_a_line_for_each_photograph(
    faces: Path, photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For people."""
    assert main(["find", "--faces", str(faces), str(photograph)]) == 0
    assert "tile1 (" in capsys.readouterr().out


def test_a_folder_that_is_none_is_refused(photograph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1 and the reason."""
    assert main(["find", "--faces", str(photograph), str(photograph)]) == 1
    assert "not a folder" in capsys.readouterr().err
