"""Where in the frame the things lie that were recognised: polygons for drawing over the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera_pose import CameraPose
from companion.observation import Observation, Sighting
from companion.table import Place, kind_of, parts_of
from vision.arrays import Floats
from vision.pieces.face_library import FaceLibrary
from vision.reader import Reader

_DISC = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)])
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """One recognised thing in the frame.

    Attributes:
        sighting: what was claimed.
        corners_px: polygon, (x, y) pixels.
    """

    sighting: Sighting
    corners_px: tuple[tuple[float, float], ...]


def outlines(reader: Reader, observation: Observation) -> tuple[Outlined, ...]:
    """Return the outlines of all that the reader saw in its last frame, empty places left out."""
    camera = reader.findings.camera
    if camera is None:
        return ()
    found = []
    for where, sighting in observation.sightings.items():
        points = None if sighting.value is None else _points(reader, camera, where)
        if points is not None:
            corners = tuple((float(x), float(y)) for x, y in points)
            found.append(Outlined(sighting=sighting, corners_px=corners))
    return tuple(found)


def _points(reader: Reader, camera: CameraPose, where: Place) -> Floats | None:
    kind, parts = kind_of(where), parts_of(where)
    if kind == "cell":
        return _on_tile(reader, camera, parts[0], None)
    if kind == "box":
        return _on_tile(reader, camera, parts[0], int(parts[1]))
    if kind == "obelisk":
        return _on_board(reader.library, camera, int(parts[0]))
    if kind == "discard":
        return _on_pile(reader, camera)
    standing = reader.findings.standing.get(where)
    if standing is None:
        return None
    pieces = reader.library.layout.pieces
    radius = pieces.size_of(kind)[0] * 0.6
    ring = np.array(standing.base_mm) + radius * _DISC
    return _project(camera, ring, pieces.tile_thickness_mm)


def _on_tile(reader: Reader, camera: CameraPose, cell: str, box: int | None) -> Floats | None:
    """Return the outline of a tile as it really lies, or of one of its boxes."""
    findings, library = reader.findings, reader.library
    residuals = findings.residuals.get(cell)
    if residuals is None or findings.plane is None:
        return None
    face, found = residuals
    height, width = found.known.shape[:2]
    if box is None:
        points = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    else:
        middles = library.boxes[face]
        if box >= len(middles):
            return None
        edge = library.records[face].box_edge_mm * findings.plane.flat.px_per_mm
        points = np.asarray(middles[box], np.float64) + edge * _SQUARE
    flat = findings.plane.flat
    city = np.column_stack([points, np.ones(len(points))]) @ found.pose.matrix(found.known.shape).T
    return _project(camera, flat.to_mm(city[:, :2]), flat.height_mm)


def _on_board(library: FaceLibrary, camera: CameraPose, box: int) -> Floats | None:
    board = library.layout.board
    if board is None or box >= len(board.boxes_mm):
        return None
    middle = np.array(board.boxes_mm[box]) + np.array([board.area.x_mm, board.area.y_mm])
    return _project(camera, middle + board.box_edge_mm * _SQUARE, board.thickness_mm)


def _on_pile(reader: Reader, camera: CameraPose) -> Floats | None:
    pile, library = reader.findings.pile, reader.library
    if pile is None or pile.top is None or library.pile is None:
        return None
    sizes, top = library.layout.pieces, pile.top
    turn = np.deg2rad(top.turn_deg)
    corners = _SQUARE * (sizes.card_width_mm, sizes.card_height_mm)
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return _project(camera, corners + np.array([top.x_mm, top.y_mm]), library.pile.flat.height_mm)


def _project(camera: CameraPose, points_mm: Floats, height_mm: float) -> Floats:
    solid = np.column_stack([points_mm, np.full(len(points_mm), height_mm)])
    return camera.project(solid)
