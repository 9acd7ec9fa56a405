"""Nova Luna's rules: tasks as in the rulebook's examples, turns, refilling, endings, the solo game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.errors import RuleViolation
from companion.games.nova_luna import GAME, NovaLuna
from companion.games.nova_luna.actions import NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import TILES, catalogue
from companion.games.nova_luna.rules import cover, solo_score
from companion.games.nova_luna.state import Laid, NovaState, Options, Seat, reach, slots_to_fill, track
from companion.games.nova_luna.tasks import fulfilled_open, touching


def tile_with(colour, *tasks, cost=None):
    """Return a tile of this colour that has all these tasks."""
    wanted = [tuple(sorted(task.items())) for task in tasks]
    return next(
        tile.id
        for tile in TILES.values()
        if tile.colour == colour and all(task in tile.tasks for task in wanted) and cost in (None, tile.cost)
    )


def task_of(tile, **colours):
    """Return the number of a task on a tile."""
    return TILES[tile].tasks.index(tuple(sorted(colours.items())))


def area_of(**cells):
    """Return an area from words like ``c0_m1="red"``: plain tiles of colours, no tile used twice."""
    used = set()
    area = []
    for name, what in cells.items():
        row, col = (int(part.replace("m", "-")) for part in name[1:].split("_"))
        tile = (
            what
            if isinstance(what, int)
            else next(
                t.id
                for t in TILES.values()
                if t.colour == what and t.id not in used and t.id not in cells.values()
            )
        )
        used.add(tile)
        area.append(Laid(tile=tile, at=(row, col)))
    return tuple(area)


def open_tasks(area, tile):
    """Return the fulfilled tasks of one tile of an area."""
    return [number for index, number in fulfilled_open(area) if area[index].tile == tile]


def two_players(**changes):
    """Return the start of a game of two."""
    state = GAME.start(GAME.deal(random.Random(1), {"players": 2}))
    return replace(state, **changes)


# -- the catalogue --------------------------------------------------------------------------------


def test_catalogue_totals():
    """There are 68 tiles, 17 of each colour, 128 tasks, 64 looks, and the facts are marked."""
    assert len(TILES) == 68
    assert {c: sum(t.colour == c for t in TILES.values()) for c in catalogue().colours} == dict.fromkeys(
        catalogue().colours, 17
    )
    assert sum(len(t.tasks) for t in TILES.values()) == 128
    assert len({t.twin for t in TILES.values()}) == 64
    assert sum(t.cost for t in TILES.values()) == 268
    assert catalogue().confidence["tiles"]["confidence"] == "certain"


# -- tasks: the rulebook's examples ---------------------------------------------------------------


def test_two_neighbours_fulfil_a_task_of_two():
    """Example 1: two blue tiles, both next to the yellow one, fulfil "2 blue"."""
    yellow = tile_with("yellow", {"blue": 2})
    area = area_of(c0_0=yellow, c0_1="blue", c1_0="blue")

    assert task_of(yellow, blue=2) in open_tasks(area, yellow)


def test_a_chain_counts_but_diagonals_do_not():
    """Example 2: a second blue tile behind the first counts; tiles across a corner do not."""
    yellow = tile_with("yellow", {"blue": 2})
    chain = area_of(c0_0=yellow, c0_1="blue", c0_2="blue")
    diagonal = area_of(c0_0=yellow, c0_1="blue", c1_0="red", c1_1="yellow", c2_1="blue", c2_0="blue")

    assert task_of(yellow, blue=2) in open_tasks(chain, yellow)
    assert touching(diagonal, (0, 0)) == {"blue": 1, "red": 1}


def test_one_tile_may_fulfil_two_tasks():
    """Examples 3, 4 and 8: every task counts for itself, the same tiles serve several."""
    seven = next(t for t in TILES.values() if t.cost == 7)
    neighbours = dict(
        zip(("c0_1", "c1_0", "c0_m1"), [c for c in catalogue().colours if c != seven.colour], strict=False)
    )
    area = area_of(c0_0=seven.id, **neighbours)

    assert open_tasks(area, seven.id) == [0, 1, 2]

    blue = next(
        t.id
        for t in TILES.values()
        if t.colour == "blue" and (("red", 2),) in t.tasks and (("red", 4),) in t.tasks
    )
    chain = area_of(c0_0=blue, c0_1="red", c0_2="red", c0_3="red", c0_4="red")
    assert {task_of(blue, red=2), task_of(blue, red=4)} <= set(open_tasks(chain, blue))


def test_the_tasks_own_tile_does_not_count_and_connects_nothing():
    """Example 7: a red "4 red" needs four other red tiles; two such tiles help each other."""
    red, twin = (t.id for t in TILES.values() if t.colour == "red" and t.cost == 2)
    three = area_of(c0_0=red, c0_1="red", c0_2="red", c1_0="red")
    four = area_of(c0_0=red, c0_1="red", c0_2="red", c1_0="red", c0_m1="red")
    pair = area_of(c0_0=red, c0_1=twin, c0_2="red", c0_3="red", c0_4="red")

    assert open_tasks(three, red) == []
    assert open_tasks(four, red) == [0]
    assert open_tasks(pair, red) == [0]
    assert open_tasks(pair, twin) == [0]
    assert touching(three, (0, 0)) == {"red": 3}
    assert touching(three, (0, 1)) == {"red": 3}


def test_groups_touching_twice_count_once():
    """A ring of one colour that touches the tile on two sides is one group, each tile once."""
    yellow = tile_with("yellow", {"blue": 2})
    area = area_of(c0_0=yellow, c0_1="blue", c1_1="blue", c1_0="blue")

    assert touching(area, (0, 0)) == {"blue": 3}


def test_tokens_run_out_in_the_order_of_laying():
    """With one token left the earliest tile's lowest task is covered, the rest stays open."""
    red, twin = (t.id for t in TILES.values() if t.colour == "red" and t.cost == 2)
    area = area_of(c0_0=red, c0_1=twin, c0_2="red", c0_3="red", c0_4="red")
    seat, events = cover(Seat(player="a", area=area, supply=1))

    assert seat.supply == 0
    assert [laid.covered for laid in seat.area] == [(0,), (), (), (), ()]
    assert len(events) == 1


