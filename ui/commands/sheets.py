"""``moontable sheets``: what is to be printed."""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration.layout import read_layout
from companion.commands import Commands
from companion.errors import DeviceError, DeviceFault
from companion.games import registry
from companion.table_layout import CODE_MM, LEAST_CODE_MM, MOST_CODE_MM
from ui.assembly.layouts import layout_of


def add_commands(commands: Commands) -> None:
    """Add the commands to the program's parser."""
    sheets = commands.add_parser(
        "sheets", help="write the sheets to print: fiducials, lens sheet, colour patches", description=__doc__
    )
    sheets.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the PDF files")
    sheets.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of the paper")
    add_code_size(sheets)
    sheets.add_argument("--layout", type=Path, metavar="FILE", help="a table layout of your own (JSON)")
    sheets.set_defaults(func=_write_sheets)


def add_code_size(command: argparse.ArgumentParser) -> None:
    """Add the option for the printed size of the codes."""
    command.add_argument(
        "--code-size",
        type=_code_size,
        default=CODE_MM,
        metavar="MM",
        help=f"printed edge of a code's black square (default: {CODE_MM:g})",
    )


def _code_size(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = 0.0
    if not LEAST_CODE_MM <= size <= MOST_CODE_MM:
        raise argparse.ArgumentTypeError(
            f"{text} is not a size from {LEAST_CODE_MM:g} to {MOST_CODE_MM:g} mm"
        )
    return size


def _write_sheets(arguments: argparse.Namespace) -> int:
    try:
        from calibration.sheets import write_sheets  # Qt is large and not needed for anything else here
    except ImportError as error:
        text = f"the sheets need PyQt6, which cannot be started: {error}"
        raise DeviceError(text, DeviceFault.NOT_FOUND) from error
    layout = layout_of(registry.DEFAULT).with_codes_of(arguments.code_size)
    if arguments.layout is not None:
        layout = read_layout(arguments.layout)
    for file in write_sheets(arguments.out, layout, arguments.paper):
        print(file)
    return 0
