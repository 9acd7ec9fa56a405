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
from companion.games.blue_moon_legends.rules.draft import Run
from companion.games.blue_moon_legends.rules.force import Entry, Force
from companion.games.blue_moon_legends.state import Outcome, Phase, RetreatCost, Turn, changed

# -- drawing ----------------------------------------------------------------------------------------


def intake_block(run: Run, number: int, force: Force | None = None) -> Entry | None:
    """Return the card that keeps a side from taking any card into its hand just now."""
    held = len(run.side(number).hand)
    force = force or run.force()
    for entry, power in force.powers(1 - number, "opp_hand_intake_limit"):
        if held >= power.number("if_hand_at_least"):
            return entry
    return None


def draw_block(run: Run, number: int, force: Force | None = None) -> Entry | None:
    """Return the card that keeps a side from taking the next card from its deck (ruling 15)."""
    force = force or run.force()
    for entry, power in force.powers(1 - number, "opp_draw_limit"):
        most = power.number("max_per_turn")
        if most == 0 or (number == run.active and run.turn.drawn >= most):
            return entry
    return intake_block(run, number, force)


def draw(run: Run, number: int, cards: int) -> int:
    """Draw up to so many cards, as far as the deck and the other side's powers let; return how many came."""
    wanted = max(0, min(cards, len(run.side(number).deck)))
    drawn, blocked = wanted, None
    if wanted and _is_limited(run, number):
        drawn, blocked = _room(run, number, wanted)
    if drawn:
        side = run.side(number)
        run.put(number, hand=(*side.hand, *side.deck[:drawn]), deck=side.deck[drawn:])
        if number == run.active:
            run.mark(drawn=run.turn.drawn + drawn)
    if blocked is not None:
        run.worked(blocked)
    if cards > 0:
        by = blocked.card.id if blocked is not None else None
        run.say(Drew(player=run.name(number), number=drawn, short=cards - drawn, by=by))
    return drawn


def _is_limited(run: Run, number: int) -> bool:
    force = run.force()
    limits = ("opp_draw_limit", "opp_hand_intake_limit")
    return any(force.powers(1 - number, effect) for effect in limits)


def _room(run: Run, number: int, wanted: int) -> tuple[int, Entry | None]:
    """Return how many cards a side may draw, and the card that keeps it from more."""
    force, held = run.force(), len(run.side(number).hand)
    room, by = wanted, None
    for entry, power in force.powers(1 - number, "opp_draw_limit"):
        most = power.number("max_per_turn")
        left = max(0, most - run.turn.drawn) if number == run.active else most
        if (most == 0 or number == run.active) and left < room:
            room, by = left, entry
    for entry, power in force.powers(1 - number, "opp_hand_intake_limit"):
        left = max(0, power.number("if_hand_at_least") - held)
        if left < room:
            room, by = left, entry
    return room, by


def refresh(run: Run, number: int) -> None:
    """Draw up to six cards in hand."""
    draw(run, number, max(0, HAND_SIZE - len(run.side(number).hand)))


# -- dragons ----------------------------------------------------------------------------------------


def attract(run: Run, number: int, dragons: int, reason: str, by: CardId | None = None) -> None:
    """Let a side attract dragons, one after the other; a fourth one wins the game at once."""
    step = 1 if number == 0 else -1
    for _ in range(dragons):
        if run.state.outcome is not None:
            return
        if run.state.dragons_of(number) == DRAGONS:
            _end(run, number, "fourth_dragon")
            return
        to_board = run.state.dragons_of(1 - number) > 0
        run.state = changed(run.state, dragons=run.state.dragons + step)
        run.say(DragonCame(player=run.name(number), to_board=to_board, reason=reason, by=by))


def retreat_cost(run: Run, loser: int) -> RetreatCost:
    """Return what a retreat brings as the table lies: base, more, fewer, at most (ruling 17)."""
    winner, force = 1 - loser, run.force()
    base = 2 if run.side(winner).cards_laid >= MANY_CARDS else 1
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


