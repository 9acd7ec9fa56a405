"""Cards of the decks that nobody knew, read off the seen table; what is hidden is never guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from companion.errors import RuleViolation
from companion.games.urbion.actions import Action, Chaos, ChooseSide, Prophecy, Reveal, Turn
from companion.games.urbion.catalogue import CHAOS, CHAOS_LOOKS, DEALT, HAND_SIZE, SIDES
from companion.games.urbion.draft import Draft, is_choice
from companion.games.urbion.reconcile.seen_table import Group, SeenTable, card_groups, cards_of
from companion.games.urbion.rules import apply, begin
from companion.games.urbion.state import Cards, Deck, Job, Row, UrbionState
from companion.games.urbion.table import DISCARD, FANS

# With fewer dreams than this an action may find none left to draw.
_MOST_LEFT = 10
# Cards that were drawn and spent again before anyone looked are sought among so many.
_MOST_LAID = 4
# Orders of drawing that are tried for one action, the likeliest first.
_MOST_DRAWS = 16


def revealed(
    state: UrbionState, action: ChooseSide | Chaos | Turn, sight: SeenTable
) -> Iterator[tuple[Action, ...]]:
    """Yield what must become known for the action, as the table shows it: () if nothing must.

    Yields nothing where the table does not show enough, or a rule refuses the action.
    """
    if None not in state.dreams and None not in state.cities:
        yield ()
        return
    if state.dreams[:1] == (None,) and not isinstance(action, Chaos | ChooseSide):
        yield from _shown(state, action, sight)  # every turn that does not end the game draws
        return
    try:
        apply(state, action)
    except RuleViolation as violation:
        if violation.rule == "deck.unknown":
            yield from _shown(state, action, sight)
    else:
        yield ()


def _shown(
    state: UrbionState, action: ChooseSide | Chaos | Turn, sight: SeenTable
) -> Iterator[tuple[Action, ...]]:
    # Every unknown city gets a name of its own, so that the row where it is laid out can be looked at.
    names = [f"?{i}" if city is None else city for i, city in enumerate(state.cities)]
    looked = _looked(state, action, sight)
    if looked is None:
        return
    deck = (*looked, *state.dreams[len(looked) :])
    try:
        draft = begin(replace(state, cities=tuple(names), dreams=deck), action)
    except RuleViolation:
        return
    laid = names[: len(names) - len(draft.cities)]
    if draft.reason is not None and not any(name.startswith("?") for name in laid):
        yield ()
        return
    cities = _cities(laid, draft, sight)
    if cities is None:
        return
    found: set[Cards] = set()
    for drawn in islice(_draws(draft, sight), _MOST_DRAWS):
        dreams = _gaps_filled(state.dreams, (*looked, *drawn))
        if dreams is not None and dreams not in found and (dreams or cities):
            found.add(dreams)
            yield (Reveal(dreams=dreams or None, cities=cities or None),)


def told(state: UrbionState, true: UrbionState, action: Action) -> tuple[Action, ...]:
    """Return an action as players enter it, after the cards that it drew; others that it saw stay unknown."""
    if isinstance(action, Reveal):
        return (action,)
    after, _ = apply(true, action)
    deck = true.dreams
    if isinstance(action, Prophecy):
        deck = (*action.order, *true.dreams[len(action.order) :])
    drawn = deck[: len(true.dreams) - len(after.dreams)]
    if isinstance(action, Prophecy):
        action = replace(action, order=(*drawn, *state.dreams[len(drawn) :])[: len(action.order)])
    dreams = _newly_known(state.dreams, drawn)
    cities = _newly_known(state.cities, true.cities[: len(true.cities) - len(after.cities)])
    known = Reveal(dreams=dreams or None, cities=cities or None)
    return (known, action) if dreams or cities else (action,)


def _newly_known(deck: Deck, drawn: Deck) -> Cards:
    pairs = zip(deck, drawn, strict=False)
    return tuple(card for there, card in pairs if there is None and card is not None)


def undrawn(state: UrbionState, action: ChooseSide | Chaos | Turn, sight: SeenTable) -> UrbionState | None:
    """Return the state after an action before anything is drawn for it; None if a rule refuses it."""
    names = [f"?{i}" if city is None else city for i, city in enumerate(state.cities)]
    try:
        draft = begin(replace(state, cities=tuple(names)), action)
    except RuleViolation:
        return None
    for number, row in enumerate(draft.rows):
        shown = sight.city(number)
        if row is not None and row.city.startswith("?") and isinstance(shown, str):
            draft.rows[number] = replace(row, city=shown)
    return draft.finish()[0]


def _looked(state: UrbionState, action: ChooseSide | Chaos | Turn, sight: SeenTable) -> Cards | None:
    """Return the four dreams drawn for a Chaos card, as they lie open; None if they cannot be told."""
    if not isinstance(action, Chaos) or action.way != "draw":
        return ()
    is_same_turn = state.looked_at == state.turns
    number = len(state.looked) // CHAOS_LOOKS if is_same_turn else 0
    looked = sight.fan(number)
    is_old = not is_same_turn and Counter(looked) == Counter(state.fan(number))
    return looked if looked and not is_old and len(looked) <= len(state.dreams) else None


def _cities(laid: list[str], draft: Draft, sight: SeenTable) -> Cards | None:
    """Return the unknown cities that were laid out, as the rows show them; None if one is not shown."""
    rows = {row.city: number for number, row in enumerate(draft.rows) if row is not None}
    shown = []
    for name in laid:
        if name.startswith("?"):
            city = sight.city(rows[name]) if name in rows else None  # no row shows a bonus city
            if not isinstance(city, str) or not _is_laid_out(city, rows[name], draft, sight):
                return None
            shown.append(city)
    return tuple(shown)


def _is_laid_out(city: str, row: int, draft: Draft, sight: SeenTable) -> bool:
    """Whether a city is surely a new one, not the claimed one of its row that still lies there."""
    old = draft.state.rows[row]
    return old is None or old.city != city or any(sight.known(("dream", row, side)) for side in SIDES)


def _gaps_filled(deck: Deck, drawn: Cards) -> Cards | None:
    """Return the cards for the deck's gaps if these are drawn; None if a known card contradicts."""
    if len(drawn) > len(deck):
        return None
    pairs = list(zip(deck, drawn, strict=False))
    if any(there not in (None, card) for there, card in pairs):
        return None
    return tuple(card for there, card in pairs if there is None)


