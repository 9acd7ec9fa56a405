"""Pictures that the project did not draw itself: learnt from and read as players' own would be."""

from __future__ import annotations

import functools
import json
from collections import Counter

import numpy as np
import pytest

from calibration.profile import Profile
from tests.benchmarks.read_accuracy import Score, frames, learn
from tests.helpers.golden import GOLDEN
from vision.reader import Reader

SETS = ("ceiling_light", "codes_anywhere", "slate_print")
# Where a hand is told though none is there, at most so often, and a tile is left open.
FALSE_HANDS, TILES_TOLD = {"slate_print": 1}, {"slate_print": 0.99}
KINDS = ("cell", "box", "figure", "dragon", "obelisk")


@functools.cache
def profile(name: str) -> Profile:
    """Return what is learnt from the four photographs of a set."""
    return learn(GOLDEN / name)


@functools.cache
def score(name: str, *, with_hands: bool) -> Score:
    """Return how frames of a set are read, each by itself: those with hands over the table, or the others."""
    found = Score()
    reader = Reader(profile(name))
    for truth, frame in frames(GOLDEN / name, 1):
        if bool(truth["hands"]) == with_hands:
            reader.forget()
            found.add(truth, reader.read(frame, seq=truth["index"], seen_at_s=truth["t"], source="golden"))
    return found


def share_right(counts: Counter[str]) -> float:
    """Return the share of the places that can be seen that were read rightly."""
    return counts["right"] / (counts["right"] + counts["abstained"] + counts["wrong"])


@pytest.mark.parametrize("name", SETS)
def test_a_table_at_rest_is_read(name: str) -> None:
    """Every tile is told, nothing is claimed wrongly, little is left open."""
    found = score(name, with_hands=False)
    counts = found.counts

    assert found.counts["board"]["right"] > 0
    assert sum(counts[kind]["wrong"] for kind in KINDS) == 0, found.faults
    assert counts["board"]["hand wrong"] <= FALSE_HANDS.get(name, 0)
    assert share_right(counts["cell"]) >= TILES_TOLD.get(name, 1)
    assert share_right(counts["box"]) >= 0.9
    assert share_right(counts["dragon"]) >= 0.9
    assert share_right(counts["obelisk"]) == 1


@pytest.mark.parametrize("name", ["ceiling_light", "slate_print"])
def test_hands_hide_and_nothing_is_made_up(name: str) -> None:
    """What a hand covers is not claimed, and what is seen beside it is right."""
    found = score(name, with_hands=True)
    counts = found.counts

    assert sum(counts[kind]["wrong"] for kind in KINDS) == 0, found.faults
    assert sum(counts[kind]["hidden claimed"] for kind in KINDS) == 0, found.faults
    assert share_right(counts["cell"]) >= 0.9
    assert share_right(counts["box"]) >= 0.85


def test_hands_are_told() -> None:
    """In even light every frame with hands says so."""
    counts = score("ceiling_light", with_hands=True).counts["board"]

    assert (counts["hand right"], counts["hand wrong"]) == (3, 0)


def test_codes_are_measured_where_they_lie() -> None:
    """Seen from each other, that is: the city that gives the frame has slid a little."""
    truth = json.loads((GOLDEN / "codes_anywhere" / "truth.jsonl").read_text("utf-8"))["markers"]
    codes = profile("codes_anywhere").layout.fiducials
    there = np.array([np.mean(truth[str(one.id)]["corners_mm"], axis=0)[:2] for one in codes])
    here = np.array([(one.x_mm, one.y_mm) for one in codes])
    apart = [np.linalg.norm(some[:, None] - some[None], axis=2) for some in (here, there)]

    assert len(here) == 4
    assert np.abs(apart[0] - apart[1]).max() < 0.01 * apart[1].max()
