"""Runs of actions that could explain a table: plans of turns, and what comes of playing them.

A run is played on the veiled state (`veil`): a table shows no hands, so even an open game is explained as
the players around it see it, with the bounds that the open cards give.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from math import prod
from typing import TypeAlias

from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action, Contribute, End, Fly, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CELLS,
    CENTRE,
    DISTANCE,
    DRAGON_PEOPLE,
    DRAGONS,
    PEOPLE,
    PEOPLES,
    VALUE,
)
from companion.games.blue_moon_city.reconcile.differences import Differences
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.legal import payments
from companion.games.blue_moon_city.rules.spending import FLITS, needs_no_card, tops_after, tops_of_turn
from companion.games.blue_moon_city.state import CityState, Hidden
from companion.games.kit.search import Run, Search
from companion.table import Place, Value


def veil(state: CityState) -> CityState:
    """Return the state as a closed game: hands, deck and face-down cards become exact bounds."""
    if state.hidden is not None:
        return state
    hands = tuple(len(h) for h in state.hands)
    aside = tuple(len(a) for a in state.aside)
    hidden = Hidden(
        hand_low=hands,
        hand_high=hands,
        aside_low=aside,
        aside_high=aside,
        deck_low=len(state.deck),
        deck_high=len(state.deck),
        crystals_low=state.crystals,
        steps_low=state.steps,
        spent=state.discard,
        top=state.discard[-1] if state.discard else None,
        pile_empty=not state.discard,
        paid=tops_of_turn(state) if state.acts else frozenset(),
    )
    return replace(
        state,
        setup=replace(state.setup, is_open=False),
        hands=(),
        aside=(),
        deck=(),
        discard=(),
        hidden=hidden,
    )


@dataclass(slots=True)
class TurnPlan:
    """What one player is supposed to have done in one turn.

    Attributes:
        to: where the figure went, None = it stayed.
        dragons: where the dragons went, by number.
        boxes: contribution boxes paid, (cell, box), in order.
        offers: obelisk boxes taken.
    """

    seat: int
    to: int | None = None
    dragons: dict[int, int] = field(default_factory=dict)
    boxes: list[tuple[int, int]] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was done."""
        return self.to is None and not (self.dragons or self.boxes or self.offers)

    @property
    def is_lone(self) -> bool:
        """Whether dragons at most were moved."""
        return self.to is None and not (self.boxes or self.offers)

    @property
    def is_firm(self) -> bool:
        """Whether a marker bears witness of the turn."""
        return bool(self.boxes or self.offers)


CityRun: TypeAlias = Run[CityState, Action, Differences]
CityPlay: TypeAlias = Search[CityState, Action, Differences]


@dataclass(frozen=True, slots=True)
class Spend:
    """A card-spending action of a run: its index, and what may lie on top of the pile after it."""

    index: int
    tops: frozenset[str]


def spends_of(run: CityRun) -> list[Spend]:
    """Return the actions of a run that spend cards, in order."""
    tops = (tops_after(state, action) for state, action in run.pairs)
    return [Spend(index, those) for index, those in enumerate(tops) if those]


def assumed_in(run: CityRun) -> int:
    """Return how many hidden cards a run takes for granted for the figures' ways."""
    return sum(
        isinstance(action, Fly)
        or (
            isinstance(action, Move)
            and action.cards is None
            and state.moving
            and not needs_no_card(state, action)
        )
        for state, action in run.pairs
    )


def essence(s: CityState) -> tuple[Hashable, ...]:
    """Return all that matters for the game: two runs that lead to the same need no question."""
    public = (s.active, s.moving, s.contributed, s.offered, s.boxes, s.built, s.obelisk, s.outcome)
    return (*public, s.figures, s.dragons, s.markers, s.scales, s.supply, s.crystals, s.crystals_low)


class RunRefused(Exception):  # noqa: N818 -- a verdict on a hypothesis, caught where it was made
    """The supposed run breaks a rule.

    Attributes:
        violation: the rule.
        places: whose pieces show it.
        odd: how badly the run explains the cards that were seen on the discard pile before.
        skipped: the turns before the one that breaks the rule, where that is to be out of turn.
    """

    def __init__(
        self,
        violation: RuleViolation,
        places: list[Place],
        *,
        odd: int = 0,
        skipped: tuple[TurnPlan, ...] = (),
    ) -> None:
        super().__init__(str(violation))
        self.violation = violation
        self.places = places
        self.odd = odd
        self.skipped = skipped


