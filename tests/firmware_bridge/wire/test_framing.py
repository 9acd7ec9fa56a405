"""Bytes to frames and back, however the stream is cut or damaged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.framing import (
    WIRE_MAX,
    Deframer,
    WireFrame,
    cobs_decode,
    cobs_encode,
    crc16,
    decode,
    encode,
)

bodies = st.binary(max_size=60)
frames = st.builds(WireFrame, st.integers(0, 255), st.integers(0, 255), bodies)


def test_the_check_is_ccitt_false() -> None:
    """The well-known check value."""
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("raw", "wire"),
    [
        (b"", b"\x01"),
        (b"\x00", b"\x01\x01"),
        (b"\x11\x00\x22", b"\x02\x11\x02\x22"),
        (b"\x01\x02", b"\x03\x01\x02"),
    ],
)
def test_stuffing_of_known_texts(raw: bytes, wire: bytes) -> None:
    """As the COBS paper has it."""
    assert cobs_encode(raw) == wire
    assert cobs_decode(wire) == raw


@given(st.binary(max_size=253))
def test_stuffing_leaves_no_zero_and_can_be_undone(raw: bytes) -> None:
    """One byte more, none of them zero."""
    wire = cobs_encode(raw)

    assert len(wire) == len(raw) + 1
    assert 0 not in wire
    assert cobs_decode(wire) == raw


@given(st.binary(max_size=300))
def test_anything_may_be_decoded(wire: bytes) -> None:
    """Rubbish is None or something that encodes to the same."""
    raw = cobs_decode(wire.replace(b"\x00", b"\x01"))
    if raw is not None and len(raw) <= 253 and wire:
        assert cobs_decode(cobs_encode(raw)) == raw


@given(st.lists(frames, max_size=8), st.data())
def test_any_split_of_a_stream_gives_the_same_frames(sent: list[WireFrame], data: st.DataObject) -> None:
    """Cut anywhere, with empty frames in between."""
    stream = b"\x00".join([b"", *map(encode, sent)])
    deframer = Deframer()
    got = []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        got += deframer.feed(stream[:cut])
        stream = stream[cut:]

    assert got == sent
    assert deframer.bad == 0


@given(frames, st.data())
def test_a_flipped_bit_is_found(frame: WireFrame, data: st.DataObject) -> None:
    """No single damaged bit gives another frame."""
    wire = bytearray(encode(frame))
    bit = data.draw(st.integers(0, 8 * len(wire) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    got = Deframer().feed(bytes(wire) + b"\x00")

    assert got == []


@given(st.binary(max_size=400), frames)
def test_after_any_rubbish_the_next_frame_is_read(rubbish: bytes, frame: WireFrame) -> None:
    """A zero ends whatever came before."""
    got = Deframer().feed(rubbish + b"\x00" + encode(frame))

    assert got[-1] == frame


def test_what_is_too_long_is_one_bad_piece() -> None:
    """However long, it is counted once and forgotten."""
    deframer = Deframer()
    for _ in range(50):
        assert deframer.feed(b"\x05" * 40) == []
    assert deframer.feed(b"\x00" + encode(WireFrame(1, 2, b"x"))) == [WireFrame(1, 2, b"x")]
    assert deframer.bad == 1
    assert len(encode(WireFrame(1, 2, bytes(60)))) == WIRE_MAX + 1


def test_a_body_too_long_is_refused() -> None:
    """Sixty bytes fit."""
    with pytest.raises(ValueError, match="61 bytes"):
        encode(WireFrame(1, 1, bytes(61)))


def test_a_frame_without_room_for_its_check_is_none() -> None:
    """Three bytes are no frame."""
    assert decode(cobs_encode(b"\x01\x02\x03")) is None


def test_reset_forgets_half_a_frame() -> None:
    """A newly opened port starts afresh."""
    deframer = Deframer()
    deframer.feed(b"\x05\x01\x02")
    deframer.reset()

    assert deframer.feed(encode(WireFrame(9, 9, b""))) == [WireFrame(9, 9, b"")]
    assert deframer.bad == 0
