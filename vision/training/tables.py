"""Tables drawn at random, for training and for benchmarks: nothing on one is like anything on another.

Copy of the game, sizes, colours, camera, lamp, table top and where the codes lie are drawn from a number;
the same number gives the same table. Recognisers that are right on these have learnt no print by heart.
"""

from __future__ import annotations

import colorsys
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Picture, Place, Value, place
from companion.table_layout import Area, Arrangement, Content, Fiducial, PieceSizes, TableLayout, around
from vision.arrays import Floats
from vision.simulation.art import TileArt
from vision.simulation.artwork import OBELISK_VALUES
from vision.simulation.bodies import Lamp
from vision.simulation.camera import SimulatedCamera
from vision.simulation.drawing import Colour
from vision.simulation.motifs import MOTIFS
from vision.simulation.random_artwork import TABLE_TOPS, RandomArtwork
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

PEOPLES = ("vulca", "terrah", "aqua", "flit", "khind", "mimix", "hoax")
_TOPS = ("oak", "walnut", "felt", "linen", "gingham", *TABLE_TOPS, *TABLE_TOPS)
_PLAYER_NAMES = ("one", "two", "three", "four")
_DRAGON_NAMES = ("fire", "earth", "water")
# Room around what must be in the picture, mm.
_RIM_MM = 12.0
# So many doubles of a figure crowd a table; a piece stands beside the city this often.
_DOUBLES, _AWAY = 2, 0.2
# Share of the evenings on which markers lie aside, and how far at most, in edges of a box.
_BRUSHED, _ASIDE = 0.2, 0.65
# Share of the evenings on which the camera hangs elsewhere, and on which the lamp is seen mirrored.
_MOVED, _MIRRORED = 0.5, 0.5
# How bright a lamp is mirrored, and how far varnish spreads it: a spot, or a sheen over several tiles.
_GLOSS, _SATIN_DEG = (0.1, 1.5), (2.0, 12.0)
# Colours of pieces are at least so far apart, of 1 = black to white.
_APART = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomTable:
    """A table, a camera over it and the light on it; `RandomTable.of(number)` draws one.

    Attributes:
        number: chooses everything.
        layout: what is where, codes included, as it really is.
        arts: what is printed on the tiles.
        artwork: what the copy frames like.
        players, dragons: colours by name.
        figure_profile: shape of the figures.
        viewpoint, scenery: the room.
        size_wh: of the pictures, px.
    """

    number: int
    layout: TableLayout
    arts: tuple[TileArt, ...]
    artwork: RandomArtwork
    players: Mapping[str, Colour]
    dragons: Mapping[str, Colour]
    figure_profile: tuple[tuple[float, float], ...] | None
    viewpoint: Viewpoint
    scenery: Scenery
    size_wh: tuple[int, int]

    @classmethod
    def of(cls, number: int, *, size_wh: tuple[int, int] = (1280, 720)) -> RandomTable:
        """Return the table with this number."""
        dice = np.random.default_rng((number, 1))
        artwork = RandomArtwork.of(number)
        layout = _layout(artwork, dice)
        colours = random_colours(7, dice)
        count = int(dice.integers(2, 5))
        return cls(
            number=number,
            layout=layout,
            arts=_arts(dice),
            artwork=artwork,
            players=dict(zip(_PLAYER_NAMES[:count], colours, strict=False)),
            dragons=dict(zip(_DRAGON_NAMES, colours[4:], strict=True)),
            figure_profile=_profile(dice) if dice.random() < 0.75 else None,
            viewpoint=_viewpoint(layout, size_wh, dice),
            scenery=random_scenery(dice),
            size_wh=size_wh,
        )

    def evening(self, number: int) -> RandomTable:
        """Return the same copy on another evening: in other light, half of the time seen from elsewhere.

        On the first evening the light is that of learning. On some an arm has brushed markers aside, but
        never so far that they are nearer to another box.
        """
        dice = np.random.default_rng((self.number, 5, number))
        other = random_scenery(dice)
        scenery = self.scenery.shot_as(other)
        if number:
            scenery = scenery.lit_as(other)
        moved = _tilted(self.layout, self.viewpoint, self.size_wh, dice)
        if dice.random() < _BRUSHED:
            most = _ASIDE * self.artwork.box_edge * self.layout.tile_edge_mm
            stray = float(dice.uniform(0.5, 1)) * most
            if number:
                scenery = replace(scenery, stray_mm=max(scenery.stray_mm, stray))
        room = replace(
            self,
            scenery=scenery,
            viewpoint=moved if dice.random() < _MOVED else self.viewpoint,
        )
        mirrored = str(dice.choice(list(self.layout.cells)))
        if number == 0 or dice.random() > _MIRRORED:
            return room
        return replace(room, scenery=room._glossy(mirrored))

    def camera(self, *, seed: int = 0, gloss_on: str | None = None) -> SimulatedCamera:
        """Return the camera over the table.

        Args:
            seed: how everything is laid, and the noise.
            gloss_on: a cell in which the camera sees the lamp mirrored; the print is varnished then.
        """
        scenery = self.scenery if gloss_on is None else self._glossy(gloss_on)
        return SimulatedCamera(
            self.layout,
            self.arts,
            self.players,
            seed=seed,
            size_wh=self.size_wh,
            viewpoint=self.viewpoint,
            scenery=scenery,
            dragons=self.dragons,
            artwork=self.artwork,
            figure_profile=self.figure_profile,
        )

    def crowded(self) -> RandomTable:
        """Return the table with every player's figure several times, so that more boxes are hidden.

        The doubles are called `one+1` and so on; enrolment has no business with them.
        """
        doubles = {f"{name}+{i}": colour for i in range(_DOUBLES) for name, colour in self.players.items()}
        return replace(self, players={**self.players, **doubles})

    def positions(self, count: int, *, seed: int = 0) -> Iterator[Picture]:
        """Yield tables in play, `count` of them: tiles built or not, markers, figures, dragons anywhere."""
        for i in range(count):
            yield self._position(np.random.default_rng((self.number, 2, seed, i)))

    def hand(self, *, seed: int = 0) -> HandPose:
        """Return an arm that reaches over one of the cells from any side."""
        dice = np.random.default_rng((self.number, 3, seed))
        cell = str(dice.choice(list(self.layout.cells)))
        return HandPose.over(self.layout, cell, seat=int(dice.integers(4)), reach=float(dice.uniform(0.6, 1)))

    def _position(self, dice: np.random.Generator) -> Picture:
        tiles = [self.arts[i] for i in dice.permutation(len(self.arts))]
        figures = list(self.players)
        players = [name for name in figures if "+" not in name]
        picture: dict[Place, Value] = {}
        for cell, art in zip(self.layout.cells, tiles, strict=False):
            is_built = not art.boxes or dice.random() < 0.3
            picture[place("cell", cell)] = f"{art.tile}/{'built' if is_built else 'sketch'}"
            for i in range(0 if is_built else len(art.boxes)):
                filled = dice.random() < 0.45
                picture[place("box", cell, i)] = str(dice.choice(players)) if filled else None
        cells = list(self.layout.cells)
        # Company on a tile is usual: half of all go where someone else is.
        crowd = str(dice.choice(cells))
        for kind, names in (("figure", figures), ("dragon", list(self.dragons))):
            for name in names:
                alone = str(dice.choice(cells))
                where = crowd if dice.random() < 0.35 else alone
                picture[place(kind, name)] = None if dice.random() < _AWAY else where
        board = self.layout.board
        paid = int(dice.integers(0, 14))
        for i in range(0 if board is None else len(board.boxes_mm)):
            picture[self.layout.places.on_board(i)] = str(dice.choice(players)) if i < paid else None
        return picture

    def _glossy(self, cell: str) -> Scenery:
        """Return the room with varnished print, its lamp hung where the camera sees it mirrored in a cell."""
        dice = np.random.default_rng((self.number, 4))
        x, y = self.layout.cells[cell]
        eye = self.viewpoint.pose(self.size_wh).eye_mm
        height = self.scenery.lamp.at_mm[2]
        far = height / eye[2]
        at = (float(x + (x - eye[0]) * far), float(y + (y - eye[1]) * far), height)
        return replace(
            self.scenery,
            lamp=replace(self.scenery.lamp, at_mm=at),
            gloss=_any_of(_GLOSS, dice),
            satin_deg=_any_of(_SATIN_DEG, dice),
        )


