"""``moontable people``: list, export, delete."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.people.seating import write_seats
from companion.people.store import PeopleStore
from ui import folders
from ui.app import main


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PeopleStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    store = PeopleStore(folders.people_file())
    store.add("Ada", "purple")
    store.add("Оля")
    return store


def test_everybody_is_listed(store: PeopleStore, capsys: pytest.CaptureFixture[str]) -> None:
    """For people and for programs."""
    assert 0 == main(["people", "list"])
    assert ["Ada (purple)", "Оля"] == capsys.readouterr().out.splitlines()

    assert 0 == main(["people", "list", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert ["Ada", "Оля"] == [person["name"] for person in told["people"]]
    store.file.unlink()
    main(["people", "list"])
    assert "Nobody is remembered here.\n" == capsys.readouterr().out


def test_everything_is_exported(store: PeopleStore, tmp_path: Path) -> None:
    """Which game somebody played in, too."""
    game = folders.games_folder() / "a.moontable"
    write_seats(game, {"red": store.by_name("ada").id})
    assert 0 == main(["people", "export", str(tmp_path / "out.json")])
    told = json.loads((tmp_path / "out.json").read_text("utf-8"))

    assert [{"file": "a.moontable", "player": "red"}] == told["people"][0]["games"]


def test_somebody_is_deleted(store: PeopleStore, capsys: pytest.CaptureFixture[str]) -> None:
    """From the games too; a name that nobody has is refused."""
    game = folders.games_folder() / "a.moontable"
    write_seats(game, {"red": store.by_name("Ada").id})

    assert 0 == main(["people", "delete", "ada"])
    assert {} == store.called(game)
    assert ["Оля"] == [person.name for person in store.read().people]
    assert 1 == main(["people", "delete", "ada"])
    assert "Nobody called ada" in capsys.readouterr().err
