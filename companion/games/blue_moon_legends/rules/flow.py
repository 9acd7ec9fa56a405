"""How turns and fights go on: drawing, dragons, retreats, the end of a turn and of the game."""

from __future__ import annotations

from dataclasses import replace

from companion.games.blue_moon_legends.catalogue import DRAGONS, HAND_SIZE, MANY_CARDS, CardId
from companion.games.blue_moon_legends.events import (
    DragonCame,
    DragonKept,
    Drew,
    FightEnded,
    GameEnded,
    TurnBegan,
)
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.state import Outcome, Phase, RetreatCost, Turn, changed
from companion.games.blue_moon_legends.texts import violation

# -- drawing ----------------------------------------------------------------------------------------


def intake_block(draft: Draft, number: int, force: Force | None = None) -> ActiveCard | None:
    """Return the card that keeps a side from taking any card into its hand just now."""
    held = len(draft.side(number).hand)
    force = force or draft.force()
    for entry, power in force.powers(1 - number, "opp_hand_intake_limit"):
        if held >= power.number("if_hand_at_least"):
            return entry
    return None


def draw_block(draft: Draft, number: int, force: Force | None = None) -> ActiveCard | None:
    """Return the card that keeps a side from taking the next card from its deck (ruling 15)."""
    force = force or draft.force()
    for entry, power in force.powers(1 - number, "opp_draw_limit"):
        most = power.number("max_per_turn")
        if most == 0 or (number == draft.active and draft.turn.drawn >= most):
            return entry
    return intake_block(draft, number, force)


def draw(draft: Draft, number: int, cards: int) -> int:
    """Draw up to so many cards, as far as the deck and the other side's powers let; return how many came."""
    side = draft.side(number)
    if side.uncounted and cards >= len(side.deck):
        raise violation("deck.uncounted", player=draft.name(number))
    wanted = max(0, min(cards, len(side.deck)))
    drawn, blocked = wanted, None
    if wanted and is_limited(draft, number):
        drawn, blocked = _room(draft, number, wanted)
    if drawn:
        side = draft.side(number)
        draft.put(number, hand=(*side.hand, *side.deck[:drawn]), deck=side.deck[drawn:])
        if number == draft.active:
            draft.mark(drawn=draft.turn.drawn + drawn)
    if blocked is not None:
        draft.worked(blocked)
    if cards > 0:
        by = blocked.card.id if blocked is not None else None
        draft.say(Drew(player=draft.name(number), number=drawn, short=cards - drawn, by=by))
    return drawn


def is_limited(draft: Draft, number: int) -> bool:
    """Whether a power of the other side's limits how many cards a side may take into its hand."""
    force = draft.force()
    limits = ("opp_draw_limit", "opp_hand_intake_limit")
    return any(force.powers(1 - number, effect) for effect in limits)


def _room(draft: Draft, number: int, wanted: int) -> tuple[int, ActiveCard | None]:
    """Return how many cards a side may draw, and the card that keeps it from more."""
    force, held = draft.force(), len(draft.side(number).hand)
    room, by = wanted, None
    for entry, power in force.powers(1 - number, "opp_draw_limit"):
        most = power.number("max_per_turn")
        left = max(0, most - draft.turn.drawn) if number == draft.active else most
        if (most == 0 or number == draft.active) and left < room:
            room, by = left, entry
    for entry, power in force.powers(1 - number, "opp_hand_intake_limit"):
        left = max(0, power.number("if_hand_at_least") - held)
        if left < room:
            room, by = left, entry
    return room, by


def refresh(draft: Draft, number: int) -> None:
    """Draw up to six cards in hand."""
    draw(draft, number, max(0, HAND_SIZE - len(draft.side(number).hand)))


# -- dragons ----------------------------------------------------------------------------------------


def attract(draft: Draft, number: int, dragons: int, reason: str, by: CardId | None = None) -> None:
    """Let a side attract dragons, one after the other; a fourth one wins the game at once."""
    step = 1 if number == 0 else -1
    for _ in range(dragons):
        if draft.state.outcome is not None:
            return
        if draft.state.dragons_of(number) == DRAGONS:
            _end(draft, number, "fourth_dragon")
            return
        to_board = draft.state.dragons_of(1 - number) > 0
        draft.state = changed(draft.state, dragons=draft.state.dragons + step)
        draft.say(DragonCame(player=draft.name(number), to_board=to_board, reason=reason, by=by))