# -- turns ----------------------------------------------------------------------------------------


def test_top_of_the_stack_moves_first_and_the_later_arrival_lies_on_top():
    """The stack in the header is top first; whoever arrives on a space later moves sooner."""
    state = two_players()
    first, second = (s.player for s in sorted(state.seats, key=lambda s: -s.arrival))

    assert GAME.turn_of(state) == first
    assert track(state) == {0: (second, first)}

    tied = replace(
        state,
        seats=tuple(replace(s, travelled=5, arrival=9 if s.player == second else 4) for s in state.seats),
    )
    assert GAME.turn_of(tied) == second
    assert track(tied) == {5: (first, second)}


def test_only_the_next_three_tiles_may_be_taken():
    """Empty slots are skipped, slots are counted from the figure and around the wheel."""
    wheel = (None, 1, None, 4, 5, None, None, None, None, None, 6, 7)
    state = two_players(wheel=wheel, figure=9)

    assert reach(state) == (10, 11, 1)
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, Take(player=GAME.turn_of(state), tile=4, at=(0, 0)))
    assert refusal.value.rule == "take.out_of_reach"


@pytest.mark.parametrize(
    ("at", "rule"),
    [((0, 0), "place.occupied"), ((1, 1), "place.not_adjacent"), ((0, 2), "place.not_adjacent")],
)
def test_wrong_cells_are_refused(at, rule):
    """A tile lies edge to edge with an own tile, on a free cell."""
    state = two_players()
    player = GAME.turn_of(state)
    seats = tuple(
        replace(s, area=(Laid(tile=68, at=(0, 0)),)) if s.player == player else s for s in state.seats
    )
    state = replace(state, seats=seats)
    tile = state.wheel[1]
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, Take(player=player, tile=tile, at=at))

    assert refusal.value.rule == rule


