"""Recordings play back what was recorded."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError
from vision.capture.recorder import Recorder
from vision.capture.sources import Frame, ImageFiles, open_source
from vision.capture.sources.frame import FrameSource
from vision.capture.sources.recording import INDEX, Recording


def _frames() -> list[Frame]:
    rng = np.random.default_rng(2)
    images = [rng.integers(0, 255, (70, 90, 3), np.uint8) for _ in range(4)]
    packed = cv2.imencode(".jpg", images[0])[1].tobytes()
    opened = np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    first = Frame(image=opened, seq=3, seen_at_s=1.5, packed=packed, name="a.jpg")
    return [first, *(Frame(image=one, seq=9 + i, seen_at_s=2.0 + i / 3) for i, one in enumerate(images[1:]))]


def _record(folder: Path) -> list[Frame]:
    recorder, frames = Recorder(folder), _frames()
    for frame in frames:
        recorder.write(frame)
    recorder.close()
    return frames


def _record_again(source: FrameSource, folder: Path) -> int:
    """Record all that a source delivers; return how many frames that were."""
    recorder, count = Recorder(folder), 0
    for frame in source.frames():
        recorder.write(frame)
        count += 1
    source.close()
    recorder.close()
    return count


def test_playing_back_is_identical(tmp_path: Path) -> None:
    """Pictures, numbers, times and packed bytes are the same again."""
    frames = _record(tmp_path / "r")
    again = list(open_source(str(tmp_path / "r")).frames())

    assert len(frames) == len(again)
    for one, two in zip(frames, again, strict=True):
        assert np.array_equal(one.image, two.image)
        assert (one.seq, one.seen_at_s, one.name) == (two.seq, two.seen_at_s, two.name)
    assert frames[0].packed == again[0].packed


def test_a_recording_of_a_recording_is_the_same(tmp_path: Path) -> None:
    """Recording what is played back gives the same files."""
    _record(tmp_path / "a")
    assert 4 == _record_again(Recording(tmp_path / "a"), tmp_path / "b")

    files = [{one.name: one.read_bytes() for one in (tmp_path / name).iterdir()} for name in ("a", "b")]
    assert files[0] == files[1]


def test_a_cut_recording_plays_what_is_whole(tmp_path: Path) -> None:
    """After a crash in the middle of a line the frames before it are still there."""
    _record(tmp_path / "r")
    index = tmp_path / "r" / INDEX
    index.write_text(index.read_text()[:-20])

    assert 3 == len(list(Recording(tmp_path / "r").frames()))


@pytest.mark.parametrize(
    "line", ["nonsense", "[]", '{"file": "../x.png", "seq": 1, "seen_at_s": 0, "name": ""}']
)
def test_a_broken_index_is_refused(tmp_path: Path, line: str) -> None:
    """A line that is no entry, or that leads out of the folder, is named."""
    _record(tmp_path / "r")
    index = tmp_path / "r" / INDEX
    index.write_text(line + "\n" + index.read_text())

    with pytest.raises(DeviceError, match="line 1 is broken"):
        Recording(tmp_path / "r")


def test_a_recording_is_never_overwritten(tmp_path: Path) -> None:
    """A second recording into the same folder is refused."""
    _record(tmp_path / "r")

    with pytest.raises(DeviceError, match="already holds"):
        Recorder(tmp_path / "r")


def test_a_folder_of_images_is_recorded_byte_for_byte(tmp_path: Path) -> None:
    """Images from files keep their very bytes."""
    (tmp_path / "in").mkdir()
    cv2.imwrite(str(tmp_path / "in" / "1.jpg"), _frames()[1].image)
    assert 1 == _record_again(ImageFiles.in_folder(tmp_path / "in"), tmp_path / "out")

    assert (tmp_path / "in" / "1.jpg").read_bytes() == (tmp_path / "out" / "00000000.jpg").read_bytes()
