"""Table states that are described once: what was not seen is left out, what cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import MalformedError
from companion.games.kit.notation import escape
from companion.games.kit.record_codec import choice
from companion.games.kit.table_codec import Listed, Named, One, TableCodec, compare_pictures, or_none
from companion.observation import Observation, Sighting
from companion.storage.strict import as_integer, as_string
from companion.table import Place, Value


def _number(value: object, what: str) -> str:
    return str(as_integer(value, what, 0, 9))


CODEC = TableCodec(
    Listed("wheel", "wheel", 3, or_none(_number)),
    One("moon", Place("moon"), choice("new", "full")),
    Named("figures", "figure", or_none(lambda value, what: escape(as_string(value, what)))),
    Named("dragons", "dragon", choice("in", "out"), names=("fire", "water"), is_kept=True),
    write={"wheel": lambda value: None if value is None else int(value)},
)
PICTURE: dict[Place, Value] = {
    Place("wheel:0"): "7",
    Place("wheel:1"): None,
    Place("wheel:2"): "0",
    Place("moon"): "new",
    Place("figure:ann%3Ab"): "4,4",
    Place("dragon:fire"): "out",
}
TABLE = {
    "wheel": [7, None, 0],
    "moon": "new",
    "figures": {"ann:b": "4,4"},
    "dragons": {"fire": "out"},
}


def test_a_table_is_written_as_it_was_read() -> None:
    """Members in the order of the description, names as players write them."""
    assert TABLE == CODEC.format_table(PICTURE)
    assert list(TABLE) == list(CODEC.format_table(PICTURE))
    assert PICTURE == CODEC.parse_table(TABLE)


def test_what_was_not_seen_is_left_out_or_marked() -> None:
    """A list marks it; a member of which nothing was seen is left out, unless it is kept."""
    seen = {Place("wheel:1"): None}

    assert {"wheel": ["?", None, "?"], "dragons": {}} == CODEC.format_table(seen)
    assert seen == CODEC.parse_table({"wheel": ["?", None, "?"], "moon": "?", "figures": {"ann": "?"}})
    assert {} == CODEC.parse_table({"t": 3.5, "confidence": "whatever"})


def test_a_reading_has_confidences_in_the_table_s_shape() -> None:
    """How sure each sighting is, beside the table."""
    sightings = {Place("wheel:1"): 0.5, Place("moon"): 0.9}
    seen = Observation(
        source="camera",
        seq=1,
        seen_at_s=2.5,
        sightings={
            where: Sighting(place=where, value=PICTURE[where], confidence=sure)
            for where, sure in sightings.items()
        },
    )
    reading = CODEC.format_reading(seen)

    assert 2.5 == reading["t"]
    assert {"wheel": [None, 0.5, None], "moon": 0.9, "dragons": {}} == reading["confidence"]
    assert {Place("wheel:1"): None, Place("moon"): "new"} == CODEC.parse_table(reading)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ([], "the table must be an object"),
        ({"moon": "half"}, "moon cannot be 'half': it is one of new, full"),
        ({"wheel": [1, 2]}, "wheel must have 3 entries, not 2"),
        ({"wheel": [1, 2, 10]}, "wheel 2 cannot be 10"),
        ({"figures": {"": None}}, "a name in figures must be a string that is not empty"),
        ({"figures": {"ann": 3}}, "figures of 'ann' must be a string"),
        ({"dragons": {"air": "in"}}, "dragons has the unknown key 'air'"),
        ({"sun": 1}, "the table has the unknown key 'sun'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(table: Any, told: str) -> None:
    """The message names the member and what it may be."""
    with pytest.raises(MalformedError) as refused:
        CODEC.parse_table(table)

    assert told in str(refused.value)


def test_pictures_are_compared_where_something_was_seen() -> None:
    """A place that is not expected must be empty."""
    compare_pictures({Place("moon"): "new", Place("wheel:9"): None}, PICTURE)
    with pytest.raises(MalformedError, match="moon of the table is 'new', not 'full'"):
        compare_pictures({Place("moon"): "full"}, PICTURE)
    with pytest.raises(MalformedError, match="wheel:9 is not on this table"):
        compare_pictures({Place("wheel:9"): "1"}, PICTURE)
