"""Stores bad readings as cases and reads them again: a picture, its profile, and the truth.

A folder of cases holds one folder for each case with the picture, byte for byte, and ``case.json``. The
profiles are in ``profiles``, each stored once however many cases use it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import Profile
from calibration.store import export_profile, load_profile
from companion.errors import MalformedError
from companion.storage.strict import (
    as_each,
    as_file_name,
    as_list,
    as_object,
    as_string,
    as_text,
    named,
    parse_json,
    read_bytes,
    shown,
)
from companion.table import Picture, Place, Value
from vision.arrays import Image
from vision.capture.sources.frame import open_picture_file
from vision.reader import Reader

INDEX = "case.json"
PROFILES = "profiles"
CASE_VERSION = 1
_KEYS = ("case", "picture", "profile", "truth", "corrected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One picture that was once read badly.

    Attributes:
        name: of its folder.
        picture: the file.
        profile: the file of the profile.
        truth: what is really where, as far as known.
        corrected: the places that were misread or not read at all.
    """

    name: str
    picture: Path
    profile: Path
    truth: Picture
    corrected: frozenset[Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """The result of reading a case again.

    Attributes:
        case: the case.
        wrong: wrong claims: place, claim, truth.
        missed: places of the truth without a claim.
        right: number of correct claims.
    """

    case: Case
    wrong: tuple[tuple[Place, Value, Value], ...]
    missed: tuple[Place, ...]
    right: int

    @property
    def mended(self) -> bool:
        """Whether no claim is wrong and every corrected place is now read correctly."""
        return not self.wrong and not self.case.corrected & set(self.missed)


def reading_of(reader: Reader, image: Image) -> dict[Place, Value]:
    """Return the claims about one picture, read by itself."""
    reader.forget()
    seen = reader.read(image, seq=0, seen_at_s=0.0, source="case")
    return {where: one.value for where, one in seen.sightings.items()}


def keep_case(
    folder: Path,
    name: str,
    picture: Path,
    profile: Profile,
    *,
    truth: Picture,
    corrected: Mapping[Place, Value],
) -> Case:
    """Store a picture as a case of this name; `corrected` takes precedence over `truth`.

    Raises MalformedError if the name is a path to elsewhere, a case of that name exists, or the folder cannot
    be written.
    """
    kept = folder / as_file_name(name, "the name of a case")
    try:
        (folder / PROFILES).mkdir(parents=True, exist_ok=True)
        kept.mkdir()
        shutil.copyfile(picture, kept / f"picture{picture.suffix.lower()}")
        index = {
            "case": CASE_VERSION,
            "picture": f"picture{picture.suffix.lower()}",
            "profile": _keep_profile(folder / PROFILES, profile),
            "truth": {**truth, **corrected},
            "corrected": sorted(corrected),
        }
        (kept / INDEX).write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except FileExistsError as error:
        raise MalformedError(f"there is already a case {name!r} in {folder}; choose another name") from error
    except OSError as error:
        raise MalformedError(f"the case cannot be kept in {folder}: {error.strerror or error}") from error
    return _load(kept)


def _keep_profile(folder: Path, profile: Profile) -> str:
    """Store the profile unless it is there already; return its file's name."""
    part = folder / "new.part"
    export_profile(profile, part)
    name = _fingerprint(profile) + ".zip"
    part.replace(folder / name)
    return name


def _fingerprint(profile: Profile) -> str:
    made = hashlib.sha256(repr((profile.edition, profile.players, profile.layout, profile.pieces)).encode())
    for name, content in sorted(profile.pictures.items()):
        made.update(name.encode() + content)
    return made.hexdigest()[:16]


def load_cases(folder: Path) -> tuple[Case, ...]:
    """Return all cases of a folder, by name; raises MalformedError if there are none or one is damaged."""
    found = tuple(_load(index.parent) for index in sorted(folder.glob(f"*/{INDEX}")))
    if not found:
        raise MalformedError(f"{folder} has no cases; keep one with `moontable keep-case`")
    return found


def _load(folder: Path) -> Case:
    index = folder / INDEX
    try:
        with named(f"{index} is damaged"):
            found = as_object(parse_json(read_bytes(index)), "it", _KEYS)
            if found["case"] != CASE_VERSION:
                raise MalformedError(f"version {shown(found['case'])} is not {CASE_VERSION}")
            truth = as_each(found["truth"], "the truth of", _as_value)
            corrected = as_list(found["corrected"], "corrected")
            return Case(
                name=folder.name,
                picture=folder / as_file_name(found["picture"], "the picture"),
                profile=folder.parent / PROFILES / as_file_name(found["profile"], "the profile"),
                truth={Place(where): value for where, value in truth.items()},
                corrected=frozenset(Place(as_string(where, "a corrected place")) for where in corrected),
            )
    except OSError as error:
        raise MalformedError(f"{index} cannot be read: {error.strerror or error}") from error


def _as_value(value: object, what: str) -> Value:
    return None if value is None else as_text(value, what)


def replay(cases: tuple[Case, ...]) -> Iterator[CaseOutcome]:
    """Read every case again, grouped by profile; yield the results."""
    for file in dict.fromkeys(case.profile for case in cases):
        reader = Reader(load_profile(file))
        for case in (one for one in cases if one.profile == file):
            claims = reading_of(reader, open_picture_file(case.picture))
            known = {where: value for where, value in claims.items() if where in case.truth}
            yield CaseOutcome(
                case=case,
                wrong=tuple(
                    (where, value, case.truth[where])
                    for where, value in sorted(known.items())
                    if value != case.truth[where]
                ),
                missed=tuple(where for where in sorted(case.truth) if where not in claims),
                right=sum(value == case.truth[where] for where, value in known.items()),
            )
