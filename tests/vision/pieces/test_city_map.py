"""The city put together from its cells."""

from __future__ import annotations

import numpy as np

from companion.games.blue_moon_city.layout import table_layout
from vision.faces.scene import MARGIN_MM, PX_PER_MM, Plane
from vision.geometry.rectify import Flat
from vision.photometry.palette import NOTHING, Palette, shades_of
from vision.pieces.city_map import city_map

PURPLE = (150, 40, 110)


def test_where_a_row_of_cells_ends_the_table_is_seen_as_it_is() -> None:
    """A figure on an outer cell leans out there; the bare table shows nobody's colour."""
    layout = table_layout()
    flat = Flat.around(*layout.extent_mm(MARGIN_MM), PX_PER_MM, layout.pieces.tile_thickness_mm)
    picture = np.full((flat.height_px, flat.width_px, 3), (60, 120, 60), np.uint8)
    picture[:60, :60] = PURPLE
    plane = Plane(
        flat=flat, picture=picture, soft=picture[..., 1].astype(np.float32),
        blind=np.zeros(picture.shape[:2], np.bool_),
    )  # fmt: skip
    city = city_map(plane, layout, {}, Palette([("purple", shades_of(PURPLE))]))

    assert (city.labels[:28, :28] == 0).all()
    assert (city.labels[:28, -28:] == NOTHING).all()
    assert (city.labels[-28:, :28] == NOTHING).all()
