"""Reconciling: legal play is found again, nothing wrong is ever accepted, every fault is named."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from companion.decision import Accepted, Ask, Decision, InStep, OutOfStep, Waiting
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.reconcile.differences import compare
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.reconcile.beam_search import courses, likeliest
from companion.table import Place, Value
from tests.helpers.city_scene import CELL_OF, GAME, cell_of, closed, done, end, pay, scene, summon, walk
from tests.helpers.city_veil import random_header

Picture = dict[Place, Value]
PUBLIC = ("figures", "dragons", "boxes", "built", "obelisk", "markers", "scales", "supply", "outcome")


def box(tile: str, number: int) -> str:
    return f"box:{CELL_OF[tile]}:{number}"


def tile(name: str) -> str:
    return f"cell:{CELL_OF[name]}"


def look(
    state: CityState,
    changes: dict[str, Value] | None = None,
    *,
    hide: Iterable[str] = (),
    busy: bool = False,
    before: Picture | None = None,
) -> Decision[Action]:
    """Return the verdict on the table of this state with some places changed and some hidden."""
    picture = dict(GAME.predict(state)) | {Place(k): v for k, v in (changes or {}).items()}
    for where in hide:
        picture.pop(Place(where), None)
    known = dict(GAME.predict(state)) if before is None else before
    return GAME.explain(state, Query(picture=picture, before=known, busy=busy))


def show(after: CityState, start: CityState, *, hide: Iterable[str] = ()) -> Decision[Action]:
    """Return the verdict in `start` on the whole table that `after` casts."""
    picture = {p: v for p, v in GAME.predict(after).items() if p not in hide}
    return GAME.explain(start, Query(picture=picture, before=dict(GAME.predict(start))))


def public(state: CityState) -> list[object]:
    return [getattr(state, name) for name in PUBLIC]


def outcome(state: CityState, decision: Accepted[Action]) -> CityState:
    """Return the state after what was accepted, as those know it who see no hands."""
    after = veil(state)
    for action in decision.actions:
        after, _ = GAME.apply(after, action)
    return after


@lru_cache(maxsize=32)
def turns(seed: int) -> tuple[tuple[CityState, tuple[Action, ...], CityState, CityState], ...]:
    """Return (start, actions, state before the reset, state after it) of each turn of a random game."""
    rng = random.Random(seed)
    state = GAME.start(random_header(rng))
    choose = GAME.random_player(rng)
    start, actions, found = state, [], []
    while state.outcome is None and len(found) < 90:
        action = GAME.with_chance(state, choose(state), rng)
        after, _ = GAME.apply(state, action)
        actions.append(action)
        if isinstance(action, End) or after.outcome is not None:
            last = state if isinstance(action, End) else after
            found.append((start, tuple(actions), last, after))
            start, actions = after, []
        state = after
    return tuple(found)


# -- legal play -------------------------------------------------------------------------------------------


def check_turn(start: CityState, last: CityState, decision: Decision[Action]) -> str:
    """Assert that a verdict on a legal turn is no fault and no mistake; return its kind."""
    if isinstance(decision, Accepted):
        after = outcome(start, decision)
        assert public(after) == public(last)
        assert last.outcome is not None or after.active == last.active
        for number, (low, high) in enumerate(zip(after.crystals_low, after.crystals, strict=True)):
            assert low <= last.crystals[number] <= high
    elif isinstance(decision, InStep):
        assert public(start) == public(last)
    return type(decision).__name__


@pytest.mark.parametrize("seed", range(6))
def test_every_turn_seen_at_its_end_is_accepted_as_it_was(seed: int) -> None:
    """The whole turn at once, open and closed, with and without the discard pile: the same outcome."""
    kinds: list[str] = []
    for start, _, last, _ in turns(seed):
        for state in (start, closed(start)):
            for hide in ((), ("discard",)):
                kinds.append(check_turn(start, last, show(last, state, hide=hide)))

    assert set(kinds) <= {"Accepted", "InStep", "Waiting"}
    assert kinds.count("Waiting") < len(kinds) / 50


@pytest.mark.parametrize("seed", range(9, 13))
def test_the_reset_changes_nothing_that_matters(seed: int) -> None:
    """Seen after the discards: what was accepted is still right, and no turn ends before the next begins."""
    wrong = 0
    found = turns(seed)
    for start, _, last, after in found:
        decision = show(after, start)
        if isinstance(decision, OutOfStep):  # the very card that lay there before was discarded on top
            pile = Place("discard")
            assert GAME.predict(after)[pile] == GAME.predict(start)[pile]
            wrong += 1
        else:
            check_turn(start, last, decision)

    assert wrong <= len(found) / 40


@pytest.mark.parametrize("seed", range(13, 19))
def test_hidden_places_never_lead_to_a_wrong_commit(seed: int) -> None:
    """Any places hidden: never out of step, and when all is seen again the truth is found or asked about."""
    rng = random.Random(seed)
    for start, _, last, _ in turns(seed):
        state = closed(start)
        places = list(GAME.predict(last))
        hide = [p for p in places if rng.random() < rng.choice((0.05, 0.3))]

        first = show(last, state, hide=hide)

        assert not isinstance(first, OutOfStep), first
        then = outcome(start, first) if isinstance(first, Accepted) else state
        picture = GAME.predict(last)
        before = dict(GAME.predict(start))
        for _ in range(3):
            decision = GAME.explain(then, Query(picture=picture, before=before))
            if not isinstance(decision, Accepted):
                break
            then = outcome(then, decision)
        assert not isinstance(decision, OutOfStep), (first, decision)
        if isinstance(decision, InStep):
            assert public(then) == public(last)


def two_turns(seed: int) -> Iterator[tuple[CityState, CityState, CityState]]:
    found = turns(seed)
    for (start, _, middle, _), (_, _, last, _) in pairwise(found):
        yield start, middle, last


@pytest.mark.parametrize("seed", range(19, 23))
def test_two_turns_seen_at_once(seed: int) -> None:
    """Two whole turns between two looks: accepted as they were, asked, or waited for; hardly ever refused."""
    kinds = []
    for start, _, last in two_turns(seed):
        decision = show(last, closed(start), hide=["discard"])
        if isinstance(decision, Accepted):
            after = outcome(start, decision)
            same = [n for n in PUBLIC if n != "outcome" and getattr(after, n) == getattr(last, n)]
            kinds.append("right" if len(same) == len(PUBLIC) - 1 else "wrong")
        else:
            kinds.append(type(decision).__name__)

    assert kinds.count("right") > len(kinds) * 0.6
    assert kinds.count("wrong") <= len(kinds) * 0.05


# -- what is due, in flight, taken back -------------------------------------------------------------------


BASE: dict[str, Any] = {
    "hands": {"purple": "terrah-3 aqua-1 vulca-2 flit-2 khind-1", "white": "hoax-2 flit-1 aqua-2 pillar-2"},
    "pile": "hoax-3",
}


def square() -> CityState:
    """Purple, whose turn it is, on the Mill, white on the Thermae; a marker of the other on each."""
    boxes = {"mill": ["white", None, None], "thermae": [None, "purple", None]}
    return scene(at={"purple": "mill", "white": "thermae"}, boxes=boxes, **BASE)


def nearly_built() -> CityState:
    """Purple on the Mill, of which the last box is free."""
    return scene(at={"purple": "mill"}, boxes={"mill": ["white", "white", None]}, **BASE)


PAID = {box("mill", 2): "purple", "discard": "terrah-3"}
OFF = [box("mill", number) for number in range(3)]


@pytest.mark.parametrize("veiled", [False, True])
def test_a_completion_is_accepted_with_what_is_still_to_be_done(veiled: bool) -> None:
    """All markers still on and the tile unflipped: accepted, markers off and flip pending, removals first."""
    state = closed(nearly_built()) if veiled else nearly_built()

    decision = look(state, PAID)

    assert isinstance(decision, Accepted)
    assert [fix.place for fix in decision.pending] == [*map(Place, OFF), Place(tile("mill"))]
    assert decision.pending[-1].text == "Turn the Mill to its built side."
    assert cell_of("mill") in outcome(state, decision).built


def test_late_housekeeping_is_waited_for() -> None:
    """After the completion: markers half off, all off, a figure lifted for the flip, the flip."""
    after = done(nearly_built(), pay(2, "terrah", "terrah-3"))
    sketch: dict[str, Value] = {tile("mill"): "mill/sketch"}
    stages: list[dict[str, Value]] = [
        sketch | dict(zip(OFF, ("white", "white", "purple"), strict=True)),
        sketch | dict(zip(OFF, (None, "white", None), strict=True)),
        sketch | dict.fromkeys(OFF),
        sketch | dict.fromkeys(OFF) | {"figure:purple": None},
        {tile("mill"): None, "figure:purple": None},
        {"figure:purple": None},
    ]

    for stage in stages:
        decision = look(after, stage)

        assert isinstance(decision, Waiting), (stage, decision)
        assert decision.pending
    assert isinstance(look(after), InStep)


def test_the_next_turn_does_not_wait_for_housekeeping() -> None:
    """The tile is not yet flipped and the next player moves already: his turn is accepted all the same."""
    after = done(nearly_built(), pay(2, "terrah", "terrah-3"))
    late: dict[str, Value] = {tile("mill"): "mill/sketch", box("mill", 0): "white"}

    decision = look(after, {**late, "figure:white": CELL_OF["fire_temple"]})

    assert isinstance(decision, Accepted)
    assert [type(action) for action in decision.actions] == [End, Move]
    assert [fix.place for fix in decision.pending] == [Place(box("mill", 0)), Place(tile("mill"))]


def test_markers_coming_off_before_the_completion_was_seen() -> None:
    """Some markers are off already when the last one is seen: accepted; all off: the flip is awaited."""
    half = {**PAID, box("mill", 0): None}

    assert isinstance(look(nearly_built(), half), Accepted)
    waiting = look(nearly_built(), dict.fromkeys(OFF) | {"discard": "terrah-3"})
    assert isinstance(waiting, Waiting)
    assert "turn it to its built side" in waiting.text
    flipped = look(nearly_built(), {tile("mill"): "mill/built", "discard": "terrah-3"}, hide=OFF)
    assert isinstance(flipped, Accepted)
    assert [type(action) for action in flipped.actions] == [Contribute]


@pytest.mark.parametrize("place", ["figure:purple", "figure:white", tile("hospice")])
def test_a_piece_in_flight_is_waited_for(place: str) -> None:
    """A lifted figure or tile is in somebody's hand."""
    decision = look(square(), {place: None})

    assert isinstance(decision, Waiting)
    assert [fix.place for fix in decision.pending] == [Place(place)]


