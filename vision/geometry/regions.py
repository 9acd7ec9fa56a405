"""Rectangular parts of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Numbers

Region: TypeAlias = tuple[slice, slice]


def region_of(mask: NDArray[np.bool_]) -> Region | None:
    """Return the smallest part of a mask (height, width) that holds all pixels set, None if none is."""
    if not mask.size:
        return None
    left, top, across, down = cv2.boundingRect(mask.view(np.uint8))
    return (slice(top, top + down), slice(left, left + across)) if across else None


def widened(region: Region, shape: tuple[int, ...], reach_px: tuple[int, int]) -> Region:
    """Return a part of a picture with this many rows above and below, and columns on both sides."""
    rows, columns = (
        slice(max(one.start - reach, 0), min(one.stop + reach, limit))
        for one, reach, limit in zip(region, reach_px, shape[:2], strict=True)
    )
    return rows, columns


def common(one: Region, other: Region) -> Region | None:
    """Return the intersection of two parts, None if it is empty."""
    rows, columns = (
        slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None


def within(region: Region, whole: Region) -> Region:
    """Return where a part of a picture is in a larger part of it."""
    rows, columns = (
        slice(one.start - start.start, one.stop - start.start)
        for one, start in zip(region, whole, strict=True)
    )
    return rows, columns


def grown(some: NDArray[np.bool_], reach_px: float) -> NDArray[np.bool_]:
    """Return a mask (height, width) that reaches so many px further all around."""
    if not some.any():
        return np.zeros(some.shape, np.bool_)
    far = cv2.distanceTransform((~some).astype(np.uint8), cv2.DIST_L2, 5)
    return np.asarray(far <= reach_px, np.bool_)


def share_within(some: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
    """Return the share of one mask that is set in another as well; 0 of an empty one."""
    size = int(np.count_nonzero(whole))
    return int(np.count_nonzero(some & whole)) / size if size else 0.0


def joined(regions: Sequence[Region]) -> list[tuple[Region, Numbers]]:
    """Return the parts to look at by themselves, each with the numbers of those that it is around.

    Two are looked at as one if the part around both has no more pixels than they have.
    """
    groups: list[tuple[Region, list[int]]] = []
    waiting = [(region, [number]) for number, region in enumerate(regions)]
    while waiting:
        region, those = waiting.pop()
        for number, (other, more) in enumerate(groups):
            both = _around(region, other)
            if _area(both) <= _area(region) + _area(other):
                # It is larger than each of them, so that others may be joined with it.
                waiting.append((both, [*more, *those]))
                del groups[number]
                break
        else:
            groups.append((region, those))
    return [(region, np.array(sorted(those), np.intp)) for region, those in groups]


def _around(one: Region, other: Region) -> Region:
    """Return the region around two."""
    rows, columns = (
        slice(min(first.start, second.start), max(first.stop, second.stop))
        for first, second in zip(one, other, strict=True)
    )
    return rows, columns


def _area(region: Region) -> int:
    rows, columns = region
    return int((rows.stop - rows.start) * (columns.stop - columns.start))
