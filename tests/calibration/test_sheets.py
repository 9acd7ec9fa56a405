"""The printed sheets have the right scale, and what they show is found again."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PyQt6.QtPdf")
from PyQt6.QtCore import QSize
from PyQt6.QtGui import QImage
from PyQt6.QtPdf import QPdfDocument

from calibration.charuco import COLUMNS, ROWS, SQUARE_MM, charuco_board
from calibration.sheets import RULER_MM, write_sheets
from companion.errors import DeviceError, MalformedError
from companion.games.blue_moon_city.layout import table_layout
from ui.commands.sheets import add_commands

_PX_PER_MM = 5.0
_SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


def _rendered(file: Path, size_mm: tuple[float, float]) -> np.ndarray:
    """Return the page as grey levels, 5 px a millimetre."""
    document = QPdfDocument(None)
    assert QPdfDocument.Error.None_ == document.load(str(file))
    points = document.pagePointSize(0)
    assert abs(points.width() - size_mm[0] * 72 / 25.4) < 1
    assert abs(points.height() - size_mm[1] * 72 / 25.4) < 1
    page = document.render(0, QSize(*(round(edge * _PX_PER_MM) for edge in size_mm)))
    page = page.convertToFormat(QImage.Format.Format_RGBA8888)
    bits = page.constBits()
    assert bits is not None
    bits.setsize(page.sizeInBytes())
    pixels = np.frombuffer(bits, np.uint8).reshape(page.height(), page.bytesPerLine() // 4, 4)[
        :, : page.width()
    ]
    paper = 255.0 - pixels[:, :, 3]
    return np.asarray(pixels[:, :, :3].mean(axis=2) * (pixels[:, :, 3] / 255.0) + paper, np.uint8)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_fiducials_have_their_size(tmp_path: Path, paper: str) -> None:
    """All four fiducials are found in the print, each with edges of 40 mm."""
    files = write_sheets(tmp_path, table_layout(), paper)
    gray = _rendered(files[0], _SIZES[paper])
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(gray)
    edges = [np.linalg.norm(np.diff(np.vstack([one[0], one[0][:1]]), axis=0), axis=1) for one in corners]

    assert [0, 1, 2, 3] == sorted(np.asarray(ids).ravel().tolist())
    assert np.abs(np.concatenate(edges) / _PX_PER_MM - 40).max() < 0.4


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_charuco_has_its_size(tmp_path: Path, paper: str) -> None:
    """All corners of the chessboard are found, 32 mm apart."""
    files = write_sheets(tmp_path, table_layout(), paper)
    gray = _rendered(files[1], _SIZES[paper])
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(gray)
    at = np.asarray(corners).reshape(-1, 2)[np.argsort(np.asarray(ids).ravel())]
    grid = at.reshape(ROWS - 1, COLUMNS - 1, 2)

    assert np.abs(np.diff(grid[..., 0], axis=1) / _PX_PER_MM - SQUARE_MM).max() < 0.2
    assert np.abs(np.diff(grid[..., 1], axis=0) / _PX_PER_MM - SQUARE_MM).max() < 0.2


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_sheet_has_a_true_ruler(tmp_path: Path, paper: str) -> None:
    """Each sheet ends with a line of 150 mm, and nothing runs off the page."""
    for file in write_sheets(tmp_path, table_layout(), paper):
        gray = _rendered(file, _SIZES[paper])
        row = round((_SIZES[paper][1] - 18) * _PX_PER_MM)
        inked = np.flatnonzero((gray[row - 2 : row + 3] < 160).any(axis=0))

        assert abs((inked[-1] - inked[0]) / _PX_PER_MM - RULER_MM) < 0.6
        for edge in (gray[:10], gray[-10:], gray[:, :10], gray[:, -10:]):
            assert edge.min() > 240


@pytest.mark.usefixtures("qapp")
def test_the_command_writes_three_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`sheets --out DIR` writes the sheets and names them."""
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    arguments = parser.parse_args(["sheets", "--out", str(tmp_path / "new"), "--paper", "letter"])

    assert 0 == arguments.func(arguments)
    assert sorted(capsys.readouterr().out.split()) == sorted(str(one) for one in (tmp_path / "new").iterdir())


@pytest.mark.usefixtures("qapp")
def test_codes_have_the_size_that_is_asked_for(tmp_path: Path) -> None:
    """Smaller ones are smaller on paper; larger than fit on a page they are refused in words."""
    files = write_sheets(tmp_path, table_layout().with_codes_of(28.0))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, _, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(_rendered(files[0], _SIZES["a4"]))
    edges = [
        np.linalg.norm(np.roll(one.reshape(4, 2), -1, axis=0) - one.reshape(4, 2), axis=1) for one in corners
    ]

    assert 4 == len(edges)
    assert np.abs(np.concatenate(edges) / _PX_PER_MM - 28).max() < 0.4
    with pytest.raises(MalformedError, match="do not fit on one page"):
        write_sheets(tmp_path, table_layout().with_codes_of(60.0))


@pytest.mark.usefixtures("qapp")
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """A file in the folder's place is reported in words."""
    (tmp_path / "file").write_text("")

    with pytest.raises(DeviceError, match="cannot be made"):
        write_sheets(tmp_path / "file", table_layout())
