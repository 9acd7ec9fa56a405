"""Outlines of the recognised things in the frame: polygons for drawing over the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.observation import Observation, Sighting
from companion.table import Place, kind_of, parts_of
from vision.arrays import Floats
from vision.reading.observed import Reading

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


def outlines(reading: Reading | None, observation: Observation) -> tuple[Outlined, ...]:
    """Return the outlines of everything seen in a frame except empty places; none without a table."""
    if reading is None:
        return ()
    found = []
    for where, sighting in observation.sightings.items():
        points = None if sighting.value is None else _points(reading, where)
        if points is not None:
            corners = tuple((float(x), float(y)) for x, y in points)
            found.append(Outlined(sighting=sighting, corners_px=corners))
    return tuple(found)


def _points(reading: Reading, where: Place) -> Floats | None:
    places, parts = reading.located.rig.layout.places, parts_of(where)
    if places.is_cell(where):
        return _on_tile(reading, parts[0], None)
    if places.cell_of_box(where) is not None:
        return _on_tile(reading, parts[0], int(parts[1]))
    if places.is_on_board(where):
        return _on_board(reading, int(parts[0]))
    if reading.pile is not None and reading.pile.top is not None and where == reading.pile.top.area:
        return _on_pile(reading)
    standing = reading.pieces.standing.get(where)
    if standing is None:
        return None
    pieces = reading.located.rig.layout.pieces
    radius = pieces.size_of(kind_of(where))[0] * 0.6
    ring = np.array(standing.base_mm) + radius * _DISC
    return _project(reading, ring, pieces.tile_thickness_mm)


def _on_tile(reading: Reading, cell: str, box: int | None) -> Floats | None:
    """Return the outline of a tile in its actual pose, or of one of its boxes."""
    library, flat = reading.located.rig.library, reading.faces.plane.flat
    if cell not in reading.faces.residuals:
        return None
    face, found = reading.faces.residuals[cell]
    height, width = found.known.shape[:2]
    if box is None:
        points = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    else:
        middles = library.boxes[face]
        if box >= len(middles):
            return None
        edge = library.records[face].box_edge_mm * flat.px_per_mm
        points = np.asarray(middles[box], np.float64) + edge * _SQUARE
    city = np.column_stack([points, np.ones(len(points))]) @ found.pose.matrix(found.known.shape).T
    return _project(reading, flat.to_mm(city[:, :2]), flat.height_mm)


def _on_board(reading: Reading, box: int) -> Floats | None:
    board = reading.located.rig.layout.board
    if board is None or box >= len(board.boxes_mm):
        return None
    middle = np.array(board.boxes_mm[box]) + np.array([board.area.x_mm, board.area.y_mm])
    return _project(reading, middle + board.box_edge_mm * _SQUARE, board.thickness_mm)


def _on_pile(reading: Reading) -> Floats | None:
    pile, library = reading.pile, reading.located.rig.library
    if pile is None or pile.top is None or library.pile is None:
        return None
    sizes, top = library.layout.pieces, pile.top
    turn = np.deg2rad(top.turn_deg)
    corners = _SQUARE * (sizes.card_width_mm, sizes.card_height_mm)
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return _project(reading, corners + np.array([top.x_mm, top.y_mm]), library.pile.flat.height_mm)


def _project(reading: Reading, points_mm: Floats, height_mm: float) -> Floats:
    solid = np.column_stack([points_mm, np.full(len(points_mm), height_mm)])
    return reading.camera.project(solid)
