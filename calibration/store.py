"""Profiles on disk: a folder with ``profile.json`` and pictures, or the same as one zip."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.profile import Profile, format_profile, parse_profile
from companion.errors import ProfileError
from companion.words import msg

_INDEX = "profile.json"
_MOST_BYTES = 64 * 1024 * 1024


def save_profile(profile: Profile, folder: Path) -> None:
    """Write the profile; an older one in the same folder is replaced whole.

    Raises ProfileError when the folder holds something else or cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise ProfileError(msg("{folder} is not a folder", folder=folder))
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _INDEX).is_file():
        raise ProfileError(
            msg("{folder} holds other files; name an empty or a new folder for the profile", folder=folder)
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
    """Write the profile as one zip; raises ProfileError when that is impossible."""
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
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
                "{folder} holds no {index}; make a profile with `moontable enrol`",
                folder=folder,
                index=_INDEX,
            )
        )
    found = _index_of(index.read_bytes(), str(index))
    pictures: dict[str, bytes] = {}
    for name in _names(found):
        file = folder / name
        if not file.is_file():
            raise ProfileError(msg("the profile lacks the picture {name}; enrol the game again", name=name))
        pictures[name] = file.read_bytes()
    return _checked(found, pictures)


def _from_zip(file: Path) -> Profile:
    try:
        with zipfile.ZipFile(file) as archive:
            if sum(one.file_size for one in archive.infolist()) > _MOST_BYTES:
                raise ProfileError(msg("{file} is too large for a profile", file=file))
            found = _index_of(archive.read(_INDEX), f"{_INDEX} in {file}")
            return _checked(found, {name: archive.read(name) for name in _names(found)})
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError, RuntimeError) as error:
        raise ProfileError(
            msg("{file} is no profile, or it is damaged ({why})", file=file, why=error)
        ) from error


def _index_of(content: bytes, what: str) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ProfileError(
            msg("{what} is damaged ({why}); enrol the game again", what=what, why=error)
        ) from error
    if not isinstance(found, dict):
        raise ProfileError(msg("{what} is no profile of Moontable", what=what))
    return found


def _names(found: Mapping[str, Any]) -> list[str]:
    sums = found.get("pictures")
    if not isinstance(sums, dict):
        raise ProfileError(msg("the profile lists no pictures; enrol the game again"))
    for name in sums:
        if Path(name).name != name or not name.endswith(".png"):
            raise ProfileError(msg("the profile names a picture {name} outside its folder", name=repr(name)))
    return list(sums)


def _checked(found: Mapping[str, Any], pictures: Mapping[str, bytes]) -> Profile:
    for name, content in pictures.items():
        if hashlib.sha256(content).hexdigest() != found["pictures"][name]:
            raise ProfileError(
                msg("the profile's picture {name} was changed or damaged; enrol the game again", name=name)
            )
    return parse_profile(dict(found), pictures)
