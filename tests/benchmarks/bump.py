"""How a knocked camera is noticed and found again: ``bump.py [bumps] [still frames]``.

Each bump turns the camera by up to 2 degrees and shifts it by up to 25 mm; bumps of less than 3 pixels are
counted apart. Between rest and rest lie two blurred frames. Prints how soon bumps are noticed
and the table is found again, the new view's error, and false alarms on a table at rest with hands over it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.layout import blue_moon_city
from vision.bump import BumpGuard, Steadiness
from vision.draw import Image
from vision.looks import HandPose, Look, Viewpoint
from vision.simulated_camera import SimulatedCamera

LAYOUT = blue_moon_city()
SPOTS = np.array([(x, y, LAYOUT.pieces.tile_thickness_mm) for x, y in LAYOUT.cells.values()])
BEFORE, AFTER = 4, 8


def gray_of(frame: Image) -> Image:
    """Return the grey picture of a frame."""
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


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


def error_px(seen: Steadiness, camera: SimulatedCamera) -> float:
    """Return how far off the view is, at its worst over the city."""
    assert seen.view is not None
    return float(np.linalg.norm(seen.view.project(SPOTS) - camera.view.project(SPOTS), axis=1).max())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one bump: its size, frames until noticed and locked, milliseconds, error in px."""

    step_px: float
    noticed: int | None
    locked: int | None
    work_ms: float
    error_px: float
    believed_wrong: int


def one_bump(number: int, rng: np.random.Generator) -> Outcome:
    """Knock a camera and watch what the guard makes of it."""
    viewpoint = Viewpoint(tilt_deg=10 + 25 * rng.random())
    old = SimulatedCamera(LAYOUT, [], {}, seed=number % 4, viewpoint=viewpoint)
    new = old.seen_from(knocked(viewpoint, rng, float(rng.uniform(0.02, 1) ** 2)))
    step = float(np.linalg.norm(old.view.project(SPOTS) - new.view.project(SPOTS), axis=1).max())
    guard = BumpGuard(LAYOUT, lens=old.view.lens)
    for i in range(BEFORE):
        guard.look(gray_of(old.frame({}, t=i / 15)))
    start, end = old.frame({}, t=1), new.frame({}, t=1)
    frames = [np.asarray(cv2.addWeighted(start, 1 - part, end, part, 0), np.uint8) for part in (0.35, 0.7)]
    frames += [new.frame({}, t=2 + i / 15) for i in range(AFTER)]
    noticed, locked, wrong, work_ms, off = None, None, 0, 0.0, 0.0
    for i, frame in enumerate(frames):
        rest = i - 2
        begun = time.perf_counter()
        seen = guard.look(gray_of(frame))
        spent = 1000 * (time.perf_counter() - begun)
        if noticed is None and (not seen.is_steady or seen.is_new):
            noticed = max(rest, 0) + 1
        if rest >= 0 and seen.is_steady:
            wrong += error_px(seen, new) > 3
            if noticed is not None and locked is None:
                locked, work_ms, off = rest + 1, spent, error_px(seen, new)
    return Outcome(
        step_px=step, noticed=noticed, locked=locked, work_ms=work_ms, error_px=off, believed_wrong=wrong
    )


def run_bumps(count: int) -> None:
    """Print the figures of so many bumps."""
    rng = np.random.default_rng(7)
    outcomes = [one_bump(number, rng) for number in range(count)]
    large = [one for one in outcomes if one.step_px >= 3]
    small = [one for one in outcomes if one.step_px < 3]
    in_time = sum(one.noticed is not None and one.noticed <= 2 for one in large)
    locked = [99 if one.locked is None else one.locked for one in large]
    errors = [one.error_px for one in large]
    work_ms = float(np.median([one.work_ms for one in large]))
    print(f"bumps of 3 px or more: {len(large)}; noticed within two frames: {in_time}")
    print(f"smaller bumps: {len(small)}, noticed: {sum(one.noticed is not None for one in small)}")
    print(f"locked again, frames after rest: median {np.median(locked):.0f}, worst {max(locked)}")
    print(f"  = {max(locked) * 1000 / 15:.0f} ms at worst at 15 frames a second; work {work_ms:.0f} ms")
    print(f"the new view, worst over the city: median {np.median(errors):.2f} px, worst {max(errors):.2f} px")
    print(f"frames believed with a view more than 3 px off: {sum(one.believed_wrong for one in outcomes)}")


def run_still(count: int) -> None:
    """Print the false alarms on a table at rest, an arm over it half of the time."""
    camera = SimulatedCamera(LAYOUT, [], {}, look=Look(noise=3.5))
    guard = BumpGuard(LAYOUT)
    rng = np.random.default_rng(3)
    alarms, spent = 0, 0.0
    cells = list(LAYOUT.cells)
    for i in range(count):
        pose = None
        if i > 3 and (i // 20) % 2:
            cell, seat = cells[(i // 40) % len(cells)], (i // 40) % 4
            pose = HandPose.over(LAYOUT, cell, seat, reach=float(rng.uniform(0.5, 1.1)))
        gray = gray_of(camera.frame({}, hand_pose=pose, t=i / 15))
        begun = time.perf_counter()
        alarms += not guard.look(gray).is_steady
        spent += time.perf_counter() - begun
    print(f"still frames: {count}, false alarms: {alarms}, work {1000 * spent / count:.1f} ms a frame")


if __name__ == "__main__":
    cv2.setNumThreads(2)
    run_bumps(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    run_still(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
