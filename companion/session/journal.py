"""The journal: one game in one file, append-only, and safe against a crash at any instant.

When `append` returns, its entry is on the disk. Nothing is ever changed or deleted: undo, redo and
corrections are entries too, and a game's state is always computed from all entries
(`companion.session.ledger`). Every entry carries a seal over itself and all entries before it (a hash chain),
so a file that was cut, edited by hand or damaged by a bad disk is detected before it is used. A file is
checked without SQLite, or in a copy, before it is opened for writing: a refused file stays unchanged, byte
for byte.

SQLite takes a damaged write-ahead log for a shorter one. So every entry is moved from the log into the file
before `append` returns, and its seal is also written to a second file (`companion.session.seals`). A journal
with fewer entries than were written raises `DamagedJournalError` and is never taken for a shorter game.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeVar

from companion import log
from companion.errors import DamagedJournalError, JournalError, MalformedError
from companion.game import Json
from companion.i18n import msg
from companion.people.seating import seats_file
from companion.record.game_record import format_object, parse_object
from companion.session.seals import Seal, add_seal, are_of_same_game, read_seals, seals_file, write_seals
from companion.storage.files import sync_folder
from companion.storage.strict import as_choice, as_integer, as_number, as_text, parse_json_object, shown

T = TypeVar("T")

APPLICATION_ID = 0x4D6F6F6E  # "Moon"
# Version 1 had no kind ``ruling``, and its table of entries rejects unknown kinds.
VERSION = 2
SYNCHRONOUS = "FULL"  # an accepted entry survives a power cut
KINDS = ("action", "undo", "redo", "correct", "ruling", "confirm", "evidence")

_MAGIC = b"SQLite format 3\x00"
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)"
_LENIENTLY = "PRAGMA writable_schema = ON"
# SQLite's error messages may quote bytes that are not text.
_TRIGGERS = ("entries_stay", "entries_last")
_FOREIGN = f"SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name NOT IN {_TRIGGERS}"
_UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

# Files open in this process. Opening and closing one of them again would drop its POSIX lock.
_open_here: set[Path] = set()

_ENTRIES = (
    """CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    json TEXT NOT NULL,
    at_s REAL NOT NULL,
    data BLOB,
    seal TEXT NOT NULL
)""",
    "CREATE TRIGGER entries_stay BEFORE UPDATE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'entries never change'); END",
    "CREATE TRIGGER entries_last BEFORE DELETE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'entries never vanish'); END",
    f"PRAGMA user_version = {VERSION}",
)
_SCHEMA = (
    "PRAGMA journal_mode = WAL",
    "CREATE TABLE header (json TEXT NOT NULL, seal TEXT NOT NULL)",
    *_ENTRIES,
    f"PRAGMA application_id = {APPLICATION_ID}",
)
UPGRADE_FROM_1 = (
    "BEGIN IMMEDIATE",
    "DROP TRIGGER entries_stay",
    "DROP TRIGGER entries_last",
    "ALTER TABLE entries RENAME TO entries_before",
    *_ENTRIES,
    "INSERT INTO entries SELECT number, kind, json, at_s, data, seal FROM entries_before ORDER BY number",
    "DROP TABLE entries_before",
    "COMMIT",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One line of the journal.

    Attributes:
        number: 1, 2, 3 ... without a gap.
        kind: one of `KINDS`.
        body: its content.
        at_s: wall time of writing, seconds since 1970; shown to people, never used by the game.
        data: a picture or other bytes kept with it.
    """

    number: int
    kind: str
    body: Json
    at_s: float
    data: bytes | None = None


class Kept(Protocol):
    """What can be read from a journal."""

    @property
    def header(self) -> Json:
        """Return the record header of the game."""

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """Yield the entries with numbers above `after`, in order."""


