"""When the board sent a message, on the host's clock (docs/protocol.md, section 11). Pure.

The board sends its own uptime. The smallest difference between arrival and uptime belongs to the fastest
message: any larger difference is a delay on the line or in a busy host. This is the minimum filter of clock
synchronisation (as in NTP, RFC 5905).
"""

from __future__ import annotations

from typing import Final

# A board with a larger clock error cannot be read at 115,200 baud at all.
DRIFT: Final = 0.02
# A message after such a pause may have been delayed for all of it.
PAUSE_S: Final = 0.5
# After this long a steady stream is not delayed: if it is late, the board's clock stood still meanwhile.
STEADY_S: Final = 1.0
_WRAP_MS: Final = 1 << 32


class BoardClock:
    """One boot of a board, from its signs of life."""

    def __init__(self) -> None:
        self._uptime_ms: int | None = None
        self._heard_s = float("-inf")
        self._offset_s = float("inf")
        self._steady_s = float("-inf")
        self._least_s = float("inf")

    def take(self, uptime_ms: int, now_s: float) -> float:
        """Take the uptime of a sign of life that has come now; return when it was sent, at most `now_s`."""
        sample_s = now_s - self._unwrapped(uptime_ms) / 1000
        passed_s, self._heard_s = now_s - self._heard_s, now_s
        if passed_s > PAUSE_S:
            self._steady_s, self._least_s = now_s, float("inf")
            # Before the first message the clock may have drifted by any amount.
            passed_s = 0.0 if self._offset_s == float("inf") else passed_s
        self._least_s = min(self._least_s, sample_s)
        self._offset_s = min(self._offset_s + DRIFT * passed_s, sample_s)
        if now_s - self._steady_s >= STEADY_S:
            self._offset_s = self._least_s
            self._steady_s, self._least_s = now_s, sample_s
        return self.at_s(uptime_ms)

    def at_s(self, ms: int) -> float:
        """Return a time of the board's clock on the host's; infinity before the first sign of life."""
        return self._near(ms) / 1000 + self._offset_s

    def _unwrapped(self, uptime_ms: int) -> int:
        self._uptime_ms = self._near(uptime_ms)
        return self._uptime_ms

    def _near(self, ms: int) -> int:
        """Return the time next to the newest uptime that reads like this: it wraps after 49 days."""
        if self._uptime_ms is None:
            return ms
        return self._uptime_ms + (ms - self._uptime_ms + _WRAP_MS // 2) % _WRAP_MS - _WRAP_MS // 2
