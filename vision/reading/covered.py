"""The faces beside and behind pieces, and those that only fewer others leave plain: each tile exists once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.table import Place
from companion.table_layout import TableLayout
from vision.arrays import Bools, Singles
from vision.faces.features import tile_of
from vision.faces.registration import Match
from vision.faces.scene import Plane
from vision.faces.tiles import Fields, Sought
from vision.geometry.cells import cell_window
from vision.pieces.classifier import markers_in_place
from vision.pieces.face_library import FaceLibrary
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker
from vision.pieces.occluders import Cover
from vision.reading.elimination import by_elimination, without
from vision.reading.faces import (
    Faces,
    Proof,
    explains_more,
    is_told_by_colours,
    light_beside,
    measured,
    middle_of,
    with_other_sides,
    with_residuals,
)
from vision.reading.pieces import Pieces, bodies_of
from vision.reading.rectified import Rectified
from vision.reading.rig import Rig

# A face that agrees so well is seen, though others may be printed with the same lines.
_AGREES = 0.55
# Noise makes what agrees with a cell differ by this much.
_OUTDONE = 0.03
# A marker of which pieces seem to cover more than this may be a part of one.
_PART_OF_A_PIECE = 0.5
# Which of a few tiles lies below pieces is told by its colours, if it lies where it lay but for so much.
_MOST_LEFT, _STAYED_MM = 8, 2.0


def recognise_covered(
    rig: Rig, rectified: Rectified, faces: Faces, pieces: Pieces, laid: Mapping[str, Match]
) -> Faces:
    """Return the faces with those that figures and dragons, as far as they were found, partly hide.

    Where a tile is still open, those found nowhere else are tried: each exists once, and what lay on the cell
    before, as it was `laid`, may lie there still. The result is good enough to locate the figures on it;
    whether to claim it is decided later.
    """
    near = {beside for cell in rectified.changed for beside in rig.beside[cell]}
    missing = [cell for cell in rig.layout.cells if cell in near and cell not in faces.residuals]
    if not missing:
        return faces
    free, bare = (free_of(one, faces.plane) for one in (bodies_of(rig, pieces), pieces.cover.pieces))
    hidden = _Hidden(fields=rectified.fields, free=free, bare=bare, cover=pieces.cover, laid=laid)
    partly = [cell for cell in missing if _is_partly(hidden.free, faces.plane, rig.layout, cell)]
    faces = _beside_pieces(rig, hidden, faces, partly)
    left = [cell for cell in missing if cell not in faces.residuals]
    shown = [cell for cell in left if cell in partly or _may_be_told(faces.matches.get(cell, ()))]
    return _of_the_rest(rig, hidden, faces, shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hidden:
    """What is known of cells that pieces mostly cover.

    Attributes:
        fields: the frame, ready to be compared with faces.
        free: of the size of the city's picture, 0 where pieces' bodies cover it; `bare` also where something
            of their colour reaches out of them: a wing, or print.
        cover: what covers the city.
        laid: by cell the face that lay there when it was seen last.
    """

    fields: Fields
    free: Singles
    bare: Singles
    cover: Cover
    laid: Mapping[str, Match]


def _beside_pieces(rig: Rig, hidden: _Hidden, faces: Faces, cells: Sequence[str]) -> Faces:
    """Return the faces after comparing all with what pieces leave to be seen on some cells."""
    if not cells:
        return faces
    better = {
        cell: found
        for cell, found in _compared(rig, hidden, faces.plane, cells).items()
        if found and found[0].score > faces.matches[cell][0].score
    }
    return with_residuals(rig, faces.matched(rig.library, better))


def _of_the_rest(rig: Rig, hidden: _Hidden, faces: Faces, cells: Sequence[str]) -> Faces:
    """Return the faces after trying the tiles found nowhere else on some cells."""
    library, plane = rig.library, faces.plane
    rest = _found_nowhere(library, faces)
    before = ((cell, _as_before(library, hidden, plane, cell, rest)) for cell in cells)
    stayed = {cell: found for cell, found in before if found}
    others = _compared(rig, hidden, plane, [cell for cell in cells if cell not in stayed], rest)
    by_markers = {
        cell: _with_markers(rig, hidden.cover, faces, cell, found) for cell, found in others.items()
    }
    marked = {cell: found for cell, (found, _) in by_markers.items() if found}
    taken = {tile_of(library.names[found[0].face]) for found in (*stayed.values(), *marked.values())}
    follows, by_colours = by_elimination(
        without({cell: others[cell] for cell in others.keys() - marked.keys()}, taken, library.names),
        library.names,
        library.chances,
        lambda found: is_told_by_colours(library, plane, found, _AGREES, hidden.cover.pieces_on),
    )
    follows = {cell: some for cell, some in follows.items() if not is_outdone(faces, cell, some[0])}
    proofs = {
        **dict.fromkeys(follows, Proof.ELIMINATION),
        **dict.fromkeys((*stayed, *(by_colours & follows.keys())), Proof.COLOURS),
        **dict.fromkeys(marked, Proof.MARKERS),
    }
    if not proofs:
        return faces
    told = replace(
        faces.matched(library, {**stayed, **marked, **follows}),
        proofs={**faces.proofs, **proofs},
        proving=faces.proving.union(*(boxes for _, boxes in by_markers.values())),
    )
    return with_residuals(rig, told)


def is_outdone(faces: Faces, cell: str, told: Match) -> bool:
    """Whether a face that is told elsewhere agrees better with a cell than the best of those that are left.

    Then what is left may all be wrong, above all where the right face is hardly known.
    """
    return faces.matches[cell][0].score > told.score + _OUTDONE


def _compared(
    rig: Rig, hidden: _Hidden, plane: Plane, cells: Sequence[str], only: frozenset[int] | None = None
) -> dict[str, list[Match]]:
    """Return the matches of some cells by what pieces leave of them, among faces `only`, best first."""
    places = [Sought(middle=middle_of(plane, rig.layout.cells[cell]), only=only) for cell in cells]
    best: dict[str, list[Match]] = {}
    # Whatever reaches out of a piece, the right face agrees better by what is truly seen of it.
    for free in (hidden.free, hidden.bare):
        found = rig.library.tiles.recognise_all(hidden.fields, places, free)
        sides = with_other_sides(rig.library, hidden.fields, found, free)
        for cell, some in zip(cells, sides, strict=True):
            if some and (not best.get(cell) or some[0].score > best[cell][0].score):
                best[cell] = list(some)
    return {cell: best.get(cell, []) for cell in cells}


def _as_before(
    library: FaceLibrary, hidden: _Hidden, plane: Plane, cell: str, rest: frozenset[int]
) -> list[Match]:
    """Return the matches of a cell if the face that lay there is seen just there still, none otherwise.

    What pieces leave of it must speak for it far more than for any other of the `rest`, which lie nowhere.
    """
    laid = hidden.laid.get(cell)
    if laid is None or laid.face not in rest or len(rest) > _MOST_LEFT:
        return []
    others = [face for face in sorted(rest) if library.names[face] != library.names[laid.face]]
    starts = [(face, laid.pose) for face in (laid.face, *others)]
    own, *rivals = library.tiles.register_from(hidden.fields, starts, hidden.free)
    off_px = math.hypot(own.pose.x_px - laid.pose.x_px, own.pose.y_px - laid.pose.y_px)
    if off_px > _STAYED_MM * plane.flat.px_per_mm or own.score < max(one.score for one in (own, *rivals)):
        return []
    is_told = explains_more(library, plane, own, rivals, hidden.cover.pieces_on)
    return [own, *sorted(rivals, key=lambda one: -one.score)] if is_told else []


def _with_markers(
    rig: Rig, cover: Cover, faces: Faces, cell: str, found: Sequence[Match]
) -> tuple[list[Match], set[Place]]:
    """Return the match of a face on whose boxes markers lie on a cell, and these; none if they tell no tile.

    No other face has boxes exactly there, so that side of the tile is up, however little print is visible.
    But what is seen of the print must not speak for another one. And what may be a part of a figure does not
    count: its foot is as large as a marker, and stands anywhere.
    """
    best: dict[int, Match] = {}
    for match in found:
        best.setdefault(match.face, match)
    marked: list[tuple[Match, list[int]]] = []
    light = light_beside(rig, faces.on_cells(), cell)
    for match in best.values():
        if not rig.library.boxes[match.face].size:
            continue
        rival = max((one.score for one in best.values() if one is not match), default=-1.0)
        seen, spots, features = measured(rig, faces.plane, match, light)
        if boxes := markers_in_place(match, apart_from_pieces(cover.pieces_on(seen), spots, features), rival):
            marked.append((match, boxes))
    if len(marked) != 1 or marked[0][0] is not found[0]:
        return [], set()
    match, boxes = marked[0]
    return [match], {rig.layout.places.on_box(cell, number) for number in boxes}


def apart_from_pieces(
    pieces: Bools, spots: Sequence[BoxPlace], features: Sequence[BoxFeatures]
) -> list[BoxFeatures]:
    """Return what boxes look like without markers where `pieces` (height, width) cover the face."""

    def is_part(spot: BoxPlace, marker: Marker) -> bool:
        half = spot.marker_mm * spot.px_per_mm / 2
        x, y = marker.middle
        rows, columns = (slice(max(round(at - half), 0), max(round(at + half), 0) + 1) for at in (y, x))
        under = pieces[rows, columns]
        return bool(under.size and under.mean() > _PART_OF_A_PIECE)

    return [
        replace(box, marker=None) if box.marker is not None and is_part(spot, box.marker) else box
        for spot, box in zip(spots, features, strict=True)
    ]


def _found_nowhere(library: FaceLibrary, faces: Faces) -> frozenset[int]:
    """Return the faces of all tiles that are found on no cell."""
    held = {tile_of(library.names[face]) for face, _ in faces.residuals.values()}
    return frozenset(side for tile, sides in library.sides.items() if tile not in held for side in sides)


def _may_be_told(found: Sequence[Match]) -> bool:
    """Whether so much of a face is seen, whichever, that it can be told from fewer others."""
    return bool(found) and found[0].score > _AGREES


def free_of(bodies: Bools, plane: Plane) -> Singles:
    """Return a mask at the city's scale, 1 where none of these `bodies` on the map covers the city."""
    covered = cv2.dilate(bodies.astype(np.uint8), np.ones((5, 5), np.uint8))
    size = (plane.soft.shape[1], plane.soft.shape[0])
    return np.asarray(1 - cv2.resize(covered, size, interpolation=cv2.INTER_NEAREST), np.float32)


def _is_partly(free: Singles, plane: Plane, layout: TableLayout, cell: str) -> bool:
    """Whether figures cover a part of the cell, but not all of it."""
    share = float(free[cell_window(plane.flat, layout, cell)].mean())
    return 0.2 < share < 0.95
