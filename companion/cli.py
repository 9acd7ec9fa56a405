"""The part of the command line that needs no device: play, verify, replay, explain.

Exit status 0 = done, 1 = the input is refused (the reason is on standard error), 2 = usage. The other rooms
add their own commands, and `ui.app` puts them together. Alone (`python -m companion`) it needs no library.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.addresses import hidden
from companion.commands import EXIT_REFUSED, AddCommands, Commands
from companion.decision import Accepted, Ask, Decision, InStep, OutOfStep, Waiting
from companion.errors import CompanionError, MalformedError, RecordError, one_line
from companion.game import Game, Json
from companion.games import registry
from companion.look_up import add_rules
from companion.observation import Query
from companion.printing import print_json, show_with_escapes
from companion.record.game_record import (
    MOST_BYTES,
    Record,
    RecordWriter,
    Verification,
    parse_object,
    read_record,
    verify,
)
from companion.stopping import Stopped, stoppable
from companion.storage.files import written_whole
from companion.storage.strict import read_bytes


def build_parser(extra: Sequence[AddCommands] = ()) -> argparse.ArgumentParser:
    """Return the parser with the commands of this module and those that `extra` adds."""
    parser = argparse.ArgumentParser(
        prog="moontable", description="A companion for real board games at a real table."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_play(commands)
    _add_record_commands(commands)
    add_rules(commands)
    for add in extra:
        add(commands)
    return parser


def main(argv: Sequence[str] | None = None, extra: Sequence[AddCommands] = ()) -> int:
    """Run one command and return its exit status."""
    show_with_escapes()
    arguments = build_parser(extra).parse_args(argv)
    try:
        with stoppable():
            status: int = arguments.func(arguments)
    except CompanionError as error:
        return _ended(hidden(str(error)), EXIT_REFUSED)
    except OSError as error:
        return _ended(f"{error.filename or 'a file'}: {error.strerror or error}", EXIT_REFUSED)
    except KeyboardInterrupt as error:
        number = error.number if isinstance(error, Stopped) else signal.SIGINT
        return _ended("stopped", 128 + number)
    return status


def _ended(why: str, status: int) -> int:
    with contextlib.suppress(OSError):  # the terminal itself may be what is gone
        print(f"moontable: {why}", file=sys.stderr)
    return status


# -- play -------------------------------------------------------------------------------------------------


def add_game_options(command: argparse.ArgumentParser) -> None:
    """Add the options that describe the set-up of a game."""
    command.add_argument("--game", choices=registry.NAMES, default=registry.DEFAULT, help="which game")
    command.add_argument("--players", type=int, metavar="N", help="number of players")
    command.add_argument("--edition", help="Blue Moon City: kosmos-2006 or cmon-2019")
    command.add_argument(
        "--setup", choices=("standard", "variant"), help="Blue Moon City: all tiles at random"
    )
    command.add_argument("--books", type=int, metavar="N", help="Urbion: number of open Books")
    command.add_argument("--archiplaces", action="store_true", help="Urbion: with Archiplaces and Metas")
    command.add_argument("--decks", metavar="A,B", help="Blue Moon Legends: the two decks")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same game")


def game_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the set-up options that were given, as `Game.deal` takes them."""
    given = {key: getattr(arguments, key) for key in ("players", "edition", "setup", "books")}
    options = {key: value for key, value in given.items() if value is not None}
    if arguments.archiplaces:
        options["archiplaces"] = True
    if arguments.decks:
        options["decks"] = tuple(arguments.decks.split(","))
    return options


def _add_play(commands: Commands) -> None:
    play = commands.add_parser("play", help="play a random legal game to the end and record it")
    add_game_options(play)
    play.add_argument("--record", required=True, type=Path, metavar="FILE", help="file for the record")
    play.add_argument("--json", action="store_true", help="print the result as JSON")
    play.set_defaults(func=_play)


def _play(arguments: argparse.Namespace) -> int:
    game = registry.lookup(arguments.game)
    rng = random.Random(arguments.seed)
    header = game.deal(rng, game_options(arguments))
    with written_whole(arguments.record) as part, part.open("w", encoding="utf-8") as stream:
        result = play_out(game, header, rng, RecordWriter(stream, game, header, checkpoints=True))
    if arguments.json:
        print_json({"file": str(arguments.record), "result": result})
    else:
        print(f"{arguments.record}: {_result_text(result)}")
    return 0


