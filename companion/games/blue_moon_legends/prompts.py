"""What the players of Blue Moon Legends are told after an accepted action."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Event
from companion.games.blue_moon_legends.actions import Action
from companion.games.blue_moon_legends.catalogue import ELEMENTS
from companion.games.blue_moon_legends.descriptions import describe_reason
from companion.games.blue_moon_legends.events import (
    Announced,
    BluffCalled,
    ByHand,
    DragonCame,
    DragonKept,
    Drew,
    ElementChanged,
    FightEnded,
    GameEnded,
    TurnBegan,
)
from companion.games.blue_moon_legends.rules.apply import unmet_caterpillars
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.flow import unmet_sirens
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.legal import offered
from companion.games.blue_moon_legends.rules.targets import demand_factor
from companion.games.blue_moon_legends.rules.totals import Total, has_shield, total
from companion.games.blue_moon_legends.state import Demand, Phase, State
from companion.games.blue_moon_legends.table import ELEMENT, dragon_places
from companion.games.blue_moon_legends.texts import card_name
from companion.games.kit.prompts import PromptDraft, numbered
from companion.prompts import Prompt, PromptKind, PromptRow

_END_WORDS = {
    "fourth_dragon": "all three dragons stood on that side and a fourth would have come",
    "fight": "a player had no cards left after the fight",
    "decline": "a player began no fight and had no cards left",
}


def prompts(before: State, _action: Action, after: State, events: tuple[Event, ...]) -> tuple[Prompt, ...]:
    """Return the prompts: the end, dragons, work by hand, totals, and what may or must come next."""
    drafts = [
        *_ended(events),
        *_dragons(after, events),
        *_housekeeping(events),
        *_announcements(events),
        *_turn(before, after, events),
    ]
    return numbered(drafts, after.actions)


def _ended(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, GameEnded):
            dragons = f" with {event.dragons} dragons" if event.dragons else ""
            yield PromptDraft(
                kind=PromptKind.END, text=f"{event.winner} wins{dragons}: {_END_WORDS[event.reason]}."
            )


def _dragons(after: State, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    came = [event for event in events if isinstance(event, DragonCame)]
    kept = [event for event in events if isinstance(event, DragonKept)]
    for event in kept:
        cards = ", ".join(card_name(card) for card in event.by)
        yield PromptDraft(
            kind=PromptKind.REWARD,
            text=f"{event.number} dragon(s) fewer for {event.player}: {cards}.",
            concerns=(event.player,),
        )
    if came:
        player = came[-1].player
        rows = tuple(
            PromptRow(
                player=event.player,
                amounts={"dragons": 1},
                reason=event.reason,
                source=card_name(event.by) if event.by is not None else "",
            )
            for event in came
        )
        where = "to the board" if came[-1].to_board else f"to {player}"
        yield PromptDraft(
            kind=PromptKind.REWARD,
            text=f"{player} attracts {len(came)} dragon(s); the last one goes {where}.",
            concerns=(player,),
            rows=rows,
            done_when=dict(dragon_places(after)),
        )


def _housekeeping(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, ByHand):
            yield PromptDraft(
                kind=PromptKind.HOUSEKEEPING,
                text=f"Apply the power of {card_name(event.card)} by hand and enter what it is worth.",
                concerns=(event.player,),
            )
        elif isinstance(event, ElementChanged):
            yield PromptDraft(
                kind=PromptKind.HOUSEKEEPING,
                text=f"{card_name(event.by)} turns the fight to {event.element}.",
                done_when={ELEMENT: event.element},
            )
        elif isinstance(event, FightEnded):
            by = f" because of {card_name(event.by)}" if event.by is not None else ""
            yield PromptDraft(
                kind=PromptKind.HOUSEKEEPING,
                text=f"{event.loser} retreats{by}: both clear their areas and draw up to six.",
                done_when={ELEMENT: None},
            )
        elif isinstance(event, BluffCalled):
            truth = "true" if event.was_true else "false"
            yield PromptDraft(
                kind=PromptKind.HOUSEKEEPING, text=f"{event.player}'s bluff cards are turned up: {truth}."
            )
        elif isinstance(event, Drew) and event.by is not None and event.short:
            yield PromptDraft(
                kind=PromptKind.HOUSEKEEPING,
                text=f"{event.player} draws {event.number} only: {card_name(event.by)}.",
                concerns=(event.player,),
            )


def total_rows(player: str, element: str, reckoned: Total) -> tuple[PromptRow, ...]:
    """Return a total as rows: one for each reason, with its points."""
    return tuple(
        PromptRow(
            player=player, amounts={element: reason.points}, reason=reason.why, source=describe_reason(reason)
        )
        for reason in reckoned.reasons
    )


def _announcements(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, Announced):
            reach = "" if event.reach is None else f" ({event.reach} was to be reached)"
            shield = " A shield counts." if event.shielded else ""
            yield PromptDraft(
                kind=PromptKind.ANNOUNCEMENT,
                text=f"{event.player}: {event.total} in {event.element}{reach}.{shield}",
                rows=total_rows(event.player, event.element, Total(value=event.total, reasons=event.reasons)),
            )


def _turn(before: State, after: State, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    """Say whose turn it is and what is to be reached, or what has newly come to be allowed or asked."""
    if after.outcome is not None:
        return
    if after.pending:
        yield _demand(after)
        return
    player = after.setup.players[after.active]
    begins = any(isinstance(event, TurnBegan) for event in events)
    known = set() if begins else {entry.card.id for entry, _ in offered(before)}
    offers = [
        f"{player} may use {entry.card.name}: {power.note}."
        for entry, power in offered(after)
        if entry.card.id not in known
    ]
    opening = [f"{player}'s turn. {reach_text(after)}"] if begins else []
    if opening or offers:
        rows = standing_rows(after) if begins else ()
        text = " ".join([*opening, *offers])
        yield PromptDraft(kind=PromptKind.TURN, text=text, concerns=(player,), rows=rows)
    if begins:
        yield from _demands(after)


def _demand(after: State) -> PromptDraft:
    pending = after.pending[0]
    player = after.setup.players[pending.side]
    by = f" ({card_name(pending.card)})" if pending.card is not None else ""
    words = {
        Demand.DISCARD: f"{player} discards {pending.number} card(s) of the own choice{by}.",
        Demand.REVEAL: f"{player} lays the hand open{by}.",
        Demand.CALL: f"{player} may call the bluff.",
    }
    return PromptDraft(kind=PromptKind.QUESTION, text=words[pending.demand], concerns=(player,))


def reach_text(state: State) -> str:
    """Return in words what the active player must reach, or the choice without a fight."""
    if state.fight is None or state.fight.element is None:
        return "Begin a fight with a character, or discard one to three cards."
    element, force = state.fight.element, Force(state)
    reach = total(state, force, 1 - state.active, element).value
    shield = " A shield lies already." if has_shield(force, state.active, element) else ""
    return f"Reach {reach} in {element}, or retreat.{shield}"


def standing_rows(state: State) -> tuple[PromptRow, ...]:
    """Return both sides' totals in both elements, each with its reasons (bluff cards only when contested)."""
    if state.fight is None:
        return ()
    force = Force(state)
    return tuple(
        row
        for side, player in enumerate(state.setup.players)
        for element in ELEMENTS
        for row in total_rows(player, element, total(state, force, side, element))
    )


def _demands(state: State) -> Iterator[PromptDraft]:
    draft, force = Draft(state), Force(state)
    player = state.setup.players[state.active]
    if state.turn.phase > Phase.POWER:
        return
    for entry in (*unmet_caterpillars(draft, force), *unmet_sirens(draft, state.active, force)):
        power = entry.card.power
        factor = demand_factor(state, force, entry)
        twice = " (doubled)" if factor > 1 else ""
        note = power.note if power is not None else ""
        yield PromptDraft(
            kind=PromptKind.HOUSEKEEPING,
            text=f"{entry.card.name} demands of {player}{twice}: {note}.",
            concerns=(player,),
        )
