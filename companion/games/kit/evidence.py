"""What a snapshot is worth as evidence, and the order of instructions; shared by the games' explaining."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.decision import Fix
from companion.observation import Snapshot
from companion.table import Place, Value

MISSING: Final = object()
"""What a question about a table answers where nobody could see."""


def believed(seen: Snapshot) -> dict[Place, Value]:
    """Return the places that are seen just now and that no two sources contradict each other about."""
    return {
        where: value
        for where, value in seen.picture.items()
        if where not in seen.unseen and where not in seen.contested
    }


def removals_first(fixes: Iterable[Fix]) -> tuple[Fix, ...]:
    """Return the fixes with everything that only takes something away in front."""
    return tuple(sorted(fixes, key=lambda fix: not fix.is_removal))
