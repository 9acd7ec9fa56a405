"""The project's own artwork: both sides of the tiles, the board with boxes, cards, fiducials and table tops.

What is printed on a tile is passed in as data (`TileArt`); this module depends on no game. Every picture is
the same on every computer and at every call.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.table_layout import BOARD_THICKNESS_MM, BoxBoard, Rectangle
from vision.arrays import Image
from vision.simulation.drawing import Canvas, Colour, Point, box, clouds, mix
from vision.simulation.motifs import Style, draw_motif

COLOURS: Mapping[str, Colour] = {
    "vulca": (44, 40, 40),
    "terrah": (48, 44, 200),
    "aqua": (196, 118, 34),
    "flit": (150, 142, 128),
    "khind": (66, 142, 58),
    "mimix": (48, 70, 112),
    "hoax": (236, 240, 242),
    "pillar": (48, 206, 244),
}
"""Inks of the contribution boxes and cards."""
BOX_EDGE = 0.186
"""Edge of a contribution box, as a share of the tile's."""
BOX_MIDDLE = 0.845
"""How far below the tile's upper edge the boxes' middles are."""
_BOX_PITCH = 0.222
_FIELD = 60.0
_INK = (34, 58, 92)
_PAPER = (142, 192, 220)


@dataclass(frozen=True, slots=True, kw_only=True)
class TileArt:
    """What is printed on one tile.

    Attributes:
        tile: its id, which determines the building in the picture.
        people: the people it belongs to, which determines the colour of its built side; empty = none.
        boxes: colour (a people's name, or ``any``) and number of its contribution boxes, left to right.
        majority, contributor: icons of these two rewards on the sketch side (crystal, scale, card).
        neighbour: icons of the neighbour's reward on the built side.
    """

    tile: str
    people: str = ""
    boxes: tuple[tuple[str, int], ...] = ()
    majority: tuple[str, ...] = ()
    contributor: tuple[str, ...] = ()
    neighbour: tuple[str, ...] = ()


def box_middles(count: int) -> tuple[Point, ...]:
    """Return the middles of this many contribution boxes, in tile edges right and down."""
    return tuple((0.5 + (i - (count - 1) / 2) * _BOX_PITCH, BOX_MIDDLE) for i in range(count))


def draw_tile(art: TileArt, side: str, px: int) -> Image:
    """Return the ``sketch`` or ``built`` side of a tile as a (px, px, 3) BGR picture."""
    if side == "built":
        return _draw_built(art, px)
    return _draw_sketch(art, px)


