"""What may be a hand, and what is measured of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from companion.games.blue_moon_city.layout import table_layout
from vision.arrays import Bools
from vision.faces.residuals import Residual
from vision.faces.scene import MARGIN_MM, PX_PER_MM
from vision.geometry.cells import cell_window
from vision.geometry.rectify import Flat
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap
from vision.pieces.hand_recogniser import HandRecogniser
from vision.pieces.occluders import Cover, find_cover
from vision.pieces.suspects import MEASURES, Signs, Suspect, Suspects, bare_cells

LAYOUT = table_layout()
FLAT = Flat.around(*LAYOUT.extent_mm(MARGIN_MM), PX_PER_MM / 2, LAYOUT.pieces.tile_thickness_mm)
SHAPE = (FLAT.height_px, FLAT.width_px)
RIM = 3


def tiles() -> Bools:
    """Where the tiles lie, with gaps between them."""
    found = np.zeros(SHAPE, np.bool_)
    for cell in LAYOUT.cells:
        rows, columns = cell_window(FLAT, LAYOUT, cell)
        found[rows.start + 1 : rows.stop - 1, columns.start + 1 : columns.stop - 1] = True
    return found


def finger(cell: str, reach_mm: float) -> Bools:
    """Something as wide as two fingers that reaches so far over a cell from above."""
    rows, columns = cell_window(FLAT, LAYOUT, cell)
    wide, reach = round(34 * FLAT.px_per_mm), round(reach_mm * FLAT.px_per_mm)
    found = np.zeros(SHAPE, np.bool_)
    found[rows.start : rows.start + reach, columns.start + 3 : columns.start + 3 + wide] = True
    return found


def test_a_cell_without_a_tile_is_bare_where_it_looks_as_between_the_tiles() -> None:
    """Something else over it is not."""
    unknown = np.zeros(SHAPE, np.bool_)
    unknown[cell_window(FLAT, LAYOUT, "2,2")] = True
    tile = tiles() & ~unknown
    colours = np.full((*SHAPE, 3), 0.3, np.float32)
    colours[tile] = 0.7
    table = replace(city(np.zeros(SHAPE, np.bool_)), colours=colours, tile=tile, unknown=unknown)
    hidden = table.colours.copy()
    hidden[unknown] = (0.5, 0.6, 0.8)
    known = dict.fromkeys(LAYOUT.cells.keys() - {"2,2"}, cast(Residual, None))

    assert bare_cells(table, LAYOUT, known)[unknown].all()
    assert not bare_cells(replace(table, colours=hidden), LAYOUT, known).any()


def city(thing: Bools) -> CityMap:
    """Tiles of one gray on which this thing is strange."""
    nothing = np.zeros(SHAPE, np.bool_)
    return CityMap(
        flat=FLAT, colours=np.full((*SHAPE, 3), 0.5, np.float32),
        labels=np.full(SHAPE, NOTHING, np.uint8), alike=np.zeros(SHAPE, np.uint16),
        learnt=np.zeros((*SHAPE, 3), np.uint8), is_learnt=tiles(), tile=tiles(), unknown=nothing,
        strange=thing & tiles(), shadow=nothing, darker=nothing, brighter=nothing,
        blind=nothing, glare=nothing, taken=nothing, fresh=~nothing,
    )  # fmt: skip


def suspects(thing: Bools) -> list[Suspect]:
    """What may be a hand where this thing is strange on tiles of one gray."""
    seen, nothing = city(thing), np.zeros(SHAPE, np.bool_)
    there = Signs(strange=seen.strange, unknown=nothing, smooth=nothing)
    return list(Suspects(seen, LAYOUT, {}, there, {}).all())


def test_a_thing_is_measured_where_it_lies_and_specks_are_not() -> None:
    """Its size is told in tiles; what is smaller than half a figure is nothing."""
    (one,) = suspects(finger("2,2", 40))

    assert len(one.values) == MEASURES
    assert np.isfinite(one.values).all()
    assert abs(one.values[0] - 34 * 40 / LAYOUT.tile_edge_mm**2) < 0.05
    assert not suspects(finger("2,2", 2))


def test_only_what_comes_in_from_outside_touches_the_outer_rim() -> None:
    """That tells arms from what stands in the city."""
    (outside,), (inside,) = suspects(finger("0,2", 40)), suspects(finger("2,2", 40))

    assert outside.values[RIM] > 0.3
    assert inside.values[RIM] == 0


def test_of_two_things_each_is_a_suspect() -> None:
    """They lie apart."""
    both = suspects(finger("0,2", 40) | finger("3,2", 40))

    assert len(both) == 2
    assert both[0].region != both[1].region


def test_without_a_model_there_is_no_hand_and_with_one_only_some_suspects_are() -> None:
    """What is told is always one of the suspects."""
    found = suspects(finger("0,2", 40))
    plain = replace(found[0], values=[0.0] * MEASURES)

    assert HandRecogniser(None).hands(found) == []
    assert HandRecogniser().hands([]) == []
    assert all(any(one is other for other in found) for one in HandRecogniser().hands(found))
    assert HandRecogniser().hands([plain]) in ([], [plain])


class Sure(HandRecogniser):
    """Takes everything for a hand."""

    def __init__(self) -> None:
        super().__init__(None)

    def hands(self, suspects: Sequence[Suspect]) -> list[Suspect]:
        return list(suspects)


def cover(thing: Bools) -> Cover:
    """What covers the city where this is strange."""
    return find_cover(city(thing), LAYOUT, [], {}, {}, Sure())


def test_what_lies_where_it_lay_before_hides_the_table_but_has_not_moved() -> None:
    """Players move their hands; what is taken for one by mistake stays where it is."""
    before, moved = cover(finger("2,2", 40)).suspects, cover(finger("2,2", 30))
    still, nothing = cover(finger("2,2", 40)), cover(np.zeros(SHAPE, np.bool_))

    assert moved.has_moved_since(before)
    assert not still.has_moved_since(before)
    assert still.has_moved_since(())
    assert not nothing.has_moved_since(before)
    assert still.hand
    assert still.foreign.any()
    assert not nothing.hand