def test_a_figure_that_nobody_makes_out_stands_where_its_player_paid() -> None:
    """It has left its cell. Markers on the tile that it has left, or on two, do not tell where it is."""
    state, gone = closed(square()), {"figure:purple": None}

    paid = look(state, gone | {box("thermae", 2): "purple"}, hide=("discard",))
    still_there = look(state, gone | {box("mill", 1): "purple"}, hide=("discard",))
    both = look(state, gone | {box("mill", 1): "purple", box("thermae", 2): "purple"}, hide=("discard",))

    assert isinstance(paid, Accepted)
    assert [type(action) for action in paid.actions] == [Move, Contribute]
    assert outcome(state, paid).figures[0] == cell_of("thermae")
    assert isinstance(still_there, Waiting)
    assert isinstance(both, Waiting)


def test_a_lifted_dragon_is_waited_for() -> None:
    """A dragon that was in the city and is not now."""
    state = scene(dragons={"fire": "mill"}, **BASE)

    assert isinstance(look(state, {"dragon:fire": None}), Waiting)


def test_under_a_hand_nothing_is_decided() -> None:
    """A hand over the table: whatever lies there is not final."""
    assert isinstance(look(square(), {"figure:purple": CELL_OF["thermae"]}, busy=True), Waiting)


def test_a_move_taken_back_needs_no_explanation() -> None:
    """Pieces put back where they were before anything was accepted: in step again."""
    assert isinstance(look(square(), {"figure:purple": CELL_OF["thermae"]}), Accepted)
    assert isinstance(look(square()), InStep)


def test_a_card_comes_before_its_piece() -> None:
    """Only the pile changed: in step, and the table will show what for."""
    decision = look(square(), {"discard": "aqua-1"})

    assert isinstance(decision, InStep)
    assert "discarded" in decision.text


def test_a_contribution_waits_for_its_cards() -> None:
    """The marker stands, the pile is unchanged: the cards are awaited, then it is accepted."""
    waiting = look(square(), {box("mill", 1): "purple"})

    assert isinstance(waiting, Waiting)
    assert "discarded" in waiting.text
    assert isinstance(look(square(), {box("mill", 1): "purple", "discard": "terrah-3"}), Accepted)


def test_a_turn_end_is_inferred_from_the_next_player() -> None:
    """Purple's turn ends because white acts: nobody says so."""
    state = done(square(), pay(1, "terrah", "terrah-3"))

    decision = look(state, {"figure:white": CELL_OF["water_temple"]})

    assert isinstance(decision, Accepted)
    assert [type(action) for action in decision.actions] == [End, Move]
    assert decision.actions[0] == End(player="purple", discard=None)


def test_a_whole_turn_and_the_next_player_already_moving() -> None:
    """Purple contributes and white walks and contributes, all between two looks."""
    decision = look(
        square(),
        {
            box("mill", 1): "purple",
            "figure:white": CELL_OF["caravanserai"],
            box("caravanserai", 1): "white",
            "discard": "hoax-2",
        },
    )

    assert isinstance(decision, Accepted)
    assert [type(a) for a in decision.actions] == [Contribute, End, Move, Contribute]


