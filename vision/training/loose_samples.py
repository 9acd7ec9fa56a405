"""What the network learns from that tells discs on tables on which pieces lie anywhere.

It sees the places that the search of the reading proposes, and where discs truly are, a little beside. Faces
are found once an evening, with nothing on them; then discs and figures in many paints are put there.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.profile import Profile
from companion.free_pieces import Shape
from vision.arrays import Floats, Patches, Picture8, Singles
from vision.faces.locator import Locator, Tracked
from vision.free.bare_table import BareTable
from vision.free.known_paint import SIZES_MM, KnownPaint
from vision.free.learnt_faces import known_faces_of
from vision.free.peeling import Find
from vision.free.reader import FreeAreaReader
from vision.free.solid_patches import CHANNELS, SolidPlace
from vision.free.solids import Looked, SolidFinder
from vision.geometry.upright import SIZE_PX
from vision.photometry.palette import shades_of
from vision.simulation.free_camera import LaidTable, SolidPiece
from vision.training.loose_tables import BOARD, LooseTable, Paint

# A place that is less far from where a piece is, in widths of its base, is right; one further off is wrong.
_RIGHT, _WRONG = 0.2, 0.42
# A disc is shown where it is, so far off, in widths (standard deviation).
_OFF = 0.07
# So many times an evening discs and figures are put on the faces, so seldom with an arm over them.
_PUT, _HANDS = 6, 8
# A face of which less is seen than this share is mostly not made out; with an arm about half of all are not.
_LEAST_SEEN, _MISSED, _MISSED_BESIDE_HAND = 0.5, 0.7, 0.4
# So many proposed places are shown of each picture.
_MOST_DISCS = 150
# A disc is seen if none lies higher and nearer than so many mm.
_UPON_MM = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseSamples:
    """Places of one drawn table, or of several.

    Attributes:
        solids: how they look, (N, channels, size, size), and whether the disc is there, `is_piece` (N,).
        solid_tables: number of the table of each, (N,).
    """

    solids: Patches
    is_piece: Floats
    solid_tables: Floats


def loose_samples_of(table: LooseTable, evenings: int) -> LooseSamples:
    """Return what a table shows on so many evenings."""
    profile = table.profile()
    found = [(np.zeros((0, CHANNELS, SIZE_PX, SIZE_PX), np.uint8), np.zeros(0))]
    for evening in range(1, evenings + 1):
        found += _seen_on(table.evening(evening), profile, evening)
    truth = np.concatenate([one for _, one in found])
    return LooseSamples(
        solids=np.concatenate([one for one, _ in found]),
        is_piece=truth,
        solid_tables=np.full(len(truth), float(table.number)),
    )


def _seen_on(table: LooseTable, profile: Profile, evening: int) -> list[tuple[Patches, Floats]]:
    """Return how right and wrong places look on one evening, and which are right."""
    camera, laid = table.camera(seed=evening), table.faces_laid(evening)
    frame: Picture8 = np.asarray(camera.frame(laid), np.uint8)
    pose, _ = Locator(profile).locate(frame, Tracked(layout=profile.layout))
    if pose is None:
        return []
    reader = FreeAreaReader(
        profile.layout.areas,
        known_faces_of(profile),
        pose,
        boards=[] if table.board is None else [BOARD],
        ground=functools.partial(BareTable.of, profile),
        codes=profile.layout.fiducials,
    )
    reader.read(frame)
    finds, shown = reader.last_read().finds, []
    for number in range(_PUT):
        of_all = evening * _PUT + number
        dice = np.random.default_rng((table.number, 46, of_all))
        put, paints = table.with_pieces(laid, of_all)
        hand = table.hand(of_all) if (table.number + of_all) % _HANDS == 0 else None
        finder = SolidFinder(_known(paints), pose, reader.flat, reader.seen)
        made_out = _made_out(finds, finder, put, has_hand=hand is not None, dice=dice)
        reader.suppose(np.asarray(camera.frame(put, hand_pose=hand, t=float(number)), np.uint8), made_out)
        last = reader.last_read()
        looked = finder.look(last.picture, last.finds, empty=reader.empty())
        if looked is not None:
            shown.append(_shown(finder, looked, put, dice))
    return shown


def _known(paints: Mapping[str, Paint]) -> list[KnownPaint]:
    return [
        KnownPaint(name=name, shape=Shape(one.shape), palette=shades_of(one.learnt))
        for name, one in paints.items()
    ]


def _made_out(
    finds: Sequence[Find], finder: SolidFinder, laid: LaidTable, *, has_hand: bool, dice: np.random.Generator
) -> list[Find]:
    """Return what would be made out of the faces with discs and figures on them."""
    bodies: list[Singles] = [finder.outline(Shape(one.shape), (one.x_mm, one.y_mm)) for one in laid.solid]
    kept = []
    for find in finds:
        seen = find.hidden_by(bodies)
        share = float(seen.evidence.mask.sum()) / max(float(find.evidence.mask.sum()), 1.0)
        missed = _MISSED if share < _LEAST_SEEN else _MISSED_BESIDE_HAND if has_hand else 0.03
        if dice.random() >= missed:
            kept.append(seen)
    return kept


def _shown(
    finder: SolidFinder, looked: Looked, laid: LaidTable, dice: np.random.Generator
) -> tuple[Patches, Floats]:
    """Return how right and wrong places look, and which are right."""
    seen = [one for one in laid.solid if one.shape == "disc" and not _is_below(one, laid)]
    order = dice.permutation(len(looked.places))[:_MOST_DISCS]
    proposed = [looked.places[number] for number in sorted(order.tolist())]
    places = [*_proposed(finder, proposed, seen), *_true(finder, seen, dice)]
    shown = [one for one, _ in places]
    return finder.patches(looked.seen, shown), np.array([true for _, true in places], np.float64)


def _proposed(
    finder: SolidFinder, places: Sequence[SolidPlace], seen: Sequence[SolidPiece]
) -> Iterator[tuple[SolidPlace, bool]]:
    """Yield proposed places that are plainly right or wrong, and whether the piece is there."""
    for one in places:
        name, (width, _) = finder.paints[one.paint].name, SIZES_MM[one.shape]
        own = (math.dist(one.at_mm, (each.x_mm, each.y_mm)) for each in seen if each.name == name)
        off = min(own, default=math.inf) / width
        if not _RIGHT <= off < _WRONG:
            yield one, off < _RIGHT


def _true(
    finder: SolidFinder, seen: Sequence[SolidPiece], dice: np.random.Generator
) -> Iterator[tuple[SolidPlace, bool]]:
    """Yield where each disc is, a little beside, and sometimes the same place for another paint."""
    numbers = {one.name: number for number, one in enumerate(finder.paints)}
    for one in seen:
        x, y = (float(each) for each in dice.normal(0, _OFF * one.width_mm, 2))
        yield finder.place(numbers[one.name], (one.x_mm + x, one.y_mm + y)), True
        other = int(dice.integers(len(finder.paints)))
        if other != numbers[one.name] and finder.paints[other].shape == one.shape:
            yield finder.place(other, (one.x_mm, one.y_mm)), False


def _is_below(piece: SolidPiece, laid: LaidTable) -> bool:
    """Whether a disc lies upon a piece."""
    at = piece.x_mm, piece.y_mm
    higher = (one for one in laid.solid if one.lowest_mm > piece.lowest_mm)
    return any(math.dist((one.x_mm, one.y_mm), at) < _UPON_MM for one in higher)
