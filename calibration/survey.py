"""The positions of the printed codes, measured from photographs of nothing else.

It is enough that they are squares of one known size in one plane: the positions of the codes, the camera of
every photograph and its lens are fitted together (bundle adjustment; Triggs et al., 2000). The result is the
plane of the table to scale; where the game is on it is not known here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera_pose import (
    CORNER_NOISE_PX,
    SPREAD,
    USUAL,
    CameraPose,
    Floats,
    Lens,
    lens_of,
    lens_slopes,
    pose_of,
    refine,
    usual_lens,
)
from companion.table_layout import Fiducial, TableLayout

# The middle of the codes is loosely tied to where it is first seen: nothing else fixes the origin.
_HELD_MM = 1000.0
# A code whose corners are off by more, in a picture 1280 wide, has moved between two photographs.
_MOVED_PX = 2.0
# Within this angle of where a code usually lies, seen from the middle, it may well have been put there.
_USUAL_DEG = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What one photograph shows of the codes: corners (4, 2) px by number, and the picture's size."""

    size_wh: tuple[int, int]
    corners: Mapping[int, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateFrame:
    """A frame on the table, seen from another: its origin there, and its x axis' turn anticlockwise."""

    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The codes on the table, and the camera over it.

    Attributes:
        codes: where they lie. The origin is their middle, and y points away from the first camera.
        cameras: of the photographs, in their order.
        strays: photographs, by index, and codes that were left out: there they lay elsewhere.
    """

    codes: tuple[Fiducial, ...]
    cameras: tuple[CameraPose, ...]
    strays: frozenset[tuple[int, int]] = frozenset()

    def reframed(self, frame: CoordinateFrame) -> Survey:
        """Return the same as seen from another frame."""
        c, s = math.cos(frame.turn_rad), math.sin(frame.turn_rad)
        codes = []
        for one in self.codes:
            x, y = one.x_mm - frame.x_mm, one.y_mm - frame.y_mm
            turn_deg = _half_open(one.turn_deg - math.degrees(frame.turn_rad))
            codes.append(replace(one, x_mm=c * x + s * y, y_mm=c * y - s * x, turn_deg=turn_deg))
        spin = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        cameras = []
        for camera in self.cameras:
            turn = cv2.Rodrigues(camera.rotation)[0]
            shift = turn @ np.array([frame.x_mm, frame.y_mm, 0.0]) + camera.shift.ravel()
            rotation = np.asarray(cv2.Rodrigues(turn @ spin)[0], np.float64).ravel()
            cameras.append(replace(camera, rotation=rotation, shift=np.asarray(shift, np.float64)))
        return replace(self, codes=tuple(codes), cameras=tuple(cameras))


def survey(shots: Sequence[Shot], edge_mm: float, lens: Lens | None = None) -> Survey | None:
    """Return where the codes are from photographs by one camera, None if there are too few.

    Every photograph must show three codes. A code that was elsewhere in one photograph is left out there.

    Args:
        shots: the photographs, all of one camera at one zoom, of one shape.
        edge_mm: edge of the codes' black squares.
        lens: the camera's, if it is known.
    """
    if not shots or any(len(one.corners) < 3 for one in shots):
        return None
    used = list(shots)
    strays: set[tuple[int, int]] = set()
    while True:
        found = _adjust(used, edge_mm, lens)
        if found is None:
            return None
        worst = _worst(found, used)
        if worst is None or worst[0] <= _MOVED_PX:
            return replace(found, strays=frozenset(strays))
        _, index, number = worst
        left = {key: at for key, at in used[index].corners.items() if key != number}
        if len(left) < 3:
            return replace(found, strays=frozenset(strays))
        strays.add((index, number))
        used[index] = replace(used[index], corners=left)


def usual_frame(codes: Sequence[Fiducial], layout: TableLayout) -> CoordinateFrame:
    """Return the frame of a layout relative to the codes' own frame, as far as they determine it.

    If each code is about where the layout has it, this is the best fit. Codes that were laid out in another
    order determine nothing; then y points away from the camera and the origin is their middle.
    """
    usual = {one.id: (one.x_mm, one.y_mm) for one in layout.fiducials}
    pairs = [((one.x_mm, one.y_mm), usual[one.id]) for one in codes if one.id in usual]
    if len(pairs) < 3:
        return CoordinateFrame(x_mm=0.0, y_mm=0.0, turn_rad=0.0)
    here, there = (np.array(side) for side in zip(*pairs, strict=True))
    turn = turn_between(there, here)
    off = _bearings(here) - _bearings(there) - turn
    if float(np.abs(np.degrees((off + np.pi) % (2 * np.pi) - np.pi)).max()) > _USUAL_DEG:
        return CoordinateFrame(x_mm=0.0, y_mm=0.0, turn_rad=0.0)
    return frame_between(there, here)


def frame_between(own: Floats, seen: Floats) -> CoordinateFrame:
    """Return the frame in which points (N, 2) mm are at `own`, as seen from where they are at `seen`."""
    turn = turn_between(own, seen)
    c, s = math.cos(turn), math.sin(turn)
    x, y = seen.mean(axis=0) - own.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return CoordinateFrame(x_mm=float(x), y_mm=float(y), turn_rad=turn)


def fiducial_at(number: int, corners_mm: Floats, edge_mm: float) -> Fiducial:
    """Return the code whose corners (4, 2) are seen on the table."""
    return _fiducial(number, _place_of(corners_mm), edge_mm)


def _fiducial(number: int, place: Floats, edge_mm: float) -> Fiducial:
    x, y, turn = (float(one) for one in place)
    return Fiducial(id=number, x_mm=x, y_mm=y, edge_mm=edge_mm, turn_deg=_half_open(math.degrees(turn)))


def turn_between(some: Floats, others: Floats) -> float:
    """Return by how much, radians anticlockwise, points (N, 2) must be turned to lie like others (N, 2)."""
    here, there = some - some.mean(axis=0), others - others.mean(axis=0)
    cross = float((here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]).sum())
    return math.atan2(cross, float((here * there).sum()))


def _bearings(points: Floats) -> Floats:
    apart = points - points.mean(axis=0)
    return np.asarray(np.arctan2(apart[:, 1], apart[:, 0]), np.float64)


def _half_open(degrees: float) -> float:
    """Return the same angle, at least -180 and less than 180 degrees."""
    return (degrees + 180.0) % 360.0 - 180.0


def _adjust(shots: Sequence[Shot], edge_mm: float, lens: Lens | None) -> Survey | None:
    start = _start(shots, edge_mm, lens)
    if start is None:
        return None
    numbers = sorted(start.codes)
    problem = _Bundle(shots=shots, numbers=numbers, edge_mm=edge_mm, lens=lens)
    values = np.concatenate(
        [*([] if lens is not None else [USUAL]), *start.poses, *(start.codes[one] for one in numbers)]
    )
    values = refine(problem, values)
    if not np.isfinite(values).all():
        return None
    cameras = []
    for index, shot in enumerate(shots):
        pose = values[problem.pose_at(index)]
        camera = CameraPose(
            lens=problem.lens_for(shot, values), rotation=pose[:3].copy(), shift=pose[3:].copy(), error_px=0.0
        )
        off = problem.off_px(values, index)
        error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
        cameras.append(replace(camera, error_px=error, fiducials=frozenset(shot.corners)))
    if any(camera.eye_mm[2] <= 0 for camera in cameras):
        return None
    codes = (_fiducial(number, values[problem.code_at(number)], edge_mm) for number in numbers)
    return Survey(codes=tuple(codes), cameras=tuple(cameras))


def _worst(found: Survey, shots: Sequence[Shot]) -> tuple[float, int, int] | None:
    """Return the largest error of a code, in a picture 1280 wide, and its photograph and code."""
    codes = {one.id: one for one in found.codes}
    worst = None
    for index, (shot, camera) in enumerate(zip(shots, found.cameras, strict=True)):
        for number, corners in shot.corners.items():
            seen = camera.project(np.array([(x, y, 0.0) for x, y in codes[number].corners_mm()]))
            off = float(np.sqrt(np.mean(np.sum((seen - corners) ** 2, axis=1)))) * 1280 / shot.size_wh[0]
            if worst is None or off > worst[0]:
                worst = off, index, number
    return worst


# -- the first guess -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Start:
    """Poses (6,) of the photographs and places (x, y, turn) of the codes."""

    poses: list[Floats]
    codes: dict[int, Floats]


def _start(shots: Sequence[Shot], edge_mm: float, lens: Lens | None) -> _Start | None:
    """Return a first guess: the photograph with most codes first, then those that share codes with it."""
    codes: dict[int, Floats] = {}
    poses: dict[int, Floats] = {}
    # The first photograph decides the frame, so it comes first among equals.
    order = sorted(range(len(shots)), key=lambda index: (-len(shots[index].corners), index))
    for index in order:
        shot = shots[index]
        one_lens = lens or usual_lens(shot.size_wh)
        pose = (
            _first_pose(shot, edge_mm, one_lens) if not codes else _known_pose(shot, codes, edge_mm, one_lens)
        )
        if pose is None:
            return None
        poses[index] = pose
        camera = CameraPose(lens=one_lens, rotation=pose[:3], shift=pose[3:], error_px=0.0)
        for number in shot.corners.keys() - codes.keys():
            codes[number] = _place_of(camera.to_table(shot.corners[number], 0.0))
    middle = np.mean([one[:2] for one in codes.values()], axis=0)
    for one in codes.values():
        one[:2] -= middle
    for pose in poses.values():
        pose[3:] += cv2.Rodrigues(pose[:3])[0] @ np.array([*middle, 0.0])
    return _Start([poses[index] for index in range(len(shots))], codes)


def _square(edge_mm: float) -> Floats:
    half = edge_mm / 2
    return np.array([[-half, half, 0.0], [half, half, 0.0], [half, -half, 0.0], [-half, -half, 0.0]])


def _first_pose(shot: Shot, edge_mm: float, lens: Lens) -> Floats | None:
    """Return the pose of a camera from the codes' apparent sizes: a plane through their distances."""
    square = _square(edge_mm)
    points = []
    for corners in shot.corners.values():
        pose = pose_of(square, corners, lens, cv2.SOLVEPNP_IPPE_SQUARE)
        if pose is None:
            return None
        points.append(square @ cv2.Rodrigues(pose[:3])[0].T + pose[3:])
    spread = np.concatenate(points)
    middle = spread.mean(axis=0)
    up = np.linalg.svd(spread - middle)[2][2]
    up = -up if up @ middle > 0 else up
    right = np.array([1.0, 0.0, 0.0]) - up * up[0]
    right /= np.linalg.norm(right)
    turn = np.column_stack([right, np.cross(up, right), up])
    return np.concatenate([np.ravel(cv2.Rodrigues(turn)[0]), middle]).astype(np.float64)


def _known_pose(shot: Shot, codes: Mapping[int, Floats], edge_mm: float, lens: Lens) -> Floats | None:
    """Return the pose of a camera that sees some codes whose places are already known."""
    shared = [number for number in shot.corners if number in codes]
    if not shared:
        return None
    table = np.concatenate([_corners_of(codes[number], edge_mm)[0] for number in shared])
    pixels = np.concatenate([shot.corners[number] for number in shared])
    return pose_of(table, pixels, lens)


def _place_of(corners_mm: Floats) -> Floats:
    """Return x, y and turn of a code whose corners (4, 2) are seen on the table."""
    along = corners_mm[1] - corners_mm[0] + corners_mm[2] - corners_mm[3]
    x, y = corners_mm.mean(axis=0)
    return np.array([x, y, math.atan2(along[1], along[0])])


def _corners_of(place: Floats, edge_mm: float) -> tuple[Floats, Floats]:
    """Return the corners (4, 3) of a code at x, y, turn, and their derivatives by the turn, (4, 2)."""
    square = _square(edge_mm)
    c, s = math.cos(place[2]), math.sin(place[2])
    x, y = c * square[:, 0] - s * square[:, 1], s * square[:, 0] + c * square[:, 1]
    return np.column_stack([x + place[0], y + place[1], np.zeros(4)]), np.column_stack([-y, x])


# -- the adjustment --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bundle:
    """The residuals of all corners in all photographs. Values: the lens unless known, poses, codes."""

    shots: Sequence[Shot]
    numbers: Sequence[int]
    edge_mm: float
    lens: Lens | None

    @property
    def _lens_count(self) -> int:
        return 5 if self.lens is None else 0

    def pose_at(self, index: int) -> slice:
        """Return the index of a photograph's pose among the values."""
        first = self._lens_count + 6 * index
        return slice(first, first + 6)

    def code_at(self, number: int) -> slice:
        """Return the index of a code's place among the values."""
        first = self._lens_count + 6 * len(self.shots) + 3 * self.numbers.index(number)
        return slice(first, first + 3)

    def lens_for(self, shot: Shot, values: Floats) -> Lens:
        """Return the lens for pictures of a photograph's size."""
        return self.lens or lens_of(values[:5], shot.size_wh)

    def off_px(self, values: Floats, index: int) -> Floats:
        """Return by how much the corners of a photograph are off, (N, 2) px."""
        return self._corners(values, index)[0].reshape(-1, 2)

    def residuals(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the residuals (N,) and their derivatives by each of the values, (N, values)."""
        offs, slopes = [], []
        for index, shot in enumerate(self.shots):
            off, slope = self._corners(values, index)
            noise_px = CORNER_NOISE_PX * shot.size_wh[0] / 1280
            offs.append(off / noise_px)
            slopes.append(slope / noise_px)
        # The origin stays at the codes' middle; the orientation is that of the first camera.
        held = np.zeros((3, len(values)))
        for number in self.numbers:
            held[0, self.code_at(number).start] = held[1, self.code_at(number).start + 1] = 1 / _HELD_MM
            held[2, self.code_at(number).start + 2] = 1e-3
        offs.append(held @ values)
        slopes.append(held)
        if self.lens is None:
            lens = np.zeros((5, len(values)))
            lens[:, :5] = np.diag(1 / SPREAD)
            offs.append((values[:5] - USUAL) / SPREAD)
            slopes.append(lens)
        return np.concatenate(offs), np.concatenate(slopes)

    def _corners(self, values: Floats, index: int) -> tuple[Floats, Floats]:
        """Return how far off a photograph's corners are, (2 N,) px, and their slopes, (2 N, values)."""
        shot = self.shots[index]
        lens, pose = self.lens_for(shot, values), values[self.pose_at(index)]
        numbers = list(shot.corners)
        placed = [_corners_of(values[self.code_at(number)], self.edge_mm) for number in numbers]
        points = np.concatenate([corners for corners, _ in placed])
        seen, moves = cv2.projectPoints(points, pose[:3], pose[3:], lens.matrix, lens.distortion)
        off = np.ravel(seen) - np.concatenate([shot.corners[number] for number in numbers]).ravel()
        slope = np.zeros((len(off), len(values)))
        slope[:, self.pose_at(index)] = moves[:, :6]
        if self.lens is None:
            slope[:, :5] = lens_slopes(np.asarray(moves[:, 6:], np.float64), lens)
        # A point on the table moves in the camera as the whole table would, turned.
        by_point = moves[:, 3:6] @ cv2.Rodrigues(pose[:3])[0]
        for k, (number, (_, spun)) in enumerate(zip(numbers, placed, strict=True)):
            rows, first = slice(8 * k, 8 * k + 8), self.code_at(number).start
            slope[rows, first : first + 2] = by_point[rows, :2]
            slope[rows, first + 2] = (by_point[rows, :2] * np.repeat(spun, 2, axis=0)).sum(axis=1)
        return off, slope
