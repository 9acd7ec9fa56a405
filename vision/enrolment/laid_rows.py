"""Names faces that lie in rows by what a player says of the rows, also where some of them were not found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from companion.i18n import Message, msg, nmsg
from vision.enrolment.laid_outlines import LaidOutline

# A face whose middle is further down than this share of a face's height lies in the next row.
_NEXT_ROW: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFaces:
    """What lies where.

    Attributes:
        found: the faces by name.
        missing: why others are not known, by name.
    """

    found: Mapping[str, LaidOutline] = field(default_factory=dict)
    missing: Mapping[str, Message] = field(default_factory=dict)


def name_in_rows(outlines: Sequence[LaidOutline], rows: Sequence[Sequence[str]], picture: str) -> NamedFaces:
    """Return which face is which.

    Args:
        outlines: of all faces of one photograph, in any order.
        rows: their names, the far row first, each from the left.
        picture: the name of the photograph, for people.
    """
    there = _in_rows(outlines)
    if len(there) != len(rows):
        why = nmsg(
            "{picture} shows {n} row of faces, not {wanted}: lay them out as you say, clearly apart, and "
            "photograph them again",
            "{picture} shows {n} rows of faces, not {wanted}: lay them out as you say, clearly apart, and "
            "photograph them again",
            len(there),
            picture=picture,
            wanted=len(rows),
        )
        return NamedFaces(missing=dict.fromkeys((name for row in rows for name in row), why))
    columns = _columns(there, rows)
    found: dict[str, LaidOutline] = {}
    missing: dict[str, Message] = {}
    for number, (row, names) in enumerate(zip(there, rows, strict=True), 1):
        known = dict(_named(row, names, columns))
        found.update(known)
        for place, name in enumerate(names, 1):
            if name not in known:
                missing[name] = msg(
                    "{picture} does not show {name} clearly (row {row} from the far side, number {place} "
                    "from the left): lay it apart from the others, without glare, and photograph them again",
                    picture=picture,
                    name=name,
                    row=number,
                    place=place,
                )
    return NamedFaces(found=found, missing=missing)


def _in_rows(outlines: Sequence[LaidOutline]) -> list[list[LaidOutline]]:
    """Return the outlines by rows, the far one first, each from the left."""
    if not outlines:
        return []
    ordered = sorted(outlines, key=lambda one: one.pose.y_px)
    rows = [[ordered[0]]]
    for before, one in pairwise(ordered):
        if one.pose.y_px - before.pose.y_px > _NEXT_ROW * one.size_px[1]:
            rows.append([])
        rows[-1].append(one)
    return [sorted(row, key=lambda one: one.pose.x_px) for row in rows]


def _columns(there: Sequence[Sequence[LaidOutline]], rows: Sequence[Sequence[str]]) -> list[float]:
    """Return where the columns are, px, from the longest row of which every face was found."""
    whole = [row for row, names in zip(there, rows, strict=True) if len(row) == len(names)]
    longest = max(map(len, whole), default=0)
    places = [[one.pose.x_px for one in row] for row in whole if len(row) == longest]
    return [float(one) for one in np.mean(places, axis=0)] if places else []


def _named(
    row: Sequence[LaidOutline], names: Sequence[str], columns: Sequence[float]
) -> Iterator[tuple[str, LaidOutline]]:
    """Yield the faces of a row by name; none where it is not certain which is which."""
    if len(row) == len(names):
        yield from zip(names, row, strict=True)
    elif len(row) < len(names) <= len(columns):
        # Columns are no closer than faces are wide: who is nearest to one lies in it.
        nearest = [min(range(len(columns)), key=lambda at: abs(columns[at] - one.pose.x_px)) for one in row]
        for at, one in zip(nearest, row, strict=True):
            is_near = abs(columns[at] - one.pose.x_px) < one.size_px[0] / 2
            if nearest.count(at) == 1 and at < len(names) and is_near:
                yield names[at], one
