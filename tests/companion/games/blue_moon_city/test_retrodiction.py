"""What later tables tell of earlier ones: who moved a dragon, who paid the last box."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.decision import Ask, InStep, OutOfStep, Waiting
from companion.games.blue_moon_city.actions import Action, Contribute, End, MoveDragon
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.reconcile.retrodiction import Rewrite, Story, has_idle_turn, retrodict_unlikely
from companion.reconcile.table_history import LastSeen
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place, Value, place
from tests.helpers.city_scene import (
    CELL_OF,
    GAME,
    cell_of,
    closed,
    done,
    end,
    header,
    pay,
    scene,
    summon,
    walk,
)

PILE = place("discard")


def look(state: CityState, top: str, **changes: Value) -> Query:
    """Return the table of a state with this card on the pile."""
    return Query(picture={**GAME.predict(state), PILE: top, **{Place(k): v for k, v in changes.items()}})


def after_a_dragon(*, top: str, then_on_top: str) -> Story[CityState, Action]:
    """Purple has walked; then a dragon went to and fro, taken for his."""
    hands = {"purple": "vulca-1 hoax-3", "white": "vulca-1 hoax-2", "teal": "aqua-1 aqua-2"}
    at = {"purple": "3,2", "white": "0,1", "teal": "4,1"}
    return dragon_story(closed(scene(3, hands=hands, dragons={"fire": "0,1"}, at=at)), top, then_on_top)


def dragon_story(start: CityState, top: str, *then: str) -> Story[CityState, Action]:
    """Return that story from a position; `then` lay on the pile one after the other in the end."""
    actions: tuple[Action, ...] = (walk("3,3"), summon("fire", "1,1", card="vulca-1"))
    states = (start, done(start, actions[0]), done(start, *actions))
    return Story(
        states=states,
        actions=actions,
        shown=2,
        looks={1: look(states[1], top), 2: look(states[2], then[-1])},
        first_looks={1: look(states[1], top), 2: look(states[2], then[0])},
        trails={1: {PILE: (top, top)}, 2: {PILE: (top, *then)}},
        last_seen={where: LastSeen(2, 9) for where in GAME.predict(start)},
        tables=10,
        watched_from=0,
    )


def test_who_moved_a_dragon_is_told_by_who_moves_next() -> None:
    """When teal walks on, the dragon was white's, and purple's turn had ended before."""
    story = after_a_dragon(top="terrah-1", then_on_top="vulca-1")
    seen = replace(look(story.states[-1], "vulca-2"), before=story.looks[2].picture)
    seen = replace(seen, picture={**seen.picture, Place("figure:teal"): "4,2"})

    (rewrite,) = retrodict_unlikely(GAME, story, seen)

    assert (rewrite.kept, rewrite.count) == (1, 1)
    assert [(type(a), a.player) for a in rewrite.actions[:3]] == [
        (End, "purple"),
        (MoveDragon, "white"),
        (End, "white"),
    ]
    assert rewrite.actions[3].player == "teal"


def test_cards_seen_one_after_the_other_are_the_turns_that_went_by() -> None:
    """After white's dragon two cards came to lie on the pile: white ended his turn, and teal passed."""
    hands = {"purple": "vulca-1", "white": "vulca-1", "teal": "aqua-1", "black": "aqua-2"}
    at = {"purple": "3,2", "white": "0,1", "teal": "4,1", "black": "4,1"}
    start = closed(scene(4, hands=hands, dragons={"fire": "0,1"}, at=at))
    story = dragon_story(start, "terrah-1", "vulca-1", "pillar-1", "aqua-1")
    seen = replace(look(story.states[2], "aqua-1"), before=story.looks[2].picture)
    seen = replace(seen, picture={**seen.picture, Place("figure:black"): "4,2"})

    (rewrite,) = retrodict_unlikely(GAME, story, seen)

    assert [a.player for a in rewrite.actions if isinstance(a, MoveDragon)] == ["white"]
    assert [a.player for a in rewrite.actions if isinstance(a, End)] == ["purple", "white", "teal"]


def test_a_turn_without_a_trace_is_less_likely_than_another_mover() -> None:
    """When teal walks on, white may have passed unseen; likelier it was he who moved the dragon."""
    story = after_a_dragon(top="terrah-1", then_on_top="vulca-1")
    seen = replace(look(story.states[-1], "vulca-2"), before=story.looks[2].picture)
    seen = replace(seen, picture={**seen.picture, Place("figure:teal"): "4,2"})
    passed = (end(None), end(None, player="white"), walk("4,2", player="teal"))
    went_on = (walk("3,4"),)

    (rewrite,) = retrodict_unlikely(GAME, story, seen, passed)

    assert [a.player for a in rewrite.actions if isinstance(a, MoveDragon)] == ["white"]
    assert has_idle_turn(GAME, story.states[-1], passed)
    assert not has_idle_turn(GAME, story.states[-1], went_on)
    assert retrodict_unlikely(GAME, story, seen, went_on) == []


