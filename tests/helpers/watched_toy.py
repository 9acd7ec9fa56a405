"""A simulated game of the toy, watched through noise by a referee."""

from __future__ import annotations

import random
from pathlib import Path

from companion.session.referee import Referee
from companion.session.watch import Summary, open_journal, watch
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, SimulatedTable
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import HEADER


class Watched:
    """A simulated game and the referee that watches it."""

    def __init__(
        self, folder: Path, seed: int, habits: Habits | None = None, noise: Noise | None = None
    ) -> None:
        rng = random.Random(seed)
        self.table: SimulatedTable[Lamps, Act] = SimulatedTable(GAME, HEADER, rng, habits)
        self.journal = open_journal(folder / f"game-{seed}", HEADER, GAME)
        self.referee: Referee[Lamps, Act] = Referee(GAME, self.journal)
        self.score = Scorekeeper(self.table, self.referee)
        self.source = SimulatedSource(self.table.moments(), NoisyEye(random.Random(seed), noise))

    def watch(self, record: Path | None = None) -> Summary:
        summary = watch(self.source, self.referee, answer=self.score.answer, record=record)
        self.journal.close()
        return summary
