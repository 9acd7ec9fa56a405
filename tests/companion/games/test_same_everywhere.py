"""A watched game comes out alike whatever order Python's sets have: reports can be played again anywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]

# Watches the beginning of a game and prints every verdict and every accepted action.
_SCRIPT = """
import itertools, random, sys, tempfile
from pathlib import Path
from companion.games import registry
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.simulation.table import Habits, SimulatedTable
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper

game = registry.lookup(sys.argv[1])
rng = random.Random(5)
header = game.deal(rng, {})
table = SimulatedTable(game, header, rng, Habits(hurry=0.1, careless=0.2))
loose = LooseTable(game, random.Random(6), Hands(astray=0.05))
eye = NoisyEye(rng, Noise(false=0.002), group_of=game.group_of, loose=loose)
header = game.public_header(header)
with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "game", header) as journal:
    referee = Referee(game, journal)
    referee.subscribe(lambda update: print(update.decision, update.opened))
    keeper = Scorekeeper(table, referee)
    moments = itertools.islice(table.moments(), 160)
    watch(SimulatedSource(moments, eye), referee, answer=keeper.answer, protest=keeper.protest)
    print(*referee.actions, eye.counts, loose.counts, sep="\\n")
"""


@pytest.mark.parametrize("name", ["nova_luna", "urbion", "blue_moon_legends", "blue_moon_city"])
def test_the_hash_seed_changes_nothing(name: str) -> None:
    one, other = (_watched(name, hash_seed) for hash_seed in ("1", "2"))

    assert len(one.splitlines()) > 10
    assert one == other


def _watched(name: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(_ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", _SCRIPT, name],
        env=environment,
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
