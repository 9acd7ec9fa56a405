"""The pictures on the tiles: one building each, drawn with a pen that either sketches or paints.

A motif is drawn on a field of 60 x 60 millimetres, with the ground at y = 43. The same strokes make the
sketch (sepia lines and hatching) and the painting (colours and light).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from vision.simulation.drawing import Canvas, Colour, Point, arc, box

GROUND = 43.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a pen draws.

    Attributes:
        palette: colour by role: wall, roof, trim, dark, leaf, water, light.
        outline: colour of the outlines.
        width: of the outlines, millimetres.
        shade: strength of the shading on solids, 0 to 1.
        hatch: darkness of the strokes on the shadow side, 0 to 1.
    """

    palette: Mapping[str, Colour]
    outline: Colour
    width: float
    shade: float
    hatch: float


class Pen:
    """Draws solids on a canvas in one style, shifted down by `lower` millimetres."""

    def __init__(self, canvas: Canvas, style: Style, lower: float = 0.0) -> None:
        self._canvas = canvas
        self._style = style
        self._lower = lower

    def solid(self, points: Iterable[Point], role: str = "wall") -> None:
        """Draw a filled outline."""
        moved = [(x, y + self._lower) for x, y in points]
        self._canvas.fill(moved, self._style.palette[role], shade=self._style.shade, hatch=self._style.hatch)
        self._canvas.stroke(moved, self._style.outline, self._style.width, closed=True)

    def line(self, *points: Point, width: float = 1.0, role: str | None = None) -> None:
        """Draw a line, `width` times the outline's width."""
        moved = [(x, y + self._lower) for x, y in points]
        colour = self._style.palette[role] if role else self._style.outline
        self._canvas.stroke(moved, colour, self._style.width * width)

    def block(self, left: float, top: float, right: float, bottom: float, role: str = "wall") -> None:
        """Draw an upright wall."""
        self.solid(box(left, top, right, bottom), role)

    def taper(
        self, x: float, top: float, bottom: float, at_top: float, at_bottom: float, role: str = "wall"
    ) -> None:
        """Draw a wall centred on x, `at_top` wide at the top and `at_bottom` wide at the bottom."""
        a, b = at_top / 2, at_bottom / 2
        self.solid([(x - a, top), (x + a, top), (x + b, bottom), (x - b, bottom)], role)

    def spire(self, x: float, top: float, bottom: float, width: float, role: str = "roof") -> None:
        """Draw a pointed roof."""
        self.solid([(x, top), (x + width / 2, bottom), (x - width / 2, bottom)], role)

    def dome(self, x: float, base: float, width: float, height: float, role: str = "roof") -> None:
        """Draw half an ellipse standing on its flat side."""
        self.solid(arc((x, base), (width / 2, height), 180, 360, 24), role)

    def onion(self, x: float, base: float, width: float, height: float, role: str = "roof") -> None:
        """Draw a bulb that ends in a point."""
        w = width / 2
        right = [(0.72, 0), (1.0, 0.3), (0.85, 0.55), (0.35, 0.75), (0.0, 1.0)]
        outline = [(x + u * w, base - v * height) for u, v in right]
        self.solid([*outline, *((2 * x - px, py) for px, py in reversed(outline[:-1]))], role)

    def disc(self, x: float, y: float, rx: float, ry: float, role: str = "wall") -> None:
        """Draw an ellipse."""
        self.solid(arc((x, y), (rx, ry), steps=32)[:-1], role)

    def arch(self, x: float, base: float, width: float, height: float, role: str = "dark") -> None:
        """Draw a door or window with a round top."""
        w = width / 2
        top = arc((x, base - height + w), (w, w), 180, 360, 10)
        self.solid([(x - w, base), *top, (x + w, base)], role)

    def arches(
        self, xs: Iterable[float], base: float, width: float, height: float, role: str = "dark"
    ) -> None:
        """Draw a row of arches."""
        for x in xs:
            self.arch(x, base, width, height, role)


Motif: TypeAlias = Callable[[Pen], None]


def draw_motif(tile: str, canvas: Canvas, style: Style, lower: float = 0.0) -> None:
    """Draw the building of this tile; an unknown name always gets the same building of its own."""
    pen = Pen(canvas, style, lower)
    motif = MOTIFS.get(tile)
    if motif is None:
        _stranger(pen, zlib.crc32(tile.encode()))
    else:
        motif(pen)


