"""The health of a sensor table as its bridge reports it and a window or a terminal shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthLine:
    """One thing to look at.

    Attributes:
        name: what it is.
        value: how it is now.
        advice: what to do about it; empty where all is well.
    """

    name: str
    value: str
    advice: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether something is to be done about it."""
        return bool(self.advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellHealth:
    """One cell: what is felt there now, and what is wrong with it.

    Attributes:
        cell: row and column, as on the table.
        words: what is felt, a line each.
        faults: what is wrong, a line each.
    """

    cell: tuple[int, int]
    words: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """How a sensor table fares.

    Attributes:
        lines: the table as a whole.
        cells: each of its cells.
    """

    lines: tuple[HealthLine, ...]
    cells: tuple[CellHealth, ...] = ()
