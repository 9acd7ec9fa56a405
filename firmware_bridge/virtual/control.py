"""Commands for a virtual board, typed line by line; each changes one thing on the table.

lay cell:0,1 mill/sketch     a tile; or a figure (figure:purple 0,1), dragon, marker (box:0,1:0 purple)
lay box:0,1:0 -              take it away again
clear                        take everything off
magnet 37 600                let spot 37 read 600 of 1023, like a magnet of a different strength
dead 2,1   well 2,1          disconnect the reader of a cell, or connect it again
unplug   plug   reset        the cable; the processor
lit                          say which places are lit
"""

from __future__ import annotations

from companion.errors import MalformedError
from companion.table import Place, Value, kind_of
from firmware_bridge.virtual.virtual_board import VirtualBoard

KINDS = ("cell", "box", "figure", "dragon", "obelisk")


class BoardControl:
    """Carries lines out on a board."""

    def __init__(self, board: VirtualBoard) -> None:
        self._board = board
        self._picture: dict[Place, Value] = {}

    def obey(self, line: str) -> str:
        """Execute a line and return the reply; raises MalformedError listing the valid commands."""
        match line.split():
            case []:
                return ""
            case ["lay", where, value] if kind_of(Place(where)) in KINDS:
                self._board.check_lay(Place(where), None if value == "-" else value)
                self._picture[Place(where)] = None if value == "-" else value
                self._board.set_picture(self._picture)
            case ["clear"]:
                self._picture.clear()
                self._board.set_picture({})
            case ["magnet", spot, reading] if spot.isdecimal() and reading.isdecimal():
                self._board.set_spot(int(spot), min(int(reading), 1023))
            case ["dead" | "well" as word, cell]:
                self._board.break_reader(cell, word == "dead")
            case ["unplug"]:
                self._board.unplug()
            case ["plug"]:
                self._board.plug()
            case ["reset"]:
                self._board.reset()
            case ["lit"]:
                lit = self._board.lit
                return "\n".join(f"{where} {colour}" for where, colour in sorted(lit.items())) or "all dark"
            case _:
                raise MalformedError(f"not understood: {line.strip()}\n{__doc__}")
        return ""
