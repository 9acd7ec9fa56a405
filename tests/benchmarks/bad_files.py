"""Every reader on thousands of spoiled files: none may end in a traceback, and no refusal is long or silent.

python -m tests.benchmarks.bad_files [TRIES [SEED [READER ...]]]

Each reader runs in a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.helpers.bad_files import Tally, try_reader
from tests.helpers.readers import READERS


def _tried(number: int, tries: int, seed: int) -> Tally:
    return try_reader(READERS[number], tries, seed)


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each reader; 1 where one of them did not bear a file."""
    words = sys.argv[1:] if words is None else words
    tries = int(words[0]) if words else 1000
    seed = int(words[1]) if len(words) > 1 else 1
    wanted = [number for number, one in enumerate(READERS) if len(words) < 3 or one.name in words[2:]]
    print(
        f"{'reader':26}{'tried':>6}{'taken':>6}{'refused':>8}{'errors':>7}{'silent':>7}{'changed':>8}", end=""
    )
    print(f"{'lines':>6}{'longest':>8}{'slowest':>9}{'memory':>9}")
    total = errors = 0
    bad = False
    for number in wanted:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            tally = pool.submit(_tried, number, tries, seed).result()
        print(
            f"{READERS[number].name:26}{tally.tried:6}{tally.accepted:6}{tally.refused:8}"
            f"{len(tally.tracebacks):7}{tally.silent:7}{tally.altered:8}{tally.many_lines:6}"
            f"{tally.longest:8}{tally.slowest_s:7.2f} s{tally.grown_mb:6.0f} MB",
            flush=True,
        )
        for line in sorted(set(tally.tracebacks))[:8]:
            print(f"    {tally.tracebacks.count(line)} x {line}")
        total, errors = total + tally.tried, errors + len(tally.tracebacks)
        bad = bad or not tally.is_clean
    print(f"{total} files, {errors} errors")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
