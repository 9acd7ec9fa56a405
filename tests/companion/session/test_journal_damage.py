"""Whatever happens to a journal's files: all that was accepted is there, or it is said what is missing."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import DamagedJournalError, JournalError
from companion.session.journal import Journal
from companion.session.seals import read_seals, seals_file
from tests.helpers.journal_damage import (
    LOG,
    NAME,
    SEALS,
    Damage,
    Files,
    Harm,
    Outcome,
    Stage,
    body,
    tried,
    written,
)
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_play import HEADER

_FEW, _MANY = 4, 14
_GOOD = {Outcome.WHOLE, Outcome.TOLD_SHORT, Outcome.REFUSED}

damages = st.builds(
    Damage,
    harm=st.sampled_from(Harm),
    file=st.sampled_from((NAME, LOG, SEALS)),
    at=st.integers(0, 2**20),
    by=st.integers(1, 255),
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[Stage, int], Files]:
    """A game at every stage, early and late."""
    return {
        (stage, count): written(tmp_path_factory.mktemp("game"), stage, count)
        for stage in Stage
        for count in (_FEW, _MANY)
    }


@pytest.mark.parametrize("stage", Stage)
@given(damage=damages)
def test_any_damage_to_one_file_is_told_or_harmless(
    games: Mapping[tuple[Stage, int], Files], stage: Stage, damage: Damage
) -> None:
    """One file damaged anywhere, gone or older than the others: nothing accepted vanishes without a word.

    What is refused is not touched; what is salvaged holds what was told, and the damaged files are kept.
    """
    game = games[stage, _MANY]
    with tempfile.TemporaryDirectory() as folder:
        after = damage.done_to(game.packed, games[stage, _FEW].packed)

        assert tried(Path(folder), after, game.accepted) in _GOOD


@pytest.mark.parametrize("stage", [stage for stage in Stage if stage is not Stage.NEVER_MOVED])
@given(damage=damages)
def test_after_a_crash_the_file_alone_is_the_whole_game(
    games: Mapping[tuple[Stage, int], Files], stage: Stage, damage: Damage
) -> None:
    """What an entry was accepted for is in the file itself: the log and the seals may be damaged, or gone."""
    game = games[stage, _MANY]
    with tempfile.TemporaryDirectory() as folder:
        alone = {NAME: game.packed[NAME]}
        assert tried(Path(folder), alone, game.accepted) is Outcome.WHOLE
    for other in (LOG, SEALS):
        if damage.file in (LOG, SEALS) and damage.harm is not Harm.OLDER:
            with tempfile.TemporaryDirectory() as folder:
                less = {name: packed for name, packed in game.packed.items() if name != other}
                assert tried(Path(folder), damage.done_to(less, {}), game.accepted) is Outcome.WHOLE


@given(first=damages, second=damages)
def test_two_damages_never_invent_anything(
    games: Mapping[tuple[Stage, int], Files], first: Damage, second: Damage
) -> None:
    """Two damages at once may hide the end from all files, but never give other entries or a traceback."""
    game, earlier = games[Stage.KILLED, _MANY], games[Stage.KILLED, _FEW].packed
    with tempfile.TemporaryDirectory() as folder:
        after = second.done_to(first.done_to(game.packed, earlier), earlier)

        assert tried(Path(folder), after, game.accepted) in {*_GOOD, Outcome.SILENTLY_SHORT}


def _short(folder: Path, kinds: str) -> DamagedJournalError:
    """Write entries (a = action, n = something noted), lose all after "|", and return what is said."""
    path = folder / NAME
    journal = Journal.create(path, HEADER)
    for kind in kinds:
        if kind == "|":
            saved = path.read_bytes()
        else:
            journal.append("action" if kind == "a" else "confirm", {"actions": [1, 2]} if kind == "a" else {})
    journal.close()
    path.write_bytes(saved)
    with pytest.raises(DamagedJournalError) as caught:
        Journal.open(path)
    return caught.value


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    """Actions are counted, entries may bring several; what is no action is missed as well."""
    error = _short(tmp_path, "anaa|naa")

    assert (error.read, error.written, error.left) == (6, 10, "6 of 10 actions can be read")
    assert "is damaged (its end is missing): 6 of 10 actions can be read" in str(error)


def test_missing_notes_are_said(tmp_path: Path) -> None:
    """An undo or a picture that is gone is a loss, too."""
    error = _short(tmp_path, "an|n")

    assert error.left == "every action can be read, but not the notes after the last one"


def test_without_its_seals_a_damaged_file_does_not_know_its_length(
    games: Mapping[tuple[Stage, int], Files], tmp_path: Path
) -> None:
    """Where the only other count is gone, that is said."""
    whole = games[Stage.CLOSED, _MANY].packed[NAME]
    (tmp_path / NAME).write_bytes(whole[:-4096])
    with pytest.raises(DamagedJournalError, match="the total is unknown") as caught:
        Journal.open(tmp_path / NAME)

    assert caught.value.written is None


def test_a_salvaged_game_goes_on(tmp_path: Path) -> None:
    """After salvaging, what is left is a game like any other, and its seals are its own."""
    _short(tmp_path, "aaa|aa")
    kept = Journal.salvage(tmp_path / NAME)
    with Journal.open(tmp_path / NAME) as journal:
        journal.append("action", body(3))

    assert kept == tmp_path / f"{NAME}.damaged"
    assert len(read_seals(kept)) == 6
    with Journal.open(tmp_path / NAME) as journal:
        assert len(journal) == 4
    assert len(read_seals(tmp_path / NAME)) == 5


def test_salvaging_twice_keeps_both(tmp_path: Path) -> None:
    """No damaged file is ever written over."""
    _short(tmp_path, "aa|a")
    first = Journal.salvage(tmp_path / NAME)
    second = Journal.salvage(tmp_path / NAME)

    assert first.exists()
    assert second.name == f"{NAME}.damaged-2"


def test_a_journal_in_use_is_not_called_damaged(tmp_path: Path) -> None:
    """While it is open here or elsewhere nothing is said about its state, nor salvaged."""
    with Journal.create(tmp_path / NAME, HEADER), pytest.raises(JournalError, match="already open"):
        Journal.salvage(tmp_path / NAME)


@pytest.mark.parametrize("is_log_full", [True, False])
def test_journals_of_before_have_no_seals(tmp_path: Path, *, is_log_full: bool) -> None:
    """An older Moontable's journal loads, with or without a full log, and has seals from then on."""
    stage = Stage.NEVER_MOVED if is_log_full else Stage.CLOSED
    packed = dict(written(tmp_path, stage, _FEW).packed)
    del packed[SEALS]
    seals_file(tmp_path / NAME).unlink()

    assert tried(tmp_path, packed, _FEW) is Outcome.WHOLE
    assert len(read_seals(tmp_path / NAME)) == _FEW + 1


