"""Which tasks of an area are fulfilled (ruling 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.kit.notation import Cell
from companion.games.nova_luna.catalogue import TILES
from companion.games.nova_luna.state import Area, neighbours


def fulfilled_open(area: Area, near: Cell | None = None) -> Iterator[tuple[int, int]]:
    """Yield (index in the area, task number) of every fulfilled task without a token, in covering order.

    With `near` only those that the tile on this cell can have fulfilled: on tiles of or next to its group.
    """
    groups = _Groups({laid.at: TILES[laid.tile].colour for laid in area})
    reached = None if near is None else groups.around(near)
    for index, laid in enumerate(area):
        tasks = TILES[laid.tile].tasks
        if len(laid.covered) == len(tasks) or (reached is not None and laid.at not in reached):
            continue
        counts = groups.touching(laid.at)
        for number, task in enumerate(tasks):
            if number not in laid.covered and all(counts.get(colour, 0) >= count for colour, count in task):
                yield index, number


def touching(area: Area, cell: Cell) -> dict[str, int]:
    """Return, by colour, the number of tiles that count for a task on the tile of this cell."""
    return _Groups({laid.at: TILES[laid.tile].colour for laid in area}).touching(cell)


class _Groups:
    """Connected tiles of one colour; found once, except around a task's own tile."""

    def __init__(self, colours: Mapping[Cell, str]) -> None:
        self._colours = colours
        self._group_of: dict[Cell, frozenset[Cell]] = {}

    def touching(self, cell: Cell) -> dict[str, int]:
        """Count the tiles of all groups next to the cell, its own tile left out."""
        own = self._colours[cell]
        found: dict[str, set[Cell]] = {}
        for near in neighbours(cell):
            colour = self._colours.get(near)
            if colour is None:
                continue
            # The own tile connects nothing: groups of its own colour are found without it.
            group = self._flood(near, without=cell) if colour == own else self._group(near)
            found.setdefault(colour, set()).update(group)
        return {colour: len(cells) for colour, cells in found.items()}

    def around(self, cell: Cell) -> set[Cell]:
        """Return the cells of the group of a cell, and all next to them."""
        group = self._group(cell)
        return {near for each in group for near in neighbours(each)} | group

    def _group(self, cell: Cell) -> frozenset[Cell]:
        if cell not in self._group_of:
            group = self._flood(cell, without=None)
            self._group_of.update(dict.fromkeys(group, group))
        return self._group_of[cell]

    def _flood(self, start: Cell, *, without: Cell | None) -> frozenset[Cell]:
        colour = self._colours[start]
        group, queue = {start}, [start]
        for cell in queue:
            for near in neighbours(cell):
                if near != without and near not in group and self._colours.get(near) == colour:
                    group.add(near)
                    queue.append(near)
        return frozenset(group)