def _courtyard(pen: Pen) -> None:
    for rx, ry, role in ((25, 14, "trim"), (20, 11, "wall"), (11, 6, "water")):
        pen.disc(30, 31, rx, ry, role)
    for turn in range(0, 360, 30):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        pen.line((30 + 12 * c, 31 + 6.6 * s), (30 + 25 * c, 31 + 14 * s))
    pen.taper(30, 9, 31, 1.6, 4.5, "light")
    for side in (-1, 1):
        pen.line(*[(30 + side * d, 9 + d * d / 3.6) for d in (0, 2, 4, 6, 8)], width=1.6, role="light")


def _royal_palace(pen: Pen) -> None:
    pen.block(9, 25, 51, GROUND)
    for x, top, base in ((11, 16, 26), (49, 16, 26), (20.5, 11, 22), (39.5, 11, 22)):
        pen.block(x - 3.6, base - 3, x + 3.6, GROUND)
        pen.onion(x, base - 3, 8.6, base - 3 - top + 3)
    pen.block(24, 17, 36, GROUND, "trim")
    pen.onion(30, 17, 14, 13)
    pen.line((30, 4), (30, 1.8), width=1.5)
    pen.arch(30, GROUND, 6, 10)
    pen.arches((11, 20.5, 39.5, 49), 33, 2.6, 5)


def _fire_temple(pen: Pen) -> None:
    for bend, x in ((-9, 14), (9, 46), (-6, 19.5), (6, 40.5), (-2.5, 25), (2.5, 35)):
        mid = (x + bend * 0.9, 24)
        pen.solid(
            [
                (x - 4, 40),
                (mid[0] - 3.4, mid[1]),
                (x + bend * 0.2, 7 + abs(bend) * 0.55),
                (mid[0] + 3, mid[1] + 1),
                (x + 4.5, 40),
            ],
            "roof",
        )
    pen.dome(30, 40, 30, 15)
    pen.block(12, 39, 48, GROUND)
    pen.arch(30, 40, 8, 10, "glow")


def _earth_temple(pen: Pen) -> None:
    pen.disc(30, 34, 25, 9.5, "trim")
    for x, top in ((9, 20), (15, 13), (22, 16), (38, 11), (45, 17), (51, 14)):
        pen.block(x - 2.4, top, x + 2.4, 33 + (abs(x - 30) < 12) * -2)
    pen.disc(30, 36, 15, 5.5, "dark")
    pen.block(28.8, 25, 31.2, 36, "roof")
    for x, y, r in ((26, 22, 5.2), (34, 22, 5.2), (30, 17, 6)):
        pen.disc(x, y, r, r * 0.85, "leaf")
    for x in (12, 20, 40, 48):
        pen.block(x - 2.4, 33, x + 2.4, GROUND)


def _water_temple(pen: Pen) -> None:
    for x in (12.5, 47.5):
        pen.block(x - 6, 27, x + 6, 39)
        pen.dome(x, 27, 12, 8)
        pen.arch(x, 38, 4, 7)
    pen.block(18.5, 24, 41.5, 39)
    pen.dome(30, 24, 25, 17)
    pen.line((30, 7), (30, 3.5), width=1.5)
    pen.arches((24, 36), 37, 3.5, 9)
    pen.solid([(26.5, 28), (33.5, 28), (41, 42), (19, 42)], "water")
    pen.disc(30, 41, 16, 4.2, "water")


def _aqueduct(pen: Pen) -> None:
    pen.solid([(4, 17), (46, 11), (55, 15), (55, 43), (50, 43), (46, 20), (4, 27)], "wall")
    for i, x in enumerate((8, 15.5, 23, 30.5, 38)):
        top = 25.2 - i * 0.9
        pen.block(x - 3.75, top, x + 3.75, GROUND)
        pen.arch(x, GROUND, 4.8, 14)
    pen.line((4, 17.5), (46, 11.5), (54, 15.5), width=2.6, role="water")
    pen.solid([(50, 16), (55, 16), (57, 42), (48, 42)], "water")


