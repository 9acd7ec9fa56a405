"""Whole games through the firmware, a pseudo terminal and pyserial, with faults on the line; a line a game.

    python -m tests.benchmarks.sensor_games [--games 10] [--first 1] [--faults 0.003] [--players 2]
                                            [--lose-camera TURN]

Each game is a process of its own. With ``--lose-camera`` a camera watches beside the sensors and is taken
away after so many turns. The demo itself compares the winners with those of the game that was really played.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any


def play(seed: int, options: list[str]) -> tuple[dict[str, Any], bool, float]:
    """Play one game; return what the demo says, whether the right one won, and the seconds it took."""
    start_s = time.monotonic()
    command = [sys.executable, "-m", "ui.app", "demo", "--sensors", "--json", "--seed", str(seed), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        told = {"result": None}
    if done.returncode:
        told["failed"] = done.stderr.strip().splitlines()[-1:]
    return told, done.returncode == 0, time.monotonic() - start_s


def main() -> int:
    """Play the games; print a line each and a sum; return 1 where one ended wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--faults", default="0.003")
    parser.add_argument("--players", default="2")
    parser.add_argument("--lose-camera", metavar="TURN")
    args = parser.parse_args()
    options = ["--faults", args.faults, "--players", args.players]
    if args.lose_camera is not None:
        options += ["--camera", "--lose-camera", args.lose_camera]
    right = 0
    for seed in range(args.first, args.first + args.games):
        told, is_right, seconds = play(seed, options)
        result = told["result"]
        right += is_right
        words = f"winners {', '.join(result['winners']) or 'none'}" if result else f"unfinished {told}"
        counts = ", ".join(f"{name} {told.get(name)}" for name in ("turns", "wrong_commits", "questions"))
        print(
            f"seed {seed}: {'right' if is_right else 'WRONG'}: {words}; {counts} [{seconds:.0f} s]",
            flush=True,
        )
    print(f"{right} of {args.games} games ended with the right winner")
    return int(right != args.games)


if __name__ == "__main__":
    sys.exit(main())
