"""Learning the pieces: what is told of paints that look alike."""

import pytest

from calibration.profile import PieceRecord
from vision.enrolment.pieces import of_like_colours
from vision.photometry.palette import Shade, shades_of

# Blue, green, red.
PURPLE, DIM_PURPLE, DARK_PURPLE = (149, 56, 175), (135, 50, 158), (40, 10, 47)
WHITE, TEAL = (235, 238, 240), (130, 120, 20)


def marker(name: str, paint: Shade) -> PieceRecord:
    return PieceRecord(kind="marker", name=name, palette=shades_of(paint))


@pytest.mark.parametrize(
    ("paint", "is_told"), [(DIM_PURPLE, True), (DARK_PURPLE, False), (WHITE, False), (TEAL, False)]
)
def test_markers_in_almost_the_same_colour_are_told(paint: Shade, *, is_told: bool) -> None:
    """Whose they are is hardly ever claimed: players are told which two, and what to do."""
    found = list(of_like_colours([marker("ann", PURPLE), marker("ben", paint), marker("cleo", TEAL)]))

    assert [one.what for one in found if "ann" in one.why] == (["marker:ann"] if is_told else [])
    assert all("ben" in one.why for one in found)
