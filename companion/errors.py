"""All errors that Moontable raises on purpose, in one tree.

CompanionError
├── MalformedError      the text has the wrong format         a record line with a duplicate key
│   └── RecordError     ... in a record: file line, rule      line 17 moves a figure diagonally
├── RuleViolation       a rule forbids the action             a contribution with too few cards
├── JournalError        a journal is broken, foreign or busy  a file that is not a journal
│   └── DamagedJournalError ... but its beginning is readable a bad disk
├── ProfileError        a profile does not fit or is broken   a profile of a newer version
├── DeviceError         the outside world failed; recoverable the cable was unplugged
└── BugError            our own mistake                       a state that breaks an invariant
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, TypeAlias

Param: TypeAlias = str | int

# Longer than this no refusal is: what is refused may be as long as its maker liked.
MOST_SHOWN: Final = 300


def one_line(text: str, most: int = MOST_SHOWN) -> str:
    """Return the text as one line that can be shown: control characters escaped, cut where it is too long.

    A text that is fit to be shown is returned as it is, so that a `Message` can still be translated.
    """
    cut = text if len(text) <= most else text[: most - 3] + "..."
    if cut.isprintable():
        return cut
    shown = "".join(one if one.isprintable() or one == "\N{NO-BREAK SPACE}" else _escaped(one) for one in cut)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class CompanionError(Exception):
    """Base of all errors raised on purpose."""


class MalformedError(CompanionError):
    """The text or object does not have the required form; says so in one line of at most `MOST_SHOWN`."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


class RecordError(MalformedError):
    """A game record is refused.

    Attributes:
        line: 1-based line number, 0 when the whole file is meant.
        rule: the id of the broken rule, or None if the form is at fault.
        state: a short description of the state before the refused line.
    """

    def __init__(self, line: int, text: str, *, rule: str | None = None, state: str = "") -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line
        self.text = one_line(text)
        self.rule = rule
        self.state = state


class RuleViolation(CompanionError):  # noqa: N818 -- the glossary's word
    """A rule of the game refuses the action; nothing has changed.

    Attributes:
        rule: stable id, for example ``contribute.too_little``.
        params: the values that the rule's text names.
    """

    def __init__(self, rule: str, text: str = "", **params: Param) -> None:
        super().__init__(text or f"{rule} {dict(params)}")
        self.rule = rule
        self.params: Mapping[str, Param] = params
        self.text = text


class JournalError(CompanionError):
    """A journal cannot be opened or written; the file was left untouched."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


class DamagedJournalError(JournalError):
    """Less of a journal can be read than was written. `Journal.salvage` makes a sound one of what is left.

    Attributes:
        left: what can be read, in words: "38 of 136 actions can be read".
        read: how many actions these are.
        written: how many there were, None if that is not known.
    """

    def __init__(self, text: str, *, left: str, read: int, written: int | None) -> None:
        super().__init__(text)
        self.left = left
        self.read = read
        self.written = written


class ProfileError(CompanionError):
    """A profile cannot be used; the message says what to do."""


class DeviceFault(enum.Enum):
    """What is wrong with a device, as far as a player can act on it."""

    UNPLUGGED = "unplugged"
    BUSY = "busy"
    NO_PERMISSION = "no_permission"
    NOT_FOUND = "not_found"
    STALLED = "stalled"
    WRONG_FIRMWARE = "wrong_firmware"
    WRONG_VERSION = "wrong_version"
    UNREADABLE = "unreadable"


class DeviceError(CompanionError):
    """The world let us down: recoverable, reported, never a crash."""

    def __init__(self, text: str, fault: DeviceFault) -> None:
        super().__init__(text)
        self.fault = fault


class BugError(CompanionError):
    """Our own fault: an invariant does not hold."""
