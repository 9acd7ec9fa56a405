"""The file of people, and the seats beside the games."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest

from companion.errors import MalformedError
from companion.games import registry
from companion.people.seating import read_seats, seated_games, seats_file, write_seats
from companion.people.store import PeopleStore
from companion.session.journal import Journal
from companion.session.library import Library
from tests.helpers.logfail import WarningCollector


@pytest.fixture
def store(tmp_path: Path) -> PeopleStore:
    ids, times = itertools.count(1), itertools.count(100)
    return PeopleStore(
        tmp_path / "own" / "people.json",
        clock=lambda: float(next(times)),
        new_id=lambda: f"id{next(ids)}",
    )


def _game(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.moontable"
    Journal.create(file, registry.lookup("nova_luna").deal(random.Random(1), {})).close()
    return file


def test_nobody_is_remembered_at_first(store: PeopleStore) -> None:
    """There is no file, and reading makes none."""
    assert () == store.read().people
    assert not store.file.exists()


def test_names_of_a_game(store: PeopleStore, tmp_path: Path) -> None:
    """A game knows its people by id; their names, and new names, come from the list."""
    ada, ben = store.add("Ada", "red"), store.named("Ben")
    game = _game(tmp_path / "games", "one")
    store.seat(game, {"red": ada.id, "blue": ben.id})

    assert {"red": "Ada", "blue": "Ben"} == store.called(game)
    assert ben.id == store.named("ben").id
    assert ["Ben", "Ada"] == [one.name for one in store.read().recent()]
    assert "Ada" not in seats_file(game).read_text("utf-8")
    store.rename(ada.id, "Ada L.")
    assert {"red": "Ada L.", "blue": "Ben"} == store.called(game)


def test_a_deleted_person_is_gone_from_every_game(store: PeopleStore, tmp_path: Path) -> None:
    """From the list, from kept games and from deleted ones; the others stay."""
    ada, ben = store.add("Ada"), store.add("Ben")
    games = tmp_path / "games"
    one, two = _game(games, "one"), _game(games, "two")
    for game in (one, two):
        store.seat(game, {"red": ada.id, "blue": ben.id})
    library = Library(games)
    library.delete(two.name)
    store.delete(ada.id, games)

    assert {"blue": "Ben"} == store.called(one)
    kept = b"".join(file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file())
    assert b"Ada" not in kept
    assert ada.id.encode() not in kept
    library.bring_back()
    assert {"blue": "Ben"} == store.called(two)


def test_seats_go_with_their_game(store: PeopleStore, tmp_path: Path) -> None:
    """Into the bin, back, and away for good; a game that is gone leaves nobody to the next of its name."""
    ada = store.add("Ada")
    games = tmp_path / "games"
    game = _game(games, "one")
    store.seat(game, {"red": ada.id})
    late = Library(games, clock=lambda: game.stat().st_mtime + 1e9 if game.exists() else 1e12)
    late.delete(game.name)

    assert not seats_file(game).exists()
    assert 1 == late.forget_deleted()
    assert [] == list(games.rglob("*-people"))
    write_seats(game, {"red": ada.id})
    assert {} == read_seats(_game(games, "one"))


def test_one_person_has_one_seat(store: PeopleStore, tmp_path: Path) -> None:
    """Else nobody could tell who is meant."""
    ada = store.add("Ada")
    game = _game(tmp_path / "games", "one")

    with pytest.raises(MalformedError, match="two seats"):
        store.seat(game, {"red": ada.id, "blue": ada.id})
    assert {} == store.called(game)


@pytest.mark.parametrize("content", ["", "[]", '{"format": "moontable-people/9", "people": []}', '{"a": 1}'])
def test_a_file_that_cannot_be_read_is_kept(store: PeopleStore, content: str) -> None:
    """It is refused, and nothing is written over it."""
    store.file.parent.mkdir()
    store.file.write_text(content, "utf-8")

    with pytest.raises(MalformedError):
        store.add("Ada")
    assert content == store.file.read_text("utf-8")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"format": "moontable-seats/2", "seats": {}}',
        '{"format": "moontable-seats/1", "seats": {"red": 1}}',
        '{"format": "moontable-seats/1", "seats": {"red": "a", "blue": "a"}}',
    ],
)
def test_seats_that_cannot_be_read_are_nobodys(
    store: PeopleStore, tmp_path: Path, content: str, logged_warnings: WarningCollector
) -> None:
    """The game goes on with colours."""
    game = _game(tmp_path / "games", "one")
    seats_file(game).write_text(content, "utf-8")

    assert {} == store.called(game)
    assert [] == list(seated_games(tmp_path / "games"))
    assert all(line.startswith("seats read=no") for line in logged_warnings.take())


def test_everything_about_people_can_be_taken_away(store: PeopleStore, tmp_path: Path) -> None:
    """As JSON: names, colours, when they played, and which games."""
    ada = store.add("Ada")
    game = _game(tmp_path / "games", "one")
    store.seat(game, {"red": ada.id})
    told = json.loads(json.dumps(store.export(tmp_path / "games")))

    assert "moontable-people-export/1" == told["format"]
    (person,) = told["people"]
    assert ("Ada", ["red"], 100.0) == (person["name"], person["colours"], person["played_s"])
    assert [{"file": "one.moontable", "player": "red"}] == person["games"]
