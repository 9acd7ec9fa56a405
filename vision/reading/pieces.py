"""The third stage: figures and dragons on the faces found, and what else covers the city."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from calibration.profile import PieceRecord
from companion.observation import Sighting
from companion.table import Place, parts_of, place
from vision.arrays import Bools
from vision.pieces.borders import find_by_border, residual_edges
from vision.pieces.city_map import CityMap, Layers
from vision.pieces.classifier import (
    TOO_SOFT_MM,
    classify_standing,
    is_plain,
    is_plainly_bordered,
    may_be_figure,
)
from vision.pieces.figures import Paint, StandingFigure, find_standing
from vision.pieces.finder import Searched
from vision.pieces.occluders import Cover, find_cover
from vision.pieces.occlusion import Occlusion
from vision.pieces.patches import Patches, markers_in_place_of
from vision.pieces.print_visibility import print_visibility
from vision.reading.faces import Faces, all_markers, plain_markers
from vision.reading.rig import Rig

# A box that looks as learnt over more than this share is bare or undecided.
BARE_ENOUGH = 0.5
# Confidence of a figure where there may be markers of its colour.
_AMONG_MARKERS = 0.97
# Confidence that a piece is not in the city if it could not be hidden there.
_ABSENT = 0.98
# A supposed white piece on which this much of the tile's print is visible is not a piece.
_SEEN_THROUGH = 0.7
# A wing of a dragon shows behind other pieces; a figure behind a dragon may be hidden completely.
_TRACE = {"dragon": 0.22, "figure": 0.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The pieces of one frame.

    Attributes:
        city: the cells put together; `layers` is what the next map is drawn on.
        searched: what is known of the pieces' places for the next map.
        standing: the likeliest places of figures and dragons, by kind and name.
        sure: how surely they stand there, by the evidence, as if there were no hand.
        mimicked: names of figures for which markers in a row were taken: there they may stand all the same.
        cover: what hides the city.
        patches: the patches of the players' colours.
    """

    city: CityMap
    layers: Layers
    searched: Searched
    standing: Mapping[Place, StandingFigure] = field(default_factory=dict)
    sure: Mapping[Place, float] = field(default_factory=dict)
    mimicked: frozenset[str] = frozenset()
    cover: Cover
    patches: Patches


def find_pieces(
    rig: Rig, faces: Faces, before: Pieces | None, undrawn: frozenset[str] = frozenset()
) -> Pieces:
    """Return the figures and dragons, and what else covers the city.

    `before` are those found before, `undrawn` the cells that have changed since.
    """
    library = rig.library
    layers, searched = rig.mapper.blank(), Searched()
    if before is not None:
        layers, searched = before.layers, before.searched
    seen, markers = faces.on_cells(), plain_markers(library, faces)
    city, layers = rig.mapper.draw(faces.plane, seen, layers, undrawn, markers)
    patches = Patches(city, {where: faces.spot(where) for where in faces.features}, len(library.owners()))
    rows, mimicked = _rows_of_markers(rig, faces, patches, city)
    standing: dict[Place, StandingFigure] = {}
    sure: dict[Place, float] = {}
    # Dragons first: they are large and clear, and their lit edges can look like a player's figure.
    for kind in ("dragon", "figure"):
        pieces = [one for one in library.profile.pieces if one.kind == kind]
        taken = _joint(city.taken, (standing[at].outline for at, one in sure.items() if one > 0))
        there = replace(city, taken=taken | rows if kind == "figure" else taken)
        paints = {place(one.kind, one.name): library.paint_of(one) for one in pieces}
        searched = rig.finder.find(kind, paints, there, searched)
        for one in pieces:
            where = place(one.kind, one.name)
            found = searched.found[where]
            if found is not None and kind == "figure":
                found, is_row = _find_beside_markers(rig, faces, found, paints[where], there)
                mimicked |= {one.name} if is_row else set()
            if found is not None:
                standing[where], sure[where] = found, likelihood(rig, faces, one, found)
    made_out = [standing[at].outline for at, one in sure.items() if one > 0]
    cover = _covering(rig, faces, city, made_out, sure)
    if not cover.hand and (more := _find_by_borders(rig, faces, city, cover, sure)):
        standing |= {at: found for at, (found, _) in more.items()}
        sure |= {at: one for at, (_, one) in more.items()}
        outlines = [*made_out, *(found.outline for found, _ in more.values())]
        cover = _covering(rig, faces, city, outlines, sure)
    return Pieces(
        city=city,
        layers=layers,
        searched=searched,
        standing=standing,
        sure=sure,
        mimicked=frozenset(mimicked),
        cover=cover,
        patches=patches,
    )


