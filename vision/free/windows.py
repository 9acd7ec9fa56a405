"""Parts of a picture that are looked at by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from vision.arrays import Numbers

Window: TypeAlias = tuple[slice, slice]
"""Rows and columns of a picture."""


def joined(windows: Sequence[Window]) -> list[tuple[Window, Numbers]]:
    """Return the windows to look at, and which of these each is around: two are one if it is no larger."""
    groups: list[tuple[Window, list[int]]] = []
    waiting = [(window, [number]) for number, window in enumerate(windows)]
    while waiting:
        window, those = waiting.pop()
        for number, (other, more) in enumerate(groups):
            both = _around(window, other)
            if _area(both) <= _area(window) + _area(other):
                # It is larger than each of them, so that others may be joined with it.
                waiting.append((both, [*more, *those]))
                del groups[number]
                break
        else:
            groups.append((window, those))
    return [(window, np.array(sorted(those), np.intp)) for window, those in groups]


def _around(one: Window, other: Window) -> Window:
    """Return the window around two."""
    rows, columns = (
        slice(min(first.start, second.start), max(first.stop, second.stop))
        for first, second in zip(one, other, strict=True)
    )
    return rows, columns


def _area(window: Window) -> int:
    rows, columns = window
    return int((rows.stop - rows.start) * (columns.stop - columns.start))
