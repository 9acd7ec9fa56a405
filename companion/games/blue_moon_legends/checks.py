"""Checkpoints of a record, the result, and the invariants of a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_legends.catalogue import DRAGONS, ELEMENTS, SHIP, SUPPORT, catalogue
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import State, known_places, total_cards
from companion.games.blue_moon_legends.table import (
    cards_of,
    format_table,
    length_of,
    parse_table,
    predict,
    row,
    rows_of,
    visible_rows,
)
from companion.games.kit.notation import compare, compare_counts, escape
from companion.storage.strict import as_list, as_map, as_object
from companion.table import Picture, kind_of


def result(state: State) -> Json | None:
    """Return the record's ``result`` object, or None while the game runs."""
    if state.outcome is None:
        return None
    return {
        "winners": [state.setup.players[state.outcome.winner]],
        "reason": state.outcome.reason,
        "draw": False,
        "dragons": state.outcome.dragons,
    }


# -- checkpoints ------------------------------------------------------------------------------------


def totals(state: State) -> dict[str, dict[str, int]]:
    """Return both players' totals in fire and earth, as they stand."""
    force = Force(state)
    return {
        player: {element: total(state, force, side, element).value for element in ELEMENTS}
        for side, player in enumerate(state.setup.players)
    }


def _turn(state: State) -> str | None:
    return None if state.outcome is not None else state.setup.players[state.actor]


def _pending(state: State) -> str | None:
    return state.pending[0].demand.value if state.pending else None


def _per_player(state: State, count: Callable[[int], int]) -> dict[str, int]:
    return {player: count(side) for side, player in enumerate(state.setup.players)}


def turn_of(state: State) -> str | None:
    """Return the player who acts next."""
    return None if state.outcome is not None else state.setup.players[state.actor]


def checkpoint(state: State) -> Json:
    """Return the full ``check`` object."""
    sides = state.sides
    return {
        "turn": _turn(state),
        "phase": state.turn.phase.name.lower() if state.outcome is None else None,
        "element": state.fight.element if state.fight is not None else None,
        "pending": _pending(state),
        "reason": state.outcome.reason if state.outcome is not None else None,
        "dragons": _per_player(state, state.dragons_of),
        "totals": totals(state),
        "hand_counts": _per_player(state, lambda side: len(sides[side].hand)),
        "deck_counts": _per_player(state, lambda side: len(sides[side].deck)),
        "discard_counts": _per_player(state, lambda side: len(sides[side].discard)),
        "hands": {player: list(sides[side].hand) for side, player in enumerate(state.setup.players)},
        "table": format_table(predict(state)),
    }


_COUNTS: Final = ("dragons", "hand_counts", "deck_counts", "discard_counts")
_PLAIN: Final = ("turn", "phase", "element", "pending", "reason")


def check(state: State, claimed: Json) -> None:
    """Compare a checkpoint with the state; raises MalformedError naming the first difference."""
    as_map(claimed, "the check", (*_PLAIN, *_COUNTS, "totals", "hands", "table"))
    truth = checkpoint(state)
    for key in claimed:
        if key in _PLAIN:
            compare(claimed[key], truth[key], key)
        elif key in _COUNTS:
            compare_counts(claimed[key], truth[key], key)
    if "totals" in claimed:
        rows = as_object(claimed["totals"], "totals", state.setup.players)
        for player in state.setup.players:
            compare_counts(rows[player], truth["totals"][player], f"totals of {player}")
    if "hands" in claimed:
        _check_hands(claimed["hands"], truth["hands"])
    if "table" in claimed:
        check_table(state, claimed["table"])


def _check_hands(claimed: object, truth: Mapping[str, list[str | None]]) -> None:
    """Compare hands as sets of cards; null on either side is a card that is not known."""
    hands = as_object(claimed, "hands", tuple(truth))
    for player, hand in truth.items():
        cards = as_list(hands[player], f"the hand of {player}", len(hand))
        named = Counter(str(card) for card in cards if card is not None)
        strange = named - Counter(card for card in hand if card is not None)
        if strange.total() > hand.count(None):
            raise MalformedError(f"the hand of {player} is {hand!r}, not {cards!r}")


def check_table(state: State, table: object) -> None:
    """Compare a table state with the one that the state casts; what it leaves out is not compared."""
    members = as_map(table, "the table", tuple(table) if isinstance(table, dict) else ())
    seen = parse_table(members)
    for key, member in members.items():
        if isinstance(member, dict) and key != "confidence":
            as_map(member, f"{key} of the table", state.setup.players)
    wrong = first_difference(_as_shown(state, seen), seen)
    if wrong is not None:
        raise MalformedError(wrong)


def _as_shown(state: State, seen: Picture) -> Picture:
    """Return the picture that the state casts, with the covered cards on top that are seen there."""
    rows = rows_of(seen)
    expected = dict(predict(state))
    for player, side in zip(state.setup.players, state.sides, strict=True):
        name = escape(player)
        shown = cards_of(rows.get(f"combat:{name}", {}))
        expected.update(row(("combat", name), visible_rows(side, shown)["combat"]))
    return expected


def first_difference(expected: Picture, seen: Picture) -> str | None:
    """Return the first difference in words, None where the picture fits what is expected."""
    truth = rows_of(expected)
    for name, entries in rows_of(seen).items():
        cards, here = cards_of(entries), cards_of(truth.get(name, {}))
        length = length_of(entries)
        if Counter(cards) - Counter(here) or (length is not None and length != len(here)):
            return f"{name} of the table is {here}, not {cards}"
    for where, value in seen.items():
        if kind_of(where) in ("hand", "deck", "discard", "leader", "element", "winner"):
            if where not in expected:
                return f"{where} of the table does not exist"
            if expected[where] != value:
                return f"{where} of the table is {expected[where]!r}, not {value!r}"
    return None


# -- invariants -------------------------------------------------------------------------------------


def defects(state: State) -> tuple[str, ...]:
    """Return every broken invariant in words; empty when the state is sound."""
    found: list[str] = []
    for number, player in enumerate(state.setup.players):
        side = state.sides[number]
        size = len(catalogue().decks[state.setup.decks[number]].cards)
        if total_cards(side) != size:
            found.append(f"{player} has {total_cards(side)} cards, not {size}")
        known = Counter(known_places(side))
        found += [f"{card} is in two places" for card, many in known.items() if many > 1]
        found += [f"{card} is not {player}'s" for card in known if card not in state.setup.owned[number]]
        if not side.revealed <= set(side.hand):
            found.append(f"{player} shows cards that are not in the hand")
        found += _misplaced(state, number)
    if abs(state.dragons) > DRAGONS:
        found.append(f"there are {abs(state.dragons)} dragons on one side")
    if state.fight is None and any(side.combat or side.support for side in state.sides):
        found.append("cards lie in areas without a fight")
    return tuple(found)


def _misplaced(state: State, number: int) -> list[str]:
    side, player = state.sides[number], state.setup.players[number]
    found = []
    for laid in side.support:
        if laid.card is not None and not laid.is_bluff and state.card(laid.card).type != SUPPORT:
            found.append(f"{laid.card} is no support card")
    for ship in (*side.ships, *side.landed):
        if state.card(ship.card).type != SHIP:
            found.append(f"{ship.card} is no ship")
        elif len(ship.cargo) > state.card(ship.card).capacity:
            found.append(f"{ship.card} carries too much")
    if side.landed and number != state.active:
        found.append(f"{player} has an unloaded ship out of turn")
    return found
