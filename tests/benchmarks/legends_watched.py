"""Whole games of Blue Moon Legends on the simulated table, watched by the referee from noisy frames.

Run: ``python -m tests.benchmarks.legends_watched [--games N] [--first N]``

Everything but the table is real: settling, explaining, the referee, the journal. Prints how many games were
followed to their end, wrong commits, questions, and verdicts of "out of step" although nobody did wrong.
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
from collections import Counter
from pathlib import Path

from companion.games.blue_moon_legends import GAME
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import watch
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from tests.helpers.legends import pairing


def watched(number: int, folder: Path) -> Counter[str]:
    """Watch one game and return what came of it."""
    rng = random.Random(number)
    header = GAME.deal(rng, {"decks": pairing(number)})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    with Journal.create(folder / f"{number}.moontable", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal)
        keeper = Scorekeeper(table, referee)
        source = SimulatedSource(table.moments(), NoisyEye(rng))
        summary = watch(source, referee, answer=keeper.answer)
    return Counter(
        games=1,
        ended=summary.result is not None and summary.result == table.result,
        turns=summary.turns,
        actions=summary.actions,
        wrong=keeper.wrong,
        questions=summary.questions,
        alarms=summary.violations,
    )


def main() -> int:
    """Watch the games and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.first, options.first + options.games):
            tally += watched(number, Path(folder))
    print(f"{tally['games']} games, {tally['turns']} turns, {tally['actions']} accepted actions")
    print(f"followed to the true result: {tally['ended']}")
    print(f"wrong commits: {tally['wrong']}")
    print(f"questions: {tally['questions']} ({100 * tally['questions'] / tally['turns']:.2f} % of turns)")
    print(f"false alarms: {tally['alarms']}")
    return 1 if tally["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
