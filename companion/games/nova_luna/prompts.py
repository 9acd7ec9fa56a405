"""What the players of Nova Luna are told: the state and the actions in words, and prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.game import Event
from companion.games.kit.notation import format_cell
from companion.games.kit.prompts import PromptDraft, numbered
from companion.games.nova_luna.actions import (
    Action,
    Covered,
    GameEnded,
    NextPhase,
    PhaseEnded,
    Refill,
    Reveal,
    Take,
)
from companion.games.nova_luna.catalogue import TILES, describe_tile
from companion.games.nova_luna.rules import may_end_phase, may_refill, solo_score
from companion.games.nova_luna.state import NovaState, ranking, reach, seat_of, tiles_on_wheel, turn_of
from companion.games.nova_luna.table import TOKEN, cover_place, predict
from companion.prompts import Prompt, PromptKind, PromptRow
from companion.table import kind_of


def prompts(
    before: NovaState, action: Action, after: NovaState, events: tuple[Event, ...]
) -> tuple[Prompt, ...]:
    """Return what is to be told after an accepted action: the end, rewards, work by hand, the turn."""
    drafts = [
        *_end(after, events),
        *_noted(events),
        *_covered(events),
        *_by_hand(before, action, after),
        *_turn(after),
    ]
    return numbered(drafts, after.actions)


def _end(after: NovaState, events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    ended = next((event for event in events if isinstance(event, GameEnded)), None)
    if ended is None:
        return
    why = "all tokens are laid" if ended.reason == "tokens" else "there are no tiles left"
    if after.is_solo:
        yield PromptDraft(PromptKind.END, f"The game is over: {why}. Your score is {solo_score(after)}.")
        return
    order = ranking(after)
    rows = tuple(
        PromptRow(player=player, amounts={"tokens_left": seat.supply}, reason="ranking")
        for player in order
        if (seat := seat_of(after, player))
    )
    text = f"The game is over: {why}. {order[0]} wins; the ranking is {', '.join(order)}."
    yield PromptDraft(PromptKind.END, text, rows=rows)


def _noted(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, PhaseEnded):
            text = f"The first phase is noted with {event.noted} points, {event.left} tokens go on."
            yield PromptDraft(PromptKind.REWARD, text, concerns=(event.player,))


def _covered(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    """Tell the tokens to lay: nobody is to forget one."""
    coverings = [event for event in events if isinstance(event, Covered)]
    if not coverings:
        return
    player = coverings[0].player
    spots = [f"{_task(event.tile, event.task)} on {format_cell(event.at)}" for event in coverings]
    rows = tuple(
        PromptRow(player=player, amounts={"tokens": 1}, reason="task", source=str(event.tile))
        for event in coverings
    )
    done = {cover_place(player, format_cell(event.at), event.task): TOKEN for event in coverings}
    yield PromptDraft(
        PromptKind.REWARD,
        f"{player} covers {len(coverings)} fulfilled {'task' if len(coverings) == 1 else 'tasks'}: "
        f"{'; '.join(spots)}.",
        concerns=(player,),
        rows=rows,
        done_when=done,
        rule="cover.not_fulfilled",
    )


def _by_hand(before: NovaState, action: Action, after: NovaState) -> Iterator[PromptDraft]:
    """Tell the pieces to move, closed as soon as the table shows them."""
    old, new = predict(before), predict(after)
    moved = {
        where: value
        for where, value in new.items()
        if old.get(where) != value and kind_of(where) in ("wheel", "meeple", "track")
    }
    if not moved:
        return
    match action:
        case Refill() | NextPhase():
            yield PromptDraft(
                PromptKind.HOUSEKEEPING, "Fill the empty slots clockwise from the figure.", done_when=moved
            )
        case Take():
            text = f"The figure goes to slot {after.figure}"
            if not after.is_solo:
                text += f", {action.player}'s token {TILES[action.tile].cost} spaces on"
            yield PromptDraft(PromptKind.HOUSEKEEPING, text + ".", concerns=(action.player,), done_when=moved)
        case Reveal():
            return
        case _:
            assert_never(action)


def _turn(after: NovaState) -> Iterator[PromptDraft]:
    player = turn_of(after)
    if player is None:
        return
    tiles = [tile for slot in reach(after) if (tile := after.wheel[slot]) is not None]
    words = [f"It is {player}'s turn."]
    if tiles:
        words.append(f"To take: {', '.join(describe_tile(tile) for tile in tiles)}.")
    if may_refill(after):
        words.append(
            "Refill the wheel first." if tiles_on_wheel(after) == 0 else "The wheel may be refilled first."
        )
    if may_end_phase(after):
        words.append("The first phase may end now." if tiles else "The first phase is over.")
    yield PromptDraft(PromptKind.TURN, " ".join(words), concerns=(player,))


def _task(tile: int, task: int) -> str:
    return " + ".join(f"{count} {colour}" for colour, count in TILES[tile].tasks[task])
