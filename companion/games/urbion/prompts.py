"""What the players of Urbion are told: the state and the actions in words, sums, and prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.game import Event
from companion.games.kit.assembled import PromptDraft, numbered
from companion.games.urbion.actions import (
    Action,
    Agoraphilia,
    Balance,
    Chaos,
    ChooseSide,
    CityOpened,
    Claimed,
    Discard,
    Fly,
    GameEnded,
    Laid,
    Play,
    Prophecy,
    Reveal,
    Swap,
    SwapPolarity,
    Turn,
    Vanish,
)
from companion.games.urbion.catalogue import CHAOS
from companion.games.urbion.legal import chaos_actions, open_rows, removals
from companion.games.urbion.state import Row, UrbionState, polarity_side, turn_of
from companion.games.urbion.table import city_place, predict
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import kind_of


def prompts(
    before: UrbionState, action: Action, after: UrbionState, events: tuple[Event, ...]
) -> tuple[Prompt, ...]:
    """Return what is to be told after an accepted action: the end, choices, claims, dealing, the turn."""
    drafts = [*_end(after, events), *_pending(after), *_claims(after, events), *_dealt(before, after, events)]
    drafts += _turn(after)
    if isinstance(action, Reveal):
        drafts = []
    return numbered(drafts, after.actions)


def _end(after: UrbionState, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, GameEnded):
            if event.reason == "cities":
                text = f"All {after.all_cities} cities are claimed: {' and '.join(after.players)} won."
            else:
                text = (
                    f"The dreams are used up with {after.subdued} of {after.all_cities} cities claimed: lost."
                )
            yield PromptKind.END, text, (), (), {}, None


def _pending(after: UrbionState) -> Iterator[PromptDraft]:
    """Say what waits for a choice, and what may be chosen."""
    player = turn_of(after)
    if player is None or after.pending is None:
        return
    if after.pending == "side":
        row = after.jobs[0].row
        pair = " and ".join(after.pair)
        text = f"{pair} are dealt to row {row}: {player} puts both on the left or on the right."
        yield PromptKind.QUESTION, text, (player,), (), {}, "turn.pending_side"
        return
    ways = "; ".join(describe_chaos(after, action) for action in chaos_actions(after, player))
    yield PromptKind.QUESTION, f"{player} drew Chaos: {ways}.", (player,), (), {}, "turn.pending_chaos"


def describe_chaos(state: UrbionState, action: Chaos) -> str:
    """Return one of a Chaos card's options in words."""
    if action.way == "draw" or action.row is None:
        return f"discard it and draw four of the {_dreams_left(state)} dreams"
    city = state.rows[action.row]
    if action.way == "clear":
        return f"discard it and all dreams of row {action.row}"
    return f"place it on the {city.chaos_side if city else ''} of row {action.row}"


def _dreams_left(state: UrbionState) -> str:
    return str(len(state.dreams)) if state.is_counted else f"at most {len(state.dreams)}"


def _claims(after: UrbionState, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    claims = [event for event in events if isinstance(event, Claimed)]
    if not claims:
        return
    rows = tuple(
        PromptRow(
            player=" & ".join(after.players),
            amounts={"cities": 1},
            reason="bonus" if claim.row is None else "claim",
            source=claim.city,
        )
        for claim in claims
    )
    left = after.all_cities - after.subdued
    text = f"{len(claims)} {'city is' if len(claims) == 1 else 'cities are'} claimed, {left} to go."
    yield PromptKind.REWARD, text, (), rows, {}, "balance.claim"


def _dealt(before: UrbionState, after: UrbionState, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    """Say what must be laid out from the decks, closed as soon as the table shows it."""
    opened = [event for event in events if isinstance(event, CityOpened)]
    dealt = [event for event in events if isinstance(event, Laid) and event.how == "dealt"]
    if not opened and not dealt:
        return
    words = [f"{event.city} to row {event.row}" for event in opened]
    words += [f"{event.card} to the {event.side} of row {event.row}" for event in dealt]
    old, new = predict(before), predict(after)
    done = {w: v for w, v in new.items() if kind_of(w) in ("city", "dream") and old.get(w) != v}
    done.update({city_place(event.row): event.city for event in opened})
    yield PromptKind.HOUSEKEEPING, f"Lay out: {', '.join(words)}.", (), (), done, None


def _turn(after: UrbionState) -> Iterator[PromptDraft]:
    player = turn_of(after)
    if player is None or after.pending is not None:
        return
    side = polarity_side(after, after.active)
    own = f" and plays on the {side} only" if side else ""
    rows = tuple(_sums(after, player))
    yield PromptKind.TURN, f"{player} acts{own}. {_balances(after)}", (player,), rows, {}, None


def _sums(state: UrbionState, player: str) -> Iterator[PromptRow]:
    """Give both sides' sums of each city."""
    for row, city in open_rows(state):
        left, right = city.sums
        amounts = {"left": -left, "right": right, "sum": right - left}
        yield PromptRow(player=player, amounts=amounts, reason=f"row {row}", source=city.city)


def _balances(state: UrbionState) -> str:
    """Say which cities are balanced and which sets of cards are."""
    words = []
    for row, city in open_rows(state):
        if city.is_balanced:
            words.append(f"row {row} is balanced")
        elif sets := removals(row, city):
            shown = ", ".join("+".join(r.left) + " = " + "+".join(r.right) for r in sets)
            words.append(f"in row {row} these balance: {shown}")
    return "; ".join(words).capitalize() + "." if words else "Nothing is balanced."


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
    decks = f"{state.subdued} claimed, {len(state.cities)} cities, {_dreams_left(state)} dreams"
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
