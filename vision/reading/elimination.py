"""Which of the tiles that lie nowhere else lies on which of the cells left, since each exists only once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from vision.faces.features import tile_of
from vision.faces.registration import Match

# So surely a tile must be right among those that are left.
_CERTAIN = 0.95
# A tile that is likelier elsewhere than not, or agrees less well there by no more than this, may be there.
_LIKELY, _CONTESTED = 0.5, 0.12

Chances: TypeAlias = Callable[[Sequence[Sequence[Match]]], Sequence[float]]
"""Tells of the matches of several cells, best first, how likely the first of each is right."""


def by_elimination(
    found: Mapping[str, Sequence[Match]],
    names: Sequence[str],
    chances: Chances,
    tells: Callable[[Sequence[Match]], bool] = lambda _: False,
) -> tuple[dict[str, list[Match]], frozenset[str]]:
    """Return the cells whose tile follows, and of these the ones that were told otherwise than by agreeing.

    Whatever follows leaves fewer tiles for the other cells. A tile that two cells show alike is told for
    neither of them.

    Args:
        found: cells, each with its matches among the tiles that lie nowhere else, best first.
        names: of the faces.
        chances: how likely matches are right by how well they agree.
        tells: whether the first of some matches is told from the others though they agree about as well.

    Returns:
        The cells with the matches that were still possible when they were told, best first.
    """
    left = without(found, (), names)
    told: dict[str, list[Match]] = {}
    otherwise: set[str] = set()
    while True:
        surely = dict(zip(left, chances(list(left.values())), strict=True))
        now = _plain(left, names, surely, tells)
        if not now:
            break
        told |= {cell: left.pop(cell) for cell in now}
        otherwise.update(cell for cell in now if surely[cell] < _CERTAIN)
        left = without(left, {tile_of(names[told[cell][0].face]) for cell in now}, names)
    return told, frozenset(otherwise)


def _plain(
    left: Mapping[str, Sequence[Match]],
    names: Sequence[str],
    surely: Mapping[str, float],
    tells: Callable[[Sequence[Match]], bool],
) -> list[str]:
    """Return the cells that can be told as things are."""
    return [
        cell
        for cell, some in left.items()
        if not _is_contested(cell, left, names, surely) and (surely[cell] >= _CERTAIN or tells(some))
    ]


def without(
    found: Mapping[str, Sequence[Match]], tiles: Collection[str], names: Sequence[str]
) -> dict[str, list[Match]]:
    """Return the cells that may show other than some tiles, each with its matches but for theirs."""
    rest = {
        cell: [one for one in some if tile_of(names[one.face]) not in tiles] for cell, some in found.items()
    }
    return {cell: some for cell, some in rest.items() if some}


def _is_contested(
    cell: str, left: Mapping[str, Sequence[Match]], names: Sequence[str], surely: Mapping[str, float]
) -> bool:
    """Whether the tile that a cell shows best is also what another cell shows best, about as well."""
    own = left[cell][0]
    tile = tile_of(names[own.face])
    return any(
        tile_of(names[some[0].face]) == tile
        and (surely[other] > _LIKELY or some[0].score > own.score - _CONTESTED)
        for other, some in left.items()
        if other != cell
    )
