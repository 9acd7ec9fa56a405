"""Random games of which every moment is laid on a drawn table, for tests and benchmarks of readers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.game import Json
from companion.games import registry
from companion.record.game_record import AnyGame
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.simulation.table import Habits, SimulatedTable
from companion.table import Picture
from companion.table_pieces import PieceSet
from vision.simulation.arrangement import Care
from vision.simulation.free_camera import LaidTable
from vision.simulation.free_frames import DrawnCopy, FilmedTable

# The games whose pieces lie anywhere.
FREE_GAMES = [name for name in registry.NAMES if registry.has_pieces(name)]


@dataclass(frozen=True, slots=True)
class Laid:
    """One moment: the state, what the game's places hold, what lies where; `touched` is under a hand."""

    state: Any
    picture: Picture
    table: LaidTable
    touched: str | None


class DrawnGame:
    """One random game on one drawn table.

    Attributes:
        game, pieces: what is played.
        header: of the open game.
        copy: what lays the pieces and photographs them.
    """

    def __init__(
        self,
        name: str,
        seed: int,
        *,
        options: Json | None = None,
        size_wh: tuple[int, int] = (1280, 720),
        care: Care | None = None,
    ) -> None:
        self.game: AnyGame = registry.lookup(name)
        self.pieces: PieceSet = registry.pieces(name)
        rng = random.Random(seed)
        self.header = self.game.deal(rng, options or {})
        self._table = SimulatedTable(self.game, self.header, rng, Habits(), stages=self.game.stages)
        layout = self.game.table_layout(self.header["players"])
        assert layout is not None
        care = care or Care()
        self.copy = DrawnCopy.of(layout, self.pieces, seed=seed, size_wh=size_wh, care=care)
        hands = Hands(slip_mm=care.slip_mm, turn_deg=care.turn_deg)
        self._loose = LooseTable(self.game, random.Random(seed), hands)

    def moments(self, *, at_rest: bool = False) -> Iterator[Laid]:
        """Yield the game moment by moment, those without a hand alone if `at_rest`."""
        for moment in self._table.moments():
            self._loose.lay(moment.picture)
            if moment.busy and at_rest:
                continue
            state = self._table.states[-1]
            laid = self.copy.arranger.arrange(self.pieces.laid(state, moment.picture), self._loose.pieces())
            touched = min(map(str, moment.hidden), default="") if moment.busy else None
            yield Laid(state, moment.picture, laid, touched)

    def film(self) -> Iterator[FilmedTable]:
        """Yield the scenes of the game for a camera."""
        for moment in self.moments():
            yield FilmedTable(table=moment.table, hand_over=moment.touched)