def keep_retreat_cost(run: Run) -> None:
    """Keep what a retreat costs before a card is laid: laying cards makes it no cheaper (ruling 6)."""
    if not run.state.is_first_turn:
        run.mark(retreat_cost=_cost_kept(run, run.active))


def _cost_kept(run: Run, loser: int) -> RetreatCost:
    """Return what a retreat brings, or what it did before cards of this turn were laid if that is more."""
    kept, now = run.turn.retreat_cost if loser == run.active else None, retreat_cost(run, loser)
    return kept if kept is not None and kept.dragons > now.dragons else now


def _dragons_for_retreat(run: Run, loser: int) -> None:
    """Attract what a retreat brings."""
    winner, cost = 1 - loser, _cost_kept(run, loser)
    for side, cards in ((winner, cost.more), (loser, cost.fewer)):
        for card in cards:
            run.card_worked(side, card)
    if cost.dragons < cost.due:
        run.say(DragonKept(player=run.name(winner), number=cost.due - cost.dragons, by=cost.fewer))
    attract(run, winner, min(cost.dragons, 1), "retreat")
    attract(run, winner, min(cost.dragons, cost.base) - 1, "six_cards")
    attract(run, winner, cost.dragons - cost.base, "power", next(iter(cost.more), None))


# -- endings ----------------------------------------------------------------------------------------


def note_out(run: Run) -> None:
    """Keep the order in which sides ran out of cards."""
    out = [number for number in run.state.out if run.side(number).is_out]
    out += [number for number in (0, 1) if run.side(number).is_out and number not in out]
    if tuple(out) != run.state.out:
        run.state = changed(run.state, out=tuple(out))


def _end(run: Run, winner: int, reason: str) -> None:
    dragons = run.state.dragons_of(winner)
    run.state = changed(run.state, outcome=Outcome(winner=winner, reason=reason, dragons=dragons), pending=())
    run.say(GameEnded(winner=run.name(winner), reason=reason, dragons=dragons))


def _end_without_cards(run: Run, reason: str) -> None:
    """End the game because cards ran out: most dragons, else who held cards last (ruling 20)."""
    if run.state.dragons != 0:
        _end(run, 0 if run.state.dragons > 0 else 1, reason)
        return
    out = run.state.out
    _end(run, 1 - out[0] if len(out) == 1 else out[-1], reason)


# -- retreats ---------------------------------------------------------------------------------------


def unmet_sirens(run: Run, number: int, force: Force | None = None) -> list[Entry]:
    """Return the cards that bring their owner a dragon because this side has not met their demand."""
    force = force or run.force()
    return [
        entry
        for entry, _ in force.powers(1 - number, "opp_discard_or_dragon")
        if entry.card.id not in run.turn.paid
    ]


def pay_sirens(run: Run, number: int) -> None:
    """Give the other side the dragons of demands that this side has not met."""
    for entry in unmet_sirens(run, number):
        run.worked(entry)
        run.mark(paid=run.turn.paid | {entry.card.id})
        attract(run, 1 - number, 1, "power", entry.card.id)


def retreat(run: Run, loser: int, by: CardId | None = None) -> None:
    """Let a side give up the fight: dragons, discards, new hands, the next turn is the loser's."""
    run.say(FightEnded(loser=run.name(loser), by=by))
    if loser == run.active:
        pay_sirens(run, loser)
    if run.state.outcome is None:
        _dragons_for_retreat(run, loser)
    if run.state.outcome is not None:
        return
    for number in (loser, 1 - loser):
        _clear(run, number)
    run.state = changed(run.state, fight=None, pending=())
    note_out(run)
    for number in (loser, 1 - loser):
        refresh(run, number)
    note_out(run)
    if run.state.out:
        _end_without_cards(run, "fight")
    else:
        begin(run, loser)


