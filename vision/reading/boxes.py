"""The fourth stage: what each box shows, given everything known about its surroundings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from companion.observation import Sighting
from companion.table import Place, Value, parts_of, place
from vision.arrays import Bools
from vision.faces.residuals import Residual
from vision.geometry.cells import cell_window
from vision.pieces.borders import marker_border
from vision.pieces.classifier import (
    BoxCover,
    classify_beside_piece,
    classify_box,
    classify_half_a_marker,
    classify_in_glare,
    classify_marker_among_pieces,
    classify_marker_beside_piece,
    classify_marker_border,
    classify_past_neighbours,
    classify_patch,
    is_another_paled,
    is_astray,
    is_glare,
    is_taken,
    may_be_bordered,
    may_be_glare,
    may_be_in_glare,
)
from vision.pieces.figures import Candidate, StandingFigure
from vision.pieces.glare import Glare, measure_glare
from vision.pieces.marker_recogniser import BoxChances
from vision.pieces.markers import BoxFeatures, Marker, box_features, outline_at
from vision.pieces.occluders import area_of_square, on_map
from vision.pieces.patches import share_beside
from vision.pieces.print_visibility import print_visibility_in_square
from vision.reading.faces import Faces
from vision.reading.pieces import BARE_ENOUGH, OVERLOOKED, Pieces
from vision.reading.rig import Rig

# What a box holds, and with what confidence.
_Verdict: TypeAlias = tuple[Value, float]

# Confidence of a marker that identifies a hidden tile.
_PROVING = 0.9
# Confidence that something is a marker, not a figure's head, while its owner's figure is not located.
_HEAD_AT_MOST = 0.97
# Of a marker so much is seen, or a piece that hides this little of its box hides the rest of a figure.
_WHOLE_MARKER, _CLOSE_BY = 0.8, 0.02
# If a piece hides this much of a box, but less than a marker covers, the box is read without that part.
_TOUCHED, _HALF_HIDDEN = 0.05, 0.35
# What a marker hides with the rim of what is dark around it, of its own size; a box is told by as much print.
_WITH_RIM, _TOLD_BY_PRINT = 1.3, 0.05
# Of a box of which pieces hide more nothing is left to tell by.
_ALL_HIDDEN = 0.85
# Lines are searched for this far inside a box, and this far from anything that hides a part of it.
_INSIDE, _EDGE_PX = 0.74, 5
# So much of a marker is seen beside its owner's figure; of what only seems to be one next to nothing is.
_BESIDE_FIGURE = 0.3
# So much of what is around a marker by itself is as learnt; a head goes on where its figure is.
_ENDS = 0.88
# A piece that covers more than this of a box hides what it holds; what is likelier than not.
_HIDES_BOX, _LIKELIER = 0.5, 0.5
# A white marker through which so much of the print is seen is light on the tile; less suffices where only
# its border tells the marker. It is looked at well inside, in a square of such a share of the marker's edge.
_SEEN_THROUGH, _SEEN_WITHIN_BORDER, _WELL_INSIDE = 0.75, 0.58, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxReading:
    """The boxes of one frame's tiles.

    Attributes:
        claims: the claims about them.
        taken: boxes on which something unidentified lies.
        chances: what the recogniser says of the boxes that it was asked about, and of what look of them.
    """

    claims: Mapping[Place, Sighting]
    taken: frozenset[Place]
    chances: Mapping[Place, tuple[BoxFeatures, BoxChances]]


def read_boxes(
    rig: Rig,
    faces: Faces,
    pieces: Pieces,
    claims: Mapping[Place, Sighting],
    before: BoxReading | None = None,
    *,
    colourless: bool = False,
) -> BoxReading:
    """Return what is seen of the boxes of all claimed tiles; `claims` are those of tiles and pieces.

    The recogniser is not asked again about boxes that look as in the reading `before`. In a `colourless`
    picture the owner of a marker is unknown, so nothing is claimed.
    """
    reader = _BoxReader(rig, faces, pieces, claims, {} if before is None else before.chances)
    verdicts = {} if colourless else reader.read()
    found = {
        where: Sighting(place=where, value=value, confidence=sure)
        for where, (value, sure) in verdicts.items()
    }
    open_ = [where for where in faces.features if where not in found]
    return BoxReading(claims=found, taken=frozenset(filter(reader.is_taken, open_)), chances=reader.chances)


class _BoxReader:
    """Classifies the boxes of one frame, after its tiles and figures.

    Attributes:
        chances: what the recogniser has said of boxes, and of what look of them.
    """

    def __init__(
        self,
        rig: Rig,
        faces: Faces,
        pieces: Pieces,
        claims: Mapping[Place, Sighting],
        chances: Mapping[Place, tuple[BoxFeatures, BoxChances]],
    ) -> None:
        self._layout, self._beside = rig.layout, rig.beside
        self._places, self._bodies = rig.layout.places, rig.bodies
        self._paints, self._owners = rig.library.paints, rig.library.owners()
        self._markers = rig.library.markers
        self._figures = {one.name for one in rig.library.profile.pieces if one.kind == "figure"}
        self._faces, self._pieces, self._claims = faces, pieces, claims
        self.chances = {at: told for at, told in chances.items() if faces.features.get(at) is told[0]}

    def read(self) -> dict[Place, _Verdict]:
        """Return what is seen of the boxes of all tiles that are claimed."""
        told = [at for at in self._faces.features if self._places.on_cell(parts_of(at)[0]) in self._claims]
        first = {where: verdict for where in told if (verdict := self._by_itself(where)) is not None}
        found = dict(first)
        for where in told:
            if where not in first and (verdict := self._past_neighbours(where, found)) is not None:
                found[where] = verdict
        return self._settled(told, found) if self._markers.is_trained else found

    def _settled(self, told: Sequence[Place], found: Mapping[Place, _Verdict]) -> dict[Place, _Verdict]:
        """Return what is seen of boxes by what the rules have found, and by the trained recogniser.

        A hand is of any colour and shape, so none may be over a tile that it is asked about, or beside it.
        """
        near = {other for cell in self._under_hands() for other in self._beside[cell]}
        asked = [where for where in told if parts_of(where)[0] not in near]
        plain = {at: one for at, one in found.items() if not self._is_figure(at, one)}
        new = [where for where in asked if where not in self.chances]
        boxes = [self._faces.seen(where) for where in new]
        for where, box, one in zip(new, boxes, self._markers.chances(boxes), strict=True):
            self.chances[where] = box.look, one
        settled = {
            where: self.chances[where][1].settled(
                plain.get(where), self._owners, in_sight=self._in_sight(where)
            )
            for where in asked
        }
        verdicts = {where: settled.get(where, plain.get(where)) for where in told}
        return {
            where: verdict
            for where, verdict in verdicts.items()
            if verdict is not None and not self._may_be_of_figure(where, verdict[0])
        }

    def _in_sight(self, where: Place) -> float:
        """Return how likely no figure or dragon hides a box.

        What is seen there may be the piece instead of a marker: its place and the box are settled together.
        """
        area = area_of_square(*self._square(where))
        hidden = (self._chance(one, lambda at: at.covers(area) > _HIDES_BOX) for one in self._pieces.chances)
        return math.prod(1 - chance for chance in hidden)

    def _is_figure(self, where: Place, verdict: _Verdict) -> bool:
        """Whether what is taken for a marker is likelier its owner's figure, standing on the box itself."""
        figure = place("figure", str(verdict[0]))
        if verdict[0] is None or figure not in self._pieces.chances:
            return False
        found, spot = self._faces.spot(where)
        middle = self._pieces.city.flat.to_mm(on_map(found, spot.middle))
        base_mm, _ = self._layout.pieces.size_of("figure")
        return self._chance(figure, lambda at: math.dist(at.base_mm, middle) < base_mm / 2) > _LIKELIER

    def _may_be_of_figure(self, where: Place, owner: Value) -> bool:
        """Whether what is taken for a marker may be all its owner's figure.

        Hardly more is seen of the marker than the figure shows there, or the figure may have been overlooked.
        """
        if owner is None:
            return False
        figure, area = place("figure", owner), area_of_square(*self._square(where))
        overlooked = self._pieces.overlooked.get(figure)
        if overlooked and overlooked.chance_of(lambda at: at.covers(area) > _HIDES_BOX) > OVERLOOKED:
            return True
        marker = self._faces.features[where].marker
        if marker is None or self._owners[marker.label] != owner:
            return False
        is_there = figure in self._claims and self._may_be_figure(where, marker, figure)
        return is_there and not self._is_beside_its_figure(where, marker)

    def _square(self, where: Place) -> tuple[Residual, tuple[float, float], float]:
        """Return where a box is: on which face, its middle and its edge."""
        found, spot = self._faces.spot(where)
        return found, spot.middle, spot.edge

    def _chance(self, piece: Place, is_there: Callable[[Candidate | StandingFigure], bool]) -> float:
        """Return how likely a piece stands in one of certain places; `is_there` tells which these are."""
        claimed, standing = self._claims.get(piece), self._pieces.standing.get(piece)
        if claimed is not None and standing is not None:
            return claimed.confidence if claimed.value is not None and is_there(standing) else 0.0
        told = self._pieces.chances[piece]
        return min(sum(chance for at, chance in told.places if is_there(at)), 1.0)

    def _under_hands(self) -> list[str]:
        """Return the cells that a hand reaches over."""
        cover, flat = self._pieces.cover, self._pieces.city.flat
        layout = self._layout
        return [cell for cell in layout.cells if cover.foreign[cell_window(flat, layout, cell)].any()]

    def _by_itself(self, where: Place) -> _Verdict | None:
        """Classify a box by everything except the claims about other boxes."""
        box, covered = self._faces.features[where], self._covered(where)
        verdict = self._verdict(where, box, covered) or self._classify_border(where, box, covered)
        is_glare = verdict is not None and verdict[0] is not None and self._is_white_glare(where, box)
        return None if is_glare else verdict

    def is_taken(self, where: Place) -> bool:
        """Whether something like a marker hides a box."""
        box, covered = self._faces.features[where], self._covered(where)
        if box.marker is not None and self._is_beside_its_figure(where, box.marker):
            covered = replace(covered, pieces=0.0)
        return is_taken(box, covered)

    def _covered(self, where: Place) -> BoxCover:
        return self._pieces.cover.over(*self._square(where))

    def _verdict(self, where: Place, box: BoxFeatures, covered: BoxCover) -> _Verdict | None:
        """Classify a box by its look, then by its surroundings."""
        verdict = classify_box(box, self._owners, covered)
        if verdict is None and where in self._faces.proving and box.marker is not None:
            verdict = self._owners[box.marker.label], _PROVING
        if verdict is None and not covered.hand:
            verdict = self._classify_among_pieces(where, box, covered)
        if verdict is None and box.bare < BARE_ENOUGH:
            verdict = self._classify_patch(where, box, covered)
        if verdict is None and may_be_in_glare(box, covered):
            verdict = classify_in_glare(self._glare(where), box, covered)
        if verdict is None or self._has_no_open_figure(str(verdict[0])):
            return verdict
        # It may be the head of a figure that was not located.
        owner, sure = verdict
        is_head = self._may_be_head(where, box, covered, str(owner))
        return None if is_head else (owner, min(sure, _HEAD_AT_MOST))

    def _glare(self, where: Place) -> Glare:
        return measure_glare(*self._faces.spot(where), self._faces.plane.picture)

    def _is_white_glare(self, where: Place, box: BoxFeatures) -> bool:
        marker = box.marker
        if marker is None:
            return False
        if is_another_paled(marker) or (may_be_glare(marker) and is_glare(self._glare(where))):
            return True
        return marker.is_light and self._print_visibility(where, marker) > _SEEN_THROUGH

    def _print_visibility(self, where: Place, marker: Marker) -> float:
        """Return the visible share of the print where a marker should lie."""
        found, spot = self._faces.spot(where)
        return print_visibility_in_square(
            found, marker.middle, _WELL_INSIDE * spot.marker_mm * spot.px_per_mm
        )

    def _has_no_open_figure(self, owner: str) -> bool:
        """Whether the figure of a marker's owner was located, if they have one."""
        return owner not in self._figures or place("figure", owner) in self._claims

    def _classify_border(self, where: Place, box: BoxFeatures, covered: BoxCover) -> _Verdict | None:
        """Classify a marker by whether its border is that of a marker, whatever it touches."""
        if box.marker is None or not may_be_bordered(box, covered):
            return None
        found, spot = self._faces.spot(where)
        own = self._paints.label(found.paint) == box.marker.label
        border = marker_border(found, spot, own, self._pieces.cover.pieces_on(found))
        if border is None or (
            box.marker.is_light and self._print_visibility(where, box.marker) > _SEEN_WITHIN_BORDER
        ):
            return None
        owner = self._owners[box.marker.label]
        sure = classify_marker_border(border, box, covered, is_made_out=self._has_no_open_figure(owner))
        return (owner, sure) if sure > 0 else None

    def _classify_patch(self, where: Place, box: BoxFeatures, covered: BoxCover) -> _Verdict | None:
        """Classify a box by how well markers on boxes cover the patch of a player's colour on it."""
        patch = self._pieces.patches.at(where)
        if patch is None:
            return None
        owner = self._owners[patch.label]
        figures = self._pieces.standing.get(place("figure", owner)), self._doubtful(owner)
        overlap = max((patch.share_of(one.outline) for one in figures if one is not None), default=0.0)
        is_made_out = self._has_no_open_figure(owner)
        sure = classify_patch(patch.fit, patch.fill, overlap, box, covered, is_made_out=is_made_out)
        return (owner, sure) if sure > 0 else None

    def _may_be_head(self, where: Place, box: BoxFeatures, covered: BoxCover, owner: str) -> bool:
        """Whether what is taken for a marker may be a part of its owner's figure."""
        if box.marker is None:
            return False
        if covered.pieces > _CLOSE_BY and box.marker.size < _WHOLE_MARKER:
            return True  # another piece hides the rest of it
        doubted = self._doubtful(owner)
        if doubted is not None and self._faces.reaches(doubted, where, box.marker):
            return True
        is_doubtful = is_astray(box) or box.marker.around <= _ENDS
        return is_doubtful and self._may_be_figure(where, box.marker, place("figure", owner))

    def _classify_among_pieces(self, where: Place, whole: BoxFeatures, covered: BoxCover) -> _Verdict | None:
        """Classify a box that other pieces are close to."""
        verdict: _Verdict | None = None
        if covered.pieces < _HALF_HIDDEN:
            is_touched = covered.pieces > _TOUCHED
            box = self._look_past_pieces(where) if is_touched else whole
            verdict = classify_beside_piece(box, covered) if is_touched else None
            if verdict is not None or box.marker is None:
                return verdict
            if self._is_away_from_its_figure(where, box.marker):
                if is_touched:
                    verdict = classify_marker_beside_piece(box, self._owners, covered)
                return verdict or classify_marker_among_pieces(whole, self._owners, covered)
        if whole.marker is None:
            return None
        if self._is_away_from_its_figure(where, whole.marker):
            return classify_half_a_marker(whole, self._owners, covered)
        if self._is_beside_its_figure(where, whole.marker):
            return classify_marker_among_pieces(whole, self._owners, covered)
        return None

    def _doubtful(self, owner: str) -> StandingFigure | None:
        """Return an owner's figure if it may have been overlooked."""
        overlooked = self._pieces.overlooked.get(place("figure", owner))
        return overlooked.standing if overlooked is not None and overlooked.chance > OVERLOOKED else None

    def _may_be_figure(self, where: Place, marker: Marker, figure: Place) -> bool:
        """Whether what is taken for a box's marker may be a part of a figure."""
        standing = self._pieces.standing.get(figure)
        return standing is not None and self._faces.reaches(standing, where, marker)

    def _is_away_from_its_figure(self, where: Place, marker: Marker) -> bool:
        """Whether its owner's figure is clearly elsewhere: then its head or foot cannot be here."""
        own = place("figure", self._owners[marker.label])
        return own in self._claims and not self._may_be_figure(where, marker, own)

    def _is_beside_its_figure(self, where: Place, marker: Marker) -> bool:
        """Whether so much of a marker is seen beside its owner's figure that it cannot be a part of it."""
        city, at = self._pieces.city, place("figure", self._owners[marker.label])
        if at not in self._claims or not self._may_be_figure(where, marker, at):
            return False
        seen = *self._faces.spot(where), marker
        beside = share_beside(self._pieces.standing[at], marker.label, city, self._bodies, seen)
        return beside > _BESIDE_FIGURE

    def _past_neighbours(self, where: Place, claimed: Mapping[Place, _Verdict]) -> _Verdict | None:
        """Classify a box by the part that the markers claimed on other boxes of its tile leave visible."""
        covered = self._covered(where)
        if covered.pieces > _ALL_HIDDEN or self._faces.features[where].contested:
            return None
        found, spot = self._faces.spot(where)
        hidden = self._pieces.cover.pieces_on(found)
        for other, box in self._faces.features.items():
            is_beside = other != where and parts_of(other)[0] == parts_of(where)[0]
            is_marked = claimed.get(other, (None, 0.0))[0] is not None
            if is_beside and is_marked and box.marker is not None:
                region, outline = outline_at(found.odd.shape, box.marker.middle, spot, _WITH_RIM)
                hidden[region] |= outline
        # The border of an occluder has edges of its own.
        around = cv2.dilate(hidden.view(np.uint8), np.ones((_EDGE_PX, _EDGE_PX), np.uint8)) > 0
        lines = print_visibility_in_square(found, spot.middle, _INSIDE * spot.edge, around)
        # The visible rest of a box may have no print to compare.
        box = self._look_past(where, hidden, least_print=_TOLD_BY_PRINT, unprinted=0.0)
        return classify_past_neighbours(box, lines, covered)

    def _look_past_pieces(self, where: Place) -> BoxFeatures:
        """Return the look of a box without the parts that figures or dragons hide."""
        return self._look_past(where, self._pieces.cover.pieces_on(self._faces.spot(where)[0]))

    def _look_past(self, where: Place, hidden: Bools, **print_wanted: float) -> BoxFeatures:
        """Return the look of a box without the `hidden` part of its face, (height, width)."""
        found, spot = self._faces.spot(where)
        rest = replace(found, blind=found.blind | hidden)
        return box_features(rest, [spot], self._paints, len(self._owners), **print_wanted)[0]
