"""Records: strict lines, headers, checkpoints, whole games that verify and broken ones that do not."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError, RecordError, RuleViolation
from companion.games.blue_moon_legends.actions import (
    Adjust,
    Announce,
    Bluff,
    Call,
    Count,
    Decline,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import CardId, catalogue
from companion.record.game_record import read_record, write_record
from tests.helpers.legends import GAME, playout, position, veiled

PLAYERS = st.sampled_from(["anna", "ben: the 2nd", "Ω"])
CARDS = st.sampled_from(sorted(catalogue().cards)).map(CardId)
HIDDEN = (
    st.lists(st.one_of(st.none(), CARDS), max_size=4)
    .map(tuple)
    .filter(lambda cards: len([c for c in cards if c]) == len({c for c in cards if c}))
)
PLACES = st.sets(st.integers(0, 9), max_size=3).map(sorted).map(tuple)
MORE = st.one_of(st.none(), st.integers(1, 3))
ACTIONS = st.one_of(
    st.builds(Retrieve, player=PLAYERS, card=CARDS),
    st.builds(Drop, player=PLAYERS, at=st.integers(0, 20)),
    st.builds(Unload, player=PLAYERS, ship=CARDS),
    st.builds(Lead, player=PLAYERS, card=CARDS),
    st.builds(Launch, player=PLAYERS, card=CARDS),
    st.builds(Decline, player=PLAYERS, cards=HIDDEN, more=MORE),
    st.builds(Retreat, player=PLAYERS, more=MORE),
    st.builds(Play, player=PLAYERS, card=CARDS, from_ship=st.booleans(), joins=st.booleans()),
    st.builds(Bluff, player=PLAYERS, card=st.one_of(st.none(), CARDS), from_ship=st.booleans()),
    st.builds(Load, player=PLAYERS, card=CARDS, ship=CARDS),
    st.builds(
        Use,
        player=PLAYERS,
        card=CARDS,
        cards=HIDDEN,
        backs=PLACES,
        number=st.one_of(st.none(), st.integers(1, 9)),
        ship=st.one_of(st.none(), CARDS),
    ),
    st.builds(Pay, player=PLAYERS, card=CARDS, cards=HIDDEN),
    st.builds(Reveal, player=PLAYERS, cards=HIDDEN),
    st.builds(Double, player=PLAYERS, card=CARDS, target=CARDS),
    st.builds(Adjust, player=PLAYERS, card=CARDS, fire=st.integers(-9, 9), earth=st.integers(-9, 9)),
    st.builds(Announce, player=PLAYERS, element=st.sampled_from(["fire", "earth"]), total=st.integers(0, 99)),
    st.builds(Call, player=PLAYERS, cards=HIDDEN, is_true=st.booleans()),
    st.builds(Trust, player=PLAYERS),
    st.builds(End, player=PLAYERS),
    st.builds(Count, player=PLAYERS, number=st.integers(1, 24)),
)


def record(seed, decks, *, checkpoints=True, hide=False):
    """Return the lines of a random game's record."""
    rng = random.Random(seed)
    header = GAME.deal(rng, {"decks": decks})
    steps = list(playout(rng, header))
    actions = [veiled(before, action) if hide else action for before, action, _, _ in steps]
    stream = io.StringIO()
    shown = GAME.public_header(header) if hide else header
    write_record(stream, GAME, shown, actions, checkpoints=checkpoints)
    return stream.getvalue().splitlines()


@given(ACTIONS)
def test_lines_read_as_they_were_written(action):
    """Formatting and parsing are inverse."""
    assert action == GAME.parse_action(json.loads(json.dumps(GAME.format_action(action))))


@given(ACTIONS, st.data())
def test_lines_with_missing_or_unknown_keys_are_refused(action, data):
    """Every key is there and no other; only how many cards nobody counted is left out where all were."""
    line = GAME.format_action(action)
    key = data.draw(st.sampled_from(sorted(line.keys() - {"more"})))

    with pytest.raises(MalformedError):
        GAME.parse_action({other: value for other, value in line.items() if other != key})
    with pytest.raises(MalformedError):
        GAME.parse_action({**line, "colour": "red"})


@pytest.mark.parametrize(
    "line",
    [
        {"player": "a", "do": "dance"},
        {"player": "", "do": "retreat"},
        {"player": "a", "do": "lead", "card": "vulca-99"},
        {"player": "a", "do": "drop", "at": True},
        {"player": "a", "do": "decline", "cards": ["vulca-01", "vulca-01"]},
        {"player": "a", "do": "play", "card": "vulca-01", "from": "deck", "join": False},
        {"player": "a", "do": "play", "card": "vulca-01", "from": "hand", "join": 0},
        {"player": "a", "do": "power", "element": "water", "total": 3},
        {
            "player": "a",
            "do": "use",
            "card": "vulca-14",
            "cards": [],
            "backs": [2, 1],
            "number": None,
            "ship": None,
        },
        {"player": "a", "do": "use", "card": "vulca-14", "cards": [], "backs": [], "number": 0, "ship": None},
        {"player": "a", "do": "call", "cards": [None], "true": 1},
    ],
)
def test_wrong_values_are_refused(line):
    """Unknown words, cards and shapes."""
    with pytest.raises(MalformedError):
        GAME.parse_action(line)


