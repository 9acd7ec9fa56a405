"""Our own drawings of the tiles, as strokes in a box 100 wide and 56 high; y grows down, the ground is 56.

A stroke is a shape's name, its tone and its numbers; `ui.painting.art` paints it.

    box     x y w h          wall            roof    x y w h          gable, y at its ridge
    dome    cx base r        half disc       spire   cx base w h      pointed roof on a tower
    arch    x base w h       opening         disc    cx cy r          full disc
    poly    x y x y ...      any outline     line    x y x y ...      open line
"""

from __future__ import annotations

from typing import Final, TypeAlias

Stroke: TypeAlias = tuple[str, str, tuple[float, ...]]


def _box(tone: str, *numbers: float) -> Stroke:
    return ("box", tone, numbers)


def _roof(tone: str, *numbers: float) -> Stroke:
    return ("roof", tone, numbers)


def _dome(tone: str, *numbers: float) -> Stroke:
    return ("dome", tone, numbers)


def _spire(tone: str, *numbers: float) -> Stroke:
    return ("spire", tone, numbers)


def _arch(tone: str, *numbers: float) -> Stroke:
    return ("arch", tone, numbers)


def _disc(tone: str, *numbers: float) -> Stroke:
    return ("disc", tone, numbers)


def _poly(tone: str, *numbers: float) -> Stroke:
    return ("poly", tone, numbers)


def _line(tone: str, *numbers: float) -> Stroke:
    return ("line", tone, numbers)


def _row(make: str, tone: str, start: float, step: float, count: int, *rest: float) -> tuple[Stroke, ...]:
    """Return the same shape `count` times, moved along x."""
    return tuple((make, tone, (start + step * i, *rest)) for i in range(count))


_STEPPED = (_box("wall", 12, 44, 76, 12), _box("shade", 22, 34, 56, 10), _box("wall", 32, 24, 36, 10))

