"""The multipart parser: any cut of the stream gives the same parts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vision.sources.multipart import MOST_BYTES, MultipartParser

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


@given(st.binary(max_size=400), st.lists(st.integers(0, 10_000), max_size=8))
def test_anything_is_survived_the_same_way(noise: bytes, places: list[int]) -> None:
    """Arbitrary bytes raise nothing, and the cuts make no difference."""
    whole, pieces = MultipartParser("b"), MultipartParser("b")
    text = noise.replace(b"\x00", b"--b").replace(b"\x01", b"\r\n\r\n")

    assert whole.feed(text) == [part for chunk in _cut(text, places) for part in pieces.feed(chunk)]


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
