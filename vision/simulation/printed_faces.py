"""Faces of tiles and cards in random artwork, for games whose pieces lie anywhere.

A game says what is printed (`FacePrint`). How it looks is up to the copy (`FaceArtwork`): its number alone
decides on paper, frames, type and pictures.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from companion.table_pieces import FacePrint, Mark
from vision.arrays import Image
from vision.simulation.drawing import Canvas, Colour, Point, arc, box, mix
from vision.simulation.motifs import Style, draw_motif

_PX_PER_MM = 4.0
_BLACK, _WHITE = (26, 26, 30), (246, 246, 244)
_INKS: Final[Mapping[str, Colour]] = {
    "red": (52, 48, 208),
    "blue": (196, 96, 38),
    "turquoise": (168, 170, 34),
    "yellow": (44, 196, 240),
    "green": (70, 140, 48),
    "white": _WHITE,
    "black": _BLACK,
    "earth": (58, 128, 66),
    "water": (188, 112, 40),
    "fire": (50, 70, 214),
    "air": (140, 206, 216),
}
"""Inks by the name of the colour, BGR, before a copy mixes its own."""
_PAINTS: Final[Mapping[str, Colour]] = {
    **_INKS,
    "meeple": (40, 190, 235),
    "water": (190, 80, 20),
    "fire": (44, 40, 214),
    "earth": (50, 140, 40),
    "orange": (20, 120, 235),
    "purple": (150, 44, 118),
}
"""Paints of discs, figures and gems, BGR."""
_FRAMES = ("none", "line", "wide", "double")
_MOTIF_FIELD = 60.0


@dataclass(frozen=True, slots=True)
class FaceArtwork:
    """The look of one copy.

    Attributes:
        number: determines everything.
    """

    number: int

    def face(self, what: FacePrint, size_mm: tuple[float, float]) -> Image:
        """Return a face of this size, (height, width, 3), 4 px per mm; boards have half of that."""
        return _draw(self.number, what, size_mm)

    def group_middle(self, number: int) -> Point:
        """Return where the middle of a group of dots is on its tile, in shares right and down."""
        return _group_middles(_Manner.of(self.number))[number]


def paint_of(name: str) -> Colour:
    """Return the paint of a piece by the name of its colour, BGR; strangers have one of their own."""
    if name in _PAINTS:
        return _PAINTS[name]
    return _ink(np.random.default_rng(zlib.crc32(name.encode())), 0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manner:
    """How one copy prints all its faces."""

    frame: str
    frame_ink: Colour
    corner: str
    paint: float
    number_disc: Colour
    dot_ground: Colour
    grain: float
    turn: float

    @classmethod
    def of(cls, number: int) -> _Manner:
        dice = np.random.default_rng((number, 21))
        return cls(
            frame=str(dice.choice(_FRAMES)),
            frame_ink=_ink(dice, 0.5),
            corner=str(dice.choice(("left", "right"))),
            paint=float(dice.uniform(0.0, 0.25)),
            number_disc=_BLACK if dice.random() < 0.6 else _WHITE,
            dot_ground=_WHITE if dice.random() < 0.7 else mix(_ink(dice, 0.85), _WHITE, 0.6),
            grain=float(dice.uniform(0.03, 0.12)),
            turn=float(dice.uniform(-0.04, 0.04)),
        )


@lru_cache(maxsize=400)
def _draw(number: int, what: FacePrint, size_mm: tuple[float, float]) -> Image:
    if what.board:
        return _draw_board(number, what, size_mm)
    manner = _Manner.of(number)
    dice = np.random.default_rng(zlib.crc32(f"{number}/{what.name}".encode()))
    paper = _paper(number, what, manner)
    canvas = Canvas(size_mm, _PX_PER_MM, paper)
    canvas.grain(manner.grain, zlib.crc32(f"{number}/{what.family}".encode()) % 1000, patch_mm=7.0)
    if what.is_back:
        _draw_back(canvas, paper, dice)
    elif what.groups or what.ground:
        _draw_tasks(canvas, what, manner)
    else:
        _draw_picture(canvas, number, what, paper, dice)
        _draw_lines(canvas, dice)
        _draw_number(canvas, what.number, manner, 0.09)
        for mark in what.marks:
            _draw_mark(canvas, mark, manner)
    _draw_frame(canvas, manner)
    return canvas.finish()


def _draw_board(number: int, what: FacePrint, size_mm: tuple[float, float]) -> Image:
    """Draw a round board with a track along its rim, or a long one with lines and spots to stand on."""
    dice = np.random.default_rng(zlib.crc32(f"{number}/{what.name}".encode()))
    ground = mix(_ink(dice, 0.3), _BLACK, 0.5)
    canvas = Canvas(size_mm, _PX_PER_MM / 2, ground)
    canvas.grain(0.12, int(dice.integers(1000)))
    light, (width, height) = mix(_ink(dice, 0.8), _WHITE, 0.5), size_mm
    if what.board == "wheel":
        _draw_wheel(canvas, light, ground)
    else:
        for row in (0.22, 0.5, 0.78):
            canvas.stroke([(width * 0.08, height * row), (width * 0.92, height * row)], light, 0.8)
            for column in (0.35, 0.6, 0.85):
                at = (width * column, height * row)
                canvas.disc(at, (8.0, 8.0), light)
                canvas.disc(at, (7.2, 7.2), ground)
        canvas.stroke(box(2, 2, width - 2, height - 2), light, 1.0, closed=True)
    return canvas.finish()


def _draw_wheel(canvas: Canvas, light: Colour, ground: Colour) -> None:
    width, _ = canvas.size_mm
    half = width / 2
    for far, thick in ((0.97, 1.0), (0.84, 0.6), (0.44, 0.6)):
        canvas.stroke(arc((half, half), (half * far, half * far), steps=72), light, thick, closed=True)
    for number in range(24):
        x, y = math.sin(number * math.pi / 12), -math.cos(number * math.pi / 12)
        spot = (half + x * half * 0.7, half + y * half * 0.7)
        canvas.disc(spot, (6.6, 6.6), light)
        canvas.disc(spot, (5.9, 5.9), mix(ground, light, abs(12 - number) / 12))
    canvas.disc((half, half), (half * 0.36, half * 0.36), light)
    canvas.disc((half * 1.1, half * 0.94), (half * 0.27, half * 0.27), ground)
    canvas.fill([(half, width * 0.1), (half - 4, width * 0.03), (half + 4, width * 0.03)], light)


def _paper(number: int, what: FacePrint, manner: _Manner) -> Colour:
    if what.ground:
        return mix(_INKS[what.ground], manner.frame_ink, manner.paint * 0.5)
    dice = np.random.default_rng(zlib.crc32(f"{number}/{what.family}/paper".encode()))
    return mix(_ink(dice, 0.3), _WHITE, float(dice.uniform(0.0, 0.7)))


def _ink(dice: np.random.Generator, brightness: float) -> Colour:
    low = 255 * brightness * 0.4
    blue, green, red = (int(one) for one in dice.uniform(low, min(255.0, 255 * brightness + 110), 3))
    return blue, green, red


def _draw_frame(canvas: Canvas, manner: _Manner) -> None:
    width, height = canvas.size_mm
    for inset, thick in {
        "none": (),
        "line": ((1.5, 0.6),),
        "wide": ((1.1, 2.2),),
        "double": ((1.2, 0.8), (2.8, 0.5)),
    }[manner.frame]:
        canvas.stroke(box(inset, inset, width - inset, height - inset), manner.frame_ink, thick, closed=True)


def _draw_tasks(canvas: Canvas, what: FacePrint, manner: _Manner) -> None:
    """Draw a tile: the number in one corner, groups of dots in the others."""
    width, height = canvas.size_mm
    at = ((0.27 if manner.corner == "left" else 0.73) * width, 0.27 * height)
    canvas.disc(at, (width * 0.15, width * 0.15), manner.number_disc)
    ink = _WHITE if manner.number_disc == _BLACK else _BLACK
    canvas.digits(what.number, at, height * 0.18, ink)
    for group, (u, v) in zip(what.groups, _group_middles(manner), strict=False):
        middle, half = (u * width, v * height), width * 0.19
        canvas.fill(
            box(middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half), manner.dot_ground
        )
        for colour, (x, y) in zip(group, _spots(len(group)), strict=True):
            spot = (middle[0] + x * half, middle[1] + y * half)
            canvas.disc(
                spot, (half * 0.36, half * 0.36), mix(_INKS[colour], manner.frame_ink, manner.paint * 0.3)
            )
            canvas.stroke(arc(spot, (half * 0.36, half * 0.36), steps=20), _BLACK, 0.18, closed=True)


def _group_middles(manner: _Manner) -> Sequence[Point]:
    """Return the middles of the groups of dots in shares of the tile, clockwise from its number on."""
    corners = ((0.27, 0.27), (0.73, 0.27), (0.73, 0.73), (0.27, 0.73))
    if manner.corner == "left":
        return corners[1:]
    return corners[0], corners[3], corners[2]


def _spots(count: int) -> Sequence[Point]:
    """Return where so many dots are in their field, -1 to 1."""
    return {
        1: ((0.0, 0.0),),
        2: ((-0.45, 0.0), (0.45, 0.0)),
        3: ((-0.45, 0.42), (0.45, 0.42), (0.0, -0.42)),
        4: ((-0.45, -0.45), (0.45, -0.45), (-0.45, 0.45), (0.45, 0.45)),
    }[count]


def _draw_picture(
    canvas: Canvas, number: int, what: FacePrint, paper: Colour, dice: np.random.Generator
) -> None:
    """Draw a card's picture: shared by all faces that name the same one."""
    own = np.random.default_rng(zlib.crc32(f"{number}/{what.picture or what.name}/picture".encode()))
    width, height = canvas.size_mm
    window = Canvas(
        (_MOTIF_FIELD, _MOTIF_FIELD), _PX_PER_MM * width * 0.8 / _MOTIF_FIELD, mix(paper, _ink(own, 0.6), 0.6)
    )
    window.grain(0.2, int(own.integers(1000)))
    roles = ("wall", "roof", "trim", "dark", "leaf", "water", "light", "glow", "smoke", "ground")
    style = Style(
        palette={role: _ink(own, 0.6) for role in roles}, outline=_BLACK, width=0.5, shade=0.2, hatch=0.0
    )
    for _ in range(int(own.integers(3, 8))):
        at = (float(own.uniform(5, 55)), float(own.uniform(5, 55)))
        size = (float(own.uniform(3, 14)), float(own.uniform(3, 14)))
        window.disc(at, size, _ink(own, 0.6), shade=0.2)
    draw_motif(f"{what.picture or what.name}/{number}", window, style)
    picture = window.finish()
    size = (width * 0.8, min(width * 0.8, height * 0.6))
    canvas.paste(picture, (width * 0.1, height * 0.16), size)
    for _ in range(int(dice.integers(2, 6))):
        at = (float(dice.uniform(0.05, 0.95)) * width, float(dice.uniform(0.02, 0.98)) * height)
        canvas.disc(at, (float(dice.uniform(0.6, 1.8)),) * 2, _ink(dice, 0.5))


