"""Going on: past games in a window, the table that was watched last, other eyes in mid-game."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from calibration.store import load_profile
from companion import log
from companion.commands import Commands
from companion.errors import CompanionError, MalformedError, ProfileError
from companion.games import registry
from companion.games.blue_moon_city.presenter import CityPresenter, edition_name
from companion.printing import print_json
from companion.session.journal import Journal
from companion.session.ledger import read_game
from companion.session.library import Library, statistics
from companion.session.referee import Referee
from companion.storage.files import written_whole
from companion.storage.strict import as_list, as_text, read_json_object
from ui.assembly.sensor_table import debounce_rules
from ui.assembly.sources import open_eyes
from ui.commands.salvage import add_salvage, ensure_whole
from ui.commands.watch import games_folder, show_window
from ui.controller.session import Lookout, PicturedSource
from ui.controller.shelf import Shelf
from ui.settings import default_folder
from ui.wizard.guide import GameChoice

LAST_TABLE: Final = "last_table.json"


def add_commands(commands: Commands) -> None:
    """Add ``games``."""
    command = commands.add_parser("games", help="past games: continue, replay, delete; statistics")
    command.add_argument("--folder", type=Path, metavar="DIR", help="folder of the games (default: your own)")
    command.add_argument("--resume", metavar="FILE", help="continue this game of the folder at once")
    add_salvage(command)
    command.add_argument(
        "--json", action="store_true", help="print list and statistics as JSON, without a window"
    )
    command.set_defaults(func=run_games)


def run_games(arguments: argparse.Namespace) -> int:
    """Run ``games``: the list in a window of its own, then the game that is to be gone on with."""
    folder = arguments.folder or games_folder()
    if arguments.json:
        games = Library(folder).games()
        print_json({"games": [asdict(game) for game in games], "statistics": asdict(statistics(games))})
        return 0
    if arguments.resume:
        ensure_whole(folder / arguments.resume, salvage=arguments.salvage)
    name = arguments.resume or choose_game(shelf_of(folder))
    return 0 if name is None else resume(folder / name)


def choose_game(shelf: Shelf) -> str | None:
    """Show the list; return the game to go on with, None where the window was closed."""
    from PyQt6.QtWidgets import QApplication

    from ui import text
    from ui.dialogs.mishap_box import boxed_mishaps
    from ui.dialogs.past_games import PastGames
    from ui.qt_environment import forget_foreign_qt, has_display
    from ui.settings import read_settings
    from ui.stopping import closing_when_stopped
    from ui.ties import tie

    if not has_display():
        print("moontable: there is no display to open a window on; use --json", file=sys.stderr)
        return None
    forget_foreign_qt()
    app = QApplication.instance() or QApplication(sys.argv[:1])
    settings = read_settings(default_folder())
    text.install(settings.language)
    chosen: list[str] = []
    dialog = PastGames(shelf, settings)
    tie(dialog.resume_wanted, dialog, chosen.append)
    dialog.resume_wanted.connect(dialog.accept)
    with closing_when_stopped(), boxed_mishaps():
        dialog.exec()
    assert app is not None
    return chosen[0] if chosen else None


def shelf_of(folder: Path, playing: str = "") -> Shelf:
    """Return the games of a folder, as the window needs them."""
    presenter = CityPresenter()
    return Shelf(
        library=Library(folder),
        presenters={"blue_moon_city": presenter},
        edition_name=lambda game, edition: edition_name(edition) if game == "blue_moon_city" else game,
        playing=playing,
    )


# -- the table that was watched last --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTable:
    """What watched a table: addresses as `lookout_of` understands them; without any it is played by hand."""

    camera: str
    profile: str


BY_HAND: Final = LastTable(camera="", profile="")
# So many games that were played by hand are remembered.
_MOST_BY_HAND: Final = 200


def remember_table(table: LastTable, game: str, folder: Path | None = None) -> None:
    """Keep what watches a game (its file's name), for going on later; a full disk is no reason to stop.

    A game that is played by hand leaves alone what is known of the table that was watched last. A camera's
    address may hold its password: nobody but the player's own account may read the file.
    """
    where = folder or default_folder()
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
    """Return what watched a game last, or any game; None where nothing is known."""
    where = folder or default_folder()
    kept = _kept(where)
    if game and game in kept.by_hand:
        return BY_HAND
    return kept.table


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of tables: the one that watched last, and the games played by hand."""

    table: LastTable | None = None
    by_hand: tuple[str, ...] = ()


def _kept(where: Path) -> _Kept:
    """Return what is kept; what is missing or torn is nothing."""
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


def sources_of(table: LastTable, referee: Referee[Any, Any]) -> list[PicturedSource]:
    """Return what sees the table; raises ProfileError where the profile does not serve the game."""
    if table == BY_HAND:
        return []
    profile = load_profile(Path(table.profile))
    missing = set(referee.journal.header["players"]) - set(profile.players)
    if missing:
        raise ProfileError(f"the profile does not know the pieces of {', '.join(sorted(missing))}")
    eyes = open_eyes(table.camera, profile, expected=lambda: referee.expectation)
    eyes.follow(referee)
    return eyes.pictured


def lookout_of(table: LastTable, referee: Referee[Any, Any]) -> Lookout:
    """Return how the eyes on this game can be changed while it is played."""
    from ui.assembly.camera_guide import default_profiles
    from ui.assembly.house_guide import HouseGuide

    header = referee.journal.header

    def sources(camera: str, profile: str) -> Sequence[PicturedSource]:
        chosen = LastTable(camera=camera, profile=profile)
        found = sources_of(chosen, referee)
        remember_table(chosen, referee.journal.path.name)
        return found

    guide = HouseGuide(default_profiles())
    return Lookout(
        guide=guide,
        sensor_guide=guide,
        game=GameChoice(edition=str(header["edition"]), players=tuple(header["players"])),
        camera=table.camera,
        profile=table.profile,
        sources=sources,
    )


def resume(file: Path) -> int:
    """Go on with a game: watched as the last table was where that serves, else by hand."""
    with Journal.open(file, check=read_game) as journal:
        game = registry.lookup(journal.header["game"])
        table = last_table(file.name) or BY_HAND
        referee = Referee(game, journal, debounce_rules())
        try:
            sources = sources_of(table, referee)
        except CompanionError as error:
            log.ui.info("resumed by hand reason=%s", error)
            sources = []
        return show_window(referee, sources, None, lookout=lookout_of(table, referee))
