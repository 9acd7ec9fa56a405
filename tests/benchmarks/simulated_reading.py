"""How well the simulated camera's pictures are read, in all its rooms, with and without hands.

    python tests/benchmarks/simulated_reading.py [--rooms NAME,...] [--drawn N] [--frames N] [--turned]
                                                 [--elsewhere] [--hands] [--glossy]

Random tables of random tiles, each frame read by itself with a profile enrolled in the same room; beside the
usual rooms there are some in which the camera hangs badly, and with --drawn so many drawn at random instead:
camera up to 50 degrees from overhead, any side, lens, light, table and neatness. With --elsewhere the profile
was learnt in another drawn room. With --anyhow the codes lie anywhere, turned, of any size.
With --turned the tiles lie in any of four
rotations, also when they are learnt. With --glossy all that is printed is varnished, and after it was learnt
the lamp is hung where the camera sees it mirrored in one of the cells. Prints right, abstained, wrong and
wrong though sure (0.99 or more) for each kind of place, hidden places claimed all the same, and whether hands
were noticed. Nothing here is from the sample photographs: other art and pieces.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.profile import Profile
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from companion.table_layout import TableLayout
from vision.enrolment.enrol import enrol
from vision.enrolment.naming import Printed, TileNamer, cut_sketch_sides
from vision.faces.table_frame import Photograph, measured
from vision.reader import Reader
from vision.simulation.art import COLOURS, TileArt
from vision.simulation.bodies import Lamp
from vision.simulation.camera import SimulatedCamera
from vision.simulation.motifs import MOTIFS
from vision.simulation.scenery import SCENERIES, HandPose, Scenery, Viewpoint

LAYOUT = table_layout()
PLAYERS = {
    "purple": (150, 44, 118),
    "white": (236, 236, 236),
    "teal": (150, 140, 20),
    "orange": (30, 120, 240),
}
DRAGONS = ("fire", "earth", "water")
KINDS = ("cell", "box", "figure", "dragon", "obelisk")
SURE = 0.99
SIZE = (1280, 720)


ROOMS = {
    **SCENERIES,
    "low": (
        Viewpoint(tilt_deg=49, azimuth_deg=-14, distance_mm=760, hfov_deg=58),
        Scenery(
            table="gingham",
            lamp=Lamp(at_mm=(600, 500, 900), radius_mm=120, share=0.8),
            cast=(0.9, 1.0, 1.06),
            noise=3.0,
            jpeg=80,
            slide_mm=5,
            turn_deg=8,
            stray_mm=3,
        ),
    ),
    "side": (
        Viewpoint(tilt_deg=44, azimuth_deg=80, distance_mm=900, hfov_deg=66, roll_deg=-3),
        Scenery(
            table="linen",
            lamp=Lamp(at_mm=(-700, -200, 700), radius_mm=40, share=0.9),
            cast=(0.8, 1.0, 1.15),
            exposure=0.8,
            noise=4.0,
            jpeg=80,
            stray_mm=2.5,
        ),
    ),
    "across": (
        Viewpoint(tilt_deg=38, azimuth_deg=176, distance_mm=800, hfov_deg=66, k1=0.04, k2=0),
        Scenery(
            table="felt",
            lamp=Lamp(at_mm=(100, 900, 1000), radius_mm=200),
            cast=(1.15, 1.0, 0.86),
            exposure=1.15,
            noise=3.0,
            jpeg=70,
            stray_mm=2.5,
        ),
    ),
}


def drawn_room(number: int) -> tuple[Viewpoint, Scenery]:
    """Return a room drawn at random, the same for the same number."""
    rng = random.Random(7919 * number + 17)
    turn = rng.uniform(0, 2 * math.pi)
    height, beside = rng.uniform(500, 1500), rng.uniform(150, 1300)
    warmth = rng.uniform(-0.2, 0.2)
    viewpoint = Viewpoint(
        tilt_deg=rng.uniform(5, 50),
        azimuth_deg=rng.choice((0, 0, 90, 180, 270)) + rng.uniform(-15, 15),
        roll_deg=rng.uniform(-4, 4),
        distance_mm=400,
        hfov_deg=rng.uniform(50, 75),
        k1=rng.uniform(-0.12, 0.05),
        k2=0.0,
    )
    # As close as the table with its fiducials goes into the picture, or a little farther.
    corners = np.array([(x, y, 0.0) for x in (-315, 315) for y in (-190, 190)])
    while True:
        seen = viewpoint.pose(SIZE).project(corners)
        if (seen > 0).all() and (seen < SIZE).all():
            break
        viewpoint = replace(viewpoint, distance_mm=viewpoint.distance_mm * 1.03)
    viewpoint = replace(viewpoint, distance_mm=viewpoint.distance_mm * rng.uniform(1, 1.15))
    scenery = Scenery(
        table=rng.choice(("oak", "walnut", "felt", "linen", "gingham")),
        lamp=Lamp(
            at_mm=(beside * math.cos(turn), beside * math.sin(turn), height),
            radius_mm=rng.uniform(30, 260),
            share=rng.uniform(0.5, 0.9),
        ),
        cast=(1 + warmth, 1.0, 1 - warmth),
        exposure=rng.uniform(0.65, 1.2),
        noise=rng.uniform(1, 5),
        blur_px=rng.uniform(0.3, 0.9),
        jpeg=rng.choice((70, 80, 90, 95)),
        slide_mm=rng.uniform(1, 5),
        turn_deg=rng.uniform(1, 8),
        stray_mm=rng.uniform(1, 3),
    )
    return viewpoint, scenery


def glossy(viewpoint: Viewpoint, scenery: Scenery, rng: random.Random) -> Scenery:
    """Return the room with varnished tiles and its lamp hung where the camera sees it mirrored in a cell."""
    x, y = rng.choice(list(LAYOUT.cells.values()))
    eye = viewpoint.pose(SIZE).eye_mm
    height = scenery.lamp.at_mm[2]
    far = height / eye[2]
    lamp = replace(scenery.lamp, at_mm=(float(x + (x - eye[0]) * far), float(y + (y - eye[1]) * far), height))
    return replace(scenery, lamp=lamp, gloss=rng.uniform(0.3, 1.5))


def room_of(name: str) -> tuple[Viewpoint, Scenery]:
    """Return a room by its name, ``drawn-N`` for a drawn one."""
    drawn, _, number = name.partition("-")
    return drawn_room(int(number)) if drawn == "drawn" else ROOMS[name]


def tiles(rng: random.Random) -> list[TileArt]:
    """Return every tile with boxes of random colours."""
    arts = [TileArt(tile="courtyard")]
    for tile in MOTIFS:
        if tile != "courtyard":
            people = rng.choice(list(COLOURS))
            boxes = tuple((people, rng.randint(2, 5)) for _ in range(rng.randint(1, 3)))
            arts.append(TileArt(tile=tile, people=people, boxes=boxes, neighbour=("crystal",)))
    return arts


def learn(camera: SimulatedCamera, arts: list[TileArt]) -> Profile:
    """Enrol from the camera's own photographs."""
    counts = {art.tile: len(art.boxes) for art in arts}
    layout = LAYOUT.with_codes_of(camera.layout.fiducials[0].edge_mm)
    photographs = camera.enrolment().photographs()
    catalogue = {
        art.tile: Printed(
            colour=art.people if art.boxes else "", values=tuple(value for _, value in art.boxes)
        )
        for art in arts
    }
    measured_once = measured([Photograph(frame=photographs.sketch, what="the sketch sides")], layout)
    named = TileNamer(cut_sketch_sides(photographs.sketch, measured_once)).name(
        catalogue, COLOURS, photographs.tiles
    )
    return enrol(
        replace(photographs, turns={cell: one.turn for cell, one in named.items()}),
        layout,
        edition="bench",
        players=tuple(PLAYERS),
        boxes_of_tile=counts,
    )


