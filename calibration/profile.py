"""A profile: everything learnt about one copy of the game, as data. Pictures are PNG bytes, for vision only.

A profile works with other lights and cameras than those it was learnt with: colours are relative to white
paper, places are in millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from calibration.layout import MOST_BOXES, MOST_MM2, format_layout, parse_box, parse_layout
from calibration.sensors import SensorProfile
from calibration.sensors import format_profile as format_sensors
from calibration.sensors import parse_profile as parse_sensors
from companion.errors import MalformedError, ProfileError
from companion.i18n import msg
from companion.storage.strict import (
    as_choice,
    as_file_name,
    as_integer,
    as_list,
    as_number,
    as_numbers,
    as_object,
    as_text,
    shown,
)
from companion.table_layout import TableLayout

PROFILE_VERSION = 1

# Larger than any game's: beyond these a profile would only fill the memory.
LEAST_FACE_MM: Final = 5.0
MOST_FACE_MM: Final = 1000.0
MOST_FACES: Final = 1000
MOST_GROUND_MM: Final = 10_000.0
LEAST_GROUND_SCALE: Final = 0.01
MOST_GROUND_SCALE: Final = 10.0
MOST_PIECES: Final = 200
MOST_SHADES: Final = 200
MOST_LEVELS: Final = 50
MOST_PLAYERS: Final = 20
MOST_LENS_PX: Final = 20_000
MOST_BEND: Final = 100.0

PIECE_KINDS: Final = ("marker", "figure", "dragon", "disc", "meeple", "gem")
"""What a piece may be: the first two on printed places, the last three anywhere (`companion.free_pieces`)."""


_FACE, _BACK = "face", "back"
_SQUARE, _ROUND = "rectangle", "circle"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRecord:
    """One learnt face: of a tile, of a card or of a board; or a back.

    Attributes:
        name: the value of a sighting of it, for example ``mill/sketch``.
        picture: name of its PNG: BGRA, light relative to white paper as `vision.photometry.light.coded`
            writes it, alpha 0 if nothing was learnt.
        width_mm, height_mm: its size.
        boxes_mm: middles of its boxes by number, from its own middle, x right and y up the picture.
        box_edge_mm: edge of one box.
        is_back: it is what shows of a piece that lies face down; then its name is that of the back.
        is_round: it fills the circle in its rectangle, as the face of a round board.
    """

    name: str
    picture: str
    width_mm: float
    height_mm: float
    boxes_mm: tuple[tuple[float, float], ...] = ()
    box_edge_mm: float = 0.0
    is_back: bool = False
    is_round: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRecord:
    """What one kind of piece looks like.

    Attributes:
        kind: one of `PIECE_KINDS`.
        name: the player or the dragon; of pieces that are anywhere on a table, their paint.
        palette: its colours in all shades seen, each blue, green, red, 0 to 255, under white light.
        seen: how much of its outline was filled with its colours when it was learnt, 0 to 1.
        shape: of what stands upright, from its foot to its top: height and half width, as shares of its
            height and its base; empty = as usual.
    """

    kind: str
    name: str
    palette: tuple[tuple[int, int, int], ...]
    seen: float = 1.0
    shape: tuple[tuple[float, float], ...] = ()


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
class NotLearnt:
    """Something that the photographs did not teach; whatever it is about stays open when a table is read.

    Attributes:
        what: ``obelisk``, ``marker:NAME``, ``figure:NAME``, ``dragon:NAME``, or ``PHOTOGRAPH:CELL``: the tile
            that lies there in ``sketch`` or ``built``, the pieces there in ``pieces``.
        why: for people: which photograph, where, and what to do.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundRecord:
    """The empty table from straight above, where pieces may lie anywhere.

    Attributes:
        picture: name of its PNG: BGRA as photographed, alpha 0 where it was not seen.
        left_mm, far_mm: the table's point at its upper left corner.
        px_per_mm: its scale.
    """

    picture: str
    left_mm: float
    far_mm: float
    px_per_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Everything learnt when one copy of the game was enrolled.

    Attributes:
        edition: of the game.
        players: colours of the pieces, in seat order.
        layout: what is where.
        faces: the tiles' faces; where pieces may lie anywhere, every face, back and board.
        board: the board with boxes, if there is one.
        cards: the cards' faces, as far as they were learnt.
        pieces: markers, figures, dragons.
        lens: of the camera used for learning.
        pictures: PNG bytes by file name.
        not_learnt: what its photographs should have taught and did not.
        sensors: what a sensor table's set-up has learnt, None without one. A profile of sensors alone has no
            faces.
        ground: the empty table, None if it was not photographed.
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
    not_learnt: tuple[NotLearnt, ...] = ()
    sensors: SensorProfile | None = None
    ground: GroundRecord | None = None

    def __post_init__(self) -> None:
        records = [*self.faces, *self.cards, *([self.board] if self.board else [])]
        needed = {one.picture for one in records} | ({self.ground.picture} if self.ground else set())
        missing = sorted(needed - set(self.pictures))
        if missing:
            raise ProfileError(
                msg(
                    "the picture {missing} is missing from the profile; enrol the game again",
                    missing=missing[0],
                )
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
        "pieces": [_format_piece(one) for one in profile.pieces],
        "lens": None if lens is None else _format_lens(lens),
        "not_learnt": [{"what": one.what, "why": str(one.why)} for one in profile.not_learnt],
        "sensors": None if profile.sensors is None else format_sensors(profile.sensors),
        # Written only where it is known: most profiles stay as older programs expect them.
        **({} if profile.ground is None else {"ground": _format_ground(profile.ground)}),
    }