def test_the_paying_card_is_named_only_by_the_pile() -> None:
    """A dragon's card is taken from the top of the pile; which other card paid is not asked."""
    dragon = look(closed(square()), {"dragon:water": CELL_OF["mill"], "discard": "aqua-1"})
    unseen = look(closed(square()), {"dragon:water": CELL_OF["mill"]}, hide=["discard"])

    assert isinstance(dragon, Accepted)
    assert isinstance(unseen, Accepted)
    assert dragon.actions == (summon("water", "mill", card="aqua-1"),)
    assert unseen.actions == (summon("water", "mill", card=None),)


def test_a_walk_beyond_two_steps_takes_a_flit_for_granted() -> None:
    """Three steps away: by a Flit, whichever; the pile says so or nobody knows."""
    far = {"figure:purple": CELL_OF["fire_temple"]}
    by_flight = look(closed(square()), {**far, "discard": "flit-1"})
    by_steps = look(closed(square()), {**far, "discard": "flit-2"})

    assert isinstance(by_flight, Accepted)
    assert isinstance(by_flight.actions[0], Fly)
    assert isinstance(by_steps, Accepted)
    assert isinstance(by_steps.actions[0], Move)
    assert by_steps.assumed == 1


@pytest.mark.parametrize(("top", "cards"), [("terrah-3", ()), ("flit-1", None), ("flit-2", None)])
def test_a_flit_upon_a_flit_is_not_seen(top: str, cards: tuple[str, ...] | None) -> None:
    """That no Flit was spent on a short way is known from the pile, not where a Flit lay on it already."""
    start = closed(square())
    before = {**GAME.predict(start), Place("discard"): top}
    near = {"figure:purple": CELL_OF["earth_temple"], "discard": top}
    decision = look(start, near, before=before)

    assert isinstance(decision, Accepted)
    (move,) = decision.actions
    assert isinstance(move, Move)
    assert move.cards == cards


def test_an_offering_may_stand_on_any_equal_box() -> None:
    """Ruling 23: the second free seven is as good as the first."""
    state = scene(crystals={"purple": 9}, **BASE)

    for number in range(2, 4):
        decision = look(state, {f"obelisk:{number}": "purple"})

        assert isinstance(decision, Accepted)
        assert decision.actions == (Offer(player="purple"),)


def test_an_offering_waits_for_the_boxes_that_are_as_good() -> None:
    """Two were made, one of which nobody sees: the other one alone would be the first of them."""
    state = closed(scene(crystals={"purple": 30}, **BASE))
    two = {"obelisk:2": "purple", "obelisk:3": "purple", "discard": "pillar-1"}

    assert isinstance(look(state, {"obelisk:3": "purple"}, hide=["obelisk:2"]), Waiting)
    assert isinstance(look(state, {**two, "obelisk:2": None}, hide=["obelisk:2"]), Waiting)
    seen = look(state, two)
    assert isinstance(seen, Accepted)
    assert [type(action) for action in seen.actions] == [Offer, Offer]


# -- ambiguity ------------------------------------------------------------------------------------------


def test_who_paid_a_flipped_building_is_asked_where_it_matters() -> None:
    """Purple and white both stand there; the flip may be purple's turn or white's: the choices differ."""
    both = {"purple": "mill", "white": "mill"}
    state = scene(at=both, boxes={"mill": ["white", "white", None]}, **BASE)
    walked = done(state, walk("earth_temple"), walk("mill"))

    decision = look(closed(walked), {tile("mill"): "mill/built"}, hide=[*OFF, "discard"])

    assert isinstance(decision, Ask)
    outcomes = [outcome(walked, Accepted(actions=choice.actions)) for choice in decision.choices]
    assert len({after.player for after in outcomes}) == len(decision.choices) == 2
    assert len({choice.text for choice in decision.choices}) == len(decision.choices)


def test_a_table_on_which_too_much_happened_is_not_puzzled_over() -> None:
    """Every building was flipped while nobody saw a figure: each box may be anyone's, in millions of ways."""
    state = scene(3, at={"purple": "mill"})
    built = {where: value.replace("sketch", "built") for where, value in GAME.predict(state).items() if value}
    flipped = {str(where): value for where, value in built.items() if value.endswith("/built")}

    decision = look(closed(state), flipped, hide=[f"figure:{name}" for name in state.setup.players])

    assert len(flipped) > 10
    assert isinstance(decision, Waiting | OutOfStep)


@pytest.mark.parametrize(("to", "mover"), [("mill", "teal"), ("hospice", "white")])
def test_a_dragon_that_came_to_where_a_player_paid_is_his(to: str, mover: str) -> None:
    """White, who left no other trace, may have moved it too; he has no use for it where teal pays."""
    hands = {**BASE["hands"], "teal": "terrah-1 terrah-2"}
    start = scene(3, at={"teal": "mill"}, dragons={"earth": "citadel"}, hands=hands, pile="hoax-3")
    state = closed(done(start, walk("earth_temple")))
    changes = {"dragon:earth": CELL_OF[to], f"box:{CELL_OF['mill']}:0": "teal"}

    decision = look(state, changes, hide=["discard"], before={})

    assert isinstance(decision, Accepted)
    assert [a.player for a in decision.actions if isinstance(a, MoveDragon)] == [mover]


def test_an_offering_after_turns_that_were_seen_to_end_is_paid_by_none_of_its_cards() -> None:
    """Purple offers once more: in this turn for a Pillar that never came, or in his next for nothing."""
    rich = scene(crystals={"purple": 30}, **{**BASE, "pile": "vulca-1"})
    state = closed(done(rich, Offer(player="purple")))
    pile = Place("discard")
    trail = ("vulca-1", "vulca-1", "aqua-1", "mimix-3")
    picture = {**GAME.predict(state), Place("obelisk:3"): "purple", pile: "mimix-3"}
    before = {**GAME.predict(state), pile: "mimix-3"}

    seen_to_end = GAME.explain(state, Query(picture=picture, before=before, trail={pile: trail}))
    in_his_turn = look(state, {"obelisk:3": "purple"}, before={**GAME.predict(state), pile: "vulca-1"})

    assert isinstance(in_his_turn, Waiting)
    assert isinstance(seen_to_end, Accepted)
    assert [type(action) for action in seen_to_end.actions] == [End, End, Offer]