def retreat_cost(draft: Draft, loser: int) -> RetreatCost:
    """Return what a retreat brings as the table lies: base, more, fewer, at most (ruling 17)."""
    winner, force = 1 - loser, draft.force()
    base = 2 if draft.side(winner).cards_laid >= MANY_CARDS else 1
    more = force.powers(winner, "dragon_bonus_if_opp_retreats")
    fewer = force.powers(loser, "dragon_minus_if_i_retreat")
    caps = force.powers(loser, "dragon_cap_if_i_retreat")
    due = base + sum(power.number("n") for _, power in more)
    coming = max(0, due - sum(power.number("n") for _, power in fewer))
    return RetreatCost(
        dragons=min([coming, *(power.number("n") for _, power in caps)]),
        base=base,
        due=due,
        more=tuple(entry.card.id for entry, _ in more),
        fewer=tuple(entry.card.id for entry, _ in (*fewer, *caps)),
    )


def keep_retreat_cost(draft: Draft) -> None:
    """Keep what a retreat costs before a card is laid: laying cards makes it no cheaper (ruling 6)."""
    if not draft.state.is_first_turn:
        draft.mark(retreat_cost=_cost_kept(draft, draft.active))


def _cost_kept(draft: Draft, loser: int) -> RetreatCost:
    """Return what a retreat brings, or what it did before cards of this turn were laid if that is more."""
    kept, now = draft.turn.retreat_cost if loser == draft.active else None, retreat_cost(draft, loser)
    return kept if kept is not None and kept.dragons > now.dragons else now


def _dragons_for_retreat(draft: Draft, loser: int) -> None:
    """Attract what a retreat brings."""
    winner, cost = 1 - loser, _cost_kept(draft, loser)
    for side, cards in ((winner, cost.more), (loser, cost.fewer)):
        for card in cards:
            draft.card_worked(side, card)
    if cost.dragons < cost.due:
        draft.say(DragonKept(player=draft.name(winner), number=cost.due - cost.dragons, by=cost.fewer))
    attract(draft, winner, min(cost.dragons, 1), "retreat")
    attract(draft, winner, min(cost.dragons, cost.base) - 1, "six_cards")
    attract(draft, winner, cost.dragons - cost.base, "power", next(iter(cost.more), None))


# -- endings ----------------------------------------------------------------------------------------


def note_out(draft: Draft) -> None:
    """Keep the order in which sides ran out of cards."""
    out = [number for number in draft.state.out if draft.side(number).is_out]
    out += [number for number in (0, 1) if draft.side(number).is_out and number not in out]
    if tuple(out) != draft.state.out:
        draft.state = changed(draft.state, out=tuple(out))


def _end(draft: Draft, winner: int, reason: str) -> None:
    dragons = draft.state.dragons_of(winner)
    draft.state = changed(
        draft.state, outcome=Outcome(winner=winner, reason=reason, dragons=dragons), pending=()
    )
    draft.say(GameEnded(winner=draft.name(winner), reason=reason, dragons=dragons))


def _end_without_cards(draft: Draft, reason: str) -> None:
    """End the game because cards ran out: most dragons, else who held cards last (ruling 20)."""
    if draft.state.dragons != 0:
        _end(draft, 0 if draft.state.dragons > 0 else 1, reason)
        return
    out = draft.state.out
    _end(draft, 1 - out[0] if len(out) == 1 else out[-1], reason)


# -- retreats ---------------------------------------------------------------------------------------


def unmet_sirens(draft: Draft, number: int, force: Force | None = None) -> list[ActiveCard]:
    """Return the cards that bring their owner a dragon because this side has not met their demand."""
    force = force or draft.force()
    return [
        entry
        for entry, _ in force.powers(1 - number, "opp_discard_or_dragon")
        if entry.card.id not in draft.turn.paid
    ]


def pay_sirens(draft: Draft, number: int) -> None:
    """Give the other side the dragons of demands that this side has not met."""
    for entry in unmet_sirens(draft, number):
        draft.worked(entry)
        draft.mark(paid=draft.turn.paid | {entry.card.id})
        attract(draft, 1 - number, 1, "power", entry.card.id)


def retreat(draft: Draft, loser: int, by: CardId | None = None) -> None:
    """Let a side give up the fight: dragons, discards, new hands, the next turn is the loser's."""
    draft.say(FightEnded(loser=draft.name(loser), by=by))
    if loser == draft.active:
        pay_sirens(draft, loser)
    if draft.state.outcome is None:
        _dragons_for_retreat(draft, loser)
    if draft.state.outcome is not None:
        return
    for number in (loser, 1 - loser):
        _clear(draft, number)
    draft.state = changed(draft.state, fight=None, pending=())
    note_out(draft)
    for number in (loser, 1 - loser):
        refresh(draft, number)
    note_out(draft)
    if draft.state.out:
        _end_without_cards(draft, "fight")
    else:
        begin(draft, loser)


