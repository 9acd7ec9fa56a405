"""The look of one printed copy of a game, for the simulated camera.

The camera draws any copy: the project's own artwork (`HouseArtwork`) or a random one
(`vision.simulation.random_artwork`). Each copy decides where its boxes are and what shape they have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np

from companion.table_layout import BoxBoard
from vision.arrays import Image, Singles
from vision.simulation.art import BOX_EDGE, TileArt, box_middles, draw_board, draw_tile
from vision.simulation.drawing import Point, box

OBELISK_VALUES = (7, 7, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12)
"""Numbers of the obelisk's boxes, in the game's order."""


class Artwork(Protocol):
    """The artwork of one copy."""

    def __hash__(self) -> int:
        """Return a number that identifies this copy in caches of drawn faces."""

    @property
    def box_edge(self) -> float:
        """Width of a contribution box, as a share of the tile's edge."""

    def box_middles(self, count: int) -> tuple[Point, ...]:
        """Return the middles of this many boxes on one tile, in tile edges right and down."""

    def tile_face(self, art: TileArt, side: str, px: int) -> Image:
        """Return the ``sketch`` or ``built`` side of a tile, (px, px, 3)."""

    def board_face(self, board: BoxBoard, px_per_mm: float) -> BoardFace:
        """Return the face of the board with boxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFace:
    """The printed face of a board and its outline.

    Attributes:
        picture: (height, width, 3), the rectangle around the board.
        outline: corners of the board in that rectangle, as shares of its width and height.
    """

    picture: Image
    outline: tuple[Point, ...]

    def mask(self) -> Singles:
        """Return how much of each pixel of the picture the board covers, (height, width), 0 to 1."""
        height, width = self.picture.shape[:2]
        corners = np.array(self.outline) * (width, height) - 0.5
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.rint(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return np.asarray(mask / np.float32(255), np.float32)


@dataclass(frozen=True)
class HouseArtwork:
    """The project's own artwork.

    Attributes:
        board_values: numbers of the board's boxes.
        shaded: the shaded boxes of the board.
    """

    board_values: tuple[int, ...] = OBELISK_VALUES
    shaded: tuple[int, ...] = (0, 1)
    box_edge: float = field(default=BOX_EDGE, init=False)

    def box_middles(self, count: int) -> tuple[Point, ...]:
        """Return the middles of so many boxes: a row near the lower edge."""
        return box_middles(count)

    def tile_face(self, art: TileArt, side: str, px: int) -> Image:
        """Return a side of a tile."""
        return draw_tile(art, side, px)

    def board_face(self, board: BoxBoard, px_per_mm: float) -> BoardFace:
        """Return the obelisk: a pillar on a rectangle."""
        picture = draw_board(board, self.board_values, self.shaded, px_per_mm)
        return BoardFace(picture=picture, outline=tuple(box(0, 0, 1, 1)))
