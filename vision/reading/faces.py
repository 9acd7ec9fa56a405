"""The second stage: which face lies on each cell, its exact pose, and what is seen on it beyond the face.

First for the clearly visible faces; once figures are located, `vision.reading.covered` looks at those beside
and behind figures. Neither uses what the game expects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

import cv2
import numpy as np

from companion.observation import Sighting
from companion.table import Place, parts_of
from vision.arrays import Bools, Picture8, Singles
from vision.faces.features import tile_of
from vision.faces.registration import Match, Pose2D
from vision.faces.residuals import COARSE_PX, ODD, Residual
from vision.faces.scene import Plane
from vision.faces.tiles import Fields, Sought, best_first
from vision.geometry.cells import cell_window
from vision.photometry.light import LightFit, gray_of
from vision.photometry.tone_curve import tone_of, without_tone
from vision.pieces.box_measures import SeenBox
from vision.pieces.city_map import common_light
from vision.pieces.classifier import (
    is_exactly_there,
    is_half_lost,
    is_plain,
)
from vision.pieces.face_library import FaceLibrary
from vision.pieces.figures import Paint, StandingFigure
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker, box_features, place_of_box
from vision.pieces.occluders import Cover
from vision.pieces.patches import Spot
from vision.reading.rectified import Rectified
from vision.reading.rig import Rig

# So surely a tile must be right to be told: all that follows from a wrong one is wrong.
_TOLD = 0.99
# A face that agrees so well is plain to see, if it is not another with the same lines; one so far behind it
# has others. The colours tell them apart if they explain so much more of the face, and so many times more.
_PLAIN, _CLEARLY_BEHIND, _OF_A_FACE, _MANY_TIMES = 0.75, 0.12, 0.1, 3
# An earlier face is still there if it agrees this well, and nearly as well as before.
_STILL_THERE, _FADED = 0.68, 0.1
# How surely a tile is right that is told by its colours or by the markers on it.
_TOLD_OTHERWISE = 0.95
# While a hand is over the table, a tile that agrees less than this may be half under it.
_PLAIN_BESIDE_HANDS = 0.62
# The colour of one tile's light differs from that of all tiles by less than this.
_TINTED = 2.4
# A face of which such a share cannot be used does not show what stands on it.
_HARDLY_LEARNT = 0.5
# This many tiles suffice to estimate the camera's tone curve.
_TONE_TILES = 10

# A face where it lies, where its boxes are, and what is measured of them.
_Measured: TypeAlias = tuple[Residual, list[BoxPlace], list[BoxFeatures]]


class Proof(Enum):
    """The evidence for a face that agrees hardly better than others."""

    COLOURS = "its colours are seen, and not those of the face that agrees as well"
    ELIMINATION = "it lies nowhere else"
    MARKERS = "markers lie on its boxes"


_TELLING = (Proof.COLOURS, Proof.MARKERS)
"""What tells a face however little it agrees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The faces of one frame.

    Attributes:
        plane: the city from above, corrected for the camera's tone curve; `tone` is the power of that curve.
        matches: candidates of every cell, best first; `chances` that the first is what lies there.
        residuals: the cells whose tile is sure enough to look closer: the face's number, and what is seen.
        proofs: of these, the cells whose tile was told by more than how well it agrees, and by what.
        proving: boxes with the markers that tell such a tile.
        features: what is measured of all their boxes; `spots`: where these are.
    """

    plane: Plane
    tone: float = 1.0
    matches: Mapping[str, Sequence[Match]] = field(default_factory=dict)
    chances: Mapping[str, float] = field(default_factory=dict)
    residuals: Mapping[str, tuple[int, Residual]] = field(default_factory=dict)
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    proving: frozenset[Place] = frozenset()
    features: Mapping[Place, BoxFeatures] = field(default_factory=dict)
    spots: Mapping[Place, BoxPlace] = field(default_factory=dict)

    def matched(self, library: FaceLibrary, matches: Mapping[str, Sequence[Match]]) -> Faces:
        """Return the faces with other candidates on some cells."""
        chances = dict(zip(matches, library.chances(list(matches.values())), strict=True))
        return replace(self, matches={**self.matches, **matches}, chances={**self.chances, **chances})

    def is_told(self, cell: str) -> bool:
        """Whether the first of a cell's candidates is told by how well it agrees."""
        return self.chances.get(cell, 0.0) >= _TOLD

    def on_cells(self) -> dict[str, Residual]:
        """Return what is seen on the tiles, by cell."""
        return {cell: found for cell, (_, found) in self.residuals.items()}

    def grounds(self) -> dict[str, Residual]:
        """Return what is seen on the tiles that tell what is not theirs, by cell.

        A face in which a lamp was mirrored while it was learnt may be hardly known: what has come to stand on
        it does not stand out.
        """
        return {cell: one for cell, one in self.on_cells().items() if one.blind.mean() < _HARDLY_LEARNT}

    def spot(self, where: Place) -> Spot:
        """Return the face that a box is on, and where it is there."""
        return self.residuals[parts_of(where)[0]][1], self.spots[where]

    def seen(self, where: Place) -> SeenBox:
        """Return a box as it is seen."""
        face, place = self.spot(where)
        return SeenBox(face=face, place=place, look=self.features[where], picture=self.plane.picture)

    def markers_of(self, label: int) -> list[tuple[Place, Marker]]:
        """Return what is taken for markers of one colour, by the boxes that they are counted for."""
        seen = ((where, box.marker) for where, box in self.features.items())
        return [(where, marker) for where, marker in seen if marker is not None and marker.label == label]

    def is_on_markers(self, paint: Paint, standing: StandingFigure) -> bool:
        """Whether there may be markers of a figure's colour where the figure is seen."""
        return any(self.reaches(standing, *one) for one in self.markers_of(paint.label))

    def is_pair_of_markers(self, paint: Paint, standing: StandingFigure) -> bool:
        """Whether a figure is seen where two boxes may have markers of its colour, exactly on them."""
        exact = [
            one
            for one in self.markers_of(paint.label)
            if is_exactly_there(self.features[one[0]]) and self.reaches(standing, *one)
        ]
        return len(exact) > 1

    def reaches(self, standing: StandingFigure, where: Place, marker: Marker) -> bool:
        """Whether what is taken for a marker may be a part of a figure at its claimed place."""
        found, _ = self.spot(where)
        x, y = (found.pose.matrix(found.known.shape) @ np.array([*marker.middle, 1.0]) / 2).tolist()
        return standing.may_reach((x, y))

    def but(self, cells: frozenset[str], *, matched: bool = False) -> Faces:
        """Return the faces except those on some cells; with `matched` the candidates there remain."""

        def elsewhere(where: Place) -> bool:
            return parts_of(where)[0] not in cells

        return replace(
            self,
            matches={cell: one for cell, one in self.matches.items() if matched or cell not in cells},
            chances={cell: one for cell, one in self.chances.items() if matched or cell not in cells},
            residuals={cell: one for cell, one in self.residuals.items() if cell not in cells},
            proofs={cell: one for cell, one in self.proofs.items() if cell not in cells},
            proving=frozenset(filter(elsewhere, self.proving)),
            features={at: one for at, one in self.features.items() if elsewhere(at)},
            spots={at: one for at, one in self.spots.items() if elsewhere(at)},
        )


