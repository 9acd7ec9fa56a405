"""How fast the simulated camera draws: ``python tests/benchmarks/simulated_camera.py [frames]``.

Prints milliseconds a frame at 1280 x 720: at rest, a piece moved, a tile flipped, a hand over the city.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place, Value, place
from vision.simulation.art import TileArt
from vision.simulation.camera import SimulatedCamera
from vision.simulation.motifs import MOTIFS
from vision.simulation.scenery import HandPose

LAYOUT = table_layout()
PLAYERS = {"purple": (130, 40, 90), "white": (235, 235, 238), "orange": (30, 120, 240)}
ARTS = [TileArt(tile=tile, boxes=(("aqua", 3), ("hoax", 2), ("any", 4))) for tile in MOTIFS]


def measured(name: str, count: int, draw: Callable[[int], object]) -> None:
    """Print the times of so many drawings."""
    times: list[float] = []
    for i in range(count):
        begun = time.perf_counter()
        draw(i)
        times.append(1000 * (time.perf_counter() - begun))
    print(f"{name:14} median {np.median(times):5.1f} ms, 95 % {np.percentile(times, 95):5.1f} ms")


def main(count: int) -> None:
    """Measure."""
    cv2.setNumThreads(2)
    begun = time.perf_counter()
    camera = SimulatedCamera(LAYOUT, ARTS, PLAYERS)
    print(f"set up         {1000 * (time.perf_counter() - begun):5.0f} ms")
    picture: dict[Place, Value] = {
        place("cell", cell): f"{tile}/sketch" for cell, tile in zip(LAYOUT.cells, MOTIFS, strict=True)
    }
    picture |= {place("box", cell, 0): "purple" for cell in LAYOUT.cells}
    picture |= {place("obelisk", i): "orange" for i in range(2, 9)}
    begun = time.perf_counter()
    camera.frame(picture)
    print(f"first frame    {1000 * (time.perf_counter() - begun):5.0f} ms")
    cells, tiles = list(LAYOUT.cells), list(MOTIFS)
    measured("at rest", count, lambda i: camera.frame(picture, t=i))
    moves = [picture | {place("figure", "white"): cell} for cell in cells]
    measured("figure moved", count, lambda i: camera.frame(moves[i % 21], t=i))
    flips = [picture | {place("cell", cell): f"{tiles[i]}/built"} for i, cell in enumerate(cells)]
    measured("tile flipped", count, lambda i: camera.frame(flips[i % 21], t=i))
    hands = [HandPose.over(LAYOUT, cell, i % 4, reach=0.9) for i, cell in enumerate(cells)]
    measured("hand", count, lambda i: camera.frame(picture, hand_pose=hands[i % 21], t=i))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 63)
