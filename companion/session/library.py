"""Past games: a folder with one journal for each game, a list of them, and statistics."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from companion import log
from companion.errors import CompanionError, DamagedJournalError, MalformedError
from companion.game import Game
from companion.games import registry
from companion.people.seating import Seats, read_seats
from companion.session.exporting import Said, export_game
from companion.session.journal import Journal, Kept, journal_files
from companion.session.ledger import GameLine, read_game
from companion.session.thinking import breaks_of, played_times
from companion.session.watch import turns_in
from companion.storage.files import written_whole
from companion.storage.strict import (
    as_integer,
    as_list,
    as_number,
    as_object,
    as_string,
    as_text,
    read_json_object,
)

ENDING: Final = ".moontable"
# Deleted games are kept here, so that they can be restored.
BIN: Final = ".deleted"
KEPT_DELETED_S: Final = 30 * 24 * 3600.0
CACHE: Final = ".summaries.json"

GameLookup = Callable[[str], Game[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """One game in the list.

    Attributes:
        name: of its file in the folder.
        began_s, ended_s: wall time of its first and last accepted action, seconds since 1970.
        winners: None while it is unfinished; empty if nobody won.
        trouble: why the file cannot be read; the other attributes may be missing then.
        left: what can be read of a damaged file, in words; "" if it is whole or unreadable.
        people: the ids of the people on the players' seats, "" where nobody is known.
    """

    name: str
    game: str = ""
    edition: str = ""
    players: tuple[str, ...] = ()
    began_s: float = 0.0
    ended_s: float = 0.0
    turns: int = 0
    actions: int = 0
    winners: tuple[str, ...] | None = None
    trouble: str = ""
    left: str = ""
    people: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game was played to its end."""
        return self.winners is not None


