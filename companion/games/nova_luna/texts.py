"""Words for players of Nova Luna: names of tiles and places, and one sentence a rule, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.errors import Param, RuleViolation
from companion.games.kit.notation import as_cell, unescape
from companion.games.nova_luna.catalogue import TILES, Task
from companion.i18n import Message, join, mark, mark_of, msg, msg_of
from companion.names import player_name
from companion.table import Place, Value, kind_of, parts_of

COLOUR_NAMES: Final = {
    "red": mark_of("tile", "red"),
    "blue": mark_of("tile", "blue"),
    "yellow": mark_of("tile", "yellow"),
    "turquoise": mark_of("tile", "turquoise"),
}

TEXTS: Final[Mapping[str, str]] = {
    "game.over": mark("The game is over; nothing more can be done."),
    "player.unknown": mark("{player} does not play in this game."),
    "turn.other": mark("{player} is not to move: the turn is {turn}'s, whose token is last on the track."),
    "take.empty_wheel": mark("There is no tile on the wheel: refill it first."),
    "take.not_on_wheel": mark("There is no {tile} on the wheel."),
    "take.out_of_reach": mark(
        "Only the next three tiles clockwise after the moon may be taken, "
        "and the tile in slot {slot} is not one of them."
    ),
    "take.two": mark("Only one tile is taken in a turn."),
    "place.first": mark("The first tile of an area lies alone; there is none to lay it beside."),
    "place.occupied": mark("There already lies a tile here: {cell}."),
    "place.not_adjacent": mark(
        "A tile is laid edge to edge with one of the player's own tiles; here it touches none: {cell}."
    ),
    "place.moved": mark("Tiles stay where they were laid; a tile of {player} was moved or swapped: {cell}."),
    "place.other_tile": mark(
        "The tile taken from the wheel is the tile to lay; another one lies here: {cell}."
    ),
    "place.unknown_tile": mark("A tile of {player} did not come from the wheel: {cell}."),
    "figure.wrong_slot": mark("The moon goes to the slot of the tile that was taken, slot {slot}."),
    "figure.moved": mark("The moon only moves when a tile is taken: it belongs into slot {slot}."),
    "track.wrong_space": mark("{player}'s token moves on by the number on the tile, to space {space}."),
    "track.wrong_order": mark(
        "The token that came last lies on top: bottom to top {stack} on space {space}."
    ),
    "track.moved": mark(
        "Only the token of the player who took a tile moves on; {player}'s belongs on space {space}."
    ),
    "cover.not_fulfilled": mark(
        "Only fulfilled tasks are covered; task {task} of this tile of {player} is not: {cell}."
    ),
    "cover.no_tokens": mark(
        "{player} has no token left to lay: task {task} of this tile stays open: {cell}."
    ),
    "refill.too_many": mark(
        "The wheel may be refilled only with two tiles or fewer on it, and there are {tiles}."
    ),
    "refill.no_stock": mark("The stock is empty: the wheel cannot be refilled."),
    "refill.solo": mark("There is no refilling in the solo game except at the start of its second phase."),
    "refill.order": mark(
        "Slots are filled clockwise from the moon with the next tiles of the stock; slot {slot} does not fit."
    ),
    "refill.not_at_start": mark("The wheel is refilled at the start of a turn, before a tile is taken."),
    "phase.solo_only": mark("Only the solo game has two phases."),
    "phase.once": mark("The second phase is already running."),
    "phase.tokens_left": mark(
        "The first phase ends when its tokens are all laid or the wheel is empty; {supply} are left."
    ),
    "phase.must_end": mark("The wheel is empty: the first phase is over."),
    "stock.unknown": mark("The next tiles of the stock are not known yet: show them first."),
    "reveal.too_many": mark("There are only {nulls} unknown tiles in the stock."),
    "reveal.twice": mark("The {tile} is already in the game."),
    "wheel.changed": mark(
        "Tiles of the wheel stay in their slots until they are taken; slot {slot} was changed."
    ),
    "table.unexplained": mark("No legal turn leads from the last known table to this one."),
}


# -- names ------------------------------------------------------------------------------------------


def colour_name(colour: str) -> Message:
    """Return a tile's colour in words."""
    return msg_of("tile", COLOUR_NAMES[colour])


