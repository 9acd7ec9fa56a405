"""The third stage: figures and dragons on the faces found, and what else covers the city."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from calibration.profile import PieceRecord
from companion.observation import Sighting
from companion.table import Place, kind_of, place
from vision.arrays import Bools
from vision.faces.residuals import Residual
from vision.pieces.borders import find_by_border, residual_edges
from vision.pieces.city_map import CityMap, Layers
from vision.pieces.classifier import (
    TOO_SOFT_MM,
    classify_standing,
    is_plain,
    is_plainly_bordered,
)
from vision.pieces.figures import Candidate, Paint, StandingFigure, are_apart, find_standing, stand
from vision.pieces.finder import Searched
from vision.pieces.marker_recogniser import LIKELY
from vision.pieces.occluders import Cover, find_cover
from vision.pieces.occlusion import Occlusion
from vision.pieces.patches import Patches, markers_in_place_of
from vision.pieces.print_visibility import print_visibility
from vision.pieces.standing_measures import (
    OF_COLOUR,
    OF_LIKE_COLOUR,
    Measured,
    Sought,
    StandingMeasures,
)
from vision.pieces.standing_patches import StandingPatches
from vision.pieces.standing_proposals import PROPOSED, Proposer
from vision.pieces.standing_recogniser import StandingChances, among
from vision.pieces.suspects import Suspect
from vision.reading.faces import Faces, all_markers, boxes_on_map, markers_of_label, plain_markers
from vision.reading.overlooked import Overlooked, chance_of_find, overlooked_figures
from vision.reading.rig import Rig

# A box that looks as learnt over more than this share is bare or undecided.
_BARE_ENOUGH = 0.5
# As likely it must be, too, by what the recogniser says. Figures hardly ever leave the city.
_AWAY = {"dragon": 0.8, "figure": 0.98}
# Confidence that a piece is not in the city if it could not be hidden there.
_ABSENT = 0.98
# A supposed white piece on which this much of the tile's print is visible is not a piece.
_SEEN_THROUGH = 0.7
# A place is claimed if it is as likely as this. With a hand about it must be as likely as the second.
_CLAIMED, _PLAIN = 0.95, 0.98
# Where a piece stands is beyond doubt from here on; it is sought anywhere else, and looked at again, if not.
BEYOND_DOUBT = 0.98
# What is as likely as this not in the city is not sought all over it: that takes time, and hardly finds it.
_SURELY_AWAY = 0.9
# Dragons must be likelier to be told of beside the claims: most that are less likely are not in the city.
_LIKELY_DRAGON = 0.8
# Of a figure that is as likely as this to have been overlooked it is not said that it is away.
OVERLOOKED = 0.2
# What is nearer to a place that is known than this share of a base is the same place.
_SAME_PLACE = 0.25
# A wing of a dragon shows behind other pieces; a figure behind a dragon may be hidden completely.
_TRACE = {"dragon": 0.22, "figure": 0.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The pieces of one frame.

    Attributes:
        city: the cells put together; `layers` is what the next map is drawn on.
        searched: what is known of the pieces' places for the next map, in their colours, and `loosely` in
            what may be their colours of those that were not plainly found; `proposed` the
            places at which those that are in doubt look likely to stand, whatever their colour.
        standing: the likeliest places of figures and dragons, by kind and name.
        sure: how surely they stand there, 0 = not to be told.
        mimicked: names of figures for which markers in a row were taken: there they may stand all the same.
        cover: what hides the city.
        busy: a hand is likely among that, and it has moved.
        patches: the patches of the players' colours.
        measured: what is measured of the places where pieces may stand; `unproposed` the same of those
            that were in doubt, without what was proposed by looks.
        chances: what the recogniser makes of that; nothing without models.
        overlooked: figures that were not found, but may be where something else is taken for their colour.
    """

    city: CityMap
    layers: Layers
    searched: Searched
    loosely: Searched
    proposed: Searched = field(default_factory=Searched)
    standing: Mapping[Place, StandingFigure] = field(default_factory=dict)
    sure: Mapping[Place, float] = field(default_factory=dict)
    mimicked: frozenset[str] = frozenset()
    cover: Cover
    busy: bool
    patches: Patches
    measured: Mapping[Place, Measured] = field(default_factory=dict)
    unproposed: Mapping[Place, Measured] = field(default_factory=dict)
    chances: Mapping[Place, StandingChances] = field(default_factory=dict)
    overlooked: Mapping[Place, Overlooked] = field(default_factory=dict)


