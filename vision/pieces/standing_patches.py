"""What a recogniser of figures and dragons sees: a place where a piece may stand, and what it would hide.

Every patch is turned so that what stands up leans towards its upper edge, and is as large as bases make it:
figures and dragons of any shape, tiles of any size and cameras at any angle give patches of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import PieceRecord
from companion.table_layout import TableLayout
from vision.arrays import Floats, Patches, Picture8, Singles
from vision.faces.residuals import Residual
from vision.geometry.rectify import lean
from vision.geometry.regions import common
from vision.pieces.box_patches import shades_of_piece
from vision.pieces.city_map import CityMap, to_map
from vision.pieces.figures import Candidate

SIZE_PX = 40
"""Edge of a patch."""
CHANNELS = 17
"""Now and as learnt (3 each), unknown, body, own cell, paint in light and in shade (3 each), lean, others.

The last tells how far the nearest of all other pieces' colours is.
"""
COLOURED = (0, 3, 9, 12)
"""The first channels of the pictures in three colours."""
_BASE_PX = 10.0
# Where in the patch the middle of the base is: the piece leans up from there.
_FOOT = (19.5, 29.0)
# A lean of so many bases fills the channel that tells it.
_MOST_LEAN = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What all patches of a frame are cut from.

    Attributes:
        layout, camera: the table, and what looks at it.
        city: the map.
        faces: what is seen on the tiles, by cell.
        pieces: all that there are; `others` compares what is seen with their colours.
    """

    layout: TableLayout
    camera: CameraPose
    city: CityMap
    faces: Mapping[str, Residual]
    pieces: Sequence[PieceRecord]


def standing_patches(scene: Scene, places: Sequence[tuple[PieceRecord, Candidate]]) -> Patches:
    """Return what tells whether pieces stand on the cells of some candidates, (N, `CHANNELS`, size, size)."""
    patches = np.zeros((len(places), CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
    for patch, (piece, candidate) in zip(patches, places, strict=True):
        _draw(patch, scene, piece, candidate)
    return patches


def _draw(patch: Picture8, scene: Scene, piece: PieceRecord, candidate: Candidate) -> None:
    city = scene.city
    base_mm, height_mm = scene.layout.pieces.size_of(piece.kind)
    to_city, lean_mm = _to_city(scene, candidate.base_mm, base_mm, height_mm)
    patch[:3] = _level(_cut(city.colours, to_city)).transpose(2, 0, 1)
    known, seen = _known(scene, to_city)
    patch[3:6] = _level(known).transpose(2, 0, 1)
    patch[6] = 255 - _level(seen)
    body = np.zeros(city.labels.shape, np.float32)
    body[candidate.region] = candidate.body
    patch[7] = _level(_cut(body, to_city))
    patch[8] = 255 * _on_cell(scene, candidate.cell, to_city)
    for first, shade in zip((9, 12), shades_of_piece(piece), strict=True):
        patch[first : first + 3] = shade[:, None, None]
    patch[15] = round(255 * min(lean_mm / base_mm / _MOST_LEAN, 1.0))
    patch[16] = _apart_from_others(patch[:3].transpose(1, 2, 0), piece, scene.pieces)


def _apart_from_others(seen: Picture8, piece: PieceRecord, pieces: Sequence[PieceRecord]) -> Picture8:
    """Return how far each pixel (size, size, 3) is from the nearest of all other pieces' colours."""
    # A player's markers and figure have one colour.
    others = [
        one for one in pieces if one.kind != "marker" and (one.kind, one.name) != (piece.kind, piece.name)
    ]
    shades = [shade for one in others for shade in shades_of_piece(one)]
    if not shades:
        return np.full(seen.shape[:2], 255, np.uint8)
    apart = [np.abs(seen.astype(np.float32) - shade).max(axis=2) for shade in shades]
    return np.asarray(np.min(apart, axis=0), np.uint8)


def _to_city(
    scene: Scene, at_mm: tuple[float, float], base_mm: float, height_mm: float
) -> tuple[Floats, float]:
    """Return the map (2, 3) from pixels of the patch to the city's, and how far the piece leans, mm."""
    flat = scene.city.flat
    table = np.array([at_mm])
    foot = flat.to_px(table)[0]
    head = flat.to_px(lean(scene.camera, table, flat.height_mm + height_mm, flat.height_mm))[0]
    x, y = (head - foot).tolist()
    length = math.hypot(x, y)
    up = (x / length, y / length) if length > 1e-3 else (0.0, -1.0)
    scale = base_mm * flat.px_per_mm / _BASE_PX
    right, down = (-up[1] * scale, up[0] * scale), (-up[0] * scale, -up[1] * scale)
    u, v = _FOOT
    matrix = np.array(
        [
            [right[0], down[0], foot[0] - right[0] * u - down[0] * v],
            [right[1], down[1], foot[1] - right[1] * u - down[1] * v],
        ]
    )
    return matrix, length / flat.px_per_mm


def _cut(picture: Singles, to_picture: Floats, border: int = cv2.BORDER_REPLICATE) -> Singles:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIZE_PX, SIZE_PX)
    return np.asarray(cv2.warpAffine(picture, to_picture, size, flags=flags, borderMode=border), np.float32)


def _known(scene: Scene, to_city: Floats) -> tuple[Singles, Singles]:
    """Return the faces as learnt (size, size, 3), and where they are known and can be seen (size, size)."""
    city = scene.city
    known = np.zeros((SIZE_PX, SIZE_PX, 3), np.float32)
    seen = np.zeros((SIZE_PX, SIZE_PX), np.float32)
    corners = np.array([[0, 0, 1], [SIZE_PX, 0, 1], [0, SIZE_PX, 1], [SIZE_PX, SIZE_PX, 1]]) @ to_city.T
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    window = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
    for found in scene.faces.values():
        laid, region = to_map(found, city.labels.shape)
        if common(region, window) is None:
            continue
        shifted = laid + np.array([[0, 0, region[1].start], [0, 0, region[0].start]])
        back = np.linalg.inv(np.vstack([shifted, [0, 0, 1]])) @ np.vstack([to_city, [0, 0, 1]])
        there = _cut((~found.blind).astype(np.float32), back[:2], cv2.BORDER_CONSTANT)
        here = there > 0.5
        known[here] = _cut(found.known, back[:2])[here]
        seen = np.maximum(seen, there)
    return known, seen


def _on_cell(scene: Scene, cell: str, to_city: Floats) -> Picture8:
    """Return what is on a cell, (size, size) of 0 and 1."""
    v, u = np.mgrid[:SIZE_PX, :SIZE_PX]
    at = np.stack([u.ravel(), v.ravel(), np.ones(u.size)], axis=1) @ to_city.T
    off = np.abs(scene.city.flat.to_mm(at) - np.array(scene.layout.cells[cell]))
    return np.asarray((off <= scene.layout.pitch_mm / 2).all(axis=1).reshape(u.shape), np.uint8)


def _level(picture: Singles) -> Picture8:
    return np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)
