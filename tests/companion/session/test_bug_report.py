"""Reports of something misread."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.loose_pieces import LoosePiece
from companion.observation import Observation, Sighting
from companion.session.bug_report import (
    BugReport,
    format_observation,
    parse_observation,
    read_report,
    replay,
    write_report,
)
from companion.session.rulings import Rulings
from companion.table import Place
from tests.helpers.toy_game import GAME, Act
from tests.helpers.toy_play import HEADER, played

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
pieces = st.builds(
    LoosePiece,
    face=st.none() | words,
    area=words,
    **{name: st.floats(-1e4, 1e4) for name in ("x_mm", "y_mm", "turn_deg", "width_mm", "height_mm")},
    confidence=st.floats(0, 1),
)
sightings = st.dictionaries(words.map(Place), st.tuples(st.none() | words, st.floats(0, 1)), max_size=4).map(
    lambda found: {
        where: Sighting(place=where, value=value, confidence=sure) for where, (value, sure) in found.items()
    }
)
observations = st.builds(
    Observation,
    source=words,
    seq=st.integers(0, 10**9),
    seen_at_s=st.floats(0, 1e9),
    busy=st.booleans(),
    hidden=st.frozensets(words.map(Place), max_size=3),
    denied=st.dictionaries(words.map(Place), st.frozensets(st.none() | words, max_size=3), max_size=2),
    likely=sightings,
    sightings=sightings,
    areas=st.dictionaries(words, st.lists(pieces, max_size=3).map(tuple), max_size=2),
    covered=st.dictionaries(
        words, st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))).map(tuple), max_size=2
    ),
    read_for=st.none() | st.integers(-20_000, 20_000),
)


def seen(state_number: int, seqs: range) -> tuple[Observation, ...]:
    """Return observations of a moment of the toy game played with seed 3."""
    _, states = played(3)
    picture = GAME.predict(states[state_number])
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.99) for where, value in picture.items()
    }
    return tuple(Observation(source="cam", seq=seq, seen_at_s=seq / 10, sightings=sightings) for seq in seqs)


def some_report() -> BugReport:
    """Return a report that begins after two actions and shows the third."""
    actions, _ = played(3)
    return BugReport(
        header=HEADER,
        actions=tuple(GAME.format_action(action) for action in actions[:2]),
        observations=(*seen(2, range(4)), *seen(3, range(4, 8))),
        decision="What it said then.",
        pictures=(b"\xff\xd8 a", b"\xff\xd8 b"),
        errors="2 x Traceback …\nKeyError: 'ё'",
        rulings=Rulings(misread={Place("figure:ann"): "odd"}),
    )


@given(observation=observations)
def test_an_observation_prints_and_parses_to_itself(observation: Observation) -> None:
    """Nothing of what was seen is lost in a report."""
    assert observation == parse_observation(format_observation(observation))


@pytest.mark.parametrize("line", [None, [], {}, {"source": "x"}, "text", 3])
def test_what_is_no_observation_is_refused(line: object) -> None:
    """Other objects are refused in words."""
    with pytest.raises(MalformedError, match="no observation"):
        parse_observation(line)


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    """All parts come back, and no half-written file is left."""
    write_report(tmp_path / "a.zip", some_report())

    assert some_report() == read_report(tmp_path / "a.zip")
    assert ["a.zip"] == [file.name for file in tmp_path.iterdir()]


def test_a_report_plays_again() -> None:
    """From where the report begins, the same observations lead to the third action."""
    actions, _ = played(3)
    told = replay(some_report(), GAME)
    third: Act = actions[2]
    accepted = [each for each in told if each.actions]

    assert "InStep" == told[0].kind
    assert 1 == len(accepted)
    assert third.player in accepted[0].actions[0]


def test_a_report_remembers_what_players_ruled() -> None:
    """What they had accepted as it lies is not argued with when the report is played again."""
    report = some_report()
    odd = {**GAME.predict(played(3)[1][2]), Place("figure:ann"): "odd"}
    sightings = {where: Sighting(place=where, value=value, confidence=0.99) for where, value in odd.items()}
    seen = tuple(Observation(source="cam", seq=n, seen_at_s=n / 10, sightings=sightings) for n in range(4))
    ruled, before = (
        replace(report, observations=seen, rulings=rulings) for rulings in (report.rulings, Rulings())
    )

    assert [each.kind for each in replay(ruled, GAME)] == ["InStep"]
    assert [each.kind for each in replay(before, GAME)] == ["OutOfStep"]


def test_a_report_without_rulings_has_no_part_for_them(tmp_path: Path) -> None:
    """So it is what older programs wrote, and read."""
    report = replace(some_report(), rulings=Rulings())
    write_report(tmp_path / "a.zip", report)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert "rulings.json" not in archive.namelist()

    assert report == read_report(tmp_path / "a.zip")


def test_stamps_are_counted_from_where_a_report_begins() -> None:
    """What was read for the state in which it begins is heard, what was left behind long before is not."""
    report = some_report()
    now = replace(report, observations=tuple(replace(each, read_for=0) for each in report.observations))
    before = replace(report, observations=tuple(replace(each, read_for=-2) for each in report.observations))

    assert replay(report, GAME) == replay(now, GAME)
    assert () == replay(before, GAME)


def test_a_report_holds_nothing_else(tmp_path: Path) -> None:
    """The names of its parts are known; nothing about the machine's files is among them."""
    write_report(tmp_path / "a.zip", some_report())
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = set(archive.namelist())
        everything = b"".join(archive.read(name) for name in names)

    parts = {"versions.json", "header.json", "actions.jsonl", "observations.jsonl", "decision.json"}
    parts |= {"errors.txt", "rulings.json"}
    assert parts | {"pictures/0.jpg", "pictures/1.jpg"} == names
    assert str(tmp_path).encode() not in everything


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A text, a zip of something else and a report of another format are refused in words."""
    (tmp_path / "text.zip").write_text("not a zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme", "x")
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as archive:
        archive.writestr("versions.json", '{"format": 99}')
    for name in ("text", "other", "newer"):
        with pytest.raises(MalformedError):
            read_report(tmp_path / f"{name}.zip")
