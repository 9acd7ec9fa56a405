"""Reconciling Nova Luna: what a seen table means, what is waited for, what is named as wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decision import Accepted, Ask, InStep, OutOfStep, Waiting
from companion.games.nova_luna import GAME
from companion.games.nova_luna.actions import NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import TILES, twin
from companion.games.nova_luna.rules import tiles_in_game
from companion.games.nova_luna.state import Laid, essence, free_cells, reach
from companion.games.nova_luna.table import loose_place, loose_value
from companion.observation import Query, Snapshot
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place, kind_of
from tests.benchmarks.nova_urbion_mischief import nova_mischief
from tests.benchmarks.nova_urbion_reconcile import Noise, run


def at(seed, turns, players=2):
    """Return the state after some random turns."""
    rng = random.Random(seed)
    state = GAME.start(GAME.deal(rng, {"players": players}))
    for _ in range(turns):
        legal = list(GAME.legal_actions(state))
        if not legal:
            break
        state = GAME.apply(state, rng.choice(legal))[0]
    return state


def fulfilling():
    """Return (state, take) such that the take fulfils a task: a 7 with two of its three neighbours laid."""
    state = at(0, 0)
    seven = next(t for t in TILES.values() if t.cost == 7)
    parts = [
        next(t.id for t in TILES.values() if t.colour == c and not t.tasks) for c in _others(seven.colour)
    ]
    player = GAME.turn_of(state)
    area = (Laid(tile=seven.id, at=(0, 0)), Laid(tile=parts[0], at=(0, 1)), Laid(tile=parts[1], at=(1, 0)))
    seats = tuple(replace(s, area=area) if s.player == player else s for s in state.seats)
    spare = [t for t in TILES if t not in (seven.id, *parts)]
    wheel = (None, parts[2], *spare[:10])
    state = replace(state, seats=seats, wheel=wheel, stock=tuple(spare[10:64]))
    return state, Take(player=player, tile=parts[2], at=(0, -1))


def _others(colour):
    return [c for c in ("red", "blue", "turquoise", "yellow") if c != colour]


def look(state, picture, **more):
    """Explain a picture in a state."""
    return GAME.explain(state, Query(picture=picture, **more))


def after(state, *actions):
    """Return the state after the actions."""
    for action in actions:
        state = GAME.apply(state, action)[0]
    return state


# -- what is accepted ---------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6), players=st.integers(1, 4), turns=st.integers(0, 70), ahead=st.integers(1, 3)
)
def test_up_to_three_actions_are_found_from_the_whole_picture(seed, players, turns, ahead):
    """The run that is accepted leads to the state whose picture was seen; its own picture is in step."""
    before = at(seed, turns, players)
    rng = random.Random(seed)
    state, actions = before, []
    for _ in range(ahead):
        legal = list(GAME.legal_actions(state))
        if legal:
            actions.append(rng.choice(legal))
            state = after(state, actions[-1])
    decision = look(before, GAME.predict(state))

    assert isinstance(look(before, GAME.predict(before)), InStep)
    if not actions:
        assert isinstance(decision, InStep)
    elif isinstance(decision, Accepted):
        assert essence(after(before, *decision.actions)) == essence(state)
    else:
        assert isinstance(decision, Ask)
        assert len(decision.choices) > 1


def test_remembered_and_contested_places_are_no_evidence():
    """A place that is not seen just now, or that two sources quarrel about, says nothing."""
    before = at(3, 6)
    picture = dict(GAME.predict(before))
    where = Place("meeple")
    picture[where] = str((before.figure + 5) % 12)

    assert isinstance(look(before, picture), OutOfStep)
    assert isinstance(look(before, picture, unseen=frozenset({where})), InStep)
    assert isinstance(look(before, picture, contested={where: ("1", "2")}), InStep)


def test_twins_are_taken_from_the_slot_that_is_empty():
    """Of two tiles that look alike the one whose slot is empty was taken."""
    state = at(0, 0)
    wheel = (None, 2, 3, *range(20, 29))
    state = replace(state, wheel=wheel)
    take = Take(player=GAME.turn_of(state), tile=3, at=(0, 0))

    assert look(state, GAME.predict(after(state, take))).actions == (take,)


# -- face-down stock -------------------------------------------------------------------------------------


def test_unknown_tiles_are_read_off_the_refilled_wheel():
    """With a face-down stock refilling reveals what lies on the wheel, in the order of filling."""
    open_state = replace(at(5, 0), wheel=(None, 7, *[None] * 10), stock=tuple(range(21, 36)))
    closed = replace(open_state, stock=(None,) * 15)
    player = GAME.turn_of(closed)
    decision = look(closed, GAME.predict(after(open_state, Refill(player=player))))

    assert decision.actions == (Reveal(stock=tuple(range(21, 31))), Refill(player=player))


def test_a_half_filled_wheel_is_waited_for():
    """While new tiles are still being laid or hidden nothing is guessed."""
    open_state = replace(at(5, 0), wheel=(None, 7, *[None] * 10), stock=tuple(range(21, 36)))
    closed = replace(open_state, stock=(None,) * 15)
    full = GAME.predict(after(open_state, Refill(player=GAME.turn_of(closed))))
    half = {**full, Place("wheel:9"): None}
    hidden = {where: value for where, value in full.items() if where != "wheel:9"}

    assert isinstance(look(closed, half), Waiting)
    waits = look(closed, hidden)
    assert isinstance(waits, Waiting)
    assert "Not read yet: slot 10 of the wheel." in str(waits.text)


def test_a_tile_refilled_and_taken_at_once_is_found_in_the_area():
    """A turn that refills and takes, seen only at its end, is told from slot and area."""
    open_state = replace(at(5, 0), wheel=(None, 7, *[None] * 10), stock=tuple(range(21, 36)))
    closed = replace(open_state, stock=(None,) * 15)
    player = GAME.turn_of(closed)
    done = after(open_state, Refill(player=player), Take(player=player, tile=21, at=(0, 0)))
    decision = look(closed, GAME.predict(done))

    assert decision.actions[1:] == (Refill(player=player), Take(player=player, tile=21, at=(0, 0)))


def test_a_tile_refilled_and_laid_between_two_cells_is_found_there():
    """What it is tells what lay on the wheel; on which cell it lies is asked."""
    closed = replace(at(5, 6), wheel=(None, 7, *[None] * 10), stock=(None,) * 15)
    player = GAME.turn_of(closed)
    seat = next(seat for seat in closed.seats if seat.player == player)
    left = [tile for tile in sorted(TILES) if tile not in tiles_in_game(closed)][:15]
    opened = replace(closed, stock=tuple(left))
    cells = free_cells(seat.area)[:2]
    done = after(opened, Refill(player=player), Take(player=player, tile=left[0], at=cells[0]))
    picture = dict(GAME.predict(done))
    area = Place(f"area:{player}")
    del picture[Place(f"{area}:{cells[0][0]},{cells[0][1]}")]
    picture[area] = GAME.predict(closed)[area]
    look_of = str(twin(left[0]))
    picture[loose_place(player)] = loose_value(look_of, (f"{row},{column}" for row, column in cells))

    asked = look(closed, picture)

    assert isinstance(asked, Ask)
    told = [choice.actions[-1] for choice in asked.choices if choice.actions]
    assert told == [Take(player=player, tile=told[0].tile, at=cell) for cell in cells]
    assert {str(twin(take.tile)) for take in told} == {look_of}


def test_the_solo_game_goes_into_its_second_phase():
    """A full wheel and new tokens show that the first phase ended."""
    rng = random.Random(4)
    state = GAME.start(GAME.deal(rng, {"players": 1}))
    while NextPhase(player="red") not in (legal := list(GAME.legal_actions(state))):
        state = after(state, rng.choice(legal))
    decision = look(state, GAME.predict(after(state, NextPhase(player="red"))))

    assert decision.actions == (NextPhase(player="red"),)


# -- what is waited for ----------------------------------------------------------------------------------


def test_forgotten_tokens_are_pointed_out():
    """A fulfilled task without its token is named, and nothing is decided before it is covered."""
    state, take = fulfilling()
    done = after(state, take)
    picture = dict(GAME.predict(done))
    covers = [w for w, value in picture.items() if kind_of(w) == "cover" and value]
    assert len(covers) == 3
    picture[covers[1]] = None
    decision = look(state, picture)

    assert isinstance(decision, Waiting)
    assert "Fulfilled but not covered" in decision.text
    assert [fix.place for fix in decision.pending] == [covers[1]]
    assert isinstance(look(done, picture), Waiting)
    assert look(state, GAME.predict(done)).actions == (take,)


def test_the_last_tokens_may_lie_on_any_fulfilled_tasks():
    """With fewer tokens than fulfilled tasks it does not matter which of them are covered."""
    state, take = fulfilling()
    seats = tuple(replace(s, supply=1) if s.player == take.player else s for s in state.seats)
    state = replace(state, seats=seats)
    done = after(state, take)
    picture = dict(GAME.predict(done))
    first, second, *_ = (w for w in picture if kind_of(w) == "cover")
    picture[first], picture[second] = None, "token"

    assert done.reason == "tokens"
    assert look(state, picture).actions == (take,)


@pytest.mark.parametrize("late", ["meeple", "track", "wheel"])
def test_a_turn_on_its_way_is_waited_for(late):
    """The tile is laid, but figure, token or slot are still as before: that is what is asked for."""
    state, take = fulfilling()
    done, old = GAME.predict(after(state, take)), GAME.predict(state)
    picture = {where: old[where] if kind_of(where) == late else value for where, value in done.items()}
    decision = look(state, picture)

    assert isinstance(decision, Waiting)
    assert {kind_of(fix.place) for fix in decision.pending} == {late}


def test_a_tile_in_the_hand_and_lifted_pieces_are_waited_for():
    """A tile within reach may be in the hand, the figure or a token in the air."""
    state = at(2, 9)
    picture = dict(GAME.predict(state))
    slot = reach(state)[0]

    for changed in ({f"wheel:{slot}": None}, {"meeple": None}, {"meeple": None, f"wheel:{slot}": None}):
        assert isinstance(look(state, {**picture, **changed}), Waiting)
    track = next(where for where, value in picture.items() if kind_of(where) == "track" and value)
    value = picture[track].rpartition(">")[0] or None
    assert isinstance(look(state, {**picture, track: value}), Waiting)


def test_a_hand_over_the_table_is_waited_for():
    """Nothing is decided under a hand, but being in step is seen through it."""
    state, take = fulfilling()

    assert isinstance(look(state, GAME.predict(after(state, take)), busy=True), Waiting)
    assert isinstance(look(state, GAME.predict(state), busy=True), InStep)


def test_a_hidden_area_is_waited_for():
    """Wheel, figure and token show a turn, but not where the tile was laid."""
    state = at(2, 9)
    take = next(a for a in GAME.legal_actions(state) if isinstance(a, Take))
    picture = GAME.predict(after(state, take))
    seen = {where: value for where, value in picture.items() if f":{take.player}" not in where}

    decision = look(state, seen)
    assert isinstance(decision, Waiting)
    assert take.player in decision.text


def test_nothing_is_asked_after_the_end():
    """When the game is over every table is in step."""
    state = at(1, 400)
    assert state.reason is not None
    assert isinstance(look(state, {}), InStep)


# -- what is wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_every_mischief_is_named_with_its_rule(seed):
    """Each thing that players get wrong names its rule, in words, with what to put back, removals first."""
    rng = random.Random(seed)
    state = at(seed, rng.randrange(60), 1 + seed % 4)
    for name, (picture, rules) in nova_mischief(rng, state):
        decision = look(state, picture)
        assert isinstance(decision, OutOfStep), name
        assert decision.rule in rules, name
        assert GAME.rule_text(decision.rule, decision.params) == decision.text
        assert decision.fixes
        removals = [fix.is_removal for fix in decision.fixes]
        assert removals == sorted(removals, reverse=True)


def test_the_fixes_put_the_table_right():
    """Doing what is asked for leads back to a table that is in step."""
    rng = random.Random(7)
    state = at(7, 20)
    for _, (picture, _) in nova_mischief(rng, state):
        decision = look(state, picture)
        if decision.rule in ("take.out_of_reach", "turn.other", "place.not_adjacent"):
            fixed = dict(picture)
            for fix in decision.fixes:
                fixed[fix.place] = fix.wanted
            fixed = {where: value for where, value in fixed.items() if where in GAME.predict(state)}
            fixed.update(
                {w: v for w, v in GAME.predict(state).items() if w.startswith("area:") and w.count(":") == 1}
            )
            assert isinstance(look(state, fixed), InStep)


def test_an_own_tile_that_was_moved_is_named():
    """Laid tiles stay where they are."""
    state = next(s for s in (at(k, 12) for k in range(20)) if all(len(seat.area) > 2 for seat in s.seats))
    seat = state.seats[0]
    moved = replace(seat, area=(*seat.area[:-1], replace(seat.area[-1], at=(9, 9))))
    decision = look(state, GAME.predict(replace(state, seats=(moved, *state.seats[1:]))))

    assert isinstance(decision, OutOfStep)


def test_noise_commits_nothing_wrong_and_names_what_is():
    """Through noise, unseen turns and fouls: no wrong commit, every foul named, no needless question."""
    tally = run("nova_luna", 12, 1, Noise())

    assert tally.counts["wrong commits"] == 0
    assert tally.counts["games lost"] == 0
    assert not tally.missed
    assert tally.counts["questions"] <= tally.counts["actions"] / 100


def test_alone_the_order_of_two_unseen_turns_is_asked_while_the_figure_may_still_move():
    """Both orders lay the same tiles; only the figure tells them apart, and it may be the last to move."""
    found = (
        (state, one, two)
        for state in (at(seed, turns, players=1) for seed in range(4) for turns in range(3, 9))
        for one in GAME.legal_actions(state)
        for two in (GAME.legal_actions(after(state, one)) if isinstance(one, Take) else ())
        if isinstance(two, Take) and two.tile != one.tile and two in GAME.legal_actions(state)
        if one in GAME.legal_actions(after(state, two))
    )
    state, one, two = next(found)
    decision = look(state, GAME.predict(after(state, one, two)))

    assert isinstance(decision, Ask)
    assert {choice.actions for choice in decision.choices} == {(one, two), (two, one)}


# -- several tables -----------------------------------------------------------------------------------


def covered_by(state, take):
    """Return the places on which a take makes its player lay tokens."""
    before, now = GAME.predict(state), GAME.predict(after(state, take))
    return [at for at, value in now.items() if kind_of(at) == "cover" and value and not before.get(at)]


@pytest.mark.parametrize("seed", range(6))
def test_a_token_that_is_laid_a_turn_late_raises_no_question(seed, tmp_path):
    """It was missing all the time: what was played is plain once it lies there."""
    rng = random.Random(seed)
    header = GAME.deal(rng, {"players": 2})
    referee = Referee(GAME, Journal.create(tmp_path / "game", header))
    state = GAME.start(header)
    referee.consider(Snapshot(picture=GAME.predict(state)))
    while not (fulfilled := [one for one in GAME.legal_actions(state) if covered_by(state, one)]):
        state = after(state, rng.choice(list(GAME.legal_actions(state))))
        referee.consider(Snapshot(picture=GAME.predict(state)))
    taken = rng.choice(fulfilled)
    missing = {covered_by(state, taken)[0]: None}
    turn = after(state, taken)
    following = rng.choice(list(GAME.legal_actions(turn)))
    end = after(turn, following)

    for shown in (turn, end):
        update = referee.consider(Snapshot(picture={**GAME.predict(shown), **missing}))
        assert isinstance(update.decision, Waiting)
    update = referee.consider(Snapshot(picture=GAME.predict(end)))

    assert isinstance(update.decision, Accepted)
    assert update.new_actions == (taken, following)
    assert referee.state == end