def _draws(draft: Draft, sight: SeenTable) -> Iterator[Cards]:
    """Yield the orders of drawing that would fill cities and hands as they are seen."""
    # A Chaos card that waits is decided before anything more is drawn.
    yield from _drawn_for([] if draft.reason is not None or draft.chaos else draft.jobs, draft, sight)


def _drawn_for(jobs: Sequence[Job], draft: Draft, sight: SeenTable) -> Iterator[Cards]:
    """Yield the cards drawn for the jobs in order, as far as the first choice that waits or was made."""
    if not jobs:
        yield ()
        return
    job, *rest = jobs
    found = _pairs(job.row, sight) if job.row is not None else _hand_draws(draft, job.seat or 0, sight)
    for drawn in found:
        if is_choice(drawn) if job.row is not None else CHAOS in drawn:
            yield drawn
        else:
            yield from ((*drawn, *more) for more in _drawn_for(rest, draft, sight))
    if len(draft.dreams) < _MOST_LEFT:
        yield ()  # the deck may not last


def _pairs(row: int, sight: SeenTable) -> Iterator[Cards]:
    """Yield the pair that was dealt to a row; a Chaos card laid there later is left out."""
    if len(sight.waiting) == DEALT and is_choice(sight.waiting):
        yield sight.waiting
    groups: list[Group] = [("dream", row, side) for side in SIDES]
    if not all(map(sight.is_whole, groups)):
        return
    cards = [card for group in groups for card in sight.known(group)]
    if len(cards) == DEALT + 1 and CHAOS in cards:
        cards.remove(CHAOS)
    if len(cards) == DEALT:
        yield tuple(cards)


