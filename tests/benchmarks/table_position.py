"""How exactly the table is placed: ``python tests/benchmarks/table_position.py [views] [tile px]``.

Random cameras (5 to 50 degrees from overhead, four rooms, several lenses) look at the fiducials from where
a tile is so many pixels wide. Prints the error over the city at the height of the tiles in mm, with the lens
known and with the lens estimated, and how many fiducials were missed.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from calibration.camera_pose import CameraPose, fit_camera_pose
from companion.games.blue_moon_city.layout import table_layout
from vision.geometry.fiducials import find_fiducials
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import SCENERIES, Viewpoint

LAYOUT = table_layout()
SIZE = (1280, 720)
X0, X1, Y0, Y1 = LAYOUT.extent_mm()
GRID = np.array([(x, y) for x in np.linspace(X0, X1, 9) for y in np.linspace(Y0, Y1, 9)])


def at_height(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return table points (N, 2) at the height of the tiles, (N, 3)."""
    return np.column_stack([points, np.full(len(points), LAYOUT.pieces.tile_thickness_mm)])


def errors_mm(fitted: CameraPose, true: CameraPose) -> NDArray[np.float64]:
    """Return by how much each point of the city is misplaced."""
    off = true.project(at_height(GRID)) - fitted.project(at_height(GRID))
    slopes = [fitted.project(at_height(GRID + step)) - fitted.project(at_height(GRID)) for step in np.eye(2)]
    return np.linalg.norm(np.linalg.solve(np.stack(slopes, axis=-1), off[..., None])[..., 0], axis=1)


def random_viewpoint(rng: np.random.Generator, tile_px: float) -> Viewpoint:
    """Return a viewpoint from which a tile is about `tile_px` wide."""
    hfov = rng.uniform(55, 78)
    focal = SIZE[0] / 2 / np.tan(np.radians(hfov) / 2)
    bend = rng.uniform(-0.16, 0.02)
    return Viewpoint(
        tilt_deg=rng.uniform(5, 50),
        azimuth_deg=rng.uniform(-25, 25),
        roll_deg=rng.uniform(-3, 3),
        distance_mm=LAYOUT.tile_edge_mm * focal / tile_px,
        aim_mm=(rng.uniform(-15, 15), rng.uniform(-15, 15)),
        hfov_deg=hfov,
        k1=bend,
        k2=-0.2 * bend,
    )


def main(views: int, tile_px: float) -> None:
    """Measure and print."""
    cv2.setNumThreads(2)
    rng = np.random.default_rng(11)
    found_all, missed, lost = 0, 0, 0
    known: list[NDArray[np.float64]] = []
    guessed: list[NDArray[np.float64]] = []
    looks = list(SCENERIES.values())
    for number in range(views):
        scenery = replace(looks[number % len(looks)][1], blur_px=float(rng.uniform(0.4, 0.9)))
        camera = SimulatedCamera(
            LAYOUT, [], {}, seed=number % 3, viewpoint=random_viewpoint(rng, tile_px), scenery=scenery
        )
        gray = np.asarray(cv2.cvtColor(camera.frame({}), cv2.COLOR_BGR2GRAY), np.uint8)
        found = find_fiducials(gray, frozenset(one.id for one in LAYOUT.fiducials))
        found_all += len(found) == len(LAYOUT.fiducials)
        missed += len(LAYOUT.fiducials) - len(found)
        with_lens = fit_camera_pose(LAYOUT, found, SIZE, camera.pose.lens)
        without = fit_camera_pose(LAYOUT, found, SIZE)
        lost += without is None
        if with_lens is not None:
            known.append(errors_mm(with_lens, camera.pose))
        if without is not None:
            guessed.append(errors_mm(without, camera.pose))
    print(f"{views} views, tiles {tile_px:.0f} px wide; all fiducials found in {found_all}")
    print(f"fiducials missed {missed}, views not found {lost}")
    for title, seen in (("lens known", known), ("lens estimated", guessed)):
        every = np.concatenate(seen)
        worst = [float(np.percentile(one, 95)) for one in seen]
        print(
            f"{title:15} mean {every.mean():.2f} mm, 95 % of points {np.percentile(every, 95):.2f} mm, "
            f"worst {every.max():.2f} mm; 95 % over the city: median view {np.median(worst):.2f} mm, "
            f"95 % of views {np.percentile(worst, 95):.2f} mm"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60, float(sys.argv[2]) if len(sys.argv) > 2 else 60.0)
