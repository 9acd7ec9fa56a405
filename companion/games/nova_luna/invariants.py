"""What must hold in every state of Nova Luna."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.nova_luna.catalogue import TILES, catalogue
from companion.games.nova_luna.rules import sum_of
from companion.games.nova_luna.state import NovaState, Seat, neighbours, tiles_on_wheel
from companion.games.nova_luna.tasks import fulfilled_open, touching


def defects(state: NovaState) -> tuple[str, ...]:
    """Return every broken invariant in words; empty when the state is sound."""
    return tuple(_of_tiles(state)) + tuple(fault for seat in state.seats for fault in _of_seat(state, seat))


def _of_tiles(state: NovaState) -> Iterator[str]:
    laid = [tile.tile for seat in state.seats for tile in seat.area]
    wheel = [tile for tile in state.wheel if tile is not None]
    known = [tile for tile in state.stock if tile is not None]
    if len(laid) + len(wheel) + len(state.stock) != len(TILES):
        yield f"{len(laid)} laid, {len(wheel)} on the wheel, {len(state.stock)} in stock: not all"
    for tile, count in Counter([*laid, *wheel, *known]).items():
        if count > 1:
            yield f"tile {tile} is there {count} times"
    if state.wheel[state.figure] is not None:
        yield "the figure stands on a tile"
    if state.reason == "no_tiles" and tiles_on_wheel(state):
        yield "the game ended without tiles, but there are some"


def _of_seat(state: NovaState, seat: Seat) -> Iterator[str]:
    covered = sum(len(laid.covered) for laid in seat.area)
    if seat.supply < 0 or covered + seat.supply != _tokens_to_lay(state):
        yield f"{seat.player} has {covered} tokens laid and {seat.supply} left"
    if not state.is_solo and seat.travelled != sum_of(seat, 0):
        yield f"{seat.player} travelled {seat.travelled}, not the sum of the tiles"
    cells = [laid.at for laid in seat.area]
    if len(set(cells)) != len(cells):
        yield f"two tiles of {seat.player} lie on one cell"
    for index, cell in enumerate(cells):
        if index and not set(cells[:index]) & set(neighbours(cell)):
            yield f"{seat.player}'s tile on {cell} touched none when it was laid"
    if seat.supply and any(True for _ in fulfilled_open(seat.area)):
        yield f"a fulfilled task of {seat.player} is open"
    yield from _unearned(seat)


def _tokens_to_lay(state: NovaState) -> int:
    if not state.is_solo:
        return state.tokens - 1
    first, second = catalogue().solo_piles
    return first if state.phase == 1 else first + second


def _unearned(seat: Seat) -> Iterator[str]:
    for laid in seat.area:
        if not laid.covered:
            continue
        counts = touching(seat.area, laid.at)
        for task in laid.covered:
            if any(counts.get(colour, 0) < count for colour, count in TILES[laid.tile].tasks[task]):
                yield f"task {task} of {seat.player}'s tile on {laid.at} is covered but not fulfilled"