def _hospice(pen: Pen) -> None:
    for i, top in enumerate((36, 29, 22, 15)):
        half = 24 - i * 5
        pen.taper(30, top, top + 7, half * 2 - 3, half * 2)
        pen.line((30 - half + 1, top), (30 + half - 1, top), width=2)
        pen.arches([30 + d for d in range(-half + 5, half - 3, 5)], top + 6, 2.0, 3.6)
    pen.block(26.5, 8, 33.5, 15, "trim")
    pen.solid([(27, 15), (33, 15), (36, 43), (24, 43)], "trim")
    for y in range(18, 43, 3):
        pen.line((26, y), (34, y))


def _citadel(pen: Pen) -> None:
    for x, top in ((10, 20), (50, 20), (18, 14), (42, 14), (25, 9), (35, 9)):
        pen.solid([(x, top), (x + 5, 30), (x + 4, GROUND), (x - 4, GROUND), (x - 5, 30)], "roof")
        pen.line((x, top), (x, GROUND))
    pen.solid([(30, 5), (37, 24), (36, GROUND), (24, GROUND), (23, 24)], "wall")
    pen.line((30, 5), (30, 33))
    for x in (13, 21, 39, 47):
        pen.disc(x, 38, 1.6, 1.6, "light")
    pen.arch(30, GROUND, 5, 8)


def _watchtower(pen: Pen) -> None:
    pen.disc(30, 42, 14, 3.2, "trim")
    pen.taper(30, 18, 42, 9, 17)
    pen.block(22.5, 14, 37.5, 20, "trim")
    for x in (23.5, 28, 32, 36.5):
        pen.block(x - 1.2, 11.5, x + 1.2, 14, "trim")
    pen.block(26, 9, 34, 14)
    pen.spire(30, 1.5, 9.5, 13)
    pen.arch(30, 42, 4.6, 7)
    pen.arches((30,), 31, 2.4, 5)
    pen.line((24.4, 26), (35.6, 26), width=1.4)
    pen.line((23.4, 34), (36.6, 34), width=1.4)


def _great_hall(pen: Pen) -> None:
    for x0, x1 in ((5, 16), (16, 25), (25, 35), (35, 44), (44, 55)):
        pen.solid([(30, 9), (x1, 36), (x0, 36)], "roof")
        pen.line((x0, 36), ((x0 + x1) / 2, 39), (x1, 36), width=1.4)
    pen.block(9, 37, 51, GROUND)
    pen.solid([(30, 20), (35, GROUND), (25, GROUND)], "dark")
    pen.line((30, 9), (30, 3), width=1.6)
    pen.solid([(30, 3), (37, 4.8), (30, 6.8)], "trim")


def _university(pen: Pen) -> None:
    cubes = ((14, 26, 11), (46, 24, 11), (24, 17, 12), (38, 13, 10), (31, 27, 13))
    for x, top, edge in cubes:
        pen.solid(
            [(x - edge / 2, top), (x, top - 3.4), (x + edge / 2 + 3, top - 2.4), (x + edge / 2, top)], "trim"
        )
        pen.block(x - edge / 2, top, x + edge / 2, GROUND)
        pen.arches((x - edge / 4, x + edge / 4), top + 7, 1.9, 4)
    pen.dome(24, 15, 8, 5)
    pen.dome(38, 11, 7, 4.5)
    pen.solid([(26, 43), (36, 43), (31, 33)], "dark")


def _market_hall(pen: Pen) -> None:
    pen.dome(30, 39, 48, 31)
    for turn, r in (
        (-70, 0.8),
        (-35, 0.8),
        (0, 0.8),
        (35, 0.8),
        (70, 0.8),
        (-50, 0.48),
        (0, 0.45),
        (50, 0.48),
    ):
        x = 30 + 24 * r * math.sin(math.radians(turn))
        y = 39 - 31 * r * math.cos(math.radians(turn))
        pen.disc(x, y, 2.1, 2.1, "dark")
    pen.block(5, 38, 55, GROUND, "trim")
    pen.arches((10, 18, 26, 34, 42, 50), GROUND, 4, 8)
    pen.disc(30, 8, 4, 2, "trim")


