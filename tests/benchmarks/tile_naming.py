"""How well tiles are named that were photographed in any order and turned as people like.

    python tests/benchmarks/tile_naming.py [SET...] [--seeds N]

Of the sample sets the tiles are cut out of their photographs and each turned by a random quarter; in the
simulated rooms they lie so. Prints how many are named surely and rightly, left to be asked about, wrong
though sure, turned rightly, and how many built sides, mixed and turned, find their sketch sides; then the
same of turns, and which other numbers are claimed, where all names are given. The tiles of s1 to s4, game-1
and codes-1 do not print all that the game's list says: which are alike by the list must be asked
about. Those of the other prints do: every other number that is claimed there is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.games.blue_moon_city import COMPONENTS
from vision.arrays import Picture8
from vision.simulation.scenery import SCENERIES

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


from companion.games.blue_moon_city.catalogue import COURTYARD
from companion.games.blue_moon_city.layout import table_layout
from companion.table import place
from tests.benchmarks.read_accuracy import samples
from vision.enrolment.naming import TileNamer, cut_built_sides, cut_sketch_sides
from vision.enrolment.pairing import pair_sides
from vision.enrolment.photographed_tiles import printed_of
from vision.faces.registration import Face
from vision.faces.table_frame import Photograph, measured
from vision.photometry.light import coded
from vision.simulation.art import COLOURS
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import tile_arts

LAYOUT = table_layout()
CITY_SETS = (
    *("s1", "s2", "s3", "s4", "game-1", "codes-1"),
    *("fam_a-1", "fam_a-2", "fam_b-1", "fam_b-2", "fam_c-1", "fam_c-2", "fam_c-game"),
)


def show(
    title: str,
    sketch: Mapping[str, Face],
    built: Mapping[str, Face],
    truth: Mapping[str, str],
    upright: Mapping[str, int],
) -> None:
    """Name the tiles and print how well that went; `upright` are the turns that set the tiles upright."""
    began = time.process_time()
    namer = TileNamer(sketch)
    named = namer.name(printed_of(COMPONENTS.tiles), COLOURS)
    took_s = time.process_time() - began
    told = namer.name(printed_of(COMPONENTS.tiles), COLOURS, truth)
    sure = [cell for cell, one in named.items() if one.is_sure]
    right = sum(named[cell].tile == truth[cell] for cell in sure)
    boxed = [cell for cell in named if truth[cell] != COURTYARD]
    turns = sum(named[cell].turn == upright[cell] for cell in boxed)
    pictures = {cell: coded(face.turned(upright[cell]).picture) for cell, face in sketch.items()}
    rng = random.Random(3)
    homes = list(built)
    rng.shuffle(homes)
    mixed: dict[str, Picture8] = {
        cell: coded(built[home].turned(rng.randrange(4)).picture)
        for cell, home in zip(built, homes, strict=True)
    }
    paired = pair_sides(pictures, mixed)
    found = sum(
        paired[cell].home == home and paired[cell].is_plain for cell, home in zip(built, homes, strict=True)
    )
    print(
        f"{title:16} named {right:2} of {len(named)}  asked {len(named) - len(sure):2}  wrong though sure "
        f"{len(sure) - right}  turned rightly {turns}/{len(boxed)}  built sides found {found}/{len(built)}  "
        f"other numbers told {sum(one.differs and one.is_sure for one in named.values())}  {took_s:.1f} s\n"
        f"{'  with all names':16} turned rightly {sum(told[cell].turn == upright[cell] for cell in boxed)}"
        f"/{len(boxed)}  other numbers told: "
        + (", ".join(f"{one.tile} {one.values}" for one in told.values() if one.differs) or "none"),
        flush=True,
    )


def from_samples(folder: Path) -> None:
    """Name the tiles of a sample set."""
    truth = json.loads((folder / "enrol" / "layout.json").read_text())
    rng = random.Random(folder.name)
    frames = {
        name: np.asarray(cv2.imread(str(folder / "enrol" / f"{name}.jpg")), np.uint8)
        for name in ("sketch", "built")
    }
    layout = measured([Photograph(frame=frames["sketch"], what="sketch.jpg")], LAYOUT)
    sides = [
        cut(frames[name], layout) for name, cut in (("sketch", cut_sketch_sides), ("built", cut_built_sides))
    ]
    quarters = {cell: rng.randrange(4) for cell in sides[0]}
    sketch = {cell: face.turned(quarters[cell]) for cell, face in sides[0].items()}
    show(folder.name, sketch, sides[1], truth, {cell: -one % 4 for cell, one in quarters.items()})


def from_room(room: str, seed: int) -> None:
    """Name mixed and turned tiles in a simulated room."""
    rng = random.Random(seed)
    tiles = list(printed_of(COMPONENTS.tiles))
    rng.shuffle(tiles)
    truth = dict(zip(LAYOUT.cells, tiles, strict=True))
    viewpoint, scenery = SCENERIES[room]
    camera = SimulatedCamera(
        LAYOUT,
        tile_arts(COMPONENTS.tiles),
        {},
        viewpoint=viewpoint,
        scenery=replace(scenery, quarter_turns=True),
        seed=seed,
    )
    frames = [
        camera.frame({place("cell", cell): f"{tile}/{side}" for cell, tile in truth.items()}, t=seed)
        for side in ("sketch", "built")
    ]
    upright = {cell: -round(camera.tile_pose(cell, tile).turn_deg / 90) % 4 for cell, tile in truth.items()}
    sketch, built = cut_sketch_sides(frames[0], LAYOUT), cut_built_sides(frames[1], LAYOUT)
    show(f"{room} {seed}", sketch, built, truth, upright)


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=list(CITY_SETS))
    parser.add_argument("--seeds", type=int, default=3, help="tables a room")
    options = parser.parse_args()
    for name in options.sets:
        if (samples() / name).is_dir():
            from_samples(samples() / name)
    for room in SCENERIES:
        for seed in range(options.seeds):
            from_room(room, seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