def play(search: CityPlay, state: CityState, plans: list[TurnPlan]) -> CityRun:
    """Return the run in which these turns are played, of the `state` as it is known; raises RunRefused."""
    actions: list[Action] = []
    states = [search.start.state]
    for number, plan in enumerate(plans):
        is_last = number + 1 == len(plans)
        end = End(player=state.setup.players[plan.seat], discard=None)
        deeds = _actions(state, states, plan, search.start.wrong)
        for action, places in chain(deeds, [] if is_last else [(end, [])]):
            try:
                after, _ = apply(states[-1], action)
            except RuleViolation as violation:
                raise RunRefused(violation, places) from None
            actions.append(action)
            states.append(after)
    return search.led(search.start, tuple(actions), tuple(states))


def _actions(
    state: CityState, states: Sequence[CityState], plan: TurnPlan, found: Differences
) -> Iterator[tuple[Action, list[Place]]]:
    """Yield the actions of one turn with the places that show them; `states` grows meanwhile."""
    player = state.setup.players[plan.seat]
    figure = Place(f"figure:{player}")
    for number, to in plan.dragons.items():
        place = Place(f"dragon:{DRAGONS[number]}")
        _need_dragon_card(state, states[-1], plan.seat, number, to, place)
        yield MoveDragon(player=player, dragon=DRAGONS[number], to=to), [place]
    if plan.to is not None and plan.to != states[-1].figures[plan.seat]:
        yield _way(state, states[-1], plan, found, figure), [figure]
    here = states[-1].figures[plan.seat]
    for cell, box in plan.boxes:
        place = Place(f"box:{CELLS[cell]}:{box}")
        if cell != here:
            raise RunRefused(RuleViolation("contribute.figure_elsewhere", player=player), [place])
        _need_payment(state, states[-1], plan.seat, cell, box, place)
        colour = colour_paid(states[-1], cell, found.top_now)
        yield (
            Contribute(player=player, box=box, colour=colour, cards=None, pairs=None, recolour=None),
            [place],
        )
    for box in plan.offers:
        yield Offer(player=player), [Place(f"obelisk:{box}")]


def _way(state: CityState, now: CityState, plan: TurnPlan, found: Differences, figure: Place) -> Action:
    """Return the walk or flight that brings the figure to its new cell."""
    player, to = state.setup.players[plan.seat], plan.to
    assert to is not None
    here = now.figures[plan.seat]
    steps = DISTANCE[here][to]
    surely = now.steps if now.hidden is None else now.hidden.steps_low
    # A Flit may have been spent where two steps would do; an unchanged pile shows that none was, unless
    # a Flit lay on top before.
    no_card_spent = found.top_unchanged and found.top_now not in FLITS
    if steps <= surely or not now.moving:
        return Move(player=player, to=to, path=None, cards=() if no_card_spent else None)
    if found.top_unchanged and steps <= now.steps:
        return Move(player=player, to=to, path=None, cards=())  # a Flit spent before may have left steps
    if no_card_spent and not (plan.is_firm or plan.dragons):
        raise RunRefused(_too_far(here, to, steps, surely), [figure])
    ways = _ways_with_cards(state, now, plan.seat, to, found.top_now)
    if not ways:
        raise RunRefused(_too_far(here, to, steps, surely), [figure])
    return ways[0] if len(ways) == 1 or is_playable(now, ways[:1]) else ways[1]


