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
from companion.games.nova_luna.catalogue import TILES
from companion.games.nova_luna.rules import may_end_phase, may_refill, solo_score
from companion.games.nova_luna.state import NovaState, ranking, reach, seat_of, tiles_on_wheel, turn_of
from companion.games.nova_luna.table import TOKEN, cover_place, predict
from companion.games.nova_luna.texts import cell_name, task_name, tile_text
from companion.i18n import Message, join, msg, nmsg
from companion.names import player_name
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
    why = msg("All tokens are laid.") if ended.reason == "tokens" else msg("There are no tiles left.")
    if after.is_solo:
        score = msg("Your score is {score}.", score=solo_score(after))
        yield PromptDraft(PromptKind.END, join(" ", (msg("The game is over."), why, score)))
        return
    order = ranking(after)
    rows = tuple(
        PromptRow(player=player, amounts={"tokens_left": seat.supply}, reason="ranking")
        for player in order
        if (seat := seat_of(after, player))
    )
    names = [player_name(player) for player in order]
    told = msg("{player} wins; the ranking is {players}.", player=names[0], players=join(", ", names))
    yield PromptDraft(PromptKind.END, join(" ", (msg("The game is over."), why, told)), rows=rows)


def _noted(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    for event in events:
        if isinstance(event, PhaseEnded):
            noted = nmsg(
                "The first phase scores {n} point.", "The first phase scores {n} points.", event.noted
            )
            left = nmsg(
                "{n} token goes on to the second phase.",
                "{n} tokens go on to the second phase.",
                event.left,
            )
            yield PromptDraft(PromptKind.REWARD, join(" ", (noted, left)), concerns=(event.player,))


def _covered(events: tuple[Event, ...]) -> Iterator[PromptDraft]:
    """Tell the tokens to lay: nobody is to forget one."""
    coverings = [event for event in events if isinstance(event, Covered)]
    if not coverings:
        return
    player = coverings[0].player
    spots = [
        msg("{task} ({cell})", task=_task(event.tile, event.task), cell=cell_name(format_cell(event.at)))
        for event in coverings
    ]
    rows = tuple(
        PromptRow(player=player, amounts={"tokens": 1}, reason="task", source=str(event.tile))
        for event in coverings
    )
    done = {cover_place(player, format_cell(event.at), event.task): TOKEN for event in coverings}
    yield PromptDraft(
        PromptKind.REWARD,
        nmsg(
            "{player} covers {n} fulfilled task: {tasks}.",
            "{player} covers {n} fulfilled tasks: {tasks}.",
            len(coverings),
            player=player_name(player),
            tasks=join("; ", spots),
        ),
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
                PromptKind.HOUSEKEEPING,
                msg("Fill the empty slots clockwise, beginning after the moon."),
                done_when=moved,
            )
        case Take():
            told = [msg("The moon goes to slot {slot}.", slot=after.figure + 1)]
            if not after.is_solo:
                told.append(_token_moves(action))
            text = join(" ", told)
            yield PromptDraft(PromptKind.HOUSEKEEPING, text, concerns=(action.player,), done_when=moved)
        case Reveal():
            return
        case _:
            assert_never(action)


def _token_moves(take: Take) -> Message:
    return nmsg(
        "{player}'s token moves {n} space on.",
        "{player}'s token moves {n} spaces on.",
        TILES[take.tile].cost,
        player=player_name(take.player),
    )


def _turn(after: NovaState) -> Iterator[PromptDraft]:
    player = turn_of(after)
    if player is None:
        return
    tiles = [tile for slot in reach(after) if (tile := after.wheel[slot]) is not None]
    words = [msg("It is {player}'s turn.", player=player_name(player))]
    if tiles:
        words.append(msg("To take: {tiles}.", tiles=join("; ", map(tile_text, tiles))))
    if may_refill(after):
        is_empty = tiles_on_wheel(after) == 0
        words.append(msg("Fill the wheel first.") if is_empty else msg("You may fill the wheel first."))
    if may_end_phase(after):
        words.append(msg("You may end the first phase.") if tiles else msg("The first phase is over."))
    yield PromptDraft(PromptKind.TURN, join(" ", words), concerns=(player,))


def _task(tile: int, task: int) -> Message:
    return task_name(TILES[tile].tasks[task])
