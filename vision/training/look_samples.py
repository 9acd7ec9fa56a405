"""What the network that looks at figures and dragons learns from: right and wrong places of drawn tables.

The search of the reading proposes few places. So it sees, too, where pieces truly stand, a little beside;
where others stand; where markers of the same colour lie; places where nothing is; and places that it will be
asked about because something is seen there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import PieceRecord
from companion.table import Place, Value, kind_of, parts_of, place
from vision.arrays import Floats, Patches
from vision.geometry.upright import SIZE_PX
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Ground, are_apart, candidate
from vision.pieces.standing_measures import Measured
from vision.pieces.standing_patches import CHANNELS, StandingPatches
from vision.pieces.standing_proposals import Base, bases_looked_at
from vision.reading.faces import markers_of_label
from vision.reading.overlooked import SoughtAgain, figures_sought_again
from vision.training.drawn_frames import DrawnFrame

# Of a piece so much must be seen to be shown often; if it is less than the second share it is not shown.
_SEEN, _HIDDEN = 0.5, 0.3
# So often a well seen piece is shown where it stands, so far off, in bases (standard deviation).
_TIMES, _OFF = 3, 0.15
# So many places are shown where nothing is, where a marker of the same colour lies, where something is seen.
_NOWHERE, _ON_MARKERS, _LOOKED_AT = 2, 2, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LookSamples:
    """Places of one drawn table, or of several.

    Attributes:
        places: how they look, (N, channels, size, size), and whether the piece stands there, `is_there` (N,).
        place_tables: number of the table of each, (N,).
    """

    places: Patches
    is_there: Floats
    place_tables: Floats


@dataclass(frozen=True, slots=True)
class _Body:
    """A piece as it truly stands, its name without the number of a double, and how much of it is seen."""

    kind: str
    name: str
    base_mm: Base
    share: float


def look_samples_of(frame: DrawnFrame, number: int) -> LookSamples:
    """Return what one picture of a table shows, `number` that of the picture."""
    dice = np.random.default_rng((frame.table.number, 11, number))
    bodies = list(_bodies(frame))
    pieces, rig = frame.reading.pieces, frame.reading.located.rig
    again = figures_sought_again(rig, frame.reading.faces, pieces.city, pieces.standing, pieces.sure)
    nothing = np.zeros((0, CHANNELS, SIZE_PX, SIZE_PX), np.uint8), np.zeros(0)
    shown = (one for kind in ("dragon", "figure") for one in _shown(frame, kind, bodies, dice))
    parts = [nothing, *shown, *_proposed(pieces.measured, dict(again), bodies)]
    truth = np.concatenate([one for _, one in parts])
    return LookSamples(
        places=np.concatenate([one for one, _ in parts]),
        is_there=truth,
        place_tables=np.full(len(truth), float(frame.table.number)),
    )


def _shown(
    frame: DrawnFrame, kind: str, bodies: list[_Body], dice: np.random.Generator
) -> Iterator[tuple[Patches, Floats]]:
    """Yield how right and wrong places of each piece of a kind look, and which are right."""
    sought = [one for one in frame.profile.pieces if one.kind == kind]
    cutter = _Cutter(frame, kind, sought)
    for piece in sought:
        own = [one for one in bodies if (one.kind, one.name) == (kind, piece.name)]
        shown = [
            *_right(own, cutter, dice),
            *_wrong(frame, piece, own, bodies, cutter, dice),
            *_looked_at(own, cutter, dice),
        ]
        is_there = np.array([true for _, true in shown], np.float64)
        yield cutter.cut(piece, [base for base, _ in shown]), is_there


class _Cutter:
    """Cuts patches of pieces of one kind."""

    def __init__(self, frame: DrawnFrame, kind: str, pieces: list[PieceRecord]) -> None:
        reading = frame.reading
        self._rig, self._faces = reading.located.rig, reading.faces
        self._city = _city_for(frame, kind)
        self.base_mm, _ = self._rig.layout.pieces.size_of(kind)
        self._patches = StandingPatches(self._city, self._rig.bodies, pieces)
        ground = Ground(self._city, self._rig.bodies, kind, list(self._rig.layout.cells))
        self.looked_at = bases_looked_at(ground)

    def cut(self, piece: PieceRecord, bases: list[Base]) -> Patches:
        """Return how a piece would look at places of its base, (N, channels, size, size)."""
        paint = self._rig.library.paint_of(piece)
        cell = next(iter(self._rig.layout.cells))
        bodies = self._rig.bodies
        at = [candidate(self._city, bodies, paint, piece.kind, cell, base, 0.0) for base in bases]
        marked = markers_of_label(self._faces, paint.label)
        return self._patches.of(piece, at, marked)

    def beside(self, base: Base, dice: np.random.Generator) -> Base:
        """Return a place a little off."""
        off = dice.normal(0, _OFF * self.base_mm, 2)
        return (base[0] + float(off[0]), base[1] + float(off[1]))


def _city_for(frame: DrawnFrame, kind: str) -> CityMap:
    """Return the map as pieces of a kind are sought on it: figures where no dragon was found."""
    pieces = frame.reading.pieces
    taken = pieces.city.taken.copy()
    for where, sure in pieces.sure.items():
        if kind == "figure" and kind_of(where) == "dragon" and sure > 0:
            taken |= pieces.standing[where].outline
    return replace(pieces.city, taken=taken)


def _bodies(frame: DrawnFrame) -> Iterator[_Body]:
    """Yield everything that stands in the city, as the reading's camera sees it."""
    standing = [
        where for where, value in frame.truth.items() if kind_of(where) in ("figure", "dragon") and value
    ]
    shares = frame.camera.visible_shares(frame.truth, standing, hand_pose=frame.hand)
    for where in standing:
        base = seen_base(frame, where, frame.truth[where])
        if base is not None:
            name = parts_of(where)[0].partition("+")[0]
            yield _Body(kind_of(where), name, base, shares[where])


