"""The trained recogniser of figures and dragons: on which cell each stands, if on any.

One network looks at each place that the search proposes. Two small ones weigh what it says with what is
measured: one scores the places, the other what speaks for none of them. All are weighed together: a piece is
in one place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from companion.table import Place, kind_of
from vision.arrays import Numbers, Patches, Singles
from vision.models.network import FOLDER, Network, softmax
from vision.pieces.figures import Candidate, StandingFigure, are_apart
from vision.pieces.marker_recogniser import odds_of
from vision.pieces.standing_measures import COMMON, MEASURES, NOTHING_SEEN, Measured

LOOK: Final = "standing_look"
"""The model that looks at places."""
NAMES: Final = ("standing_classifier", "nowhere_classifier")
"""The models that weigh: places, and none of them."""
SEES: Final = ("something else", "the piece")
"""What is seen at a place."""
STANDS: Final = ("stands here",)
NOWHERE: Final = ("not in the city", "somewhere else")
"""What is told of a place, and of none of them."""
# How much less likely pieces of a kind are not in the city than on the tables that the models learnt from, as
# logarithms of odds: one figure in five was not there, but in play they never leave it.
_HARDLY_AWAY = {"figure": math.log(0.01 / 0.2)}
# Odds that are better by this are as good as any.
_FAR_AHEAD = 15.0
# What covers so much of a body is the same thing, unless it stands elsewhere: one may stand behind another.
_SAME_BODY = 0.5


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

    def is_proposed(self, standing: StandingFigure) -> bool:
        """Whether the piece may stand where it was found by other means."""
        return any(
            at.cell == standing.cell and not are_apart(at.base_mm, standing.base_mm) for at, _ in self.places
        )

    @property
    def best(self) -> tuple[Candidate, float] | None:
        """The likeliest place on the likeliest cell and how likely that cell is, None without any."""
        if not self.places:
            return None
        cell = max((at.cell for at, _ in self.places), key=self.of_cell)
        first, _ = max((one for one in self.places if one[0].cell == cell), key=lambda one: one[1])
        return first, self.of_cell(cell)

    def of_cell(self, cell: str) -> float:
        """Return how likely the piece stands on a cell; what was not proposed is part of `elsewhere`."""
        known = [chance for at, chance in self.places if at.cell == cell]
        return sum(known) if known else self.elsewhere


class StandingRecogniser:
    """Weighs the places of pieces against each other."""

    def __init__(self, folder: Path | None = FOLDER, look: Path | None = None) -> None:
        """Prepare; `folder` is where the models are, None to judge nothing.

        `look` is where the network is that looks at places, if that alone is there.

        Raises:
            ProfileError: a model is missing or torn.
        """
        where = look if folder is None else folder
        self._look = None if where is None else Network.load(LOOK, where)
        self._weighing = None if folder is None else [Network.load(name, folder) for name in NAMES]

    @property
    def is_trained(self) -> bool:
        """Whether there are models that judge."""
        return self._weighing is not None

    @property
    def can_look(self) -> bool:
        """Whether there is a network that looks at places."""
        return self._look is not None

    def told_by_patches(self, patches: Patches) -> Singles:
        """Return how likely it is the piece that is seen in `patches` (N, channels, size, size), (N,)."""
        if self._look is None:
            return np.zeros(len(patches), np.float32)
        return self._look.probabilities(patches)[:, SEES.index("the piece")]

    def odds(self, patches: Patches) -> Singles:
        """Return the odds (N,) that `patches` (N, channels, size, size) show the piece, before calibration.

        Without a network that looks at them nothing is likely.
        """
        if self._look is None:
            return np.full(len(patches), NOTHING_SEEN, np.float32)
        return odds_of(self._look.scores(patches))

    def chances(
        self, measured: Mapping[Place, Measured], known: Mapping[Place, StandingChances] | None = None
    ) -> dict[Place, StandingChances]:
        """Return what is likely of each piece; nothing at all without models.

        What is `known` of other pieces counts: what is likely one of them is less likely these.
        """
        if self._weighing is None or not measured:
            return {}
        places, nowhere = self._weighing
        counts = np.array([len(one.places) for one in measured.values()])
        odds = np.concatenate([one.odds for one in measured.values()])
        rows = np.concatenate([one.values.reshape(-1, MEASURES) for one in measured.values()])
        common = np.array([one.common for one in measured.values()], np.float32).reshape(-1, COMMON)
        ahead = np.concatenate([leads(one.odds, [at.cell for at in one.places]) for one in measured.values()])
        scores = places.classified(rows_of_places(rows, odds, ahead))[:, 0]
        others = nowhere.classified(rows_of_pieces(common, best_odds(odds, counts)))
        found: dict[Place, StandingChances] = {}
        start = 0
        for (where, one), other in zip(measured.items(), others, strict=True):
            own = scores[start : start + len(one.places)]
            start += len(one.places)
            away = other + np.array([_HARDLY_AWAY.get(kind_of(where), 0.0), 0.0], np.float32)
            weighed = softmax(np.concatenate([own, away])[None])[0].tolist()
            found[where] = StandingChances(
                places=tuple(zip(one.places, weighed[:-2], strict=True)),
                away=weighed[-2],
                elsewhere=weighed[-1],
            )
        return contested(found, known or {})


def contested(
    found: Mapping[Place, StandingChances], known: Mapping[Place, StandingChances]
) -> dict[Place, StandingChances]:
    """Return chances of pieces that were found: none can be the same thing as another, or as one known.

    Each piece was weighed by itself. Where two are taken for one body, at most one of them is right; the
    other is elsewhere.
    """
    weighed = {}
    for where, one in found.items():
        places = tuple(_lowered({**known, **found}, where))
        lost = sum(chance for _, chance in one.places) - sum(chance for _, chance in places)
        weighed[where] = replace(one, places=places, elsewhere=one.elsewhere + max(lost, 0.0))
    return weighed


def _lowered(found: Mapping[Place, StandingChances], where: Place) -> Iterator[tuple[Candidate, float]]:
    """Yield the places of a piece, each with its chance among all pieces that may be there."""
    others = [one.places for name, one in found.items() if name != where]
    for at, chance in found[where].places:
        rivals = (max((q for other, q in places if _is_same(at, other)), default=0.0) for places in others)
        yield at, among(chance, rivals)


def _is_same(at: Candidate, other: Candidate) -> bool:
    """Whether a piece would be the thing that is taken for another."""
    return not are_apart(at.base_mm, other.base_mm) and at.hidden_by(other) > _SAME_BODY


def among(chance: float, rivals: Iterable[float]) -> float:
    """Return how likely one of several is of which at most one is true, from each one's chance by itself."""
    odds, *others = (one / max(1 - one, 1e-6) for one in (chance, *rivals))
    return odds / (1 + odds + sum(others))


