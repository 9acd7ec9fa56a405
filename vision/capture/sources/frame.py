"""A frame, the interface of frame sources, and decoding pictures safely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from companion.errors import MalformedError
from companion.storage.strict import named, read_bytes
from vision.arrays import Image
from vision.capture.pictures import MOST_BYTES, size_of, unpack

LEAST_EDGE_PX = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture from a source.

    Attributes:
        image: (height, width, 3) BGR.
        seq: increasing number of the frame in its source; skipped frames leave gaps.
        seen_at_s: when it was taken, seconds of the source's clock.
        name: of the file it comes from; empty for live sources.
        packed: the compressed bytes it was decoded from, if it arrived compressed.
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

        Raises DeviceError if the device or the connection fails; iterating again continues from there.
        """

    def close(self) -> None:
        """Release everything; safe to call twice and from another thread."""


def open_picture(packed: bytes) -> Image:
    """Return the picture in these bytes, (height, width, 3) BGR, turned as its EXIF data says.

    Raises:
        MalformedError: the bytes are not a picture, or it is torn, animated, too small or too large; says
        which.
    """
    if not packed:
        raise MalformedError("the file is empty")
    size_of(packed)  # first, so that a picture that is too large is always reported as that
    if _is_animated(packed):
        raise MalformedError("the file is an animation; a still picture or a video file is needed")
    if _is_torn(packed):
        raise MalformedError("the file is incomplete: its end is missing")
    found = unpack(packed)
    height, width = found.shape[:2]
    if min(height, width) < LEAST_EDGE_PX:
        raise MalformedError(f"{width} x {height} pixels are too few to show a table")
    return np.asarray(found, np.uint8)


def open_picture_file(file: Path) -> Image:
    """Return the picture in a file, as `open_picture` does; MalformedError names the file as well."""
    with named(str(file)):
        try:
            return open_picture(read_bytes(file, MOST_BYTES))
        except OSError as error:
            raise MalformedError(error.strerror or str(error)) from error


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