def _ways_with_cards(state: CityState, now: CityState, seat: int, to: int, top: Value) -> list[Action]:
    """Return the walk and the flight that a player may pay with Flits, the likelier one first."""
    player, hand = state.setup.players[seat], _open_hand(state, seat)
    surely = now.steps if now.hidden is None else now.hidden.steps_low
    flits = -(-(DISTANCE[now.figures[seat]][to] - surely) // 2)
    walk, flight = Move(player=player, to=to, path=None, cards=None), Fly(player=player, to=to)
    can_fly = hand is None or "flit-1" in hand
    if hand is not None and hand.count("flit-2") < flits:
        return [flight] if can_fly else []
    # Where neither card is seen a walk with one leaves the most open: steps may be left after it.
    is_walk = top == "flit-2" or (flits == 1 and top != "flit-1")
    if not can_fly:
        return [walk]
    return [walk, flight] if is_walk else [flight]


def is_playable(state: CityState, actions: Iterable[Action]) -> bool:
    """Say whether the rules let these actions be played one after the other."""
    try:
        for action in actions:
            state, _ = apply(state, action)
    except RuleViolation:
        return False
    return True


def _too_far(here: int, to: int, steps: int, allowed: int) -> RuleViolation:
    (r1, c1), (r2, c2) = (map(int, CELLS[i].split(",")) for i in (here, to))
    if abs(r1 - r2) == 1 and abs(c1 - c2) == 1:
        return RuleViolation("move.step_not_orthogonal", start=CELLS[here], end=CELLS[to])
    return RuleViolation("move.too_far", steps=steps, allowed=allowed)


def _open_hand(state: CityState, seat: int) -> tuple[str, ...] | None:
    """Return the cards that the player may hold, None if nobody knows."""
    if state.hidden is not None:
        return None
    return state.hands[seat] + (state.aside[seat] if seat != state.active else ())


def _need_dragon_card(
    state: CityState, now: CityState, seat: int, number: int, to: int, place: Place
) -> None:
    hand = _open_hand(state, seat)
    if hand is None or not now.moving:
        return
    people = DRAGON_PEOPLE[DRAGONS[number]]
    here = now.dragons[number]
    walks = here >= 0 and f"{people}-2" in hand and DISTANCE[here][to] <= 3
    if f"{people}-1" not in hand and not walks:
        raise RunRefused(RuleViolation("dragon.no_card", dragon=DRAGONS[number]), [place])


def _need_payment(state: CityState, now: CityState, seat: int, cell: int, box: int, place: Place) -> None:
    hand = _open_hand(state, seat)
    building = now.setup.buildings[cell]
    if hand is None or building is None or not 0 <= box < len(building.values):
        return
    colours = PEOPLES if building.colour == ANY else (building.colour,)
    if not any(payments(hand, colour, building.values[box]) for colour in colours):
        total = _most(hand, building.colour)
        raise RunRefused(
            RuleViolation("contribute.too_little", total=total, value=building.values[box]), [place]
        )


def _most(hand: tuple[str, ...], colour: str) -> int:
    return sum(VALUE[c] for c in hand if PEOPLE[c] in (colour, "khind"))


def colour_paid(now: CityState, cell: int, top: Value) -> str:
    """Return the colour of a contribution; in the palace the top card's, for any colour serves there."""
    building = now.setup.buildings[cell]
    assert building is not None
    if building.colour != ANY:
        return building.colour
    return PEOPLE[top] if top else PEOPLES[0]


# -- sharing out what was seen among turns -----------------------------------------------------------------


def plans_for(
    view: CityState, found: Differences, shift: dict[int, int], *, most: int
) -> list[list[TurnPlan]] | None:
    """Return the ways to share the differences out among turns; None if they are more than `most`.

    `shift` gives the turn (0 = the running one) in which each acting seat acts. More than one way exists
    only for dragons and for the boxes of a flipped building when several players could be meant.
    """
    length = max(shift.values(), default=0) + 1
    turns = _turns_of(view, found, shift, length)
    movers = set(shift.values()) or {0}
    if found.dragons and movers == {0} and not found.figures and not found.placed:
        turns.append(TurnPlan(seat=(view.active + 1) % len(view.setup.players)))  # moved them alone, perhaps
        movers = {0, 1} if view.moving else {1}
    elif found.dragons:
        movers |= set(range(1, length))
    fillers = {cell: _fillers(view, turns, cell, found.unseen_figures) for cell in found.flipped}
    movers = movers.union(*fillers.values())
    spots = [(cell, box) for cell in found.flipped for box in _free_boxes(view, found, cell)]
    if len(movers) ** len(found.dragons) * prod(len(fillers[cell]) for cell, _ in spots) > most:
        return None
    ways = [
        _shared(turns, found.dragons, dragon_turns, spots, filler_turns)
        for dragon_turns in product(sorted(movers), repeat=len(found.dragons))
        for filler_turns in product(*(fillers[cell] for cell, _ in spots))
    ]
    return [plans for plans in ways if _tidied(view, plans, found, length)]


def _tidied(view: CityState, plans: list[TurnPlan], found: Differences, length: int) -> bool:
    """Let figures follow their markers, drop a turn that was added in vain; say whether the rest can be."""
    _follow_markers(view, plans, found)
    if len(plans) > length and plans[-1].is_empty:
        plans.pop()  # nobody but the active player did anything
    return len(plans) == 1 or not plans[-1].is_empty


def _turns_of(view: CityState, found: Differences, shift: dict[int, int], length: int) -> list[TurnPlan]:
    """Return so many turns with what surely belongs to them: figures, markers, offerings."""
    turns = [TurnPlan(seat=(view.active + turn) % len(view.setup.players)) for turn in range(length)]
    for seat, turn in shift.items():
        plan = turns[turn]
        plan.to = found.figures.get(seat)
        plan.boxes = sorted(found.placed.get(seat, []))
        plan.offers = sorted(found.offered.get(seat, []))
        if plan.to is None and _unseen(found, seat):
            plan.to = plan.boxes[0][0] if plan.boxes else CENTRE if plan.offers else None
    return turns


def _follow_markers(view: CityState, plans: list[TurnPlan], found: Differences) -> None:
    """Let a figure that was not seen stand where its player contributed."""
    for plan in plans:
        if plan.to is None and plan.boxes and _unseen(found, plan.seat):
            cell = plan.boxes[0][0]
            plan.to = cell if view.figures[plan.seat] != cell else None


def _unseen(found: Differences, seat: int) -> bool:
    return seat in found.unseen_figures


def _free_boxes(view: CityState, found: Differences, cell: int) -> list[int]:
    taken = {box for spots in found.placed.values() for c, box in spots if c == cell}
    return [b for b, owner in enumerate(view.boxes[cell]) if owner < 0 and b not in taken]


def _fillers(view: CityState, turns: list[TurnPlan], cell: int, unseen: set[int]) -> list[int]:
    """Return the turns whose player ends on this cell, or may do so unseen; else the first of the run."""
    ending = [t for t, p in enumerate(turns) if (view.figures[p.seat] if p.to is None else p.to) == cell]
    return ending or [t for t, p in enumerate(turns) if p.to is None and p.seat in unseen] or [0]


def _shared(
    turns: list[TurnPlan],
    dragons: Mapping[int, int],
    dragon_turns: tuple[int, ...],
    spots: list[tuple[int, int]],
    filler_turns: tuple[int, ...],
) -> list[TurnPlan]:
    plans = [replace(t, dragons=dict(t.dragons), boxes=list(t.boxes)) for t in turns]
    for (number, to), turn in zip(dragons.items(), dragon_turns, strict=True):
        plans[turn].dragons[number] = to
    for spot, turn in zip(spots, filler_turns, strict=True):
        plans[turn].boxes.append(spot)
    for plan in plans:
        plan.boxes.sort()
    return plans


def shifts(view: CityState, found: Differences, *, is_turn_open: bool) -> Iterator[list[dict[int, int]]]:
    """Yield in which turn of the run each acting player acts: likely groups of such maps first.

    A player who stands on a flipped tile may have completed it without leaving any other trace, so there
    is one map for each of them. Later groups suppose that everyone in between passed; where nobody knows
    whether the running turn is over (`is_turn_open`) that its player has had another is as likely.
    """
    n = len(view.setup.players)
    bases = _first_turns(view, found)
    anew = [{**base, view.active: n} for base in bases if len(base) > 1 and base.get(view.active) == 0]
    yield [*bases, *anew] if is_turn_open else bases
    for base in bases:
        late = list(product((0, n), repeat=len(base)))[1:]
        maps = [{s: base[s] + more for s, more in zip(base, one, strict=True)} for one in late]
        yield from ([one] for one in sorted(maps, key=lambda one: (max(one.values()), sum(one.values()))))
    if {} in bases and found.dragons:
        yield [{(view.active + turn) % n: turn} for turn in range(2, n)]  # others may have moved them alone
    if {} in bases:
        yield [{view.active: n}]  # who had ended his turn may have completed a building in his next


def _first_turns(view: CityState, found: Differences) -> list[dict[int, int]]:
    """Return the maps in which each acting player acts in the first turn that is theirs."""
    acting = set(found.figures) | set(found.placed) | set(found.offered)
    bases = [{seat: (seat - view.active) % len(view.setup.players) for seat in acting}]
    for cell in found.flipped:
        wider = _with_completers(view, found, bases, cell, acting | {view.active})
        bases = [one for number, one in enumerate(wider) if one not in wider[:number]]
    return bases


def _with_completers(
    view: CityState, found: Differences, bases: list[dict[int, int]], cell: int, known: set[int]
) -> list[dict[int, int]]:
    """Return the maps with those besides who stand on a flipped cell, or may do so unseen."""
    n = len(view.setup.players)
    there = [s for s in range(n) if found.figures.get(s, view.figures[s]) == cell]
    there = there or sorted(found.unseen_figures)
    wider = [{**base, s: (s - view.active) % n} for base in bases for s in there if s not in known]
    bases = [*bases, *wider] if known & set(there) else wider or bases
    if view.active in there and view.active in found.unseen_figures:
        return [{view.active: 0, **base} for base in bases]  # he may have come back a round later
    return bases


def passes_of(view: CityState, plans: list[TurnPlan]) -> list[TurnPlan]:
    """Return the turns of a run in which nothing on the table moved, the last one apart."""
    return [p for t, p in enumerate(plans[:-1]) if p.is_empty and (t > 0 or view.acts == 0)]


def cost_of(view: CityState, plans: list[TurnPlan], found: Differences, *, is_turn_open: bool) -> int:
    """Return how unlikely a run is: two for a turn in which anything was done, three for one passed.

    A dragon that was moved to where its mover then contributed explains itself. That the next player has
    moved a dragon alone is odd where no card was discarded since anything was done. Where nobody knows
    whether the running turn is over, that its movement goes on is as odd as that its player has had another.
    """
    acting = sum(not p.is_empty for p in plans)
    useful = sum(to == p.boxes[0][0] for p in plans if p.boxes for to in p.dragons.values())
    odd = int(not found.earlier_discards and _is_lone_dragon(plans))
    if is_turn_open:
        goes_on = plans[0].to is not None or bool(plans[0].dragons)
        odd += goes_on or (plans[0].is_empty and len(plans) > len(view.setup.players))
    return 2 * acting + 3 * len(passes_of(view, plans)) + odd - 2 * useful


def _is_lone_dragon(plans: list[TurnPlan]) -> bool:
    """Whether the next player has moved a dragon and nothing else."""
    return len(plans) == 2 and plans[0].is_empty and bool(plans[1].dragons) and plans[1].is_lone


def unlikely(view: CityState, plans: list[TurnPlan], found: Differences) -> RunRefused | None:
    """Refuse a run that rests on more untouched turns than the table bears witness for.

    A turn in which nothing on the table moved is legal, but where a figure or dragon alone was moved, a wrong
    player's slip is as likely. A marker paid for after the untouched turns settles it; short of that each of
    them needs another later turn or a new card on the discard pile as a witness.
    """
    passes = passes_of(view, plans)
    acting = [p for t, p in enumerate(plans) if t > 0 and not p.is_empty]
    if not passes or any(p.is_firm for p in acting):
        return None
    walked = sum(not p.is_lone for p in acting)
    if len(passes) < walked + max(found.top_changed, found.earlier_discards + found.top_changed - 1):
        return None
    names = view.setup.players
    mover = acting[0]  # a run does not end with a turn in which nothing was done
    places = [Place(f"figure:{names[mover.seat]}")] if mover.to is not None else []
    places += [Place(f"dragon:{DRAGONS[d]}") for d in mover.dragons]
    places += [Place(f"box:{CELLS[c]}:{b}") for c, b in mover.boxes]
    # Whose turn it is has one answer, the game's; who else is to have passed is offered to be said.
    violation = RuleViolation("turn.not_yours", player=names[mover.seat], active=view.player)
    if mover.seat == view.active:
        violation = RuleViolation("table.differs")
    return RunRefused(violation, places, skipped=tuple(plans[: plans.index(mover)]))
