"""The list of past games, deleting with undo, and statistics."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.people.seating import write_seats
from companion.session.journal import Journal, Kept
from companion.session.library import BIN, KEPT_DELETED_S, Library, PastGame, statistics
from companion.session.referee import Referee
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_game import GAME
from tests.helpers.toy_play import HEADER, lookup, played


def keep_game(folder: Path, name: str, seed: int, length: int = 100) -> Path:
    """Write the journal of a random game; a whole one unless cut to a length."""
    file = folder / f"{name}.moontable"
    clock = iter(range(1000, 100_000, 60))
    with Journal.create(file, HEADER, clock=lambda: float(next(clock))) as journal:
        referee = Referee(GAME, journal)
        for action in played(seed, length)[0]:
            referee.enter(action)
    return file


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library of a finished game, an unfinished one and a file that is no journal."""
    keep_game(tmp_path, "2026-01-01", seed=1)
    keep_game(tmp_path, "2026-01-02", seed=2, length=3)
    (tmp_path / "2026-01-03.moontable").write_text("not a game")
    return Library(tmp_path, lookup=lookup)


def test_games_are_listed_newest_first(library: Library) -> None:
    """Each with players, length and outcome; a broken file says why."""
    broken, running, over = library.games()
    actions, states = played(1)
    result = GAME.result(states[-1])
    assert result is not None

    assert "not a Moontable journal" in broken.trouble
    assert (False, 3, ("ann", "ben")) == (running.is_over, running.actions, running.players)
    assert (tuple(result["winners"]), len(actions)) == (over.winners, over.actions)
    assert (len(actions) - 1) * 60 == over.ended_s - over.began_s


