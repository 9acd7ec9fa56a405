"""Small solid things on a table (cubes, figures, dragons, a hand), their looks and their shadows.

A body is a list of convex parts, and a part is a list of flat faces in millimetres. Faces are drawn from far
to near, lit by one lamp and by light reflected from the room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Singles
from vision.simulation.drawing import Colour

Project: TypeAlias = Callable[[Floats], Floats]

_LARGE_PX = 40_000
# What falls behind the camera would be drawn farther off than whole numbers reach.
_FARTHEST_PX = 100_000
_SHIFT = 4
_SHADOW_RAYS = 9
# A shadow longer than this reaches beyond any table.
_LONGEST_MM = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One convex solid: corners (N, 3) mm, faces as lists of corner numbers, and its colour.

    Parts of a higher layer are drawn over those of a lower one.
    """

    corners: Floats
    faces: tuple[tuple[int, ...], ...]
    colour: Colour
    layer: int = 0

    def moved(self, shift: tuple[float, float, float], turn_deg: float = 0.0) -> Part:
        """Return the part turned about the upright axis and then shifted."""
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        turned = self.corners @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return replace(self, corners=turned + np.array(shift))


Body: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A lamp.

    Attributes:
        at_mm: where it hangs.
        radius_mm: its radius; a wide lamp casts soft shadows.
        share: how much of the light comes from it rather than from all around, 0 to 1.
    """

    at_mm: tuple[float, float, float]
    radius_mm: float = 70.0
    share: float = 0.62

    def relative_light(self, normals: Floats, at: Floats) -> Floats:
        """Return how light faces are compared with the table beside them; arrays have one row per face."""
        to_lamp = np.array(self.at_mm) - at
        to_lamp = to_lamp / np.linalg.norm(to_lamp, axis=1, keepdims=True)
        around = (1 - self.share) * (0.72 + 0.28 * normals[:, 2])
        direct = self.share * np.maximum((normals * to_lamp).sum(axis=1), 0.0)
        return np.asarray((around + direct) / (1 - self.share + self.share * to_lamp[:, 2]), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A picture to draw over a frame from x, y px on: colour (linear, 0 to 1) and cover (0 to 1)."""

    x: int
    y: int
    colour: Singles
    cover: Singles

    def blend_over(self, frame: Singles) -> None:
        """Blend the patch into a frame in place, clipped to the frame."""
        height, width = frame.shape[:2]
        x0, y0 = max(self.x, 0), max(self.y, 0)
        x1, y1 = min(self.x + self.cover.shape[1], width), min(self.y + self.cover.shape[0], height)
        if x1 <= x0 or y1 <= y0:
            return
        inside = (slice(y0 - self.y, y1 - self.y), slice(x0 - self.x, x1 - self.x))
        region = frame[y0:y1, x0:x1]
        region += self.cover[inside][:, :, None] * (self.colour[inside] - region)

    def darken(self, frame: Singles, depth: float) -> None:
        """Remove the share `depth` of the light under the patch (a shadow), in place."""
        height, width = frame.shape[:2]
        x0, y0 = max(self.x, 0), max(self.y, 0)
        x1, y1 = min(self.x + self.cover.shape[1], width), min(self.y + self.cover.shape[0], height)
        if x1 <= x0 or y1 <= y0:
            return
        inside = (slice(y0 - self.y, y1 - self.y), slice(x0 - self.x, x1 - self.x))
        frame[y0:y1, x0:x1] *= 1 - depth * self.cover[inside][:, :, None]


def linear(colour: Colour) -> Singles:
    """Return the amount of light, 0 to 1, that a colour of a picture stands for."""
    return np.asarray((np.array(colour, np.float32) / 255) ** 2.2, np.float32)


def cube(edge: float, colour: Colour) -> Body:
    """Return a player's marker, standing on z = 0 around the origin."""
    return (
        slab(
            [(-edge / 2, -edge / 2), (edge / 2, -edge / 2), (edge / 2, edge / 2), (-edge / 2, edge / 2)],
            0,
            edge,
            colour,
        ),
    )