def find_pieces(
    rig: Rig,
    faces: Faces,
    before: Pieces | None,
    undrawn: frozenset[str] = frozenset(),
    suspects: Sequence[Suspect] = (),
) -> Pieces:
    """Return the figures and dragons, and what else covers the city.

    `before` are those found before, `undrawn` the cells that have changed since, `suspects` what might have
    been hands in the frame before.
    """
    library = rig.library
    layers = rig.mapper.blank() if before is None else before.layers
    seen, markers = faces.grounds(), plain_markers(faces)
    city, layers = rig.mapper.draw(faces.plane, seen, layers, undrawn, markers)
    if before is not None and _is_as_before(rig, before, seen, undrawn) and not city.fresh.any():
        return replace(before, city=city, layers=layers, busy=before.cover.has_moved_since(suspects))
    patches = Patches(city, {where: faces.spot(where) for where in faces.features}, len(library.owners()))
    rows, mimicked = _rows_of_markers(rig, faces, patches, city)
    search = _Search(rig, faces, before)
    # Dragons first: they are large and clear, and their lit edges can look like a player's figure.
    search.find("dragon", city)
    search.find("figure", replace(city, taken=_joint(city.taken, search.made_out()) | rows))
    cover = _covering(rig, seen, city, search.made_out(), search.sure)
    # What is below a hand now is seen once it has gone, and a hand may look like anything.
    if cover.hand:
        search.proposed = Searched()
    elif search.propose(city, rows):
        cover = _covering(rig, seen, city, search.made_out(), search.sure)
    standing, sure = search.standing, search.sure
    more = {} if cover.hand else _find_by_borders(rig, faces, city, cover, search)
    if more:
        # In the shade of a pale figure its edges can look like a dark dragon.
        borders = [found.outline for found, _ in more.values()]
        bordered = replace(city, taken=_joint(city.taken, borders))
        search.find("dragon", bordered)
        search.propose_kind("dragon", bordered)
        standing |= {at: found for at, (found, _) in more.items()}
        sure |= {at: one for at, (_, one) in more.items()}
        cover = _covering(rig, seen, city, [*search.made_out(), *borders], sure)
    sure = {at: _sure_beside(cover, standing[at], one) for at, one in sure.items()}
    return Pieces(
        city=city,
        layers=layers,
        searched=search.searched,
        loosely=search.loosely,
        proposed=search.proposed,
        standing=standing,
        sure=sure,
        mimicked=frozenset(mimicked | search.mimicked),
        cover=cover,
        busy=cover.has_moved_since(suspects),
        patches=patches,
        measured=search.measured,
        unproposed=search.unproposed,
        chances=search.chances,
        overlooked=overlooked_figures(rig, faces, city, standing, sure),
    )


