"""Finds the camera's pose from the tiles and the board when no fiducials can be seen.

The whole picture is searched for features of all learnt faces. Each face found gives the middle of a tile.
Its cell follows from the board, which shows the orientation, or from what the game expects. Contradictory
findings are rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, Lens, fit_points, usual_lens
from companion.table import Picture, kind_of, parts_of
from companion.table_layout import TableLayout
from vision.arrays import Floats, Picture8
from vision.faces.features import FaceFinder, Found, tile_of
from vision.faces.registration import Face
from vision.faces.scene import PX_PER_MM

# A camera at a low angle sees tiles foreshortened; they are also searched for in stretched pictures.
_STRETCHES = (1.0, 1.5)
_LEAST_TILES = 4
_BOARD_MATCHES = 10
# Tiles are slid by some millimetres, rarely by more.
_ASTRAY_MM = 20.0
_FAR_MM = 1e6
_OFF_MM = 3.0


class TileLocator:
    """Finds the view of a picture from the faces of a profile."""

    def __init__(self, layout: TableLayout, faces: Sequence[Face], board: Face | None) -> None:
        self._layout = layout
        known = [*faces, *([] if board is None else [board])]
        self._finder = FaceFinder(known)
        self._board_shape = None if board is None else board.picture.shape[:2]

    def locate(self, frame: Picture8, lens: Lens | None, expected: Picture) -> CameraPose | None:
        """Return the view of a frame (height, width, 3), None if the tiles do not determine it.

        `lens` is that of a camera with the same aspect ratio, None if it is not known.
        """
        size_wh = (frame.shape[1], frame.shape[0])
        known = lens if lens is not None else usual_lens(size_wh)
        best: tuple[int, CameraPose] | None = None
        for stretch in _STRETCHES:
            found = self._finder.find(frame, stretch)
            for settled in (
                self._refined(self._by_expected(found, known, expected), found, known, [_FAR_MM] * 4),
                self._refined(self._by_board(found, known), found, known, self._growing()),
            ):
                if settled is not None and (best is None or settled[0] > best[0]):
                    best = settled
            if best is not None and best[0] >= len(self._layout.cells) // 2:
                break
        return None if best is None else best[1]

    # -- views ------------------------------------------------------------------------------------------

    def _board_points(self, found: Sequence[Found]) -> tuple[Floats, Floats] | None:
        """Return table points (N, 3) mm of the board and where they are seen, (N, 2) px."""
        layout = self._layout.board
        board = next((one for one in found if one.name == "board"), None)
        if board is None or layout is None or self._board_shape is None or board.agreeing < _BOARD_MATCHES:
            return None
        height, width = self._board_shape
        known, seen = board.points
        x = (known[:, 0] - (width - 1) / 2) / PX_PER_MM + layout.area.x_mm
        y = ((height - 1) / 2 - known[:, 1]) / PX_PER_MM + layout.area.y_mm
        return np.column_stack([x, y, np.full(len(x), layout.thickness_mm)]), seen

    def _by_board(self, found: Sequence[Found], lens: Lens) -> CameraPose | None:
        """Return the view from the board's features."""
        points = self._board_points(found)
        return None if points is None else fit_points(*points, lens.size_wh, lens, noise_px=1.5)

    def _by_expected(self, found: Sequence[Found], lens: Lens, expected: Picture) -> CameraPose | None:
        """Return the view from the tiles that lie where the game expects them."""
        cells = _cells_of(expected)
        placed = [one for one in found if tile_of(one.name) in cells]
        if len(placed) < _LEAST_TILES:
            return None
        table = np.array([self._middle_mm(cells[tile_of(one.name)]) for one in placed])
        seen = np.array([one.middle_px for one in placed])
        # Some may have moved since; the majority that agrees decides (RANSAC).
        done, _, _, inside = cv2.solvePnPRansac(
            table, seen, lens.matrix, lens.distortion, reprojectionError=9.0, iterationsCount=300
        )
        if not done or inside is None or len(inside) < _LEAST_TILES:
            return None
        use = inside.ravel()
        return fit_points(table[use], seen[use], lens.size_wh, lens, noise_px=2.0)

    def _growing(self) -> list[float]:
        """Return growing distances from the board within which tiles are used: its view is exact near it."""
        edge = self._layout.tile_edge_mm
        return [*(edge * tiles for tiles in (3.2, 4.3, 5.4, 6.5)), _FAR_MM, _FAR_MM]

    def _refined(
        self, camera: CameraPose | None, found: Sequence[Found], lens: Lens, reaches_mm: Sequence[float]
    ) -> tuple[int, CameraPose] | None:
        """Return how many tiles lie on cells, and the view that fits them best, None if too few do."""
        tiles = [one for one in found if one.name != "board"]
        board = self._board_points(found)
        for step, reach_mm in enumerate(reaches_mm):
            if camera is None:
                return None
            pairs = self._on_cells(camera, tiles, reach_mm)
            table = np.array([at for at, _ in pairs]).reshape(-1, 3)
            seen = np.array([at for _, at in pairs]).reshape(-1, 2)
            if step < len(reaches_mm) - 2 and board is not None:
                table, seen = np.concatenate([table, board[0]]), np.concatenate([seen, board[1]])
            elif len(pairs) < _LEAST_TILES:
                return None
            camera = fit_points(table, seen, lens.size_wh, lens, noise_px=2.0)
        if camera is None:
            return None
        off = np.linalg.norm(self._to_mm(camera, seen) - table[:, :2], axis=1)
        spread = np.linalg.matrix_rank(table[:, :2] - table[:, :2].mean(axis=0), tol=30.0)
        fits = float(np.median(off)) < _OFF_MM and spread == 2 and self._board_agrees(camera, board)
        return (len(pairs), camera) if fits else None

    def _board_agrees(self, camera: CameraPose, board: tuple[Floats, Floats] | None) -> bool:
        """Whether the board, if seen, is near its place: this rules out a view that is one cell off."""
        if board is None:
            return True
        table, seen = board
        assert self._layout.board is not None
        at = camera.to_table(seen, self._layout.board.thickness_mm)
        return float(np.median(np.linalg.norm(at - table[:, :2], axis=1))) < self._layout.tile_edge_mm / 3

    def _on_cells(
        self, camera: CameraPose, tiles: Sequence[Found], reach_mm: float
    ) -> list[tuple[Floats, tuple[float, float]]]:
        """Return the middles, mm, of the cells that tiles lie on and what is seen there, each cell once."""
        board = self._layout.board
        best: dict[str, tuple[float, tuple[float, float]]] = {}
        for one in tiles:
            at = self._to_mm(camera, np.array([one.middle_px]))[0]
            for cell, (x, y) in self._layout.cells.items():
                far = 0.0 if board is None else float(np.hypot(x - board.area.x_mm, y - board.area.y_mm))
                off = float(np.hypot(at[0] - x, at[1] - y))
                if far <= reach_mm and off < _ASTRAY_MM and off < best.get(cell, (np.inf,))[0]:
                    best[cell] = off, one.middle_px
        return [(self._middle_mm(cell), at) for cell, (_, at) in best.items()]

    def _middle_mm(self, cell: str) -> Floats:
        return np.array([*self._layout.cells[cell], self._layout.pieces.tile_thickness_mm])

    def _to_mm(self, camera: CameraPose, pixels: Floats) -> Floats:
        return camera.to_table(pixels, self._layout.pieces.tile_thickness_mm)


def _cells_of(expected: Picture) -> Mapping[str, str]:
    """Return on which cell each tile is expected."""
    return {
        str(value).partition("/")[0]: parts_of(where)[0]
        for where, value in expected.items()
        if kind_of(where) == "cell" and value is not None
    }