def figure(height: float, base: float, colour: Colour) -> Body:
    """Return a player's figure: a cone with a round head."""
    h, r = height, base / 2
    body = [
        (0.0, r),
        (0.06 * h, r),
        (0.14 * h, 0.82 * r),
        (0.6 * h, 0.42 * r),
        (0.66 * h, 0.6 * r),
        (0.7 * h, 0.42 * r),
    ]
    head_r = 0.18 * h
    head = [
        (0.82 * h - head_r * math.cos(t), head_r * math.sin(t)) for t in np.linspace(0.35, math.pi - 0.12, 7)
    ]
    return (*lathe(body, colour), *(replace(part, layer=1) for part in lathe(head, colour)))


def turned_figure(height: float, base: float, profile: Iterable[tuple[float, float]], colour: Colour) -> Body:
    """Return a figure turned on a lathe; the profile gives shares of its height and of half its base."""
    return lathe([(z * height, r * base / 2) for z, r in profile], colour)


def dragon(height: float, base: float, colour: Colour) -> Body:
    """Return a dragon: a coiled body, a raised neck, two wings and a tail."""
    h, b = height, base
    dark = (int(colour[0] * 0.7), int(colour[1] * 0.7), int(colour[2] * 0.7))
    trunk = limb((-0.30 * b, 0, 0.16 * h), (0.24 * b, 0, 0.24 * h), 0.22 * b, 0.2 * b, colour)
    neck = limb((0.2 * b, 0, 0.26 * h), (0.36 * b, 0, 0.76 * h), 0.14 * b, 0.08 * b, colour)
    head = limb((0.3 * b, 0, 0.84 * h), (0.66 * b, 0, 0.74 * h), 0.13 * b, 0.05 * b, colour)
    tail = limb((-0.34 * b, 0, 0.14 * h), (-0.66 * b, 0.32 * b, 0.06 * h), 0.12 * b, 0.03 * b, dark)
    wings = tuple(_wing(side, h, b, dark) for side in (-1, 1))
    foot = slab(
        [(0.34 * b * math.cos(t), 0.26 * b * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 13)[:-1]],
        0,
        0.1 * h,
        dark,
    )
    return (foot, tail, trunk, *wings, neck, head)


def hand(
    tip: tuple[float, float], elbow: tuple[float, float], height: float, skin: Colour, sleeve: Colour
) -> Body:
    """Return an arm from the elbow's x, y mm to a hand whose fingers reach down over x, y `tip`."""
    to_tip = np.array(tip) - np.array(elbow)
    length = max(float(np.hypot(*to_tip)), 1.0)
    along = to_tip / length
    across = np.array([-along[1], along[0]])

    def at(forth: float, aside: float, z: float) -> tuple[float, float, float]:
        x, y = np.array(tip) - along * forth + across * aside
        return float(x), float(y), z

    reach = min(length, 250.0)
    parts = [limb(at(reach, 0, height + 44), at(88, 0, height + 22), 34, 23, skin, flat=0.8)]
    if length > 210:
        cuff = limb(at(length, 0, height + 62), at(205, 0, height + 42), 50, 42, sleeve, flat=0.85)
        parts.append(replace(cuff, layer=3))
    parts.append(
        replace(limb(at(102, 0, height + 20), at(62, 0, height + 16), 29, 35, skin, flat=0.45), layer=1)
    )
    for aside, tip_at in ((-24, 16), (-8.5, 3), (8.5, 0), (24, 9)):
        knuckle, bend = at(66, aside, height + 18), at(36 + tip_at * 0.6, aside * 0.9, height + 14)
        end = at(tip_at, aside * 0.62, height * 0.45)
        parts.append(replace(limb(bend, end, 9.0, 6.8, skin), layer=2))
        parts.append(replace(limb(knuckle, bend, 10.5, 9.0, skin), layer=2))
    thumb = limb(at(92, -28, height + 12), at(38, -40, height * 0.5), 13, 8.5, skin)
    parts.append(replace(thumb, layer=0))
    return tuple(parts)


def slab(outline: Iterable[tuple[float, float]], low: float, high: float, colour: Colour) -> Part:
    """Return an upright prism over a convex outline given anticlockwise, from z `low` to z `high`."""
    points = list(outline)
    n = len(points)
    corners = np.array([(x, y, low) for x, y in points] + [(x, y, high) for x, y in points], np.float64)
    sides = tuple((i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n))
    return Part(corners=corners, faces=(*sides, tuple(range(n, 2 * n))), colour=colour)


