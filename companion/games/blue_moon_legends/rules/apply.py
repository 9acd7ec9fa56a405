"""The rules: from a state and an action to the next state and what happened, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.errors import RuleViolation
from companion.game import Event, Verdict
from companion.games.blue_moon_legends.actions import (
    Action,
    Adjust,
    Announce,
    Bluff,
    Call,
    Count,
    Decline,
    Discard,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import CHARACTER, ELEMENTS, HAND_SIZE
from companion.games.blue_moon_legends.events import Announced, BluffCalled, Discarded
from companion.games.blue_moon_legends.rules import play
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.effects import is_offered, pay_from_hand, use
from companion.games.blue_moon_legends.rules.flow import (
    attract,
    clear_landed,
    decline,
    draw_block,
    go_on,
    is_limited,
    keep_retreat_cost,
    note_out,
    pay_sirens,
    retreat,
)
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.rules.play import has_bluff_icon
from companion.games.blue_moon_legends.rules.targets import demand_factor
from companion.games.blue_moon_legends.rules.totals import has_shield, total
from companion.games.blue_moon_legends.state import Demand, Hidden, Laid, Pending, Phase, State, changed
from companion.games.blue_moon_legends.texts import violation

_MOST_DECLINED: Final = 3
_UNSEEN: Final = frozenset(
    {"draw_from_shuffled_discard", "draw_then_shuffle_back", "hand_to_deck_bottom", "search_discard"}
)


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Return the next state and what happened; raises RuleViolation and changes nothing."""
    draft = _carry_out(state, action)
    return draft.state, tuple(draft.events)


def judge(state: State, action: Action) -> Verdict:
    """Say whether the action is legal, refused, or rests on cards that nobody has seen."""
    try:
        draft = _carry_out(state, action)
    except RuleViolation:
        return Verdict.REFUSED
    return Verdict.CANNOT_TELL if draft.is_assumed else Verdict.LEGAL


def _carry_out(state: State, action: Action) -> Draft:
    _check_turn(state, action)
    draft = Draft(changed(state, actions=state.actions + 1))
    if isinstance(action, Count):  # it is no part of the turn
        _count(draft, action)
        return draft
    if _passes_over_unseen(draft, action):
        draft.forget(draft.active)
    _RULES[type(action)](draft, action)
    note_out(draft)
    go_on(draft)
    note_out(draft)
    for number, side in enumerate(draft.state.sides):
        if side.uncounted and not side.deck:
            raise violation("deck.uncounted", player=draft.name(number))
    return draft


def _passes_over_unseen(draft: Draft, action: Action) -> bool:
    """Whether a power might be used now that moves cards between hand, deck and pile, and is not.

    A table need not show that it was used all the same, so nothing is claimed of these cards any more.
    """
    if isinstance(action, Use) or draft.state.pending or draft.state.is_open(draft.active):
        return False
    mine = draft.state.mine
    cards = [laid.card for laid in (*mine.active_combat, *mine.support) if not laid.is_bluff]
    moving = [
        (card, power)
        for card in (*cards, *mine.leadership[-1:])
        if card is not None and (power := draft.card(card).power) is not None and power.effect in _UNSEEN
    ]
    return any(is_offered(draft, card, power) for card, power in moving)


def _check_turn(state: State, action: Action) -> None:
    if state.outcome is not None:
        raise violation("game.over")
    if action.player not in state.setup.players:
        raise violation("player.unknown", player=action.player)
    if isinstance(action, Count):
        return
    side = state.setup.players.index(action.player)
    if not state.pending:
        if isinstance(action, Discard | Reveal | Call | Trust):
            raise violation("answer.not_asked")
        if side != state.active:
            raise violation("turn.not_yours", player=action.player)
        if state.turn.phase >= Phase.CALL and not isinstance(action, Use | End):
            raise violation("phase.over", phase="turn")
        return
    pending = state.pending[0]
    answers = {Demand.DISCARD: (Discard,), Demand.REVEAL: (Reveal,), Demand.CALL: (Call, Trust)}
    if side != pending.side or not isinstance(action, answers[pending.demand]):
        raise violation("answer.first", player=state.setup.players[pending.side])


