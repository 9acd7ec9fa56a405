"""A simulated table without a camera, as the window watches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from companion.i18n import msg
from companion.ports import ObservationSource
from ui.controller.session import BlindSource, PicturedObservation

OBSERVATIONS_PER_S: Final = 15.0


class WatchedEye(BlindSource):
    """What a simulated eye sees, at the pace of a camera."""

    def __init__(self, source: ObservationSource, pace_s: float = 1 / OBSERVATIONS_PER_S) -> None:
        self._source = source
        self._pace_s = pace_s
        self._is_closed = threading.Event()

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return msg("The simulated table")

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the eye sees, until the game is over or the source is closed."""
        for observation in self._source.observations():
            yield PicturedObservation(observation=observation)
            if self._is_closed.wait(self._pace_s):
                return

    def close(self) -> None:
        """End `pictured`; safe to call twice."""
        self._is_closed.set()
        self._source.close()
