"""What must be seen before a verdict stands: an unseen place is unknown, never unchanged.

A contribution may have been paid beside a dragon that nobody saw, a turn may hold a marker that is still
hidden. Committing past it would be wrong and hard to mend, so the referee waits and says what for.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile

from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DRAGONS, MOST_BOXES, STEPS
from companion.games.blue_moon_city.reconcile.differences import Differences
from companion.games.blue_moon_city.reconcile.hypotheses import TurnPlan, colour_paid
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.spending import DRAGON_CARDS, needs_no_card, tops_after
from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_city.table import PILE
from companion.games.kit.evidence import believed
from companion.observation import Snapshot
from companion.table import Place, Value

# Refusals that the unseen whereabouts of a figure could lift.
_FIGURE_RULES = ("contribute.figure_elsewhere", "offer.not_in_courtyard", "table.flipped_early")
# Refusals that something unseen of the current turn could lift.
_TURN_RULES = ("turn.not_yours", "phase.movement_is_over")


def visible_places(seen: Snapshot) -> frozenset[Place]:
    """Return the places whose values are known by sight just now; a built tile hides no box."""
    picture = believed(seen)
    sight = set(picture)
    for where, value in picture.items():
        kind, _, cell = where.partition(":")
        if kind == "cell" and str(value).endswith("/built"):
            sight |= {Place(f"box:{cell}:{box}") for box in range(MOST_BOXES)}
    return frozenset(sight)


def blind_spot(
    view: CityState, actions: Sequence[Action], sight: Container[Place], new_top: Value = None
) -> Place | None:
    """Return an unseen place that could hold something to be played before these actions end, if any.

    `new_top` is the card that came to lie on the pile meanwhile, if one was seen to.
    """
    state = view
    if (nobody := _of_round(view, actions, sight)) is not None:
        return nobody
    for action in actions:
        for where in _needed(state, action, new_top, is_pile_seen=PILE in sight):
            if where not in sight:
                return where
        state, _ = apply(state, action)
    return _of_dragon(view, state, actions, sight)


def _of_dragon(
    view: CityState, state: CityState, actions: Sequence[Action], sight: Container[Place]
) -> Place | None:
    """Return an unseen place that must be seen where it is not sure who has moved a dragon.

    Anyone may have. If the next player may have had a turn that left no trace in sight, it may be his who
    comes after him; what is played next tells.
    """
    turn = list(takewhile(lambda action: not isinstance(action, End), reversed(actions)))
    if not turn or not all(isinstance(action, MoveDragon) for action in turn):
        return None
    is_first = len(turn) == len(actions)
    if is_first and not view.acts:
        return None
    if state.figures[state.active] < 0:
        return None
    figure = Place(f"figure:{state.player}")
    if figure not in sight:
        return figure
    return None if is_first else _unseen_box(state, state.active, sight)


def _of_round(view: CityState, actions: Sequence[Action], sight: Container[Place]) -> Place | None:
    """Return a place that must be seen where some of this may belong to the active player's next turn.

    If all others may have had a turn meanwhile that left no trace in sight, that is not known.
    """
    if not (_moves_on(view, actions) or _pays_again(view, actions)):
        return None
    return _of_others(view, sight)


def _of_others(view: CityState, sight: Container[Place], *, with_boxes: bool = False) -> Place | None:
    """Return an unseen place if all but the active player may have had a turn that left no trace in sight.

    Boxes may be hidden for many turns, so they count only `with_boxes`: where a rule seems broken otherwise.
    """
    seats = [seat for seat in _others(view) if view.figures[seat] >= 0]
    hidden = [_trace_of(view, seat, sight, with_boxes=with_boxes) for seat in seats]
    return hidden[0] if hidden and all(hidden) else None


def _moves_on(view: CityState, actions: Sequence[Action]) -> bool:
    """Whether the active player's movement seems to go on after something was played in this turn."""
    return bool(view.acts and view.moving and actions and isinstance(actions[0], MoveDragon | Move | Fly))


