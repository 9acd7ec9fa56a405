"""The demo's camera over a table on which pieces lie anywhere, and the reader that a game gets."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.errors import MalformedError
from companion.game import Json
from companion.games import registry
from companion.observation import Observation
from companion.record.game_record import AnyGame
from companion.simulation.table import SimulatedTable
from companion.table import Place
from tests.helpers.drawn_profile import perfect_profile
from tests.helpers.free_tables import differences
from ui.assembly.free_demo import FreeDemo
from ui.assembly.free_table import free_text
from ui.assembly.watch import Watching, watch_table

SEED = 2
NAME = "urbion"


@dataclass(frozen=True)
class Played:
    """A game that is played before the demo's camera."""

    game: AnyGame
    header: Json
    table: SimulatedTable[object, object]
    demo: FreeDemo


@pytest.fixture
def played() -> Played:
    """Deal a game and draw its copy."""
    game, rng = registry.lookup(NAME), random.Random(SEED)
    header = game.deal(rng, {})
    table = SimulatedTable(game, header, rng, stages=game.stages)
    return Played(game, header, table, FreeDemo(game, header, SEED))


def test_hands_come_and_go(played: Played) -> None:
    """A scene in which something is moved shows a hand, others none."""
    scenes = list(itertools.islice(played.demo.scenes(played.table, played.table.moments()), 30))

    assert {one.hand_over is None for one in scenes} == {True, False}
    assert all(one.table.flat for one in scenes)


def test_the_table_is_read_from_its_pixels(played: Played) -> None:
    """What is claimed of the table as it is set up is so, and it is most of it."""
    first = next(one for one in played.table.moments() if not one.busy)
    profile = perfect_profile(played.demo.copy.arranger, played.header)
    source = played.demo.source(profile, played.demo.scenes(played.table, [first]))
    seen: list[Observation] = list(source.observations())
    state = played.table.states[-1]
    told = {where: one.value for where, one in played.game.located(state, seen[-1]).sightings.items()}

    assert differences(played.game, told, first.picture) == {}
    assert len(told) > len(first.picture) / 2


def test_what_nobody_made_out_is_labelled_with_a_question_mark() -> None:
    assert free_text(Place("city:0"), None) == "?"
    assert free_text(Place("city:0"), "chaos") == "chaos"


@pytest.mark.parametrize("name", [one for one in registry.NAMES if registry.has_pieces(one)])
def test_a_game_that_is_not_read_well_is_not_watched(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so instead of refereeing what it cannot read."""
    monkeypatch.setattr(type(registry.pieces(name)), "is_readable", False)
    header = registry.lookup(name).deal(random.Random(1), {})
    demo = FreeDemo(registry.lookup(name), header, 1)
    profile = perfect_profile(demo.copy.arranger, header)
    monkeypatch.setattr("ui.assembly.watch.load_profile", lambda _: profile)
    monkeypatch.setattr("ui.assembly.watch.game_for", lambda *_: registry.lookup(name))
    monkeypatch.setattr(
        "ui.assembly.watch.read_header", lambda _: registry.lookup(name).public_header(header)
    )

    with pytest.raises(MalformedError, match="no camera can follow"):
        watch_table(
            Watching(
                game=name,
                source=str(tmp_path),
                profile=tmp_path,
                setup=tmp_path / "header.json",
                journal=tmp_path / "game.moontable",
                is_headless=True,
            )
        )