def seen_base(frame: DrawnFrame, where: Place, value: Value) -> Base | None:
    """Return where a piece's base is on the table as it was learnt, mm."""
    base = None if value is None else frame.camera.base_mm(where, value, frame.truth)
    if base is None:
        return None
    layout = frame.reading.located.rig.layout
    seen = frame.camera.pose.project(np.array([base]))
    x, y = frame.reading.camera.to_table(seen, layout.pieces.tile_thickness_mm)[0].tolist()
    return (x, y)


def _right(own: list[_Body], cutter: _Cutter, dice: np.random.Generator) -> Iterator[tuple[Base, bool]]:
    """Yield where a piece stands, a little beside."""
    for one in own:
        times = _TIMES if one.share >= _SEEN else 1 if one.share >= _HIDDEN else 0
        for _ in range(times):
            yield cutter.beside(one.base_mm, dice), True


def _wrong(
    frame: DrawnFrame,
    piece: PieceRecord,
    own: list[_Body],
    bodies: list[_Body],
    cutter: _Cutter,
    dice: np.random.Generator,
) -> Iterator[tuple[Base, bool]]:
    """Yield where a piece does not stand: at others, on markers, on bare tiles."""
    layout = frame.reading.located.rig.layout
    bases = [one.base_mm for one in bodies if one not in own]
    boxes = [where for where, owner in frame.truth.items() if owner == piece.name and kind_of(where) == "box"]
    for where in dice.permutation(np.array(boxes, dtype=object))[:_ON_MARKERS]:
        marker = seen_base(frame, where, piece.name)
        bases += [] if marker is None else [marker]
    cells = list(layout.cells.values())
    for _ in range(_NOWHERE):
        x, y = cells[int(dice.integers(len(cells)))]
        off = dice.uniform(-0.5, 0.5, 2) * layout.tile_edge_mm
        bases.append((x + float(off[0]), y + float(off[1])))
    for base in bases:
        at = cutter.beside(base, dice)
        if all(are_apart(at, one.base_mm) for one in own):
            yield at, False


def _looked_at(own: list[_Body], cutter: _Cutter, dice: np.random.Generator) -> Iterator[tuple[Base, bool]]:
    """Yield places at which something is seen, but not the piece."""
    order = dice.permutation(len(cutter.looked_at))[:_LOOKED_AT]
    for base in (cutter.looked_at[number] for number in order.tolist()):
        if all(are_apart(base, one.base_mm) for one in own):
            yield base, False


def _proposed(
    measured: Mapping[Place, Measured], again: Mapping[Place, SoughtAgain], bodies: list[_Body]
) -> Iterator[tuple[Patches, Floats]]:
    """Yield how the places look that the searches propose, and at which a piece truly stands."""
    for some in (measured, again):
        for where, one in some.items():
            own = [body for body in bodies if place(body.kind, body.name) == where]
            near = [
                not all(are_apart(at.base_mm, body.base_mm) for body in own)
                for at in one.places[: len(one.patches)]
            ]
            yield one.patches, np.array(near, np.float64)
