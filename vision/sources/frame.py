"""A frame, where frames come from, and opening pictures without trusting them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.errors import MalformedError
from vision.draw import Image

LEAST_EDGE_PX = 64
MOST_PIXELS = 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture from a source.

    Attributes:
        image: (height, width, 3) BGR.
        seq: number of the frame in its source, growing; numbers are left out where frames were passed over.
        seen_at_s: when it was taken, seconds of the source's clock.
        name: of the file it comes from; empty for live sources.
        packed: the very bytes of the file or stream it was opened from, if it came so.
    """

    image: Image
    seq: int
    seen_at_s: float
    name: str = ""
    packed: bytes | None = None


class FrameSource(Protocol):
    """Anything that delivers frames: a folder, a video, a camera, a stream, a recording."""

    @property
    def name(self) -> str:
        """Name that players recognise."""

    def frames(self) -> Iterator[Frame]:
        """Yield frames until the end or until closed.

        Raises DeviceError when the world lets us down; iterating again goes on from there.
        """

    def close(self) -> None:
        """Release everything; safe to call twice and from another thread."""


@contextmanager
def quietly() -> Iterator[None]:
    """Keep OpenCV from writing its own errors to the terminal; ours say more."""
    logging = cv2.utils.logging
    before = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)


def open_picture(packed: bytes) -> Image:
    """Return the picture in these bytes, (height, width, 3) BGR, turned as its camera noted.

    Raises:
        MalformedError: the bytes are no picture, torn, animated, too small or too large; says which.
    """
    if not packed:
        raise MalformedError("the file is empty")
    size = _size_of(packed)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise MalformedError(
            f"{size[0]} x {size[1]} pixels are too many; {MOST_PIXELS // 10**6} million are allowed"
        )
    if _is_animated(packed):
        raise MalformedError("the file is an animation; a still picture or a video file is needed")
    if _is_torn(packed):
        raise MalformedError("the file is torn: its end is missing")
    try:
        with quietly():
            found = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise MalformedError("the file cannot be opened as a picture") from error
    if found is None:
        raise MalformedError("the file is not a picture")
    height, width = found.shape[:2]
    if min(height, width) < LEAST_EDGE_PX:
        raise MalformedError(f"{width} x {height} pixels are too few to show a table")
    return np.asarray(found, np.uint8)


def open_picture_file(file: Path) -> Image:
    """Return the picture in a file, as `open_picture` does; MalformedError names the file as well."""
    try:
        return open_picture(file.read_bytes())
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error
    except OSError as error:
        raise MalformedError(f"{file}: {error.strerror or error}") from error


def _size_of(packed: bytes) -> tuple[int, int] | None:
    """Return width and height from the head of a file, or None where it does not say at once."""
    if packed.startswith(b"\x89PNG\r\n\x1a\n") and len(packed) >= 24:
        return struct.unpack(">II", packed[16:24])
    if packed[:4] == b"GIF8" and len(packed) >= 10:
        return struct.unpack("<HH", packed[6:10])
    if packed[:2] == b"BM" and len(packed) >= 26:
        width, height = struct.unpack("<ii", packed[18:26])
        return abs(width), abs(height)
    if packed[:2] == b"\xff\xd8":
        return _jpeg_size(packed)
    return None


def _jpeg_size(packed: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(packed):
        if packed[at] != 0xFF:
            return None
        kind = packed[at + 1]
        if kind == 0xFF:
            at += 1
            continue
        if kind in (0x01, *range(0xD0, 0xD9)):
            at += 2
            continue
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", packed[at + 5 : at + 9])
            return width, height
        at += 2 + int(struct.unpack(">H", packed[at + 2 : at + 4])[0])
    return None


def _is_torn(packed: bytes) -> bool:
    if packed[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in packed[-65536:]
    if packed.startswith(b"\x89PNG"):
        return b"IEND" not in packed[-4096:]
    if packed[:4] == b"RIFF" and packed[8:12] == b"WEBP":
        return len(packed) < 8 + int.from_bytes(packed[4:8], "little")
    if packed[:2] == b"BM" and len(packed) >= 6:
        return len(packed) < int.from_bytes(packed[2:6], "little")
    return False


def _is_animated(packed: bytes) -> bool:
    if packed.startswith(b"\x89PNG"):
        return b"acTL" in packed[:4096]
    if packed[:4] == b"RIFF" and packed[8:12] == b"WEBP":
        return b"ANIM" in packed[:64]
    # A second graphic control extension: a second picture.
    return packed[:4] == b"GIF8" and packed.count(b"\x21\xf9\x04") > 1
