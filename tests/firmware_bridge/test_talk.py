"""The talk with a board, round by round: proofs, lying devices, bad lines, a machine that is busy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import DeviceError, DeviceFault
from companion.games.blue_moon_city import GAME
from companion.session.journal import Journal
from companion.session.referee import Referee
from firmware_bridge.reader import map_slots
from firmware_bridge.talk import CURRENT_S, BoardTalk
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.virtual.virtual_board import Arranger, BoardPort, profile_for
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import Deframer, WireFrame, crc16, encode
from firmware_bridge.wire.messages import (
    Alive,
    Change,
    Events,
    GeometryEntry,
    GeometryPart,
    Hello,
    Kind,
    SlotValues,
    Type,
)
from tests.firmware_bridge.claims import ByteLoss, ClaimRun, FrameLoss, lossy_claims, silent_claims
from tests.firmware_bridge.test_session import PICTURE, PROFILE
from tests.helpers.city_session import played_table

ROUND_S = 0.005


# -- claims are proved --------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [ByteLoss, FrameLoss])
@pytest.mark.parametrize("p", [0.05, 0.2])
def test_nothing_untrue_is_claimed_over_a_line_that_loses(loss: type[ByteLoss | FrameLoss], p: float) -> None:
    """A fifth of all bytes or frames gone, pieces on the move; soon well when the line is."""
    claims = lossy_claims(DoubleBoard(), 3, loss, p, 4000)

    assert claims.untrue == 0
    assert claims.made > 0
    assert claims.recovered_ms is not None
    assert claims.recovered_ms < 200


@pytest.mark.parametrize("way", ["up", "down", "both"])
@pytest.mark.parametrize("ms", [300, 4000])
def test_nothing_untrue_is_claimed_while_one_side_is_silent(way: str, ms: int) -> None:
    """Nor right after, when the first that comes is old."""
    claims = silent_claims(DoubleBoard(), 1, way, ms)

    assert claims.untrue == 0
    assert claims.recovered_ms is not None
    assert claims.recovered_ms < 200


class Scripted:
    """A port on which a board says what a script lets it say, on a clock of its own.

    Attributes:
        now_s: the time.
        said: what it says next.
    """

    name = "scripted"

    def __init__(self, answer: Callable[[WireFrame], bytes] = lambda _: b"") -> None:
        self.now_s = 100.0
        self.said = b""
        self.round_s = ROUND_S
        self._answer = answer
        self._deframer = Deframer()

    def read(self) -> bytes:
        """Let a round pass; return what was said."""
        self.now_s += self.round_s
        said, self.said = self.said, b""
        return said

    def write(self, data: bytes) -> None:
        """Answer what is asked."""
        for frame in self._deframer.feed(data):
            self.said += self._answer(frame)

    def close(self) -> None:
        """Nothing to close."""

    def talk(self, session: int = 7) -> BoardTalk:
        """Return a talk on this port."""
        return BoardTalk(
            PROFILE, port="x", opener=lambda _: self, clock=lambda: self.now_s, new_session=lambda: session
        )


def said(type_: Type, body: bytes) -> bytes:
    """Return a frame of the board."""
    return encode(WireFrame(type_, 0, body))


class Honest:
    """What a small board holds, and says when it is asked.

    Attributes:
        entries: its geometry.
        values: what its slots hold.
    """

    def __init__(self, entries: tuple[GeometryEntry, ...] = standard_entries()) -> None:
        self.entries = entries
        self.values = [0] * sum(e.count for e in entries if e.kind in messages.SLOT_KINDS)
        self.session = 0
        self.next = 0
        self.up_ms = 1000

    @property
    def hello(self) -> Hello:
        """Its Hello."""
        lights = sum(e.count for e in self.entries if e.kind in messages.LIGHT_KINDS)
        return Hello(
            1, 0, (0, 1, 0), 1, 5, self.session, 63, len(self.values), lights, len(self.entries),
            crc16(messages.geometry_bytes(self.entries)), 0, self.next, 1,
        )  # fmt: skip

    def alive(self, **changes: int) -> bytes:
        """Return its sign of life."""
        digest = sum(messages.mix(s, v) for s, v in enumerate(self.values)) & 0xFFFF
        alive = Alive(1, 1, 5, self.session & 0xFFFF, self.up_ms, self.next, self.next, digest, 0, 0)
        return said(Type.ALIVE, messages.format_alive(replace(alive, **changes)))

    def answer(self, frame: WireFrame) -> bytes:
        """Return what it answers."""
        if frame.type == Type.OPEN:
            self.session = int.from_bytes(frame.body[4:8], "little")
            return said(Type.HELLO, messages.format_hello(self.hello))
        if frame.type == Type.GET and frame.body[2] == messages.What.GEOMETRY:
            return b"".join(
                said(
                    Type.GEOMETRY,
                    messages.format_geometry(
                        GeometryPart(first, len(self.entries), self.entries[first : first + 11])
                    ),
                )
                for first in range(0, len(self.entries), 11)
            )
        if frame.type == Type.GET and frame.body[2] == messages.What.SNAPSHOT:
            return b"".join(
                said(
                    Type.SNAPSHOT,
                    messages.format_snapshot(
                        SlotValues(self.next, first, tuple(self.values[first : first + 10]))
                    ),
                )
                for first in range(0, len(self.values), 10)
            )
        return b""


def opened() -> tuple[Honest, Scripted, BoardTalk]:
    """Return a board whose picture has just been claimed."""
    board = Honest()
    port = Scripted(board.answer)
    talk = port.talk()
    port.said = b"\x00" + said(Type.HELLO, messages.format_hello(board.hello))
    for _ in range(200):
        board.up_ms += 5
        port.said += board.alive() if board.session and board.up_ms % 50 == 0 else b""
        if talk.step() is not None:
            return board, port, talk
    raise AssertionError("never claimed")


def rounds(
    board: Honest, talk: BoardTalk, count: int, say: Callable[[int], bytes], port: Scripted
) -> list[float]:
    """Let rounds pass in which the board says something; return when claims were made, by what they say."""
    seen = []
    for number in range(count):
        board.up_ms += 5
        port.said += say(number)
        claim = talk.step()
        if claim is not None:
            seen.append(claim.seen_at_s)
    return seen


@pytest.mark.parametrize(
    "frame",
    [
        said(Type.DONE, messages.format_done(messages.Done(7, 0, 0, 1))),
        encode(WireFrame(0x2F, 0, b"")),
        said(Type.HEALTH, messages.format_health(messages.Health(0, 0, 0, 0, 0, 0, 0, 0))),
    ],
    ids=["done", "unknown", "health"],
)
def test_no_other_frame_proves_anything(frame: bytes) -> None:
    """However many come: the board is heard, but says nothing of its slots."""
    board, port, talk = opened()

    assert rounds(board, talk, 400, lambda _: frame, port) == []


def test_a_sign_of_life_is_told_once_and_as_of_when_it_was_sent() -> None:
    """Each claim has a proof of its own; one that was kept back too long is none."""
    board, port, talk = opened()
    told = rounds(board, talk, 400, lambda n: board.alive() if n % 10 == 0 else b"", port)
    late = board.alive(uptime_ms=board.up_ms - round(CURRENT_S * 1000) - 100)

    assert len(told) == len(set(told)) >= 6
    assert rounds(board, talk, 60, lambda n: late if n == 55 else b"", port) == []


def test_an_event_is_told_when_it_is_confirmed() -> None:
    """The sign of life after it says that nothing else has happened."""
    board, port, talk = opened()
    board.values[0] = 3
    change = said(Type.EVENTS, messages.format_events(Events(0, 0, (Change(board.up_ms, 0, 3),))))
    board.next = 1
    before = rounds(board, talk, 5, lambda n: change if n == 0 else b"", port)
    after = rounds(board, talk, 2, lambda n: board.alive() if n == 0 else b"", port)

    assert (len(before), len(after)) == (0, 1)
    assert talk.slot_values[0] == 3


# -- a bad line, a busy machine -----------------------------------------------------------------------


def faults_of(talk: BoardTalk, count: int) -> list[DeviceError]:
    """Return the faults that are told in so many rounds."""
    told = []
    for _ in range(count):
        try:
            talk.step()
        except DeviceError as error:
            told.append(error)
    return told


def test_a_line_on_which_nothing_is_proved_is_told_once() -> None:
    """Bytes come, frames even: not one that confirms the picture."""
    board, port, talk = opened()
    told = []
    for number in range(1600):
        port.said += board.alive(digest=number) if number % 10 == 0 else b"\x07\x07\x00"
        board.up_ms += 5
        told += faults_of(talk, 1)

    assert [error.fault for error in told] == [DeviceFault.UNREADABLE]
    assert "check its cable" in str(told[0])


def test_a_busy_machine_is_no_silent_board() -> None:
    """Rounds of ten seconds each: what took so long was us. Afterwards the board is heard as before."""
    board, port, talk = opened()
    port.round_s = 10.0

    assert faults_of(talk, 12) == []
    port.round_s = ROUND_S
    assert rounds(board, talk, 400, lambda n: board.alive() if n % 10 == 0 else b"", port) != []


def test_silence_is_told_after_two_seconds_of_listening() -> None:
    """And the port opened anew after ten."""
    _, port, talk = opened()
    opened_at_s = port.now_s
    told = faults_of(talk, 500)

    assert [error.fault for error in told] == [DeviceFault.STALLED]
    assert not talk.rests
    assert faults_of(talk, 1600) == []
    assert port.now_s - opened_at_s > 10


# -- lying devices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lie",
    [
        {"slots": 12},
        {"slots": 0},
        {"entries": 0},
        {"entries": 3},
        {"lights": 999},
        {"geometry": 1},
    ],
    ids=str,
)
def test_a_board_at_odds_with_itself_is_called_so(lie: dict[str, int]) -> None:
    """Once, without a claim, and without being asked without pause."""
    board = Honest()
    asked = []

    def answer(frame: WireFrame) -> bytes:
        asked.append(frame.type)
        told = board.answer(frame)
        if frame.type != Type.OPEN:
            return told
        return said(Type.HELLO, messages.format_hello(replace(board.hello, **lie)))  # type: ignore[arg-type]

    port = Scripted(answer)
    talk = port.talk()
    told, seen = [], 0
    for number in range(2000):
        board.up_ms += 5
        if number % 10 == 0:
            hello = replace(board.hello, **lie)  # type: ignore[arg-type]
            port.said += board.alive() if board.session else said(Type.HELLO, messages.format_hello(hello))
        try:
            seen += talk.step() is not None
        except DeviceError as error:
            told.append(error)

    assert seen == 0
    assert told[0].fault in (DeviceFault.WRONG_FIRMWARE, DeviceFault.UNREADABLE)
    assert len(told) == 1
    assert len(asked) < 500


def test_an_index_beyond_the_end_ends_nothing() -> None:
    """The very case: fewer slots than the layout needs, and a glance at the table's health."""
    entries = (
        GeometryEntry(Kind.READER, 0, 1, 0, 6),
        GeometryEntry(Kind.SIDE, 0, 1, 0, 1),
        GeometryEntry(Kind.PRESENCE, 0, 1, 0, 1),
    )
    board = Honest(entries)
    short = replace(board.hello, slots=2)
    board.values = [0, 0]
    port = Scripted(
        lambda frame: (
            said(Type.HELLO, messages.format_hello(replace(short, session=7)))
            if frame.type == Type.OPEN
            else board.answer(frame)
        )
    )
    talk = port.talk()
    port.said = said(Type.HELLO, messages.format_hello(short))
    (told,) = faults_of(talk, 200)

    assert told.fault is DeviceFault.WRONG_FIRMWARE
    assert talk.health.fault == str(told)