# -- fights -----------------------------------------------------------------------------------------


def _decline(draft: Draft, action: Decline) -> None:
    if draft.state.fight is not None:
        raise violation("decline.in_fight")
    held = len(draft.state.mine.hand)
    if not min(1, held) <= len(action.cards) <= min(_MOST_DECLINED, held):
        raise violation("decline.number", number=len(action.cards))
    for card in action.cards:
        draft.from_hand(draft.active, card)
        draft.discard(draft.active, card)
    _leave_uncounted(draft, len(action.cards), action.more, min(_MOST_DECLINED, held))
    decline(draft)


def _retreat(draft: Draft, action: Retreat) -> None:
    if draft.state.is_first_turn:
        raise violation("retreat.no_fight")
    if (action.cards or action.more) and draft.state.is_open(draft.active):
        raise violation("retreat.cards")
    held = len(draft.state.mine.hand)
    if action.cards and draft.turn.count(CHARACTER) == 0:
        keep_retreat_cost(draft)
        play.cover(draft)  # the first card of a turn in a fight is a character
    for card in action.cards:  # laid unseen: what they are does not lower what the retreat costs
        draft.is_assumed = True
        draft.from_hand(draft.active, card)
        draft.discard(draft.active, card)
    _leave_uncounted(draft, len(action.cards), action.more, held)
    retreat(draft, draft.active)


def _leave_uncounted(draft: Draft, counted: int, more: int | None, most: int) -> None:
    """Let more cards go from the active hand than anybody counted, just before it is filled to six again.

    So the hand is as large as ever; what is not known is how many cards went from the deck to the pile.
    """
    if more is None:
        return
    number, side = draft.active, draft.state.mine
    if draft.state.is_open(number) or more < 1 or counted + more > most or len(side.hand) > HAND_SIZE:
        raise violation("cards.uncounted", player=draft.name(number))
    if draw_block(draft, number) is not None or is_limited(draft, number):
        raise violation("cards.uncounted", player=draft.name(number))
    draft.is_assumed = True
    hand = tuple(card if card in side.revealed else None for card in side.hand)
    draft.put(number, hand=hand, uncounted=side.uncounted + more)


def _count(draft: Draft, action: Count) -> None:
    number = draft.state.setup.players.index(action.player)
    side = draft.side(number)
    if not side.uncounted or not side.fewest_in_deck <= action.number <= len(side.deck):
        raise violation("deck.count", player=action.player, number=action.number)
    discarded = (None,) * (len(side.deck) - action.number)
    draft.put(number, deck=side.deck[: action.number], discard=(*discarded, *side.discard), uncounted=0)


def unmet_caterpillars(draft: Draft, force: Force) -> list[ActiveCard]:
    """Return the cards that the active side must pay or retreat."""
    return [
        entry
        for entry, _ in force.powers(1 - draft.active, "opp_discard_or_retreat")
        if entry.card.id not in draft.turn.paid
    ]


def _pay(draft: Draft, action: Pay) -> None:
    force = draft.force()
    entry = force.find(1 - draft.active, action.card)
    power = entry.card.power if entry is not None and entry.has_text else None
    demanding = ("opp_discard_or_retreat", "opp_discard_or_dragon")
    if entry is None or power is None or power.effect not in demanding or action.card in draft.turn.paid:
        raise violation("pay.not_demanded", card=action.card)
    if draft.turn.phase > Phase.POWER:
        raise violation("phase.over", phase="cards")
    pay_from_hand(draft, action.card, action.cards, power, demand_factor(draft.state, force, entry))
    draft.worked(entry)
    draft.mark(paid=draft.turn.paid | {action.card})


