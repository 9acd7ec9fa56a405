"""The table layouts of games, for the sources that watch them."""

from __future__ import annotations

from calibration.layout import TableLayout, blue_moon_city
from companion.components import Components


def layout_of(components: Components) -> TableLayout:
    """Return the usual layout of a game."""
    del components
    return blue_moon_city()