def body(type_: Type, format_: Callable[[Any], bytes], make: Callable[..., Any]) -> Callable[..., Lie]:
    """Return what makes a frame of this type of what a message is made of."""
    return lambda *parts: ("frame", said(type_, format_(make(*parts))))


def geometry_part(index: int, entries: tuple[GeometryEntry, ...]) -> GeometryPart:
    """Return a part that fits what it says of its length."""
    return GeometryPart(index, min(255, index + len(entries)), entries)


def health(dead: int) -> messages.Health:
    """Return counters in which these readers are dead."""
    return messages.Health(0, 0, 0, 0, 0, 0, 0, dead)


Lie: TypeAlias = tuple[str, Any]
u16, u32, few = st.integers(0, 0xFFFF), st.integers(0, 0xFFFF_FFFF), st.integers(0, 255)
near = st.one_of(st.integers(0, 8), u16)
slot_value = st.one_of(st.sampled_from([0, 1, 2, 4, 15, *PROFILE.tags]), u32)
changes = st.lists(st.builds(Change, near, near, slot_value), min_size=1, max_size=5).map(tuple)
values = st.lists(slot_value, min_size=1, max_size=8).map(tuple)
readings = st.lists(st.integers(0, 1023), min_size=1, max_size=20).map(tuple)
kinds = st.one_of(st.sampled_from(list(Kind)), few)
entry = st.builds(GeometryEntry, kinds, few, few, few, st.one_of(st.integers(0, 6), few))
entries = st.lists(entry, min_size=1, max_size=11).map(tuple)
greeting = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(["slots", "lights", "entries", "geometry", "config", "next", "session"], near)
)
life = st.fixed_dictionaries(
    {},
    optional={**dict.fromkeys(["oldest", "next", "digest", "config"], near), "uptime_ms": u32, "flags": few},
)
HONEST: Lie = ("alive", {})
# What a device that knows the form of every message may put into it.
lies = st.one_of(
    st.tuples(st.just("hello"), greeting),
    st.tuples(st.just("alive"), life),
    st.builds(body(Type.EVENTS, messages.format_events, Events), near, near, changes),
    st.builds(body(Type.SNAPSHOT, messages.format_snapshot, SlotValues), near, near, values),
    st.builds(body(Type.GEOMETRY, messages.format_geometry, geometry_part), st.integers(0, 99), entries),
    st.builds(body(Type.RAW, messages.format_raw, messages.RawReadings), near, readings),
    st.builds(body(Type.HEALTH, messages.format_health, health), u32),
    st.builds(lambda type_, data: ("frame", encode(WireFrame(type_, 0, data))), few, st.binary(max_size=60)),
    st.builds(lambda data: ("frame", data), st.binary(max_size=40)),
    st.just(HONEST),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    geometry=st.one_of(st.just(standard_entries()), entries),
    script=st.lists(lies, max_size=25),
)
def test_no_message_ends_the_talk(geometry: tuple[GeometryEntry, ...], script: list[Lie]) -> None:
    """A device that greets rightly, whatever its layout, and then lies: faults in words, nothing else."""
    board = Honest(geometry)
    port = Scripted(board.answer)
    talk = port.talk()
    port.said = said(Type.HELLO, messages.format_hello(board.hello))
    for kind, what in [HONEST] * 20 + script + [HONEST] * 20:
        board.up_ms += 50
        if kind == "frame":
            port.said += what
        elif kind == "hello":
            port.said += said(Type.HELLO, messages.format_hello(replace(board.hello, **what)))
        else:
            port.said += board.alive(**what)
        faults_of(talk, 10)

        assert talk.health is not None
        assert talk.shape is None or talk.shape.spots >= 0
        assert set(talk.raw_readings) <= set(range(talk.shape.spots if talk.shape else 65536))
        talk.look()


