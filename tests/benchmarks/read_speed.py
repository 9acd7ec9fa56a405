"""How quickly frames are read, and how long a decision takes after a hand has left; 1920x1080 by default.

    python tests/benchmarks/read_speed.py [--width PX] [--tables N] [--turns N] [--threads N] [--wall]
                                          [--frames N [--hold N]]

Prints medians and 95th percentiles of: a full read by itself; a frame that shows nothing new; one in which a
marker, a figure or a tile has changed; and, in a simulated game filmed at 15 frames a second of which only
the newest is looked at, from the first clear frame after a hand to the decision. With --frames so many frames
are sent through the camera's source and the memory in use is printed along the way, the table changing after
every so many. Times are processor time; with --wall they are those of the clock, which other
programs disturb.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

# As `moontable` does, before NumPy is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.profile import Profile
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Expectation
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from companion.table import Picture, Place, kind_of, place
from ui.assembly.demo import scenes
from vision.arrays import Image
from vision.camera_source import CameraSource
from vision.capture.image_pyramid import ImagePyramid
from vision.capture.motion_gate import MotionGate
from vision.capture.sources.frame import Frame, FrameSource
from vision.enrolment.enrol import enrol
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.frames import FRAMES_PER_S, SimulatedFrames
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts

SIZE = (1920, 1080)
PLAYERS = ("purple", "white", "teal")
REST_FRAMES = 9


def make_camera(seed: int, width: int = SIZE[0]) -> SimulatedCamera:
    """Return a camera over a table, its frames so wide."""
    return SimulatedCamera(
        table_layout(),
        tile_arts(COMPONENTS.tiles),
        {name: PIECE_COLOURS[name] for name in PLAYERS},
        seed=seed,
        size_wh=(width, width * SIZE[1] // SIZE[0]),
    )


def learn(camera: SimulatedCamera) -> Profile:
    """Enrol from the camera's own photographs."""
    return enrol(
        camera.enrolment().photographs(),
        camera.layout,
        edition="bench",
        players=PLAYERS,
        boxes_of_tile=GAME.boxes_of_tile,
    )


