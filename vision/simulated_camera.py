"""A simulated camera: draws a picture of the table as a webcam would see it, the same way every time.

It knows the table's layout and the artwork, never the rules of a game: it draws whatever picture it is given.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import Lens, View
from calibration.layout import TableLayout
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from vision.art import (
    TileArt,
    box_middles,
    draw_board,
    draw_card,
    draw_card_back,
    draw_fiducial,
    draw_table,
    draw_tile,
)
from vision.bodies import Body, Lamp, Patch, Singles, cast_shadow, cube, draw_body, dragon, figure, hand, slab
from vision.draw import Colour, Image
from vision.flatwork import Easel, FlatPose

Floats: TypeAlias = NDArray[np.float64]

DRAGON_COLOURS: Mapping[str, Colour] = {"fire": (38, 34, 206), "earth": (62, 150, 34), "water": (206, 92, 30)}
OBELISK_VALUES = (7, 7, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12)
_SPARE_COLOURS: tuple[Colour, ...] = ((150, 60, 110), (60, 170, 200), (120, 160, 60), (90, 90, 200))
_SKIN: Colour = (138, 168, 214)
_SLEEVE: Colour = (120, 74, 52)
_CARDBOARD: Colour = (64, 92, 120)
_SLOTS_FIGURE = ((-22.0, -3.0), (22.0, -3.0), (0.0, 20.0), (11.0, -9.0))
_SLOTS_DRAGON = ((-16.0, 17.0), (16.0, 17.0), (0.0, -1.0))
_WHITE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewpoint:
    """Where the camera hangs and what lens it has.

    Attributes:
        tilt_deg: from straight down.
        azimuth_deg: round the table, 0 = from the reference side.
        roll_deg: turned about its own axis.
        distance_mm: to the point it aims at.
        aim_mm: that point on the table.
        hfov_deg: width of its view.
        k1, k2: barrel distortion.
    """

    tilt_deg: float = 24.0
    azimuth_deg: float = 4.0
    roll_deg: float = 0.6
    distance_mm: float = 660.0
    aim_mm: tuple[float, float] = (0.0, -6.0)
    hfov_deg: float = 62.0
    k1: float = -0.10
    k2: float = 0.02

    def view(self, size_wh: tuple[int, int]) -> View:
        """Return the camera as numbers, for pictures of this size."""
        tilt, turn, roll = (math.radians(a) for a in (self.tilt_deg, self.azimuth_deg, self.roll_deg))
        away = np.array([math.sin(turn) * math.sin(tilt), -math.cos(turn) * math.sin(tilt), math.cos(tilt)])
        eye = np.array([*self.aim_mm, 0.0]) + away * self.distance_mm
        right = np.array([math.cos(turn), math.sin(turn), 0.0])
        down = np.cross(-away, right)
        c, s = math.cos(roll), math.sin(roll)
        rows = np.stack([c * right + s * down, -s * right + c * down, -away])
        width, height = size_wh
        focal = width / 2 / math.tan(math.radians(self.hfov_deg) / 2)
        middle = ((width - 1) / 2, (height - 1) / 2)
        lens = Lens(size_wh=size_wh, focal_px=focal, centre_px=middle, k1=self.k1, k2=self.k2)
        return View(lens=lens, rotation=cv2.Rodrigues(rows)[0].ravel(), shift=-rows @ eye, error_px=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The room: table top, light, the camera's eye and how neatly people lay things.

    Attributes:
        table: ``oak``, ``walnut``, ``felt``, ``linen`` or ``gingham``.
        lamp: where the light comes from.
        cast: gains of blue, green and red that the white balance left over.
        exposure: 1 = right.
        noise: standard deviation in grey levels of 255.
        blur_px: of the lens, standard deviation.
        jpeg: quality 1 to 100; 0 = none.
        slide_mm, turn_deg: how far tiles lie off, at most.
        stray_mm: how far markers stand off their boxes, at most.
        quarter_turns: tiles are laid in any of four rotations.
    """

    table: str = "oak"
    lamp: Lamp = field(default_factory=lambda: Lamp(at_mm=(-420.0, 380.0, 950.0)))
    cast: tuple[float, float, float] = (0.97, 1.0, 1.02)
    exposure: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.45
    jpeg: int = 90
    slide_mm: float = 2.0
    turn_deg: float = 2.5
    stray_mm: float = 1.4
    quarter_turns: bool = False


