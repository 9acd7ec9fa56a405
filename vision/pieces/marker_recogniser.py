"""The trained recogniser of markers: what each box may hold, as calibrated probabilities.

Two networks look at a box: one tells whether it is bare, the other, for every owner, whether the marker on it
is theirs. Two classifiers weigh what they say with what is measured there, and have the last word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.profile import PieceRecord
from companion.table import Value
from vision.arrays import Patches, Singles
from vision.models.network import FOLDER, Network, softmax
from vision.photometry.light import linear, valued
from vision.pieces.box_measures import SeenBox, measures, owner_measures
from vision.pieces.box_patches import colour_patches, fill_patches, shades_of_piece

CLAIMED: Final = 0.95
"""A marker is claimed if it is as likely as this."""
CLAIMED_BARE: Final = 0.97
"""That a box is bare must be likelier: a thing that no recogniser has learnt from is no marker either."""
LIKELY: Final = 0.5
"""What is likelier than this, but not claimed, is told of beside the claims."""
NAMES: Final = ("box_fill", "box_colour", "box_fill_classifier", "box_owner_classifier")
"""The models: networks, then classifiers."""
_BARE, _MARKER, _HIDDEN = range(3)
# Where a marker is less likely, whose it is need not be asked.
_LEAST = 1e-3
# Colours, coded 0 to 1, that are no further apart but for how much light falls on them are of one hue.
_APART, _DARK = 0.12, 1e-6
# So many markers of one of two such paints are taken for the other one, and fewer where one is much lighter:
# on drawn tables 10 of 43 with 1.6 times as much light, 3 of 53 with 2.4 times, 1 of 81 with 2.9 times.
# However many paints are alike, one's own is not less likely than this.
_MISTAKEN, _FADES, _LEAST_OWN = 0.4, 2.5, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxChances:
    """What a box may hold.

    Attributes:
        owners: for each owner, in the order of the recogniser, how likely their marker is on it.
        bare: how likely nothing is.
        hidden: how likely so much of it is hidden that nobody can tell.
    """

    owners: tuple[float, ...]
    bare: float
    hidden: float

    @property
    def marker(self) -> float:
        """How likely any marker is on it, whosever it is."""
        return 1 - self.bare - self.hidden

    @property
    def owner(self) -> int:
        """Whose marker is likeliest on it: a number in the order of the recogniser."""
        return max(range(len(self.owners)), key=self.owners.__getitem__)

    def claim(self, names: Sequence[str], *, in_sight: float = 1.0) -> tuple[Value, float] | None:
        """Return what it holds and how surely, None if that is too doubtful to be claimed.

        Args:
            names: the owners'.
            in_sight: how likely no figure or dragon stands where it would hide the box.
        """
        value, sure = self.likeliest(names, in_sight=in_sight)
        return (value, sure) if sure >= (CLAIMED_BARE if value is None else CLAIMED) else None

    def likeliest(self, names: Sequence[str], *, in_sight: float = 1.0) -> tuple[Value, float]:
        """Return what it most likely holds, and how likely; see `claim`."""
        value: Value = None
        sure = self.bare
        if self.owners and self.owners[self.owner] > sure:
            value, sure = names[self.owner], self.owners[self.owner]
        return value, min(sure * in_sight, 1.0)


class MarkerModels:
    """The networks and the classifiers that weigh their words. Not to be shared between threads."""

    def __init__(self, folder: Path) -> None:
        """Load them; raises ProfileError where they are missing or torn."""
        self._fill, self._colour, self._fill_classifier, self._owner_classifier = (
            Network.load(name, folder) for name in NAMES
        )

    def fills(self, patches: Patches, measured: Singles) -> Singles:
        """Return how likely boxes are bare, hold a marker, or cannot be told, (N, 3).

        `patches` are those of `fill_patches`, `measured` (N, MEASURES).
        """
        rows = np.column_stack([self._fill.scores(patches), measured])
        return softmax(self._fill_classifier.classified(rows))

    def odds(self, patches: Patches, known: Singles) -> Singles:
        """Return how much speaks for each candidate's being the owner of a marker, (M,).

        `patches` are those of `colour_patches`, `known` (M, OWNER_MEASURES).
        """
        rows = np.column_stack([odds_of(self._colour.scores(patches)), known])
        return odds_of(self._owner_classifier.classified(rows))


class MarkerRecogniser:
    """Tells what boxes hold. Not to be shared between threads."""

    def __init__(
        self, markers: Sequence[PieceRecord], *, are_all: bool = True, folder: Path | None = FOLDER
    ) -> None:
        """Prepare for telling some markers apart, one an owner.

        Args:
            markers: what they look like.
            are_all: whether there are no others on the table. If not, one may be nobody's of these.
            folder: where the models are; None where there are none yet: then all boxes are said to be hidden.

        Raises:
            ProfileError: the models are missing or torn.
        """
        self._markers = tuple(markers)
        self._are_all = are_all
        self._models = None if folder is None else MarkerModels(folder)
        self._mistaken = mistaken(self._markers)

    def chances(self, boxes: Sequence[SeenBox]) -> list[BoxChances]:
        """Return what boxes may hold."""
        return [
            BoxChances(
                owners=tuple(float(one) for one in row[:-2]), bare=float(row[-2]), hidden=float(row[-1])
            )
            for row in self._told(boxes)
        ]

    def _told(self, boxes: Sequence[SeenBox]) -> Singles:
        """Return the chances of boxes, (N, owners + 2): each owner's marker, bare, nobody can tell."""
        told = np.zeros((len(boxes), len(self._markers) + 2), np.float32)
        if self._models is None or not boxes:
            told[:, -1] = 1
            return told
        patches = np.concatenate([fill_patches(one.face, [one.place], self._markers) for one in boxes])
        measured = np.array([measures(one) for one in boxes], np.float32)
        fills = self._models.fills(patches, measured)
        asked = [number for number, one in enumerate(fills) if one[_MARKER] > _LEAST]
        owned = np.zeros((len(boxes), len(self._markers)), np.float32)
        owned[asked] = self._owners([boxes[number] for number in asked])
        told[:, :-2] = fills[:, _MARKER, None] * owned
        told[:, -2], told[:, -1] = fills[:, _BARE], fills[:, _HIDDEN]
        return told

    def _owners(self, boxes: Sequence[SeenBox]) -> Singles:
        """Return whose the markers on boxes are if they are anybody's, (N, owners)."""
        count = len(self._markers)
        if self._models is None or not boxes or not count:
            return np.zeros((len(boxes), count), np.float32)
        patches = np.concatenate([colour_patches(one.face, one.place, self._markers) for one in boxes])
        known = np.array([owner_measures(one.look, at) for one in boxes for at in range(count)], np.float32)
        odds = self._models.odds(patches, known).reshape(len(boxes), count)
        if not self._are_all:
            odds = np.pad(odds, ((0, 0), (0, 1)))
        return softmax(odds)[:, :count] @ self._mistaken


