"""The rules of Blue Moon City as a function from state and action to state and events.

Every refusal is a `RuleViolation` with an id of `texts.RULES`; nothing has changed then. In closed play an
action is refused only for what no hidden cards could make legal.
"""

from __future__ import annotations

from collections import Counter

from companion.errors import RuleViolation
from companion.game import Event, Verdict
from companion.games.blue_moon_city.actions import (
    Action,
    Contribute,
    End,
    Fly,
    Move,
    MoveDragon,
    Offer,
)
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CELLS,
    CENTRE,
    DISTANCE,
    DRAGON_PEOPLE,
    DRAGONS,
    NEIGHBOURS,
    PEOPLE,
    PEOPLES,
    STEPS,
    VALUE,
)
from companion.games.blue_moon_city.events import (
    GameEnded,
    MarkerPlaced,
    Offered,
    Reshuffled,
    TurnPassed,
)
from companion.games.blue_moon_city.rules.draft import Draft
from companion.games.blue_moon_city.rules.endings import tested_ending
from companion.games.blue_moon_city.rules.rewards import complete, pay_dragons
from companion.games.blue_moon_city.rules.spending import paid_after
from companion.games.blue_moon_city.state import CityState, Hidden, Outcome, next_free

DRAGON_WALK = 3


def apply(state: CityState, action: Action) -> tuple[CityState, tuple[Event, ...]]:
    """Return the next state and what happened; raises RuleViolation and changes nothing."""
    if state.outcome is not None:
        raise RuleViolation("game.over")
    if action.player != state.player:
        rule = "turn.not_yours" if action.player in state.setup.players else "turn.no_such_player"
        raise RuleViolation(rule, player=action.player, active=state.player)
    draft = Draft(state, getattr(action, "reshuffle", None))
    match action:
        case Move():
            _move(draft, action)
        case Fly():
            _fly(draft, action)
        case MoveDragon():
            _move_dragon(draft, action)
        case Contribute():
            _contribute(draft, action)
        case Offer():
            _offer(draft, action)
        case End():
            _end(draft, action)
    draft.cards.finish()
    if draft.cards.reshuffled:
        draft.events.append(Reshuffled())
    if draft.outcome is None:
        draft.outcome = tested_ending(draft)
    if draft.outcome is not None:
        draft.events.append(GameEnded(winners=draft.outcome.winners, reason=draft.outcome.reason))
    if state.hidden is not None:
        draft.paid = paid_after(state, state.hidden.paid, action)
        draft.paid_before = state.hidden.paid if isinstance(action, End) else state.hidden.paid_before
    return draft.freeze(), tuple(draft.events)


def judge(state: CityState, action: Action) -> Verdict:
    """Say whether an action may be done: with hidden cards only what needs none is surely legal."""
    try:
        apply(state, action)
    except RuleViolation:
        return Verdict.REFUSED
    if state.hidden is None:
        return Verdict.LEGAL
    return Verdict.LEGAL if _is_sure(state, state.hidden, action) else Verdict.CANNOT_TELL


def _is_sure(state: CityState, hidden: Hidden, action: Action) -> bool:
    """Whether an action that the bounds allow is legal whatever the hidden cards are."""
    match action:
        case Move(cards=()):
            here = state.figures[state.active]
            steps = DISTANCE[here][action.to] or 2 if action.path is None else len(action.path)
            return steps <= hidden.steps_low
        case Offer(pillar=None):
            price = state.setup.catalogue.obelisk[state.next_box]
            return not state.offered and hidden.crystals_low[state.active] >= price
        case End():
            return not action.discard
        case _:
            return False


# -- movement phase (rulings 7 to 10) ---------------------------------------------------------------


def _need_movement_phase(draft: Draft) -> None:
    if not draft.moving:
        raise RuleViolation("phase.movement_is_over")


def _check_walk(start: int, path: tuple[int, ...], piece: str, *, diagonal: bool = False) -> None:
    here = start
    for there in path:
        if there not in NEIGHBOURS[here] and not (diagonal and _touches(here, there)):
            raise RuleViolation(f"{piece}.step_not_orthogonal", start=CELLS[here], end=CELLS[there])
        here = there