@pytest.mark.parametrize("is_discard_seen", [False, True])
def test_the_next_who_stands_on_a_flipped_tile_may_have_completed_it(is_discard_seen: bool) -> None:
    """White and teal stand there; white may only have passed, with a card seen meanwhile or none."""
    there = {"purple": "hospice", "white": "mill", "teal": "mill"}
    hands = {**BASE["hands"], "teal": "terrah-1 terrah-2"}
    before = scene(3, at=there, boxes={"mill": ["white", "white", None]}, hands=hands, pile="vulca-1")
    state = closed(done(before, walk("citadel")))
    pile = Place("discard")
    tops = ("vulca-1", "vulca-1", "pillar-2") if is_discard_seen else ("vulca-1", "vulca-1")
    flip = dict(GAME.predict(state)) | {Place(tile("mill")): "mill/built", pile: "terrah-1"}
    seen = {where: value for where, value in flip.items() if where not in OFF}
    latest = {**GAME.predict(state), pile: tops[-1]}
    decision = GAME.explain(state, Query(picture=seen, before=latest, trail={pile: tops}))

    runs = [c.actions for c in decision.choices] if isinstance(decision, Ask) else [decision.actions]
    payers = {a.player for run in runs for a in run if isinstance(a, Contribute)}
    assert payers == {"white", "teal"}


@pytest.mark.parametrize("is_trusting", [False, True])
def test_a_discard_beside_a_piece_that_nobody_sees_is_waited_with_unless_it_was_in_vain(
    is_trusting: bool,
) -> None:
    state = closed(scene(dragons={"water": "mill"}, **BASE))
    pile, dragon = Place("discard"), Place("dragon:water")
    picture = {where: value for where, value in GAME.predict(state).items() if where != dragon}
    seen = Query(picture=picture | {pile: "aqua-2"}, before=GAME.predict(state), trusting=is_trusting)

    assert isinstance(GAME.explain(state, seen), InStep if is_trusting else Waiting)


@pytest.mark.parametrize(
    ("earlier", "paid", "mover"),
    [
        (("aqua-1", "aqua-1"), (), "white"),
        (("aqua-1", "aqua-1", "mimix-1"), (), "teal"),
        (("aqua-1", "mimix-1"), ("mimix-1",), "white"),
        (("aqua-1", "mimix-1"), ("pillar-3",), "teal"),
    ],
)
def test_a_card_that_comes_with_a_walk_is_of_the_earlier_end_unless_that_was_seen(
    earlier: tuple[str, ...], paid: tuple[str, ...], mover: str
) -> None:
    """White has walked; then a dragon moves: it is white's, or teal's where white has discarded before."""
    state = closed(scene(3, active="white", hands={"white": "vulca-1 aqua-1", "teal": "vulca-1"}))
    state = done(state, walk("earth_temple", player="white"))
    assert state.hidden is not None
    state = replace(state, hidden=replace(state.hidden, paid_before=frozenset(paid)))
    pile = Place("discard")
    picture = {**GAME.predict(state), Place("dragon:fire"): "0,1", pile: "vulca-1"}
    seen = Query(
        picture=picture,
        before={**GAME.predict(state), pile: "pillar-2"},
        trail={pile: ("mimix-1", "pillar-2")},
        moved=2,
        earlier={pile: earlier},
    )

    decision = GAME.explain(state, seen)

    assert isinstance(decision, Accepted)
    assert [a.player for a in decision.actions if isinstance(a, MoveDragon)] == [mover]


def test_a_completion_whose_cards_are_to_come_is_waited_for() -> None:
    """White has come and completes what purple left: no tale of two rounds in which everybody else passed."""
    start = scene(at={"purple": "mill", "white": "earth_temple"}, **BASE)
    state = done(closed(start), pay(0, "terrah", None, pairs=None), pay(1, "terrah", None, pairs=None))
    pile = Place("discard")
    flip = dict(GAME.predict(state)) | {
        Place("figure:white"): CELL_OF["mill"],
        Place(tile("mill")): "mill/built",
    }
    seen = {where: value for where, value in flip.items() if where not in OFF} | {pile: "vulca-3"}
    before = {**GAME.predict(state), pile: "vulca-3"}

    decision = GAME.explain(
        state, Query(picture=seen, before=before, trail={pile: ("hoax-3", "terrah-1", "vulca-3")})
    )

    assert not isinstance(decision, Accepted | Ask), decision


def test_a_pile_emptied_by_reward_cards_is_no_discard_of_another() -> None:
    """He completes a building, its reward cards use up the deck: the empty pile came with his action."""
    before = scene(at={"purple": "mill"}, boxes={"mill": ["white", "white", None]}, **BASE)
    completed = done(closed(before), pay(2, "terrah", None, pairs=None))
    hidden = completed.hidden
    assert hidden is not None
    none = replace(completed, hidden=replace(hidden, aside_high=(0,) * len(hidden.aside_high)))
    picture = {**GAME.predict(completed), Place("discard"): "vulca-1"}
    seen = Query(picture=picture, before={Place("discard"): None}, trail={Place("discard"): ("aqua-1", None)})

    assert compare(completed, seen).earlier_discards == 0
    assert compare(none, seen).earlier_discards == 1


# -- faults -----------------------------------------------------------------------------------------------


def fault(decision: Decision[Action]) -> tuple[str, list[tuple[str, Value]]]:
    """Return the rule and the wanted values; assert a whole sentence and removals first."""
    assert isinstance(decision, OutOfStep), decision
    assert decision.text.endswith(".")
    assert "…" not in decision.text
    assert all(fix.text.endswith(".") for fix in decision.fixes)
    removals = [fix.is_removal for fix in decision.fixes]
    assert removals == sorted(removals, reverse=True)
    return decision.rule, [(str(fix.place), fix.wanted) for fix in decision.fixes]


def gone_far() -> CityState:
    """Purple has walked one step and stands on the Hospice: one is left."""
    return done(scene(at={"purple": "fire_temple"}, **BASE), walk("hospice"))


