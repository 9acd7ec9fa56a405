"""All actions of a game as a table, for spreadsheets (CSV) and for other programs (JSON).

Both say what was played, by whom, when, and how Moontable came to know it. The record (`companion.record`)
is the form that Moontable itself reads again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from companion.errors import JournalError
from companion.game import Game, Json
from companion.i18n import msg
from companion.record.game_record import format_object, write_record
from companion.session.journal import Kept
from companion.session.ledger import GameLine
from companion.session.thinking import breaks_of, played_times, thought_s
from companion.session.update import history_of
from companion.storage.files import written_whole

# Endings of the files that hold a table of the actions.
TABLES: Final = (".csv", ".json")
FORMAT: Final = "moontable-actions/1"
COLUMNS: Final = ("number", "turn", "player", "by", "at", "text", "action", "name", "thought_s")

S = TypeVar("S")
A = TypeVar("A")
Said = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One accepted action.

    Attributes:
        number: 1 for the first action.
        turn: 1 for the first turn; a new one begins when another player acts.
        player: the player whose action it is; empty if it is nobody's.
        by: ``table``, ``answer`` or ``player``: where it came from.
        at: when it was accepted, ISO 8601 in UTC; empty if the journal does not say.
        text: the action in words.
        action: the action's line of the record.
        name: what the player is called; empty if that is not known.
        thought_s: seconds since the action before it; None where that says nothing.
    """

    number: int
    turn: int
    player: str
    by: str
    at: str
    text: str
    action: Json
    name: str = ""
    thought_s: float | None = None


def action_rows(
    game: Game[S, A],
    line: GameLine[S, A],
    times: Mapping[int, float],
    said: Said = str,
    called: Mapping[str, str] | None = None,
    breaks: Mapping[int, float] | None = None,
) -> Iterator[ActionRow]:
    """Yield all actions in order.

    Args:
        times: wall time of each of the journal's entries, seconds since 1970, by the entry's number.
        said: translates the words.
        called: what the players are called.
        breaks: seconds of breaks before an entry, by the entry's number.
    """
    turn, player = 0, None
    names = called or {}
    thought = thought_s(line, played_times(times, breaks or {}))
    for past, seconds in zip(history_of(game, line), thought, strict=True):
        if past.player != player or not turn:
            turn, player = turn + 1, past.player
        yield ActionRow(
            number=past.number,
            turn=turn,
            player=past.player or "",
            by=past.by,
            at=_moment(times.get(past.entry)),
            text=said(past.text),
            action=game.format_action(past.action),
            name=names.get(past.player or "", ""),
            thought_s=None if seconds is None else round(seconds, 1),
        )


def write_csv(stream: IO[str], rows: Iterator[ActionRow]) -> None:
    """Write headings and one line for each action; the action itself is JSON in the last column."""
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for row in rows:
        action = format_object(row.action)
        words = (_plain(row.player), row.by, row.at, _plain(row.text))
        writer.writerow((row.number, row.turn, *words, action, _plain(row.name), row.thought_s))


def write_json(stream: IO[str], header: Json, result: Json | None, rows: Iterator[ActionRow]) -> None:
    """Write one object: format, the record's header, its result (null while the game runs), the actions."""
    actions: list[dict[str, Any]] = [{name: getattr(row, name) for name in COLUMNS} for row in rows]
    told = {"format": FORMAT, "header": header, "result": result, "actions": actions}
    json.dump(told, stream, ensure_ascii=False, allow_nan=False, indent=1)
    stream.write("\n")


def export_game(
    file: Path,
    game: Game[S, A],
    kept: Kept,
    line: GameLine[S, A],
    said: Said = str,
    called: Mapping[str, str] | None = None,
) -> None:
    """Write a game in the form that the file's ending asks for: ``.csv``, ``.json``, else the record.

    The record has no names in it; the others have those in `called`, by player.

    It is written whole or not at all; raises JournalError if that is impossible.
    """
    try:
        with written_whole(file) as part, part.open("w", encoding=_encoding(file), newline="") as stream:
            if file.suffix in TABLES:
                times = {entry.number: entry.at_s for entry in kept.entries()}
                breaks = breaks_of(kept.entries())
                rows = action_rows(game, line, times, said, called, breaks)
                _write_table(stream, file.suffix, kept.header, game.result(line.state), rows)
            else:
                result = game.result(line.state)
                write_record(stream, game, kept.header, line.actions, checkpoints=True, result=result)
    except OSError as error:
        why = error.strerror or error
        raise JournalError(msg("{file} cannot be written: {why}", file=file, why=why)) from error


def _write_table(
    stream: IO[str], suffix: str, header: Json, result: Json | None, rows: Iterator[ActionRow]
) -> None:
    if suffix == ".csv":
        write_csv(stream, rows)
    else:
        write_json(stream, header, result, rows)


def _encoding(file: Path) -> str:
    """Return the encoding; spreadsheets take a file for UTF-8 only if it begins with the mark."""
    return "utf-8-sig" if file.suffix == ".csv" else "utf-8"


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _moment(at_s: float | None) -> str:
    return "" if at_s is None else datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")
