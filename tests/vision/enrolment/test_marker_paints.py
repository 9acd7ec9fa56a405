"""The paints of markers that stand close together."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import pytest

from vision.arrays import Floats
from vision.enrolment.marker_paints import marker_paints, told_apart
from vision.photometry.palette import Shade, is_light
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

FULL_LIGHT: Final = 5
"""Which shade of a paint that is not white is that of full light."""
MAGENTA, VIOLET, LIGHT_GREEN, DARK_GREEN = (144, 15, 160), (178, 65, 101), (40, 210, 60), (14, 80, 22)


def shaded(paint: Shade, share: float) -> Shade:
    """A paint in less light."""
    blue, green, red = (round(one * share) for one in paint)
    return blue, green, red


def test_what_others_hide_of_a_players_markers_is_not_their_paint() -> None:
    """Most samples of both show magenta: it is the paint of the one of whom more do."""
    found = told_apart(
        {
            "one": [MAGENTA, shaded(MAGENTA, 0.8), shaded(MAGENTA, 0.9), VIOLET],
            "two": [MAGENTA, shaded(MAGENTA, 0.9), VIOLET, shaded(VIOLET, 0.9)],
        }
    )

    assert found["one"] == pytest.approx(MAGENTA, rel=0.1)
    assert found["two"] == pytest.approx(VIOLET, rel=0.1)


def test_light_and_dark_of_a_hue_are_two_paints() -> None:
    """That two players share a hue is no reason to take other things for markers of one of them."""
    found = told_apart({"one": [LIGHT_GREEN, LIGHT_GREEN], "two": [DARK_GREEN, DARK_GREEN, (60, 60, 200)]})

    assert found == {"one": LIGHT_GREEN, "two": DARK_GREEN}


def test_black_is_a_paint_of_its_own() -> None:
    """It has no hue: its samples differ as those of hues do, and it is no shadow on gray."""
    green, gray = (45, 160, 60), (130, 128, 126)
    found = told_apart(
        {
            "one": [green, shaded(green, 0.5), green, green],
            "two": [gray, shaded(gray, 0.6), gray],
            "three": [green, green, (35, 25, 23), (31, 27, 30)],
        }
    )

    assert found["one"] == green
    assert found["two"] == gray
    assert sum(found["three"]) < 100


def test_a_player_of_whom_nothing_is_seen_has_no_paint() -> None:
    speck = np.zeros((3, 3), np.float32)
    plain = np.full((60, 3), 0.5, np.float32) * np.array([0.2, 1.0, 0.2], np.float32)

    assert list(marker_paints({"one": [speck], "two": [plain]})) == ["two"]
    assert marker_paints({}) == {}


def test_markers_seen_from_the_side_keep_their_own_colours() -> None:
    """Markers here are wider than boxes are apart, and lean over each other: colours were swapped."""
    for name, (paint, paints) in marker_paints_of(81005).items():
        off = {player: np.linalg.norm(paint - np.array(own, float)) for player, own in paints.items()}
        assert min(off, key=lambda player: off[player]) == name


@pytest.mark.parametrize("number", [92004, 97002])
def test_the_shaded_sides_of_markers_are_not_their_paint(number: int) -> None:
    """From the side more is seen of them than of the tops: dark teal was learnt as nearly black."""
    for name, (paint, paints) in marker_paints_of(number).items():
        light, own = ((np.array(one) / 255) ** 2.2 for one in (paint, paints[name]))
        assert light.sum() == pytest.approx(own.sum(), rel=0.5)


def marker_paints_of(number: int) -> dict[str, tuple[Floats, Mapping[str, Shade]]]:
    """Return of a drawn table's players the markers' paints as learnt, and those of all as drawn."""
    table = RandomTable.of(number)
    profile = learnt(table)
    assert profile is not None
    return {
        one.name: (np.array(one.palette[FULL_LIGHT], np.float64), table.players)
        for one in profile.pieces
        if one.kind == "marker" and not is_light(one.palette[FULL_LIGHT])
    }
