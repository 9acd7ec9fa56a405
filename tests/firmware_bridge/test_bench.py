"""The path of every byte and event between board and host, on the firmware and on its double."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.virtual.native import NativeBoard
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import WireFrame, encode
from firmware_bridge.wire.link import LinkPhase
from firmware_bridge.wire.messages import UNCLEAR, Change, Events, Flag, Health, RawReadings, Type, What
from firmware_bridge.wire.news import Finished, Missed, Opened, Over, Unanswered, Whole
from tests.firmware_bridge.bench import MAGNETS, Bench, Board, Faults, Mover

SETTLE_MS = 200


def opened(board: Board, seed: int = 1) -> Bench:
    """Return a bench whose picture is whole."""
    bench = Bench(board, seed)
    assert bench.run_until_whole(1000) is not None
    return bench


def test_a_clean_line_needs_nothing_twice(board: Board) -> None:
    """Without faults there is one session, one snapshot, and no frame or event comes twice or not at all."""
    bench = opened(board)
    mover = Mover(board, random.Random(1))
    for _ in range(20):
        mover.move()
        bench.run(200)

    counters = bench.link.counters
    odd = (counters.doubles, counters.holes, counters.gaps, counters.lost, counters.repeated_commands)
    assert odd == (0, 0, 0, 0, 0)
    assert (counters.malformed, counters.unknown, bench.link.bad_frames) == (0, 0, 0)
    assert counters.opens == 1
    assert bench.count(Whole) == 1
    assert len(bench.delivered) == len(bench.made) > 10
    assert not bench.faults_of_path
    assert mover.is_seen(bench.link.slots.values)


def test_nothing_is_written_before_the_board_has_spoken(board: Board) -> None:
    """The first byte to the board follows the first Hello."""
    bench = Bench(board)
    bench.run(500)

    assert bench.written_before_spoken == 0


def test_every_session_of_the_board_asks_few_bytes(board: Board) -> None:
    """A quiet table costs twenty signs of life a second and four from the host, no more."""
    bench = opened(board)
    up, down = bench.up_filter.seen.total(), bench.down_filter.seen.total()
    bench.run(2000)

    assert 38 <= bench.up_filter.seen.total() - up <= 42
    assert 6 <= bench.down_filter.seen.total() - down <= 10


def test_a_lost_event_frame_is_sent_again(board: Board) -> None:
    """One lost frame of events is made good without a snapshot, in order and once."""
    bench = opened(board)
    snapshots = bench.link.counters.snapshots
    bench.up_filter.drop = [Type.EVENTS]
    board.set_spot(0, MAGNETS[1])
    bench.run(35)
    board.set_spot(1, MAGNETS[2])
    bench.run(150)

    assert [event.slot for _, event in bench.delivered] == [event[0] for event in bench.made.values()]
    assert len(bench.delivered) == 2
    assert bench.link.counters.snapshots == snapshots


def test_a_hole_is_never_stepped_over(board: Board) -> None:
    """An event behind a lost one waits for it, though no sign of life told of the loss."""
    bench = opened(board)
    bench.up_filter.drop = [Type.EVENTS, *[Type.ALIVE] * 4]
    board.set_spot(0, MAGNETS[1])
    bench.run(35)
    board.set_spot(1, MAGNETS[2])
    bench.run(45)

    assert bench.link.counters.holes >= 1
    assert not bench.faults_of_path
    bench.run(150)
    assert len(bench.delivered) == 2


def test_a_lost_frame_of_the_last_event_is_noticed_by_itself(board: Board) -> None:
    """The board sends again what is not acknowledged, though nothing else happens."""
    bench = opened(board)
    bench.up_filter.drop = [Type.EVENTS]
    bench.up_filter.drop += [Type.ALIVE] * 5
    board.set_spot(0, MAGNETS[1])
    bench.run(35)
    assert len(bench.delivered) == 0
    bench.run(100)

    assert len(bench.delivered) == 1


def test_a_lost_acknowledgement_makes_doubles_that_are_dropped(board: Board) -> None:
    """The board repeats an event whose acknowledgement was lost; the host takes it once."""
    bench = opened(board)
    bench.run(300)
    bench.down_filter.drop = [Type.ACK]
    board.set_spot(0, MAGNETS[1])
    bench.run(250)

    assert len(bench.delivered) == 1
    assert bench.link.counters.doubles == 1
    assert not bench.faults_of_path


def test_a_doubled_event_frame_is_taken_once(board: Board) -> None:
    """A frame that comes twice is counted, not believed twice."""
    bench = opened(board)
    bench.up_filter.double = [Type.EVENTS]
    board.set_spot(0, MAGNETS[1])
    bench.run(100)

    assert len(bench.delivered) == 1
    assert bench.link.counters.doubles == 1


def test_a_command_whose_answer_is_lost_is_carried_out_once(board: Board) -> None:
    """The host repeats it, the board only answers again."""
    bench = opened(board)
    bench.up_filter.drop = [Type.DONE]
    ticket = bench.link.send(messages.buzz(440, 30))
    bench.run(10)
    assert board.buzzer_hz
    bench.run(60)
    assert not board.buzzer_hz
    bench.run(15)

    assert bench.link.counters.repeated_commands == 1
    assert board.buzzer_hz == 0
    assert [n for n in bench.news if isinstance(n, Finished)] == [Finished(ticket, True)]


def test_a_doubled_command_is_carried_out_once(board: Board) -> None:
    """The same command frame twice lights once."""
    bench = opened(board)
    before = board.number(6) if isinstance(board, NativeBoard) else 0
    bench.down_filter.double = [Type.FILL]
    bench.link.send(messages.fill(0, 3, (1, 2, 3), show=True))
    bench.run(50)

    assert board.lights[:4] == [(1, 2, 3)] * 3 + [(0, 0, 0)]
    assert bench.count(Finished) == 1
    if isinstance(board, NativeBoard):
        assert board.number(6) == before + 1


def test_a_command_of_another_number_is_not_carried_out(board: Board) -> None:
    """Only the expected number counts."""
    bench = opened(board)
    session = bench.link.alive.session if bench.link.alive else 0
    body = messages.format_command(session, messages.fill(0, 3, (9, 9, 9), show=True))
    board.feed(encode(WireFrame(Type.FILL, 7, body)))
    bench.run(50)

    assert board.lights[0] == (0, 0, 0)


def test_commands_keep_their_order_and_are_counted_past_255(board: Board) -> None:
    """Three hundred commands are carried out in order, each once."""
    bench = opened(board)
    tickets = [bench.link.send(messages.fill(i % 20, 1, (i % 256, 0, 1), show=True)) for i in range(300)]
    bench.run(6000)

    assert [n.ticket for n in bench.news if isinstance(n, Finished)] == tickets
    assert board.lights[:20] == [(i % 256, 0, 1) for i in range(280, 300)]


def test_a_command_out_of_range_is_refused(board: Board) -> None:
    """The board says no instead of lighting what is not there."""
    bench = opened(board)
    ticket = bench.link.send(messages.fill(len(board.lights) - 1, 2, (9, 9, 9), show=True))
    bench.run(50)

    assert Finished(ticket, False) in bench.news
    assert board.lights[-1] == (0, 0, 0)


def test_a_damaged_command_is_counted_and_not_carried_out(board: Board) -> None:
    """A frame whose check fails does nothing but count."""
    bench = opened(board)
    session = bench.link.alive.session if bench.link.alive else 0
    body = messages.format_command(session, messages.fill(0, 3, (9, 9, 9), show=True))
    wire = bytearray(encode(WireFrame(Type.FILL, 0, body)))
    wire[-5] ^= 0x40  # one of the colours
    board.feed(bytes(wire))
    bench.run(20)
    bench.link.ask(What.HEALTH, 0, 0, bench.now_s)
    bench.run(20)

    assert board.lights[0] == (0, 0, 0)
    assert [n.bad for n in bench.news if isinstance(n, Health)] == [1]


def test_a_damaged_event_is_counted_and_not_believed(board: Board) -> None:
    """The host drops what does not check."""
    bench = opened(board)
    wire = bytearray(event_frame(bench, 0, 4))
    wire[-3] ^= 0x10
    bench.link.feed(bytes(wire), bench.now_s)

    assert bench.link.bad_frames == 1
    assert not bench.delivered


def event_frame(bench: Bench, slot: int, value: int) -> bytes:
    """Return a frame with the next event, as the board would send it."""
    expected = bench.link.slots.expected
    return encode(
        WireFrame(
            Type.EVENTS, 0, messages.format_events(Events(expected, expected, (Change(0, slot, value),)))
        )
    )


def test_a_wrong_value_is_found_by_the_digest_and_healed(board: Board) -> None:
    """What slips through the check is found at the next sign of life and made good by a snapshot."""
    bench = opened(board)
    board.set_spot(5, MAGNETS[1])
    bench.run(50)
    spot_slot = next(iter(bench.made.values()))[0]
    assert bench.link.slots.values[spot_slot] == 1
    bench.link.slots._set(spot_slot, 3)  # as if a damaged frame had fitted its check
    took = bench.run_until_whole(SETTLE_MS)

    assert took is not None
    assert bench.link.counters.digest_mismatches == 1


def test_events_lost_in_a_full_ring_are_told_and_covered(board: Board) -> None:
    """A host that slept too long is told which events are gone, and gets a snapshot for them."""
    bench = opened(board)
    bench.host_runs = False
    for spot in range(60):
        board.set_spot(spot, MAGNETS[1])
    bench.run(300)
    bench.host_runs = True
    took = bench.run_until_whole(SETTLE_MS)

    assert took is not None
    assert bench.count(Missed) >= 1
    assert bench.link.counters.gaps >= 1
    missed = sum(n.until - n.first for n in bench.news if isinstance(n, Missed))
    assert missed + len(bench.delivered) == len(bench.made)
    assert not bench.faults_of_path


def test_everything_swept_off_at_once_is_seen(board: Board) -> None:
    """More changes than the ring holds, with the host awake."""
    bench = opened(board)
    for spot in range(100):
        board.set_spot(spot, MAGNETS[1 + spot % 4])
    bench.run(500)
    for spot in range(100):
        board.set_spot(spot, MAGNETS[0])
    bench.run(500)

    assert bench.is_right()
    assert not bench.faults_of_path
    assert set(bench.link.slots.values) == {0}


def test_a_silent_host_makes_lights_dark_and_the_buzzer_still(board: Board) -> None:
    """Dead man: three seconds without the host end the session and all outputs; then all is well again."""
    bench = opened(board)
    bench.link.send(messages.fill(0, 5, (50, 50, 50), show=True))
    bench.run(50)
    bench.host_runs = False
    bench.run(2000)
    bench.link.send(messages.buzz(440, 2000))
    bench.host_runs = True
    bench.run(20)
    bench.host_runs = False
    assert board.buzzer_hz
    assert any(map(any, board.lights))
    bench.run(3100)
    assert not any(map(any, board.lights))
    assert not board.buzzer_hz
    bench.host_runs = True
    bench.run(20)

    assert bench.run_until_whole(SETTLE_MS) is not None
    assert bench.link.counters.opens == 2


@pytest.mark.parametrize("pause_ms", [1000, 5000])
def test_a_host_that_hung_is_right_again_at_once(board: Board, pause_ms: int) -> None:
    """Stopped for one or five seconds while pieces move: right again within 200 ms."""
    bench = opened(board)
    mover = Mover(board, random.Random(pause_ms))
    bench.host_runs = False
    for _ in range(10):
        mover.move()
        bench.run(pause_ms // 12)
    bench.run(pause_ms // 6)
    bench.host_runs = True

    assert bench.run_until_whole(SETTLE_MS) is not None
    assert mover.is_seen(bench.link.slots.values)
    assert not bench.faults_of_path


def test_a_restarted_host_is_right_at_once(board: Board) -> None:
    """A new engine on a board in another's session takes it over."""
    bench = opened(board)
    board.set_spot(3, MAGNETS[2])
    bench.run(100)
    bench.restart_host()

    assert bench.run_until_whole(2 * SETTLE_MS) is not None  # it must learn the geometry first
    assert not bench.faults_of_path


