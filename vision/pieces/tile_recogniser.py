"""The trained recogniser of tiles: how likely the face that agrees best with what lies on a cell is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Singles
from vision.faces.features import tile_of
from vision.faces.registration import Match
from vision.models.network import FOLDER, Network, softmax

NAME: Final = "tile_classifier"
KINDS: Final = ("another", "this one")
"""What is told of the face that agrees best."""
# A block shows the print if it agrees so well; one that agrees no better than this shows nothing of it.
_SHOWS, _SHOWS_NOTHING = 0.3, 0.02
# One face shows more of a block than another if it agrees so much better there.
_BETTER = 0.15
_QUANTILES = (0.1, 0.25, 0.5, 0.75)
# Of a face that has no rival.
_UNRIVALLED = (1.0, *(1.0,) * (1 + len(_QUANTILES)), 1.0, 0.0, 0.0)
_OF_FACE, _OF_RIVAL = 5 + len(_QUANTILES), len(_UNRIVALLED)
MEASURES: Final = _OF_FACE + _OF_RIVAL + 5
"""How many values are measured of the matches on a cell."""
SCORE: Final = 0
"""Which of them is how well the best agrees, and which is how far the next face is behind it."""
BEHIND: Final = _OF_FACE


def tile_measures(found: Sequence[Match], names: Sequence[str]) -> Singles:
    """Return what is measured of the matches on a cell, best first: (MEASURES,).

    The best is compared with its best rival, another face, and with all of them.
    """
    best = found[0]
    rivals: dict[str, Match] = {}
    for one in found[1:]:
        if names[one.face] != names[best.face]:
            rivals.setdefault(names[one.face], one)
    faces = [best, *rivals.values()]
    levels = _levels(np.array([one.blocks for one in faces], np.float32))
    behind = _behind(faces, levels, names)
    second = behind[1, 0] if len(rivals) > 1 else 1.0
    of_all = [behind[:, 1].min(), behind[:, -3].min(), behind[:, -2].max(), second, np.log1p(len(rivals))]
    return np.concatenate([_of_face(best), levels[0], behind[0], of_all]).astype(np.float32)


def with_twin(measured: Singles) -> Singles:
    """Return what would have been measured (N, MEASURES) if another face agreed just as well everywhere."""
    twins = measured.copy()
    twins[:, BEHIND : BEHIND + _OF_RIVAL - 1] = 0
    of_all = twins[:, _OF_FACE + _OF_RIVAL :]
    of_all[:, :2] = np.minimum(of_all[:, :2], 0)
    return twins


def _of_face(one: Match) -> Singles:
    """Return how a face agrees: in all, how far from its own size, in how many blocks and in how many not."""
    shows, nothing = (one.blocks > _SHOWS).mean(), (np.abs(one.blocks) < _SHOWS_NOTHING).mean()
    return np.array([one.score, abs(one.pose.size - 1), shows, nothing], np.float32)


def _levels(blocks: Singles) -> Singles:
    """Return how well the blocks of faces (N, rows, columns) agree: their mean and some quantiles, (N, 5)."""
    ranked = np.sort(blocks.reshape(len(blocks), -1), axis=1)
    at = np.array(_QUANTILES) * (ranked.shape[1] - 1)
    low, share = at.astype(np.intp), at % 1
    high = np.minimum(low + 1, ranked.shape[1] - 1)
    between = ranked[:, low] * (1 - share) + ranked[:, high] * share
    return np.asarray(np.column_stack([ranked.mean(axis=1), between]), np.float32)


def _behind(faces: Sequence[Match], levels: Singles, names: Sequence[str]) -> Singles:
    """Return how far others are behind the first of some faces, (N, 9); one row if there are no others.

    In all, by the `levels` of their blocks, in how many blocks one of the two shows more, and whether both
    are sides of one tile.
    """
    best, *rivals = faces
    if not rivals:
        return np.array([_UNRIVALLED], np.float32)
    ours, theirs = _upright(best), np.array([_upright(one) for one in rivals])
    more, less = np.ones(len(rivals)), np.zeros(len(rivals))
    if ours.shape == theirs.shape[1:]:
        ahead = ours - theirs
        more, less = ((one > _BETTER).mean(axis=(1, 2)) for one in (ahead, -ahead))
    scores = np.array([one.score for one in rivals])
    same = [float(tile_of(names[best.face]) == tile_of(names[one.face])) for one in rivals]
    return np.asarray(
        np.column_stack([best.score - scores, levels[0] - levels[1:], more, less, same]), np.float32
    )


def _upright(one: Match) -> Singles:
    """Return a face's blocks as they lie on the table, to the next quarter turn."""
    return np.rot90(one.blocks, -round(one.pose.turn / (np.pi / 2)))


class TileRecogniser:
    """Tells how surely the best of some matches is what lies there."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Prepare; `folder` is where the models are.

        Raises:
            ProfileError: the model is missing or torn.
        """
        self._network = Network.load(NAME, folder)

    def chances(self, found: Sequence[Sequence[Match]], names: Sequence[str]) -> list[float]:
        """Return for each cell's matches, best first, how likely the first of them is right; 0 of none."""
        rows = [tile_measures(some, names) for some in found if some]
        if not rows:
            return [0.0] * len(found)
        told = iter(softmax(self._network.classified(np.array(rows, np.float32)))[:, 1].tolist())
        return [next(told) if some else 0.0 for some in found]
