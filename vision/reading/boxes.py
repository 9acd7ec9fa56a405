"""The fourth stage: what each box holds, by the recogniser of markers and the pieces that stand around."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from companion.observation import Sighting
from companion.table import Place, Value, kind_of, parts_of, place
from vision.faces.residuals import Residual
from vision.pieces.figures import Candidate, StandingFigure
from vision.pieces.marker_recogniser import LIKELY, BoxChances
from vision.pieces.markers import BoxFeatures, Marker, square_of
from vision.pieces.occluders import area_of_square
from vision.pieces.patches import share_beside
from vision.reading.faces import Faces
from vision.reading.pieces import OVERLOOKED, Pieces
from vision.reading.rig import Rig

# So much of a marker is seen beside a piece; of what only seems to be one next to nothing is.
_BESIDE_PIECE = 0.3
# A piece that covers more than this of a box hides what it holds.
_HIDES_BOX = 0.5
# Of a box that was burnt out when it was learnt by more than this nobody can tell how it looks bare.
_NEVER_LEARNT = 0.5
# A marker of which another box is no further away than this, times as far as its own, may lie on either.
_AS_NEAR = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxReading:
    """The boxes of one frame's tiles.

    Attributes:
        claims: the claims about them.
        taken: boxes without a claim on which a marker lies more likely than not.
        likely: what boxes without a claim hold more likely than not.
        chances: what the recogniser says of the boxes that it was asked about, and of what look of them.
    """

    claims: Mapping[Place, Sighting]
    taken: frozenset[Place]
    likely: Mapping[Place, Sighting]
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
    beside = _BesidePieces(rig, faces, pieces, claims)
    told = [] if colourless else [at for at in faces.features if beside.may_be_told(at)]
    chances = _chances(rig, faces, told, {} if before is None else before.chances)
    in_sight = {where: beside.in_sight(where) for where in told}
    owners = rig.library.owners()
    found: dict[Place, Sighting] = {}
    for where in told:
        claim = chances[where][1].claim(owners, in_sight=in_sight[where])
        if claim is not None and not beside.may_be_of_figure(where, claim[0]):
            found[where] = Sighting(place=where, value=claim[0], confidence=claim[1])
    open_ = [where for where in told if where not in found]
    taken = [where for where in open_ if chances[where][1].marker * in_sight[where] > LIKELY]
    weighed = {at: chances[at][1].likeliest(owners, in_sight=in_sight[at]) for at in open_}
    likely = _likely(faces, weighed, beside)
    return BoxReading(claims=found, taken=frozenset(taken), likely=likely, chances=chances)


def _likely(
    faces: Faces, weighed: Mapping[Place, tuple[Value, float]], beside: _BesidePieces
) -> dict[Place, Sighting]:
    """Return what boxes hold more likely than not, given what each most likely holds, and how likely."""
    likely = {
        at: Sighting(place=at, value=owner, confidence=chance)
        for at, (owner, chance) in weighed.items()
        if chance > LIKELY and not beside.may_be_near_figure(at, owner)
    }
    between = _between(faces, likely)
    return {at: one for at, one in likely.items() if at not in between}


def _between(faces: Faces, likely: Mapping[Place, Sighting]) -> set[Place]:
    """Return the boxes that may hold one and the same marker, for it lies about as near to either."""
    found: set[Place] = set()
    held = {at: faces.features[at].marker for at, one in likely.items() if one.value is not None}
    for at, other in permutations(held, 2):
        marker, own = held[at], held[other]
        is_alike = likely[at].value == likely[other].value and parts_of(at)[0] == parts_of(other)[0]
        if marker is None or not is_alike:
            continue
        off, far = (math.dist(marker.middle, faces.spots[one].middle) for one in (at, other))
        is_single = own is None or math.dist(marker.middle, own.middle) < faces.spots[at].edge / 2
        if is_single and far < _AS_NEAR * off:
            found |= {at, other}
    return found


def _chances(
    rig: Rig,
    faces: Faces,
    told: Sequence[Place],
    before: Mapping[Place, tuple[BoxFeatures, BoxChances]],
) -> dict[Place, tuple[BoxFeatures, BoxChances]]:
    """Return what boxes may hold, and by what look of them; what looks as `before` holds the same."""
    known = {at: before[at] for at in told if at in before and before[at][0] is faces.features[at]}
    new = {where: faces.seen(where) for where in told if where not in known}
    chances = rig.library.markers.chances(list(new.values()))
    return known | {at: (seen.look, one) for (at, seen), one in zip(new.items(), chances, strict=True)}


class _BesidePieces:
    """Tells of boxes what hands, figures and dragons hide of them, and what may be a figure itself."""

    def __init__(self, rig: Rig, faces: Faces, pieces: Pieces, claims: Mapping[Place, Sighting]) -> None:
        """Begin; `claims` are those of tiles and pieces."""
        self._bodies, self._owners, self._places = rig.bodies, rig.library.owners(), rig.layout.places
        self._library, self._faces, self._pieces, self._claims = rig.library, faces, pieces, claims

    def may_be_told(self, where: Place) -> bool:
        """Whether a box is on a tile that is claimed, was learnt, and no hand is over it or close by."""
        if self._places.on_cell(parts_of(where)[0]) not in self._claims:
            return False
        if self._unlearnt(where) > _NEVER_LEARNT:
            return False
        return not self._pieces.cover.is_beside(*self._square(where))

    def _unlearnt(self, where: Place) -> float:
        """Return how much of a box, as a share, was burnt out when its tile was learnt."""
        number, _ = self._faces.residuals[parts_of(where)[0]]
        spot = self._faces.spots[where]
        learnt = self._library.patterns[number].face.valid
        learnt = learnt[square_of(learnt.shape, spot.middle, spot.edge)]
        return 1.0 - float(learnt.mean()) if learnt.size else 1.0

    def in_sight(self, where: Place) -> float:
        """Return how likely no figure or dragon hides a box.

        What is seen there may be the piece instead of a marker: its place and the box are settled together.
        One beside which enough of a marker is seen does not hide that.
        """
        area = area_of_square(*self._square(where))
        marker = self._faces.features[where].marker
        hidden = []
        for piece in self._pieces.chances:
            chance = self._chance(piece, lambda at: at.covers(area) > _HIDES_BOX)
            is_beside = chance > 0 and marker is not None and self._is_beside(where, marker, piece)
            hidden.append(0.0 if is_beside else chance)
        return math.prod(1 - chance for chance in hidden)

    def may_be_of_figure(self, where: Place, owner: Value) -> bool:
        """Whether what is taken for an owner's marker, if it is one, may be all their figure.

        Hardly more is seen of the marker than the figure shows there, or the figure may have been overlooked.
        """
        if owner is None:
            return False
        figure, area = place("figure", owner), area_of_square(*self._square(where))
        overlooked = self._pieces.overlooked.get(figure)
        if overlooked and overlooked.chance_of(lambda at: at.covers(area) > _HIDES_BOX) > OVERLOOKED:
            return True
        marker = self._faces.features[where].marker
        if marker is None or self._owners[marker.label] != owner or figure not in self._claims:
            return False
        return self._may_be_part(where, marker, figure) and not self._is_beside(where, marker, figure)

    def may_be_near_figure(self, where: Place, owner: Value) -> bool:
        """Whether an owner's figure may be what is taken for their marker, or stand on that tile unseen."""
        if owner is None:
            return False
        figure = place("figure", owner)
        if figure not in self._claims and figure in self._pieces.chances:
            cell = parts_of(where)[0]
            if self._chance(figure, lambda at: at.cell == cell) > OVERLOOKED:
                return True
        return self.may_be_of_figure(where, owner)

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

    def _may_be_part(self, where: Place, marker: Marker, figure: Place) -> bool:
        """Whether what is taken for a box's marker may be a part of a figure."""
        standing = self._pieces.standing.get(figure)
        return standing is not None and self._faces.reaches(standing, where, marker)

    def _is_beside(self, where: Place, marker: Marker, piece: Place) -> bool:
        """Whether so much of a marker is seen beside a piece that was made out that it is no part of that."""
        if piece not in self._claims or piece not in self._pieces.standing:
            return False
        body = self._bodies.outline(kind_of(piece), self._pieces.standing[piece].base_mm)
        seen = *self._faces.spot(where), marker
        return share_beside(body, self._pieces.city, seen) > _BESIDE_PIECE
