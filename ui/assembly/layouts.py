"""The table layouts of games, for the sources that watch them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import MalformedError
from companion.games import registry
from companion.table_layout import TableLayout


def layout_of(name: str, players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout of the game of this name; raises MalformedError if nothing can look at it."""
    layout = registry.lookup(name).table_layout(players)
    if layout is None:
        raise MalformedError(f"{name} has no table layout: no camera and no board can watch it")
    return layout
