"""Where the codes lie on the table, and where the laid-out city lies among them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS
from companion.games.blue_moon_city.layout import table_layout
from companion.table_layout import Fiducial, TableLayout
from vision.faces.table_frame import Photograph, measured
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import tile_arts
from vision.simulation.scenery import Scenery, Viewpoint
from vision.training.tables import RandomTable

LAYOUT = table_layout()
ARTS = tile_arts(COMPONENTS.tiles)
ANYHOW: Mapping[str, tuple[Fiducial, ...]] = {
    "pushed": tuple(
        replace(one, x_mm=one.x_mm + dx, y_mm=one.y_mm + dy)
        for one, (dx, dy) in zip(
            LAYOUT.fiducials, ((-23.0, 16.0), (16.0, 28.0), (8.0, -21.0), (-17.0, -3.0)), strict=True
        )
    ),
    "turned": tuple(
        replace(one, turn_deg=turn)
        for one, turn in zip(LAYOUT.fiducials, (90.0, -35.0, 178.0, 12.0), strict=True)
    ),
    "in another order": tuple(
        replace(one, id=number) for one, number in zip(LAYOUT.fiducials, (2, 0, 1, 3), strict=True)
    ),
    "on one side": tuple(
        Fiducial(id=number, x_mm=x, y_mm=y, edge_mm=40.0, turn_deg=4.0 * number)
        for number, (x, y) in enumerate(((-290.0, 120.0), (205.0, 170.0), (275.0, -60.0), (-220.0, -175.0)))
    ),
    "small": tuple(replace(one, edge_mm=30.0, x_mm=one.x_mm * 0.95) for one in LAYOUT.fiducials),
}


def camera(codes: tuple[Fiducial, ...], table: str = "oak", tilt_deg: float = 24.0) -> SimulatedCamera:
    """A camera over a table with the codes laid like this."""
    viewpoint = Viewpoint(tilt_deg=tilt_deg, distance_mm=700)
    layout = replace(LAYOUT, fiducials=codes)
    return SimulatedCamera(
        layout,
        ARTS,
        {"purple": (120, 40, 90), "white": (235, 240, 240)},
        viewpoint=viewpoint,
        scenery=Scenery(table=table),
        seed=7,
    )


def off_mm(found: TableLayout, truth: TableLayout) -> float:
    """How far the codes are from where they lie, seen from the city."""
    there = {one.id: one for one in truth.fiducials}
    return max(
        float(np.hypot(one.x_mm - there[one.id].x_mm, one.y_mm - there[one.id].y_mm))
        for one in found.fiducials
    )


@pytest.mark.parametrize("how", list(ANYHOW))
def test_codes_laid_anyhow_are_measured_from_the_city(how: str) -> None:
    """Their places are right to the millimetres that tiles slide by, turned or not, of any size."""
    eye = camera(ANYHOW[how])
    shots = eye.enrolment()
    found = measured(
        [
            Photograph(frame=shots.sketch, what="sketch"),
            Photograph(frame=shots.empty, what="empty", shows_city=False),
        ],
        LAYOUT.with_codes_of(ANYHOW[how][0].edge_mm),
    )

    assert off_mm(found, eye.layout) < 5.0


@pytest.mark.parametrize("table", ["gingham", "walnut"])
@pytest.mark.parametrize("tilt_deg", [5.0, 40.0])
def test_the_city_is_found_on_a_patterned_table(table: str, tilt_deg: float) -> None:
    """Squares and lines of a cloth are no city, one cell on is no place for it."""
    eye = camera(ANYHOW["pushed"], table, tilt_deg)
    found = measured([Photograph(frame=eye.enrolment().sketch, what="sketch")], LAYOUT)

    assert off_mm(found, eye.layout) < 5.0


def test_squares_of_a_cloth_that_is_seen_without_tiles_are_no_tiles() -> None:
    """Two of its squares are as wide as a tile of this copy, and plainer than the tiles' own sides."""
    table = RandomTable.of(90053)
    laid = table.camera(seed=1).enrolment()
    shots = [Photograph(frame=frame, what="tiles") for frame in (laid.sketch, laid.built)]
    found = measured([*shots, Photograph(frame=laid.empty, what="empty", shows_city=False)], table.layout)

    assert off_mm(found, table.layout) < 5.0


def test_tiles_where_the_table_should_be_empty_hide_no_city() -> None:
    """What is wrong is told elsewhere; the city is found where it is."""
    eye = camera(ANYHOW["pushed"])
    shots = eye.enrolment()
    found = measured(
        [
            Photograph(frame=shots.sketch, what="sketch"),
            Photograph(frame=shots.sketch, what="empty", shows_city=False),
        ],
        LAYOUT,
    )

    assert off_mm(found, eye.layout) < 5.0


def test_without_a_city_the_codes_lie_on_the_whole_as_the_layout_has_them() -> None:
    """Their middle is the layout's."""
    eye = camera(LAYOUT.fiducials)
    photograph = Photograph(frame=eye.enrolment().empty, what="empty", shows_city=False)

    assert off_mm(measured([photograph], LAYOUT), LAYOUT) < 2.0


def test_a_photograph_without_codes_is_refused_in_words() -> None:
    """The message names the photograph and the codes that are missing."""
    bare = np.full((720, 1280, 3), 128, np.uint8)

    with pytest.raises(
        ProfileError, match=r"the sketch: only 0 of the 4 codes can be seen \(missing: 0, 1, 2, 3\)"
    ):
        measured([Photograph(frame=bare, what="the sketch")], LAYOUT)


def test_an_empty_table_is_no_city() -> None:
    """Where no tiles lie no city is found."""
    eye = camera(ANYHOW["pushed"])
    photograph = Photograph(frame=eye.frame({}), what="the sketch")

    with pytest.raises(ProfileError, match="the tiles could not be found"):
        measured([photograph], LAYOUT)


@pytest.mark.parametrize("number", [1020, 10003])
def test_dark_tiles_on_a_dark_table_are_found_by_both_of_their_sides(number: int) -> None:
    """On one side alone, what is printed along all tiles alike looks more like their rims than these do."""
    table = RandomTable.of(number)
    laid = table.camera(seed=1).enrolment()
    found = measured(
        [
            Photograph(frame=frame, what=what)
            for frame, what in ((laid.sketch, "one side"), (laid.built, "other"))
        ],
        table.layout,
    )
    off = np.array(
        [
            (one.x_mm - other.x_mm, one.y_mm - other.y_mm)
            for one, other in zip(found.fiducials, table.layout.fiducials, strict=True)
        ]
    )

    assert np.abs(off.mean(axis=0)).max() < 2