def rows_of_places(values: Singles, odds: Singles, ahead: Singles) -> Singles:
    """Return what is weighed of places, a row each (N, numbers).

    That is what is measured (N, `MEASURES`), and before it what the network says that looked at them: the
    `odds` (N, `LOOKS`), how likely that makes the piece, and how far `ahead` of other cells they are.
    """
    likely = np.float32(1) / (1 + np.exp(-np.clip(odds, NOTHING_SEEN, -NOTHING_SEEN)))
    return np.column_stack([odds, likely, ahead, values]).astype(np.float32)


def rows_of_pieces(common: Singles, best: Singles) -> Singles:
    """Return what is weighed of pieces, a row each: the `best` odds (N, `LOOKS`) and what is in `common`."""
    return np.column_stack([best, common])


def leads(odds: Singles, cells: Sequence[object]) -> Singles:
    """Return how much better the odds (N, `LOOKS`) of a piece's places are than the best on another cell.

    `cells` are those of its places.
    """
    ahead = np.zeros(odds.shape, np.float32)
    for number, cell in enumerate(cells):
        rivals = odds[[other != cell for other in cells]]
        ahead[number] = odds[number] - rivals.max(axis=0, initial=NOTHING_SEEN)
    return np.clip(ahead, -_FAR_AHEAD, _FAR_AHEAD)


def best_odds(odds: Singles, counts: Numbers) -> Singles:
    """Return the best odds (N, `LOOKS`) of each piece, whose places are the next `counts` (N,) of all."""
    ends = np.cumsum(counts)
    return np.array(
        [
            odds[end - count : end].max(axis=0, initial=NOTHING_SEEN)
            for end, count in zip(ends, counts, strict=True)
        ],
        np.float32,
    )
