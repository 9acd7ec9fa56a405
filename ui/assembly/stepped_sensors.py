"""A simulated sensor table in virtual time: the same seed gives the same run, even on a busy computer."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.components import Components
from companion.observation import Observation
from companion.table import Picture
from firmware_bridge.talk import BoardTalk
from firmware_bridge.virtual.virtual_board import Arranger, BoardPort, make_board, profile_for
from ui.assembly.sensor_face import TableFace
from ui.assembly.sensor_table import NAME
from vision.simulation.frames import FRAMES_PER_S


class SteppedSensors:
    """The pieces of a simulated table on a simulated board (`ui.assembly.played_sensors.PlayedSensors`).

    Board, line and session advance step by step in the caller's thread, whenever observations are requested.

    Attributes:
        table: the session with the board.
        lamps: the lights and the buzzer of the board.
    """

    def __init__(self, first: Picture, box: Components, *, faults: float, seed: int) -> None:
        profile = profile_for(first, boxes=box.boxes_of_tile)
        board = make_board(seed)
        sessions = random.Random(f"{seed}/sessions")
        port = BoardPort(board, faults=faults, seed=2 * seed)
        self._board = board
        self._arranger = Arranger(board, profile)
        self._is_closed = False
        self.clock = port.clock
        self.table = BoardTalk(
            profile,
            port=port.name,
            opener=lambda _: port,
            clock=port.clock,
            name=NAME,
            new_session=lambda: sessions.getrandbits(32),
        )
        self.lamps = TableFace(self.table, profile, box.reading_text)
        self.lay(first)

    @property
    def is_closed(self) -> bool:
        """Whether everything was switched off."""
        return self._is_closed

    def lay(self, picture: Picture) -> None:
        """Put the pieces where the picture has them."""
        self._arranger.lay(picture)

    def during(self, seconds: float) -> Iterator[Observation]:
        """Yield what the sensors see during so many seconds of the table's time; raises DeviceError."""
        end = self.clock() + seconds
        while not self._is_closed and self.clock() < end:
            seen = self.table.step()
            if seen is not None:
                yield seen

    def following(self) -> Iterator[Observation]:
        """Yield what the sensors see until they are closed; raises DeviceError."""
        return self.during(float("inf"))

    def waiting(self) -> Iterator[Observation]:
        """Yield what the sensors see between two frames of a camera beside them; raises DeviceError."""
        return self.during(1 / FRAMES_PER_S)

    def close(self) -> None:
        """Switch everything off; safe to call twice."""
        if not self._is_closed:
            self._is_closed = True
            self.table.let_go()
            self._board.close()