def _double(draft: Draft, action: Double) -> None:
    force = draft.force()
    entry = force.find(draft.active, action.card)
    target = force.find(draft.active, action.target)
    if entry is None or entry.live("double_caterpillar") is None or action.card in draft.turn.used:
        raise violation("use.not_offered", card=action.card)
    if target is None or target.live("opp_discard_or_retreat") is None:
        raise violation("use.target", card=action.card)
    draft.mark(used=draft.turn.used | {action.card})
    draft.put(draft.active, doubled=action.target)
    draft.worked(entry)


def _adjust(draft: Draft, action: Adjust) -> None:
    """Give a card that is applied by hand its points; they count as long as it is active."""
    entry = draft.force().find(draft.active, action.card)
    power = entry.card.power if entry is not None else None
    if power is None or power.is_executed:
        raise violation("adjust.not_by_hand", card=action.card)
    others = tuple(row for row in draft.state.mine.by_hand if row[0] != action.card)
    draft.put(draft.active, by_hand=(*others, (action.card, action.fire, action.earth)))


# -- power phase ------------------------------------------------------------------------------------


def check_announcement(draft: Draft, action: Announce) -> Announced:
    """Return the announcement with its reasons; raises RuleViolation if it cannot be made."""
    _check_demands(draft, action)
    element = _element(draft, action)
    force = draft.force()
    mine = total(draft.state, force, draft.active, element)
    if action.total != mine.value:
        raise violation("power.total", total=mine.value, claimed=action.total)
    reach = None if draft.state.is_first_turn else total(draft.state, force, 1 - draft.active, element).value
    shielded = reach is not None and has_shield(force, draft.active, element)
    if reach is not None and mine.value < reach and not shielded:
        raise violation("power.too_low", total=mine.value, reach=reach, element=element)
    return Announced(
        player=draft.name(draft.active),
        element=element,
        total=mine.value,
        reach=reach,
        shielded=shielded,
        reasons=mine.reasons,
    )


def _announce(draft: Draft, action: Announce) -> None:
    announced = check_announcement(draft, action)
    clear_landed(draft, draft.active)
    if draft.state.fight is not None:
        draft.set_fight(replace(draft.state.fight, element=announced.element))
    draft.say(announced)
    force = draft.force()
    pay_sirens(draft, draft.active)
    draft.mark(phase=Phase.CALL, offers=(), retreat_cost=None)
    if draft.state.outcome is None and _may_be_called(draft, force):
        draft.demand(Pending(side=1 - draft.active, demand=Demand.CALL))


def _check_demands(draft: Draft, action: Announce) -> None:
    if action.element not in ELEMENTS:
        raise violation("power.element", element=action.element)
    if draft.turn.count(CHARACTER) == 0 and not draft.turn.again:
        raise violation("power.no_character")
    force = draft.force()
    unmet = unmet_caterpillars(draft, force)
    if unmet:
        raise violation("power.unpaid", card=unmet[0].card.id)
    for entry, power in force.powers(1 - draft.active, "opp_must_play_or_retreat"):
        if draft.turn.count(power.word("card_type")) == 0:
            raise violation("power.must_play", by=entry.card.id, kind=power.word("card_type"))


def _element(draft: Draft, action: Announce) -> str:
    """Return the contested element; in the first turn of a fight the one that is announced."""
    fight = draft.state.fight
    if fight is None:
        raise violation("power.no_character")
    if fight.element not in (None, action.element):
        raise violation("power.element", element=fight.element or "")
    return action.element


def _may_be_called(draft: Draft, force: Force) -> bool:
    has_bluff = any(laid.is_bluff for laid in draft.state.mine.support)
    forbidding = force.powers(draft.active, "opp_may_not_call_bluff")
    if has_bluff and forbidding:
        draft.worked(forbidding[0][0])
    return has_bluff and not forbidding


# -- answers ----------------------------------------------------------------------------------------


def _answered(draft: Draft) -> None:
    draft.state = changed(draft.state, pending=draft.state.pending[1:])


