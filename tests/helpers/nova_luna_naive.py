"""Nova Luna a second time, naively: rules and moves on plain dictionaries, written from the rulings.

Only the printed facts come from the product. Slow, and meant to disagree where one of the two is wrong.
"""

from __future__ import annotations

import copy
import json
from importlib import resources
from typing import Any

Json = dict[str, Any]
Cell = tuple[int, int]
_TILES = {
    row["id"]: row
    for row in json.loads(
        resources.files("companion.games.nova_luna").joinpath("catalogue.json").read_text("utf-8")
    )["tiles"]
}


def start(header: Json) -> Json:
    """Return the table of a record's header."""
    players, is_solo = header["players"], len(header["players"]) == 1
    return {
        "players": players,
        "areas": {player: {} for player in players},
        "supply": dict.fromkeys(players, 8 if is_solo else header["tokens"] - 1),
        "travelled": dict.fromkeys(players, 0),
        "arrivals": list(reversed(header["stack"])),  # who came to the space last lies on top
        "wheel": list(header["wheel"]),
        "meeple": 0,
        "stock": list(header["stock"]),
        "phase": 1 if is_solo else None,
        "over": False,
    }


def turn(table: Json) -> str:
    """Return who acts: the hindmost, of those on one space the one who came last."""
    players: list[str] = table["players"]
    if len(players) == 1:
        return players[0]
    least = min(table["travelled"].values())
    return next(p for p in reversed(table["arrivals"]) if table["travelled"][p] == least)


def moves(table: Json) -> list[Json]:
    """Return the record lines of all that may be done."""
    if table["over"]:
        return []
    player, tiles = turn(table), [tile for tile in table["wheel"] if tile is not None]
    found: list[Json] = []
    if table["phase"] is None and len(tiles) <= 2 and table["stock"]:
        found.append({"player": player, "do": "refill"})
    if table["phase"] == 1 and (table["supply"][player] == 0 or not tiles):
        found.append({"player": player, "do": "next_phase"})
    area = table["areas"][player]
    cells = {next_to for cell in area for next_to in _around(cell)} - set(area) if area else {(0, 0)}
    ahead = [table["wheel"][(table["meeple"] + step) % 12] for step in range(1, 12)]
    for tile in [tile for tile in ahead if tile is not None][:3]:
        found += [
            {"player": player, "do": "take", "tile": tile, "at": f"{row},{col}"} for row, col in sorted(cells)
        ]
    return found


def play(before: Json, line: Json) -> Json:
    """Return the table after a move."""
    table = copy.deepcopy(before)
    player = line["player"]
    if line["do"] == "take":
        slot = table["wheel"].index(line["tile"])
        row, col = line["at"].split(",")
        table["areas"][player][int(row), int(col)] = {"tile": line["tile"], "covered": set()}
        table["wheel"][slot], table["meeple"] = None, slot
        if len(table["players"]) > 1:
            table["travelled"][player] += _TILES[line["tile"]]["cost"]
            table["arrivals"].remove(player)
            table["arrivals"].append(player)
    else:
        for step in range(1, 12):
            slot = (table["meeple"] + step) % 12
            if table["wheel"][slot] is None and table["stock"]:
                table["wheel"][slot] = table["stock"].pop(0)
        if line["do"] == "next_phase":
            table["phase"] = 2
            table["supply"][player] += 13
    _cover(table, player)
    is_empty = not any(tile is not None for tile in table["wheel"])
    is_last = is_empty and (len(table["players"]) == 1 or not table["stock"])
    table["over"] = table["phase"] != 1 and (0 in table["supply"].values() or is_last)
    return table


def _around(cell: Cell) -> list[Cell]:
    row, col = cell
    return [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]


def _cover(table: Json, player: str) -> None:
    area = table["areas"][player]
    for cell, laid in area.items():
        for number, task in enumerate(_TILES[laid["tile"]]["tasks"]):
            if table["supply"][player] and number not in laid["covered"] and _is_done(area, cell, task):
                laid["covered"].add(number)
                table["supply"][player] -= 1


def _is_done(area: dict[Cell, Json], cell: Cell, task: dict[str, int]) -> bool:
    return all(len(_touching(area, cell, colour)) >= count for colour, count in task.items())


def _touching(area: dict[Cell, Json], cell: Cell, colour: str) -> set[Cell]:
    """Return the tiles of a colour in groups that touch a tile, which itself neither counts nor connects."""
    found: set[Cell] = set()
    edge = [cell]
    while edge:
        near = {other for one in edge for other in _around(one)} - found - {cell}
        edge = [other for other in near if other in area and _TILES[area[other]["tile"]]["colour"] == colour]
        found |= set(edge)
    return found
