"""What the players of Urbion are told: the state and the actions in words, sums, and prompts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Event
from companion.games.kit.prompts import PromptDraft, numbered
from companion.games.urbion.actions import Action, CityOpened, Claimed, GameEnded, Laid, Reveal
from companion.games.urbion.catalogue import LEFT
from companion.games.urbion.descriptions import cards_text, describe_chaos
from companion.games.urbion.legal import chaos_actions, open_rows, removals
from companion.games.urbion.state import UrbionState, polarity_side, turn_of
from companion.games.urbion.table import city_place, predict
from companion.games.urbion.texts import SIDE_NAMES, city_name, dream_name
from companion.i18n import Message, join, msg, nmsg
from companion.names import player_name
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
            yield PromptDraft(PromptKind.END, _ending(after, event))


def _ending(after: UrbionState, event: GameEnded) -> Message:
    if event.reason == "cities":
        return msg("Every city is claimed: the game is won.")
    return msg(
        "The dreams are used up, and {claimed} of {all} cities are claimed: the game is lost.",
        claimed=after.subdued,
        all=after.all_cities,
    )


def _pending(after: UrbionState) -> Iterator[PromptDraft]:
    """Say what waits for a choice, and what may be chosen."""
    player = turn_of(after)
    if player is None or after.pending is None:
        return
    if after.pending == "side":
        row = after.jobs[0].row
        assert row is not None  # a pair is dealt to a city
        text = msg(
            "{player}: lay both dreams of row {row} on its left or on its right: {cards}",
            player=player_name(player),
            row=row + 1,
            cards=cards_text(after.pair),
        )
        yield PromptDraft(PromptKind.QUESTION, text, concerns=(player,), rule="turn.pending_side")
        return
    ways = join("; ", [describe_chaos(after, action) for action in chaos_actions(after, player)])
    text = msg("{player} drew Chaos: {ways}.", player=player_name(player), ways=ways)
    yield PromptDraft(PromptKind.QUESTION, text, concerns=(player,), rule="turn.pending_chaos")


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
    text = nmsg(
        "{n} city is claimed, {left} to go.", "{n} cities are claimed, {left} to go.", len(claims), left=left
    )
    yield PromptDraft(PromptKind.REWARD, text, rows=rows, rule="balance.claim")


def _dealt(before: UrbionState, after: UrbionState, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    """Say what must be laid out from the decks, closed as soon as the table shows it."""
    opened = [event for event in events if isinstance(event, CityOpened)]
    dealt = [event for event in events if isinstance(event, Laid) and event.how == "dealt"]
    if not opened and not dealt:
        return
    words = [msg("row {row}: {card}", row=event.row + 1, card=city_name(event.city)) for event in opened]
    words += [
        msg(
            "row {row}, {side}: {card}",
            row=event.row + 1,
            side=msg(SIDE_NAMES[event.side]),
            card=dream_name(event.card),
        )
        for event in dealt
    ]
    old, new = predict(before), predict(after)
    done = {w: v for w, v in new.items() if kind_of(w) in ("city", "dream") and old.get(w) != v}
    done.update({city_place(event.row): event.city for event in opened})
    yield PromptDraft(
        PromptKind.HOUSEKEEPING, msg("Lay out: {cards}.", cards=join("; ", words)), done_when=done
    )


def _turn(after: UrbionState) -> Iterator[PromptDraft]:
    player = turn_of(after)
    if player is None or after.pending is not None:
        return
    side = polarity_side(after, after.active)
    told = {"player": player_name(player), "balance": _balances(after)}
    if side == LEFT:
        text = msg("It is {player}'s turn, for the left side only. {balance}", **told)
    elif side:
        text = msg("It is {player}'s turn, for the right side only. {balance}", **told)
    else:
        text = msg("It is {player}'s turn. {balance}", **told)
    yield PromptDraft(PromptKind.TURN, text, concerns=(player,), rows=tuple(_sums(after, player)))


def _sums(state: UrbionState, player: str) -> Iterator[PromptRow]:
    """Give both sides' sums of each city."""
    for row, city in open_rows(state):
        left, right = city.sums
        amounts = {"left": -left, "right": right, "sum": right - left}
        yield PromptRow(player=player, amounts=amounts, reason=f"row {row}", source=city.city)


def _balances(state: UrbionState) -> Message:
    """Say which cities are balanced and which sets of cards are."""
    words = []
    for row, city in open_rows(state):
        if city.is_balanced:
            words.append(msg("Row {row} is balanced.", row=row + 1))
        elif sets := removals(row, city):
            shown = join("; ", [join(" = ", [cards_text(one.left), cards_text(one.right)]) for one in sets])
            words.append(msg("In row {row} these balance: {cards}.", row=row + 1, cards=shown))
    return join(" ", words) if words else msg("Nothing is balanced.")
