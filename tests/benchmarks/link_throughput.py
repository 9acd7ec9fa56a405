"""Throughput of the Python engine on one core: boards' worth of full-speed traffic.

    python -m tests.benchmarks.link_throughput [--boards 20] [--seconds 10]

Each stream is what a real board sends at 115,200 baud when it never stops: events, five a frame, and signs
of life. The engine takes it in the chunks in which a port gives it (5 ms).
"""

from __future__ import annotations

import argparse
import random
import time

from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import WireFrame, crc16, encode
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import Alive, Change, Events, GeometryPart, Hello, SlotValues, Type

BYTES_A_SECOND = 11_765
CHUNK_S = 0.005
SLOTS = 260


def stream(seconds: float, seed: int) -> bytes:
    """Return everything that a busy board sends in so many seconds, from its Hello on."""
    rng = random.Random(seed)
    entries = standard_entries()
    check = crc16(messages.geometry_bytes(entries))
    hello = Hello(1, 0, (0, 1, 0), 1, 1, 1, 63, SLOTS, 114, len(entries), check, 0, 0, 1)
    alive = Alive(1, 1, 1, 1, 0, 0, 0, 0, 0, 0)
    out = bytearray(encode(WireFrame(Type.HELLO, 0, messages.format_hello(hello))))
    out += encode(WireFrame(Type.HELLO, 1, messages.format_hello(hello)))
    out += encode(WireFrame(Type.ALIVE, 2, messages.format_alive(alive)))
    values = [0] * SLOTS
    for first in range(0, len(entries), 11):
        part = GeometryPart(first, len(entries), entries[first : first + 11])
        out += encode(WireFrame(Type.GEOMETRY, 3, messages.format_geometry(part)))
    for first in range(0, SLOTS, 52):
        part_values = SlotValues(0, first, tuple(values[first : first + 52]))
        out += encode(WireFrame(Type.SNAPSHOT, 4, messages.format_snapshot(part_values)))
    number = 0
    digest = sum(messages.mix(s, v) for s, v in enumerate(values)) & 0xFFFF
    next_alive = 0
    while len(out) < BYTES_A_SECOND * seconds:
        changes = []
        for _ in range(5):
            slot, value = rng.randrange(SLOTS), rng.choice([0, 1, 2, messages.TAG_BIT | rng.getrandbits(31)])
            digest = digest - messages.mix(slot, values[slot]) + messages.mix(slot, value) & 0xFFFF
            values[slot] = value
            changes.append(Change(len(out) * 1000 // BYTES_A_SECOND, slot, value))
        body = messages.format_events(Events(number, number, tuple(changes)))
        out += encode(WireFrame(Type.EVENTS, number & 0xFF, body))
        number = number + 5 & 0xFFFF
        if len(out) > next_alive:
            next_alive = len(out) + BYTES_A_SECOND // 20
            alive = Alive(1, 1, 1, 1, len(out) * 1000 // BYTES_A_SECOND, number, number, digest, 0, 0)
            out += encode(WireFrame(Type.ALIVE, 0, messages.format_alive(alive)))
    return bytes(out)


def main() -> None:
    """Print how many boards one core keeps up with."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    streams = [stream(args.seconds, seed) for seed in range(args.boards)]
    links = [Link(lambda: 1) for _ in streams]
    chunk = int(BYTES_A_SECOND * CHUNK_S)
    start = time.process_time()
    written = 0
    for at in range(0, max(map(len, streams)), chunk):
        now_s = at / BYTES_A_SECOND
        for link, data in zip(links, streams, strict=True):
            link.feed(data[at : at + chunk], now_s)
            link.poll(now_s)
            written += len(link.take_output())
            link.take_news()
    spent_s = time.process_time() - start
    events = sum(link.counters.events for link in links)
    bad = sum(link.bad_frames + link.counters.digest_mismatches + link.counters.holes for link in links)
    print(
        f"{args.boards} boards x {args.seconds:.0f} s of full-speed traffic "
        f"({sum(map(len, streams)):,} bytes, "
        f"{events:,} events, {bad} faults, {written:,} bytes in return) in {spent_s:.2f} s of one core: "
        f"{args.boards * args.seconds / spent_s:.0f} boards' worth"
    )
    assert all(link.is_whole for link in links)


if __name__ == "__main__":
    main()
