"""Bytes to checked frames and back (docs/protocol.md, section 3): no port, no thread, no clock.

COBS is consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM Transactions on Networking, 1999).
The check is CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

END = b"\x00"
RAW_MIN = 4
RAW_MAX = 64
WIRE_MAX = RAW_MAX + 1  # one code byte, for raw frames shorter than 254 bytes


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One checked frame: its type, its number and its body (at most 60 bytes)."""

    type: int
    number: int
    body: bytes


def crc16(data: bytes, start: int = 0xFFFF) -> int:
    """Return CRC-16/CCITT-FALSE; ``crc16(b"123456789") == 0x29B1``."""
    return binascii.crc_hqx(data, start)


def cobs_encode(raw: bytes) -> bytes:
    """Return the COBS encoding of up to 253 bytes, without zeros and without the closing zero."""
    return b"".join(bytes((len(part) + 1,)) + part for part in raw.split(END))


def cobs_decode(wire: bytes) -> bytes | None:
    """Return what was encoded, or None if `wire` (free of zeros) is not valid COBS."""
    parts = []
    at = 0
    end = len(wire)
    while at < end:
        after = at + wire[at]
        if after > end:
            return None
        parts.append(wire[at + 1 : after])
        at = after
    return END.join(parts)


def encode(frame: WireFrame) -> bytes:
    """Return the bytes of a frame on the wire, closing zero included.

    Raises ValueError for a body of more than 60 bytes.
    """
    if len(frame.body) > RAW_MAX - RAW_MIN:
        raise ValueError(f"body of {len(frame.body)} bytes, at most {RAW_MAX - RAW_MIN} fit")
    raw = bytes((frame.type, frame.number)) + frame.body
    return cobs_encode(raw + crc16(raw).to_bytes(2, "little")) + END


def decode(wire: bytes) -> WireFrame | None:
    """Return the frame between two zeros, or None if it fails its check."""
    if len(wire) > WIRE_MAX:
        return None
    raw = cobs_decode(wire)
    if raw is None or not RAW_MIN <= len(raw) <= RAW_MAX:
        return None
    if crc16(raw[:-2]) != raw[-2] | raw[-1] << 8:
        return None
    return WireFrame(raw[0], raw[1], raw[2:-2])


class Deframer:
    """Bytes in, whole checked frames out, however the stream was cut.

    Attributes:
        bad: pieces between two zeros that were no valid frame.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._pending = b""
        self._too_long = False

    def feed(self, chunk: bytes) -> list[WireFrame]:
        """Return the frames that `chunk` completes."""
        *wires, self._pending = (self._pending + chunk).split(END)
        frames = []
        for wire in wires:
            if self._too_long or wire:
                frame = None if self._too_long else decode(wire)
                self._too_long = False
                if frame is None:
                    self.bad += 1
                else:
                    frames.append(frame)
        if len(self._pending) > WIRE_MAX:
            self._too_long = True
            self._pending = b""
        return frames

    def reset(self) -> None:
        """Forget a frame that has only partly arrived."""
        self._pending = b""
        self._too_long = False