def test_a_reset_is_noticed_and_made_good(board: Board) -> None:
    """After a reset everything is unknown, then right within 200 ms; the open command is reported."""
    bench = opened(board)
    board.set_spot(3, MAGNETS[2])
    bench.run(100)
    bench.down_filter.drop = [Type.BUZZ] * 3
    ticket = bench.link.send(messages.buzz(100, 100))
    bench.run(20)
    bench.reset(8)

    took = bench.run_until_whole(SETTLE_MS)
    assert took is not None
    assert bench.count(Over) == 1
    assert Unanswered(ticket) in bench.news
    assert [n.hello.boot for n in bench.news if isinstance(n, Opened)] == [1, 2]
    assert [n.hello.reset for n in bench.news if isinstance(n, Opened)] == [1, 8]


def test_a_table_is_unknown_not_empty_after_a_reset(board: Board) -> None:
    """Between the reset and the first full reading the picture is never whole."""
    bench = opened(board)
    board.set_spot(3, MAGNETS[2])
    bench.run(100)
    bench.reset()
    for _ in range(300):
        bench.run(1)
        if bench.link.is_whole and bench.link.counters.opens == 2:
            assert bench.is_right()
            assert bench.link.alive is not None
            assert bench.link.alive.flags & Flag.READY


def test_unplugging_loses_nothing(board: Board) -> None:
    """Within a session the same session goes on, commands included."""
    bench = opened(board)
    board.set_spot(3, MAGNETS[2])
    bench.run(10)
    bench.unplug()
    bench.run(1500)
    board.set_spot(4, MAGNETS[1])
    bench.run(100)
    bench.plug()

    assert bench.run_until_whole(SETTLE_MS) is not None
    assert bench.link.counters.opens == 1
    assert bench.written_before_spoken == 0
    assert not bench.faults_of_path
    assert len(bench.delivered) == len(bench.made)