@pytest.fixture
def referee(tmp_path: Any) -> Iterator[Referee[Any, Any]]:
    """A game of the city about to begin."""
    game = played_table(4, seed=5)
    with Journal.create(tmp_path / "game.moontable", game.header) as journal:
        yield Referee(GAME, journal)


def test_what_a_lying_device_claims_ends_no_game(referee: Referee[Any, Any]) -> None:
    """Cells that no city has, every tag the same, figures beside the board: out of step at most."""
    tag = next(value for value, known in PROFILE.tags.items() if known.name == "mill")
    layout = tuple(GeometryEntry(Kind.READER, 20 * n, 250 - n, 0, 2) for n in range(4))
    board = Honest(
        (*layout, GeometryEntry(Kind.OBELISK, 0, 0, 200, 3), GeometryEntry(Kind.BOX, 0, 250, 0, 2))
    )
    board.values = [tag, 0] * 4 + [1, 1, 2, 1, 1]
    port = Scripted(board.answer)
    talk = port.talk()
    port.said = said(Type.HELLO, messages.format_hello(board.hello))
    fed = 0
    for _ in range(60):
        board.up_ms += 50
        port.said += board.alive() if board.session else b""
        for _ in range(10):
            seen = talk.step()
            if seen is not None:
                referee.feed(seen)
                fed += 1

    assert fed > 0
    assert referee.number == 0


