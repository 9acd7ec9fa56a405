"""Strict parsing of bytes from unknown sources: the one place where input is checked.

Anything that Moontable reads may have been cut off, edited by hand or made to do harm. Every parser gets its
bytes, its text and its JSON here, and takes the JSON apart with the value readers below. They refuse bad
input with one short MalformedError that names what is wrong, and never use more time or memory than
the limits allow. Zips are opened in `companion.storage.archives`, pictures in `vision.capture.pictures`.

Each value reader takes a value and a name for it (``what``) and returns it with its type known.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from companion.errors import MalformedError, one_line

T = TypeVar("T")

# One JSON text; a whole file of lines may be larger.
MOST_BYTES: Final = 16 * 2**20
MOST_LINE_BYTES: Final = 2**20
MOST_DEPTH: Final = 48
MOST_VALUES: Final = 500_000
# What fits into 64 bits: no count, time or length of ours needs more, and floats are made of it safely.
MOST_NUMBER: Final = 2**63 - 1
MOST_NAME: Final = 255

_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 8
_SHORT.maxlevel = 4


def shown(value: object) -> str:
    """Return a value as a message quotes it: as Python writes it, but never at length."""
    return one_line(_SHORT.repr(value), 120)


# -- files ------------------------------------------------------------------------------------------


def read_bytes(file: Path, most: int = MOST_BYTES) -> bytes:
    """Return what a file holds; raises MalformedError if that is more than `most` bytes, or OSError."""
    with file.open("rb") as stream:
        found = stream.read(most + 1)
    if len(found) > most:
        raise MalformedError(f"{file} is too large: {most} bytes is the most for such a file")
    return found


def read_lines(file: Path, most: int) -> Iterator[bytes]:
    r"""Yield the lines of a file with their ends; only ``\n`` ends one, whatever a string may hold.

    Raises MalformedError for a line of more than `MOST_LINE_BYTES`, or where all are more than `most` bytes,
    and OSError.
    """
    with file.open("rb") as stream:
        while line := stream.readline(MOST_LINE_BYTES + 1):
            most -= len(line)
            if len(line) > MOST_LINE_BYTES or most < 0:
                raise MalformedError("this is too long to read")
            yield line


def lines_of(content: bytes, most: int) -> list[bytes]:
    """Return the lines of bytes that were read, without their ends; raises MalformedError beyond `most`."""
    if content.count(b"\n") > most:
        raise MalformedError(f"there are more than {most} lines")
    return content.removesuffix(b"\n").split(b"\n") if content else []


# -- text and JSON ----------------------------------------------------------------------------------


def parse_text(content: bytes) -> str:
    """Return the text that UTF-8 bytes stand for; raises MalformedError."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8: {error.reason} at byte {error.start}") from error