def anyhow(rng: random.Random) -> TableLayout:
    """Return the layout with codes of one size laid anywhere around the city, turned, in the usual order."""
    edge = rng.uniform(30, 45)
    codes = (
        replace(
            one,
            x_mm=one.x_mm * rng.uniform(0.9, 1.04),
            y_mm=one.y_mm * rng.uniform(0.75, 1.06),
            turn_deg=rng.uniform(-180, 180),
            edge_mm=edge,
        )
        for one in LAYOUT.fiducials
    )
    return replace(LAYOUT, fiducials=tuple(codes))


def random_table(arts: list[TileArt], rng: random.Random) -> Picture:
    """Return a table as it may look in the middle of a game."""
    others = [art for art in arts if art.boxes]
    rng.shuffle(others)
    picture: dict[Place, Value] = {place("cell", "2,2"): "courtyard/built"}
    for cell, art in zip((cell for cell in LAYOUT.cells if cell != "2,2"), others, strict=True):
        is_built = rng.random() < 0.35
        picture[place("cell", cell)] = f"{art.tile}/{'built' if is_built else 'sketch'}"
        for i in range(0 if is_built else len(art.boxes)):
            picture[place("box", cell, i)] = rng.choice([None, None, None, *PLAYERS])
    cells = list(LAYOUT.cells)
    picture |= {place("figure", name): rng.choice(cells) for name in PLAYERS}
    picture |= {place("dragon", name): rng.choice([None, *cells]) for name in DRAGONS}
    for i in range(13):
        picture[place("obelisk", i)] = rng.choice([None, None, *PLAYERS]) if i > 1 else None
    return picture


