"""The journal: one game in one file, append-only, and safe against a crash at any instant.

An entry that `append` has returned for is on the disk. Nothing is ever changed or deleted: taking back,
doing again and correcting are entries of their own, and the state of a game is always folded from them anew
(`companion.ledger`). Every entry carries a seal over itself and all before it, so that a file that was cut,
mended by hand or hit by a bad disk is found out before it is believed. Before a file is opened for writing it
is looked at without SQLite, or in a copy: what is refused stays byte for byte as it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from companion.errors import JournalError, MalformedError
from companion.games.game import Json
from companion.record import format_object, parse_object
from companion.words import msg

APPLICATION_ID = 0x4D6F6F6E  # "Moon"
VERSION = 1
KINDS = ("action", "undo", "redo", "correct", "confirm", "evidence")

_MAGIC = b"SQLite format 3\x00"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

# Files open in this process: reading one of them anew would drop the lock that the system holds for it.
_open_here: set[Path] = set()

_SCHEMA = f"""
PRAGMA journal_mode = WAL;
CREATE TABLE header (json TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN {KINDS}),
    json TEXT NOT NULL,
    at_s REAL NOT NULL,
    data BLOB,
    seal TEXT NOT NULL
);
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries never change'); END;
CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries never vanish'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal.

    Attributes:
        number: 1, 2, 3 ... without a gap.
        kind: one of `KINDS`.
        body: what it says.
        at_s: wall time of writing, seconds since 1970; for people, never for the game.
        data: a picture or other bytes kept with it.
    """

    number: int
    kind: str
    body: Json
    at_s: float
    data: bytes | None = None


class Journal:
    """One game's journal, open for appending and locked against every other process.

    Use it from one thread at a time. Everything raises JournalError where the file or the disk fails.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Callable[[], float]) -> None:
        """Wrap an open and examined file; call `create` or `open` instead."""
        self.path = path.resolve()
        self._connection = connection
        self._clock = clock
        self._header, self._seal = _read_header(connection)
        self._count = 0
        for entry, seal in _read_entries(connection, self._seal):
            self._count, self._seal = entry.number, seal
        _open_here.add(self.path)

    @classmethod
    def create(cls, path: Path | str, header: Json, *, clock: Callable[[], float] = time.time) -> Journal:
        """Begin a journal; the file must not exist yet."""
        path = Path(path)
        if path.exists():
            raise JournalError(msg("{path} exists already", path=path))
        with (
            _explained(path, msg("cannot be created")),
            tempfile.TemporaryDirectory(dir=path.parent, prefix=".moontable-") as folder,
        ):
            blank = Path(folder) / "journal"
            _write_blank(blank, header)
            _publish(blank, path)
            _sync_folder(path.parent)
        return cls.open(path, clock=clock)

    @classmethod
    def open(cls, path: Path | str, *, clock: Callable[[], float] = time.time) -> Journal:
        """Open a journal to go on with it."""
        path = Path(path)
        if path.resolve() in _open_here:
            raise JournalError(msg("{path} is open already", path=path))
        with _explained(path, msg("cannot be opened")):
            _examine(path)
            if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
                raise JournalError(
                    msg("{path} cannot be written: the file or its folder is read-only", path=path)
                )
            connection = _connect(path)
            try:
                return cls(path, connection, clock)
            except BaseException:
                connection.close()
                raise

    @property
    def header(self) -> Json:
        """Return the record header of the game."""
        return self._header

    def __len__(self) -> int:
        """Return the number of entries, which is the number of the last."""
        return self._count

    def append(self, kind: str, body: Json, data: bytes | None = None) -> Entry:
        """Write an entry and return it once it is on the disk."""
        if kind not in KINDS:
            raise JournalError(f"{kind!r} is not a kind of entry")
        entry = Entry(number=self._count + 1, kind=kind, body=body, at_s=float(self._clock()), data=data)
        text = format_object(body)
        seal = _sealed(self._seal, entry, text)
        with _explained(self.path, msg("cannot be written")):
            self._connection.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                (entry.number, kind, text, entry.at_s, data, seal),
            )
        self._count, self._seal = entry.number, seal
        return entry

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries with numbers above `after`, in order."""
        with _explained(self.path, msg("cannot be read")):
            rows = self._connection.execute(
                "SELECT number, kind, json, at_s, data FROM entries WHERE number > ? ORDER BY number",
                (after,),
            )
            for row in rows:
                yield _entry(*row)

    def close(self) -> None:
        """Put everything into the one file and release it; safe to call twice."""
        self._connection.close()
        _open_here.discard(self.path)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# -- opening ----------------------------------------------------------------------------------------


@contextmanager
def _explained(path: Path, trouble: str) -> Iterator[None]:
    """Turn the failures of SQLite and the disk into words."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _BUSY:
            raise JournalError(msg("{path} is in use by another Moontable", path=path)) from error
        if code == sqlite3.SQLITE_FULL:
            raise JournalError(
                msg("{path} {trouble}: the disk is full", path=path, trouble=trouble)
            ) from error
        raise JournalError(msg("{path} {trouble}: {why}", path=path, trouble=trouble, why=error)) from error
    except OSError as error:
        raise JournalError(
            msg("{path} {trouble}: {why}", path=path, trouble=trouble, why=error.strerror or error)
        ) from error


