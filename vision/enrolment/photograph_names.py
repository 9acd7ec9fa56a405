"""The four photographs of an enrolment: their names in code and for people, and their order."""

from __future__ import annotations

from typing import Final

from companion.i18n import Message, msg

EMPTY, SKETCH, BUILT, PIECES = "empty", "sketch", "built", "pieces"
NAMES: Final = (EMPTY, SKETCH, BUILT, PIECES)


def photograph_name(name: str) -> Message:
    """Return what a photograph is called."""
    return {
        EMPTY: msg("the photograph of the empty table"),
        SKETCH: msg("the photograph of the sketch sides"),
        BUILT: msg("the photograph of the built sides"),
        PIECES: msg("the photograph of the pieces"),
    }[name]