def parse_profile(found: object, pictures: Mapping[str, bytes]) -> Profile:
    """Return the profile that a JSON object and the pictures make; raises ProfileError in words."""
    if not isinstance(found, dict) or "profile" not in found:
        raise ProfileError(msg("this is not a Moontable profile"))
    version = found["profile"]
    if isinstance(version, int) and version > PROFILE_VERSION:
        raise ProfileError(
            msg(
                "the profile has version {version}; this Moontable reads versions up to {PROFILE_VERSION}: "
                "update Moontable",
                version=version,
                PROFILE_VERSION=PROFILE_VERSION,
            )
        )
    if version != PROFILE_VERSION:
        raise ProfileError(msg("the profile's version {version} is unknown", version=shown(version)))
    try:
        return _parse_profile(found, pictures)
    except MalformedError as error:
        raise ProfileError(msg("the profile is damaged ({why}); enrol the game again", why=error)) from error


def _parse_profile(found: dict[str, Any], pictures: Mapping[str, bytes]) -> Profile:
    needed = ("edition", "players", "layout", "faces", "board", "pieces", "lens")
    # Keys added by a later version of Moontable are no reason to refuse a profile.
    as_object(found, "the profile", needed, found)
    players = as_list(found["players"], "players", most=MOST_PLAYERS)
    faces = as_list(found["faces"], "faces", most=MOST_FACES)
    # Profiles from before cards were learnt, before there were sensor tables, or from when all had to be
    # learnt do not have their keys.
    cards = as_list(found.get("cards", []), "cards", most=MOST_FACES)
    pieces = as_list(found["pieces"], "pieces", most=MOST_PIECES)
    missing = as_list(found.get("not_learnt", []), "not_learnt", most=MOST_PIECES)
    profile = Profile(
        edition=as_text(found["edition"], "edition"),
        players=tuple(as_text(one, "a player") for one in players),
        layout=parse_layout(found["layout"]),
        faces=tuple(_parse_face(one) for one in faces),
        board=None if found["board"] is None else _parse_face(found["board"]),
        cards=tuple(_parse_face(one) for one in cards),
        pieces=tuple(_parse_piece(one) for one in pieces),
        lens=None if found["lens"] is None else _parse_lens(found["lens"]),
        pictures=dict(pictures),
        not_learnt=tuple(_parse_not_learnt(one) for one in missing),
        sensors=None if found.get("sensors") is None else parse_sensors(found["sensors"]),
        ground=None if found.get("ground") is None else _parse_ground(found["ground"]),
    )
    learnt = [*profile.faces, *profile.cards, *([profile.board] if profile.board else [])]
    whole_mm2 = sum(one.width_mm * one.height_mm for one in learnt)
    if whole_mm2 > MOST_MM2:
        raise MalformedError(f"its faces are of {whole_mm2 / 1e6:.1f} square metres")
    return profile


def _format_ground(ground: GroundRecord) -> dict[str, Any]:
    return {
        "picture": ground.picture,
        "corner_mm": [ground.left_mm, ground.far_mm],
        "px_per_mm": ground.px_per_mm,
    }


def _parse_ground(value: object) -> GroundRecord:
    found = as_object(value, "the ground", ("picture", "corner_mm", "px_per_mm"))
    left, far = as_numbers(found["corner_mm"], "corner_mm", 2, -MOST_GROUND_MM, MOST_GROUND_MM)
    return GroundRecord(
        picture=as_file_name(found["picture"], "the ground's picture"),
        left_mm=left,
        far_mm=far,
        px_per_mm=as_number(found["px_per_mm"], "px_per_mm", LEAST_GROUND_SCALE, MOST_GROUND_SCALE),
    )


