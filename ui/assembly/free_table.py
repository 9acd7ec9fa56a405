"""The reader of a table on which pieces lie anywhere, for one game and one profile."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.profile import Profile
from companion.free_pieces import FreeTable, Placed
from companion.game import Json
from companion.games import registry
from companion.table import Place, Value
from companion.table_layout import TableLayout
from vision.free_reader import FreeReader


def free_reader(
    name: str,
    profile: Profile,
    players: Sequence[str],
    *,
    header: Json | None = None,
    spots: Sequence[tuple[float, float]] = (),
) -> FreeReader:
    """Return what reads the game of this name with a profile of its copy.

    Args:
        name: of the game.
        profile: of the copy.
        players: in seat order.
        header: the game's, which says what comes into it; None = not known yet, it may be anything.
        spots: the middles of what is printed on tiles for pieces to lie on, in shares of a tile right of and
            below its upper left corner.
    """
    game, pieces = registry.lookup(name), registry.pieces(name)

    def placing(layout: TableLayout, table: FreeTable) -> Placed:
        return game.placed(layout, players, table)

    # Round boards are where the layout has them: without corners nothing finds them.
    flat = {one.name for one in profile.faces if not one.is_round}
    boards = {face for face, what in pieces.faces.items() if what.board}
    in_play = flat if header is None else flat & {*pieces.in_play(header), *boards}
    return FreeReader(profile, placing, in_play=in_play, spots=spots)


def reads_well(name: str) -> bool:
    """Whether the game of this name lies anywhere and is read well enough to be refereed from pixels."""
    return registry.has_pieces(name) and registry.pieces(name).is_readable


def free_text(where: Place, value: Value) -> str:
    """Return what was recognised as it is written on the camera's picture: the name of the face."""
    del where
    return "?" if value is None else value
