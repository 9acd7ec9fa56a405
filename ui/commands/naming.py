"""Which building of Blue Moon City lies where in a photograph, however the tiles were laid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from calibration.layout import blue_moon_city
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import COURTYARD
from vision.art import COLOURS
from vision.draw import Image
from vision.naming import Named, Printed, TileNamer, cut_sketch_sides

CATALOGUE: Final[Mapping[str, Printed]] = {
    COURTYARD: Printed(),
    **{one.tile: Printed(colour=one.colour, values=one.values) for one in GAME.catalogue.buildings.values()},
}
"""What the game's list says is printed on each tile."""


class CityNamer:
    """Names the tiles of one photograph of all sketch sides."""

    def __init__(self, photograph: Image) -> None:
        """Look at the photograph; raises ProfileError when the fiducials do not suffice."""
        self._namer = TileNamer(cut_sketch_sides(np.asarray(photograph, np.uint8), blue_moon_city()))
        self.faces = self._namer.faces

    def name(self, said: Mapping[str, str] | None = None) -> dict[str, Named]:
        """Return what lies on each cell; `said` are tiles that somebody named, by cell."""
        return self._namer.name(CATALOGUE, COLOURS, said)
