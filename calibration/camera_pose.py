"""The camera's lens and pose over the table, from the fiducials found in a picture.

A lens that was not calibrated is estimated from the fiducials, with a prior of what lenses of webcams and
phones are usually like. From nearly overhead the focal length can hardly be measured, but hardly matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table_layout import TableLayout

Floats = NDArray[np.float64]

# What lenses are usually like, with the spread: focal length as a share of the picture's width (logarithm),
# middle as a share of the width, and two radial terms of which the second undoes part of the first.
USUAL = np.array([np.log(0.85), 0.0, 0.0, -0.05, 0.0])
SPREAD = np.array([0.22, 0.008, 0.008, 0.10, 0.02])
CORNER_NOISE_PX = 0.25
_BARREL = 0.15
# What remains, in a picture 1280 wide, where all fiducials lie as the layout says; where they may still; and
# how much of it is left without one that does not.
_PLAIN_FIT_PX, _LOOSE_FIT_PX, _FAR_BETTER = 1.0, 3.0, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """Focal length and middle in px of a picture of `size_wh`, and two radial distortion terms."""

    size_wh: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    k1: float
    k2: float

    @property
    def matrix(self) -> Floats:
        """The camera matrix, (3, 3)."""
        (x, y), f = self.centre_px, self.focal_px
        return np.array([[f, 0.0, x], [0.0, f, y], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> Floats:
        """OpenCV's k1 k2 p1 p2 k3."""
        return np.array([self.k1, self.k2, 0.0, 0.0, 0.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPose:
    """A camera over the table: its lens and where it stands.

    Attributes:
        lens: the lens.
        rotation: rotation vector, table to camera.
        shift: translation in mm, table to camera.
        error_px: root mean square of what remains at the fiducials.
        fiducials: the numbers of the fiducials used.
    """

    lens: Lens
    rotation: Floats
    shift: Floats
    error_px: float
    fiducials: frozenset[int] = field(default_factory=frozenset)

    @property
    def eye_mm(self) -> Floats:
        """Where the camera is, x, y, z in mm."""
        turn = cv2.Rodrigues(self.rotation)[0]
        return np.asarray(-turn.T @ self.shift.ravel(), np.float64)

    def project(self, points_mm: Floats) -> Floats:
        """Return the pixels (N, 2) of points (N, 3) in mm."""
        points = np.ascontiguousarray(points_mm, np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(
            points, self.rotation, self.shift, self.lens.matrix, self.lens.distortion
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def to_table(self, pixels: Floats, height_mm: float) -> Floats:
        """Return the points (N, 2) in mm that pixels (N, 2) show on a plane at this height."""
        seen = np.ascontiguousarray(pixels, np.float64).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(seen, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        rays = np.column_stack([straight, np.ones(len(straight))]) @ cv2.Rodrigues(self.rotation)[0]
        eye = self.eye_mm
        return np.asarray(eye[:2] + rays[:, :2] * ((height_mm - eye[2]) / rays[:, 2:]), np.float64)


def fiducial_points(layout: TableLayout, found: Mapping[int, Floats]) -> tuple[Floats, Floats]:
    """Return table points (N, 3) mm and pixels (N, 2) of all corners of the found fiducials."""
    table = [(x, y, 0.0) for one in layout.fiducials if one.id in found for x, y in one.corners_mm()]
    pixels = [found[one.id] for one in layout.fiducials if one.id in found]
    return np.array(table, np.float64), np.concatenate(pixels).astype(np.float64)


def fit_camera_pose(
    layout: TableLayout, found: Mapping[int, Floats], size_wh: tuple[int, int], lens: Lens | None = None
) -> CameraPose | None:
    """Return the pose that fits the found fiducials, or None if there are too few.

    With a known `lens` two fiducials are enough; without one, three are needed and the lens is estimated
    as well.
    """
    if len(found) < (2 if lens is not None else 3):
        return None
    table, pixels = fiducial_points(layout, found)
    camera = fit_points(table, pixels, size_wh, lens)
    return None if camera is None else replace(camera, fiducials=frozenset(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The pose that most of the fiducials agree on, and those that are not where the layout says."""

    camera: CameraPose
    moved: frozenset[int] = frozenset()


def fit_most(
    layout: TableLayout, found: Mapping[int, Floats], size_wh: tuple[int, int], lens: Lens | None = None
) -> Fit | None:
    """Return the pose that fits the found fiducials, all of them or all but one that has moved.

    None if there are too few, or if they are not where the layout says.
    """
    whole = fit_camera_pose(layout, found, size_wh, lens)
    plainly_px, loosely_px = (limit * size_wh[0] / 1280 for limit in (_PLAIN_FIT_PX, _LOOSE_FIT_PX))
    if whole is None or whole.error_px <= plainly_px:
        return None if whole is None else Fit(camera=whole)
    best = min(_without_one(layout, found, size_wh, lens), key=lambda one: one.camera.error_px, default=None)
    if best is not None and best.camera.error_px <= min(plainly_px, whole.error_px * _FAR_BETTER):
        return best
    return Fit(camera=whole) if whole.error_px <= loosely_px else None


def _without_one(
    layout: TableLayout, found: Mapping[int, Floats], size_wh: tuple[int, int], lens: Lens | None
) -> Iterator[Fit]:
    """Yield the views that explain all fiducials but one, where enough are left."""
    for left in found if len(found) > 3 else ():
        rest = {one: at for one, at in found.items() if one != left}
        camera = fit_camera_pose(layout, rest, size_wh, lens)
        if camera is not None:
            yield Fit(camera=camera, moved=frozenset({left}))


def fit_points(
    table: Floats,
    pixels: Floats,
    size_wh: tuple[int, int],
    lens: Lens | None = None,
    noise_px: float = CORNER_NOISE_PX,
) -> CameraPose | None:
    """Return the pose that projects table points (N, 3) mm to pixels (N, 2), None if there is none.

    Without a known `lens` it is estimated too. `noise_px` says how well the pixels are known in a
    picture 1280 wide.
    """
    pose = pose_of(table, pixels, lens or usual_lens(size_wh))
    if pose is None:
        return None
    start = pose if lens is not None else np.concatenate([pose, USUAL])
    values = refine(_Problem(table, pixels, size_wh, lens, noise_px), start)
    best = lens or lens_of(values[6:], size_wh)
    camera = CameraPose(lens=best, rotation=values[:3].copy(), shift=values[3:6].copy(), error_px=0.0)
    error = float(np.sqrt(np.mean(np.sum((camera.project(table) - pixels) ** 2, axis=1))))
    if camera.eye_mm[2] <= 0 or not np.isfinite(error):
        return None
    return replace(camera, error_px=error)


def usual_lens(size_wh: tuple[int, int]) -> Lens:
    """Return what the lens of a webcam or phone is usually like."""
    return lens_of(USUAL, size_wh)


def lens_of(values: Floats, size_wh: tuple[int, int]) -> Lens:
    """Return the lens with these five parameters, in the order of `USUAL`."""
    width, height = size_wh
    focal, x, y, k1, k2 = (float(one) for one in values)
    return Lens(
        size_wh=size_wh,
        focal_px=float(np.exp(focal)) * width,
        centre_px=((width - 1) / 2 + x * width, (height - 1) / 2 + y * width),
        k1=k1,
        # A barrel lens curves back towards its rim: tied, because so few points cannot tell both terms.
        k2=k2 - _BARREL * k1,
    )


def lens_slopes(optics: Floats, lens: Lens) -> Floats:
    """Return the derivatives of pixels by the lens's five parameters, (N, 5).

    `optics` (N, 5 or more) is what `cv2.projectPoints` says of focal lengths, middle and distortion.
    """
    width = lens.size_wh[0]
    by_lens = [
        (optics[:, 0] + optics[:, 1]) * lens.focal_px,
        optics[:, 2] * width,
        optics[:, 3] * width,
        optics[:, 4] - _BARREL * optics[:, 5],
        optics[:, 5],
    ]
    return np.column_stack(by_lens)


def pose_of(table: Floats, pixels: Floats, lens: Lens, planar: int = cv2.SOLVEPNP_IPPE) -> Floats | None:
    """Return a first guess of the pose (6,) that shows points (N, 3) mm at pixels (N, 2), or None."""
    # The planar method fails on a camera that looks exactly straight down; the general one does not.
    for method in (planar, cv2.SOLVEPNP_ITERATIVE):
        done, rotation, shift = cv2.solvePnP(table, pixels, lens.matrix, lens.distortion, flags=method)
        pose = np.concatenate([np.ravel(rotation), np.ravel(shift)]).astype(np.float64)
        if done and np.isfinite(pose).all():
            return pose
    return None


@dataclass(frozen=True, slots=True)
class _Problem:
    """The residuals of one fit: corners in px, and the lens against what is usual."""

    table: Floats
    pixels: Floats
    size_wh: tuple[int, int]
    lens: Lens | None
    noise_px: float

    def residuals(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the residuals (N,) and their derivatives by each of the values, (N, values)."""
        lens = self.lens or lens_of(values[6:], self.size_wh)
        seen, slopes = cv2.projectPoints(self.table, values[:3], values[3:6], lens.matrix, lens.distortion)
        noise_px = self.noise_px * self.size_wh[0] / 1280
        off = (np.reshape(seen, (-1, 2)) - self.pixels).ravel() / noise_px
        # By turn (3), shift (3), focal length in x and y, middle in x and y, and distortion.
        moves, optics = (np.asarray(one / noise_px, np.float64) for one in (slopes[:, :6], slopes[:, 6:]))
        if self.lens is not None:
            return off, moves
        slope = np.zeros((len(off) + 5, 11))
        slope[: len(off)] = np.column_stack([moves, lens_slopes(optics, lens)])
        slope[len(off) :, 6:] = np.diag(1 / SPREAD)
        return np.concatenate([off, (values[6:] - USUAL) / SPREAD]), slope


class Problem(Protocol):
    """Something to be fitted by least squares."""

    def residuals(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the residuals (N,) at some values (M,) and their derivatives (N, M)."""


def refine(problem: Problem, values: Floats) -> Floats:
    """Return the values with the least sum of squares, from a first guess (Levenberg-Marquardt)."""
    off, slope = problem.residuals(values)
    damping = 1e-3
    for _ in range(40):
        square = slope.T @ slope
        change = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slope.T @ off)
        new, new_slope = problem.residuals(values + change)
        if new @ new < off @ off:
            gained = float(off @ off - new @ new)
            values, off, slope, damping = values + change, new, new_slope, max(damping / 5, 1e-9)
            if gained < 1e-6:
                break
        else:
            damping *= 8
            if damping > 1e6:
                break
    return np.asarray(values, np.float64)