def _any_of(limits: tuple[float, float], dice: np.random.Generator) -> float:
    """Return a number of any order of size between two others."""
    return float(np.exp(dice.uniform(*np.log(limits))))


def _layout(artwork: RandomArtwork, dice: np.random.Generator) -> TableLayout:
    """Return a table of any size of tiles, the obelisk on any side of the city, codes anywhere around."""
    edge = float(dice.uniform(45, 75))
    pitch = edge * float(dice.uniform(1.03, 1.12))
    cells = {
        f"{row},{col}": ((col - 2) * pitch, (2 - row) * pitch)
        for row in range(5)
        for col in range(5)
        if (row % 4, col % 4) != (0, 0)
    }
    half = 2 * pitch + edge / 2
    board = artwork.board((0.0, 0.0))
    reach = half + board.area.width_mm / 2 + float(dice.uniform(14, 40))
    side = float(dice.choice((-1, 1)))
    board = replace(board, area=replace(board.area, x_mm=side * reach, y_mm=float(dice.uniform(-30, 30))))
    card = (edge * float(dice.uniform(0.7, 0.95)), edge * float(dice.uniform(1.05, 1.3)))
    beside = -side * (half + card[0] / 2 + float(dice.uniform(14, 40)))
    piles = {
        name: Area(
            outline_mm=around(beside, y, *card),
            content=Content.CARDS,
            arrangement=Arrangement.PILE,
            is_face_up=is_face_up,
        )
        for name, y, is_face_up in (("open", -0.65 * card[1], True), ("closed", 0.65 * card[1], False))
    }
    far = max(reach + board.area.width_mm / 2, abs(beside) + card[0] / 2)
    tall = max(half, board.area.height_mm / 2 + 30)
    marker = min(float(dice.uniform(7, 12)), artwork.box_edge * edge * 1.05)
    figure = float(dice.uniform(10, 17))
    dragon = float(dice.uniform(18, 28))
    pieces = PieceSizes(
        tile_thickness_mm=float(dice.uniform(1.2, 2.6)),
        marker_edge_mm=marker,
        figure_base_mm=figure,
        figure_height_mm=figure * float(dice.uniform(1.5, 2.3)),
        dragon_base_mm=dragon,
        dragon_height_mm=dragon * float(dice.uniform(1.0, 1.6)),
        card_width_mm=card[0],
        card_height_mm=card[1],
    )
    return TableLayout(
        name=f"table {artwork.number}",
        cells=cells,
        tile_edge_mm=edge,
        board_rows=tuple(Counter(OBELISK_VALUES).values()),
        board=board,
        areas=piles,
        pieces=pieces,
        fiducials=_codes(far, tall, dice),
    )