def test_nobody_moves_for_another_without_a_sign() -> None:
    """Where no earlier decision was in doubt, a figure moved out of turn stays a fault."""
    start = closed(scene(3, at={"purple": "3,2", "white": "0,1", "teal": "4,1"}))
    first = walk("3,3")
    story: Story[CityState, Action] = Story(
        states=(start, done(start, first)),
        actions=(first,),
        shown=1,
        looks={0: look(start, "terrah-1"), 1: look(done(start, first), "terrah-1")},
        first_looks={0: look(start, "terrah-1"), 1: look(done(start, first), "terrah-1")},
        trails={},
        last_seen={where: LastSeen(1, 9) for where in GAME.predict(start)},
        tables=10,
        watched_from=0,
    )
    seen = replace(look(done(start, first), "terrah-1"), before=story.looks[1].picture)
    seen = replace(seen, picture={**seen.picture, Place("figure:teal"): "4,2"})

    found: list[Rewrite[Action]] = retrodict_unlikely(GAME, story, seen)

    assert found == []


def flipped(state: CityState, tile: str, top: str) -> Query:
    """Return the table with a tile on its built side, its markers off, and this card on the pile."""
    cell = CELL_OF[tile]
    seen = look(state, top, **{f"cell:{cell}": f"{tile}/built"})
    gone = {place("box", cell, box) for box in range(len(state.boxes[cell_of(tile)]))}
    return replace(seen, picture={where: value for where, value in seen.picture.items() if where not in gone})


def payers(asked: Ask[Action]) -> list[tuple[str, ...]]:
    """Return who contributed, by the answers."""
    return [tuple(a.player for a in c.actions if isinstance(a, Contribute)) for c in asked.choices]


def pays(box: int) -> Action:
    """Return a contribution of purple's to the water temple whose cards nobody saw."""
    return Contribute(player="purple", box=box, colour="aqua", cards=None, pairs=None, recolour=None)


def both_on_the_water_temple(journal: Journal, *paid: Action) -> Referee[CityState, Action]:
    """Purple stands there and has paid; white has just walked there too."""
    referee = Referee(GAME, journal)
    ways: list[Action] = [walk("water_temple"), *paid, end(None), walk("water_temple", player="white")]
    referee.enter(*ways)
    return referee


def test_a_contribution_seen_before_its_cards_makes_a_shared_completion_a_question(tmp_path: Path) -> None:
    """Purple's marker was seen, its card was not; then the tile is flipped, on which white stands as well."""
    closed_header = {**header(2), "hands": None, "deck": None}
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = both_on_the_water_temple(journal, pays(2))
        referee.enter(end(None, player="white"))
        state = referee.state
        referee.consider(look(state, "vulca-1"))
        marker = {f"box:{CELL_OF['water_temple']}:0": "purple"}
        waiting = referee.consider(look(state, "vulca-1", **marker)).decision
        asked = referee.consider(flipped(state, "water_temple", "hoax-1")).decision

    assert len(state.boxes[cell_of("water_temple")]) == 3
    assert isinstance(waiting, Waiting)
    assert isinstance(asked, Ask)
    assert set(payers(asked)) == {("purple", "purple"), ("purple", "white")}


def test_what_a_player_said_is_not_thought_again(tmp_path: Path) -> None:
    """White paid, say the players; that he walks on after it is a fault, and no reason to know better."""
    closed_header = {**header(2), "hands": None, "deck": None}
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = both_on_the_water_temple(journal, pays(2), pays(0))
        referee.consider(look(referee.state, "vulca-1"))
        asked = referee.consider(flipped(referee.state, "water_temple", "hoax-1")).decision
        assert isinstance(asked, Ask)
        referee.choose(payers(asked).index(("white",)))
        told = referee.actions
        referee.consider(look(referee.state, "terrah-2"))
        fault = referee.consider(look(referee.state, "terrah-2", **{"figure:white": "4,1"})).decision

    assert referee.actions == told
    assert isinstance(fault, OutOfStep)
    assert fault.rule == "phase.movement_is_over"


def test_a_marker_that_was_seen_tells_for_good_who_completed_a_building(tmp_path: Path) -> None:
    """White's marker lay on the last box before all came off; that white walks then changes nothing."""
    closed_header = {**header(2), "hands": None, "deck": None}
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = both_on_the_water_temple(journal, pays(1), pays(2))
        referee.consider(look(referee.state, "vulca-1"))
        marker = {f"box:{CELL_OF['water_temple']}:0": "white"}
        referee.consider(look(referee.state, "aqua-1", **marker))
        seen_to_pay = referee.actions
        referee.consider(look(referee.state, "terrah-1"))
        fault = referee.consider(look(referee.state, "terrah-1", **{"figure:white": "2,2"})).decision

    assert isinstance(seen_to_pay[-1], Contribute)
    assert seen_to_pay[-1].player == "white"
    assert referee.actions == seen_to_pay
    assert isinstance(fault, OutOfStep)