def lathe(profile: Iterable[tuple[float, float]], colour: Colour, sides: int = 14) -> Body:
    """Return a turned solid around the upright axis; the profile gives z and radius from below.

    It is made up of slices, each of them convex however the profile is curved.
    """
    turns = np.linspace(0, 2 * math.pi, sides, endpoint=False)

    def ring(z: float, radius: float) -> list[tuple[float, float, float]]:
        return [(radius * math.cos(t), radius * math.sin(t), z) for t in turns]

    return tuple(
        Part(corners=np.array([*ring(*low), *ring(*high)]), faces=_tube(2, sides), colour=colour)
        for low, high in pairwise(profile)
    )


def limb(
    start: tuple[float, float, float],
    end: tuple[float, float, float],
    r0: float,
    r1: float,
    colour: Colour,
    *,
    flat: float = 1.0,
) -> Part:
    """Return a rounded limb from `start` (radius r0) to `end` (r1), flattened to `flat` of that."""
    a, b = np.array(start, np.float64), np.array(end, np.float64)
    way = b - a
    length = float(np.linalg.norm(way))
    axis = way / length
    side = np.cross(axis, (0, 0, 1) if abs(axis[2]) < 0.9 else (1, 0, 0))
    side /= np.linalg.norm(side)
    up = np.cross(side, axis)
    ends = (0.25, 0.85, 1.35)
    rings = [(-r0 * math.cos(t), r0 * math.sin(t)) for t in ends]
    rings += [(length + r1 * math.cos(t), r1 * math.sin(t)) for t in reversed(ends)]
    turns = np.linspace(0, 2 * math.pi, 16, endpoint=False)
    corners = [
        a + axis * d + r * (side * math.cos(t) - flat * up * math.sin(t)) for d, r in rings for t in turns
    ]
    return Part(corners=np.array(corners), faces=_tube(len(rings), 16), colour=colour)


def _wing(side: int, h: float, b: float, colour: Colour) -> Part:
    points = [
        (0.12, 0.1, 0.34),
        (-0.34, 0.1, 0.3),
        (-0.48, 0.66, 0.62),
        (-0.04, 0.72, 0.98),
        (0.16, 0.4, 0.8),
    ]
    outer = np.array([(x * b, side * y * b, z * h) for x, y, z in points])
    inner = outer + np.array([0.0, side * 0.03 * b, 0.05 * h])
    n = len(points)
    sides = tuple((i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n))
    return Part(
        corners=np.concatenate([outer, inner]),
        faces=(*sides, tuple(range(n)), tuple(range(n, 2 * n))),
        colour=colour,
    )


def _tube(rings: int, sides: int) -> tuple[tuple[int, ...], ...]:
    faces = [
        (i * sides + k, i * sides + (k + 1) % sides, (i + 1) * sides + (k + 1) % sides, (i + 1) * sides + k)
        for i in range(rings - 1)
        for k in range(sides)
    ]
    last = (rings - 1) * sides
    return (*faces, tuple(range(sides - 1, -1, -1)), tuple(range(last, last + sides)))


@dataclass(frozen=True, slots=True)
class _Face:
    order: tuple[int, float]
    corners: Floats
    colour: Singles


def draw_body(
    body: Body, project: Project, eye: Floats, lamp: Lamp, size_wh: tuple[int, int]
) -> Patch | None:
    """Return the body as the camera at `eye` mm sees it, or None if it is out of a frame of this size."""
    shown = _visible_faces(body, eye, lamp)
    corners = project(np.concatenate([face.corners for face in shown]))
    frame = _bounds(corners, size_wh)
    if frame is None:
        return None
    x0, y0, width, height = frame
    times = 3 if width * height < _LARGE_PX else 2
    fine = np.zeros((height * times, width * times, 4), np.float32)
    near = np.clip(corners - (x0, y0), -_FARTHEST_PX, _FARTHEST_PX)
    scaled = ((near + 0.5) * times - 0.5) * (1 << _SHIFT)
    fixed = np.rint(scaled).astype(np.int32)
    start = 0
    for face in shown:
        polygon = fixed[start : start + len(face.corners)]
        start += len(face.corners)
        tint = (float(face.colour[0]), float(face.colour[1]), float(face.colour[2]), 1.0)
        cv2.fillConvexPoly(fine, polygon, tint, cv2.LINE_8, _SHIFT)
    small = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    cover = np.asarray(small[:, :, 3], np.float32)
    tint_of = np.asarray(small[:, :, :3] / np.maximum(cover, 1e-3)[:, :, None], np.float32)
    return Patch(x=x0, y=y0, colour=tint_of, cover=cover)


