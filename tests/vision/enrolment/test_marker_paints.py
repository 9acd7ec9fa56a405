"""The paints of markers that stand close together."""

import numpy as np
import pytest

from vision.enrolment.marker_paints import differ_in_hue, marker_paints, told_apart
from vision.photometry.palette import Shade
from vision.training.drawn_frames import learnt
from vision.training.tables import RandomTable

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
    table = RandomTable.of(81005)
    profile = learnt(table)
    assert profile is not None

    for piece in profile.pieces:
        if piece.kind == "marker":
            full = np.array(piece.palette[5], float)
            off = {name: np.linalg.norm(full - paint) for name, paint in table.players.items()}
            assert min(off, key=lambda name: off[name]) == piece.name


def test_light_and_shadow_leave_the_hue_as_it_is() -> None:
    assert not differ_in_hue(MAGENTA, shaded(MAGENTA, 0.3))
    assert not differ_in_hue((230, 230, 230), (70, 75, 80))
    assert differ_in_hue(MAGENTA, VIOLET)
    assert differ_in_hue(DARK_GREEN, (119, 74, 60))
