"""What the recogniser of tiles learns from: the faces that agree best with what lies on cells.

A cell is shown as it is looked at first, with what pieces leave of it, and with some of the other tiles told
already, as they are when it is told by elimination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, Floats, Singles
from vision.faces.features import tile_of
from vision.faces.registration import Match
from vision.faces.tiles import Sought
from vision.pieces.tile_recogniser import MEASURES, tile_measures, with_twin
from vision.reading.covered import free_of
from vision.reading.elimination import without
from vision.reading.faces import middle_of, with_other_sides
from vision.reading.pieces import bodies_of
from vision.training.drawn_frames import DrawnFrame

# Where the best agrees less than this, fewer other tiles are tried.
_DOUBTFUL = 0.8
# Of so many cells one is also shown with a face that agrees just as well.
_TWINS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSamples:
    """Cells of one drawn table, or of several.

    Attributes:
        tiles: what is measured of the matches on each, (N, `MEASURES`).
        is_right: (N,) whether the best of them is what lies there.
        tile_tables: (N,) number of the table.
    """

    tiles: Singles
    is_right: Floats
    tile_tables: Floats

    def picked(self, which: Bools) -> TileSamples:
        """Return some of the cells."""
        return TileSamples(
            tiles=self.tiles[which], is_right=self.is_right[which], tile_tables=self.tile_tables[which]
        )


def with_twins(samples: TileSamples) -> TileSamples:
    """Return samples with others in which a face agrees just as well that is not there.

    Either of them is there as often. Drawn faces are hardly ever so much alike.
    """
    some = samples.is_right > 0
    some[np.arange(len(some)) % _TWINS > 0] = False
    twins, tables = with_twin(samples.tiles[some]), samples.tile_tables[some]
    return TileSamples(
        tiles=np.concatenate([samples.tiles, twins, twins]),
        is_right=np.concatenate([samples.is_right, np.ones(len(twins)), np.zeros(len(twins))]),
        tile_tables=np.concatenate([samples.tile_tables, tables, tables]),
    )


def tile_samples_of(frame: DrawnFrame, number: int) -> TileSamples:
    """Return what one picture of a table shows, `number` that of the picture."""
    rig = frame.reading.located.rig
    names, places = rig.library.names, rig.layout.places
    told = [
        (tile_measures(found, names), names[found[0].face] == frame.truth[places.on_cell(cell)])
        for cell, found in _looked_at(frame, np.random.default_rng((frame.table.number, number, 5)))
        if places.on_cell(cell) in frame.truth
    ]
    return TileSamples(
        tiles=np.array([values for values, _ in told], np.float32).reshape(-1, MEASURES),
        is_right=np.array([right for _, right in told], np.float64),
        tile_tables=np.full(len(told), float(frame.table.number)),
    )


def _looked_at(frame: DrawnFrame, dice: np.random.Generator) -> Iterator[tuple[str, Sequence[Match]]]:
    """Yield cells with what agrees best on them, some several times."""
    reading = frame.reading
    rig, plane, fields = reading.located.rig, reading.faces.plane, reading.rectified.fields
    library, cells = rig.library, list(rig.layout.cells)
    sought = [Sought(middle=middle_of(plane, rig.layout.cells[cell])) for cell in cells]
    for free in (None, free_of(bodies_of(rig, reading.pieces), plane)):
        seen = library.tiles.recognise_all(fields, sought, free)
        for cell, found in zip(cells, with_other_sides(library, fields, seen, free), strict=True):
            if not found:
                continue
            yield cell, found
            if found[0].score < _DOUBTFUL:
                own = tile_of(str(frame.truth[rig.layout.places.on_cell(cell)]))
                left = without({cell: found}, _some_others(list(library.sides), own, dice), library.names)
                yield from left.items()


def _some_others(tiles: Sequence[str], own: str, dice: np.random.Generator) -> set[str]:
    """Return a part of all tiles but one, a large one or a small one."""
    share = dice.uniform(0.3, 0.95)
    return {tile for tile in tiles if tile != own and dice.random() < share}
