"""One room with a table, a lamp and a camera: everything that simulated cameras of all games have in common.

What lies on the table and where is decided elsewhere. The studio draws the empty table, lays printed slabs,
stands solid bodies, reaches in with an arm, and exposes the picture. Light is kept linear until then.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table_layout import Fiducial
from vision.arrays import Image, Singles
from vision.simulation.art import draw_fiducial, draw_table
from vision.simulation.artwork import BoardFace
from vision.simulation.bodies import Body, Patch, cast_shadow, draw_body, hand, slab
from vision.simulation.drawing import Colour, arc
from vision.simulation.flatwork import Easel, FlatPose
from vision.simulation.random_artwork import TABLE_TOPS, draw_random_top
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

CARDBOARD: Colour = (64, 92, 120)
"""Colour of the edge of tiles and boards."""
# Number of cached patches of tiles and pieces: about as many as one game needs.
_MOST_KEPT = 1200
# Distance between the layers in which a die-cut board's edge is drawn.
_EDGE_STEP_MM = 0.25
# How far varnished things are from level: a standard deviation.
_UNEVEN_DEG = 0.6
_GLOSS_STEP_PX = 8
_ROUND_SIDES = 48
_NEAR_MM = 1200.0
_TABLE_PX_PER_MM = 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingBody:
    """A solid piece in place: how far it is from the camera (mm), how it looks and the shadow it throws."""

    distance: float
    patch: Patch | None
    shadow: Patch | None


class Studio:
    """A room, its light and one camera.

    Attributes:
        scenery: the room.
        viewpoint: where the camera hangs.
        pose: the camera.
        easel: paints flat things as this camera sees them.
    """

    def __init__(
        self,
        *,
        seed: int,
        size_wh: tuple[int, int],
        viewpoint: Viewpoint,
        scenery: Scenery,
        level_mm: float,
    ) -> None:
        """Set up the room.

        Args:
            seed: determines the table's grain, the noise and everything that `dice` decides.
            size_wh: of the frames, px.
            viewpoint: where the camera hangs.
            scenery: the room.
            level_mm: height of the faces of what lies on the table: there lamps are mirrored and arms throw
                their shadows.
        """
        self.scenery = scenery
        self.viewpoint = viewpoint
        self.pose = viewpoint.pose(size_wh)
        self.easel = Easel(self.pose)
        self._seed = seed
        self._level_mm = level_mm
        self._eye = self.pose.eye_mm
        self._flats: dict[tuple[object, ...], Patch | None] = {}
        self._solids: dict[tuple[object, ...], StandingBody] = {}
        self._light = self._light_field()
        self._noise = self._noise_bank()
        self._tones = _tone_table()

    def dice(self, *key: object) -> np.random.Generator:
        """Return random numbers that depend only on the seed and the key."""
        return np.random.default_rng(zlib.crc32(repr((self._seed, *key)).encode()))

    def table(self, fiducials: Iterable[Fiducial]) -> Singles:
        """Return the empty table with these fiducials, (height, width, 3) linear light."""
        width, height = self.pose.lens.size_wh
        top = _table_top(self.scenery.table, _TABLE_PX_PER_MM, self._seed)
        # What is seen from far is larger.
        zoom = max(1.0, self.viewpoint.distance_mm / _NEAR_MM)
        size = (top.shape[1] / _TABLE_PX_PER_MM * zoom, top.shape[0] / _TABLE_PX_PER_MM * zoom)
        ground = np.zeros((height, width, 3), np.float32)
        whole = FlatPose(x_mm=0, y_mm=120, z_mm=0, turn_deg=0, width_mm=size[0], height_mm=size[1])
        self.easel.cover(ground, top, whole)
        for one in fiducials:
            self._place_fiducial(ground, one)
        return ground

    def _place_fiducial(self, ground: Singles, one: Fiducial) -> None:
        paper = one.edge_mm * 1.5
        pose = FlatPose(
            x_mm=one.x_mm, y_mm=one.y_mm, z_mm=0.1, turn_deg=one.turn_deg, width_mm=paper, height_mm=paper
        )
        patch = self.easel.paint(draw_fiducial(one.id, one.edge_mm, 5.0), pose)
        if patch is not None:
            patch.blend_over(ground)

    # -- what lies flat --------------------------------------------------------------------------------------

    def place_board(self, ground: Singles, face: BoardFace, pose: FlatPose) -> None:
        """Lay a die-cut board on the table: its shadow, its edge and its face."""
        mask = face.mask()
        lamp = np.array(self.scenery.lamp.at_mm)
        off = (np.array([pose.x_mm, pose.y_mm]) - lamp[:2]) / lamp[2] * pose.z_mm
        shaded = replace(pose, x_mm=pose.x_mm + float(off[0]), y_mm=pose.y_mm + float(off[1]), z_mm=0.05)
        shadow = self.easel.paint(face.picture, shaded, mask)
        if shadow is not None:
            shadow.darken(ground, self.shadow_depth)
        edge = np.full_like(face.picture, CARDBOARD)
        for z_mm in np.arange(0.1, pose.z_mm, _EDGE_STEP_MM):
            patch = self.easel.paint(edge, replace(pose, z_mm=float(z_mm)), mask)
            if patch is not None:
                patch.blend_over(ground)
        top = self.easel.paint(face.picture, pose, mask)
        if top is not None:
            self._shining(top, ("board",)).blend_over(ground)

    def has_slab(self, key: tuple[object, ...]) -> bool:
        """Whether a slab was laid under this key, so that its face need not be drawn again."""
        return (*key, "side") in self._flats

    def place_slab(
        self,
        frame: Singles,
        key: tuple[object, ...],
        face: Image | None,
        pose: FlatPose,
        *,
        side: Colour = CARDBOARD,
        lowest_mm: float = 0.0,
        is_round: bool = False,
    ) -> None:
        """Lay a printed slab: shadow, edge, face.

        Args:
            frame: is drawn on.
            key: names the slab in this pose.
            face: its picture; None = drawn before under this key.
            pose: where its face lies.
            side: colour of its edge.
            lowest_mm: height of what it lies on.
            is_round: it is an ellipse in its rectangle.
        """
        if not self.has_slab(key):
            body = (slab(_outline(pose, is_round=is_round), lowest_mm, pose.z_mm - 0.05, side),)
            self._flats[(*key, "shadow")] = self.shadow(body, lowest_mm)
            self._flats[(*key, "side")] = self.drawn(body)
            self._flats[(*key, "face")] = self._face(face, pose, key, is_round=is_round)
        shadow, edge, top = (self._flats[(*key, one)] for one in ("shadow", "side", "face"))
        if shadow is not None:
            shadow.darken(frame, self.shadow_depth)
        for patch in (edge, top):
            if patch is not None:
                patch.blend_over(frame)

    def _face(
        self, face: Image | None, pose: FlatPose, key: tuple[object, ...], *, is_round: bool
    ) -> Patch | None:
        if face is None:
            return None
        top = self.easel.paint(face, pose, round_mask(face.shape[0]) if is_round else None)
        return None if top is None else self._shining(top, key)

    def forget(self, keep: Container[str]) -> None:
        """Drop cached patches when there are many, but for slabs whose key begins with one of `keep`."""
        if len(self._flats) + len(self._solids) > _MOST_KEPT:
            self._flats = {key: one for key, one in self._flats.items() if key[0] in keep}
            self._solids.clear()

    def _shining(self, face: Patch, key: tuple[object, ...]) -> Patch:
        """Return a printed face with the lamp's reflection; no face lies quite flat."""
        if self.scenery.gloss == 0:
            return face
        tilt = np.radians(self.dice("gloss", *key).normal(0, _UNEVEN_DEG, 2))
        normal = np.array([*tilt, 1.0]) / np.linalg.norm([*tilt, 1.0])
        spots = self.easel.table_points(0.0, step_px=_GLOSS_STEP_PX)
        table = np.dstack([spots, np.full(spots.shape[:2], self._level_mm)])
        sight, to_lamp = table - self._eye, np.array(self.scenery.lamp.at_mm) - table
        far = np.linalg.norm(to_lamp, axis=2)
        sight /= np.linalg.norm(sight, axis=2, keepdims=True)
        mirrored = sight - 2 * (sight @ normal)[..., None] * normal
        off = np.arccos(np.clip((mirrored * to_lamp).sum(axis=2) / far, -1, 1))
        beyond = np.maximum(off - np.arctan(self.scenery.lamp.radius_mm / far), 0)
        light = self.scenery.gloss * np.exp(-0.5 * (beyond / np.radians(self.scenery.satin_deg)) ** 2)
        width, height = self.pose.lens.size_wh
        whole = cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        rows, columns = (
            np.clip(np.arange(start, start + size), 0, edge - 1)
            for start, size, edge in zip((face.y, face.x), face.cover.shape, (height, width), strict=True)
        )
        return replace(face, colour=face.colour + whole[np.ix_(rows, columns)][..., None])

    # -- what stands -----------------------------------------------------------------------------------------

    def standing(
        self, key: tuple[object, ...], body: Body, base_mm: tuple[float, float, float], turn_deg: float
    ) -> StandingBody:
        """Return a body in its place, kept under its key and place."""
        kept = (*key, base_mm)
        if kept not in self._solids:
            moved = tuple(part.moved(base_mm, turn_deg) for part in body)
            self._solids[kept] = StandingBody(
                distance=float(np.linalg.norm(np.array(base_mm) - self._eye)),
                patch=self.drawn(moved),
                shadow=self.shadow(moved, base_mm[2]),
            )
        return self._solids[kept]

    def stand(self, frame: Singles, pieces: Iterable[StandingBody]) -> None:
        """Draw what stands on the table, the farthest first, after all shadows."""
        ordered = sorted(pieces, key=lambda one: -one.distance)
        for one in ordered:
            if one.shadow is not None:
                one.shadow.darken(frame, self.shadow_depth)
        for one in ordered:
            if one.patch is not None:
                one.patch.blend_over(frame)

    def drawn(self, body: Body) -> Patch | None:
        """Return a body as the camera sees it, None if it is outside the frame."""
        return draw_body(body, self.pose.project, self._eye, self.scenery.lamp, self.pose.lens.size_wh)

    def shadow(self, body: Body, plane_mm: float) -> Patch | None:
        """Return a body's shadow on the plane at this height, None if it is outside the frame."""
        return cast_shadow(body, self.pose.project, self.scenery.lamp, plane_mm, self.pose.lens.size_wh)

    def arm(self, pose: HandPose) -> Body:
        """Return an arm in the skin and sleeve of this room."""
        return hand(pose.tip_mm, pose.elbow_mm, pose.height_mm, self.scenery.skin, self.scenery.sleeve)

    def reach_in(self, scene: Singles, pose: HandPose) -> None:
        """Draw an arm over the table, with its shadow."""
        body = self.arm(pose)
        shadow = self.shadow(body, self._level_mm)
        if shadow is not None:
            shadow.darken(scene, self.shadow_depth)
        patch = self.drawn(body)
        if patch is not None:
            # Skin is smooth: blurring removes the facets.
            smooth = np.asarray(cv2.blur(patch.colour, (7, 7)), np.float32)
            replace(patch, colour=smooth).blend_over(scene)

    @property
    def shadow_depth(self) -> float:
        """Share of the light that is missing in the middle of a shadow."""
        return self.scenery.lamp.share * 0.9

    # -- light and lens --------------------------------------------------------------------------------------

    def expose(self, scene: Singles, t: float) -> Image:
        """Return a scene as the camera records it at time t (seconds; determines the noise)."""
        seen = cv2.multiply(scene, self._light)
        if self.scenery.blur_px > 0:
            seen = cv2.GaussianBlur(seen, (0, 0), self.scenery.blur_px)
        level = np.minimum(seen * np.float32(4095), np.float32(8191)).astype(np.uint16)
        frame = self._tones[level]
        if self.scenery.noise > 0:
            dx, dy = self.dice("noise", round(t * 1000)).integers(0, 64, 2)
            height, width = frame.shape[:2]
            frame = cv2.add(frame, self._noise[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U)
        if self.scenery.jpeg:
            _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self.scenery.jpeg])
            frame = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        return np.asarray(frame, np.uint8)

    def _light_field(self) -> Singles:
        """Return the light on the table at each pixel, times the lens's vignetting and the colour cast."""
        width, height = self.pose.lens.size_wh
        spots = self.easel.table_points(0.0, step_px=16)
        lamp, share = np.array(self.scenery.lamp.at_mm), self.scenery.lamp.share
        way = np.dstack([lamp[0] - spots[..., 0], lamp[1] - spots[..., 1], np.full(spots.shape[:2], lamp[2])])
        fall = way[..., 2] / np.linalg.norm(way, axis=2) ** 3
        fall /= lamp[2] / np.linalg.norm(lamp) ** 3
        even = (1 - share) + share * fall
        x, y = np.linspace(-1, 1, even.shape[1])[None, :], np.linspace(-1, 1, even.shape[0])[:, None]
        even = even * (1 - 0.07 * (x**2 + y**2)) * self.scenery.exposure
        field = cv2.resize(even.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(field[:, :, None] * np.array(self.scenery.cast, np.float32), np.float32)

    def _noise_bank(self) -> NDArray[np.int16]:
        width, height = self.pose.lens.size_wh
        rng = np.random.default_rng(self._seed + 17)
        bank = rng.standard_normal((height + 64, width + 64, 3), np.float32)
        bank *= np.array([1.25, 0.9, 1.05], np.float32) * self.scenery.noise
        return np.asarray(np.rint(bank), np.int16)


def _outline(pose: FlatPose, *, is_round: bool) -> list[tuple[float, float]]:
    """Return the outline of a rectangle or of the ellipse in it, anticlockwise."""
    if is_round:
        half = (pose.width_mm / 2, pose.height_mm / 2)
        return [pose.at(x, y) for x, y in arc((0.0, 0.0), half, steps=_ROUND_SIDES)[:-1]]
    return [(x, y) for x, y, _ in pose.corners_mm()[::-1]]


@lru_cache(maxsize=4)
def round_mask(edge_px: int) -> Singles:
    """Return how much a round piece covers of each pixel of the square around it, (edge, edge), 0 to 1."""
    steps = (np.arange(edge_px, dtype=np.float32) + 0.5) / edge_px * 2 - 1
    far = np.hypot(steps[:, None], steps[None, :])
    return np.asarray(np.clip((1 - far) * edge_px / 2 + 0.5, 0, 1), np.float32)


@lru_cache(maxsize=2)
def _table_top(kind: str, px_per_mm: float, seed: int) -> Image:
    draw = draw_random_top if kind in TABLE_TOPS else draw_table
    return draw(kind, (2600, 2200), px_per_mm, seed)


def _tone_table() -> NDArray[np.uint8]:
    """Return the grey level for each of 8192 amounts of light, 4095 = white, with a soft shoulder."""
    light = np.arange(8192) / 4095.0
    bent = np.where(light < 0.8, light, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2))
    return np.asarray(np.rint(255 * np.clip(bent, 0, 1) ** (1 / 2.2)), np.uint8)
