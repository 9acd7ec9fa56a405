"""Records: the samples verify, closed versions too, and every mutation is refused at its line."""

import copy
import json
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import RecordError
from companion.games.blue_moon_city.actions import Contribute, End
from companion.record.game_record import Record, read_record, verify
from tests.helpers.city_scene import GAME
from tests.helpers.city_veil import closed_header, hidden, random_header
from tests.helpers.golden import golden_records

Lines = list[dict[str, Any]]
COUNTS = ("scales", "crystals", "markers", "hand_counts")


@lru_cache(maxsize=64)
def game_text(seed: int, most: int = 10_000) -> tuple[str, ...]:
    """Return the lines of a random open game with a checkpoint after every turn."""
    rng = random.Random(seed)
    header = random_header(rng)
    state = GAME.start(header)
    choose = GAME.random_player(rng)
    lines: Lines = [header]
    while state.outcome is None and len(lines) < most:
        action = GAME.with_chance(state, choose(state), rng)
        state, _ = GAME.apply(state, action)
        lines.append(GAME.format_action(action))
        if isinstance(action, End):
            lines.append({"check": GAME.checkpoint(state)})
    if state.outcome is not None:
        lines += [{"check": GAME.checkpoint(state)}, {"result": GAME.result(state)}]
    return tuple(json.dumps(line) for line in lines)


def game_lines(seed: int, most: int = 10_000) -> Lines:
    return [json.loads(line) for line in game_text(seed, most)]


def read(lines: Lines) -> Record:
    return read_record([json.dumps(line) for line in lines])


def refused_at(lines: Lines | list[str]) -> RecordError:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    with pytest.raises(RecordError) as caught:
        read_record(texts)
    return caught.value


# -- sound records ----------------------------------------------------------------------------------------


def test_the_sample_records_verify() -> None:
    """Each sample game verifies with every checkpoint, to its result."""
    for path in golden_records("bmc-*.jsonl"):
        verdict = verify(path)

        assert verdict.ok, verdict
        assert verdict.result is not None


def test_closed_versions_of_the_samples_verify() -> None:
    """The same games with all cards hidden, or some of them: nothing is refused, the checkpoints fit."""
    for path in golden_records("bmc-*.jsonl"):
        for keep in (0.0, 0.5, 1.0):
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]

            assert read(closed_version(lines, random.Random(1), keep)).result == lines[-1]["result"]


def closed_version(lines: Lines, rng: random.Random, keep: float) -> Lines:
    """Return the record as those would write it who see no hands."""
    header, *rest = lines
    return [closed_header(header), *(_hidden_line(line, rng, keep) for line in rest)]


def _hidden_line(line: dict[str, Any], rng: random.Random, keep: float) -> dict[str, Any]:
    return GAME.format_action(hidden(GAME.parse_action(line), rng, keep)) if "do" in line else line


@given(st.integers(0, 300), st.sampled_from([0.0, 0.4, 1.0]))
def test_random_games_verify_open_and_closed(seed: int, keep: float) -> None:
    """Every random game's record verifies, and what a table shows of it verifies too."""
    lines = game_lines(seed, 150)

    assert len(read(lines).actions) == sum("do" in line for line in lines)
    assert read(closed_version(lines, random.Random(seed), keep)).result == lines[-1].get("result")


@pytest.mark.slow
def test_whole_random_games_verify_open_and_closed() -> None:
    """To the result, each with a checkpoint a turn."""
    for seed in range(15):
        lines = game_lines(seed)

        assert read(lines).result == lines[-1]["result"]
        assert read(closed_version(lines, random.Random(seed), 0.3)).result == lines[-1]["result"]


@given(st.integers(0, 300), st.sampled_from([0.0, 0.4, 1.0]))
def test_what_is_parsed_prints_itself(seed: int, keep: float) -> None:
    """Every action's line is the line of the action that it is parsed as."""
    lines = closed_version(game_lines(seed, 150), random.Random(seed), keep)

    for line in [*game_lines(seed, 150), *lines]:
        if "do" in line:
            assert GAME.format_action(GAME.parse_action(line)) == line


# -- mutated records --------------------------------------------------------------------------------------


def numbered(lines: Lines, doing: str) -> list[int]:
    return [number for number, line in enumerate(lines) if line.get("do") == doing]


def wrong_player(lines: Lines, rng: random.Random) -> int:
    """Another player's name on an action."""
    at = rng.choice([n for n, line in enumerate(lines) if "do" in line])
    others = [name for name in lines[0]["players"] if name != lines[at]["player"]]
    lines[at]["player"] = rng.choice([*others, "nobody"])
    return at


