"""The trained recogniser of figures and dragons: on which cell each stands, if on any.

One small network scores the places that the search proposes, another what speaks for none of them. All are
weighed together: a piece is in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from companion.table import Place
from vision.models.network import FOLDER, Network, softmax
from vision.pieces.figures import Candidate
from vision.pieces.standing_measures import COMMON, MEASURES, Measured

NAMES: Final = ("standing_classifier", "nowhere_classifier")
"""The models: of places, and of none of them."""
STANDS: Final = ("stands here",)
NOWHERE: Final = ("not in the city", "somewhere else")
"""What is told of a place, and of none of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingChances:
    """Where one piece may stand.

    Attributes:
        places: what the search proposes, and how likely the piece stands on each place's cell.
        away: how likely it is not in the city; `elsewhere`: in the city, at none of the places.
    """

    places: tuple[tuple[Candidate, float], ...]
    away: float
    elsewhere: float

    @property
    def best(self) -> tuple[Candidate, float] | None:
        """The likeliest place and how likely it is, None where nothing is proposed."""
        return max(self.places, key=lambda one: one[1], default=None)

    def of_cell(self, cell: str) -> float:
        """Return how likely the piece stands on a cell; what was not proposed is part of `elsewhere`."""
        known = [chance for at, chance in self.places if at.cell == cell]
        return known[0] if known else self.elsewhere


class StandingRecogniser:
    """Weighs the places of pieces against each other."""

    def __init__(self, folder: Path | None = FOLDER) -> None:
        """Prepare; `folder` is where the models are, None to judge nothing.

        Raises:
            ProfileError: a model is missing or torn.
        """
        self._models = None if folder is None else [Network.load(name, folder) for name in NAMES]

    def chances(self, measured: Mapping[Place, Measured]) -> dict[Place, StandingChances]:
        """Return what is likely of each piece; nothing at all without models."""
        if self._models is None or not measured:
            return {}
        places, nowhere = self._models
        rows = np.concatenate([one.values.reshape(-1, MEASURES) for one in measured.values()])
        scores = places.classified(rows)[:, 0]
        common = np.array([one.common for one in measured.values()], np.float32).reshape(-1, COMMON)
        others = nowhere.classified(common)
        found: dict[Place, StandingChances] = {}
        start = 0
        for (where, one), other in zip(measured.items(), others, strict=True):
            own = scores[start : start + len(one.places)]
            start += len(one.places)
            weighed = softmax(np.concatenate([own, other])[None])[0].tolist()
            found[where] = StandingChances(
                places=tuple(zip(one.places, weighed[:-2], strict=True)),
                away=weighed[-2],
                elsewhere=weighed[-1],
            )
        return found