def _pays_again(view: CityState, actions: Sequence[Action]) -> bool:
    """Whether the active player seems to lay more than one marker in this turn."""
    turn = takewhile(lambda action: not isinstance(action, End), actions)
    laid = sum(isinstance(action, Contribute | Offer) for action in turn)
    return laid > (0 if view.contributed or view.offered else 1)


def _others(view: CityState) -> list[int]:
    """Return the seats of all but the active player, in the order of their turns."""
    players = len(view.setup.players)
    return [(view.active + step) % players for step in range(1, players)]


def _trace_of(view: CityState, seat: int, sight: Container[Place], *, with_boxes: bool) -> Place | None:
    """Return an unseen place where a player, who has not moved, may have left a trace of a turn."""
    figure = Place(f"figure:{view.setup.players[seat]}")
    if figure not in sight:
        return figure
    box = _unseen_box(view, seat, sight) if with_boxes else None
    return box or _unseen_offering(view, seat, sight)


def _needed(state: CityState, action: Action, new_top: Value, *, is_pile_seen: bool) -> Iterator[Place]:
    """Yield what must be seen before an action that closes the movement phase or the turn, or spends a card.

    Which card lies on top of the pile after several were spent depends on all that was moved; where the pile
    is not seen that proves nothing either way. A card that moves dragons came for no walk.
    """
    is_free = isinstance(action, Move) and needs_no_card(state, action)
    if state.moving and not (is_free and new_top not in DRAGON_CARDS):
        # One that is not in the city has no place to be seen in; where it came in it would stand out.
        known = zip(DRAGONS, state.dragons, strict=True)
        yield from (Place(f"dragon:{dragon}") for dragon, where in known if where >= 0)
    if is_pile_seen and isinstance(action, MoveDragon | Move | Fly) and not is_free:
        yield Place(f"figure:{state.player}")
    if isinstance(action, Contribute):
        yield from _open_boxes(state, state.figures[state.active])
    if isinstance(action, Offer):
        yield from _like_next_box(state)
    if isinstance(action, End):
        yield from _of_turn(state, state.figures[state.active])


def _of_turn(state: CityState, cell: int) -> Iterator[Place]:
    """Yield where the active player, standing on `cell`, could have left a trace of his turn."""
    if state.moving:
        yield Place(f"figure:{state.player}")
    if not state.markers[state.active]:
        return
    yield from _open_boxes(state, cell)
    # Who has too few crystals has made no offering; but to wait for some alone would tell who has how many.
    yield from _offering_boxes(state, state.active, cell)


def _offering_boxes(state: CityState, seat: int, cell: int) -> Iterator[Place]:
    """Yield where a player, standing on `cell`, could have made an offering."""
    if cell == CENTRE and state.markers[seat] and state.next_box < len(state.obelisk):
        yield from _like_next_box(state)


def _unseen_box(state: CityState, seat: int, sight: Container[Place]) -> Place | None:
    """Return a box that nobody sees where a player, whose figure stays in the city, could have paid."""
    here = state.figures[seat]
    hidden = _unseen_boxes(state, here, sight) if state.markers[seat] else []
    return Place(f"box:{CELLS[here]}:{hidden[0]}") if hidden else None


def _unseen_offering(state: CityState, seat: int, sight: Container[Place]) -> Place | None:
    """Return a box that nobody sees where a player, whose figure stays, could have made an offering."""
    wanted = _offering_boxes(state, seat, state.figures[seat])
    return next((where for where in wanted if where not in sight), None)


def _like_next_box(state: CityState) -> Iterator[Place]:
    """Yield the boxes of the next offering's value, which is as good on any of them.

    Those that are taken count, too: a new marker seems to be an earlier one while that is not seen.
    """
    values = state.setup.catalogue.obelisk
    for box, value in enumerate(values):
        if value == values[state.next_box] and box >= state.setup.first_obelisk_box:
            yield Place(f"obelisk:{box}")


def _open_boxes(state: CityState, cell: int) -> Iterator[Place]:
    """Yield the free boxes of a cell, unless pieces crowd it.

    A dragon or a second figure may hide a box for many turns. Nobody can wait for that: the players are asked
    where a card speaks for a marker behind them, and one that comes to light is put in where it was played.
    """
    if _is_crowded(state, cell):
        return
    for box in _free_boxes(state, cell):
        yield Place(f"box:{CELLS[cell]}:{box}")


