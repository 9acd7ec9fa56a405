"""Which actions could have led from a state towards the table that was seen.

Nothing is enumerated that leaves no trace: a card that newly lies there was laid, one that is gone was taken
back, discarded or covered, a number that changed was drawn or discarded. What nobody can see stays unknown
(None) where the state does not know it either; where it does, every possibility is a hypothesis of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Call,
    Count,
    Decline,
    Discard,
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
from companion.games.blue_moon_legends.catalogue import (
    CHARACTER,
    ELEMENTS,
    FIGHTERS,
    HAND_SIZE,
    SHIP,
    CardId,
    Power,
)
from companion.games.blue_moon_legends.reconcile.seen_table import Difference, SeenTable, Way
from companion.games.blue_moon_legends.rules.apply import unmet_caterpillars
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.flow import unmet_sirens
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.rules.legal import is_legal, offered, use_of
from companion.games.blue_moon_legends.rules.play import has_bluff_icon
from companion.games.blue_moon_legends.rules.targets import (
    demand_factor,
    discard_choices,
    payments,
    retrieve_choices,
)
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Demand, Hidden, Phase, State, changed, with_side
from companion.games.blue_moon_legends.table import BACK, TOP
from companion.games.kit.search import Run, Search

LegendsRun: TypeAlias = Run[State, Action, list[Difference]]
LegendsPlay: TypeAlias = Search[State, Action, list[Difference]]

MOST_HIDDEN = 24  # possibilities of what nobody saw that are told apart, where the state knows the cards
MOST_UNSEEN = 3  # cards laid and cleared away before they were seen
_MOST_DECLINED = 3
_MOST_PAID = 4


def is_step(action: Action) -> bool:
    """Whether the action leaves cards where they lie and only lets the game go on."""
    return isinstance(action, Announce | Trust | End | Retreat | Decline)


def candidates(state: State, sight: SeenTable, found: Sequence[Difference]) -> Iterator[Action]:
    """Yield what the acting player may have done towards the table, likely things first; not all is legal."""
    yield from _counts(state, sight)
    if state.pending:
        yield from _answers(state, sight, found)
        return
    player = state.setup.players[state.active]
    if state.turn.phase < Phase.CALL:
        for each in found:
            yield from _from_difference(state, each, player)
        yield from _backs(state, found, player)
        yield from _laid_again(state, found, player)
    yield from _uses(state, sight, found, player)
    yield from _steps(state, sight, found, player)


def _counts(state: State, sight: SeenTable) -> Iterator[Action]:
    """Yield how many cards may be left in decks whose discards nobody counted, where the table tells more."""
    for side, holds in enumerate(state.sides):
        is_told = any(sight.count(kind, side) is not None for kind in ("deck", "discard"))
        if not (holds.uncounted and is_told):
            continue
        seen = sight.count("deck", side) or 0
        for number in range(max(holds.fewest_in_deck, seen), len(holds.deck) + 1):
            if number <= seen + HAND_SIZE:
                yield Count(player=state.setup.players[side], number=number)


# -- answers ----------------------------------------------------------------------------------------


def _left_hand(
    state: State, side: int, number: int, found: Sequence[Difference]
) -> Iterator[tuple[Hidden, ...]]:
    """Yield what may have left a hand: open cards that are gone, and unknown ones.

    Where the whole side is known, every choice is one of its own.
    """
    laid = {each.card for each in found if each.way is Way.EXTRA or each.area == "leader"}
    gone = [each for each in _gone_from_open(side, found) if each.card not in laid]
    missing = [CardId(each.card) for each in gone]
    sure = len(missing) - (gone[0].doubt if gone else 0)
    if sure <= number <= len(state.sides[side].hand):
        for named in itertools.islice(itertools.combinations(missing, sure), MOST_HIDDEN):
            yield from _hands_with(state, side, number, named)


def _gone_from_open(side: int, found: Sequence[Difference]) -> list[Difference]:
    """Return the cards that are gone from a side's open hand."""
    return [each for each in found if each.area == "open" and each.side == side and each.way is Way.MISSING]


