"""Frames of a simulated table on which pieces lie anywhere, moment by moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from companion.i18n import msg
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.capture.sources.frame import Frame
from vision.simulation.arrangement import Arranger, Care, viewpoint_over
from vision.simulation.frames import FRAMES_PER_S
from vision.simulation.free_camera import FreeCamera, LaidTable
from vision.simulation.printed_faces import FaceArtwork
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

_ARM_MM = 480.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCopy:
    """One copy of a game on one table: what lays its pieces and what photographs them."""

    arranger: Arranger
    camera: FreeCamera

    @classmethod
    def of(
        cls,
        layout: TableLayout,
        pieces: PieceSet,
        *,
        seed: int = 0,
        size_wh: tuple[int, int] = (1280, 720),
        viewpoint: Viewpoint | None = None,
        scenery: Scenery | None = None,
        care: Care | None = None,
    ) -> DrawnCopy:
        """Return a copy in random art, the whole table in the camera's view; `seed` decides on all."""
        artwork = FaceArtwork(seed)
        camera = FreeCamera(
            layout.fiducials,
            artwork,
            seed=seed,
            size_wh=size_wh,
            viewpoint=viewpoint or viewpoint_over(layout, size_wh),
            scenery=scenery,
        )
        return cls(arranger=Arranger(layout, pieces, artwork, seed=seed, care=care), camera=camera)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmedTable:
    """The table at one moment.

    Attributes:
        table: what lies there.
        hand_over: the key of the piece that a hand reaches for; empty = the middle; None = no hand.
    """

    table: LaidTable
    hand_over: str | None = None


class FreeFrames:
    """A frame source that films a simulated table; a scene without a hand lasts for `rest_frames` frames."""

    def __init__(
        self,
        camera: FreeCamera,
        scenes: Iterable[FilmedTable],
        *,
        rest_frames: int = 6,
        pace_s: float = 0.0,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Point the camera at the scenes.

        Args:
            camera: draws.
            scenes: in order.
            rest_frames: number of frames for a scene without a hand.
            pace_s: seconds to wait between frames; 0 = as fast as they are taken.
            pause: waits this many seconds.
        """
        self.camera = camera
        self._scenes = iter(scenes)
        self._rest_frames = rest_frames
        self._pace_s = pace_s
        self._pause = pause
        self._seq = 0
        self._is_open = True

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return msg("simulated camera")

    def frames(self) -> Iterator[Frame]:
        """Yield the frames until the scenes end; a second call continues where the first stopped."""
        for scene in self._scenes:
            hand = hand_over(scene)
            for _ in range(1 if hand else self._rest_frames):
                if not self._is_open:
                    return
                seen_at_s = self._seq / FRAMES_PER_S
                image = self.camera.frame(scene.table, hand_pose=hand, t=seen_at_s)
                yield Frame(image=image, seq=self._seq, seen_at_s=seen_at_s)
                self._seq += 1
                if self._pace_s:
                    self._pause(self._pace_s)

    def close(self) -> None:
        """Stop filming."""
        self._is_open = False


def hand_over(scene: FilmedTable) -> HandPose | None:
    """Return the arm of a scene, from the nearer long side of the table; None without a hand."""
    if scene.hand_over is None:
        return None
    places = {one.key: (one.x_mm, one.y_mm) for one in scene.table.flat}
    places |= {one.key: (one.x_mm, one.y_mm) for one in scene.table.solid}
    at = places.get(scene.hand_over, (0.0, 0.0))
    side = 1.0 if at[1] > 0 else -1.0
    return HandPose(tip_mm=at, elbow_mm=(at[0] * 0.6, at[1] + side * _ARM_MM))
