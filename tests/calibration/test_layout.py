"""The table layout as data."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.layout import format_layout, layout_text, parse_layout, read_layout
from companion.errors import ProfileError
from companion.games.blue_moon_city.layout import table_layout
from companion.table_layout import Area, Arrangement, Content, Fiducial, PlaceNames, Rectangle, TableLayout

lengths = st.floats(min_value=0.5, max_value=2000, allow_nan=False)
points = st.floats(min_value=0.5, max_value=900, allow_nan=False)
# Two areas and the cells together are no larger than the largest table.
reaches = st.floats(min_value=0.5, max_value=1000, allow_nan=False)
corners = st.lists(st.tuples(reaches, reaches), min_size=3, max_size=6).filter(
    lambda some: all(len(set(one)) > 1 for one in zip(*some, strict=True))
)
areas = st.builds(
    Area,
    outline_mm=corners.map(tuple),
    content=st.sampled_from(Content),
    arrangement=st.sampled_from(Arrangement),
    owner=st.none() | st.text(max_size=5),
    is_face_up=st.booleans(),
    holds=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    places_mm=st.dictionaries(st.text(max_size=5), st.tuples(lengths, lengths), max_size=3),
)


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
        areas=draw(st.dictionaries(st.text(max_size=5), areas, max_size=2)),
        places=PlaceNames(cell=draw(st.text(max_size=5)), box="slot", board_box="track"),
    )


@given(layouts())
def test_a_layout_prints_and_parses_to_itself(layout: TableLayout) -> None:
    """Whatever is written is read back equal."""
    assert layout == parse_layout(json.loads(layout_text(layout)))


def test_the_city_has_21_cells_and_13_boxes() -> None:
    """The default arrangement is that of Blue Moon City and survives JSON."""
    layout = table_layout()

    assert layout.board is None
    assert (len(layout.cells), sum(layout.board_rows), len(layout.fiducials)) == (21, 13, 4)
    assert layout.cells["2,2"] == (0.0, 0.0)
    assert layout == parse_layout(json.loads(json.dumps(format_layout(layout))))


@pytest.mark.parametrize(
    "key", ["name", "cells", "fiducials", "board", "areas", "places", "pieces", "tile_edge_mm"]
)
@pytest.mark.parametrize("wrong", [17.5, [1, 2], {"x": "y"}, True])
def test_a_wrong_value_is_refused_in_words(key: str, wrong: object) -> None:
    """Nothing but a ProfileError leaves the parser."""
    found = format_layout(table_layout())
    if key == "tile_edge_mm" and wrong == 17.5:
        wrong = -1.0
    found[key] = wrong

    with pytest.raises(ProfileError):
        parse_layout(found)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    """A torn file is a ProfileError that names it."""
    file = tmp_path / "layout.json"
    file.write_text('{"layout": 1', encoding="utf-8")
    with pytest.raises(ProfileError, match="not JSON") as refused:
        read_layout(file)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_old_layouts_become_todays(version: int) -> None:
    """Zones for cards become piles, face up but for the deck; free areas stay free, names as they were."""
    old = format_layout(table_layout())
    del old["places"]
    old |= {"layout": version, "areas": {"red": [1.0, 2.0, 30.0, 40.0]}}
    old["zones"] = {"discard": [222.0, -41.0, 44.0, 68.0], "deck": [222.0, 40.0, 44.0, 68.0]}
    if version == 1:
        old["fiducials"] = [one[:4] for one in old["fiducials"]]
    if version < 3:
        del old["board_rows"]
    layout = parse_layout(old)

    usual = table_layout()
    free = layout.areas["red"]
    assert {name: layout.areas[name] for name in usual.areas} == usual.areas
    assert (free.content, free.arrangement) == (Content.TILES, Arrangement.FREE)
    assert free.around == Rectangle(x_mm=1.0, y_mm=2.0, width_mm=30.0, height_mm=40.0)
    assert layout.board_rows == (usual.board_rows if version == 3 else ())
    assert replace(layout, areas=usual.areas, board_rows=usual.board_rows) == usual


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("zones", None),
        ("zones", {"deck": [0, 0, -1, 5]}),
        ("zones", {"deck": "far"}),
        ("areas", {"deck": [0, 0, 1, 5]}),
        ("fiducials", [[1, 2]]),
        ("board_rows", [1]),
        ("places", {}),
    ],
)
def test_a_damaged_old_layout_is_refused_in_words(key: str, wrong: object) -> None:
    """Nothing that its version did not have, nothing half written."""
    old = format_layout(table_layout())
    for later in ("places", "board_rows"):
        del old[later]
    old |= {"layout": 1, "areas": {}, "zones": {"deck": [0.0, 0.0, 5.0, 5.0]}}
    old["fiducials"] = [one[:4] for one in old["fiducials"]]
    assert parse_layout(old).piles(is_face_up=False) == ("deck",)
    old[key] = wrong

    with pytest.raises(ProfileError):
        parse_layout(old)