def _touches(one: int, other: int) -> bool:
    (r1, c1), (r2, c2) = (map(int, CELLS[i].split(",")) for i in (one, other))
    return one != other and abs(r1 - r2) <= 1 and abs(c1 - c2) <= 1


def _move(draft: Draft, action: Move) -> None:
    _need_movement_phase(draft)
    here = draft.figures[draft.active]
    if action.path is not None:
        if not action.path:
            raise RuleViolation("move.no_step")
        _check_walk(here, action.path, "move")
    elif draft.setup.is_open:
        raise RuleViolation("move.way_missing")
    # Who walked to and fro took two steps at least; any longer way to a cell takes two, four ... more.
    needed = len(action.path) if action.path is not None else DISTANCE[here][action.to] or 2
    if action.cards is None:
        _walk_unseen(draft, needed)
    else:
        _walk(draft, needed, action.cards)
    if action.path is None:
        draft.steps_low = draft.steps % 2
    draft.figures[draft.active] = action.to


def _walk(draft: Draft, needed: int, cards: tuple[str, ...]) -> None:
    wrong = next((c for c in cards if c != "flit-2"), None)
    if wrong:
        raise RuleViolation("move.wrong_card", card=wrong)
    allowed = draft.steps + 2 * len(cards)
    if needed > allowed:
        raise RuleViolation("move.too_far", steps=needed, allowed=allowed)
    draft.cards.spend(draft.active, cards, 0, 0)
    draft.steps = allowed - needed
    draft.steps_low = max(draft.steps % 2, draft.steps_low + 2 * len(cards) - needed)


