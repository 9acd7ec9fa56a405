"""What lies on a table of Nova Luna."""

from __future__ import annotations

import random
from collections import Counter

from companion.games.nova_luna import GAME, PIECES
from companion.games.nova_luna.catalogue import TILES
from companion.simulation.table import SimulatedTable


def test_every_tile_has_its_print() -> None:
    """The printed number and dots are those of the rules."""
    for tile in TILES.values():
        face = PIECES.faces[str(tile.id)]
        assert face.number == str(tile.cost)
        assert [Counter(group) for group in face.groups] == [Counter(dict(task)) for task in tile.tasks]


def test_nothing_gets_lost() -> None:
    """All tokens and tiles of the game are on the table at any time of rest."""
    header = GAME.deal(random.Random(2), {"players": ("red", "blue", "white")})
    table = SimulatedTable(GAME, header, random.Random(2), stages=GAME.stages)
    for moment in table.moments():
        if moment.busy:
            continue
        laid = list(PIECES.laid(table.states[-1], moment.picture))
        discs = Counter(one.face for one in laid if one.shape == "disc")
        tiles = sum(one.thickness for one in laid if one.shape == "flat")
        assert discs == dict.fromkeys(header["players"], header["tokens"])
        assert tiles == len(TILES)
        assert len({one.key for one in laid}) == len(laid)
