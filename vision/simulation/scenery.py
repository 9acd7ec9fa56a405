"""Rooms for the simulated camera: its position, the light, the table top, and arms that reach in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, Lens
from companion.table_layout import TableLayout
from vision.simulation.bodies import Lamp
from vision.simulation.drawing import Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewpoint:
    """The camera's position and lens.

    Attributes:
        tilt_deg: from straight down.
        azimuth_deg: direction around the table, 0 = from the reference side.
        roll_deg: turned about its own axis.
        distance_mm: to the point it aims at.
        aim_mm: that point on the table.
        hfov_deg: width of its view.
        k1, k2: barrel distortion.
    """

    tilt_deg: float = 24.0
    azimuth_deg: float = 4.0
    roll_deg: float = 0.6
    distance_mm: float = 660.0
    aim_mm: tuple[float, float] = (0.0, -6.0)
    hfov_deg: float = 62.0
    k1: float = -0.10
    k2: float = 0.02

    def pose(self, size_wh: tuple[int, int]) -> CameraPose:
        """Return the camera as numbers, for pictures of this size."""
        tilt, turn, roll = (math.radians(a) for a in (self.tilt_deg, self.azimuth_deg, self.roll_deg))
        away = np.array([math.sin(turn) * math.sin(tilt), -math.cos(turn) * math.sin(tilt), math.cos(tilt)])
        eye = np.array([*self.aim_mm, 0.0]) + away * self.distance_mm
        right = np.array([math.cos(turn), math.sin(turn), 0.0])
        down = np.cross(-away, right)
        c, s = math.cos(roll), math.sin(roll)
        rows = np.stack([c * right + s * down, -s * right + c * down, -away])
        width, height = size_wh
        focal = width / 2 / math.tan(math.radians(self.hfov_deg) / 2)
        middle = ((width - 1) / 2, (height - 1) / 2)
        lens = Lens(size_wh=size_wh, focal_px=focal, centre_px=middle, k1=self.k1, k2=self.k2)
        return CameraPose(
            lens=lens,
            rotation=np.asarray(cv2.Rodrigues(rows)[0], np.float64).ravel(),
            shift=-rows @ eye,
            error_px=0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """The room: table top, light, image quality and how neatly people place things.

    Attributes:
        table: ``oak``, ``walnut``, ``felt``, ``linen``, ``gingham`` or one of the random `TABLE_TOPS`.
        lamp: where the light comes from.
        cast: gains of blue, green and red that the white balance did not remove.
        exposure: 1 = right.
        noise: standard deviation in grey levels of 255.
        blur_px: of the lens, standard deviation.
        jpeg: quality 1 to 100; 0 = none.
        slide_mm, turn_deg: maximum offset and rotation of tiles.
        stray_mm: maximum offset of markers from their boxes.
        quarter_turns: tiles are laid in any of four rotations.
        gloss: brightness of the lamp's reflection in prints, relative to white paper; 0 = all is matt.
        satin_deg: how far their varnish spreads it, a standard deviation.
        skin, sleeve: colours of the arms that reach in.
    """

    table: str = "oak"
    lamp: Lamp = field(default_factory=lambda: Lamp(at_mm=(-420.0, 380.0, 950.0)))
    cast: tuple[float, float, float] = (0.97, 1.0, 1.02)
    exposure: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.45
    jpeg: int = 90
    slide_mm: float = 2.0
    turn_deg: float = 2.5
    stray_mm: float = 1.4
    quarter_turns: bool = False
    gloss: float = 0.0
    satin_deg: float = 3.5
    skin: Colour = (138, 168, 214)
    sleeve: Colour = (120, 74, 52)

    def shot_as(self, other: Scenery) -> Scenery:
        """Return the room in pictures of the quality of another's."""
        return replace(self, noise=other.noise, blur_px=other.blur_px, jpeg=other.jpeg)

    def lit_as(self, other: Scenery) -> Scenery:
        """Return the room in the light of another, with the arms that reach in there."""
        return replace(
            self,
            lamp=other.lamp,
            cast=other.cast,
            exposure=other.exposure,
            gloss=other.gloss,
            satin_deg=other.satin_deg,
            skin=other.skin,
            sleeve=other.sleeve,
        )


SCENERIES: Mapping[str, tuple[Viewpoint, Scenery]] = {
    "evening": (Viewpoint(), Scenery()),
    "window": (
        Viewpoint(tilt_deg=34, azimuth_deg=-9, distance_mm=690),
        Scenery(
            table="linen",
            lamp=Lamp(at_mm=(-1300, 300, 1300), radius_mm=260, share=0.7),
            cast=(1.08, 1.0, 0.94),
            exposure=0.88,
        ),
    ),
    "overhead": (
        Viewpoint(tilt_deg=9, distance_mm=640),
        Scenery(table="felt", lamp=Lamp(at_mm=(260, 60, 1100), radius_mm=120), noise=3.0),
    ),
    "pub": (
        Viewpoint(tilt_deg=29, azimuth_deg=10, distance_mm=730),
        Scenery(
            table="walnut",
            lamp=Lamp(at_mm=(220, 300, 800)),
            cast=(0.84, 1.0, 1.1),
            exposure=0.85,
            noise=4.5,
            jpeg=75,
        ),
    ),
}
"""Rooms and cameras to choose from, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPose:
    """An arm over the table: from the elbow to where the fingers point, x and y in mm, and how high."""

    tip_mm: tuple[float, float]
    elbow_mm: tuple[float, float]
    height_mm: float = 24.0

    @classmethod
    def over(
        cls, layout: TableLayout, cell: str, seat: int = 0, seats: int = 4, reach: float = 1.0
    ) -> HandPose:
        """Return an arm that reaches over a cell from a seat; `reach` is 0 = still outside to 1 = there."""
        x, y = layout.cells[cell]
        angle = 2 * math.pi * seat / max(seats, 1) - math.pi / 2
        elbow = (x * 0.6 + 620 * math.cos(angle), y * 0.6 + 520 * math.sin(angle))
        start = (elbow[0] * 1.25, elbow[1] * 1.25)
        tip = (start[0] + (x - start[0]) * reach, start[1] + (y - start[1]) * reach)
        back = (elbow[0] - start[0]) * reach * 0.4, (elbow[1] - start[1]) * reach * 0.4
        return cls(tip_mm=tip, elbow_mm=(start[0] * 1.1 + back[0], start[1] * 1.1 + back[1]))
