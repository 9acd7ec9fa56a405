"""Games whose pieces lie anywhere: how long drawn frames take, and what places their truth comes to.

    python -m tests.benchmarks.drawn_games [--seeds N] [--tables N] [--frames N]

For each game: CPU time of a frame whose table has changed (median and 95 %), how much of flat pieces shows,
and whether the true poses, drifted by hands, come to the places that the game predicts: claimed and wrong.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np

from tests.helpers.drawn_game import FREE_GAMES, DrawnGame
from tests.helpers.free_tables import differences, seen_places
from tests.helpers.random_play import OPTIONS
from tests.helpers.seen_truth import table_of
from vision.simulation.table_truth import pieces_truth


def main() -> None:
    """Print the figures game by game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--frames", type=int, default=12)
    wanted = parser.parse_args()
    for name in FREE_GAMES:
        print(name, speed(name, wanted.frames))
        options = itertools.cycle(OPTIONS.get(name, ({},)))
        for seed, chosen in zip(range(wanted.seeds), options, strict=False):
            drawn = DrawnGame(name, seed, options=chosen, size_wh=(320, 180))
            print(f"  seed {seed} {chosen}: {places(drawn, wanted.tables)}")


def speed(name: str, many: int) -> str:
    """Return how long frames take of tables that have changed since the frame before, after the first."""
    drawn, spent = DrawnGame(name, 1), []
    for moment in itertools.islice(drawn.moments(at_rest=True), many + 1):
        start = time.process_time()
        drawn.copy.camera.frame(moment.table)
        spent.append(1000 * (time.process_time() - start))
    half, most = np.percentile(spent[1:], (50, 95))
    return f"first frame {spent[0]:.0f} ms, then {half:.0f} ms median, {most:.0f} ms at 95 %"


def places(drawn: DrawnGame, many: int) -> str:
    """Return how many places the truth of so many tables comes to, and how many come to the wrong thing."""
    claimed = wrong = true = partly = flat = 0
    for moment in itertools.islice(drawn.moments(at_rest=True), many):
        told = pieces_truth(drawn.copy.camera, moment.table)
        seen = seen_places(drawn.game, moment.state, drawn.header["players"], table_of(told))
        claimed += sum(where in moment.picture for where in seen)
        true += len(moment.picture)
        wrong += len(differences(drawn.game, seen, moment.picture))
        shares = [one["visible"] for one in told if one["shape"] == "flat"]
        flat += len(shares)
        partly += sum(share < 0.5 for share in shares)
    return f"places {claimed} of {true}, wrong {wrong}; flat pieces {flat}, less than half seen {partly}"


if __name__ == "__main__":
    main()
