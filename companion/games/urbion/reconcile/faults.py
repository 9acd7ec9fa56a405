"""What is wrong with a table of Urbion that no legal run explains: the rule, and what to put back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.decision import Fix, OutOfStep
from companion.errors import Param, RuleViolation
from companion.games.kit.evidence import removals_first
from companion.games.kit.notation import UNSEEN, unescape
from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    Fly,
    Play,
    Removal,
    Swap,
    SwapPolarity,
    Vanish,
)
from companion.games.urbion.catalogue import (
    CHAOS,
    FLYING_INCUBI,
    FLYING_SANAE,
    INVISIBLE_INCUBI,
    INVISIBLE_SANAE,
    LEFT,
    RIGHT,
    SIDES,
)
from companion.games.urbion.legal import open_rows
from companion.games.urbion.reconcile.seen_table import SIDE_GROUPS, Group, SeenTable, cards_of, differences
from companion.games.urbion.rules import apply
from companion.games.urbion.state import Row, UrbionState, polarities, turn_of
from companion.games.urbion.table import DISCARD, FANS, WAITING, city_place, polarity_place
from companion.games.urbion.texts import lying_name, place_name, text
from companion.i18n import Message, msg
from companion.names import player_name
from companion.table import Place, Value, kind_of, parts_of


class Changes:
    """What the seen table has more and less than the state.

    Attributes:
        gained, lost: (row, side, card), card by card.
        spent: cards gone from hands, (seat, card).
        emptied: rows whose cards are all gone.
        recast: rows that show another city, or none.
    """

    def __init__(self, state: UrbionState, sight: SeenTable) -> None:
        self.wrong = differences(state, sight)
        self.gained: list[tuple[int, str, str]] = []
        self.lost: list[tuple[int, str, str]] = []
        for group in SIDE_GROUPS:
            if group in self.wrong:
                row, side = int(group[1]), str(group[2])
                more, less = _more_and_less(group, state, sight)
                self.gained += [(row, side, card) for card in more]
                self.lost += [(row, side, card) for card in less]
        self.spent = _gone_from_hands(state, sight, self.wrong) or _on_the_pile(state, sight, self.wrong)
        self.recast = [int(group[1]) for group in self.wrong if group[0] == "city"]
        self.emptied = [row for row, city in open_rows(state) if not city.is_empty and _is_bare(row, sight)]

    def has_moved_from(self, row: int) -> bool:
        """Say whether all cards that a row has lost lie at other cities now."""
        lost = Counter(card for number, _, card in self.lost if number == row)
        return not lost - Counter(card for _, _, card in self.gained)

    @property
    def rows(self) -> set[int]:
        """Return the rows whose cards changed."""
        return {row for row, _, _ in (*self.gained, *self.lost)}


def _gone_from_hands(state: UrbionState, sight: SeenTable, wrong: set[Group]) -> list[tuple[int, str]]:
    hands: list[tuple[int, Group]] = [(seat, ("hand", seat)) for seat in range(len(state.hands))]
    gone = {seat: _more_and_less(hand, state, sight)[1] for seat, hand in hands if hand in wrong}
    return [(seat, card) for seat, cards in gone.items() for card in cards]


def _on_the_pile(state: UrbionState, sight: SeenTable, wrong: set[Group]) -> list[tuple[int, str]]:
    """Return the card of a hand that lies on the discard pile: it was spent, and its equal drawn."""
    top = sight.picture.get(DISCARD)
    if top is None or ("discard",) not in wrong:
        return []
    return [(state.active, top)] if top in state.hands[state.active] else spent_by_others(state, sight)


def spent_by_others(state: UrbionState, sight: SeenTable) -> list[tuple[int, str]]:
    """Return who else must have spent the card on the pile, which nobody had discarded before."""
    top = sight.picture.get(DISCARD)
    if top is None or top in state.discards or top in state.hands[state.active]:
        return []
    return [(seat, top) for seat, hand in enumerate(state.hands) if top in hand]


def _is_bare(row: int, sight: SeenTable) -> bool:
    """Whether both sides of a row are surely without a card."""
    sides: list[Group] = [("dream", row, side) for side in SIDES]
    return all(sight.is_whole(side) and not sight.known(side) for side in sides)


def _more_and_less(group: Group, state: UrbionState, sight: SeenTable) -> tuple[list[str], list[str]]:
    there, due = Counter(sight.known(group)), Counter(cards_of(state, group))
    missing = due - there if sight.is_whole(group) else Counter[str]()
    return list((there - due).elements()), list(missing.elements())


def diagnose(state: UrbionState, sight: SeenTable) -> OutOfStep[Action]:
    """Name the rule that the most likely reading of the table breaks, and how the table was before."""
    changes = Changes(state, sight)
    for reading in (_of_hands, _of_chaos, _of_cities, _of_gains, _of_losses, _of_polarity, _of_the_rest):
        fault = reading(state, changes, sight)
        if fault is not None:
            return out_of_step(*fault, state, sight)
    return out_of_step("table.unexplained", {}, state, sight)


_Fault = tuple[str, Mapping[str, Param]] | None


def _tried(state: UrbionState, action: Action) -> _Fault:
    """Return the rule that refuses the action; None if it is legal."""
    try:
        apply(state, action)
    except RuleViolation as violation:
        if violation.rule != "deck.unknown":
            return violation.rule, violation.params
    return None


def _spender(state: UrbionState, changes: Changes) -> tuple[str, str]:
    """Return who spent which card; the active player's first card where that cannot be seen."""
    own = [card for seat, card in changes.spent if seat == state.active]
    hand = state.hands[state.active]
    return state.players[state.active], (own or [*hand, ""])[0]


