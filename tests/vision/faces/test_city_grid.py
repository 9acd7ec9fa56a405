"""Where the city lies, and how large its tiles are."""

from collections.abc import Sequence

import numpy as np
import pytest

from companion.games.blue_moon_city.layout import table_layout
from companion.table_layout import TableLayout
from vision.faces.table_frame import Photograph, measured
from vision.training.tables import RandomTable

LAYOUT = table_layout()


def photographs(number: int) -> tuple[TableLayout, Sequence[Photograph]]:
    """A drawn table, and photographs of both sides of its tiles."""
    table = RandomTable.of(number)
    laid = table.camera(seed=1).enrolment()
    sides = (("one side", laid.sketch), ("other", laid.built))
    return table.layout, [Photograph(frame=frame, what=what) for what, frame in sides]


@pytest.mark.parametrize("number", [81000, 81006, 81011])
def test_tiles_of_any_size_are_measured(number: int) -> None:
    """50, 56 and 67 mm, with 4 to 6 mm between them: nobody says so, and rims are printed along some."""
    truth, shots = photographs(number)
    usual = LAYOUT.with_codes_of(truth.fiducials[0].edge_mm)
    found = measured(shots, usual, any_size=True)

    assert abs(truth.tile_edge_mm - LAYOUT.tile_edge_mm) > 3
    assert abs(found.tile_edge_mm - truth.tile_edge_mm) < 0.7
    assert abs(found.pitch_mm - truth.pitch_mm) < 0.7


def test_the_city_is_where_it_lies_whatever_its_size() -> None:
    """Its frame is that of a table whose sizes are told."""
    truth, shots = photographs(81003)
    usual = LAYOUT.with_codes_of(truth.fiducials[0].edge_mm)
    found = measured(shots, usual, any_size=True)
    told = measured(shots, truth)
    off = np.array(
        [
            (one.x_mm - other.x_mm, one.y_mm - other.y_mm)
            for one, other in zip(found.fiducials, told.fiducials, strict=True)
        ]
    )

    assert np.abs(off).max() < 1.0