@pytest.mark.parametrize("was_taken_up", [False, True])
def test_a_dragon_that_was_taken_up_is_not_presumed_to_stand_where_it_stood(
    tmp_path: Path, was_taken_up: bool
) -> None:
    """What is merely unseen may be presumed unchanged; what was seen to be lifted may not."""
    closed_header = {**header(2), "hands": None, "deck": None}
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = Referee(GAME, journal)
        referee.enter(summon("fire", "1,2", card=None))
        referee.consider(look(referee.state, "vulca-1"))
        dragon = place("dragon", "fire")
        paid = {"figure:purple": "2,1", "box:2,1:0": "purple"}
        seen = look(referee.state, "aqua-1", **paid, **{dragon: None})
        if not was_taken_up:
            left = {where: value for where, value in seen.picture.items() if where != dragon}
            seen = replace(seen, picture=left)
        waiting = referee.consider(replace(seen, unseen=frozenset({dragon}))).decision
        presumed = referee.presume()

    assert isinstance(waiting, Waiting)
    assert (presumed is None) == was_taken_up


def plain(state: CityState, **changes: Value) -> Query:
    """Return the table of a state; the pile is not watched."""
    seen = look(state, "vulca-1", **changes)
    return replace(seen, picture={where: value for where, value in seen.picture.items() if where != PILE})


def test_a_dragon_that_is_put_back_beside_the_city_never_came(tmp_path: Path) -> None:
    """Seen to come and to go again, it was taken back; where players say that it came it is waited for."""
    closed_header = {**header(2), "hands": None, "deck": None}
    dragon = place("dragon", "fire")
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = Referee(GAME, journal)
        referee.enter(summon("water", "1,2", card=None))
        start = referee.state
        referee.consider(plain(start))
        came = referee.consider(plain(start, **{dragon: "1,2"}))
        went = referee.consider(plain(start, **{dragon: None}))
        referee.enter(summon("fire", "1,2", card=None))
        referee.consider(plain(referee.state))
        lifted = referee.consider(plain(referee.state, **{dragon: None}))

    assert [type(action) for action in came.new_actions] == [MoveDragon]
    assert went.taken_back == came.new_actions
    assert isinstance(went.decision, InStep)
    assert isinstance(lifted.decision, Waiting)
    assert lifted.taken_back == ()


def test_a_dragon_that_is_lifted_from_where_it_came_by_way_of_another_building_is_waited_for(
    tmp_path: Path,
) -> None:
    """Before its last move it stood elsewhere in the city: it is still on its way."""
    closed_header = {**header(2), "hands": None, "deck": None}
    dragon = place("dragon", "fire")
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = Referee(GAME, journal)
        referee.enter(summon("fire", "1,2", card=None))
        before = referee.state
        referee.consider(plain(before))
        moved = referee.consider(plain(before, **{dragon: "1,1"}))
        lifted = referee.consider(plain(before, **{dragon: None}))

    assert moved.new_actions != ()
    assert isinstance(lifted.decision, Waiting)
    assert lifted.taken_back == ()


@pytest.mark.parametrize("first", [0, 1])
def test_who_clears_a_completed_building_takes_nothing_back(first: int, tmp_path: Path) -> None:
    """The marker that completed it may be the first to come off: it looks as if nothing had been paid."""
    closed_header = {**header(2), "hands": None, "deck": None}
    boxes = [place("box", CELL_OF["thermae"], box) for box in range(3)]
    with Journal.create(tmp_path / "game.journal", closed_header) as journal:
        referee = Referee(GAME, journal)
        referee.enter(
            walk("earth_temple", "thermae", cards=None), pay(1, "aqua", None, pairs=None), end(None)
        )
        referee.enter(end(None, player="white"), pay(2, "aqua", None, pairs=None))
        before = referee.state
        referee.consider(plain(before))
        laid = {**dict.fromkeys(boxes, "purple")}
        completed = referee.consider(plain(before, **laid))
        cleared = []
        for box in (boxes[first], *(box for box in boxes if box != boxes[first])):
            laid[box] = None
            cleared.append(referee.consider(plain(before, **laid)))
        built = referee.consider(plain(referee.state))

    assert [(type(action), action.box) for action in completed.new_actions] == [(Contribute, 0)]  # type: ignore[attr-defined]
    for update in (*cleared, built):
        assert update.taken_back == update.new_actions == ()
    assert all(isinstance(update.decision, Waiting) for update in cleared)
    assert isinstance(built.decision, InStep)