class _Search:
    """Searches one map for the pieces, one kind after the other, and settles where each stands.

    Attributes:
        searched, loosely, proposed, standing, sure, mimicked: as of the pieces, as far as they are found.
        measured, unproposed, chances: likewise.
    """

    def __init__(self, rig: Rig, faces: Faces, before: Pieces | None) -> None:
        self._rig, self._faces = rig, faces
        self.searched, self.loosely = (
            (Searched(), Searched()) if before is None else (before.searched, before.loosely)
        )
        self.proposed = before.proposed if before else Searched()
        self._boxes = boxes_on_map(faces)
        self._bests: dict[Place, Candidate] = {}
        self._asked: dict[
            str, tuple[dict[Place, Sought], dict[Place, tuple[StandingFigure | None, float]]]
        ] = {}
        self.standing: dict[Place, StandingFigure] = {}
        self.sure: dict[Place, float] = {}
        self.mimicked: set[str] = set()
        self.measured: dict[Place, Measured] = {}
        self.unproposed: dict[Place, Measured] = {}
        self.chances: dict[Place, StandingChances] = {}

    def made_out(self, kind: str | None = None) -> list[Bools]:
        """Return the outlines of the pieces, or of those of one kind, that are claimed."""
        claimed = [at for at, one in self.sure.items() if one > 0 and kind in (None, kind_of(at))]
        return [self.standing[at].outline for at in claimed]

    def find(self, kind: str, city: CityMap) -> None:
        """Find the pieces of one kind."""
        rig, library = self._rig, self._rig.library
        pieces = {place(one.kind, one.name): one for one in library.profile.pieces if one.kind == kind}
        paints = {where: library.paint_of(one) for where, one in pieces.items()}
        self.searched = rig.finder.find(kind, paints, city, self.searched)
        plain = {where: self._plainly_found(one, paints[where], city) for where, one in pieces.items()}
        lost = {at: replace(paints[at], is_loose=True) for at, (_, sure) in plain.items() if sure == 0}
        self.loosely = rig.finder.search(kind, lost, city, self.loosely)
        sought = {where: self._sought(one, paints[where]) for where, one in pieces.items()}
        self._weigh(city, sought, list(sought))
        if doubted := self._doubted(plain):
            loose = lost | {at: replace(paints[at], is_loose=True) for at in doubted}
            self.loosely = rig.finder.search(kind, loose, city, self.loosely)
            sought |= {at: self._sought(pieces[at], paints[at]) for at in doubted}
            self._weigh(city, sought, doubted)
        self._bests |= {where: one.places[0] for where, one in sought.items() if one.places}
        self._asked[kind] = sought, plain
        for where, one in sought.items():
            self._settle(city, one, *plain[where])

    def propose(self, city: CityMap, rows: Bools) -> bool:
        """Weigh the pieces that are in doubt again, with places at which they look likely to stand.

        They must have been found on this map; `rows` are markers that no figure stands in. Returns whether
        there are any.
        """
        dragons = self.propose_kind("dragon", city)
        free = replace(city, taken=_joint(city.taken, self.made_out("dragon")) | rows)
        return self.propose_kind("figure", free) or dragons

    def propose_kind(self, kind: str, city: CityMap) -> bool:
        """Do the same for the pieces of one kind, which were found on this map."""
        told, (sought, plain) = self._rig.library.standing, self._asked[kind]
        doubted = [at for at in sought if told.can_look and self._is_doubted(at)]
        if not doubted:
            # Nobody knows the next time what has changed since these were asked for.
            self.proposed = self.proposed.but(kind)
            return False
        patches = StandingPatches(city, self._rig.bodies, [one.piece for one in sought.values()])
        proposers = {
            at: Proposer(sought[at], self._coloured(at), patches, told.told_by_patches) for at in doubted
        }
        self.proposed = self._rig.finder.propose(kind, proposers, city, self.proposed)
        sought |= {at: self._with_places(sought[at], self.proposed.known[at].values()) for at in doubted}
        self.unproposed |= {at: self.measured[at] for at in doubted}
        self._weigh(city, sought, doubted)
        for at in doubted:
            self._settle(city, sought[at], *plain[at])
        return True

    def _coloured(self, where: Place) -> list[Candidate]:
        """Return the best places of a piece on every cell, in its colour and in what may be it."""
        known = [one.known.get(where, {}) for one in (self.searched, self.loosely)]
        return [one for places in known for one in places.values() if one is not None]

    def _is_doubted(self, at: Place) -> bool:
        """Whether it is in doubt where a piece stands, if anywhere; all is in doubt where nothing judges."""
        told = self.chances.get(at)
        if told is None:
            return True
        return told.away < _SURELY_AWAY and (told.best is None or told.best[1] < BEYOND_DOUBT)

    def _with_places(self, sought: Sought, more: Iterable[Candidate | None]) -> Sought:
        """Return a piece that may stand at those of some more places as well that look likeliest."""
        base_mm, _ = self._rig.layout.pieces.size_of(sought.piece.kind)
        found = sorted(filter(None, more), key=lambda one: -one.look)[:PROPOSED]
        new = [one for one in found if not any(_is_near(one, other, base_mm) for other in sought.places)]
        return replace(sought, places=[*sought.places, *new], proposed=len(new), everywhere=True)

    def _weigh(self, city: CityMap, sought: Mapping[Place, Sought], asked: Iterable[Place]) -> None:
        """Measure the places of some of the pieces that are sought, and let the recogniser weigh them."""
        faces = self._faces.on_cells()
        look = self._rig.library.standing.odds
        measures = StandingMeasures(city, self._rig.bodies, faces, self._boxes, sought, self._bests, look)
        measured = {where: measures.of(where) for where in asked}
        known = {at: one for at, one in self.chances.items() if at not in measured}
        self.measured |= measured
        self.chances |= self._rig.library.standing.chances(measured, known)

    def _settle(self, city: CityMap, sought: Sought, found: StandingFigure | None, sure: float) -> None:
        """Record where a piece stands, and how surely; `found` is where it is plain to see."""
        where = place(sought.piece.kind, sought.piece.name)
        if (told := self.chances.get(where)) is not None:
            found, sure = _settled(self._rig, city, sought, told, found)
        self.standing.pop(where, None)
        self.sure.pop(where, None)
        if found is not None:
            self.standing[where], self.sure[where] = found, sure

    def _doubted(self, plain: Mapping[Place, tuple[StandingFigure | None, float]]) -> list[Place]:
        """Return the pieces that are plainly found, as it seems, but not beyond doubt."""
        found = [at for at, (_, sure) in plain.items() if sure > 0 and at in self.chances]
        return [at for at in found if self._is_doubted(at)]

    def _plainly_found(
        self, piece: PieceRecord, paint: Paint, city: CityMap
    ) -> tuple[StandingFigure | None, float]:
        """Return where a piece is plain to see, and how surely; 0 where it is not plain."""
        found = self.searched.found[place(piece.kind, piece.name)]
        if found is not None and piece.kind == "figure":
            found, is_row = _find_beside_markers(self._rig, self._faces, found, paint, city)
            self.mimicked |= {piece.name} if is_row else set()
        return found, 0.0 if found is None else likelihood(self._rig, self._faces, piece, found)

    def _sought(self, piece: PieceRecord, paint: Paint) -> Sought:
        """Return a piece with the places where it may stand."""
        where = place(piece.kind, piece.name)
        own = likeliest(self.searched, where)[:OF_COLOUR]
        # What is told of a place in its own colour need not be told of it again.
        others = [
            one
            for one in likeliest(self.loosely, where)
            if all(one.cell != at.cell or are_apart(one.base_mm, at.base_mm) for at in own)
        ][:OF_LIKE_COLOUR]
        return Sought(
            piece=piece,
            paint=paint,
            places=[*own, *others],
            loosely=len(others),
            marked=markers_of_label(self._faces, paint.label),
        )


