"""What a player says of the photographs of a copy: the file ``photos.json``, and the pictures it names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from companion.errors import MalformedError
from companion.storage.strict import (
    as_choice,
    as_file_name,
    as_list,
    as_numbers,
    as_object,
    named,
    read_json_object,
)
from companion.table_pieces import PieceSet
from vision.arrays import Image
from vision.capture.sources import open_picture_file
from vision.enrolment.free_copy import CopyPhotographs, PointedThing, RowsPhotograph
from vision.enrolment.solid_paints import SOLIDS

PHOTOS_FILE: Final = "photos.json"
_MOST_PHOTOS, _MOST_THINGS, _MOST_IN_ROW, _MOST_PX = 100, 500, 100, 100_000.0
_LIE: Final = ("flat", "board", "disc-board")


def read_copy_photographs(folder: Path, pieces: PieceSet) -> tuple[CopyPhotographs, tuple[str, ...]]:
    """Return the photographs in a folder, and why some of them cannot be opened, for people.

    Raises MalformedError if ``photos.json`` is missing or not understood, or if no photograph can be opened.
    """
    file = folder / PHOTOS_FILE
    if not file.is_file():
        raise MalformedError(f"{folder} has no {PHOTOS_FILE}: it says what the photographs show")
    with named(str(file)):
        said = as_object(read_json_object(file), "the file", ("faces",), ("empty", "things"))
        faces = as_list(said["faces"], "faces", most=_MOST_PHOTOS)
        rows = tuple(_parse_rows(one, pieces) for one in faces)
        _ensure_once(rows)
        things = as_list(said.get("things", []), "things", most=_MOST_THINGS)
        pointed = tuple(_parse_thing(one, pieces) for one in things)
        empty = [] if said.get("empty") is None else [as_file_name(said["empty"], "empty")]
    names = dict.fromkeys((*(one.picture for one in rows), *(one.picture for one in pointed), *empty))
    images: dict[str, Image] = {}
    refused: list[str] = []
    for name in names:
        try:
            images[name] = open_picture_file(folder / name)
        except (MalformedError, OSError) as error:
            refused.append(str(error))
    if not images:
        raise MalformedError("; ".join([f"{folder} has no photograph that can be opened", *refused]))
    bare = next((name for name in empty if name in images), "")
    return CopyPhotographs(images=images, rows=rows, things=pointed, empty=bare), tuple(refused)


def _parse_rows(value: object, pieces: PieceSet) -> RowsPhotograph:
    found = as_object(value, "a photograph of faces", ("picture", "rows"))
    rows = []
    for row in as_list(found["rows"], "rows", most=_MOST_IN_ROW):
        names = as_list(row, "a row", most=_MOST_IN_ROW)
        rows.append(tuple(as_choice(one, "a face", pieces.faces) for one in names))
    if not all(rows) or not rows:
        raise MalformedError("a photograph of faces has an empty row")
    return RowsPhotograph(picture=as_file_name(found["picture"], "picture"), rows=tuple(rows))


def _ensure_once(photographs: Collection[RowsPhotograph]) -> None:
    names = [name for one in photographs for row in one.rows for name in row]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedError(f"the face {twice} is named twice")


def _parse_thing(value: object, pieces: PieceSet) -> PointedThing:
    found: Mapping[str, Any] = as_object(value, "a thing", ("picture", "id", "shape", "at_px"))
    shape = as_choice(found["shape"], "a shape", (*_LIE, *SOLIDS))
    x, y = as_numbers(found["at_px"], "at_px", 2, 0.0, _MOST_PX)
    if shape in _LIE:
        name = as_choice(found["id"], "a board or back", pieces.faces)
    else:
        # Paints go by the players' colours and the game's own names: they are not for here to judge.
        name = as_file_name(found["id"], "a piece's name")
    return PointedThing(
        picture=as_file_name(found["picture"], "picture"), name=name, shape=shape, at_px=(x, y)
    )
