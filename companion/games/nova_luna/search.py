"""Legal runs of actions that a seen table may be explained by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.games.nova_luna.actions import Action, NextPhase, Refill, Reveal, Take
from companion.games.nova_luna.catalogue import twin
from companion.games.nova_luna.rules import apply, may_end_phase, may_refill, tiles_in_game
from companion.games.nova_luna.sight import MISSING, Sight, differences, tile_of_value
from companion.games.nova_luna.state import NovaState, free_cells, reach, seat_of, slots_to_fill, turn_of
from companion.games.nova_luna.table import predict
from companion.table import Place, Value

# A table that nobody looked at for longer than this is put right by hand.
DEEPEST = 8
MOST_NODES = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Some legal actions and where they lead.

    Attributes:
        states: the state before, and after each action.
        is_open: where some tile was laid could not be seen; one of the possible cells was taken.
        wrong: seen places that the last state does not predict, with what it predicts.
    """

    actions: tuple[Action, ...]
    states: tuple[NovaState, ...]
    is_open: bool = False
    wrong: dict[Place, Value] = field(default_factory=dict)

    @property
    def state(self) -> NovaState:
        """Return the state that the run leads to."""
        return self.states[-1]


def runs_from(state: NovaState, sight: Sight) -> Iterator[list[Run]]:
    """Yield, action by action, the runs that the seen areas allow, the empty run first."""
    level = [Run(actions=(), states=(state,), wrong=differences(state, sight))]
    nodes = 0
    while level:
        yield level
        following: list[Run] = []
        for run in level:
            if len(run.actions) >= DEEPEST:
                continue
            for actions, is_open in _steps(run.state, sight):
                nodes += 1
                if nodes > MOST_NODES:
                    return
                following.append(_extended(run, actions, is_open, sight))
        level = following


def _extended(run: Run, actions: tuple[Action, ...], is_open: bool, sight: Sight) -> Run:
    states = list(run.states)
    for action in actions:
        states.append(apply(states[-1], action)[0])
    return Run(
        actions=(*run.actions, *actions),
        states=tuple(states),
        is_open=run.is_open or is_open,
        wrong=differences(states[-1], sight),
    )


def _steps(state: NovaState, sight: Sight) -> Iterator[tuple[tuple[Action, ...], bool]]:
    """Yield the next actions that the seen table does not rule out, and whether a cell stayed open."""
    player = turn_of(state)
    if player is None:
        return
    for filling in (Refill(player=player), NextPhase(player=player)):
        allowed = may_refill(state) if isinstance(filling, Refill) else may_end_phase(state)
        if allowed:
            yield from (((*reveals, filling), False) for reveals in _revealed(state, player, sight))
    yield from _takes(state, player, sight)


def _takes(state: NovaState, player: str, sight: Sight) -> Iterator[tuple[tuple[Action, ...], bool]]:
    seat = seat_of(state, player)
    cells = free_cells(seat.area) if seat else []
    for slot in reach(state):
        tile = state.wheel[slot]
        if tile is None:
            continue
        value = str(twin(tile))
        shown = [cell for cell in cells if sight.tile(player, cell) == value]
        unread = [cell for cell in cells if sight.tile(player, cell) is MISSING and sight.holds(player, cell)]
        if shown:
            yield from (((Take(player=player, tile=tile, at=cell),), False) for cell in shown)
        elif sight.slot(slot) == value:
            continue  # it still lies there: only an area that shows it speaks against that
        elif unread:
            yield from (((Take(player=player, tile=tile, at=cell),), False) for cell in unread)
        elif sight.cells(player) is None:
            hidden = [cell for cell in cells if sight.tile(player, cell) is MISSING]
            if hidden:
                yield (Take(player=player, tile=tile, at=hidden[0]),), len(hidden) > 1


def _revealed(state: NovaState, player: str, sight: Sight) -> list[tuple[Action, ...]]:
    """Return what must become known before the wheel can be filled, as the table shows it.

    [()] where nothing must, [] where the table does not show enough: what is hidden is never guessed.
    """
    slots = slots_to_fill(state)
    gaps = [slot for slot, tile in zip(slots, state.stock, strict=False) if tile is None]
    if not gaps:
        return [()]
    known = tiles_in_game(state)
    tiles: list[int] = []
    laid = _newly_laid(state, player, sight, known)
    for slot in gaps:
        value = sight.slot(slot)
        if value is None and laid:
            value = laid.pop(0)  # filled and taken again before anybody looked
        tile = tile_of_value(value, known) if isinstance(value, str) else None
        if tile is None:
            return []
        known.add(tile)
        tiles.append(tile)
    return [(Reveal(stock=tuple(tiles)),)]


def _newly_laid(state: NovaState, player: str, sight: Sight, known: set[int]) -> list[str]:
    """Return the unknown tile that the player's area shows as laid last, if it is just one."""
    seat = seat_of(state, player)
    laid = {tile.at for tile in seat.area} if seat else set()
    values = [
        value
        for cell in sight.cells(player) or ()
        if cell not in laid and isinstance(value := sight.tile(player, cell), str)
    ]
    fresh = [value for value in values if tile_of_value(value, known) is not None]
    return fresh if len(fresh) == 1 else []


def awaits_stock(state: NovaState, sight: Sight) -> bool:
    """Whether the wheel is being filled with tiles that nobody knows and that cannot all be read yet."""
    player = turn_of(state)
    if player is None or not (may_refill(state) or may_end_phase(state)):
        return False
    slots = slots_to_fill(state)
    if None not in state.stock[: len(slots)]:
        return False
    filled = any(isinstance(sight.slot(slot), str) for slot in slots)
    return filled and not _revealed(state, player, sight)


def values_along(run: Run) -> list[dict[Place, Value]]:
    """Return the pictures that the run's states predict, the last one first."""
    return [predict(state) for state in reversed(run.states)]