def _is_near(one: Candidate, other: Candidate, base_mm: float) -> bool:
    """Whether two places of a piece on so wide a base are one."""
    return one.cell == other.cell and math.dist(one.base_mm, other.base_mm) <= base_mm * _SAME_PLACE


def _sure_beside(cover: Cover, standing: StandingFigure, sure: float) -> float:
    """Return how surely a piece stands there, given what covers the city; 0 = nobody can tell.

    Skin and sleeves are of all colours, and end as figures do.
    """
    if cover.is_over(standing.outline) or (cover.hand and sure < _PLAIN):
        return 0.0
    return sure


def _is_as_before(rig: Rig, before: Pieces, seen: Mapping[str, Residual], undrawn: frozenset[str]) -> bool:
    """Whether nothing has changed since the pieces were found before."""
    drawn = before.layers.drawn
    return not undrawn and all(drawn.get(cell) is seen.get(cell) for cell in rig.layout.cells)


def likeliest(searched: Searched, where: Place) -> list[Candidate]:
    """Return the places where a piece most likely stands, the likeliest first."""
    found = [one for one in searched.known.get(where, {}).values() if one is not None]
    return sorted(found, key=lambda one: -one.strength)


def _joint(mask: Bools, more: Iterable[Bools]) -> Bools:
    found = mask.copy()
    for one in more:
        found |= one
    return found


def _covering(
    rig: Rig,
    seen: Mapping[str, Residual],
    city: CityMap,
    outlines: Sequence[Bools],
    sure: Mapping[Place, float],
) -> Cover:
    """Return what covers the city, of whose tiles this is `seen`, pieces with these outlines among it."""
    lost = lost_labels(rig, sure)
    return find_cover(city, rig.layout, outlines, seen, lost, rig.library.hands)