def _hand_draws(draft: Draft, seat: int, sight: SeenTable) -> Iterator[Cards]:
    """Yield the cards that filled a hand, or those up to a Chaos card, where one shows anywhere.

    Where the hand shows more new cards than it had room for, the others were drawn in later turns.
    """
    hand = draft.hands[seat]
    new = sorted((Counter(sight.known(("hand", seat))) - Counter(hand)).elements())
    room = HAND_SIZE - len(hand)
    yield from dict.fromkeys(combinations(new, room))
    for spent in _spent_since(draft, seat, sight) if room else ():
        yield from ((spent, *drawn) for drawn in dict.fromkeys(combinations(new, room - 1)))
    if _shows_chaos(draft, sight):
        for before in range(room):
            yield from ((*drawn, CHAOS) for drawn in dict.fromkeys(combinations(new, before)))


def _spent_since(draft: Draft, seat: int, sight: SeenTable) -> list[str]:
    """Return the cards that he who draws may have drawn and spent again before anyone looked.

    After the set-up whoever draws has the first turn. Later one who plays alone has the next turn, too; what
    he spent then must have come out of the deck.
    """
    if draft.is_setup:
        return _laid_since(draft, sight) if seat == draft.active else []
    if len(draft.hands) > 1:
        return []
    laid = _laid_since(draft, sight)
    drawn = out_of_the_deck(draft.state, sight) if laid else Counter[str]()
    return [card for card in laid if drawn[card]]


def _laid_since(draft: Draft, sight: SeenTable) -> list[str]:
    """Return the dreams that came to cities or to the discard pile since: drawn and spent, perhaps."""
    top = sight.picture.get(DISCARD)
    found = set() if top is None or top in draft.state.last_discards or top in draft.thrown else {top}
    for number, row in _settled_rows(draft):
        if row is not None:
            sides = {side: Counter(sight.known(("dream", number, side))) for side in SIDES}
            found |= {card for side, seen in sides.items() for card in seen - Counter(row.side(side))}
    return sorted(found - {CHAOS})[:_MOST_LAID]


def out_of_the_deck(state: UrbionState, sight: SeenTable) -> Counter[str]:
    """Return the dreams of which more are seen than lay at cities and in hands: they were drawn since.

    The top of the discard pile counts where it is a new one; what has come back from the pile is none.
    """
    groups = card_groups(len(state.hands))
    now = Counter(card for group in groups for card in sight.known(group))
    top = sight.picture.get(DISCARD)
    if top is not None and top not in state.last_discards:
        now[top] += 1
    return now - Counter(card for group in groups for card in cards_of(state, group))


def _settled_rows(draft: Draft) -> list[tuple[int, Row | None]]:
    """Return the rows to which nothing is dealt now."""
    dealt = {job.row for job in draft.jobs}
    return [(number, row) for number, row in enumerate(draft.rows) if number not in dealt]


def _shows_chaos(draft: Draft, sight: SeenTable) -> bool:
    """Whether a Chaos card waits, lies at a city, or was answered by clearing a city or by drawing.

    Where too few dreams are left to draw, only the pile shows that this was tried.
    """
    if len(draft.dreams) <= CHAOS_LOOKS and sight.picture.get(DISCARD) == CHAOS:
        return True
    fans = (sight.fan(number) for number in range(len(FANS)))
    if CHAOS in sight.waiting or any(Counter(fan) - Counter(draft.looked) for fan in fans):
        return True
    return any(row is not None and _took_chaos(number, row, sight) for number, row in _settled_rows(draft))


def _took_chaos(number: int, row: Row, sight: SeenTable) -> bool:
    """Whether a Chaos card is new at a city, or the city is surely bare and was not."""
    groups: list[Group] = [("dream", number, side) for side in SIDES]
    seen = [card for group in groups for card in sight.known(group)]
    if not seen:
        return not row.is_empty and all(map(sight.is_whole, groups))
    return seen.count(CHAOS) > (*row.left, *row.right).count(CHAOS)
