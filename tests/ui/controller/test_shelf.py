"""Past games of every game of the house: listed, counted, replayed and continued."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.games import registry
from companion.session.journal import Journal
from companion.session.ledger import read_game
from companion.session.library import statistics
from companion.session.referee import Referee
from ui.assembly.play import shelf_of

FILE = "past.moontable"


def keep_game(folder: Path, name: str, most: int) -> list[Any]:
    """Write the journal of a random open game of at most so many actions; return its states."""
    game, rng = registry.lookup(name), random.Random(2)
    header = game.deal(rng, {})
    player, states = game.random_player(rng), [game.start(header)]
    with Journal.create(folder / FILE, header) as journal:
        referee = Referee(game, journal)
        while game.result(states[-1]) is None and len(states) <= most:
            action = game.with_chance(states[-1], player(states[-1]), rng)
            referee.enter(action)
            states.append(game.apply(states[-1], action)[0])
    return states


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_game_that_is_not_over_can_be_replayed_and_continued(tmp_path: Path, name: str) -> None:
    """Each moment shows the table of that action; the journal goes on where it ended."""
    states = keep_game(tmp_path, name, 9)
    shelf = shelf_of(tmp_path)
    (past,) = shelf.library.games()
    assert (name, len(states) - 1, "") == (past.game, past.actions, past.trouble)
    assert shelf.can_show(past)
    assert shelf.can_go_on(past)
    assert str(shelf.title(name, past.edition)).startswith(str(registry.display(name).form.title))
    film = shelf.film(FILE)
    presenter = registry.display(name).presenter
    assert len(film) == len(states) - 1 == len(film.texts)
    assert all(film.texts)
    for number in (0, len(film)):
        assert film.line.state_after(number) == states[number]
        assert film.moment(number) == shelf.film(FILE).moment(number)
    assert presenter.present(states[0]) != presenter.present(states[-1])
    with Journal.open(tmp_path / FILE, check=read_game) as journal:
        resumed = Referee(registry.lookup(name), journal)
        assert resumed.state == states[-1]


@pytest.mark.parametrize("name", [name for name in registry.NAMES if registry.has_pieces(name)])
def test_a_game_that_is_over_is_counted(tmp_path: Path, name: str) -> None:
    """Statistics have a row for the game and its players, with who won."""
    states = keep_game(tmp_path, name, 1000)
    result = registry.lookup(name).result(states[-1])
    shelf = shelf_of(tmp_path)
    (past,) = shelf.library.games()
    told = statistics([past])
    assert result is not None
    assert (past.is_over, past.winners) == (True, tuple(result["winners"]))
    assert not shelf.can_go_on(past)
    assert (1, 0) == (told.finished, told.unfinished)
    assert [(name, 1)] == [(row.game, row.games) for row in told.editions]
    assert {row.player: row.wins for row in told.players} == {
        player: int(player in result["winners"]) for player in past.players
    }
