"""A simulated camera over a table on which tiles and cards lie anywhere, turned, touching and overlapping.

It is told what lies where in millimetres, the lowest first, and knows no game. Of each piece it also says how
much of it the camera sees: the truth that readings are measured by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.loose_pieces import turned
from companion.table_layout import Fiducial
from companion.table_pieces import FacePrint, Shape
from vision.arrays import Floats, Image, Singles
from vision.simulation.bodies import Body, Part, dragon, lathe, limb, slab
from vision.simulation.drawing import Colour
from vision.simulation.flatwork import FlatPose
from vision.simulation.printed_faces import FaceArtwork
from vision.simulation.scenery import HandPose, Scenery, Viewpoint
from vision.simulation.studio import StandingBody, Studio, round_mask

_CARD_EDGE: Colour = (210, 222, 228)
_DISC_SIDES = 18
# A card that lies over another one bends down to the table; this much of it floats.
_LEAST_THICKNESS_MM = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatPiece:
    """A tile, card, board or pile that lies on the table.

    Attributes:
        key: stays with the piece.
        place: what it lies there as; empty = of no meaning.
        face: what is seen on it.
        x_mm, y_mm: its middle.
        turn_deg: its rotation, anticlockwise.
        width_mm, height_mm: its size.
        lowest_mm, top_mm: heights of what it lies on and of its face.
    """

    key: str
    face: FacePrint
    x_mm: float
    y_mm: float
    turn_deg: float
    width_mm: float
    height_mm: float
    lowest_mm: float = 0.0
    top_mm: float = _LEAST_THICKNESS_MM
    place: str = ""

    @property
    def is_round(self) -> bool:
        """Whether it is round."""
        return self.face.board == "wheel"

    def is_below(self, x_mm: float, y_mm: float) -> bool:
        """Whether a point of the table is over it."""
        x, y = turned(x_mm - self.x_mm, y_mm - self.y_mm, -self.turn_deg)
        if self.is_round:
            return math.hypot(x, y) <= self.width_mm / 2
        return abs(x) <= self.width_mm / 2 and abs(y) <= self.height_mm / 2

    @property
    def pose(self) -> FlatPose:
        """Where its face lies."""
        return FlatPose(
            x_mm=self.x_mm,
            y_mm=self.y_mm,
            z_mm=self.top_mm,
            turn_deg=self.turn_deg,
            width_mm=self.width_mm,
            height_mm=self.height_mm,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SolidPiece:
    """A disc, a meeple, a gem or a dragon.

    Attributes:
        key: stays with the piece.
        place: what it stands there as; empty = of no meaning.
        name: of its paint; empty = of no meaning.
        shape: what it is, none of those that lie flat.
        colour: its paint, BGR.
        x_mm, y_mm: its middle.
        turn_deg: its rotation, anticlockwise.
        width_mm, height_mm: of its base, and how tall it is.
        lowest_mm: height of what it stands on.
    """

    key: str
    shape: Shape
    colour: Colour
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    width_mm: float = 13.0
    height_mm: float = 4.0
    lowest_mm: float = 0.0
    place: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidTable:
    """Everything on a table: what lies, the lowest first, and what stands on it."""

    flat: tuple[FlatPiece, ...] = ()
    solid: tuple[SolidPiece, ...] = ()


class FreeCamera:
    """Draws pictures of a table on which pieces lie freely.

    Attributes:
        fiducials: the printed codes on the table.
        studio: the room.
    """

    def __init__(
        self,
        fiducials: Sequence[Fiducial],
        artwork: FaceArtwork,
        *,
        seed: int = 0,
        size_wh: tuple[int, int] = (1280, 720),
        viewpoint: Viewpoint | None = None,
        scenery: Scenery | None = None,
    ) -> None:
        """Set up the room; `seed` determines the table's grain and the noise."""
        self.fiducials = tuple(fiducials)
        self.studio = Studio(
            seed=seed,
            size_wh=size_wh,
            viewpoint=viewpoint or Viewpoint(),
            scenery=scenery or Scenery(),
            level_mm=_LEAST_THICKNESS_MM,
        )
        self._artwork = artwork
        self._ground = self.studio.table(self.fiducials)
        self._last: tuple[LaidTable, Singles] | None = None

    def frame(self, table: LaidTable, *, hand_pose: HandPose | None = None, t: float = 0.0) -> Image:
        """Return the table as the camera sees it at time t (seconds), (height, width, 3) BGR."""
        scene = self._scene(table)
        if hand_pose is not None:
            scene = scene.copy()
            self.studio.reach_in(scene, hand_pose)
        return self.studio.expose(scene, t)

    def corners_px(self, piece: FlatPiece) -> Floats:
        """Return the corners of a piece's face in the frame, from its upper left one clockwise, (4, 2)."""
        return np.asarray(self.studio.pose.project(np.array(piece.pose.corners_mm())), np.float64)

    def visible_shares(self, table: LaidTable, *, hand_pose: HandPose | None = None) -> Mapping[str, float]:
        """Return for each flat piece, by key, the share of its face that the camera sees, 0 to 1.

        What is outside the frame is not seen.
        """
        width, height = self.studio.pose.lens.size_wh
        owner = np.full((height, width), -1, np.int32)
        whole: list[float] = []
        blank = np.zeros((8, 8, 3), np.uint8)
        for number, piece in enumerate(table.flat):
            patch = self.studio.easel.paint(blank, piece.pose, round_mask(8) if piece.is_round else None)
            share = math.pi / 4 if piece.is_round else 1.0
            whole.append(_area(self.corners_px(piece)) * share)
            if patch is not None:
                _claim(owner, patch.x, patch.y, patch.cover, number)
        covers = [one.patch for one in self._standing(table)]
        if hand_pose is not None:
            covers.append(self.studio.drawn(self.studio.arm(hand_pose)))
        for patch in covers:
            if patch is not None:
                _claim(owner, patch.x, patch.y, patch.cover, -1)
        seen = np.bincount(owner[owner >= 0], minlength=len(table.flat))
        return {
            piece.key: min(1.0, float(seen[number]) / max(whole[number], 1.0))
            for number, piece in enumerate(table.flat)
        }

    def _scene(self, table: LaidTable) -> Singles:
        """Return the table before light and lens, kept until something is moved."""
        if self._last is not None and self._last[0] == table:
            return self._last[1]
        self.studio.forget(keep=())
        scene = self._ground.copy()
        for piece in table.flat:
            key = ("flat", piece)
            face = None
            if not self.studio.has_slab(key):
                face = self._artwork.face(piece.face, (piece.width_mm, piece.height_mm))
            self.studio.place_slab(
                scene,
                key,
                face,
                piece.pose,
                side=_CARD_EDGE,
                lowest_mm=min(piece.lowest_mm, piece.top_mm - 0.1),
                is_round=piece.is_round,
            )
        self.studio.stand(scene, self._standing(table))
        self._last = (table, scene)
        return scene

    def _standing(self, table: LaidTable) -> Iterable[StandingBody]:
        return [
            self.studio.standing(
                (one.shape, one.colour, one.width_mm, one.height_mm, one.turn_deg),
                _BODIES[one.shape](one),
                (one.x_mm, one.y_mm, one.lowest_mm),
                one.turn_deg,
            )
            for one in table.solid
        ]


