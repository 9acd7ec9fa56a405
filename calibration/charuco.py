"""The ChArUco sheet, a chessboard with codes in its white squares, to measure a lens.

The method is Zhang's: "A flexible new technique for camera calibration" (2000), as OpenCV has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import Lens
from calibration.profile import LensRecord
from calibration.store import load_profile, save_profile
from companion.errors import MalformedError, ProfileError

COLUMNS, ROWS = 5, 7
SQUARE_MM = 32.0
# A square is eight modules wide: six of the code and one of margin on each side.
SQUARE_MODULES = 8
# Numbers that no fiducial of a table has.
FIRST_ID = 10
_FEWEST_CORNERS = 8
_FEWEST_PICTURES = 5


def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return the board as it is printed, in mm."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ids = np.arange(FIRST_ID, FIRST_ID + COLUMNS * ROWS // 2, dtype=np.int32)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, SQUARE_MM * 6 / SQUARE_MODULES, dictionary, ids)


def charuco_modules() -> NDArray[np.bool_]:
    """Return which modules of the sheet are black, (rows * 8, columns * 8)."""
    size = (COLUMNS * SQUARE_MODULES, ROWS * SQUARE_MODULES)
    return np.asarray(np.asarray(charuco_board().generateImage(size)) < 128)


def keep_lens(where: Path, pictures: Iterable[NDArray[np.uint8]]) -> tuple[LensRecord, float]:
    """Measure the lens with BGR pictures (height, width, 3) of the sheet and keep it in a profile's folder.

    Returns the lens and the error that remains, px. Raises ProfileError or MalformedError in words.
    """
    profile = load_profile(where)
    if where.is_file():
        raise MalformedError(
            f"{where} is an exported profile; the lens can only be added to a profile in a folder"
        )
    found, error_px = measure_lens(
        np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in pictures
    )
    record = LensRecord(
        size_wh=found.size_wh,
        focal_px=found.focal_px,
        centre_px=found.centre_px,
        k1=found.k1,
        k2=found.k2,
        measured=True,
    )
    save_profile(replace(profile, lens=record), where)
    return record, error_px


def measure_lens(pictures: Iterable[NDArray[np.uint8]]) -> tuple[Lens, float]:
    """Return the lens and the error that remains, px, from grey pictures (height, width) of the sheet.

    Raises ProfileError if there are too few good pictures; it says what to do.
    """
    board = charuco_board()
    detector = cv2.aruco.CharucoDetector(board)
    table: list[NDArray[np.float32]] = []
    pixels: list[NDArray[np.float32]] = []
    sizes: set[tuple[int, int]] = set()
    for gray in pictures:
        corners, ids, _, _ = detector.detectBoard(gray)
        if ids is None or len(ids) < _FEWEST_CORNERS:
            continue
        numbers = np.asarray(ids).ravel()
        table.append(np.asarray(board.getChessboardCorners(), np.float32).reshape(-1, 3)[numbers])
        pixels.append(np.asarray(corners, np.float32).reshape(-1, 2))
        sizes.add((int(gray.shape[1]), int(gray.shape[0])))
    if len(sizes) > 1:
        raise ProfileError(
            f"the pictures have different sizes: {sorted(sizes)}; one camera setting is needed"
        )
    if len(table) < _FEWEST_PICTURES:
        raise ProfileError(
            f"the sheet was found in {len(table)} pictures; {_FEWEST_PICTURES} or more are needed, "
            "with the sheet flat, sharp, and tilted differently in each"
        )
    return _fit_lens(table, pixels, sizes.pop())


def _fit_lens(
    table: list[NDArray[np.float32]], pixels: list[NDArray[np.float32]], size_wh: tuple[int, int]
) -> tuple[Lens, float]:
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    start = np.array(
        [[size_wh[0], 0, size_wh[0] / 2], [0, size_wh[0], size_wh[1] / 2], [0, 0, 1]], np.float64
    )
    error, matrix, bend, _, _ = cv2.calibrateCamera(
        table, pixels, size_wh, start, np.zeros(5), flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    k1, k2 = (float(one) for one in np.ravel(bend)[:2])
    lens = Lens(
        size_wh=size_wh,
        focal_px=float(matrix[0, 0]),
        centre_px=(float(matrix[0, 2]), float(matrix[1, 2])),
        k1=k1,
        k2=k2,
    )
    return lens, float(error)