def _joint(mask: Bools, more: Iterable[Bools]) -> Bools:
    found = mask.copy()
    for one in more:
        found |= one
    return found


def _covering(
    rig: Rig, faces: Faces, city: CityMap, outlines: Sequence[Bools], sure: Mapping[Place, float]
) -> Cover:
    """Return what covers the city, pieces with these outlines among it."""
    library = rig.library
    dragons = [library.paint_of(one).label for one in library.profile.pieces if one.kind == "dragon"]
    figures = [place(one.kind, one.name) for one in library.profile.pieces if one.kind == "figure"]
    is_lost = not all(sure.get(where, 0.0) > 0 for where in figures)
    return find_cover(city, rig.layout, outlines, faces.on_cells(), dragons, lambda: is_lost)


def _find_by_borders(
    rig: Rig, faces: Faces, city: CityMap, cover: Cover, sure: Mapping[Place, float]
) -> dict[Place, tuple[StandingFigure, float]]:
    """Return the white figures found only by their borders, with the confidence."""
    library = rig.library
    lost = [
        one
        for one in library.profile.pieces
        if one.kind == "figure"
        and library.paint_of(one).is_light
        and sure.get(place(one.kind, one.name), 0.0) == 0
    ]
    if not lost:
        return {}
    # Even something that only resembles a marker is not the border of a figure.
    there = replace(city, taken=city.taken | cover.pieces | all_markers(faces))
    edges = cache(lambda: residual_edges(there, faces.on_cells().values()))
    found: dict[Place, tuple[StandingFigure, float]] = {}
    for one in lost:
        paint = library.paint_of(one)
        standing = find_by_border(there, edges, rig.bodies, paint, one.kind)
        if standing is None or (certain := likelihood(rig, faces, one, standing)) == 0:
            continue
        assert standing.border is not None
        if is_plainly_bordered(standing.border) or not faces.is_on_markers(paint, standing):
            found[place(one.kind, one.name)] = standing, certain
    return found


def likelihood(
    rig: Rig, faces: Faces, piece: PieceRecord, standing: StandingFigure, *, hand: bool = False
) -> float:
    """Return the confidence that a piece stands where it was found, 0 = claim nothing."""
    sure = classify_standing(standing, piece.seen, piece.kind, hand=hand)
    paint = rig.library.paint_of(piece)
    if paint.is_light:
        # White may be anything pale; the print shows through light that the tile mirrors.
        is_piece = sure > 0 and print_visibility(standing.outline, faces.on_cells().values()) < _SEEN_THROUGH
        return sure if is_piece else 0.0
    if sure > 0 or faces.is_on_markers(paint, standing):
        return sure
    return classify_standing(standing, piece.seen, piece.kind, hand=hand, alone=True)


def _rows_of_markers(rig: Rig, faces: Faces, patches: Patches, city: CityMap) -> tuple[Bools, set[str]]:
    """Return what markers cover that are not plain to see one by one, but explain all of their patch.

    Also returns the names of the players who own them.
    """
    owners = rig.library.owners()
    found, mimicked = np.zeros(city.labels.shape, np.bool_), set()
    doubtful = [
        where
        for where, box in faces.features.items()
        if box.marker is not None and box.bare < BARE_ENOUGH and not is_plain(box, owners)
    ]
    for where in doubtful:
        one = patches.at(where)
        if one is not None and one.is_markers:
            found |= one.patch
            mimicked.add(owners[one.label])
    return found, mimicked