def test_seals_of_another_game_say_nothing(games: Mapping[tuple[Stage, int], Files], tmp_path: Path) -> None:
    """A shorter game copied over a longer one is not called damaged, though both were set up alike."""
    path = tmp_path / NAME
    with Journal.create(path, HEADER) as journal:
        for number in range(_FEW):
            journal.append("action", body(number))
    seals_file(path).write_bytes(games[Stage.CLOSED, _MANY].packed[SEALS])
    with Journal.open(path) as journal:
        assert len(journal) == _FEW
    assert len(read_seals(path)) == _FEW + 1


def test_foreign_bytes_for_seals_say_nothing(tmp_path: Path) -> None:
    """A file of that name that is none of ours neither stops nor frightens anybody."""
    packed = dict(written(tmp_path, Stage.CLOSED, _FEW).packed)

    assert tried(tmp_path, {**packed, SEALS: bytes(range(256)) * 20}, _FEW) is Outcome.WHOLE


def test_no_new_game_begins_where_one_has_vanished(tmp_path: Path) -> None:
    """A journal of which only the seals or the log are left was a game: it is asked for."""
    written(tmp_path, Stage.CLOSED, _FEW)
    (tmp_path / NAME).unlink()
    with pytest.raises(JournalError, match=r"is gone, but game\.moontable-seals is still there"):
        Journal.create(tmp_path / NAME, HEADER)
    seals_file(tmp_path / NAME).unlink()
    (tmp_path / LOG).write_bytes(b"anything")
    with pytest.raises(JournalError, match=r"is gone, but game\.moontable-wal is still there"):
        Journal.create(tmp_path / NAME, HEADER)


def test_where_seals_cannot_be_kept_the_game_goes_on(
    tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """The second place is a precaution: a disk that refuses it stops nobody."""
    with (
        patch("companion.session.seals.written_whole", side_effect=OSError("no room")),
        Journal.create(tmp_path / NAME, HEADER) as journal,
    ):
        journal.append("action", body(0))
    with Journal.open(tmp_path / NAME) as journal:
        assert len(journal) == 1
    assert len(logged_warnings.take()) == 2
