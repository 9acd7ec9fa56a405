"""Webcams: names, settings and faults, with a capture that only pretends."""

from __future__ import annotations

from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import DeviceError, DeviceFault, MalformedError
from vision.capture.sources import CameraSettings, camera
from vision.capture.sources.camera import CameraInfo, CaptureLink, apply_settings, find_camera, parse_settings

_KNOWN = [
    CameraInfo(name="HD Webcam", index=0, backend=200),
    CameraInfo(name="Table Eye 4K", index=2, backend=200),
]


class _Capture:
    """A capture without a device."""

    def __init__(self, reads: list[tuple[bool, np.ndarray | None]] | None = None) -> None:
        self.asked: dict[int, float] = {}
        self._reads = list(reads or [])

    def get(self, number: int) -> float:
        return self.asked.get(number, -1.0)

    def set(self, number: int, value: float) -> bool:
        self.asked[number] = value
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        return self._reads.pop(0) if self._reads else (False, None)

    def release(self) -> None:
        self.asked.clear()


@pytest.fixture
def _plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "list_cameras", lambda: _KNOWN)


@pytest.mark.usefixtures("_plugged")
@pytest.mark.parametrize(
    ("words", "index"), [("0", 0), ("2", 2), ("table eye 4k", 2), ("webcam", 0), ("7", 7)]
)
def test_cameras_are_found_by_number_and_name(words: str, index: int) -> None:
    """A number, a name or a part of it finds the camera."""
    assert index == find_camera(words).index


@pytest.mark.usefixtures("_plugged")
def test_an_unknown_name_lists_the_others() -> None:
    """The refusal names what is plugged in."""
    with pytest.raises(DeviceError, match="2 = Table Eye 4K"):
        find_camera("kinect")


def test_a_missing_camera_is_a_fault() -> None:
    """Opening a camera that is not there says what to check."""
    with pytest.raises(DeviceError, match="plugged in") as caught:
        camera.open_camera(CameraInfo(name="camera 97", index=97, backend=cv2.CAP_ANY), CameraSettings())

    assert DeviceFault.NOT_FOUND == caught.value.fault


def test_settings_are_locked_or_left_to_the_driver() -> None:
    """A fixed exposure switches the automatic off, an open one switches it on."""
    capture = _Capture()
    apply_settings(capture, CameraSettings(size_wh=(1280, 720), exposure=120, white_balance_k=None))

    assert 1280 == capture.asked[cv2.CAP_PROP_FRAME_WIDTH]
    assert (1.0, 120) == (capture.asked[cv2.CAP_PROP_AUTO_EXPOSURE], capture.asked[cv2.CAP_PROP_EXPOSURE])
    assert 1.0 == capture.asked[cv2.CAP_PROP_AUTO_WB]
    assert cv2.CAP_PROP_WB_TEMPERATURE not in capture.asked


def test_settings_stand_behind_the_address() -> None:
    """Any of them, in any order; the others keep what they are."""
    found = parse_settings("focus=30&size=1280x720&exposure=-6.5")

    assert found == CameraSettings(size_wh=(1280, 720), focus=30.0, exposure=-6.5)
    assert parse_settings("fps=15&white=4500") == CameraSettings(fps=15.0, white_balance_k=4500.0)
    assert parse_settings("") == CameraSettings()


@pytest.mark.parametrize("words", ["size=big", "size=0x0", "zoom=3", "focus=", "focus=nan", "exposure", "=1"])
def test_settings_that_are_not_understood_are_named(words: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(MalformedError, match=words):
        parse_settings(f"fps=30&{words}")


@given(st.text(max_size=30))
def test_any_words_are_settings_or_refused(words: str) -> None:
    """Nothing else happens; only words with an `=` set anything."""
    found = CameraSettings()
    with suppress(MalformedError):
        found = parse_settings(words)

    assert "=" in words or CameraSettings() == found


def test_a_missed_frame_is_forgiven_many_are_not() -> None:
    """One empty read is tried again; nothing but empty reads is a pulled cable."""
    image = np.zeros((80, 80, 3), np.uint8)
    link = CaptureLink(_Capture([(False, None), (True, image)]), "camera")

    assert image is link.read()[0]
    with pytest.raises(DeviceError, match="stopped sending"):
        link.read()


def test_properties_leave_out_what_the_driver_does_not_know() -> None:
    """Only what the driver tells is reported."""
    capture = _Capture()
    apply_settings(capture, CameraSettings(size_wh=(1280, 720), fps=None))

    assert {"width": 1280.0, "height": 720.0} == CaptureLink(capture, "camera").properties()