def covered(where: Place, picture: Picture, camera: SimulatedCamera, change: np.ndarray) -> bool:
    """Whether the hand changed more than half of what surrounds a place."""
    value = picture[where]
    if kind_of(where) == "cell":
        x, y = LAYOUT.cells[parts_of(where)[0]]
        at, reach = (x, y, 2.2), 24.0
    else:
        base = camera.base_mm(where, value or next(iter(PLAYERS)), picture)
        if base is None:
            return False
        at, reach = base, 6.0
    corners = np.array([(at[0] + i, at[1] + j, at[2]) for i in (-reach, reach) for j in (-reach, reach)])
    pixels = camera.pose.project(corners)
    (x0, y0), (x1, y1) = pixels.min(axis=0).astype(int), pixels.max(axis=0).astype(int)
    window = change[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1]
    return bool(window.size and (window > 10).mean() > 0.5)


class Count:
    """What became of the places of one room."""

    def __init__(self) -> None:
        self.fates: Counter[tuple[str, str]] = Counter()
        self.faults: list[str] = []
        self.times_ms: list[float] = []

    def show(self, title: str) -> None:
        """Print the figures."""
        print(f"== {title}: median {np.median(self.times_ms):.0f} ms a read")
        for kind in KINDS:
            right, abstained, wrong = (self.fates[kind, one] for one in ("right", "abstained", "wrong"))
            total = max(right + abstained + wrong, 1)
            shares = f"right {100 * right / total:6.2f} %  abstained {100 * abstained / total:5.2f} %"
            print(
                f"  {kind:8} n {total:5}  {shares}"
                f"  wrong {wrong:3}  wrong and sure {self.fates[kind, 'sure']:3}"
                f"  hidden {self.fates[kind, 'hidden']:4} claimed {self.fates[kind, 'claimed']:3}"
            )
        told, frames = self.fates["hand", "told"], len(self.times_ms)
        print(f"  hands told rightly {told}/{frames}")
        for fault in self.faults:
            print("    " + fault)


