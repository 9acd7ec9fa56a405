"""Where in the frame the things lie that were recognised: polygons for drawing over the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.fit import View
from companion.observation import Observation, Sighting
from companion.table import Place, kind_of, parts_of
from vision.arrays import Floats
from vision.pieces.face_library import Book
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
    view = reader.findings.view
    if view is None:
        return ()
    found = []
    for where, sighting in observation.sightings.items():
        points = None if sighting.value is None else _points(reader, view, where)
        if points is not None:
            corners = tuple((float(x), float(y)) for x, y in points)
            found.append(Outlined(sighting=sighting, corners_px=corners))
    return tuple(found)


def _points(reader: Reader, view: View, where: Place) -> Floats | None:
    kind, parts = kind_of(where), parts_of(where)
    if kind == "cell":
        return _on_tile(reader, view, parts[0], None)
    if kind == "box":
        return _on_tile(reader, view, parts[0], int(parts[1]))
    if kind == "obelisk":
        return _on_board(reader.book, view, int(parts[0]))
    if kind == "discard":
        return _on_pile(reader, view)
    standing = reader.findings.standing.get(where)
    if standing is None:
        return None
    pieces = reader.book.layout.pieces
    radius = pieces.size_of(kind)[0] * 0.6
    ring = np.array(standing.base_mm) + radius * _DISC
    return _project(view, ring, pieces.tile_thickness_mm)


def _on_tile(reader: Reader, view: View, cell: str, box: int | None) -> Floats | None:
    """Return the outline of a tile as it really lies, or of one of its boxes."""
    findings, book = reader.findings, reader.book
    examined = findings.examined.get(cell)
    if examined is None or findings.plane is None:
        return None
    face, found = examined
    height, width = found.known.shape[:2]
    if box is None:
        points = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    else:
        middles = book.boxes[face]
        if box >= len(middles):
            return None
        edge = book.records[face].box_edge_mm * findings.plane.flat.px_per_mm
        points = np.asarray(middles[box], np.float64) + edge * _SQUARE
    flat = findings.plane.flat
    city = np.column_stack([points, np.ones(len(points))]) @ found.lie.matrix(found.known.shape).T
    return _project(view, flat.to_mm(city[:, :2]), flat.height_mm)


def _on_board(book: Book, view: View, box: int) -> Floats | None:
    board = book.layout.board
    if board is None or box >= len(board.boxes_mm):
        return None
    middle = np.array(board.boxes_mm[box]) + np.array([board.area.x_mm, board.area.y_mm])
    return _project(view, middle + board.box_edge_mm * _SQUARE, board.thickness_mm)


def _on_pile(reader: Reader, view: View) -> Floats | None:
    pile, book = reader.findings.pile, reader.book
    if pile is None or pile.top is None or book.pile is None:
        return None
    sizes, top = book.layout.pieces, pile.top
    turn = np.deg2rad(top.turn_deg)
    corners = _SQUARE * (sizes.card_width_mm, sizes.card_height_mm)
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return _project(view, corners + np.array([top.x_mm, top.y_mm]), book.pile.flat.height_mm)


def _project(view: View, points_mm: Floats, height_mm: float) -> Floats:
    solid = np.column_stack([points_mm, np.full(len(points_mm), height_mm)])
    return view.project(solid)
