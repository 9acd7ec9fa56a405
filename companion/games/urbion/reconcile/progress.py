"""Urbion's table while it changes: runs that are shown in part, and turns that have only begun."""

from __future__ import annotations

from collections import Counter

from companion.decision import Waiting
from companion.games.kit.evidence import MISSING
from companion.games.kit.search import to_do
from companion.games.urbion.actions import Agoraphilia
from companion.games.urbion.catalogue import HAND_SIZE
from companion.games.urbion.reconcile.faults import fixes_for, spent_by_others
from companion.games.urbion.reconcile.hypotheses import (
    UrbionRun,
    turns_of,
)
from companion.games.urbion.reconcile.seen_table import (
    DISCARD_GROUP,
    Group,
    SeenTable,
    card_groups,
    cards_of,
    differences,
)
from companion.games.urbion.state import UrbionState
from companion.games.urbion.table import DISCARD
from companion.games.urbion.texts import dream_name
from companion.i18n import msg
from companion.names import player_name


def is_on_its_way(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Say whether the rest of the run is only cards still to be taken off, laid or drawn."""
    if run.is_open and not run.wrong:
        return True
    done = {group for group in before - run.wrong if group[0] != "hand" and group != DISCARD_GROUP}
    claimed = claimed_rows(run)
    is_taken = any(sight.city(row) is None for row in claimed)
    if not (done or is_taken) or not _is_paid(run, before, sight):
        return False
    if not claimed and _have_drawn(run, before, sight) and any(group[0] == "dream" for group in run.wrong):
        return False  # drawing comes last
    return all(_is_late(group, run, claimed, sight) for group in run.wrong)


def _have_drawn(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Whether all hands are seen to be full again after having changed."""
    hands: list[Group] = [("hand", seat) for seat in range(len(run.state.hands))]
    if not any(hand in before for hand in hands) or not all(map(sight.is_whole, hands)):
        return False
    is_full = all(len(hand) == HAND_SIZE for hand in run.state.hands)
    return is_full and run.state.pending is None and not any(hand in run.wrong for hand in hands)


def _is_paid(run: UrbionRun, before: set[Group], sight: SeenTable) -> bool:
    """Whether hands or discard pile show that as many cards were spent as the run has turns."""
    spent = 0
    for seat, held in enumerate(run.start.hands):
        hand: Group = ("hand", seat)
        if not sight.is_whole(hand):
            return True
        spent += (Counter(held) - Counter(sight.known(hand))).total()
    is_shown = DISCARD_GROUP in before and DISCARD_GROUP not in run.wrong
    return len(turns_of(run)) <= max(spent, is_shown)


def claimed_rows(run: UrbionRun) -> set[int]:
    """Return the rows whose city the run claims."""
    claimed: set[int] = set()
    for before, action, after in zip(run.states, run.actions, run.states[1:], strict=False):
        if isinstance(action, Agoraphilia):
            claimed.add(action.row)
        elif after.subdued > before.subdued:
            claimed |= {number for number, row in enumerate(before.rows) if row and row.is_balanced}
    return claimed


def _is_late(group: Group, run: UrbionRun, claimed: set[int], sight: SeenTable) -> bool:
    """Whether a group that the run changes shows its end in part, or still an earlier moment."""
    if group[0] in ("discard", "polarity", "drawn", "waiting"):
        return any(group not in differences(state, sight) for state in run.states)
    if group[0] == "city":
        row = run.start.rows[int(group[1])]
        return group[1] in claimed and sight.city(int(group[1])) in (None, MISSING, row.city if row else None)
    start, end = cards_of(run.start, group), cards_of(run.state, group)
    if sorted(start) == sorted(end) and group[1] not in claimed:
        return False
    return sight.is_part(group, end) or any(_shows(group, state, sight) for state in run.states)


def _shows(group: Group, state: UrbionState, sight: SeenTable) -> bool:
    cards = cards_of(state, group)
    if group[0] == "hand":
        return sight.hand_fits(int(group[1]), cards)
    return sight.side_fits(int(group[1]), str(group[2]), cards)


def wait(partial: list[UrbionRun], sight: SeenTable) -> Waiting:
    """Say what is left to be done, if it is the same in every run that fits best."""
    fewest = min(len(run.wrong) for run in partial)
    best = [run for run in partial if len(run.wrong) == fewest]
    if not fewest:
        before = best[0].states[-2]
        player = player_name(before.players[before.actor])
        return Waiting(text=msg("{player} draws from the deck.", player=player))
    pending = [fixes_for(run.state, sight) for run in best]
    if any(fixes != pending[0] for fixes in pending):
        return Waiting(text=msg("A turn is being played."))
    return to_do(pending[0])


# -- a turn that has only begun -----------------------------------------------------------------------


def begun(state: UrbionState, wrong: set[Group], sight: SeenTable) -> Waiting | None:
    """Return what is awaited when a hand card is in the air, or spent without an effect so far."""
    hand: Group = ("hand", state.active)
    if hand not in wrong and not sight.is_partial(hand):
        return _discard_late(state, wrong, sight)
    cards = state.hands[state.active]
    gone = Counter(cards) - Counter(sight.known(hand))
    is_one_gone = gone.total() == 1 or sight.is_partial(hand)
    if not sight.is_part(hand, cards) or not is_one_gone or state.pending is not None:
        return None
    rest = [group for group in wrong if group not in (hand, DISCARD_GROUP)]
    are_lifted = all(g[0] == "dream" and sight.is_part(g, cards_of(state, g)) for g in rest)
    if not are_lifted or (len(rest) > 2 and not _are_claims(state, rest)):
        return None
    # Cards lifted from their cities belong to a swap, a flight or a balance that is being played.
    player = player_name(state.players[state.active])
    card = dream_name(next(iter(gone))) if gone.total() == 1 else msg("a card")
    return Waiting(text=msg("{player} spends {card}: what for is to be seen.", player=player, card=card))


def _are_claims(state: UrbionState, groups: list[Group]) -> bool:
    """Whether cards are only missing at balanced cities, which are being claimed."""
    rows = [state.rows[int(group[1])] for group in groups]
    return all(row is not None and row.is_balanced for row in rows)


def unseen(state: UrbionState, sight: SeenTable) -> Waiting | None:
    """Wait for what is hidden where it may show which cards were drawn from a deck that nobody knows."""
    is_seen = DISCARD in sight.picture and not any(map(sight.is_partial, card_groups(len(state.hands))))
    if is_seen or None not in state.dreams:
        return None
    return Waiting(text=msg("What was drawn cannot be told before all hands and cities are seen."))


def _discard_late(state: UrbionState, wrong: set[Group], sight: SeenTable) -> Waiting | None:
    spent = spent_by_others(state, sight)
    if wrong == {DISCARD_GROUP} and not spent:
        return Waiting(text=msg("The discard pile does not show the card that was discarded last."))
    return None