def wrong_card(lines: Lines, rng: random.Random) -> int:
    """A discarded card that is not in the hand: nobody holds a Khind of value 2."""
    at = rng.choice(numbered(lines, "end"))
    lines[at]["discard"] = ["khind-2"]
    return at


def other_card(lines: Lines, rng: random.Random) -> int:
    """A contribution paid with a card of a people that does not count there."""
    plain = [
        n
        for n in numbered(lines, "contribute")
        if lines[n]["cards"] and not lines[n]["recolour"] and lines[n]["colour"] != "aqua"
    ]
    at = rng.choice(plain)
    lines[at]["cards"][0] = "aqua-3"
    return at


def wrong_box(lines: Lines, rng: random.Random) -> int:
    """A box that the tile does not have."""
    at = rng.choice(numbered(lines, "contribute"))
    lines[at]["box"] = 4
    return at


def taken_box(lines: Lines, rng: random.Random) -> int:
    """The same contribution twice: the box is taken, or the building built."""
    at = rng.choice(numbered(lines, "contribute"))
    lines.insert(at + 1, copy.deepcopy(lines[at]))
    return at + 1


def skipped_reset(lines: Lines, rng: random.Random) -> int:
    """A turn without its end: the next player acts out of turn, or the checkpoint differs."""
    at = rng.choice(numbered(lines, "end")[:-1])
    del lines[at]
    return at


def doubled_reset(lines: Lines, rng: random.Random) -> int:
    """The same player ends the turn twice."""
    at = rng.choice(numbered(lines, "end"))
    lines.insert(at + 1, {"player": lines[at]["player"], "do": "end", "discard": []})
    return at + 1


def long_walk(lines: Lines, rng: random.Random) -> int:
    """A walk that goes on through its own start beyond its steps."""
    at = rng.choice(numbered(lines, "move"))
    lines[at]["path"] = lines[at]["path"] + list(reversed(lines[at]["path"])) * 4
    return at


def diagonal_walk(lines: Lines, rng: random.Random) -> int:
    """A first step to a cell that is no neighbour."""
    at = rng.choice(numbered(lines, "move"))
    row = int(lines[at]["path"][0].partition(",")[0])
    lines[at]["path"].insert(0, "4,1" if row < 2 else "0,3")
    return at


def wrong_reshuffle(lines: Lines, rng: random.Random) -> int:
    """A reshuffle that is not due."""
    due = [n for n in numbered(lines, "end") if "reshuffle" not in lines[n]]
    at = rng.choice(due)
    lines[at]["reshuffle"] = ["aqua-1"]
    return at


def unknown_key(lines: Lines, rng: random.Random) -> int:
    """A key that no action has."""
    at = rng.choice([n for n, line in enumerate(lines) if "do" in line])
    lines[at]["colours"] = []
    return at


def missing_key(lines: Lines, rng: random.Random) -> int:
    """An action without one of its keys."""
    at = rng.choice([n for n, line in enumerate(lines) if "do" in line])
    lines[at].pop(rng.choice([k for k in lines[at] if k != "reshuffle"]))
    return at


def unseen_card(lines: Lines, rng: random.Random) -> int:
    """A card not named although the game is open."""
    at = rng.choice(numbered(lines, "end"))
    lines[at]["discard"] = None
    return at


def odd_number(lines: Lines, rng: random.Random) -> int:
    """A box as a string or a truth value."""
    at = rng.choice(numbered(lines, "contribute"))
    lines[at]["box"] = rng.choice([str(lines[at]["box"]), True, None])
    return at


def false_count(lines: Lines, rng: random.Random) -> int:
    """A checkpoint with one count changed by one."""
    at = rng.choice([n for n, line in enumerate(lines) if "check" in line])
    check = lines[at]["check"]
    key = rng.choice([*COUNTS, "supply_scales"])
    if key == "supply_scales":
        check[key] += rng.choice((-1, 1))
    else:
        check[key][rng.choice(list(check[key]))] += rng.choice((-1, 1))
    return at


def false_built(lines: Lines, rng: random.Random) -> int:
    """A checkpoint with a building too many or too few."""
    at = rng.choice([n for n, line in enumerate(lines) if "check" in line])
    built = lines[at]["check"]["built"]
    if built:
        built.remove(rng.choice(built))
    else:
        built.append("mill")
    return at


