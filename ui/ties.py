"""Signal connections that end when an object dies.

Qt drops a connection to an object's method when that object dies. A function without an object (a lambda, a
partial, a local function) is called as long as the signal's sender exists, even if the widgets it uses are
gone. So in this room signals are connected to methods of QObjects, and everything else goes through `tie`.
`tests/ui/test_ties.py` enforces this.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from PyQt6.QtCore import QObject, pyqtBoundSignal


def tie(signal: pyqtBoundSignal, life: QObject, does: Callable[..., object]) -> None:
    """Have `does` called at every `signal` for as long as `life` exists.

    `life` is the object that `does` works on, or the sender if that dies first. `does` is called in the
    thread of `life`, with as many of the signal's values as it has parameters without a default. Qt's own
    functions cannot be inspected, so they are called with no values.
    """
    signal.connect(_Tie(life, does).call)


class _Tie(QObject):
    """The receiver of a connection: a child of the object it is tied to, destroyed with it."""

    def __init__(self, life: QObject, does: Callable[..., object]) -> None:
        super().__init__(life)
        self._does = does
        self._takes = _needed(does)

    def call(self, *values: object) -> None:
        """Pass the signal's values on."""
        self._does(*values[: self._takes])


def _needed(does: Callable[..., object]) -> int:
    """Return how many values a function requires."""
    try:
        parameters = inspect.signature(does).parameters.values()
    except ValueError:
        return 0
    return sum(one.default is one.empty and one.kind != one.KEYWORD_ONLY for one in parameters)
