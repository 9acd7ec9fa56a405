"""Signal connections that end when an object dies.

Qt drops a connection by itself when the object dies whose method was connected. A function without an object
(a lambda, a partial, a local function) is called as long as the signal's sender exists, even if the widgets
it uses are gone. So in this room signals are connected to methods of QObjects,
and everything else goes through `tie`. `tests/ui/test_ties.py` enforces this.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from PyQt6.QtCore import QObject, pyqtBoundSignal


def tie(signal: pyqtBoundSignal, life: QObject, does: Callable[..., object]) -> None:
    """Have `does` called at every `signal` for as long as `life` exists.

    `life` is what `does` works on, or the sender where that is gone first. `does` is called in the thread of
    `life`, with as many of the signal's values as it has parameters without a default; one of Qt's own
    functions, which do not tell their parameters, with none.
    """
    signal.connect(_Tie(life, does).call)


class _Tie(QObject):
    """Belongs to the life that a connection is tied to, and goes with it."""

    def __init__(self, life: QObject, does: Callable[..., object]) -> None:
        super().__init__(life)
        self._does = does
        self._takes = _needed(does)

    def call(self, *values: object) -> None:
        """Hand on what the signal brings."""
        self._does(*values[: self._takes])


def _needed(does: Callable[..., object]) -> int:
    """Return how many values a function cannot do without."""
    try:
        parameters = inspect.signature(does).parameters.values()
    except ValueError:
        return 0
    return sum(one.default is one.empty and one.kind != one.KEYWORD_ONLY for one in parameters)