def _is_crowded(state: CityState, cell: int) -> bool:
    return cell in state.dragons or state.figures.count(cell) > 1


def hidden_payments(
    view: CityState, actions: Sequence[Action], tops: Collection[Value], sight: Container[Place]
) -> list[Contribute]:
    """Return payments of boxes after which this run may have gone on as it did.

    The run begins with the end of the turn or with paying another box. Only a box counts that pieces hide,
    that one of the `tops`, seen on the pile since the last action, may have paid, and that does not complete
    its building, for that would show.
    """
    cell = view.figures[view.active]
    free = _free_boxes(view, cell)
    first = actions[0]
    if not isinstance(first, End | Contribute) or not _is_crowded(view, cell):
        return []
    if len(free) < (3 if isinstance(first, Contribute) else 2):
        return []
    hidden = _unseen_boxes(view, cell, sight)
    return [one for box in hidden if (one := _payment(view, cell, box, tops)) is not None]


def _free_boxes(state: CityState, cell: int) -> list[int]:
    return [box for box, owner in enumerate(state.boxes[cell]) if owner < 0]


def _unseen_boxes(state: CityState, cell: int, sight: Container[Place]) -> list[int]:
    """Return the free boxes of a cell that nobody sees."""
    return [box for box in _free_boxes(state, cell) if Place(f"box:{CELLS[cell]}:{box}") not in sight]


def unpaid_turn(
    view: CityState,
    actions: Sequence[Action],
    sight: Container[Place],
    doubted: Container[Place],
    *,
    is_vain: bool,
) -> tuple[int, list[Action]]:
    """Return what may end the first turn of a run of which nobody saw all that was paid.

    It comes before the action with this number. Who ends a turn has usually paid something; so where he
    stands among other pieces that hide free boxes, it is likelier than not that one of them was paid. Where
    the pile is seen, its cards tell. Once it was waited in vain to see more, all hidden boxes count, whatever
    else was paid, and so does a free box that does not look empty (`doubted`).
    """
    state = view
    for number, action in enumerate(() if PILE in sight else actions):
        if isinstance(action, End) and (paid := _perhaps_paid(state, sight, doubted, is_vain=is_vain)):
            return number, paid
        state, _ = apply(state, action)
    return 0, []


def _perhaps_paid(
    state: CityState, sight: Container[Place], doubted: Container[Place], *, is_vain: bool
) -> list[Action]:
    """Return what the active player, who ends the turn, may have paid unseen; see `unpaid_turn`."""
    paid = _doubted_boxes(state, doubted)
    if paid or not (state.moving or is_vain):
        return paid
    offers = _hidden_offers(state, sight) if is_vain else []
    return [*_hidden_boxes(state, sight, is_vain=is_vain), *offers]


def may_have_ended(view: CityState, sight: Container[Place]) -> bool:
    """Say whether the running turn, in which somebody has moved, may be over: paid where nobody sees it."""
    if not (view.acts and view.moving):
        return False
    return bool(_hidden_boxes(view, sight, is_vain=True) or _hidden_offers(view, sight))


def unseen_round(view: CityState, actions: Sequence[Action], sight: Container[Place]) -> list[list[TurnPlan]]:
    """Return the ways in which everybody else may have had a turn that nobody saw, before these actions.

    A figure that has used up its free steps walks or flies on with a card. Where nobody sees the pile, and
    each of the others may have paid where nobody sees it, its player may as well have a new turn; so he may
    if he has paid where nobody sees it himself. Each way begins with the end of the running turn; in the last
    one nobody did anything.
    """
    steps = view.steps if view.hidden is None else view.hidden.steps_low
    if PILE in sight or steps == STEPS or not _takes_card(view, actions):
        return []
    others = _others(view)
    ways = [_unseen_turns(view, seat, sight) for seat in others]
    ended, *passed = (TurnPlan(seat=seat) for seat in (view.active, *others))
    if all(ways):
        return [[ended, *way] for way in (*product(*ways), passed)]
    paid = _unseen_turns(view, view.active, sight)
    return [[own, *passed] for own in (*paid, ended)] if paid else []


