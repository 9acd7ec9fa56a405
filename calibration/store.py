"""Profiles on disk: a folder with ``profile.json`` and pictures, or the same as one zip."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from calibration.profile import LensRecord, Profile, format_profile, parse_profile
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.storage.archives import ArchiveMember, read_zip
from companion.storage.files import written_whole
from companion.storage.strict import is_file_name, parse_json_object, read_bytes, shown

_INDEX = "profile.json"
_MOST_BYTES: Final = 64 * 2**20
_MOST_PICTURE_BYTES: Final = 16 * 2**20
_MOST_INDEX_BYTES: Final = 4 * 2**20
_MEMBERS: Final = (
    ArchiveMember(pattern=r"profile\.json", most_bytes=_MOST_INDEX_BYTES, is_needed=True),
    ArchiveMember(pattern=r"[^/\\]+\.png", most_bytes=_MOST_PICTURE_BYTES),
)


def save_profile(profile: Profile, folder: Path) -> None:
    """Write the profile; it replaces an older one in the same folder as a whole.

    Raises ProfileError if the folder contains anything else or cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise ProfileError(msg("{folder} is not a folder", folder=folder))
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _INDEX).is_file():
        raise ProfileError(
            msg(
                "{folder} contains other files; choose an empty or a new folder for the profile",
                folder=folder,
            )
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in profile.pictures.items():
            _write(folder / name, content)
        # Last, so that a profile cut short by a power failure is still the old one or none.
        _write(folder / _INDEX, _index_text(profile).encode())
        for old in folder.glob("*.png"):
            if old.name not in profile.pictures:
                old.unlink()
    except OSError as error:
        raise ProfileError(
            msg("the profile cannot be written to {folder}: {why}", folder=folder, why=error.strerror)
        ) from error


def with_what_stays(learnt: Profile, folder: Path) -> Profile:
    """Add what photographs do not teach, from the profile they will replace: lens, cards, a sensor table.

    A measured lens stays only if the new pictures have the aspect ratio of those it was measured with.
    """
    try:
        before = load_profile(folder)
    except ProfileError:
        return learnt
    lens = learnt.lens
    if before.lens is not None and before.lens.measured and _is_of_shape(before.lens, lens):
        lens = before.lens
    if not learnt.cards:
        pictures = {one.picture: before.pictures[one.picture] for one in before.cards}
        learnt = replace(learnt, cards=before.cards, pictures={**pictures, **learnt.pictures})
    return replace(learnt, lens=lens, sensors=learnt.sensors or before.sensors)


def _is_of_shape(lens: LensRecord, other: LensRecord | None) -> bool:
    """Whether two lenses' pictures have the same aspect ratio, so that one lens serves for the other."""
    if other is None:
        return True
    (width, height), (other_width, other_height) = lens.size_wh, other.size_wh
    return width * other_height == height * other_width


def load_profile(where: Path) -> Profile:
    """Read a profile from its folder or zip; raises ProfileError in words."""
    try:
        if where.is_dir():
            return _from_folder(where)
        if where.is_file():
            return _from_zip(where)
    except OSError as error:
        raise ProfileError(
            msg("the profile {where} cannot be read: {why}", where=where, why=error.strerror)
        ) from error
    raise ProfileError(msg("there is no profile at {where}; make one with `moontable enrol`", where=where))


def export_profile(profile: Profile, file: Path) -> None:
    """Write the profile as one zip; raises ProfileError if that is impossible."""
    try:
        with written_whole(file) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_INDEX, _index_text(profile))
            for name, content in profile.pictures.items():
                archive.writestr(name, content)
    except OSError as error:
        raise ProfileError(
            msg("the profile cannot be written to {file}: {why}", file=file, why=error.strerror)
        ) from error


def _index_text(profile: Profile) -> str:
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(profile.pictures.items())}
    return json.dumps({**format_profile(profile), "pictures": sums}, indent=1)


def _write(file: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _from_folder(folder: Path) -> Profile:
    index = folder / _INDEX
    if not index.is_file():
        raise ProfileError(
            msg(
                "there is no {index} in {folder}; make a profile with `moontable enrol`",
                folder=folder,
                index=_INDEX,
            )
        )
    try:
        found = _index_of(read_bytes(index, _MOST_INDEX_BYTES), str(index))
        pictures: dict[str, bytes] = {}
        room = _MOST_BYTES
        for name in _names(found):
            file = folder / name
            if not file.is_file():
                raise _lacking(name)
            pictures[name] = read_bytes(file, min(_MOST_PICTURE_BYTES, room))
            room -= len(pictures[name])
    except MalformedError as error:
        raise ProfileError(str(error)) from error
    return _checked(found, pictures)


def _from_zip(file: Path) -> Profile:
    try:
        members = read_zip(file, _MEMBERS, _MOST_BYTES)
    except MalformedError as error:
        raise ProfileError(
            msg("{file} is not a profile, or it is damaged ({why})", file=file, why=error)
        ) from error
    found = _index_of(members[_INDEX], f"{_INDEX} in {file}")
    names = _names(found)
    missing = next((name for name in names if name not in members), None)
    if missing is not None:
        raise _lacking(missing)
    return _checked(found, {name: members[name] for name in names})


def _lacking(picture: str) -> ProfileError:
    return ProfileError(
        msg("the picture {name} is missing from the profile; enrol the game again", name=picture)
    )


def _index_of(content: bytes, what: str) -> dict[str, Any]:
    try:
        return parse_json_object(content)
    except MalformedError as error:
        raise ProfileError(
            msg("{what} is damaged ({why}); enrol the game again", what=what, why=error)
        ) from error


def _names(found: Mapping[str, Any]) -> list[str]:
    sums = found.get("pictures")
    if not isinstance(sums, dict):
        raise ProfileError(msg("the profile lists no pictures; enrol the game again"))
    for name in sums:
        if not name.endswith(".png") or not is_file_name(name):
            raise ProfileError(msg("the profile names a picture {name} outside its folder", name=shown(name)))
    return list(sums)


def _checked(found: Mapping[str, Any], pictures: Mapping[str, bytes]) -> Profile:
    for name, content in pictures.items():
        if hashlib.sha256(content).hexdigest() != found["pictures"][name]:
            raise ProfileError(
                msg("the profile's picture {name} was changed or damaged; enrol the game again", name=name)
            )
    return parse_profile(dict(found), pictures)
