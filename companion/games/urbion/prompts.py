"""What the players of Urbion are told: the state and the actions in words, sums, and prompts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Event
from companion.games.kit.prompts import PromptDraft, numbered
from companion.games.urbion.actions import Action, CityOpened, Claimed, GameEnded, Laid, Reveal
from companion.games.urbion.descriptions import describe_chaos
from companion.games.urbion.legal import chaos_actions, open_rows, removals
from companion.games.urbion.state import UrbionState, polarity_side, turn_of
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
            yield PromptDraft(PromptKind.END, text)


def _pending(after: UrbionState) -> Iterator[PromptDraft]:
    """Say what waits for a choice, and what may be chosen."""
    player = turn_of(after)
    if player is None or after.pending is None:
        return
    if after.pending == "side":
        row = after.jobs[0].row
        pair = " and ".join(after.pair)
        text = f"{pair} are dealt to row {row}: {player} puts both on the left or on the right."
        yield PromptDraft(PromptKind.QUESTION, text, concerns=(player,), rule="turn.pending_side")
        return
    ways = "; ".join(describe_chaos(after, action) for action in chaos_actions(after, player))
    yield PromptDraft(
        PromptKind.QUESTION, f"{player} drew Chaos: {ways}.", concerns=(player,), rule="turn.pending_chaos"
    )


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
    yield PromptDraft(PromptKind.REWARD, text, rows=rows, rule="balance.claim")


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
    yield PromptDraft(PromptKind.HOUSEKEEPING, f"Lay out: {', '.join(words)}.", done_when=done)


def _turn(after: UrbionState) -> Iterator[PromptDraft]:
    player = turn_of(after)
    if player is None or after.pending is not None:
        return
    side = polarity_side(after, after.active)
    own = f" and plays on the {side} only" if side else ""
    rows = tuple(_sums(after, player))
    yield PromptDraft(
        PromptKind.TURN, f"{player} acts{own}. {_balances(after)}", concerns=(player,), rows=rows
    )


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