def _draw_lines(canvas: Canvas, dice: np.random.Generator) -> None:
    """Draw the title and a few lines that look like text, another for each face."""
    width, height = canvas.size_mm
    canvas.fill(box(width * 0.08, height * 0.03, width * 0.92, height * 0.12), _BLACK)
    rows = [(0.075, _WHITE, 0.55), *((v, _BLACK, 0.8) for v in np.arange(0.82, 0.95, 0.035))]
    for v, ink, reach in rows:
        x = width * (0.5 - reach / 2)
        end = x + width * reach * float(dice.uniform(0.5, 1.0))
        while x < end:
            word = float(dice.uniform(1.2, 5.0))
            canvas.stroke([(x, v * height), (min(x + word, end), v * height)], ink, 0.9)
            x += word + 1.2


def _draw_number(canvas: Canvas, number: str, manner: _Manner, size: float) -> None:
    width, height = canvas.size_mm
    if number:
        x = width * (0.13 if manner.corner == "left" else 0.87)
        canvas.disc((x, height * 0.2), (width * 0.09, width * 0.09), manner.number_disc)
        ink = _WHITE if manner.number_disc == _BLACK else _BLACK
        canvas.digits(number, (x, height * 0.2), height * size * 0.8, ink)


def _draw_mark(canvas: Canvas, mark: Mark, manner: _Manner) -> None:
    """Draw a number or a symbol in a corner of a card."""
    width, height = canvas.size_mm
    size = width * 0.095
    u = 0.15 if mark.at.endswith("left") else 0.85
    at = (u * width, size * 1.5 if mark.at.startswith("upper") else height - size * 1.5)
    canvas.disc(at, (size, size), _WHITE)
    canvas.disc(at, (size * 0.9, size * 0.9), mix(_INKS[mark.ink], manner.frame_ink, manner.paint * 0.3))
    sign, digits = mark.text[:1], mark.text.lstrip("+-")
    tall = size * 0.95
    ink = _BLACK if sum(_INKS[mark.ink]) > 500 else _WHITE
    if sign in ("+", "-"):
        middle = (at[0] - size * 0.45, at[1])
        canvas.stroke([(middle[0] - 1.1, at[1]), (middle[0] + 1.1, at[1])], ink, 0.6)
        if sign == "+":
            canvas.stroke([(middle[0], at[1] - 1.1), (middle[0], at[1] + 1.1)], ink, 0.6)
        at = (at[0] + size * 0.3, at[1])
    canvas.digits(digits, at, tall, ink)


def _draw_back(canvas: Canvas, paper: Colour, dice: np.random.Generator) -> None:
    width, height = canvas.size_mm
    middle = (width / 2, height / 2)
    canvas.disc(middle, (width * 0.3, width * 0.3), mix(paper, _WHITE, 0.5))
    shift = float(dice.uniform(-0.1, 0.1))
    canvas.disc((width * (0.5 + shift), height * 0.47), (width * 0.24, width * 0.24), mix(paper, _BLACK, 0.4))
    for turn in np.linspace(0, 2 * math.pi, 9)[:-1]:
        spot = (middle[0] + width * 0.38 * math.cos(turn), middle[1] + width * 0.38 * math.sin(turn))
        canvas.disc(spot, (1.0, 1.0), mix(paper, _WHITE, 0.7))
