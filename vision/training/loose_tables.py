"""Tables drawn at random on which pieces lie anywhere, for training: no two are alike.

Prints, boards, sizes, paints, camera, lamp and table top are drawn from a number; the same number gives the
same table. No game is played on them: tiles and cards lie about, with discs on them, in heaps and on boards,
and figures stand anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.profile import FaceRecord, Profile
from companion.free_pieces import Shape as Solid
from companion.loose_pieces import turned
from companion.table_layout import Area, Arrangement, Content, Fiducial, TableLayout, around
from companion.table_pieces import Corner, FacePrint, Mark, Shape
from vision.capture.pictures import packed_face
from vision.enrolment.copy_profile import with_ground
from vision.free.known_paint import SIZES_MM
from vision.free.learnt_faces import LEARNT_PX_PER_MM
from vision.simulation.drawing import Colour
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork, paint_of
from vision.simulation.scenery import HandPose, Scenery, Viewpoint
from vision.training.tables import backed_off, random_colours, random_scenery

BOARD = "board"
"""The name of the board of a table that has one."""
_INKS = ("red", "blue", "turquoise", "yellow", "green", "white")
_STANDING: tuple[Shape, ...] = ("meeple", "gem", "dragon")
_CODE_MM, _THICK_MM, _BOARD_MM = 40.0, 2.0, 2.2
_MOST_TILT_DEG, _AROUND_DEG = 38.0, 22.0
# So many faces lie there, and the last of them nobody has learnt.
_FACES, _UNKNOWN = 14, 2
# Paints are learnt in some light or other: so much brighter or darker, and tinted so much.
_LEARNT_LIGHT, _LEARNT_TINT = 0.16, 0.07
# Pieces are so much larger or smaller than usual.
_SIZES = (0.88, 1.14)
# A disc lies on a group of a tile this often, another one upon it this often.
_ON_GROUP, _ON_DISC = 0.45, 0.08
# So often a paint is nearly that of an ink.
_LIKE_PRINT, _APART = 0.4, 60.0
# So many things lie about that belong to no game, so large, mm.
_CLUTTER, _CLUTTER_MM = 4, (12.0, 70.0)
_GOLDEN_TURN = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """The paint of some pieces: their shape, their colour, BGR, and as what colour it is learnt."""

    shape: Shape
    colour: Colour
    learnt: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseTable:
    """A table, a camera over it and the light on it; `LooseTable.of(number)` draws one.

    Attributes:
        number: chooses everything.
        half_mm: half of its width and depth.
        faces: what is printed on the tiles or cards; all of one size, `size_mm`.
        board, board_mm: the board, if there is one, and its size.
        fiducials: its codes.
        viewpoint, scenery: the room.
        size_wh: of the pictures, px.
    """

    number: int
    half_mm: tuple[float, float]
    faces: tuple[FacePrint, ...]
    size_mm: tuple[float, float]
    board: FacePrint | None
    board_mm: tuple[float, float]
    fiducials: tuple[Fiducial, ...]
    viewpoint: Viewpoint
    scenery: Scenery
    size_wh: tuple[int, int] = (1920, 1080)

    @classmethod
    def of(cls, number: int) -> LooseTable:
        """Return the table with this number."""
        dice = np.random.default_rng((number, 41))
        half = float(dice.uniform(330, 520)), float(dice.uniform(220, 320))
        with_tiles = bool(dice.random() < 0.65)
        kind = str(dice.choice(("wheel", "tracks", ""), p=(0.4, 0.4, 0.2)))
        edge = float(dice.uniform(40, 60))
        wheel = float(dice.uniform(150, 210))
        codes = _codes(half, dice)
        return cls(
            number=number,
            half_mm=half,
            faces=tuple(_tile(i, dice) if with_tiles else _card(i, dice) for i in range(_FACES)),
            size_mm=(edge, edge) if with_tiles else (edge * 1.1, edge * 1.7),
            board=FacePrint(name=BOARD, family=BOARD, board=kind) if kind else None,
            board_mm=(wheel, wheel) if kind == "wheel" else (wheel * 2.0, wheel * 0.5),
            fiducials=codes,
            viewpoint=_viewpoint(codes, (1920, 1080), dice),
            scenery=random_scenery(dice),
        )

    @property
    def layout(self) -> TableLayout:
        """The table as data."""
        is_square = self.size_mm[0] == self.size_mm[1]
        outline = around(0.0, 0.0, 2 * self.half_mm[0], 2 * self.half_mm[1])
        content = Content.TILES if is_square else Content.CARDS
        return TableLayout(
            name=f"loose table {self.number}",
            cells={},
            tile_edge_mm=self.size_mm[0] if is_square else 0.0,
            areas={"table": Area(outline_mm=outline, content=content, arrangement=Arrangement.FREE)},
            fiducials=self.fiducials,
        )

    def evening(self, number: int) -> LooseTable:
        """Return the same copy on another evening: in other light, half of the time seen from elsewhere."""
        dice = np.random.default_rng((self.number, 42, number))
        other = random_scenery(dice)
        scenery = self.scenery.shot_as(other).lit_as(other)
        viewpoint = self.viewpoint
        if dice.random() < 0.5:
            viewpoint = _viewpoint(self.fiducials, self.size_wh, dice)
        return replace(self, scenery=scenery, viewpoint=viewpoint)

    def camera(self, *, seed: int = 0) -> FreeCamera:
        """Return the camera over the table; `seed` decides on the noise."""
        return FreeCamera(
            self.fiducials,
            FaceArtwork(self.number),
            seed=seed,
            size_wh=self.size_wh,
            viewpoint=self.viewpoint,
            scenery=self.scenery,
        )

    def profile(self) -> Profile:
        """Return what good photographs of its faces teach, mostly with one of the empty table."""
        dice = np.random.default_rng((self.number, 43))
        what = {one.name: (one, self.size_mm) for one in self.faces[:-_UNKNOWN]}
        if self.board is not None:
            what[BOARD] = (self.board, self.board_mm)
        faces, pictures = learnt_faces(FaceArtwork(self.number), what)
        profile = Profile(edition="drawn", players=(), layout=self.layout, faces=faces, pictures=pictures)
        if dice.random() < 0.2:
            return profile
        camera = self.camera(seed=1)
        return with_ground(profile, np.asarray(camera.frame(LaidTable()), np.uint8), camera.studio.pose)

    def faces_laid(self, number: int) -> LaidTable:
        """Return how tiles, cards and the board lie on one evening, with nothing on them."""
        return LaidTable(flat=tuple(_Faces(self, np.random.default_rng((self.number, 44, number))).laid()))

    def with_pieces(self, laid: LaidTable, number: int) -> tuple[LaidTable, Mapping[str, Paint]]:
        """Return the same with discs and figures, in paints of their own each time, by name."""
        dice = np.random.default_rng((self.number, 47, number))
        paints = _paints(dice, with_tiles=bool(self.faces[0].groups))
        groups = [FaceArtwork(self.number).group_middle(spot) for spot in range(3)]
        pieces = _Pieces(laid.flat, paints, self.half_mm, groups, dice)
        return replace(laid, solid=tuple(pieces.put())), paints

    def hand(self, number: int) -> HandPose:
        """Return an arm that reaches over some part of the table from any side."""
        dice = np.random.default_rng((self.number, 45, number))
        tip = tuple(float(dice.uniform(-0.8, 0.8)) * half for half in self.half_mm)
        side = float(dice.choice((-1, 1)))
        return HandPose(tip_mm=(tip[0], tip[1]), elbow_mm=(tip[0] * 0.6, tip[1] + side * 480.0))


def learnt_faces(
    artwork: FaceArtwork, what: Mapping[str, tuple[FacePrint, tuple[float, float]]]
) -> tuple[tuple[FaceRecord, ...], dict[str, bytes]]:
    """Return what perfect photographs teach of faces of these sizes, mm, and their pictures by file name."""
    pictures, records = {}, []
    for number, (name, (printed, (width, height))) in enumerate(what.items()):
        size = (round(width * LEARNT_PX_PER_MM), round(height * LEARNT_PX_PER_MM))
        shown = cv2.resize(artwork.face(printed, (width, height)), size, interpolation=cv2.INTER_AREA)
        picture = f"face-{number}.png"
        valid = np.ones(shown.shape[:2], np.bool_)
        pictures[picture] = packed_face(name, np.asarray(shown, np.uint8), valid)
        record = FaceRecord(
            name=name,
            picture=picture,
            width_mm=width,
            height_mm=height,
            is_back=printed.is_back,
            is_round=printed.board == "wheel",
        )
        records.append(record)
    return tuple(records), pictures


class _Faces:
    """Lays tiles, cards and the board."""

    def __init__(self, of: LooseTable, dice: np.random.Generator) -> None:
        self._of, self._dice = of, dice
        self._flat: list[FlatPiece] = []

    def laid(self) -> list[FlatPiece]:
        if self._of.board is not None:
            self._put_board(self._of.board)
        faces = [self._of.faces[i] for i in self._dice.permutation(len(self._of.faces))]
        while faces:
            many = int(self._dice.integers(1, 6))
            self._put_cluster(faces[:many])
            faces = faces[many:]
        for number in range(int(self._dice.integers(_CLUTTER + 1))):
            ink = str(self._dice.choice(_INKS))
            size = (float(self._dice.uniform(*_CLUTTER_MM)), float(self._dice.uniform(*_CLUTTER_MM)))
            what = FacePrint(name=f"clutter {number}", ground=ink, number=str(self._dice.integers(10)))
            turn = float(self._dice.uniform(-180, 180))
            self._put_face(what, _anywhere(self._of.half_mm, self._dice), turn, size, _THICK_MM)
        return self._flat

    def _put_board(self, board: FacePrint) -> None:
        x, y = (float(self._dice.uniform(-0.15, 0.15)) * half for half in self._of.half_mm)
        turn = float(self._dice.choice((0, 90, 180)) if board.board == "tracks" else 0.0)
        self._put_face(board, (x, y), turn + self._turn(), self._of.board_mm, _BOARD_MM)

    def _put_cluster(self, faces: list[FacePrint]) -> None:
        """Lay some tiles or cards edge to edge in rows, some pushed over their neighbours."""
        width, height = self._of.size_mm
        turn = float(self._dice.choice((0, 90, 180, 270))) + float(self._dice.normal(0, 6))
        middle = self._free_spot(math.hypot(width, height))
        overlap = float(self._dice.uniform(0.35, 0.8)) if self._dice.random() < 0.15 else 1.03
        for i, face in enumerate(faces):
            off = turned((i % 3) * width * overlap, -(i // 3) * height * 1.03, turn)
            at = middle[0] + off[0] + _slip(self._dice), middle[1] + off[1] + _slip(self._dice)
            self._put_face(face, at, turn + self._turn(), self._of.size_mm, _THICK_MM)

    def _put_face(
        self,
        face: FacePrint,
        at: tuple[float, float],
        turn: float,
        size: tuple[float, float],
        thick: float,
    ) -> None:
        lowest = max((one.top_mm for one in self._flat if one.is_below(*at)), default=0.0)
        piece = FlatPiece(
            key=f"{face.name}/{len(self._flat)}",
            face=face,
            x_mm=at[0],
            y_mm=at[1],
            turn_deg=(turn + 180) % 360 - 180,
            width_mm=size[0],
            height_mm=size[1],
            lowest_mm=lowest,
            top_mm=lowest + thick,
        )
        self._flat.append(piece)

    def _free_spot(self, reach: float) -> tuple[float, float]:
        """Return a place so far from what lies there, if one is found."""
        at = _anywhere(self._of.half_mm, self._dice)
        for _ in range(30):
            if all(math.dist((one.x_mm, one.y_mm), at) > reach + one.width_mm / 2 for one in self._flat):
                break
            at = _anywhere(self._of.half_mm, self._dice)
        return at

    def _turn(self) -> float:
        return float(self._dice.normal(0, 1.5))


class _Pieces:
    """Puts discs and figures on what lies flat, and beside it."""

    def __init__(
        self,
        flat: Sequence[FlatPiece],
        paints: Mapping[str, Paint],
        half_mm: tuple[float, float],
        groups: Sequence[tuple[float, float]],
        dice: np.random.Generator,
    ) -> None:
        self._flat, self._paints, self._half_mm = flat, paints, half_mm
        self._groups, self._dice = groups, dice
        self._scale = float(dice.uniform(*_SIZES))
        self._board = flat[0] if flat[0].face.board else None
        self._solid: list[SolidPiece] = []

    def put(self) -> list[SolidPiece]:
        discs = [name for name, one in self._paints.items() if one.shape == "disc"]
        if discs:
            self._put_discs(discs)
        self._stand_figures()
        return self._solid

    def _put_discs(self, discs: list[str]) -> None:
        """Lay discs on the groups of tiles, on the board, in heaps, anywhere, and upon others."""
        for one in self._flat:
            if one.face.groups:
                self._put_on_groups(one, str(self._dice.choice(discs)))
        for name in discs:
            self._heap(name)
            for _ in range(int(self._dice.integers(0, 5))):
                self._put(name, _anywhere(self._half_mm, self._dice))
        for _ in range(int(self._dice.integers(0, 7))):
            if self._board is not None:
                self._put(str(self._dice.choice(discs)), self._on_board(self._board))
        for disc in list(self._solid):
            if self._dice.random() < _ON_DISC:
                self._put(str(self._dice.choice(discs)), (disc.x_mm, disc.y_mm))

    def _put_on_groups(self, tile: FlatPiece, name: str) -> None:
        for u, v in self._groups[: len(tile.face.groups)]:
            if self._dice.random() < _ON_GROUP:
                x, y = turned((u - 0.5) * tile.width_mm, (0.5 - v) * tile.height_mm, tile.turn_deg)
                self._put(name, (tile.x_mm + x, tile.y_mm + y))

    def _heap(self, name: str) -> None:
        x, y = _anywhere(self._half_mm, self._dice)
        step = 13.0 * self._scale * float(self._dice.uniform(0.72, 1.1))
        for i in range(int(self._dice.integers(0, 18))):
            far = step * math.sqrt(i + 0.3)
            self._put(name, (x + far * math.cos(i * _GOLDEN_TURN), y + far * math.sin(i * _GOLDEN_TURN)))

    def _stand_figures(self) -> None:
        """Put each figure on the board, on another face, or beside them."""
        for name, paint in self._paints.items():
            if paint.shape == "disc" or self._dice.random() < 0.1:
                continue
            where = self._dice.random()
            at = _anywhere(self._half_mm, self._dice)
            if where < 0.5 and self._board is not None:
                at = self._on_board(self._board)
            elif where < 0.8:
                host = self._flat[int(self._dice.integers(len(self._flat)))]
                at = host.x_mm + _slip(self._dice) * 4, host.y_mm + _slip(self._dice) * 4
            self._put(name, at, float(self._dice.uniform(-180, 180)))

    def _on_board(self, board: FlatPiece) -> tuple[float, float]:
        u, v = self._dice.uniform(-0.42, 0.42, 2)
        x, y = turned(u * board.width_mm, v * board.height_mm, board.turn_deg)
        return board.x_mm + x, board.y_mm + y

    def _put(self, name: str, at: tuple[float, float], turn: float = 0.0) -> None:
        paint, at = self._paints[name], (at[0] + _slip(self._dice), at[1] + _slip(self._dice))
        width, height = (side * self._scale for side in SIZES_MM[Solid(paint.shape)])
        below = [one.top_mm for one in self._flat if one.is_below(*at)]
        below += [
            one.lowest_mm + one.height_mm
            for one in self._solid
            if one.shape == "disc" and math.dist((one.x_mm, one.y_mm), at) < 0.6 * width
        ]
        piece = SolidPiece(
            key=f"{name}/{len(self._solid)}",
            name=name,
            shape=paint.shape,
            colour=paint.colour,
            x_mm=at[0],
            y_mm=at[1],
            turn_deg=turn,
            width_mm=width,
            height_mm=height,
            lowest_mm=max(below, default=0.0),
        )
        self._solid.append(piece)


def _anywhere(half_mm: tuple[float, float], dice: np.random.Generator) -> tuple[float, float]:
    return float(dice.uniform(-0.9, 0.9)) * half_mm[0], float(dice.uniform(-0.9, 0.9)) * half_mm[1]


def _slip(dice: np.random.Generator) -> float:
    return float(dice.normal(0, 1.2))


def _tile(number: int, dice: np.random.Generator) -> FacePrint:
    inks = _INKS[:5]
    groups = tuple(
        tuple(str(dice.choice(inks)) for _ in range(int(dice.integers(1, 5))))
        for _ in range(int(dice.integers(1, 4)))
    )
    ground = str(dice.choice(inks))
    return FacePrint(name=f"face {number}", ground=ground, number=str(dice.integers(1, 9)), groups=groups)


def _card(number: int, dice: np.random.Generator) -> FacePrint:
    corners: tuple[Corner, ...] = ("upper left", "upper right", "lower left", "lower right")
    marks = tuple(
        Mark(at=at, text=str(dice.integers(1, 9)), ink=str(dice.choice(_INKS)))
        for at in corners
        if dice.random() < 0.5
    )
    return FacePrint(name=f"face {number}", number=str(dice.integers(1, 9)), marks=marks)


def _paints(dice: np.random.Generator, *, with_tiles: bool) -> dict[str, Paint]:
    """Return paints that people can tell apart; there are always some discs or figures."""
    discs = int(dice.integers(1, 5)) if with_tiles else int(dice.integers(0, 3))
    stands = int(dice.integers(2, 6))
    shapes: list[Shape] = ["disc"] * discs
    shapes += [_STANDING[int(dice.integers(len(_STANDING)))] for _ in range(stands)]
    colours = random_colours(len(shapes), dice)
    for number, ink in enumerate(dice.permutation(_INKS)[: len(shapes)]):
        others = [*colours[:number], *colours[number + 1 :]]
        like = _nearly(paint_of(str(ink)), dice)
        if dice.random() < _LIKE_PRINT and all(math.dist(like, other) > _APART for other in others):
            colours[number] = like
    return {
        f"{shape} {number}": Paint(shape=shape, colour=colour, learnt=_as_learnt(colour, dice))
        for number, (shape, colour) in enumerate(zip(shapes, colours, strict=True))
    }


def _nearly(colour: Colour, dice: np.random.Generator) -> Colour:
    blue, green, red = (int(one) for one in np.clip(np.array(colour) + dice.normal(0, 12, 3), 4, 250))
    return blue, green, red


def _as_learnt(colour: Colour, dice: np.random.Generator) -> Colour:
    """Return a colour as enrolment measures it in some light."""
    gains = np.exp(dice.normal(0, _LEARNT_LIGHT) + dice.normal(0, _LEARNT_TINT, 3))
    blue, green, red = (int(one) for one in np.clip(np.array(colour) * gains, 4, 255))
    return blue, green, red


def _codes(half_mm: tuple[float, float], dice: np.random.Generator) -> tuple[Fiducial, ...]:
    wide, deep = half_mm
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return tuple(
        Fiducial(
            id=i,
            x_mm=x * wide + float(dice.uniform(-20, 20)),
            y_mm=y * deep + float(dice.uniform(-15, 15)),
            edge_mm=_CODE_MM,
            turn_deg=float(dice.uniform(-12, 12)),
        )
        for i, (x, y) in enumerate(corners)
    )


def _viewpoint(codes: tuple[Fiducial, ...], size_wh: tuple[int, int], dice: np.random.Generator) -> Viewpoint:
    """Return a camera with any lens that has all codes in its picture."""
    viewpoint = Viewpoint(
        tilt_deg=float(dice.uniform(0, _MOST_TILT_DEG)),
        azimuth_deg=float(dice.uniform(-_AROUND_DEG, _AROUND_DEG)),
        roll_deg=float(dice.uniform(-4, 4)),
        distance_mm=450.0,
        hfov_deg=float(dice.uniform(52, 76)),
        k1=float(dice.uniform(-0.1, 0.04)),
        k2=0.0,
    )
    points = np.array([(*corner, 0.0) for one in codes for corner in one.corners_mm()])
    viewpoint = backed_off(viewpoint, points, size_wh, 1.03)
    return replace(viewpoint, distance_mm=viewpoint.distance_mm * float(dice.uniform(1, 1.1)))
