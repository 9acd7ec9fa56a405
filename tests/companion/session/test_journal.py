"""The journal: what was appended is there, what is odd is refused and left as it was."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import JournalError, MalformedError
from companion.game import Json
from companion.session.journal import KINDS, VERSION, Journal, Kept
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_play import HEADER

Written: TypeAlias = tuple[str, Json, bytes | None]
ROOT = Path(__file__).parents[3]
bodies = st.dictionaries(
    st.text(max_size=3),
    st.none() | st.integers(-(2**63) + 1, 2**63 - 1) | st.text() | st.lists(st.booleans()),
)
written = st.lists(st.tuples(st.sampled_from(KINDS), bodies, st.none() | st.binary(max_size=50)), max_size=12)


def filled(path: Path, count: int = 12) -> list[tuple[str, int]]:
    """Make a journal of `count` entries at the path and return what it holds."""
    with Journal.create(path, HEADER) as journal:
        for number in range(count):
            journal.append("action", {"n": number, "text": "x" * 300})
        return [(entry.kind, entry.body["n"]) for entry in journal.entries()]


def refused(path: Path) -> str:
    """Check that opening the file fails and leaves it and its neighbours as they were; return the words."""
    before = {other.name: other.read_bytes() for other in path.parent.iterdir() if other.is_file()}
    with pytest.raises(JournalError) as caught:
        Journal.open(path)

    assert before == {other.name: other.read_bytes() for other in path.parent.iterdir() if other.is_file()}
    return str(caught.value)


@given(first=written, second=written)
def test_what_was_appended_is_there(
    tmp_path_factory: pytest.TempPathFactory, first: list[Written], second: list[Written]
) -> None:
    """Entries come back as they were, in order, numbered from 1, also over two openings."""
    path = tmp_path_factory.mktemp("journal") / "game.moontable"
    ticks = iter(range(100))
    with Journal.create(path, HEADER, clock=lambda: next(ticks)) as journal:
        for kind, body, data in first:
            journal.append(kind, body, data)
    with Journal.open(path, clock=lambda: next(ticks)) as journal:
        for kind, body, data in second:
            journal.append(kind, body, data)
    with Journal.open(path) as journal:
        entries = list(journal.entries())

        assert journal.header == HEADER
        assert first + second == [(entry.kind, entry.body, entry.data) for entry in entries]
        assert list(range(1, len(entries) + 1)) == [entry.number for entry in entries]
        assert [float(tick) for tick in range(len(entries))] == [entry.at_s for entry in entries]


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    """Creating over any file is refused."""
    path = tmp_path / "game"
    path.write_text("my notes")
    with pytest.raises(JournalError, match="already exists"):
        Journal.create(path, HEADER)

    assert path.read_text() == "my notes"
    assert [path] == list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A journal in a missing folder cannot be created, in words."""
    with pytest.raises(JournalError, match="cannot be created"):
        Journal.create(tmp_path / "nowhere" / "game", HEADER)


def test_entries_never_change(tmp_path: Path) -> None:
    """The file itself refuses updates and deletions, whoever tries."""
    filled(tmp_path / "game")
    connection = sqlite3.connect(tmp_path / "game")
    for statement in ("UPDATE entries SET json = '{}'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00", os.urandom(5000)])
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    """A file that is no journal is left byte for byte as it was."""
    path = tmp_path / "game"
    path.write_bytes(content)

    assert "not a Moontable journal" in refused(path)


