"""What is due on the table, place by place, while a game of Blue Moon City is watched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decision import Ask, InStep, OutOfStep
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import Contribute, End, Move
from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DISTANCE
from companion.games.blue_moon_city.events import Completed
from companion.games.blue_moon_city.rules.apply import apply
from companion.observation import Snapshot
from companion.prompts import PromptKind
from companion.session.highlights import Highlights, highlights_of, light_up
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place, Value, kind_of
from tests.helpers.city import city_after
from tests.helpers.city_session import PlayedTable, played_table, unseen_cards


class Heard:
    """Lamps that remember what they were told."""

    def __init__(self) -> None:
        self.shown: list[Highlights] = []
        self.sounded: list[PromptKind] = []

    def show(self, highlights: Highlights) -> None:
        """Remember."""
        self.shown.append(highlights)

    def sound(self, kind: PromptKind) -> None:
        """Remember."""
        self.sounded.append(kind)


class Table:
    """A closed game at a table that shows what it is told to."""

    def __init__(self, folder: Path, game: PlayedTable) -> None:
        self.game = game
        self.referee = Referee(GAME, Journal.create(folder / "game.journal", game.header))
        self.lamps = Heard()
        light_up(self.referee, self.lamps)

    @property
    def highlights(self) -> Highlights:
        """What the lamps show now."""
        return self.lamps.shown[-1]

    def show(self, number: int, changes: Mapping[str, Value] | None = None) -> None:
        """Let the table be seen as it was after an action."""
        picture = {**self.game.tables[number], **{Place(w): v for w, v in (changes or {}).items()}}
        self.referee.consider(Snapshot(picture=picture))

    @property
    def decision(self) -> object:
        """The verdict on what was seen last."""
        return self.referee.decision

    @property
    def payable(self) -> list[Place]:
        """The boxes that somebody could pay."""
        return list(self.highlights.payable)

    def enter(self, until: int) -> None:
        """Let the players say what they have played."""
        for action in self.game.actions[self.referee.number : until]:
            self.referee.enter(unseen_cards(action))


def first(game: PlayedTable, kind: type, *, completes: bool | None = None) -> int:
    """Return the number of the first action of a kind, 0 for the first action."""
    for number, action in enumerate(game.actions):
        done = any(isinstance(event, Completed) for event in apply(game.states[number], action)[1])
        if isinstance(action, kind) and completes in (None, done):
            return number
    raise AssertionError(f"nobody did any {kind.__name__}")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game about to begin."""
    return Table(tmp_path, played_table(200, seed=5))


def test_a_box_just_taken_is_pointed_at_until_the_game_goes_on(table: Table) -> None:
    """In whose colour, too."""
    number = first(table.game, Contribute, completes=False)
    action = table.game.actions[number]
    assert isinstance(action, Contribute)
    table.enter(number + 1)
    state = table.game.states[number]
    box = Place(f"box:{CELLS[state.figures[state.active]]}:{action.box}")
    taken = dict(table.highlights.taken)
    table.enter(number + 2)

    assert taken == {box: action.player}
    assert box not in table.highlights.taken


def test_a_tile_to_be_turned_is_wanted_until_it_is(table: Table) -> None:
    """The completed building's cell."""
    number = first(table.game, Contribute, completes=True)
    table.enter(number + 1)
    wanted = {where for where in table.highlights.wanted if kind_of(where) == "cell"}
    assert len(wanted) == 1
    table.show(number + 1)

    assert not wanted & table.highlights.wanted.keys()


def test_what_is_wrong_is_wrong_where_it_lies(table: Table) -> None:
    """A figure is pointed at on the cell where it stands, a marker on its box."""
    table.show(0)
    began = table.decision
    white = table.game.header["players"][1]
    table.show(0, {"obelisk:5": white})
    assert isinstance(began, InStep)
    assert isinstance(table.decision, OutOfStep)
    assert Place("obelisk:5") in table.highlights.wrong
    table.show(0, {"dragon:fire": "4,3"})

    assert isinstance(table.decision, OutOfStep)
    assert Place("cell:4,3") in table.highlights.wrong
    assert table.lamps.sounded[-1] is PromptKind.VIOLATION
    table.show(0)
    assert not table.highlights.wrong


def test_where_the_senses_contradict_each_other_is_pointed_at(table: Table) -> None:
    """For a figure both cells."""
    where = Place(f"figure:{table.game.header['players'][0]}")
    picture = {place: value for place, value in table.game.tables[0].items() if place != where}
    table.referee.consider(Snapshot(picture=picture, contested={where: ("2,2", "1,2")}))

    assert isinstance(table.decision, Ask)
    assert table.highlights.wrong == {Place("cell:2,2"), Place("cell:1,2")}
    assert table.lamps.sounded == [PromptKind.QUESTION]


def test_the_obelisk_box_that_can_be_paid_is_pointed_at(tmp_path: Path) -> None:
    """While the visit to the courtyard lasts."""
    for seed in range(1, 40):
        game = played_table(300, seed=seed)
        for number, action in enumerate(game.actions):
            before, after = game.states[number : number + 2]
            arrives = isinstance(action, Move) and after.figures[before.active] == CENTRE
            if arrives and after.crystals[before.active] >= after.setup.catalogue.obelisk[after.next_box]:
                (tmp_path / str(seed)).mkdir()
                table = Table(tmp_path / str(seed), game)
                table.enter(number + 1)
                assert table.payable == [Place(f"obelisk:{after.next_box}")]
                end = next(i for i in range(number, len(game.actions)) if isinstance(game.actions[i], End))
                table.enter(end + 1)
                assert table.payable == []
                return
    raise AssertionError("nobody ever came to the courtyard with enough")


def test_nothing_is_told_after_the_end(table: Table) -> None:
    """The returned function ends it."""
    referee = table.referee
    heard = Heard()
    stop = light_up(referee, heard)
    stop()
    table.show(0)

    assert len(heard.shown) == 1
    assert heard.shown[0] == highlights_of(referee, {})


@given(steps=st.integers(0, 120), seed=st.integers(1, 20))
@settings(max_examples=30)
def test_reachable_are_the_cells_of_the_walks_without_cards(steps: int, seed: int) -> None:
    """Exactly those that a legal move without a card leads to."""
    state = city_after(steps, seed=seed)
    walks = (action for action in GAME.legal_actions(state) if isinstance(action, Move) and not action.cards)
    assert set(GAME.reachable(state)) == {Place(f"cell:{CELLS[move.to]}") for move in walks}
    here = state.figures[state.active]
    assert all(DISTANCE[here][CELLS.index(where[5:])] <= state.steps for where in GAME.reachable(state))
