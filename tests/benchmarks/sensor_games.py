"""Whole games on the firmware's own sensor table over a line with faults, in virtual time; a line a game.

    python -m tests.benchmarks.sensor_games [--games 10] [--first 1] [--faults 0.003] [--players 2]

Faults are the share of bytes that are lost, and as many flipped, both ways. One seed is one run: its digest,
over all that was seen and the record, is the same however busy the machine is. Returns 1 where a commit was
wrong or a game did not end as it was played.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from companion.log import reconcile as log
from firmware_bridge.virtual.virtual_board import note_on_board
from tests.helpers.sensor_game import SensorGame, play_sensor_game


def is_right(game: SensorGame) -> bool:
    """Whether the game was followed to its end without a wrong commit."""
    return not game.wrong and not game.missed and game.result == game.true_result


def told(seed: int, game: SensorGame) -> str:
    """Return a game's line."""
    winners = "unfinished" if game.result is None else ", ".join(game.result["winners"]) or "nobody"
    return (
        f"seed {seed}: {'right' if is_right(game) else 'WRONG'}: {winners} won; turns {game.turns}, "
        f"wrong commits {game.wrong}, missed {game.missed}, questions {game.questions}, "
        f"entered by hand {game.entered}, damaged frames {game.bad_frames}, "
        f"{game.virtual_s:.0f} s at the table, digest {game.digest}"
    )


def main() -> int:
    """Play the games; print a line each and a sum."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--faults", type=float, default=0.003)
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    if note := note_on_board():
        print(note)
    log.disabled = True
    games: list[SensorGame] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.games):
            began = time.process_time()
            game = play_sensor_game(seed, args.faults, Path(folder), players=args.players)
            games.append(game)
            print(f"{told(seed, game)} [{time.process_time() - began:.1f} s]", flush=True)
    turns = sum(game.turns for game in games)
    print(
        f"{len(games)} games with {args.faults:.1%} faults, {turns} turns: "
        f"wrong commits {sum(game.wrong for game in games)}, "
        f"questions {sum(game.questions for game in games)}, "
        f"entered by hand {sum(game.entered for game in games)}, "
        f"missed {sum(game.missed for game in games)}; {sum(map(is_right, games))} right"
    )
    return int(not all(map(is_right, games)))


if __name__ == "__main__":
    sys.exit(main())
