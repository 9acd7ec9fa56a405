"""A profile: everything learnt about one box, as data. Pictures are PNG bytes, opened by vision alone.

A profile serves under other lights and cameras than it was learnt under: colours are relative to white paper,
places in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calibration.layout import TableLayout, format_layout, parse_layout
from calibration.sensors import SensorProfile
from calibration.sensors import format_profile as format_sensors
from calibration.sensors import parse_profile as parse_sensors
from companion.errors import ProfileError
from companion.words import msg

PROFILE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRecord:
    """One learnt face: of a tile, of a card or of the board with boxes.

    Attributes:
        name: what is claimed when it is seen, for example ``mill/sketch``.
        picture: name of its PNG: BGRA, light relative to white paper as `vision.light.coded` writes it, alpha
            0 where nothing was learnt.
        width_mm, height_mm: its size.
        boxes_mm: middles of its boxes by number, from its own middle, x right and y up the picture.
        box_edge_mm: edge of one box.
    """

    name: str
    picture: str
    width_mm: float
    height_mm: float
    boxes_mm: tuple[tuple[float, float], ...] = ()
    box_edge_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRecord:
    """What one kind of piece looks like.

    Attributes:
        kind: ``marker``, ``figure`` or ``dragon``.
        name: the player or the dragon.
        palette: its colours in all shades seen, each blue, green, red, 0 to 255, under white light.
        seen: how much of its outline was filled with its colours when it was learnt, 0 to 1.
    """

    kind: str
    name: str
    palette: tuple[tuple[int, int, int], ...]
    seen: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LensRecord:
    """The lens of the camera, for pictures of `size_wh` or of the same shape.

    `measured`: with the lens sheet; otherwise it was estimated with the table, as a first guess.
    """

    size_wh: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    k1: float
    k2: float
    measured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that one box's enrolment has taught.

    Attributes:
        edition: of the game.
        players: colours of the pieces, in seat order.
        layout: what lies where.
        faces: the tiles' faces.
        board: the board with boxes, if there is one.
        cards: the cards' faces, as far as they were learnt.
        pieces: markers, figures, dragons.
        lens: of the camera used for learning.
        pictures: PNG bytes by file name.
        sensors: what a sensor table's set-up has learnt, None without one. A profile of sensors alone has no
            faces.
    """

    edition: str
    players: tuple[str, ...]
    layout: TableLayout
    faces: tuple[FaceRecord, ...]
    board: FaceRecord | None = None
    cards: tuple[FaceRecord, ...] = ()
    pieces: tuple[PieceRecord, ...] = ()
    lens: LensRecord | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    sensors: SensorProfile | None = None

    def __post_init__(self) -> None:
        records = [*self.faces, *self.cards, *([self.board] if self.board else [])]
        missing = sorted({one.picture for one in records} - set(self.pictures))
        if missing:
            raise ProfileError(
                msg("the profile lacks the picture {missing}; enrol the game again", missing=missing[0])
            )
        names = [one.name for one in (*self.faces, *self.cards)]
        if len(set(names)) != len(names):
            raise ProfileError(msg("the profile names a face twice; enrol the game again"))


def format_profile(profile: Profile) -> dict[str, Any]:
    """Return the profile without its pictures as a JSON object."""
    lens = profile.lens
    return {
        "profile": PROFILE_VERSION,
        "edition": profile.edition,
        "players": list(profile.players),
        "layout": format_layout(profile.layout),
        "faces": [_format_face(face) for face in profile.faces],
        "board": None if profile.board is None else _format_face(profile.board),
        "cards": [_format_face(face) for face in profile.cards],
        "pieces": [
            {"kind": one.kind, "name": one.name, "palette": [list(c) for c in one.palette], "seen": one.seen}
            for one in profile.pieces
        ],
        "lens": None if lens is None else _format_lens(lens),
        "sensors": None if profile.sensors is None else format_sensors(profile.sensors),
    }