def test_first_tile_is_the_origin_and_others_must_wait():
    """The first tile lies on 0,0; a player who is not last on the track may not take."""
    state = two_players()
    player = GAME.turn_of(state)
    other = next(s.player for s in state.seats if s.player != player)

    for action, rule in (
        (Take(player=player, tile=state.wheel[1], at=(0, 1)), "place.first"),
        (Take(player=other, tile=state.wheel[1], at=(0, 0)), "turn.other"),
        (Take(player="nobody", tile=state.wheel[1], at=(0, 0)), "player.unknown"),
        (Take(player=player, tile=state.stock[0], at=(0, 0)), "take.not_on_wheel"),
        (Refill(player=player), "refill.too_many"),
        (NextPhase(player=player), "phase.solo_only"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            GAME.apply(state, action)
        assert refusal.value.rule == rule


def test_refill_goes_clockwise_from_the_figure_as_far_as_the_stock_lasts():
    """Slots are filled from the figure on, never the figure's own."""
    wheel = (None,) * 4 + (4,) + (None,) * 7
    state = two_players(wheel=wheel, figure=3, stock=(10, 11, 12))

    assert slots_to_fill(state) == (5, 6, 7)
    after, _ = GAME.apply(state, Refill(player=GAME.turn_of(state)))
    assert after.wheel[:8] == (None, None, None, None, 4, 10, 11, 12)
    assert after.stock == ()
    with pytest.raises(RuleViolation, match="two tiles or fewer"):
        GAME.apply(after, Refill(player=GAME.turn_of(after)))


def test_empty_wheel_must_be_refilled():
    """Without tiles on the wheel the only legal action is refilling."""
    state = two_players(wheel=(None,) * 12, stock=(10, 11, 12))

    assert list(GAME.legal_actions(state)) == [Refill(player=GAME.turn_of(state))]
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, Take(player=GAME.turn_of(state), tile=10, at=(0, 0)))
    assert refusal.value.rule == "take.empty_wheel"


def test_unknown_stock_refuses_refilling_until_revealed():
    """Nobody can refill with tiles that nobody has seen; revealing fills the first gaps."""
    state = two_players(wheel=(None,) * 12, stock=(10, None, 12, None))
    refill = Refill(player=GAME.turn_of(state))

    assert GAME.judge(state, refill).value == "cannot_tell"
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, refill)
    assert refusal.value.rule == "stock.unknown"

    known, _ = GAME.apply(state, Reveal(stock=(20, 21)))
    assert known.stock == (10, 20, 12, 21)
    assert GAME.judge(known, refill).value == "legal"
    for stock, rule in (
        ((12,), "reveal.twice"),
        ((20, 20), "reveal.twice"),
        ((20, 21, 22), "reveal.too_many"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            GAME.apply(state, Reveal(stock=stock))
        assert refusal.value.rule == rule


# -- endings --------------------------------------------------------------------------------------


def last_take(state, *, supply):
    """Play a take that covers one task, with this many tokens left."""
    seven = next(t for t in TILES.values() if t.cost == 7)
    colours = [c for c in catalogue().colours if c != seven.colour]
    parts = [next(t.id for t in TILES.values() if t.colour == c and not t.tasks) for c in colours]
    player = GAME.turn_of(state)
    area = (Laid(tile=seven.id, at=(0, 0)), Laid(tile=parts[0], at=(0, 1)), Laid(tile=parts[1], at=(1, 0)))
    seats = tuple(replace(s, area=area, supply=supply) if s.player == player else s for s in state.seats)
    wheel = (None, parts[2]) + (None,) * 10
    return GAME.apply(
        replace(state, seats=seats, wheel=wheel), Take(player=player, tile=parts[2], at=(0, -1))
    )[0]


def test_last_token_wins_even_with_the_last_tile():
    """Laying the last token wins at once, also when wheel and stock are empty by then."""
    after = last_take(two_players(stock=()), supply=2)

    assert after.reason == "tokens"
    assert GAME.result(after)["winners"] == [s.player for s in after.seats if s.supply == 0]
    assert GAME.turn_of(after) is None
    assert list(GAME.legal_actions(after)) == []


def test_no_tiles_left_ends_the_game_for_the_fewest_tokens():
    """Without tiles the fewest tokens win, ties go to the one who would move sooner."""
    after = last_take(two_players(stock=()), supply=20)
    assert GAME.result(after)["reason"] == "no_tiles"
    assert GAME.result(after)["ranking"][0] == min(after.seats, key=lambda s: s.supply).player

    tied = replace(
        after, seats=tuple(replace(s, supply=9, travelled=7 - i) for i, s in enumerate(after.seats))
    )
    assert GAME.result(tied)["winners"] == [after.seats[1].player]


# -- solo -----------------------------------------------------------------------------------------


def solo(**changes):
    """Return the start of a solo game."""
    return replace(GAME.start(GAME.deal(random.Random(2), {"players": 1})), **changes)


def test_solo_first_phase_counts_numbers_and_tokens_left():
    """An empty wheel ends the first phase: the sum of the numbers and 10 for each token left, which go on."""
    area = (Laid(tile=1, at=(0, 0)), Laid(tile=8, at=(0, 1)))
    state = solo(wheel=(None,) * 12)
    state = replace(state, seats=(replace(state.seats[0], area=area, supply=3),))
    player = state.seats[0].player

    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, Take(player=player, tile=state.stock[0], at=(1, 0)))
    assert refusal.value.rule == "phase.must_end"
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(state, Refill(player=player))
    assert refusal.value.rule == "refill.solo"

    after, _ = GAME.apply(state, NextPhase(player=player))
    assert after.noted == 1 + 4 + 30
    assert after.seats[0].supply == 16
    assert after.phase == 2
    assert after.wheel.count(None) == 1
    assert after.wheel[after.figure] is None
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(after, NextPhase(player=player))
    assert refusal.value.rule == "phase.once"


def test_solo_phase_goes_on_at_will_and_covers_the_rest_later():
    """With 8 tokens laid tiles may still be taken; what they fulfil is covered from the second pile."""
    seven = next(t for t in TILES.values() if t.cost == 7)
    colours = [c for c in catalogue().colours if c != seven.colour]
    parts = [next(t.id for t in TILES.values() if t.colour == c and not t.tasks) for c in colours]
    area = tuple(
        Laid(tile=t, at=c) for t, c in zip((seven.id, *parts), ((0, 0), (0, 1), (1, 0), (0, -1)), strict=True)
    )
    state = solo()
    early = replace(state, seats=(replace(state.seats[0], supply=2),))
    with pytest.raises(RuleViolation) as refusal:
        GAME.apply(early, NextPhase(player=state.seats[0].player))
    assert refusal.value.rule == "phase.tokens_left"

    done = replace(state, seats=(replace(state.seats[0], supply=0, area=area),))
    assert NextPhase(player="red") in list(GAME.legal_actions(done))
    taken, _ = GAME.apply(done, Take(player="red", tile=done.wheel[1], at=(5, 5) if not area else (1, 1)))
    assert taken.reason is None
    after, _ = GAME.apply(done, NextPhase(player="red"))
    assert after.seats[0].supply == 13 - 3


def test_solo_score_counts_the_first_phase_once_more_unless_ruled_otherwise():
    """Both phases add up; the option counts only the new tiles in the second."""
    area = (Laid(tile=1, at=(0, 0)), Laid(tile=8, at=(0, 1)))
    state = solo(phase=2, noted=50, first_tiles=1, reason="no_tiles")
    state = replace(state, seats=(replace(state.seats[0], area=area, supply=2),))

    assert solo_score(state) == 50 + 5 + 20
    assert solo_score(replace(state, options=Options(second_sum_all=False))) == 50 + 4 + 20


def test_a_track_of_twelve_spaces_is_an_option():
    """Positions show modulo the number of spaces."""
    game = NovaLuna(Options(spaces=12))
    state = game.start(game.deal(random.Random(3), {"players": 2}))
    moved = replace(state, seats=tuple(replace(s, travelled=13 + i) for i, s in enumerate(state.seats)))

    assert set(track(moved)) == {1, 2}
    assert isinstance(moved, NovaState)
