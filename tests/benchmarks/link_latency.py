"""Latency in virtual time: from a change on the table to the host's event.

    python -m tests.benchmarks.link_latency [--board avr|native] [--samples 40]

The ATmega2560's real binary with 21 readers, 115,200 baud; changes at random phases.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable

from firmware_bridge.virtual.native import NativeBoard
from firmware_bridge.wire.messages import TAG_BIT
from firmware_bridge.wire.news import Happened
from tests.firmware_bridge.avr import AvrBoard, missing
from tests.firmware_bridge.bench import MAGNETS, Bench

FIRST_HALL = 239
Test = Callable[[Happened], bool]
Note = Callable[[str, float], None]


def measure(bench: Bench, change: Callable[[], None], wanted: Test, most_ms: int = 3000) -> float:
    """Make a change at a random phase and return the milliseconds until the wanted event arrives."""
    bench.run(40)
    bench.step(bench.rng.randrange(1, 20_000))
    start_us = bench.board.now_us
    before = len(bench.delivered)
    change()
    while bench.board.now_us - start_us < most_ms * 1000:
        bench.step(200)
        if any(wanted(event) for _, event in bench.delivered[before:]):
            return (bench.board.now_us - start_us) / 1000
    raise AssertionError("the change never arrived")


def uid(number: int) -> bytes:
    """Return the serial number of a tag."""
    return bytes([4, number, 17, 29, 31, 5, 9])


def run(board: NativeBoard, samples: int) -> dict[str, list[float]]:
    """Return the latencies by kind, milliseconds."""
    bench = Bench(board, 1)
    assert bench.run_until_whole(2000) is not None
    rng = random.Random(1)
    times: dict[str, list[float]] = {}

    def note(kind: str, value: float) -> None:
        times.setdefault(kind, []).append(value)

    for i in range(samples):
        move_magnets(bench, rng.randrange(21), rng.randrange(93), MAGNETS[1 + i % 4], note)
    for crowded in (False, True):
        for reader in range(20 if crowded else 0):
            board.set_tags(reader, [uid(reader)])
        bench.run(500)
        words = "20 tiles lying" if crowded else "empty table"
        for i in range(samples):
            reader = 20 if crowded else rng.randrange(21)
            lay_tile(bench, reader, uid(100 + i), words, note)
            lay_tag(bench, reader, uid(180 + i), words, note)
    return times


def move_magnets(bench: Bench, cell: int, spot: int, level: int, note: Note) -> None:
    """Put a magnet over a presence sensor and over a spot, and take them away again."""
    board = bench.board
    note("hall, on", measure(bench, lambda: board.set_presence(cell, True), lambda e: e.slot >= FIRST_HALL))
    note("hall, off", measure(bench, lambda: board.set_presence(cell, False), lambda e: e.slot >= FIRST_HALL))
    note("spot class, on", measure(bench, lambda: board.set_spot(spot, level), lambda e: 0 < e.value < 15))
    note("spot class, off", measure(bench, lambda: board.set_spot(spot, MAGNETS[0]), lambda e: e.value == 0))


def lay_tile(bench: Bench, reader: int, tag: bytes, words: str, note: Note) -> None:
    """Lay a tile (tag, side magnet, presence) on a cell and take it away again."""
    board = bench.board
    side = None if reader == 10 else 93 + reader - (reader > 10)

    def lay(on: bool) -> None:
        board.set_tags(reader, [tag] if on else [])
        board.set_presence(reader, on)
        if side is not None:
            board.set_spot(side, MAGNETS[1] if on else MAGNETS[0])

    slots = range(reader * 6, reader * 6 + 6)
    note(f"tile placed, {words}", measure(bench, lambda: lay(True), lambda e: bool(e.value & TAG_BIT)))
    bench.run(300)
    gone = measure(bench, lambda: lay(False), lambda e: e.slot in slots and not e.value)
    note(f"tile removed, {words}", gone)
    bench.run(200)


def lay_tag(bench: Bench, reader: int, tag: bytes, words: str, note: Note) -> None:
    """Put down a figure, which no magnet announces, and take it away again."""
    board = bench.board
    slots = range(reader * 6, reader * 6 + 6)
    came = measure(bench, lambda: board.set_tags(reader, [tag]), lambda e: bool(e.value & TAG_BIT))
    note(f"figure placed, {words}", came)
    gone = measure(bench, lambda: board.set_tags(reader, []), lambda e: e.slot in slots and not e.value)
    note(f"figure removed, {words}", gone)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--board", choices=["avr", "native"], default="avr")
    parser.add_argument("--samples", type=int, default=40)
    args = parser.parse_args()
    if args.board == "avr" and (why := missing()):
        print(f"skipped: {why}")
        return
    board = AvrBoard() if args.board == "avr" else NativeBoard()
    for kind, values in run(board, args.samples).items():
        middle, worst = statistics.median(values), max(values)
        print(f"{kind:32} median {middle:6.1f} ms  worst {worst:6.1f} ms  (n={len(values)})")


if __name__ == "__main__":
    main()
