"""Cards of the decks that nobody knew, read off the seen table; what is hidden is never guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from companion.errors import RuleViolation
from companion.games.urbion.actions import Action, Chaos, ChooseSide, Reveal, Turn
from companion.games.urbion.catalogue import CHAOS, HAND_SIZE, SIDES
from companion.games.urbion.draft import Draft
from companion.games.urbion.rules import apply, begin
from companion.games.urbion.sight import Group, Sight
from companion.games.urbion.state import Cards, Deck, Job, UrbionState

# So many Chaos cards are taken to be drawn in one turn at most, where the deck is not known.
_MOST_CHAOS = 3


def revealed(
    state: UrbionState, action: ChooseSide | Chaos | Turn, sight: Sight
) -> Iterator[tuple[Action, ...]]:
    """Yield what must become known for the action, as the table shows it: () where nothing must.

    Yields nothing where the table does not show enough, or a rule refuses the action.
    """
    if None not in state.dreams and None not in state.cities:
        yield ()
        return
    try:
        apply(state, action)
    except RuleViolation as violation:
        if violation.rule == "deck.unknown":
            yield from _shown(state, action, sight)
    else:
        yield ()


def _shown(
    state: UrbionState, action: ChooseSide | Chaos | Turn, sight: Sight
) -> Iterator[tuple[Action, ...]]:
    # Every unknown city gets a name of its own, so that the row where it is laid out can be looked at.
    names = [f"?{i}" if city is None else city for i, city in enumerate(state.cities)]
    try:
        draft = begin(replace(state, cities=tuple(names)), action)
    except RuleViolation:
        return
    cities = _cities(names[: len(names) - len(draft.cities)], draft, sight)
    if cities is None:
        return
    found: set[Cards] = set()
    for drawn in _draws(draft, sight):
        dreams = _gaps_filled(state.dreams, drawn)
        if dreams is not None and dreams not in found and (dreams or cities):
            found.add(dreams)
            yield (Reveal(dreams=dreams or None, cities=cities or None),)


def _cities(laid: list[str], draft: Draft, sight: Sight) -> Cards | None:
    """Return the unknown cities that were laid out, as the rows show them; None where one is not shown."""
    rows = {row.city: number for number, row in enumerate(draft.rows) if row is not None}
    shown = []
    for name in laid:
        if name.startswith("?"):
            city = sight.city(rows[name]) if name in rows else None  # no row shows a bonus city
            if not isinstance(city, str):
                return None
            shown.append(city)
    return tuple(shown)


def _gaps_filled(deck: Deck, drawn: Cards) -> Cards | None:
    """Return the cards for the deck's gaps if these are drawn; None where a known card contradicts."""
    if len(drawn) > len(deck):
        return None
    pairs = list(zip(deck, drawn, strict=False))
    if any(there not in (None, card) for there, card in pairs):
        return None
    return tuple(card for there, card in pairs if there is None)


def _draws(draft: Draft, sight: Sight) -> Iterator[Cards]:
    """Yield the orders of drawing that would fill cities and hands as they are seen."""
    jobs = [] if draft.reason is not None else draft.jobs
    for chosen in product(*(list(_draws_for(draft, job, sight)) for job in jobs)):
        yield tuple(card for cards in chosen for card in cards)


def _draws_for(draft: Draft, job: Job, sight: Sight) -> Iterator[Cards]:
    if job.row is not None:
        yield from _pairs(job.row, sight)
    elif job.seat is not None:
        yield from _hand_draws(draft, job.seat, sight)


def _pairs(row: int, sight: Sight) -> Iterator[Cards]:
    """Yield the pair that was dealt to a row; a Chaos card laid there later is left out."""
    groups: list[Group] = [("dream", row, side) for side in SIDES]
    if not all(map(sight.is_whole, groups)):
        return
    cards = [card for group in groups for card in sight.known(group)]
    if len(cards) == 3 and CHAOS in cards:
        cards.remove(CHAOS)
    if len(cards) == 2:
        yield tuple(cards)


def _hand_draws(draft: Draft, seat: int, sight: Sight) -> Iterator[Cards]:
    """Yield the cards that filled a hand, with Chaos cards drawn before the last one."""
    group: Group = ("hand", seat)
    hand = draft.hands[seat]
    if not sight.is_whole(group):
        return
    drawn = tuple((Counter(sight.known(group)) - Counter(hand)).elements())
    if len(hand) + len(drawn) != HAND_SIZE:
        return
    for chaos in range(_MOST_CHAOS + 1):
        yield (*drawn[:-1], *[CHAOS] * chaos, *drawn[-1:])