class _Reading:
    """A whole journal, open for reading only."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.header, _ = _read_header(connection)
        self._connection = connection

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """See `Kept.entries`."""
        return _entries_after(self._connection, after)


class Journal:
    """One game's journal, open for appending and locked against every other process.

    Use it from one thread at a time. Everything raises JournalError if the file or the disk fails.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Callable[[], float]) -> None:
        """Wrap an open and examined file; call `create` or `open` instead."""
        self.path = path.resolve()
        self._connection = connection
        self._clock = clock
        self._header, first = _read_header(connection)
        entries = _read_entries(connection, first)
        seals = [Seal(first), *(Seal(seal, _actions_in(entry)) for entry, seal in entries)]
        self._count, self._seal = len(seals) - 1, seals[-1].text
        try:
            write_seals(self.path, seals)
        except OSError as error:  # only the seals' file failed, the journal is whole
            log.engine.warning("journal seals kept twice=no reason=%s", error)
        _open_here.add(self.path)

    @classmethod
    def create(cls, path: Path | str, header: Json, *, clock: Callable[[], float] = time.time) -> Journal:
        """Begin a journal; the file must not exist yet."""
        path = Path(path)
        if path.exists():
            raise JournalError(msg("{path} already exists", path=path))
        _refuse_if_orphaned(path)
        with (
            _explained(path, msg("cannot be created")),
            tempfile.TemporaryDirectory(dir=path.parent, prefix=".moontable-") as folder,
        ):
            blank = Path(folder) / "journal"
            _write_blank(blank, header)
            seats_file(path).unlink(missing_ok=True)  # of another game that is gone
            _publish(blank, path)
            sync_folder(path.parent)
        return cls.open(path, clock=clock)

    @classmethod
    def look(cls, path: Path | str, use: Callable[[Kept], T]) -> T:
        """Return the result of `use` for a journal, which stays unchanged, byte for byte.

        Raises DamagedJournalError if entries are missing.
        """
        path = Path(path)
        if path.resolve() in _open_here:
            raise JournalError(msg("{path} is already open", path=path))
        with _explained(path, msg("cannot be opened")):
            return _examine(path, use)

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        check: Callable[[Kept], object] = lambda _: None,
        clock: Callable[[], float] = time.time,
    ) -> Journal:
        """Open a journal to continue it. If `check` raises, nothing has been written to it.

        An older version is upgraded to this one, which older programs cannot read. Raises DamagedJournalError
        if entries are missing.
        """
        path = Path(path)
        cls.look(path, check)
        with _explained(path, msg("cannot be opened")):
            if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
                raise JournalError(
                    msg("{path} cannot be written: the file or its folder is read-only", path=path)
                )
            connection = _connect(path)
            try:
                _upgrade(connection)
                return cls(path, connection, clock)
            except BaseException:
                connection.close()
                raise

    @property
    def header(self) -> Json:
        """Return the record header of the game."""
        return self._header

    def __len__(self) -> int:
        """Return the number of entries, which is also the number of the last entry."""
        return self._count

    def append(self, kind: str, body: Json, data: bytes | None = None) -> JournalEntry:
        """Write an entry and return it once it is on the disk."""
        if kind not in KINDS:
            raise JournalError(f"{kind!r} is not a kind of entry")
        entry = JournalEntry(
            number=self._count + 1, kind=kind, body=body, at_s=float(self._clock()), data=data
        )
        text = format_object(body)
        seal = _sealed(self._seal, entry, text)
        with _explained(self.path, msg("cannot be written")):
            self._connection.execute(
                _INSERT,
                (entry.number, kind, text, entry.at_s, data, seal),
            )
        self._count, self._seal = entry.number, seal
        self._move_from_log()
        self._keep_seal(Seal(seal, _actions_in(entry)))
        return entry

    def _move_from_log(self) -> None:
        """Move the last entry, already on the disk, from the log into the file (a checkpoint)."""
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:  # it stays in the log, safe unless that is damaged
            log.engine.warning("journal moved from log=no entry=%d reason=%s", self._count, error)

    def _keep_seal(self, seal: Seal) -> None:
        """Write the last entry's seal to the second file."""
        try:
            add_seal(self.path, self._count, seal)
        except OSError as error:
            log.engine.warning("journal seal kept twice=no entry=%d reason=%s", self._count, error)

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """Yield the entries with numbers above `after`, in order."""
        with _explained(self.path, msg("cannot be read")):
            yield from _entries_after(self._connection, after)

    def notes(self) -> Iterator[JournalEntry]:
        """Yield the evidence that is no picture, in order, without reading any picture."""
        with _explained(self.path, msg("cannot be read")):
            rows = self._connection.execute(
                "SELECT number, kind, json, at_s, data FROM entries"
                " WHERE kind = 'evidence' AND data IS NULL ORDER BY number"
            )
            for row in rows:
                yield _entry(*row)

    def now(self) -> float:
        """Return the wall time by the journal's clock, seconds since 1970."""
        return float(self._clock())

    def times(self, after: int = 0) -> Mapping[int, float]:
        """Return when the entries with numbers above `after` were written, by number."""
        with _explained(self.path, msg("cannot be read")):
            rows = self._connection.execute("SELECT number, at_s FROM entries WHERE number > ?", (after,))
            return {int(number): float(at_s) for number, at_s in rows}

    def close(self) -> None:
        """Move everything into the one file and release it; safe to call twice."""
        self._connection.close()
        _open_here.discard(self.path)

    @classmethod
    def salvage(cls, path: Path | str) -> Path:
        """Make a sound journal from what can be read of a damaged one.

        The damaged files stay beside it under another name, which is returned; only they keep the entries
        from the first damaged one on. Raises JournalError if nothing can be read or written.
        """
        path = Path(path)
        if path.resolve() in _open_here:
            raise JournalError(msg("{path} is already open", path=path))
        with _explained(path, msg("cannot be repaired")):
            if _log_of(path).exists():
                _refuse_if_in_use(path)
            with (
                _looked_at(path, as_copy=True) as (copy, options),
                tempfile.TemporaryDirectory(dir=path.parent, prefix=".moontable-") as folder,
            ):
                seals = _look(copy, options).seals
                sound = Path(folder) / "journal"
                _write_beginning(sound, copy, len(seals) - 1)
                kept = _kept_aside(path)
                _log_of(path).unlink(missing_ok=True)  # SQLite would replay it into the new file
                sound.replace(path)
                write_seals(path, seals)
                sync_folder(path.parent)
        return kept

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# -- opening ----------------------------------------------------------------------------------------