def _format_face(face: FaceRecord) -> dict[str, Any]:
    return {
        "name": face.name,
        "picture": face.picture,
        "size_mm": [face.width_mm, face.height_mm],
        "boxes_mm": [list(middle) for middle in face.boxes_mm],
        "box_edge_mm": face.box_edge_mm,
        # Written only where they are so: most profiles stay as older programs expect them.
        **({"side": _BACK} if face.is_back else {}),
        **({"outline": _ROUND} if face.is_round else {}),
    }


def _parse_face(value: object) -> FaceRecord:
    needed = ("name", "picture", "size_mm", "boxes_mm", "box_edge_mm")
    found = as_object(value, "a face", needed, ("side", "outline"))
    width, height = as_numbers(found["size_mm"], "size_mm", 2, LEAST_FACE_MM, MOST_FACE_MM)
    boxes = as_list(found["boxes_mm"], "boxes_mm", most=MOST_BOXES)
    return FaceRecord(
        name=as_text(found["name"], "a face's name"),
        picture=as_file_name(found["picture"], "a face's picture"),
        width_mm=width,
        height_mm=height,
        boxes_mm=tuple(parse_box(one, width, height) for one in boxes),
        box_edge_mm=as_number(found["box_edge_mm"], "box_edge_mm", 0, MOST_FACE_MM),
        is_back=as_choice(found.get("side", _FACE), "a side", (_FACE, _BACK)) == _BACK,
        is_round=as_choice(found.get("outline", _SQUARE), "an outline", (_SQUARE, _ROUND)) == _ROUND,
    )


def _format_piece(piece: PieceRecord) -> dict[str, Any]:
    return {
        "kind": piece.kind,
        "name": piece.name,
        "palette": [list(shade) for shade in piece.palette],
        "seen": piece.seen,
        # Older programs know no shapes.
        **({"shape": [list(level) for level in piece.shape]} if piece.shape else {}),
    }


def _parse_piece(value: object) -> PieceRecord:
    found = as_object(value, "a piece", ("kind", "name", "palette", "seen"), ("shape",))
    palette = as_list(found["palette"], "palette", most=MOST_SHADES)
    return PieceRecord(
        kind=as_choice(found["kind"], "a kind of piece", PIECE_KINDS),
        name=as_text(found["name"], "a piece's name"),
        palette=tuple(_parse_shade(one) for one in palette),
        seen=as_number(found["seen"], "seen"),
        shape=_parse_shape(found.get("shape", [])),
    )


def _parse_shape(value: object) -> tuple[tuple[float, float], ...]:
    levels = as_list(value, "a piece's shape", most=MOST_LEVELS)
    found = [as_numbers(one, "a level of a piece's shape", 2, 0.0, 1.0) for one in levels]
    heights = [height for height, _ in found]
    if heights != sorted(heights):
        raise MalformedError("the levels of a piece's shape do not rise")
    return tuple((height, width) for height, width in found)


def _parse_not_learnt(value: object) -> NotLearnt:
    found = as_object(value, "what was not learnt", ("what", "why"))
    return NotLearnt(
        what=as_text(found["what"], "what was not learnt"), why=as_text(found["why"], "why it was not")
    )


def _parse_shade(found: object) -> tuple[int, int, int]:
    blue, green, red = (as_integer(one, "a colour", 0, 255) for one in as_list(found, "a colour", 3))
    return blue, green, red


def _format_lens(lens: LensRecord) -> list[Any]:
    numbers = [*lens.size_wh, lens.focal_px, *lens.centre_px, lens.k1, lens.k2]
    # A profile without a measured lens is written as older programs expect it.
    return [*numbers, True] if lens.measured else numbers


def _parse_lens(value: object) -> LensRecord:
    found = as_list(value, "the lens")
    measured = len(found) == 8 and found[7] is True
    width, height, focal, x, y, k1, k2 = as_numbers(found[:7] if measured else found, "the lens", 7)
    if not (min(width, height) >= 1 and max(width, height, abs(x), abs(y)) <= MOST_LENS_PX):
        raise MalformedError(f"a lens for {width:g} x {height:g} px with its middle at {x:g}, {y:g}")
    if not 1 <= focal <= 100 * MOST_LENS_PX or max(abs(k1), abs(k2)) > MOST_BEND:
        raise MalformedError(f"a lens of {focal:g} px that bends by {k1:g} and {k2:g}")
    return LensRecord(
        size_wh=(int(width), int(height)), focal_px=focal, centre_px=(x, y), k1=k1, k2=k2, measured=measured
    )
