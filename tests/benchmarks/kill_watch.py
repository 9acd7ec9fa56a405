"""Kill a watching process again and again, and look whether anything that was shown as accepted is lost.

    python tests/benchmarks/kill_watch.py [--kills 200] [--seed 0]

A child process watches a simulated game of the toy game and prints every accepted action the moment a
listener hears of it. It is killed with SIGKILL at a random instant, begun anew on the same journal, killed
again, until the game is over; then the next game begins. After every kill the journal must open and hold all
that was printed. At the end the result must be the true one.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from companion.session.journal import Journal  # noqa: E402 -- the script runs without being installed
from companion.session.ledger import Ledger  # noqa: E402
from companion.session.referee import Referee  # noqa: E402
from companion.session.update import Update  # noqa: E402
from companion.session.watch import open_journal, watch  # noqa: E402
from companion.simulation.eye import Noise, NoisyEye, SimulatedSource  # noqa: E402
from companion.simulation.scorekeeper import Scorekeeper  # noqa: E402
from companion.simulation.table import Habits, Moment, SimulatedTable  # noqa: E402
from tests.helpers.toy_game import GAME, Act, Lamps  # noqa: E402
from tests.helpers.toy_play import HEADER  # noqa: E402

LONG_LOOKS = Noise(rest_frames=(60, 90))  # most of the child's life is watching, not starting


@dataclass(slots=True)
class Tally:
    """What came of all the killing."""

    kills: int = 0
    games: int = 0
    shown: int = 0
    lost: int = 0
    wrong_ends: int = 0
    between_entries: int = 0
    before_first: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost and every game ended as it was played."""
        return self.lost == 0 and self.wrong_ends == 0


def table_of(seed: int) -> tuple[SimulatedTable[Lamps, Act], random.Random]:
    """Return the simulated game of this seed; the same whenever it is begun."""
    rng = random.Random(seed)
    return SimulatedTable(GAME, HEADER, rng, Habits(late=0.0)), random.Random(seed + 1)


def child(path: Path, seed: int) -> None:
    """Watch the game from where the journal stands, and print what is accepted."""
    table, rng = table_of(seed)
    with open_journal(path, HEADER, GAME) as journal:
        referee: Referee[Lamps, Act] = Referee(GAME, journal)
        score = Scorekeeper(table, referee)
        referee.subscribe(_show)
        source = SimulatedSource(_from(table, referee.number), NoisyEye(rng, LONG_LOOKS))
        watch(source, referee, answer=score.answer)
    print("over", flush=True)


def _from(table: SimulatedTable[Lamps, Act], number: int) -> Iterator[Moment]:
    """Yield the moments of the table since action `number` was played."""
    for moment in table.moments():
        if moment.played >= number:
            yield moment


def _show(update: Update[Act]) -> None:
    for action in update.new_actions:
        print(json.dumps(GAME.format_action(action)), flush=True)


def run(kills: int, seed: int, folder: Path) -> Tally:
    """Kill so many times and return the tally."""
    rng = random.Random(seed)
    tally = Tally()
    longest = _time_of_a_game(folder / "timed", seed)
    while tally.kills < kills:
        path = folder / f"game-{tally.games}"
        _play_one(path, seed + tally.games, rng, longest, tally, kills)
        tally.games += 1
    return tally


def _time_of_a_game(path: Path, seed: int) -> float:
    began = time.perf_counter()
    _begin(path, seed).communicate()
    return time.perf_counter() - began


def _play_one(path: Path, seed: int, rng: random.Random, longest: float, tally: Tally, kills: int) -> None:
    shown: list[str] = []
    while True:
        process = _begin(path, seed)
        deadline = rng.uniform(0.0, longest) if tally.kills < kills else None
        try:
            out, _ = process.communicate(timeout=deadline)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            out, _ = process.communicate()
            tally.kills += 1
        lines = out.splitlines(keepends=True)
        shown += [line.strip() for line in lines if line.startswith("{") and line.endswith("\n")]
        _compare(path, seed, shown, "over\n" in lines, tally)
        if "over\n" in lines:
            tally.shown += len(shown)
            return


def _compare(path: Path, seed: int, shown: list[str], is_over: bool, tally: Tally) -> None:
    """Count what was shown and is not in the journal, and a game that ended otherwise than it was played."""
    if not path.exists():
        tally.before_first += 1
        tally.lost += len(shown)
        return
    with Journal.open(path) as journal:
        line = Ledger.read(GAME, journal).line
    kept = [json.dumps(GAME.format_action(action)) for action in line.actions]
    tally.lost += sum(here != there for here, there in zip(shown, kept, strict=False)) + max(
        0, len(shown) - len(kept)
    )
    if len(kept) > len(shown):  # killed after the entry was written and before it was shown
        tally.between_entries += 1
        shown[:] = kept
    if is_over:
        table, _ = table_of(seed)
        for _ in table.moments():
            pass
        tally.wrong_ends += table.result != GAME.result(line.state)


def _begin(path: Path, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--child", str(path), "--seed", str(seed)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def main() -> int:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        child(arguments.child, arguments.seed)
        return 0
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        tally = run(arguments.kills, arguments.seed, Path(folder))
    print(
        f"killed {tally.kills} times in {tally.games} games, {time.perf_counter() - began:.0f} s; "
        f"{tally.shown} actions shown, {tally.lost} lost, {tally.wrong_ends} games ended otherwise; "
        f"{tally.between_entries} kills between writing and showing, {tally.before_first} before the journal"
    )
    return 0 if tally.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
