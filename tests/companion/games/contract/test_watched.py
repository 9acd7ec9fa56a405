"""Every game at the simulated table: the referee follows players whom a noisy camera watches."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from companion.decision import Ask
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.simulation.eye import Noise, NoisyEye
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, SimulatedTable
from tests.helpers.random_play import GAMES, OPTIONS

# So many looks at the table are taken at most.
MOST_MOMENTS = 1500


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", GAMES)
def test_a_watched_game_is_followed_without_a_wrong_commit(name: str, seed: int, tmp_path: Path) -> None:
    """To its end, or as far as it was watched; the players answer what they are asked."""
    game, rng = GAMES[name], random.Random(f"{name} {seed}")
    options = OPTIONS.get(name, [{}])
    header = game.deal(rng, options[seed % len(options)])
    table = SimulatedTable(game, header, rng, Habits(late=0.0))
    eye = NoisyEye(rng, Noise(dropped=0.0), group_of=game.group_of)

    header = game.public_header(header)
    with Journal.create(tmp_path / "game.moontable", header) as journal:
        referee = Referee(game, journal)
        score = Scorekeeper(table, referee)
        for moment in itertools.islice(table.moments(), MOST_MOMENTS):
            if not moment.busy:
                referee.consider(eye.settled(moment))
            if isinstance(referee.decision, Ask):
                choice = score.answer(referee.decision)
                if choice is not None:
                    referee.choose(choice)

    assert 0 == score.wrong
    assert len(referee.actions) > 5