def play_out(game: Game[Any, Any], header: Json, rng: random.Random, writer: RecordWriter) -> Json | None:
    """Play a random open game to its end into `writer`; return the result."""
    state = game.start(header)
    choose = game.random_player(rng)
    number = 0
    while game.result(state) is None:
        action = game.with_chance(state, choose(state), rng)
        state, _ = game.apply(state, action)
        writer.add(action, state)
        number += 1
        if number % 50 == 0 and sys.stderr.isatty():
            print(f"\r{number} actions", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return game.result(state)


def _result_text(result: Json | None) -> str:
    if result is None:
        return "the game is not over"
    winners = " and ".join(result["winners"])
    return f"{winners} won ({result['reason']})" if winners else f"nobody won ({result['reason']})"


# -- verify, replay, explain --------------------------------------------------------------------------------


def _add_record_commands(commands: Commands) -> None:
    check = commands.add_parser("verify", help="check records line by line against the rules")
    check.add_argument("files", nargs="+", metavar="FILE")
    check.add_argument("--json", action="store_true")
    check.set_defaults(func=_verify)
    replay = commands.add_parser("replay", help="print the state after a record's last line")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--json", action="store_true")
    replay.set_defaults(func=_replay)
    explain = commands.add_parser("explain", help="say what happened on a table after a record's last line")
    explain.add_argument("--record", required=True, metavar="FILE")
    explain.add_argument("--table", required=True, metavar="TABLE.json", help="a table state")
    explain.add_argument("--json", action="store_true")
    explain.set_defaults(func=_explain)


def _verify(arguments: argparse.Namespace) -> int:
    verdicts = list(_verified(arguments.files))
    refused = [verdict for verdict in verdicts if not verdict.ok]
    for verdict in refused:
        print(_refusal(verdict), file=sys.stderr)
    if arguments.json:
        print_json({"files": [asdict(v) for v in verdicts]})
    else:
        for verdict in (one for one in verdicts if one.ok):
            print(f"{verdict.file}: sound, {_result_text(verdict.result)}")
    return EXIT_REFUSED if refused else 0


def _verified(files: Sequence[str]) -> Iterator[Verification]:
    """Yield what is to be said of each record, telling at a terminal how far it has come."""
    is_told = sys.stderr.isatty() and len(files) > 1
    for number, file in enumerate(files, 1):
        if is_told:
            print(f"\r{number}/{len(files)}", end="\r", file=sys.stderr)
        yield verify(file)


def _refusal(verdict: Verification) -> str:
    rule = f" [{verdict.rule}]" if verdict.rule else ""
    where = f" (state: {one_line(verdict.state)})" if verdict.state else ""
    return f"{verdict.file}:{verdict.line}: {verdict.error}{rule}{where}"


def _load(file: str) -> Record:
    """Read a whole record; the error names the file and the line."""
    try:
        return read_record(file)
    except RecordError as error:
        raise MalformedError(f"{file}:{error.line}: {error.text}") from error


def _replay(arguments: argparse.Namespace) -> int:
    record = _load(arguments.file)
    checkpoint = record.game.checkpoint(record.state)
    result = record.result or record.game.result(record.state)
    if arguments.json:
        print_json({"state": checkpoint, "result": result})
    else:
        print(record.game.describe(record.state))
        print(_result_text(result))
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    record = _load(arguments.record)
    game = record.game
    picture = _load_table(arguments.table, game)
    seen = Query(picture=picture, before=_last_table(arguments.record, game))
    decision = game.explain(record.state, seen)
    if arguments.json:
        print_json(format_decision(game, decision))
    else:
        print(f"{format_decision(game, decision)['decision']}: {decision.text}")
        for fix in getattr(decision, "fixes", ()):
            print(f"- {fix.text}")
    return 0


def _load_table(file: str, game: Game[Any, Any]) -> dict[Any, Any]:
    """Read a table state; the error names the file, and the line where the text is no JSON."""
    try:
        return game.parse_table(parse_object(read_bytes(Path(file))))
    except MalformedError as error:
        cause = error.__cause__
        line = f":{cause.lineno}" if isinstance(cause, json.JSONDecodeError) else ""
        raise MalformedError(f"{file}{line}: {error}") from error


def _last_table(file: str, game: Game[Any, Any]) -> dict[Any, Any]:
    """Return the table of the checkpoint that ends the record, {} if it ends otherwise."""
    last = read_bytes(Path(file), MOST_BYTES).removesuffix(b"\n").rpartition(b"\n")[2]
    line = parse_object(last)
    table = line.get("check", {}).get("table") if isinstance(line.get("check"), dict) else None
    return {} if table is None else game.parse_table(table)


def format_decision(game: Game[Any, Any], decision: Decision[Any]) -> Json:
    """Return a decision as the command line prints it."""
    document: Json = {"decision": "in_step", "actions": [], "choices": [], "rule": None, "fixes": []}
    match decision:
        case InStep():
            pass
        case Accepted():
            document["decision"] = "accepted"
            document["actions"] = [game.format_action(a) for a in decision.actions]
            document["fixes"] = [_format_fix(f) for f in decision.pending]
        case Waiting():
            document["decision"] = "waiting"
            document["fixes"] = [_format_fix(f) for f in decision.pending]
        case Ask():
            document["decision"] = "ask"
            document["choices"] = [
                {"text": c.text, "actions": [game.format_action(a) for a in c.actions]}
                for c in decision.choices
            ]
        case OutOfStep():
            document["decision"] = "out_of_step"
            document["rule"] = decision.rule
            document["fixes"] = [_format_fix(f) for f in decision.fixes]
    document["text"] = decision.text
    return document


def _format_fix(fix: Any) -> Json:
    return {"place": fix.place, "seen": fix.seen, "wanted": fix.wanted, "text": fix.text}
