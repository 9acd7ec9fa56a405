"""Folders, single images and videos as sources."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import DeviceError, DeviceFault
from tests.helpers.logfail import WarningCollector
from vision.capture.sources import ImageFiles, VideoFile, open_source
from vision.capture.sources.files import natural_key


def _image(level: int) -> np.ndarray:
    return np.full((80, 100, 3), level, np.uint8)


def test_images_come_in_natural_order(tmp_path: Path) -> None:
    """``f2`` comes before ``f10``, other files are no images."""
    for number in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), _image(number))
    (tmp_path / "notes.txt").write_text("hello")
    frames = list(open_source(str(tmp_path)).frames())

    assert ["f1.png", "f2.png", "f10.png"] == [frame.name for frame in frames]
    assert [1, 2, 10] == [int(frame.image[0, 0, 0]) for frame in frames]
    assert [0, 1, 2] == [frame.seq for frame in frames]


@given(st.lists(st.integers(0, 10**6), unique=True))
def test_natural_order_is_the_order_of_numbers(numbers: list[int]) -> None:
    """Names that differ by a number alone sort by that number."""
    names = sorted((f"frame_{number}.jpg" for number in numbers), key=natural_key)

    assert [f"frame_{number}.jpg" for number in sorted(numbers)] == names


@given(st.lists(st.text()))
def test_any_names_can_be_sorted(names: list[str]) -> None:
    """No mixture of names makes the order fail."""
    assert len(names) == len(sorted(names, key=natural_key))


def test_bad_files_are_reported_and_left_out(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """One good image among bad ones is delivered, the others are listed with a reason."""
    cv2.imwrite(str(tmp_path / "b.png"), _image(5))
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    (tmp_path / "c.jpg").write_bytes(b"\xff\xd8\xff\xe0torn")
    source = ImageFiles.in_folder(tmp_path)

    assert ["b.png"] == [frame.name for frame in source.frames()]
    assert {"a.jpg": "the file is not a picture", "c.jpg": "the file is incomplete: its end is missing"} == {
        path.name: reason for path, reason in source.skipped
    }
    assert 2 == len(logged_warnings.take())


def test_nothing_usable_is_an_error(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """A folder of nothing but bad images says so."""
    (tmp_path / "a.jpg").write_bytes(b"no picture")

    with pytest.raises(DeviceError, match="none of 1 images"):
        list(ImageFiles.in_folder(tmp_path).frames())
    assert 1 == len(logged_warnings.take())


@pytest.mark.parametrize("words", ["", "there/is/nothing.jpg", "camera:no such camera at all"])
def test_missing_things_are_named(words: str, tmp_path: Path) -> None:
    """A source that does not exist is a DeviceError that says so."""
    with pytest.raises(DeviceError) as caught:
        open_source(words or str(tmp_path))

    assert DeviceFault.NOT_FOUND == caught.value.fault


def test_video_frames_come_in_order_with_times(tmp_path: Path) -> None:
    """All frames of a video come, their times growing by its rate."""
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (100, 80))
    for level in range(0, 240, 20):
        writer.write(_image(level))
    writer.release()
    frames = list(open_source(str(path)).frames())

    assert 12 == len(frames)
    assert np.allclose(np.diff([frame.seen_at_s for frame in frames]), 0.1, atol=0.01)
    assert np.abs(np.array([int(f.image[40, 50, 0]) for f in frames]) - np.arange(0, 240, 20)).max() < 12


def test_a_text_is_no_video(tmp_path: Path) -> None:
    """A file that is neither image nor video is refused when it is opened."""
    path = tmp_path / "clip.mp4"
    path.write_text("not a video")

    with pytest.raises(DeviceError, match="neither"):
        VideoFile(path)


def test_closing_ends_the_frames(tmp_path: Path) -> None:
    """After `close` no further image comes."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), _image(number))
    source = ImageFiles.in_folder(tmp_path)
    frames = source.frames()
    next(frames)
    source.close()

    assert [] == list(frames)
