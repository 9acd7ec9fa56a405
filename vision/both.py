"""Work on many things shared by both cores of a small computer.

OpenCV and numpy let other threads run while they count, so two threads are quicker than one; more would only
wait for each other. The helper lives no longer than the call.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_CORES = os.cpu_count() or 1
# For fewer things than this there is nothing to share.
_WORTH_IT = 2


def each(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    """Return what `work` makes of each thing, in their order.

    `work` runs in two threads at once: it must not change what both may see. What it raises is raised.
    """
    if len(things) < _WORTH_IT or _CORES < 2:
        return [work(one) for one in things]
    done: dict[int, R] = {}
    # Each number is handed out once, whoever asks for it.
    numbers = iter(range(len(things)))

    def take() -> None:
        for number in numbers:
            done[number] = work(things[number])

    with ThreadPoolExecutor(max_workers=1) as helper:
        other = helper.submit(take)
        take()
        other.result()
    return [done[number] for number in range(len(things))]
