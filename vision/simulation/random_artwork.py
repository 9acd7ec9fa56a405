"""Random artwork: copies of the game that nobody has printed, each generated from a number.

Everything a real publisher might choose is random: paper and ink, the frames of the tiles, places and shapes
of the boxes, the outline of the board and the path of its boxes. The same number gives the same copy. So
training and benchmarks use copies that the program's authors have never seen.
"""

from __future__ import annotations

import colorsys
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from companion.table_layout import BoxBoard, Rectangle
from vision.arrays import Image
from vision.simulation.art import TileArt
from vision.simulation.artwork import OBELISK_VALUES, BoardFace
from vision.simulation.drawing import Canvas, Colour, Point, arc, box, clouds, mix
from vision.simulation.motifs import Style, draw_motif

_FIELD = 60.0
_BLACK, _WHITE = (26, 26, 30), (248, 248, 246)
_SHAPES = ("square", "rounded", "hexagon", "circle", "shield", "diamond")
_PLACES = ("bottom", "top", "left", "right", "slanted", "corner")
_GROUNDS = ("grain", "check", "fade", "blotches", "rays", "plain")
_RIMS = ("none", "light", "dark", "double")
_OUTLINES = ("card", "spire", "steps", "strip", "disc", "shield")
# Corners of regular polygons and the like, unit size, y down.
_UNIT: dict[str, tuple[Point, ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "hexagon": tuple((1.08 * math.cos(t), 1.08 * math.sin(t)) for t in np.radians(range(30, 390, 60))),
    "circle": tuple((math.cos(t), math.sin(t)) for t in np.radians(range(0, 360, 12))),
    "shield": ((-1, -1), (1, -1), (1, 0.15), (0.62, 0.75), (0, 1.15), (-0.62, 0.75), (-1, 0.15)),
    "rounded": (
        *((0.65 + 0.35 * math.cos(t), -0.65 + 0.35 * math.sin(t)) for t in np.radians(range(-90, 1, 30))),
        *((0.65 + 0.35 * math.cos(t), 0.65 + 0.35 * math.sin(t)) for t in np.radians(range(0, 91, 30))),
        *((-0.65 + 0.35 * math.cos(t), 0.65 + 0.35 * math.sin(t)) for t in np.radians(range(90, 181, 30))),
        *((-0.65 + 0.35 * math.cos(t), -0.65 + 0.35 * math.sin(t)) for t in np.radians(range(180, 271, 30))),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxStyle:
    """How boxes are printed.

    Attributes:
        shape: one of square, rounded, hexagon, circle, shield, diamond.
        rimmed: the people's colour is the rim around a plain face, not the face.
        plain: colour of that plain face, and of the board's boxes.
        rim: colour of the line around a filled box.
    """

    shape: str
    rimmed: bool
    plain: Colour
    rim: Colour

    def draw(self, canvas: Canvas, at: Point, edge_mm: float, inks: Sequence[Colour], text: str) -> None:
        """Draw a box of this edge with its middle at a point, in one ink or in several."""
        half = edge_mm / 2
        self._fill(canvas, at, half, inks[0] if self.rimmed else self.rim)
        inner = half * (0.7 if self.rimmed else 0.88)
        face = self.plain if self.rimmed else inks[0]
        self._fill(canvas, at, inner, face)
        if len(inks) > 1:
            self._quarter(canvas, at, half if self.rimmed else inner * 0.7, inks)
            if self.rimmed:
                self._fill(canvas, at, inner, self.plain)
        canvas.digits(text, at, edge_mm * 0.46, _WHITE if _brightness(face) < 120 else _BLACK)

    def _fill(self, canvas: Canvas, at: Point, half: float, colour: Colour) -> None:
        canvas.fill([(at[0] + u * half, at[1] + v * half) for u, v in _UNIT[self.shape]], colour)

    def _quarter(self, canvas: Canvas, at: Point, half: float, inks: Sequence[Colour]) -> None:
        corners = ((-1, -1), (0, -1), (0, 0), (-1, 0))
        for (i, j), colour in zip(corners, inks, strict=False):
            x, y = at[0] + i * half, at[1] + j * half
            canvas.fill(box(x, y, x + half, y + half), colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomArtwork:
    """One copy drawn at random; `RandomArtwork.of(number)` makes it.

    Attributes:
        number: determines everything.
        paper, ink: of the sketch sides.
        ground: pattern of the paper.
        rim: frame of the tiles.
        tinted: sketch sides are coloured, too.
        medallion: the building stands in a disc.
        boxes: how boxes are printed.
        box_edge: how wide a box is, as a share of the tile's edge.
        places: where they are: bottom, top, left, right, slanted, corner.
        pitch: from box to box, as a share of the tile's edge.
        start: place of the first box along its row: 0 = in the middle, 1 = at the row's beginning.
        outline: of the board: card, spire, steps, strip, disc, shield.
        peoples_turn: rotation of the peoples' colours on the colour wheel from the usual ones.
    """

    number: int
    paper: Colour
    ink: Colour
    ground: str
    rim: str
    tinted: bool
    medallion: bool
    boxes: BoxStyle
    box_edge: float
    places: str
    pitch: float
    start: float
    outline: str
    peoples_turn: float

    @classmethod
    def of(cls, number: int) -> RandomArtwork:
        """Return the copy with this number."""
        dice = np.random.default_rng((number, 7))
        hue, light = float(dice.random()), bool(dice.random() < 0.55)
        paper = _colour(
            hue, dice.uniform(0.05, 0.5), dice.uniform(0.72, 0.98) if light else dice.uniform(0.15, 0.5)
        )
        ink = _colour(
            hue + dice.uniform(-0.15, 0.15),
            dice.uniform(0.1, 0.7),
            dice.uniform(0.1, 0.4) if light else dice.uniform(0.75, 1.0),
        )
        places = str(dice.choice(_PLACES))
        box_edge = float(dice.uniform(0.14, 0.205))
        rimmed = bool(dice.random() < 0.35)
        return cls(
            number=number,
            paper=paper,
            ink=ink,
            ground=str(dice.choice(_GROUNDS)),
            rim=str(dice.choice(_RIMS)),
            tinted=bool(dice.random() < 0.4),
            medallion=bool(dice.random() < 0.3),
            boxes=BoxStyle(
                shape=str(dice.choice(_SHAPES)),
                rimmed=rimmed,
                plain=_WHITE if dice.random() < 0.5 else mix(paper, _WHITE, 0.5),
                rim=_BLACK if dice.random() < 0.5 else _WHITE,
            ),
            box_edge=box_edge,
            places=places,
            pitch=box_edge * float(dice.uniform(1.08, 1.25)),
            start=float(dice.choice((0.0, 0.0, 1.0))),
            outline=str(dice.choice(_OUTLINES)),
            peoples_turn=float(dice.uniform(-0.06, 0.06)),
        )

    # -- tiles ---------------------------------------------------------------------------------------

    def box_middles(self, count: int) -> tuple[Point, ...]:
        """Return the middles of so many boxes on one tile, as shares of its edge right and down."""
        near = self.box_edge * 0.62 + 0.035
        if self.places == "corner":
            spots = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)][:count]
            return tuple((near + u * self.pitch, near + v * self.pitch) for u, v in spots)
        reach = (count - 1) * self.pitch
        first = near if self.start else 0.5 - reach / 2
        along = [first + i * self.pitch for i in range(count)]
        if self.places == "slanted":
            return tuple((at, 0.96 - near - 0.35 * self.pitch * i) for i, at in enumerate(along))
        across = near if self.places in ("top", "left") else 1 - near
        if self.places in ("top", "bottom"):
            return tuple((at, across) for at in along)
        return tuple((across, at) for at in along)

    def tile_face(self, art: TileArt, side: str, px: int) -> Image:
        """Return a side of a tile, (px, px, 3)."""
        canvas = Canvas((_FIELD, _FIELD), px / _FIELD, self.paper)
        seed = zlib.crc32(f"{self.number}/{art.tile}/{side}".encode())
        dice = np.random.default_rng(seed)
        if side == "sketch":
            self._draw_ground(canvas, self.paper, self.ink, dice)
            style = self._sketch_style(art)
        else:
            sky = _colour(float(dice.random()), 0.35, 0.9)
            self._draw_ground(canvas, sky, mix(sky, self.people(art.people), 0.5), dice)
            canvas.fill(box(0, 40, _FIELD, _FIELD), mix(sky, (60, 90, 80), 0.6), shade=0.08)
            style = self._painted_style(art, dice)
        if self.medallion:
            plate = (
                mix(self.paper, self.ink, 0.12) if side == "sketch" else _colour(dice.random(), 0.25, 0.95)
            )
            canvas.disc((30, 27), (22, 22), plate)
        draw_motif(art.tile, canvas, style, lower=0.0 if self.places in ("bottom", "slanted") else 5.0)
        self._scatter(canvas, dice, style)
        if side == "sketch":
            self._draw_boxes(canvas, art)
        self._draw_rim(canvas)
        return canvas.finish()

    def people(self, name: str) -> Colour:
        """Return the ink of a people, the first one for a name with four inks."""
        return self.inks(name)[0]

    def inks(self, name: str) -> tuple[Colour, ...]:
        """Return the ink of a people's boxes, four for those that any people may fill."""
        if name == "any":
            return tuple(self.people(one) for one in ("terrah", "aqua", "khind", "pillar"))
        hue, strength, value = _PEOPLES.get(name, (zlib.crc32(name.encode()) % 97 / 97, 0.6, 0.7))
        return (_colour(hue + self.peoples_turn, strength, value),)

    def _draw_boxes(self, canvas: Canvas, art: TileArt) -> None:
        for (name, value), (u, v) in zip(art.boxes, self.box_middles(len(art.boxes)), strict=True):
            self.boxes.draw(
                canvas, (u * _FIELD, v * _FIELD), self.box_edge * _FIELD, self.inks(name), str(value)
            )

    def _draw_ground(self, canvas: Canvas, colour: Colour, other: Colour, dice: np.random.Generator) -> None:
        canvas.fill(box(0, 0, _FIELD, _FIELD), colour)
        if self.ground == "check":
            _draw_check(canvas, mix(colour, other, 0.15), float(dice.uniform(2.5, 6)))
        elif self.ground == "fade":
            canvas.fade(mix(colour, other, 0.3), colour, _FIELD)
        elif self.ground == "blotches":
            _draw_blotches(canvas, colour, dice)
        elif self.ground == "rays":
            _draw_rays(canvas, mix(colour, other, 0.14))
        if self.ground != "plain":
            canvas.grain(float(dice.uniform(0.02, 0.1)), int(dice.integers(1000)))

    def _scatter(self, canvas: Canvas, dice: np.random.Generator, style: Style) -> None:
        """Scatter small marks unique to this side, like printed icons and ornaments."""
        roles = list(style.palette)
        for _ in range(int(dice.integers(2, 9))):
            x, y = (float(at) for at in dice.uniform(3, 57, 2))
            size, colour = float(dice.uniform(0.8, 2.2)), style.palette[str(dice.choice(roles))]
            if dice.random() < 0.5:
                canvas.disc((x, y), (size, size * float(dice.uniform(0.5, 1))), colour)
            else:
                canvas.stroke([(x, y), (x + size * 2, y + size * float(dice.uniform(-2, 2)))], colour, 0.7)

    def _draw_rim(self, canvas: Canvas) -> None:
        whole = box(0.9, 0.9, _FIELD - 0.9, _FIELD - 0.9)
        if self.rim in ("light", "double"):
            canvas.stroke(whole, mix(self.paper, _WHITE, 0.8), 1.8, closed=True)
        if self.rim in ("dark", "double"):
            inset = 2.4 if self.rim == "double" else 0.9
            line = box(inset, inset, _FIELD - inset, _FIELD - inset)
            canvas.stroke(line, mix(self.ink, _BLACK, 0.4), 0.9, closed=True)

    def _sketch_style(self, art: TileArt) -> Style:
        base = self.people(art.people) if self.tinted and art.people else self.ink
        shares = {
            "wall": 0.08, "roof": 0.26, "trim": 0.16, "dark": 0.8, "leaf": 0.34, "water": 0.12,
            "light": 0.02, "glow": 0.5, "smoke": 0.14, "ground": 0.1,
        }  # fmt: skip
        weight = 1.8 if self.tinted else 1.0
        tones = {role: mix(self.paper, base, min(share * weight, 0.9)) for role, share in shares.items()}
        return Style(palette=tones, outline=self.ink, width=0.55, shade=0.05, hatch=0.34)

    def _painted_style(self, art: TileArt, dice: np.random.Generator) -> Style:
        base = self.people(art.people) if art.people else _colour(float(dice.random()), 0.4, 0.7)
        roles = ("wall", "roof", "trim", "dark", "leaf", "water", "light", "glow", "smoke", "ground")
        tones = {
            role: mix(
                base, _colour(float(dice.random()), float(dice.uniform(0.2, 0.8)), float(dice.random())), 0.4
            )
            for role in roles
        }
        return Style(palette=tones, outline=mix(base, _BLACK, 0.75), width=0.45, shade=0.22, hatch=0.0)

    # -- the board -----------------------------------------------------------------------------------

    def board(self, middle_mm: tuple[float, float]) -> BoxBoard:
        """Return the copy's board with its middle at a place of the table."""
        dice = np.random.default_rng((self.number, 8))
        edge = float(dice.uniform(10.5, 13.5))
        boxes = _WAYS[self.outline](edge, dice)
        points = np.array(boxes)
        low, high = points.min(axis=0), points.max(axis=0)
        rim = edge * float(dice.uniform(0.75, 1.1))
        width, height = high - low + 2 * rim
        if self.outline in ("spire", "shield"):
            height += edge * 1.4
            low = low - (0, edge * 1.4)
        centre = low - rim + np.array([width, height]) / 2
        return BoxBoard(
            area=Rectangle(
                x_mm=middle_mm[0], y_mm=middle_mm[1], width_mm=float(width), height_mm=float(height)
            ),
            thickness_mm=float(dice.uniform(0.6, 2.4)),
            box_edge_mm=edge,
            boxes_mm=tuple((float(x - centre[0]), float(centre[1] - y)) for x, y in points),
        )

    def board_face(self, board: BoxBoard, px_per_mm: float) -> BoardFace:
        """Return the face of the copy's board (as returned by `board`)."""
        dice = np.random.default_rng((self.number, 9))
        width, height = board.area.width_mm, board.area.height_mm
        ground = _colour(float(dice.random()), float(dice.uniform(0.1, 0.6)), float(dice.uniform(0.25, 0.95)))
        canvas = Canvas((width, height), px_per_mm, ground)
        canvas.grain(float(dice.uniform(0.03, 0.2)), int(dice.integers(1000)), patch_mm=14)
        face = _WHITE if dice.random() < 0.5 else mix(ground, _WHITE, 0.55)
        shade = mix(face, _colour(float(dice.random()), 0.6, 0.7), 0.6)
        shaded = {int(one) for one in dice.choice(4, 2, replace=False)}
        style = replace(self.boxes, rimmed=False, shape=str(dice.choice(_SHAPES)), plain=face)
        middles = [(width / 2 + x, height / 2 - y) for x, y in board.boxes_mm]
        outline = self._outline(width, height, middles, board.box_edge_mm)
        for i, (middle, value) in enumerate(zip(middles, OBELISK_VALUES, strict=True)):
            style.draw(canvas, middle, board.box_edge_mm, [shade if i in shaded else face], str(value))
        canvas.stroke(outline, mix(ground, _BLACK, 0.4), 1.0, closed=True)
        return BoardFace(picture=canvas.finish(), outline=tuple((x / width, y / height) for x, y in outline))

    def _outline(self, width: float, height: float, middles: Sequence[Point], edge: float) -> list[Point]:
        """Return the corners of the board, mm from the left upper corner of the rectangle around it."""
        if self.outline == "disc":
            return arc((width / 2, height / 2), (width / 2, height / 2), steps=49)[:-1]
        if self.outline == "spire":
            half = width / 2
            return [
                (half, 0),
                (half + edge * 1.9, height * 0.3),
                (width, height),
                (0, height),
                (half - edge * 1.9, height * 0.3),
            ]
        if self.outline == "shield":
            return [(width / 2, 0), (width, edge * 1.4), (width, height), (0, height), (0, edge * 1.4)]
        if self.outline == "steps":
            return _stepped(width, height, middles, edge)
        return box(0, 0, width, height)


_PEOPLES: dict[str, tuple[float, float, float]] = {
    "vulca": (0.0, 0.05, 0.16),
    "terrah": (0.0, 0.8, 0.8),
    "aqua": (0.58, 0.8, 0.78),
    "flit": (0.55, 0.12, 0.6),
    "khind": (0.35, 0.6, 0.55),
    "mimix": (0.06, 0.6, 0.42),
    "hoax": (0.12, 0.05, 0.95),
    "pillar": (0.13, 0.8, 0.95),
}
"""The peoples' colours as hue, saturation and value, before a copy rotates them."""


def _colour(hue: float, strength: float, value: float) -> Colour:
    """Return a colour from its hue, saturation and value, 0 to 1 each (HSV, Smith 1978)."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, strength, value)
    return round(blue * 255), round(green * 255), round(red * 255)


def _brightness(colour: Colour) -> float:
    """Return how bright a colour is, 0 to 255 (Rec. 601 luma)."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _pairs(edge: float, dice: np.random.Generator, lean: float) -> list[Point]:
    """Return a base row of four, four pairs above it and one; each level shifted by `lean` boxes."""
    row, rise = edge * float(dice.uniform(1.15, 1.35)), edge * float(dice.uniform(1.3, 1.9))
    apart = edge * float(dice.uniform(1.15, 1.5))
    points = [((i - 1.5) * row, 0.0) for i in range(4)]
    for level in range(1, 5):
        x = lean * level * edge
        points += [(x - apart / 2, -level * rise), (x + apart / 2, -level * rise)]
    return [*points, (lean * 5 * edge, -5 * rise)]


def _tower(edge: float, dice: np.random.Generator) -> list[Point]:
    return _pairs(edge, dice, 0.0)


def _path(edge: float, dice: np.random.Generator) -> list[Point]:
    return _pairs(edge, dice, float(dice.uniform(-0.3, 0.3)))


def _column(edge: float, dice: np.random.Generator) -> list[Point]:
    """Return one row or column of thirteen, or two side by side."""
    pitch = edge * float(dice.uniform(1.12, 1.3))
    columns = 2
    return [((i % columns) * pitch, -(i // columns) * pitch) for i in range(13)]


def _ring(edge: float, dice: np.random.Generator) -> list[Point]:
    """Return thirteen boxes around a circle."""
    radius = edge * 13 * float(dice.uniform(1.2, 1.35)) / (2 * math.pi)
    first = float(dice.uniform(0, 2 * math.pi))
    turns = [first + 2 * math.pi * i / 13 for i in range(13)]
    return [(radius * math.cos(t), radius * math.sin(t)) for t in turns]


_WAYS = {
    "card": _path,
    "spire": _tower,
    "steps": _tower,
    "strip": _column,
    "disc": _ring,
    "shield": _path,
}


def _stepped(width: float, height: float, middles: Sequence[Point], edge: float) -> list[Point]:
    """Return the outline of a tower whose storeys are as wide as their rows of boxes."""
    rows: dict[float, list[float]] = {}
    for x, y in middles:
        rows.setdefault(round(y, 2), []).append(x)
    levels = sorted(rows)
    cuts = [0.0, *((a + b) / 2 for a, b in pairwise(levels)), height]
    right: list[Point] = []
    for level, top, bottom in zip(levels, cuts, cuts[1:], strict=False):
        reach = width if level == levels[-1] else min(width, max(rows[level]) + edge * 0.75)
        right += [(reach, top), (reach, bottom)]
    left = [(width - x, y) for x, y in reversed(right)]
    return [*right, *left]


TABLE_TOPS = ("stripes", "flowers", "plain", "weave")


@lru_cache(maxsize=2)
def draw_random_top(kind: str, size_px: tuple[int, int], px_per_mm: float, seed: int) -> Image:
    """Return a table top of one of the `TABLE_TOPS` in colours drawn at random, (height, width, 3)."""
    dice = np.random.default_rng((seed, 3))
    width, height = size_px
    one = np.array(
        _colour(float(dice.random()), float(dice.uniform(0, 0.6)), float(dice.uniform(0.08, 0.95)))
    )
    two = np.array(_colour(float(dice.random()), float(dice.uniform(0, 0.7)), float(dice.uniform(0.1, 0.95))))
    x = np.arange(width, dtype=np.float32)[None, :] / px_per_mm
    y = np.arange(height, dtype=np.float32)[:, None] / px_per_mm
    share = 0.08 * clouds((height, width), 24 * px_per_mm, seed) + 0.05 * clouds((height, width), 2, seed + 1)
    if kind == "stripes":
        turn, pitch = float(dice.uniform(0, math.pi)), float(dice.uniform(8, 60))
        share = share + ((x * math.cos(turn) + y * math.sin(turn)) / pitch % 1 < 0.5)
    elif kind == "weave":
        pitch = float(dice.uniform(2.0, 6.0))
        share = share + 0.3 * (np.sin(x * 2 * math.pi / pitch) * np.sin(y * 2 * math.pi / pitch) > 0)
    share = np.clip(share, 0, 1)[:, :, None]
    top = np.ascontiguousarray((1 - share) * one + share * two, np.float32)
    if kind == "flowers":
        for _ in range(int(dice.integers(40, 160))):
            at = (int(dice.integers(width)), int(dice.integers(height)))
            petal = _colour(float(dice.random()), float(dice.uniform(0.2, 0.9)), float(dice.uniform(0.5, 1)))
            reach = float(dice.uniform(5, 18)) * px_per_mm
            for turn in np.linspace(0, 2 * math.pi, 6)[:-1] + float(dice.random()):
                spot = (round(at[0] + reach * math.cos(turn)), round(at[1] + reach * math.sin(turn)))
                cv2.circle(top, spot, round(reach * 0.55), petal, -1, cv2.LINE_AA)
            cv2.circle(top, at, round(reach * 0.4), _colour(0.13, 0.8, 0.9), -1, cv2.LINE_AA)
    return np.asarray(np.clip(top, 0, 255), np.uint8)


def _draw_check(canvas: Canvas, colour: Colour, step: float) -> None:
    count = int(_FIELD / step) + 1
    for i in range(count):
        for j in range(i % 2, count, 2):
            canvas.fill(box(i * step, j * step, (i + 1) * step, (j + 1) * step), colour)


def _draw_blotches(canvas: Canvas, colour: Colour, dice: np.random.Generator) -> None:
    for _ in range(9):
        hue = _colour(float(dice.random()), 0.25, float(dice.uniform(0.6, 0.95)))
        at = (float(dice.uniform(0, 60)), float(dice.uniform(0, 60)))
        canvas.disc(at, (float(dice.uniform(6, 17)), float(dice.uniform(6, 17))), mix(colour, hue, 0.5))


def _draw_rays(canvas: Canvas, colour: Colour) -> None:
    for turn in range(0, 360, 24):
        ends = (math.radians(turn), math.radians(turn + 12))
        rim = [(30 + 50 * math.cos(angle), 30 + 50 * math.sin(angle)) for angle in ends]
        canvas.fill([(30, 30), *rim], colour)