def _codes(far_mm: float, tall_mm: float, dice: np.random.Generator) -> tuple[Fiducial, ...]:
    """Return four codes laid around a table of this half width and half height, as people lay them."""
    edge = float(dice.uniform(30, 50))
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    out = edge * 0.9
    return tuple(
        Fiducial(
            id=i,
            x_mm=x * (far_mm + out + float(dice.uniform(-20, 25))),
            y_mm=y * (tall_mm * float(dice.uniform(0.8, 1.0)) + float(dice.uniform(-10, 15))),
            edge_mm=edge,
            turn_deg=float(dice.uniform(-15, 15)),
        )
        for i, (x, y) in enumerate(corners)
    )


def _arts(dice: np.random.Generator) -> tuple[TileArt, ...]:
    """Return twenty-one tiles with boxes of random peoples and numbers."""
    arts = [TileArt(tile="courtyard")]
    for tile in MOTIFS:
        if tile == "courtyard":
            continue
        people = str(dice.choice(PEOPLES))
        any_may = dice.random() < 0.06
        count = 4 if any_may else int(dice.integers(1, 4))
        colour = "any" if any_may else people
        values = sorted((int(one) for one in dice.integers(2, 6, count)), reverse=True)
        arts.append(TileArt(tile=tile, people=people, boxes=tuple((colour, one) for one in values)))
    return tuple(arts)


def random_colours(count: int, dice: np.random.Generator) -> list[Colour]:
    """Return so many colours of pieces that people can tell apart, grays among them."""
    found: list[tuple[float, float, float]] = []
    apart = _APART
    while len(found) < count:
        if dice.random() < 0.25:
            level = float(dice.choice((0.1, 0.45, 0.9)))
            red = green = blue = level
        else:
            red, green, blue = colorsys.hsv_to_rgb(
                float(dice.random()), float(dice.uniform(0.55, 0.95)), float(dice.uniform(0.35, 0.95))
            )
        new = (blue, green, red)
        if all(math.dist(new, old) >= apart for old in found):
            found.append(new)
        apart *= 0.995
    return [(round(255 * b), round(255 * g), round(255 * r)) for b, g, r in found]


