"""The command line without devices: play, verify, replay, explain, their output and exit status."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from tests.helpers.city_scene import GAME
from tests.helpers.city_veil import closed_header, hidden
from tests.helpers.golden import golden_records


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Return exit status, standard output and standard error of one command."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out, said.err


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    """Return the one JSON document of a command that succeeds."""
    status, out, err = run(capsys, *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    document: dict[str, Any] = json.loads(out)
    return document


@pytest.fixture
def record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A whole random game of two, played by the command."""
    path = tmp_path / "game.jsonl"
    status, _, _ = run(
        capsys, "play", "--players", "2", "--edition", "kosmos-2006", "--seed", "5", "--record", path
    )
    assert status == 0
    return path


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def checks(lines: list[dict[str, Any]]) -> list[int]:
    return [number for number, line in enumerate(lines) if "check" in line]


# -- play, verify, replay ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["kosmos-2006", "cmon-2019"])
@pytest.mark.parametrize("setup", ["standard", "variant"])
def test_what_is_played_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], players: int, edition: str, setup: str
) -> None:
    """A random game of each kind is written whole, with its result, and verifies."""
    path = tmp_path / "game.jsonl"
    words = ("--players", str(players), "--edition", edition, "--setup", setup, "--seed", "11")

    played = told(capsys, "play", *words, "--record", path)
    verified = told(capsys, "verify", path)

    first, *_, last = lines_of(path)
    assert (first["edition"], first["setup"], len(first["players"])) == (edition, setup, players)
    assert played["result"] == last["result"]
    assert verified == {
        "files": [
            {
                "file": str(path),
                "ok": True,
                "line": None,
                "error": None,
                "rule": None,
                "state": "",
                "result": last["result"],
            }
        ]
    }


def test_the_same_seed_gives_the_same_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte; another seed gives another one; nothing half-written is left."""
    one, other, third = (tmp_path / name for name in ("one", "other", "third"))
    for path, seed in ((one, "3"), (other, "3"), (third, "4")):
        run(capsys, "play", "--players", "3", "--seed", seed, "--record", path)

    assert one.read_bytes() == other.read_bytes() != third.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"one", "other", "third"}


def test_a_refused_record_is_told_with_file_line_and_rule(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1; on standard error the file, the line, the rule and the state; in JSON the same."""
    lines = lines_of(record)
    at = next(number for number, line in enumerate(lines) if line.get("do") == "contribute")
    lines[at]["box"] = 9
    write(record, lines)

    status, out, err = run(capsys, "verify", record, "--json")

    assert status == 1
    assert f"{record}:{at + 1}:" in err
    assert "contribute.no_such_box" in err
    assert "turn" in err
    (verdict,) = json.loads(out)["files"]
    assert (verdict["ok"], verdict["line"], verdict["rule"]) == (False, at + 1, "contribute.no_such_box")


