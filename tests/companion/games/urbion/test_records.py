"""Records of Urbion: the samples verify, lines round-trip, what is broken is refused at its line."""

from __future__ import annotations

import copy
import io
import json
import random
from dataclasses import replace

import pytest

from companion.decision import Accepted, Ask, InStep
from companion.errors import MalformedError, RecordError
from companion.games.urbion import GAME
from companion.games.urbion.catalogue import CHAOS
from companion.games.urbion.table import compare_table
from companion.observation import Observation, Query, Sighting
from companion.record.game_record import read_record, verify, write_record
from companion.simulation.scorekeeper import agrees
from companion.table import Place
from tests.helpers.free_areas import careful, known_from_areas
from tests.helpers.golden import golden_records


def play(seed):
    """Return (header, actions, final state) of a random game."""
    rng = random.Random(seed)
    options = {
        "players": 1 + seed % 2,
        "books": seed % 7,
        "archiplaces": seed % 3 == 0,
        "book_price": 2 + seed % 3,
    }
    header = GAME.deal(rng, options)
    state, actions = GAME.start(header), []
    while legal := list(GAME.legal_actions(state)):
        actions.append(rng.choice(legal))
        state, _ = GAME.apply(state, actions[-1])
    return header, actions, state


def lines_of(seed):
    """Return the parsed lines of a random game's record with checkpoints."""
    header, actions, _ = play(seed)
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
    for path in golden_records("urbion-*.jsonl"):
        assert verify(path).error is None, path
        assert verify(path).result is not None


def test_sample_checkpoints_are_ours():
    """At every sample checkpoint our own counts are the same, and the tables agree."""
    for path in golden_records("urbion-*.jsonl"):
        state = None
        for text in path.read_text("utf-8").splitlines():
            line = json.loads(text)
            if "record" in line:
                state = GAME.start(line)
            elif "check" in line:
                ours = GAME.checkpoint(state)
                assert {**ours, "table": None} == {**line["check"], "table": None}
                compare_table(state, line["check"]["table"])
            elif "result" not in line:
                state, _ = GAME.apply(state, GAME.parse_action(line))