def _connect(path: Path, options: str = "mode=rw") -> sqlite3.Connection:
    """Open the database; for writing, with the lock that keeps every other process out until it is closed."""
    uri = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None, check_same_thread=False)
    if options != "mode=rw":
        return connection
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first entry
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _write_blank(path: Path, header: Json) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(_SCHEMA)
        text = format_object(header)
        connection.execute("INSERT INTO header VALUES (?, ?)", (text, _first_seal(text)))
    finally:
        connection.close()


def _publish(blank: Path, path: Path) -> None:
    """Let the finished file appear under its name, whole or not at all, and never over another file."""
    try:
        os.link(blank, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, a memory stick for example
        if path.exists():
            raise
        blank.rename(path)


def _sync_folder(folder: Path) -> None:
    """Make a new file's name last as long as the file; not every system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _examine(path: Path) -> None:
    """Raise JournalError unless the file is a whole journal of this version; touches nothing."""
    if not path.is_file():
        raise JournalError(f"{path} is not a file" if path.exists() else f"there is no journal {path}")
    with path.open("rb") as stream:
        head = stream.read(100)
    if head[:16] != _MAGIC or int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise JournalError(msg("{path} is not a Moontable journal", path=path))
    version = int.from_bytes(head[60:64], "big")
    if version > VERSION:
        raise JournalError(
            msg(
                "{path} was written by a newer Moontable (journal version {version})",
                path=path,
                version=version,
            )
        )
    if version != VERSION:
        raise JournalError(
            msg("{path} is damaged: journal version {version} never was", path=path, version=version)
        )
    log = path.with_name(path.name + "-wal")
    if not log.exists():
        _examine_whole(path)
        return
    # A crash left a log, or another process is writing it. Replaying it would write: a copy is examined.
    with tempfile.TemporaryDirectory() as folder:
        for part in (path, log):
            shutil.copyfile(part, Path(folder) / part.name)
        try:
            _examine_whole(Path(folder) / path.name, "mode=rw")
        except JournalError:
            _refuse_if_in_use(path)
            raise


def _refuse_if_in_use(path: Path) -> None:
    """Raise SQLite's own "busy" where another process holds the file; a reader writes nothing in it."""
    index = path.with_name(path.name + "-shm")
    known = index.exists()
    connection = _connect(path, "mode=ro")
    try:
        connection.execute("SELECT count(*) FROM header").fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in _BUSY:
            raise
    finally:
        connection.close()
        if not known:
            index.unlink(missing_ok=True)


def _examine_whole(path: Path, options: str = "mode=ro&immutable=1") -> None:
    try:
        connection = _connect(path, options)
        try:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check")]
            if found != ["ok"]:
                raise JournalError(msg("{name} is damaged: {found}", name=path.name, found=found[0]))
            _, seal = _read_header(connection)
            for _ in _read_entries(connection, seal):
                pass
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise JournalError(msg("{name} is damaged: {why}", name=path.name, why=error)) from error


# -- reading and sealing ----------------------------------------------------------------------------


def _first_seal(header: str) -> str:
    return hashlib.sha256(header.encode()).hexdigest()


def _sealed(before: str, entry: Entry, text: str) -> str:
    """Return the seal of an entry: a digest of it and of the seal before it."""
    facts = json.dumps([before, entry.number, entry.kind, text, entry.at_s])
    return hashlib.sha256(facts.encode() + b"\n" + (entry.data or b"")).hexdigest()


def _read_header(connection: sqlite3.Connection) -> tuple[Json, str]:
    rows = connection.execute("SELECT json, seal FROM header").fetchall()
    if len(rows) != 1 or _first_seal(str(rows[0][0])) != rows[0][1]:
        raise JournalError(msg("the journal is damaged: its header does not hold"))
    try:
        return parse_object(rows[0][0]), str(rows[0][1])
    except MalformedError as error:
        raise JournalError(msg("the journal is damaged: {why}", why=error)) from error


def _read_entries(connection: sqlite3.Connection, seal: str) -> Iterator[tuple[Entry, str]]:
    """Yield every entry with its seal, checked one after the other."""
    rows = connection.execute("SELECT number, kind, json, at_s, data, seal FROM entries ORDER BY number")
    for expected, (number, kind, text, at_s, data, claimed) in enumerate(rows, 1):
        entry = _entry(number, kind, text, at_s, data)
        seal = _sealed(seal, entry, text)
        if number != expected or seal != claimed:
            raise JournalError(msg("the journal is damaged at entry {expected}", expected=expected))
        yield entry, seal


def _entry(number: int, kind: str, text: str, at_s: float, data: bytes | None) -> Entry:
    try:
        return Entry(number=number, kind=kind, body=json.loads(text), at_s=at_s, data=data)
    except ValueError as error:
        raise JournalError(msg("the journal is damaged at entry {number}", number=number)) from error