class Library:
    """The folder of games. All methods raise OSError or JournalError if the disk fails."""

    def __init__(
        self, folder: Path, *, lookup: GameLookup = registry.lookup, clock: Callable[[], float] = time.time
    ) -> None:
        self.folder = folder
        self._lookup = lookup
        self._clock = clock
        self._deleted: list[str] = []

    def games(self) -> tuple[PastGame, ...]:
        """Return all games, the newest first. A file is read again only if it has changed."""
        known = self._cached()
        stamps: dict[str, tuple[str, PastGame]] = {}
        for file in self.folder.glob(f"*{ENDING}"):
            if file.name in known and known[file.name][0] == _stamp(file):
                stamps[file.name] = known[file.name]
            else:
                stamps[file.name] = (_stamp(file), self._summary(file))
        self._keep({name: kept for name, kept in stamps.items() if not kept[1].trouble})
        return tuple(sorted((game for _, game in stamps.values()), key=lambda one: one.name, reverse=True))

    def seats(self, name: str) -> Seats:
        """Return who sat where in a game, by id; nobody if that is not known."""
        return read_seats(self.folder / name)

    def read(self, name: str) -> tuple[Game[Any, Any], GameLine[Any, Any]]:
        """Return a game and all that was played; raises JournalError or MalformedError."""
        game, ledger = Journal.look(self.folder / name, lambda kept: read_game(kept, self._lookup))
        return game, ledger.line

    def read_timed(self, name: str) -> tuple[Game[Any, Any], GameLine[Any, Any], Mapping[int, float]]:
        """Return a game, all that was played, and when each of the journal's entries was written.

        The times are those of a clock that stands still in breaks (`played_times`).
        """

        def timed(kept: Kept) -> tuple[Game[Any, Any], GameLine[Any, Any], Mapping[int, float]]:
            game, ledger = read_game(kept, self._lookup)
            times = {entry.number: entry.at_s for entry in kept.entries()}
            return game, ledger.line, played_times(times, breaks_of(kept.entries()))

        return Journal.look(self.folder / name, timed)

    def export(
        self, name: str, file: Path, said: Said = str, called: Mapping[str, str] | None = None
    ) -> None:
        """Write a game as record or table of actions (see `export_game`); raises JournalError."""

        def write(kept: Kept) -> None:
            game, ledger = read_game(kept, self._lookup)
            export_game(file, game, kept, ledger.line, said, called)

        Journal.look(self.folder / name, write)

    def delete(self, name: str) -> None:
        """Delete a game; `bring_back` undoes it."""
        there = self.folder / BIN
        there.mkdir(exist_ok=True)
        os.utime(self.folder / name)  # the month until its removal begins now
        _move(self.folder / name, there)
        self._deleted.append(name)

    def salvage(self, name: str) -> Path:
        """Make a valid game from what is left of a damaged one; return the damaged file's new place."""
        return Journal.salvage(self.folder / name)

    @property
    def can_bring_back(self) -> bool:
        """Whether a game was deleted that can be brought back."""
        return bool(self._deleted)

    def bring_back(self) -> str:
        """Bring the game deleted last back and return its name."""
        name = self._deleted.pop()
        _move(self.folder / BIN / name, self.folder)
        return name

    def forget_deleted(self) -> int:
        """Permanently remove games deleted more than a month ago; return how many."""
        oldest = self._clock() - KEPT_DELETED_S
        old = [file for file in (self.folder / BIN).glob(f"*{ENDING}") if file.stat().st_mtime < oldest]
        for game in old:
            for file in reversed(journal_files(game)):
                file.unlink()
        return len(old)

    def _summary(self, file: Path) -> PastGame:
        try:
            return Journal.look(file, lambda kept: self._told(file, kept))
        except DamagedJournalError as error:
            return PastGame(name=file.name, trouble=str(error), left=error.left)
        except CompanionError as error:
            return PastGame(name=file.name, trouble=str(error))

    def _told(self, file: Path, kept: Kept) -> PastGame:
        game, ledger = read_game(kept, self._lookup)
        line, header = ledger.line, kept.header
        times = [entry.at_s for entry in kept.entries()]
        result = game.result(line.state)
        players, seats = tuple(header.get("players", ())), read_seats(file)
        return PastGame(
            name=file.name,
            game=game.name,
            edition=str(header.get("edition", "")),
            players=players,
            began_s=times[0] if times else file.stat().st_mtime,
            ended_s=times[-1] if times else file.stat().st_mtime,
            turns=turns_in(game, line),
            actions=len(line),
            winners=None if result is None else tuple(result["winners"]),
            people=tuple(seats.get(player, "") for player in players),
        )

    def _cached(self) -> dict[str, tuple[str, PastGame]]:
        try:
            kept = read_json_object(self.folder / CACHE)
            rows = {name: as_list(row, name, 2) for name, row in kept.items()}
            return {name: (as_text(stamp, name), _parse(data)) for name, (stamp, data) in rows.items()}
        except FileNotFoundError:
            return {}
        except (OSError, MalformedError) as error:
            log.engine.warning("summaries read=no reason=%s", error)
            return {}  # nothing is lost: the journals are simply read again

    def _keep(self, summaries: Mapping[str, tuple[str, PastGame]]) -> None:
        data = {name: [stamp, asdict(game)] for name, (stamp, game) in summaries.items()}
        try:
            with written_whole(self.folder / CACHE) as part:
                part.write_text(json.dumps(data), "utf-8")
        except OSError as error:
            log.engine.warning("summaries kept=no reason=%s", error)


def _move(game: Path, folder: Path) -> None:
    """Move a game with its companion files; the game last, so that it always has them."""
    for file in reversed(journal_files(game)):
        file.replace(folder / file.name)


def _stamp(game: Path) -> str:
    """Return what changes whenever the game does; empty for a broken link."""
    try:
        facts = [file.stat() for file in journal_files(game)]
    except OSError:
        return ""
    return " ".join(f"{about.st_size} {about.st_mtime_ns}" for about in facts)