@contextmanager
def _explained(path: Path, trouble: str) -> Iterator[None]:
    """Turn errors of SQLite and the disk into JournalError."""
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
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        connection.execute("BEGIN IMMEDIATE")  # takes the lock now rather than at the first entry
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _write_blank(path: Path, header: Json) -> None:
    with closing(_new_database(path)) as connection:
        text = format_object(header)
        connection.execute("INSERT INTO header VALUES (?, ?)", (text, _first_seal(text)))


def _new_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    for statement in _SCHEMA:
        connection.execute(statement)
    return connection


def _upgrade(connection: sqlite3.Connection) -> None:
    """Upgrade the tables of a journal of an older version in one transaction; its entries stay."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    for statement in UPGRADE_FROM_1:
        connection.execute(statement)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log.engine.info("journal upgraded to version=%d", VERSION)


def _write_beginning(path: Path, source: Path, count: int) -> None:
    """Write a new journal with the header and the first `count` entries of another, unchanged."""
    with closing(_connect(source, "mode=ro")) as old, closing(_new_database(path)) as new:
        old.execute(_LENIENTLY)
        new.executemany("INSERT INTO header VALUES (?, ?)", old.execute("SELECT json, seal FROM header"))
        if not count:  # the table of entries may not exist
            return
        # Rows after them may hold anything, so they are not read.
        sound = old.execute(
            "SELECT number, kind, json, at_s, data, seal FROM entries ORDER BY number LIMIT ?", (count,)
        )
        new.execute("BEGIN")
        new.executemany(_INSERT, sound)
        new.execute("COMMIT")


def journal_files(path: Path) -> tuple[Path, ...]:
    """Return the files of a journal: itself, and those that exist beside it now."""
    beside = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    return path, *(file for file in (*beside, seals_file(path), seats_file(path)) if file.exists())


def _kept_aside(path: Path) -> Path:
    """Copy the files of a damaged journal to a free name, flushed to the disk; return that name."""
    names = (f"{path.name}.damaged{number}" for number in ("", *(f"-{n}" for n in range(2, 1000))))
    kept = next(there for name in names if not (there := path.with_name(name)).exists())
    for file in journal_files(path):
        copy = kept.with_name(kept.name + file.name.removeprefix(path.name))
        shutil.copyfile(file, copy)
        with copy.open("rb+") as stream:
            os.fsync(stream.fileno())
    sync_folder(path.parent)
    return kept


def _refuse_if_orphaned(path: Path) -> None:
    """Raise JournalError if the journal at the path is gone and only files that belonged to it are left."""
    beside = [file for file in journal_files(path)[1:] if file != seats_file(path)]
    left = [file for file in beside if file.stat().st_size]
    if left and (left != [seals_file(path)] or len(read_seals(path)) > 1):
        raise JournalError(
            msg(
                "the game {path} is gone, but {left} is still there: put the game back, or delete {left} "
                "to start again",
                path=path,
                left=left[0].name,
            )
        )


def _publish(blank: Path, path: Path) -> None:
    """Give the finished file its name atomically, never overwriting another file."""
    try:
        os.link(blank, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links, such as a memory stick's
        if path.exists():
            raise
        blank.rename(path)


def _examine(path: Path, use: Callable[[Kept], T]) -> T:
    """Return the result of `use` for the file, which stays unchanged.

    Raises JournalError unless it is a whole journal of this version or an older one.
    """
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
    if version < 1:
        raise JournalError(
            msg(
                "{path} is damaged: there has never been a journal version {version}",
                path=path,
                version=version,
            )
        )
    try:
        with _looked_at(path) as (copy, options):
            _refuse_if_short(path, _look(copy, options))
            # By now the copy's log has been replayed.
            with closing(_connect(copy, "mode=ro" if options == "mode=rw" else options)) as connection:
                return use(_Reading(connection))
    except JournalError:
        if _log_of(path).exists():
            _refuse_if_in_use(path)
        raise


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


@contextmanager
def _looked_at(path: Path, *, as_copy: bool = False) -> Iterator[tuple[Path, str]]:
    """Provide a path and options for reading a journal without changing it or the files beside it.

    A crash leaves a log, and so does another process while it writes. Replaying a log writes to the file, so
    that is done in a copy.
    """
    wal = _log_of(path)
    parts = [part for part in (path, wal) if part.exists() and part.stat().st_size]
    if len(parts) == 1 and not as_copy:
        yield path, "mode=ro&immutable=1"
        return
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            shutil.copyfile(part, Path(folder) / part.name)
        yield Path(folder) / path.name, "mode=rw"


def _refuse_if_in_use(path: Path) -> None:
    """Raise SQLite's own "busy" if another process holds the file; a reader writes nothing to it."""
    index = path.with_name(path.name + "-shm")
    known = index.exists()
    connection = _connect(path, "mode=ro")
    try:
        connection.execute("SELECT count(*) FROM header").fetchone()
    except UnicodeDecodeError:  # readable, but damaged
        return
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in _BUSY:
            raise
    finally:
        connection.close()
        if not known:
            index.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """What can be read of a journal: the valid seals, the header's first, and what stopped the reading."""

    seals: tuple[Seal, ...]
    trouble: str = ""


