"""Records of Nova Luna: the samples verify, lines round-trip, what is broken is refused at its line."""

from __future__ import annotations

import copy
import io
import json
import random

import pytest

from companion.errors import MalformedError, RecordError
from companion.games.nova_luna import GAME
from companion.games.nova_luna.catalogue import TILES
from companion.observation import Observation, Sighting
from companion.record.game_record import read_record, verify, write_record
from tests.helpers.golden import golden_records


def play(seed, players=None):
    """Return (header, actions, final state) of a random game."""
    rng = random.Random(seed)
    header = GAME.deal(rng, {"players": players or 1 + seed % 4})
    state, actions = GAME.start(header), []
    while legal := list(GAME.legal_actions(state)):
        actions.append(rng.choice(legal))
        state, _ = GAME.apply(state, actions[-1])
    return header, actions, state


def lines_of(seed, players=None):
    """Return the parsed lines of a random game's record with checkpoints."""
    header, actions, _ = play(seed, players)
    stream = io.StringIO()
    write_record(stream, GAME, header, actions, checkpoints=True)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def refused_at(lines):
    """Return the number of the first refused line, None when the record is sound."""
    try:
        read_record([json.dumps(line) for line in lines])
    except RecordError as error:
        return error.line
    return None


def test_sample_records_verify():
    """The sample games verify with every checkpoint."""
    for path in golden_records("nova-*.jsonl"):
        assert verify(path).error is None, path
        assert verify(path).result is not None


def test_sample_checkpoints_are_ours():
    """At every sample checkpoint our own checkpoint says the same, members and all."""
    for path in golden_records("nova-*.jsonl"):
        state = None
        for text in path.read_text("utf-8").splitlines():
            line = json.loads(text)
            if "record" in line:
                state = GAME.start(line)
            elif "check" in line:
                assert GAME.checkpoint(state) == line["check"]
            elif "result" not in line:
                state, _ = GAME.apply(state, GAME.parse_action(line))


def _bump(value):
    return value + 1