def _takes_card(view: CityState, actions: Sequence[Action]) -> bool:
    """Whether the active player's figure needs a card for its way in these actions."""
    state = view
    for action in takewhile(lambda action: not isinstance(action, End), actions):
        if isinstance(action, Fly) or (isinstance(action, Move) and not needs_no_card(state, action)):
            return True
        state, _ = apply(state, action)
    return False


def _unseen_turns(view: CityState, seat: int, sight: Container[Place]) -> list[TurnPlan]:
    """Return the turns in which a player, who has not moved, paid a box or offered where nobody sees it."""
    here = view.figures[seat]
    if here < 0 or not view.markers[seat]:
        return []
    turns = [TurnPlan(seat=seat, boxes=[(here, box)]) for box in _unseen_boxes(view, here, sight)]
    if _unseen_offering(view, seat, sight) is not None:
        turns.append(TurnPlan(seat=seat, offers=[view.next_box]))
    return turns


def _hidden_boxes(state: CityState, sight: Container[Place], *, is_vain: bool) -> list[Action]:
    """Return the payments of free boxes that nobody sees where the active player stands."""
    cell = state.figures[state.active]
    if cell < 0 or not (is_vain or _is_crowded(state, cell)):
        return []
    return _paid_here(state, _unseen_boxes(state, cell, sight))


def _doubted_boxes(state: CityState, doubted: Container[Place]) -> list[Action]:
    """Return the payments of free boxes that do not look empty where the active player stands."""
    cell = state.figures[state.active]
    if cell < 0:
        return []
    return _paid_here(
        state, [box for box in _free_boxes(state, cell) if Place(f"box:{CELLS[cell]}:{box}") in doubted]
    )


def _paid_here(state: CityState, boxes: Sequence[int]) -> list[Action]:
    """Return the payments of these boxes by the active player, whose figure stands there."""
    if not boxes or not state.markers[state.active]:
        return []
    colour = colour_paid(state, state.figures[state.active], None)
    paid = Contribute(player=state.player, box=0, colour=colour, cards=None, pairs=None, recolour=None)
    return [replace(paid, box=box) for box in boxes]


def _hidden_offers(state: CityState, sight: Container[Place]) -> list[Action]:
    """Return the offering that the active player may have made on a board that nobody sees."""
    is_seen = _unseen_offering(state, state.active, sight) is None
    return [] if is_seen else [Offer(player=state.player)]


def _payment(state: CityState, cell: int, box: int, tops: Collection[Value]) -> Contribute | None:
    """Return the contribution to a box that one of the tops may have paid, None if none of them can."""
    for top in tops:
        colour = colour_paid(state, cell, top)
        paid = Contribute(player=state.player, box=box, colour=colour, cards=None, pairs=None, recolour=None)
        if top in tops_after(state, paid):
            return paid
    return None


def rescuer(view: CityState, rule: str, found: Differences, sight: Container[Place]) -> Place | None:
    """Return an unseen place whose sight could lift a refusal by this rule, None if nothing could."""
    hidden = next((where for where in _rescuers(view, rule, found) if where not in sight), None)
    if hidden is not None or rule != "phase.movement_is_over":
        return hidden
    return _of_others(view, sight, with_boxes=True)


def _rescuers(view: CityState, rule: str, found: Differences) -> Iterator[Place]:
    names = view.setup.players
    if rule in _FIGURE_RULES:
        yield from (Place(f"figure:{name}") for name in names)
    elif rule in _TURN_RULES:
        yield Place(f"figure:{view.player}")
        yield from _of_turn(view, found.figures.get(view.active, view.figures[view.active]))
    elif rule == "offer.wrong_box":
        first = view.setup.first_obelisk_box
        yield from (Place(f"obelisk:{i}") for i, owner in enumerate(view.obelisk) if owner < 0 and i >= first)
    elif rule in ("table.marker_missing", "table.marker_moved"):
        for cell in {cell for cell, _, _ in found.gone}:
            yield Place(f"cell:{CELLS[cell]}")
            yield from (Place(f"box:{CELLS[cell]}:{box}") for box in range(len(view.boxes[cell])))