def _look(path: Path, options: str) -> _Found:
    """Read a journal up to the first damage; raises JournalError if not even the header is valid."""
    try:
        return _looked(_connect(path, options))
    except _UNREADABLE as error:
        trouble = _words_of(error)
    # Without `writable_schema`, SQLite refuses to read a file that was cut or whose schema is damaged.
    try:
        connection = _connect(path, "mode=ro" if options == "mode=rw" else options)
        connection.execute(_LENIENTLY)
        return _Found(_looked(connection).seals, trouble)
    except _UNREADABLE as error:
        raise JournalError(msg("{name} is damaged: {why}", name=path.name, why=trouble)) from error


def _words_of(error: Exception) -> str:
    return str(error) if isinstance(error, sqlite3.Error) else msg("it contains data that is not text")


def _looked(connection: sqlite3.Connection) -> _Found:
    """Read from a connection, then close it."""
    try:
        # A sound journal has no views.
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'view'").fetchone():
            raise JournalError(msg("the journal is damaged: its header fails its checksum"))
        _, first = _read_header(connection)
        seals = [Seal(first)]
        try:
            for entry, seal in _read_entries(connection, first):
                seals.append(Seal(seal, _actions_in(entry)))
            checked = str(connection.execute("PRAGMA quick_check").fetchone()[0])
            if connection.execute(_FOREIGN).fetchone():
                checked = "it holds a trigger that is not its own"
        except sqlite3.Error as error:
            return _Found(tuple(seals), str(error))
        except (JournalError, UnicodeDecodeError, TypeError):  # a damaged row may hold anything
            return _Found(tuple(seals), msg("entry {number} fails its checksum", number=len(seals)))
        return _Found(tuple(seals), "" if checked == "ok" else checked)
    finally:
        connection.close()