def ink(colour: str) -> Colour:
    """Return the ink for a people's name; an unknown name always gets the same ink of its own."""
    if colour in COLOURS:
        return COLOURS[colour]
    hue = zlib.crc32(colour.encode()) % 180
    patch = cv2.cvtColor(np.array([[[hue, 190, 190]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(patch[0]), int(patch[1]), int(patch[2])


def _draw_sketch(art: TileArt, px: int) -> Image:
    canvas = Canvas((_FIELD, _FIELD), px / _FIELD, _PAPER)
    canvas.grain(0.075, zlib.crc32(art.tile.encode()) % 1000)
    canvas.edge(7, 0.22)
    canvas.fill([(5, 44.2), (9, 40), (51, 40), (55, 44.2)], mix(_PAPER, _INK, 0.28), hatch=0.2)
    draw_motif(art.tile, canvas, _sketch_style())
    _draw_boxes(canvas, art.boxes)
    _draw_icons(canvas, art.majority, (3.8, 4.2), 1)
    _draw_icons(canvas, art.contributor, (56.2, 4.2), -1)
    return canvas.finish()


def _draw_built(art: TileArt, px: int) -> Image:
    hue = ink(art.people) if art.people in COLOURS else (150, 128, 96)
    canvas = Canvas((_FIELD, _FIELD), px / _FIELD)
    canvas.fade(mix((214, 150, 86), hue, 0.25), mix((236, 224, 204), hue, 0.12), 36)
    canvas.fill(_hills(art.tile, 27), mix((96, 128, 112), hue, 0.3), shade=0.1)
    canvas.fill(_hills(art.tile[::-1], 33), mix((70, 118, 104), hue, 0.25), shade=0.12)
    canvas.fill(box(0, 40, _FIELD, _FIELD), mix((96, 152, 176), hue, 0.15), shade=0.06)
    canvas.grain(0.07, zlib.crc32(art.tile.encode()) % 1000 + 7, patch_mm=6)
    canvas.disc((33, 48.5), (25, 4.6), mix((60, 90, 100), hue, 0.2))
    draw_motif(art.tile, canvas, _painted_style(art.people, hue), lower=5.0)
    if art.neighbour:
        left = 30 - (len(art.neighbour) - 1) * 2.5
        _draw_icons(canvas, art.neighbour, (left, 54.6), 1, pitch=5.0, zoom=1.35)
    canvas.stroke(box(0.9, 0.9, 59.1, 59.1), mix(hue, (20, 30, 40), 0.55), 1.8, closed=True)
    canvas.stroke(box(2.3, 2.3, 57.7, 57.7), (96, 190, 226), 0.7, closed=True)
    return canvas.finish()


def _hills(name: str, level: float) -> list[Point]:
    """Return a ridge that is unique to this name."""
    seed = zlib.crc32(name.encode())
    heights = [level - 7 * (((seed >> (5 * i)) & 31) / 31) for i in range(6)]
    xs = np.linspace(0, _FIELD, 31)
    ys = np.interp(xs, np.linspace(0, _FIELD, 6), heights) + 0.9 * np.sin(xs / 2.3 + seed % 7)
    return [(0, _FIELD), *((float(x), float(y)) for x, y in zip(xs, ys, strict=True)), (_FIELD, _FIELD)]


def _sketch_style() -> Style:
    shares = {
        "wall": 0.08, "roof": 0.26, "trim": 0.16, "dark": 0.8, "leaf": 0.34, "water": 0.12,
        "light": 0.02, "glow": 0.5, "smoke": 0.14, "ground": 0.1,
    }  # fmt: skip
    tones = {role: mix(_PAPER, _INK, share) for role, share in shares.items()}
    return Style(palette=tones, outline=_INK, width=0.55, shade=0.05, hatch=0.34)


def _painted_style(people: str, hue: Colour) -> Style:
    wall = mix(hue, (150, 200, 222), 0.36) if people != "vulca" else (84, 80, 84)
    palette: dict[str, Colour] = {
        "wall": wall,
        "roof": mix(hue, (30, 40, 60), 0.12) if people else (60, 172, 226),
        "trim": mix(wall, (250, 250, 250), 0.3),
        "dark": (30, 34, 44),
        "leaf": (52, 132, 60),
        "water": (226, 178, 78),
        "light": (238, 246, 250),
        "glow": (40, 160, 250),
        "smoke": (170, 168, 166),
        "ground": (120, 170, 190),
    }
    return Style(palette=palette, outline=mix(hue, (10, 14, 22), 0.78), width=0.45, shade=0.22, hatch=0.0)


def _draw_boxes(canvas: Canvas, boxes: tuple[tuple[str, int], ...]) -> None:
    half = BOX_EDGE * _FIELD / 2
    for (colour, value), (u, v) in zip(boxes, box_middles(len(boxes)), strict=True):
        x, y = u * _FIELD, v * _FIELD
        canvas.fill(box(x - half, y - half, x + half, y + half), (40, 44, 52))
        inner = half - 0.65
        if colour == "any":
            quarters = ("terrah", "aqua", "pillar", "khind")
            for (i, j), name in zip(((-1, -1), (0, -1), (-1, 0), (0, 0)), quarters, strict=True):
                left, top = x + i * inner, y + j * inner
                canvas.fill(box(left, top, left + inner, top + inner), ink(name))
            dark = False
        else:
            canvas.fill(box(x - inner, y - inner, x + inner, y + inner), ink(colour))
            dark = sum(ink(colour)) > 400
        canvas.digits(str(value), (x, y), half * 1.15, (24, 24, 28) if dark else (250, 250, 250))


def _draw_icons(
    canvas: Canvas, icons: Iterable[str], start: Point, way: int, *, pitch: float = 4.2, zoom: float = 1.0
) -> None:
    for i, icon in enumerate(icons):
        x, y = start[0] + way * i * pitch, start[1]
        if icon == "crystal":
            turned = ((-0.7, 1.7), (-0.9, -0.4), (0.5, -1.8), (0.9, 0.2))
            canvas.fill([(x + u * zoom, y + v * zoom) for u, v in turned], (232, 170, 60), shade=0.25)
        elif icon == "scale":
            canvas.disc((x, y), (1.9 * zoom, 1.35 * zoom), (36, 110, 176))
            canvas.disc((x, y), (1.5 * zoom, 1.0 * zoom), (48, 176, 244), shade=0.2)
        else:
            canvas.fill(box(x - 1.2 * zoom, y - 1.7 * zoom, x + 1.2 * zoom, y + 1.7 * zoom), (60, 80, 100))
            canvas.fill(box(x - 0.9 * zoom, y - 1.4 * zoom, x + 0.9 * zoom, y + 1.4 * zoom), (226, 238, 246))


OBELISK = BoxBoard(
    area=Rectangle(x_mm=-222.0, y_mm=0.0, width_mm=66.0, height_mm=166.0),
    thickness_mm=BOARD_THICKNESS_MM,
    box_edge_mm=12.0,
    boxes_mm=(
        *((x, -68.8) for x in (-23.8, -8.0, 7.9, 23.7)),
        *((x, y) for y in (-42.2, -19.0, 4.3, 27.5) for x in (-8.6, 8.5)),
        (-0.1, 55.7),
    ),
)
"""The project's own obelisk, left of the city."""


def draw_board(board: BoxBoard, values: tuple[int, ...], shaded: tuple[int, ...], px_per_mm: float) -> Image:
    """Return the face of a board with numbered boxes, the obelisk: a tapering pillar before a night sky."""
    width, height = board.area.width_mm, board.area.height_mm
    canvas = Canvas((width, height), px_per_mm, (104, 52, 24))
    canvas.grain(0.22, 11, patch_mm=14)
    middles = [(width / 2 + x, height / 2 - y) for x, y in board.boxes_mm]
    _draw_stars(canvas, width, height)
    _draw_pillar(canvas, middles, board.box_edge_mm, width)
    for i, (middle, value) in enumerate(zip(middles, values, strict=True)):
        half = board.box_edge_mm / 2
        frame, face = ((52, 60, 84), (84, 96, 150)) if i in shaded else ((96, 92, 84), (198, 204, 208))
        x, y = middle
        canvas.fill(box(x - half, y - half, x + half, y + half), frame)
        canvas.fill(box(x - half + 0.7, y - half + 0.7, x + half - 0.7, y + half - 0.7), face)
        canvas.digits(str(value), middle, half * 0.95, (52, 48, 44))
    canvas.stroke(box(0.7, 0.7, width - 0.7, height - 0.7), (150, 110, 70), 1.2, closed=True)
    return canvas.finish()


def _draw_stars(canvas: Canvas, width: float, height: float) -> None:
    rng = np.random.default_rng(5)
    for x, y, r in rng.random((60, 3)):
        canvas.disc((x * width, y * height), (0.2 + 0.3 * r, 0.2 + 0.3 * r), (220, 214, 190))


def _draw_pillar(canvas: Canvas, middles: list[Point], edge: float, width: float) -> None:
    top = min(y for _, y in middles)
    base = max(y for _, y in middles)
    half = max(abs(x - width / 2) for x, y in middles if y < base - edge) + edge * 0.8
    point = (width / 2, max(top - edge * 1.9, 3))
    shoulder = top + edge * 0.8
    outline = [point, (width / 2 + half * 0.8, shoulder), (width / 2 + half, base - edge * 0.7)]
    canvas.fill([*outline, *((width - x, y) for x, y in reversed(outline[1:]))], (168, 164, 138), shade=0.18)
    canvas.fill(box(1.5, base - edge * 0.75, width - 1.5, base + edge * 0.75), (140, 136, 116), shade=0.1)
    canvas.stroke([point, (width / 2, shoulder)], (120, 116, 98), 0.5)


def draw_card(card: str, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Return the face of a card named ``people-value``."""
    people, _, value = card.rpartition("-")
    width, height = size_mm
    hue = ink(people)
    canvas = Canvas(size_mm, px_per_mm, mix(hue, (220, 228, 232), 0.3))
    canvas.grain(0.1, zlib.crc32(card.encode()) % 1000)
    pale = sum(hue) > 400
    digits = value if value.isdecimal() else ""
    head = height * 0.12
    canvas.fill(box(0, 0, width, head * 1.35), mix(hue, (20, 20, 24), 0.15))
    style = _painted_style(people, hue)
    mid = (width / 2, height * 0.55)
    canvas.disc(mid, (width * 0.34, height * 0.26), style.palette["light"])
    for i in range(3 + zlib.crc32(people.encode()) % 5):
        turn = 2.399963 * i
        at = (mid[0] + np.cos(turn) * width * 0.17, mid[1] + np.sin(turn) * height * 0.13)
        canvas.disc(
            (float(at[0]), float(at[1])),
            (width * 0.11, width * 0.11),
            mix(hue, (96, 96, 110) if pale else (240, 240, 240), 0.12 * i),
        )
    for x in (width * 0.14, width * 0.86):
        canvas.digits(digits, (x, head * 0.68), head * 0.8, (24, 24, 28) if pale else (250, 250, 250))
    canvas.stroke(box(0.6, 0.6, width - 0.6, height - 0.6), (60, 60, 66), 1.0, closed=True)
    return canvas.finish()


def draw_card_back(size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Return the back of a card: a moon in the night."""
    width, height = size_mm
    canvas = Canvas(size_mm, px_per_mm, (92, 40, 18))
    canvas.grain(0.15, 3)
    canvas.disc((width * 0.5, height * 0.5), (width * 0.3, width * 0.3), (190, 232, 244))
    canvas.disc((width * 0.6, height * 0.46), (width * 0.25, width * 0.25), (92, 40, 18))
    for u, v in ((0.2, 0.15), (0.8, 0.2), (0.25, 0.85), (0.8, 0.8), (0.68, 0.5)):
        canvas.disc((width * u, height * v), (1.1, 1.1), (220, 210, 190))
    canvas.stroke(box(0.8, 0.8, width - 0.8, height - 0.8), (170, 140, 90), 1.2, closed=True)
    return canvas.finish()


def draw_fiducial(number: int, edge_mm: float, px_per_mm: float, *, paper_mm: float | None = None) -> Image:
    """Return a fiducial of the dictionary DICT_4X4_50 on its white paper (default 1.5 edges)."""
    paper = paper_mm or edge_mm * 1.5
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    code = cv2.aruco.generateImageMarker(dictionary, number, 6 * 40, borderBits=1)
    canvas = Canvas((paper, paper), px_per_mm, (246, 248, 248))
    rim = (paper - edge_mm) / 2
    canvas.paste(np.asarray(cv2.cvtColor(code, cv2.COLOR_GRAY2BGR), np.uint8), (rim, rim), (edge_mm, edge_mm))
    return canvas.finish()


def draw_table(kind: str, size_px: tuple[int, int], px_per_mm: float, seed: int) -> Image:
    """Return a table top, (height, width, 3) BGR: ``oak``, ``walnut``, ``felt``, ``linen`` or ``gingham``."""
    width, height = size_px
    x = np.arange(width, dtype=np.float32)[None, :] / px_per_mm
    y = np.arange(height, dtype=np.float32)[:, None] / px_per_mm
    if kind in ("oak", "walnut"):
        light, dark = ((116, 174, 214), (66, 118, 164)) if kind == "oak" else ((58, 84, 116), (34, 50, 74))
        share = _wood(x, y, width, height, px_per_mm, seed)
    elif kind == "gingham":
        light, dark = (226, 226, 232), (52, 44, 176)
        share = 0.5 * ((x // 26) % 2) + 0.5 * ((y // 26) % 2) + 0.04 * clouds((height, width), 2, seed)
    else:
        light, dark = ((96, 120, 74), (70, 92, 50)) if kind == "felt" else ((208, 218, 224), (176, 190, 200))
        share = (
            0.5
            + 0.25 * clouds((height, width), 30 * px_per_mm, seed)
            + 0.2 * clouds((height, width), 2, seed)
        )
    share = np.clip(share, 0, 1)[:, :, None]
    return np.asarray((1 - share) * np.array(light) + share * np.array(dark), np.uint8)


def _wood(x: np.ndarray, y: np.ndarray, width: int, height: int, px_per_mm: float, seed: int) -> np.ndarray:
    """Return how dark the grain of planks is, 0 to 1."""
    plank = np.floor(y / 110)
    stretched = clouds((height, max(8, width // 8)), 5 * px_per_mm, seed)
    veins = cv2.resize(stretched, (width, height), interpolation=cv2.INTER_LINEAR)
    rings = np.sin(y / 2.4 + 3.0 * clouds((height, width), 70 * px_per_mm, seed + 1) + plank * 1.7)
    seam = (np.abs(y - (plank + 1) * 110 + 0.5) < 0.6) * 0.6
    tone = 0.1 * np.sin(plank * 12.9)
    return np.asarray(0.42 + 0.16 * rings + 0.22 * veins + tone + seam + 0 * x, np.float32)
