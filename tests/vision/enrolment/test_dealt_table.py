"""Dealing under a drawn camera: what is taken, and what is not."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
import pytest

from companion.games import registry
from vision.enrolment.deal import Deal
from vision.enrolment.dealt_copy import dealt_profile, new_deal
from vision.enrolment.dealt_table import DealtTable, Step, largest_within, reaching_in
from vision.simulation.dealt_film import Dealing, DealtFrame, dealt
from vision.simulation.free_frames import DrawnCopy

GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]
# All hands do awry, at every card.
AWRY = Dealing(passing=1.0, face_down=1.0)


@lru_cache
def dealt_out(
    name: str, *, awry: bool = False
) -> tuple[DealtTable, list[tuple[DealtFrame, Step]], list[str]]:
    """A back and three cards of a drawn copy, dealt."""
    header = registry.lookup(name).deal(random.Random(1), {})
    layout = registry.lookup(name).table_layout(header["players"])
    assert layout is not None
    pieces = registry.pieces(name)
    copy = DrawnCopy.of(layout, pieces, seed=11, size_wh=(1600, 900))
    deal: Deal = new_deal(pieces, header, layout)
    table = DealtTable(layout, pieces, deal)
    back = pieces.backs(header)[0]
    backs = len(deal.backs)
    names = [*deal.order.names[: backs + 3]]
    frames = dealt(
        copy.camera, copy.arranger, names, seed=4, dealing=AWRY if awry else None, back=back if awry else ""
    )
    steps = [(replaced, table.feed(frame.image)) for frame in frames for replaced in [_light(frame)]]
    return table, steps, names


def _light(frame: DealtFrame) -> DealtFrame:
    """The frame without its picture: many are kept."""
    return DealtFrame(
        image=np.zeros((1, 1, 3), np.uint8),
        t=frame.t,
        top=frame.top,
        piece=frame.piece,
        laid=frame.laid,
        is_still=frame.is_still,
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_card_is_taken_once_by_its_name(name: str) -> None:
    """While it lies there, with no hand over it."""
    table, steps, names = dealt_out(name)
    taken = [(frame.top, frame.is_still, step.taken.named.name) for frame, step in steps if step.taken]

    assert [(one, True, one) for one in names] == taken
    assert len(names) == len(table.deal)


def test_backs_and_hands_are_not_taken() -> None:
    """A card that comes face down, and a hand that lays nothing, at every card."""
    _, steps, names = dealt_out("blue_moon_legends", awry=True)

    assert names == [step.taken.named.name for _, step in steps if step.taken]


def test_a_profile_has_what_was_dealt() -> None:
    """And says what was not."""
    table, _, names = dealt_out("nova_luna")
    pieces = registry.pieces("nova_luna")
    profile = dealt_profile("nova_luna", pieces, ("red", "blue"), table, {"board": "not photographed"})

    assert set(names) == {one.name for one in profile.faces}
    assert [one.name for one in profile.faces if one.is_back] == [names[0]]
    assert {"face:board", "face:68"} <= {one.what for one in profile.not_learnt}
    assert profile.ground is not None, "the empty table is learnt, too"
    assert profile.ground.picture in profile.pictures


def test_without_codes_nothing_is_known_and_it_says_why() -> None:
    """Until they are seen."""
    pieces = registry.pieces("urbion")
    header = registry.lookup("urbion").deal(random.Random(1), {})
    layout = registry.lookup("urbion").table_layout(header["players"])
    assert layout is not None
    table = DealtTable(layout, pieces, new_deal(pieces, header, layout))
    step = table.feed(np.full((360, 640, 3), 90, np.uint8))

    assert step.now is None
    assert "codes" in step.fault


def test_what_reaches_in_is_an_arm() -> None:
    """It touches the picture's rim; what is within does not."""
    changed = np.zeros((40, 60), np.bool_)
    changed[30:, 20:25] = True
    changed[5:12, 40:50] = True
    within = largest_within(changed)

    assert 50 == reaching_in(changed).sum()
    assert within is not None
    assert 70 == within.sum()
    assert largest_within(reaching_in(changed)) is None