def false_table(lines: Lines, rng: random.Random) -> int:
    """A checkpoint whose table shows one place otherwise."""
    at = rng.choice([n for n, line in enumerate(lines) if "check" in line])
    table = lines[at]["check"]["table"]
    match rng.choice(["cells", "side", "boxes", "pawns", "dragons", "obelisk", "discard"]):
        case "cells":
            table["cells"]["0,1"] = None
        case "side":
            table["cells"]["2,2"]["side"] = "sketch"
        case "boxes" if table["boxes"]:
            cell = rng.choice(list(table["boxes"]))
            owner = table["boxes"][cell][0]
            table["boxes"][cell][0] = None if owner else lines[0]["players"][0]
        case "pawns":
            name = rng.choice(list(table["pawns"]))
            table["pawns"][name] = "0,1" if table["pawns"][name] != "0,1" else None
        case "dragons":
            table["dragons"]["fire"] = "0,1" if table["dragons"]["fire"] != "0,1" else None
        case "obelisk":
            table["obelisk"][12] = lines[0]["players"][0]
        case _:
            table["discard"] = "khind-1" if table["discard"] != "khind-1" else "aqua-1"
    return at


def false_result(lines: Lines, rng: random.Random) -> int:
    """Another winner, reason or draw."""
    result = lines[-1]["result"]
    key, value = rng.choice(
        [
            ("winners", [] if result["winners"] else [lines[0]["players"][0]]),
            ("reason", "offerings" if result["reason"] != "offerings" else "stalemate"),
            ("draw", not result["draw"]),
            ("draw", int(result["draw"])),
        ]
    )
    result[key] = value
    return len(lines) - 1


def early_result(lines: Lines, rng: random.Random) -> int:
    """A result before the deciding action."""
    last = max(n for n, line in enumerate(lines) if "do" in line)
    at = rng.randint(1, last)
    lines.insert(at, lines[-1])
    return at


def action_after_the_end(lines: Lines, rng: random.Random) -> int:
    """One more action instead of the result, or anything behind it."""
    more = {"player": lines[0]["players"][0], "do": "end", "discard": []}
    at = len(lines) - rng.choice((0, 1))
    lines.insert(at, more)
    return at


MUTATIONS: tuple[Callable[[Lines, random.Random], int], ...] = (
    wrong_player,
    wrong_card,
    other_card,
    wrong_box,
    taken_box,
    doubled_reset,
    long_walk,
    diagonal_walk,
    wrong_reshuffle,
    unknown_key,
    missing_key,
    unseen_card,
    odd_number,
    false_count,
    false_built,
    false_table,
    false_result,
    early_result,
    action_after_the_end,
)


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda m: m.__name__)
def test_a_mutated_record_is_refused_at_its_line(mutate: Callable[[Lines, random.Random], int]) -> None:
    """Each kind of fault, at several places of several games, refuses the record at that very line."""
    for seed in range(3):
        for attempt in range(4):
            lines = game_lines(seed)
            at = mutate(lines, random.Random(attempt))

            error = refused_at(lines)

            assert (error.line, bool(error.state)) == (at + 1, True), (mutate.__name__, seed, attempt, error)


def test_a_skipped_reset_is_refused_at_the_next_line() -> None:
    """Without the end of a turn the checkpoint after it differs, or the next player acts out of turn."""
    for seed in range(3):
        for checks in (True, False):
            lines = [line for line in game_lines(seed) if checks or "check" not in line]
            at = skipped_reset(lines, random.Random(seed))

            assert refused_at(lines).line == at + 1


def test_mutated_samples_are_refused_at_their_lines() -> None:
    """The same faults in the sample games, a few in each."""
    paths = golden_records("bmc-*.jsonl")
    for number, path in enumerate(paths):
        sound = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for mutate in MUTATIONS[number :: min(6, len(paths))]:
            lines = copy.deepcopy(sound)
            at = mutate(lines, random.Random(7))

            assert refused_at(lines).line == at + 1, (path.name, mutate.__name__)


def texts_with(lines: Lines, at: int, text: str) -> list[str]:
    texts = [json.dumps(line) for line in lines]
    texts[at] = text
    return texts


@pytest.mark.parametrize("cut", [1, 10, 25])
def test_a_cut_line_is_refused(cut: int) -> None:
    """A line that ends too early."""
    lines = game_lines(1)
    for at in (0, 5, len(lines) - 1):
        assert refused_at(texts_with(lines, at, json.dumps(lines[at])[:-cut])).line == at + 1


def test_double_keys_and_floats_are_refused() -> None:
    """A key twice, a number with a point, in any kind of line."""
    lines = game_lines(1)
    for at, line in enumerate(lines[:12]):
        text = json.dumps(line)
        key = next(iter(line))
        doubled = f'{{"{key}": 0, {text[1:]}'

        assert refused_at(texts_with(lines, at, doubled)).line == at + 1
    at = numbered(lines, "contribute")[0]
    floating = json.dumps({**lines[at], "box": 1.0})
    assert refused_at(texts_with(lines, at, floating)).line == at + 1


