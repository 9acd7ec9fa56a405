"""A report of a misreading: what was seen and decided, in one zip that can be played back.

    versions.json        format, product, Python, platform
    header.json          the game's header; names of players are the colours of their pieces
    actions.jsonl        the accepted actions before the first observation, a record line each
    rulings.json         what the players had ruled by then; only if there was anything
    observations.jsonl   what the sources saw, oldest first, with every confidence
    decision.json        the decision, in words
    pictures/N.jpg       pictures of the camera, the newest last
    errors.txt           unexpected errors with their tracebacks; only if there were any

It contains nothing else.
"""

from __future__ import annotations

import json
import platform
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from companion.decision import Decision
from companion.errors import MalformedError
from companion.game import Game, Json
from companion.loose_pieces import LoosePiece, Point
from companion.observation import Observation, Sighting
from companion.record.game_record import format_object, parse_object
from companion.session.journal import Journal
from companion.session.ledger import BY_PLAYER, ruling_body
from companion.session.referee import Referee
from companion.session.rulings import Rulings, format_rulings, parse_rulings
from companion.storage.archives import ArchiveMember, read_zip
from companion.storage.files import written_whole
from companion.storage.strict import (
    as_boolean,
    as_each,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    as_object,
    as_string,
    as_text,
    lines_of,
    named,
    parse_json,
    parse_text,
    shown,
)
from companion.table import Place, Value

FORMAT: Final = 1
MOST_BYTES: Final = 64 * 2**20
# A report beyond these limits is not ours: at most it begins after a whole game and covers a few seconds.
MOST_ACTIONS: Final = 20_000
MOST_OBSERVATIONS: Final = 2_000
MOST_S: Final = 1e10
MOST_MM: Final = 1e5
MEMBERS: Final = (
    ArchiveMember(pattern=r"versions\.json", most_bytes=2**16, is_needed=True),
    ArchiveMember(pattern=r"header\.json", most_bytes=2**20, is_needed=True),
    ArchiveMember(pattern=r"actions\.jsonl", most_bytes=4 * 2**20, is_needed=True),
    ArchiveMember(pattern=r"rulings\.json", most_bytes=2**20),
    ArchiveMember(pattern=r"observations\.jsonl", most_bytes=8 * 2**20, is_needed=True),
    ArchiveMember(pattern=r"decision\.json", most_bytes=2**16, is_needed=True),
    ArchiveMember(pattern=r"errors\.txt", most_bytes=2**20),
    ArchiveMember(pattern=r"pictures/\d{1,4}\.jpg", most_bytes=16 * 2**20),
)
_NEEDED: Final = ("source", "seq", "seen_at_s", "busy", "hidden", "sightings")
_MEASURES: Final = ("x_mm", "y_mm", "turn_deg", "width_mm", "height_mm")


