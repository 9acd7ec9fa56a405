"""The test bench: a simulated board, a line with faults and the host's engine, all in virtual time."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.native import NativeBoard
from firmware_bridge.wire.framing import decode
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import EMPTY, SPOT_KINDS, UNCLEAR, Kind, tag_value
from firmware_bridge.wire.news import Happened, Missed, News, Opened, Over, Unanswered, Whole
from firmware_bridge.wire.slots import ahead_by

Board = NativeBoard | DoubleBoard
STEP_US = 1000
MAGNETS = {0: 512, 1: 587, 2: 437, 3: 712, 4: 312}


@dataclass(slots=True)
class Faults:
    """What the line does to each byte (probabilities) or to each chunk of a millisecond."""

    loss: float = 0.0
    flip: float = 0.0
    double: float = 0.0
    insert: float = 0.0
    dead: bool = False

    def any(self) -> bool:
        """Whether the line does anything at all."""
        return bool(self.loss or self.flip or self.double or self.insert or self.dead)


class FrameFilter:
    """Passes whole frames on, but for those that were asked to be dropped or doubled.

    Attributes:
        drop: types of frames to lose, each entry once, in any order.
        double: types of frames to pass on twice, each entry once.
        seen: how many frames of each type came by.
    """

    def __init__(self) -> None:
        self.drop: list[int] = []
        self.double: list[int] = []
        self.seen: Counter[int] = Counter()
        self._pending = b""

    def __call__(self, data: bytes) -> bytes:
        """Return what is passed on."""
        *wires, self._pending = (self._pending + data).split(b"\x00")
        out = b""
        for wire in wires:
            frame = decode(wire) if wire else None
            kind = frame.type if frame else -1
            self.seen[kind] += 1
            if kind in self.drop:
                self.drop.remove(kind)
                continue
            times = 2 if kind in self.double else 1
            if times == 2:
                self.double.remove(kind)
            out += (wire + b"\x00") * times
        return out


@dataclass
class Bench:
    """One board, one line, one engine.

    Attributes:
        made: every event that the board made in its present life, by number.
        delivered: every event that the engine delivered, with the board's boot number.
    """

    board: Board
    seed: int = 1
    up: Faults = field(default_factory=Faults)
    down: Faults = field(default_factory=Faults)
    host_runs: bool = True

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.link = Link(lambda: self.rng.getrandbits(32))
        self.news: list[News] = []
        self.made: dict[tuple[int, int], tuple[int, int]] = {}
        self.delivered: list[tuple[int, Happened]] = []
        self.faults_of_path: list[str] = []
        self.written_before_spoken = 0
        self.up_filter = FrameFilter()
        self.down_filter = FrameFilter()
        self._kept_back = bytearray()
        self._has_heard = False
        self._boot = 0
        self._expected: int | None = None
        self._seen_next = 0
        self._life = 1
        self.offset_s = 0.0

    # -- time -------------------------------------------------------------------------------------

    @property
    def now_s(self) -> float:
        """The host's clock."""
        return self.board.now_us / 1e6 + self.offset_s

    def run(self, ms: int) -> None:
        """Let so many milliseconds pass."""
        for _ in range(ms):
            self.step(STEP_US)

    def step(self, us: int) -> None:
        """Let the board run for a moment, then carry bytes both ways."""
        self.board.run(us)
        self._note_made()
        self._kept_back += self._through(self.up, self.up_filter(self.board.take()))
        if not self.host_runs:
            return
        data = bytes(self._kept_back)
        self._kept_back.clear()
        self.link.feed(data, self.now_s)
        self.link.poll(self.now_s)
        self._has_heard = self._has_heard or bool(data)
        out = self.link.take_output()
        if out and not self._has_heard:
            self.written_before_spoken += 1
        self.board.feed(self._through(self.down, self.down_filter(out)))
        self._note_news()

    def run_until_whole(self, most_ms: int) -> int | None:
        """Run until the picture is whole and right; return how long it took, None if too long."""
        for ms in range(most_ms):
            if self.is_right():
                return ms
            self.run(1)
        return None

    def _through(self, faults: Faults, data: bytes) -> bytes:
        if not data or not faults.any():
            return data
        if faults.dead:
            return b""
        rng = self.rng.random
        out = bytearray()
        for byte in data:
            if rng() < faults.loss:
                continue
            flipped = 1 << int(rng() * 8) if rng() < faults.flip else 0
            out.append(byte ^ flipped)
            if rng() < faults.double:
                out.append(byte)
            if rng() < faults.insert:
                out.append(int(rng() * 256))
        return bytes(out)

    # -- events -----------------------------------------------------------------------------------

    def _note_made(self) -> None:
        upto = self.board.next_event
        while self._seen_next != upto:
            self.made[self._life, self._seen_next] = self.board.made_event(self._seen_next)
            self._seen_next = self._seen_next + 1 & 0xFFFF

    def _note_news(self) -> None:
        for item in self.link.take_news():
            self.news.append(item)
            match item:
                case Opened(hello):
                    self._boot = hello.boot
                    self._expected = hello.next
                case Happened():
                    self._check_event(item)
                case Missed(first, until):
                    if first != self._expected or ahead_by(until, first) <= 0:
                        self.faults_of_path.append(f"odd gap {item}")
                    self._expected = until
                case _:
                    pass

    def _check_event(self, event: Happened) -> None:
        self.delivered.append((self._boot, event))
        if event.number != self._expected:
            self.faults_of_path.append(f"event {event.number} instead of {self._expected}")
        self._expected = event.number + 1 & 0xFFFF
        made = self.made.get((self._boot, event.number))
        if made != (event.slot, event.value):
            self.faults_of_path.append(f"event {event} was made as {made}")

    # -- the world --------------------------------------------------------------------------------

    def reset(self, cause: int = 2) -> None:
        """Reset the board in the middle of whatever it does."""
        self._note_made()
        self._kept_back += self._through(self.up, self.board.take())
        self.board.reset(cause)
        self._life += 1
        self._seen_next = 0

    def restart_host(self) -> None:
        """Start the host's program anew; the port keeps what has arrived."""
        self.link = Link(lambda: self.rng.getrandbits(32))
        self._expected = None

    def unplug(self) -> None:
        """Pull the cable: nothing passes, and what was under way is gone."""
        self.up.dead = self.down.dead = True
        self.board.take()
        self._kept_back.clear()

    def plug(self) -> None:
        """Put the cable back; the host opens the port anew."""
        self.board.take()
        self.up.dead = self.down.dead = False
        self._has_heard = False
        self.link.line_changed(self.now_s)

    def is_right(self) -> bool:
        """Whether the engine's picture is whole and is what the board holds."""
        return self.link.is_whole and self.link.slots.values == self.board.slot_values()

    def count(self, kind: type) -> int:
        """Return how many news of this kind there were."""
        return sum(isinstance(item, kind) for item in self.news)


