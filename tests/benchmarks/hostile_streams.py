"""What a hostile or broken camera stream costs, beside a good one.

    python -m tests.benchmarks.hostile_streams [--mb 16] [--chunk 1400]

The multipart parser alone is fed streams that look for its weak places, in chunks as a network brings them.
Printed: time per MB, its ratio to a good stream's (pictures of 200 kB with a length in their heads), and the
longest time that one chunk held the interpreter.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from vision.capture.sources.multipart import MultipartParser

MB: Final = 2**20
_PICTURE = bytes(range(1, 256)) * 800
_SIZED = b"--b\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(_PICTURE) + _PICTURE + b"\r\n"
_OPEN = b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + _PICTURE + b"\r\n"
# Name: what it begins with, and what is repeated after that.
STREAMS: Final = {
    "pictures with a length (good)": (b"", _SIZED),
    "pictures without one": (b"", _OPEN),
    "dashes before any boundary": (b"", b"-"),
    "a part of dashes without an end": (b"--b\r\n\r\n", b"-"),
    "a part without an end": (b"--b\r\n\r\n", b"x"),
    "a part of half boundaries": (b"--b\r\n\r\n", b"--a"),
    "a head without an end": (b"--b\r\n", b"x"),
    "a head of line ends that are no blank line": (b"--b\r\n", b"\r"),
    "boundaries and nothing else": (b"", b"--b"),
    "empty parts": (b"", b"--b\n\n"),
    "parts of one byte": (b"", b"--b\n\nx"),
    "lengths beyond reason": (b"", b"--b\nContent-Length: 99999999999999999999\n\n"),
    "a head of lengths": (b"--b", b"\nContent-Length:          "),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds for each MB, and for the chunk that took longest."""

    per_mb_s: float
    longest_s: float


def cost(begin: bytes, repeated: bytes, size: int, chunk: int) -> Cost:
    """Feed so many bytes in chunks and return what it took."""
    text = begin + b"".join(islice(cycle((repeated,)), -(-size // len(repeated))))
    parser = MultipartParser("b")
    longest = 0.0
    began = time.perf_counter()
    for at in range(0, len(text), chunk):
        before = time.perf_counter()
        parser.feed(text[at : at + chunk])
        longest = max(longest, time.perf_counter() - before)
    return Cost((time.perf_counter() - began) / (len(text) / MB), longest)


def main() -> int:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mb", type=int, default=16)
    parser.add_argument("--chunk", type=int, default=1400)
    arguments = parser.parse_args()
    good: Cost | None = None
    for name, (begin, repeated) in STREAMS.items():
        found = cost(begin, repeated, arguments.mb * MB, arguments.chunk)
        good = good or found
        print(
            f"{name:45} {found.per_mb_s * 1e3:8.1f} ms/MB  x {found.per_mb_s / good.per_mb_s:7.1f}  "
            f"longest chunk {found.longest_s * 1e3:7.2f} ms"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
