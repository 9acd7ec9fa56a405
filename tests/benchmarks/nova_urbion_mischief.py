"""What can go wrong at a table of Nova Luna or Urbion: illegal moves as pictures, with the broken rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from companion.games.nova_luna import GAME as NOVA
from companion.games.nova_luna.catalogue import TILES
from companion.games.nova_luna.rules import cover
from companion.games.nova_luna.state import Laid, NovaState, free_cells, reach, seat_of, track, turn_of
from companion.games.nova_luna.table import TOKEN, track_place
from companion.games.urbion import GAME as URBION
from companion.games.urbion.catalogue import CHAOS, ELEMENT, LEFT, RIGHT, SYMBOLS
from companion.games.urbion.draft import without
from companion.games.urbion.rules import card_sides
from companion.games.urbion.state import Row, UrbionState, polarity_side
from companion.table import Place, Value, kind_of

Wrong: TypeAlias = tuple[dict[Place, Value], set[str]]
"""A wrong picture, and the ids of the rules that may be named for it."""


# -- Nova Luna ----------------------------------------------------------------------------------------


def _forced(
    state: NovaState, player: str, slot: int, cell: tuple[int, int], steps: int | None = None
) -> NovaState:
    """Return the state after a take that no rule was asked about."""
    tile, seat = state.wheel[slot], seat_of(state, player)
    assert tile is not None
    assert seat is not None
    moved = replace(seat, area=(*seat.area, Laid(tile=tile, at=cell)))
    if not state.is_solo:
        steps = TILES[tile].cost if steps is None else steps
        arrival = max(s.arrival for s in state.seats) + 1
        moved = replace(moved, travelled=seat.travelled + steps, arrival=arrival)
    moved, _ = cover(moved)
    wheel = tuple(None if i == slot else t for i, t in enumerate(state.wheel))
    seats = tuple(moved if s.player == player else s for s in state.seats)
    return replace(state, seats=seats, wheel=wheel, figure=slot)


def nova_mischief(rng: random.Random, state: NovaState) -> Iterator[tuple[str, Wrong]]:
    """Yield what can go wrong now, by name."""
    player = turn_of(state)
    seat = seat_of(state, player or "")
    if player is None or seat is None or not reach(state):
        return
    slot = rng.choice(reach(state))
    cell = rng.choice(free_cells(seat.area))
    taken = _forced(state, player, slot, cell)
    far = [s for s in range(12) if state.wheel[s] is not None and s not in reach(state)]
    if far:
        yield (
            "tile out of reach",
            (_nova(_forced(state, player, rng.choice(far), cell)), {"take.out_of_reach"}),
        )
    if seat.area:
        lonely = (max(laid.at[0] for laid in seat.area) + 2, 0)
        yield "tile laid apart", (_nova(_forced(state, player, slot, lonely)), {"place.not_adjacent"})
    else:
        yield "first tile elsewhere", (_nova(_forced(state, player, slot, (1, 1))), {"place.first"})
    others = [s for s in state.seats if s is not seat]
    if others:
        other = rng.choice(others)
        where = rng.choice(free_cells(other.area))
        yield "wrong mover", (_nova(_forced(state, other.player, slot, where)), {"turn.other"})
        wrong = _forced(state, player, slot, cell, 8)
        yield "token moved wrongly", (_nova(wrong), {"track.wrong_space"})
        seats = tuple(replace(s, travelled=s.travelled + 9) if s is other else s for s in state.seats)
        yield "another's token moved", (_nova(replace(state, seats=seats)), {"track.moved"})
    wrong_slot = next(s for s in ((slot + 5) % 12, (slot + 6) % 12) if s != state.figure)
    yield "figure in a wrong slot", (_nova(replace(taken, figure=wrong_slot)), {"figure.wrong_slot"})
    idle = [s for s in range(12) if state.wheel[s] is None and s != state.figure]
    if idle:
        yield "figure moved alone", (_nova(replace(state, figure=rng.choice(idle))), {"figure.moved"})
    yield from _nova_tokens(rng, state)
    yield from _nova_refill(state)
    yield from _nova_order(taken)


def _nova_tokens(rng: random.Random, state: NovaState) -> Iterator[tuple[str, Wrong]]:
    picture = NOVA.predict(state)
    free = [w for w, value in picture.items() if kind_of(w) == "cover" and value is None]
    if free:
        where = rng.choice(sorted(free))
        yield "token too many", ({**picture, where: TOKEN}, {"cover.not_fulfilled", "cover.no_tokens"})


def _nova_refill(state: NovaState) -> Iterator[tuple[str, Wrong]]:
    if sum(tile is not None for tile in state.wheel) <= 2 or not state.stock or state.stock[0] is None:
        return
    empty = [s for s in range(12) if state.wheel[s] is None and s != state.figure]
    if empty:
        wheel = tuple(state.stock[0] if s == empty[0] else t for s, t in enumerate(state.wheel))
        rules = {"refill.too_many", "refill.solo", "phase.tokens_left"}
        yield "refilled too early", (_nova(replace(state, wheel=wheel)), rules)


def _nova_order(taken: NovaState) -> Iterator[tuple[str, Wrong]]:
    for space, stack in track(taken).items():
        if len(stack) > 1:
            picture = _nova(taken)
            where = track_place(space)
            picture[where] = ">".join(reversed((picture[where] or "").split(">")))
            if list(stack) != list(reversed(stack)) and taken.seats:
                yield "token put under", (picture, {"track.wrong_order", "track.moved", "track.wrong_space"})
            return


def _nova(state: NovaState) -> dict[Place, Value]:
    return dict(NOVA.predict(state))


# -- Urbion -------------------------------------------------------------------------------------------


def urbion_mischief(rng: random.Random, state: UrbionState) -> Iterator[tuple[str, Wrong]]:
    """Yield what can go wrong now, by name."""
    if state.pending == "chaos":
        yield from _chaos_mischief(state)
        return
    if state.pending is not None or not state.dreams or state.dreams[0] in (CHAOS, None):
        return
    hand = state.hands[state.active]
    card = rng.choice(hand)
    spent = _spent(state, state.active, card)
    rows = [(n, row) for n, row in enumerate(state.rows) if row is not None]
    yield from _wrong_plays(state, card, rows)
    if len(state.hands) == 2:
        other = 1 - state.active
        yield "wrong player", (_urbion(_spent(state, other, state.hands[other][0])), {"turn.other"})
        yield (
            "polarity swapped for nothing",
            (
                _urbion(replace(state, sanae=1 - state.sanae)),
                {"polarity.changed"},
            ),
        )
    yield from _wrong_moves(state, spent, rows)
    yield from _wrong_claims(state, spent, rows)


def _spent(state: UrbionState, seat: int, card: str) -> UrbionState:
    """Return the state with a card spent and the next one drawn, discarded without an effect."""
    drawn = state.dreams[0]
    assert drawn is not None
    hand = (*without(state.hands[seat], card), drawn)
    hands = tuple(hand if s == seat else h for s, h in enumerate(state.hands))
    discards = (*state.discards, card)
    return replace(state, hands=hands, discards=discards, last_discards=(card,), dreams=state.dreams[1:])


def _played(state: UrbionState, card: str, row: int, side: str) -> UrbionState:
    after = replace(_spent(state, state.active, card), discards=state.discards)
    return _with(after, row, side, (*_row(state, row).side(side), card))


def _with(state: UrbionState, row: int, side: str, cards: tuple[str, ...]) -> UrbionState:
    rows = list(state.rows)
    rows[row] = replace(_row(state, row), **{side: cards})
    return replace(state, rows=tuple(rows))


def _row(state: UrbionState, row: int) -> Row:
    found = state.rows[row]
    assert found is not None
    return found


def _wrong_plays(state: UrbionState, card: str, rows: list[tuple[int, Row]]) -> Iterator[tuple[str, Wrong]]:
    allowed = polarity_side(state, state.active)
    for row, city in rows:
        for side in (LEFT, RIGHT):
            room = len(city.side(side)) < 3
            fits = ELEMENT[card] in SYMBOLS[city.city]
            if side not in card_sides(card):
                if room:
                    yield "card on the wrong side", (_urbion(_played(state, card, row, side)), {"play.side"})
            elif allowed not in (None, side):
                if room and fits:
                    yield (
                        "against the polarity",
                        (_urbion(_played(state, card, row, side)), {"play.polarity"}),
                    )
            elif not fits and room:
                yield "no symbol matches", (_urbion(_played(state, card, row, side)), {"play.symbol"})
            elif fits and not room:
                picture = _urbion(_played(state, card, row, side))
                picture[Place(f"dream:{row}:{side}:3")] = card
                yield "a fourth card", (picture, {"play.full"})


def _wrong_moves(
    state: UrbionState, spent: UrbionState, rows: list[tuple[int, Row]]
) -> Iterator[tuple[str, Wrong]]:
    for row, city in rows:
        if city.left and city.right and city.left[0] != city.right[0]:
            crossed = _with(spent, row, LEFT, (*city.left[1:], city.right[0]))
            crossed = _with(crossed, row, RIGHT, (*city.right[1:], city.left[0]))
            yield "sides exchanged", (_urbion(crossed), {"swap.side"})
        if len(city.left) > 0:
            taken = _with(state, row, LEFT, city.left[1:])
            yield "card taken off for nothing", (_urbion(taken), {"card.removed"})
            for end, other in rows:
                if end != row and len(other.left) < 3 and "flying_incubi" not in state.books:
                    flown = _with(
                        _with(spent, row, LEFT, city.left[1:]), end, LEFT, (*other.left, city.left[0])
                    )
                    yield "flown without the Book", (_urbion(flown), {"book.closed", "book.chaos"})


def _wrong_claims(
    state: UrbionState, spent: UrbionState, rows: list[tuple[int, Row]]
) -> Iterator[tuple[str, Wrong]]:
    for row, city in rows:
        if city.is_balanced or city.is_empty:
            continue
        claimed = list(spent.rows)
        claimed[row] = None
        yield "claimed unbalanced", (_urbion(replace(spent, rows=tuple(claimed))), {"balance.claim"})
        if city.left and city.right and len(city.left) + len(city.right) > 2:
            one = URBION.predict(_with(_with(spent, row, LEFT, city.left[1:]), row, RIGHT, city.right[1:]))
            if city.left[0][-1] != city.right[0][-1] and CHAOS not in (city.left[0], city.right[0]):
                yield "removed too much", (dict(one), {"balance.sum"})
    del state


def _chaos_mischief(state: UrbionState) -> Iterator[tuple[str, Wrong]]:
    for row, city in enumerate(state.rows):
        if city is None:
            continue
        side = city.chaos_side
        if side is None and len(city.left) < 3:
            wrong = _with(state, row, LEFT, (*city.left, CHAOS))
            yield "chaos where it may not lie", (_urbion(wrong), {"chaos.equal", "chaos.full"})
        elif side is not None:
            weaker = LEFT if side == RIGHT else RIGHT
            if len(city.side(weaker)) < 3:
                wrong = _with(state, row, weaker, (*city.side(weaker), CHAOS))
                yield "chaos on the weaker side", (_urbion(wrong), {"chaos.side"})


def _urbion(state: UrbionState) -> dict[Place, Value]:
    return dict(URBION.predict(state))


MISCHIEF: dict[str, Callable[..., Iterator[tuple[str, Wrong]]]] = {
    "nova_luna": nova_mischief,
    "urbion": urbion_mischief,
}
