"""The link under faults, in virtual time, on the native build of the firmware.

    python -m tests.benchmarks.link_faults [lossy|very_lossy|resets|unplug|host|all] [--runs N] [--first SEED]

Every run is its seed's alone, so a long job may be cut into parts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from firmware_bridge.virtual.native import NativeBoard
from tests.firmware_bridge.runs import BYTE_US, SESSION_MS, host_run, lossy_run, reset_run, unplug_run


def lossy(board: NativeBoard, seeds: range, p: float, most_ms: int) -> str:
    """Return the figures of many runs of five virtual seconds over a bad line."""
    done = [lossy_run(board, seed, p, most_ms) for seed in seeds]
    late = [run.settle_ms for run in done]
    return (
        f"loss {p:.1%} + flips {p:.1%} both ways, {len(seeds)} runs x 5 s: all right; "
        f"events made {sum(r.made for r in done)}, "
        f"delivered once {sum(r.events for r in done)}, covered by snapshots "
        f"{sum(r.made - r.events for r in done)}; bad frames {sum(r.bad_frames for r in done)}; "
        f"right at the end of the moves in {sum(ms == 0 for ms in late)}, else after "
        f"{statistics.median([ms for ms in late if ms] or [0]):.0f} ms (median), {max(late)} ms (worst)"
    )


def resets(board: NativeBoard, seeds: range) -> str:
    """Return the figures of resets at every byte time of a session, or at those of the seeds."""
    positions = range(SESSION_MS * 1000 // BYTE_US)[seeds.start : seeds.stop]
    took = [reset_run(board, position) for position in positions]
    return (
        f"reset at {len(took)} byte times of a session of {SESSION_MS} ms: all right after "
        f"{statistics.median(took):.0f} ms (median), {max(took)} ms (worst)"
    )


def unplug(board: NativeBoard, seeds: range) -> str:
    """Return the figures of random unplugging."""
    took = [unplug_run(board, seed) for seed in seeds]
    middle = statistics.median(took)
    return f"{len(seeds)} x unplug/replug: all right after {middle:.0f} ms (median), {max(took)} ms (worst)"


def host(board: NativeBoard, seeds: range) -> str:
    """Return the figures of stopped and restarted hosts."""
    lines = []
    for pause_ms in (1000, 5000):
        for restart in (False, True):
            took = [host_run(board, seed, pause_ms, restart) for seed in seeds[: len(seeds) // 4]]
            what = "stopped and restarted" if restart else "stopped"
            lines.append(
                f"host {what} for {pause_ms} ms, {len(took)} runs: right within {max(took)} ms (worst)"
            )
    return "\n".join(lines)


def main() -> None:
    """Print the figures of what was asked for."""
    jobs: dict[str, tuple[int, Callable[[NativeBoard, range], str]]] = {
        "lossy": (1000, lambda b, n: lossy(b, n, 0.003, 5000)),
        "very_lossy": (1000, lambda b, n: lossy(b, n, 0.03, 120_000)),
        "resets": (1_000_000, resets),
        "unplug": (1000, unplug),
        "host": (400, host),
    }
    parser = argparse.ArgumentParser()
    parser.add_argument("job", nargs="?", default="all", choices=[*jobs, "all"])
    parser.add_argument("--runs", type=int)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    board = NativeBoard()
    for name, (runs, job) in jobs.items():
        if args.job in (name, "all"):
            start = time.monotonic()
            seeds = range(args.first, args.first + (args.runs or runs))
            print(f"{name}: {job(board, seeds)} [{time.monotonic() - start:.1f} s]", flush=True)


if __name__ == "__main__":
    main()