def run(room: str, options: argparse.Namespace) -> None:
    """Read one room's frames and print what came of them."""
    rng = random.Random(seed_of(room))
    viewpoint, scenery = room_of(room)
    scenery = replace(scenery, quarter_turns=options.turned)
    arts = tiles(rng)
    colours = dict(PLAYERS)
    first, light = drawn_room(1000 + seed_of(room)) if options.elsewhere else (viewpoint, scenery)
    light = replace(light, quarter_turns=options.turned)
    layout = anyhow(rng) if options.anyhow else LAYOUT
    learning = SimulatedCamera(layout, arts, colours, viewpoint=first, scenery=light, seed=1)
    reader = Reader(learn(learning, arts))
    if options.glossy:
        scenery = glossy(viewpoint, scenery, rng)
    camera = SimulatedCamera(layout, arts, colours, viewpoint=viewpoint, scenery=scenery, seed=2)
    count = Count()
    for number in range(options.frames):
        picture = random_table(arts, rng)
        frame = still = camera.frame(picture, t=number)
        if options.hands:
            cell, seat = rng.choice(list(LAYOUT.cells)), rng.randrange(4)
            pose = HandPose.over(LAYOUT, cell, seat, reach=rng.uniform(0.7, 1))
            frame = camera.frame(picture, hand_pose=pose, t=number)
        change = np.abs(frame.astype(np.int16) - still).max(axis=2)
        reader.forget()
        begun = time.perf_counter()
        seen = reader.read(frame, seq=number, seen_at_s=float(number), source="bench")
        count.times_ms.append(1000 * (time.perf_counter() - begun))
        reaches_in = any(covered(w, picture, camera, change) for w in picture if kind_of(w) == "cell")
        count.fates["hand", "told"] += (not reaches_in) or seen.busy if options.hands else not seen.busy
        before = len(count.faults)
        for where, value in picture.items():
            judge(count, where, value, seen.sightings.get(where), covered(where, picture, camera, change))
        if options.save and len(count.faults) > before:
            options.save.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(options.save / f"{room}-{number}.png"), frame)
            count.faults.append(f"^ {room}-{number}.png")
    said = {"learnt elsewhere": options.elsewhere, "hands": options.hands, "quarter turns": options.turned}
    said |= {"glossy": options.glossy, "codes anyhow": options.anyhow}
    count.show(", ".join([room, *(words for words, is_so in said.items() if is_so)]))


def judge(count: Count, where: Place, value: Value, claim: object, is_hidden: bool) -> None:
    """Count one place."""
    kind = kind_of(where)
    claimed = getattr(claim, "value", None)
    sure = float(getattr(claim, "confidence", 0.0))
    if is_hidden:
        count.fates[kind, "hidden"] += 1
        if claim is not None:
            count.fates[kind, "claimed"] += 1
            if claimed != value:
                count.faults.append(f"hidden and wrong: {where} = {value}: {claimed} {sure:.3f}")
        return
    fate = "abstained" if claim is None else "right" if claimed == value else "wrong"
    count.fates[kind, fate] += 1
    if fate == "wrong":
        count.fates[kind, "sure"] += sure >= SURE
        count.faults.append(f"wrong: {where} = {value}: {claimed} {sure:.3f}")


def seed_of(room: str) -> int:
    """Return a number that only this room has."""
    return sum((i + 1) * ord(letter) for i, letter in enumerate(room))


def main() -> int:
    """Run from the command line."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", default=",".join(ROOMS), help="only these rooms")
    parser.add_argument("--drawn", type=int, default=0, metavar="N", help="so many rooms drawn at random")
    parser.add_argument("--elsewhere", action="store_true", help="learn in another room")
    parser.add_argument("--anyhow", action="store_true", help="codes anywhere, turned, of any size")
    parser.add_argument("--frames", type=int, default=10, help="frames a room")
    parser.add_argument("--hands", action="store_true", help="an arm over every frame")
    parser.add_argument("--glossy", action="store_true", help="a lamp mirrored by varnished tiles")
    parser.add_argument("--turned", action="store_true", help="tiles in any of four rotations")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep frames with something wrong")
    options = parser.parse_args()
    drawn = [f"drawn-{number}" for number in range(options.drawn)]
    for room in drawn or options.rooms.split(","):
        run(room, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
