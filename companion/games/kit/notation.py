"""How records and table states write what the games share: cells, unseen places, names within names.

What is no game's own, lists, numbers, choices, is read by `companion.storage.strict`.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from companion.errors import MalformedError
from companion.storage.strict import as_integer, as_object, shown

Cell: TypeAlias = tuple[int, int]

UNSEEN = "?"  # a table state's word for "nobody could see what is here"

_NUMBER = "(0|-?[1-9][0-9]{0,3})"
_CELL = re.compile(f"{_NUMBER},{_NUMBER}")
_ESCAPES = {"%": "%25", ":": "%3A", ">": "%3E"}


def as_cell(value: object, what: str) -> Cell:
    """Return (row, column) of a cell written as ``"row,col"``, negative numbers included."""
    match = _CELL.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise MalformedError(f'{what} must be a cell like "0,-1", not {shown(value)}')
    return int(match[1]), int(match[2])


def format_cell(cell: Cell) -> str:
    """Return the cell as ``"row,col"``."""
    return f"{cell[0]},{cell[1]}"


def compare(claimed: object, actual: object, what: str) -> None:
    """Refuse a claim that is not the truth, types included (true is not 1)."""
    if type(claimed) is not type(actual) or claimed != actual:
        raise MalformedError(f"{what} is {shown(actual)}, not {shown(claimed)}")


def compare_counts(claimed: object, actual: dict[str, int], what: str) -> None:
    """Refuse an object of counts that is not exactly the true one."""
    counts = as_object(claimed, what, tuple(actual))
    for key, value in actual.items():
        compare(as_integer(counts[key], f"{what} of {key}"), value, f"{what} of {key}")


def escape(name: str) -> str:
    """Return a free name such that it can be part of a place's name or of a value."""
    return "".join(_ESCAPES.get(character, character) for character in name)


def unescape(text: str) -> str:
    """Return the name that `escape` was given."""
    for character, code in reversed(_ESCAPES.items()):
        text = text.replace(code, character)
    return text
