"""What the firmware makes of its sensors: bounce, borders, weak tags, dead readers (native build)."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.virtual.native import NativeBoard
from firmware_bridge.wire.messages import TAG_BIT, UNCLEAR, Health, What, tag_value
from tests.firmware_bridge.bench import MAGNETS, Bench, Mover

FIRST_SPOT = 126
FIRST_HALL = 239


def uid(number: int) -> bytes:
    """Return the serial number of a tag, 7 bytes as NTAG21x have."""
    return bytes([4, number, 0x5A, number ^ 0x33, 7, 7 * number & 0xFF, 1])


def opened(board: NativeBoard) -> Bench:
    """Return a bench whose picture is whole."""
    bench = Bench(board)
    assert bench.run_until_whole(1000) is not None
    return bench


def tags_on(bench: Bench, reader: int) -> set[int]:
    """Return the tags that the host knows on a reader."""
    return {v for v in bench.link.slots.values[reader * 6 : reader * 6 + 6] if v & TAG_BIT}


# -- presence -----------------------------------------------------------------------------------------


def test_a_bouncing_sensor_makes_one_event(firmware: NativeBoard) -> None:
    """Bounces of up to 8 ms are one change."""
    bench = opened(firmware)
    rng = random.Random(1)
    for _ in range(10):
        for _ in range(6):
            firmware.set_presence(4, rng.random() < 0.5)
            bench.step(rng.randrange(500, 4000))
        firmware.set_presence(4, True)
        bench.run(60)
        firmware.set_presence(4, False)
        bench.run(60)

    assert [event.value for _, event in bench.delivered] == [1, 0] * 10


def test_a_short_touch_is_nothing(firmware: NativeBoard) -> None:
    """A magnet that passes in less than the debouncing time is not reported."""
    bench = opened(firmware)
    for _ in range(20):
        firmware.set_presence(4, True)
        bench.run(6)
        firmware.set_presence(4, False)
        bench.run(30)

    assert not bench.delivered


def test_two_changes_in_one_scan_are_two_events(firmware: NativeBoard) -> None:
    """Simultaneous changes are all reported."""
    bench = opened(firmware)
    firmware.set_presence(0, True)
    firmware.set_presence(20, True)
    firmware.set_spot(0, MAGNETS[1])
    firmware.set_spot(112, MAGNETS[2])
    bench.run(60)

    assert sorted(e.slot for _, e in bench.delivered) == [FIRST_SPOT, 238, FIRST_HALL, FIRST_HALL + 20]


# -- spots --------------------------------------------------------------------------------------------


def test_every_class_is_read(firmware: NativeBoard) -> None:
    """Four magnets and nothing."""
    bench = opened(firmware)
    for class_ in (1, 2, 3, 4, 0):
        firmware.set_spot(9, MAGNETS[class_], noise=6)
        bench.run(60)
        assert bench.link.slots.values[FIRST_SPOT + 9] == class_


def test_between_two_classes_is_unclear(firmware: NativeBoard) -> None:
    """A half-lifted magnet is 15, after eight scans."""
    bench = opened(firmware)
    firmware.set_spot(9, 512 + 125)
    bench.run(120)

    assert bench.link.slots.values[FIRST_SPOT + 9] == UNCLEAR


def test_a_slow_approach_ends_in_the_right_class(firmware: NativeBoard) -> None:
    """A magnet pushed on slowly passes weaker classes; the last word is right."""
    bench = opened(firmware)
    for reading in range(512, 712, 2):
        firmware.set_spot(9, reading, noise=2)
        bench.run(10)
    bench.run(60)

    assert bench.link.slots.values[FIRST_SPOT + 9] == 3
    assert [e.value for _, e in bench.delivered][-1] == 3


@pytest.mark.parametrize(("deviation", "noise"), [(110, 3), (112, 1)], ids=["on it", "just beyond"])
def test_a_reading_on_a_border_does_not_flicker(firmware: NativeBoard, deviation: int, noise: int) -> None:
    """Noise about a window's edge, or three LSB beyond it, leaves the class as it is."""
    bench = opened(firmware)
    firmware.set_spot(9, 512 + 75)
    bench.run(60)
    firmware.set_spot(9, 512 + deviation, noise)
    bench.run(3000)

    assert [e.value for _, e in bench.delivered] == [1]