def _clear(run: Run, number: int) -> None:
    """Discard everything in the combat and support areas, and unloaded ships."""
    side = run.side(number)
    laid = [laid.card for laid in (*side.combat, *side.support)]
    cleared = (*side.discard, *laid)
    run.put(number, combat=(), support=(), lead=None, by_hand=(), doubled=None, discard=cleared)
    clear_landed(run, number)


def clear_landed(run: Run, number: int) -> None:
    """Discard the ships that were unloaded, with what is left on them."""
    side = run.side(number)
    if side.landed:
        cards = [card for ship in side.landed for card in (*ship.cargo, ship.card)]
        run.put(number, landed=(), discard=(*side.discard, *cards))


# -- turns ------------------------------------------------------------------------------------------


def begin(run: Run, number: int) -> None:
    """Begin a side's turn; two Storms bring it a dragon."""
    for each in (0, 1):
        if run.side(each).lead is not None:
            run.put(each, lead=None)
    run.state = changed(run.state, active=number, turn=Turn(), number=run.state.number + 1)
    run.say(TurnBegan(player=run.name(number)))
    _storm(run, number)


def _storm(run: Run, number: int) -> None:
    entry = family_at_work(run, number, "attract_dragon_if_family")
    if entry is not None and entry.card.power is not None:
        run.worked(entry)
        attract(run, number, entry.card.power.number("n"), "power", entry.card.id)


def family_at_work(run: Run, number: int, effect: str) -> Entry | None:
    """Return the first card whose family power counts, when enough of its family are active (ruling 16)."""
    force = run.force()
    for entry, power in force.powers(number, effect):
        family = [other for other in force.sides[number] if other.card.family == power.word("family")]
        if len(family) >= power.number("min"):
            return entry
    return None


def decline(run: Run) -> None:
    """End a turn without a fight: new hand, the other side's turn, unless the cards have run out."""
    number = run.active
    clear_landed(run, number)
    refresh(run, number)
    note_out(run)
    if run.side(number).is_out:
        _end_without_cards(run, "decline")
    else:
        begin(run, 1 - number)


def end_turn(run: Run) -> None:
    """End a turn of a fight; two Floods make the other side retreat, else its turn begins."""
    if run.state.fight is not None:
        run.set_fight(replace(run.state.fight, turns=run.state.fight.turns + 1))
    flood = family_at_work(run, run.active, "opp_must_retreat_if_family")
    if flood is not None:
        run.worked(flood)
        retreat(run, 1 - run.active, flood.card.id)
    else:
        begin(run, 1 - run.active)


def can_draw(run: Run, number: int) -> bool:
    """Whether a side could take a card from its deck just now."""
    return bool(run.side(number).deck) and draw_block(run, number) is None


def powers_at_the_end(run: Run) -> list[CardId]:
    """Return the active side's cards whose end-of-turn powers may still be used to some effect."""
    found = []
    for entry in run.force().sides[run.active]:
        power = entry.card.power
        if power is None or power.when != "end_of_my_turn" or not (entry.has_text and power.is_executed):
            continue
        if entry.card.id not in run.turn.used and _is_worth_using(run, power.effect, power.number("to")):
            found.append(entry.card.id)
    return found


def _is_worth_using(run: Run, effect: str, goal: int) -> bool:
    if effect == "opp_chooses_discard":
        return bool(run.state.theirs.hand)
    if effect == "opp_mill":
        return bool(run.state.theirs.deck)
    if effect == "draw_up_to":
        return len(run.state.mine.hand) < goal and can_draw(run, run.active)
    return can_draw(run, run.active)


def go_on(run: Run) -> None:
    """Let the turn run as far as it goes by itself: new hand after the announcement, then the end."""
    if run.state.outcome is not None or run.state.pending:
        return
    if run.turn.phase == Phase.CALL:
        refresh(run, run.active)
        run.mark(phase=Phase.END)
    if run.turn.phase == Phase.END and not powers_at_the_end(run):
        end_turn(run)