@dataclass(frozen=True, slots=True, kw_only=True)
class BugReport:
    """What a report holds.

    Attributes:
        actions: record lines of what was accepted before the first observation.
        rulings: what the players had ruled by then.
        observations: oldest first; their revisions are counted from the state in which the report begins,
            which is 0.
        decision: the decision on the last observation, in words.
        pictures: JPEG bytes.
        errors: unexpected errors with their tracebacks; empty if there were none.
    """

    header: Json
    actions: tuple[Json, ...]
    observations: tuple[Observation, ...]
    decision: str
    pictures: tuple[bytes, ...] = ()
    errors: str = ""
    rulings: Rulings = field(default_factory=Rulings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One decision from replaying a report.

    Attributes:
        seq: number of the observation that led to it.
        kind: the kind of decision: ``Accepted``, ``OutOfStep`` ...
        actions: what was accepted, in words.
    """

    seq: int
    kind: str
    text: str
    actions: tuple[str, ...]


def write_report(file: Path, report: BugReport) -> None:
    """Write a report, whole or not at all; raises OSError."""
    with written_whole(file) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("versions.json", json.dumps(_versions(), indent=1))
        archive.writestr("header.json", format_object(report.header))
        archive.writestr("actions.jsonl", _lines(report.actions))
        if told := format_rulings(report.rulings):
            archive.writestr("rulings.json", format_object(told))
        archive.writestr("observations.jsonl", _lines(map(format_observation, report.observations)))
        archive.writestr("decision.json", json.dumps({"text": report.decision}, ensure_ascii=False))
        for number, picture in enumerate(report.pictures):
            archive.writestr(f"pictures/{number}.jpg", picture)
        if report.errors:
            archive.writestr("errors.txt", report.errors.encode("utf-8", "backslashreplace"))


def read_report(file: Path) -> BugReport:
    """Read a report; raises MalformedError if it is not one, OSError if the file cannot be read."""
    parts = read_zip(file, MEMBERS, MOST_BYTES)
    with named(f"{file} is no report of a misread"):
        versions = parse_object(parts["versions.json"])
        if versions.get("format") != FORMAT:
            raise MalformedError(f"its format is {shown(versions.get('format'))}, not {FORMAT}")
        decision = as_object(parse_json(parts["decision.json"]), "decision.json", ("text",))
        observations = lines_of(parts["observations.jsonl"], MOST_OBSERVATIONS)
        return BugReport(
            header=parse_object(parts["header.json"]),
            actions=tuple(map(parse_object, lines_of(parts["actions.jsonl"], MOST_ACTIONS))),
            observations=tuple(parse_observation(parse_json(line)) for line in observations),
            decision=as_text(decision["text"], "decision.json"),
            pictures=tuple(parts[name] for name in sorted(parts) if name.startswith("pictures/")),
            errors=parse_text(parts.get("errors.txt", b"")),
            rulings=parse_rulings(parse_object(parts.get("rulings.json", b"{}"))),
        )


def replay(report: BugReport, game: Game[Any, Any]) -> tuple[Replayed, ...]:
    """Feed the observations to a new referee in the report's initial state; return its decisions.

    Raises MalformedError or JournalError if the report does not fit the game.
    """
    told: list[Replayed] = []
    with (
        tempfile.TemporaryDirectory(prefix="moontable-replay-") as folder,
        Journal.create(Path(folder) / "journal", report.header) as journal,
    ):
        if report.actions:
            journal.append("action", {"actions": list(report.actions), "by": "table"})
        if report.rulings != Rulings():
            journal.append("ruling", ruling_body(report.rulings, BY_PLAYER))
        referee = Referee(game, journal)
        begins_at = referee.line.revision
        for observation in report.observations:
            before = referee.number
            update = referee.feed(counted_from(observation, -begins_at))
            if update is not None:
                words = tuple(past.text for past in referee.history[before:])
                told.append(_replayed(observation, update.decision, words))
    return tuple(told)


def counted_from(observation: Observation, revision: int) -> Observation:
    """Return an observation with its revision counted from another revision of the game."""
    if observation.read_for is None:
        return observation
    return replace(observation, read_for=observation.read_for - revision)


def format_observation(observation: Observation) -> Json:
    """Return an observation as a JSON object that loses nothing."""
    return {
        "source": observation.source,
        "seq": observation.seq,
        "seen_at_s": observation.seen_at_s,
        "busy": observation.busy,
        "hidden": sorted(observation.hidden),
        "denied": {place: sorted(values, key=str) for place, values in observation.denied.items()},
        "likely": _told(observation.likely),
        "sightings": _told(observation.sightings),
        "areas": {area: [asdict(piece) for piece in pieces] for area, pieces in observation.areas.items()},
        "covered": {area: list(map(list, points)) for area, points in observation.covered.items()},
        "read_for": observation.read_for,
    }


def parse_observation(line: object) -> Observation:
    """Return the observation of an object; the inverse of `format_observation`; raises MalformedError."""
    with named("this is no observation"):
        # Older reports do not have the last of these keys.
        found = as_object(line, "the line", _NEEDED, ("denied", "likely", "areas", "covered", "read_for"))
        denied = as_each(found.get("denied", {}), "denied", as_list)
        areas = as_each(found.get("areas", {}), "areas", as_list)
        covered = as_each(found.get("covered", {}), "covered", as_list)
        return Observation(
            source=as_text(found["source"], "source"),
            seq=as_integer(found["seq"], "seq", 0),
            seen_at_s=as_number(found["seen_at_s"], "seen_at_s", -MOST_S, MOST_S),
            busy=as_boolean(found["busy"], "busy"),
            hidden=frozenset(
                Place(as_string(one, "a hidden place")) for one in as_list(found["hidden"], "hidden")
            ),
            denied={
                Place(where): frozenset(_as_value(value, f"denied of {where}") for value in values)
                for where, values in denied.items()
            },
            likely=_sightings(found.get("likely", {}), "likely"),
            sightings=_sightings(found["sightings"], "sightings"),
            areas={area: tuple(map(_loose_piece, pieces)) for area, pieces in areas.items()},
            covered={area: tuple(map(_point, points)) for area, points in covered.items()},
            read_for=_revision(found.get("read_for")),
        )


def _told(sightings: Mapping[Place, Sighting]) -> Json:
    return {where: [one.value, one.confidence] for where, one in sightings.items()}


def _sightings(found: object, what: str) -> dict[Place, Sighting]:
    return {Place(where): _sighting(Place(where), one) for where, one in as_mapping(found, what).items()}


def _sighting(where: Place, found: object) -> Sighting:
    value, confidence = as_list(found, where, 2)
    return Sighting(
        place=where,
        value=_as_value(value, where),
        confidence=as_number(confidence, f"the confidence of {where}", 0, 1),
    )


def _revision(value: object) -> int | None:
    return None if value is None else as_integer(value, "read_for", -MOST_ACTIONS, MOST_ACTIONS)


def _as_value(value: object, what: str) -> Value:
    return None if value is None else as_text(value, what)


def _loose_piece(piece: object) -> LoosePiece:
    found = as_object(piece, "a piece", [each.name for each in fields(LoosePiece)])
    return LoosePiece(
        face=_as_value(found["face"], "face"),
        area=as_text(found["area"], "area"),
        confidence=as_number(found["confidence"], "confidence", 0, 1),
        **{name: as_number(found[name], name, -MOST_MM, MOST_MM) for name in _MEASURES},
    )


def _point(point: object) -> Point:
    x, y = as_list(point, "a covered point", 2)
    return as_number(x, "x", -MOST_MM, MOST_MM), as_number(y, "y", -MOST_MM, MOST_MM)


def _replayed(observation: Observation, decision: Decision[Any], actions: tuple[str, ...]) -> Replayed:
    return Replayed(seq=observation.seq, kind=type(decision).__name__, text=decision.text, actions=actions)


def _lines(objects: Iterable[Json]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def _versions() -> Json:
    try:
        product = metadata.version("moontable")
    except metadata.PackageNotFoundError:
        product = "unpacked"
    return {
        "format": FORMAT,
        "moontable": product,
        "python": platform.python_version(),
        "platform": platform.system(),
    }
