"""The option ``--salvage`` of all commands that may meet a damaged journal."""

from __future__ import annotations

import argparse


def add_salvage(command: argparse.ArgumentParser) -> None:
    """Add ``--salvage``."""
    command.add_argument(
        "--salvage",
        action="store_true",
        help="continue from what can be read of a damaged game; the damaged file is kept beside it",
    )
