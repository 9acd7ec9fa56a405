"""How a knocked camera is noticed and found again: ``bump.py [bumps] [still frames]``.

Each bump turns the camera by up to 2 degrees and shifts it by up to 25 mm; bumps of less than 3 pixels are
counted apart. Between rest and rest lie two blurred frames. What is looked at is what the product gives: the
observations of a `CameraSource`. Prints how soon bumps are noticed, the view is found again and all is read
anew, the new view's error, what was claimed wrongly, and false alarms on a table at rest, with noise in every
frame, light that drifts by a tenth and a hand every half minute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.simulation.scenery import HandPose, Scenery, Viewpoint

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.camera_pose import CameraPose
from calibration.profile import Profile
from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Picture, Place, Value, place
from vision.arrays import Image
from vision.camera_source import CameraSource
from vision.capture.sources.frame import Frame
from vision.enrolment.enrol import enrol
from vision.faces.locator import Locator, Tracked
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.motifs import MOTIFS
from vision.simulation.printed_tiles import PIECE_COLOURS, tile_arts

LAYOUT = table_layout()
SPOTS = np.array([(x, y, LAYOUT.pieces.tile_thickness_mm) for x, y in LAYOUT.cells.values()])
PLAYERS = ("purple", "white")
BEFORE, BLURRED, AFTER = 4, 2, 5
FRAME_MS = 1000 / 15
NOISE, DRIFT_FRAMES, HAND_EVERY, HAND_FRAMES = 3.5, 4000, 500, 12


class Reel:
    """A film of given pictures, at fifteen a second."""

    name = "reel"

    def __init__(self, images: Iterable[Image]) -> None:
        self._images = images

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures."""
        for seq, image in enumerate(self._images):
            yield Frame(image=image, seq=seq, seen_at_s=seq / 15)

    def close(self) -> None:
        """Do nothing."""


def table() -> Picture:
    """Return a table of all tiles, some built, with some markers and figures."""
    picture: dict[Place, Value] = {}
    for number, (cell, tile) in enumerate(zip(LAYOUT.cells, MOTIFS, strict=True)):
        boxes = GAME.boxes_of_tile.get(tile, 0)
        is_built = not boxes or number % 3 == 0
        picture[place("cell", cell)] = f"{tile}/{'built' if is_built else 'sketch'}"
        for box in range(0 if is_built else boxes):
            picture[place("box", cell, box)] = PLAYERS[number % 2] if box == 0 else None
    picture |= {place("obelisk", number): None for number in range(13)}
    picture |= {place("figure", name): cell for name, cell in zip(PLAYERS, ("1,1", "3,3"), strict=True)}
    return picture


TABLE = table()


def make_camera(viewpoint: Viewpoint | None = None, scenery: Scenery | None = None) -> SimulatedCamera:
    """Return a camera over the table."""
    players = {name: PIECE_COLOURS[name] for name in PLAYERS}
    return SimulatedCamera(
        LAYOUT, tile_arts(COMPONENTS.tiles), players, seed=2, viewpoint=viewpoint, scenery=scenery
    )


def learn(camera: SimulatedCamera) -> Profile:
    """Enrol from the camera's own photographs."""
    return enrol(
        camera.enrolment().photographs(),
        LAYOUT,
        edition="bench",
        players=PLAYERS,
        boxes_of_tile=GAME.boxes_of_tile,
    )