def test_a_removed_line_is_noticed() -> None:
    """Without a contribution the record is refused soon after; never before the missing line."""
    for seed in range(3):
        lines = game_lines(seed)
        at = numbered(lines, "contribute")[seed]
        del lines[at]

        assert refused_at(lines).line >= at + 1


def test_illegal_lines_name_their_rule_and_state() -> None:
    """A broken rule comes with its id and the state before the line."""
    lines = game_lines(2)
    wrong_box(lines, random.Random(2))

    error = refused_at(lines)

    assert error.rule == "contribute.no_such_box"
    assert error.state.startswith("turn ")


def test_an_unfinished_record_is_sound() -> None:
    """A record may stop anywhere; it then has no result."""
    lines = game_lines(4)
    for length in (1, 2, 30, len(lines) - 1):
        assert read(lines[:length]).result is None


# -- checkpoints ------------------------------------------------------------------------------------------


def with_check(check: dict[str, Any], *, steps: int = 40) -> Lines:
    lines = [line for line in game_lines(5) if "check" not in line][:steps]
    return [*lines, {"check": check}]


def test_keys_of_a_checkpoint_may_be_left_out() -> None:
    """What is there is checked, what is not is not; players of a count too."""
    full = GAME.checkpoint(read(with_check({})).state)
    first = next(iter(full["scales"]))
    for key in full:
        assert read(with_check({key: full[key]}))
    assert read(with_check({"scales": {first: full["scales"][first]}}))
    assert read(with_check({"built": list(reversed(full["built"]))}))
    for table in ({}, {"t": 3.5}, {"cells": {}}, {"pawns": {}}, {"obelisk": ["?"] * 13}, {"boxes": {}}):
        assert read(with_check({"table": table}))


@pytest.mark.parametrize(
    "check",
    [
        {"scale": {}},
        {"scales": 3},
        {"scales": {"nobody": 1}},
        {"supply_scales": "7"},
        {"supply_scales": True},
        {"built": "mill"},
        {"built": ["courtyard"]},
        {"table": {"cell": {}}},
        {"table": {"cells": {"0,0": None}}},
        {"table": {"cells": {"2,2": {"tile": "courtyard"}}}},
        {"table": {"cells": {"2,2": {"tile": "bakery", "side": "built"}}}},
        {"table": {"boxes": {"0,1": "purple"}}},
        {"table": {"boxes": {"2,2": [None]}}},
        {"table": {"dragons": {"ice": None}}},
        {"table": {"obelisk": [None]}},
        {"table": {"discard": "joker"}},
        {"table": {"pawns": {"nobody": "2,2"}}},
        {"table": {"pawns": []}},
    ],
)
def test_odd_checkpoints_are_refused(check: dict[str, Any]) -> None:
    """Unknown keys, players, tiles and places, and values of the wrong kind."""
    assert refused_at(with_check(check)).line == 41


def test_equal_obelisk_boxes_are_interchangeable() -> None:
    """Ruling 23: in a checkpoint's table markers on boxes of equal value may have changed places."""
    found = 0
    for seed in range(12):
        lines = game_lines(seed)
        for number, line in enumerate(lines):
            obelisk = line["check"]["table"]["obelisk"] if "check" in line else []
            if obelisk and obelisk[2] != obelisk[3]:
                obelisk[2], obelisk[3] = obelisk[3], obelisk[2]
                read(lines[: number + 1])
                obelisk[3], obelisk[4] = obelisk[4], obelisk[3]
                if obelisk[3] != obelisk[4]:
                    assert refused_at(lines[: number + 1]).line == number + 1
                found += 1
                break

    assert found > 5


def test_a_contribution_in_part_seen_is_refused_only_for_what_is_certain() -> None:
    """Closed: cards named are checked, cards not named are not."""
    rng = random.Random(3)
    header = random_header(rng)
    lines = [closed_header(header)]
    state = GAME.start(header)
    choose = GAME.random_player(rng)
    while state.outcome is None:
        action = GAME.with_chance(state, choose(state), rng)
        lines.append(GAME.format_action(hidden(action, rng, 0)))
        state, _ = GAME.apply(state, action)
        if isinstance(action, Contribute):
            break
    lines[-1]["pairs"] = [["mimix-1", "mimix-3"]]

    assert refused_at(lines).rule == "contribute.no_pair"
