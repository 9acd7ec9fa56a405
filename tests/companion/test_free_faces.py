"""What a reader says of tiles and cards that lie free."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.free_faces import FreeFace, FreeReading, Side

CARD = FreeFace(
    name="hoax-21",
    side=Side.FACE,
    x_mm=10.0,
    y_mm=-4.0,
    turn_deg=178.0,
    width_mm=70.0,
    height_mm=120.0,
    visible_share=0.5,
    order=0,
    confidence=0.99,
    area="support:hoax",
)


def test_faces_of_an_area_keep_their_order() -> None:
    upper = replace(CARD, name="hoax-03", order=2, over=(0,))
    beside = replace(CARD, area=None, order=1)
    reading = FreeReading(faces=(CARD, beside, upper))
    assert reading.in_area("support:hoax") == (CARD, upper)
    assert reading.in_area("combat:hoax") == ()


@pytest.mark.parametrize(("name", "side"), [(None, Side.FACE), ("hoax-21", Side.UNKNOWN)])
def test_what_has_no_name_shows_no_side(name: str | None, side: Side) -> None:
    with pytest.raises(ValueError, match="cannot show"):
        replace(CARD, name=name, side=side)