# -- the clearly visible faces ---------------------------------------------------------------------


def recognise_faces(rig: Rig, rectified: Rectified, before: Faces | None) -> Faces:
    """Return the clearly visible faces; where nothing has changed, those of the earlier frame."""
    plane, library = rectified.city.plane, rig.library
    kept = Faces(plane=plane) if before is None else before.but(rectified.changed)
    kept = kept.matched(library, _still_there(library, rectified, before))
    kept = kept.but(frozenset(cell for cell in rectified.changed if not kept.is_told(cell)))
    open_ = [cell for cell in rig.layout.cells if cell in rectified.changed and cell not in kept.matches]
    places = [Sought(middle=middle_of(plane, rig.layout.cells[cell])) for cell in open_]
    seen = library.tiles.recognise_all(rectified.fields, places)
    found = dict(zip(open_, with_other_sides(library, rectified.fields, seen), strict=True))
    kept = kept.matched(library, found)
    tone = kept.tone
    if len(rectified.changed) == len(rig.layout.cells):
        tone = _tone(library, plane, [some[0] for cell, some in kept.matches.items() if kept.is_told(cell)])
    even = replace(plane, picture=without_tone(plane.picture, tone))
    coloured = {
        cell: Proof.COLOURS
        for cell, some in found.items()
        if some and not kept.is_told(cell) and is_told_by_colours(library, even, some)
    }
    faces = replace(kept, plane=even, tone=tone, proofs={**kept.proofs, **coloured})
    faces = with_residuals(rig, faces)
    faces = replace(
        faces, proofs={cell: one for cell, one in faces.proofs.items() if cell in faces.residuals}
    )
    return faces.but(_seen_elsewhere(library, faces), matched=True)


