"""Which tile is where in a photograph, however the tiles were laid out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.components import TilePrint
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from vision.arrays import Image
from vision.enrolment.naming import NamingResult, Printed, TileNamer, cut_built_sides, cut_sketch_sides
from vision.enrolment.pairing import pair_sides
from vision.enrolment.photograph_names import EMPTY, SKETCH, photograph_name
from vision.faces.table_frame import Photograph, measured
from vision.photometry.light import coded


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedTiles:
    """Which tile lies on which cell of a photograph of built sides, and the quarter turns that right it."""

    tiles: Mapping[str, str]
    turns: Mapping[str, int]


class PhotographNamer:
    """Names the tiles of one photograph of all sketch sides."""

    def __init__(
        self,
        photograph: Image,
        layout: TableLayout,
        tiles: Mapping[str, TilePrint],
        inks: Mapping[str, tuple[int, int, int]],
        empty: Image | None = None,
    ) -> None:
        """Look at the photograph; raises ProfileError when the codes do not suffice, or no tiles are seen.

        What the `empty` table shows, too, is taken for no tile.

        Of the layout the codes' size is needed; where they lie is measured. `tiles` are the game's, with what
        is printed on them; `inks` say how each colour looks in print, BGR.
        """
        self._printed = printed_of(tiles)
        self._inks = inks
        shots = [Photograph(frame=photograph, what=photograph_name(SKETCH))]
        if empty is not None:
            shots.append(Photograph(frame=empty, what=photograph_name(EMPTY), shows_city=False))
        self._layout = measured(shots, layout)
        self._namer = TileNamer(cut_sketch_sides(photograph, self._layout))

    def name(self, said: Mapping[str, str] | None = None) -> dict[str, NamingResult]:
        """Return what lies on each cell; `said` are tiles that somebody named, by cell."""
        return self._namer.name(self._printed, self._inks, said)

    def pictures(self, named: Mapping[str, NamingResult]) -> dict[str, Image]:
        """Return upright pictures of the tiles by cell, BGR."""
        return {
            cell: coded(face.turned(named[cell].turn).picture) for cell, face in self._namer.faces.items()
        }

    def turned_over(
        self, named: Mapping[str, NamingResult], photograph: Image, bad: Collection[str] = frozenset()
    ) -> TurnedTiles:
        """Return what lies where in a photograph of the built sides, turned over in place or mixed.

        Cells where one of the photographs is `bad` are left out where nothing tells.

        Raises ProfileError where nobody can tell of any other.
        """
        seen = {cell: coded(face.picture) for cell, face in cut_built_sides(photograph, self._layout).items()}
        paired = pair_sides(self.pictures(named), seen)
        lost = {cell for cell, one in paired.items() if not one.is_plain}
        if not lost <= set(bad):
            raise ProfileError(
                msg(
                    "the built sides on {cells} match no sketch side: turn every tile over in place, and "
                    "keep lamp reflections off them",
                    cells=", ".join(cell for cell in paired if cell in lost),
                )
            )
        known = {cell: one for cell, one in paired.items() if cell not in lost and named[one.home].is_sure}
        return TurnedTiles(
            tiles={cell: named[one.home].tile for cell, one in known.items()},
            turns={cell: one.turn for cell, one in known.items()},
        )


def printed_of(tiles: Mapping[str, TilePrint]) -> dict[str, Printed]:
    """Return what the game's list says is printed on the sketch side of each tile."""
    return {tile: Printed(colour=one.colour, values=one.values) for tile, one in tiles.items()}
