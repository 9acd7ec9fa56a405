"""What is claimed over a bad line, in virtual time: claims that are not true, and how soon it is well again.

    python -m tests.benchmarks.link_claims [--runs 20] [--first 0] [--seconds 20]

A claim is untrue where the board has not held what it says for longer than a claim may be old. Bytes or whole
frames are lost both ways, or one direction falls silent, while pieces are moved seven times a second. Then
the line is well and a last marker is moved: counted is how long it takes until that is claimed (on a line
that was never bad about 70 ms: the spot takes 24, the next sign of life up to 50). Returns 1 where a claim
was untrue.
"""

from __future__ import annotations

import argparse
import statistics
import sys

from firmware_bridge.virtual.virtual_board import make_board
from tests.firmware_bridge.claims import ByteLoss, Claims, FrameLoss, lossy_claims, silent_claims

LOSSES = (0.0, 0.003, 0.05, 0.10, 0.20)
SILENCES_MS = (300, 1000, 2000, 4000, 8000)


def figures(done: list[Claims]) -> str:
    """Return the figures of some runs."""
    took = [run.recovered_ms for run in done if run.recovered_ms is not None]
    well = (
        f"well after {statistics.median(took):.0f} ms (median), {max(took):.0f} ms (worst)"
        if took
        else "never well"
    )
    return (
        f"claims {sum(run.made for run in done)}, untrue {sum(run.untrue for run in done)}, "
        f"oldest {max(run.oldest_s for run in done) * 1000:.0f} ms; "
        f"{well}, not well in {len(done) - len(took)}; told {sum(len(run.told) for run in done)} faults"
    )


def main() -> int:
    """Print a line for each kind of fault."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20)
    args = parser.parse_args()
    board = make_board()
    seeds = range(args.first, args.first + args.runs)
    untrue = 0
    for kind, name in ((ByteLoss, "bytes"), (FrameLoss, "frames")):
        for p in LOSSES:
            done = [lossy_claims(board, seed, kind, p, args.seconds * 1000) for seed in seeds]  # type: ignore[arg-type]
            untrue += sum(run.untrue for run in done)
            print(f"{p:.1%} of {name} lost, {len(done)} x {args.seconds} s: {figures(done)}", flush=True)
    for way in ("up", "down", "both"):
        for ms in SILENCES_MS:
            done = [silent_claims(board, seed, way, ms) for seed in seeds]  # type: ignore[arg-type]
            untrue += sum(run.untrue for run in done)
            print(f"{way} silent for {ms} ms, {len(done)} runs: {figures(done)}", flush=True)
    return int(untrue > 0)


if __name__ == "__main__":
    sys.exit(main())
