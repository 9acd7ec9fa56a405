"""The rules of Nova Luna: from state and action to state and events, or a violation with nothing changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from companion.errors import BugError, RuleViolation
from companion.game import Event, Verdict
from companion.games.kit.notation import Cell
from companion.games.nova_luna.actions import (
    Action,
    Covered,
    GameEnded,
    NextPhase,
    PhaseEnded,
    Refill,
    Refilled,
    Reveal,
    Revealed,
    Take,
    TileLaid,
    Travelled,
)
from companion.games.nova_luna.catalogue import TILES, catalogue
from companion.games.nova_luna.state import (
    Laid,
    NovaState,
    Seat,
    free_cells,
    neighbours,
    reach,
    seat_of,
    slots_to_fill,
    tiles_on_wheel,
    turn_of,
)
from companion.games.nova_luna.tasks import fulfilled_open
from companion.games.nova_luna.texts import refuse

REFILL_LIMIT = 2
PENALTY = 10


def apply(state: NovaState, action: Action) -> tuple[NovaState, tuple[Event, ...]]:
    """Return the next state and what happened; raises RuleViolation and changes nothing."""
    if state.reason is not None:
        refuse("game.over")
    match action:
        case Reveal():
            after, events = _reveal(state, action)
        case Refill():
            after, events = _refill(state, action)
        case Take():
            after, events = _take(state, action)
        case NextPhase():
            after, events = _next_phase(state, action)
        case _:
            assert_never(action)
    return replace(after, actions=state.actions + 1), tuple(events)


def legal_actions(state: NovaState) -> Iterator[Action]:
    """Yield what may be done: refilling or the next phase first, then takes by slot and cell."""
    player = turn_of(state)
    if player is None:
        return
    if may_refill(state) and _stock_known(state):
        yield Refill(player=player)
    if may_end_phase(state) and _stock_known(state):
        yield NextPhase(player=player)
    seat = seat_of(state, player)
    cells = free_cells(seat.area) if seat else []
    for slot in reach(state):
        tile = state.wheel[slot]
        if tile is not None:
            yield from (Take(player=player, tile=tile, at=cell) for cell in cells)


def judge(state: NovaState, action: Action) -> Verdict:
    """Say whether the action is legal; an unknown stock makes refilling undecidable."""
    try:
        apply(state, action)
    except RuleViolation as violation:
        return Verdict.CANNOT_TELL if violation.rule == "stock.unknown" else Verdict.REFUSED
    return Verdict.LEGAL


def may_refill(state: NovaState) -> bool:
    """Whether refilling is allowed now (ruling 4); never in solo (ruling 13)."""
    return not state.is_solo and bool(state.stock) and tiles_on_wheel(state) <= REFILL_LIMIT


def may_end_phase(state: NovaState) -> bool:
    """Whether the first solo phase may end now (ruling 12)."""
    return state.phase == 1 and (state.seats[0].supply == 0 or tiles_on_wheel(state) == 0)


def _stock_known(state: NovaState) -> bool:
    return None not in state.stock[: len(slots_to_fill(state))]


# -- the actions ------------------------------------------------------------------------------------


def _reveal(state: NovaState, action: Reveal) -> tuple[NovaState, list[Event]]:
    """Fill the first unknown entries of the stock."""
    nulls = [index for index, tile in enumerate(state.stock) if tile is None]
    if len(action.stock) > len(nulls):
        refuse("reveal.too_many", nulls=len(nulls))
    known = tiles_in_game(state)
    stock = list(state.stock)
    for index, tile in zip(nulls, action.stock, strict=False):
        if tile in known:
            refuse("reveal.twice", tile=tile)
        known.add(tile)
        stock[index] = tile
    return replace(state, stock=tuple(stock)), [Revealed(count=len(action.stock))]


def tiles_in_game(state: NovaState) -> set[int]:
    """Return all tiles whose whereabouts are known."""
    areas = {laid.tile for seat in state.seats for laid in seat.area}
    return areas | {tile for tile in (*state.wheel, *state.stock) if tile is not None}


def _check_turn(state: NovaState, player: str) -> Seat:
    seat = seat_of(state, player)
    if seat is None:
        refuse("player.unknown", player=player)
    turn = turn_of(state)
    if turn != player:
        refuse("turn.other", player=player, turn=turn or "")
    return seat


def _refill(state: NovaState, action: Refill) -> tuple[NovaState, list[Event]]:
    _check_turn(state, action.player)
    if state.is_solo:
        refuse("refill.solo")
    if tiles_on_wheel(state) > REFILL_LIMIT:
        refuse("refill.too_many", tiles=tiles_on_wheel(state))
    if not state.stock:
        refuse("refill.no_stock")
    return _fill(state, action.player)


def _fill(state: NovaState, player: str) -> tuple[NovaState, list[Event]]:
    slots = slots_to_fill(state)
    wheel = list(state.wheel)
    filled = []
    for slot, tile in zip(slots, state.stock, strict=False):
        if tile is None:
            refuse("stock.unknown")
        wheel[slot] = tile
        filled.append((slot, tile))
    after = replace(state, wheel=tuple(wheel), stock=state.stock[len(slots) :])
    return after, [Refilled(player=player, slots=tuple(filled))]


def _take(state: NovaState, action: Take) -> tuple[NovaState, list[Event]]:
    seat = _check_turn(state, action.player)
    slot = _slot_of(state, action.tile)
    _check_cell(seat, action)
    cost = TILES[action.tile].cost
    wheel = (*state.wheel[:slot], None, *state.wheel[slot + 1 :])
    laid = replace(seat, area=(*seat.area, Laid(tile=action.tile, at=action.at)))
    events: list[Event] = [TileLaid(player=seat.player, tile=action.tile, slot=slot, at=action.at)]
    if not state.is_solo:
        arrival = max(other.arrival for other in state.seats) + 1
        laid = replace(laid, travelled=seat.travelled + cost, arrival=arrival)
        events.append(Travelled(player=seat.player, steps=cost, space=laid.travelled % state.options.spaces))
    covered, coverings = cover(laid, near=action.at)
    after = replace(_with_seat(state, covered), wheel=wheel, figure=slot)
    return _end_if_over(after, [*events, *coverings])


def _slot_of(state: NovaState, tile: int) -> int:
    if tiles_on_wheel(state) == 0:
        refuse("phase.must_end" if state.phase == 1 else "take.empty_wheel")
    if tile not in state.wheel:
        refuse("take.not_on_wheel", tile=tile)
    slot = state.wheel.index(tile)
    if slot not in reach(state):
        refuse("take.out_of_reach", tile=tile, slot=slot)
    return slot


def _check_cell(seat: Seat, action: Take) -> None:
    cell = f"{action.at[0]},{action.at[1]}"
    taken = {laid.at for laid in seat.area}
    if not taken:
        if action.at != (0, 0):
            refuse("place.first", cell=cell)
        return
    if action.at in taken:
        refuse("place.occupied", cell=cell)
    if taken.isdisjoint(neighbours(action.at)):
        refuse("place.not_adjacent", cell=cell)


def cover(seat: Seat, near: Cell | None = None) -> tuple[Seat, list[Event]]:
    """Cover all fulfilled open tasks, as far as the tokens last (ruling 8).

    With `near` the tile on this cell is the only one that may have fulfilled any.
    """
    area = list(seat.area)
    supply = seat.supply
    events: list[Event] = []
    if supply == 0:
        return seat, events
    for index, task in fulfilled_open(seat.area, near):
        if supply == 0:
            break
        laid = area[index]
        area[index] = replace(laid, covered=tuple(sorted((*laid.covered, task))))
        supply -= 1
        events.append(Covered(player=seat.player, tile=laid.tile, at=laid.at, task=task))
    return replace(seat, area=tuple(area), supply=supply), events


def _with_seat(state: NovaState, changed: Seat) -> NovaState:
    seats = tuple(changed if seat.player == changed.player else seat for seat in state.seats)
    return replace(state, seats=seats)


def _end_if_over(state: NovaState, events: list[Event]) -> tuple[NovaState, list[Event]]:
    """End the game where a rule says so: tokens before tiles (ruling 9)."""
    if state.phase == 1:
        return state, events
    reason = None
    if any(seat.supply == 0 for seat in state.seats):
        reason = "tokens"
    elif tiles_on_wheel(state) == 0 and (state.is_solo or not state.stock):
        reason = "no_tiles"
    if reason is None:
        return state, events
    return replace(state, reason=reason), [*events, GameEnded(reason=reason)]


def _next_phase(state: NovaState, action: NextPhase) -> tuple[NovaState, list[Event]]:
    seat = _check_turn(state, action.player)
    if not state.is_solo:
        refuse("phase.solo_only")
    if state.phase != 1:
        refuse("phase.once")
    if not may_end_phase(state):
        refuse("phase.tokens_left", supply=seat.supply)
    noted = sum_of(seat, 0) + PENALTY * seat.supply
    filled, events = _fill(state, seat.player)
    supply = seat.supply + catalogue().solo_piles[1]
    covered, coverings = cover(replace(seat, supply=supply))
    after = replace(_with_seat(filled, covered), phase=2, noted=noted, first_tiles=len(seat.area))
    ended = PhaseEnded(player=seat.player, noted=noted, left=seat.supply)
    return _end_if_over(after, [ended, *events, *coverings])


def sum_of(seat: Seat, first: int) -> int:
    """Return the sum of the numbers on the tiles of an area, from the tile of this index on."""
    return sum(TILES[laid.tile].cost for laid in seat.area[first:])


def solo_score(state: NovaState) -> int:
    """Return the points of both phases after the end of a solo game (ruling 14)."""
    if state.noted is None:
        raise BugError("a solo game ended in its first phase")
    seat = state.seats[0]
    first = 0 if state.options.second_sum_all else state.first_tiles
    return state.noted + sum_of(seat, first) + PENALTY * seat.supply
