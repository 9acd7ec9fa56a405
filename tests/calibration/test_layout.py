"""The table layout as data."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.layout import (
    Fiducial,
    Rectangle,
    TableLayout,
    blue_moon_city,
    format_layout,
    layout_from_text,
    layout_text,
    parse_layout,
)
from companion.errors import ProfileError

lengths = st.floats(min_value=0.5, max_value=2000, allow_nan=False)
points = st.floats(min_value=0.5, max_value=900, allow_nan=False)
rectangles = st.builds(Rectangle, x_mm=lengths, y_mm=lengths, width_mm=points, height_mm=points)


@st.composite
def layouts(draw: st.DrawFn) -> TableLayout:
    """Any layout without a board."""
    ids = draw(st.lists(st.integers(0, 49), unique=True, max_size=6))
    return TableLayout(
        name=draw(st.text(max_size=20)),
        fiducials=tuple(
            Fiducial(id=i, x_mm=draw(lengths), y_mm=draw(lengths), edge_mm=draw(lengths)) for i in ids
        ),
        cells=draw(st.dictionaries(st.text(max_size=5), st.tuples(points, points), min_size=1, max_size=5)),
        tile_edge_mm=draw(points),
        zones=draw(st.dictionaries(st.text(max_size=5), rectangles, max_size=2)),
        areas=draw(st.dictionaries(st.text(max_size=5), rectangles, max_size=2)),
    )


@given(layouts())
def test_a_layout_prints_and_parses_to_itself(layout: TableLayout) -> None:
    """Whatever is written is read back equal."""
    assert layout == layout_from_text(layout_text(layout))


def test_the_city_has_21_cells_and_13_boxes() -> None:
    """The default arrangement is that of Blue Moon City and survives JSON."""
    layout = blue_moon_city()

    assert layout.board is None
    assert (len(layout.cells), sum(layout.board_rows), len(layout.fiducials)) == (21, 13, 4)
    assert layout.cells["2,2"] == (0.0, 0.0)
    assert layout == parse_layout(json.loads(json.dumps(format_layout(layout))))


@pytest.mark.parametrize("key", ["name", "cells", "fiducials", "board", "zones", "pieces", "tile_edge_mm"])
@pytest.mark.parametrize("wrong", [17.5, [1, 2], {"x": "y"}, True])
def test_a_wrong_value_is_refused_in_words(key: str, wrong: object) -> None:
    """Nothing but a ProfileError leaves the parser."""
    found = format_layout(blue_moon_city())
    if key == "tile_edge_mm" and wrong == 17.5:
        wrong = -1.0
    found[key] = wrong

    with pytest.raises(ProfileError):
        parse_layout(found)


def test_text_that_is_no_json_is_refused() -> None:
    """A torn file is a ProfileError."""
    with pytest.raises(ProfileError, match="not JSON"):
        layout_from_text('{"layout": 1')
