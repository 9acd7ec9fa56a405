"""Legal runs of actions that a seen table may be explained by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

from companion.games.kit.evidence import MISSING
from companion.games.kit.notation import Cell
from companion.games.kit.search import Run, Search
from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import twin
from companion.games.nova_luna.reconcile.seen_table import SeenTable, tile_of_value
from companion.games.nova_luna.rules import may_end_phase, may_refill, tiles_in_game
from companion.games.nova_luna.state import NovaState, free_cells, reach, seat_of, slots_to_fill, turn_of
from companion.table import Place, Value

# Tiles that came from the unknown stock and were taken again before anyone looked, at most.
_MOST_TAKEN = 4

NovaRun: TypeAlias = Run[NovaState, Action, dict[Place, Value]]
NovaPlay: TypeAlias = Search[NovaState, Action, dict[Place, Value]]


def steps(state: NovaState, sight: SeenTable) -> Iterator[tuple[tuple[Action, ...], bool]]:
    """Yield the next actions that the seen table does not rule out, and whether a cell stayed open."""
    player = turn_of(state)
    if player is None:
        return
    for filling in (Refill(player=player), NextPhase(player=player)):
        allowed = may_refill(state) if isinstance(filling, Refill) else may_end_phase(state)
        if allowed:
            yield from (((*reveals, filling), False) for reveals in revealed(state, sight))
    yield from _takes(state, player, sight)


def _takes(state: NovaState, player: str, sight: SeenTable) -> Iterator[tuple[tuple[Action, ...], bool]]:
    seat = seat_of(state, player)
    cells = free_cells(seat.area) if seat else []
    for slot in reach(state):
        tile = state.wheel[slot]
        if tile is not None:
            may_lie, is_open = _where_laid(sight, player, cells, slot, str(twin(tile)))
            yield from (((Take(player=player, tile=tile, at=cell),), is_open) for cell in may_lie)


def _where_laid(
    sight: SeenTable, player: str, cells: list[Cell], slot: int, value: str
) -> tuple[list[Cell], bool]:
    """Return the cells on which the tile of a slot may lie now, and whether others are as likely."""
    shown = [cell for cell in cells if sight.tile(player, cell) == value]
    # A tile that still lies on the wheel was taken only where an area shows it.
    if shown or sight.slot(slot) == value:
        return shown, False
    hidden = [cell for cell in cells if sight.tile(player, cell) is MISSING]
    between = [cell for cell in cells if sight.lies_between(player, cell, value)]
    unread = [cell for cell in hidden if sight.holds(player, cell)]
    if between or unread:
        return between or unread, False
    return ([], False) if sight.cells(player) is not None else (hidden[:1], len(hidden) > 1)


def revealed(state: NovaState, sight: SeenTable) -> list[tuple[Action, ...]]:
    """Return what must become known before the wheel can be filled, as the table shows it.

    [()] where nothing must, [] where the table does not show enough: what is hidden is never guessed. Tiles
    that were taken again before anyone looked are found in the areas; which lay where may leave a choice.
    """
    slots = slots_to_fill(state)
    gaps = [slot for slot, tile in zip(slots, state.stock, strict=False) if tile is None]
    if not gaps:
        return [()]
    values = [sight.slot(slot) for slot in gaps]
    taken = [i for i, value in enumerate(values) if value is None]
    laid = _newly_laid(state, sight) if taken else []
    if MISSING in values or not len(taken) <= len(laid) <= _MOST_TAKEN:
        return []
    found: list[tuple[Action, ...]] = []
    for order in dict.fromkeys(permutations(laid, len(taken))):
        for index, value in zip(taken, order, strict=True):
            values[index] = value
        tiles = _named(values, tiles_in_game(state))
        if tiles is not None:
            found.append((Reveal(stock=tiles),))
    return found


def told(state: NovaState, true: NovaState, action: Action) -> tuple[Action, ...]:
    """Return an action as players enter it, after the tiles that it turns up; of twins those known here."""
    if isinstance(action, Take):
        tile = state.wheel[true.wheel.index(action.tile)]
        return (action if tile is None else replace(action, tile=tile),)
    if isinstance(action, Reveal):
        return (action,)
    drawn = zip(state.stock, true.stock[: len(slots_to_fill(true))], strict=False)
    looks: list[object] = [str(twin(tile)) for known, tile in drawn if known is None and tile is not None]
    tiles = _named(looks, tiles_in_game(state))
    return (Reveal(stock=tiles), action) if tiles else (action,)


def _named(values: list[object], known: set[int]) -> tuple[int, ...] | None:
    """Return tiles that look like these values and that nobody knew before; None if there are none."""
    tiles: list[int] = []
    for value in values:
        tile = tile_of_value(value, known | set(tiles)) if isinstance(value, str) else None
        if tile is None:
            return None
        tiles.append(tile)
    return tuple(tiles)


def _newly_laid(state: NovaState, sight: SeenTable) -> list[str]:
    """Return the tiles in the areas, also between cells, that came from the unknown stock."""
    known = tiles_in_game(state)
    values = []
    for seat in state.seats:
        laid = {tile.at for tile in seat.area}
        cells = [cell for cell in sorted(sight.cells(seat.player) or ()) if cell not in laid]
        values += [value for cell in cells if isinstance(value := sight.tile(seat.player, cell), str)]
        loose = sight.loose(seat.player)
        if loose is not None and not laid & loose[1]:
            values.append(loose[0])
    return [value for value in values if tile_of_value(value, known) is not None]


def awaits_stock(run: NovaRun, sight: SeenTable) -> bool:
    """Whether the wheel is being filled with tiles that nobody knows and that cannot all be read yet."""
    state = run.state
    if not (may_refill(state) or may_end_phase(state)):
        return False
    slots = slots_to_fill(state)
    if None not in state.stock[: len(slots)]:
        return False
    # A tile that left the wheel is not one of the stock, even if it looks like one.
    taken = Counter(str(twin(t)) for slot, t in enumerate(state.wheel) if t and sight.slot(slot) is None)
    is_laid = bool(Counter(_newly_laid(state, sight)) - taken)
    is_begun = is_laid or any(isinstance(sight.slot(slot), str) for slot in slots)
    return is_begun and not revealed(state, sight)
