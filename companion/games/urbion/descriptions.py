"""States and actions of Urbion in words."""

from __future__ import annotations

from typing import assert_never

from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Fly,
    Play,
    Prophecy,
    Reveal,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import CHAOS
from companion.games.urbion.legal import open_rows
from companion.games.urbion.state import Row, UrbionState, turn_of


def describe_chaos(state: UrbionState, action: Chaos) -> str:
    """Return one of a Chaos card's options in words."""
    if action.way == "draw" or action.row is None:
        return f"discard it and draw four of the {dreams_left(state)} dreams"
    city = state.rows[action.row]
    if action.way == "clear":
        return f"discard it and all dreams of row {action.row}"
    return f"place it on the {city.chaos_side if city else ''} of row {action.row}"


def dreams_left(state: UrbionState) -> str:
    """Return the number of dreams in the deck, or the most there can be."""
    return str(len(state.dreams)) if state.is_counted else f"at most {len(state.dreams)}"


def describe_row(row: Row | None) -> str:
    """Return a city with its dreams in a few words."""
    if row is None:
        return "-"
    return f"{' '.join(row.left) or '.'} | {row.city} | {' '.join(row.right) or '.'}"


def describe(state: UrbionState) -> str:
    """Return the state in a few lines."""
    turn = turn_of(state)
    whose = f"{turn} to act" if turn else f"over ({state.reason})"
    pending = f", {state.pending} pending" if state.pending else ""
    rows = "; ".join(f"{number}: {describe_row(row)}" for number, row in enumerate(state.rows))
    hands = "; ".join(
        f"{player}: {' '.join(hand)}" for player, hand in zip(state.players, state.hands, strict=True)
    )
    decks = f"{state.subdued} claimed, {len(state.cities)} cities, {dreams_left(state)} dreams"
    return f"{whose}{pending}; {decks}; {rows}; {hands}"


def describe_action(state: UrbionState, action: Action) -> str:
    """Return the action in words."""
    match action:
        case Reveal():
            return f"{len(action.dreams or ())} dreams and {len(action.cities or ())} cities become known"
        case ChooseSide():
            return f"{action.player} puts {' and '.join(state.pair)} on the {action.side}"
        case Chaos():
            return f"{action.player} decides {CHAOS}: {describe_chaos(state, action)}"
        case Play():
            return f"{action.player} plays {action.card} on the {action.side} of row {action.row}"
        case _:
            return f"{action.player} discards {action.card}{_describe_effect(state, action)}"


def _describe_effect(state: UrbionState, action: Turn) -> str:
    match action:
        case Play() | Discard():
            return ""
        case Swap():
            (row, card), (other_row, other) = action.cards
            return f" and swaps {card} of row {row} with {other} of row {other_row}"
        case Balance():
            return _describe_balance(state, action)
        case SwapPolarity():
            return " and swaps the polarities"
        case Fly():
            return f" and lets {action.dream} fly from row {action.start} to row {action.end}"
        case Vanish():
            return f" and lets {action.dream} of row {action.row} vanish"
        case Agoraphilia():
            return f" and claims the empty row {action.row}"
        case Prophecy():
            return f" and puts the next dreams back as {', '.join(card or '?' for card in action.order)}"
        case _:
            assert_never(action)


def _describe_balance(state: UrbionState, action: Balance) -> str:
    claims = [f"claims row {row}" for row, city in open_rows(state) if city.is_balanced]
    removed = [f"removes {' '.join((*r.left, *r.right))} of row {r.row}" for r in action.remove]
    book = " by Amazing Balance" if action.is_amazing else ""
    return f" and {', '.join((*claims, *removed))}{book}"
