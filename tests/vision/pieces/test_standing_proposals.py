"""Pieces that are looked for wherever something may stand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from calibration.profile import PieceRecord
from tests.vision.pieces.test_figures import BODIES, CELL, LAYOUT, SHAPE, city, dragon
from vision.arrays import Bools, Patches, Singles
from vision.geometry.upright import SIZE_PX
from vision.pieces.figures import Candidate, Ground, Paint
from vision.pieces.standing_measures import Sought
from vision.pieces.standing_patches import StandingPatches
from vision.pieces.standing_proposals import Proposer, bases_looked_at

PIECE = PieceRecord(kind="dragon", name="red", palette=((200, 200, 200),))
MIDDLE = LAYOUT.cells[CELL]
# Of a patch: where the body is.
BODY = 9


class Viewer:
    """Finds a piece likely where so much of a body is what is marked, and counts how often it looks."""

    def __init__(self) -> None:
        self.looked = 0

    def __call__(self, patches: Patches) -> Singles:
        """Say how likely each patch is."""
        self.looked += len(patches)
        marked, body = (patches[:, one].reshape(len(patches), -1) > 127 for one in (8, BODY))
        return np.asarray((marked & body).sum(axis=1) / np.maximum(body.sum(axis=1), 1), np.float32)


def sought(marked: Bools) -> Sought:
    """The red dragon, which nobody has found yet, and what is taken for markers of its colour."""
    return Sought(piece=PIECE, paint=Paint(label=0), places=(), marked=marked)


def proposer(marked: Bools, strange: Bools, look: Viewer) -> Proposer:
    """Propose places of the red dragon where something is strange; the viewer likes what is marked."""
    seen = city(strange, label=7)
    patches = StandingPatches(seen, BODIES, [PIECE])
    return Proposer(sought(marked), [], patches, look)


def test_what_looks_like_a_piece_is_found_whatever_its_colour() -> None:
    """A search by colour finds nothing there; it is found on its cell, close to where it stands."""
    viewer, ground = Viewer(), Ground(city(dragon(), label=7), BODIES, "dragon", list(LAYOUT.cells))

    found = proposer(dragon(), dragon(), viewer).places(ground)
    best = max(filter(None, found.values()), key=lambda one: one.look)

    assert set(found) == set(LAYOUT.cells)
    assert best.cell == CELL
    assert best.look > 0.8
    base_mm, _ = LAYOUT.pieces.size_of("dragon")
    assert math.dist(best.base_mm, MIDDLE) < base_mm / 2
    assert best.share < 0.3


def test_bare_tiles_are_not_looked_at() -> None:
    """Nothing can stand where the tile is as it was learnt."""
    viewer, ground = Viewer(), Ground(city(np.zeros(SHAPE, np.bool_)), BODIES, "dragon", list(LAYOUT.cells))

    found = proposer(dragon(), np.zeros(SHAPE, np.bool_), viewer).places(ground)

    assert not any(found.values())
    assert viewer.looked == 0


def test_few_places_are_looked_at_where_everything_is_strange() -> None:
    """However much of the city something covers: those first of which most can be seen to be strange."""
    everything = np.ones(SHAPE, np.bool_)
    viewer, ground = Viewer(), Ground(city(everything, label=7), BODIES, "dragon", list(LAYOUT.cells))

    proposer(dragon(), everything, viewer).places(ground)

    assert 50 < viewer.looked < 120


def test_places_of_its_colour_are_looked_at_as_well() -> None:
    """Also where nothing is strange; of those on other cells than the ones asked for nothing is told."""
    viewer, bare = Viewer(), city(np.zeros(SHAPE, np.bool_))
    other = next(cell for cell in LAYOUT.cells if cell != CELL)
    region, body = BODIES.outline("dragon", MIDDLE, 1)
    coloured = [
        Candidate(share=0.5, cell=cell, base_mm=MIDDLE, spill=0.0, fit=0.0, region=region, body=body)
        for cell in (CELL, other)
    ]
    patches = StandingPatches(bare, BODIES, [PIECE])

    found = Proposer(sought(dragon()), coloured, patches, viewer).places(
        Ground(bare, BODIES, "dragon", [CELL])
    )

    assert set(found) == {CELL}
    place = found[CELL]
    assert place is not None
    assert place.look > 0.8
    assert math.dist(place.base_mm, MIDDLE) < LAYOUT.pieces.size_of("dragon")[0]


def test_what_is_taken_for_its_markers_may_be_the_piece() -> None:
    """Nothing is looked at where another's markers are taken to lie, but where its own are."""
    seen = replace(city(dragon(), label=7), taken=dragon())
    patches, ground = StandingPatches(seen, BODIES, [PIECE]), Ground(seen, BODIES, "dragon", [CELL])
    best = []
    for marked in (np.zeros(SHAPE, np.bool_), dragon()):
        viewer = Viewer()
        found = Proposer(sought(marked), [], patches, viewer).places(ground)[CELL]
        best.append(0.0 if found is None else found.look)

    assert best[0] == 0.0
    assert best[1] > 0.8


def test_on_unknown_tiles_what_has_its_colour_is_looked_at_first() -> None:
    """There nobody knows what is strange; without its colour all places on the tile are alike."""
    nothing = np.zeros(SHAPE, np.bool_)
    plain = city(nothing, label=7)
    labels = np.where(dragon(), 0, 7).astype(plain.labels.dtype)
    unknown = np.ones(SHAPE, np.bool_)
    seen = replace(plain, labels=labels, tile=nothing, unknown=unknown, alike=dragon().astype(np.uint16))
    patches, looked = StandingPatches(seen, BODIES, [PIECE]), list[Singles]()

    def look(patches: Patches) -> Singles:
        looked.append(Viewer()(patches))
        return looked[-1]

    Proposer(sought(dragon()), [], patches, look).places(Ground(seen, BODIES, "dragon", list(LAYOUT.cells)))

    assert looked[0][0] == looked[0].max()
    assert looked[0][0] > 0.4
    assert looked[0][-1] == 0.0


def test_a_patch_is_as_large_as_the_network_wants() -> None:
    """So that the stand-in above looks at the right channels."""
    seen = city(dragon(), label=7)
    ground = Ground(seen, BODIES, "dragon", [CELL])
    shapes: list[tuple[int, ...]] = []

    def look(patches: Patches) -> Singles:
        shapes.append(patches.shape[2:])
        # What is marked is the whole map here, what is a body is not.
        assert (patches[:, 8] == 255).all()
        assert (patches[:, BODY] == 0).any()
        return np.zeros(len(patches), np.float32)

    patches = StandingPatches(seen, BODIES, [PIECE])
    whole = Proposer(sought(np.ones(SHAPE, np.bool_)), [], patches, look)
    assert not any(whole.places(ground).values())
    assert set(shapes) == {(SIZE_PX, SIZE_PX)}


def test_what_is_looked_at_first_is_where_most_is_strange() -> None:
    """Bases of bodies that reach into the thing, those that it fills first; nothing on bare tiles."""
    ground = Ground(city(dragon(), label=7), BODIES, "dragon", list(LAYOUT.cells))
    bases = bases_looked_at(ground)
    base_mm, height_mm = LAYOUT.pieces.size_of("dragon")

    assert bases
    assert math.dist(bases[0], MIDDLE) < base_mm / 2
    assert all(math.dist(base, MIDDLE) < base_mm + height_mm for base in bases)
    assert bases_looked_at(Ground(city(np.zeros(SHAPE, np.bool_)), BODIES, "dragon", [CELL])) == []