LOOKS: Mapping[str, tuple[Viewpoint, Look]] = {
    "evening": (Viewpoint(), Look()),
    "window": (
        Viewpoint(tilt_deg=34, azimuth_deg=-9, distance_mm=690),
        Look(table="linen", lamp=Lamp(at_mm=(-900, 200, 700), radius_mm=220, share=0.7), cast=(1.08, 1.0, 0.94)),
    ),
    "overhead": (
        Viewpoint(tilt_deg=9, distance_mm=640),
        Look(table="felt", lamp=Lamp(at_mm=(260, 60, 1100), radius_mm=120), noise=3.0),
    ),
    "pub": (
        Viewpoint(tilt_deg=29, azimuth_deg=12, distance_mm=690),
        Look(table="walnut", lamp=Lamp(at_mm=(220, 300, 800)), cast=(0.84, 1.0, 1.1), exposure=0.85, noise=4.5, jpeg=75),
    ),
}  # fmt: skip
"""Rooms and cameras to choose from, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPose:
    """An arm over the table: from the elbow to where the fingers point, x and y in mm, and how high."""

    tip_mm: tuple[float, float]
    elbow_mm: tuple[float, float]
    height_mm: float = 24.0

    @classmethod
    def over(
        cls, layout: TableLayout, cell: str, seat: int = 0, seats: int = 4, reach: float = 1.0
    ) -> HandPose:
        """Return an arm that reaches over a cell from a seat; `reach` 0 = just outside the picture, 1 = there."""
        x, y = layout.cells[cell]
        angle = 2 * math.pi * seat / max(seats, 1) - math.pi / 2
        elbow = (x * 0.6 + 620 * math.cos(angle), y * 0.6 + 520 * math.sin(angle))
        start = (elbow[0] * 1.25, elbow[1] * 1.25)
        tip = (start[0] + (x - start[0]) * reach, start[1] + (y - start[1]) * reach)
        back = (elbow[0] - start[0]) * reach * 0.4, (elbow[1] - start[1]) * reach * 0.4
        return cls(tip_mm=tip, elbow_mm=(start[0] * 1.1 + back[0], start[1] * 1.1 + back[1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """The four photographs of an enrolment and what they show.

    Attributes:
        empty, sketch, built, pieces: frames.
        layout: which tile lies on which cell in the sketch and built photographs.
        pieces_state: what the fourth photograph shows.
    """

    empty: Image
    sketch: Image
    built: Image
    pieces: Image
    layout: Mapping[str, str]
    pieces_state: Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """A solid piece in place: where it stands, how it looks and the shadow it throws."""

    distance: float
    patch: Patch | None
    shadow: Patch | None


class SimulatedCamera:
    """Draws pictures of the table.

    Attributes:
        layout: the table's layout.
        view: the camera over the table.
    """

    def __init__(
        self,
        layout: TableLayout,
        arts: Sequence[TileArt],
        players: Mapping[str, Colour],
        *,
        seed: int = 0,
        size_wh: tuple[int, int] = (1280, 720),
        viewpoint: Viewpoint | None = None,
        look: Look | None = None,
        dragons: Mapping[str, Colour] = DRAGON_COLOURS,
        board_values: tuple[int, ...] = OBELISK_VALUES,
        shaded: tuple[int, ...] = (0, 1),
    ) -> None:
        """Set up the room.

        Args:
            layout: what lies where.
            arts: what is printed on the tiles.
            players: colour of each player's pieces (blue, green, red), in seat order.
            seed: chooses how everything is laid, the table's grain and the noise.
            size_wh: of the frames, px.
            viewpoint: where the camera hangs.
            look: the room.
            dragons: colours of the dragons by name.
            board_values: numbers of the board's boxes.
            shaded: the boxes of the board that are shaded.
        """
        self.layout = layout
        self._arts = {art.tile: art for art in arts}
        self._players = dict(players)
        self._dragons = dict(dragons)
        self._seed = seed
        self._look = look or Look()
        self._viewpoint = viewpoint or Viewpoint()
        self._board_values, self._shaded = board_values, shaded
        self.view = self._viewpoint.view(size_wh)
        self._easel = Easel(self.view)
        self._eye = self.view.eye_mm
        self._flats: dict[object, Patch | None] = {}
        self._solids: dict[object, _Standing] = {}
        self._ground = self._draw_ground()
        self._light = self._light_field()
        self._noise = self._noise_bank()
        self._tones = _tone_table()
        self._last: tuple[Picture, Singles] | None = None

    def seen_from(self, viewpoint: Viewpoint) -> SimulatedCamera:
        """Return the same table seen by the camera from elsewhere, as after a knock."""
        return SimulatedCamera(
            self.layout,
            tuple(self._arts.values()),
            self._players,
            seed=self._seed,
            size_wh=self.view.lens.size_wh,
            viewpoint=viewpoint,
            look=self._look,
            dragons=self._dragons,
            board_values=self._board_values,
            shaded=self._shaded,
        )

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera hangs."""
        return self._viewpoint

    def frame(self, picture: Picture, *, hand_pose: HandPose | None = None, t: float = 0.0) -> Image:
        """Return the table as the camera sees it.

        Args:
            picture: what lies where; places that are absent are drawn empty.
            hand_pose: an arm over the table.
            t: time in seconds; chooses the noise.

        Returns:
            (height, width, 3) BGR.
        """
        scene = self._scene(picture)
        if hand_pose is not None:
            scene = scene.copy()
            self._add_hand(scene, hand_pose)
        return self._expose(scene, t)

    def enrolment(self, cells: Mapping[str, str] | None = None) -> Enrolment:
        """Return the four photographs that a profile is made from.

        Args:
            cells: which tile lies where; by default the tiles in their order on the cells in theirs.
        """
        lying = dict(cells or zip(self.layout.cells, self._arts, strict=False))
        sketch = {place("cell", cell): f"{tile}/sketch" for cell, tile in lying.items()}
        built = {place("cell", cell): f"{tile}/built" for cell, tile in lying.items()}
        pieces = self._pieces_picture(lying)
        frames = [self.frame(one, t=i) for i, one in enumerate(({}, sketch, built, pieces))]
        return Enrolment(
            empty=frames[0],
            sketch=frames[1],
            built=frames[2],
            pieces=frames[3],
            layout=lying,
            pieces_state=pieces,
        )

    def tile_pose(self, cell: str, tile: str) -> FlatPose:
        """Return how a tile lies on a cell: always the same for this camera's seed."""
        rng = self._dice("tile", cell, tile)
        x, y = self.layout.cells[cell]
        dx, dy = rng.uniform(-1, 1, 2) * self._look.slide_mm
        turn = rng.uniform(-1, 1) * self._look.turn_deg
        if self._look.quarter_turns:
            turn += 90.0 * int(rng.integers(4))
        edge = self.layout.tile_edge_mm
        height = self.layout.pieces.tile_thickness_mm
        return FlatPose(x_mm=x + dx, y_mm=y + dy, z_mm=height, turn_deg=turn, width_mm=edge, height_mm=edge)

    def board_pose(self) -> FlatPose | None:
        """Return how the board with boxes lies, if the layout has one."""
        board = self.layout.board
        if board is None:
            return None
        rng = self._dice("board")
        dx, dy = rng.uniform(-1, 1, 2) * self._look.slide_mm
        turn = rng.uniform(-1, 1) * self._look.turn_deg * 0.6
        at = board.area
        return FlatPose(
            x_mm=at.x_mm + dx,
            y_mm=at.y_mm + dy,
            z_mm=board.thickness_mm,
            turn_deg=turn,
            width_mm=at.width_mm,
            height_mm=at.height_mm,
        )

    def base_mm(self, where: Place, value: str, picture: Picture) -> tuple[float, float, float] | None:
        """Return the x, y and z of a standing piece's base, or None when the place holds no standing piece."""
        kind, parts = kind_of(where), parts_of(where)
        if kind == "box":
            lying = picture.get(place("cell", parts[0]))
            return None if lying is None else self._on_box(parts[0], lying, int(parts[1]), value)
        if kind == "obelisk":
            return self._on_board(int(parts[0]), value)
        if kind in ("figure", "dragon"):
            return self._on_cell(kind, parts[0], value, picture.get(place("cell", value)))
        return None

    # -- what lies flat --------------------------------------------------------------------------------------

    def _draw_ground(self) -> Singles:
        width, height = self.view.lens.size_wh
        px_per_mm = 1.6
        top = draw_table(self._look.table, (2600, 2200), px_per_mm, self._seed)
        size = (top.shape[1] / px_per_mm, top.shape[0] / px_per_mm)
        ground = np.zeros((height, width, 3), np.float32)
        table = FlatPose(x_mm=0, y_mm=120, z_mm=0, turn_deg=0, width_mm=size[0], height_mm=size[1])
        self._easel.cover(ground, top, table)
        for one in self.layout.fiducials:
            self._lay_fiducial(ground, one.id, one.x_mm, one.y_mm, one.edge_mm)
        pose = self.board_pose()
        if pose is not None and self.layout.board is not None:
            face = draw_board(self.layout.board, self._board_values, self._shaded, 4.0)
            self._lay_slab(ground, ("board",), face, pose)
        deck = self.layout.zones.get("deck")
        if deck is not None:
            size = (deck.width_mm, deck.height_mm)
            pose = FlatPose(
                x_mm=deck.x_mm, y_mm=deck.y_mm, z_mm=9, turn_deg=1.5, width_mm=size[0], height_mm=size[1]
            )
            self._lay_slab(ground, ("deck",), draw_card_back(size, 4.0), pose, side=(210, 222, 228))
        return ground

    def _lay_fiducial(self, ground: Singles, number: int, x: float, y: float, edge: float) -> None:
        paper = edge * 1.5
        pose = FlatPose(x_mm=x, y_mm=y, z_mm=0.1, turn_deg=0, width_mm=paper, height_mm=paper)
        patch = self._easel.paint(draw_fiducial(number, edge, 5.0), pose)
        if patch is not None:
            patch.lay_over(ground)

    def _lay_slab(
        self,
        frame: Singles,
        key: tuple[str, ...],
        face: Image | None,
        pose: FlatPose,
        side: Colour = _CARDBOARD,
    ) -> None:
        """Lay a printed board on the table: shadow, edge and face; `face` None = drawn before under this key."""
        corners = [(x, y) for x, y, _ in pose.corners_mm()[::-1]]
        if (*key, "side") not in self._flats:
            body = (slab(corners, 0.0, pose.z_mm - 0.05, side),)
            lamp = self._look.lamp
            self._flats[(*key, "shadow")] = cast_shadow(body, self.view.project, lamp, 0.0)
            self._flats[(*key, "side")] = draw_body(body, self.view.project, self._eye, lamp)
            self._flats[(*key, "face")] = None if face is None else self._easel.paint(face, pose)
        shadow, edge, top = (self._flats[(*key, one)] for one in ("shadow", "side", "face"))
        if shadow is not None:
            shadow.darken(frame, self._shadow_depth)
        for patch in (edge, top):
            if patch is not None:
                patch.lay_over(frame)

    def _lay_tile(self, frame: Singles, cell: str, lying: str) -> None:
        tile, _, side = lying.partition("/")
        key = ("tile", cell, lying)
        face = None
        if (*key, "side") not in self._flats:
            face = draw_tile(self._arts.get(tile, TileArt(tile=tile)), side, 300)
        self._lay_slab(frame, key, face, self.tile_pose(cell, tile))

    def _lay_discard(self, frame: Singles, card: str) -> None:
        zone = self.layout.zones.get("discard")
        if zone is None:
            return
        rng = self._dice("discard", card)
        dx, dy, turn = rng.uniform(-1, 1, 3)
        size = (zone.width_mm, zone.height_mm)
        pose = FlatPose(
            x_mm=zone.x_mm + dx * self._look.slide_mm,
            y_mm=zone.y_mm + dy * self._look.slide_mm,
            z_mm=4.0,
            turn_deg=turn * 2.5 * self._look.turn_deg,
            width_mm=size[0],
            height_mm=size[1],
        )
        key = ("discard", card)
        face = None if (*key, "side") in self._flats else draw_card(card, size, 4.0)
        self._lay_slab(frame, key, face, pose, side=(210, 222, 228))

    # -- what stands -----------------------------------------------------------------------------------------

    def _on_box(self, cell: str, lying: str, number: int, owner: str) -> tuple[float, float, float] | None:
        tile = lying.partition("/")[0]
        art = self._arts.get(tile)
        if art is None or number >= len(art.boxes):
            return None
        u, v = box_middles(len(art.boxes))[number]
        pose = self.tile_pose(cell, tile)
        dx, dy = self._dice("box", cell, number, owner).uniform(-1, 1, 2) * self._look.stray_mm
        x, y = pose.at((u - 0.5) * pose.width_mm + dx, (0.5 - v) * pose.height_mm + dy)
        return x, y, pose.z_mm

    def _on_board(self, number: int, owner: str) -> tuple[float, float, float] | None:
        board, pose = self.layout.board, self.board_pose()
        if board is None or pose is None or number >= len(board.boxes_mm):
            return None
        dx, dy = self._dice("obelisk", number, owner).uniform(-1, 1, 2) * self._look.stray_mm
        x, y = pose.at(board.boxes_mm[number][0] + dx, board.boxes_mm[number][1] + dy)
        return x, y, pose.z_mm

    def _on_cell(self, kind: str, name: str, cell: str, lying: Value) -> tuple[float, float, float] | None:
        if cell not in self.layout.cells:
            return None
        names, slots = (self._players, _SLOTS_FIGURE) if kind == "figure" else (self._dragons, _SLOTS_DRAGON)
        slot = list(names).index(name) if name in names else zlib.crc32(name.encode())
        dx, dy = slots[slot % len(slots)]
        zoom = self.layout.tile_edge_mm / 60.0
        off = self._dice(kind, name, cell).uniform(-1, 1, 2) * 1.8
        x, y = self.layout.cells[cell]
        height = self.layout.pieces.tile_thickness_mm if lying else 0.0
        return x + dx * zoom + off[0], y + dy * zoom + off[1], height

    def _body(self, kind: str, name: str) -> Body:
        sizes = self.layout.pieces
        if kind == "dragon":
            return dragon(sizes.dragon_height_mm, sizes.dragon_base_mm, self._colour(self._dragons, name))
        colour = self._colour(self._players, name)
        if kind == "figure":
            return figure(sizes.figure_height_mm, sizes.figure_base_mm, colour)
        return cube(sizes.marker_edge_mm, colour)

    @staticmethod
    def _colour(known: Mapping[str, Colour], name: str) -> Colour:
        return known.get(name, _SPARE_COLOURS[zlib.crc32(name.encode()) % len(_SPARE_COLOURS)])

    def _standing(self, where: Place, value: str, picture: Picture) -> _Standing | None:
        base = self.base_mm(where, value, picture)
        if base is None:
            return None
        kind = kind_of(where)
        name = value if kind in ("box", "obelisk") else parts_of(where)[0]
        key = (kind, name, base)
        if key not in self._solids:
            turn = float(self._dice("turn", where, value).uniform(-180, 180))
            body = tuple(part.moved(base, turn) for part in self._body(kind, name))
            lamp, project = self._look.lamp, self.view.project
            self._solids[key] = _Standing(
                distance=float(np.linalg.norm(np.array(base) - self._eye)),
                patch=draw_body(body, project, self._eye, lamp),
                shadow=cast_shadow(body, project, lamp, base[2]),
            )
        return self._solids[key]

    def _add_hand(self, scene: Singles, pose: HandPose) -> None:
        body = hand(pose.tip_mm, pose.elbow_mm, pose.height_mm, _SKIN, _SLEEVE)
        shadow = cast_shadow(body, self.view.project, self._look.lamp, self.layout.pieces.tile_thickness_mm)
        if shadow is not None:
            shadow.darken(scene, self._shadow_depth)
        patch = draw_body(body, self.view.project, self._eye, self._look.lamp)
        if patch is not None:
            # Skin is smooth: blurring takes the facets away.
            smooth = np.asarray(cv2.blur(patch.colour, (7, 7)), np.float32)
            replace(patch, colour=smooth).lay_over(scene)

    # -- light and lens --------------------------------------------------------------------------------------

    @property
    def _shadow_depth(self) -> float:
        return self._look.lamp.share * 0.9

    def _scene(self, picture: Picture) -> Singles:
        """Return the table before light and lens, kept until the picture changes."""
        if self._last is not None and self._last[0] == picture:
            return self._last[1]
        scene = self._ground.copy()
        for where, value in picture.items():
            if value is not None and kind_of(where) == "cell":
                self._lay_tile(scene, parts_of(where)[0], value)
            elif value is not None and kind_of(where) == "discard":
                self._lay_discard(scene, value)
        found = (
            self._standing(where, value, picture) for where, value in picture.items() if value is not None
        )
        pieces = sorted((one for one in found if one is not None), key=lambda one: -one.distance)
        for one in pieces:
            if one.shadow is not None:
                one.shadow.darken(scene, self._shadow_depth)
        for one in pieces:
            if one.patch is not None:
                one.patch.lay_over(scene)
        self._last = (dict(picture), scene)
        return scene

    def _light_field(self) -> Singles:
        """Return the light on the table at each pixel times the lens' vignette and the colour cast."""
        width, height = self.view.lens.size_wh
        spots = self._easel.table_points(0.0, step_px=16)
        lamp, share = np.array(self._look.lamp.at_mm), self._look.lamp.share
        way = np.dstack([lamp[0] - spots[..., 0], lamp[1] - spots[..., 1], np.full(spots.shape[:2], lamp[2])])
        fall = way[..., 2] / np.linalg.norm(way, axis=2) ** 3
        fall /= lamp[2] / np.linalg.norm(lamp) ** 3
        even = (1 - share) + share * fall
        x, y = np.linspace(-1, 1, even.shape[1])[None, :], np.linspace(-1, 1, even.shape[0])[:, None]
        even = even * (1 - 0.07 * (x**2 + y**2)) * self._look.exposure
        field_ = cv2.resize(even.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(field_[:, :, None] * np.array(self._look.cast, np.float32), np.float32)

    def _noise_bank(self) -> NDArray[np.int16]:
        width, height = self.view.lens.size_wh
        rng = np.random.default_rng(self._seed + 17)
        bank = rng.standard_normal((height + 64, width + 64, 3), np.float32)
        bank *= np.array([1.25, 0.9, 1.05], np.float32) * self._look.noise
        return np.asarray(np.rint(bank), np.int16)

    def _expose(self, scene: Singles, t: float) -> Image:
        seen = cv2.multiply(scene, self._light)
        if self._look.blur_px > 0:
            seen = cv2.GaussianBlur(seen, (0, 0), self._look.blur_px)
        index = cv2.multiply(seen, (4095.0,) * 4, dtype=cv2.CV_16U)
        frame = self._tones[np.minimum(index, 8191)]
        if self._look.noise > 0:
            dx, dy = self._dice("noise", round(t * 1000)).integers(0, 64, 2)
            height, width = frame.shape[:2]
            frame = cv2.add(frame, self._noise[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U)
        if self._look.jpeg:
            _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._look.jpeg])
            frame = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        return np.asarray(frame, np.uint8)

    def _pieces_picture(self, lying: Mapping[str, str]) -> Picture:
        """Return a table with some of everybody's pieces on it."""
        players = list(self._players)
        picture: dict[Place, Value] = {}
        for cell, tile in lying.items():
            art = self._arts[tile]
            picture[place("cell", cell)] = f"{tile}/{'sketch' if art.boxes else 'built'}"
            wide = len(art.boxes) >= min(3, len(players))
            for i in range(len(art.boxes)):
                fill = wide and zlib.crc32(cell.encode()) % 3 == 0 and i < len(players)
                picture[place("box", cell, i)] = players[i] if fill else None
        cells = list(lying)
        for i, name in enumerate(players):
            picture[place("figure", name)] = cells[i % len(cells)]
        for i, name in enumerate(self._dragons):
            picture[place("dragon", name)] = cells[(len(players) + i) % len(cells)]
        boxes = len(self.layout.board.boxes_mm) if self.layout.board else 0
        first = len(self._shaded)
        for i in range(boxes):
            picture[place("obelisk", i)] = players[i - first] if 0 <= i - first < len(players) else None
        picture[place("discard")] = None
        return picture

    def _dice(self, *key: object) -> np.random.Generator:
        """Return random numbers that depend on the seed and the key alone."""
        return np.random.default_rng(zlib.crc32(repr((self._seed, *key)).encode()))


def _tone_table() -> NDArray[np.uint8]:
    """Return the grey level for each of 8192 amounts of light, 4095 = white, with a soft shoulder."""
    light = np.arange(8192) / 4095.0
    bent = np.where(light < 0.8, light, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2))
    return np.asarray(np.rint(255 * np.clip(bent, 0, 1) ** (1 / 2.2)), np.uint8)