def test_a_request_to_send_again_is_obeyed_at_once(board: Board) -> None:
    """The board does not wait for its own timer when the host asks."""
    bench = opened(board)
    bench.up_filter.drop = [Type.EVENTS]
    board.set_presence(0, True)
    while Type.EVENTS in bench.up_filter.drop:
        bench.run(1)
    expected = bench.link.slots.expected
    session = bench.link.alive.session if bench.link.alive else 0
    board.feed(encode(WireFrame(Type.ACK, 0, messages.format_ack(session, expected, again=True))))
    bench.run(15)

    assert len(bench.delivered) == 1


def test_a_repeated_open_changes_nothing(board: Board) -> None:
    """An Open of the running session is answered only: commands keep their numbers, events their place."""
    bench = opened(board)
    bench.link.send(messages.fill(0, 3, (5, 5, 5), show=True))
    bench.run(20)
    board.feed(encode(WireFrame(Type.OPEN, 0, messages.format_open(bench.link._session))))
    bench.run(20)
    ticket = bench.link.send(messages.fill(3, 3, (6, 6, 6), show=True))
    bench.run(50)

    assert Finished(ticket, True) in bench.news
    assert board.lights[:6] == [(5, 5, 5)] * 3 + [(6, 6, 6)] * 3
    assert bench.link.counters.repeated_commands == 0