def _library(pen: Pen) -> None:
    pen.block(8, 38, 52, GROUND, "trim")
    pen.block(11, 20, 49, 38, "dark")
    for x in (13, 20, 27, 33, 40, 47):
        pen.block(x - 1.9, 20, x + 1.9, 38)
    pen.solid([(30, 7), (54, 20), (6, 20)], "roof")
    pen.disc(30, 15.5, 3.1, 3.1, "light")
    pen.line((6, 40.5), (54, 40.5))
    pen.solid([(22, 5), (30, 7.5), (38, 5), (38, 1.8), (30, 4.2), (22, 1.8)], "light")


def _trading_house(pen: Pen) -> None:
    for x, base, width, height in ((15, 42, 20, 17), (45, 42, 20, 17), (30, 40, 26, 24), (30, 21, 15, 11)):
        pen.dome(x, base, width, height)
    pen.block(29, 4, 31, 11, "trim")
    pen.line((20, 7), (40, 7), width=2)
    for x in (20, 40):
        pen.line((x, 7), (x - 3, 12))
        pen.line((x, 7), (x + 3, 12))
        pen.solid(arc((x, 12), (3.6, 2.4), 0, 180, 10), "trim")
    pen.arches((12, 18, 42, 48), 42, 3, 6)
    pen.arch(30, 42, 7, 11)
    pen.arches((24, 36), 30, 2.4, 4)


def _caravanserai(pen: Pen) -> None:
    pen.disc(30, 28, 26, 12, "trim")
    pen.disc(30, 28, 20, 8.6, "ground")
    for x, y in ((22, 27), (38, 27), (30, 24)):
        pen.spire(x, y - 13, y, 12)
        pen.block(x - 4, y, x + 4, y + 4)
    pen.solid([*arc((30, 30), (26, 13), 0, 180, 24), *arc((30, 24), (26, 13), 180, 0, 24)], "wall")
    pen.arches((12, 20, 40, 48), 37.5, 3, 6)
    for x in (24, 36):
        pen.block(x - 3, 28, x + 3, GROUND, "trim")
        pen.spire(x, 22, 28, 8)
    pen.arch(30, GROUND, 5.5, 8)


def _thermae(pen: Pen) -> None:
    for x, y, r in ((12, 22, 8), (48, 22, 8), (30, 14, 11)):
        pen.block(x - 1.8, y, x + 1.8, 38)
        pen.disc(x, y, r, r * 0.42, "trim")
        pen.disc(x, y - 0.8, r * 0.78, r * 0.26, "water")
    for x, y in ((20, 33), (40, 33)):
        pen.disc(x, y, 12, 5, "trim")
        pen.disc(x, y - 0.8, 9.6, 3.4, "water")
    pen.disc(30, 40, 15, 4.6, "trim")
    pen.disc(30, 39.4, 12, 3.0, "water")
    for x in (24, 30, 36):
        pen.line((x, 10), (x + 1.5, 7.5), (x - 1.2, 5), (x + 1, 2.5), width=1.6, role="light")


def _flight_tower(pen: Pen) -> None:
    pen.taper(30, 12, GROUND, 6, 11)
    for y, half in ((31, 15), (21, 20)):
        pen.solid(
            [
                (30 - half, y - 4),
                (30, y),
                (30 + half, y - 4),
                (30 + half * 0.45, y + 3),
                (30 - half * 0.45, y + 3),
            ],
            "roof",
        )
    for side in (-1, 1):
        feather = [
            (30 + 3 * side, 13),
            (30 + 25 * side, 2),
            (30 + 20 * side, 8.5),
            (30 + 14 * side, 11),
            (30 + 8 * side, 16),
        ]
        pen.solid(feather, "light")
        pen.line((30 + 5 * side, 13.2), (30 + 20 * side, 6))
    pen.disc(30, 9, 5, 5, "trim")
    pen.disc(30, 9, 2, 2, "dark")
    pen.arch(30, GROUND, 4, 6)


def _iron_foundry(pen: Pen) -> None:
    for x, top in ((12, 17), (24, 10), (36, 10), (48, 17)):
        pen.taper(x, top, 34, 4.4, 9.5)
        pen.block(x - 3, top - 2, x + 3, top + 0.6, "trim")
        for dx, dy, r in ((1, -3.5, 2.2), (3.2, -6.5, 2.8)):
            pen.disc(x + dx, max(top + dy, 2.4), r, r * 0.75, "smoke")
    pen.block(6, 31, 54, GROUND)
    pen.arches((12, 24, 36, 48), GROUND, 7, 9, "glow")


