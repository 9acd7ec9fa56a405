"""A whole game of the city on the simulated sensor table, in virtual time: what came of it, its digest."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.game import Json
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.observation import Observation
from companion.ports import ObservationSource
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from ui.assembly.played_sensors import SensorSource
from ui.assembly.sensor_table import debounce_rules
from ui.assembly.stepped_sensors import SteppedSensors
from vision.simulation.printed_tiles import CLEAR_COLOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorGame:
    """What came of a game.

    Attributes:
        result, true_result: as the referee has it, and as it was played.
        wrong, misattributed, missed, entered: the scorekeeper's figures.
        questions, turns, observations: how many.
        virtual_s: how long it took, seconds of the table's own time.
        bad_frames: pieces of the stream that were no frames.
        digest: of every observation and of the record.
    """

    result: Json | None
    true_result: Json | None
    wrong: int
    misattributed: int
    missed: int
    entered: int
    questions: int
    turns: int
    observations: int
    virtual_s: float
    bad_frames: int
    digest: str


class Digested:
    """A source of which all that it sees goes into a digest."""

    def __init__(self, source: ObservationSource) -> None:
        self._source = source
        self.name = source.name
        self.digest = hashlib.sha256()

    def observations(self) -> Iterator[Observation]:
        """Yield what the source sees; raises DeviceError like it."""
        for seen in self._source.observations():
            sightings = sorted((s.place, s.value, s.confidence) for s in seen.sightings.values())
            self.digest.update(repr((seen.seq, seen.seen_at_s, sightings)).encode())
            yield seen

    def close(self) -> None:
        """Release the source."""
        self._source.close()


def play_sensor_game(seed: int, faults: float, folder: Path, *, players: int = 2) -> SensorGame:
    """Play one game; the same seed gives the same, to the last bit."""
    rng = random.Random(seed)
    header = GAME.deal(rng, {"players": CLEAR_COLOURS[:players]})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    with Journal.create(folder / f"game-{seed}.moontable", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal, debounce_rules())
        keeper = Scorekeeper(table, referee)
        sensors = SteppedSensors(table.picture, COMPONENTS, faults=faults, seed=seed)
        sensors.lamps.follow(referee)
        source = Digested(SensorSource(sensors, table.moments()))
        summary = watch(source, referee, answer=keeper.answer, protest=keeper.protest)
        record = io.StringIO()
        referee.export(record, checkpoints=True)
        source.digest.update(record.getvalue().encode())
    return SensorGame(
        result=summary.result,
        true_result=table.result,
        wrong=keeper.wrong,
        misattributed=keeper.misattributed,
        missed=keeper.missed,
        entered=keeper.entered,
        questions=summary.questions,
        turns=summary.turns,
        observations=summary.observations,
        virtual_s=sensors.clock(),
        bad_frames=sensors.table.health.bad,
        digest=source.digest.hexdigest()[:16],
    )