def pictures(seed: int, count: int) -> list[Picture]:
    """Return tables of a game, some turns apart."""
    table = SimulatedTable(
        GAME, GAME.deal(random.Random(seed), {"players": PLAYERS}), random.Random(seed), stages=GAME.stages
    )
    calm: list[Picture] = [dict(moment.picture) for moment in table.moments() if not moment.busy]
    return calm[5 :: max((len(calm) - 5) // count, 1)][:count]


def changed_a_little(picture: Picture, rng: random.Random) -> Picture:
    """Return the table after one small thing has happened."""
    changed = dict(picture)
    kind = rng.choice(("box", "figure", "cell"))
    where: list[Place] = [at for at in picture if kind_of(at) == kind]
    at = rng.choice(where or list(picture))
    if kind == "box":
        changed[at] = None if picture[at] else rng.choice(PLAYERS)
    elif kind == "figure":
        changed[at] = rng.choice([cell for cell in table_layout().cells if cell != picture[at]])
    else:
        tile, _, side = str(picture[at]).partition("/")
        changed[at] = f"{tile}/{'built' if side == 'sketch' else 'sketch'}"
        for box in [one for one in changed if one.startswith(f"box:{at.partition(':')[2]}:")]:
            del changed[box]
        if side == "built":
            cell = at.partition(":")[2]
            changed |= {place("box", cell, n): None for n in range(GAME.boxes_of_tile.get(tile, 0))}
    return changed


def stages(camera: SimulatedCamera, profile: Profile, tables: int, clock: Callable[[], float]) -> None:
    """Print the times of single frames."""
    times: dict[str, list[float]] = {"full": [], "nothing new": [], "slightly changed": []}
    rng, reader, gate = random.Random(1), Reader(profile), MotionGate()
    for number, picture in enumerate(pictures(3, tables)):
        first, same, other = (
            camera.frame(shown, t=number + at)
            for shown, at in ((picture, 0.1), (picture, 0.2), (changed_a_little(picture, rng), 0.3))
        )
        reader.forget()
        gate.compare(ImagePyramid(first))
        times["full"].append(timed(clock, read, reader, first, picture))
        gate.took()
        times["nothing new"].append(timed(clock, lambda frame: gate.compare(ImagePyramid(frame)), same))
        gate.compare(ImagePyramid(other))
        times["slightly changed"].append(timed(clock, looked_at, gate, reader, other, picture))
    for what, some in times.items():
        show(what, some)


def looked_at(gate: MotionGate, reader: Reader, frame: Image, expected: Picture) -> None:
    """Do with a frame what is done with one that brings something new."""
    halved = ImagePyramid(frame)
    gate.compare(halved)
    read(reader, halved, expected)


def read(reader: Reader, frame: Image | ImagePyramid, expected: Picture) -> None:
    """Read a frame as the game goes on."""
    reader.read(
        frame, seq=0, seen_at_s=0.0, source="bench", expected=Expectation(picture=expected, revision=0)
    )


def timed(clock: Callable[[], float], work: Callable[..., object], *arguments: object) -> float:
    """Return how long something takes, ms."""
    began = clock()
    work(*arguments)
    return 1000 * (clock() - began)


def show(what: str, times_ms: list[float]) -> None:
    """Print median and 95th percentile."""
    if times_ms:
        print(
            f"{what:>32}: n {len(times_ms):5}  median {np.median(times_ms):6.1f} ms  "
            f"p95 {np.percentile(times_ms, 95):6.1f} ms"
        )


class Film:
    """Frames that arrive at a camera's pace while others are worked on; only the newest is handed on."""

    name = "film"

    def __init__(self, frames: FrameSource, clock: Callable[[], float], hands: Callable[[], bool]) -> None:
        self._frames, self._clock, self._hands = frames, clock, hands
        self._now_s = 0.0
        self._handed = 0.0
        self.clear_at_s: float | None = None

    @property
    def now_s(self) -> float:
        """The film's time, the work on the newest frame included."""
        return self._now_s + self._clock() - self._handed

    def frames(self) -> Iterator[Frame]:
        """Yield the frames that a program would get that looks at the newest whenever it is free."""
        waiting: Frame | None = None
        for frame in self._frames.frames():
            arrives_s = frame.seq / FRAMES_PER_S
            if waiting is not None and arrives_s > self._now_s:
                yield from self._hand_on(waiting)
            waiting = frame
            if self._hands():
                self.clear_at_s = None
            elif self.clear_at_s is None:
                self.clear_at_s = arrives_s

    def _hand_on(self, frame: Frame) -> Iterator[Frame]:
        self._now_s = max(self._now_s, frame.seq / FRAMES_PER_S)
        self._handed = self._clock()
        yield frame
        self._now_s += self._clock() - self._handed

    def close(self) -> None:
        """Close the source."""
        self._frames.close()


def decisions(camera: SimulatedCamera, profile: Profile, turns: int, clock: Callable[[], float]) -> None:
    """Print how long decisions take after a hand has left."""
    rng = random.Random(5)
    header = GAME.deal(rng, {"players": PLAYERS})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    hand = [False]

    def noted() -> Iterator[Any]:
        rests = 0
        for scene in scenes(table.moments(), tuple(table_layout().cells)):
            hand[0] = scene.hand_over is not None
            rests += not hand[0]
            if rests > turns:
                return
            yield scene

    waits_ms: list[float] = []
    film = Film(SimulatedFrames(camera, noted(), rest_frames=REST_FRAMES), clock, lambda: hand[0])
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(Path(folder) / "game", GAME.public_header(header)) as journal,
    ):
        referee = Referee(GAME, journal)
        keeper = Scorekeeper(table, referee)

        def heard(update: Update[Any]) -> None:
            if update.new_actions and film.clear_at_s is not None:
                waits_ms.append(1000 * (film.now_s - film.clear_at_s))

        referee.subscribe(heard)
        source = CameraSource(film, Reader(profile), expected=lambda: referee.expectation)
        watch(source, referee, answer=keeper.answer, protest=keeper.protest)
    show("first clear frame to decision", waits_ms)
    print(f"{'':>34}{len(table.actions)} actions, wrong commits {keeper.wrong}")


class Loop:
    """A source that shows some frames again and again."""

    name = "loop"

    def __init__(self, images: Iterable[Image], count: int, hold: int) -> None:
        self._images, self._count, self._hold = list(images), count, hold

    def frames(self) -> Iterator[Frame]:
        """Yield so many frames; each picture is shown `hold` times."""
        for seq in range(self._count):
            image = self._images[seq // self._hold % len(self._images)]
            yield Frame(image=image, seq=seq, seen_at_s=seq / FRAMES_PER_S)

    def close(self) -> None:
        """Do nothing."""


def memory_mb() -> float:
    """Return the memory in use, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def long_run(camera: SimulatedCamera, profile: Profile, count: int, hold: int) -> None:
    """Print the memory in use along a long run."""
    some = pictures(3, 4)
    images = [
        camera.frame(shown, t=float(number))
        for number, shown in enumerate([some[0], changed_a_little(some[0], random.Random(2)), *some[1:]])
    ]
    source = CameraSource(Loop(images, count, hold), Reader(profile))
    began = time.perf_counter()
    for number, _ in enumerate(source.observations(), 1):
        if number in {max(count * share // 100, 1) for share in (1, 10, 25, 50, 75, 100)}:
            print(f"{number:>32} frames: {memory_mb():7.1f} MB")
    print(f"{'':>34}{count / (time.perf_counter() - began):.0f} frames a second")


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=12, help="tables for the times of single frames")
    parser.add_argument("--turns", type=int, default=25, help="rests of the simulated game")
    parser.add_argument("--frames", type=int, default=0, help="frames of the long run")
    parser.add_argument("--width", type=int, default=SIZE[0], help="of the frames, px")
    parser.add_argument("--hold", type=int, default=15, help="frames of the long run between two changes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wall", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    clock = time.perf_counter if options.wall else time.process_time
    camera = make_camera(0, options.width)
    profile = learn(camera)
    if options.tables:
        stages(camera, profile, options.tables, clock)
    if options.turns:
        decisions(camera, profile, options.turns, clock)
    if options.frames:
        long_run(camera, profile, options.frames, options.hold)
    return 0


if __name__ == "__main__":
    sys.exit(main())
