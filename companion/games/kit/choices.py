"""What a presenter offers to choose from, in the order in which it is listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from companion.table import Value
from companion.view_model import HandEntry, Option

A = TypeVar("A")


def now_first(options: Iterable[Option], now: Value) -> tuple[Option, ...]:
    """Return the options, the one that the table has now before the others."""
    return tuple(sorted(options, key=lambda option: option.value != now))


def others(
    possible: Iterable[A],
    action: A,
    describe: Callable[[A], str],
    *,
    unlikeness: Callable[[A, A], Any] | None = None,
) -> tuple[HandEntry[A], ...]:
    """Return the possible actions but this one, the likest first.

    Args:
        possible: all that could have been done instead.
        action: what was taken to have been done.
        describe: says an action in words.
        unlikeness: how far an action is from the one taken; by default, whether it is of another kind.
    """
    apart = unlikeness or _is_of_another_kind
    found = sorted((one for one in possible if one != action), key=lambda one: apart(one, action))
    return tuple(HandEntry(action=one, text=describe(one)) for one in found)


def _is_of_another_kind(one: object, other: object) -> bool:
    return type(one) is not type(other)