def knocked(viewpoint: Viewpoint, rng: np.random.Generator, size: float) -> Viewpoint:
    """Return the viewpoint after a knock of the given size, 0 to 1."""
    turn = rng.uniform(-2, 2, 3) * size
    shift = rng.uniform(-25, 25, 3) * size
    return replace(
        viewpoint,
        tilt_deg=viewpoint.tilt_deg + turn[0],
        azimuth_deg=viewpoint.azimuth_deg + turn[1],
        roll_deg=viewpoint.roll_deg + turn[2],
        aim_mm=(viewpoint.aim_mm[0] + shift[0], viewpoint.aim_mm[1] + shift[1]),
        distance_mm=viewpoint.distance_mm + shift[2],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one bump: its size, frames until noticed and found, work, error, wrong claims.

    `locate_ms` is what finding the new view takes, `work_ms` that and reading all anew.
    """

    step_px: float
    noticed: int | None
    locked: int | None
    locate_ms: float
    work_ms: float
    error_px: float
    wrong: int


def one_bump(profile: Profile, rng: np.random.Generator) -> Outcome:
    """Knock a camera and watch what is told of the table."""
    viewpoint = Viewpoint(tilt_deg=10 + 25 * rng.random())
    old = make_camera(viewpoint)
    new = old.seen_from(knocked(viewpoint, rng, float(rng.uniform(0.02, 1) ** 2)))
    step = float(np.linalg.norm(old.pose.project(SPOTS) - new.pose.project(SPOTS), axis=1).max())
    start, end = old.frame(TABLE, t=1), new.frame(TABLE, t=1)
    images = [old.frame(TABLE, t=i / 15) for i in range(BEFORE)]
    images += [np.asarray(cv2.addWeighted(start, 1 - part, end, part, 0), np.uint8) for part in (0.35, 0.7)]
    images += [new.frame(TABLE, t=2 + i / 15) for i in range(AFTER)]
    reader = Reader(profile)
    noticed, locked, wrong, work_ms, off = None, None, 0, 0.0, 0.0
    began = time.process_time()
    first_view = None
    locator = Locator(profile)
    _, known = locator.locate(images[0], Tracked(layout=profile.layout))
    for told in CameraSource(Reel(images), reader).observations():
        spent, rest = 1000 * (time.process_time() - began), told.seq - BEFORE - BLURRED
        view = None if reader.reading is None else reader.reading.camera
        wrong += sum(TABLE.get(where) != one.value for where, one in told.sightings.items())
        first_view = view if told.seq < BEFORE else first_view
        is_new = view is not first_view
        if told.seq >= BEFORE and noticed is None and (told.busy or is_new):
            noticed = max(rest, 0) + 1
        if rest >= 0 and not told.busy and locked is None and (is_new or step < 3):
            assert view is not None
            off = float(np.linalg.norm(view.project(SPOTS) - new.pose.project(SPOTS), axis=1).max())
            # The frame that was read is the one after the first at rest.
            locked, work_ms = max(rest, 1), spent
        began = time.process_time()
    began = time.process_time()
    locator.locate(images[-1], known)
    locate_ms = 1000 * (time.process_time() - began)
    return Outcome(
        step_px=step, noticed=noticed, locked=locked, locate_ms=locate_ms, work_ms=work_ms,
        error_px=off, wrong=wrong,
    )  # fmt: skip


def run_bumps(count: int) -> None:
    """Print the figures of so many bumps."""
    rng = np.random.default_rng(7)
    profile = learn(make_camera())
    outcomes = [one_bump(profile, rng) for _ in range(count)]
    large = [one for one in outcomes if one.step_px >= 3]
    small = [one for one in outcomes if one.step_px < 3]
    in_time = sum(one.noticed is not None and one.noticed <= 2 for one in large)
    found = [one for one in large if one.locked is not None]
    print(f"bumps of 3 px or more: {len(large)}; noticed within two frames: {in_time}; found: {len(found)}")
    print(f"smaller bumps: {len(small)}, noticed: {sum(one.noticed is not None for one in small)}")
    if found:
        until_ms = [(one.locked or 0) * FRAME_MS for one in found]
        lock_ms = [wait + one.locate_ms for wait, one in zip(until_ms, found, strict=True)]
        whole_ms = [wait + one.work_ms for wait, one in zip(until_ms, found, strict=True)]
        errors = [one.error_px for one in found]
        print(f"looked for, ms after the first frame at rest: median {np.median(until_ms):.0f}, "
              f"worst {max(until_ms):.0f}")  # fmt: skip
        print(f"view found: median {np.median(lock_ms):.0f} ms, worst {max(lock_ms):.0f} ms")
        print(f"found and all read anew: median {np.median(whole_ms):.0f} ms, worst {max(whole_ms):.0f} ms")
        print(f"the new view, worst over the city: median {np.median(errors):.2f} px, "
              f"worst {max(errors):.2f} px")  # fmt: skip
    print(f"wrong claims before, during and after: {sum(one.wrong for one in outcomes)}")


class Rest:
    """A table at rest as a camera films it: noise in every frame, light that drifts, now and then a hand.

    Attributes:
        quiet: how many frames ago the last hand left, by frame.
    """

    name = "rest"

    def __init__(self, camera: SimulatedCamera, count: int) -> None:
        self._clear = camera.frame(TABLE)
        hands = [HandPose.over(LAYOUT, cell, seat) for seat, cell in enumerate(("2,2", "0,1", "3,4", "4,2"))]
        self._hands = [camera.frame(TABLE, hand_pose=one) for one in hands]
        rng = np.random.default_rng(5)
        height, width = self._clear.shape[:2]
        self._noise = np.rint(rng.normal(0, NOISE, (height + 64, width + 64, 3))).astype(np.int16)
        self._rng = rng
        self._count = count
        self.quiet: list[int] = []

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures."""
        since = HAND_EVERY
        levels = np.arange(256)
        for seq in range(self._count):
            is_hand = seq % HAND_EVERY > HAND_EVERY - HAND_FRAMES
            since = 0 if is_hand else since + 1
            self.quiet.append(since)
            image = self._hands[seq // HAND_EVERY % len(self._hands)] if is_hand else self._clear
            # A cloud or an aging lamp: a tenth darker and brighter within minutes.
            gain = 1 + 0.1 * np.sin(2 * np.pi * seq / DRIFT_FRAMES)
            lit = cv2.LUT(image, np.clip(np.rint(levels * gain), 0, 255).astype(np.uint8))
            dx, dy = self._rng.integers(0, 64, 2)
            noise = self._noise[dy : dy + image.shape[0], dx : dx + image.shape[1]]
            yield Frame(
                image=np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8), seq=seq, seen_at_s=seq / 15
            )

    def close(self) -> None:
        """Do nothing."""


def run_still(count: int) -> None:
    """Print the false alarms on a table at rest: what is taken for a hand or a knock, or read wrongly."""
    camera = make_camera(scenery=Scenery(noise=0.0, jpeg=0))
    reader = Reader(learn(make_camera()))
    film = Rest(camera, count)
    alarms, wrong, clear = 0, 0, 0
    views: list[CameraPose | None] = []
    began = time.process_time()
    for told in CameraSource(film, reader).observations():
        wrong += sum(TABLE.get(where) != one.value for where, one in told.sightings.items())
        view = None if reader.reading is None else reader.reading.camera
        if not any(one is view for one in views):
            views.append(view)
        # The frame in which a hand has just left is motion.
        if film.quiet[told.seq] > 1:
            clear += 1
            alarms += told.busy
    spent_s = time.process_time() - began
    print(f"still frames: {clear} of {count} without a hand; false alarms: {alarms}, taken for knocks: "
          f"{len(views) - 1}, wrong claims: {wrong}; {1000 * spent_s / count:.1f} ms a frame")  # fmt: skip


if __name__ == "__main__":
    cv2.setNumThreads(1)
    run_bumps(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    run_still(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
