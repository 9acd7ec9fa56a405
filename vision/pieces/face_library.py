"""A profile prepared for reading: faces, patterns and palettes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.profile import FaceRecord, PieceRecord, Profile
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from vision.arrays import Bools, Floats, Labels
from vision.capture.pictures import packed_face, size_of, unpack
from vision.faces.features import tile_of
from vision.faces.registration import BLOCK, Face, FineFaces, Match
from vision.faces.residuals import Pattern
from vision.faces.scene import PX_PER_MM
from vision.faces.tiles import TileLibrary
from vision.models.network import FOLDER
from vision.photometry.light import coded, linear
from vision.photometry.palette import Palette, Shade, is_light
from vision.pieces.figures import Paint
from vision.pieces.hand_recogniser import HandRecogniser
from vision.pieces.marker_recogniser import MarkerRecogniser
from vision.pieces.pile import PileReader, pile_area, pile_place
from vision.pieces.standing_recogniser import StandingRecogniser
from vision.pieces.tile_recogniser import TileRecogniser

# So far around the middle of its boxes a board reaches at least, in edges of a box.
BOARD_AROUND: Final = 0.8


def face_shape(width_mm: float, height_mm: float) -> tuple[int, int]:
    """Return the height and width in px of a face's picture: whole blocks, the face in the middle."""
    return (
        -(-round(height_mm * PX_PER_MM) // BLOCK) * BLOCK,
        -(-round(width_mm * PX_PER_MM) // BLOCK) * BLOCK,
    )


def boxes_px(record: FaceRecord, shape: tuple[int, int]) -> Floats:
    """Return the middles (N, 2) of a face's boxes in its own pixels."""
    middles = np.array(record.boxes_mm, np.float64).reshape(-1, 2)
    return np.column_stack(
        [(shape[1] - 1) / 2 + middles[:, 0] * PX_PER_MM, (shape[0] - 1) / 2 - middles[:, 1] * PX_PER_MM]
    )


def around_boxes(inside: Labels, middles: Floats, half: float, edge: float) -> Bools:
    """Return where boxes and what lies between them are, (height, width), and what is `inside` already.

    `middles` (N, 2) are those of the boxes, `half` how far around each of them counts, `edge` that of a box,
    all in pixels.
    """
    inside = inside.copy()
    for x, y in middles:
        left, top = round(x - half), round(y - half)
        inside[max(top, 0) : round(y + half) + 1, max(left, 0) : round(x + half) + 1] = 1
    gap = 2 * round(edge / 2) + 1
    wide = cv2.copyMakeBorder(inside, gap, gap, gap, gap, cv2.BORDER_CONSTANT, value=0)
    closed = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    return np.asarray(closed[gap:-gap, gap:-gap] > 0, np.bool_)


def encode_face(face: Face) -> bytes:
    """Return a face's picture as PNG with alpha, as profiles keep it."""
    return packed_face(face.name, coded(face.picture), face.valid)


def _decode_face(record: FaceRecord, profile: Profile) -> Face:
    packed = profile.pictures[record.picture]
    height, width = face_shape(record.width_mm, record.height_mm)
    # The first profiles kept the whole blocks within a face, not those around it.
    inner = tuple(round(side * PX_PER_MM) // BLOCK * BLOCK for side in (record.width_mm, record.height_mm))
    try:
        # Checked first: a small file may claim to be huge.
        is_known = size_of(packed) in ((width, height), inner)
        found = unpack(packed, cv2.IMREAD_UNCHANGED) if is_known else None
    except MalformedError:
        found = None
    if found is None or found.ndim != 3 or found.shape[2] != 4 or found.dtype != np.uint8:
        raise ProfileError(
            msg("the profile's picture {picture} is damaged; enrol the game again", picture=record.picture)
        )
    rims = ((height - found.shape[0]) // 2, (width - found.shape[1]) // 2)
    picture = np.pad(np.asarray(found, np.uint8), ((rims[0],) * 2, (rims[1],) * 2, (0, 0)))
    return Face(name=record.name, picture=linear(picture[..., :3]), valid=picture[..., 3] > 127)


def _without_rim(face: Face, board: FaceRecord, boxes: Floats) -> Face:
    """Return a board without what lies farther around its boxes.

    The table may be seen there, and another table may be lighter than the board instead of darker.
    """
    edge = board.box_edge_mm * PX_PER_MM
    near = around_boxes(np.zeros(face.valid.shape, np.uint8), boxes, BOARD_AROUND * edge, edge)
    return replace(face, valid=face.valid & near)


def piece_palette(pieces: Sequence[PieceRecord]) -> Palette:
    """Return the palette of all pieces; a player's figure and markers share one label, the player's name.

    The labels of markers come first.
    """
    shades: dict[str, list[Shade]] = {}
    for one in sorted(pieces, key=lambda piece: piece.kind != "marker"):
        shades.setdefault(owner_label(one), []).extend(one.palette)
    return Palette(list(shades.items()))


def owner_label(piece: PieceRecord) -> str:
    """Return the name under which a piece's colour is looked up."""
    return f"dragon:{piece.name}" if piece.kind == "dragon" else piece.name


class FaceLibrary:
    """Everything in a profile, in the form needed for reading.

    Attributes:
        profile, layout: where it comes from.
        tiles: the faces of tiles; `patterns`, `boxes` and `records` run in step with `tiles.faces`.
        names: of these faces; `sides`: by tile, the numbers of its faces.
        board: the board's fine faces, with and without its rim, its pattern and boxes, or None.
        pile: what reads the discard pile, None where no cards were learnt.
        rarity: for every label of `paints`, how little of it the tiles' own pictures show, 0 to 1.
        paints: palette of all pieces; the players' labels, those of their markers, come first.
        markers: tells what boxes may hold.
        standing: tells where figures and dragons may stand; `hands` tells hands from other things.
        shapes: of figures and dragons, as far as they were learnt.
    """

    def __init__(self, profile: Profile, models: Path | None = FOLDER, look: Path | None = None) -> None:
        """Prepare a profile; `models` is the folder of the recognisers, None to read without.

        `look` is the folder of the network that looks at places, if that alone is at hand.
        """
        self.profile = profile
        self.layout: TableLayout = profile.layout
        self.records = profile.faces
        self.tiles = TileLibrary([_decode_face(record, profile) for record in profile.faces])
        self.names = tuple(face.name for face in self.tiles.faces)
        self.sides: dict[str, tuple[int, ...]] = {}
        for number, name in enumerate(self.names):
            self.sides[tile_of(name)] = (*self.sides.get(tile_of(name), ()), number)
        self.patterns = [Pattern(face) for face in self.tiles.faces]
        self.boxes = [boxes_px(one, face_shape(one.width_mm, one.height_mm)) for one in profile.faces]
        self.board: tuple[FineFaces, Pattern, Floats] | None = None
        if profile.board is not None:
            face = _decode_face(profile.board, profile)
            shape = face_shape(profile.board.width_mm, profile.board.height_mm)
            boxes = boxes_px(profile.board, shape)
            self.board = FineFaces([face, _without_rim(face, profile.board, boxes)]), Pattern(face), boxes
        where = pile_place(self.layout)
        self.pile: PileReader | None = None
        if profile.cards and where is not None:
            cards = [_decode_face(record, profile) for record in profile.cards]
            self.pile = PileReader(where, pile_area(self.layout), cards)
        self.paints = piece_palette(profile.pieces)
        self.rarity = self._rarity()
        markers = [one for one in profile.pieces if one.kind == "marker"]
        self.markers = MarkerRecogniser(markers, are_all=len(markers) >= len(profile.players), folder=models)
        self.standing, self.hands = StandingRecogniser(models, look), HandRecogniser(models)
        # Reading tells no piece before it knows the tiles, so that these are always told.
        self._tiles_told = TileRecogniser(FOLDER)
        self.shapes = {one.kind: one.shape for one in profile.pieces if one.shape}
        self._paints = {(one.kind, one.name): self._paint(one) for one in profile.pieces}

    def chances(self, found: Sequence[Sequence[Match]]) -> list[float]:
        """Return for each cell's matches, best first, how likely the first of them is what lies there."""
        return self._tiles_told.chances(found, self.names)

    def _rarity(self) -> Floats:
        """Return for every label how rare it is in the tiles' own pictures, 0 (common) to 1 (absent)."""
        counts = np.zeros(len(self.paints.names) + 1)
        total = 1
        for pattern in self.patterns:
            labels = self.paints.label(pattern.known)
            counts += np.bincount(np.minimum(labels.ravel(), len(counts) - 1), minlength=len(counts))
            total += labels.size
        return np.clip(1 - counts[:-1] / total / 0.1, 0, 1)

    def paint_of(self, piece: PieceRecord) -> Paint:
        """Return the paint of one of the profile's pieces."""
        return self._paints[piece.kind, piece.name]

    def _paint(self, piece: PieceRecord) -> Paint:
        label = self.paints.names.index(owner_label(piece))
        # The brightest of its shades decides whether it is white.
        light = is_light(max(piece.palette, key=sum)) if piece.palette else False
        return Paint(label=label, rarity=float(self.rarity[label]), is_light=light)

    def owners(self) -> tuple[str, ...]:
        """Return the owners of markers, in the order of their labels."""
        return tuple(one.name for one in self.profile.pieces if one.kind == "marker")