def parse_profile(found: object, pictures: Mapping[str, bytes]) -> Profile:
    """Return the profile that a JSON object and the pictures make; raises ProfileError in words."""
    if not isinstance(found, dict) or "profile" not in found:
        raise ProfileError(msg("this is no profile of Moontable"))
    version = found["profile"]
    if isinstance(version, int) and version > PROFILE_VERSION:
        raise ProfileError(
            msg(
                "the profile is of version {version}, newer than {PROFILE_VERSION}, understood here: "
                "update Moontable",
                version=version,
                PROFILE_VERSION=PROFILE_VERSION,
            )
        )
    if version != PROFILE_VERSION:
        raise ProfileError(msg("the profile's version {version} is unknown", version=repr(version)))
    try:
        return Profile(
            edition=_text(found["edition"]),
            players=tuple(_text(one) for one in _list(found["players"])),
            layout=parse_layout(found["layout"]),
            faces=tuple(_parse_face(one) for one in _list(found["faces"])),
            board=None if found["board"] is None else _parse_face(found["board"]),
            # Profiles from before cards were learnt do not have the key.
            cards=tuple(_parse_face(one) for one in _list(found.get("cards", []))),
            pieces=tuple(_parse_piece(one) for one in _list(found["pieces"])),
            lens=None if found["lens"] is None else _parse_lens(found["lens"]),
            pictures=dict(pictures),
            # Profiles from before there were sensor tables do not have the key.
            sensors=None if found.get("sensors") is None else parse_sensors(found["sensors"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProfileError(
            msg("the profile is damaged ({why}); enrol the game again", why=repr(error))
        ) from error


def _format_face(face: FaceRecord) -> dict[str, Any]:
    return {
        "name": face.name,
        "picture": face.picture,
        "size_mm": [face.width_mm, face.height_mm],
        "boxes_mm": [list(middle) for middle in face.boxes_mm],
        "box_edge_mm": face.box_edge_mm,
    }


def _parse_face(found: Mapping[str, Any]) -> FaceRecord:
    width, height = (_real(one) for one in found["size_mm"])
    if width <= 0 or height <= 0:
        raise ValueError(f"size {width} by {height} mm")
    return FaceRecord(
        name=_text(found["name"]),
        picture=_text(found["picture"]),
        width_mm=width,
        height_mm=height,
        boxes_mm=tuple((_real(x), _real(y)) for x, y in found["boxes_mm"]),
        box_edge_mm=_real(found["box_edge_mm"]),
    )


def _parse_piece(found: Mapping[str, Any]) -> PieceRecord:
    kind = _text(found["kind"])
    if kind not in {"marker", "figure", "dragon"}:
        raise ValueError(f"kind of piece {kind!r}")
    palette = tuple((_byte(blue), _byte(green), _byte(red)) for blue, green, red in found["palette"])
    return PieceRecord(kind=kind, name=_text(found["name"]), palette=palette, seen=_real(found["seen"]))


def _format_lens(lens: LensRecord) -> list[Any]:
    numbers = [*lens.size_wh, lens.focal_px, *lens.centre_px, lens.k1, lens.k2]
    # Profiles without a measured lens stay as programs of before expect them.
    return [*numbers, True] if lens.measured else numbers


def _parse_lens(found: list[Any]) -> LensRecord:
    measured = len(found) == 8 and found[7] is True
    width, height, focal, x, y, k1, k2 = (_real(one) for one in (found[:7] if measured else found))
    if width < 1 or height < 1 or focal <= 0:
        raise ValueError(f"a lens of {focal} px for {width} x {height} px")
    return LensRecord(
        size_wh=(int(width), int(height)), focal_px=focal, centre_px=(x, y), k1=k1, k2=k2, measured=measured
    )


def _list(found: object) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError(f"{found!r} is not a list")
    return found


def _text(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError(f"{found!r} is not a text")
    return found


def _real(found: object) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise TypeError(f"{found!r} is not a number")
    return float(found)


def _byte(found: object) -> int:
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= 255:
        raise TypeError(f"{found!r} is not a value of 0 to 255")
    return found