def _hands_with(
    state: State, side: int, number: int, named: tuple[CardId, ...]
) -> Iterator[tuple[Hidden, ...]]:
    """Yield so many cards of a hand, among them the named ones."""
    hand, revealed = state.sides[side].hand, state.sides[side].revealed
    if state.is_open(side):
        choices = (cards for cards in itertools.combinations(hand, number) if set(named) <= set(cards))
        yield from itertools.islice(choices, MOST_HIDDEN)
    elif number - len(named) <= len(hand) - len(revealed):
        yield (*named, *[None] * (number - len(named)))


def _answers(state: State, sight: SeenTable, found: Sequence[Difference]) -> Iterator[Action]:
    pending = state.pending[0]
    player = state.setup.players[pending.side]
    if pending.demand is Demand.DISCARD:
        for cards in _left_hand(state, pending.side, pending.number, found):
            yield Discard(player=player, cards=cards)
    elif pending.demand is Demand.REVEAL:
        seen = [CardId(card) for card in sight.cards("open", pending.side).elements()][: pending.number]
        if seen:
            yield Reveal(player=player, cards=(*seen, *[None] * (pending.number - len(seen))))
    else:
        yield Trust(player=player)
        shown = turned_up(state, sight)
        for is_true in (True, False):
            yield Call(player=player, cards=shown, is_true=is_true)


def turned_up(state: State, sight: SeenTable) -> tuple[Hidden, ...]:
    """Return the active side's bluff cards as far as they are known or lie face up now, in their order."""
    bluffs = [laid for laid in state.mine.support if laid.is_bluff]
    seen = sight.cards("support", state.active)
    lying = {laid.card for laid in state.mine.support if not laid.is_bluff}
    shown = iter([CardId(card) for card in seen.elements() if card != BACK and card not in lying])
    return tuple(laid.card if laid.card is not None else next(shown, None) for laid in bluffs)


# -- from one difference ------------------------------------------------------------------------------


def _from_difference(state: State, found: Difference, player: str) -> Iterator[Action]:
    if found.side != state.active or found.card not in state.setup.cards:
        if found.area == "leader" and found.side == state.active and found.card in state.setup.cards:
            yield Lead(player=player, card=CardId(found.card))
        return
    card = CardId(found.card)
    if found.way is Way.EXTRA or found.area == "leader":
        yield from _laid(state, found, player, card)
    elif found.way is Way.MISSING and found.area in ("combat", "support"):
        yield Retrieve(player=player, card=card)
    elif found.way is Way.MISSING and found.area == "open" and state.card(card).type in FIGHTERS:
        yield Play(player=player, card=card)
    elif found.way is Way.MISSING and found.area == "ship":
        yield Unload(player=player, ship=card)


def _laid(state: State, found: Difference, player: str, card: CardId) -> Iterator[Action]:
    if found.area == "leader":
        yield Lead(player=player, card=card)
    elif found.area == "ship":
        yield Launch(player=player, card=card)
    elif found.area == "landed":
        yield Unload(player=player, ship=card)
    elif found.area == "cargo":
        yield Load(player=player, card=card, ship=CardId(found.ship))
    elif found.area in ("combat", "support"):
        from_ship = any(card in ship.cargo for ship in state.mine.landed)
        facts = state.card(card)
        yield Play(player=player, card=card, from_ship=from_ship)
        if facts.type == CHARACTER and any(icon.startswith("gang_") for icon in facts.icons):
            yield Play(player=player, card=card, from_ship=from_ship, joins=True)


