"""Whether a run is believed: what must be seen, and what is never assumed.

With unknown decks any card may have been drawn, also the very one that was just spent. So a turn must be
shown by more than by its absence, and nothing may hide how many dreams were drawn. What was drawn and spent
between two looks shows only under the hands: in a hand, on the pile, or as a city that came and went.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from companion.games.kit.notation import UNSEEN
from companion.games.urbion.actions import (
    Action,
    Balance,
    Chaos,
    Discard,
    Play,
    Prophecy,
    Removal,
    Reveal,
    Turn,
)
from companion.games.urbion.catalogue import CHAOS, CHAOS_LOOKS
from companion.games.urbion.reconcile.hands import turns_played
from companion.games.urbion.reconcile.hypotheses import (
    UrbionRun,
    turns_of,
)
from companion.games.urbion.reconcile.seen_table import (
    SIDE_GROUPS,
    Group,
    SeenTable,
    card_groups,
    cards_of,
)
from companion.games.urbion.reconcile.unknown import out_of_the_deck
from companion.games.urbion.state import UrbionState, worth
from companion.games.urbion.table import (
    DISCARD,
    FANS,
    city_place,
    hand_places,
)
from companion.observation import Query
from companion.table import kind_of

# Readings under hands that are believed; misread is what is read so fewer times.
_GLIMPSES = 3


def is_credible(run: UrbionRun, sight: SeenTable) -> bool:
    """Say whether the run takes no card as spent and drawn again that nothing shows to have been spent.

    Only a single turn may: what it spent lies at a city, or newly on the discard pile. Cards that wait for a
    decision must be seen to wait.
    """
    if not _is_closed(run):
        return True
    if Counter(run.state.waiting) - Counter(sight.waiting):
        return False
    turns = turns_of(run)
    if not any(_is_drawn_again(before, action, run) for before, action in turns):
        return True
    return len(turns) == 1 and _shows_spent(*turns[0], run, sight)


def is_witnessed(run: UrbionRun, sight: SeenTable) -> bool:
    """Say whether enough is seen to know how many turns were played and how many dreams were drawn."""
    if not _is_closed(run):
        return True
    if not _is_pile_untouched(run, sight):
        return False
    is_shown = len(turns_of(run)) <= _fewest_turns(run.start, sight) or _shows_spent(
        *turns_of(run)[-1], run, sight
    )
    return is_shown and DISCARD in sight.picture and _shows_fans(run, sight) and _sees_all(sight)


def may_have_cleared(run: UrbionRun) -> bool:
    """Say whether a turn came to nothing beside a balance.

    A Chaos card drawn between them may have cleared the city, whatever had been moved there.
    """
    came_to_nothing = any(isinstance(each, Discard | Prophecy) for each in run.actions)
    return came_to_nothing and any(isinstance(each, Balance) for each in run.actions)


def is_evident(run: UrbionRun, hidden: list[Group], sight: SeenTable) -> bool:
    """Say whether a run shows more than cards missing where a place was not seen just now.

    Every card that it lays at a city must be seen there; a turn that leaves no trace needs the whole table.
    Sides and hands of which nothing at all is seen are out of view: there the rules decide alone.
    """
    if not is_witnessed(run, sight):
        return False
    is_all_seen = not hidden and all(map(sight.is_whole, SIDE_GROUPS))
    if any(map(leaves_no_trace, run.actions)) and not (is_all_seen and _shows_the_draw(run, sight)):
        return False
    if _may_be_fewer_turns(run, sight) or any(_lays_unseen(run, group, sight) for group in hidden):
        return False
    changed = changed_sides(run)
    # What is gone from a city may lie at another one where nobody could see.
    return not changed or is_all_seen or not only_losses(run, changed)


def _may_be_fewer_turns(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether fewer turns would do, or the turns may be one that is being played still."""
    turns = len(turns_of(run))
    if turns > 1 and min(turns_played(run.start, sight, turns), default=turns) < turns:
        return True  # by the hands: one of them may have broken a rule
    is_full = run.state.reason is None and _shows_next(run.state, sight)
    return not is_full and (turns > 1 or not _shows_all_draws(run, sight))