def _still_there(
    library: FaceLibrary, rectified: Rectified, before: Faces | None
) -> dict[str, Sequence[Match]]:
    """Return the matches of changed cells that still clearly show the same face as before.

    Its other side, which may be printed with much the same lines, and the faces that it was told from are
    compared with it where it lies; what that comes to is for their chances to say. Any other would agree far
    less; then all faces are compared again.
    """
    if before is None:
        return {}
    known = {
        cell: before.matches[cell]
        for cell in library.layout.cells
        if cell in rectified.changed and cell in before.residuals and before.is_told(cell)
    }
    starts = {cell: _alike(library, found) for cell, found in known.items()}
    asked = [one for some in starts.values() for one in some]
    again = iter(library.tiles.register_from(rectified.fields, asked))
    matches: dict[str, Sequence[Match]] = {}
    for cell, some in starts.items():
        one, *rivals = (next(again) for _ in some)
        found = [one, *best_first(rivals)]
        if one.score > max(_STILL_THERE, known[cell][0].score - _FADED):
            matches[cell] = found
    return matches


def _alike(library: FaceLibrary, found: Sequence[Match]) -> list[tuple[int, Pose2D]]:
    """Return the first of some matches, best first, and after it what else may lie as it does."""
    best = found[0]
    sides = library.sides[tile_of(library.names[best.face])]
    starts = {one.face: one.pose for one in found} | dict.fromkeys(sides, best.pose) | {best.face: best.pose}
    return [(best.face, best.pose), *(one for one in starts.items() if one[0] != best.face)]


def with_other_sides(
    library: FaceLibrary,
    fields: Fields,
    matches: Sequence[Sequence[Match]],
    free: Singles | None = None,
) -> list[list[Match]]:
    """Return matches, best first, each list with the other side of the tile that agrees best.

    A rough look may leave it out where both sides are printed with much the same lines. `free` as for
    `TileLibrary.recognise_all`.
    """
    asked = [
        (number, (side, found[0].pose))
        for number, found in enumerate(matches)
        if found
        for side in library.sides[tile_of(library.names[found[0].face])]
        if all(one.face != side for one in found)
    ]
    told = [list(found) for found in matches]
    sides = library.tiles.register_from(fields, [start for _, start in asked], free)
    for (number, _), side in zip(asked, sides, strict=True):
        told[number] = best_first([*told[number], side])
    return told


def is_told_by_colours(
    library: FaceLibrary,
    plane: Plane,
    found: Sequence[Match],
    least: float = _PLAIN,
    covered: Callable[[Residual], Bools] | None = None,
) -> bool:
    """Whether of faces with the same lines, both sides of a tile say, the best has the colours that are seen.

    Where no other agrees nearly as well there is none that it must be told from.

    Args:
        library, plane: the faces and what is seen.
        found: the matches on a cell, best first, that do not tell its face by themselves.
        least: how well the best agrees.
        covered: tells what of a face (height, width) pieces cover.
    """
    if found[0].score < least:
        return False
    best = found[0]
    rivals = [one for one in found[1:] if library.names[one.face] != library.names[best.face]]
    close = [one for one in rivals if best.score - one.score <= _CLEARLY_BEHIND]
    return bool(rivals) and explains_more(library, plane, best, close, covered)


def explains_more(
    library: FaceLibrary,
    plane: Plane,
    best: Match,
    rivals: Sequence[Match],
    covered: Callable[[Residual], Bools] | None = None,
) -> bool:
    """Whether a face explains far more of what is seen than each of its rivals does.

    `covered` tells what of a face (height, width) pieces cover.
    """
    seen = library.patterns[best.face].residual(plane.picture, plane.blind, best)
    for rival in rivals:
        other = library.patterns[rival.face].residual(plane.picture, plane.blind, rival)
        usable = ~(seen.blind | other.blind)
        if covered is not None:
            usable &= ~(covered(seen) | covered(other))
        # What is on the tile is as learnt on neither.
        ours = np.count_nonzero((seen.odd < ODD) & (other.odd >= ODD) & usable)
        theirs = np.count_nonzero((other.odd < ODD) & (seen.odd >= ODD) & usable)
        if ours - theirs < _OF_A_FACE * usable.size or ours < _MANY_TIMES * theirs:
            return False
    return True


