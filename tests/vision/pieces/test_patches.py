"""Patches of colour: markers in a row, figures, and markers beside figures, on maps without a picture."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from companion.games.blue_moon_city.layout import table_layout
from companion.table import place
from vision.arrays import Bools
from vision.faces.registration import Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import MARGIN_MM, PX_PER_MM
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Paint, StandingFigure, find_standing
from vision.pieces.markers import BoxPlace, Marker
from vision.pieces.patches import Patches, Spot, drawn_marker, markers_in_place_of, share_beside
from vision.simulation.scenery import Viewpoint

LAYOUT = table_layout()
FLAT = Flat.around(*LAYOUT.extent_mm(MARGIN_MM), PX_PER_MM / 2, LAYOUT.pieces.tile_thickness_mm)
SHAPE = (FLAT.height_px, FLAT.width_px)
CELL = "2,2"
# A camera to the right: what stands up leans to the left, along a row of boxes.
SIDE = Silhouettes(Viewpoint(tilt_deg=38, azimuth_deg=90, distance_mm=1100).pose((1280, 720)), LAYOUT, FLAT)
LABEL = 1


def spot(right_mm: float) -> Spot:
    """A box so far right of the middle of its tile, low on it; markers lean to the left."""
    x, y = FLAT.to_px(np.array([LAYOUT.cells[CELL]]))[0]
    pose = Pose2D(x_px=2 * float(x) + 0.5, y_px=2 * float(y) + 0.5, turn=0.0)
    found = cast(Residual, SimpleNamespace(pose=pose, known=np.zeros((96, 96))))
    middle = (47.5 + right_mm * PX_PER_MM, 70.0)
    return found, BoxPlace(middle=middle, edge=17.0, lean=(-10.0, 0.0), px_per_mm=PX_PER_MM, marker_mm=9.5)


BOXES = {place("box", CELL, number): spot(-13.0 + 13.0 * number) for number in range(3)}


def drawn(*numbers: int) -> Bools:
    """What markers on these boxes cover."""
    mask = np.zeros(SHAPE, np.bool_)
    for number in numbers:
        found, box = BOXES[place("box", CELL, number)]
        region, inside = drawn_marker((found, box), box.centre, FLAT)
        mask[region] |= inside
    return mask


def figure(right_mm: float = 0.0, up_mm: float = 0.0) -> Bools:
    """What a figure covers that stands so far off the middle of the tile."""
    x, y = LAYOUT.cells[CELL]
    mask = np.zeros(SHAPE, np.bool_)
    region, inside = SIDE.outline("figure", (x + right_mm, y + up_mm))
    mask[region] |= inside
    return mask


def city(thing: Bools) -> CityMap:
    """A city of known tiles on which one thing is strange and of one colour."""
    no = np.zeros(SHAPE, np.bool_)
    return CityMap(
        flat=FLAT, colours=np.zeros((*SHAPE, 3), np.float32),
        labels=np.where(thing, LABEL, NOTHING).astype(np.uint8),
        alike=np.where(thing, 1 << LABEL, 0).astype(np.uint16), tile=~no, unknown=no, strange=thing,
        learnt=np.zeros((*SHAPE, 3), np.uint8), is_learnt=~no,
        shadow=no, darker=no, brighter=no, blind=no, glare=no, taken=no, fresh=~no,
    )  # fmt: skip


def seen(number: int) -> tuple[Residual, BoxPlace, Marker]:
    """A marker seen on a box."""
    found, box = BOXES[place("box", CELL, number)]
    values: dict[str, Any] = dict.fromkeys(("fill", "strange", "size", "spread", "around", "apart"), 1.0)
    marker = Marker(
        label=LABEL, is_light=False, middle=box.centre, second=0.0, in_glare=False, under=0.0, other=0.0,
        **values,
    )  # fmt: skip
    return found, box, marker


def found_in(there: CityMap) -> StandingFigure:
    """Where a figure seems to stand."""
    standing = find_standing(there, SIDE, Paint(label=LABEL), "figure")
    assert standing is not None
    return standing


def test_a_row_of_markers_is_no_figure() -> None:
    """Seen along the row two markers look like one that lies there; its markers explain all there is."""
    there = city(drawn(1, 2))
    row = markers_in_place_of(found_in(there), LABEL, there, [seen(1), seen(2)])

    assert row is not None
    assert np.array_equal(row, drawn(1, 2))
    assert markers_in_place_of(found_in(there), LABEL, there, []) is None


def test_a_marker_beside_a_known_one_is_no_figure() -> None:
    """Of the two only one is left to be seen; both lie exactly on their boxes, which no figure does."""
    there = city(drawn(1, 2))
    there = replace(there, taken=drawn(1))
    standing = found_in(there)

    assert markers_in_place_of(standing, LABEL, there, [seen(1), seen(2)], is_pair=True) is not None
    assert markers_in_place_of(standing, LABEL, there, [seen(1)], is_pair=True) is None


@pytest.mark.parametrize("number", range(3))
def test_a_figure_is_no_marker(number: int) -> None:
    """Standing on a box it covers all of a marker's place, which explains too little of it."""
    there = city(figure(-13.0 + 13.0 * number, -14.0))

    assert markers_in_place_of(found_in(there), LABEL, there, [seen(number)]) is None


def test_a_marker_beside_its_figure_is_told_from_its_head() -> None:
    """All of it is seen beside the figure; of a box that the figure hides nothing is."""
    there = city(figure(0.0, 12.0) | drawn(2))
    body = SIDE.outline("figure", found_in(there).base_mm)

    assert share_beside(body, there, seen(2)) > 0.9
    assert share_beside(body, there, seen(0)) < 0.05


def test_what_markers_explain_is_told_box_by_box() -> None:
    """Boxes without a marker have no patch; a patch that reaches far beyond them fits badly."""
    rows = Patches(city(drawn(0, 1)), BOXES, LABEL + 1)
    large = drawn(0, 1)
    large[: SHAPE[0] // 2 + 12] = True  # and all that is above the boxes
    spread = Patches(city(large), BOXES, LABEL + 1)
    fits = [rows.at(where) for where in BOXES]

    assert fits[2] is None
    for one in fits[:2]:
        assert one is not None
        assert (one.label, one.fit) == (LABEL, 1.0)
        np.testing.assert_array_equal(one.patch, drawn(0, 1))
    there = spread.at(place("box", CELL, 0))
    assert there is not None
    assert there.fit < 0.6


def test_a_row_of_markers_is_told_from_a_figure_that_covers_some_of_their_places() -> None:
    """Whatever else is on the table; only one that lies just along the row would be taken for it."""
    row = Patches(city(drawn(1, 2) | figure(0.0, 14.0)), BOXES, LABEL + 1).at(place("box", CELL, 1))
    near = Patches(city(figure(0.0, -9.0)), BOXES, LABEL + 1)

    assert row is not None
    assert (row.many, row.is_markers) == (2, True)
    for where in BOXES:
        one = near.at(where)
        assert one is None or not one.is_markers


def test_a_marker_beyond_the_map_covers_nothing() -> None:
    """A box at the map's rim is drawn as far as the map goes."""
    found, box = spot(900.0)
    region, mask = drawn_marker((found, box), box.centre, FLAT)

    assert mask.size == 0
    assert np.zeros(SHAPE)[region].shape == mask.shape
