"""Past games: the list, deleting with undo, replay with its slider, statistics, going on with one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from companion.errors import CompanionError
from companion.people.store import PeopleStore
from companion.session.journal import Journal
from companion.session.library import Library, statistics
from companion.session.referee import Referee
from tests.helpers.patience import WAIT_MS
from tests.helpers.toy_game import GAME
from tests.helpers.toy_play import HEADER, lookup, played
from tests.helpers.toy_session import ToyPresenter
from ui.controller.shelf import Shelf
from ui.dialogs.past_games import PastGames
from ui.dialogs.replay import Replay
from ui.settings import Settings
from ui.text import call, opening

OVER, RUNNING, BROKEN, PLAYING = (
    f"{name}.moontable" for name in ("1-over", "2-running", "3-broken", "4-now")
)


def keep_game(file: Path, seed: int, length: int) -> None:
    """Write the journal of a random game."""
    with Journal.create(file, HEADER) as journal:
        referee = Referee(GAME, journal)
        for action in played(seed, length)[0]:
            referee.enter(action)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A finished game, an unfinished one, a broken file and the game on the table."""
    keep_game(tmp_path / OVER, 1, 100)
    keep_game(tmp_path / RUNNING, 2, 3)
    (tmp_path / BROKEN).write_text("torn")
    keep_game(tmp_path / PLAYING, 3, 2)
    return Shelf(
        library=Library(tmp_path, lookup=lookup),
        presenters={GAME.name: ToyPresenter()},
        title=lambda game, edition: f"{game} {edition}".strip(),
        playing=PLAYING,
    )


@pytest.fixture
def dialog(qtbot: QtBot, shelf: Shelf) -> Iterator[PastGames]:
    """The open list, filled."""
    made = PastGames(shelf, Settings(is_still=True))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: bool(made.games), timeout=WAIT_MS)
    yield made
    made.close()


def choose(dialog: PastGames, name: str) -> None:
    """Select a game."""
    dialog.list.selectRow([game.name for game in dialog.games].index(name))


def words(dialog: PastGames, name: str) -> str:
    """Return a game's row."""
    row = [game.name for game in dialog.games].index(name)
    cells = [dialog.list.item(row, column) for column in range(dialog.list.columnCount())]
    return " | ".join(cell.text() for cell in cells if cell is not None)


def test_the_list_says_what_became_of_each_game(dialog: PastGames) -> None:
    """Finished with the winners, unfinished, on the table now, or broken and why."""
    assert "won" in words(dialog, OVER)
    assert "not finished" in words(dialog, RUNNING)
    assert "on the table now" in words(dialog, PLAYING)
    assert "not a Moontable journal" in words(dialog, BROKEN)


@pytest.mark.parametrize(
    ("name", "can"),
    [
        (OVER, (False, True, True)),
        (RUNNING, (True, True, True)),
        (BROKEN, (False, False, True)),
        (PLAYING, (False, False, False)),
    ],
)
def test_only_what_can_be_done_is_offered(dialog: PastGames, name: str, can: tuple[bool, ...]) -> None:
    """Going on, replay, delete: by what the game is."""
    choose(dialog, name)
    buttons = (dialog.resume_button, dialog.replay_button, dialog.delete_button)

    assert can == tuple(button.isEnabled() for button in buttons)


def test_going_on_tells_which(dialog: PastGames, qtbot: QtBot) -> None:
    """The button names the chosen game."""
    choose(dialog, RUNNING)
    with qtbot.waitSignal(dialog.resume_wanted, timeout=WAIT_MS) as told:
        qtbot.mouseClick(dialog.resume_button, Qt.MouseButton.LeftButton)

    assert [RUNNING] == told.args


def test_a_damaged_game_is_gone_on_with_only_when_that_is_wanted(
    dialog: PastGames, shelf: Shelf, qtbot: QtBot
) -> None:
    """What is left is said, and asked about; the button that answers names it, and makes it sound."""
    file = shelf.library.folder / RUNNING
    early = file.read_bytes()
    with Journal.open(file) as journal:
        referee = Referee(GAME, journal)
        referee.enter(next(iter(GAME.legal_actions(referee.state))))
    file.write_bytes(early)
    dialog.reload()
    qtbot.waitUntil(lambda: any(game.left for game in dialog.games), timeout=WAIT_MS)
    choose(dialog, OVER)
    assert "Continue" in dialog.resume_button.text()
    choose(dialog, RUNNING)

    assert "Damaged: 3 of 4 actions can be read" in words(dialog, RUNNING)
    assert "3 of 4 actions can be read. Continue from there?" in dialog.said.text()
    assert "Continue from there" in dialog.resume_button.text()
    assert not dialog.replay_button.isEnabled()
    with qtbot.waitSignal(dialog.resume_wanted, timeout=WAIT_MS) as told:
        qtbot.mouseClick(dialog.resume_button, Qt.MouseButton.LeftButton)
    assert [RUNNING] == told.args
    with Journal.open(file) as journal:
        assert len(journal) == 3
    choose(dialog, OVER)
    assert dialog.said.text() == ""