def _lays_unseen(run: UrbionRun, group: Group, sight: SeenTable) -> bool:
    """Whether the run lays a card at a side of a city where it is not seen."""
    end, seen = Counter(cards_of(run.state, group)), Counter(sight.known(group))
    gained = end - Counter(cards_of(run.start, group))
    return group[0] == "dream" and any(seen[card] < end[card] for card in gained)


def changed_sides(run: UrbionRun) -> list[Group]:
    """Return the sides that hold other cards after a run than before."""
    return [g for g in SIDE_GROUPS if sorted(cards_of(run.state, g)) != sorted(cards_of(run.start, g))]


def leaves_no_trace(action: Action) -> bool:
    """Say whether the cities look the same after an action."""
    return isinstance(action, Discard | Prophecy) or (isinstance(action, Chaos) and action.way == "draw")


def _shows_the_draw(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether more than a missing hand card speaks for a run with actions that leave no trace at the cities.

    That is the card drawn at the end: a missing one may still be on its way to an effect. Chaos answered by
    drawing, once or to lose the game, shows on the discard pile. Without dreams to draw every turn loses,
    whatever else it might have become.
    """
    before, after = run.start, run.state
    if after.reason is None and _shows_next(after, sight):
        return True
    if isinstance(run.actions[-1], Chaos) and (len(run.actions) == 1 or after.reason is not None):
        top = sight.picture.get(DISCARD)
        return top in after.last_discards and all(top not in s.last_discards for s in run.states[:-1])
    return (
        len(run.actions) == 1
        and not before.dreams
        and not any(row and row.is_balanced for row in before.rows)
    )


def _shows_next(after: UrbionState, sight: SeenTable) -> bool:
    """Whether the hand is full again, or what waits for a decision is seen to wait."""
    return after.pending is None or Counter(sight.waiting) == Counter(after.waiting)


def _shows_all_draws(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether no other Chaos card can have been answered by drawing four dreams, beside what the run says.

    A full hand proves it, for the deck is known. Before that only the discard pile can, and not where a later
    card has covered it.
    """
    ways = [action.way for action in run.actions if isinstance(action, Chaos)]
    return not ways or (DISCARD in sight.picture and "clear" not in ways)


def only_losses(run: UrbionRun, changed: list[Group]) -> bool:
    """Say whether these sides have lost cards and gained none."""
    return not any(Counter(cards_of(run.state, g)) - Counter(cards_of(run.start, g)) for g in changed)


def shows_more_turns(state: UrbionState, sight: SeenTable) -> bool:
    """Say whether more than one turn must have been played: by the hands, or by a card drawn and spent."""
    top = sight.picture.get(DISCARD)
    if _fewest_turns(state, sight) > 1:
        return True
    return top is not None and top not in state.hands[state.active] and out_of_the_deck(state, sight)[top] > 0


def may_be_two_turns(run: UrbionRun) -> bool:
    """Say whether a turn may as well have been two, one after the other, by one who plays alone.

    What the first of them drew was then spent at once, and nothing shows that: a balance in two parts, or a
    card spent that is in the hand again. With others at the table their hands would.
    """
    before = run.start
    if len(before.players) > 1 or not _is_closed(run) or len(turns_of(run)) != 1:
        return False
    return any(
        (isinstance(action, Balance) and _parts(state, action) > 1)
        or (not isinstance(action, Play) and _is_drawn_again(state, action, run))
        for state, action in turns_of(run)
    )


def _parts(state: UrbionState, balance: Balance) -> int:
    """Return into how many balances one can be divided, counted up to a few: claims are one."""
    has_claims = any(row is not None and row.is_balanced for row in state.rows)
    return has_claims + sum(2 if _is_divisible(removal) else 1 for removal in balance.remove)


def _is_divisible(removal: Removal) -> bool:
    """Whether some of a removal's cards balance each other without the others."""
    lefts = {worth(cards) for size in (1, 2) for cards in combinations(removal.left, size)}
    rights = {worth(cards) for size in (1, 2) for cards in combinations(removal.right, size)}
    return bool(lefts & rights - {worth(removal.left)})


def is_all_glimpsed(run: UrbionRun, seen: Query) -> bool:
    """Say whether the run has a place for all that was glimpsed in hands, on the pile and as cities."""
    odd = _glimpsed(seen).difference(*map(_glimpses_of, run.states))
    return all(card in (UNSEEN, seen.before.get(DISCARD)) for _, card in odd)


def _glimpsed(seen: Query) -> set[tuple[str, str]]:
    """Return what was glimpsed often enough: hand, pile or place of a city, and the card."""
    total: Counter[tuple[str, str]] = Counter()
    for where, values in seen.glimpsed.items():
        if kind_of(where) in ("hand", "discard", "city"):
            group = where.rpartition(":")[0] if kind_of(where) == "hand" else where
            total.update({(group, card): many for card, many in values.items() if card is not None})
    return {each for each, many in total.items() if many >= _GLIMPSES}


def _glimpses_of(state: UrbionState) -> set[tuple[str, str]]:
    """Return what may be glimpsed in a state; a drawn Chaos card may be held for a while."""
    hands = [
        (hand_places(player)[0].rpartition(":")[0], hand)
        for player, hand in zip(state.players, state.hands, strict=True)
    ]
    held = {(group, card) for group, hand in hands for card in (*hand, CHAOS)}
    cities = {(city_place(number), row.city) for number, row in enumerate(state.rows) if row is not None}
    return {*held, *cities, *((DISCARD, card) for card in state.last_discards)}


def _is_pile_untouched(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether the pile looks as it was left, where the set-up goes on and nothing is discarded.

    Any of the cards paid for the Books may lie on top of it, and so may one that was discarded unseen.
    """
    start = run.start
    if not start.is_setup or run.state.discards != start.discards:
        return True
    return sight.picture.get(DISCARD) == (start.discards[-1] if start.discards else None)


def _is_closed(run: UrbionRun) -> bool:
    return any(isinstance(action, Reveal) for action in run.actions) or None in run.start.dreams


def _is_drawn_again(before: UrbionState, action: Turn, run: UrbionRun) -> bool:
    """Whether the card that a turn spends is in the hand at the run's end once more than it could be."""
    seat = before.players.index(action.player)
    return Counter(run.state.hands[seat])[action.card] >= Counter(before.hands[seat])[action.card]


def _shows_spent(before: UrbionState, action: Turn, run: UrbionRun, sight: SeenTable) -> bool:
    if not sight.is_whole(("hand", before.players.index(action.player))):
        return False
    if isinstance(action, Play):
        return sight.is_whole(("dream", action.row, action.side))
    top = sight.picture.get(DISCARD)
    return top is not None and top not in before.last_discards and top in run.state.last_discards


def _fewest_turns(state: UrbionState, sight: SeenTable) -> int:
    """Return how many turns the hands call for at least; one where nobody could see."""
    seats = len(state.hands)
    fewest = 1
    for seat, hand in enumerate(state.hands):
        gone = (Counter(hand) - Counter(sight.known(("hand", seat)))).total()
        if gone and sight.is_whole(("hand", seat)):
            fewest = max(fewest, (seat - state.active) % seats + 1 + (gone - 1) * seats)
    return fewest


def _sees_all(sight: SeenTable) -> bool:
    """Whether no card may lie unseen on a side or in a hand of which anything is seen at all."""
    return not any(map(sight.is_partial, card_groups(len(sight.players))))


def _shows_fans(run: UrbionRun, sight: SeenTable) -> bool:
    """Whether the dreams drawn for Chaos are those of the run and no more: four lie there, or none."""
    number = len(run.state.looked) // CHAOS_LOOKS if run.state.looked_at == run.state.turns else 0
    if number >= len(FANS):
        return False
    places = [where for where in FANS[number] if where in sight.picture]
    return len(places) > 1
