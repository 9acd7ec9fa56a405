"""Rectangular parts of pictures."""

from __future__ import annotations

from typing import TypeAlias

Part: TypeAlias = tuple[slice, slice]


def widened(part: Part, shape: tuple[int, ...], reach_px: tuple[int, int]) -> Part:
    """Return a part of a picture with so many rows above and below, and columns on both sides."""
    rows, columns = (
        slice(max(one.start - reach, 0), min(one.stop + reach, limit))
        for one, reach, limit in zip(part, reach_px, shape[:2], strict=True)
    )
    return rows, columns


def common(one: Part, other: Part) -> Part | None:
    """Return what two parts have in common, None if that is nothing."""
    rows, columns = (
        slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None
