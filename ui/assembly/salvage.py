"""Continuing from what is left of a damaged journal, only if the user agrees."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.errors import DamagedJournalError, JournalError
from companion.session.journal import Journal


def ensure_whole(file: Path, *, salvage: bool) -> None:
    """Check that a journal is whole; if it is not, salvage it if the user agrees.

    At a terminal, the user is asked. Raises JournalError if the journal is damaged and the user does not want
    to continue, or if nothing in it can be read.
    """
    try:
        with Journal.open(file):
            return
    except DamagedJournalError as error:
        if not salvage and not _is_wanted(error):
            raise JournalError(f"{error}; to continue from there use --salvage") from error
    kept = Journal.salvage(file)
    print(f"moontable: continuing from there; the damaged file is kept as {kept}", file=sys.stderr)


def _is_wanted(error: DamagedJournalError) -> bool:
    """Ask at the terminal; without one, the answer is no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{error}.\nContinue from there? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
