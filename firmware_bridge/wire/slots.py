"""What the host knows of the board's slots (docs/protocol.md, sections 4 and 8): pure bookkeeping."""

from __future__ import annotations

from firmware_bridge.wire.messages import UNCLEAR, Change, mix


def ahead_by(a: int, b: int) -> int:
    """Return how far event number `a` is ahead of `b` (negative: behind), modulo 65,536."""
    return (a - b + 0x8000 & 0xFFFF) - 0x8000


class SlotTable:
    """The slots' values, which of them are known, and which event comes next.

    Attributes:
        values: by slot; 15 (unclear) where not known.
        expected: number of the next event that may be taken.
        digest: over `values`, as the board computes it.
    """

    def __init__(self) -> None:
        self.values: list[int] = []
        self.expected = 0
        self.digest = 0
        self._missing: set[int] = set()
        self._ahead: dict[int, int] = {}
        self._newest = 0

    def start(self, slots: int, expected: int) -> None:
        """Forget everything: `slots` unknown slots, the next event is `expected`."""
        self.values = [UNCLEAR] * slots
        self.digest = sum(mix(slot, UNCLEAR) for slot in range(slots)) & 0xFFFF
        self.expected = expected
        self.doubt()

    def doubt(self) -> None:
        """Require a snapshot of every slot, not older than the next event."""
        self._missing = set(range(len(self.values)))
        self._newest = self.expected
        self._ahead.clear()

    def jump(self, oldest: int) -> None:
        """Continue from event `oldest`; those before it are lost."""
        self.expected = oldest
        self.doubt()

    @property
    def is_whole(self) -> bool:
        """Whether every slot is known as of one instant."""
        return not self._missing and ahead_by(self.expected, self._newest) >= 0

    def missing_span(self) -> tuple[int, int] | None:
        """Return (first, count) of the shortest run that holds all missing slots, None if there are none."""
        if not self._missing:
            return None
        first = min(self._missing)
        return first, max(self._missing) - first + 1

    def take_event(self, change: Change) -> bool:
        """Take event number `expected`; return whether it touched its slot."""
        number = self.expected
        self.expected = number + 1 & 0xFFFF
        is_known = ahead_by(self._ahead.get(change.slot, number), number) > 0
        if ahead_by(self._newest, self.expected) <= 0:
            # Caught up: forget the numbers before they wrap around and look new again.
            self._newest = self.expected
            self._ahead.clear()
        if is_known or change.slot >= len(self.values):
            return False
        return self._set(change.slot, change.value)

    def take_snapshot(self, as_of: int, first: int, values: tuple[int, ...]) -> bool:
        """Take the values of some slots; return whether they were used."""
        if ahead_by(as_of, self.expected) < 0:
            return False
        if first + len(values) > len(self.values):
            return False
        is_early = as_of != self.expected
        for slot, value in enumerate(values, first):
            self._missing.discard(slot)
            if is_early:
                self._ahead[slot] = as_of
            else:
                self._ahead.pop(slot, None)
            self._set(slot, value)
        if ahead_by(as_of, self._newest) > 0:
            self._newest = as_of
        return True

    def _set(self, slot: int, value: int) -> bool:
        old = self.values[slot]
        if old == value:
            return False
        self.values[slot] = value
        self.digest = self.digest - mix(slot, old) + mix(slot, value) & 0xFFFF
        return True
