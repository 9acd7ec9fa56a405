"""How long it takes to mend an action made 20 turns ago and to say what is different: goal 200 ms.

``python -m tests.benchmarks.mending [--games 10]``: in games of two to four players, an action of the turn 20
turns before the last is replaced by each of its alternatives.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from companion.errors import RuleViolation
from tests.helpers.city_session import entered_session, played_table
from ui.controller.controller import Controller

TURNS_BACK = 20


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    chosen = parser.parse_args()
    took_ms: list[float] = []
    refused = 0
    for seed in range(chosen.games):
        with tempfile.TemporaryDirectory() as folder:
            session = entered_session(Path(folder), played_table(2000, players=2 + seed % 3, seed=seed))
            controller = Controller(session)
            history = controller.view_state().history
            turn = history[-1].turn - TURNS_BACK
            number = next(line.number for line in history if line.turn == turn)
            for entry in controller.alternatives(number):
                began = time.perf_counter()
                try:
                    controller.mend(number, entry)
                except RuleViolation:
                    refused += 1
                    continue
                took_ms.append((time.perf_counter() - began) * 1000)
            session.referee.journal.close()
    took_ms.sort()
    print(f"{len(took_ms)} mendings {TURNS_BACK} turns back; {refused} more did not fit what came later")
    print(f"median {took_ms[len(took_ms) // 2]:.1f} ms, worst {took_ms[-1]:.1f} ms (goal 200 ms)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
