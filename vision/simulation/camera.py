"""A simulated camera: draws a picture of the table as a webcam would see it, reproducibly.

It depends on the table's layout and the artwork, but not on the rules of a game: it draws any picture.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Fiducial, TableLayout
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from vision.arrays import Image, Singles
from vision.simulation.art import OBELISK, TileArt, draw_card, draw_card_back, draw_fiducial, draw_table
from vision.simulation.artwork import Artwork, BoardFace, HouseArtwork
from vision.simulation.bodies import (
    Body,
    Patch,
    cast_shadow,
    cube,
    dragon,
    draw_body,
    figure,
    hand,
    slab,
    turned_figure,
)
from vision.simulation.drawing import Colour
from vision.simulation.flatwork import Easel, FlatPose
from vision.simulation.photographs import Enrolment
from vision.simulation.random_artwork import TABLE_TOPS, draw_random_top
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

DRAGON_COLOURS: Mapping[str, Colour] = {"fire": (38, 34, 206), "earth": (62, 150, 34), "water": (206, 92, 30)}
_SPARE_COLOURS: tuple[Colour, ...] = ((150, 60, 110), (60, 170, 200), (120, 160, 60), (90, 90, 200))
# Number of cached patches of tiles and pieces: about as many as one game needs.
_MOST_KEPT = 1200
_CARDBOARD: Colour = (64, 92, 120)
# Distance between the layers in which a die-cut board's edge is drawn.
_EDGE_STEP_MM = 0.25
# So many of the board's first boxes stay bare in the photograph of the pieces.
_BARE_BOXES = 2
_STANDING = ("figure", "dragon")
# Distance between cards laid out to be learnt, mm.
_CARD_GAP = 14.0
# How far varnish spreads a reflection, and how far varnished things are from level: standard deviations.
_SATIN_DEG, _UNEVEN_DEG = 3.5, 0.6
_GLOSS_STEP_PX = 8
_SLOT_ALONE = (0.0, 4.0)
# No figure is placed just behind a dragon, where it would be out of sight.
_SLOTS_FIGURE = ((-22.0, -3.0), (22.0, -3.0), (-11.0, -9.0), (11.0, -9.0))
_SLOTS_DRAGON = ((-16.0, 17.0), (16.0, 17.0), (0.0, -1.0))


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
        pose: the camera over the table.
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
        scenery: Scenery | None = None,
        dragons: Mapping[str, Colour] = DRAGON_COLOURS,
        artwork: Artwork | None = None,
        figure_profile: tuple[tuple[float, float], ...] | None = None,
    ) -> None:
        """Set up the room.

        Args:
            layout: what is where; a board that has no place yet lies to the left of the city.
            arts: what is printed on the tiles.
            players: colour of each player's pieces (blue, green, red), in seat order.
            seed: determines how everything is placed, the table's grain and the noise.
            size_wh: of the frames, px.
            viewpoint: where the camera hangs.
            scenery: the room.
            dragons: colours of the dragons by name.
            artwork: the look of this copy; the project's own by default.
            figure_profile: shape of the players' figures, see `bodies.turned_figure`; a pawn by default.
        """
        self.layout = replace(layout, board=OBELISK) if layout.board_rows and not layout.board else layout
        self._arts = {art.tile: art for art in arts}
        self._players = dict(players)
        self._dragons = dict(dragons)
        self._seed = seed
        self._scenery = scenery or Scenery()
        self._viewpoint = viewpoint or Viewpoint()
        self._artwork: Artwork = artwork or HouseArtwork()
        self._figure_profile = figure_profile
        self.pose = self._viewpoint.pose(size_wh)
        self._easel = Easel(self.pose)
        self._eye = self.pose.eye_mm
        self._flats: dict[tuple[str, ...], Patch | None] = {}
        self._solids: dict[object, _Standing] = {}
        self._ground = self._draw_ground()
        self._light = self._light_field()
        self._noise = self._noise_bank()
        self._tones = _tone_table()
        self._last: tuple[Picture, Singles] | None = None

    def seen_from(self, viewpoint: Viewpoint) -> SimulatedCamera:
        """Return the same table seen from another camera position, as after a knock."""
        return self._with(self.layout, viewpoint)

    def with_codes(self, codes: tuple[Fiducial, ...]) -> SimulatedCamera:
        """Return the same table with its fiducials placed elsewhere."""
        return self._with(replace(self.layout, fiducials=codes), self._viewpoint)

    def _with(self, layout: TableLayout, viewpoint: Viewpoint) -> SimulatedCamera:
        return SimulatedCamera(
            layout,
            tuple(self._arts.values()),
            self._players,
            seed=self._seed,
            size_wh=self.pose.lens.size_wh,
            viewpoint=viewpoint,
            scenery=self._scenery,
            dragons=self._dragons,
            artwork=self._artwork,
            figure_profile=self._figure_profile,
        )

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera hangs."""
        return self._viewpoint

    def frame(self, picture: Picture, *, hand_pose: HandPose | None = None, t: float = 0.0) -> Image:
        """Return the table as the camera sees it.

        Args:
            picture: what is where; places that are absent are drawn empty.
            hand_pose: an arm over the table.
            t: time in seconds; determines the noise.

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
            cells: which tile lies where; by default tiles and cells in order.
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

    def card_photographs(self, names: Sequence[str]) -> list[Image]:
        """Return photographs of cards laid out on the table where the city will be, in reading order."""
        x0, x1, y0, y1 = self.layout.extent_mm()
        width, height = self.layout.pieces.card_width_mm, self.layout.pieces.card_height_mm
        columns, rows = int((x1 - x0) // (width + _CARD_GAP)), int((y1 - y0) // (height + _CARD_GAP))
        shots = []
        for first in range(0, len(names), columns * rows):
            scene = self._ground.copy()
            for number, name in enumerate(names[first : first + columns * rows]):
                row, column = divmod(number, columns)
                x = x0 + (column + 0.5) * (x1 - x0) / columns
                y = y1 - (row + 0.5) * (y1 - y0) / rows
                self._place_card(scene, ("sheet", name), name, (x, y, 0.4))
            shots.append(self._expose(scene, t=10.0 + first))
        return shots

    def tile_pose(self, cell: str, tile: str) -> FlatPose:
        """Return the pose of a tile on a cell: always the same for this camera's seed."""
        rng = self._dice("tile", cell, tile)
        x, y = self.layout.cells[cell]
        dx, dy = rng.uniform(-1, 1, 2) * self._scenery.slide_mm
        turn = rng.uniform(-1, 1) * self._scenery.turn_deg
        if self._scenery.quarter_turns:
            turn += 90.0 * int(rng.integers(4))
        edge = self.layout.tile_edge_mm
        height = self.layout.pieces.tile_thickness_mm
        return FlatPose(x_mm=x + dx, y_mm=y + dy, z_mm=height, turn_deg=turn, width_mm=edge, height_mm=edge)

    def board_pose(self) -> FlatPose | None:
        """Return the pose of the board with boxes, if the layout has one."""
        board = self.layout.board
        if board is None:
            return None
        rng = self._dice("board")
        dx, dy = rng.uniform(-1, 1, 2) * self._scenery.slide_mm
        turn = rng.uniform(-1, 1) * self._scenery.turn_deg * 0.6
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
        """Return the x, y and z of a standing piece's base, or None if nothing stands at such a place."""
        kind, parts = kind_of(where), parts_of(where)
        if kind == "box":
            lying = picture.get(place("cell", parts[0]))
            return None if lying is None else self._on_box(parts[0], lying, int(parts[1]), value)
        if kind == "obelisk":
            return self._on_board(int(parts[0]), value)
        if kind in ("figure", "dragon"):
            crowd = [where for where, at in picture.items() if at == value and kind_of(where) in _STANDING]
            lying = picture.get(place("cell", value))
            return self._on_cell(kind, parts[0], value, lying, is_alone=crowd in ([], [where]))
        return None

    def visible_shares(
        self, picture: Picture, where: Iterable[Place], *, hand_pose: HandPose | None = None
    ) -> dict[Place, float]:
        """Return for each box the visible share, 0 to 1, of its marker or of the bare box.

        It is 0 for a box outside the picture.
        """
        pieces = self._pieces(picture)
        arm = None if hand_pose is None else self._drawn(self._arm(hand_pose))
        shares: dict[Place, float] = {}
        for box in where:
            own = next((i for i, (at, _) in enumerate(pieces) if at == box), None)
            target = self._box_patch(box, picture) if own is None else pieces[own][1].patch
            before = pieces if own is None else pieces[own + 1 :]
            covers = [one.patch for _, one in before] + [arm]
            shares[box] = 0.0 if target is None else _left_of(target, covers)
        return shares

    def _box_patch(self, where: Place, picture: Picture) -> Patch | None:
        """Return the printed box as the camera sees it; only its cover is used."""
        kind, parts = kind_of(where), parts_of(where)
        lying = picture.get(place("cell", parts[0])) if kind == "box" else None
        board, under = self.layout.board, self.board_pose()
        if kind == "box" and lying is not None:
            art = self._arts[lying.partition("/")[0]]
            u, v = self._artwork.box_middles(len(art.boxes))[int(parts[1])]
            under = self.tile_pose(parts[0], art.tile)
            edge = self._artwork.box_edge * under.width_mm
            x, y = under.at((u - 0.5) * under.width_mm, (0.5 - v) * under.height_mm)
        elif kind == "obelisk" and board is not None and under is not None:
            edge = board.box_edge_mm
            x, y = under.at(*board.boxes_mm[int(parts[0])])
        else:
            return None
        box = replace(under, x_mm=x, y_mm=y, width_mm=edge, height_mm=edge)
        return self._easel.paint(np.zeros((8, 8, 3), np.uint8), box)

    # -- what lies flat --------------------------------------------------------------------------------------

    def _draw_ground(self) -> Singles:
        width, height = self.pose.lens.size_wh
        px_per_mm = 1.6
        top = _table_top(self._scenery.table, px_per_mm, self._seed)
        size = (top.shape[1] / px_per_mm, top.shape[0] / px_per_mm)
        ground = np.zeros((height, width, 3), np.float32)
        table = FlatPose(x_mm=0, y_mm=120, z_mm=0, turn_deg=0, width_mm=size[0], height_mm=size[1])
        self._easel.cover(ground, top, table)
        for one in self.layout.fiducials:
            self._place_fiducial(ground, one)
        pose = self.board_pose()
        if pose is not None and self.layout.board is not None:
            self._place_board(ground, self._artwork.board_face(self.layout.board, 4.0), pose)
        deck = self.layout.zones.get("deck")
        if deck is not None:
            size = (deck.width_mm, deck.height_mm)
            pose = FlatPose(
                x_mm=deck.x_mm, y_mm=deck.y_mm, z_mm=9, turn_deg=1.5, width_mm=size[0], height_mm=size[1]
            )
            self._place_slab(ground, ("deck",), draw_card_back(size, 4.0), pose, side=(210, 222, 228))
        return ground

    def _place_fiducial(self, ground: Singles, one: Fiducial) -> None:
        paper = one.edge_mm * 1.5
        pose = FlatPose(
            x_mm=one.x_mm, y_mm=one.y_mm, z_mm=0.1, turn_deg=one.turn_deg, width_mm=paper, height_mm=paper
        )
        patch = self._easel.paint(draw_fiducial(one.id, one.edge_mm, 5.0), pose)
        if patch is not None:
            patch.blend_over(ground)

    def _place_board(self, ground: Singles, face: BoardFace, pose: FlatPose) -> None:
        """Lay a die-cut board on the table: its shadow, its edge and its face."""
        mask = face.mask()
        lamp = np.array(self._scenery.lamp.at_mm)
        off = (np.array([pose.x_mm, pose.y_mm]) - lamp[:2]) / lamp[2] * pose.z_mm
        shaded = replace(pose, x_mm=pose.x_mm + float(off[0]), y_mm=pose.y_mm + float(off[1]), z_mm=0.05)
        shadow = self._easel.paint(face.picture, shaded, mask)
        if shadow is not None:
            shadow.darken(ground, self._shadow_depth)
        edge = np.full_like(face.picture, _CARDBOARD)
        for z_mm in np.arange(0.1, pose.z_mm, _EDGE_STEP_MM):
            patch = self._easel.paint(edge, replace(pose, z_mm=float(z_mm)), mask)
            if patch is not None:
                patch.blend_over(ground)
        top = self._easel.paint(face.picture, pose, mask)
        if top is not None:
            self._shining(top, ("board",)).blend_over(ground)

    def _place_slab(
        self,
        frame: Singles,
        key: tuple[str, ...],
        face: Image | None,
        pose: FlatPose,
        side: Colour = _CARDBOARD,
    ) -> None:
        """Lay a printed board on the table: shadow, edge, face; `face` None = drawn before under this key."""
        corners = [(x, y) for x, y, _ in pose.corners_mm()[::-1]]
        if (*key, "side") not in self._flats:
            body = (slab(corners, 0.0, pose.z_mm - 0.05, side),)
            self._flats[(*key, "shadow")] = self._shadow(body, 0.0)
            self._flats[(*key, "side")] = self._drawn(body)
            top = None if face is None else self._easel.paint(face, pose)
            self._flats[(*key, "face")] = None if top is None else self._shining(top, key)
        shadow, edge, top = (self._flats[(*key, one)] for one in ("shadow", "side", "face"))
        if shadow is not None:
            shadow.darken(frame, self._shadow_depth)
        for patch in (edge, top):
            if patch is not None:
                patch.blend_over(frame)

    def _shining(self, face: Patch, key: tuple[str, ...]) -> Patch:
        """Return a printed face with the lamp's reflection; no face lies quite flat."""
        if self._scenery.gloss == 0:
            return face
        tilt = np.radians(self._dice("gloss", *key).normal(0, _UNEVEN_DEG, 2))
        normal = np.array([*tilt, 1.0]) / np.linalg.norm([*tilt, 1.0])
        spots = self._easel.table_points(0.0, step_px=_GLOSS_STEP_PX)
        table = np.dstack([spots, np.full(spots.shape[:2], self.layout.pieces.tile_thickness_mm)])
        sight, to_lamp = table - self._eye, np.array(self._scenery.lamp.at_mm) - table
        far = np.linalg.norm(to_lamp, axis=2)
        sight /= np.linalg.norm(sight, axis=2, keepdims=True)
        mirrored = sight - 2 * (sight @ normal)[..., None] * normal
        off = np.arccos(np.clip((mirrored * to_lamp).sum(axis=2) / far, -1, 1))
        beyond = np.maximum(off - np.arctan(self._scenery.lamp.radius_mm / far), 0)
        light = self._scenery.gloss * np.exp(-0.5 * (beyond / np.radians(_SATIN_DEG)) ** 2)
        width, height = self.pose.lens.size_wh
        whole = cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        rows, columns = (
            np.clip(np.arange(start, start + size), 0, edge - 1)
            for start, size, edge in zip((face.y, face.x), face.cover.shape, (height, width), strict=True)
        )
        return replace(face, colour=face.colour + whole[np.ix_(rows, columns)][..., None])

    def _place_tile(self, frame: Singles, cell: str, lying: str) -> None:
        tile, _, side = lying.partition("/")
        key = ("tile", cell, lying)
        face = None
        if (*key, "side") not in self._flats:
            face = _tile_face(self._artwork, self._arts.get(tile, TileArt(tile=tile)), side)
        self._place_slab(frame, key, face, self.tile_pose(cell, tile))

    def _place_card(
        self, frame: Singles, key: tuple[str, ...], card: str, at_mm: tuple[float, float, float]
    ) -> None:
        """Lay a card face up with its middle about a place, a little askew."""
        dx, dy, turn = self._dice(*key).uniform(-1, 1, 3)
        size = (self.layout.pieces.card_width_mm, self.layout.pieces.card_height_mm)
        pose = FlatPose(
            x_mm=at_mm[0] + dx * self._scenery.slide_mm,
            y_mm=at_mm[1] + dy * self._scenery.slide_mm,
            z_mm=at_mm[2],
            turn_deg=turn * 2.5 * self._scenery.turn_deg,
            width_mm=size[0],
            height_mm=size[1],
        )
        face = None if (*key, "side") in self._flats else draw_card(card, size, 4.0)
        self._place_slab(frame, key, face, pose, side=(210, 222, 228))

    # -- what stands -----------------------------------------------------------------------------------------

    def _on_box(self, cell: str, lying: str, number: int, owner: str) -> tuple[float, float, float] | None:
        tile = lying.partition("/")[0]
        art = self._arts.get(tile)
        if art is None or number >= len(art.boxes):
            return None
        u, v = self._artwork.box_middles(len(art.boxes))[number]
        pose = self.tile_pose(cell, tile)
        dx, dy = self._dice("box", cell, number, owner).uniform(-1, 1, 2) * self._scenery.stray_mm
        x, y = pose.at((u - 0.5) * pose.width_mm + dx, (0.5 - v) * pose.height_mm + dy)
        return x, y, pose.z_mm

    def _on_board(self, number: int, owner: str) -> tuple[float, float, float] | None:
        board, pose = self.layout.board, self.board_pose()
        if board is None or pose is None or number >= len(board.boxes_mm):
            return None
        dx, dy = self._dice("obelisk", number, owner).uniform(-1, 1, 2) * self._scenery.stray_mm
        x, y = pose.at(board.boxes_mm[number][0] + dx, board.boxes_mm[number][1] + dy)
        return x, y, pose.z_mm

    def _on_cell(
        self, kind: str, name: str, cell: str, lying: Value, *, is_alone: bool
    ) -> tuple[float, float, float] | None:
        if cell not in self.layout.cells:
            return None
        names, slots = (self._players, _SLOTS_FIGURE) if kind == "figure" else (self._dragons, _SLOTS_DRAGON)
        slot = list(names).index(name) if name in names else zlib.crc32(name.encode())
        # A piece alone on a tile stands near its middle, above the boxes; several have a corner each.
        dx, dy = _SLOT_ALONE if is_alone else slots[slot % len(slots)]
        zoom = self.layout.tile_edge_mm / 60.0
        off = self._dice(kind, name, cell).uniform(-1, 1, 2) * (4.0 if is_alone else 1.8)
        x, y = self.layout.cells[cell]
        height = self.layout.pieces.tile_thickness_mm if lying else 0.0
        return x + dx * zoom + off[0], y + dy * zoom + off[1], height

    def _body(self, kind: str, name: str) -> Body:
        sizes = self.layout.pieces
        if kind == "dragon":
            return dragon(sizes.dragon_height_mm, sizes.dragon_base_mm, self._colour(self._dragons, name))
        colour = self._colour(self._players, name)
        if kind == "figure" and self._figure_profile is not None:
            height, base = sizes.figure_height_mm, sizes.figure_base_mm
            return turned_figure(height, base, self._figure_profile, colour)
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
            self._solids[key] = _Standing(
                distance=float(np.linalg.norm(np.array(base) - self._eye)),
                patch=self._drawn(body),
                shadow=self._shadow(body, base[2]),
            )
        return self._solids[key]

    def _drawn(self, body: Body) -> Patch | None:
        return draw_body(body, self.pose.project, self._eye, self._scenery.lamp, self.pose.lens.size_wh)

    def _shadow(self, body: Body, plane_mm: float) -> Patch | None:
        return cast_shadow(body, self.pose.project, self._scenery.lamp, plane_mm, self.pose.lens.size_wh)

    def _arm(self, pose: HandPose) -> Body:
        return hand(pose.tip_mm, pose.elbow_mm, pose.height_mm, self._scenery.skin, self._scenery.sleeve)

    def _add_hand(self, scene: Singles, pose: HandPose) -> None:
        body = self._arm(pose)
        shadow = self._shadow(body, self.layout.pieces.tile_thickness_mm)
        if shadow is not None:
            shadow.darken(scene, self._shadow_depth)
        patch = self._drawn(body)
        if patch is not None:
            # Skin is smooth: blurring removes the facets.
            smooth = np.asarray(cv2.blur(patch.colour, (7, 7)), np.float32)
            replace(patch, colour=smooth).blend_over(scene)

    # -- light and lens --------------------------------------------------------------------------------------

    @property
    def _shadow_depth(self) -> float:
        return self._scenery.lamp.share * 0.9

    def _scene(self, picture: Picture) -> Singles:
        """Return the table before light and lens, kept until the picture changes."""
        if self._last is not None and self._last[0] == picture:
            return self._last[1]
        if len(self._flats) + len(self._solids) > _MOST_KEPT:
            self._flats = {key: one for key, one in self._flats.items() if key[0] == "deck"}
            self._solids.clear()
        scene = self._ground.copy()
        for where, value in picture.items():
            if value is not None and kind_of(where) == "cell":
                self._place_tile(scene, parts_of(where)[0], value)
            elif value is not None and kind_of(where) == "discard":
                zone = self.layout.zones.get("discard")
                if zone is not None:
                    self._place_card(scene, ("discard", value), value, (zone.x_mm, zone.y_mm, 4.0))
        pieces = self._pieces(picture)
        for _, one in pieces:
            if one.shadow is not None:
                one.shadow.darken(scene, self._shadow_depth)
        for _, one in pieces:
            if one.patch is not None:
                one.patch.blend_over(scene)
        self._last = (dict(picture), scene)
        return scene

    def _pieces(self, picture: Picture) -> list[tuple[Place, _Standing]]:
        """Return what stands on the table, the farthest first."""
        found = (
            (at, self._standing(at, value, picture)) for at, value in picture.items() if value is not None
        )
        return sorted(((at, one) for at, one in found if one is not None), key=lambda one: -one[1].distance)

    def _light_field(self) -> Singles:
        """Return the light on the table at each pixel, times the lens's vignetting and the colour cast."""
        width, height = self.pose.lens.size_wh
        spots = self._easel.table_points(0.0, step_px=16)
        lamp, share = np.array(self._scenery.lamp.at_mm), self._scenery.lamp.share
        way = np.dstack([lamp[0] - spots[..., 0], lamp[1] - spots[..., 1], np.full(spots.shape[:2], lamp[2])])
        fall = way[..., 2] / np.linalg.norm(way, axis=2) ** 3
        fall /= lamp[2] / np.linalg.norm(lamp) ** 3
        even = (1 - share) + share * fall
        x, y = np.linspace(-1, 1, even.shape[1])[None, :], np.linspace(-1, 1, even.shape[0])[:, None]
        even = even * (1 - 0.07 * (x**2 + y**2)) * self._scenery.exposure
        field_ = cv2.resize(even.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(field_[:, :, None] * np.array(self._scenery.cast, np.float32), np.float32)

    def _noise_bank(self) -> NDArray[np.int16]:
        width, height = self.pose.lens.size_wh
        rng = np.random.default_rng(self._seed + 17)
        bank = rng.standard_normal((height + 64, width + 64, 3), np.float32)
        bank *= np.array([1.25, 0.9, 1.05], np.float32) * self._scenery.noise
        return np.asarray(np.rint(bank), np.int16)

    def _expose(self, scene: Singles, t: float) -> Image:
        seen = cv2.multiply(scene, self._light)
        if self._scenery.blur_px > 0:
            seen = cv2.GaussianBlur(seen, (0, 0), self._scenery.blur_px)
        level = np.minimum(seen * np.float32(4095), np.float32(8191)).astype(np.uint16)
        frame = self._tones[level]
        if self._scenery.noise > 0:
            dx, dy = self._dice("noise", round(t * 1000)).integers(0, 64, 2)
            height, width = frame.shape[:2]
            frame = cv2.add(frame, self._noise[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U)
        if self._scenery.jpeg:
            _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._scenery.jpeg])
            frame = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        return np.asarray(frame, np.uint8)

    def _pieces_picture(self, lying: Mapping[str, str]) -> Picture:
        """Return a table with some of everyone's pieces on it."""
        players = list(self._players)
        picture: dict[Place, Value] = {}
        for number, (cell, tile) in enumerate(lying.items()):
            art = self._arts[tile]
            picture[place("cell", cell)] = f"{tile}/{'sketch' if art.boxes else 'built'}"
            for i in range(len(art.boxes)):
                fill = number % 4 == 2
                picture[place("box", cell, i)] = players[(i + number // 4) % len(players)] if fill else None
        cells = list(lying)
        for i, name in enumerate(players):
            picture[place("figure", name)] = cells[i % len(cells)]
        for i, name in enumerate(self._dragons):
            picture[place("dragon", name)] = cells[(len(players) + i) % len(cells)]
        boxes = len(self.layout.board.boxes_mm) if self.layout.board else 0
        for i in range(boxes):
            taken = 0 <= i - _BARE_BOXES < len(players)
            picture[place("obelisk", i)] = players[i - _BARE_BOXES] if taken else None
        return picture

    def _dice(self, *key: object) -> np.random.Generator:
        """Return random numbers that depend only on the seed and the key."""
        return np.random.default_rng(zlib.crc32(repr((self._seed, *key)).encode()))


def _left_of(target: Patch, covers: Iterable[Patch | None]) -> float:
    """Return the share of a patch that others leave visible, 0 to 1."""
    seen = target.cover.copy()
    before = float(seen.sum())
    height, width = seen.shape
    for one in covers:
        if one is None:
            continue
        x0, y0 = max(one.x, target.x), max(one.y, target.y)
        x1 = min(one.x + one.cover.shape[1], target.x + width)
        y1 = min(one.y + one.cover.shape[0], target.y + height)
        if x1 > x0 and y1 > y0:
            over = one.cover[y0 - one.y : y1 - one.y, x0 - one.x : x1 - one.x]
            seen[y0 - target.y : y1 - target.y, x0 - target.x : x1 - target.x] *= 1 - over
    return float(seen.sum()) / before if before > 0 else 0.0


@lru_cache(maxsize=96)
def _tile_face(artwork: Artwork, art: TileArt, side: str) -> Image:
    return artwork.tile_face(art, side, 300)


@lru_cache(maxsize=2)
def _table_top(kind: str, px_per_mm: float, seed: int) -> Image:
    draw = draw_random_top if kind in TABLE_TOPS else draw_table
    return draw(kind, (2600, 2200), px_per_mm, seed)


def _tone_table() -> NDArray[np.uint8]:
    """Return the grey level for each of 8192 amounts of light, 4095 = white, with a soft shoulder."""
    light = np.arange(8192) / 4095.0
    bent = np.where(light < 0.8, light, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2))
    return np.asarray(np.rint(255 * np.clip(bent, 0, 1) ** (1 / 2.2)), np.uint8)