def _laid_again(state: State, found: Sequence[Difference], player: str) -> Iterator[Action]:
    """Yield taking back characters that lie there still: laid again they leave no trace but what follows."""
    new = [each for each in found if each.way is Way.EXTRA or each.area == "leader"]
    laid = [(each.side, CardId(each.card)) for each in new if each.card in state.setup.cards]
    has_character = any(side == state.active and state.card(card).type == CHARACTER for side, card in laid)
    if not laid or has_character or state.turn.phase > Phase.START or state.is_first_turn:
        return
    gone = {each.card for each in found if each.way is Way.MISSING}
    for own in state.mine.active_combat:
        if own.card is not None and own.card not in gone and "retrieve" in state.card(own.card).icons:
            yield Retrieve(player=player, card=own.card)


def _backs(state: State, found: Sequence[Difference], player: str) -> Iterator[Action]:
    """Yield what happened to face-down cards of the active side: laid, or discarded at the start."""
    support = [each for each in found if each.side == state.active and each.area == "support"]
    ways = {each.way for each in support if each.card == BACK}
    if Way.EXTRA in ways:
        yield from _bluffs_from_ships(state, player)
        yield from _bluffs_from_hand(state, player)
    elif ways:
        bluffs = [(at, laid.card) for at, laid in enumerate(state.mine.support) if laid.is_bluff]
        alike = len({card for _, card in bluffs}) == 1
        yield from (Drop(player=player, at=at) for at, _ in bluffs[: 1 if alike else None])


def _bluffs_from_ships(state: State, player: str) -> Iterator[Action]:
    cargo = [card for ship in state.mine.landed for card in ship.cargo]
    bluffs = (card for card in cargo if has_bluff_icon(state.card(card)))
    yield from (Bluff(player=player, card=card, from_ship=True) for card in bluffs)


def _bluffs_from_hand(state: State, player: str) -> Iterator[Action]:
    hand = state.mine.hand
    if not state.is_open(state.active):
        if len(hand) > len(state.mine.revealed):
            yield Bluff(player=player, card=None)
        for card in sorted(state.mine.revealed):
            if has_bluff_icon(state.card(card)):
                yield Bluff(player=player, card=card)
        return
    for known in hand:
        if known is not None and has_bluff_icon(state.card(known)):
            yield Bluff(player=player, card=known)


# -- powers -----------------------------------------------------------------------------------------


def _uses(state: State, sight: SeenTable, found: Sequence[Difference], player: str) -> Iterator[Action]:
    for entry, power in offered(state):
        yield from _use(state, sight, found, Use(player=player, card=entry.card.id), power)
    if state.turn.phase < Phase.CALL:
        yield from _pays(state, sight, found, player)


def _use(
    state: State, sight: SeenTable, found: Sequence[Difference], use: Use, power: Power
) -> Iterator[Action]:
    """Yield the uses of a power that may have been made."""
    if power.effect in _SHOWN:
        yield from _SHOWN[power.effect](state, sight, found, use, power)
        return
    mine, theirs = (_changed(state, sight, found, side) for side in (state.active, 1 - state.active))
    if power.effect not in _COUNTED:
        yield from [use] if mine or theirs else []
    elif theirs if power.effect == "opp_random_discard" else mine:
        yield from _COUNTED[power.effect](state, found, use, power)


def _any_of(zone: Sequence[Hidden]) -> Sequence[Hidden]:
    """Return the cards that may have been chosen out of a zone: an unknown one, or each of the known ones."""
    return (None,) if None in zone else sorted(zone, key=str)[:MOST_HIDDEN]


def _changed(state: State, sight: SeenTable, found: Sequence[Difference], side: int) -> bool:
    """Whether something unseen was done with this side's cards: a number, a top or an open hand differs."""
    if any(each.area in ("open", TOP) and each.side == side for each in found):
        return True
    holds = state.sides[side]
    here = {"hand": len(holds.hand), "deck": len(holds.deck), "discard": len(holds.discard)}
    return any(sight.count(kind, side) not in (None, many) for kind, many in here.items())


