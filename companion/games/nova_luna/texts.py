"""Words for players of Nova Luna: names of tiles and places, and one sentence a rule, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from companion.errors import Param, RuleViolation
from companion.games.kit.notation import unescape
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
    "take.not_on_wheel": mark("Tile {tile} does not lie on the wheel."),
    "take.out_of_reach": mark(
        "Only the next three tiles clockwise after the figure may be taken, "
        "and the tile in slot {slot} is not one of them."
    ),
    "take.two": mark("Only one tile is taken in a turn."),
    "place.first": mark("The first tile of an area is its cell 0,0."),
    "place.occupied": mark("There already lies a tile on {cell}."),
    "place.not_adjacent": mark(
        "A tile is laid edge to edge with one of the player's own tiles; {cell} touches none."
    ),
    "place.moved": mark(
        "Tiles stay where they were laid; the tile of {player} on {cell} was moved or swapped."
    ),
    "place.other_tile": mark("The tile taken from the wheel is the tile to lay; on {cell} lies another one."),
    "place.unknown_tile": mark("The tile of {player} on {cell} did not come from the wheel."),
    "figure.wrong_slot": mark("The figure goes to the slot of the tile that was taken, slot {slot}."),
    "figure.moved": mark("The figure only moves when a tile is taken: it belongs into slot {slot}."),
    "track.wrong_space": mark("{player}'s token moves on by the number on the tile, to space {space}."),
    "track.wrong_order": mark(
        "The token that came last lies on top: bottom to top {stack} on space {space}."
    ),
    "track.moved": mark(
        "Only the token of the player who took a tile moves on; {player}'s belongs on space {space}."
    ),
    "cover.not_fulfilled": mark(
        "Only fulfilled tasks are covered; task {task} of {player}'s tile on {cell} is not."
    ),
    "cover.no_tokens": mark("{player} has no token left to lay: task {task} on {cell} stays open."),
    "refill.too_many": mark(
        "The wheel may be refilled only with two tiles or fewer on it, and there are {tiles}."
    ),
    "refill.no_stock": mark("The stock is empty: the wheel cannot be refilled."),
    "refill.solo": mark("There is no refilling in the solo game except at the start of its second phase."),
    "refill.order": mark(
        "Slots are filled clockwise from the figure with the next tiles of the stock; "
        "slot {slot} does not fit."
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
    "reveal.twice": mark("Tile {tile} is already in the game."),
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
                "task {number} on {cell} of {player}",
                number=int(parts[2]) + 1,
                cell=parts[1],
                player=player_name(unescape(parts[0])),
            )
        case _ if len(parts) > 1:
            return msg("{player}'s area, {cell}", player=player_name(unescape(parts[0])), cell=parts[1])
        case _:
            return msg("{player}'s area", player=player_name(unescape(parts[0])))


def value_name(where: Place, value: Value) -> str:
    """Return in words what lies at a place."""
    match kind_of(where):
        case _ if value is None:
            return msg("nothing")
        case "cover":
            return msg("a disc")
        case "wheel" | "area" if value.isdecimal():
            return tile_name(int(value))
        case _:
            return value


# -- rules ------------------------------------------------------------------------------------------


def text(rule: str, params: Mapping[str, Param]) -> Message:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    return msg(TEXTS[rule], **{name: _shown(name, value) for name, value in params.items()})


def _shown(name: str, value: Param) -> Param:
    """Return a rule's parameter as players say it: players by their names."""
    return player_name(value) if name in ("player", "turn") and isinstance(value, str) else value


def refuse(rule: str, **params: Param) -> NoReturn:
    """Raise the violation of a rule, with its sentence."""
    raise RuleViolation(rule, text(rule, params), **params)