def _clear(draft: Draft, number: int) -> None:
    """Discard everything in the combat and support areas, and unloaded ships."""
    side = draft.side(number)
    laid = [laid.card for laid in (*side.combat, *side.support)]
    cleared = (*side.discard, *laid)
    draft.put(number, combat=(), support=(), lead=None, by_hand=(), doubled=None, discard=cleared)
    clear_landed(draft, number)


def clear_landed(draft: Draft, number: int) -> None:
    """Discard the ships that were unloaded, with what is left on them."""
    side = draft.side(number)
    if side.landed:
        cards = [card for ship in side.landed for card in (*ship.cargo, ship.card)]
        draft.put(number, landed=(), discard=(*side.discard, *cards))


# -- turns ------------------------------------------------------------------------------------------


def begin(draft: Draft, number: int) -> None:
    """Begin a side's turn; two Storms bring it a dragon."""
    for each in (0, 1):
        if draft.side(each).lead is not None:
            draft.put(each, lead=None)
    draft.state = changed(draft.state, active=number, turn=Turn(), number=draft.state.number + 1)
    draft.say(TurnBegan(player=draft.name(number)))
    _storm(draft, number)


def _storm(draft: Draft, number: int) -> None:
    entry = family_at_work(draft, number, "attract_dragon_if_family")
    if entry is not None and entry.card.power is not None:
        draft.worked(entry)
        attract(draft, number, entry.card.power.number("n"), "power", entry.card.id)


def family_at_work(draft: Draft, number: int, effect: str) -> ActiveCard | None:
    """Return the first card whose family power counts, when enough of its family are active (ruling 16)."""
    force = draft.force()
    for entry, power in force.powers(number, effect):
        family = [other for other in force.sides[number] if other.card.family == power.word("family")]
        if len(family) >= power.number("min"):
            return entry
    return None


def decline(draft: Draft) -> None:
    """End a turn without a fight: new hand, the other side's turn, unless the cards have run out."""
    number = draft.active
    clear_landed(draft, number)
    refresh(draft, number)
    note_out(draft)
    if draft.side(number).is_out:
        _end_without_cards(draft, "decline")
    else:
        begin(draft, 1 - number)


def end_turn(draft: Draft) -> None:
    """End a turn of a fight; two Floods make the other side retreat, else its turn begins."""
    if draft.state.fight is not None:
        draft.set_fight(replace(draft.state.fight, turns=draft.state.fight.turns + 1))
    flood = family_at_work(draft, draft.active, "opp_must_retreat_if_family")
    if flood is not None:
        draft.worked(flood)
        retreat(draft, 1 - draft.active, flood.card.id)
    else:
        begin(draft, 1 - draft.active)


def can_draw(draft: Draft, number: int) -> bool:
    """Whether a side could take a card from its deck just now."""
    return bool(draft.side(number).deck) and draw_block(draft, number) is None


def powers_at_the_end(draft: Draft) -> list[CardId]:
    """Return the active side's cards whose end-of-turn powers may still be used to some effect."""
    found = []
    for entry in draft.force().sides[draft.active]:
        power = entry.card.power
        if power is None or power.when != "end_of_my_turn" or not (entry.has_text and power.is_executed):
            continue
        if entry.card.id not in draft.turn.used and _is_worth_using(draft, power.effect, power.number("to")):
            found.append(entry.card.id)
    return found


def _is_worth_using(draft: Draft, effect: str, goal: int) -> bool:
    if effect == "opp_chooses_discard":
        return bool(draft.state.theirs.hand)
    if effect == "opp_mill":
        return bool(draft.state.theirs.deck)
    if effect == "draw_up_to":
        return len(draft.state.mine.hand) < goal and can_draw(draft, draft.active)
    return can_draw(draft, draft.active)


def go_on(draft: Draft) -> None:
    """Let the turn run as far as it goes by itself: new hand after the announcement, then the end."""
    if draft.state.outcome is not None or draft.state.pending:
        return
    if draft.turn.phase == Phase.CALL:
        refresh(draft, draft.active)
        draft.mark(phase=Phase.END)
    if draft.turn.phase == Phase.END and not powers_at_the_end(draft):
        end_turn(draft)
