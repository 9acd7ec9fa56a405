"""The table layouts of games for what watches them: which game a profile is of, and who has a board."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.profile import Profile
from companion.errors import MalformedError, ProfileError
from companion.games import registry
from companion.i18n import msg
from companion.table_layout import TableLayout


def layout_of(name: str, players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout of the game of this name; raises MalformedError if nothing can look at it."""
    layout = registry.lookup(name).table_layout(players)
    if layout is None:
        raise MalformedError(f"{name} has no table layout: no camera and no board can watch it")
    return layout


def has_board(name: str) -> bool:
    """Whether a sensor table can be built for the game of this name: its tiles lie on printed cells."""
    layout = registry.lookup(name).table_layout()
    return layout is not None and bool(layout.cells)


def game_of(profile: Profile) -> str:
    """Return the name of the game whose table a profile has learnt; the first game if no game has it."""
    names = {layout_of(game).name: game for game in registry.NAMES}
    return names.get(profile.layout.name, registry.DEFAULT)


def ensure_profile_of(name: str, profile: Profile) -> None:
    """Raise ProfileError, saying which it is, for the profile of another game than that of this name.

    A profile goes by the name of the table that was learnt; one that no game has may be of any.
    """
    tables = {game: layout_of(game).name for game in registry.NAMES}
    learnt = profile.layout.name
    if learnt != tables[name] and learnt in tables.values():
        raise ProfileError(msg("this profile is of {other}, not of {game}", other=learnt, game=tables[name]))
