"""Pointing at the board's boxes: what the file says, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.pointed_board import PICTURES, PointedBoard, parse_pointed_board, read_pointed_board
from companion.errors import MalformedError

PLACES = [[10.5 * n, 400 - 7 * n] for n in range(13)]
TOLD = {"picture": "sketch", "boxes_px": PLACES}

points = st.tuples(*[st.floats(0, 4000, allow_nan=False)] * 2)


@given(
    picture=st.sampled_from(PICTURES),
    boxes=st.lists(st.integers(0, 1000), min_size=13, max_size=13, unique=True),
    outline=st.one_of(st.just([]), st.lists(points, min_size=3, max_size=9)),
)
def test_what_is_pointed_at_is_read(
    picture: str, boxes: list[int], outline: list[tuple[float, float]]
) -> None:
    """Every picture, boxes in their order, and an outline if there is one."""
    middles = [(3.0 * at, 2.5 * at) for at in boxes]
    told = {"picture": picture, "boxes_px": middles, "outline_px": outline}

    found = parse_pointed_board(json.loads(json.dumps(told)), 13)

    assert found == PointedBoard(picture=picture, boxes_px=tuple(middles), outline_px=tuple(outline))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"picture": "cards"}, "picture"),
        ({"boxes_px": PLACES[:12]}, "12 boxes, not 13"),
        ({"boxes_px": [*PLACES[:12], PLACES[3]]}, "boxes 3 and 12 are in the same place"),
        ({"boxes_px": [*PLACES[:12], [5, -1]]}, "box 12"),
        ({"boxes_px": [*PLACES[:12], [5]]}, "box 12"),
        ({"boxes_px": {"0": [1, 2]}}, "boxes_px"),
        ({"outline_px": [[1, 2], [3, 4]]}, "2 corners"),
        ({"boxes_mm": []}, "unknown key"),
    ],
)
def test_what_cannot_be_meant_is_refused(change: dict[str, object], why: str) -> None:
    """One line says what is wrong."""
    with pytest.raises(MalformedError, match=why):
        parse_pointed_board({**TOLD, **change}, 13)


def test_a_file_is_named_in_what_is_wrong(tmp_path: Path) -> None:
    """The file's name stands before the reason."""
    file = tmp_path / "board.json"
    file.write_text('{"picture": "sketch"}')

    with pytest.raises(MalformedError, match=r"board\.json.*boxes_px"):
        read_pointed_board(file, 13)