def _city_residence(pen: Pen) -> None:
    for base, half in ((40, 26), (30, 20), (20, 14)):
        pen.block(30 - half * 0.62, base - 6, 30 + half * 0.62, base + 3)
        curve = [(30 - half, base - 4), (30 - half * 0.55, base - 7), (30 - half * 0.3, base - 11)]
        mirrored = [(60 - x, y) for x, y in reversed(curve)]
        pen.solid([*curve, *mirrored, (30 + half * 0.6, base - 3), (30 - half * 0.6, base - 3)], "roof")
    pen.spire(30, 1.5, 9.5, 7, "trim")
    pen.arches((21, 39), GROUND, 3.4, 6)
    pen.arch(30, GROUND, 5, 6.5)


def _mill(pen: Pen) -> None:
    pen.block(34, 33, 54, GROUND, "trim")
    pen.solid([(32, 33), (44, 26), (56, 33)], "roof")
    pen.taper(25, 17, GROUND, 13, 21)
    pen.dome(25, 17, 15, 9)
    for turn in (20, 110, 200, 290):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        def at(along: float, across: float, c: float = c, s: float = s) -> Point:
            return 25 + along * c - across * s, 18 + along * s + across * c

        pen.solid([at(4, 0), at(17, 0), at(17, 4.6), at(6, 4.6)], "light")
        pen.line(at(0, 0), at(17.5, 0), width=1.8)
        pen.line(at(10, 0), at(10, 4.6))
        pen.line(at(14, 0), at(14, 4.6))
    pen.disc(25, 18, 1.8, 1.8, "dark")
    pen.arch(25, GROUND, 5.4, 8)
    pen.arch(44, GROUND, 5, 6)


def _monastery_tower(pen: Pen) -> None:
    towers = (
        (8, 29),
        (52, 29),
        (14, 22),
        (46, 22),
        (20.5, 15),
        (39.5, 15),
        (30, 4),
        (25, 22),
        (35, 22),
        (17, 31),
        (43, 31),
        (30, 27),
    )
    for x, top in towers:
        pen.solid(
            [(x, top), (x + 3.4, top + 9), (x + 3.9, GROUND), (x - 3.9, GROUND), (x - 3.4, top + 9)], "wall"
        )
        pen.line((x - 3.4, top + 9), (x + 3.4, top + 9))
        pen.arch(x, top + 14, 1.7, 3.6)


def _stranger(pen: Pen, seed: int) -> None:
    """Draw a skyline unique to this seed: its bits determine heights, widths and roofs."""
    x = 6.0
    while x < 50:
        seed = (seed * 1103515245 + 12345) % 2**31
        width, top, kind = 5 + (seed >> 8) % 8, 12 + (seed >> 12) % 20, (seed >> 18) % 4
        middle = x + width / 2
        pen.block(x, top, x + width, GROUND)
        draw_roof = (pen.spire, pen.dome, pen.onion)
        if kind == 0:
            pen.spire(middle, top - 8, top, width + 2)
        elif kind < 3:
            draw_roof[kind](middle, top, width, 6 + (seed >> 22) % 4)
        pen.arches([middle], GROUND, 2.6, 6)
        pen.disc(middle, top + 5, 1.4, 1.4, "dark")
        x += width + 1


MOTIFS: Mapping[str, Motif] = {
    "courtyard": _courtyard,
    "royal_palace": _royal_palace,
    "fire_temple": _fire_temple,
    "earth_temple": _earth_temple,
    "water_temple": _water_temple,
    "aqueduct": _aqueduct,
    "hospice": _hospice,
    "citadel": _citadel,
    "watchtower": _watchtower,
    "great_hall": _great_hall,
    "university": _university,
    "market_hall": _market_hall,
    "library": _library,
    "trading_house": _trading_house,
    "caravanserai": _caravanserai,
    "thermae": _thermae,
    "flight_tower": _flight_tower,
    "iron_foundry": _iron_foundry,
    "city_residence": _city_residence,
    "mill": _mill,
    "monastery_tower": _monastery_tower,
}