class WatchedLock:
    """A lock that looks, each time it is taken and released, at what it protects.

    Attributes:
        found: what was wrong.
    """

    def __init__(self, talk: BoardTalk) -> None:
        self._talk = talk
        self._left = talk._reader
        self.found: list[str] = []

    def __enter__(self) -> None:
        if self._talk._reader is not self._left:
            self.found.append("the reader was exchanged by somebody who did not hold the lock")

    def __exit__(self, *_: object) -> None:
        self._left = reader = self._talk._reader
        if reader is not None and reader.map != map_slots(self._talk._link.geometry):
            self.found.append("a reader was left that is not of this geometry")


def test_a_reader_and_what_it_reads_change_together() -> None:
    """Another board comes on the same port: no thread ever meets the old one's reader with the new slots."""
    _, port, talk = opened()
    lock = WatchedLock(talk)
    talk._lock = lock  # type: ignore[assignment]
    board = Honest(tuple(entry for entry in standard_entries() if entry.kind != Kind.PRESENCE))
    port._answer = board.answer
    before = talk.slot_values
    port.said = said(Type.HELLO, messages.format_hello(board.hello))
    seen = rounds(board, talk, 100, lambda n: board.alive() if board.session and n % 10 == 0 else b"", port)

    assert [] == lock.found
    assert seen
    assert len(board.values) == len(talk.slot_values) < len(before)


def test_one_seed_is_one_talk() -> None:
    """Two runs of the same seeds hear and say the same, to the last bit."""

    def run() -> list[tuple[float, int]]:
        board = DoubleBoard()
        port = BoardPort(board, faults=0.003, seed=4)
        numbers = random.Random(1)
        talk = BoardTalk(
            PROFILE,
            port="x",
            opener=lambda _: port,
            clock=port.clock,
            new_session=lambda: numbers.getrandbits(32),
        )
        Arranger(board, profile_for(PICTURE)).lay(PICTURE)
        return [(seen.seen_at_s, seen.seq) for _ in range(400) if (seen := talk.step()) is not None]

    first = run()

    assert len(first) > 3
    assert first == run()


def test_a_run_knows_an_untrue_claim_when_it_sees_one() -> None:
    """What the board never held counts as untrue: the bench is no stub."""
    run = ClaimRun(DoubleBoard(), 1)
    run.run(1000, moves=True)
    run._held_s.clear()
    run.run(300, moves=False)

    assert run.claims.untrue <= run.claims.made
    run.talk._link.slots.values[0] ^= 1
    run.talk._link.slots.digest = run.board.digest
    run.run(600, moves=False)
    assert run.claims.untrue > 0