def test_the_first_byte_after_a_start_ends_what_was_cut_off(board: Board) -> None:
    """A zero goes before the first Hello."""
    board.run(5000)
    board.take()
    board.reset()
    board.run(20_000)

    assert board.take()[:1] == b"\x00"


def test_frames_of_another_session_do_nothing(board: Board) -> None:
    """What an earlier program left in the line is answered by a Hello and ignored."""
    bench = opened(board)
    body = messages.format_command(0x4242, messages.fill(0, 3, (9, 9, 9), show=True))
    hellos = bench.up_filter.seen[Type.HELLO]
    board.feed(encode(WireFrame(Type.FILL, 0, body)))
    bench.run(30)

    assert board.lights[0] == (0, 0, 0)
    assert bench.up_filter.seen[Type.HELLO] == hellos + 1
    assert bench.link.counters.opens == 1


def test_another_major_version_is_not_opened_by_the_board(board: Board) -> None:
    """An Open of another major is answered, nothing more."""
    board.run(20_000)
    board.take()
    body = bytearray(messages.format_open(77))
    body[2] = 2
    board.feed(encode(WireFrame(Type.OPEN, 0, bytes(body))))
    bench = Bench(board)
    bench.host_runs = False
    bench.run(50)

    assert bench.up_filter.seen[Type.HELLO] >= 1
    assert bench.up_filter.seen[Type.ALIVE] == 0


def test_unknown_frames_are_ignored_by_the_board(board: Board) -> None:
    """A newer host may say what this board does not understand."""
    bench = opened(board)
    board.feed(encode(WireFrame(0x7E, 0, b"\x01\x02\x03")))
    bench.run(20)
    bench.link.ask(What.HEALTH, 0, 0, bench.now_s)
    bench.run(20)

    assert [n.bad for n in bench.news if isinstance(n, Health)] == [0]


