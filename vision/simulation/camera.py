"""A simulated camera: draws a picture of the table as a webcam would see it, reproducibly.

It depends on the table's layout and the artwork, but not on the rules of a game: it draws any picture.
"""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.table import Picture, Place, Value, kind_of, parts_of, place
from companion.table_layout import Fiducial, TableLayout
from vision.arrays import Bools, Image, Singles
from vision.simulation.art import OBELISK, TileArt, draw_card, draw_card_back
from vision.simulation.artwork import Artwork, HouseArtwork
from vision.simulation.bodies import Body, Patch, cube, dragon, figure, turned_figure
from vision.simulation.drawing import Colour
from vision.simulation.flatwork import FlatPose
from vision.simulation.photographs import Enrolment
from vision.simulation.scenery import HandPose, Scenery, Viewpoint
from vision.simulation.studio import StandingBody, Studio

DRAGON_COLOURS: Mapping[str, Colour] = {"fire": (38, 34, 206), "earth": (62, 150, 34), "water": (206, 92, 30)}
_SPARE_COLOURS: tuple[Colour, ...] = ((150, 60, 110), (60, 170, 200), (120, 160, 60), (90, 90, 200))
# So many of the board's first boxes stay bare in the photograph of the pieces.
_BARE_BOXES = 2
_STANDING = ("figure", "dragon")
# Distance between cards laid out to be learnt, mm.
_CARD_GAP = 14.0
_SLOT_ALONE = (0.0, 4.0)
# No figure is placed just behind a dragon, where it would be out of sight.
_SLOTS_FIGURE = ((-22.0, -3.0), (22.0, -3.0), (-11.0, -9.0), (11.0, -9.0))
_SLOTS_DRAGON = ((-16.0, 17.0), (16.0, 17.0), (0.0, -1.0))


# A marker off its box is farther from any other box by this factor at least.
_NEARER = 1.3