def _claim(
    owner: np.ndarray[tuple[int, ...], np.dtype[np.int32]], x: int, y: int, cover: Singles, number: int
) -> None:
    """Write down who is seen in the pixels that a patch mostly covers."""
    height, width = owner.shape
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + cover.shape[1], width), min(y + cover.shape[0], height)
    if x1 > x0 and y1 > y0:
        region = owner[y0:y1, x0:x1]
        region[cover[y0 - y : y1 - y, x0 - x : x1 - x] > 0.5] = number


def _area(corners: Floats) -> float:
    """Return the area of a polygon, px (shoelace formula)."""
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _disc(piece: SolidPiece) -> Body:
    radius = piece.width_mm / 2
    turns = np.linspace(0, 2 * math.pi, _DISC_SIDES + 1)[:-1]
    outline = [(radius * math.cos(t), radius * math.sin(t)) for t in turns]
    return (slab(outline, 0, piece.height_mm, piece.colour),)


def _meeple(piece: SolidPiece) -> Body:
    """Return a crescent moon that stands on its back, as thick as a finger."""
    width, height = piece.width_mm, piece.height_mm
    parts: list[Part] = []
    for start in np.linspace(math.radians(200), math.radians(-20), 7)[:-1]:
        end = start - math.radians(220) / 6
        one, other = (
            (0.5 * width * math.cos(t), 0.0, 0.5 * height + 0.42 * height * math.sin(-t))
            for t in (start, end)
        )
        parts.append(limb(one, other, 0.14 * height, 0.14 * height, piece.colour))
    return tuple(parts)


def _gem(piece: SolidPiece) -> Body:
    radius, height = piece.width_mm / 2, piece.height_mm
    return lathe([(0, radius * 0.5), (height * 0.45, radius), (height, radius * 0.35)], piece.colour, 7)


def _dragon(piece: SolidPiece) -> Body:
    return dragon(piece.height_mm, piece.width_mm, piece.colour)


_BODIES: Final = {"disc": _disc, "meeple": _meeple, "gem": _gem, "dragon": _dragon}
