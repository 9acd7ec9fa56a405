"""Camera and sensor table at once: they agree, contradict each other, and either of them goes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.decision import Ask, InStep
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import Contribute
from companion.observation import Observation, Sighting
from companion.prompts import PromptKind
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Picture, Place, Value
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.virtual_board import Arranger, BoardPort, profile_for
from tests.helpers.city_session import played_table
from ui.assembly.sensor_table import NAME, debounce_rules

LOOKS = 400


class TwoSenses:
    """A game that a camera and a sensor table watch, both on the table's own time."""

    def __init__(self, folder: Path) -> None:
        self.game = played_table(60, seed=5)
        start = self.game.tables[0]
        profile = profile_for(start, boxes=GAME.boxes_of_tile)
        self.board = DoubleBoard()
        self.arranger = Arranger(self.board, profile)
        self.port = BoardPort(self.board)
        self.table = SensorTable(
            profile, opener=lambda _: self.port, clock=self.port.clock, port="x", name=NAME
        )
        self.felt = self.table.observations()
        self.referee = Referee(GAME, Journal.create(folder / "game", self.game.header), debounce_rules())
        self.asked: list[Ask[Any]] = []
        self.seq = 0
        self.laid_at_s = 0.0

    def lay(self, picture: Picture) -> None:
        """Lay these pieces."""
        self.arranger.lay(picture)
        self.laid_at_s = self.port.clock()

    def look(self, sees: Picture | None, *, seconds: float) -> None:
        """Look until so much time has passed since pieces were last laid.

        The camera sees a picture of its own, None = the camera is away. The sensors' thread does not wait
        for the referee: what it tells first may be from before the pieces were laid.
        """
        for felt in self.felt:
            self.referee.feed(felt)
            if sees is not None:
                self.seq += 1
                self.referee.feed(seen_by_camera(sees, self.seq, felt.seen_at_s))
            if isinstance(self.referee.decision, Ask):
                self.asked.append(self.referee.decision)
            if felt.seen_at_s - self.laid_at_s > seconds:
                return


def seen_by_camera(picture: Picture, seq: int, at_s: float) -> Observation:
    """Return what a camera makes of a picture."""
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.98) for where, value in picture.items()
    }
    return Observation(source="camera", seq=seq, seen_at_s=at_s, sightings=sightings)


@pytest.fixture
def senses(tmp_path: Path) -> Iterator[TwoSenses]:
    """A game about to begin, seen by both."""
    made = TwoSenses(tmp_path)
    made.lay(made.game.tables[0])
    yield made
    made.table.close()
    made.referee.journal.close()


def with_changes(picture: Picture, changes: Mapping[str, Value]) -> dict[Place, Value]:
    """Return the picture with some places otherwise."""
    return {**picture, **{Place(where): value for where, value in changes.items()}}


def test_a_lasting_contradiction_is_asked_about_with_both_claims(senses: TwoSenses) -> None:
    """A magnet got under the obelisk: nothing at first, then the players decide, and the game goes on."""
    start = senses.game.tables[0]
    owner = senses.game.header["players"][0]
    senses.look(start, seconds=2)
    assert isinstance(senses.referee.decision, InStep)
    senses.lay(with_changes(start, {"obelisk:4": owner}))
    senses.look(start, seconds=0.6)
    early = len(senses.asked)
    senses.look(start, seconds=3)
    asked = senses.asked[-1]

    assert early == 0
    assert "the obelisk's box 5" in asked.text
    assert {choice.text for choice in asked.choices} == {
        "nothing (according to the camera)",
        f"{owner} (according to the {NAME})",
    }
    assert any(prompt.kind is PromptKind.QUESTION for prompt in senses.referee.prompts)
    senses.referee.choose(
        [choice.text for choice in asked.choices].index("nothing (according to the camera)")
    )
    after = first_contribution(senses)
    senses.lay(with_changes(senses.game.tables[after], {"obelisk:4": owner}))
    questions = senses.referee.questions
    senses.look(senses.game.tables[after], seconds=3)

    assert senses.referee.number > 0
    assert senses.referee.questions == questions == 1
    assert all(p.kind is not PromptKind.VIOLATION for p in senses.referee.prompts)


def first_contribution(senses: TwoSenses) -> int:
    """Return the number of the table after the first contribution."""
    return next(i for i, a in enumerate(senses.game.actions, 1) if isinstance(a, Contribute))


def test_either_may_go_away_in_mid_game(senses: TwoSenses) -> None:
    """First the camera, then the sensors: what is played is accepted by whoever still sees."""
    tables = senses.game.tables
    after = first_contribution(senses)
    senses.look(tables[0], seconds=2)
    senses.lay(tables[after])
    senses.look(None, seconds=5)
    by_sensors = senses.referee.number
    later = next(
        number
        for number in range(after + 1, len(tables))
        if isinstance(senses.game.actions[number - 1], Contribute)
    )
    for _ in range(LOOKS):
        senses.seq += 1
        senses.referee.feed(seen_by_camera(tables[later], senses.seq, senses.port.clock() + senses.seq / 15))

    assert by_sensors >= 1
    assert senses.referee.number > by_sensors
    assert not [p for p in senses.referee.prompts if p.kind is PromptKind.VIOLATION]
