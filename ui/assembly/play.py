"""A game in its window: watched or played by hand, started or resumed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from calibration.store import load_profile
from companion import log
from companion.errors import CompanionError, ProfileError
from companion.game import Json
from companion.games import registry
from companion.people.seating import NOBODY, Seats
from companion.people.store import PeopleStore
from companion.session.journal import Journal
from companion.session.ledger import read_game
from companion.session.library import Library
from companion.session.referee import Referee
from companion.session.watch import save_record
from companion.simulation.scorekeeper import Scorekeeper
from ui import folders
from ui.assembly.layouts import ensure_profile_of, has_board
from ui.assembly.own_copy import AnyGame, game_for
from ui.assembly.sensor_table import debounce_rules
from ui.controller.session import Cable, Lookout, PicturedSource, Session
from ui.controller.shelf import Shelf
from ui.last_table import BY_HAND, LastTable, last_table, remember_table
from ui.onward import Left
from ui.wizard.guide import GameChoice

AnyReferee: TypeAlias = Referee[Any, Any]


def play_watched(game: str, camera: str, profile: Path, header: Json, seats: Seats = NOBODY) -> Left:
    """Open the window on a laid-out game that is watched."""
    return _begun(game_for(game, profile), header, LastTable(camera=camera, profile=str(profile)), seats)


def play_by_hand(game: str, header: Json, seats: Seats = NOBODY) -> Left:
    """Open the window on a new game that is entered by hand."""
    return _begun(registry.lookup(game), header, BY_HAND, seats)


def play_dealt(game: str, options: Mapping[str, Any]) -> Left:
    """Open the window on a new game dealt at random, to be laid out as shown and entered by hand.

    What is dealt face down becomes known when players turn it up.
    """
    rules = registry.lookup(game)
    header = rules.public_header(rules.deal(random.Random(), options))
    return play_by_hand(game, header)


def _begun(game: AnyGame, header: Json, table: LastTable, seats: Seats) -> Left:
    with Journal.create(folders.new_journal_path(game.name), header) as journal:
        if seats:
            PeopleStore(folders.people_file()).seat(journal.path, seats)
        referee = Referee(game, journal, debounce_rules())
        remember_table(table, journal.path.name)
        return show_window(referee, sources_of(table, referee), lookout=lookout_of(table, referee))


def resume(file: Path) -> Left:
    """Continue a game, with its last sources if they still work, else by hand."""
    return _go_on(_resumed(file))


def show_window(
    referee: AnyReferee,
    sources: Sequence[PicturedSource],
    record: Path | None = None,
    *,
    played: Scorekeeper[Any, Any] | None = None,
    cable: Cable | None = None,
    lookout: Lookout | None = None,
) -> Left:
    """Show the window until it is closed, then write the record if a file is given.

    At a simulated table, `played` answers and protests for the players, and `cable` is the camera's. A past
    game that is chosen in the window is continued in a new window.
    """
    left = _shown(referee, sources, played=played, cable=cable, lookout=lookout)
    if record is not None:
        save_record(referee, record)
    return _go_on(left)


def _go_on(left: Left) -> Left:
    """Open a new window each time another game is continued."""
    while left.resume is not None:
        left = _resumed(folders.games_folder() / left.resume)
    return left


def _resumed(file: Path) -> Left:
    with Journal.open(file, check=read_game) as journal:
        game = registry.lookup(journal.header["game"])
        table = last_table(file.name) or BY_HAND
        referee = Referee(game, journal, debounce_rules())
        try:
            sources = sources_of(table, referee)
        except CompanionError as error:
            log.ui.info("resumed by hand reason=%s", error)
            sources = []
        return _shown(referee, sources, lookout=lookout_of(table, referee))


def _shown(
    referee: AnyReferee,
    sources: Sequence[PicturedSource],
    *,
    played: Scorekeeper[Any, Any] | None = None,
    cable: Cable | None = None,
    lookout: Lookout | None = None,
) -> Left:
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.start import run

    session = Session(
        referee=referee,
        presenter=registry.display(referee.game.name).presenter,
        sources=sources,
        answer=None if played is None else played.answer,
        protest=None if played is None else played.protest,
        cable=cable,
        shelf=shelf_of(folders.games_folder(), playing=referee.journal.path.name),
        lookout=lookout,
        called=lambda: PeopleStore(folders.people_file()).called(referee.journal.path),
    )
    return replace(run(session), game="" if played is not None else referee.journal.path.name)


# -- the window's input -----------------------------------------------------------------------------------


def shelf_of(folder: Path, playing: str = "") -> Shelf:
    """Return the games of a folder in the form that the window needs."""
    shown = {name: registry.display(name) for name in registry.NAMES}
    return Shelf(
        library=Library(folder),
        presenters={name: one.presenter for name, one in shown.items()},
        title=lambda game, edition: shown[game].title(edition) if game in shown else game,
        playing=playing,
        store=PeopleStore(folders.people_file()),
    )


def sources_of(table: LastTable, referee: AnyReferee) -> list[PicturedSource]:
    """Return the sources of the table; raises ProfileError if the profile does not fit the game."""
    if table == BY_HAND:
        return []
    # What reads cameras and sensor tables is loaded for those who have some.
    from ui.assembly.free_table import label_of, reader_of
    from ui.assembly.sources import open_sources

    name, header = referee.game.name, referee.journal.header
    profile = load_profile(Path(table.profile))
    ensure_profile_of(name, profile)
    pieces = registry.pieces(name).paints(header) if registry.has_pieces(name) else header["players"]
    known = {one.name for one in profile.pieces} if registry.has_pieces(name) else set(profile.players)
    missing = set(pieces) - known
    if missing:
        raise ProfileError(f"the profile does not know the pieces of {', '.join(sorted(missing))}")
    opened = open_sources(
        table.camera,
        profile,
        label=label_of(name),
        expected=lambda: referee.expectation,
        reader=reader_of(name, profile, header["players"], header),
    )
    opened.follow(referee)
    return opened.pictured()


def lookout_of(table: LastTable, referee: AnyReferee) -> Lookout | None:
    """Return how the sources of this game can be changed while it is played; None if none can follow it."""
    name, header = referee.game.name, referee.journal.header
    if not registry.can_be_followed(name):
        return None

    def sources(camera: str, profile: str) -> Sequence[PicturedSource]:
        chosen = LastTable(camera=camera, profile=profile)
        found = sources_of(chosen, referee)
        remember_table(chosen, referee.journal.path.name)
        return found

    lookout = Lookout(
        game=GameChoice(edition=str(header.get("edition", "")), players=tuple(header["players"])),
        camera=table.camera,
        profile=table.profile,
        sources=sources,
    )
    if not registry.has_components(name):
        # What reads cameras and sensor tables is loaded for those who may have some.
        from ui.assembly.free_copy_guide import FreeCopyGuide

        return replace(lookout, copies=FreeCopyGuide(folders.profiles_folder(), name))
    # As above.
    from ui.assembly.house_guide import HouseGuide

    guide = HouseGuide(folders.profiles_folder(), name)
    return replace(lookout, guide=guide, sensor_guide=guide if has_board(name) else None)