def _discards(
    state: State, _sight: SeenTable, found: Sequence[Difference], use: Use, power: Power
) -> Iterator[Action]:
    they = 1 - state.active
    gone = [each for each in found if each.way is Way.MISSING and each.side == they]
    missing = {each.card for each in gone if each.area in ("combat", "support")}
    backs = sum(each.card == BACK for each in gone)
    laid = (*state.theirs.active_combat, *state.theirs.support)
    visible = {each.card for each in laid if not each.is_bluff}
    for choice in discard_choices(state, Force(state), state.active, power):
        named = {target.card for target in choice} & visible
        hidden = sum(not target.card for target in choice)
        if named <= missing and hidden <= backs and (named or hidden):
            yield use_of(use.player, use.card, choice)


def _retrieves(
    state: State, _sight: SeenTable, found: Sequence[Difference], use: Use, power: Power
) -> Iterator[Action]:
    """Yield cards that are gone, covered ones where a number tells, characters that may be laid again."""
    own = [each for each in found if each.side == state.active]
    gone = {each.card for each in own if each.way is Way.MISSING}
    is_counted = any(each.area in ("hand", "combat") for each in own)
    for zone, card in retrieve_choices(state, use.card, power):
        if card in gone or _may_be_back(state, zone, card, is_counted=is_counted):
            yield replace(use, cards=(card,))
    if BACK in gone and power.word("from") == "active":
        backs = (at for at, laid in enumerate(state.mine.support) if laid.is_bluff)
        yield from (replace(use, backs=(at,)) for at in itertools.islice(backs, 1))


def _may_be_back(state: State, zone: str, card: CardId, *, is_counted: bool) -> bool:
    """Whether a card may have been taken back that is not missed: covered, or laid again."""
    if any(laid.card == card and not laid.is_active for laid in state.mine.combat):
        return is_counted
    return zone == "combat" and state.card(card).type == CHARACTER


def _onto_ships(
    state: State, sight: SeenTable, found: Sequence[Difference], use: Use, power: Power
) -> Iterator[Action]:
    """Yield searches and loads: cards that newly lie on ships, ships that newly lie there, unseen cards."""
    if power.effect == "load_from_hand" or power.word("select"):
        new = (each for each in found if each.side == state.active and each.way is Way.EXTRA)
        for each in new:
            if each.card in state.setup.cards:
                yield from _onto_ship(state, each, use, power)
    elif _changed(state, sight, found, state.active):
        yield from (replace(use, cards=(known,)) for known in _any_of(state.mine.deck))


def _onto_ship(state: State, new: Difference, use: Use, power: Power) -> Iterator[Action]:
    card = CardId(new.card)
    if power.effect == "load_from_hand":
        if new.area == "cargo" and new.ship == use.card:
            yield replace(use, cards=(card,))
    elif new.area == "cargo":
        yield replace(use, cards=(card,), ship=CardId(new.ship))
    elif new.area == "ship" and state.card(card).type == SHIP:
        yield replace(use, cards=(card,))


def _paid_dragons(
    state: State, sight: SeenTable, found: Sequence[Difference], use: Use, power: Power
) -> Iterator[Action]:
    if _changed(state, sight, found, state.active) or sight.dragons_differ(state):
        for number in range(1, _MOST_PAID + 1):
            yield from (replace(use, cards=cards) for cards in _paid(state, power, number, 1, found))


# -- powers that show only in numbers of cards -------------------------------------------------------


def _from_their_hand(state: State, found: Sequence[Difference], use: Use, power: Power) -> Iterator[Use]:
    number = min(power.number("n"), len(state.theirs.hand))
    hands = _left_hand(state, 1 - state.active, number, found)
    yield from (replace(use, cards=cards) for cards in hands)


def _from_own_hand(state: State, found: Sequence[Difference], use: Use, _power: Power) -> Iterator[Use]:
    gone = _gone_from_open(state.active, found)
    alone: list[tuple[Hidden, ...]] = [(CardId(each.card),) for each in gone]
    yield from (replace(use, cards=cards) for cards in alone or _left_hand(state, state.active, 1, found))


