"""The commands of this room: `moontable sheets`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from calibration.layout import blue_moon_city, layout_from_text
from companion.errors import DeviceError, DeviceFault

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_commands(commands: Commands) -> None:
    """Add the commands to the program's parser."""
    sheets = commands.add_parser(
        "sheets", help="write the sheets to print: fiducials, lens sheet, colour patches", description=__doc__
    )
    sheets.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder for the PDF files")
    sheets.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of the paper")
    sheets.add_argument("--layout", type=Path, metavar="FILE", help="a table layout of your own (JSON)")
    sheets.set_defaults(func=_write_sheets)


def _write_sheets(arguments: argparse.Namespace) -> int:
    try:
        from calibration.sheets import write_sheets  # Qt is large and not needed for anything else here
    except ImportError as error:
        text = f"the sheets need PyQt6, which cannot be started: {error}"
        raise DeviceError(text, DeviceFault.NOT_FOUND) from error
    layout = blue_moon_city()
    if arguments.layout is not None:
        layout = layout_from_text(arguments.layout.read_text(encoding="utf-8"))
    for file in write_sheets(arguments.out, layout, arguments.paper):
        print(file)
    return 0