def tile_name(tile: int) -> Message:
    """Return a tile in words, without its tasks."""
    known = TILES[tile]
    return msg("{colour} tile with a {number}", colour=colour_name(known.colour), number=known.cost)


def task_name(task: Task) -> Message:
    """Return what a task wants in words."""
    parts = [msg("{number} {colour}", number=count, colour=colour_name(colour)) for colour, count in task]
    return join(" + ", parts)


def tile_text(tile: int) -> Message:
    """Return a tile with its tasks: what tells it from others."""
    tasks = TILES[tile].tasks
    if not tasks:
        return msg("{tile}, no tasks", tile=tile_name(tile))
    return msg("{tile}, tasks: {tasks}", tile=tile_name(tile), tasks=join("; ", map(task_name, tasks)))


def cell_name(cell: str) -> Message:
    """Return where a cell ``row,col`` of an area is, as players see it: from the first tile that was laid."""
    row, column = as_cell(cell, "a cell")
    if (row, column) == (0, 0):
        return msg("the first tile's place")
    return msg("{steps} from the first tile", steps=way_text(cell))


def way_text(cell: str) -> Message:
    """Return the steps from the first tile of an area to a cell ``row,col``; it must be another one."""
    row, column = as_cell(cell, "a cell")
    steps = []
    if row:
        steps.append(
            msg_of("way", "{number} up", number=-row)
            if row < 0
            else msg_of("way", "{number} down", number=row)
        )
    if column:
        steps.append(
            msg_of("way", "{number} left", number=-column)
            if column < 0
            else msg_of("way", "{number} right", number=column)
        )
    return join(", ", steps)


def stack_text(stack: str) -> Message:
    """Return the players of a stack of tokens ``red>blue``, bottom first."""
    return join(", ", [player_name(unescape(name)) for name in stack.split(">")])


def place_name(where: Place) -> str:
    """Return the words for a place."""
    parts = parts_of(where)
    match kind_of(where):
        case "wheel":
            return msg("slot {number} of the wheel", number=int(parts[0]) + 1)
        case "track":
            return msg("space {number} of the moon track", number=int(parts[0]) + 1)
        case "meeple":
            return msg("the moon")
        case "stock":
            return msg("the stock")
        case "cover":
            return msg(
                "{player}'s area, {cell}, task {number}",
                number=int(parts[2]) + 1,
                cell=cell_name(parts[1]),
                player=player_name(unescape(parts[0])),
            )
        case _ if len(parts) > 1:
            return msg(
                "{player}'s area, {cell}", player=player_name(unescape(parts[0])), cell=cell_name(parts[1])
            )
        case _:
            return msg("{player}'s area", player=player_name(unescape(parts[0])))


def value_name(where: Place, value: Value) -> str:
    """Return in words what lies at a place."""
    match kind_of(where):
        case _ if value is None:
            return msg("nothing")
        case "cover":
            return msg("a token")
        case "wheel" | "area" if value.isdecimal():
            return tile_name(int(value))
        case "meeple" if value.isdecimal():
            return msg("slot {number} of the wheel", number=int(value) + 1)
        case "track":
            return stack_text(value)
        case "area" if len(parts_of(where)) == 1:
            return join("; ", map(cell_name, value.split()))
        case _:
            return value


# -- rules ------------------------------------------------------------------------------------------


def text(rule: str, params: Mapping[str, Param]) -> Message:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    return msg(TEXTS[rule], **{name: _shown(name, value) for name, value in params.items()})


def _shown(name: str, value: Param) -> Param:
    """Return a rule's parameter as players say it: numbers count from 1, everything goes by its name."""
    match name:
        case "player" | "turn" if isinstance(value, str):
            return player_name(value)
        case "slot" | "space" | "task" if isinstance(value, int):
            return value + 1
        case "tile" if isinstance(value, int) and value in TILES:
            return tile_name(value)
        case "cell" if isinstance(value, str):
            return cell_name(value)
        case "stack" if isinstance(value, str):
            return stack_text(value)
        case _:
            return value


def refuse(rule: str, **params: Param) -> NoReturn:
    """Raise the violation of a rule, with its sentence."""
    raise RuleViolation(rule, text(rule, params), **params)