def test_slow_drift_is_borne(firmware: NativeBoard) -> None:
    """Twenty LSB of warmth make no event."""
    bench = opened(firmware)
    for step in range(20):
        for spot in range(113):
            firmware.set_spot(spot, 512 + step, noise=2)
        bench.run(50)

    assert not bench.delivered


@pytest.mark.parametrize("reading", [0, 1023])
def test_a_spot_stuck_at_a_rail_is_unclear(firmware: NativeBoard, reading: int) -> None:
    """A torn wire is neither empty nor a marker."""
    bench = opened(firmware)
    firmware.set_spot(9, reading)
    bench.run(150)

    assert bench.link.slots.values[FIRST_SPOT + 9] == UNCLEAR


# -- readers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("from_received", [False, True], ids=["absolute", "received"])
@pytest.mark.parametrize("seed", range(4))
def test_several_tags_on_one_reader_are_all_read(
    firmware: NativeBoard, seed: int, from_received: bool
) -> None:
    """Real anticollision: up to six tags of 4, 7 and 10 bytes, however the chip counts collisions."""
    rng = random.Random(seed)
    firmware.count_collisions_from_received(from_received)
    bench = opened(firmware)
    wanted = {}
    for reader in range(21):
        uids = [
            rng.choice([uid(rng.randrange(256)), rng.randbytes(rng.choice([4, 7, 10]))]) for _ in range(6)
        ]
        uids = [u for u in dict.fromkeys(uids[: rng.randrange(7)]) if not (len(u) == 4 and u[0] == 0x88)]
        wanted[reader] = {tag_value(u) for u in uids}
        firmware.set_tags(reader, uids)
    bench.run(1500)

    assert {reader: tags_on(bench, reader) for reader in range(21)} == wanted
    assert firmware.number(8) == 0  # no two neighbouring fields were on at once


def test_tags_that_differ_in_the_last_bit_are_told_apart(firmware: NativeBoard) -> None:
    """The longest way through the tree."""
    bench = opened(firmware)
    uids = [bytes([4, 1, 2, 3, 4, 5, last]) for last in (0x00, 0x80, 0x40, 0xC0)]
    firmware.set_tags(3, uids)
    bench.run(400)

    assert tags_on(bench, 3) == {tag_value(u) for u in uids}


def test_more_tags_than_slots_are_unclear(firmware: NativeBoard) -> None:
    """Seven tags where six fit: the reader says that it cannot tell."""
    bench = opened(firmware)
    firmware.set_tags(3, [uid(i) for i in range(7)])
    bench.run(500)
    assert UNCLEAR in bench.link.slots.values[18:24]
    firmware.set_tags(3, [uid(1)])
    bench.run(800)

    assert tags_on(bench, 3) == {tag_value(uid(1))}
    assert UNCLEAR not in bench.link.slots.values