MUTATIONS = {
    "wrong tile": ("take", lambda line: line.update(tile=line["tile"] % 68 + 1)),
    "wrong cell": ("take", lambda line: line.update(at="9,9")),
    "wrong player": ("take", lambda line: line.update(player="nobody")),
    "cell not canonical": ("take", lambda line: line.update(at="-0,1")),
    "tile a string": ("take", lambda line: line.update(tile=str(line["tile"]))),
    "unknown key": ("take", lambda line: line.update(note="x")),
    "missing key": ("take", lambda line: line.pop("at")),
    "unknown action": ("take", lambda line: line.update(do="steal")),
    "false supply": (
        "check",
        lambda line: line["check"].update(supply=dict.fromkeys(line["check"]["supply"], 0)),
    ),
    "supply of one": ("check", lambda line: line["check"].update(supply={})),
    "false stock": ("check", lambda line: line["check"].update(stock=_bump(line["check"]["stock"]))),
    "true stock": ("check", lambda line: line["check"].update(stock=True)),
    "false phase": ("check", lambda line: line["check"].update(phase=2)),
    "false meeple": ("check", lambda line: line["check"]["table"].update(meeple=None)),
    "false wheel": ("check", lambda line: line["check"]["table"].update(wheel=[None] * 12)),
    "false track": ("check", lambda line: line["check"]["table"].update(track={"23": ["red"]})),
    "lost area": ("check", lambda line: line["check"]["table"]["areas"].update(red={})),
    "strange area": ("check", lambda line: line["check"]["table"]["areas"].update(nobody={})),
    "false reason": ("result", lambda line: line["result"].update(reason="none")),
    "false winners": ("result", lambda line: line["result"].update(winners=[], score=1)),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutated_records_are_refused_at_their_line(name):
    """Whatever is changed in one line refuses the record at this line, not before and not after."""
    key, change = MUTATIONS[name]
    lines = lines_of(5, 2)
    index = [i for i, line in enumerate(lines) if key in (line.get("do"), *line)][
        -1 if key == "result" else 4
    ]
    changed = copy.deepcopy(lines)
    change(changed[index])

    assert refused_at(lines) is None
    assert refused_at(changed) == index + 1


@pytest.mark.parametrize(
    "change",
    [
        {"players": []},
        {"players": ["red", "red"]},
        {"players": ["a", "b", "c", "d", "e"]},
        {"players": ["red", "green"]},
        {"stack": ["red"]},
        {"stack": ["red", "red"]},
        {"tokens": 18},
        {"tokens": 21.0},
        {"tokens": True},
        {"wheel": [None] * 12},
        {"stock": []},
        {"more": 1},
        {"setup": "standard"},
    ],
)
def test_broken_headers_are_refused(change):
    """A header holds exactly its keys, and every tile once."""
    header = {**GAME.deal(random.Random(0), {}), **change}

    assert refused_at([header]) == 1


def test_double_and_missing_tiles_are_refused():
    """No copy may occur that does not exist; unknown tiles may."""
    header = GAME.deal(random.Random(0), {})
    double = {**header, "stock": [header["wheel"][1], *header["stock"][1:]]}
    unseen = {**header, "stock": [None] * 57}

    assert refused_at([double]) == 1
    assert refused_at([unseen]) is None
    assert refused_at([unseen, {"reveal": {"stock": [header["wheel"][1]]}}]) == 2
    assert refused_at([unseen, {"reveal": {"stock": []}}]) == 2
    assert refused_at([unseen, {"reveal": {"stock": header["stock"]}}]) is None
    assert refused_at([unseen, {"reveal": {"stock": [], "wheel": []}}]) == 2


def test_twins_count_as_equal_in_checkpoints_only():
    """A checkpoint may name the twin of a tile, an action may not."""
    lines = lines_of(5, 2)
    for line in lines:
        if "check" in line:
            table = line["check"]["table"]
            table["wheel"] = [TILES[tile].twin if tile else None for tile in table["wheel"]]
            for area in table["areas"].values():
                for cell in area.values():
                    cell["tile"] = TILES[cell["tile"]].twin

    assert lines != lines_of(5, 2)
    assert refused_at(lines) is None
    lines[0]["wheel"][1] = 3
    assert refused_at(lines) == 1


def test_what_a_checkpoint_leaves_out_is_not_checked():
    """Keys may be left out, "?" is unseen, time and confidence are ignored."""
    lines = lines_of(5, 2)
    for line in lines:
        if "check" in line:
            table = line["check"]["table"]
            table["wheel"] = ["?"] * 12
            table["t"], table["confidence"] = 1.5, {"wheel": [0.5]}
            del table["meeple"]
            for area in table["areas"].values():
                for cell in area.values():
                    cell.update(tile="?", confidence=0.9)
                    del cell["covered"]

    assert refused_at(lines) is None
    next(line for line in lines if "check" in line)["check"]["table"]["areas"]["red"]["7,7"] = {"tile": "?"}
    assert refused_at(lines) is not None


def test_readings_carry_their_confidence_beside_the_table():
    """A reading is a table state with time and confidences, and reads back as its picture."""
    picture = GAME.predict(play(5, 2)[2])
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.9) for where, value in picture.items()
    }
    reading = GAME.format_reading(Observation(source="eye", seq=1, seen_at_s=2.5, sightings=sightings))

    assert reading["t"] == 2.5
    assert reading["confidence"]["wheel"] == [0.9] * 12
    assert GAME.parse_table(reading) == picture


def test_unseen_places_are_written_as_such():
    """What was not seen is left out or written as "?", and reads back as not seen."""
    whole = GAME.predict(play(5, 2)[2])
    picture = {w: v for w, v in whole.items() if w not in ("wheel:3", "track:4", "meeple")}
    table = GAME.format_table(picture)

    assert table["wheel"][3] == table["track"]["4"] == "?"
    assert "meeple" not in table
    assert GAME.parse_table(table) == picture


def test_deal_knows_its_options():
    """Players by number or name, tokens of the shorter game; anything else is refused."""
    deal = lambda **options: GAME.deal(random.Random(0), options)  # noqa: E731 -- a word for the lines below

    assert deal(players=3, tokens=18)["tokens"] == 18
    assert deal(players=["ann", "bob"])["players"] == ["ann", "bob"]
    assert deal(players=1)["stack"] == []
    for options in ({"players": 5}, {"players": 0}, {"tokens": 18}, {"edition": "x"}, {"players": "2"}):
        with pytest.raises(MalformedError):
            deal(**options)


def test_the_set_up_is_read_off_the_table():
    """Wheel and track show everything but the stock, which lies face down."""
    for players in (1, 2, 4):
        header = GAME.deal(random.Random(players), {"players": players})
        start = GAME.start(header)
        public = GAME.public_header(header)
        found = GAME.header_from_table(GAME.predict(start), {"players": header["players"]})

        assert public["stock"] == [None] * 57
        assert GAME.predict(GAME.start(found)) == GAME.predict(start)
        assert found["stack"] == header["stack"]
    picture = dict(GAME.predict(start))
    for change in (
        {"meeple": "3"},
        {"wheel:0": "5"},
        {"wheel:4": None},
        {"track:0": None},
        {"wheel:4": "1", "wheel:5": "1"},
    ):
        with pytest.raises(MalformedError):
            GAME.header_from_table({**picture, **change}, {"players": header["players"]})
