"""How surely the face that agrees best is what lies on a cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import Singles
from vision.faces.registration import Match, Pose2D
from vision.pieces.tile_recogniser import BEHIND, MEASURES, SCORE, TileRecogniser, tile_measures, with_twin

NAMES = tuple(f"{tile}/{side}" for tile in ("mill", "library", "hospice") for side in ("sketch", "built"))
PLAIN = np.linspace(0.9, 0.5, 36, dtype=np.float32).reshape(6, 6)


def match(name: str, score: float, blocks: Singles | None = None, turn: float = 0.0) -> Match:
    """A face that agrees so well; its blocks do if nothing else is said."""
    shown = np.full((6, 6), score, np.float32) if blocks is None else blocks
    return Match(face=NAMES.index(name), pose=Pose2D(x_px=0, y_px=0, turn=turn), score=score, blocks=shown)


def of_agreement(share: float) -> Singles:
    """Blocks of which such a share agrees."""
    blocks = np.full(36, 0.05, np.float32)
    blocks[: round(36 * share)] = 0.8
    return blocks.reshape(6, 6)


def sure(found: Sequence[Match]) -> float:
    """How surely the first of some matches is right."""
    return TileRecogniser().chances([found], NAMES)[0]


def test_what_agrees_far_better_than_all_others_is_right() -> None:
    """What agrees no better than two others may be any of them."""
    plain = [match("mill/sketch", 0.85, PLAIN), match("library/sketch", 0.4, of_agreement(0.4))]
    alike = [
        match(f"{tile}/sketch", 0.62 - 0.01 * n, of_agreement(0.6))
        for n, tile in enumerate(("mill", "library", "hospice"))
    ]

    assert sure(plain) > 0.99
    assert sure(alike) < 0.9


def test_where_nothing_was_found_nothing_is_told() -> None:
    """The others are told all the same."""
    plain = [match("mill/sketch", 0.85, PLAIN), match("library/sketch", 0.4, of_agreement(0.4))]
    recogniser = TileRecogniser()

    chances = recogniser.chances([[], plain, []], NAMES)

    assert (chances[0], chances[2]) == (0.0, 0.0)
    assert chances[1] == pytest.approx(sure(plain))
    assert recogniser.chances([[]], NAMES) == [0.0]


def test_the_same_face_found_elsewhere_is_no_rival() -> None:
    """However well it agrees; the other side of the tile is one."""
    best, side = match("mill/sketch", 0.8), match("mill/built", 0.5)
    alone = tile_measures([best, side], NAMES)

    assert tile_measures([best, match("mill/sketch", 0.79), side], NAMES).tolist() == alone.tolist()
    assert alone[BEHIND] == pytest.approx(0.3)


def test_faces_are_compared_as_they_lie() -> None:
    """A rival that lies the other way round agrees with the same part of the table."""
    lower = np.zeros((6, 6), np.float32)
    lower[3:] = 0.8
    best, around = match("mill/sketch", 0.8, lower), np.ascontiguousarray(np.rot90(lower, 2))

    alike = tile_measures([best, match("library/sketch", 0.7, around, turn=np.pi)], NAMES)
    unlike = tile_measures([best, match("library/sketch", 0.7, around)], NAMES)

    where = np.flatnonzero(alike != unlike)
    assert len(where) > 0
    assert (alike[where] == 0).all()
    assert set(np.round(unlike[where], 3).tolist()) == {0.5}


def test_a_face_that_agrees_just_as_well_leaves_nothing_to_tell() -> None:
    """What would have been measured then is what is measured of such a face."""
    best, rival = match("mill/sketch", 0.85, PLAIN), match("library/sketch", 0.4, of_agreement(0.4))
    without = tile_measures([best, rival], NAMES)

    twin = with_twin(without[None])[0]

    assert sure([best, rival]) > 0.99
    assert sure([best, match("hospice/sketch", 0.85, PLAIN)]) < 0.9
    found = tile_measures([best, match("hospice/sketch", 0.85, PLAIN)], NAMES)
    assert twin[:BEHIND].tolist() == found[:BEHIND].tolist()
    assert twin[BEHIND] == found[BEHIND] == 0.0
    assert without[BEHIND] == pytest.approx(0.45)


agreements = st.floats(-1, 1, width=32)


@given(
    scores=st.lists(agreements, min_size=1, max_size=6), turns=st.lists(agreements, min_size=6, max_size=6)
)
def test_whatever_agrees_is_measured(scores: list[float], turns: list[float]) -> None:
    """Finite numbers, the best's first."""
    found = [
        match(NAMES[number], score, turn=4 * turn)
        for number, (score, turn) in enumerate(zip(sorted(scores, reverse=True), turns, strict=False))
    ]
    measured = tile_measures(found, NAMES)

    assert measured.shape == (MEASURES,)
    assert np.isfinite(measured).all()
    assert measured[SCORE] == pytest.approx(max(scores))