def _find_beside_markers(
    rig: Rig, faces: Faces, standing: StandingFigure, paint: Paint, city: CityMap
) -> tuple[StandingFigure | None, bool]:
    """Return where a figure really stands, and whether a row of markers that looks like it was ruled out."""
    markers = [(*faces.spot(where), one) for where, one in faces.markers_of(paint.label)]
    found: StandingFigure | None = standing
    is_row = False
    while found is not None:
        is_pair = faces.is_pair_of_markers(paint, found)
        row = markers_in_place_of(found, paint.label, city, markers, is_pair=is_pair)
        if row is None:
            break
        is_row, city = True, replace(city, taken=city.taken | row)
        found = find_standing(city, rig.bodies, paint, "figure")
    return found, is_row


# -- what is claimed ------------------------------------------------------------------------------------


def claim_pieces(rig: Rig, faces: Faces, pieces: Pieces) -> dict[Place, Sighting]:
    """Return the claims of figures and dragons: where they stand, or that they are not in the city."""
    if _is_too_soft(faces):
        return {}
    claims: dict[Place, Sighting] = {}
    absent: list[PieceRecord] = []
    dragons: list[StandingFigure] = []
    for one in sorted(rig.library.profile.pieces, key=lambda piece: piece.kind != "dragon"):
        if one.kind == "marker":
            continue
        where = place(one.kind, one.name)
        standing = pieces.standing.get(where)
        sure = 0.0 if standing is None else _claimed(rig, faces, pieces, one, standing)
        if standing is not None and sure > 0:
            claims[where] = Sighting(place=where, value=standing.cell, confidence=sure)
            dragons += [standing] if one.kind == "dragon" else []
        elif _is_nowhere(rig, pieces, one, standing):
            absent.append(one)
    occlusion = Occlusion(pieces.city, rig.bodies, dragons)
    for one in absent:
        if not occlusion.may_hold(one):
            where = place(one.kind, one.name)
            claims[where] = Sighting(place=where, value=None, confidence=_ABSENT)
    return claims


def _claimed(rig: Rig, faces: Faces, pieces: Pieces, piece: PieceRecord, standing: StandingFigure) -> float:
    """Return the confidence that a piece stands where it was found, given its surroundings; 0 = no claim."""
    if pieces.cover.hand:
        sure = likelihood(rig, faces, piece, standing, hand=True)
    else:
        sure = pieces.sure[place(piece.kind, piece.name)]
    is_among = piece.kind == "figure" and sure > 0
    if is_among and faces.is_on_markers(rig.library.paint_of(piece), standing):
        return min(sure, _AMONG_MARKERS)
    return sure


def _is_nowhere(rig: Rig, pieces: Pieces, piece: PieceRecord, standing: StandingFigure | None) -> bool:
    """Whether hardly a trace of a piece is visible, and nothing unidentified has its size."""
    if piece.kind == "figure" and piece.name in pieces.mimicked:
        return False
    is_nowhere = standing is None or standing.share < _TRACE[piece.kind] * piece.seen
    base_mm, height_mm = rig.layout.pieces.size_of(piece.kind)
    return is_nowhere and not pieces.cover.may_hold(base_mm * height_mm)


def _is_too_soft(faces: Faces) -> bool:
    """Whether the picture is too blurred for a figure's outline to be evidence."""
    blurs = [found.blur for found in faces.on_cells().values()]
    return bool(blurs) and float(np.median(blurs)) > TOO_SOFT_MM * faces.plane.flat.px_per_mm


def doubtful_figures(
    rig: Rig, faces: Faces, pieces: Pieces, claims: Mapping[Place, Sighting]
) -> dict[str, StandingFigure]:
    """Return the names of unclaimed figures that may stand where their markers seem to be.

    A figure may be taken for two markers.
    """
    found: dict[str, StandingFigure] = {}
    for piece in rig.library.profile.pieces:
        if piece.kind != "figure" or place(piece.kind, piece.name) in claims:
            continue
        paint = rig.library.paint_of(piece)
        near = {parts_of(where)[0] for where, _ in faces.markers_of(paint.label)}
        cells = [cell for cell in rig.layout.cells if not near.isdisjoint(rig.beside[cell])]
        if not cells:
            continue
        markers = plain_markers(rig.library, faces, but=paint.label)
        bare = replace(pieces.city, taken=pieces.cover.pieces | markers)
        standing = find_standing(bare, rig.bodies, paint, piece.kind, cells)
        if standing is not None and may_be_figure(standing, piece.seen):
            found[piece.name] = standing
    return found
