"""The host's engine alone: versions, silence, what it answers to what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import Deframer, WireFrame, crc16, encode
from firmware_bridge.wire.link import Link, LinkPhase
from firmware_bridge.wire.messages import Alive, GeometryEntry, Hello, Kind, Type
from firmware_bridge.wire.news import Mismatch, Opened, Over

ENTRIES = (GeometryEntry(Kind.PRESENCE, 0, 1, 0, 1),)
HELLO = Hello(
    1, 0, (0, 1, 0), 1, 5, 0, 63, 1, 0, 1, crc16(messages.geometry_bytes(ENTRIES)), 0, 0, 1
)  # fmt: skip


def frame(type_: Type, body: bytes) -> bytes:
    """Return a frame of the board."""
    return b"\x00" + encode(WireFrame(type_, 0, body))


def hello(**changes: int) -> bytes:
    """Return a Hello."""
    return frame(Type.HELLO, messages.format_hello(replace(HELLO, **changes)))  # type: ignore[arg-type]


def written(link: Link) -> list[WireFrame]:
    """Return the frames that the engine wants to write."""
    return Deframer().feed(link.take_output())


def test_silence_until_a_hello() -> None:
    """Nothing is written on what other devices say."""
    link = Link(lambda: 7)
    for text in (
        b"$GPGGA,123519,4807.038,N*47\r\n",
        b"OK\r\n",
        b"\x00\x00\x00",
        encode(WireFrame(3, 0, b"xyz")),
    ):
        link.feed(text, 0.0)
        link.poll(1.0)
    assert link.take_output() == b""
    link.feed(hello(), 1.0)

    out = link.take_output()
    assert out[:1] == b"\x00"
    assert [f.type for f in Deframer().feed(out)] == [Type.OPEN]


def test_another_major_version_is_named_and_not_written_to() -> None:
    """Both versions are told; when the board is flashed and speaks again, all is well."""
    link = Link(lambda: 7)
    link.feed(hello(major=2, minor=3), 0.0)
    link.feed(hello(major=2, minor=3), 0.1)
    link.poll(0.2)

    assert link.take_news() == [Mismatch((2, 3), (1, 0))]
    assert link.take_output() == b""
    assert link.phase is LinkPhase.MISMATCH
    link.feed(hello(), 0.3)
    assert [f.type for f in written(link)] == [Type.OPEN]


def test_a_newer_minor_version_is_spoken_with() -> None:
    """Its unknown frames are counted, nothing more."""
    link = Link(lambda: 7)
    link.feed(hello(minor=9, session=0), 0.0)
    link.feed(hello(minor=9, session=7), 0.1)
    link.feed(encode(WireFrame(0x2F, 0, b"news from the future")), 0.2)

    assert any(isinstance(n, Opened) for n in link.take_news())
    assert link.counters.unknown == 1
    assert link.bad_frames == 0


def test_open_is_repeated_with_the_same_session() -> None:
    """Until the board echoes it."""
    link = Link(iter(range(100, 200)).__next__)
    link.feed(hello(), 0.0)
    opens = written(link)
    for at_ms in range(1, 300):
        link.poll(at_ms / 1000)
        opens += written(link)

    assert 4 <= len(opens) <= 6
    assert {f.body for f in opens} == {messages.format_open(101)}


def test_a_session_without_its_board_ends() -> None:
    """An Alive of another boot, though of the same session, is another life."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.take_news()
    alive = Alive(1, 1, 6, 7, 1000, 0, 0, 0, 0, 0)
    link.feed(frame(Type.ALIVE, messages.format_alive(alive)), 0.2)

    assert [type(n) for n in link.take_news()] == [Over]
    assert link.phase is LinkPhase.OPENING


def test_a_reset_is_noticed_though_the_boot_number_is_the_same() -> None:
    """A board that lost its memory counts from the beginning: its Hello echoes no session."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.take_news()
    link.feed(hello(session=0), 0.2)

    assert [type(n) for n in link.take_news()] == [Over]
    assert link.phase is LinkPhase.OPENING


def test_a_reopened_port_is_silent_again() -> None:
    """The other end of a new port may be anything."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.take_output()
    link.line_changed(0.2)
    link.send(messages.buzz(440, 10))
    for at_ms in range(200, 1200, 5):
        link.poll(at_ms / 1000)

    assert link.take_output() == b""
    assert not link.is_whole


