"""A folder of pictures of faces, one each: what ``moontable find`` looks for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.profile import LEAST_FACE_MM, MOST_FACE_MM, MOST_FACES
from companion.errors import MalformedError
from companion.storage.strict import as_mapping, as_number, as_object, named, parse_json, read_bytes
from vision.arrays import Bools, Image
from vision.capture.sources.files import IMAGE_SUFFIXES
from vision.capture.sources.frame import open_picture_file

SIZES_FILE: Final = "sizes.json"
# No more of a scan is needed, px.
_LONGEST_PX: Final = 900
# A picture of other proportions than the face has a border. It has the colour of the picture's rim, up to
# these levels of 255; what is left must have the face's proportions.
_SAME_SHAPE: Final = 0.03
_NEARLY_SAME: Final = 0.06
_BORDER_LEVELS: Final = 28.0
_LEAST_SHARE: Final = 0.3

Size = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceFolder:
    """The faces in a folder.

    Attributes:
        pictures: of each face by name, (height, width, 3), not larger than needed.
        sizes_mm: width and height of those whose size is known.
        refused: what could not be used, and why, for people.
    """

    pictures: Mapping[str, Image]
    sizes_mm: Mapping[str, Size]
    refused: tuple[str, ...]


def read_face_folder(folder: Path) -> FaceFolder:
    """Return the faces in a folder; a picture that cannot be used is told of, and the others are.

    Raises MalformedError if there is no such folder or no face in it, or if its sizes are not understood.
    """
    if not folder.is_dir():
        raise MalformedError(f"{folder} is not a folder of pictures")
    files = sorted(one for one in folder.iterdir() if one.suffix.lower() in IMAGE_SUFFIXES and one.is_file())
    if len(files) > MOST_FACES:
        raise MalformedError(f"{folder}: {len(files)} pictures; {MOST_FACES} faces at most can be looked for")
    sizes = _read_sizes(folder / SIZES_FILE, tuple(dict.fromkeys(one.stem for one in files)))
    pictures: dict[str, Image] = {}
    from_file: dict[str, Path] = {}
    refused = []
    for file in files:
        if file.stem in from_file:
            refused.append(f"{file}: {file.stem} is {from_file[file.stem].name} already; rename one of them")
            continue
        try:
            picture = open_picture_file(file)
        except (MalformedError, OSError) as error:
            refused.append(str(error))
            continue
        from_file[file.stem] = file
        pictures[file.stem] = _reduced(without_border(picture, sizes.get(file.stem)))
    if not pictures:
        raise MalformedError("; ".join([f"{folder} has no picture of a face", *refused]))
    known = {name: size for name, size in sizes.items() if name in pictures}
    return FaceFolder(pictures=pictures, sizes_mm=known, refused=tuple(refused))


def _read_sizes(file: Path, faces: tuple[str, ...]) -> dict[str, Size]:
    """Return the width and height of faces according to a file; none if it is absent."""
    if not file.exists():
        return {}
    with named(str(file)):
        found = as_mapping(parse_json(read_bytes(file)), "the sizes")
        if "width_mm" in found and not isinstance(found["width_mm"], dict):
            return dict.fromkeys(faces, _parse_size(found, "the size"))
        return {name: _parse_size(one, f"the size of {name}") for name, one in found.items()}


def _parse_size(value: object, what: str) -> Size:
    found = as_object(value, what, ("width_mm", "height_mm"))
    width, height = (
        as_number(found[key], f"{what}: {key}", LEAST_FACE_MM, MOST_FACE_MM)
        for key in ("width_mm", "height_mm")
    )
    return width, height


def without_border(picture: Image, size: Size | None) -> Image:
    """Return the face in a picture that shows it with a border, if its proportions tell that there is one."""
    if size is None or _is_of_shape(picture.shape, size, _SAME_SHAPE):
        return picture
    height, width = picture.shape[:2]
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    border = np.median(rim.reshape(-1, 3), axis=0)
    other = np.asarray(np.abs(picture.astype(np.float32) - border).max(axis=2) > _BORDER_LEVELS, np.bool_)
    left, top, across, down = _box(other)
    cut = picture[top : top + down, left : left + across]
    large_enough = across * down >= _LEAST_SHARE * width * height
    return cut if large_enough and _is_of_shape(cut.shape, size, _NEARLY_SAME) else picture


def _box(mask: Bools) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the largest patch, specks left out."""
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(clean)
    if count < 2:
        return 0, 0, mask.shape[1], mask.shape[0]
    left, top, across, down = (int(one) for one in stats[1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())][:4])
    return left, top, across, down


def _is_of_shape(shape: tuple[int, ...], size: Size, slack: float) -> bool:
    return abs(math.log(shape[1] * size[1] / (shape[0] * size[0]))) <= slack


def _reduced(picture: Image) -> Image:
    zoom = _LONGEST_PX / max(picture.shape[:2])
    if zoom >= 1:
        return picture
    size = max(round(picture.shape[1] * zoom), 1), max(round(picture.shape[0] * zoom), 1)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
