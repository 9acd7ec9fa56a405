"""Strict reading of JSON values, shared by the games: every refusal is a MalformedError that names the place.

Each reader takes a value and the words for it (``what``), and returns the value with its type known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, TypeAlias

from companion.errors import MalformedError

Cell: TypeAlias = tuple[int, int]

UNSEEN = "?"  # a table state's word for "nobody could see what is here"

_NUMBER = "(0|-?[1-9][0-9]{0,3})"
_CELL = re.compile(f"{_NUMBER},{_NUMBER}")
_ESCAPES = {"%": "%25", ":": "%3A", ">": "%3E"}


def as_object(
    value: object, what: str, required: Collection[str] = (), optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return an object with exactly the required keys, and perhaps the optional ones."""
    if not isinstance(value, dict):
        raise MalformedError(f"{what} must be an object, not {value!r}")
    for key in required:
        if key not in value:
            raise MalformedError(f"{what} lacks the key {key!r}")
    for key in value:
        if key not in required and key not in optional:
            raise MalformedError(f"{what} has the unknown key {key!r}")
    return value


def as_map(value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
    """Return an object whose keys are all among the known ones (any of them may be missing)."""
    return as_object(value, what, (), tuple(known))


def as_integer(value: object, what: str, low: int | None = None, high: int | None = None) -> int:
    """Return an integer (true and false are none) within the inclusive bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedError(f"{what} must be an integer, not {value!r}")
    if (low is not None and value < low) or (high is not None and value > high):
        raise MalformedError(f"{what} cannot be {value}")
    return value


def as_boolean(value: object, what: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise MalformedError(f"{what} must be true or false, not {value!r}")
    return value


def as_string(value: object, what: str) -> str:
    """Return a string that is not empty."""
    if not isinstance(value, str) or not value:
        raise MalformedError(f"{what} must be a string that is not empty, not {value!r}")
    return value


def as_choice(value: object, what: str, choices: Collection[str]) -> str:
    """Return a string that is one of the choices."""
    text = as_string(value, what)
    if text not in choices:
        raise MalformedError(f"{what} cannot be {text!r}: it is one of {', '.join(choices)}")
    return text


def as_list(value: object, what: str, length: int | None = None) -> list[Any]:
    """Return a list, of exactly `length` entries if that is given."""
    if not isinstance(value, list):
        raise MalformedError(f"{what} must be a list, not {value!r}")
    if length is not None and len(value) != length:
        raise MalformedError(f"{what} must have {length} entries, not {len(value)}")
    return value


def as_names(value: object, what: str, low: int, high: int) -> tuple[str, ...]:
    """Return `low` to `high` different names."""
    names = tuple(as_string(name, f"a name in {what}") for name in as_list(value, what))
    if not low <= len(names) <= high:
        raise MalformedError(f"{what} must have {low} to {high} names, not {len(names)}")
    if len(set(names)) != len(names):
        raise MalformedError(f"{what} has the same name twice")
    return names


def as_cell(value: object, what: str) -> Cell:
    """Return (row, column) of a cell written as ``"row,col"``, negative numbers included."""
    match = _CELL.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise MalformedError(f'{what} must be a cell like "0,-1", not {value!r}')
    return int(match[1]), int(match[2])


def format_cell(cell: Cell) -> str:
    """Return the cell as ``"row,col"``."""
    return f"{cell[0]},{cell[1]}"


def compare(claimed: object, actual: object, what: str) -> None:
    """Refuse a claim that is not the truth, types included (true is not 1)."""
    if type(claimed) is not type(actual) or claimed != actual:
        raise MalformedError(f"{what} is {actual!r}, not {claimed!r}")


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
