"""The reader of a table on which pieces lie anywhere, for one game and one profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from calibration.profile import Profile
from companion.errors import MalformedError
from companion.free_faces import Side
from companion.free_pieces import FreeTable, Placed
from companion.game import Json
from companion.games import registry
from companion.table import Place, Value
from companion.table_layout import TableLayout
from ui.assembly.layouts import layout_of
from ui.assembly.pictured_camera import Label
from vision.camera_source import FrameReader
from vision.free.learnt_faces import known_faces_of
from vision.free.printed_spots import printed_spots
from vision.free_reader import FreeReader


def free_reader(
    name: str,
    profile: Profile,
    players: Sequence[str],
    *,
    header: Json | None = None,
) -> FreeReader:
    """Return what reads the game of this name with a profile of its copy.

    Args:
        name: of the game.
        profile: of the copy.
        players: in seat order.
        header: the game's, which says what comes into it; None = not known yet, it may be anything.
    """
    game, pieces = registry.lookup(name), registry.pieces(name)
    # Those who play now need not be those who were there when the copy was learnt.
    areas = layout_of(name, players).areas
    profile = replace(profile, layout=replace(profile.layout, areas=areas))

    def placing(layout: TableLayout, table: FreeTable) -> Placed:
        return game.placed(layout, players, table)

    def may_look_alike(one: str, other: str) -> bool:
        return {one, other} <= pieces.faces.keys() and pieces.may_look_alike(one, other)

    known = {one.name for one in profile.faces}
    boards = {face for face, what in pieces.faces.items() if what.board}
    in_play = known if header is None else known & {*pieces.in_play(header), *boards}
    groups = {one.name: len(one.groups) for one in pieces.faces.values() if not one.is_back and not one.board}
    spots = printed_spots(known_faces_of(profile), groups) if any(groups.values()) else ()
    return FreeReader(
        profile,
        placing,
        in_play=in_play,
        boards=boards,
        spots=spots,
        may_look_alike=may_look_alike,
    )


def what_lies(name: str, reader: FreeReader, players: Sequence[str]) -> list[Json]:
    """Return what the frame read last shows, a line for each tile, card and piece that was made out.

    Its keys: `id`, `shape`, `at_px` (the middle of the upper face, or of the base), `confidence` and `place`
    (null where it lies nowhere in particular).
    """
    table = reader.table
    if table is None:
        return []
    homes = registry.lookup(name).homes(reader.layout, players, table)
    flat = [
        _line(
            "back" if one.side is Side.BACK else one.name or "",
            "flat",
            reader.at_px(one.x_mm, one.y_mm, one.top_mm),
            one.confidence,
            homes.faces.get(one.order),
        )
        for one in table.reading.faces
        if one.name is not None
    ]
    solid = [
        _line(one.name, str(one.shape), reader.at_px(one.x_mm, one.y_mm), one.confidence, where)
        for number, one in enumerate(table.pieces or ())
        for where in [homes.pieces.get(number)]
        if one.name is not None
    ]
    return flat + solid


def _line(name: str, shape: str, at_px: tuple[float, float], sure: float, where: Place | None) -> Json:
    return {
        "id": name,
        "shape": shape,
        "at_px": [round(one, 1) for one in at_px],
        "confidence": round(sure, 4),
        "place": where,
    }


def reader_of(
    name: str, profile: Profile, players: Sequence[str], header: Json | None = None
) -> Callable[[], FrameReader] | None:
    """Return what makes the reader of a game whose pieces lie anywhere, None for one with printed places.

    Raises MalformedError for a game that is not read well enough.
    """
    if profile.layout.cells or not registry.has_pieces(name):
        return None
    if not registry.can_be_followed(name):
        raise MalformedError(f"no camera can follow {name} yet: play it by hand")
    return lambda: free_reader(name, profile, players, header=header)


def label_of(game: str) -> Label:
    """Return the texts for what is recognised; where pieces lie anywhere, the names of the faces."""
    try:
        return registry.components(game).reading_text
    except MalformedError:
        return free_text


def free_text(where: Place, value: Value) -> str:
    """Return what was recognised as it is written on the camera's picture: the name of the face."""
    del where
    return "?" if value is None else value