# -- readings of what was tried ---------------------------------------------------------------------


def _of_hands(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """A card of someone who is not to act was spent, or too many."""
    if not changes.spent:
        grown = (seat for seat in range(len(state.hands)) if _has_grown(state, seat, changes, sight))
        seat = next(grown, None)
        return None if seat is None else ("hand.changed", {"player": state.players[seat]})
    turn = turn_of(state) or ""
    spenders = [state.players[seat] for seat, _ in changes.spent]
    if turn not in spenders:
        return "turn.other", {"player": spenders[0], "turn": turn}
    if state.pending is not None:
        return f"turn.pending_{state.pending}", {}
    if len(spenders) > 1:
        several = all(_is_refilled(state, seat, sight) for seat in range(len(state.hands)))
        return ("table.unexplained", {}) if several else ("hand.changed", {"player": turn})
    return None


def _has_grown(state: UrbionState, seat: int, changes: Changes, sight: SeenTable) -> bool:
    group: Group = ("hand", seat)
    return group in changes.wrong and bool(_more_and_less(group, state, sight)[0])


def _is_refilled(state: UrbionState, seat: int, sight: SeenTable) -> bool:
    """Whether a hand may be full again, as it is after each turn: more turns than can be told were played."""
    group: Group = ("hand", seat)
    return not sight.is_whole(group) or len(sight.known(group)) == len(state.hands[seat])


def _of_chaos(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """A Chaos card was laid where it may not lie, or at a time when none waits."""
    del sight
    laid = [(row, side) for row, side, card in changes.gained if card == CHAOS]
    if state.pending == "side" and changes.wrong:
        return "turn.pending_side", {}
    if state.pending == "chaos":
        return _of_waiting_chaos(state, changes, laid)
    if laid and not any(card == CHAOS for _, _, card in changes.lost):
        return "chaos.none", {}
    return None


def _of_waiting_chaos(state: UrbionState, changes: Changes, laid: list[tuple[int, str]]) -> _Fault:
    player = turn_of(state) or ""
    for number, side in laid:
        fault = _tried(state, Chaos(player=player, way="place", row=number))
        row = state.rows[number]
        if fault is not None or row is None or row.chaos_side != side:
            return fault or ("chaos.side", {"row": number, "side": RIGHT if side == LEFT else LEFT})
    if changes.emptied:
        return _tried(state, Chaos(player=player, way="clear", row=changes.emptied[0]))
    return ("turn.pending_chaos", {}) if changes.rows else None


def _of_cities(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """A city was claimed that is not balanced, or changed for no reason, or a balanced one was left."""
    del sight
    cleared = [row for row in changes.emptied if changes.spent and not changes.has_moved_from(row)]
    claimed = sorted({*changes.recast, *cleared})
    if not claimed:
        return None
    if not changes.spent:
        return "city.changed", {"row": claimed[0]}
    faults = (_of_claim(state, changes, *each) for each in open_rows(state) if each[0] in claimed)
    fault = next(filter(None, faults), None)
    kept = (number for number, row in open_rows(state) if row.is_balanced and number not in claimed)
    left = next(kept, None)
    return fault or (None if left is None else ("balance.all", {"row": left}))


def _of_claim(state: UrbionState, changes: Changes, number: int, row: Row) -> _Fault:
    if row.is_empty:
        player, card = _spender(state, changes)
        fault = _tried(state, Agoraphilia(player=player, card=card, row=number))
        return fault or ("city.changed", {"row": number})
    if row.is_balanced or _is_removal(changes, number):
        return None
    left, right = row.sums
    return "balance.claim", {"row": number, "sum": right - left}


def _is_removal(changes: Changes, number: int) -> bool:
    """Whether cards of both sides are gone from a city that is still there, and none came to it."""
    sides = {side for row, side, _ in changes.lost if row == number}
    is_added_to = any(row == number for row, _, _ in changes.gained)
    return number not in changes.recast and not is_added_to and sides == set(SIDES)


def _of_gains(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """A card was played, swapped or flown against a rule."""
    del sight
    player, spent = _spender(state, changes)
    if len(changes.gained) == 1 and not changes.lost:
        row, side, card = changes.gained[0]
        if not changes.spent and card not in state.hands[state.active]:
            return "card.added", {"card": card, "row": row}
        return _tried(state, Play(player=player, card=card, row=row, side=side))
    if len(changes.gained) == 1 and len(changes.lost) == 1:
        return _of_one_moved(state, changes, player, spent)
    if len(changes.gained) == 2 and len(changes.lost) == 2:
        return _of_two_moved(state, changes, player, spent)
    return None


def _of_one_moved(state: UrbionState, changes: Changes, player: str, spent: str) -> _Fault:
    (end, side, card), (start, from_side, gone) = changes.gained[0], changes.lost[0]
    if card != gone:
        return "card.removed", {"card": gone, "row": start}
    if side != from_side:
        return "swap.side", {}
    if not changes.spent:
        return "card.removed", {"card": card, "row": start}
    book = FLYING_INCUBI if side == LEFT else FLYING_SANAE
    if card == CHAOS:
        return "book.chaos", {}
    return _tried(state, Fly(player=player, card=spent, book=book, start=start, end=end, dream=card))


def _of_two_moved(state: UrbionState, changes: Changes, player: str, spent: str) -> _Fault:
    if Counter(c for _, _, c in changes.gained) != Counter(c for _, _, c in changes.lost):
        return None
    sides = {side for _, side, _ in (*changes.gained, *changes.lost)}
    (row, side, card), (other_row, _, other) = changes.lost
    if len(sides) > 1:
        return "swap.side", {}
    if not changes.spent:
        return "card.removed", {"card": card, "row": row}
    ends = ((row, card), (other_row, other))
    return _tried(state, Swap(player=player, card=spent, side=side, cards=ends))


def _of_losses(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """Cards were taken off that no balance and no Book takes."""
    del sight
    if changes.gained or not changes.lost:
        return None
    player, spent = _spender(state, changes)
    row, side, card = changes.lost[0]
    if not changes.spent:
        return "card.removed", {"card": card, "row": row}
    if len(changes.lost) == 1:
        if card == CHAOS:
            return "book.chaos", {}
        book = INVISIBLE_INCUBI if side == LEFT else INVISIBLE_SANAE
        return _tried(state, Vanish(player=player, card=spent, book=book, row=row, dream=card))
    remove = tuple(
        Removal(
            row=number,
            left=tuple(c for r, s, c in changes.lost if (r, s) == (number, LEFT)),
            right=tuple(c for r, s, c in changes.lost if (r, s) == (number, RIGHT)),
        )
        for number in sorted(changes.rows)
    )
    return _tried(state, Balance(player=player, card=spent, remove=remove))


def _of_polarity(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """The polarity cards changed places."""
    del sight
    if not any(group[0] == "polarity" for group in changes.wrong):
        return None
    player, spent = _spender(state, changes)
    fault = _tried(state, SwapPolarity(player=player, card=spent)) if changes.spent else None
    return fault or ("polarity.changed", {})


def _of_the_rest(state: UrbionState, changes: Changes, sight: SeenTable) -> _Fault:
    """The deck's order, whatever card lies wrongly, then the discard pile."""
    drawn = [seat for seat in range(len(state.hands)) if ("hand", seat) in changes.wrong]
    if drawn and changes.spent:
        return "draw.other_card", {
            "place": msg("{player}'s hand", player=player_name(state.players[drawn[0]]))
        }
    for rule, moved in (("card.added", changes.gained), ("card.removed", changes.lost)):
        if moved:
            row, _, card = moved[0]
            return rule, {"card": card, "row": row}
    if any(group[0] in ("drawn", "waiting") for group in changes.wrong):
        return "chaos.none", {}
    return ("discard.changed", {}) if DISCARD in sight.picture and ("discard",) in changes.wrong else None


# -- words ------------------------------------------------------------------------------------------


def out_of_step(
    rule: str, params: Mapping[str, Param], state: UrbionState, sight: SeenTable
) -> OutOfStep[Action]:
    """Return the verdict: the table should show what this state predicts."""
    return OutOfStep(rule=rule, text=text(rule, params), params=params, fixes=fixes_for(state, sight))


def fixes_for(state: UrbionState, sight: SeenTable) -> tuple[Fix, ...]:
    """Return what to do at each place for the table to show the state, removals first."""
    found: list[Fix] = []
    for group in sorted(differences(state, sight), key=str):
        found += _fixes_of(group, state, sight)
    return removals_first(found)


def _fixes_of(group: Group, state: UrbionState, sight: SeenTable) -> list[Fix]:
    kind = group[0]
    if kind == "city":
        row = state.rows[int(group[1])]
        return [_fix(city_place(int(group[1])), sight, row.city if row else None)]
    if kind in ("drawn", "waiting"):
        fan = FANS[int(group[1])] if kind == "drawn" else WAITING
        return [_fix(w, sight, None) for w in fan if sight.picture.get(w) is not None]
    if kind == "polarity":
        player = state.players[int(group[1])]
        return [_fix(polarity_place(player), sight, polarities(state).get(player))]
    if kind == "discard":
        return [_fix(DISCARD, sight, state.discards[-1] if state.discards else None)]
    return _card_fixes(group, state, sight)


def _card_fixes(group: Group, state: UrbionState, sight: SeenTable) -> list[Fix]:
    """Take surplus cards off, and lay missing ones where it is free."""
    due = Counter(cards_of(state, group))
    found, free = [], []
    for where in sight.places(group):
        value = sight.picture.get(where, UNSEEN)
        if value is None:
            free.append(where)
        elif value != UNSEEN and due[value]:
            due[value] -= 1
        elif where in sight.picture and (value != UNSEEN or not sum(due.values())):
            found.append(_fix(where, sight, None))
            free.append(where)
    for card, where in zip(due.elements(), free, strict=False):
        found.append(_fix(where, sight, card))
    return found


def _fix(where: Place, sight: SeenTable, wanted: Value) -> Fix:
    seen = sight.picture.get(where)
    return Fix(place=where, seen=seen, wanted=wanted, text=fix_text(where, seen, wanted))


def fix_text(where: Place, seen: Value, wanted: Value) -> Message:
    """Return the instruction that puts one place right."""
    if kind_of(where) == "discard":
        if wanted is None:
            return msg("The discard pile is empty.")
        return msg("On the discard pile belongs {card}.", card=lying_name(wanted))
    if kind_of(where) == "polarity":
        player = player_name(unescape(parts_of(where)[0]))
        if wanted is None:
            return msg("Take the polarity card of {player} away.", player=player)
        if wanted == "sanae":
            return msg("Lay the Sanae polarity card before {player}.", player=player)
        return msg("Lay the Incubi polarity card before {player}.", player=player)
    if wanted is None:
        card = msg("the card") if seen is None or seen == UNSEEN else lying_name(seen)
        return msg("Take away {card} ({place}).", card=card, place=place_name(where))
    return msg("Lay {card} there ({place}).", card=lying_name(wanted), place=place_name(where))
