"""Opening pictures that may be anything at all."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from vision.capture.sources import open_picture


def _packed(suffix: str, width: int = 120, height: int = 90) -> bytes:
    rng = np.random.default_rng(1)
    done, pixels = cv2.imencode(suffix, rng.integers(0, 255, (height, width, 3), np.uint8))
    assert done
    return pixels.tobytes()


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _gif_of_two() -> bytes:
    head = b"GIF89a" + struct.pack("<HHBBB", 80, 80, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    one = (
        b"\x21\xf9\x04\x00\x0a\x00\x00\x00\x2c"
        + struct.pack("<HHHHB", 0, 0, 80, 80, 0)
        + b"\x02\x02\x4c\x01\x00"
    )
    return head + one + one + b"\x3b"


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp"])
def test_whole_pictures_are_opened(suffix: str) -> None:
    """Every usual format gives a BGR picture of its size."""
    assert (90, 120, 3) == open_picture(_packed(suffix)).shape


@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (b"", "empty"),
        (b"hello, this is a text", "not a picture"),
        (_packed(".jpg")[:900], "incomplete"),
        (_packed(".png")[:900], "incomplete"),
        (_packed(".webp")[:400], "incomplete"),
        (_packed(".bmp")[:900], "incomplete"),
        (_packed(".png", 40, 30), "too few"),
        (
            b"\x89PNG\r\n\x1a\n" + _png_chunk(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)),
            "too many",
        ),
        (_gif_of_two(), "animation"),
        (b"\xff\xd8\xff\xd9", "not a picture"),
    ],
)
def test_bad_files_are_named(packed: bytes, says: str) -> None:
    """Each bad file is refused in words that say what is wrong with it."""
    with pytest.raises(MalformedError, match=says):
        open_picture(packed)


@given(st.binary(max_size=300), st.integers(0, 3))
def test_any_bytes_give_a_picture_or_a_refusal(noise: bytes, start: int) -> None:
    """Arbitrary bytes, also behind the head of a picture, never do anything else."""
    head = (b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a")[start]
    with pytest.raises(MalformedError):
        open_picture(head + noise)


@given(st.data())
def test_damaged_pictures_give_a_picture_or_a_refusal(data: st.DataObject) -> None:
    """A picture with some bytes changed is opened or refused."""
    packed = bytearray(_packed(".jpg"))
    for at in data.draw(st.lists(st.integers(0, len(packed) - 1), max_size=8)):
        packed[at] ^= data.draw(st.integers(1, 255))
    try:
        image = open_picture(bytes(packed))
    except MalformedError:
        return

    assert image.ndim == 3
