"""Which card may lie on top of the discard pile after an action, as far as those know who see no hands."""

from __future__ import annotations

from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import ANY, DISTANCE, DRAGON_PEOPLE, DRAGONS, PEOPLES
from companion.games.blue_moon_city.state import CityState

FLITS = frozenset({"flit-1", "flit-2"})
PILLARS = frozenset({"pillar-1", "pillar-2"})
DRAGON_CARDS = frozenset(f"{people}-{value}" for people in DRAGON_PEOPLE.values() for value in (1, 2))


def needs_no_card(state: CityState, move: Move) -> bool:
    """Whether the steps that are surely left carry the figure there."""
    steps = DISTANCE[state.figures[state.active]][move.to]
    return steps <= (state.steps if state.hidden is None else state.hidden.steps_low)


def tops_after(now: CityState, action: Action) -> frozenset[str]:
    """Return which cards may lie on top of the pile after the action; empty when it spends none."""
    match action:
        case Fly():
            return frozenset({"flit-1"})
        case Move() if action.cards != () and not needs_no_card(now, action):
            return frozenset({"flit-2"})
        case MoveDragon():
            return _dragon_tops(now, action)
        case Contribute():
            return _contribution_tops(now)
        case Offer() if now.offered:
            return PILLARS
        case _:
            return frozenset()


def paid_after(now: CityState, paid: frozenset[str], action: Action) -> frozenset[str]:
    """Return which cards may have come on the pile by what the active player will have done after the action.

    `paid` are those that may have come by what he has done before it. Cards that pay for a contribution cover
    what was spent on the way; an offering may leave it on top.
    """
    match action:
        case End():
            return frozenset()
        case Contribute():
            return tops_after(now, action)
        case Move() if action.cards is None:  # a Flit may have been spent where none was needed
            return paid | FLITS
        case _:
            return paid | tops_after(now, action)


def tops_of_turn(now: CityState) -> frozenset[str]:
    """Return which cards may have come on the pile in the current turn, when nobody knows what was done."""
    paid = _contribution_tops(now) if now.contributed else FLITS | DRAGON_CARDS
    return paid | PILLARS if now.offered else paid


def _dragon_tops(now: CityState, action: MoveDragon) -> frozenset[str]:
    people = DRAGON_PEOPLE[action.dragon]
    here = now.dragons[DRAGONS.index(action.dragon)]
    near = here >= 0 and (now.setup.options.diagonal_dragons or DISTANCE[here][action.to] <= 3)
    return frozenset({f"{people}-1", f"{people}-2"} if near else {f"{people}-1"})


def _contribution_tops(now: CityState) -> frozenset[str]:
    """Return what may lie on top after a contribution: the cards, a pair, or a recolouring Hoax (on top)."""
    building = now.setup.buildings[now.figures[now.active]]
    if building is None or building.colour == ANY:
        return frozenset(f"{p}-{v}" for p in PEOPLES for v in (1, 2, 3))
    own = {f"{building.colour}-{v}" for v in (1, 2, 3)}
    return frozenset(own | {"khind-1", "mimix-1", "mimix-2", "hoax-1", "hoax-2"})
