"""Folders of faces to look for: names, sizes, borders, and files that are no pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import MalformedError
from tests.vision.faces.test_free_faces import ARTS
from vision.faces.face_folder import read_face_folder, without_border


def keep(file: Path, picture: np.ndarray) -> None:
    """Write a picture, of the kind that its file's name says."""
    file.write_bytes(cv2.imencode(file.suffix, picture)[1].tobytes())


def test_names_and_sizes(tmp_path: Path) -> None:
    """A face is named by its file; the sizes are of all or of each."""
    keep(tmp_path / "mill.sketch.png", ARTS[0])
    keep(tmp_path / "library.jpg", ARTS[1])
    (tmp_path / "sizes.json").write_text(json.dumps({"width_mm": 60, "height_mm": 60}))
    found = read_face_folder(tmp_path)

    assert sorted(found.pictures) == ["library", "mill.sketch"]
    assert found.sizes_mm == {"library": (60.0, 60.0), "mill.sketch": (60.0, 60.0)}
    (tmp_path / "sizes.json").write_text(json.dumps({"library": {"width_mm": 40, "height_mm": 50}}))
    assert read_face_folder(tmp_path).sizes_mm == {"library": (40.0, 50.0)}


def test_what_cannot_be_used_is_told_and_the_rest_is_used(tmp_path: Path) -> None:
    """No picture, and a second picture for a name."""
    keep(tmp_path / "mill.jpg", ARTS[0])
    keep(tmp_path / "mill.png", ARTS[1])
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\nand no more")
    (tmp_path / "notes.txt").write_text("not a picture, and not asked")
    found = read_face_folder(tmp_path)

    assert list(found.pictures) == ["mill"]
    assert len(found.refused) == 2
    assert "mill.jpg" in found.refused[0]
    assert "torn.png" in found.refused[1]


@pytest.mark.parametrize(
    "sizes",
    [
        "[]",
        '{"mill": 3}',
        '{"mill": {"width_mm": 0, "height_mm": 4}}',
        '{"width_mm": 60}',
        "{",
        '{"mill": {}}',
    ],
)
def test_sizes_that_are_not_understood_are_refused(tmp_path: Path, sizes: str) -> None:
    """The file is named."""
    keep(tmp_path / "mill.png", ARTS[0])
    (tmp_path / "sizes.json").write_text(sizes)
    with pytest.raises(MalformedError, match=r"sizes\.json"):
        read_face_folder(tmp_path)


def test_a_folder_without_faces_is_refused(tmp_path: Path) -> None:
    """Neither an empty folder nor none at all can be looked for."""
    with pytest.raises(MalformedError, match="no picture"):
        read_face_folder(tmp_path)
    with pytest.raises(MalformedError, match="not a folder"):
        read_face_folder(tmp_path / "absent")


def test_large_scans_are_reduced(tmp_path: Path) -> None:
    """Hundreds of scans fit into the memory."""
    keep(tmp_path / "scan.png", np.asarray(cv2.resize(ARTS[0], (2400, 1600)), np.uint8))

    assert max(read_face_folder(tmp_path).pictures["scan"].shape) <= 900


def test_a_border_is_left_out_where_the_size_tells_of_it() -> None:
    """A square tile photographed on a sheet; without a size the sheet may be the tile."""
    sheet = np.full((260, 420, 3), 250, np.uint8)
    sheet[30:222, 50:242] = ARTS[3]

    assert without_border(sheet, (60.0, 60.0)).shape == pytest.approx((192, 192, 3), abs=6)
    assert without_border(sheet, None).shape == sheet.shape
    assert without_border(ARTS[3], (60.0, 60.0)).shape == ARTS[3].shape