def test_deleting_is_taken_back_by_keyboard(dialog: PastGames, qtbot: QtBot) -> None:
    """Del puts the game aside, Ctrl+Z brings it back."""
    choose(dialog, OVER)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: OVER not in [game.name for game in dialog.games], timeout=WAIT_MS)
    assert dialog.undo_button.isEnabled()

    qtbot.keyClick(dialog.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: OVER in [game.name for game in dialog.games], timeout=WAIT_MS)
    assert not dialog.undo_button.isEnabled()


def test_a_replay_shows_every_moment(dialog: PastGames, qtbot: QtBot) -> None:
    """The slider goes from the set-up to the end; the table and the words follow."""
    choose(dialog, OVER)
    qtbot.mouseClick(dialog.replay_button, Qt.MouseButton.LeftButton)
    replay = dialog.replay
    assert replay is not None
    actions, states = played(1)
    assert (0, len(actions)) == (replay.slider.minimum(), replay.slider.maximum())

    for number in (0, 1, len(actions) // 2, len(actions)):
        replay.slider.setValue(number)
        assert ToyPresenter().present(states[number]) == replay.scene.view
    assert "wins" in replay.turn.text()
    assert f"{len(actions)} of {len(actions)}" == replay.count.text()
    replay.close()


def test_a_replay_plays_by_itself(dialog: PastGames, qtbot: QtBot) -> None:
    """Space starts it from the beginning, goes on to the end and stops there."""
    choose(dialog, RUNNING)
    dialog.open_replay()
    replay = dialog.replay
    assert replay is not None
    replay._timer.setInterval(1)
    replay.slider.setValue(3)
    replay.twin.setFocus()
    qtbot.keyClick(replay, Qt.Key.Key_Space)
    assert 0 == replay.slider.value()
    qtbot.waitUntil(lambda: replay.slider.value() == 3, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "Play" in replay.play_button.text(), timeout=WAIT_MS)
    replay.close()


def test_statistics_are_filled(dialog: PastGames) -> None:
    """Every player of a finished game has a row, and so has its edition."""
    assert 2 == dialog.players.rowCount()
    assert 1 == dialog.editions.rowCount()


def test_a_game_without_a_presenter_is_refused(shelf: Shelf) -> None:
    """A film needs somebody to draw it."""
    bare = Shelf(library=shelf.library, presenters={}, title=shelf.title)

    with pytest.raises(CompanionError):
        bare.film(OVER)


def test_people_go_by_their_names(shelf: Shelf, tmp_path: Path, qtbot: QtBot) -> None:
    """In the list, the statistics and the replay; where nobody is known, by colour as before."""
    store = PeopleStore(tmp_path / "people.json")
    first, second = HEADER["players"][:2]
    ada, ben = store.add("Ada"), store.add("Ben")
    store.seat(tmp_path / OVER, {first: ada.id, second: ben.id})
    named = PastGames(replace(shelf, store=store), Settings(is_still=True))
    qtbot.addWidget(named)
    named.show()
    qtbot.waitUntil(lambda: bool(named.games), timeout=WAIT_MS)

    assert "Ada, Ben" in words(named, OVER)
    assert "Ada" not in words(named, RUNNING)
    rows = [named._player_words(row) for row in statistics(named.games, {ada.id, ben.id}).players]
    assert {"Ada", "Ben"} == {row[0] for row in rows}
    name = opening(GAME.name)
    assert {f"{name}: 1 of 1", f"{name}: 0 of 1"} == {row[4] for row in rows}
    choose(named, OVER)
    named.open_replay()
    assert named.replay is not None
    assert "Ada" in named.replay.players.cards[first].accessibleName()
    named.close()


def test_a_replay_calls_its_own_players_by_name(qtbot: QtBot, shelf: Shelf) -> None:
    """Whatever the players of the game in the window are called."""
    film = shelf.film(OVER)
    players = [one.player for one in film.moment(0).players]
    call(dict.fromkeys(players, "Eve"))
    try:
        replay = Replay(replace(film, names=dict.fromkeys(players, "Ada")), Settings(is_still=True))
        qtbot.addWidget(replay)
        replay.slider.setValue(1)
        told = [replay.turn.text(), *(one.accessibleName() for one in replay.players.cards.values())]
    finally:
        call({})

    assert ["Ada" in one for one in told] == [True] * (len(players) + 1)
    assert not any("Eve" in one for one in told)
