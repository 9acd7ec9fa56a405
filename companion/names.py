"""Names of players and of the things on every table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from companion.i18n import Message, called, join, mark, msg, nmsg

# The engine knows players by the colour of their pieces, which has a name in every language.
COLOURS: Final = frozenset(
    {
        mark("purple"),
        mark("violet"),
        mark("white"),
        mark("red"),
        mark("blue"),
        mark("green"),
        mark("yellow"),
        mark("black"),
        mark("orange"),
        mark("brown"),
        mark("pink"),
        mark("grey"),
        mark("gray"),
        mark("natural"),
        mark("turquoise"),
        mark("teal"),
    }
)

# Of places that are wrong so many are named.
MOST_NAMED: Final = 4


def player_name(player: str) -> Message:
    """Return what to call a player: by name where the game knows it, else by colour."""
    return called(player, colour_name(player))


def colour_name(player: str) -> str:
    """Return the name of a player's colour, whoever has it; what is no colour stays as it is written."""
    return msg(player) if player in COLOURS else player


def amount(thing: str, number: int) -> Message:
    """Return a number of things in words, for example ``3 crystals``; an unknown thing keeps its own word."""
    match thing:
        case "crystals":
            return nmsg("{n} crystal", "{n} crystals", number)
        case "scales":
            return nmsg("{n} scale", "{n} scales", number)
        case "cards":
            return nmsg("{n} card", "{n} cards", number)
        case "offerings":
            return nmsg("{n} offering", "{n} offerings", number)
        case "markers":
            return nmsg("{n} marker", "{n} markers", number)
        case _:
            return msg("{number} {thing}", number=number, thing=thing)


def list_text(names: Sequence[str]) -> str:
    """Return names as a list within a sentence: ``a``, ``a and b``, ``a, b and c``."""
    if len(names) < 2:
        return "".join(names) if not names else names[0]
    return msg("{names} and {last}", names=join(", ", names[:-1]), last=names[-1])


def cell_text(cell: str, cells: Collection[str]) -> Message:
    """Return where a cell ``row,col`` is for one who looks from the near side and counts what is there."""
    row, column = map(int, cell.split(","))
    # Rows may be of different lengths.
    in_row = sorted(int(one.split(",")[1]) for one in cells if int(one.split(",")[0]) == row)
    return msg(
        "row {row} from the far side, place {column} from the left",
        row=row + 1,
        column=in_row.index(column) + 1,
    )


def cells_text(cells: Sequence[str], of: Collection[str]) -> str:
    """Return where some cells are; of more than a few only how many more there are."""
    named = [cell_text(cell, of) for cell in cells[:MOST_NAMED]]
    rest = len(cells) - len(named)
    if rest:
        return msg("{places} and {n} more", places=join("; ", named), n=rest)
    return join("; ", named)
