"""How a game's window gets its sources."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games import registry
from companion.session.journal import Journal
from companion.session.referee import Referee
from ui.assembly.play import lookout_of
from ui.assembly.sensor_table import debounce_rules
from ui.controller.session import Lookout
from ui.last_table import BY_HAND


def lookout_at(folder: Path, name: str) -> Lookout | None:
    """Return how the sources of a game that was begun by hand can be changed."""
    game = registry.lookup(name)
    header = game.public_header(game.deal(random.Random(1), {}))
    with Journal.create(folder / "game.jsonl", header) as journal:
        return lookout_of(BY_HAND, Referee(game, journal, debounce_rules()))


@pytest.mark.parametrize("name", registry.NAMES)
def test_the_sources_of_a_game_can_be_changed_if_a_camera_can_follow_it(name: str, tmp_path: Path) -> None:
    """Where tiles lie on printed places by the one wizard, also for sensors; else by the other."""
    lookout = lookout_at(tmp_path, name)

    assert (lookout is not None) == registry.can_be_followed(name)
    if lookout is not None:
        assert (lookout.guide is not None) == registry.has_components(name)
        assert (lookout.copies is not None) == registry.has_pieces(name)
        assert lookout.sources("", "") == []