def parse_json(content: str | bytes) -> Any:
    """Return the value that a JSON text stands for.

    Raises MalformedError for all that JSON or UTF-8 forbids; for double keys, NaN and infinities, numbers
    beyond 64 bits, half characters (lone surrogates); and for what is larger or deeper than anything of ours.
    """
    if len(content) > MOST_BYTES:
        raise MalformedError(f"not JSON of ours: more than {MOST_BYTES} bytes")
    text = parse_text(content) if isinstance(content, bytes) else content
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise MalformedError(f"not JSON of ours: more than {MOST_VALUES} values")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise MalformedError(f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise MalformedError("not JSON of ours: nested too deeply") from error
    except ValueError as error:  # an integer of thousands of digits
        raise MalformedError("not JSON of ours: too large a number") from error
    _refuse_odd_values(value, MOST_DEPTH)
    return value


def parse_json_object(content: str | bytes) -> dict[str, Any]:
    """Return the one object that a JSON text stands for; raises MalformedError as `parse_json` does."""
    value = parse_json(content)
    if not isinstance(value, dict):
        raise MalformedError(f"expected an object, not {kind_of_value(value)}")
    return value


def read_json_object(file: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    """Return the one JSON object that a file holds; raises MalformedError, with the file, or OSError."""
    with named(str(file)):
        return parse_json_object(read_bytes(file, most))


def kind_of_value(value: object) -> str:
    """Return in words what kind of JSON value this is."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


@contextmanager
def named(name: str) -> Iterator[None]:
    """Put a name before whatever MalformedError leaves the block."""
    try:
        yield
    except MalformedError as error:
        raise MalformedError(f"{name}: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise MalformedError(f"the key {shown(key)} occurs twice")
        result[key] = value
    return result


def _constant(name: str) -> NoReturn:
    raise MalformedError(f"{name} is not a number of a record")


def _refuse_odd_values(value: object, depth: int) -> None:
    """Refuse what JSON can write and nobody should read; `depth` more levels may follow."""
    if depth < 0:
        raise MalformedError("not JSON of ours: nested too deeply")
    if isinstance(value, str):
        _refuse_lone_surrogate(value)
    elif isinstance(value, int | float):
        if not -MOST_NUMBER <= value <= MOST_NUMBER:
            raise MalformedError("not JSON of ours: too large a number")
    elif isinstance(value, list):
        for item in value:
            _refuse_odd_values(item, depth - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_lone_surrogate(key)
            _refuse_odd_values(item, depth - 1)


def _refuse_lone_surrogate(text: str) -> None:
    """Refuse half a character: JSON's escapes can write it, UTF-8 cannot."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise MalformedError(f"{shown(text)} holds half a character")


# -- values -----------------------------------------------------------------------------------------


def as_object(
    value: object, what: str, required: Collection[str] = (), optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return an object with exactly the required keys, and perhaps the optional ones."""
    found = as_mapping(value, what)
    for key in required:
        if key not in found:
            raise MalformedError(f"{what} lacks the key {key!r}")
    for key in found:
        if key not in required and key not in optional:
            raise MalformedError(f"{what} has the unknown key {shown(key)}")
    return found


def as_map(value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
    """Return an object whose keys are all among the known ones (any of them may be missing)."""
    return as_object(value, what, (), tuple(known))


def as_mapping(value: object, what: str) -> dict[str, Any]:
    """Return an object with any keys."""
    if not isinstance(value, dict):
        raise MalformedError(f"{what} must be an object, not {shown(value)}")
    return value


def as_each(value: object, what: str, read: Callable[[object, str], T]) -> dict[str, T]:
    """Return an object with any keys, each of its values read by `read`."""
    return {key: read(one, f"{what} {shown(key)}") for key, one in as_mapping(value, what).items()}


def as_integer(value: object, what: str, low: int | None = None, high: int | None = None) -> int:
    """Return an integer (true and false are none) within the inclusive bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedError(f"{what} must be an integer, not {shown(value)}")
    if (low is not None and value < low) or (high is not None and value > high):
        raise MalformedError(f"{what} cannot be {shown(value)}")
    return value


def as_number(value: object, what: str, low: float = -MOST_NUMBER, high: float = MOST_NUMBER) -> float:
    """Return a number, whole or not, within the inclusive bounds; never NaN or an infinity."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MalformedError(f"{what}: {shown(value)} is not a number")
    if not low <= value <= high:
        raise MalformedError(f"{what} cannot be {shown(value)}: it is {low:g} to {high:g}")
    return float(value)


def as_numbers(
    value: object, what: str, count: int, low: float = -MOST_NUMBER, high: float = MOST_NUMBER
) -> tuple[float, ...]:
    """Return a list of exactly this many numbers within the inclusive bounds."""
    return tuple(as_number(one, what, low, high) for one in as_list(value, what, count))


def as_boolean(value: object, what: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise MalformedError(f"{what} must be true or false, not {shown(value)}")
    return value


def as_text(value: object, what: str) -> str:
    """Return a string, which may be empty."""
    if not isinstance(value, str):
        raise MalformedError(f"{what} must be a string, not {shown(value)}")
    return value


def as_string(value: object, what: str) -> str:
    """Return a string that is not empty."""
    if not isinstance(value, str) or not value:
        raise MalformedError(f"{what} must be a string that is not empty, not {shown(value)}")
    return value


def as_choice(value: object, what: str, choices: Collection[str]) -> str:
    """Return a string that is one of the choices."""
    text = as_string(value, what)
    if text not in choices:
        raise MalformedError(f"{what} cannot be {shown(text)}: it is one of {', '.join(choices)}")
    return text


def as_file_name(value: object, what: str) -> str:
    """Return the name of a file in a folder that is known: nothing that leads elsewhere."""
    text = as_string(value, what)
    if not is_file_name(text):
        raise MalformedError(f"{what} cannot be {shown(text)}: that is not the name of a file in its folder")
    return text


def is_file_name(text: str) -> bool:
    """Whether a text names a file in whatever folder it is put after, on every system."""
    leads_away = text in ("", ".", "..") or any(one in "/\\:" or not one.isprintable() for one in text)
    return not leads_away and len(text.encode(errors="replace")) <= MOST_NAME


def as_list(value: object, what: str, length: int | None = None, most: int | None = None) -> list[Any]:
    """Return a list, of exactly `length` entries if that is given, of at most `most`."""
    if not isinstance(value, list):
        raise MalformedError(f"{what} must be a list, not {shown(value)}")
    if length is not None and len(value) != length:
        raise MalformedError(f"{what} must have {length} entries, not {len(value)}")
    if most is not None and len(value) > most:
        raise MalformedError(f"{what} must have {most} entries at most, not {len(value)}")
    return value


def as_names(value: object, what: str, low: int, high: int) -> tuple[str, ...]:
    """Return `low` to `high` different names."""
    names = tuple(as_string(name, f"a name in {what}") for name in as_list(value, what))
    if not low <= len(names) <= high:
        raise MalformedError(f"{what} must have {low} to {high} names, not {len(names)}")
    if len(set(names)) != len(names):
        raise MalformedError(f"{what} has the same name twice")
    return names