def test_a_hole_is_asked_for_at_once() -> None:
    """The acknowledgement says what is expected, and to send again from there."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.take_output()
    events = messages.Events(0, 3, (messages.Change(1, 0, 1),))
    link.feed(frame(Type.EVENTS, messages.format_events(events)), 0.2)

    assert [(f.type, f.body) for f in written(link)] == [(Type.ACK, messages.format_ack(7, 0, again=True))]


def test_a_table_that_is_not_ready_is_not_whole() -> None:
    """The board has not read all its sensors since boot."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.feed(frame(Type.GEOMETRY, messages.format_geometry(messages.GeometryPart(0, 1, ENTRIES))), 0.1)
    for ready in (0, 1):
        alive = Alive(1, ready, 5, 7, 1000, 0, 0, messages.mix(0, 1), 0, 0)
        link.feed(frame(Type.ALIVE, messages.format_alive(alive)), 0.2)
        snapshot = messages.SlotValues(0, 0, (1,))
        link.feed(frame(Type.SNAPSHOT, messages.format_snapshot(snapshot)), 0.2)
        assert link.is_whole == bool(ready)


def alive_frame(**changes: int) -> bytes:
    """Return a sign of life of a ready board whose only slot holds 1."""
    alive = Alive(1, 1, 5, 7, 1000, 0, 0, messages.mix(0, 1), 0, 0)
    return frame(Type.ALIVE, messages.format_alive(replace(alive, **changes)))


def proved() -> Link:
    """Return an engine whose picture has just been proved."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    link.feed(frame(Type.GEOMETRY, messages.format_geometry(messages.GeometryPart(0, 1, ENTRIES))), 0.1)
    link.feed(frame(Type.SNAPSHOT, messages.format_snapshot(messages.SlotValues(0, 0, (1,)))), 0.2)
    link.feed(alive_frame(), 0.2)
    assert link.proved_s == pytest.approx(0.2)
    return link


def test_only_a_sign_of_life_that_agrees_proves_the_picture() -> None:
    """An event, one that says otherwise or more than is known, and a new port end the proof."""
    event = messages.Events(0, 0, (messages.Change(1, 0, 2),))
    happened = proved()
    happened.feed(frame(Type.EVENTS, messages.format_events(event)), 0.25)
    other, ahead, reopened, early = proved(), proved(), proved(), proved()
    other.feed(alive_frame(digest=9, uptime_ms=1050), 0.25)
    ahead.feed(alive_frame(next=1, uptime_ms=1050), 0.25)
    reopened.line_changed(0.25)
    early.feed(alive_frame(flags=0, uptime_ms=1050), 0.25)

    assert [link.proved_s for link in (happened, other, ahead, reopened, early)] == [None] * 5
    assert happened.is_whole
    happened.feed(alive_frame(oldest=1, next=1, digest=messages.mix(0, 2), uptime_ms=1050), 0.3)
    assert happened.proved_s is not None
    assert 0.2 < happened.proved_s <= 0.3


def test_a_board_that_says_otherwise_within_its_session_is_greeted_anew() -> None:
    """Another number of slots, the same session and boot: nothing known of it holds any more."""
    link = proved()
    link.take_output()
    link.feed(hello(session=7, slots=2), 0.3)

    assert link.proved_s is None
    assert link.phase is LinkPhase.OPENING
    assert [f.type for f in written(link)] == [Type.OPEN]


def test_a_wrong_geometry_is_asked_for_again() -> None:
    """Entries that do not fit the Hello's check are not believed."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    link.feed(hello(session=7), 0.1)
    wrong = messages.GeometryPart(0, 1, (GeometryEntry(Kind.PRESENCE, 3, 3, 0, 1),))
    right = messages.GeometryPart(0, 1, ENTRIES)
    link.feed(frame(Type.GEOMETRY, messages.format_geometry(wrong)), 0.2)
    assert link.geometry == ()
    link.feed(frame(Type.GEOMETRY, messages.format_geometry(right)), 0.3)

    assert link.geometry == ENTRIES


@given(
    st.lists(st.tuples(st.sampled_from([*Type]), st.binary(max_size=60), st.booleans()), max_size=30),
    st.binary(max_size=200),
)
def test_the_engine_survives_anything(frames: list[tuple[Type, bytes, bool]], rubbish: bytes) -> None:
    """Valid frames with any body, in any order, and rubbish in between: no exception, no endless output."""
    link = Link(lambda: 7)
    link.feed(hello(), 0.0)
    for number, (type_, body, in_session) in enumerate(frames):
        link.feed(encode(WireFrame(type_, number, body)) + rubbish, number / 10)
        if in_session:
            link.feed(hello(session=7), number / 10)
        link.poll(number / 10 + 0.05)
        assert len(link.take_output()) < 2000
        link.take_news()