@pytest.mark.parametrize("missed_permille", [10, 50, 100])
def test_a_weak_tag_stays(firmware: NativeBoard, missed_permille: int) -> None:
    """Missing every tenth request does not take the tile off the table, in ten seconds."""
    bench = opened(firmware)
    firmware.set_tags(3, [uid(1)], missed_permille)
    firmware.set_tags(9, [uid(2)])
    bench.run(10_000)

    assert [e.value for _, e in bench.delivered if e.slot // 6 == 3].count(0) <= missed_permille // 100
    assert tags_on(bench, 9) == {tag_value(uid(2))}


@pytest.mark.parametrize("fault", [1, 2, 3], ids=["zeros", "ones", "hangs"])
def test_a_dead_reader_is_unclear_never_empty(firmware: NativeBoard, fault: int) -> None:
    """What a dead reader held is unknown; the others go on; healed, it is right again."""
    firmware.set_tags(3, [uid(1)])
    firmware.set_tags(9, [uid(2)])
    bench = opened(firmware)
    firmware.set_reader_fault(3, fault)
    bench.run(500)
    bench.link.ask(What.HEALTH, 0, 0, bench.now_s)
    firmware.set_tags(9, [uid(4)])
    bench.run(800)

    assert bench.link.slots.values[18] == UNCLEAR
    assert [n.dead for n in bench.news if isinstance(n, Health)] == [1 << 3]
    assert tags_on(bench, 9) == {tag_value(uid(4))}
    firmware.set_reader_fault(3, 0)
    firmware.forget_reader(3)
    bench.run(800)
    assert bench.link.slots.values[18:24] == [tag_value(uid(1)), 0, 0, 0, 0, 0]


def test_a_reader_that_lost_its_registers_is_set_up_again(firmware: NativeBoard) -> None:
    """A brown-out of the chip alone."""
    firmware.set_tags(3, [uid(1)])
    bench = opened(firmware)
    firmware.forget_reader(3)
    bench.run(500)
    firmware.set_tags(3, [uid(2)])
    bench.run(800)

    assert tags_on(bench, 3) == {tag_value(uid(2))}


def test_a_tile_slid_over_three_cells_is_at_the_last(firmware: NativeBoard) -> None:
    """Seen on the way or not, it ends on one cell."""
    bench = opened(firmware)
    for reader in (3, 4, 5):
        firmware.set_tags(reader, [uid(1)])
        bench.run(30)
        if reader != 5:
            firmware.set_tags(reader, [])
    bench.run(600)

    assert [reader for reader in range(21) if tags_on(bench, reader)] == [5]


def test_tags_come_and_go_in_the_middle_of_a_reading(firmware: NativeBoard) -> None:
    """Torn off at any moment of the exchange, nothing that never lay there is reported."""
    bench = opened(firmware)
    rng = random.Random(5)
    known = {tag_value(uid(i)) for i in range(4)}
    for _ in range(300):
        firmware.set_tags(7, [uid(i) for i in range(4) if rng.random() < 0.5])
        bench.step(rng.randrange(300, 6000))

    assert {e.value for _, e in bench.delivered if e.value & TAG_BIT} <= known


def test_no_reader_starves(firmware: NativeBoard) -> None:
    """Whatever is moved about it, no reader waits longer than 230 ms while its neighbours take turns."""
    waits_ms = []
    for seed in range(40):
        firmware.power(seed)
        mover = Mover(firmware, random.Random(seed))
        for _ in range(40):
            firmware.run(100_000)
            mover.move()
        waits_ms.append(firmware.number(14) / 1000)

    assert max(waits_ms) < 230


def test_a_table_full_of_tiles_is_swept_in_time(firmware: NativeBoard) -> None:
    """Twenty-one tiles, some with figures: a sweep takes less than 120 ms."""
    for reader in range(21):
        firmware.set_tags(reader, [uid(reader), *([uid(100 + reader)] if reader % 3 == 0 else [])])
    bench = opened(firmware)
    bench.run(500)
    bench.link.ask(What.HEALTH, 0, 0, bench.now_s)
    bench.run(20)

    assert [n.sweep_ms < 120 for n in bench.news if isinstance(n, Health)] == [True]
    assert sum(bool(v & TAG_BIT) for v in bench.link.slots.values) == 28


@pytest.mark.parametrize("after_us", [1234, 5678, 9012])
def test_a_reset_in_the_middle_of_a_reading_leaves_no_field_on(firmware: NativeBoard, after_us: int) -> None:
    """The chips keep their state over a reset of the processor; the first sweep is right all the same."""
    for reader in range(21):
        firmware.set_tags(reader, [uid(reader), uid(100 + reader)])
    bench = opened(firmware)
    bench.step(after_us)
    bench.reset(8)
    assert bench.run_until_whole(250) is not None
    bench.run(300)

    assert not bench.delivered  # the first snapshot held every tag
    assert firmware.number(8) == 0
