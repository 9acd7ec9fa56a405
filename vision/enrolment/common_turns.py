"""How tiles are turned against each other: once upright, what all of their faces have in common lies alike.

Boxes, name plates and shading are printed in the same place on every tile, pictures of buildings are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Picture8, Singles
from vision.enrolment.board_boxes import line_field

# Faces are compared in so many pixels, after blurring: tiles are cut out to a millimetre or two.
_EDGE_PX, _BLUR_PX = 48, 1.2
# Lines plainer than all but so many percent of a face's count no more than those.
_PLAIN_PERCENT = 98
# Beginnings that are tried, each with other turns, and rounds in which turns may still change.
_BEGINNINGS, _ROUNDS = 30, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonTurn:
    """How a tile is to be turned to lie as the others do.

    Attributes:
        turns: quarter turns anticlockwise (as `numpy.rot90` does), the likeliest first.
        lead: how much more it is like one other tile then, at the mean, than after the next turn; of 1.
    """

    turns: tuple[int, ...]
    lead: float


def common_turns(pictures: Mapping[str, Picture8]) -> dict[str, CommonTurn]:
    """Return how each of some square pictures is to be turned for all to lie alike; not which way up."""
    if not pictures:
        return {}
    alike = _alike(list(pictures.values()))
    others = max(len(pictures) - 1, 1)
    tries = (_settled(alike, np.random.default_rng(seed)) for seed in range(_BEGINNINGS))
    best = max(tries, key=lambda support: float(support.max(axis=1).sum()))
    found = {}
    for name, row in zip(pictures, best / others, strict=True):
        order = np.argsort(-row, kind="stable").tolist()
        found[name] = CommonTurn(turns=tuple(order), lead=float(row[order[0]] - row[order[1]]))
    return found


def _alike(pictures: list[Picture8]) -> Floats:
    """Return how alike any two faces are after any turns, (faces, turns, faces, turns)."""
    seen = np.stack(
        [[_lines(np.ascontiguousarray(np.rot90(one, turn))).ravel() for turn in range(4)] for one in pictures]
    )
    # What all have whichever way they lie, such as a border, tells nothing.
    seen -= seen.mean(axis=(0, 1))
    seen /= np.linalg.norm(seen, axis=-1, keepdims=True) + 1e-6
    flat = seen.reshape(-1, seen.shape[-1])
    alike = np.asarray(flat @ flat.T, np.float64).reshape(len(pictures), 4, len(pictures), 4)
    for number in range(len(pictures)):
        alike[number, :, number, :] = 0
    return alike


def _lines(picture: Picture8) -> Singles:
    """Return the level, upright and two slanted kinds of lines of a face, each at least 0."""
    lines = line_field(picture)
    kinds = np.concatenate([np.maximum(lines, 0), np.maximum(-lines, 0)], axis=-1)
    kinds = np.minimum(kinds / (float(np.percentile(kinds.sum(axis=-1), _PLAIN_PERCENT)) + 1e-3), 1)
    soft = cv2.GaussianBlur(kinds, (0, 0), _BLUR_PX)
    return np.asarray(cv2.resize(soft, (_EDGE_PX, _EDGE_PX), interpolation=cv2.INTER_AREA), np.float32)


def _settled(alike: Floats, dice: np.random.Generator) -> Floats:
    """Return what speaks for each turn of each face, from some beginning on, (faces, turns)."""
    count = len(alike)
    turns = dice.integers(0, 4, count)
    for _ in range(_ROUNDS):
        before = turns.copy()
        for number in range(count):
            turns[number] = alike[number][:, np.arange(count), turns].sum(axis=1).argmax()
        if (turns == before).all():
            break
    return np.stack([one[:, np.arange(count), turns].sum(axis=1) for one in alike])
