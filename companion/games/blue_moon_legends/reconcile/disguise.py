"""Runs in disguise: two courses of a fight's end that leave the same table, and another player in turn.

What nobody saw before it came to a pile tells neither whether the loser of a fight began the next one nor,
once both sides have played in that one, which of them did.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.errors import RuleViolation
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Decline,
    End,
    Retreat,
    Retrieve,
)
from companion.games.blue_moon_legends.catalogue import ELEMENTS
from companion.games.blue_moon_legends.reconcile.hypotheses import (
    MOST_UNSEEN,
    LegendsPlay,
    LegendsRun,
    unseen_payments,
    unseen_uses,
)
from companion.games.blue_moon_legends.rules.apply import apply
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Phase, State
from companion.games.blue_moon_legends.table import TOP
from companion.games.kit.notation import escape
from companion.table import kind_of, place


def in_disguise(search: LegendsPlay, run: LegendsRun) -> LegendsRun | None:
    """Return another run that leaves the same differences as this one, though it is another's turn after it.

    None is returned where there is none.
    """
    steps = list(run.pairs)
    at = max((at for at, (_, action) in enumerate(steps) if isinstance(action, Retreat)), default=None)
    if at is None:
        return None
    before, last, rest = *steps[at], steps[at + 1 :]
    declined = rest.pop(0)[1] if rest and isinstance(rest[0][1], Decline) else None
    turns = [list(turn) for _, turn in itertools.groupby(rest, key=lambda step: step[0].number)]
    if len(turns) not in (0, 2) or not isinstance(last, Retreat):
        return None  # a fight in which one side only has played was begun by that side
    played = [action for turn in reversed(turns) for _, action in turn]
    heads = _in_other_words(before, last, declined)
    for head, element in itertools.product(heads, ELEMENTS if turns else ELEMENTS[:1]):
        other = _led_otherwise(search, run, at, [*head, *played], element)
        if other is not None and other.state.outcome is None and other.wrong == run.wrong:
            return other
    return None


def with_unseen_actions(search: LegendsPlay, run: LegendsRun) -> list[LegendsRun]:
    """Return the run with one more action, of which only the number of cards in a hand would tell.

    That is a power used, perhaps again and again, a demand that is paid, or a character taken back before
    another one covers it. Of those that lead to the same state one is returned; none where something tells.
    """
    hands = [place("hand", escape(player)) for player in search.state.setup.players]
    known = {**search.seen.before, **search.seen.picture}
    # Where piles are counted, too, a hand that was filled again hides nothing for long.
    is_counted = any(known[where] is not None for where in known if kind_of(where) in ("deck", "discard"))
    told = {side for side, hand in enumerate(hands) if is_counted and hand in search.picture}
    others: dict[Hashable, LegendsRun] = {}
    for one in _with_more(search, run, told):
        if one.wrong == run.wrong and not _shows_on_pile(search, run, one):
            others.setdefault(search.key(one.state), one)
    return list(others.values())


def _with_more(search: LegendsPlay, run: LegendsRun, told: Container[int]) -> Iterator[LegendsRun]:
    """Yield the run with each action that may have been done unseen, but for the sides that are told."""
    element = next((each.element for each in run.actions if isinstance(each, Announce)), ELEMENTS[0])
    for at, (state, _) in enumerate(run.pairs):
        if state.active in told or state.pending:
            continue
        for more in itertools.chain[Action](unseen_uses(state), unseen_payments(state), _taken_back(state)):
            for times, rest in itertools.product(range(1, MOST_UNSEEN + 1), _counted(run.actions[at:])):
                other = _led_otherwise(search, run, at, (*[more] * times, *rest), element)
                if other is not None:
                    yield other


def _counted(actions: Sequence[Action]) -> Iterator[Sequence[Action]]:
    """Yield actions as they are, and with each number of cards that nobody counted.

    A hand with more cards than it is filled up to must be counted.
    """
    yield actions
    for at, each in enumerate(actions):
        if isinstance(each, Decline | Retreat) and each.more:
            for unknown in range(each.more + 1):
                counted = replace(each, cards=(*each.cards, *[None] * unknown), more=None)
                yield (*actions[:at], counted, *actions[at + 1 :])
            return


def _shows_on_pile(search: LegendsPlay, run: LegendsRun, other: LegendsRun) -> bool:
    """Whether a pile on which more cards lie after the other run shows that nothing came there.

    On a pile of which no card is known, one that was shuffled say, it may have come before.
    """
    for number, player in enumerate(search.state.setup.players):
        top = place(TOP, escape(player))
        first, mine, theirs = (each.sides[number] for each in (search.state, run.state, other.state))
        came = len(theirs.discard) > len(mine.discard) and mine.discard == first.discard
        shown = search.picture.get(top)
        is_known = any(card is not None for card in first.discard)
        if came and is_known and shown is not None and shown == search.seen.before.get(top):
            return True
    return False


def _taken_back(state: State) -> Iterator[Retrieve]:
    """Yield what may be taken back at the start of the active side's turn."""
    if state.is_first_turn or state.turn.phase > Phase.START:
        return
    for laid in state.mine.active_combat:
        if laid.card is not None and "retrieve" in state.card(laid.card).icons:
            yield Retrieve(player=state.setup.players[state.active], card=laid.card)


def _led_otherwise(
    search: LegendsPlay, run: LegendsRun, at: int, actions: Iterable[Action], element: str
) -> LegendsRun | None:
    """Return the run with other actions from one of its states on; None where a rule refuses them."""
    try:
        told, states = _retold(run.states[at], actions, element)
    except RuleViolation:
        return None
    return search.led(search.start, (*run.actions[:at], *told), (*run.states[: at + 1], *states))


def _in_other_words(before: State, last: Retreat, declined: Action | None) -> Iterator[tuple[Action, ...]]:
    """Yield retreats after which the other side begins the fight, though the same cards are cleared away.

    The loser discards for a fight that is declined what he may have laid before the retreat, or the other way
    round; or he takes a card back before it is cleared away, which goes to its pile after all.
    """
    if isinstance(declined, Decline):
        cards = (*last.cards, *declined.cards)
        if len(cards) <= MOST_UNSEEN:
            yield (replace(last, cards=cards),)
        return
    if last.cards:
        yield replace(last, cards=()), Decline(player=last.player, cards=last.cards)
        return
    for laid in (*before.mine.active_combat, *before.mine.support):
        if laid.card is None or laid.is_bluff or "retrieve" not in before.card(laid.card).icons:
            continue
        kept = laid.card if None not in before.mine.hand else None
        yield (
            Retrieve(player=last.player, card=laid.card),
            last,
            Decline(player=last.player, cards=(kept,)),
        )


def _retold(state: State, actions: Iterable[Action], element: str) -> tuple[list[Action], list[State]]:
    """Play actions with the announcements that their new order needs; return them and where they lead.

    A turn that is over by itself, because no power is left to be used at its end, is not ended once more.
    """
    run: list[Action] = []
    states: list[State] = []
    for action in actions:
        if isinstance(action, End) and state.turn.phase < Phase.END:
            continue
        if isinstance(action, Announce):
            contested = (state.fight.element if state.fight is not None else None) or element
            value = total(state, Force(state), state.active, contested).value
            run.append(replace(action, element=contested, total=value))
        else:
            run.append(action)
        state, _ = apply(state, run[-1])
        states.append(state)
    return run, states
