"""Damage the files of a journal in many ways and look whether anything accepted vanishes without a word.

    python -m tests.benchmarks.journal_damage [--tries 4000] [--seed 0]

A game is written and left as a crash at each possible instant leaves it. One of its files is damaged (a byte,
a sector, an end, all of it, its state of earlier), or a second besides; then it is opened, and salvaged where
it is short. With one damage nothing may be silently short. Two can hide the end from every file (the journal
of an earlier day without its seals *is* an earlier game): these are counted by themselves.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.helpers.journal_damage import LOG, NAME, SEALS, Damage, Files, Harm, Outcome, Stage, tried, written

FEW, MANY = 12, 40


def main() -> int:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tries", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        games = _games(Path(folder))
    bad = 0
    for damages in (1, 2):
        tally = _tally(games, damages, arguments.tries // damages, rng)
        told = tally[Outcome.TOLD_SHORT.value] + tally[Outcome.REFUSED.value]
        print(
            f"{damages} damaged: tried {tally.total()}, whole {tally[Outcome.WHOLE.value]}, "
            f"told short {told} ({tally[Outcome.REFUSED.value]} of them with nothing left to read), "
            f"silently short {tally[Outcome.SILENTLY_SHORT.value]}, tracebacks {tally['traceback']}, "
            f"wrong entries {tally[Outcome.WRONG.value]}, touched {tally[Outcome.TOUCHED.value]}, "
            f"not salvaged as told {tally[Outcome.NOT_SALVAGED.value]}"
        )
        good = {Outcome.WHOLE.value, Outcome.TOLD_SHORT.value, Outcome.REFUSED.value}
        good |= {Outcome.SILENTLY_SHORT.value} if damages > 1 else set()
        bad += sum(count for what, count in tally.items() if what not in good)
    return 0 if bad == 0 else 1


def _games(folder: Path) -> Mapping[tuple[Stage, int], Files]:
    games = {}
    for stage in Stage:
        for count in (FEW, MANY):
            there = folder / f"{stage.name}-{count}"
            there.mkdir()
            games[stage, count] = written(there, stage, count)
    return games


def _tally(
    games: Mapping[tuple[Stage, int], Files], damages: int, tries: int, rng: random.Random
) -> Counter[str]:
    """Damage so often and count what comes of it."""
    tally: Counter[str] = Counter()
    for _ in range(tries):
        stage = rng.choice(list(Stage))
        game, earlier = games[stage, MANY], games[stage, FEW].packed
        packed = dict(game.packed)
        for file in rng.sample((NAME, LOG, SEALS), damages):
            damage = Damage(rng.choice(list(Harm)), file, rng.randrange(2**24), rng.randrange(1, 256))
            packed = damage.done_to(packed, earlier)
        with tempfile.TemporaryDirectory() as folder:
            try:
                tally[tried(Path(folder), packed, game.accepted).value] += 1
            except Exception:
                traceback.print_exc()
                tally["traceback"] += 1
    return tally


if __name__ == "__main__":
    sys.exit(main())
