"""Captured streams, whole and damaged, say what a second decoder made of them."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from firmware_bridge.wire.framing import Deframer, WireFrame
from firmware_bridge.wire.messages import (
    Alive,
    Done,
    Events,
    GeometryPart,
    Health,
    Hello,
    RawReadings,
    SlotValues,
    parse,
)
from tests.helpers.golden import GOLDEN
from tests.helpers.wire_naive import messages

FOLDER = GOLDEN / "wire"
NAMES = sorted(path.stem for path in FOLDER.glob("*.hex"))
TYPES = {
    Hello: "Hello",
    Alive: "Alive",
    Events: "Events",
    Done: "Done",
    SlotValues: "Snapshot",
    GeometryPart: "Geometry",
    RawReadings: "Raw",
    Health: "Health",
}


def stream(name: str) -> bytes:
    """Return the bytes of a capture."""
    return bytes.fromhex((FOLDER / f"{name}.hex").read_text("ascii"))


def expected(name: str) -> list[dict[str, Any]]:
    """Return the messages of a capture, without what every greeting begins with."""
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("ascii").splitlines()]
    assert {line.pop("magic", 0x544D) for line in lines} == {0x544D}  # "MT", low byte first
    return lines


def told(frame: WireFrame) -> dict[str, Any]:
    """Return what a frame says, in the words of the capture's messages."""
    message = parse(frame.type, frame.body)
    assert message is not None
    found = json.loads(json.dumps(dataclasses.asdict(message)))
    for ours, theirs in (("changes", "rows"), ("entries", "rows"), ("free_bytes", "free")):
        if ours in found and not (ours == "entries" and isinstance(message, Hello)):
            found[theirs] = found.pop(ours)
    if isinstance(message, RawReadings):
        found["rows"] = [{"reading": one} for one in found.pop("readings")]
    if isinstance(message, SlotValues):
        found["count"] = len(message.values)
    return {"type": TYPES[type(message)], "number": frame.number, **found}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_a_capture_says_what_it_said(name: str, size: int) -> None:
    """However the bytes arrive, and whatever happened to them on the way."""
    data, deframer = stream(name), Deframer()
    frames = [frame for at in range(0, len(data), size) for frame in deframer.feed(data[at : at + size])]

    assert [told(frame) for frame in frames] == expected(name)
    assert (deframer.bad > 0) == (name not in ("whole", "doubled"))


@pytest.mark.parametrize("name", NAMES)
def test_the_second_decoder_still_says_so(name: str) -> None:
    """The lines beside a capture are its own."""
    lines = (FOLDER / f"{name}.jsonl").read_text("ascii").splitlines()

    assert [json.dumps(message) for message in messages(stream(name))] == lines


def test_damage_only_takes_away() -> None:
    """No damaged stream says anything that the whole one does not."""
    whole = expected("whole")

    for name in NAMES:
        assert all(message in whole for message in expected(name))
    assert {message["type"] for message in whole} == set(TYPES.values())