def _parse(data: object) -> PastGame:
    """Return the cached summary; raises MalformedError if another version wrote it."""
    found = as_object(data, "a summary", [field.name for field in fields(PastGame)])
    winners = found["winners"]
    return PastGame(
        name=as_string(found["name"], "name"),
        game=as_text(found["game"], "game"),
        edition=as_text(found["edition"], "edition"),
        players=_names(found["players"]),
        began_s=as_number(found["began_s"], "began_s"),
        ended_s=as_number(found["ended_s"], "ended_s"),
        turns=as_integer(found["turns"], "turns", 0),
        actions=as_integer(found["actions"], "actions", 0),
        winners=None if winners is None else _names(winners),
        trouble=as_text(found["trouble"], "trouble"),
        left=as_text(found["left"], "left"),
        people=tuple(as_text(one, "a person") for one in as_list(found["people"], "people")),
    )


def _names(value: object) -> tuple[str, ...]:
    return tuple(as_string(name, "a name") for name in as_list(value, "names"))


# -- statistics -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One player's finished games of one kind."""

    game: str
    games: int
    wins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """One player over all finished games; a shared victory counts as a win.

    Attributes:
        player: the colour they go by; the last one of a person who had several.
        person: id of the person; "" for all those of whom only the colour is known.
        by_game: the same for each game they have played.
    """

    player: str
    person: str
    games: int
    wins: int
    by_game: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRow:
    """One game and edition over all finished games.

    Attributes:
        turns: on average.
        shortest, longest: in turns.
        minutes: on average, from the first accepted action to the last.
        first_wins: games won by the starting player.
    """

    game: str
    edition: str
    games: int
    turns: float
    shortest: int
    longest: int
    minutes: float
    first_wins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Numbers over the finished games."""

    finished: int
    unfinished: int
    players: tuple[PlayerRow, ...]
    editions: tuple[EditionRow, ...]


def statistics(games: Iterable[PastGame], known: Collection[str] = ()) -> Statistics:
    """Return the numbers over the games; unfinished ones are only counted.

    `known` are the ids of the people on the list: they are counted by person, all others by colour.
    """
    readable = [game for game in games if not game.trouble]
    over = [game for game in readable if game.is_over]
    kinds = sorted({(game.game, game.edition) for game in over})
    return Statistics(
        finished=len(over),
        unfinished=len(readable) - len(over),
        players=_player_rows(over, known),
        editions=tuple(
            _edition_row(kind, [game for game in over if (game.game, game.edition) == kind]) for kind in kinds
        ),
    )


def _player_rows(over: list[PastGame], known: Collection[str]) -> tuple[PlayerRow, ...]:
    """Return a row for each person and for each colour of nobody known, most wins first."""
    played: dict[tuple[str, str], list[tuple[PastGame, str]]] = {}
    for game in sorted(over, key=lambda one: one.name):
        people = game.people or ("",) * len(game.players)
        for player, person in zip(game.players, people, strict=False):
            who = (person, "") if person in known else ("", player)
            played.setdefault(who, []).append((game, player))
    rows = [_player_row(person, seats) for (person, _), seats in played.items()]
    return tuple(sorted(rows, key=lambda row: (-row.wins, -row.games, row.player, row.person)))


def _player_row(person: str, seats: list[tuple[PastGame, str]]) -> PlayerRow:
    won = [game.game for game, player in seats if player in (game.winners or ())]
    kinds = [game.game for game, _ in seats]
    return PlayerRow(
        player=seats[-1][1],
        person=person,
        games=len(kinds),
        wins=len(won),
        by_game=tuple(
            GameRow(game=kind, games=kinds.count(kind), wins=won.count(kind)) for kind in sorted(set(kinds))
        ),
    )


def _edition_row(kind: tuple[str, str], games: list[PastGame]) -> EditionRow:
    turns = [game.turns for game in games]
    return EditionRow(
        game=kind[0],
        edition=kind[1],
        games=len(games),
        turns=sum(turns) / len(games),
        shortest=min(turns),
        longest=max(turns),
        minutes=sum(game.ended_s - game.began_s for game in games) / len(games) / 60,
        first_wins=sum(game.players[:1] == (game.winners or ())[:1] for game in games),
    )
