"""What lies on a table of Urbion."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.games.urbion import GAME, PIECES
from companion.simulation.table import SimulatedTable


@pytest.mark.parametrize("archiplaces", [False, True])
def test_no_card_gets_lost(archiplaces: bool) -> None:
    """All dreams and cities of the game are on the table at any time of rest, in the open or in a pile."""
    options = {"players": ("anna", "ben"), "archiplaces": archiplaces, "books": 2}
    header = GAME.deal(random.Random(5), options)
    table = SimulatedTable(GAME, header, random.Random(5), stages=GAME.stages)
    for moment in table.moments():
        if moment.busy:
            continue
        laid = [one for one in PIECES.laid(table.states[-1], moment.picture) if one.place != "book"]
        cards = Counter[str]()
        for one in laid:
            cards[one.place.split(":")[0]] += one.thickness
        assert sum(cards.values()) - cards["polarity"] >= len(header["dreams"]) + len(header["cities"])
        assert len({one.key for one in laid}) == len(laid)


def test_a_dream_shows_what_it_is_worth_on_either_side() -> None:
    """Sanae add, Incubi take away, Chaos does both."""
    texts = {
        name: [mark.text for mark in PIECES.faces[name].marks if mark.text]
        for name in ("sanae-fire-4", "incubus-air-2", "meta-water-1", "chaos")
    }
    assert texts == {
        "sanae-fire-4": ["+4"],
        "incubus-air-2": ["-2"],
        "meta-water-1": ["+1", "-1"],
        "chaos": ["+5", "-5"],
    }


def test_what_is_not_in_the_game_is_not_learnt() -> None:
    """Metas and archiplaces are in play if the header says so, polarities with two players only."""
    solo = GAME.deal(random.Random(1), {"players": ("anna",)})
    full = GAME.deal(random.Random(1), {"players": ("anna", "ben"), "archiplaces": True})
    assert "archiplace" not in PIECES.in_play(solo)
    assert not any(name.startswith("meta") for name in PIECES.in_play(solo))
    assert "sanae" not in PIECES.in_play(solo)
    assert {"archiplace", "sanae", "incubi"} <= set(PIECES.in_play(full))