class Mover:
    """Moves pieces on the simulated table and knows what must be read there."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self.board = board
        self.rng = rng
        self.tags: dict[int, set[bytes]] = {}
        self.spots: dict[int, int] = {}
        self.presence: dict[int, bool] = {}
        self.readers = sum(e.kind == Kind.READER for e in board.entries)
        self.spot_count = sum(e.count for e in board.entries if e.kind in SPOT_KINDS)
        self.cells = sum(e.kind == Kind.PRESENCE for e in board.entries)

    def move(self) -> None:
        """Do one thing that a hand may do."""
        rng = self.rng
        what = rng.random()
        if what < 0.5:
            spot = rng.randrange(self.spot_count)
            self.spots[spot] = rng.choice([0, 0, 1, 2, 3, 4])
            self.board.set_spot(spot, MAGNETS[self.spots[spot]])
        elif what < 0.7:
            cell = rng.randrange(self.cells)
            self.presence[cell] = not self.presence.get(cell, False)
            self.board.set_presence(cell, self.presence[cell])
        elif self.readers:
            reader = rng.randrange(self.readers)
            uids = {bytes([4, rng.randrange(256), 7, 1, 2, 3, reader]) for _ in range(rng.randrange(4))}
            self.tags[reader] = uids
            self.board.set_tags(reader, sorted(uids))

    def turn_first_spot(self) -> None:
        """Put a marker on the first spot, or take it off."""
        self.spots[0] = 0 if self.spots.get(0) else 1
        self.board.set_spot(0, MAGNETS[self.spots[0]])

    def is_seen(self, values: list[int]) -> bool:
        """Whether these slot values are what lies on the table."""
        slot = spot = cell = reader = 0
        for entry in self.board.entries:
            part = values[slot : slot + entry.count]
            if entry.kind == Kind.READER:
                want = {tag_value(uid) for uid in self.tags.get(reader, ())}
                if set(part) - {EMPTY} != want:
                    return False
                reader += 1
            elif entry.kind in SPOT_KINDS:
                if part != [self.spots.get(spot + i, 0) for i in range(entry.count)]:
                    return False
                spot += entry.count
            elif entry.kind == Kind.PRESENCE:
                if part != [int(self.presence.get(cell, False))]:
                    return False
                cell += 1
            slot += entry.count if entry.kind < 0x40 else 0
        return UNCLEAR not in values


__all__ = ["Bench", "Board", "Faults", "Mover", "Opened", "Over", "Unanswered", "Whole"]
