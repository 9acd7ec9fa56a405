"""Finding pieces frame after frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.profile import PieceRecord
from companion.table import place
from tests.vision.pieces.test_figures import BODIES, CELL, LAYOUT, SHAPE, city, dragon
from vision.arrays import Patches, Singles
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Paint, StandingFigure
from vision.pieces.finder import Finder, Searched
from vision.pieces.standing_measures import Sought
from vision.pieces.standing_patches import StandingPatches
from vision.pieces.standing_proposals import Proposer

RED, BLUE = place("dragon", "red"), place("dragon", "blue")


class Seeker:
    """Proposer for the red dragon on one map after the other."""

    def __init__(self) -> None:
        self._searched = Searched()

    def find(self, seen: CityMap) -> StandingFigure | None:
        """Return where it stands."""
        self._searched = Finder(BODIES).find("dragon", {RED: Paint(label=0)}, seen, self._searched)
        return self._searched.found[RED]


def test_a_piece_is_looked_for_again_only_where_something_has_changed() -> None:
    """What stands far from any change still stands there; nearer it is found as if nothing were known."""
    nothing = np.zeros(SHAPE, np.bool_)
    finder = Seeker()
    first = finder.find(city(dragon()))
    assert first is not None
    assert first.cell == CELL

    same = finder.find(replace(city(dragon()), fresh=nothing))
    assert same is first

    moved = np.roll(dragon(), round(LAYOUT.tile_edge_mm * BODIES.flat.px_per_mm), axis=1)
    now = finder.find(replace(city(moved), fresh=moved | dragon()))
    assert now is not None
    assert now.cell != CELL
    fresh = Seeker().find(city(moved))
    assert fresh is not None
    assert (now.cell, now.share, now.mass) == (fresh.cell, fresh.share, fresh.mass)


def test_where_nothing_was_found_nothing_is_looked_for_again() -> None:
    """Until something has changed; then it may have come."""
    nothing = np.zeros(SHAPE, np.bool_)
    finder = Seeker()

    assert finder.find(city(nothing)) is None
    assert finder.find(replace(city(nothing), fresh=nothing)) is None
    come = finder.find(replace(city(dragon()), fresh=dragon()))
    assert come is not None
    assert come.cell == CELL


def test_what_changes_where_nothing_is_like_a_piece_leaves_it_where_it_was() -> None:
    """Nothing is worked out anew for it; and another piece of its kind is found beside it as if alone."""
    speck = np.zeros(SHAPE, np.bool_)
    x, y = (round(one) for one in BODIES.flat.to_px(np.array(LAYOUT.cells["0,3"])).tolist())
    speck[y : y + 3, x : x + 3] = True
    finder = Seeker()
    first = finder.find(city(dragon()))
    assert finder.find(replace(city(dragon() | speck), fresh=speck)) is first

    blue = place("dragon", "blue")
    seen = city(dragon(), label=1)
    both = Finder(BODIES).find("dragon", {RED: Paint(label=0), blue: Paint(label=1)}, seen, Searched()).found
    alone = Finder(BODIES).find("dragon", {blue: Paint(label=1)}, seen, Searched()).found[blue]
    found = both[blue]
    assert both[RED] is None
    assert found is not None
    assert alone is not None
    assert (found.cell, found.share, found.lead) == (CELL, alone.share, alone.lead)


def test_pieces_that_are_sought_now_and_then_are_sought_everywhere() -> None:
    """Of a piece that was not sought on the map before nothing is known; what was, is kept."""
    nothing, finder = np.zeros(SHAPE, np.bool_), Finder(BODIES)
    paints = {RED: Paint(label=0), BLUE: Paint(label=1)}
    both = finder.search("dragon", paints, city(dragon()), Searched())
    still = replace(city(dragon()), fresh=nothing)
    one = finder.search("dragon", {BLUE: paints[BLUE]}, still, both)
    again = finder.search("dragon", paints, still, one)

    assert both.known[RED][CELL] is not None
    assert set(one.known) == {BLUE}
    assert again.known[RED][CELL] is not None
    assert again.known[RED][CELL] is not both.known[RED][CELL]
    assert again.found == {}


def test_a_piece_is_looked_for_again_only_where_something_has_changed_whatever_its_colour() -> None:
    """What was seen elsewhere is still known, and nothing is looked at while nothing changes."""
    nothing, looked = np.zeros(SHAPE, np.bool_), list[int]()
    seen = city(dragon(), label=1)

    def look(patches: Patches) -> Singles:
        looked.append(len(patches))
        return np.full(len(patches), 0.9, np.float32)

    finder, piece = Finder(BODIES), PieceRecord(kind="dragon", name="red", palette=((20, 20, 200),))
    sought = Sought(piece=piece, paint=Paint(label=0), places=(), marked=nothing)
    proposer = Proposer(sought, [], StandingPatches(seen, BODIES, [piece]), look)
    first = finder.propose("dragon", {RED: proposer}, seen, Searched())
    at_first = len(looked)
    same = finder.propose("dragon", {RED: proposer}, replace(seen, fresh=nothing), first)

    assert at_first > 0
    assert len(looked) == at_first
    assert same.known[RED] == first.known[RED]
    again = finder.propose("dragon", {RED: proposer}, replace(seen, fresh=dragon()), first)
    assert len(looked) > at_first
    found = again.known[RED][CELL]
    assert found is not None
    assert found.look == pytest.approx(0.9)
