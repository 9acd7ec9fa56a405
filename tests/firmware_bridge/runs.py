"""Runs of the test bench that tests make a few of and benchmarks many: each raises or returns its figures."""

from __future__ import annotations

import random
from dataclasses import dataclass

from firmware_bridge.wire import messages
from firmware_bridge.wire.messages import mix
from firmware_bridge.wire.news import Missed
from tests.firmware_bridge.bench import Bench, Board, Faults, Mover

BYTE_US = 85
SESSION_MS = 330
RIGHT_MS = 200


@dataclass(frozen=True, slots=True)
class Lossy:
    """What a run over a bad line showed."""

    settle_ms: int
    events: int
    made: int
    missed: int
    bad_frames: int
    sha: int


def check(condition: bool, words: str) -> None:
    """Raise AssertionError with these words unless the condition holds."""
    if not condition:
        raise AssertionError(words)


class Held:
    """The digest of every picture that the board has held, after each single event.

    Attributes:
        digests: all of them.
    """

    def __init__(self, bench: Bench) -> None:
        self.digests: set[int] = set()
        self._bench = bench
        self._values: list[int] = []
        self._number = 0

    def note(self) -> None:
        """Take note of the events that the board has made since."""
        board = self._bench.board
        while self._number != board.next_event:
            slot, value = board.made_event(self._number)
            self._values[slot] = value
            self.digests.add(sum(mix(s, v) for s, v in enumerate(self._values)) & 0xFFFF)
            self._number = self._number + 1 & 0xFFFF
        if board.digest not in self.digests:
            # Before the board is ready its slots change without events.
            self._values = board.slot_values()
            self.digests.add(board.digest)


def lossy_run(board: Board, seed: int, p: float, most_ms: int, seconds: float = 5.0) -> Lossy:
    """Move pieces for some virtual seconds over a line that loses and flips bytes both ways, each with `p`.

    Then the faults go on until the picture is right. Checks the settled table against what lies there, every
    event against what the board made, that a proved picture is always one that the board held, and that
    nothing was written before the board had spoken.
    """
    board.power(seed)
    bench = Bench(board, seed, Faults(p, p), Faults(p, p))
    mover = Mover(board, random.Random(seed))
    held = Held(bench)
    for at in range(int(seconds * 1000)):
        bench.step(1000)
        held.note()
        if bench.link.proved_s is not None and bench.link.slots.digest not in held.digests:
            raise AssertionError(f"seed {seed}: at {at} ms a picture that never was")
        if at % 100 == 99 and at < seconds * 1000 - 500:
            mover.move()
    settle_ms = bench.run_until_whole(most_ms)
    check(
        settle_ms is not None and mover.is_seen(bench.link.slots.values),
        f"seed {seed}: the table is not right",
    )
    assert settle_ms is not None
    check(not bench.faults_of_path, f"seed {seed}: {bench.faults_of_path[:3]}")
    check(bench.written_before_spoken == 0, f"seed {seed}: written before the board spoke")
    missed = sum(n.until - n.first & 0xFFFF for n in bench.news if isinstance(n, Missed))
    sha = hash((tuple(bench.link.slots.values), bench.link.counters.frames, bench.link.bad_frames))
    return Lossy(settle_ms, len(bench.delivered), len(bench.made), missed, bench.link.bad_frames, sha)


def reset_run(board: Board, position: int) -> int:
    """Reset the board after so many byte times of a busy session; return the milliseconds until all is right.

    The session: opening, geometry, snapshot, a command, changes of all kinds.
    """
    bench = Bench(board, 1)
    board.power(1)
    for reader in range(0, 21, 2):
        board.set_tags(reader, [bytes([4, reader, 1, 2, 3, 4, 5])])
    mover = Mover(board, random.Random(2))
    mover.tags = {reader: {bytes([4, reader, 1, 2, 3, 4, 5])} for reader in range(0, 21, 2)}
    session(bench, mover, position)
    bench.reset(2)
    took = bench.run_until_whole(1000)
    check(took is not None and took <= RIGHT_MS, f"position {position}: right only after {took} ms")
    assert took is not None
    bench.run(150)
    check(bench.run_until_whole(RIGHT_MS) is not None, f"position {position}: not right")
    check(mover.is_seen(bench.link.slots.values), f"position {position}: wrong table")
    check(not bench.faults_of_path, f"position {position}: {bench.faults_of_path[:3]}")
    check(bench.link.counters.opens <= 2, f"position {position}: {bench.link.counters.opens} sessions")
    check(bench.written_before_spoken == 0, f"position {position}: written before the board spoke")
    return took


def session(bench: Bench, mover: Mover, position: int) -> None:
    """Play the session of `reset_run` up to a position, in byte times."""
    for at in range(position):
        bench.step(BYTE_US)
        if at * BYTE_US // 1000 > 180 and at % 60 == 0:
            mover.move()
        if at == 2600:
            bench.link.send(messages.fill(0, 9, (1, 2, 3), show=True))


def unplug_run(board: Board, seed: int) -> int:
    """Pull the cable at a random moment, move pieces, plug it in; return the milliseconds until all is right.

    Every second time the board loses its power with the cable, as one fed by USB does.
    """
    rng = random.Random(seed)
    board.power(seed)
    bench = Bench(board, seed)
    mover = Mover(board, rng)
    bench.run(200 + rng.randrange(300))
    for _ in range(rng.randrange(4)):
        mover.move()
        bench.step(rng.randrange(30_000))
    bench.unplug()
    has_reset = seed % 2 == 1
    for _ in range(1 + rng.randrange(6)):
        mover.move()
        bench.run(rng.randrange(100, 800))
    bench.run(600)
    bench.plug()
    if has_reset:
        bench.reset(1)
    took = bench.run_until_whole(1000)
    check(took is not None and took <= RIGHT_MS, f"seed {seed}: right only after {took} ms")
    assert took is not None
    check(mover.is_seen(bench.link.slots.values), f"seed {seed}: wrong table")
    check(not bench.faults_of_path, f"seed {seed}: {bench.faults_of_path[:3]}")
    if not has_reset:
        missed = sum(n.until - n.first & 0xFFFF for n in bench.news if isinstance(n, Missed))
        in_session = bench.link.counters.opens == 1
        lost = in_session and missed + len(bench.delivered) != len(bench.made)
        check(
            not lost,
            f"seed {seed}: {len(bench.made)} made, {len(bench.delivered)} delivered, {missed} missed",
        )
    return took


def host_run(board: Board, seed: int, pause_ms: int, restart: bool) -> int:
    """Stop the host while pieces move, or restart it; return the milliseconds until all is right."""
    rng = random.Random(seed)
    board.power(seed)
    bench = Bench(board, seed)
    mover = Mover(board, rng)
    check(bench.run_until_whole(1000) is not None, f"seed {seed}: never whole")
    bench.host_runs = False
    for _ in range(12):
        mover.move()
        bench.run(pause_ms // 12 - 60 // 12)
    bench.run(60)
    if restart:
        bench.restart_host()
    bench.host_runs = True
    bench.run(1)
    took = bench.run_until_whole(1000)
    check(took is not None and took + 1 <= RIGHT_MS, f"seed {seed}: right only after {took} ms")
    assert took is not None
    bench.run(250)
    check(mover.is_seen(bench.link.slots.values), f"seed {seed}: wrong table in the end")
    check(not bench.faults_of_path, f"seed {seed}: {bench.faults_of_path[:3]}")
    return took + 1
