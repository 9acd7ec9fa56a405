"""Pictures from unknown sources: their kind and size are read from their headers before they are decoded.

A few bytes can decode to gigabytes. So only the kinds below are handed to OpenCV, and only if the header says
no more than `MOST_PIXELS`. If OpenCV finds something else, the same limit holds: it is set in
`calibration`, which every room with pictures loads first.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import MOST_PIXELS
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg

MOST_BYTES: Final = 256 * 2**20
Size: TypeAlias = tuple[int, int]

_GAP: Final = rb"(?:\s|#[^\n]*\n)+"
_PNM: Final = re.compile(rb"P[1-6]" + _GAP + rb"(\d{1,9})" + _GAP + rb"(\d{1,9})\s")
_MOST_HEAD: Final = 4096
_MOST_TIFF_ENTRIES: Final = 512
# Width, height, rows of a strip, width and height of a tile.
_TIFF_TAGS: Final = (256, 257, 278, 322, 323)
_TIFF_TYPES: Final = {3: "H", 4: "I"}
_WHOLE_STRIP: Final = 2**32 - 1


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


def size_of(packed: bytes) -> Size | None:
    """Return the width and height in pixels that a picture's header states.

    None if the bytes are not a JPEG, PNG, GIF, BMP, WebP, TIFF or PNM, or if the header does not state the
    size. Raises MalformedError if the picture has more than `MOST_PIXELS`.
    """
    read = next((read for magic, read in _KINDS if re.match(magic, packed, re.DOTALL)), None)
    try:
        size = None if read is None else read(packed)
    except struct.error:
        return None
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise MalformedError(
            f"{size[0]} x {size[1]} pixels are too many; {MOST_PIXELS // 10**6} million are allowed"
        )
    return size


def unpack(packed: bytes, flags: int = cv2.IMREAD_COLOR) -> NDArray[Any]:
    """Decode the picture in these bytes with OpenCV's `flags`; raises MalformedError."""
    if size_of(packed) is None:
        raise MalformedError("the file is not a picture")
    try:
        with quietly():
            found = cv2.imdecode(np.frombuffer(packed, np.uint8), flags)
    except cv2.error as error:
        raise MalformedError("the file cannot be opened as a picture") from error
    if found is None:
        raise MalformedError("the file is not a picture")
    return found


def pack(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture (height, width) or (height, width, 3 or 4) as the bytes of a PNG; raises OSError."""
    done, packed = cv2.imencode(".png", picture)
    if not done:
        raise OSError("the picture cannot be packed")
    return packed.tobytes()


def packed_face(name: str, picture: NDArray[np.uint8], valid: NDArray[np.bool_]) -> bytes:
    """Return a face's picture as PNG with alpha, as profiles keep it; raises ProfileError.

    Args:
        name: of the face.
        picture: (height, width, 3), light relative to white paper as `vision.photometry.light.coded` has it.
        valid: (height, width), where the face was seen.
    """
    try:
        return pack(np.dstack([picture, np.where(valid, 255, 0).astype(np.uint8)]))
    except OSError as error:
        raise ProfileError(msg("the picture of {name} cannot be saved", name=name)) from error


def _png_size(packed: bytes) -> Size:
    return struct.unpack_from(">II", packed, 16)


def _gif_size(packed: bytes) -> Size:
    return struct.unpack_from("<HH", packed, 6)


def _bmp_size(packed: bytes) -> Size:
    (head_bytes,) = struct.unpack_from("<I", packed, 14)
    width, height = struct.unpack_from("<HH" if head_bytes == 12 else "<ii", packed, 18)
    return abs(width), abs(height)


def _pnm_size(packed: bytes) -> Size | None:
    found = _PNM.match(packed[:_MOST_HEAD])
    return None if found is None else (int(found[1]), int(found[2]))


def _webp_size(packed: bytes) -> Size | None:
    kind = packed[12:16]
    if kind == b"VP8X":
        low_w, high_w, low_h, high_h = struct.unpack_from("<HBHB", packed, 24)
        return low_w + (high_w << 16) + 1, low_h + (high_h << 16) + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", packed, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", packed, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(packed: bytes) -> Size | None:
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
            height, width = struct.unpack_from(">HH", packed, at + 5)
            return width, height
        at += 2 + int(struct.unpack_from(">H", packed, at + 2)[0])
    return None


def _tiff_size(packed: bytes) -> Size | None:
    """Return the size of the picture, or of one of its strips or tiles if that is larger."""
    order = "<" if packed[:2] == b"II" else ">"
    (start,) = struct.unpack_from(order + "I", packed, 4)
    (count,) = struct.unpack_from(order + "H", packed, start)
    told: dict[int, int] = {}
    for at in range(start + 2, start + 2 + 12 * min(count, _MOST_TIFF_ENTRIES), 12):
        tag, kind = struct.unpack_from(order + "HH", packed, at)
        if tag in _TIFF_TAGS and tag not in told:
            if kind not in _TIFF_TYPES:
                return None
            (told[tag],) = struct.unpack_from(order + _TIFF_TYPES[kind], packed, at + 8)
    width, height, strip, tile_width, tile_height = (told.get(tag, 0) for tag in _TIFF_TAGS)
    if not width or not height:
        return None
    strip = 0 if strip == _WHOLE_STRIP else strip
    return max((width, height), (width, strip), (tile_width, tile_height), key=lambda size: size[0] * size[1])


_Reads: TypeAlias = Callable[[bytes], Size | None]
_KINDS: Final[tuple[tuple[bytes, _Reads], ...]] = (
    (rb"\xff\xd8", _jpeg_size),
    (rb"\x89PNG\r\n\x1a\n", _png_size),
    (rb"GIF8[79]a", _gif_size),
    (rb"BM", _bmp_size),
    (rb"RIFF....WEBP", _webp_size),
    (rb"II\*\x00|MM\x00\*", _tiff_size),
    (rb"P[1-6]\s", _pnm_size),
)