def _seen_elsewhere(library: FaceLibrary, faces: Faces) -> frozenset[str]:
    """Return the cells whose tile was inferred by elimination and is now seen elsewhere."""
    seen = Counter(tile_of(library.names[face]) for face, _ in faces.residuals.values())
    return frozenset(
        cell for cell in faces.proofs if seen[tile_of(library.names[faces.residuals[cell][0]])] > 1
    )


def _tone(library: FaceLibrary, plane: Plane, told: Iterable[Match]) -> float:
    """Return the power of the camera's tone curve, estimated from the faces that are told."""
    soft = cv2.blur(gray_of(plane.picture), (COARSE_PX + 1, COARSE_PX + 1)).astype(np.uint8)
    best = sorted(told, key=lambda match: -match.score)[:_TONE_TILES]
    return tone_of(_tones(library, soft, match) for match in best)


def _tones(library: FaceLibrary, soft: Picture8, match: Match) -> tuple[Singles, Picture8, Singles]:
    """Return a face's brightness as learnt and as seen, coarse, and how much to trust each pixel."""
    known = library.patterns[match.face].coarse
    size = (known.shape[1], known.shape[0])
    middle = (COARSE_PX - 1) / 2
    coarse = np.array([[COARSE_PX, 0, middle], [0, COARSE_PX, middle], [0, 0, 1]])
    matrix = match.pose.matrix(library.patterns[match.face].known.shape) @ coarse
    seen = cv2.warpAffine(soft, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    trust = cv2.resize(match.blocks, size, interpolation=cv2.INTER_NEAREST)
    return known, np.asarray(seen, np.uint8), np.asarray(trust, np.float32)


# -- what is seen on them -------------------------------------------------------------------------------


def with_residuals(rig: Rig, faces: Faces) -> Faces:
    """Return the faces with the residuals of the certain matches."""
    library = rig.library
    holders = _best_holders(faces.matches, library)
    sure = [
        cell
        for cell, found in faces.matches.items()
        if cell not in faces.residuals
        and found
        and (faces.is_told(cell) or cell in faces.proofs)
        and holders[tile_of(library.names[found[0].face])] == cell
    ]
    for cell in sure:
        is_marked = faces.proofs.get(cell) is Proof.MARKERS
        light = light_beside(rig, faces.on_cells(), cell) if is_marked else None
        match = faces.matches[cell][0]
        found, spots, features = measured(rig, faces.plane, match, light)
        places = [rig.layout.places.on_box(cell, number) for number in range(len(spots))]
        faces = replace(
            faces,
            residuals={**faces.residuals, cell: (match.face, found)},
            features={**faces.features, **dict(zip(places, features, strict=True))},
            spots={**faces.spots, **dict(zip(places, spots, strict=True))},
        )
    for cell in sure:
        is_known = faces.is_told(cell) and cell not in faces.proofs
        is_marked = faces.proofs.get(cell) is Proof.MARKERS
        if not (is_known or is_marked) and _is_oddly_lit(cell, faces):
            # Too little of it is visible to fit its light, or to recognise colours on it.
            faces = faces.but(frozenset({cell}), matched=True)
    return faces


def measured(rig: Rig, plane: Plane, match: Match, light: LightFit | None = None) -> _Measured:
    """Return what is seen on a face where it lies, where its boxes are and what is measured of them.

    `light` is used if the light cannot be fitted to the face itself.
    """
    library, face = rig.library, match.face
    found = library.patterns[face].residual(plane.picture, plane.blind, match, light)
    edge_mm, marker_mm = library.records[face].box_edge_mm, rig.layout.pieces.marker_edge_mm
    spots = [
        place_of_box(found, plane.flat, rig.camera, (float(x), float(y)), edge_mm, marker_mm)
        for x, y in library.boxes[face]
    ]
    return found, spots, box_features(found, spots, library.paints, len(library.owners()))


def light_beside(rig: Rig, residuals: Mapping[str, Residual], cell: str) -> LightFit | None:
    """Return the light on the tiles beside a cell, None if it is not known for any."""
    near = rig.beside[cell] - {cell}
    beside = {one: found for one, found in residuals.items() if one in near}
    return common_light(beside) if beside else None


def _is_oddly_lit(cell: str, faces: Faces) -> bool:
    """Whether the colour of a cell's light is quite different from that of all cells."""
    common = common_light(faces.on_cells())
    tint = faces.residuals[cell][1].light.factors[0] / np.maximum(common.factors[0], 1e-3)
    return bool(tint.max() > _TINTED * max(float(tint.min()), 1e-3))


def _best_holders(matches: Mapping[str, Sequence[Match]], library: FaceLibrary) -> dict[str, str]:
    """Return for every tile the cell that shows it best, since each tile exists only once."""
    best: dict[str, tuple[float, str]] = {}
    for cell, found in matches.items():
        if found:
            tile = tile_of(library.names[found[0].face])
            best[tile] = max(best.get(tile, (-2.0, "")), (found[0].score, cell))
    return {tile: cell for tile, (_, cell) in best.items()}


def middle_of(plane: Plane, at: tuple[float, float]) -> tuple[float, float]:
    """Return where a point of the table, x and y in mm, is in the city's picture, px."""
    x, y = plane.flat.to_px(np.array([at]))[0]
    return float(x), float(y)


# -- their markers, drawn on the map ----------------------------------------------------------------------


def plain_markers(faces: Faces, but: int | None = None) -> Bools:
    """Return what clearly visible markers cover on the map, except those of one label."""

    def counts(where: Place, marker: Marker) -> bool:
        return marker.label != but and (where in faces.proving or is_plain(faces.features[where]))

    return all_markers(faces, counts)


def all_markers(faces: Faces, counts: Callable[[Place, Marker], bool] = lambda *_: True) -> Bools:
    """Return what those markers cover that count, on the city at half scale."""
    flat = faces.plane.flat.halved()
    mask = np.zeros((flat.height_px, flat.width_px), np.uint8)
    for where, box in faces.features.items():
        if box.marker is None or not counts(where, box.marker):
            continue
        found, spot = faces.spot(where)
        matrix = found.pose.matrix(found.known.shape)
        ends = [np.array(box.marker.middle) + np.array(spot.lean) * share for share in (-0.5, 0.0, 0.5)]
        radius = round(0.68 * spot.marker_mm * flat.px_per_mm)
        for end in ends:
            x, y = (matrix @ np.array([*end, 1.0]) / 2 - 0.25).tolist()
            cv2.circle(mask, (round(x), round(y)), radius, 1, -1)
    return np.asarray(mask > 0, np.bool_)


def markers_of_label(faces: Faces, label: int) -> Bools:
    """Return what is taken for markers of one label, on the city at half scale."""
    return all_markers(faces, lambda _, marker: marker.label == label)


def boxes_on_map(faces: Faces) -> Bools:
    """Return where the boxes of recognised tiles are, on the city at half scale."""
    flat = faces.plane.flat.halved()
    mask = np.zeros((flat.height_px, flat.width_px), np.uint8)
    for where in faces.features:
        found, spot = faces.spot(where)
        matrix = found.pose.matrix(found.known.shape)
        # A marker's top leans away from its box.
        for share in (0.0, 1.0):
            middle = np.array(spot.middle) + np.array(spot.lean) * share
            x, y = (matrix @ np.array([*middle, 1.0]) / 2 - 0.25).tolist()
            cv2.circle(mask, (round(x), round(y)), round(0.55 * spot.edge / 2), 1, -1)
    return np.asarray(mask > 0, np.bool_)


# -- what is claimed ------------------------------------------------------------------------------------


def claim_cells(rig: Rig, faces: Faces, cover: Cover) -> dict[Place, Sighting]:
    """Return the claims about the tiles that are visible enough."""
    claims: dict[Place, Sighting] = {}
    for cell, (face, _) in faces.residuals.items():
        if cover.hand and not _is_clear_of_hands(rig, faces.matches[cell][0], cover, cell):
            continue
        sure = _TOLD_OTHERWISE if faces.proofs.get(cell) in _TELLING else faces.chances[cell]
        where = rig.layout.places.on_cell(cell)
        claims[where] = Sighting(place=where, value=rig.library.names[face], confidence=sure)
    return claims


def _is_clear_of_hands(rig: Rig, match: Match, cover: Cover, cell: str) -> bool:
    """Whether enough of a tile is visible: half of one can be recognised, but may change under a hand."""
    if is_half_lost(match):
        # Skin may have nearly the tile's own colour, so that nothing seems to cover it.
        return False
    window = cell_window(rig.bodies.flat, rig.layout, cell)
    return cover.share_of(window) <= (0.3 if match.score > _PLAIN_BESIDE_HANDS else 0.1)
