"""A noisy camera is at rest, too; a hand moves before any camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.capture.image_pyramid import ImagePyramid
from vision.capture.motion_gate import MotionGate, News

HEIGHT, WIDTH = 360, 640
# Standard deviation of the noise, levels of 255, and how much the pictures are compressed.
CAMERAS = [(0.0, 100), (2.0, 95), (2.0, 60), (4.0, 90), (4.0, 60), (6.0, 70)]


class Camera:
    """Films a table of patches of colour."""

    def __init__(self, noise: float, quality: int) -> None:
        self._dice = np.random.default_rng(3)
        patches = self._dice.integers(30, 200, (9, 16, 3)).astype(np.uint8)
        self.table = cv2.resize(patches, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
        self._noise, self._quality = noise, quality

    def frame(self, hand_at: int | None = None) -> ImagePyramid:
        """Return the next picture; a hand is so many px from the left."""
        seen = self.table.astype(np.float32)
        if hand_at is not None:
            seen[100:220, hand_at : hand_at + 90] = (130, 160, 210)
        seen += self._dice.normal(0, self._noise, seen.shape)
        coded = cv2.imencode(".jpg", np.clip(seen, 0, 255), [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return ImagePyramid(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8))


def news(gate: MotionGate, frame: ImagePyramid) -> News:
    """Return what a frame brings, and read it if there is anything to read."""
    found = gate.compare(frame)
    if found is News.CHANGED:
        gate.took()
    return found


@pytest.mark.parametrize(("noise", "quality"), CAMERAS)
def test_a_table_at_rest_moves_before_no_camera(noise: float, quality: int) -> None:
    camera, gate = Camera(noise, quality), MotionGate()
    seen = [news(gate, camera.frame()) for _ in range(40)]
    assert seen[0] is News.CHANGED
    assert News.MOTION not in seen[1:]
    assert seen[2:].count(News.NOTHING) >= 36


@pytest.mark.parametrize(("noise", "quality"), CAMERAS)
def test_a_hand_moves_before_every_camera_however_long_it_stays(noise: float, quality: int) -> None:
    camera, gate = Camera(noise, quality), MotionGate()
    for _ in range(5):
        news(gate, camera.frame())
    assert {news(gate, camera.frame(hand_at=10 + 3 * step)) for step in range(150)} == {News.MOTION}
    assert news(gate, camera.frame()) is News.MOTION
    assert news(gate, camera.frame()) is not News.MOTION


@pytest.mark.parametrize(("noise", "quality"), CAMERAS)
def test_what_a_hand_has_laid_down_is_read_though_it_is_small_and_pale(noise: float, quality: int) -> None:
    camera, gate = Camera(noise, quality), MotionGate()
    for _ in range(20):
        news(gate, camera.frame())
    for step in range(6):
        news(gate, camera.frame(hand_at=40 * step))
    laid = camera.table[250:266, 300:316]
    cv2.add(laid, np.full_like(laid, 12), dst=laid)
    news(gate, camera.frame())
    assert news(gate, camera.frame()) is News.CHANGED
    assert news(gate, camera.frame()) is News.NOTHING


def test_pictures_that_a_camera_repeats_make_it_no_more_sensitive_for_long() -> None:
    camera, gate = Camera(4.0, 60), MotionGate()
    seen = []
    for _ in range(60):
        frame = camera.frame()
        seen += [news(gate, frame), news(gate, frame)]
    assert seen[60:].count(News.MOTION) == 0
