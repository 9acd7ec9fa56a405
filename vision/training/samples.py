"""Everything that is learnt from one drawn table, or from several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from vision.training.box_samples import BoxSamples, box_samples_of
from vision.training.drawn_frames import drawn_frames, learnt
from vision.training.look_samples import LookSamples, look_samples_of
from vision.training.loose_samples import LooseSamples
from vision.training.piece_samples import PieceSamples, piece_samples_of
from vision.training.tables import RandomTable
from vision.training.tile_samples import TileSamples, tile_samples_of

AnySamples = TypeVar("AnySamples", BoxSamples, PieceSamples, LookSamples, LooseSamples, TileSamples)


def samples_of(
    table: RandomTable, frames: int, look: Path | None = None
) -> tuple[BoxSamples, PieceSamples, LookSamples, TileSamples] | None:
    """Return what so many pictures of a table show, None where its enrolment was refused.

    `look` is the folder of the network that looks at places where figures may stand; what it says is weighed
    against what is measured.
    """
    profile = learnt(table)
    if profile is None:
        return None
    boxes, pieces, looks, tiles = [], [], [], []
    for number, frame in enumerate(drawn_frames(table, profile, frames, look=look)):
        boxes.append(box_samples_of(frame, number))
        pieces.append(piece_samples_of(frame))
        looks.append(look_samples_of(frame, number))
        tiles.append(tile_samples_of(frame, number))
    return (joined(boxes), joined(pieces), joined(looks), joined(tiles)) if boxes else None


def joined(parts: Iterable[AnySamples]) -> AnySamples:
    """Return the samples of several pictures or tables together."""
    some = list(parts)
    names = [one.name for one in fields(some[0])]
    return type(some[0])(**{name: np.concatenate([getattr(one, name) for one in some]) for name in names})