def _profile(dice: np.random.Generator) -> tuple[tuple[float, float], ...]:
    """Return the outline of a turned figure: height and radius as shares, from the foot up."""
    waist, neck = float(dice.uniform(0.3, 0.8)), float(dice.uniform(0.2, 0.5))
    head, shoulder = float(dice.uniform(0.25, 0.6)), float(dice.uniform(0.5, 0.75))
    return (
        (0.0, 1.0),
        (0.08, 1.0),
        (0.3, waist),
        (shoulder, neck),
        (shoulder + 0.05, max(neck, head * 0.8)),
        (min(shoulder + 0.18, 0.95), head),
        (0.97, head * 0.6),
        (1.0, 0.05),
    )


def random_scenery(dice: np.random.Generator) -> Scenery:
    """Return a room drawn at random: table top, lamp, light, noise, arms."""
    turn, beside = float(dice.uniform(0, 2 * math.pi)), float(dice.uniform(60, 1300))
    warmth, tint = float(dice.uniform(-0.28, 0.28)), float(dice.uniform(-0.05, 0.05))
    tone = float(dice.uniform(0.15, 1.0))
    skin = tuple(round(tone * one + float(dice.uniform(-8, 8))) for one in (150, 178, 224))
    sleeve = dice.integers(20, 235, 3)
    return Scenery(
        table=str(dice.choice(_TOPS)),
        lamp=Lamp(
            at_mm=(beside * math.cos(turn), beside * math.sin(turn), float(dice.uniform(380, 1600))),
            radius_mm=float(dice.uniform(20, 280)),
            share=1 - float(dice.uniform(0.17, 0.75)) ** 2,
        ),
        cast=(1 + warmth, 1 + tint, 1 - warmth),
        exposure=_any_of((0.3, 1.25), dice),
        noise=float(dice.uniform(0.8, 5.5)),
        blur_px=float(dice.uniform(0.3, 1.1)),
        jpeg=int(dice.choice((60, 70, 80, 90, 95))),
        slide_mm=float(dice.uniform(0.5, 5)),
        turn_deg=float(dice.uniform(0.5, 8)),
        stray_mm=float(dice.uniform(0.5, 2.6)),
        gloss=float(dice.uniform(0.1, 0.8)) if dice.random() < 0.3 else 0.0,
        skin=(max(skin[0], 0), max(skin[1], 0), max(skin[2], 0)),
        sleeve=(int(sleeve[0]), int(sleeve[1]), int(sleeve[2])),
    )


def _viewpoint(layout: TableLayout, size_wh: tuple[int, int], dice: np.random.Generator) -> Viewpoint:
    """Return a camera with any lens that has the whole table in its picture."""
    lens = Viewpoint(hfov_deg=float(dice.uniform(48, 78)), k1=float(dice.uniform(-0.12, 0.05)), k2=0.0)
    return _tilted(layout, lens, size_wh, dice)


def _tilted(
    layout: TableLayout, lens: Viewpoint, size_wh: tuple[int, int], dice: np.random.Generator
) -> Viewpoint:
    """Return a camera up to 55 degrees from overhead that has the whole table in its picture."""
    viewpoint = replace(
        lens,
        tilt_deg=float(dice.uniform(0, 55)),
        azimuth_deg=float(dice.choice((0, 0, 0, 180)) + dice.uniform(-20, 20)),
        roll_deg=float(dice.uniform(-4, 4)),
        distance_mm=350,
    )
    viewpoint = backed_off(viewpoint, _must_be_seen(layout), size_wh, 1.03)
    return replace(viewpoint, distance_mm=viewpoint.distance_mm * float(dice.uniform(1, 1.12)))


def backed_off(viewpoint: Viewpoint, points_mm: Floats, size_wh: tuple[int, int], step: float) -> Viewpoint:
    """Return a camera drawn back, by this factor at a time, until it has points (N, 3) mm in its picture."""
    while True:
        seen = viewpoint.pose(size_wh).project(points_mm)
        if (seen > 0).all() and (seen < size_wh).all():
            return viewpoint
        viewpoint = replace(viewpoint, distance_mm=viewpoint.distance_mm * step)


def _must_be_seen(layout: TableLayout) -> Floats:
    """Return the points of the table that must be in the picture, (N, 3) mm."""
    flat = [corner for code in layout.fiducials for corner in code.corners_mm()]
    x0, x1, y0, y1 = layout.extent_mm(_RIM_MM)
    flat += [(x, y) for x in (x0, x1) for y in (y0, y1)]
    return np.array([(x, y, 0.0) for x, y in flat])