DRAWINGS: Final[dict[str, tuple[Stroke, ...]]] = {
    "courtyard": (
        _disc("shade", 50, 28, 27),
        _disc("wall", 50, 28, 20),
        _disc("shade", 50, 28, 12),
        _disc("trim", 50, 28, 6),
        *(
            _line("dark", 50, 28, x, y)
            for x, y in ((50, 2), (74, 12), (76, 42), (50, 54), (24, 42), (26, 12))
        ),
        _disc("trim", 50, 28, 4),
    ),
    "royal_palace": (
        _box("wall", 8, 30, 84, 26),
        _box("shade", 30, 22, 40, 34),
        _dome("trim", 50, 22, 14),
        _line("dark", 50, 8, 50, 2),
        _box("wall", 10, 18, 12, 38),
        _box("wall", 78, 18, 12, 38),
        _spire("trim", 16, 18, 16, 14),
        _spire("trim", 84, 18, 16, 14),
        _arch("dark", 44, 56, 12, 20),
        *_row("arch", "dark", 25, 43, 2, 48, 6, 10),
    ),
    "fire_temple": (
        *_STEPPED,
        _arch("dark", 44, 56, 12, 14),
        _poly("trim", 50, 2, 58, 14, 55, 24, 45, 24, 42, 14, 47, 13),
        _poly("wall", 50, 13, 53, 19, 50, 24, 47, 19),
    ),
    "earth_temple": (
        _poly("wall", 8, 56, 24, 26, 36, 32, 50, 6, 66, 30, 76, 24, 92, 56),
        _poly("shade", 50, 6, 66, 30, 60, 56, 50, 56),
        _arch("dark", 40, 56, 20, 22),
        _poly("trim", 24, 26, 30, 29, 26, 34, 20, 34),
        _poly("trim", 76, 24, 82, 35, 74, 35, 71, 28),
    ),
    "water_temple": (
        _roof("trim", 18, 6, 64, 14),
        _box("wall", 18, 20, 64, 5),
        *_row("box", "wall", 22, 13, 5, 25, 5, 19),
        _box("shade", 14, 44, 72, 5),
        _line("trim", 6, 54, 16, 51, 26, 54, 36, 51, 46, 54, 56, 51, 66, 54, 76, 51, 86, 54, 94, 51),
    ),
    "aqueduct": (
        _box("wall", 2, 10, 96, 46),
        _box("trim", 2, 7, 96, 5),
        *_row("arch", "dark", 8, 15, 6, 28, 9, 12),
        _box("shade", 2, 29, 96, 3),
        *_row("arch", "dark", 7, 30, 3, 56, 24, 20),
    ),
    "hospice": (
        _box("wall", 10, 30, 80, 26),
        _roof("trim", 6, 14, 52, 16),
        _box("wall", 60, 24, 24, 32),
        _roof("shade", 56, 8, 32, 16),
        _arch("dark", 66, 56, 12, 18),
        *_row("box", "dark", 18, 14, 3, 38, 7, 8),
        _disc("trim", 72, 18, 3),
    ),
    "citadel": (
        _box("wall", 24, 26, 52, 30),
        *_row("box", "wall", 26, 11, 5, 20, 6, 6),
        _box("shade", 6, 14, 20, 42),
        _box("shade", 74, 14, 20, 42),
        *_row("box", "shade", 6, 8, 3, 8, 4, 6),
        *_row("box", "shade", 74, 8, 3, 8, 4, 6),
        _arch("dark", 42, 56, 16, 22),
        _box("dark", 14, 26, 4, 10),
        _box("dark", 82, 26, 4, 10),
    ),
    "watchtower": (
        _poly("wall", 40, 56, 43, 24, 57, 24, 60, 56),
        _box("shade", 37, 16, 26, 9),
        *_row("box", "shade", 37, 10, 3, 11, 6, 5),
        _line("dark", 50, 11, 50, 0),
        _poly("trim", 50, 0, 66, 4, 50, 8),
        _arch("dark", 46, 56, 8, 12),
        _box("dark", 48, 30, 4, 8),
        _poly("trim", 22, 56, 40, 48, 40, 56),
        _poly("trim", 78, 56, 60, 48, 60, 56),
    ),
    "great_hall": (
        _poly("trim", 4, 34, 18, 8, 82, 8, 96, 34),
        _box("wall", 10, 34, 80, 22),
        *_row("arch", "dark", 16, 14, 2, 50, 7, 12),
        *_row("arch", "dark", 63, 14, 2, 50, 7, 12),
        _arch("dark", 43, 56, 14, 19),
        _roof("shade", 38, 20, 24, 14),
        _line("dark", 18, 8, 14, 3),
        _line("dark", 82, 8, 86, 3),
    ),
    "university": (
        _box("wall", 8, 32, 84, 24),
        _box("shade", 34, 20, 32, 12),
        _dome("trim", 50, 20, 15),
        _roof("wall", 30, 24, 40, 10),
        *_row("box", "shade", 33, 8, 5, 36, 3, 20),
        *_row("box", "dark", 13, 9, 2, 38, 5, 9),
        *_row("box", "dark", 74, 9, 2, 38, 5, 9),
        _disc("dark", 50, 14, 3),
    ),
    "market_hall": (
        _roof("shade", 14, 4, 72, 18),
        _box("wall", 12, 22, 76, 34),
        *_row("arch", "dark", 17, 24, 3, 56, 18, 22),
        *(_poly("trim", x, 24, x + 18, 24, x + 21, 34, x - 3, 34) for x in (17, 41, 65)),
    ),
    "library": (
        _box("wall", 14, 12, 72, 44),
        _box("trim", 10, 7, 80, 6),
        _box("dark", 20, 18, 60, 14),
        _box("dark", 20, 38, 60, 14),
        *_row("box", "trim", 22, 10, 6, 20, 4, 12),
        *_row("box", "wall", 28, 10, 5, 22, 3, 10),
        *_row("box", "wall", 22, 10, 6, 41, 4, 11),
        *_row("box", "trim", 28, 10, 5, 39, 3, 13),
    ),
    "trading_house": (
        _poly(
            "wall",
            10,
            56,
            10,
            24,
            16,
            24,
            16,
            17,
            22,
            17,
            22,
            10,
            32,
            10,
            32,
            17,
            38,
            17,
            38,
            24,
            44,
            24,
            44,
            56,
        ),
        _poly("shade", 46, 56, 46, 28, 62, 12, 78, 28, 78, 56),
        _line("dark", 78, 26, 94, 14),
        _line("dark", 94, 14, 94, 34),
        _box("trim", 88, 34, 12, 10),
        *_row("box", "dark", 16, 13, 2, 28, 7, 8),
        _arch("dark", 22, 56, 10, 14),
        *_row("box", "dark", 52, 13, 2, 32, 7, 8),
        _arch("trim", 57, 56, 10, 13),
    ),
    "caravanserai": (
        _box("wall", 6, 28, 88, 28),
        _box("shade", 36, 16, 28, 40),
        _dome("trim", 50, 16, 10),
        _arch("dark", 42, 56, 16, 28),
        *_row("arch", "dark", 11, 11, 2, 50, 7, 14),
        *_row("arch", "dark", 71, 11, 2, 50, 7, 14),
        _line("dark", 86, 28, 84, 12),
        _line("trim", 84, 12, 74, 12),
        _line("trim", 84, 12, 94, 10),
        _line("trim", 84, 12, 78, 5),
        _line("trim", 84, 12, 90, 4),
    ),
    "thermae": (
        _box("wall", 6, 36, 88, 20),
        _dome("trim", 24, 36, 13),
        _dome("shade", 50, 36, 17),
        _dome("trim", 76, 36, 13),
        *_row("arch", "dark", 13, 17, 5, 56, 8, 13),
        _line("dark", 46, 16, 43, 11, 47, 7, 44, 2),
        _line("dark", 55, 16, 52, 11, 56, 7, 53, 2),
    ),
    "flight_tower": (
        _poly("wall", 43, 56, 45, 18, 55, 18, 57, 56),
        _poly("shade", 34, 18, 66, 18, 60, 24, 40, 24),
        _poly("trim", 46, 12, 8, 3, 20, 14, 30, 17, 46, 18),
        _poly("trim", 54, 12, 92, 3, 80, 14, 70, 17, 54, 18),
        _spire("shade", 50, 14, 10, 13),
        _poly("shade", 30, 38, 45, 35, 45, 40, 36, 41),
        _poly("shade", 70, 46, 56, 43, 56, 48, 64, 49),
        _arch("dark", 46, 56, 8, 11),
    ),
    "iron_foundry": (
        _poly("wall", 6, 56, 6, 34, 22, 22, 22, 34, 38, 22, 38, 34, 54, 22, 54, 34, 62, 34, 62, 56),
        _box("shade", 68, 12, 10, 44),
        _box("shade", 82, 20, 9, 36),
        _disc("wall", 75, 7, 5),
        _disc("wall", 82, 4, 4),
        _arch("trim", 26, 56, 18, 16),
        _box("dark", 10, 40, 9, 7),
        _box("dark", 50, 40, 8, 7),
        _box("trim", 68, 20, 10, 3),
    ),
    "city_residence": (
        _box("wall", 14, 28, 44, 28),
        _roof("trim", 8, 10, 56, 18),
        _box("shade", 58, 36, 30, 20),
        _roof("trim", 54, 24, 38, 12),
        *_row("box", "dark", 20, 13, 3, 33, 7, 8),
        _arch("dark", 31, 56, 10, 12),
        *_row("box", "dark", 64, 11, 2, 41, 6, 8),
        _box("shade", 46, 8, 6, 12),
    ),
    "mill": (
        _poly("wall", 34, 56, 40, 24, 60, 24, 66, 56),
        _dome("shade", 50, 24, 10),
        _arch("dark", 45, 56, 10, 14),
        _line("dark", 50, 20, 20, 4),
        _line("dark", 50, 20, 80, 36),
        _line("dark", 50, 20, 66, -6),
        _line("dark", 50, 20, 34, 46),
        _poly("trim", 44, 14, 20, 2, 16, 9, 42, 21),
        _poly("trim", 56, 26, 80, 38, 84, 31, 58, 19),
        _poly("trim", 57, 15, 69, -6, 62, -9, 51, 12),
        _poly("trim", 43, 25, 31, 46, 38, 49, 49, 28),
        _disc("dark", 50, 20, 3),
    ),
    "monastery_tower": (
        _box("wall", 30, 42, 40, 14),
        _poly("trim", 22, 42, 32, 34, 68, 34, 78, 42),
        _box("wall", 35, 25, 30, 9),
        _poly("trim", 28, 25, 37, 17, 63, 17, 72, 25),
        _box("wall", 40, 10, 20, 7),
        _poly("trim", 34, 10, 50, -2, 66, 10),
        _arch("dark", 44, 56, 12, 11),
        *_row("box", "dark", 40, 8, 3, 27, 4, 6),
        _line("dark", 50, -2, 50, -8),
    ),
}