def _discard(draft: Draft, action: Discard) -> None:
    pending = draft.state.pending[0]
    if len(action.cards) != pending.number:
        raise violation("answer.number", number=pending.number)
    for card in action.cards:
        draft.from_hand(pending.side, card)
        draft.discard(pending.side, card)
    draft.say(Discarded(player=draft.name(pending.side), number=pending.number, by=pending.card))
    _answered(draft)


def _reveal(draft: Draft, action: Reveal) -> None:
    pending = draft.state.pending[0]
    if len(action.cards) != pending.number:
        raise violation("answer.number", number=pending.number)
    hand = draft.side(pending.side).hand
    for card in action.cards:
        hand = draft.take(pending.side, hand, card, "hand.lacks")
    named = frozenset(card for card in action.cards if card is not None)
    draft.put(pending.side, hand=action.cards, revealed=named)
    _answered(draft)


def _trust(draft: Draft, _action: Trust) -> None:
    _answered(draft)


def _call(draft: Draft, action: Call) -> None:
    """Turn up the bluff cards: true ones bring their owner a dragon, else the other side, and a retreat."""
    _answered(draft)
    bluffs = [laid for laid in draft.state.mine.support if laid.is_bluff]
    if len(action.cards) != len(bluffs):
        raise violation("call.cards", number=len(bluffs))
    for laid, card in zip(bluffs, action.cards, strict=True):
        _check_turned_up(draft, laid, card)
    if action.is_true != _are_true(draft, action):
        raise violation("call.truth")
    draft.say(BluffCalled(player=draft.name(draft.active), was_true=action.is_true, cards=action.cards))
    support = tuple(laid for laid in draft.state.mine.support if not laid.is_bluff)
    draft.put(draft.active, support=support)
    draft.discard(draft.active, *action.cards)
    attract(draft, draft.active if action.is_true else 1 - draft.active, 1, "bluff")
    if not action.is_true and draft.state.outcome is None:
        retreat(draft, draft.active)


def _check_turned_up(draft: Draft, laid: Laid, card: Hidden) -> None:
    """Refuse a card that cannot be the one that lay there."""
    if card is None:
        if laid.card is not None:
            raise violation("cards.unnamed")
        draft.is_assumed = True
    elif laid.card != card and not (laid.card is None and draft.could_be_hidden(draft.active, card)):
        raise violation("call.cards", number=1)
    elif not has_bluff_icon(draft.card(card)):
        raise violation("bluff.no_icon", card=card)


def _are_true(draft: Draft, action: Call) -> bool:
    """Whether the bluff cards are true, as far as they are known; ignored icons are never true."""
    fight = draft.state.fight
    wanted = f"bluff_{fight.element}" if fight is not None else ""
    entries = [entry for entry in draft.force().sides[draft.active] if entry.is_bluff]
    known = [card for card in action.cards if card is not None]
    if not all(entry.icons for entry in entries) or any(
        wanted not in draft.card(card).icons for card in known
    ):
        return False
    return action.is_true or len(known) == len(action.cards)


def _end(draft: Draft, _action: End) -> None:
    if draft.turn.phase != Phase.END:
        raise violation("end.too_early")
    left = frozenset(entry.card.id for entry in draft.force().sides[draft.active])
    draft.mark(used=draft.turn.used | left)


_RULES: Final[dict[type[Action], Callable[[Draft, Any], None]]] = {
    Retrieve: play.retrieve,
    Drop: play.drop,
    Unload: play.unload,
    Lead: play.lead,
    Launch: play.launch,
    Decline: _decline,
    Retreat: _retreat,
    Play: play.play,
    Bluff: play.bluff,
    Load: play.load,
    Use: use,
    Pay: _pay,
    Discard: _discard,
    Reveal: _reveal,
    Double: _double,
    Adjust: _adjust,
    Announce: _announce,
    Call: _call,
    Trust: _trust,
    End: _end,
}
