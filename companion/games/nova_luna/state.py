"""The state of a game of Nova Luna: frozen values, and what can be read off them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.kit.notation import Cell
from companion.games.nova_luna.catalogue import REACH, SLOTS, twin

Wheel: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Rulings that players may want otherwise.

    Attributes:
        spaces: spaces of the track (ruling 1): 24 or 12.
        second_sum_all: the second solo phase counts all tiles, those of the first once more (ruling 14).
    """

    spaces: int = 24
    second_sum_all: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A tile in an area; `covered` are the numbers of its tasks with a token on, ascending."""

    tile: int
    at: Cell
    covered: tuple[int, ...] = ()


Area: TypeAlias = tuple[Laid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One player.

    Attributes:
        area: tiles in the order in which they were laid.
        supply: tokens still to lay (solo: those of the running phase).
        travelled: steps on the track since the start; 0 in solo.
        arrival: grows with every move on the track: on one space the later token lies on top.
    """

    player: str
    area: Area = ()
    supply: int
    travelled: int = 0
    arrival: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaState:
    """The whole game.

    Attributes:
        seats: in seat order; one = the solo game.
        tokens: taken by each player.
        wheel: tile of each of the 12 slots, None = no tile.
        figure: slot in which the figure stands.
        stock: next tile first; None = a tile nobody has seen.
        phase: 1 or 2 in solo, else None.
        noted: points of the first solo phase, None before and with more players.
        first_tiles: number of tiles laid in the first solo phase.
        reason: why the game is over, None while it runs.
        actions: number of actions so far.
    """

    seats: tuple[Seat, ...]
    tokens: int
    wheel: Wheel
    figure: int
    stock: tuple[int | None, ...]
    phase: int | None = None
    noted: int | None = None
    first_tiles: int = 0
    reason: str | None = None
    options: Options = Options()
    actions: int = field(default=0, compare=False)

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.seats) == 1


def seat_of(state: NovaState, player: str) -> Seat | None:
    """Return the player's seat, None for a stranger."""
    return next((seat for seat in state.seats if seat.player == player), None)


def turn_of(state: NovaState) -> str | None:
    """Return who acts next (ruling 3), None after the end."""
    if state.reason is not None:
        return None
    return min(state.seats, key=track_key).player


def track_key(seat: Seat) -> tuple[int, int]:
    """Return the key by which players come to move: the hindmost first, on one space the top token."""
    return seat.travelled, -seat.arrival


def ranking(state: NovaState) -> tuple[str, ...]:
    """Return the players, best first (ruling 11)."""
    ordered = sorted(state.seats, key=lambda seat: (seat.supply, *track_key(seat)))
    return tuple(seat.player for seat in ordered)


def clockwise(figure: int) -> tuple[int, ...]:
    """Return the slots after the figure, clockwise, without its own."""
    return tuple((figure + step) % SLOTS for step in range(1, SLOTS))


def reach(state: NovaState) -> tuple[int, ...]:
    """Return the slots of the tiles that may be taken: the next three that are there (ruling 5)."""
    return tuple(slot for slot in clockwise(state.figure) if state.wheel[slot] is not None)[:REACH]


def tiles_on_wheel(state: NovaState) -> int:
    """Return the number of tiles on the wheel."""
    return sum(tile is not None for tile in state.wheel)


def slots_to_fill(state: NovaState) -> tuple[int, ...]:
    """Return the empty slots in the order of filling, as far as the stock lasts (ruling 4)."""
    return tuple(slot for slot in clockwise(state.figure) if state.wheel[slot] is None)[: len(state.stock)]


def track(state: NovaState) -> dict[int, tuple[str, ...]]:
    """Return the occupied spaces of the track, each with its tokens, bottom first; empty in solo."""
    if state.is_solo:
        return {}
    spaces: dict[int, tuple[str, ...]] = {}
    for seat in sorted(state.seats, key=lambda seat: seat.arrival):
        space = seat.travelled % state.options.spaces
        spaces[space] = (*spaces.get(space, ()), seat.player)
    return spaces


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the orthogonal neighbours: north, west, east, south."""
    row, col = cell
    return (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)


def free_cells(area: Area) -> list[Cell]:
    """Return the cells on which the next tile may be laid, in order (ruling 6)."""
    if not area:
        return [(0, 0)]
    taken = {laid.at for laid in area}
    return sorted({cell for laid in area for cell in neighbours(laid.at)} - taken)


def essence(state: NovaState) -> tuple[object, ...]:
    """Return what matters of a state for the rest of the game: neither twins nor the order of laying."""
    seats = tuple(
        (
            seat.player,
            frozenset((twin(laid.tile), laid.at, laid.covered) for laid in seat.area),
            seat.supply,
            seat.travelled,
        )
        for seat in state.seats
    )
    order = tuple(seat.player for seat in sorted(state.seats, key=lambda seat: seat.arrival))
    wheel, stock = _looks(state.wheel), _looks(state.stock)
    return (seats, order, wheel, state.figure, stock, state.phase, state.noted, state.reason)


def _looks(tiles: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(None if tile is None else twin(tile) for tile in tiles)
