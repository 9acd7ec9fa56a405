"""The engine against a second, naive reckoning, action by action in random games over all pairings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.blue_moon_legends.actions import Bluff, Load, Play, Retreat
from companion.games.blue_moon_legends.catalogue import (
    CHARACTER,
    DRAGONS,
    ELEMENTS,
    FIGHTERS,
    LEADERSHIP,
    SUPPORT,
    catalogue,
)
from companion.games.blue_moon_legends.events import DragonCame
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.flow import unmet_sirens
from companion.games.blue_moon_legends.rules.force import BLUFF_CARD, Force
from companion.games.blue_moon_legends.rules.limits import LOAD, as_played
from companion.games.blue_moon_legends.rules.play import has_bluff_icon
from companion.games.blue_moon_legends.state import Phase
from tests.helpers.legends import GAME, PAIRINGS, pairing, playout, position, value
from tests.helpers.legends_naive import (
    allowed_beyond_the_phase,
    counts_as_free,
    icon_of_bluff_counts,
    naive_retreat_cost,
    naive_total,
)


def may_retreat(state):
    """Whether the active side may give the fight up now."""
    running = state.fight is not None and not state.is_first_turn
    return running and not state.pending and state.outcome is None and state.turn.phase < Phase.CALL


def cost(state):
    """Return how many dragons a retreat brings, without those of a demand that was not met."""
    loser = state.active
    far = replace(state, dragons=DRAGONS if loser == 0 else -DRAGONS)  # so that none ends the game
    _, events = GAME.apply(far, Retreat(player=state.setup.players[loser]))
    came = sum(isinstance(event, DragonCame) for event in events)
    return came - len(unmet_sirens(Draft(state), loser))


def steps(number):
    """Return a random game of the numbered pairing, action by action."""
    rng = random.Random(1000 + number)
    return list(playout(rng, GAME.deal(rng, {"decks": pairing(number)})))


@pytest.mark.parametrize("number", range(72))
def test_random_games_agree_with_the_naive_reckoning(number):
    """Totals in both elements, which cards count as free, what may begin a fight, what a retreat costs."""
    for before, action, after, _ in steps(number):
        for side, player in enumerate(after.setup.players):
            for element in ELEMENTS:
                assert naive_total(after, side, element) == value(after, player, element)
        if isinstance(action, Play | Bluff):
            is_bluff = isinstance(action, Bluff)
            free = counts_as_free(before, action.card, from_ship=action.from_ship, is_bluff=is_bluff)
            assert free == after.turn.played[-1].is_free
            assert not is_bluff or icon_of_bluff_counts(before)
        if before.is_first_turn and isinstance(action, Play | Bluff | Load):
            begins_within_its_limits(before, after)
        if may_retreat(after) and not after.turn.count(CHARACTER):
            assert naive_retreat_cost(after) == cost(after)
        if may_retreat(before) and may_retreat(after) and before.number == after.number:
            laid = before.turn.count(CHARACTER) or isinstance(action, Play | Bluff | Load)
            assert not laid or cost(after) >= cost(before)


def begins_within_its_limits(before, after):
    """No booster and no support is laid, no ship loaded, beyond what texts and icons allow."""
    more = allowed_beyond_the_phase(before)
    counted = [each for each in after.turn.played if not each.is_free]
    pairs = {each.group for each in counted if each.kind == "booster" and each.group.startswith("pair")}
    boosters = sum(each.kind == "booster" for each in counted) - len(pairs)  # at least one of a pair
    supports = sum(each.kind in ("support", LOAD) for each in counted)

    assert boosters <= more["booster"]
    assert supports <= more["support"]


CARDS = catalogue().cards


def drawn_zones(data, deck):
    """Return zones of one side with any of its cards in them, whether they could have been laid so or not."""
    cards = data.draw(st.permutations(catalogue().decks[deck].cards))
    held, cards = cards[:6], cards[6 : data.draw(st.integers(6, 16))]
    laid = [card for card in cards if CARDS[card].type in FIGHTERS]
    downs = [card for card in laid if has_bluff_icon(CARDS[card]) and data.draw(st.booleans())]
    supports = [card for card in laid if CARDS[card].type == SUPPORT]
    combat = [card for card in laid if card not in (*downs, *supports)]
    covered = data.draw(st.integers(0, len(combat)))
    return {
        "hand": held,
        "bluffs": downs,
        "support": supports,
        "covered": combat[:covered],
        "combat": combat[covered:],
    }


@settings(max_examples=150)
@given(st.data(), st.sampled_from(PAIRINGS), st.booleans(), st.sampled_from(ELEMENTS))
def test_any_table_agrees_with_the_naive_reckoning(data, decks, turned, element):
    """Cards that random play seldom brings together: totals, free cards, and what a retreat costs."""
    decks = decks[::-1] if turned else decks
    a, b = (drawn_zones(data, deck) for deck in decks)
    state = position(",".join(decks), fight=element, a=a, b=b)
    leads = [card for card in catalogue().decks[decks[0]].cards if CARDS[card].type == LEADERSHIP]
    mine = replace(state.sides[0], lead=data.draw(st.sampled_from([None, *leads])))
    state = replace(state, sides=(mine, state.sides[1]))

    for side, player in enumerate(state.setup.players):
        for each in ELEMENTS:
            assert naive_total(state, side, each) == value(state, player, each)
    assert naive_retreat_cost(state) == cost(state)
    run, force = Draft(state), Force(state)
    assert icon_of_bluff_counts(state) == (force.taker_of_icons(0, BLUFF_CARD) is None)
    for card in a["hand"]:
        for from_ship in (False, True):
            if CARDS[card].type in FIGHTERS:
                played = as_played(run, force, CARDS[card], from_ship=from_ship)
                assert counts_as_free(state, card, from_ship=from_ship, is_bluff=False) == played.is_free
