"""How long explaining a table takes in Blue Moon City, and whether the answer is right.

Run: ``python -m tests.benchmarks.city_explain [--games N] [--seed S]``

After every turn of random games the table is explained from the state before the turn: as it lies before the
reset, after it, with a tenth of its places hidden, and with two turns at once. Every explanation is timed by
the processor's clock, and a verdict that is accepted is compared with the truth.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from companion.decision import Accepted, Decision, InStep, OutOfStep
from companion.games.blue_moon_city.actions import Action, End
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.table import Picture
from tests.benchmarks.city_random import header_of

GAME = BlueMoonCity()
PUBLIC = ("figures", "dragons", "boxes", "built", "obelisk", "markers", "scales", "supply")


def turns(number: int, seed: int) -> Iterator[tuple[CityState, CityState, CityState]]:
    """Yield (start, before the reset, after the reset) of each turn of a random game."""
    header, rng = header_of(number, seed)
    state = start = GAME.start(header)
    choose = GAME.random_player(rng)
    while state.outcome is None:
        action = GAME.with_chance(state, choose(state), rng)
        after, _ = GAME.apply(state, action)
        if isinstance(action, End) or after.outcome is not None:
            yield start, (state if isinstance(action, End) else after), after
            start = after
        state = after


def verdict(start: CityState, truth: CityState, decision: Decision[Action]) -> str:
    """Return the kind of a decision; for one that is accepted whether it led to the truth."""
    if isinstance(decision, OutOfStep):
        return f"out of step: {decision.rule}"
    if not isinstance(decision, Accepted | InStep):
        return type(decision).__name__.lower()
    after = start
    for action in getattr(decision, "actions", ()):
        after, _ = GAME.apply(after, action)
    is_right = all(getattr(after, name) == getattr(truth, name) for name in PUBLIC)
    return f"{type(decision).__name__.lower()}, {'right' if is_right else 'behind or wrong'}"


class Tally:
    """Times and verdicts by kind of look."""

    def __init__(self) -> None:
        self.times_ms: dict[str, list[float]] = defaultdict(list)
        self.verdicts: dict[str, Counter[str]] = defaultdict(Counter)

    def look(self, kind: str, start: CityState, truth: CityState, picture: Picture) -> None:
        """Explain a table from the start of a turn, closed."""
        seen = Query(picture=picture, before=GAME.predict(start))
        closed = veil(start)
        began = time.process_time()
        decision = GAME.explain(closed, seen)
        self.times_ms[kind].append((time.process_time() - began) * 1000)
        self.verdicts[kind][verdict(closed, truth, decision)] += 1

    def report(self) -> None:
        """Print median, 99th percentile and greatest time, and the verdicts, by kind."""
        for kind, times in self.times_ms.items():
            times.sort()
            median, late = times[len(times) // 2], times[len(times) * 99 // 100]
            print(
                f"{kind}: {len(times)} tables, median {median:.2f} ms, "
                f"99th percentile {late:.2f} ms, greatest {times[-1]:.1f} ms"
            )
            for word, count in self.verdicts[kind].most_common():
                print(f"    {count:6} {word}")


def main() -> None:
    """Play, explain, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=48, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    tally = Tally()
    rng = random.Random(arguments.seed)
    for number in range(arguments.games):
        earlier: CityState | None = None
        for start, last, after in turns(number, arguments.seed):
            picture = GAME.predict(last)
            tally.look("one turn", start, last, picture)
            tally.look("one turn and its reset", start, last, GAME.predict(after))
            partly = {where: value for where, value in picture.items() if rng.random() >= 0.1}
            tally.look("one turn, a tenth unseen", start, last, partly)
            if earlier is not None:
                tally.look("two turns", earlier, last, picture)
            earlier = start
    tally.report()


if __name__ == "__main__":
    main()
