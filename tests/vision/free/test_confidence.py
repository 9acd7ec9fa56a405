"""How sure a find is, by what speaks for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.free_faces import NAMED
from vision.free.comparison import Evidence, Pose
from vision.free.confidence import confidence_of

# A card that lies apart and is seen as it was learnt.
PLAIN = Evidence(
    face=1,
    pose=Pose(x=100.0, y=100.0, turn=0.0),
    open_share=1.0,
    shown=0.95,
    likeness=0.9,
    ahead=900.0,
    rival=2,
    clear=0.85,
    hole=0.02,
    strange=0.05,
    mask=np.ones((8, 6), np.bool_),
    closest=((2, 900.0),),
)


@pytest.mark.parametrize("of_tile", [True, False])
def test_what_is_seen_as_it_was_learnt_is_named(*, of_tile: bool) -> None:
    """Surely."""
    assert confidence_of(PLAIN, 1.0, of_tile=of_tile) > 0.98


@pytest.mark.parametrize("of_tile", [True, False])
def test_a_face_whose_middle_looks_otherwise_is_not_named(*, of_tile: bool) -> None:
    """What lies upon a card reaches in from its rim.

    So a third that differs within it is another card, of which another picture was learnt, however far
    the rivals that are known are behind.
    """
    other = replace(PLAIN, shown=0.63, likeness=0.86, ahead=498.0, clear=0.15, hole=0.33, strange=0.35)

    assert confidence_of(other, 1.0, of_tile=of_tile) < NAMED


def test_a_card_half_under_others_is_named() -> None:
    """What is seen of it is as it was learnt."""
    half = replace(PLAIN, open_share=0.5, shown=0.46, ahead=300.0)

    assert confidence_of(half, 0.6) > NAMED


def test_what_has_no_rival_is_told_by_its_own_print() -> None:
    """A board that many things stand on."""
    board = replace(PLAIN, shown=0.57, strange=0.43, ahead=np.inf, rival=-1, clear=1.0, closest=())

    assert confidence_of(board, 1.0) > NAMED
