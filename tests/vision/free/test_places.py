"""Places in which a face may lie: ranked, given up, looked at anew once something was found."""

from __future__ import annotations

import numpy as np
import pytest

from companion.free_faces import Side
from vision.arrays import Floats, Picture8
from vision.free.alignment import finely_like, roughly_like
from vision.free.comparison import Pose, Scene
from vision.free.known_faces import Deck, KnownFace
from vision.free.outlines import Poses
from vision.free.places import Places, Scorer

SCALE = 1.5
SIZE_MM = (60.0, 90.0)
WIDTH, HEIGHT = 90, 135
THERE = (150.0, 160.0)


def printed(seed: int) -> Picture8:
    """Return a face of patches in random colours."""
    rng = np.random.default_rng(seed)
    return np.asarray(np.kron(rng.integers(40, 220, (9, 6, 3)), np.ones((15, 15, 1))), np.uint8)


FACES = [printed(seed) for seed in range(4)]
DECK = Deck(
    [
        KnownFace(name=str(n), side=Side.FACE, picture=one, width_mm=SIZE_MM[0], height_mm=SIZE_MM[1])
        for n, one in enumerate(FACES)
    ],
    SCALE,
)


@pytest.fixture
def picture() -> Picture8:
    """A table on which the third face lies."""
    table = np.full((320, 400, 3), 120, np.uint8)
    left, top = round(THERE[0] - WIDTH / 2), round(THERE[1] - HEIGHT / 2)
    table[top : top + HEIGHT, left : left + WIDTH] = FACES[2]
    return table


def proposed(*at: tuple[float, float]) -> Poses:
    """Return upright poses there, half of whose outline is seen."""
    many = len(at)
    return Poses(
        np.array(at, np.float64).reshape(-1, 2),
        np.zeros(many),
        np.zeros(many, np.intp),
        np.full((many, 4), 0.5),
    )


def places(picture: Picture8, poses: Poses, news: Floats | None = None) -> Places:
    """Return the places of these poses."""
    mask = None if news is None else news.astype(np.uint8)
    return Places(poses, [DECK], Scorer(picture, Scene(picture, SCALE), SCALE, mask))


def test_the_place_that_is_like_a_face_comes_first(picture: Picture8) -> None:
    some = places(picture, proposed((300.0, 160.0), THERE))

    first = some.next()
    assert first is not None
    assert (first.spot.pose.x, first.spot.pose.y) == THERE


def test_nothing_is_looked_at_where_nothing_is_new(picture: Picture8) -> None:
    nothing, all_new = np.zeros(picture.shape[:2]), np.ones(picture.shape[:2])

    assert places(picture, proposed(THERE), nothing).next() is None
    assert places(picture, proposed(THERE), all_new).next() is not None


def test_of_places_beside_each_other_the_likest_is_left(picture: Picture8) -> None:
    x, y = THERE
    some = places(picture, proposed((x + 2, y), (x, y), (x, y + 2), (x + 2, y + 2)))
    place = some.next()

    assert place is not None
    assert (place.spot.pose.x, place.spot.pose.y) == THERE
    assert some.next() is None


def test_what_was_found_takes_its_place_and_others_are_looked_at_anew(picture: Picture8) -> None:
    x, y = THERE
    some = places(picture, proposed((x, y), (x + 20, y)))
    first, second = some.next(), some.next()
    assert first is not None
    assert second is not None
    some.take(Pose(x=x, y=y, turn=0.0), DECK)

    assert not some.holds(second.number)
    again = some.next()
    assert again is not None
    assert again.number == second.number
    assert some.next() is None


def test_the_face_is_told_and_placed_from_some_millimetres_away(picture: Picture8) -> None:
    scene = Scene(picture, SCALE)
    rough = roughly_like(scene, DECK, Pose(x=THERE[0] + 5, y=THERE[1] - 4, turn=0.0))
    likest = finely_like(scene, DECK, rough)[0]

    assert likest.face == 2
    assert likest.like > 0.8
    assert np.hypot(likest.pose.x + 0.5 - THERE[0], likest.pose.y + 0.5 - THERE[1]) < 2.0


def test_a_bare_place_is_like_no_face(picture: Picture8) -> None:
    assert roughly_like(Scene(picture, SCALE), DECK, Pose(x=320.0, y=160.0, turn=0.0)) == []


def test_no_place_is_proposed_where_a_piece_is_known_to_lie(picture: Picture8) -> None:
    x, y = THERE
    some = places(picture, proposed((x + 2, y)))
    some.rule_out(Pose(x=x, y=y, turn=0.0), DECK)

    assert some.next() is None
