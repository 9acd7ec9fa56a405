"""The AVR binaries: their use of memory, and the ATmega's real instructions under simavr in virtual time."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from firmware_bridge.wire import messages
from firmware_bridge.wire.messages import TAG_BIT, Health, What, tag_value
from tests.firmware_bridge import avr
from tests.firmware_bridge.bench import MAGNETS, Bench, Faults, Mover

pytestmark = pytest.mark.skipif(avr.missing() is not None, reason=avr.missing() or "")


@pytest.fixture(scope="module")
def full() -> avr.AvrBoard:
    """The full table on an ATmega2560."""
    return avr.AvrBoard("full")


@pytest.fixture(scope="module")
def halls() -> avr.AvrBoard:
    """The cheap table on an ATmega328P."""
    return avr.AvrBoard("halls")


def opened(board: avr.AvrBoard) -> Bench:
    """Return a bench on a freshly powered board whose picture is whole."""
    board.power(1)
    bench = Bench(board)
    for _ in range(1000):
        bench.run(1)
        if bench.link.is_whole:
            return bench
    raise AssertionError("never whole")


def wait_seen(bench: Bench, mover: Mover, most_ms: int) -> int | None:
    """Return how long it took until the picture is what lies on the table."""
    for ms in range(most_ms):
        if bench.link.is_whole and mover.is_seen(bench.link.slots.values):
            return ms
        bench.run(1)
    return None


def test_both_processors_have_room() -> None:
    """The build prints flash and RAM; a third of the RAM stays for the stack on the small one."""
    printed = avr.run_make(avr.build(), "size")
    used = {
        line.split()[0]: [float(share) for share in re.findall(r"\(([\d.]+) %\)", line)]
        for line in printed.splitlines()
        if "flash" in line and "RAM" in line
    }

    assert set(used) == {"full", "halls"}
    assert all(flash < 60 and ram < 80 for flash, ram in used.values())


@pytest.mark.slow
def test_clocked_strips_build_too(tmp_path: Path) -> None:
    """APA102 instead of WS2812, without a warning (a warning ends the build)."""
    assert "flash" in avr.run_make(tmp_path, "avr", "DEFINES=-DAPA102")


def test_the_real_binary_is_read_like_the_native_one(full: avr.AvrBoard) -> None:
    """Pieces of all kinds moved: the table is seen, no frame is damaged, no byte overrun."""
    bench = opened(full)
    mover = Mover(full, random.Random(3))
    for _ in range(25):
        mover.move()
        bench.run(120)

    assert wait_seen(bench, mover, 400) is not None
    assert (bench.link.bad_frames, bench.link.counters.lost, full.number(9)) == (0, 0, 0)
    assert full.number(8) == 0


def test_a_bad_line_on_the_real_binary(full: avr.AvrBoard) -> None:
    """0.3 % lost and flipped both ways."""
    bench = opened(full)
    bench.up = bench.down = Faults(0.003, 0.003)
    mover = Mover(full, random.Random(4))
    for _ in range(15):
        mover.move()
        bench.run(120)

    assert wait_seen(bench, mover, 2000) is not None


@pytest.mark.parametrize("variant", ["full", "halls"])
def test_no_byte_is_lost_while_lights_are_refreshed(variant: str, request: pytest.FixtureRequest) -> None:
    """Light commands without a pause, pulses within the strip's specification, events in between."""
    board = request.getfixturevalue(variant)
    bench = opened(board)
    count = len(board.lights)
    for turn in range(40):
        colours = [(turn, i, 255 - i) for i in range(17)]
        bench.link.send(messages.lights(turn % (count - 17), colours, show=True))
        board.set_presence(turn % 21, turn % 2 == 0)
    bench.run(1500)
    good, bad, torn = board.pulses()

    assert bench.link.unanswered == 0
    assert bench.link.counters.repeated_commands == 0
    assert (board.number(9), bench.link.bad_frames, bad, torn) == (0, 0, 0, 0)
    assert good >= 40 * count * 24
    assert board.lights[39 % (count - 17)] == (39, 0, 255)


def test_resets_of_the_real_binary(full: avr.AvrBoard) -> None:
    """At odd moments; right again within 200 ms each time."""
    bench = opened(full)
    mover = Mover(full, random.Random(6))
    for turn in range(6):
        mover.move()
        bench.run(100 + 37 * turn)
        full.reset(8)
        for _ in range(10):
            bench.run(1)
        took = wait_seen(bench, mover, 400)
        assert took is not None
        assert took + 10 <= 200


def test_latencies_of_the_real_binary(full: avr.AvrBoard) -> None:
    """Hall 15 ms, spot 40 ms, tile 60 ms at the median; benchmarks/link_latency.py takes more samples."""
    bench = opened(full)
    rng = random.Random(7)
    hall, spot, tile = [], [], []
    for turn in range(7):
        hall.append(latency(bench, rng, lambda turn=turn: full.set_presence(turn, True)))
        spot.append(latency(bench, rng, lambda turn=turn: full.set_spot(turn, MAGNETS[1])))
        uid = bytes([4, turn, 1, 2, 3, 4, 5])
        tile.append(latency(bench, rng, lambda uid=uid, turn=turn: full.set_tags(turn, [uid]), is_tag=True))

    assert sorted(hall)[3] <= 15
    assert sorted(spot)[3] <= 40
    assert sorted(tile)[3] <= 60
    assert max(tile) <= 300


def latency(bench: Bench, rng: random.Random, change: object, is_tag: bool = False) -> float:
    """Return the milliseconds from a change to its event at the host."""
    assert callable(change)
    bench.run(30)
    bench.step(rng.randrange(1, 10_000))
    start_us, before = bench.board.now_us, len(bench.delivered)
    change()
    while not any(bool(e.value & TAG_BIT) == is_tag for _, e in bench.delivered[before:]):
        bench.step(200)
        assert bench.board.now_us - start_us < 2_000_000
    return (bench.board.now_us - start_us) / 1000


def test_the_stack_has_room_after_a_busy_time(full: avr.AvrBoard, halls: avr.AvrBoard) -> None:
    """The least memory that was ever free, as the board itself measured it."""
    free = []
    for board in (full, halls):
        bench = opened(board)
        mover = Mover(board, random.Random(8))
        for _ in range(10):
            mover.move()
            bench.link.send(messages.fill(0, 5, (1, 2, 3), show=True))
            bench.run(60)
        bench.link.ask(What.HEALTH, 0, 0, bench.now_s)
        bench.run(50)
        free += [n.free_bytes for n in bench.news if isinstance(n, Health)]

    assert free[0] > 1000
    assert free[1] > 100


def test_the_cheap_table_reads_its_magnets(halls: avr.AvrBoard) -> None:
    """No readers: presence and classes on the ATmega328P."""
    bench = opened(halls)
    mover = Mover(halls, random.Random(9))
    for _ in range(25):
        mover.move()
        bench.run(50)

    assert mover.readers == 0
    assert wait_seen(bench, mover, 200) is not None
    assert tag_value(b"1234") not in bench.link.slots.values