def mistaken(markers: Sequence[PieceRecord]) -> Singles:
    """Return how likely a marker that is told to be each player's is each player's, (told, players)."""
    paints = [shades_of_piece(one) for one in markers]
    share = np.array([[_mistaken_for(one, other) for other in paints] for one in paints], np.float32)
    share = share.reshape(len(paints), len(paints))
    np.fill_diagonal(share, 0)
    share /= np.maximum(share.sum(axis=1, keepdims=True) / (1 - _LEAST_OWN), 1)
    return np.asarray(share + np.diag(1 - share.sum(axis=1)), np.float32)


def _mistaken_for(one: tuple[Singles, Singles], other: tuple[Singles, Singles]) -> float:
    """Return how likely a marker of one paint, in light or in shade, looks like another in other light."""
    mine, others = (np.clip(np.array(paint), 0, 255).astype(np.uint8)[None] for paint in (one, other))
    most = 0.0
    for a, b in zip(linear(mine)[0], linear(others)[0], strict=True):
        gain = max(float(a @ b), _DARK) / max(float(b @ b), _DARK)
        if np.abs(valued(np.asarray(gain * b, np.float32)) - valued(a)).max() < _APART:
            most = max(most, _MISTAKEN * math.exp(-_FADES * math.log(gain) ** 2))
    return most


def odds_of(scores: Singles) -> Singles:
    """Return how much more the second of two scores (N, 2) is than the first, (N,)."""
    return np.asarray(scores[:, 1] - scores[:, 0], np.float32)