ON_MILL: Value = CELL_OF["mill"]
FAULTS: dict[str, tuple[CityState, dict[str, Value], str, list[tuple[str, Value]]]] = {
    "marker knocked to a neighbouring box": (
        square(),
        {box("mill", 0): None, box("mill", 1): "white"},
        "table.marker_moved",
        [(box("mill", 1), None), (box("mill", 0), "white")],
    ),
    "marker knocked to another tile": (
        square(),
        {box("mill", 0): None, box("hospice", 0): "white"},
        "table.marker_moved",
        [(box("hospice", 0), None), (box("mill", 0), "white")],
    ),
    "marker removed": (
        square(),
        {box("thermae", 1): None},
        "table.marker_missing",
        [(box("thermae", 1), "purple")],
    ),
    "marker removed under the active figure": (
        square(),
        {box("mill", 0): None},
        "table.marker_missing",
        [(box("mill", 0), "white")],
    ),
    "marker exchanged": (
        square(),
        {box("mill", 0): "purple"},
        "table.marker_changed",
        [(box("mill", 0), "white")],
    ),
    "marker of nobody": (
        square(),
        {box("mill", 1): "pink"},
        "table.stray_marker",
        [(box("mill", 1), None)],
    ),
    "figure of nobody": (square(), {"figure:pink": ON_MILL}, "table.stray_figure", [("figure:pink", None)]),
    "cube on a wrong tile": (
        square(),
        {box("hospice", 0): "purple", "discard": "terrah-3"},
        "contribute.figure_elsewhere",
        [(box("hospice", 0), None)],
    ),
    "figure one step too far": (
        square(),
        {"figure:purple": "1,2"},
        "move.too_far",
        [("figure:purple", ON_MILL)],
    ),
    "figure diagonally": (
        gone_far(),
        {"figure:purple": CELL_OF["great_hall"]},
        "move.step_not_orthogonal",
        [("figure:purple", CELL_OF["hospice"])],
    ),
    "figure of the wrong player": (
        square(),
        {"figure:white": CELL_OF["water_temple"]},
        "turn.not_yours",
        [("figure:white", CELL_OF["thermae"])],
    ),
    "figure after a contribution": (
        done(square(), pay(1, "terrah", "terrah-3")),
        {"figure:purple": CELL_OF["monastery_tower"]},
        "phase.movement_is_over",
        [("figure:purple", ON_MILL)],
    ),
    "dragon without a card": (
        square(),
        {"dragon:water": ON_MILL},
        "dragon.no_card",
        [("dragon:water", None)],
    ),
    "dragon in the city without a card": (
        scene(dragons={"fire": "aqueduct"}, **BASE),
        {"dragon:fire": ON_MILL},
        "dragon.no_card",
        [("dragon:fire", CELL_OF["aqueduct"])],
    ),
    "contribution without markers": (
        scene(at={"purple": "mill"}, obelisk=dict.fromkeys(range(2, 12), "purple"), **BASE),
        {box("mill", 1): "purple", "discard": "terrah-3"},
        "contribute.no_marker",
        [(box("mill", 1), None)],
    ),
    "offering from outside the courtyard": (
        scene(at={"purple": "mill"}, crystals={"purple": 9}, **BASE),
        {"obelisk:2": "purple"},
        "offer.not_in_courtyard",
        [("obelisk:2", None)],
    ),
    "offering out of order": (
        scene(crystals={"purple": 9}, **BASE),
        {"obelisk:5": "purple"},
        "offer.wrong_box",
        [("obelisk:5", None)],
    ),
    "offering on a shaded box": (
        scene(crystals={"purple": 9}, **BASE),
        {"obelisk:0": "purple"},
        "offer.shaded_box",
        [("obelisk:0", None)],
    ),
    "offering too dear": (
        scene(crystals={"purple": 6}, **BASE),
        {"obelisk:2": "purple"},
        "offer.too_few_crystals",
        [("obelisk:2", None)],
    ),
    "offering removed": (
        scene(obelisk={2: "purple", 3: "white"}, **BASE),
        {"obelisk:2": None},
        "table.offering_missing",
        [("obelisk:2", "purple")],
    ),
    "offering moved up": (
        scene(obelisk={2: "purple", 3: "white"}, **BASE),
        {"obelisk:2": None, "obelisk:4": "purple"},
        "table.offering_missing",
        [("obelisk:4", None), ("obelisk:2", "purple")],
    ),
    "tile flipped early": (
        square(),
        {tile("mill"): "mill/built", box("mill", 0): None},
        "table.flipped_early",
        [(tile("mill"), "mill/sketch"), (box("mill", 0), "white")],
    ),
    "tile flipped where nobody stands": (
        square(),
        {tile("hospice"): "hospice/built"},
        "table.flipped_early",
        [(tile("hospice"), "hospice/sketch")],
    ),
    "tiles swapped": (
        square(),
        {tile("mill"): "hospice/sketch", tile("hospice"): "mill/sketch"},
        "table.tile_moved",
        [(tile("hospice"), "hospice/sketch"), (tile("mill"), "mill/sketch")],
    ),
}