def _visible_faces(body: Body, eye: Floats, lamp: Lamp) -> list[_Face]:
    """Return the faces turned to the eye, lower layers first, in a layer the farthest first."""
    shown: list[_Face] = []
    for part in body:
        middle = part.corners.mean(axis=0)
        tint = linear(part.colour)
        for count in {len(face) for face in part.faces}:
            faces = part.corners[[list(face) for face in part.faces if len(face) == count]]
            normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 1])
            centres = faces.mean(axis=1)
            normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
            outward = ((normals * (centres - middle)).sum(axis=1, keepdims=True) >= 0) * 2 - 1
            normals = normals * outward
            seen = np.flatnonzero((normals * (eye - centres)).sum(axis=1) > 0)
            light = lamp.relative_light(normals[seen], centres[seen])
            away = np.linalg.norm(eye - centres[seen], axis=1)
            for i, k in enumerate(seen):
                shown.append(_Face((part.layer, -float(away[i])), faces[k], tint * np.float32(light[i])))
    shown.sort(key=lambda one: one.order)
    return shown


def cast_shadow(
    body: Body, project: Project, lamp: Lamp, plane_mm: float, size_wh: tuple[int, int]
) -> Patch | None:
    """Return the body's soft shadow on the plane at this height; cover = share of the lamp hidden."""
    turns = np.linspace(0, 2 * math.pi, _SHADOW_RAYS - 1, endpoint=False)
    rays = [(0.0, 0.0), *((math.cos(t), math.sin(t)) for t in turns)]
    hulls: list[list[Floats]] = []
    for dx, dy in rays:
        source = np.array(lamp.at_mm) + np.array([dx, dy, 0]) * lamp.radius_mm
        hulls.append([project(_fallen(part.corners, source, plane_mm)) for part in body])
    frame = _bounds(np.concatenate([one for ray in hulls for one in ray]), size_wh)
    if frame is None:
        return None
    x0, y0, width, height = frame
    total = np.zeros((height, width), np.float32)
    for ray in hulls:
        mask = np.zeros((height, width), np.uint8)
        for points in ray:
            near = np.clip(points - (x0, y0), -_FARTHEST_PX, _FARTHEST_PX)
            hull = cv2.convexHull(near.astype(np.float32))
            cv2.fillConvexPoly(mask, np.rint(hull * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_AA, _SHIFT)
        total += mask
    total /= 255 * len(rays)
    soft = cv2.GaussianBlur(total, (0, 0), 1.2)
    return Patch(
        x=x0, y=y0, colour=np.zeros((height, width, 3), np.float32), cover=np.asarray(soft, np.float32)
    )


def _fallen(corners: Floats, source: Floats, plane_mm: float) -> Floats:
    """Return where the shadows of the corners fall on the plane, (N, 3) mm."""
    rise = np.minimum(corners[:, 2:] - plane_mm, source[2] - plane_mm - 1.0)
    ahead = corners[:, :2] - source[:2]
    # A lamp no higher than the body would throw shadows to infinity, even behind the camera.
    farthest = _LONGEST_MM / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1.0)
    scale = np.minimum(rise / (source[2] - plane_mm - rise), farthest)
    flat = corners[:, :2] + ahead * scale
    return np.column_stack([flat, np.full(len(corners), plane_mm)])


def _bounds(points: Floats, size_wh: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Return left, top, width and height of a window around the points within the frame, px, or None."""
    if not np.isfinite(points).all():
        return None
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - 3, -8)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + 4, np.array(size_wh) + 8)
    width, height = (int(edge) for edge in high - low)
    if width <= 0 or height <= 0:
        return None
    return int(low[0]), int(low[1]), width, height