def header(**changes):
    """Return a good header with changes."""
    return {**GAME.deal(random.Random(3), {"decks": "vulca,hoax", "players": ["a", "b"]}), **changes}


def without(cards, card):
    """Return an order without a card."""
    return [each for each in cards if each != card]


@pytest.mark.parametrize(
    "changes",
    [
        {"players": ["a"]},
        {"players": ["a", "a"]},
        {"decks": {"a": "vulca", "b": "vulca"}},
        {"decks": {"a": "vulca", "b": "dwarves"}},
        {"decks": {"a": "vulca"}},
        {"order": {"a": None}},
        {"order": {"a": ["vulca-01"], "b": None}},
        {"order": {"a": ["hoax-01"] * 30, "b": None}},
        {"order": {"a": [*["vulca-01"] * 2, *[None] * 28], "b": None}},
        {"shuffles": {"a": [[None] * 30], "b": None}},
        {"corrections": {"vulca-99": {}}},
        {"corrections": {"vulca-01": {"water": 3}}},
        {"corrections": {"vulca-01": {"fire": -1}}},
        {"corrections": {"vulca-01": {"power": {"when": "continuous"}}}},
        {"weather": "fine"},
    ],
)
def test_wrong_headers_are_refused(changes):
    """Two players, two different decks, whole orders."""
    with pytest.raises(MalformedError):
        GAME.start(header(**changes))


def test_unknown_options_are_refused():
    """Decks and players are all there is to choose."""
    for options in (
        {"edition": "2004"},
        {"decks": "vulca"},
        {"decks": "vulca,vulca"},
        {"decks": "vulca,elves"},
    ):
        with pytest.raises(MalformedError):
            GAME.deal(random.Random(1), options)


def test_decks_are_chosen_by_name():
    """``--decks A,B`` of the command line."""
    made = GAME.deal(random.Random(1), {"decks": "Buka, aqua", "players": ("x", "y")})

    assert {"x": "buka", "y": "aqua"} == made["decks"]
    assert made == GAME.deal(random.Random(1), {"decks": ["buka", "aqua"], "players": ["x", "y"]})


def test_broken_records_are_refused_at_their_line():
    """A wrong card, wrong player, wrong total, false checkpoint, missing line: each at its number."""
    lines = record(7, "vulca,hoax")
    broken = []
    for number, text in enumerate(lines):
        line = json.loads(text)
        if line.get("do") == "play":
            other = "hoax-01" if line["player"] == "vulca" else "vulca-01"
            broken.append((number, {**line, "card": other}))
            broken.append((number, {**line, "player": "vulca" if line["player"] == "hoax" else "hoax"}))
        elif line.get("do") == "power":
            broken.append((number, {**line, "total": line["total"] + 1}))
        elif "check" in line:
            check = line["check"]
            broken.append((number, {"check": {**check, "dragons": {**check["dragons"], "vulca": 4}}}))
            broken.append((number, {"check": {**check, "totals": {"vulca": {"fire": 77, "earth": 0}}}}))
            table = {**check["table"], "combat": {**check["table"]["combat"], "vulca": ["hoax-01"]}}
            broken.append((number, {"check": {"table": table}}))

    assert len(broken) > 40
    for number, line in broken[::3]:
        changed = [*lines[:number], json.dumps(line), *lines[number + 1 :]]
        with pytest.raises(RecordError) as caught:
            read_record(changed)
        assert number + 1 == caught.value.line


def test_a_line_left_out_is_refused_soon_after():
    """The state before a skipped announcement does not fit the next line."""
    lines = record(7, "vulca,hoax", checkpoints=False)
    at = next(number for number, text in enumerate(lines) if '"power"' in text)

    with pytest.raises(RecordError) as caught:
        read_record([*lines[:at], *lines[at + 1 :]])
    assert at + 1 == caught.value.line


def test_unseen_cards_have_no_place_in_an_open_record():
    """Where all cards are known, they are named."""
    state = GAME.start(header())

    with pytest.raises(Exception, match="named"):
        GAME.apply(state, Decline(player="a", cards=(None,)))


def test_an_onlooker_who_knows_a_whole_hand_need_not_know_what_leaves_it():
    """Of two cards taken back with an empty deck one is discarded face down: null, as ever."""
    closed = GAME.start(GAME.public_header(header(decks={"a": "hoax", "b": "vulca"})))
    known = position("hoax,vulca", a={"hand": ["hoax-19", "hoax-24"], "only": []})
    state = replace(known, setup=closed.setup)
    after, _ = GAME.apply(state, Decline(player="a", cards=(None,)))

    assert (None,) == after.sides[0].hand
    with pytest.raises(RuleViolation, match="named"):
        GAME.apply(known, Decline(player="a", cards=(None,)))


def test_a_header_may_say_of_both_decks_at_once_that_nobody_knows_their_order():
    closed = GAME.public_header(header(decks={"a": "hoax", "b": "vulca"}))

    assert GAME.start({**closed, "order": None, "shuffles": None}) == GAME.start(closed)