def lost_labels(rig: Rig, sure: Mapping[Place, float]) -> dict[str, list[int]]:
    """Return the labels of the figures and dragons that were not found, by kind."""
    library = rig.library
    lost = [one for one in library.profile.pieces if sure.get(place(one.kind, one.name), 0.0) == 0]
    return {
        kind: [library.paint_of(one).label for one in lost if one.kind == kind]
        for kind in ("figure", "dragon")
    }


def _settled(
    rig: Rig, city: CityMap, sought: Sought, told: StandingChances, standing: StandingFigure | None
) -> tuple[StandingFigure | None, float]:
    """Return where a piece stands and how surely, by what the recogniser says of the places."""
    best = told.best
    if best is None or best[1] < _CLAIMED:
        return standing, 0.0
    first, chance = best
    if standing is None or standing.cell != first.cell or are_apart(standing.base_mm, first.base_mm):
        own = sought.places[: sought.own]
        is_loose = all(first is not one for one in own)
        paint = replace(sought.paint, is_loose=is_loose)
        standing = stand(city, rig.bodies, paint, sought.piece.kind, first, sought.places)
    return standing, chance


def _find_by_borders(
    rig: Rig, faces: Faces, city: CityMap, cover: Cover, search: _Search
) -> dict[Place, tuple[StandingFigure, float]]:
    """Return the white figures found only by their borders, with the confidence."""
    library = rig.library
    lost = [
        one
        for one in library.profile.pieces
        if one.kind == "figure"
        and library.paint_of(one).is_light
        and search.sure.get(place(one.kind, one.name), 0.0) == 0
    ]
    if not lost:
        return {}
    # Even something that only resembles a marker is not the border of a figure.
    there = replace(city, taken=city.taken | cover.pieces | all_markers(faces))
    edges = cache(lambda: residual_edges(there, faces.on_cells().values()))
    found: dict[Place, tuple[StandingFigure, float]] = {}
    for one in lost:
        where, paint = place(one.kind, one.name), library.paint_of(one)
        standing = find_by_border(there, edges, rig.bodies, paint, one.kind)
        if standing is None:
            continue
        sure = _sure_of_border(rig, faces, there, one, standing, search.chances.get(where))
        if sure > 0:
            found[where] = standing, sure
    return found


def _sure_of_border(
    rig: Rig,
    faces: Faces,
    city: CityMap,
    piece: PieceRecord,
    standing: StandingFigure,
    told: StandingChances | None,
) -> float:
    """Return how surely what was found by its border is the figure, 0 = not to be told.

    `told` is what the recogniser makes of the places that it knows of: these need not be found otherwise.
    """
    assert standing.border is not None
    sure = likelihood(rig, faces, piece, standing)
    is_on_markers = faces.is_on_markers(rig.library.paint_of(piece), standing)
    if sure == 0 or (is_on_markers and not is_plainly_bordered(standing.border)):
        return 0.0
    if told is None:
        return sure
    chance = 0.0 if told.is_proposed(standing) else chance_of_find(rig, faces, city, piece, standing)
    return chance if chance >= _CLAIMED else 0.0


def likelihood(rig: Rig, faces: Faces, piece: PieceRecord, standing: StandingFigure) -> float:
    """Return how plain it is that a piece stands where it was found, 0 = not plain."""
    sure = classify_standing(standing, piece.seen, piece.kind)
    paint = rig.library.paint_of(piece)
    if paint.is_light:
        # White may be anything pale; the print shows through light that the tile mirrors.
        is_piece = sure > 0 and print_visibility(standing.outline, faces.on_cells().values()) < _SEEN_THROUGH
        return sure if is_piece else 0.0
    if sure > 0 or faces.is_on_markers(paint, standing):
        return sure
    return classify_standing(standing, piece.seen, piece.kind, alone=True)