def _from_discard(state: State, _found: Sequence[Difference], use: Use, _power: Power) -> Iterator[Use]:
    yield from (replace(use, cards=(card,)) for card in _any_of(state.mine.discard))


def _drawn(state: State, found: Sequence[Difference], use: Use, power: Power) -> Iterator[Use]:
    deck = state.mine.deck
    for number in range(1, min(power.number("n"), len(deck)) + 1):
        if power.effect == "draw_reveal_discard_one":
            choices: Iterator[tuple[Hidden, ...]] = ((gone,) for gone in dict.fromkeys(deck[:number]))
        else:
            side = changed(state.mine, hand=(*state.mine.hand, *deck[:number]))
            many = min(power.number("back"), len(side.hand))
            choices = _left_hand(with_side(state, state.active, side), state.active, many, found)
        yield from (replace(use, cards=cards, number=number) for cards in choices)


# By effect: powers whose use leaves traces of its own, and those of which only numbers of cards tell.
_SHOWN: Final[dict[str, Callable[[State, SeenTable, Sequence[Difference], Use, Power], Iterator[Action]]]] = {
    "discard_opp_cards": _discards,
    "retrieve_card": _retrieves,
    "search_deck": _onto_ships,
    "load_from_hand": _onto_ships,
    "pay_discard_attract_dragon": _paid_dragons,
}
_COUNTED: Final[dict[str, Callable[[State, Sequence[Difference], Use, Power], Iterator[Use]]]] = {
    "opp_random_discard": _from_their_hand,
    "discard_own_hand": _from_own_hand,
    "hand_to_deck_bottom": _from_own_hand,
    "draw_reveal_discard_one": _drawn,
    "draw_then_shuffle_back": _drawn,
    "search_discard": _from_discard,
}


def unseen_uses(state: State) -> Iterator[Use]:
    """Yield the uses of powers that are offered and show in nothing but numbers of cards.

    A card that is taken back may have been covered, or be covered by the next.
    """
    for entry, power in offered(state):
        use = Use(player=state.setup.players[state.active], card=entry.card.id)
        if power.effect in _COUNTED:
            yield from _COUNTED[power.effect](state, (), use, power)
        elif power.effect == "search_deck" and not power.word("select"):
            yield from (replace(use, cards=(known,)) for known in _any_of(state.mine.deck))
        elif power.effect == "retrieve_card":
            chosen = retrieve_choices(state, use.card, power)
            yield from (replace(use, cards=(card,)) for zone, card in chosen if zone == "combat")
        elif power.effect not in _SHOWN:
            yield use


def _pays(state: State, sight: SeenTable, found: Sequence[Difference], player: str) -> Iterator[Action]:
    """Yield payments of demands; what was discarded cannot be seen, only how many cards."""
    if _changed(state, sight, found, state.active):
        yield from _demanded(state, found, player)


def unseen_payments(state: State) -> Iterator[Pay]:
    """Yield payments of demands that show in nothing but numbers of cards."""
    if state.turn.phase < Phase.CALL and not state.pending:
        yield from _demanded(state, (), state.setup.players[state.active])


def _demanded(state: State, found: Sequence[Difference], player: str) -> Iterator[Pay]:
    run = Draft(state)
    force = run.force()
    demanding: list[ActiveCard] = [*unmet_caterpillars(run, force), *unmet_sirens(run, state.active, force)]
    for entry in demanding:
        power, factor = entry.card.power, demand_factor(state, force, entry)
        for number in range(1, _MOST_PAID + 1):
            if power is not None:
                for cards in _paid(state, power, number, factor, found):
                    yield Pay(player=player, card=entry.card.id, cards=cards)


