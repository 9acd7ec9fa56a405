"""``moontable keep-case`` and ``replay-cases``: keep wrong readings with the truth, and read them again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from calibration.store import load_profile
from companion.commands import Commands
from companion.errors import MalformedError
from companion.games import registry
from companion.printing import print_json
from companion.record.game_record import parse_object
from companion.storage.strict import named, read_bytes
from companion.table import Place, Value
from vision.capture.sources import open_picture_file
from vision.diagnostics.cases import CaseOutcome, keep_case, load_cases, reading_of, replay
from vision.reader import Reader

EXIT_BAD = 1


def add_commands(commands: Commands) -> None:
    """Add ``keep-case`` and ``replay-cases``."""
    keep = commands.add_parser("keep-case", help="keep a badly read photograph together with the truth")
    keep.add_argument("image", type=Path, metavar="IMAGE")
    keep.add_argument("--profile", required=True, type=Path, metavar="DIR")
    keep.add_argument("--cases", required=True, type=Path, metavar="DIR", help="folder of the cases")
    keep.add_argument("--name", help="name of the case (default: the image's name)")
    keep.add_argument(
        "--truth",
        type=Path,
        metavar="JSON",
        help="the true table state (default: the reading, with corrections)",
    )
    keep.add_argument(
        "--is",
        dest="corrections",
        action="append",
        default=[],
        metavar="PLACE=VALUE",
        help="what is really there, for example box:1,3:0=white, cell:2,2=mill/built, figure:white=none",
    )
    keep.set_defaults(func=run_keep)
    again = commands.add_parser("replay-cases", help="read all kept cases again and say what is still wrong")
    again.add_argument("cases", type=Path, metavar="DIR")
    again.add_argument("--json", action="store_true")
    again.set_defaults(func=run_replay)


def run_keep(arguments: argparse.Namespace) -> int:
    """Run ``keep-case``."""
    corrections = parse_corrections(arguments.corrections)
    profile = load_profile(arguments.profile)
    image = open_picture_file(arguments.image)
    claims = reading_of(Reader(profile), image)
    truth = claims
    if arguments.truth is not None:
        with named(str(arguments.truth)):
            truth = registry.lookup(registry.DEFAULT).parse_table(parse_object(read_bytes(arguments.truth)))
        odd = {where: truth[where] for where, value in claims.items() if truth.get(where, value) != value}
        corrections = {**odd, **corrections}
    case = keep_case(
        arguments.cases,
        arguments.name or arguments.image.stem,
        arguments.image,
        profile,
        truth=truth,
        corrected=corrections,
    )
    for where, value in sorted(corrections.items()):
        read = repr(claims[where]) if where in claims else "nothing"
        print(f"{where}: {_shown(value)}, read as {read}")
    print(f"{arguments.cases / case.name}: kept with {len(case.truth)} places, {len(corrections)} corrected")
    return 0


def parse_corrections(texts: Sequence[str]) -> dict[Place, Value]:
    """Return the places and values of texts like ``box:1,3:0=white``; raises MalformedError."""
    found: dict[Place, Value] = {}
    for text in texts:
        where, is_there, value = text.partition("=")
        if not is_there or ":" not in where or not value:
            raise MalformedError(f"--is {text!r} is not of the form PLACE=VALUE, as box:1,3:0=white")
        found[Place(where)] = None if value == "none" else value
    return found


def run_replay(arguments: argparse.Namespace) -> int:
    """Run ``replay-cases``: the exit status is 1 while any case is not fixed."""
    outcomes = list(replay(load_cases(arguments.cases)))
    if arguments.json:
        print_json({"cases": [_document(one) for one in outcomes]})
    else:
        for one in outcomes:
            _tell(one)
    return 0 if all(one.mended for one in outcomes) else EXIT_BAD


def _document(one: CaseOutcome) -> dict[str, object]:
    return {
        "case": one.case.name,
        "mended": one.mended,
        "right": one.right,
        "wrong": [{"place": at, "read": read, "truth": true} for at, read, true in one.wrong],
        "missed": list(one.missed),
    }


def _tell(one: CaseOutcome) -> None:
    state = "fixed" if one.mended else "not fixed"
    print(f"{one.case.name}: {state}; {one.right} right, {len(one.missed)} left open, {len(one.wrong)} wrong")
    for where, read, true in one.wrong:
        print(f"  {where} is {_shown(true)}, read as {_shown(read)}")
    for where in one.missed:
        if where in one.case.corrected:
            print(f"  {where} is {_shown(one.case.truth[where])}, not told")


def _shown(value: Value) -> str:
    return "none" if value is None else value
