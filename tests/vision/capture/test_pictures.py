"""Pictures by their heads: kinds, sizes, and what lies about them."""

from __future__ import annotations

import struct

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from vision.capture.pictures import MOST_PIXELS, size_of, unpack

SUFFIXES = (".jpg", ".png", ".bmp", ".webp", ".tif", ".ppm", ".pgm")


def packed(suffix: str, width: int = 120, height: int = 90) -> bytes:
    """Return a picture of noise."""
    shape = (height, width) if suffix == ".pgm" else (height, width, 3)
    done, found = cv2.imencode(suffix, np.random.default_rng(1).integers(0, 255, shape, np.uint8))
    assert done
    return found.tobytes()


@given(suffix=st.sampled_from(SUFFIXES), width=st.integers(1, 300), height=st.integers(1, 300))
def test_the_head_tells_the_size(suffix: str, width: int, height: int) -> None:
    """What the head is read to say is what OpenCV makes of the picture."""
    content = packed(suffix, width, height)

    assert (width, height) == size_of(content)
    assert (height, width, 3) == unpack(content).shape


def test_all_kinds_of_webp_tell_their_size() -> None:
    """Lossy, lossless and extended heads."""
    image = np.random.default_rng(1).integers(0, 255, (90, 120, 4), np.uint8)
    for picture, quality in ((image[..., :3], 50), (image[..., :3], 101), (image, 50), (image, 101)):
        done, content = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])
        assert done
        assert (120, 90) == size_of(content.tobytes())


def tiff(order: str, entries: list[tuple[int, int, int]]) -> bytes:
    """Return the head of a TIFF with these tags: number, type, value."""
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(entries))
    forms = {3: "HHIHxx", 4: "HHII"}
    return head + b"".join(
        struct.pack(order + forms[kind], tag, kind, 1, value) for tag, kind, value in entries
    )


@pytest.mark.parametrize("order", ["<", ">"])
def test_tiff_tells_its_size_in_both_orders(order: str) -> None:
    """Short and long numbers; the larger of the whole, a strip and a tile counts."""
    size = [(256, 3, 120), (257, 4, 90)]

    assert (120, 90) == size_of(tiff(order, size))
    assert (120, 90) == size_of(tiff(order, [*size, (278, 4, 2**32 - 1)]))
    assert (120, 5000) == size_of(tiff(order, [*size, (278, 3, 5000)]))
    assert (4000, 3000) == size_of(tiff(order, [*size, (322, 3, 4000), (323, 3, 3000)]))
    with pytest.raises(MalformedError, match="50000 x 50000 pixels are too many"):
        size_of(tiff(order, [*size, (322, 3, 50000), (323, 3, 50000)]))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF",
        b"BM" + bytes(20),
        b"P6 abc",
        b"RIFF....WEBPVP8?",
        tiff("<", [(256, 3, 120)]),
        tiff("<", [(256, 3, 0), (257, 3, 90)]),
        b"II*\0\xff\xff\xff\xff",
        b"\xff\xd8\xff",
        b"#?RADIANCE\n\n-Y 90 +X 120\n",
        b"v/1\x01" + bytes(100),
        b"\x00\x00\x00\x0cjP  \r\n",
    ],
)
def test_other_kinds_are_no_pictures(content: bytes) -> None:
    """A head that is unknown or tells nothing is not handed to OpenCV."""
    assert size_of(content) is None
    with pytest.raises(MalformedError, match="not a picture"):
        unpack(content)


def test_the_largest_picture_that_is_allowed_is_taken_for_one() -> None:
    """The limit itself is within it."""
    assert (MOST_PIXELS // 1000, 1000) == size_of(b"P6 %d 1000 255\n" % (MOST_PIXELS // 1000))
    with pytest.raises(MalformedError, match="too many"):
        size_of(b"P6 # large\n %d 1000 255\n" % (MOST_PIXELS // 1000 + 1))


@given(suffix=st.sampled_from(SUFFIXES), data=st.data())
def test_damaged_heads_give_a_picture_or_a_refusal(suffix: str, data: st.DataObject) -> None:
    """Whatever stands in the first bytes, nothing but a MalformedError comes of it."""
    content = bytearray(packed(suffix))
    for at in data.draw(st.lists(st.integers(0, 60), max_size=4)):
        content[at] = data.draw(st.integers(0, 255))
    try:
        found = unpack(bytes(content))
    except MalformedError:
        return

    assert found.size