def test_several_files_are_judged_each(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One refused file makes the exit status 1; the others are still told."""
    status, out, err = run(capsys, "verify", record, tmp_path / "missing", "--json")

    assert status == 1
    assert [verdict["ok"] for verdict in json.loads(out)["files"]] == [True, False]
    assert "missing" in err
    plain = run(capsys, "verify", record)
    assert plain[0] == 0
    assert str(record) in plain[1]


def test_replay_gives_the_state_after_the_last_line(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The checkpoint of the last line and the result; of an unfinished record no result."""
    lines = lines_of(record)
    number = checks(lines)[7]

    whole = told(capsys, "replay", record)
    part = told(capsys, "replay", write(record.with_name("part"), lines[: number + 1]))

    assert whole["result"] == lines[-1]["result"]
    assert part == {"state": lines[number]["check"], "result": None}
    assert run(capsys, "replay", record)[0] == 0


def test_a_record_that_is_refused_cannot_be_replayed(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1 with file and line."""
    record.write_bytes(record.read_bytes()[:-20])

    status, out, err = run(capsys, "replay", record, "--json")

    assert (status, out) == (1, "")
    assert f"{record}:{len(lines_of_text(record))}:" in err


def lines_of_text(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("play",),
        ("verify",),
        ("explain", "--record", "x"),
        ("dance",),
        ("play", "--players", "two", "--record", "x"),
        ("play", "--game", "chess", "--record", "x"),
    ],
)
def test_wrong_usage_ends_with_2(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown commands, missing or impossible options."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))

    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--help",), ("play", "--help"), ("verify", "-h"), ("explain", "-h")])
def test_help_suffices(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Help goes to standard output and ends well."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))

    assert ended.value.code == 0
    assert "usage" in capsys.readouterr().out


def test_impossible_games_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five players, an unknown edition: refused with the reason, no file left."""
    for words in (("--players", "5"), ("--edition", "1999")):
        status, _, err = run(capsys, "play", *words, "--record", tmp_path / "none.jsonl")

        assert status == 1
        assert err.startswith("moontable: ")
    assert list(tmp_path.iterdir()) == []


# -- explain ----------------------------------------------------------------------------------------------


def asked(
    capsys: pytest.CaptureFixture[str], folder: Path, lines: list[dict[str, Any]], table: dict[str, Any]
) -> dict[str, Any]:
    """Return the decision for a table after these lines."""
    path = write(folder / "part.jsonl", lines)
    (folder / "table.json").write_text(json.dumps(table, indent=1), "utf-8")
    return told(capsys, "explain", "--record", path, "--table", folder / "table.json")


def turns(lines: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Return the numbers of the checkpoints before and after each turn."""
    numbers = checks(lines)
    return list(pairwise(numbers))


@pytest.mark.parametrize("veiled", [False, True])
def test_the_next_turn_is_explained(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], veiled: bool
) -> None:
    """The table of the next checkpoint: accepted with that turn's contributions, or in step."""
    lines = lines_of(record)
    if veiled:
        rng = random.Random(1)
        lines = [closed_header(lines[0]), *(_veiled(line, rng) for line in lines[1:])]
    kinds: dict[str, int] = {}
    for first, second in turns(lines)[::5]:
        decision = asked(capsys, tmp_path, lines[: first + 1], lines[second]["check"]["table"])
        kinds[decision["decision"]] = kinds.get(decision["decision"], 0) + 1

        assert set(decision) == {"decision", "actions", "choices", "rule", "fixes", "text"}
        if decision["decision"] == "accepted":
            played = [
                (a["do"], a.get("box"))
                for a in lines[first + 1 : second]
                if a["do"] in ("contribute", "offer")
            ]
            found = [
                (a["do"], a.get("box")) for a in decision["actions"] if a["do"] in ("contribute", "offer")
            ]
            assert sorted(played, key=str) == sorted(found, key=str)
    assert kinds["accepted"] > sum(kinds.values()) / 2
    assert kinds.get("out_of_step", 0) <= 1


def _veiled(line: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    return GAME.format_action(hidden(GAME.parse_action(line), rng, 0.3)) if "do" in line else line


def test_accepted_actions_go_on_in_a_closed_record(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is accepted can be written behind a closed record, which then verifies at the next checkpoint."""
    lines = lines_of(record)
    rng = random.Random(1)
    veiled = [closed_header(lines[0]), *(_veiled(line, rng) for line in lines[1:])]
    tried = 0
    for first, second in turns(veiled)[1:40:6]:
        decision = asked(capsys, tmp_path, veiled[: first + 1], veiled[second]["check"]["table"])
        if decision["decision"] != "accepted":
            continue
        end = {"player": veiled[second - 1]["player"], "do": "end", "discard": None}
        longer = [*veiled[: first + 1], *decision["actions"], end, veiled[second]]

        assert told(capsys, "verify", write(tmp_path / "longer.jsonl", longer))["files"][0]["ok"]
        tried += 1
    assert tried > 2


def test_a_table_in_step(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table of the last line: in step, no actions, no fixes."""
    lines = lines_of(record)
    number = checks(lines)[4]

    decision = asked(capsys, tmp_path, lines[: number + 1], lines[number]["check"]["table"])

    assert decision["decision"] == "in_step"
    assert (decision["actions"], decision["choices"], decision["rule"], decision["fixes"]) == (
        [],
        [],
        None,
        [],
    )


def test_a_fault_is_told_with_rule_and_fixes(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dragon put into the city without a card: out of step, the rule's id, what to put back."""
    lines = lines_of(record)
    number = next(n for n in checks(lines)[4:] if lines[n]["check"]["table"]["discard"] is not None)
    table = json.loads(json.dumps(lines[number]["check"]["table"]))
    table["dragons"]["fire"] = "4,1" if table["dragons"]["fire"] != "4,1" else "4,2"

    decision = asked(capsys, tmp_path, lines[: number + 1], table)

    assert (decision["decision"], decision["rule"]) == ("out_of_step", "dragon.no_card")
    (fix,) = decision["fixes"]
    assert (fix["place"], fix["seen"]) == ("dragon:fire", table["dragons"]["fire"])
    assert fix["wanted"] == lines[number]["check"]["table"]["dragons"]["fire"]
    assert decision["text"].endswith(".")


def test_a_lifted_piece_is_waited_for_and_words_say_so(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure off the city: waiting; without --json the decision is told in words."""
    lines = lines_of(record)
    number = checks(lines)[4]
    table = json.loads(json.dumps(lines[number]["check"]["table"]))
    table["pawns"]["white"] = None

    assert asked(capsys, tmp_path, lines[: number + 1], table)["decision"] == "waiting"
    words = ("explain", "--record", tmp_path / "part.jsonl", "--table", tmp_path / "table.json")
    status, out, _ = run(capsys, *words)
    assert status == 0
    assert out.startswith("waiting: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"cells": {"9,9": null}}', "unknown key '9,9'"),
        ('{"dragons": {"fire": "0,0"}}', "fire"),
        ('{\n"pawns": }', ":2: not JSON"),
        ("[]", "object"),
        ('{"obelisk": [null]}', "obelisk"),
        ('{"pawns": {"purple": "2,2"}, "pawns": {}}', "twice"),
    ],
)
def test_an_odd_table_is_refused_with_its_file(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    """Exit status 1; standard error names the file, the line of broken text, and the reason."""
    table = tmp_path / "odd.json"
    table.write_text(text, "utf-8")

    status, out, err = run(capsys, "explain", "--record", record, "--table", table, "--json")

    assert (status, out) == (1, "")
    assert str(table) in err
    assert reason in err


def test_missing_files_are_named(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record or table that is not there."""
    for words in (
        ("explain", "--record", record, "--table", tmp_path / "nowhere.json"),
        ("explain", "--record", tmp_path / "nowhere.json", "--table", record),
        ("replay", tmp_path / "nowhere.json"),
    ):
        status, _, err = run(capsys, *words)

        assert status == 1
        assert "nowhere.json" in err


def test_the_samples_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """All sample records in one call."""
    paths = golden_records("bmc-*.jsonl")[:3]

    assert all(verdict["ok"] for verdict in told(capsys, "verify", *paths)["files"])
