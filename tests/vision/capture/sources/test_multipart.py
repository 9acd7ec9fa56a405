"""The multipart parser: any cut of the stream gives the same parts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from vision.capture.sources.multipart import MOST_BYTES, MOST_HEAD_BYTES, MultipartParser

_BODY = st.binary(min_size=1, max_size=60).filter(
    lambda body: b"--frame" not in body and not body.endswith((b"\n", b"\r", b"-"))
)


def _stream(bodies: list[bytes], *, lengths: bool, dashes: str = "--", junk: bytes = b"") -> bytes:
    text = junk
    for body in bodies:
        head = b"\r\nContent-Length: %d" % len(body) if lengths else b""
        text += dashes.encode() + b"frame\r\nContent-Type: image/jpeg" + head + b"\r\n\r\n" + body + b"\r\n"
    return text + dashes.encode() + b"frame\r\n"


def _cut(text: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


@given(st.lists(_BODY, max_size=5), st.booleans(), st.lists(st.integers(0, 10_000), max_size=12))
def test_any_cut_gives_the_same_parts(bodies: list[bytes], lengths: bool, places: list[int]) -> None:
    """However the bytes arrive, the parts are what was sent."""
    parser = MultipartParser("frame")
    parts = [part for chunk in _cut(_stream(bodies, lengths=lengths), places) for part in parser.feed(chunk)]

    assert bodies == parts


# What a hostile or broken stream is made of: everything that means something, and much of what does not.
_SCRAP = st.sampled_from(
    (
        *(b"-", b"--", b"--b", b"----b", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"\n\n", b"b", b"x", b"y\n-"),
        *(b"Content-Length: %s\r\n" % number for number in (b"0", b"2", b"07", b"8388608", b"9" * 30)),
        *(b"-" * MOST_HEAD_BYTES, b"x" * (MOST_HEAD_BYTES - 3), b"\n\n" + b"y" * MOST_HEAD_BYTES),
    )
)


@given(
    st.lists(_SCRAP | st.binary(max_size=9), max_size=30),
    st.lists(st.integers(0, 10**6), max_size=12),
    st.sampled_from(("b", "-b", "", "bb--b")),
)
def test_anything_is_survived_the_same_way(scraps: list[bytes], places: list[int], boundary: str) -> None:
    """Arbitrary bytes raise nothing, and the cuts make no difference."""
    whole, pieces = MultipartParser(boundary), MultipartParser(boundary)
    text = b"".join(scraps)

    assert whole.feed(text) == [part for chunk in _cut(text, places) for part in pieces.feed(chunk)]
    assert (whole.dropped, whole.useless) == (pieces.dropped, pieces.useless)


@given(st.integers(-3, 3), st.lists(st.integers(0, 2 * MOST_BYTES), max_size=4), st.booleans())
@settings(max_examples=12)
def test_parts_of_the_longest_length_are_cut_the_same_way(
    beyond: int, places: list[int], lengths: bool
) -> None:
    """At the limit, too, it makes no difference how bytes arrive; only what is longer is dropped."""
    long = bytes(MOST_BYTES + beyond)
    text = _stream([long, b"next"], lengths=lengths)
    parser = MultipartParser("frame")
    parts = [part for chunk in _cut(text, places) for part in parser.feed(chunk)]
    fits = len(long) + (0 if lengths else 2) <= MOST_BYTES

    assert ([long, b"next"] if fits else [b"next"]) == parts
    assert (not fits) == bool(parser.dropped)


def test_a_length_delivers_at_once() -> None:
    """A part with a length needs no next boundary."""
    assert [b"abc"] == MultipartParser("frame").feed(b"--frame\r\nContent-Length: 3\r\n\r\nabc")


def test_boundaries_as_cameras_write_them() -> None:
    """Quotes and dashes in the content type's boundary do not matter."""
    for named in ("frame", '"frame"', "--frame", "----frame"):
        assert [b"xyz"] == MultipartParser(named).feed(_stream([b"xyz"], lengths=True))


def test_junk_in_front_is_passed_over() -> None:
    """Bytes before the first boundary are no part."""
    assert [b"xyz"] == MultipartParser("frame").feed(
        _stream([b"xyz"], lengths=False, junk=b"noise\r\n\r\n" * 9)
    )


def test_a_mad_length_is_dropped() -> None:
    """A length beyond all reason does not make the parser wait for ever."""
    parser = MultipartParser("frame")
    mad = b"--frame\r\nContent-Length: 99999999999\r\n\r\n"

    assert [b"ok"] == parser.feed(mad + _stream([b"ok"], lengths=True))
    assert 1 == parser.dropped


def test_memory_is_bounded() -> None:
    """A part that never ends is thrown away."""
    parser = MultipartParser("frame")
    parser.feed(b"--frame\r\n\r\n")
    for _ in range(5):
        parser.feed(bytes(MOST_BYTES // 4))

    assert 1 == parser.dropped


def test_a_head_that_never_ends_is_dropped() -> None:
    """Behind a boundary something sensible follows soon, or it was none."""
    parser = MultipartParser("frame")
    parser.feed(b"--frame\r\n" + b"X-Noise: 1\r\n" * 1000)

    assert parser.dropped >= 1
    assert [b"ok"] == parser.feed(_stream([b"ok"], lengths=True, junk=b"\r\n"))


def test_parts_that_can_be_no_pictures_are_counted() -> None:
    """Until something comes that may be one."""
    parser = MultipartParser("frame")
    parser.feed(_stream([b"a", b"b", b"c"], lengths=False))
    assert 3 == parser.useless
    parser.feed(_stream([bytes(200)], lengths=True))
    assert 0 == parser.useless


class _CountedBytes(bytearray):
    """Counts how many bytes are looked at."""

    looked = 0

    def find(self, *args: object) -> int:
        """See `bytearray.find`."""
        start, end = int(args[1]), int(args[2]) if len(args) > 2 else len(self)  # type: ignore[call-overload]
        found = super().find(*args)  # type: ignore[arg-type]
        type(self).looked += max(0, min(end, len(self)) if found < 0 else found) - start
        return found


def test_no_byte_is_looked_at_again_and_again() -> None:
    """A part without a length and without an end costs its size, not its size times the chunks."""
    parser = MultipartParser("frame")
    parser._pending = _CountedBytes()
    parser.feed(b"--frame\r\n\r\n")
    _CountedBytes.looked = 0
    for _ in range(1000):
        parser.feed(b"-" * 1000)

    assert 1_000_000 <= _CountedBytes.looked < 1_020_000
