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
from companion.games.blue_moon_legends.state import Demand, Pending, Phase, State
from companion.games.blue_moon_legends.table import ELEMENT, dragon_places
from companion.games.blue_moon_legends.texts import card_name, element_name, names, power_text
from companion.games.kit.prompts import PromptDraft, numbered
from companion.i18n import Message, join, mark, msg, nmsg
from companion.names import player_name
from companion.prompts import Prompt, PromptKind, PromptRow

_END_WORDS = {
    "fourth_dragon": mark("All three dragons stood on that side, and a fourth would have come."),
    "fight": mark("A player had no cards left after the fight."),
    "decline": mark("A player began no fight and had no cards left."),
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
            winner = player_name(event.winner)
            wins = nmsg(
                "{player} wins with {n} dragon.",
                "{player} wins with {n} dragons.",
                event.dragons,
                player=winner,
            )
            told = wins if event.dragons else msg("{player} wins.", player=winner)
            yield PromptDraft(kind=PromptKind.END, text=join(" ", (told, msg(_END_WORDS[event.reason]))))


def _dragons(after: State, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    came = [event for event in events if isinstance(event, DragonCame)]
    kept = [event for event in events if isinstance(event, DragonKept)]
    for event in kept:
        text = nmsg(
            "{player} attracts {n} dragon fewer: {cards}.",
            "{player} attracts {n} dragons fewer: {cards}.",
            event.number,
            player=player_name(event.player),
            cards=names(event.by),
        )
        yield PromptDraft(
            kind=PromptKind.REWARD,
            text=text,
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
        yield PromptDraft(
            kind=PromptKind.REWARD,
            text=_dragons_text(player_name(player), len(came), to_board=came[-1].to_board),
            concerns=(player,),
            rows=rows,
            done_when=dict(dragon_places(after)),
        )


def _dragons_text(player: str, number: int, *, to_board: bool) -> Message:
    told = nmsg("{player} attracts {n} dragon.", "{player} attracts {n} dragons.", number, player=player)
    if number == 1:
        end = msg("It goes to the board.") if to_board else msg("It goes to {player}.", player=player)
    elif to_board:
        end = msg("The last one goes to the board.")
    else:
        end = msg("The last one goes to {player}.", player=player)
    return join(" ", (told, end))


def _housekeeping(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        match event:
            case ByHand():
                text = msg(
                    "Apply the power of {card} by hand and enter what it is worth.",
                    card=card_name(event.card),
                )
                yield _work(text, event.player)
            case ElementChanged():
                element = element_name(event.element)
                text = msg("{card} turns the fight to {element}.", card=card_name(event.by), element=element)
                yield PromptDraft(kind=PromptKind.HOUSEKEEPING, text=text, done_when={ELEMENT: event.element})
            case FightEnded():
                yield PromptDraft(
                    kind=PromptKind.HOUSEKEEPING, text=_fight_text(event), done_when={ELEMENT: None}
                )
            case BluffCalled():
                yield PromptDraft(kind=PromptKind.HOUSEKEEPING, text=_bluff_text(event))
            case Drew() if event.by is not None and event.short:
                text = nmsg(
                    "{player} draws only {n} card: {by}.",
                    "{player} draws only {n} cards: {by}.",
                    event.number,
                    player=player_name(event.player),
                    by=card_name(event.by),
                )
                yield _work(text, event.player)


def _work(text: Message, player: str) -> PromptDraft:
    return PromptDraft(kind=PromptKind.HOUSEKEEPING, text=text, concerns=(player,))


def _fight_text(event: FightEnded) -> Message:
    loser = player_name(event.loser)
    if event.by is None:
        return msg("{player} retreats: both clear their areas and draw up to six.", player=loser)
    return msg(
        "{player} retreats because of {card}: both clear their areas and draw up to six.",
        player=loser,
        card=card_name(event.by),
    )


def _bluff_text(event: BluffCalled) -> Message:
    player = player_name(event.player)
    if event.was_true:
        return msg("{player}'s bluff cards are turned up: the bluff was true.", player=player)
    return msg("{player}'s bluff cards are turned up: the bluff was false.", player=player)


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
            yield PromptDraft(
                kind=PromptKind.ANNOUNCEMENT,
                text=_announced_text(event),
                rows=total_rows(event.player, event.element, Total(value=event.total, reasons=event.reasons)),
            )


def _announced_text(event: Announced) -> Message:
    told = {
        "player": player_name(event.player),
        "total": event.total,
        "element": element_name(event.element),
    }
    if event.reach is None:
        text = msg("{player}: {total} in {element}.", **told)
    else:
        text = msg("{player}: {total} in {element} ({reach} needed).", **told, reach=event.reach)
    return join(" ", (text, msg("A shield counts."))) if event.shielded else text


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
        msg(
            "{player} may use {card}: {power}.",
            player=player_name(player),
            card=entry.card.name,
            power=power_text(entry.card),
        )
        for entry, _ in offered(after)
        if entry.card.id not in known
    ]
    opening = [msg("It is {player}'s turn.", player=player_name(player)), reach_text(after)] if begins else []
    if opening or offers:
        rows = standing_rows(after) if begins else ()
        text = join(" ", [*opening, *offers])
        yield PromptDraft(kind=PromptKind.TURN, text=text, concerns=(player,), rows=rows)
    if begins:
        yield from _demands(after)


def _demand(after: State) -> PromptDraft:
    pending = after.pending[0]
    player = after.setup.players[pending.side]
    return PromptDraft(
        kind=PromptKind.QUESTION, text=_demand_text(pending, player_name(player)), concerns=(player,)
    )


def _demand_text(pending: Pending, player: str) -> Message:
    match pending.demand:
        case Demand.DISCARD:
            text = nmsg(
                "{player} chooses {n} card and discards it.",
                "{player} chooses {n} cards and discards them.",
                pending.number,
                player=player,
            )
        case Demand.REVEAL:
            text = msg("{player} shows the whole hand.", player=player)
        case Demand.CALL:
            text = msg("{player} may call the bluff.", player=player)
    return text if pending.card is None else join(" ", (text, f"({card_name(pending.card)})"))


def reach_text(state: State) -> Message:
    """Return in words what the active player must reach, or the choice without a fight."""
    if state.fight is None or state.fight.element is None:
        return msg("Begin a fight with a character, or discard one to three cards.")
    element, force = state.fight.element, Force(state)
    reach = total(state, force, 1 - state.active, element).value
    told = msg("Reach {reach} in {element}, or retreat.", reach=reach, element=element_name(element))
    has = has_shield(force, state.active, element)
    return join(" ", (told, msg("A shield lies already."))) if has else told


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
        told = {
            "player": player_name(player),
            "card": entry.card.name,
            "power": power_text(entry.card),
        }
        if demand_factor(state, force, entry) > 1:
            text = msg("{card} demands twice of {player}: {power}.", **told)
        else:
            text = msg("{card} demands of {player}: {power}.", **told)
        yield _work(text, player)