def _refuse_if_short(path: Path, found: _Found) -> None:
    """Raise DamagedJournalError if a journal holds less than its own data or its list of seals says."""
    told = read_seals(path)
    if not are_of_same_game(told, found.seals):
        if told:
            log.engine.info("seals of another game file=%s", seals_file(path).name)
        told = ()
    missing = len(told) - len(found.seals)
    if missing <= 0 and not found.trouble:
        return
    read, written = (sum(seal.actions for seal in seals) for seals in (found.seals, told))
    if missing < 0:
        left = msg("{read} actions can be read; the total is unknown", read=read)
    elif read < written:
        left = msg("{read} of {written} actions can be read", read=read, written=written)
    elif missing:
        left = msg("every action can be read, but not the notes after the last one")
    else:
        left = msg("every action can be read")
    why = found.trouble or msg("its end is missing")
    raise DamagedJournalError(
        msg("{path} is damaged ({why}): {left}", path=path, why=why, left=left),
        left=left,
        read=read,
        written=None if missing < 0 else written,
    )


# -- reading and sealing ----------------------------------------------------------------------------


def _first_seal(header: str) -> str:
    return hashlib.sha256(header.encode()).hexdigest()


def _sealed(before: str, entry: JournalEntry, text: str) -> str:
    """Return the seal of an entry: a digest of it and of the seal before it."""
    facts = json.dumps([before, entry.number, entry.kind, text, entry.at_s])
    return hashlib.sha256(facts.encode() + b"\n" + (entry.data or b"")).hexdigest()


def _read_header(connection: sqlite3.Connection) -> tuple[Json, str]:
    rows = connection.execute("SELECT json, seal FROM header LIMIT 2").fetchall()
    if len(rows) != 1 or not isinstance(rows[0][0], str) or _first_seal(rows[0][0]) != rows[0][1]:
        raise JournalError(msg("the journal is damaged: its header fails its checksum"))
    try:
        return parse_object(rows[0][0]), str(rows[0][1])
    except MalformedError as error:
        raise JournalError(msg("the journal is damaged: {why}", why=error)) from error


def _read_entries(connection: sqlite3.Connection, seal: str) -> Iterator[tuple[JournalEntry, str]]:
    """Yield every entry with its seal, checked one after the other."""
    rows = connection.execute("SELECT number, kind, json, at_s, data, seal FROM entries ORDER BY number")
    for expected, (number, kind, text, at_s, data, claimed) in enumerate(rows, 1):
        entry = _entry(number, kind, text, at_s, data)
        seal = _sealed(seal, entry, text)
        if number != expected or seal != claimed:
            raise JournalError(msg("the journal is damaged at entry {expected}", expected=expected))
        yield entry, seal


def _actions_in(entry: JournalEntry) -> int:
    """Return how many actions an entry brought; 0 for entries other than actions."""
    actions = entry.body.get("actions")
    return len(actions) if entry.kind == "action" and isinstance(actions, list) else 0


def _entries_after(connection: sqlite3.Connection, after: int) -> Iterator[JournalEntry]:
    rows = connection.execute(
        "SELECT number, kind, json, at_s, data FROM entries WHERE number > ? ORDER BY number", (after,)
    )
    for row in rows:
        yield _entry(*row)


def _entry(number: object, kind: object, text: object, at_s: object, data: object) -> JournalEntry:
    """Return the entry in a row, checking the types: a column of SQLite may hold anything."""
    try:
        if data is not None and not isinstance(data, bytes):
            raise MalformedError("its data is not bytes")
        return JournalEntry(
            number=as_integer(number, "its number", 1),
            kind=as_choice(kind, "its kind", KINDS),
            body=parse_json_object(as_text(text, "its text")),
            at_s=as_number(at_s, "its time"),
            data=data,
        )
    except MalformedError as error:
        raise JournalError(msg("the journal is damaged at entry {number}", number=shown(number))) from error
