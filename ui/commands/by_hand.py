"""A game that nothing watches: the city that is laid out for it, and the window in which all is clicked."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.record.game_record import parse_object
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place
from ui.assembly.resume import BY_HAND, lookout_of, remember_table
from ui.assembly.sensor_table import debounce_rules
from ui.commands.watch import new_journal_path, show_window
from ui.wizard.guide import Dealt, GameChoice

_PRESENTER: Final = CityPresenter()


def read_setup(file: Path) -> Json:
    """Return the set-up that a file describes, cards unseen as at a real table.

    Raises MalformedError, with the file's name, where it describes none.
    """
    try:
        header = parse_object(file.read_bytes())
        GAME.start(header)
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error
    return GAME.public_header(header)


def play_by_hand(header: Json) -> int:
    """Show a new game in the window, with nothing that watches it."""
    from ui.qt_environment import has_display

    if not has_display():
        print("moontable: there is no display to open a window on", file=sys.stderr)
        return 1
    with Journal.create(new_journal_path(GAME), header) as journal:
        referee = Referee(GAME, journal, debounce_rules())
        remember_table(BY_HAND, journal.path.name)
        return show_window(referee, [], None, lookout=lookout_of(BY_HAND, referee))


# -- the city --------------------------------------------------------------------------------------------


def deal_city(game: GameChoice, rng: random.Random) -> Dealt:
    """Return a city at random, as the edition's rules have it."""
    options = {"players": game.players, "edition": game.edition}
    return _dealt(GAME.public_header(GAME.deal(rng, options)))


def swap_tiles(dealt: Dealt, one: Place, other: Place) -> Dealt:
    """Return the city with two tiles swapped; raises MalformedError in words where no such city can be."""
    header: Any = dealt.start
    picture = dict(GAME.predict(GAME.start(header)))
    picture[one], picture[other] = picture[other], picture[one]
    options = {"edition": header["edition"], "players": header["players"]}
    return _dealt(GAME.header_from_table(picture, options))


def _dealt(header: Json) -> Dealt:
    return Dealt(table=_PRESENTER.present(GAME.start(header)), start=header)
