"""Watch simulated games through noise with the shared machinery, and count what went wrong.

    python tests/benchmarks/watched_games.py [--game blue_moon_city] [--games 100] [--seed 0]
        [--late P] [--pause P] [--hurry P] [--careless P] [--dropped P] [--false P] [--settled]

Players play an open game on a simulated table; the referee knows the public header only. With --settled it
gets one settled snapshot a rest, with places missing; otherwise every frame goes through settling. Prints
wrong commits, actions missed, questions, violations, take-backs and the time of `explain`. The toy game is
``lamps``.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.games import registry
from companion.games.game import Game
from companion.journal import Journal
from companion.reconcile.decision import Ask, Decision, OutOfStep
from companion.reconcile.observation import Snapshot
from companion.referee import Referee
from companion.simulated_eye import Noise, NoisyEye, SimulatedSource
from companion.simulated_table import Habits, SimulatedTable
from companion.watch import Scorekeeper, turns_of, watch
from tests.helpers import toy_game

PLAYERS = {"blue_moon_city": (2, 3, 4), "nova_luna": (1, 2, 3, 4), "urbion": (1, 2)}


class Timed:
    """Notes how long `explain` takes, milliseconds."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.times_ms: list[float] = []
        self._explain = game.explain
        game.explain = self  # type: ignore[method-assign]

    def __call__(self, state: Any, seen: Snapshot) -> Decision[Any]:
        began = time.process_time()
        decision = self._explain(state, seen)
        self.times_ms.append((time.process_time() - began) * 1000)
        return decision


def follow(game: Game[Any, Any], seed: int, arguments: argparse.Namespace, folder: Path) -> Counter[str]:
    """Play and watch one game; return its figures."""
    rng = random.Random(seed)
    players = PLAYERS.get(game.name)
    options = {"players": players[seed % len(players)]} if players else {}
    header = game.deal(rng, options)
    habits = Habits(
        late=arguments.late, pause=arguments.pause, hurry=arguments.hurry, careless=arguments.careless
    )
    table = SimulatedTable(game, header, rng, habits)
    eye = NoisyEye(rng, Noise(dropped=arguments.dropped, false=arguments.false))
    figures: Counter[str] = Counter()
    with Journal.create(folder / f"game-{seed}", game.public_header(header)) as journal:
        referee = Referee(game, journal)
        keeper = Scorekeeper(table, referee)
        referee.subscribe(lambda update: figures.update({"taken back": len(update.taken_back)}))
        referee.subscribe(lambda update: figures.update(prompt.kind.value for prompt in update.opened))
        if arguments.settled:
            _by_snapshots(table, eye, referee, keeper)
        else:
            watch(
                SimulatedSource(table.moments(), eye), referee, answer=keeper.answer, protest=keeper.protest
            )
        figures.update(
            {
                "games": 1,
                "turns": turns_of(referee),
                "actions": len(table.actions),
                "wrong": keeper.wrong,
                "games with wrong commits": keeper.wrong > 0,
                "missed": keeper.missed,
                "entered by hand": keeper.entered,
                "other result": referee.result != table.result,
                "mischief": len(table.mischiefs),
                "unnoticed": table.unnoticed,
            }
        )
    return figures


def _by_snapshots(
    table: SimulatedTable[Any, Any], eye: NoisyEye, referee: Referee[Any, Any], keeper: Scorekeeper[Any, Any]
) -> None:
    for moment in table.moments():
        if moment.busy or referee.result is not None:
            continue
        referee.consider(eye.settled(moment))
        if isinstance(referee.decision, Ask):
            choice = keeper.answer(referee.decision)
            if choice is not None:
                referee.choose(choice)
        if isinstance(referee.decision, OutOfStep):
            keeper.protest(referee.decision)


def main() -> int:
    """Parse the command line, watch the games and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=(*registry.NAMES, "lamps"), default="blue_moon_city")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    for name, usual in (("late", 0.3), ("pause", 0.7), ("hurry", 0.05), ("careless", 0.0)):
        parser.add_argument(f"--{name}", type=float, default=usual)
    parser.add_argument("--dropped", type=float, default=0.05)
    parser.add_argument("--false", type=float, default=0.0005)
    parser.add_argument("--settled", action="store_true")
    arguments = parser.parse_args()
    game: Game[Any, Any] = toy_game.GAME if arguments.game == "lamps" else registry.lookup(arguments.game)
    timed = Timed(game)
    total: Counter[str] = Counter()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.games):
            figures = follow(game, seed, arguments, Path(folder))
            total.update(figures)
            if figures["wrong"] or figures["other result"]:
                print(f"seed {seed}: {dict(figures)}", file=sys.stderr)
    _print(game.name, total, sorted(timed.times_ms), time.perf_counter() - began)
    return 0 if total["wrong"] == 0 else 1


def _print(name: str, total: Counter[str], times_ms: list[float], took_s: float) -> None:
    print(
        f"{name}: {total['games']} games, {total['turns']} turns, {total['actions']} actions, {took_s:.0f} s"
    )
    print(
        f"  wrong commits {total['wrong']} (in {total['games with wrong commits']} games), "
        f"actions missed {total['missed']}, other results {total['other result']}"
    )
    print(
        f"  questions {total['question']} ({total['question'] / max(1, total['turns']):.2%} of turns), "
        f"entered by hand {total['entered by hand']}, violations named {total['violation']}, "
        f"taken back {total['taken back']}"
    )
    print(f"  mischief {total['mischief']}, of it unnoticed {total['unnoticed']}")
    middle, late = times_ms[len(times_ms) // 2], times_ms[int(len(times_ms) * 0.99)]
    print(f"  explain {len(times_ms)} times: median {middle:.2f} ms, 99th percentile {late:.2f} ms")


if __name__ == "__main__":
    sys.exit(main())
