"""Random legal games of Nova Luna and Urbion: endings, invariants, records that verify, games a second.

Run: ``python -m tests.benchmarks.nova_urbion_random [--game G] [--games N] [--seed S] [--every K]``

The last state of every game is checked for broken invariants; of every K-th game every state is, and the game
is written as a record with checkpoints, read back and compared. The speed is that of playing alone, with the
legal actions enumerated, without checks, in processor time.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from companion.games import registry
from companion.record.game_record import read_record, write_record

GAMES = ("nova_luna", "urbion")


@dataclass(slots=True)
class Figures:
    """What came of the games."""

    games: int = 0
    actions: int = 0
    records: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    defects: list[str] = field(default_factory=list)
    seconds: float = 0.0


def options_of(name: str, number: int) -> dict[str, Any]:
    """Return set-up options that go through all player counts and extensions."""
    if name == "nova_luna":
        players = 1 + number % 4
        fewer = {3: 18, 4: 16}.get(players, 21)
        return {"players": players, "tokens": fewer if number % 8 >= 4 else 21}
    price = 2 + number % 3
    return {
        "players": 1 + number % 2,
        "books": number % 7,
        "archiplaces": number % 3 == 0,
        "book_price": price,
    }


def play(name: str, seed: str, options: dict[str, Any], figures: Figures) -> tuple[Any, list[Any], list[Any]]:
    """Play one game and return its header, actions and states; its time is added to the figures."""
    game: Any = registry.lookup(name)
    rng = random.Random(seed)
    header = game.deal(rng, options)
    begun = time.process_time()
    state, choose = game.start(header), game.random_player(rng)
    actions, states = [], [state]
    while game.result(state) is None:
        actions.append(choose(state))
        state = game.apply(state, actions[-1])[0]
        states.append(state)
    figures.seconds += time.process_time() - begun
    return header, actions, states


def prove(name: str, games: int, seed: int, every: int) -> Figures:
    """Play the games and check all of them."""
    game: Any = registry.lookup(name)
    figures = Figures()
    for number in range(games):
        options = options_of(name, number)
        header, actions, states = play(name, f"{name}/{seed}/{number}", options, figures)
        figures.games += 1
        figures.actions += len(actions)
        figures.kinds.update(type(action).__name__ for action in actions)
        figures.endings[f"{options['players']}p {states[-1].reason}"] += 1
        is_thorough = number % every == 0
        figures.defects += [
            defect for state in states[0 if is_thorough else -1 :] for defect in game.defects(state)
        ]
        if is_thorough:
            stream = io.StringIO()
            write_record(stream, game, header, actions, checkpoints=True)
            read = read_record(stream.getvalue().splitlines())
            figures.records += read.actions == tuple(actions) and read.result == game.result(states[-1])
    return figures


def main() -> None:
    """Read the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="every which game is checked thoroughly")
    given = parser.parse_args()
    for name in given.game or GAMES:
        figures = prove(name, given.games, given.seed, given.every)
        speed = figures.games / figures.seconds
        print(
            f"{name}: {figures.games} games, {figures.actions} actions, {speed:.1f} games/s of processor time"
        )
        print(f"  endings {dict(sorted(figures.endings.items()))}")
        print(f"  actions {dict(sorted(figures.kinds.items()))}")
        print(f"  broken invariants {len(figures.defects)} {figures.defects[:3]}")
        print(f"  records verified {figures.records} of {-(-given.games // given.every)}")


if __name__ == "__main__":
    main()
