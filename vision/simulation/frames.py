"""Frames of a simulated table, moment by moment, drawn by the simulated camera."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from companion.i18n import msg
from companion.table import Picture
from vision.capture.sources.frame import Frame
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import HandPose

FRAMES_PER_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmedMoment:
    """The table at one moment.

    Attributes:
        picture: what is there.
        hand_over: the cell that a hand reaches over, None = no hand.
    """

    picture: Picture
    hand_over: str | None = None


class SimulatedFrames:
    """A frame source that films a simulated table; a scene without a hand lasts for `rest_frames` frames."""

    def __init__(
        self,
        camera: SimulatedCamera,
        scenes: Iterable[FilmedMoment],
        *,
        rest_frames: int = 4,
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
            hand = None
            if scene.hand_over is not None:
                hand = HandPose.over(self.camera.layout, scene.hand_over, seat=self._seq % 4)
            for _ in range(1 if hand else self._rest_frames):
                if not self._is_open:
                    return
                seen_at_s = self._seq / FRAMES_PER_S
                image = self.camera.frame(scene.picture, hand_pose=hand, t=seen_at_s)
                yield Frame(image=image, seq=self._seq, seen_at_s=seen_at_s)
                self._seq += 1
                if self._pace_s:
                    self._pause(self._pace_s)

    def close(self) -> None:
        """Stop filming."""
        self._is_open = False