def test_tuning_is_carried_out_and_kept_over_a_reset(board: Board) -> None:
    """The tuning's check follows the commands, and outlives a reset once it was kept."""
    bench = opened(board)
    spots = [(512, 64)] * Mover(board, random.Random()).spot_count
    spots[7] = (300, 128)
    windows = [(-10, 10), (20, 90), (-90, -20), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)]
    wanted = messages.config_check(windows, spots)
    bench.link.send(messages.windows(0, windows))
    bench.link.send(messages.tune(7, [spots[7]]))
    bench.link.send(messages.keep())
    bench.run(1500)
    assert bench.link.config == wanted
    board.set_spot(7, 300 + 30)
    board.set_spot(8, 512 + 60)
    bench.run(100)
    bench.reset()
    bench.run(300)

    assert bench.link.config == wanted
    assert bench.is_right()
    first = next(slot for slot, value in enumerate(bench.link.slots.values) if value == 1)
    assert bench.link.slots.values[first : first + 2] == [1, 1]


def test_a_digest_seen_before_its_events_arrive_is_no_mismatch(board: Board) -> None:
    """A lossy line alone never makes the digests differ."""
    bench = opened(board)
    bench.up = Faults(loss=0.01)
    mover = Mover(board, random.Random(3))
    for _ in range(30):
        mover.move()
        bench.run(100)

    assert bench.link.counters.digest_mismatches == 0


@pytest.mark.parametrize("seed", range(6))
def test_a_bad_line_is_never_believed(board: Board, seed: int) -> None:
    """0.3 % of bytes lost and 0.3 % flipped both ways: right in the end, every event once or covered."""
    run_lossy(board, seed, 0.003, 5000)


@pytest.mark.parametrize("seed", range(2))
def test_a_very_bad_line_is_slower_never_wrong(board: Board, seed: int) -> None:
    """The same at 3 %."""
    run_lossy(board, 100 + seed, 0.03, 40_000)


def run_lossy(board: Board, seed: int, p: float, settle_ms: int) -> None:
    """Move pieces for five seconds over a bad line, then wait until the picture is right."""
    board.power(seed)
    bench = Bench(board, seed, Faults(p, p), Faults(p, p))
    mover = Mover(board, random.Random(seed))
    for _ in range(45):
        bench.run(100)
        mover.move()
    bench.run(500)
    assert bench.run_until_whole(settle_ms) is not None
    bench.run(700)
    assert bench.run_until_whole(settle_ms) is not None

    assert mover.is_seen(bench.link.slots.values)
    assert not bench.faults_of_path
    assert bench.written_before_spoken == 0


@pytest.mark.parametrize("kind", ["double", "insert", "loss", "flip"])
def test_each_fault_alone_at_five_percent(board: Board, kind: str) -> None:
    """Doubled, inserted, lost or flipped bytes, both ways."""
    bench = Bench(board, 5)
    bench.up, bench.down = Faults(**{kind: 0.05}), Faults(**{kind: 0.05})
    board.set_spot(1, MAGNETS[3])

    assert bench.run_until_whole(60_000) is not None
    assert not bench.faults_of_path


def test_one_direction_dead(board: Board) -> None:
    """Deaf or mute, nothing wrong is believed; when the line is back all is well within 200 ms."""
    bench = opened(board)
    for fault in (bench.up, bench.down):
        fault.dead = True
        bench.run(500)
        board.set_spot(2, MAGNETS[1])
        bench.run(3500)
        board.set_spot(2, MAGNETS[0])
        bench.run(500)
        fault.dead = False
        assert bench.run_until_whole(SETTLE_MS) is not None
    assert not bench.faults_of_path


def test_a_silent_board_is_called_stalled(board: Board) -> None:
    """Two seconds without a valid frame."""
    bench = opened(board)
    bench.up.dead = True
    bench.run(1900)
    assert not bench.link.is_stalled(bench.now_s)
    bench.run(200)

    assert bench.link.is_stalled(bench.now_s)


def test_a_storm_of_zeros_and_rubbish_is_survived(board: Board) -> None:
    """Bursts of 200 bytes to both ends."""
    bench = opened(board)
    rng = random.Random(9)
    for _ in range(20):
        rubbish = bytes(rng.randrange(256) for _ in range(200)) if rng.random() < 0.5 else bytes(200)
        board.feed(rubbish)
        bench.link.feed(rubbish, bench.now_s)
        bench.run(40)

    assert bench.run_until_whole(SETTLE_MS) is not None
    assert bench.link.phase is LinkPhase.OPEN
    assert bench.link.counters.opens == 1


