"""What all commands of the command line share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
AddCommands: TypeAlias = Callable[[Commands], None]

EXIT_REFUSED: Final = 1
"""Exit status where the input is refused."""