MUTATIONS = {
    "card not held": ("play", lambda line: line.update(card="incubus-fire-1", side="right")),
    "no such card": ("play", lambda line: line.update(card="incubus-fire-4")),
    "not canonical": ("play", lambda line: line.update(card="sanae-fire-01")),
    "row too high": ("play", lambda line: line.update(row=4)),
    "row true": ("play", lambda line: line.update(row=True)),
    "wrong side": ("play", lambda line: line.update(side="middle")),
    "stranger": ("play", lambda line: line.update(player="carl")),
    "missing key": ("play", lambda line: line.pop("side")),
    "unknown key": ("play", lambda line: line.update(book="prophecy")),
    "swap of one": ("swap", lambda line: line["cards"].pop()),
    "swap of one row": ("swap", lambda line: line["cards"][0].update(row=line["cards"][1]["row"])),
    "removal twice": ("balance", lambda line: line.update(remove=[*line["remove"], *line["remove"]])),
    "removal of nothing": ("balance", lambda line: line.update(remove=[{"row": 0, "left": [], "right": []}])),
    "chaos nowhere": ("chaos", lambda line: line.update(way="draw", row=0)),
    "closed book": ("discard", lambda line: line.update(do="book", book="agoraphilia", row=0)),
    "false count": ("check", lambda line: line["check"].update(dreams=line["check"]["dreams"] + 1)),
    "false turn": ("check", lambda line: line["check"].update(turn="carl")),
    "false pending": ("check", lambda line: line["check"].update(pending="side")),
    "false hand": ("check", lambda line: line["check"]["table"]["hands"].update(anna=["chaos"] * 4)),
    "strange hand": ("check", lambda line: line["check"]["table"]["hands"].update(carl=[])),
    "false city": ("check", lambda line: line["check"]["table"]["rows"].__setitem__(0, None)),
    "false polarity": ("check", lambda line: line["check"]["table"].update(polarity={"anna": "water"})),
    "three rows": ("check", lambda line: line["check"]["table"]["rows"].pop()),
    "false result": ("result", lambda line: line["result"].update(reason="books")),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutated_records_are_refused_at_their_line(name):
    """Whatever is changed in one line refuses the record at this line, not before and not after."""
    key, change = MUTATIONS[name]
    for seed in range(0, 400, 7):  # games of one player, no Books
        lines = lines_of(2 * seed)
        indices = [i for i, line in enumerate(lines) if key in (line.get("do"), *line)]
        if indices:
            break
    changed = copy.deepcopy(lines)
    change(changed[indices[-1]])

    assert refused_at(lines) is None
    assert refused_at(changed) == indices[-1] + 1


@pytest.mark.parametrize(
    "change",
    [
        {"players": []},
        {"players": ["a", "b", "c"]},
        {"archiplaces": 1},
        {"books": ["agoraphilia", "agoraphilia"]},
        {"books": ["prophecy"]},
        {"books": ["bible"]},
        {"book_price": 3},
        {"paid": ["chaos"]},
        {"cities": ["earth-water"] * 11},
        {"cities": ["water-earth"] * 12},
        {"cities": ["archiplace"] * 12},
        {"dreams": ["chaos"] * 72},
        {"dreams": []},
        {"setup": "standard"},
    ],
)
def test_broken_headers_are_refused(change):
    """A header holds exactly its keys, and no card that no box holds."""
    assert refused_at([{**GAME.deal(random.Random(0), {}), **change}]) == 1


def test_checkpoints_compare_multisets_and_leave_out_what_is_unseen():
    """Cards of a side and of a hand come in any order, "?" matches any card."""
    lines = lines_of(4)
    for line in lines:
        if "check" in line:
            table = line["check"]["table"]
            table["t"], table["confidence"] = 3.5, {"discard": 0.5}
            table["rows"][0] = "?"
            for hand in table["hands"].values():
                hand.reverse()
                hand[0] = "?"
            for row in table["rows"][1:]:
                if row:
                    row["left"].reverse()
                    row["right"] = "?"
                    row["confidence"] = {"left": [0.9]}

    assert refused_at(lines) is None


@pytest.mark.parametrize(
    ("players", "is_closed", "is_counted"), [(1, True, False), (1, False, True), (2, True, True)]
)
def test_a_game_alone_with_the_decks_face_down_claims_no_number_of_dreams(players, is_closed, is_counted):
    """Between two looks there may have been a turn more; whoever has counted them may say so all the same."""
    headers = (GAME.deal(random.Random(seed), {"players": players}) for seed in range(20))
    header = next(h for h in headers if GAME.start(h).pending is None)
    state = GAME.start(GAME.public_header(header) if is_closed else header)
    full = GAME.checkpoint(GAME.start(header))

    claimed = GAME.checkpoint(state)

    assert full.keys() - claimed.keys() == (set() if is_counted else {"dreams", "discarded"})
    assert ("at most" in GAME.describe(state)) != is_counted
    GAME.check(state, full)
    assert "dreams" in GAME.checkpoint(replace(state, is_setup=True))


def test_any_card_of_the_last_discards_may_lie_on_top():
    """After a balance every card that it threw away may be seen on the pile, others may not."""
    header, actions, _ = play(9)
    state = GAME.start(header)
    seen = set()
    for action in actions:
        state, _ = GAME.apply(state, action)
        for card in {*state.last_discards}:
            GAME.check(state, {"table": {"discard": card}})
        seen.add(len(state.last_discards))
        other = next(c for c in ("chaos", "sanae-fire-1", *state.dreams) if c not in state.last_discards)
        with pytest.raises(MalformedError):
            GAME.check(state, {"table": {"discard": other}})
    assert max(seen) > 1


def test_the_pile_is_known_from_sight_whatever_the_order_of_a_hand():
    """Which of the cards thrown away at once lies on top no game tells; the referee has seen it."""
    header = GAME.deal(random.Random(3), {"players": 2})
    true = replace(GAME.start(header), discards=("chaos", "sanae-air-1"), last_discards=("sanae-air-1",))
    claimed = replace(true, hands=tuple(hand[::-1] for hand in true.hands), discards=("sanae-air-1", "chaos"))

    assert agrees(GAME, claimed, true, {Place("discard"): "sanae-air-1"})
    assert not agrees(GAME, claimed, true, {Place("discard"): "incubus-air-1"})
    assert not agrees(GAME, claimed, true)


def test_the_set_up_is_read_off_the_table():
    """Rows and hands show what was dealt; a placed Chaos card is found again as a choice of the set-up."""
    read = 0
    for seed in range(40):
        rng = random.Random(seed)
        header = GAME.deal(rng, {"players": 1 + seed % 2, "archiplaces": seed % 3 == 0})
        state = GAME.start(header)
        while state.is_setup:
            state, _ = GAME.apply(state, rng.choice(list(GAME.legal_actions(state))))
        if state.discards:
            continue
        options = {"players": header["players"], "archiplaces": header["archiplaces"]}
        picture = GAME.predict(state)
        found = GAME.start(GAME.header_from_table(picture, options))
        decision = GAME.explain(found, Query(picture=picture))
        if isinstance(decision, Accepted):
            for action in decision.actions:
                found, _ = GAME.apply(found, action)
        assert isinstance(GAME.explain(found, Query(picture=picture)), InStep | Ask)
        read += 1
    assert read > 20
    for change in ({"city:1": None}, {"dream:1:left:0": None, "dream:1:right:0": None}, {"discard": "chaos"}):
        with pytest.raises(MalformedError):
            GAME.header_from_table({**picture, **change}, options)
    with pytest.raises(MalformedError):
        GAME.header_from_table(picture, {**options, "books": 1})


def test_a_set_up_that_waits_for_a_chaos_card_is_read_off_the_table():
    """Whoever drew it has the cards drawn before it; it is laid down when the game goes on."""
    waiting = 0
    for seed in range(60):
        header = GAME.deal(random.Random(seed), {"players": 1 + seed % 2})
        state = GAME.start(header)
        if not state.is_setup or state.pending != "chaos":
            continue
        options = {"players": header["players"]}
        found = GAME.start(GAME.header_from_table(GAME.predict(state), options))
        # Chaos cards that lie in the rows were placed by somebody, so the set-up waits for the first of them.
        if all(row.count(CHAOS) == 0 for row in map(cards_of, state.rows)):
            assert isinstance(GAME.explain(found, Query(picture=GAME.predict(state))), InStep)
            waiting += 1
    assert waiting > 3


def cards_of(row):
    """Return the dreams on both sides of a row."""
    return (*row.side("left"), *row.side("right")) if row is not None else ()


@pytest.mark.parametrize("players", [1, 2])
def test_what_lies_there_before_a_game_has_begun(players):
    """Rows, sides and hands are told from where the cards lie, with nothing known of them."""
    for seed in range(10):
        header = GAME.deal(random.Random(seed), {"players": players})
        picture = GAME.predict(GAME.start(header))
        areas = careful(GAME, picture)
        seen = GAME.laid_out(
            {"players": header["players"]}, Observation(source="eye", seq=1, seen_at_s=0.0, areas=areas)
        )
        told = {where: sighting.value for where, sighting in seen.sightings.items()}
        assert known_from_areas(GAME, picture).items() <= told.items()


def test_readings_carry_their_confidence_beside_the_table():
    """A reading is a table state with time and confidences, and reads back as its picture."""
    picture = GAME.predict(play(8)[2])
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.9) for where, value in picture.items()
    }
    reading = GAME.format_reading(Observation(source="eye", seq=1, seen_at_s=2.5, sightings=sightings))

    assert reading["t"] == 2.5
    assert reading["confidence"]["city"]["0"] == 0.9
    assert GAME.parse_table(reading) == picture


def test_deal_knows_its_options():
    """Players, Books by number or name, Archiplaces, the price; anything else is refused."""
    deal = lambda **options: GAME.deal(random.Random(0), options)  # noqa: E731 -- a word for the lines below

    assert len(deal(books=3, book_price=4)["paid"]) == 12
    assert deal(books=["prophecy", "prophecy"])["books"] == ["prophecy", "prophecy"]
    assert len(deal(archiplaces=True)["cities"]) == 16
    assert deal(players=2)["players"] == ["anna", "ben"]
    for options in ({"players": 3}, {"books": 7}, {"book_price": 5}, {"archiplaces": 1}, {"tokens": 1}):
        with pytest.raises(MalformedError):
            deal(**options)
