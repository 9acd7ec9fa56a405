"""What is lit: places, colours, the fewest commands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.table import Place
from firmware_bridge.lights import DARK, FLIP, REACH, WRONG, compose, dimmed, light_commands, map_lights
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.double_sensors import standard_entries
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import WireFrame
from firmware_bridge.wire.messages import Colour

colours = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


def test_every_place_has_its_own_light() -> None:
    """Cells, contribution spots, obelisk."""
    lamps = map_lights(standard_entries())

    assert sorted(lamps.values()) == list(range(114))
    assert lamps[Place("cell:0,1")] == 0
    assert lamps[Place("obelisk:12")] == 113


def test_what_is_due_is_lit() -> None:
    """The cell to flip, the boxes in their player's colour, where the dragon belongs, what can be reached."""
    lit = compose(
        wanted={
            Place("cell:1,1"): "mill/built",
            Place("box:0,1:0"): "purple",
            Place("dragon:fire"): "2,2",
            Place("figure:white"): None,
        },
        colours={"purple": (9, 0, 9)},
        reachable=[Place("cell:1,1"), Place("cell:1,2")],
        taken={Place("box:0,1:1"): "purple", Place("box:0,1:2"): "nobody"},
        payable=[Place("obelisk:3")],
        wrong=[Place("obelisk:0")],
    )

    assert lit[Place("cell:1,1")] == FLIP
    assert lit[Place("cell:1,2")] == REACH
    assert lit[Place("box:0,1:0")] == lit[Place("box:0,1:1")] == (9, 0, 9)
    assert lit[Place("obelisk:0")] == WRONG
    assert set(lit) == {
        Place(p)
        for p in (
            "cell:1,1",
            "cell:1,2",
            "cell:2,2",
            "box:0,1:0",
            "box:0,1:1",
            "box:0,1:2",
            "obelisk:3",
            "obelisk:0",
        )
    }


def test_what_is_wrong_outshines_what_is_due() -> None:
    """Red wins."""
    assert compose(wanted={Place("cell:1,1"): "x/built"}, colours={}, wrong=[Place("cell:1,1")]) == {
        Place("cell:1,1"): WRONG
    }


def test_dimming_leaves_a_glimmer() -> None:
    """Unless it is switched off."""
    assert dimmed((255, 1, 0), 0.1) == (26, 1, 0)
    assert dimmed((255, 1, 0), 0.0) == DARK


@given(st.lists(st.tuples(colours, colours), min_size=114, max_size=114), st.booleans())
def test_commands_turn_one_picture_into_the_other(pairs: list[tuple[Colour, Colour]], is_off: bool) -> None:
    """Carried out by a board, they show what is wanted."""
    shown = [a for a, _ in pairs]
    wanted = [DARK if is_off else b for _, b in pairs]
    board = DoubleBoard()
    board._outputs.colours = list(shown)
    for command in light_commands(shown, wanted):
        body = messages.format_command(0, command)
        assert board._outputs.carry_out(messages_frame(command.type, body), 0) == 0

    assert board.lights == (wanted if shown != wanted else [DARK] * 114)


def messages_frame(type_: int, body: bytes) -> WireFrame:
    """Return a frame with this body."""
    return WireFrame(type_, 0, body)


def test_nothing_to_change_costs_nothing() -> None:
    """And one light costs one command."""
    shown = [DARK] * 114
    wanted = list(shown)
    wanted[7] = (1, 2, 3)

    assert list(light_commands(shown, shown)) == []
    assert list(light_commands(shown, wanted)) == [messages.lights(7, [(1, 2, 3)], show=True)]
