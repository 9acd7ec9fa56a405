"""Runs over a bad line, every claim held against what the board held; tests make a few, a benchmark many."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.errors import DeviceError
from firmware_bridge.talk import CURRENT_S, BoardTalk
from firmware_bridge.wire.framing import END
from firmware_bridge.wire.messages import mix
from tests.firmware_bridge.bench import Board, Mover
from tests.firmware_bridge.test_session import PROFILE

STEP_US = 5000
MOVE_EVERY_MS = 150
# A table is looked at for so long after the line is well again.
AFTER_MS = 3000

Line = Callable[[bytes], bytes]


def well(data: bytes) -> bytes:
    """Pass everything on."""
    return data


def silent(data: bytes) -> bytes:
    """Pass nothing on."""
    del data
    return b""


class ByteLoss:
    """Loses each byte with probability `p`."""

    def __init__(self, p: float, rng: random.Random) -> None:
        self._p, self._rng = p, rng

    def __call__(self, data: bytes) -> bytes:
        """Return what is left."""
        return bytes(byte for byte in data if self._rng.random() >= self._p)


class FrameLoss:
    """Loses each frame whole with probability `p`: nothing is damaged, it is merely not there."""

    def __init__(self, p: float, rng: random.Random) -> None:
        self._p, self._rng, self._pending = p, rng, b""

    def __call__(self, data: bytes) -> bytes:
        """Return what is left."""
        *frames, self._pending = (self._pending + data).split(END)
        return b"".join(frame + END for frame in frames if self._rng.random() >= self._p)


class FaultyPort:
    """A port into a simulated board, in virtual time, whose two directions may be exchanged at any moment.

    Attributes:
        up, down: what becomes of the bytes from the board, and to it.
    """

    name = "faulty"

    def __init__(self, board: Board) -> None:
        self.up: Line = well
        self.down: Line = well
        self._board = board

    def clock(self) -> float:
        """Return the virtual time, seconds."""
        return self._board.now_us / 1e6

    def read(self) -> bytes:
        """Let time pass and return what came through."""
        self._board.run(STEP_US)
        return self.up(self._board.take())

    def write(self, data: bytes) -> None:
        """Send what goes through."""
        self._board.feed(self.down(data))

    def close(self) -> None:
        """Nothing to close: the board goes on."""


@dataclass(slots=True)
class Claims:
    """What was claimed in one run.

    Attributes:
        made: claims while the line was bad, and afterwards.
        untrue: of these such as the board had not held for longer than a claim may be old.
        oldest_s: how long ago the board had held what was claimed, at most.
        recovered_ms: from when the line was well, and a last piece moved, until that was claimed.
        told: faults that were told, in order.
    """

    made: int = 0
    untrue: int = 0
    oldest_s: float = 0.0
    recovered_ms: float | None = None
    told: list[str] = field(default_factory=list)


class ClaimRun:
    """One board that is moved on, one bad line, and every claim that comes of it."""

    def __init__(self, board: Board, seed: int) -> None:
        board.power(seed)
        self.rng = random.Random(seed)
        self.board = board
        self.port = FaultyPort(board)
        self.claims = Claims()
        self.talk = BoardTalk(
            PROFILE,
            port="x",
            opener=lambda _: self.port,
            clock=self.port.clock,
            new_session=lambda: self.rng.getrandbits(32),
        )
        self._mover = Mover(board, random.Random(seed))
        self._held_s: dict[int, float] = {}
        self._moved_ms = 0

    def run(self, ms: int, *, moves: bool) -> None:
        """Let so much time pass, and pieces be moved meanwhile."""
        for _ in range(0, ms, STEP_US // 1000):
            self._moved_ms += STEP_US // 1000
            if moves and self._moved_ms >= MOVE_EVERY_MS:
                self._moved_ms = 0
                self._mover.move()
            self._step()

    def recover(self) -> None:
        """Let the line be well and a last piece be moved; note how long it takes until that is claimed."""
        self.port.up = self.port.down = well
        began_s, before = self.port.clock(), self.board.digest
        self._mover.turn_first_spot()
        while self.port.clock() - began_s < AFTER_MS / 1000:
            is_told = self._step() and self.talk.slot_values == self.board.slot_values()
            if is_told and self.board.digest != before:
                self.claims.recovered_ms = (self.port.clock() - began_s) * 1000
                return

    def _step(self) -> bool:
        """Go one round; return whether anything was claimed."""
        try:
            seen = self.talk.step()
        except DeviceError as error:
            self.claims.told.append(str(error))
            seen = None
        now_s = self.port.clock()
        self._held_s[self.board.digest] = now_s
        if seen is None:
            return False
        claimed = sum(mix(slot, value) for slot, value in enumerate(self.talk.slot_values)) & 0xFFFF
        age_s = now_s - self._held_s.get(claimed, float("-inf"))
        self.claims.made += 1
        self.claims.untrue += age_s > CURRENT_S
        self.claims.oldest_s = max(self.claims.oldest_s, age_s)
        return True


def lossy_claims(board: Board, seed: int, loss: type[ByteLoss | FrameLoss], p: float, ms: int) -> Claims:
    """Move pieces over a line that loses so much both ways, then let it be well; return the claims."""
    run = ClaimRun(board, seed)
    run.run(1000, moves=True)
    run.port.up, run.port.down = (loss(p, random.Random(f"{seed}/{way}")) for way in ("up", "down"))
    run.run(ms, moves=True)
    run.recover()
    return run.claims


def silent_claims(board: Board, seed: int, way: str, ms: int) -> Claims:
    """Move pieces while one direction (``up``: the board's) or ``both`` are silent; return the claims."""
    run = ClaimRun(board, seed)
    run.run(1000 + seed % 50, moves=True)
    if way in ("up", "both"):
        run.port.up = silent
    if way in ("down", "both"):
        run.port.down = silent
    run.run(ms, moves=True)
    run.recover()
    return run.claims
