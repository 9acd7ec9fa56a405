"""Films of cards that are dealt under the camera."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.games import registry
from tests.vision.simulation.test_free_photographs import GAMES, copy_of
from vision.simulation.dealt_film import FRAMES_PER_S, Dealing, dealt


@pytest.mark.parametrize("name", GAMES)
def test_dealt_cards_lie_still_between_hands(name: str) -> None:
    """Each card is seen without a hand, in order, after the empty table; what moves are hands."""
    copy, header = copy_of(name)
    faces = registry.pieces(name).sorted_copy(header)[:4]
    frames = list(dealt(copy.camera, copy.arranger, faces))
    still = [one.top for one in frames if one.is_still]
    assert list(dict.fromkeys(still)) == ["", *dict.fromkeys(faces)]
    assert [one.laid for one in frames] == sorted(one.laid for one in frames)
    assert len(faces) == frames[-1].laid
    assert any(not one.is_still for one in frames)
    pairs = [(a, b) for a, b in pairwise(frames) if a.is_still and b.is_still and a.laid == b.laid]
    assert max(np.abs(a.image.astype(int) - b.image.astype(int)).mean() for a, b in pairs) < 3.0
    assert pytest.approx(1 / FRAMES_PER_S) == frames[1].t - frames[0].t


def test_hands_do_what_they_should_not() -> None:
    """One that passes, a card face down and a push add frames, but no cards."""
    copy, header = copy_of(GAMES[-1])
    pieces = registry.pieces(GAMES[-1])
    faces = pieces.sorted_copy(header)[:2]
    plain = list(dealt(copy.camera, copy.arranger, faces))
    awry = Dealing(passing=1.0, face_down=1.0, pushing=1.0)
    frames = list(dealt(copy.camera, copy.arranger, faces, dealing=awry, back=pieces.backs(header)[0]))

    assert 2 == plain[-1].laid == frames[-1].laid
    assert len(frames) > 2 * len(plain)