def test_event_times_are_the_hosts(firmware: NativeBoard) -> None:
    """An event's time is when it happened, though it arrived much later."""
    bench = opened(firmware)
    bench.run(1000)
    bench.up_filter.drop = [Type.EVENTS, Type.ALIVE]
    start_s = bench.now_s
    firmware.set_presence(0, True)
    bench.run(300)

    assert 0.005 < bench.delivered[0][1].at_s - start_s < 0.020


def test_uptime_may_wrap(firmware: NativeBoard) -> None:
    """After 49 days the board goes on in the same session."""
    firmware.age(2**32 - 2000)
    bench = opened(firmware)
    bench.run(3000)
    firmware.set_presence(0, True)
    bench.run(100)

    assert bench.is_right()
    assert bench.link.counters.opens == 1


@pytest.mark.slow
def test_event_numbers_may_wrap(firmware: NativeBoard) -> None:
    """More than 65,536 events in one session, each once."""
    bench = opened(firmware)
    for beat in range(3400):
        for cell in range(20):
            firmware.set_presence(cell, beat % 2 == 0)
        bench.step(20_000)
    bench.run(300)

    assert (
        len(bench.delivered) + sum(n.until - n.first & 0xFFFF for n in bench.news if isinstance(n, Missed))
        > 65_536
    )
    assert bench.is_right()
    assert not bench.faults_of_path


def test_other_tables_tell_their_own_geometry(one_native: NativeBoard) -> None:
    """A small table of other make-up works with the same host, by what it says of itself."""
    small = NativeBoard(3, ["CELLS=6", "READERS=6", "TAGS_EACH=3", "BOXES_EACH=2", "OBELISK_BOXES=5"])
    bench = opened(small)
    mover = Mover(small, random.Random(4))
    for _ in range(10):
        mover.move()
        bench.run(200)

    assert (mover.readers, mover.spot_count, mover.cells) == (6, 6 * 2 + 5 + 6, 6)
    assert len(small.entries) < len(one_native.entries)
    assert bench.run_until_whole(1000) is not None
    assert mover.is_seen(bench.link.slots.values)


def test_raw_readings_are_told(board: Board) -> None:
    """Every spot's, untouched, for the set-up."""
    bench = opened(board)
    for spot in range(113):
        board.set_spot(spot, 400 + spot)
    bench.run(100)
    bench.link.ask(What.RAW, 0, 113, bench.now_s)
    bench.run(100)
    told = {
        n.first + i: v for n in bench.news if isinstance(n, RawReadings) for i, v in enumerate(n.readings)
    }

    assert told == {spot: 400 + spot for spot in range(113)}
    assert bench.link.counters.malformed == 0


def test_resistor_discs_are_classes_too(board: Board) -> None:
    """Rest at the upper rail and windows below it: four discs, no disc, and a bad contact."""
    bench = opened(board)
    windows = [(-20, 20), (-260, -190), (-420, -350), (-580, -510), (-740, -670), (1, 0), (1, 0), (1, 0)]
    bench.link.send(messages.windows(0, windows))
    bench.link.send(messages.tune(0, [(1023, 64)] * 6))
    bench.run(100)
    for spot, deviation in enumerate((225, 385, 545, 705, 0, 300)):
        board.set_spot(spot, 1023 - deviation)
    bench.run(200)
    first = board.slot_values().index(1)

    assert bench.link.slots.values[first : first + 6] == [1, 2, 3, 4, 0, UNCLEAR]


def test_a_host_that_gets_its_bytes_late_and_in_lumps(board: Board) -> None:
    """A USB bridge that waits 16 ms before it hands over: nothing is sent twice but what was late."""
    bench = Bench(board)
    mover = Mover(board, random.Random(2))
    for at in range(4000):
        bench.host_runs = at % 16 == 0
        bench.step(1000)
        if at % 200 == 199 and at < 3500:
            mover.move()
    bench.host_runs = True
    bench.run(20)

    assert mover.is_seen(bench.link.slots.values)
    assert not bench.faults_of_path
    assert bench.link.counters.opens == 1
    assert bench.link.counters.holes == 0


def test_a_program_that_probes_the_port_for_a_modem_does_no_harm(board: Board) -> None:
    """AT commands and escape sequences are rubbish to the board."""
    bench = opened(board)
    for probe in (b"AT\r", b"+++", b"ATE0Q0V1\r\n", b"~\x00\x78\xf0~"):
        board.feed(probe)
        bench.run(50)
    board.set_spot(3, MAGNETS[2])
    bench.run(60)

    assert bench.is_right()
    assert len(bench.delivered) == 1
    assert bench.link.counters.opens == 1
