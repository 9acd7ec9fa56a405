"""Every game's table: pictures written as text and read again, whole and in part."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.observation import Observation, Sighting
from tests.companion.games.contract.test_record import JUNK, through_json
from tests.helpers.random_play import GAMES, played

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_predicted_table_reads_as_it_was_written(name: str, seed: int) -> None:
    """Every place of it, any other being empty; and what was read is written alike."""
    played_game = played(name, seed)
    game = played_game.game

    for step in played_game.steps[::3]:
        for state in (step.after, step.known_after):
            picture = dict(game.predict(state))
            table = through_json(game.format_table(picture))
            read = game.parse_table(table)
            assert picture == {at: value for at, value in read.items() if at in picture or value}
            assert table == through_json(game.format_table(read))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_table_seen_in_part_tells_nothing_that_was_not_seen(name: str, seed: int) -> None:
    """Whatever is hidden, what is read again contradicts no place that was seen."""
    played_game = played(name, seed)
    game, rng = played_game.game, random.Random(seed)

    for step in played_game.steps[::5]:
        picture = dict(game.predict(step.after))
        seen = {where: value for where, value in picture.items() if rng.random() < 0.7}
        table = through_json(game.format_table(seen))
        read = game.parse_table(table)
        assert table == through_json(game.format_table(read))
        for where, value in read.items():
            group = game.group_of(where)
            if group is None and where in picture and where in seen:
                assert picture[where] == value


@pytest.mark.parametrize("name", GAMES)
def test_a_reading_is_a_table_with_its_time_and_confidences(name: str) -> None:
    """It reads as the table does, and is JSON."""
    game, rng = GAMES[name], random.Random(0)
    picture = game.predict(played(name, 0).steps[-1].after)
    sightings = {
        where: Sighting(place=where, value=value, confidence=round(rng.random(), 4))
        for where, value in picture.items()
    }
    seen = Observation(source="camera", seq=1, seen_at_s=2.5, sightings=sightings)
    reading = json.loads(json.dumps(game.format_reading(seen)))

    assert 2.5 == reading["t"]
    assert reading["confidence"]
    read = game.parse_table(reading)
    assert picture == {at: value for at, value in read.items() if at in picture or value}


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_junk_is_malformed_or_a_picture(name: str, data: st.DataObject) -> None:
    """Whatever stands in a table state: MalformedError and no other, or a picture."""
    game = GAMES[name]
    table = through_json(game.format_table(game.predict(played(name, 0).steps[-1].after)))
    key = data.draw(st.sampled_from([*table, "odd"]))
    try:
        picture = game.parse_table({**table, key: data.draw(JUNK)})
    except MalformedError:
        return

    assert all(value is None or isinstance(value, str) for value in picture.values())