def _rows_of_markers(rig: Rig, faces: Faces, patches: Patches, city: CityMap) -> tuple[Bools, set[str]]:
    """Return what markers cover that are not plain to see one by one, but explain all of their patch.

    Also returns the names of the players who own them.
    """
    owners = rig.library.owners()
    found, mimicked = np.zeros(city.labels.shape, np.bool_), set()
    doubtful = [
        where
        for where, box in faces.features.items()
        if box.marker is not None and box.bare < _BARE_ENOUGH and not is_plain(box)
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


def bodies_of(rig: Rig, pieces: Pieces) -> Bools:
    """Return where on the map the bodies are of the figures and dragons that were made out.

    Print is seen between what reaches out of them: of the same colour as a piece is much that is printed.
    """
    bodies = np.zeros(pieces.city.labels.shape, np.bool_)
    for where, standing in pieces.standing.items():
        if pieces.sure[where] > 0:
            region, body = rig.bodies.outline(kind_of(where), standing.base_mm)
            bodies[region] |= body
    return bodies


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
        sure = 0.0 if standing is None else _claimed(pieces, one, standing)
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


def _claimed(pieces: Pieces, piece: PieceRecord, standing: StandingFigure) -> float:
    """Return the confidence that a piece stands where it was found, given its surroundings; 0 = no claim."""
    sure = pieces.sure[place(piece.kind, piece.name)]
    if piece.kind != "dragon" or not pieces.overlooked:
        return sure
    # What may as well be an overlooked figure is hardly a dragon.
    shared = among(sure, [one.is_of(standing) for one in pieces.overlooked.values()])
    return shared if shared >= _CLAIMED else 0.0


def likely_pieces(pieces: Pieces, claims: Mapping[Place, Sighting]) -> dict[Place, Sighting]:
    """Return where pieces that are not among the `claims` stand more likely than not."""
    likely: dict[Place, Sighting] = {}
    for where in pieces.chances:
        if where not in claims:
            cell, chance = max(_weighed(pieces, where), key=lambda one: one[1], default=("", 0.0))
            if chance > (_LIKELY_DRAGON if kind_of(where) == "dragon" else LIKELY):
                likely[where] = Sighting(place=where, value=cell, confidence=min(chance, 1.0))
    return likely


def _weighed(pieces: Pieces, where: Place) -> Iterator[tuple[str, float]]:
    """Yield the cell on which a piece most likely stands as it was sought, and as it was sought again.

    What may be an overlooked figure as well as a dragon is one of the two.
    """
    best, again, standing = (
        pieces.chances[where].best,
        pieces.overlooked.get(where),
        pieces.standing.get(where),
    )
    if best is not None:
        is_dragon = kind_of(where) == "dragon" and standing is not None
        figures = pieces.overlooked.values() if is_dragon else ()
        yield best[0].cell, among(best[1], [one.is_of(standing) for one in figures if standing])
    if again is not None:
        cell = again.standing.cell
        yield cell, among(again.chance_of(lambda at: at.cell == cell), _dragons_like(pieces, again))


def _dragons_like(pieces: Pieces, overlooked: Overlooked) -> Iterator[float]:
    """Yield how likely the dragons are that an overlooked figure may be taken for."""
    for at, standing in pieces.standing.items():
        best = pieces.chances[at].best if at in pieces.chances else None
        is_same = overlooked.is_of(standing) > LIKELY * overlooked.chance
        if kind_of(at) == "dragon" and best is not None and is_same:
            yield best[1]


def _is_nowhere(rig: Rig, pieces: Pieces, piece: PieceRecord, standing: StandingFigure | None) -> bool:
    """Whether hardly a trace of a piece is visible, and nothing unidentified has its size."""
    told = pieces.chances.get(place(piece.kind, piece.name))
    if (piece.kind == "figure" and piece.name in pieces.mimicked) or (told and told.away < _AWAY[piece.kind]):
        return False
    overlooked = pieces.overlooked.get(place(piece.kind, piece.name))
    if overlooked is not None and overlooked.chance > OVERLOOKED:
        return False
    is_nowhere = standing is None or standing.share < _TRACE[piece.kind] * piece.seen
    base_mm, height_mm = rig.layout.pieces.size_of(piece.kind)
    return is_nowhere and not pieces.cover.may_hold(base_mm * height_mm)


def _is_too_soft(faces: Faces) -> bool:
    """Whether the picture is too blurred for a figure's outline to be evidence."""
    blurs = [found.blur for found in faces.on_cells().values()]
    return bool(blurs) and float(np.median(blurs)) > TOO_SOFT_MM * faces.plane.flat.px_per_mm
