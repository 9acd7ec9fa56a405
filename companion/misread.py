"""A report of something misread: what was seen and decided, in one zip that can be played again.

    versions.json        format, product, Python, platform
    header.json          the game's header; names of players are the colours of their pieces
    actions.jsonl        the accepted actions before the first observation, a record line each
    observations.jsonl   what the sources saw, oldest first, with every confidence
    decision.json        what was made of it, in words
    pictures/N.jpg       pictures of the camera, the newest last
    errors.txt           errors that nobody foresaw, with their tracebacks; only where there were any

Nothing else is in it.
"""

from __future__ import annotations

import json
import platform
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from companion.errors import MalformedError
from companion.files import written_whole
from companion.games.game import Game, Json
from companion.journal import Journal
from companion.lying import Lying
from companion.reconcile.decision import Decision
from companion.reconcile.observation import Observation, Sighting
from companion.record import format_object, parse_object
from companion.referee import Referee
from companion.table import Place

FORMAT: Final = 1
MOST_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What a report holds.

    Attributes:
        actions: record lines of what was accepted before the first observation.
        decision: what was made of the last observation, in words.
        pictures: JPEG bytes.
        errors: errors that nobody foresaw, with their tracebacks; empty where there were none.
    """

    header: Json
    actions: tuple[Json, ...]
    observations: tuple[Observation, ...]
    decision: str
    pictures: tuple[bytes, ...] = ()
    errors: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One thing that playing a report again led to.

    Attributes:
        seq: number of the observation that led to it.
        kind: the kind of decision: ``Accepted``, ``OutOfStep`` ...
        actions: what was accepted, in words.
    """

    seq: int
    kind: str
    text: str
    actions: tuple[str, ...]


def write_bundle(file: Path, bundle: Bundle) -> None:
    """Write a report, whole or not at all; raises OSError."""
    with written_whole(file) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("versions.json", json.dumps(_versions(), indent=1))
        archive.writestr("header.json", format_object(bundle.header))
        archive.writestr("actions.jsonl", _lines(bundle.actions))
        archive.writestr("observations.jsonl", _lines(map(format_observation, bundle.observations)))
        archive.writestr("decision.json", json.dumps({"text": bundle.decision}, ensure_ascii=False))
        for number, picture in enumerate(bundle.pictures):
            archive.writestr(f"pictures/{number}.jpg", picture)
        if bundle.errors:
            archive.writestr("errors.txt", bundle.errors.encode("utf-8", "backslashreplace"))


def read_bundle(file: Path) -> Bundle:
    """Read a report; raises MalformedError for what is none, OSError where the file cannot be read."""
    try:
        with zipfile.ZipFile(file) as archive:
            if sum(each.file_size for each in archive.infolist()) > MOST_BYTES:
                raise MalformedError(f"{file} is larger than any report")
            versions = parse_object(archive.read("versions.json"))
            if versions.get("format") != FORMAT:
                raise MalformedError(f"{file} has the format {versions.get('format')!r}, not {FORMAT}")
            names = [each for each in archive.namelist() if each.startswith("pictures/")]
            errors = archive.read("errors.txt") if "errors.txt" in archive.namelist() else b""
            return Bundle(
                header=parse_object(archive.read("header.json")),
                actions=tuple(map(parse_object, archive.read("actions.jsonl").splitlines())),
                observations=tuple(
                    parse_observation(json.loads(line))
                    for line in archive.read("observations.jsonl").splitlines()
                ),
                decision=str(json.loads(archive.read("decision.json"))["text"]),
                pictures=tuple(archive.read(name) for name in sorted(names)),
                errors=errors.decode("utf-8"),
            )
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        raise MalformedError(f"{file} is no report of a misread: {error}") from error


def replay(bundle: Bundle, game: Game[Any, Any]) -> tuple[Replayed, ...]:
    """Feed the observations to a fresh referee that stands where the report begins; return what it decides.

    Raises MalformedError or JournalError where the report does not fit the game.
    """
    told: list[Replayed] = []
    with (
        tempfile.TemporaryDirectory(prefix="moontable-replay-") as folder,
        Journal.create(Path(folder) / "journal", bundle.header) as journal,
    ):
        if bundle.actions:
            journal.append("action", {"actions": list(bundle.actions), "by": "table"})
        referee = Referee(game, journal)
        for observation in bundle.observations:
            before = referee.number
            update = referee.feed(observation)
            if update is not None:
                words = tuple(past.text for past in referee.history[before:])
                told.append(_replayed(observation, update.decision, words))
    return tuple(told)


def format_observation(observation: Observation) -> Json:
    """Return an observation as a JSON object that loses nothing."""
    return {
        "source": observation.source,
        "seq": observation.seq,
        "seen_at_s": observation.seen_at_s,
        "busy": observation.busy,
        "hidden": sorted(observation.hidden),
        "denied": {place: sorted(values, key=str) for place, values in observation.denied.items()},
        "sightings": {
            place: [sighting.value, sighting.confidence] for place, sighting in observation.sightings.items()
        },
        "areas": {area: [asdict(piece) for piece in pieces] for area, pieces in observation.areas.items()},
    }


def parse_observation(line: Any) -> Observation:
    """Return the observation of an object; the inverse of `format_observation`; raises MalformedError."""
    try:
        sightings: Mapping[str, Sequence[Any]] = line["sightings"]
        return Observation(
            source=str(line["source"]),
            seq=int(line["seq"]),
            seen_at_s=float(line["seen_at_s"]),
            busy=bool(line["busy"]),
            hidden=frozenset(Place(str(place)) for place in line["hidden"]),
            denied={
                Place(place): frozenset(None if value is None else str(value) for value in values)
                for place, values in line.get("denied", {}).items()
            },
            sightings={
                Place(place): Sighting(
                    place=Place(place),
                    value=None if value is None else str(value),
                    confidence=float(confidence),
                )
                for place, (value, confidence) in sightings.items()
            },
            areas={str(area): tuple(map(_lying, pieces)) for area, pieces in line.get("areas", {}).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MalformedError(f"this is no observation: {error!r}") from error


def _lying(piece: Mapping[str, Any]) -> Lying:
    numbers = {name: float(value) for name, value in piece.items() if name not in ("face", "area")}
    face = piece["face"]
    return Lying(face=None if face is None else str(face), area=str(piece["area"]), **numbers)


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
