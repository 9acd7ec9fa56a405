"""What the recognisers of figures, dragons and hands learn from: drawn tables, as the program sees them.

The search of the reading proposes places and suspects, right ones and wrong; the truth tells which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table import Place
from vision.arrays import Bools, Floats, Singles
from vision.geometry.rectify import flat_maps, flatten
from vision.geometry.regions import share_within
from vision.pieces.figures import Candidate
from vision.pieces.occluders import suspects_on
from vision.pieces.standing_measures import COMMON, LOOKS, MOST_PLACES
from vision.pieces.standing_measures import MEASURES as OF_PLACE
from vision.pieces.suspects import MEASURES as OF_SUSPECT
from vision.pieces.suspects import Suspect
from vision.reading.observed import Reading
from vision.reading.pieces import lost_labels
from vision.training.drawn_frames import DrawnFrame

AWAY, ELSEWHERE = MOST_PLACES, MOST_PLACES + 1
"""What is true of a piece that stands at none of the places: it is not in the city, or somewhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSamples:
    """Suspects and pieces of one drawn table, or of several.

    Attributes:
        suspects: what is measured of what may be hands, (N, `OF_SUSPECT`); `arms` (N,) is the share of each
            that an arm covers, and `tables` (N,) the number of the table.
        places: what is measured of the places of pieces, (M, `MOST_PLACES`, `OF_PLACE`): of each piece the
            first `counts` (M,) are used; `odds` (M, `MOST_PLACES`, `LOOKS`) that they show the piece, as the
            network says that looked at them; `common` (M, `COMMON`) of the piece in all.
        cells: (M, `MOST_PLACES`) which place is the first on the cell of each.
        stands: (M,) which place is the first on the right cell, `AWAY` or `ELSEWHERE`; `piece_tables` (M,) as
            `tables`. Without a network that looks at places there are none of these.
    """

    suspects: Singles
    arms: Floats
    tables: Floats
    places: Singles
    counts: Floats
    odds: Singles
    common: Singles
    cells: Floats
    stands: Floats
    piece_tables: Floats


def piece_samples_of(frame: DrawnFrame) -> PieceSamples:
    """Return what one picture of a table shows."""
    arm = None if frame.hand is None else _seen_arm(frame)
    suspects = suspects_of(frame.reading)
    pieces, recogniser = frame.reading.pieces, frame.reading.located.rig.library.standing
    told = [
        (one, _truth(frame, where, one.places))
        # What is looked for everywhere is weighed before that as well.
        for where, one in [*pieces.measured.items(), *pieces.unproposed.items()]
        if recogniser.can_look
    ]
    places = np.zeros((len(told), MOST_PLACES, OF_PLACE), np.float32)
    odds = np.zeros((len(told), MOST_PLACES, LOOKS), np.float32)
    cells = np.zeros((len(told), MOST_PLACES), np.float64)
    for row, seen, firsts, (one, _) in zip(places, odds, cells, told, strict=True):
        row[: len(one.places)], seen[: len(one.places)] = one.values, one.odds
        firsts[: len(one.places)] = first_on_cells(one.places)
    return PieceSamples(
        suspects=np.array([one.values for one in suspects], np.float32).reshape(-1, OF_SUSPECT),
        arms=np.array([_covered(one, arm) for one in suspects], np.float64),
        tables=np.full(len(suspects), float(frame.table.number)),
        places=places,
        counts=np.array([len(one.places) for one, _ in told], np.float64),
        odds=odds,
        common=np.array([one.common for one, _ in told], np.float32).reshape(-1, COMMON),
        cells=cells,
        stands=np.array([true for _, true in told], np.float64),
        piece_tables=np.full(len(told), float(frame.table.number)),
    )


def suspects_of(reading: Reading) -> list[Suspect]:
    """Return what may be a hand in a reading."""
    pieces, rig = reading.pieces, reading.located.rig
    outlines = [pieces.standing[where].outline for where, sure in pieces.sure.items() if sure > 0]
    faces = reading.faces.on_cells()
    return suspects_on(pieces.city, rig.layout, outlines, faces, lost_labels(rig, pieces.sure))


def _seen_arm(frame: DrawnFrame) -> Bools:
    """Return where the arm is on the map, (height, width)."""
    assert frame.hand is not None
    mask = frame.camera.arm_mask(frame.hand)
    picture = np.repeat(mask.astype(np.uint8)[..., None] * np.uint8(255), 3, axis=2)
    maps = flat_maps(frame.reading.camera, frame.reading.pieces.city.flat)
    return np.asarray(flatten(picture, maps)[..., 0] > 127, np.bool_)


def _covered(one: Suspect, arm: Bools | None) -> float:
    if arm is None:
        return 0.0
    return share_within(arm[one.region], one.mask)


def _truth(frame: DrawnFrame, where: Place, places: Sequence[Candidate]) -> int:
    """Return which of some places is the first on the right cell."""
    cell = frame.truth.get(where)
    if cell is None:
        return AWAY
    return next((number for number, at in enumerate(places) if at.cell == cell), ELSEWHERE)


def first_on_cells(places: Sequence[Candidate]) -> list[int]:
    """Return of each place which is the first on its cell."""
    cells = [at.cell for at in places]
    return [cells.index(cell) for cell in cells]
