"""The double answers as the firmware does, to anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.virtual.native import NativeBoard
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import Deframer, WireFrame, encode
from firmware_bridge.wire.messages import Done, Health, Type, What
from tests.firmware_bridge.bench import Board

COMMANDS = [Type.LIGHTS, Type.FILL, Type.BUZZ, Type.TUNE, Type.WINDOWS, Type.KEEP]
small = st.integers(0, 130).map(lambda n: n.to_bytes(2, "little"))
bodies = st.one_of(
    st.binary(max_size=58), st.builds(lambda a, b, c: a + b + c, small, small, st.binary(max_size=54))
)


def answers(
    board: Board, frames: list[tuple[Type, bytes]]
) -> tuple[list[Done | Health], list[tuple[int, int, int]]]:
    """Return what a fresh board answers to these commands, its count of bad frames last, and its lights."""
    board.power(1)
    board.run(150_000)
    board.feed(b"\x00" + encode(WireFrame(Type.OPEN, 0, messages.format_open(77))))
    board.run(20_000)
    board.take()
    deframer = Deframer()
    found: list[Done | Health] = []
    number = 0
    frames = [*frames, (Type.GET, messages.format_get(77, What.HEALTH, 0, 0, 64)[2:])]
    for type_, body in frames:
        board.feed(encode(WireFrame(type_, number, (77).to_bytes(2, "little") + body)))
        board.run(30_000)
        for frame in deframer.feed(board.take()):
            told = messages.parse(frame.type, frame.body)
            if isinstance(told, Done):
                number = told.expected
                found.append(told)
            elif isinstance(told, Health):
                found.append(Health(told.bad, 0, 0, 0, 0, 0, 0, 0))
    return found, board.lights


@given(frames=st.lists(st.tuples(st.sampled_from(COMMANDS), bodies), max_size=6))
def test_commands_of_any_form_are_answered_alike(
    one_native: NativeBoard, frames: list[tuple[Type, bytes]]
) -> None:
    """Done, refused or dropped as bad: the same, with the same lights afterwards."""
    assert answers(DoubleBoard(), frames) == answers(one_native, frames)


def test_both_tell_the_same_geometry(one_native: NativeBoard) -> None:
    """The standard table."""
    assert standard_entries() == one_native.entries
