"""A simulated eye as the window watches it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.simulation.eye import SimulatedSource
from ui.controller.session import PicturedObservation


class Eye:
    """A simulated eye as the window watches it."""

    name = "simulated"

    def __init__(self, source: SimulatedSource) -> None:
        self._source = source
        self._is_closed = False

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the eye sees."""
        for observation in self._source.observations():
            if self._is_closed:
                return
            yield PicturedObservation(observation=observation)

    def close(self) -> None:
        """End."""
        self._is_closed = True
        self._source.close()