@pytest.mark.parametrize("veiled", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_rule_and_what_to_put_back(name: str, veiled: bool) -> None:
    """Each fault by itself: one rule, one sentence, exactly the pieces to put back, removals first."""
    state, changes, rule, fixes = FAULTS[name]

    named = fault(look(closed(state) if veiled else state, changes, before=dict(GAME.predict(state))))

    assert (rule, sorted(fixes, key=str)) == (named[0], sorted(named[1], key=str))


@pytest.mark.parametrize("name", FAULTS)
def test_putting_right_what_was_named_is_enough(name: str) -> None:
    """Doing all that the fixes say leads back to a table in step."""
    state, changes, _, _ = FAULTS[name]
    decision = look(state, changes)
    assert isinstance(decision, OutOfStep)

    repaired = {**changes, **{str(fix.place): fix.wanted for fix in decision.fixes}}
    repaired.pop("discard", None)
    verdict = look(state, {k: v for k, v in repaired.items() if not k.startswith("figure:pink")})

    assert isinstance(verdict, InStep), verdict


@pytest.mark.parametrize("name", FAULTS)
def test_a_hidden_place_elsewhere_does_not_hide_a_fault(name: str) -> None:
    """With some place of a far tile unseen, a fault is named or waited for, never accepted."""
    state, changes, rule, _ = FAULTS[name]
    for where in (tile("aqueduct"), box("royal_palace", 0), "figure:white", "dragon:earth"):
        hide = [where] if where not in changes else []
        decision = look(closed(state), changes, hide=hide, before=dict(GAME.predict(state)))

        assert isinstance(decision, OutOfStep | Waiting), (where, decision)
        if isinstance(decision, OutOfStep):
            assert decision.rule == rule


def random_faults(state: CityState, rng: random.Random) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield faults that any table of a random game allows, with the kinds of rules that may name them."""
    names = state.setup.players
    standing = [
        (where, value)
        for where, value in GAME.predict(state).items()
        if where.startswith("box:") and value is not None
    ]
    if standing:
        where, owner = rng.choice(standing)
        cell = where.split(":")[1]
        free = [p for p, v in GAME.predict(state).items() if p.startswith(f"box:{cell}:") and v is None]
        if free:
            yield "table.marker_moved", {where: None, rng.choice(free): owner}
        if cell != _cell_text(state, state.active):
            yield "table.marker_missing", {where: None}
        yield "table.marker_changed", {where: next(n for n in names if n != owner)}
    offered = [(p, v) for p, v in GAME.predict(state).items() if p.startswith("obelisk:") and v]
    if offered:
        yield "table.offering_missing", {rng.choice(offered)[0]: None}
    sketches = [p for p, v in GAME.predict(state).items() if str(v).endswith("/sketch")]
    away = [p for p in sketches if all(p != f"cell:{_cell_text(state, s)}" for s in range(len(names)))]
    if away:
        where = rng.choice(away)
        yield "table.flipped_early", {where: str(GAME.predict(state)[where]).replace("sketch", "built")}
    if len(sketches) > 1:
        one, other = rng.sample(sketches, 2)
        yield (
            "table.tile_moved",
            {
                one: GAME.predict(state)[other],
                other: GAME.predict(state)[one],
            },
        )


def _cell_text(state: CityState, seat: int) -> str:
    return str(GAME.predict(state)[Place(f"figure:{state.setup.players[seat]}")])


@pytest.mark.parametrize("seed", range(23, 29))
def test_faults_are_named_on_the_tables_of_random_games(seed: int) -> None:
    """Markers, offerings and tiles tampered with at any moment of a game: named by their rule."""
    rng = random.Random(seed)
    for start, _, _, _ in turns(seed)[::3]:
        for rule, changes in random_faults(start, rng):
            for state in (start, closed(start)):
                decision = look(state, changes)

                assert isinstance(decision, OutOfStep), (rule, changes, decision)
                assert decision.rule == rule
                assert {str(fix.place) for fix in decision.fixes} == set(changes)


@pytest.mark.parametrize("seed", range(29, 33))
def test_dragons_and_figures_out_of_hand_are_named(seed: int) -> None:
    """At the start of any turn: a dragon moved with the pile unchanged, another player's figure moved."""
    rng = random.Random(seed)
    for start, _, _, _ in turns(seed)[::3]:
        if GAME.predict(start)[Place("discard")] is None or len(start.deck) < 5:
            continue
        dragon = rng.choice(("fire", "earth", "water"))
        here = GAME.predict(start)[Place(f"dragon:{dragon}")]
        to = next(cell for cell in ("0,1", "4,3") if cell != here)
        people = {"fire": "vulca", "earth": "terrah", "water": "aqua"}[dragon]
        if start.discard[-1] not in (f"{people}-1", f"{people}-2"):
            decision = look(closed(start), {f"dragon:{dragon}": to}, before=dict(GAME.predict(start)))
            assert fault(decision) == ("dragon.no_card", [(f"dragon:{dragon}", here)])
        seat = (start.active + 1) % len(start.figures)
        name = start.setup.players[seat]
        moved = next(c for c in ("1,2", "2,1") if c != _cell_text(start, seat))
        decision = look(closed(start), {f"figure:{name}": moved}, before=dict(GAME.predict(start)))
        assert isinstance(decision, OutOfStep)
        assert decision.rule in ("turn.not_yours", "move.too_far", "move.step_not_orthogonal")


# -- what nobody saw --------------------------------------------------------------------------------------


def test_a_contribution_waits_for_the_dragons_to_be_seen() -> None:
    """A dragon may have been brought there first: its scale would be lost."""
    paid = {box("mill", 1): "purple", "discard": "terrah-3"}
    flown = replace(square(), dragons=(cell_of("aqueduct"), -1, -1))

    decision = look(flown, paid, hide=["dragon:fire"])

    assert isinstance(decision, Waiting)
    assert "needs to see the fire dragon" in decision.text


@pytest.mark.parametrize(("card", "is_waited"), [("vulca-1", True), ("aqua-3", False)])
def test_a_walk_beside_a_dragons_card_waits_for_the_dragons_to_be_seen(card: str, is_waited: bool) -> None:
    """A card that moves dragons came along with a walk that needs none."""
    state = replace(closed(square()), dragons=(cell_of("aqueduct"), -1, -1))
    walked = {"figure:purple": CELL_OF["earth_temple"], "discard": card}

    assert isinstance(look(state, walked, hide=["dragon:fire"]), Waiting if is_waited else Accepted)
    assert isinstance(look(state, walked), Accepted)


def test_a_dragon_outside_the_city_is_not_waited_for() -> None:
    """It has no place to be seen in; a game would stand still for a sight that never comes."""
    paid = {box("mill", 1): "purple", "discard": "terrah-3"}
    away = replace(square(), dragons=(-1, -1, -1))

    assert isinstance(look(away, paid, hide=["dragon:fire"]), Accepted)


def test_who_walks_on_may_have_had_another_turn_while_nobody_else_was_seen() -> None:
    """White may have walked unseen in between; it is purple's first walk of a turn otherwise."""
    state = done(square(), walk("earth_temple"))
    on = {"figure:purple": CELL_OF["mill"]}

    decision = look(state, on, hide=["figure:white"])
    assert isinstance(decision, Waiting)
    assert "needs to see white's figure" in decision.text
    assert isinstance(look(state, on), Accepted)
    assert isinstance(
        look(square(), {"figure:purple": CELL_OF["earth_temple"]}, hide=["figure:white"]), Accepted
    )


@pytest.mark.parametrize("before", [(), (0,)])
@pytest.mark.parametrize("boxes", [(1,), (1, 2)])
def test_who_pays_again_may_do_so_in_another_turn_while_nobody_else_was_seen(
    before: tuple[int, ...], boxes: tuple[int, ...]
) -> None:
    """White may have walked unseen in between; a single marker is of this turn in any case."""
    start = closed(scene(at={"purple": "mill", "white": "thermae"}, boxes={"mill": [None] * 3}, **BASE))
    paid = [Contribute(player="purple", box=number, colour="terrah", cards=None) for number in before]
    new: dict[str, Value] = {box("mill", number): "purple" for number in boxes}
    new |= {"discard": "terrah-3"}
    state = done(start, *paid)

    seen, unseen = look(state, new), look(state, new, hide=["figure:white"])

    assert isinstance(seen, Accepted)
    if len(before) + len(boxes) == 1:
        assert isinstance(unseen, Accepted)
    else:
        assert isinstance(unseen, Waiting)
        assert "needs to see white's figure" in unseen.text


@pytest.mark.parametrize(("has_paid", "whose"), [(False, "purple"), (True, "white")])
def test_a_dragon_waits_for_the_figure_of_its_mover_to_be_seen(has_paid: bool, whose: str) -> None:
    """Who walked away unseen has ended a turn, and another player has moved the dragon."""
    start = replace(square(), dragons=(cell_of("mill"), cell_of("hospice"), -1))
    paid = Contribute(player="purple", box=1, colour="terrah", cards=None)
    state = done(closed(start), paid if has_paid else walk("earth_temple"))
    moved = {"dragon:earth": CELL_OF["thermae"]}

    assert isinstance(look(state, moved, hide=["discard"]), Accepted)
    decision = look(state, moved, hide=["discard", f"figure:{whose}"])
    assert isinstance(decision, Waiting)
    assert f"needs to see {whose}'s figure" in decision.text


@pytest.mark.parametrize("hidden", [None, "figure:white", box("thermae", 2), box("aqueduct", 0)])
def test_who_moves_after_paying_breaks_no_rule_if_another_turn_may_have_gone_unseen(
    hidden: str | None,
) -> None:
    """White may have walked, or paid another box of the Thermae, while nobody saw it."""
    state = done(closed(square()), Contribute(player="purple", box=1, colour="terrah", cards=None))
    moved: dict[str, Value] = {"figure:purple": CELL_OF["earth_temple"]}

    decision = look(state, moved, hide=["discard", *filter(None, [hidden])])

    if hidden is None or hidden == box("aqueduct", 0):
        assert isinstance(decision, OutOfStep)
        assert decision.rule == "phase.movement_is_over"
    else:
        assert isinstance(decision, Waiting)
        assert "needs to see" in decision.text


def test_a_turn_end_waits_for_the_boxes_of_the_turn() -> None:
    """Purple may have paid a box that nobody sees; white's move does not end the turn yet."""
    state = done(square(), walk("earth_temple"), walk("mill"))
    moved = {"figure:white": CELL_OF["water_temple"]}

    assert isinstance(look(state, moved, hide=[box("mill", 1)]), Waiting)
    assert isinstance(look(state, moved, hide=[box("aqueduct", 0)]), Accepted)


@pytest.mark.parametrize(
    ("card", "hidden", "is_asked"), [("terrah-3", 1, True), ("vulca-1", 1, False), ("terrah-3", None, False)]
)
def test_a_box_behind_a_dragon_is_asked_about_where_a_card_speaks_for_it(
    card: str, hidden: int | None, is_asked: bool
) -> None:
    """Nobody can wait for what a dragon hides; a card of the building's colour may have paid it."""
    state = closed(
        done(replace(square(), dragons=(cell_of("mill"), -1, -1)), walk("earth_temple"), walk("mill"))
    )
    pile = Place("discard")
    picture = {**GAME.predict(state), Place("figure:white"): CELL_OF["water_temple"], pile: "aqua-1"}
    if hidden is not None:
        del picture[Place(box("mill", hidden))]
    trail = {pile: ("aqua-2", "aqua-2", card, "aqua-1")}
    decision = GAME.explain(state, Query(picture=picture, before={pile: "aqua-1"}, trail=trail))

    if not is_asked:
        assert isinstance(decision, Accepted)
        return
    assert isinstance(decision, Ask)
    paid, unpaid = [[type(action) for action in choice.actions] for choice in decision.choices]
    assert (paid, unpaid) == ([Contribute, End, Move], [End, Move])
    first = decision.choices[0].actions[0]
    assert isinstance(first, Contribute)
    assert (first.player, first.box, first.colour) == ("purple", 1, "terrah")


@pytest.mark.parametrize(("card", "is_asked"), [("hoax-2", True), ("aqua-3", False)])
def test_a_box_behind_a_dragon_may_have_been_paid_before_another(card: str, is_asked: bool) -> None:
    """Purple pays box 3 of the Mill; a card that came before it may have paid box 2, which nobody sees."""
    start = scene(at={"purple": "mill"}, dragons={"fire": "mill"}, **BASE)
    state, pile = closed(start), Place("discard")
    picture = {**GAME.predict(state), Place(box("mill", 2)): "purple", pile: "terrah-3"}
    del picture[Place(box("mill", 1))]
    trail = {pile: ("hoax-3", "hoax-3", card)}
    decision = GAME.explain(state, Query(picture=picture, before={pile: card}, trail=trail))

    runs = [c.actions for c in decision.choices] if isinstance(decision, Ask) else [decision.actions]
    boxes = [[a.box for a in run if isinstance(a, Contribute)] for run in runs]
    assert boxes == ([[1, 2], [2]] if is_asked else [[2]])


@pytest.mark.parametrize("has_walked", [False, True])
@pytest.mark.parametrize(
    ("has_paid", "is_pile_seen", "is_asked"),
    [(False, False, True), (True, False, False), (False, True, False)],
)
def test_what_was_paid_behind_a_dragon_is_asked_where_nothing_else_was(
    has_paid: bool, is_pile_seen: bool, is_asked: bool, has_walked: bool
) -> None:
    """Purple stands on the Mill beside a dragon, and white moves on: purple has hardly done nothing there."""
    start = replace(square(), dragons=(cell_of("mill"), -1, -1))
    state = closed(done(start, walk("earth_temple"), walk("mill")) if has_walked else start)
    known = dict(GAME.predict(state))
    picture = {**known, Place("figure:white"): CELL_OF["water_temple"]}
    if has_paid:
        picture[Place(box("mill", 1))] = "purple"
    hidden = [box("mill", number) for number in (1, 2) if not (has_paid and number == 1)]
    for where in hidden if is_pile_seen else [*hidden, "discard"]:
        del picture[Place(where)]
    decision = GAME.explain(state, Query(picture=picture, before=known if is_pile_seen else {}))

    assert isinstance(decision, Ask) == is_asked
    if isinstance(decision, Ask):
        paid = [[a.box for a in choice.actions if isinstance(a, Contribute)] for choice in decision.choices]
        assert paid == [[1], [2], []]
        assert all(any(isinstance(one, End) for one in choice.actions) for choice in decision.choices)
    elif has_walked:
        assert isinstance(decision, Accepted)


@pytest.mark.parametrize("is_box_seen", [False, True])
def test_whose_dragon_it_was_is_asked_where_the_running_turn_may_be_over(is_box_seen: bool) -> None:
    """Purple walked to the Mill and may have paid a box there that nobody sees, before the dragon moved."""
    start = replace(square(), dragons=(cell_of("mill"), cell_of("hospice"), -1))
    state = closed(done(start, walk("earth_temple"), walk("mill")))
    picture = {**GAME.predict(state), Place("dragon:fire"): CELL_OF["thermae"]}
    for where in ["discard", *(() if is_box_seen else (box("mill", 1), box("mill", 2)))]:
        picture.pop(Place(where), None)
    decision = GAME.explain(state, Query(picture=picture))

    if is_box_seen:
        assert isinstance(decision, Accepted)
        assert [action.player for action in decision.actions] == ["purple"]
    else:
        assert isinstance(decision, Ask)
        movers = [
            [one.player for one in each.actions if isinstance(one, MoveDragon)] for each in decision.choices
        ]
        assert {name for names in movers for name in names} == {"purple", "white"}


@pytest.mark.parametrize(
    ("steps", "hidden", "paid"),
    [
        (2, ["discard", box("thermae", 0)], [[0], [], []]),
        (2, ["discard", box("thermae", 0), box("thermae", 2)], [[0], [2], [], []]),
        (2, ["discard", box("mill", 1)], [[1], [], []]),
        (2, ["discard"], None),
        (1, ["discard", box("thermae", 0)], None),
    ],
)
def test_whether_others_had_a_turn_is_asked_where_a_figure_walks_on_with_a_card_nobody_saw(
    steps: int, hidden: list[str], paid: list[list[int]] | None
) -> None:
    """Purple has walked and walks again; white, on the Thermae, may have paid what nobody sees meanwhile.

    So may purple, on the Mill, before white passed.
    """
    walked = [walk("earth_temple"), walk("mill")][:steps]
    state = closed(done(square(), *walked))
    to = "earth_temple" if steps == 2 else "mill"
    picture = {**GAME.predict(state), Place("figure:purple"): CELL_OF[to]}
    for where in hidden:
        picture.pop(Place(where), None)
    decision = GAME.explain(state, Query(picture=picture))

    if paid is None:
        assert isinstance(decision, Accepted)
        assert [type(action) for action in decision.actions] in ([Move], [Fly])
        return
    assert isinstance(decision, Ask)
    assert "moved twice" in decision.text
    boxes = [[a.box for a in c.actions if isinstance(a, Contribute)] for c in decision.choices]
    assert boxes == paid
    ends = [[a.player for a in c.actions if isinstance(a, End)] for c in decision.choices]
    assert ends == [["purple", "white"]] * (len(paid) - 1) + [[]]
    # In a turn of its own the figure needs no card for its way.
    *anew, _ = decision.choices
    assert all(isinstance(c.actions[-1], Move) and c.actions[-1].cards in (None, ()) for c in anew)


@pytest.mark.parametrize("is_doubted", [False, True])
def test_a_box_that_does_not_look_empty_may_have_been_paid_besides_another(is_doubted: bool) -> None:
    """Purple paid box 2 of the Mill; box 3, behind a dragon, does not look empty when the turn has ended."""
    start = replace(square(), dragons=(cell_of("mill"), -1, -1))
    paid = Contribute(player="purple", box=1, colour="terrah", cards=None, pairs=None, recolour=None)
    state, behind = done(closed(start), paid), Place(box("mill", 2))
    picture = {**GAME.predict(state), Place("figure:white"): CELL_OF["water_temple"]}
    for where in (behind, Place("discard")):
        picture.pop(where, None)
    doubted = frozenset({behind} if is_doubted else ())
    decision = GAME.explain(state, Query(picture=picture, doubted=doubted))

    if not is_doubted:
        assert isinstance(decision, Accepted)
        return
    assert isinstance(decision, Ask)
    boxes = [[a.box for a in c.actions if isinstance(a, Contribute)] for c in decision.choices]
    assert boxes == [[2], []]


def test_what_was_waited_for_in_vain_is_not_taken_for_nothing() -> None:
    """Purple, alone on the Mill, may have paid two boxes that a lamp hides; white moves on and pays."""
    state = closed(done(square(), walk("earth_temple"), walk("mill")))
    picture = {
        **GAME.predict(state),
        Place("figure:white"): CELL_OF["water_temple"],
        Place(box("water_temple", 0)): "white",
    }
    for hidden in (box("mill", 1), box("mill", 2), "discard"):
        del picture[Place(hidden)]
    look = Query(picture=picture)

    assert isinstance(GAME.explain(state, look), Waiting)
    found = likeliest(GAME, courses(GAME, state, [look], trusting=True))
    paid = [
        [one.box for one in course.actions if one.player == "purple" and isinstance(one, Contribute)]
        for course in found
    ]
    assert sorted(paid) == [[], [1], [2]]


def test_an_offering_on_a_board_that_nobody_sees_is_not_taken_for_nothing() -> None:
    """White stands in the courtyard and may have made an offering before purple went on."""
    start = scene(at={"purple": "mill"}, crystals={"white": 20, "purple": 20}, **BASE)
    state = closed(done(start, walk("earth_temple"), End(player="purple", discard=())))
    picture = {**GAME.predict(state), Place("figure:purple"): CELL_OF["mill"]}
    for hidden in ("discard", *(f"obelisk:{number}" for number in range(13))):
        picture.pop(Place(hidden), None)
    state = replace(state, acts=1)
    look = Query(picture=picture)

    assert isinstance(GAME.explain(state, look), Waiting)
    found = likeliest(GAME, courses(GAME, state, [look], trusting=True))
    assert sorted(any(isinstance(one, Offer) for one in course.actions) for course in found) == [False, True]


def test_an_unseen_figure_is_where_its_marker_is() -> None:
    """A new marker or offering tells where the figure that is hidden must be."""
    marker = look(
        closed(square()), {box("earth_temple", 2): "purple", "discard": "terrah-3"}, hide=["figure:purple"]
    )
    state = scene(at={"purple": "fire_temple"}, crystals={"purple": 7}, **BASE)
    offering = look(state, {"obelisk:2": "purple"}, hide=["figure:purple"])

    assert isinstance(marker, Accepted)
    assert [type(a) for a in marker.actions] == [Move, Contribute]
    assert isinstance(offering, Accepted)
    assert [type(a) for a in offering.actions] == [Move, Offer]


def test_remembered_and_contested_places_prove_nothing() -> None:
    """A place that is only remembered, or on which two sources differ, is treated as unseen."""
    state = square()
    picture = dict(GAME.predict(state)) | {Place("figure:purple"): CELL_OF["thermae"]}
    where = Place("figure:purple")

    for seen in (
        Query(picture=picture, unseen=frozenset({where})),
        Query(picture=picture, contested={where: (CELL_OF["thermae"], CELL_OF["mill"])}),
    ):
        assert isinstance(GAME.explain(state, seen), InStep)


def test_an_empty_pile_after_a_possible_reshuffle_proves_nothing() -> None:
    """The pile is empty before and after, the deck nearly so: the card may be in the new deck."""
    late = scene(hands=BASE["hands"], deck="vulca-3 vulca-3 vulca-3", pile="")
    late = replace(late, deck=late.deck[:3], discard=())

    assert isinstance(look(closed(late), {"dragon:water": ON_MILL}), Accepted)
    early = scene(hands=BASE["hands"], pile="")
    assert fault(look(closed(early), {"dragon:water": ON_MILL}))[0] == "dragon.no_card"


def test_after_the_end_the_table_is_left_alone() -> None:
    """The game is over: packing up is nobody's fault."""
    won = done(
        scene(obelisk=dict.fromkeys(range(2, 7), "purple"), crystals={"purple": 12}), Offer(player="purple")
    )

    assert isinstance(look(won, {"figure:purple": None, tile("mill"): None}), InStep)


def test_moves_and_dragons_of_one_turn_in_any_order() -> None:
    """A dragon that leaps and a figure that walks: whichever came first, the outcome is one."""
    decision = look(
        closed(square()),
        {"dragon:water": CELL_OF["thermae"], "figure:purple": CELL_OF["thermae"], "discard": "aqua-1"},
    )

    assert isinstance(decision, Accepted)
    assert {type(a) for a in decision.actions} == {Move, MoveDragon}
    assert end(player="purple") not in decision.actions