class Drawings(Protocol):
    """Keeps drawn things that take long to draw, of one camera alone."""

    def kept(self, name: str, draw: Callable[[], NDArray[np.generic]], /) -> NDArray[np.generic]:
        """Return what is kept under a name, or else draw it and keep it."""


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
        drawings: Drawings | None = None,
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
            drawings: where the table and the tiles' faces are kept, of this camera alone; nowhere by default.
        """
        self.layout = replace(layout, board=OBELISK) if layout.board_rows and not layout.board else layout
        self._arts = {art.tile: art for art in arts}
        self._players = dict(players)
        self._dragons = dict(dragons)
        self._seed = seed
        self._artwork: Artwork = artwork or HouseArtwork()
        self._figure_profile = figure_profile
        self._drawings = drawings
        self._studio = Studio(
            seed=seed,
            size_wh=size_wh,
            viewpoint=viewpoint or Viewpoint(),
            scenery=scenery or Scenery(),
            level_mm=layout.pieces.tile_thickness_mm,
        )
        self.pose = self._studio.pose
        self._last: tuple[Picture, Singles] | None = None

    def seen_from(self, viewpoint: Viewpoint) -> SimulatedCamera:
        """Return the same table seen from another camera position, as after a knock."""
        return self._with(self.layout, viewpoint)

    def with_codes(self, codes: tuple[Fiducial, ...]) -> SimulatedCamera:
        """Return the same table with its fiducials placed elsewhere."""
        return self._with(replace(self.layout, fiducials=codes), self._studio.viewpoint)

    def _with(self, layout: TableLayout, viewpoint: Viewpoint) -> SimulatedCamera:
        return SimulatedCamera(
            layout,
            tuple(self._arts.values()),
            self._players,
            seed=self._seed,
            size_wh=self.pose.lens.size_wh,
            viewpoint=viewpoint,
            scenery=self._studio.scenery,
            dragons=self._dragons,
            artwork=self._artwork,
            figure_profile=self._figure_profile,
        )

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera hangs."""
        return self._studio.viewpoint

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
            self._studio.reach_in(scene, hand_pose)
        return self._studio.expose(scene, t)

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
            shots.append(self._studio.expose(scene, t=10.0 + first))
        return shots

    def tile_pose(self, cell: str, tile: str) -> FlatPose:
        """Return the pose of a tile on a cell: always the same for this camera's seed."""
        rng = self._studio.dice("tile", cell, tile)
        x, y = self.layout.cells[cell]
        dx, dy = rng.uniform(-1, 1, 2) * self._studio.scenery.slide_mm
        turn = rng.uniform(-1, 1) * self._studio.scenery.turn_deg
        if self._studio.scenery.quarter_turns:
            turn += 90.0 * int(rng.integers(4))
        edge = self.layout.tile_edge_mm
        height = self.layout.pieces.tile_thickness_mm
        return FlatPose(x_mm=x + dx, y_mm=y + dy, z_mm=height, turn_deg=turn, width_mm=edge, height_mm=edge)

    def board_pose(self) -> FlatPose | None:
        """Return the pose of the board with boxes, if the layout has one."""
        board = self.layout.board
        if board is None:
            return None
        rng = self._studio.dice("board")
        dx, dy = rng.uniform(-1, 1, 2) * self._studio.scenery.slide_mm
        turn = rng.uniform(-1, 1) * self._studio.scenery.turn_deg * 0.6
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
        if self.layout.places.is_on_board(where):
            return self._on_board(int(parts[0]), value)
        if kind == "box":
            lying = picture.get(place("cell", parts[0]))
            return None if lying is None else self._on_box(parts[0], lying, int(parts[1]), value)
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
        arm = None if hand_pose is None else self._studio.drawn(self._studio.arm(hand_pose))
        shares: dict[Place, float] = {}
        for box in where:
            own = next((i for i, (at, _) in enumerate(pieces) if at == box), None)
            target = self._box_patch(box, picture) if own is None else pieces[own][1].patch
            before = pieces if own is None else pieces[own + 1 :]
            covers = [one.patch for _, one in before] + [arm]
            shares[box] = 0.0 if target is None else _left_of(target, covers)
        return shares

    def arm_mask(self, hand_pose: HandPose) -> Bools:
        """Return which pixels of a frame an arm covers, (height, width)."""
        width, height = self.pose.lens.size_wh
        seen = np.zeros((height, width, 3), np.float32)
        patch = self._studio.drawn(self._studio.arm(hand_pose))
        if patch is not None:
            replace(patch, colour=np.ones_like(patch.colour)).blend_over(seen)
        return np.asarray(seen[..., 0] > 0.5, np.bool_)

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
        elif self.layout.places.is_on_board(where) and board is not None and under is not None:
            edge = board.box_edge_mm
            x, y = under.at(*board.boxes_mm[int(parts[0])])
        else:
            return None
        box = replace(under, x_mm=x, y_mm=y, width_mm=edge, height_mm=edge)
        return self._studio.easel.paint(np.zeros((8, 8, 3), np.uint8), box)

    # -- what lies flat --------------------------------------------------------------------------------------

    @functools.cached_property
    def _ground(self) -> Singles:
        """What lies on every picture, drawn with the first one: who only asks for the pose need not wait."""
        if self._drawings is None:
            return self._drawn_ground()
        return np.asarray(self._drawings.kept("table", self._drawn_ground), np.float32)

    def _drawn_ground(self) -> Singles:
        ground = self._studio.table(self.layout.fiducials)
        pose = self.board_pose()
        if pose is not None and self.layout.board is not None:
            self._studio.place_board(ground, self._artwork.board_face(self.layout.board, 4.0), pose)
        for name in self.layout.piles(is_face_up=False):
            deck = self.layout.areas[name].around
            size = (deck.width_mm, deck.height_mm)
            pose = FlatPose(
                x_mm=deck.x_mm, y_mm=deck.y_mm, z_mm=9, turn_deg=1.5, width_mm=size[0], height_mm=size[1]
            )
            self._studio.place_slab(ground, (name,), draw_card_back(size, 4.0), pose, side=(210, 222, 228))
        return ground

    def _place_tile(self, frame: Singles, cell: str, lying: str) -> None:
        tile, _, side = lying.partition("/")
        key = ("tile", cell, lying)
        face = None
        if not self._studio.has_slab(key):
            face = self._tile_face(self._arts.get(tile, TileArt(tile=tile)), side)
        self._studio.place_slab(frame, key, face, self.tile_pose(cell, tile))

    def _tile_face(self, art: TileArt, side: str) -> Image:
        if self._drawings is None:
            return _tile_face(self._artwork, art, side)
        drawn = self._drawings.kept(f"{art.tile}-{side}", lambda: _tile_face(self._artwork, art, side))
        return np.asarray(drawn, np.uint8)

    def _place_card(
        self, frame: Singles, key: tuple[str, ...], card: str, at_mm: tuple[float, float, float]
    ) -> None:
        """Lay a card face up with its middle about a place, a little askew."""
        dx, dy, turn = self._studio.dice(*key).uniform(-1, 1, 3)
        size = (self.layout.pieces.card_width_mm, self.layout.pieces.card_height_mm)
        pose = FlatPose(
            x_mm=at_mm[0] + dx * self._studio.scenery.slide_mm,
            y_mm=at_mm[1] + dy * self._studio.scenery.slide_mm,
            z_mm=at_mm[2],
            turn_deg=turn * 2.5 * self._studio.scenery.turn_deg,
            width_mm=size[0],
            height_mm=size[1],
        )
        face = None if self._studio.has_slab(key) else draw_card(card, size, 4.0)
        self._studio.place_slab(frame, key, face, pose, side=(210, 222, 228))

    # -- what stands -----------------------------------------------------------------------------------------

    def _on_box(self, cell: str, lying: str, number: int, owner: str) -> tuple[float, float, float] | None:
        tile = lying.partition("/")[0]
        art = self._arts.get(tile)
        if art is None or number >= len(art.boxes):
            return None
        pose = self.tile_pose(cell, tile)
        middles = [
            ((u - 0.5) * pose.width_mm, (0.5 - v) * pose.height_mm)
            for u, v in self._artwork.box_middles(len(art.boxes))
        ]
        off = self._studio.dice("box", cell, number, owner).uniform(-1, 1, 2) * self._studio.scenery.stray_mm
        x, y = pose.at(*_astray(middles, number, (float(off[0]), float(off[1]))))
        return x, y, pose.z_mm

    def _on_board(self, number: int, owner: str) -> tuple[float, float, float] | None:
        board, pose = self.layout.board, self.board_pose()
        if board is None or pose is None or number >= len(board.boxes_mm):
            return None
        dice = self._studio.dice(self.layout.places.board_box, number, owner)
        off = dice.uniform(-1, 1, 2) * self._studio.scenery.stray_mm
        x, y = pose.at(*_astray(board.boxes_mm, number, (float(off[0]), float(off[1]))))
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
        off = self._studio.dice(kind, name, cell).uniform(-1, 1, 2) * (4.0 if is_alone else 1.8)
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

    def _standing(self, where: Place, value: str, picture: Picture) -> StandingBody | None:
        base = self.base_mm(where, value, picture)
        if base is None:
            return None
        kind = kind_of(where)
        name = parts_of(where)[0] if kind in _STANDING else value
        turn = float(self._studio.dice("turn", where, value).uniform(-180, 180))
        return self._studio.standing((kind, name), self._body(kind, name), base, turn)

    # -- the whole scene -------------------------------------------------------------------------------------

    def _scene(self, picture: Picture) -> Singles:
        """Return the table before light and lens, kept until the picture changes."""
        if self._last is not None and self._last[0] == picture:
            return self._last[1]
        self._studio.forget(keep=self.layout.piles(is_face_up=False))
        scene = self._ground.copy()
        for where, value in picture.items():
            if value is not None:
                self._place_flat(scene, where, value)
        self._studio.stand(scene, (one for _, one in self._pieces(picture)))
        self._last = (dict(picture), scene)
        return scene

    def _place_flat(self, scene: Singles, where: Place, value: str) -> None:
        """Lay a tile on its cell, or a card on its pile; what stands is drawn later."""
        if self.layout.places.is_cell(where):
            self._place_tile(scene, parts_of(where)[0], value)
        elif where in self.layout.piles(is_face_up=True):
            pile = self.layout.areas[where].around
            self._place_card(scene, (where, value), value, (pile.x_mm, pile.y_mm, 4.0))

    def _pieces(self, picture: Picture) -> list[tuple[Place, StandingBody]]:
        """Return what stands on the table, the farthest first."""
        found = (
            (at, self._standing(at, value, picture)) for at, value in picture.items() if value is not None
        )
        return sorted(((at, one) for at, one in found if one is not None), key=lambda one: -one[1].distance)

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
            picture[self.layout.places.on_board(i)] = players[i - _BARE_BOXES] if taken else None
        return picture


def _astray(
    middles_mm: Sequence[tuple[float, float]], number: int, off_mm: tuple[float, float]
) -> tuple[float, float]:
    """Return where a marker lies that is so far off its box, but nearer to it than to any other."""
    x, y = middles_mm[number]
    dx, dy = off_mm
    while any(
        math.hypot(x + dx - other_x, y + dy - other_y) < _NEARER * math.hypot(dx, dy)
        for i, (other_x, other_y) in enumerate(middles_mm)
        if i != number
    ):
        dx, dy = 0.8 * dx, 0.8 * dy
    return x + dx, y + dy


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


@functools.lru_cache(maxsize=96)
def _tile_face(artwork: Artwork, art: TileArt, side: str) -> Image:
    return artwork.tile_face(art, side, 300)