def _walk_unseen(draft: Draft, needed: int) -> None:
    """Walk with an unknown number of Flits: as few as needed, as many as there can be."""
    least = max(0, -(-(needed - draft.steps) // 2))
    most = draft.cards.most_copies(draft.active, "flit-2")
    if least > most:
        raise RuleViolation("move.too_far", steps=needed, allowed=draft.steps + 2 * most)
    draft.cards.spend(draft.active, None, least, most)
    draft.steps += 2 * most - needed
    draft.steps_low = max(draft.steps % 2, draft.steps_low + 2 * least - needed)


def _fly(draft: Draft, action: Fly) -> None:
    _need_movement_phase(draft)
    if action.card not in (None, "flit-1"):
        raise RuleViolation("fly.wrong_card", card=action.card or "")
    if action.to == draft.figures[draft.active]:
        raise RuleViolation("fly.same_cell", cell=CELLS[action.to])
    _spend_unless_unseen(draft, action.card, ("flit-1",))
    draft.figures[draft.active] = action.to


def _move_dragon(draft: Draft, action: MoveDragon) -> None:
    _need_movement_phase(draft)
    number = DRAGONS.index(action.dragon)
    here = draft.dragons[number]
    people = DRAGON_PEOPLE[action.dragon]
    if action.card is not None and (PEOPLE[action.card] != people or VALUE[action.card] == 3):
        raise RuleViolation("dragon.wrong_card", card=action.card, dragon=action.dragon)
    walking = action.path is not None or (action.card is not None and VALUE[action.card] == 2)
    if action.card is not None and walking != (VALUE[action.card] == 2):
        raise RuleViolation("dragon.value_1_has_no_path", dragon=action.dragon)
    if walking:
        _check_dragon_walk(draft, action, here)
    elif action.to == here and action.card is not None:  # an unseen value 2 may have walked to and fro
        raise RuleViolation("dragon.same_cell", dragon=action.dragon, cell=CELLS[action.to])
    _spend_unless_unseen(draft, action.card, (f"{people}-1", f"{people}-2"))
    draft.dragons[number] = action.to


def _spend_unless_unseen(draft: Draft, card: str | None, usable: tuple[str, ...]) -> None:
    """Spend the card that brought a piece where it is; unseen, it may have been several in a row."""
    if card is not None:
        draft.cards.spend(draft.active, (card,), 1, 1)
        return
    most = sum(draft.cards.most_copies(draft.active, each) for each in usable)
    draft.cards.spend(draft.active, None, 1, max(1, most))


def _check_dragon_walk(draft: Draft, action: MoveDragon, here: int) -> None:
    if here < 0:
        raise RuleViolation("dragon.not_in_city", dragon=action.dragon)
    diagonal = draft.setup.options.diagonal_dragons
    if action.path is None:
        if draft.setup.is_open:
            raise RuleViolation("dragon.value_2_needs_path", dragon=action.dragon)
        steps = _king_distance(here, action.to) if diagonal else DISTANCE[here][action.to]
    else:
        if not action.path:
            raise RuleViolation("dragon.no_step", dragon=action.dragon)
        _check_walk(here, action.path, "dragon", diagonal=diagonal)
        steps = len(action.path)
    if steps > DRAGON_WALK:
        raise RuleViolation("dragon.too_far", dragon=action.dragon, steps=steps, allowed=DRAGON_WALK)


def _king_distance(one: int, other: int) -> int:
    """Return the least number of orthogonal or diagonal steps (an under-estimate around the cut corners)."""
    (r1, c1), (r2, c2) = (map(int, CELLS[i].split(",")) for i in (one, other))
    return max(abs(r1 - r2), abs(c1 - c2))


# -- contribution phase (rulings 11 to 15) ------------------------------------------------------------


def _contribute(draft: Draft, action: Contribute) -> None:
    seat = draft.active
    cell = draft.figures[seat]
    check_box(draft, cell, seat, action.box)
    building = draft.building(cell)
    if action.colour not in PEOPLES or building.colour not in (ANY, action.colour):
        raise RuleViolation("contribute.wrong_colour", colour=action.colour, wanted=building.colour)
    _pay_cards(draft, action, building.values[action.box])
    draft.moving = False
    draft.markers[seat] -= 1
    owners = list(draft.boxes[cell])
    owners[action.box] = seat
    draft.boxes[cell] = tuple(owners)
    draft.events.append(MarkerPlaced(player=action.player, cell=cell, tile=building.tile, box=action.box))
    if not draft.contributed:
        draft.contributed = True
        if cell in draft.dragons:
            pay_dragons(draft, seat, cell)
    if -1 not in owners:
        complete(draft, cell)


def check_box(draft: Draft | CityState, cell: int, seat: int, box: int) -> None:
    """Raise RuleViolation unless the player could put a marker there if he could pay."""
    tile = draft.setup.layout[cell]
    if cell == CENTRE:
        raise RuleViolation("contribute.courtyard")
    if cell in draft.built:
        raise RuleViolation("contribute.already_built", tile=tile)
    if not 0 <= box < len(draft.boxes[cell]):
        raise RuleViolation("contribute.no_such_box", tile=tile, box=box)
    if draft.boxes[cell][box] >= 0:
        raise RuleViolation("contribute.box_taken", tile=tile, box=box)
    if draft.markers[seat] <= 0:
        raise RuleViolation("contribute.no_marker", player=draft.setup.players[seat])


def _pay_cards(draft: Draft, action: Contribute, value: int) -> None:
    cards, pairs, recolour = action.cards, action.pairs, action.recolour
    for pair in pairs or ():
        if any(PEOPLE[c] != "mimix" or VALUE[c] == 3 for c in pair):
            raise RuleViolation("contribute.no_pair", one=pair[0], other=pair[1])
    _check_recolour(action)
    total = sum(VALUE[c] for c in cards or ()) + 3 * len(pairs or ())
    if cards is not None and pairs is not None and total < value:
        raise RuleViolation("contribute.too_little", total=total, value=value)
    named = (cards or ()) + tuple(c for p in pairs or () for c in p) + tuple(h for h, _ in recolour or ())
    if cards is not None and pairs is not None and recolour is not None:
        draft.cards.spend(draft.active, named, 0, 0)
        return
    if named:
        draft.cards.spend(draft.active, named, 0, 0)
    least = _least_unseen(action, value - total)
    draft.cards.spend(draft.active, None, least, 80)


def _least_unseen(action: Contribute, missing: int) -> int:
    """Return the least number of unseen cards that a contribution seen in part must have held."""
    least = 0
    if action.cards is None:
        least += max(0, -(-missing // 3))
    elif action.pairs is None:
        least += 2 * max(0, -(-missing // 3))
    foreign = sum(PEOPLE[c] not in (action.colour, "khind") for c in action.cards or ())
    if action.recolour is None:
        least += -(-foreign // 4)
    return least


def _check_recolour(action: Contribute) -> None:
    if action.recolour is None:
        return
    turned: Counter[str] = Counter()
    for hoax, cards in action.recolour:
        _check_hoax(hoax, cards, action.colour)
        turned.update(cards)
    if action.cards is None:
        return
    played = Counter(action.cards)
    for card in turned - played:
        raise RuleViolation("recolour.not_played", card=card)
    for card, count in played.items():
        if PEOPLE[card] not in (action.colour, "khind") and turned[card] < count:
            raise RuleViolation("contribute.wrong_card", card=card, colour=action.colour)


def _check_hoax(hoax: str, cards: tuple[str, ...], colour: str) -> None:
    """Refuse what one Hoax cannot turn to a colour."""
    if hoax not in ("hoax-1", "hoax-2"):
        raise RuleViolation("recolour.wrong_card", card=hoax)
    most = 4 if hoax == "hoax-1" else 1
    if not 1 <= len(cards) <= most:
        raise RuleViolation("recolour.wrong_number", card=hoax, number=len(cards), most=most)
    if len({PEOPLE[card] for card in cards}) > 1:
        raise RuleViolation("recolour.two_colours", card=hoax)
    if PEOPLE[cards[0]] == colour:
        raise RuleViolation("recolour.same_colour", card=cards[0], colour=colour)


# -- offerings (ruling 19) ------------------------------------------------------------------------


def _offer(draft: Draft, action: Offer) -> None:
    seat, pillar = draft.active, action.pillar
    if draft.figures[seat] != CENTRE:
        raise RuleViolation("offer.not_in_courtyard", cell=CELLS[draft.figures[seat]])
    if draft.markers[seat] <= 0:
        raise RuleViolation("offer.no_marker", player=action.player)
    box = next_free(draft.obelisk, draft.setup.first_obelisk_box)
    if box == len(draft.obelisk):
        raise RuleViolation("offer.obelisk_full")
    _check_pillar(draft, pillar)
    price = draft.setup.catalogue.obelisk[box]
    # Which Pillar allowed a further offering nobody may have seen: it costs one more or two.
    least, most = (price, price) if not draft.offered else (price + 1, price + 2)
    if pillar is not None:
        least = most = price + int(pillar[-1])
    if draft.crystals[seat] < least:
        raise RuleViolation("offer.too_few_crystals", price=least)
    if draft.offered:
        draft.cards.spend(seat, None if pillar is None else (pillar,), 1, 1)
    draft.pay_crystals(seat, least, most)
    draft.moving = False
    draft.offered += 1
    draft.markers[seat] -= 1
    draft.obelisk[box] = seat
    count = draft.obelisk.count(seat)
    draft.events.append(Offered(player=action.player, box=box, price=least, most=most, count=count))
    if count >= draft.setup.offerings_to_win:
        draft.outcome = Outcome(winners=(action.player,), reason="offerings", draw=False)


def _check_pillar(draft: Draft, pillar: str | None) -> None:
    """Refuse a wrong card, one before the first offering, and in an open game a further one without."""
    if pillar is not None and pillar not in ("pillar-1", "pillar-2"):
        raise RuleViolation("offer.wrong_card", card=pillar)
    if pillar is not None and not draft.offered:
        raise RuleViolation("offer.pillar_before_first")
    if pillar is None and draft.offered and draft.setup.is_open:
        raise RuleViolation("offer.once_a_turn")


# -- reset and next turn (rulings 4 to 6) -------------------------------------------------------------


def _end(draft: Draft, action: End) -> None:
    if action.discard is not None and len(action.discard) > 2:
        raise RuleViolation("end.too_many_discards", number=len(action.discard))
    drawn = draft.cards.end_turn(draft.active, action.discard)
    draft.active = (draft.active + 1) % len(draft.setup.players)
    draft.moving = True
    draft.steps = draft.steps_low = STEPS
    draft.contributed = False
    draft.offered = 0
    draft.acts = 0
    draft.turn += 1
    draft.events.append(TurnPassed(player=draft.setup.players[draft.active], drawn=drawn))