def _paid(
    state: State, power: Power, number: int, factor: int, found: Sequence[Difference]
) -> Iterator[tuple[Hidden, ...]]:
    if not state.is_open(state.active):
        yield from _left_hand(state, state.active, number, found)
        return
    sets = payments(state, state.active, power, factor)
    yield from itertools.islice((cards for cards in sets if len(cards) == number), MOST_HIDDEN)


# -- letting the game go on ---------------------------------------------------------------------------


def _steps(state: State, sight: SeenTable, found: Sequence[Difference], player: str) -> Iterator[Action]:
    if state.turn.phase == Phase.END:
        yield End(player=player)
        return
    if state.fight is not None and (state.turn.count(CHARACTER) or state.turn.again):
        yield from _announcements(state, sight, found, player)
    if not state.is_first_turn:
        yield Retreat(player=player)
        if (sight.sees_piles() or _is_topped(state, found)) and not state.is_open(state.active):
            yield from _unseen_before_retreat(state, sight, found, player)
    # Of cards that lie open it must be seen which are gone.
    if state.fight is None and (not state.mine.revealed or sight.sees_row("open", state.active)):
        yield from _declines(state, sight, found, player)


def _is_topped(state: State, found: Sequence[Difference]) -> bool:
    """Whether a card came to the active side's discard pile that did not lie on the table before."""
    lay = {laid.card for laid in (*state.mine.combat, *state.mine.support)}
    return any(each.area == TOP and each.side == state.active and each.card not in lay for each in found)


def _declines(state: State, sight: SeenTable, found: Sequence[Difference], player: str) -> Iterator[Action]:
    held = len(state.mine.hand)
    uncounted = Decline(player=player, cards=(None,), more=min(_MOST_DECLINED, held) - 1)
    if not _is_counted(state, sight) and is_legal(state, uncounted):
        yield uncounted
        return
    for number in range(min(1, held), min(_MOST_DECLINED, held) + 1):
        if not sight.may_discard(state, state.active, number, found):
            break
        for cards in _left_hand(state, state.active, number, found):
            yield Decline(player=player, cards=cards)


def _unseen_before_retreat(
    state: State, sight: SeenTable, found: Sequence[Difference], player: str
) -> Iterator[Action]:
    """Yield retreats after cards that were cleared away before anyone saw what they were."""
    run = Draft(state)
    if unmet_caterpillars(run, run.force()):
        return  # no card is laid before what is demanded was paid
    most = min(MOST_UNSEEN, len(state.mine.hand))
    uncounted = Retreat(player=player, more=most)
    if not _is_counted(state, sight) and is_legal(state, uncounted):
        yield uncounted
        return
    for number in range(1, most + 1):
        for cards in _left_hand(state, state.active, number, found):
            yield Retreat(player=player, cards=cards)


def _is_counted(state: State, sight: SeenTable) -> bool:
    """Whether something tells how many cards leave the active hand: piles that are counted, open cards."""
    counts = (sight.count(kind, state.active) for kind in ("deck", "discard"))
    return bool(state.mine.revealed) or any(count is not None for count in counts)


def _announcements(
    state: State, sight: SeenTable, found: Sequence[Difference], player: str
) -> Iterator[Action]:
    fight = state.fight
    if fight is None:
        return
    if fight.element is not None:
        elements: tuple[str, ...] = (fight.element,)
    elif sight.element_is_seen and sight.element is not None and not _changes_element(state, found):
        elements = (sight.element,)
    else:
        elements = ELEMENTS
    force = Force(state)
    for element in elements:
        yield Announce(player=player, element=element, total=total(state, force, state.active, element).value)


def _changes_element(state: State, found: Sequence[Difference]) -> bool:
    """Whether a card that is still to be laid may turn the token away from what was announced."""
    laid = [CardId(each.card) for each in found if each.way is Way.EXTRA and each.card in state.setup.cards]
    powers = [state.card(card).power for card in laid]
    return any(power is not None and power.word("element_change") for power in powers)
