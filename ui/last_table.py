"""The last table that was watched and the games played by hand, for continuing them later."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from companion import log
from companion.errors import MalformedError
from companion.storage.files import written_whole
from companion.storage.strict import as_list, as_text, read_json_object
from ui import settings

LAST_TABLE: Final = "last_table.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTable:
    """How a table was watched: the address for `ui.assembly.sources`, "" = by hand, and the profile."""

    camera: str
    profile: str


BY_HAND: Final = LastTable(camera="", profile="")
# How many games played by hand are remembered.
_MOST_BY_HAND: Final = 200


def remember_table(table: LastTable, game: str, folder: Path | None = None) -> None:
    """Keep how a game (its file's name) is watched, for continuing later; a failure is only logged.

    A game played by hand does not replace the last table that was watched. A camera's address may contain its
    password, so only the player's own account can read the file.
    """
    where = folder or settings.default_folder()
    kept = _kept(where)
    by_hand = [one for one in kept.by_hand if one != game]
    if table == BY_HAND:
        by_hand = [*by_hand, game][-_MOST_BY_HAND:]
    watched = (kept.table or BY_HAND) if table == BY_HAND else table
    try:
        where.mkdir(parents=True, exist_ok=True)
        with written_whole(where / LAST_TABLE) as part:
            part.touch(mode=0o600)
            part.write_text(json.dumps({**asdict(watched), "by_hand": by_hand}), "utf-8")
    except OSError as error:
        log.ui.warning("last table kept=no reason=%s", error)


def last_table(game: str = "", folder: Path | None = None) -> LastTable | None:
    """Return how a game (or any game, without a name) was last watched; None if that is unknown."""
    where = folder or settings.default_folder()
    kept = _kept(where)
    if game and game in kept.by_hand:
        return BY_HAND
    return kept.table


@dataclass(frozen=True, slots=True)
class _Kept:
    """The kept values: the last table that was watched, and the games played by hand."""

    table: LastTable | None = None
    by_hand: tuple[str, ...] = ()


def _kept(where: Path) -> _Kept:
    """Return what is kept; a missing or damaged file holds nothing."""
    try:
        found = read_json_object(where / LAST_TABLE)
        by_hand = tuple(as_text(one, "a game") for one in as_list(found.get("by_hand", []), "by_hand"))
        camera, profile = (
            as_text(found.get("camera"), "the camera"),
            as_text(found.get("profile"), "the profile"),
        )
        return _Kept(LastTable(camera=camera, profile=profile) if camera else None, by_hand)
    except FileNotFoundError:
        return _Kept()
    except (OSError, MalformedError) as error:
        log.ui.warning("last table read=no reason=%s", error)
        return _Kept()
