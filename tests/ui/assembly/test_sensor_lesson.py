"""The set-up of a sensor table from beginning to end: obedient hands, and a table that is then understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.sensors import SensorProfile
from calibration.store import load_profile
from companion.errors import ProfileError
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.catalogue import CELLS, COURTYARD, DRAGONS
from companion.games.blue_moon_city.layout import table_layout
from companion.games.blue_moon_city.texts import tile_name
from companion.table import Place, Value
from firmware_bridge.rests import learn_rests
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.virtual_board import READINGS, Arranger, BoardPort
from tests.helpers.city_session import played_table
from ui.assembly.sensor_lesson import SensorLesson, keep_sensors
from ui.assembly.sensor_table import open_table
from ui.wizard.sensor_guide import LessonView

PLAYERS = ("purple", "white")
# The markers of these pieces hold other magnets than the usual ones.
MAGNETS = {1: 640, 2: 380}
REST = 500
TILES = (COURTYARD, *GAME.boxes_of_tile)


class Workshop:
    """A board in virtual time, and hands that lay pieces on it."""

    def __init__(self) -> None:
        self.board = DoubleBoard()
        self.port = BoardPort(self.board, step_us=20_000)
        self.arranger = Arranger(self.board, SensorProfile(players=dict(enumerate(PLAYERS, 1))))
        self.picture: dict[Place, Value] = {}

    def table(self, profile: SensorProfile) -> SensorTable:
        """Return a session with the board."""
        return SensorTable(profile, opener=lambda _: self.port, port="x", clock=self.port.clock)

    def lay(self, picture: dict[Place, Value]) -> None:
        """Lay these pieces."""
        self.picture = picture
        self.arranger.lay(picture)

    def obey(self, view: LessonView) -> None:
        """Do what is asked."""
        words = view.text.split()
        tile = next((tile for tile in TILES if f"Put {tile_name(tile)} on" in view.text), "")
        if "Take everything" in view.text:
            self.lay({})
        elif "sketch side up" in view.text:
            self.lay({Place("cell:0,1"): f"{tile}/sketch"})
        elif tile:
            self.lay({**self.picture, Place(f"cell:{CELLS[view.done % 21]}"): f"{tile}/built"})
        elif "marker of" in view.text:
            self.lay({Place("obelisk:3"): next(player for player in PLAYERS if player in words)})
        elif "figure of" in view.text:
            player = next(player for player in PLAYERS if player in words)
            self.lay({**self.picture, Place(f"figure:{player}"): "2,2"})
        elif "dragon" in view.text:
            dragon = next(dragon for dragon in DRAGONS if dragon in words)
            self.lay({**self.picture, Place(f"dragon:{dragon}"): "1,1"})


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """A table of which nothing is known, with magnets and rests of its own."""
    for kind, reading in MAGNETS.items():
        monkeypatch.setitem(READINGS, kind, reading)
    monkeypatch.setitem(READINGS, 0, REST)
    return Workshop()


def walk(workshop: Workshop, lesson: SensorLesson) -> list[LessonView]:
    """Do everything that the lesson asks; return what was asked."""
    asked: list[LessonView] = []
    for view in lesson.views():
        if not asked or view.text != asked[-1].text:
            asked.append(view)
            workshop.obey(view)
    return asked


def test_everything_is_learnt_and_then_understood(workshop: Workshop, tmp_path: Path) -> None:
    """Rests, magnets, sides, every tile, figure and dragon; kept, loaded, and a whole city is read by it."""
    lesson = SensorLesson(workshop.table(SensorProfile()), COMPONENTS, PLAYERS)
    asked = walk(workshop, lesson)
    lesson.close()
    keep_sensors(
        tmp_path / "mine", lesson.profile, edition="kosmos-2006", players=PLAYERS, layout=table_layout()
    )
    learnt = load_profile(tmp_path / "mine").sensors

    assert asked[-1].is_over
    assert len(asked) == 1 + 2 + 1 + 20 + 2 + 3 + 1  # the tile that told the sides is laid once
    assert learnt == lesson.profile
    assert learnt is not None
    assert {tag.name for tag in learnt.tags.values()} == {*TILES, *PLAYERS, *DRAGONS}
    assert {rest for rest, _ in learnt.spots} == {REST}
    city = dict(played_table(30, seed=5).tables[-1])
    players = {"purple": PLAYERS[0], "white": PLAYERS[1]}
    workshop.lay({where: players.get(value or "", value) for where, value in city.items()})
    table = workshop.table(learnt)
    wanted = {where: value for where, value in workshop.picture.items() if where != "discard"}
    try:
        assert any(
            wanted == {where: each.value for where, each in seen.sightings.items()}
            for seen, _ in zip(table.observations(), range(200), strict=False)
        )
    finally:
        table.close()


def test_steps_can_be_left_out_and_done_again(workshop: Workshop) -> None:
    """Skipping everything ends the lesson; going back asks again."""
    lesson = SensorLesson(workshop.table(SensorProfile()), COMPONENTS, PLAYERS)
    told: list[str] = []
    for view in lesson.views():
        if told and view.text == told[-1]:
            continue
        told.append(view.text)
        (lesson.back if len(told) == 3 else lesson.skip)()
    lesson.close()

    assert told[-1] == "Everything is learnt."
    assert told[3] == told[1]
    assert told[4] == told[2]


def test_rests_are_learnt_anew_without_the_rest(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of weather one look at the empty table is enough; tags and magnets stay."""
    known = SensorProfile(players={1: "purple"}, spots=((REST, 80),) * 113)
    monkeypatch.setitem(READINGS, 0, REST + 9)
    workshop.lay({})
    for spot in range(113):
        workshop.board.set_spot(spot, REST + 9)
    table = workshop.table(known)
    learnt = learn_rests(table, known)
    table.close()

    assert learnt.spots == ((REST + 9, 80),) * 113
    assert learnt.players == known.players


def test_what_a_camera_has_learnt_stays(tmp_path: Path) -> None:
    """Both live in one profile; the sensors' part alone is replaced."""
    first = keep_sensors(
        tmp_path,
        SensorProfile(players={1: "purple"}),
        edition="cmon-2019",
        players=["purple"],
        layout=table_layout(),
    )
    second = keep_sensors(
        tmp_path,
        SensorProfile(players={1: "white"}),
        edition="kosmos-2006",
        players=["x"],
        layout=table_layout(),
    )

    assert (second.edition, second.players) == (first.edition, first.players) == ("cmon-2019", ("purple",))
    assert second.sensors == SensorProfile(players={1: "white"})


def test_a_profile_without_sensors_says_what_to_do() -> None:
    """In words."""
    with pytest.raises(ProfileError, match="moontable board setup"):
        open_table(None, None)