def test_foreign_databases_are_refused(tmp_path: Path) -> None:
    """Another program's database is not ours, nor is a folder, nor nothing."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE entries (a); PRAGMA user_version = 1;")
    connection.close()

    assert "not a Moontable journal" in refused(path)
    assert "not a file" in refused(tmp_path)
    assert "no journal" in refused(tmp_path / "missing")


@pytest.mark.parametrize(
    ("version", "words"), [(VERSION + 1, "newer Moontable"), (99, "newer Moontable"), (0, "damaged")]
)
def test_other_versions_are_refused(tmp_path: Path, version: int, words: str) -> None:
    """A journal of a newer version is refused in words, an impossible one as damaged."""
    path = tmp_path / "game"
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()

    assert words in refused(path)


@pytest.mark.parametrize("seed", range(40))
def test_cut_files_are_refused(tmp_path: Path, seed: int) -> None:
    """A journal cut anywhere, also between two pages, is refused and left untouched."""
    path = tmp_path / "game"
    filled(path)
    whole = path.read_bytes()
    rng = random.Random(seed)
    cut = rng.choice([rng.randrange(len(whole)), 4096 * rng.randrange(len(whole) // 4096)])
    path.write_bytes(whole[:cut])

    refused(path)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_bytes_are_found_or_harmless(tmp_path: Path, seed: int) -> None:
    """A changed byte is refused, or lies where nothing is written and changes nothing."""
    path = tmp_path / "game"
    held = filled(path)
    whole = bytearray(path.read_bytes())
    whole[random.Random(seed).randrange(len(whole))] ^= 0x15
    path.write_bytes(whole)
    try:
        with Journal.open(path) as journal:
            found = [(entry.kind, entry.body["n"]) for entry in journal.entries()]
    except JournalError:
        assert bytes(whole) == path.read_bytes()
    else:
        assert held == found


def test_a_mended_entry_is_found_out(tmp_path: Path) -> None:
    """Whoever goes round the triggers breaks the seals."""
    path = tmp_path / "game"
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER entries_stay")
    connection.execute("UPDATE entries SET json = '{\"n\": 7}' WHERE number = 3")
    connection.commit()
    connection.close()

    assert "entry 3" in refused(path)


def test_a_second_opening_is_refused(tmp_path: Path) -> None:
    """A journal is open once, in this process and in all others, until it is closed."""
    path = tmp_path / "game"
    with Journal.create(path, HEADER) as journal:
        with pytest.raises(JournalError, match="already open"):
            Journal.open(path)
        assert "in use" in _opened_elsewhere(path)
        journal.append("action", {"n": 1})
        assert "in use" in _opened_elsewhere(path)

    assert "opened" in _opened_elsewhere(path)


def test_the_disk_is_waited_for(tmp_path: Path) -> None:
    """In the product (the tests are hasty) an entry and its seal are on the disk before `append` returns."""
    code = (
        "import os, sys; from unittest.mock import patch; from companion.session.journal import *\n"
        "with Journal.create(sys.argv[1], {}) as journal, patch.object(os, 'fsync') as waits:\n"
        "    journal.append('action', {})\n"
        "    print(journal._connection.execute('PRAGMA synchronous').fetchone(), waits.call_count)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "game")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert said == "(2,) 1\n"


def _opened_elsewhere(path: Path) -> str:
    code = (
        "import sys; from companion.session.journal import *; from companion.errors import JournalError\n"
        "try: Journal.open(sys.argv[1]); print('opened')\nexcept JournalError as error: print(error)"
    )
    return subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_a_log_left_by_a_crash_is_used(tmp_path: Path) -> None:
    """What a killed process had appended is there, though it lies in the log only."""
    path = tmp_path / "game"
    code = (
        "import os, signal, sys; from companion.session.journal import *\n"
        "journal = Journal.create(sys.argv[1], {})\n"
        "for number in range(20): journal.append('action', {'n': number})\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, check=False)

    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / "game-wal").exists()
    with Journal.open(path) as journal:
        assert list(range(20)) == [entry.body["n"] for entry in journal.entries()]


def _fill(journal: Journal) -> None:
    for number in range(1, 100):
        journal.append("action", {"n": number, "text": "x" * 500})


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are a matter of POSIX")
def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """Where the disk takes no more, the entry is refused in words and the others stay."""
    path = tmp_path / "game"
    journal = Journal.create(path, HEADER)
    journal.append("action", {"n": 0})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(JournalError, match="cannot be written"):
            _fill(journal)
        held = len(journal)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, old)
    journal.append("action", {"n": held})
    journal.close()
    with Journal.open(path) as again:
        assert list(range(held + 1)) == [entry.body["n"] for entry in again.entries()]
    assert all("moved from log=no" in said for said in logged_warnings.take())


def test_a_database_that_is_full_is_called_full(tmp_path: Path) -> None:
    """SQLite's own word for a full disk becomes ours."""
    with Journal.create(tmp_path / "game", HEADER) as journal:
        journal._connection.execute("PRAGMA max_page_count = 5")
        with pytest.raises(JournalError, match="the disk is full"):
            journal.append("evidence", {}, b"x" * 100_000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write read-only files")
def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    """A file that cannot be written is refused in words."""
    path = tmp_path / "game"
    filled(path)
    path.chmod(0o400)

    assert "read-only" in refused(path)


def test_a_read_only_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system says that nothing may be written, the journal is refused in words."""
    path = tmp_path / "game"
    filled(path)
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert "read-only" in refused(path)


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    """Only known kinds of entries are written."""
    with Journal.create(tmp_path / "game", HEADER) as journal, pytest.raises(JournalError, match="kind"):
        journal.append("gossip", {})


def test_a_copy_is_a_journal(tmp_path: Path) -> None:
    """A closed journal is one file, which can be copied and opened anywhere."""
    held = filled(tmp_path / "game")
    shutil.copy(tmp_path / "game", tmp_path / "copy")
    with Journal.open(tmp_path / "copy") as journal:
        assert held == [(entry.kind, entry.body["n"]) for entry in journal.entries()]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE entries RENAME TO old; CREATE VIEW entries AS SELECT * FROM old",
        "ALTER TABLE header RENAME TO old",
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM header; END",
        "DROP TRIGGER entries_stay; UPDATE entries SET at_s = 'late'",
        "DROP TRIGGER entries_stay; UPDATE entries SET data = 'text'",
        "DROP TRIGGER entries_stay; UPDATE entries SET json = x'7b7d'",
        "UPDATE header SET json = x'7b7d'",
    ],
)
def test_what_only_looks_like_a_journal_is_refused(tmp_path: Path, change: str) -> None:
    """Views for tables, foreign triggers, columns of another type: refused, and left as they are."""
    path = tmp_path / "game.moontable"
    with Journal.create(path, HEADER) as journal:
        journal.append("action", {"a": 1})
    connection = sqlite3.connect(path)
    connection.executescript(f"PRAGMA journal_mode = DELETE; {change}")
    connection.close()

    assert "damaged" in refused(path)


def test_a_journal_is_looked_at_without_a_trace(tmp_path: Path) -> None:
    """What is asked of it comes back; a check that raises keeps it closed and as it was."""
    path = tmp_path / "game.moontable"
    with Journal.create(path, HEADER) as journal:
        journal.append("action", {"a": 1})
        with pytest.raises(JournalError, match="already open"):
            Journal.look(path, lambda kept: kept.header)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}

    def check(kept: Kept) -> None:
        raise MalformedError(f"{len(list(kept.entries()))} entries")

    assert [{"a": 1}] == Journal.look(path, lambda kept: [entry.body for entry in kept.entries()])
    with pytest.raises(MalformedError, match="1 entries"):
        Journal.open(path, check=check)
    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}
