"""Frames to messages and back: strict lengths, anything may come in."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from firmware_bridge.wire import messages
from firmware_bridge.wire.messages import (
    Alive,
    Change,
    Done,
    Events,
    GeometryEntry,
    GeometryPart,
    Health,
    Hello,
    RawReadings,
    SlotValues,
    Type,
)

u8 = st.integers(0, 0xFF)
u16 = st.integers(0, 0xFFFF)
u32 = st.integers(0, 0xFFFF_FFFF)
entries = st.builds(GeometryEntry, u8, u8, u8, u8, u8)
FORMS = {
    Type.HELLO: (
        messages.format_hello,
        st.builds(Hello, u8, u8, st.tuples(u8, u8, u8), u8, u32, u32, u16, u16, u16, u16, u16, u16, u16, u32),
    ),
    Type.ALIVE: (messages.format_alive, st.builds(Alive, u8, u8, u16, u16, u32, u16, u16, u16, u16, u8)),
    Type.EVENTS: (
        messages.format_events,
        st.builds(
            Events, u16, u16, st.lists(st.builds(Change, u32, u16, u32), min_size=1, max_size=5).map(tuple)
        ),
    ),
    Type.DONE: (messages.format_done, st.builds(Done, u16, u8, u8, u8)),
    Type.SNAPSHOT: (
        messages.format_snapshot,
        st.builds(SlotValues, u16, u16, st.lists(u32, min_size=1, max_size=11).map(tuple)),
    ),
    Type.GEOMETRY: (
        messages.format_geometry,
        st.lists(entries, min_size=1, max_size=11).map(lambda found: GeometryPart(3, 20, tuple(found))),
    ),
    Type.RAW: (
        messages.format_raw,
        st.builds(RawReadings, u16, st.lists(st.integers(0, 1023), min_size=1, max_size=29).map(tuple)),
    ),
    Type.HEALTH: (messages.format_health, st.builds(Health, u16, u16, u16, u16, u16, u16, u16, u32)),
}


@pytest.mark.parametrize("type_", FORMS, ids=lambda t: t.name)
@given(data=st.data())
def test_every_message_comes_back_as_it_was(type_: Type, data: st.DataObject) -> None:
    """Formatted and parsed, it is the same; a byte more or less is refused or another count."""
    form, strategy = FORMS[type_]
    message = data.draw(strategy)
    body = form(message)  # type: ignore[operator]

    assert messages.parse(type_, body) == message
    assert len(body) <= 60
    with contextlib.suppress(MalformedError):
        assert messages.parse(type_, body[:-1]) != message
    with contextlib.suppress(MalformedError):
        assert messages.parse(type_, body + b"\x01") != message


@given(u8, st.binary(max_size=60))
def test_any_body_is_parsed_or_refused(type_: int, body: bytes) -> None:
    """Rubbish that fits its check raises nothing else than MalformedError; unknown types are None."""
    known = type_ in FORMS
    with contextlib.suppress(MalformedError):
        assert (messages.parse(type_, body) is not None) == known


@pytest.mark.parametrize("type_", FORMS, ids=lambda t: t.name)
def test_an_empty_body_fits_no_message(type_: Type) -> None:
    """Each has its least length."""
    with pytest.raises(MalformedError):
        messages.parse(type_, b"")


def test_a_board_of_another_kind_is_refused() -> None:
    """Without the magic there is no Hello."""
    body = bytearray(messages.format_hello(Hello(1, 0, (0, 1, 0), 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1)))
    body[0] ^= 1
    with pytest.raises(MalformedError, match="no Moontable board"):
        messages.parse(Type.HELLO, bytes(body))


@given(st.lists(u32, max_size=20))
def test_numbers_of_varying_length(values: list[int]) -> None:
    """Put and taken, they are the same, in the shortest form only."""
    data = b"".join(map(messages.put_var, values))

    assert messages.take_vars(data, len(values)) == tuple(values)


@pytest.mark.parametrize("data", [b"\x80\x00", b"\x80", b"\xff\xff\xff\xff\x7f", b"\x80\x80\x80\x80\x80\x01"])
def test_ill_formed_numbers_are_refused(data: bytes) -> None:
    """Longer than needed, cut off, too large, too long."""
    with pytest.raises(MalformedError):
        messages.take_vars(data, 1)


@given(st.lists(u32, min_size=2, max_size=40), st.data())
def test_the_digest_sees_a_change_and_an_exchange(values: list[int], data: st.DataObject) -> None:
    """A figure that moves from one slot to another changes the sum (it may collide once in 65,536 times)."""
    a = data.draw(st.integers(0, len(values) - 1))
    b = data.draw(st.integers(0, len(values) - 1))
    swapped = list(values)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    digests = [sum(messages.mix(s, v) for s, v in enumerate(vs)) & 0xFFFF for vs in (values, swapped)]

    if swapped == values:
        assert digests[0] == digests[1]


def test_the_digest_rarely_collides() -> None:
    """Of all exchanges of two tags among 260 slots, about one in 65,536 goes unseen."""
    tags = [messages.tag_value(bytes([4, i, 3, 2, 1, 0, i])) for i in range(6)]
    unseen = sum(
        (messages.mix(a, tag) + messages.mix(b, 0)) & 0xFFFF
        == (messages.mix(a, 0) + messages.mix(b, tag)) & 0xFFFF
        for tag in tags
        for a in range(260)
        for b in range(a)
    )

    assert unseen < 20


def test_commands_that_do_not_fit_are_refused() -> None:
    """Eighteen lights are too many for a frame."""
    with pytest.raises(ValueError, match="18 lights"):
        messages.lights(0, [(0, 0, 0)] * 18, show=True)


def test_a_tag_is_known_by_its_whole_number() -> None:
    """All bytes count, and the top bit tells a tag from a class."""
    values = {messages.tag_value(bytes([4, 1, 2, 3, 4, 5, last])) for last in range(256)}

    assert len(values) == 256
    assert min(values) >= messages.TAG_BIT
