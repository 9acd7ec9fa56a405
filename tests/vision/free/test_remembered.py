"""What was told of places stays known until something about them changes."""

from __future__ import annotations

import numpy as np
import pytest

from companion.free_pieces import Shape
from vision.arrays import Bools, Picture8, Singles
from vision.free.remembered import RememberedPlaces, Scenery
from vision.free.solid_patches import SolidPlace
from vision.geometry.upright import Upright

EDGE = 200
GRAY = 120


def place(x: float, y: float, paint: int = 0) -> SolidPlace:
    """Return a place in the middle of a picture of one pixel a millimetre."""
    upright = Upright.of(np.array([x, y]), np.array([0.0, -4.0]), 13.0)
    return SolidPlace(paint=paint, shape=Shape.DISC, at_mm=(x, y), upright=upright)


def scenery(
    picture: Picture8 | None = None, printed: Singles | None = None, blank: Bools | None = None
) -> Scenery:
    """Return what is seen, gray and empty unless something else is said."""
    return Scenery.of(
        np.full((EDGE, EDGE, 3), GRAY, np.uint8) if picture is None else picture,
        np.zeros((EDGE, EDGE, 3), np.float32) if printed is None else printed,
        np.zeros((EDGE, EDGE), np.bool_) if blank is None else blank,
    )


def with_square(x: int, y: int, level: int = 220) -> Picture8:
    """Return a gray picture in which a square is lighter."""
    picture = np.full((EDGE, EDGE, 3), GRAY, np.uint8)
    picture[y - 6 : y + 6, x - 6 : x + 6] = level
    return picture


def remembered() -> RememberedPlaces:
    """Return what is known of two places in a gray picture: a disc at the first, none at the second."""
    places = RememberedPlaces()
    places.renew(scenery())
    places.note([(place(50, 50), 0.99), (place(150, 150), 0.01), (place(50, 150), 0.5)])
    return places


def test_what_is_certain_stays_known_in_another_picture_of_the_same() -> None:
    """What was doubtful is asked again."""
    places = remembered()
    places.renew(scenery())

    assert [(one.at_mm, chance) for one, chance in places.certain] == [((50, 50), 0.99)]
    assert places.are_hopeless([place(150, 150), place(50, 150), place(50, 50)]) == [True, False, False]


def test_places_are_the_same_for_their_paint_and_where_noise_moves_them() -> None:
    """A millimetre is the same place, half a disc is another one."""
    places = remembered()

    assert places.are_hopeless([place(151, 150), place(156, 150), place(150, 150, paint=1)]) == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "now",
    [
        scenery(with_square(50, 50)),
        scenery(printed=np.asarray(with_square(50, 50) / np.float32(255), np.float32)),
        scenery(blank=np.asarray(with_square(50, 50)[..., 0] > GRAY, np.bool_)),
    ],
    ids=["seen", "printed", "hidden"],
)
def test_a_place_about_which_anything_changes_is_forgotten(now: Scenery) -> None:
    """And what is known elsewhere is not, though its surroundings would have changed with it."""
    places = RememberedPlaces()
    places.renew(
        scenery(
            printed=np.full((EDGE, EDGE, 3), GRAY / 255, np.float32)
            if now.printed.any()
            else np.zeros((EDGE, EDGE, 3), np.float32)
        )
    )
    places.note([(place(50, 50), 0.99), (place(150, 150), 0.01)])
    places.renew(now)

    assert places.certain == ()
    assert places.are_hopeless([place(150, 150)]) == [True]


def test_what_changes_slowly_changes_all_the_same() -> None:
    """Each picture differs little from the one before, but more and more from what was looked at."""
    places = remembered()
    for level in range(GRAY, GRAY + 40):
        places.renew(scenery(with_square(50, 50, level)))

    assert places.certain == ()


def test_what_has_changed_is_known_from_then_on() -> None:
    """A place that is noted after a change is not forgotten because of that change."""
    places = remembered()
    places.renew(scenery(with_square(50, 50)))
    places.note([(place(50, 50), 0.98)])
    places.renew(scenery(with_square(50, 50)))

    assert [chance for _, chance in places.certain] == [0.98]


def test_another_window_is_another_table() -> None:
    """Nothing is known of it."""
    places = remembered()
    places.renew(
        Scenery.of(
            np.full((EDGE, 2 * EDGE, 3), GRAY, np.uint8),
            np.zeros((EDGE, 2 * EDGE, 3), np.float32),
            np.zeros((EDGE, 2 * EDGE), np.bool_),
        )
    )

    assert places.certain == ()
    assert places.are_hopeless([place(150, 150)]) == [False]
