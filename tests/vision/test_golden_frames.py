"""Pictures that the project did not draw itself: learnt from and read as players' own would be."""

from __future__ import annotations

import json

import numpy as np
import pytest

from calibration.profile import Profile
from tests.benchmarks.read_accuracy import Score, frames, learn
from tests.helpers.imports import ROOT
from vision.reader import Reader

FOLDER = ROOT / "tests" / "golden" / "codes_anywhere"


@pytest.fixture(scope="module")
def profile() -> Profile:
    """What is learnt from the four photographs."""
    return learn(FOLDER)


def test_codes_are_measured_where_they_lie(profile: Profile) -> None:
    """Seen from each other, that is: the city that gives the frame has slid a little."""
    truth = json.loads((FOLDER / "truth.jsonl").read_text("utf-8"))["markers"]
    there = np.array(
        [np.mean(truth[str(one.id)]["corners_mm"], axis=0)[:2] for one in profile.layout.fiducials]
    )
    here = np.array([(one.x_mm, one.y_mm) for one in profile.layout.fiducials])
    apart = [np.linalg.norm(some[:, None] - some[None], axis=2) for some in (here, there)]

    assert len(here) == 4
    assert np.abs(apart[0] - apart[1]).max() < 0.01 * apart[1].max()


def test_a_table_with_codes_laid_anywhere_is_read(profile: Profile) -> None:
    """All tiles are told, nothing is claimed wrongly, little is left open."""
    score = Score()
    for truth, frame in frames(FOLDER, 1):
        seen = Reader(profile).read(frame, seq=0, seen_at_s=0.0, source="golden")
        score.add(truth, seen)
    counts = score.counts

    assert counts["cell"]["right"] == 21
    assert sum(counts[kind]["wrong"] for kind in ("cell", "box", "figure", "dragon", "obelisk")) == 0
    assert counts["box"]["right"] >= 0.9 * counts["box"].total()
    assert counts["obelisk"]["right"] == 13