def test_what_was_read_once_is_not_read_again(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second list comes from the kept summaries, but for the broken file."""
    first = library.games()
    opened: list[Path] = []
    really_look = Journal.look

    def watched_look(path: Path, use: Callable[[Kept], PastGame]) -> PastGame:
        opened.append(path)
        return really_look(path, use)

    monkeypatch.setattr(Journal, "look", watched_look)

    assert first == library.games()
    assert ["2026-01-03.moontable"] == [path.name for path in opened]


@pytest.mark.parametrize(
    "kept", ["", "{", "[]", '{"a": 1}', '{"2026-01-01.moontable": ["0 0", {"name": 1}]}']
)
def test_torn_summaries_are_made_anew(library: Library, kept: str, logged_warnings: WarningCollector) -> None:
    """A summary file that is damaged or of another version costs nothing but time, and is told in the log."""
    first = library.games()
    (library.folder / ".summaries.json").write_text(kept)

    assert first == library.games()
    assert ["summaries read=no"] == [line[:17] for line in logged_warnings.take()]


def test_one_bad_file_hides_no_other(library: Library) -> None:
    """Whatever lies in the folder under a game's ending is listed with its trouble, the games as they are."""
    sound = [game for game in library.games() if not game.trouble]
    whole = (library.folder / "2026-01-01.moontable").read_bytes()
    (library.folder / "a.moontable").mkdir()
    os.mkfifo(library.folder / "b.moontable")
    (library.folder / "c.moontable").symlink_to("nowhere")
    (library.folder / "d.moontable").write_bytes(b"")
    (library.folder / "e.moontable").write_bytes(whole[:-1])
    # A name in SQLite's list of tables that is no text: its own message about it is none either.
    (library.folder / "f.moontable").write_bytes(whole.replace(b"TABLE entries", b"TABLE entr\xacs "))
    games = library.games()

    assert sound == [game for game in games if not game.trouble]
    bad = {game.name: game.trouble for game in games if game.name < "2026" or game.name > "2027"}
    assert [f"{letter}.moontable" for letter in "fedcba"] == list(bad)
    assert all(0 < len(trouble) <= 300 for trouble in bad.values())


def test_looking_at_games_changes_none(library: Library) -> None:
    """Listing and reading leave every journal byte for byte as it was."""
    before = {file: file.read_bytes() for file in library.folder.glob("*.moontable*")}
    library.games()
    library.read("2026-01-02.moontable")

    assert before == {file: file.read_bytes() for file in library.folder.glob("*.moontable*")}


def test_a_game_that_went_on_is_read_again(library: Library) -> None:
    """New actions show in the list."""
    library.games()
    with Journal.open(library.folder / "2026-01-02.moontable") as journal:
        referee = Referee(GAME, journal)
        referee.enter(next(iter(GAME.legal_actions(referee.state))))

    assert 4 == library.games()[1].actions


def test_a_game_can_be_read(library: Library) -> None:
    """Its game and its line come back."""
    game, line = library.read("2026-01-01.moontable")

    assert (GAME, tuple(played(1)[0])) == (game, line.actions)
    with pytest.raises(JournalError):
        library.read("2026-01-03.moontable")


def test_deleting_is_undone(library: Library) -> None:
    """A deleted game leaves the list and comes back whole, the last one first."""
    before = library.games()
    library.delete("2026-01-01.moontable")
    library.delete("2026-01-02.moontable")
    assert 1 == len(library.games())

    assert "2026-01-02.moontable" == library.bring_back()
    assert "2026-01-01.moontable" == library.bring_back()
    assert not library.can_bring_back
    assert [game.name for game in before] == [game.name for game in library.games()]


def test_deleted_games_are_forgotten_after_a_month(library: Library) -> None:
    """Only what was deleted longer ago than a month is removed for good."""
    library.delete("2026-01-01.moontable")
    library.delete("2026-01-02.moontable")
    old = library.folder / BIN / "2026-01-01.moontable"
    os.utime(old, (0, old.stat().st_mtime - KEPT_DELETED_S - 60))

    assert 1 == library.forget_deleted()
    assert not old.exists()
    assert (library.folder / BIN / "2026-01-02.moontable").exists()


def test_statistics_count_finished_games() -> None:
    """Wins a player, lengths an edition; who shares a victory has won."""

    def game(name: str, turns: int, winners: tuple[str, ...] | None) -> PastGame:
        return PastGame(
            name=name,
            game="g",
            edition="e",
            players=("ann", "ben"),
            ended_s=600.0,
            turns=turns,
            winners=winners,
        )

    told = statistics(
        [
            game("1", 10, ("ann",)),
            game("2", 20, ("ann", "ben")),
            game("3", 30, ()),
            game("4", 5, None),
            PastGame(name="5", trouble="torn"),
        ]
    )

    assert (3, 1) == (told.finished, told.unfinished)
    assert [("ann", 3, 2), ("ben", 3, 1)] == [(row.player, row.games, row.wins) for row in told.players]
    (row,) = told.editions
    assert (3, 20.0, 10, 30, 10.0, 2) == (
        row.games,
        row.turns,
        row.shortest,
        row.longest,
        row.minutes,
        row.first_wins,
    )


def test_statistics_count_people_across_games() -> None:
    """By person, whatever the colour and the game; whoever is not on the list counts by colour."""

    def game(name: str, kind: str, people: tuple[str, str], winner: str) -> PastGame:
        return PastGame(name=name, game=kind, players=("red", "blue"), people=people, winners=(winner,))

    told = statistics(
        [
            game("1", "moon", ("a", "b"), "red"),
            game("2", "moon", ("b", "a"), "blue"),
            game("3", "luna", ("a", "gone"), "blue"),
            game("4", "luna", ("", "a"), "blue"),
        ],
        known={"a", "b"},
    )

    assert [("a", 4, 3), ("", 1, 1), ("b", 2, 0), ("", 1, 0)] == [
        (row.person, row.games, row.wins) for row in told.players
    ]
    assert [("luna", 2, 1), ("moon", 2, 2)] == [
        (each.game, each.games, each.wins) for each in told.players[0].by_game
    ]
    assert ["blue", "red"] == [row.player for row in told.players if not row.person]


def test_a_game_knows_its_people(library: Library) -> None:
    """Also after it was read once; without the file beside it, nobody is known."""
    over = library.games()[2]
    assert ("", "") == over.people
    write_seats(library.folder / over.name, {"ben": "b1"})

    assert ("", "b1") == library.games()[2].people
    assert {"ben": "b1"} == library.seats(over.name)


def test_statistics_of_nothing() -> None:
    """No games, no rows."""
    told = statistics([])

    assert (0, 0, (), ()) == (told.finished, told.unfinished, told.players, told.editions)


def test_a_damaged_game_says_what_is_left_and_can_be_salvaged(library: Library) -> None:
    """It is listed with the others, by what can be read of it; salvaged it is a game like them."""
    file = library.folder / "2026-01-02.moontable"
    early = file.read_bytes()
    library.games()
    with Journal.open(file) as journal:
        referee = Referee(GAME, journal)
        referee.enter(next(iter(GAME.legal_actions(referee.state))))
    file.write_bytes(early)
    damaged = library.games()[1]

    assert damaged.left == "3 of 4 actions can be read"
    assert damaged.trouble.endswith(damaged.left)
    assert statistics(library.games()).unfinished == 0
    with pytest.raises(JournalError):
        library.read(file.name)
    assert library.salvage(file.name).name == "2026-01-02.moontable.damaged"
    assert (library.games()[1].left, library.games()[1].actions) == ("", 3)
    assert len(library.games()) == 3


def test_a_deleted_game_takes_along_what_lies_beside_it(library: Library) -> None:
    """Its seals are put aside, brought back and removed with it."""
    library.games()
    beside = library.folder / "2026-01-02.moontable-seals"
    assert beside.exists()
    library.delete("2026-01-02.moontable")
    assert not beside.exists()
    library.bring_back()
    assert beside.exists()
    library.delete("2026-01-02.moontable")
    os.utime(library.folder / BIN / "2026-01-02.moontable", (0, 0))
    library.forget_deleted()

    assert list((library.folder / BIN).iterdir()) == []
