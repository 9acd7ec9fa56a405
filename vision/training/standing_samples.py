"""What the recogniser of figures and dragons learns from: the places where the search takes pieces to stand.

The search of the reading itself proposes the places, right and wrong ones; the truth tells which are right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.profile import PieceRecord
from companion.table import Picture, Place, place
from vision.arrays import Floats, Patches
from vision.pieces.figures import Candidate
from vision.pieces.finder import Searched
from vision.pieces.standing_patches import Scene, standing_patches
from vision.reading.observed import Reading
from vision.training.drawn_frames import DrawnFrame

STANDS = ("elsewhere", "stands here")
"""What is told of a place."""
MOST_PLACES = 3
"""So many places of each piece are judged, the likeliest first."""
GROUPS = 10_000
"""A piece's group is the number of its table times this, and more."""
_MOST_PIECES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingSamples:
    """Places where pieces of one drawn table may stand, or of several.

    Attributes:
        patches: (N, channels, size, size), and whether the piece stands there, `stands` (N,).
        kinds: (N,): 0 for a figure, 1 for a dragon.
        tables: number of the table, (N,).
        groups: which rows are of one piece in one picture, (N,).
        doubled: (N,): whether the piece has doubles on the table, so that several rows may be right.
        measured: (N, 4) of each place: share, fit, spill and strength, see `Candidate`.
    """

    patches: Patches
    stands: Floats
    kinds: Floats
    tables: Floats
    groups: Floats
    doubled: Floats
    measured: Floats


def likeliest(searched: Searched, where: Place) -> list[Candidate]:
    """Return the places where a piece most likely stands, the likeliest first."""
    found = [one for one in searched.known.get(where, {}).values() if one is not None]
    return sorted(found, key=lambda one: -one.strength)[:MOST_PLACES]


def standing_of(reading: Reading, truth: Picture) -> Iterator[tuple[PieceRecord, Candidate, bool]]:
    """Yield every place where a piece may stand, and whether it, or its double, does."""
    for piece in reading.located.rig.library.profile.pieces:
        if piece.kind == "marker":
            continue
        own = place(piece.kind, piece.name)
        cells = {cell for at, cell in truth.items() if str(at).split("+")[0] == str(own)}
        for one in likeliest(reading.pieces.searched, own):
            yield piece, one, one.cell in cells


def standing_samples_of(frame: DrawnFrame, number: int) -> StandingSamples:
    """Return the places in one picture of a table, `number` that of the picture."""
    told = list(standing_of(frame.reading, frame.truth))
    pieces = [one for one in frame.profile.pieces if one.kind != "marker"]
    groups = [pieces.index(piece) + number * _MOST_PIECES for piece, *_ in told]
    table = frame.table.number
    return StandingSamples(
        patches=standing_patches(scene_of(frame.reading), [(piece, at) for piece, at, _ in told]),
        stands=np.array([is_there for *_, is_there in told], np.float64),
        kinds=np.array([piece.kind == "dragon" for piece, *_ in told], np.float64),
        tables=np.full(len(told), float(table)),
        groups=np.array(groups, np.float64) + table * GROUPS,
        doubled=np.array(
            [f"{place(piece.kind, piece.name)}+0" in frame.truth for piece, *_ in told], np.float64
        ),
        measured=np.array(
            [(at.share, at.fit, at.spill, at.strength) for _, at, _ in told], np.float64
        ).reshape(-1, 4),
    )


def scene_of(reading: Reading) -> Scene:
    """Return what the patches of a reading are cut from."""
    rig = reading.located.rig
    return Scene(
        layout=rig.layout,
        camera=rig.camera,
        city=reading.pieces.city,
        faces=reading.faces.on_cells(),
        pieces=rig.library.profile.pieces,
    )
