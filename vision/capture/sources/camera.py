"""Webcams and RTSP streams, through OpenCV's drivers."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np

from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.i18n import msg
from vision.arrays import Image
from vision.capture.pictures import quietly

OPEN_TIMEOUT_MS = 5000
READ_TIMEOUT_MS = 3000
_MISSES = 5
_SETTINGS = {"fps": "fps", "exposure": "exposure", "focus": "focus", "white": "white_balance_k"}
_BACKENDS = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}
_BACKEND = _BACKENDS.get(sys.platform, cv2.CAP_ANY)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """Settings requested from a camera; None leaves a setting to the driver.

    Attributes:
        size_wh: resolution in px.
        fps: frames a second.
        exposure: fixed, in the driver's own unit; None = automatic.
        focus: fixed, in the driver's own unit; None = automatic.
        white_balance_k: fixed, in kelvin; None = automatic.
    """

    size_wh: tuple[int, int] | None = (1920, 1080)
    fps: float | None = 30.0
    exposure: float | None = None
    focus: float | None = None
    white_balance_k: float | None = None


def parse_settings(text: str) -> CameraSettings:
    """Return the settings that follow the question mark in an address.

    ``size=1280x720&fps=15&exposure=-6&focus=30&white=4500``: any of them, in any order; the others keep the
    defaults of `CameraSettings`. Raises MalformedError naming the setting that is not understood.
    """
    found: dict[str, Any] = {}
    for part in filter(None, text.split("&")):
        key, _, value = part.partition("=")
        try:
            if key == "size":
                width, height = (int(one) for one in value.split("x"))
                if min(width, height) < 1:
                    raise ValueError
                found["size_wh"] = (width, height)
            else:
                number = float(value)
                if not math.isfinite(number):
                    raise ValueError
                found[_SETTINGS[key]] = number
        except (KeyError, ValueError) as error:
            raise MalformedError(
                msg(
                    "unknown camera setting {part}; the settings are size=1920x1080, fps=30, "
                    "exposure=NUMBER, focus=NUMBER and white=KELVIN, joined by &",
                    part=repr(part),
                )
            ) from error
    return CameraSettings(**found)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraInfo:
    """A camera that is plugged in."""

    name: str
    index: int
    backend: int


def list_cameras() -> list[CameraInfo]:
    """Return the cameras that are plugged in, with their product names."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras  # not on every system
    except ImportError:
        return []
    try:
        found = list(enumerate_cameras(_BACKEND))
    except (OSError, RuntimeError, ValueError):
        return []
    return [CameraInfo(name=str(one.name), index=int(one.index), backend=int(one.backend)) for one in found]


def find_camera(wanted: str) -> CameraInfo:
    """Return the camera with this number or (part of a) name; raises DeviceError listing the others."""
    known = list_cameras()
    if wanted.isdecimal():
        number = int(wanted)
        by_number = [one for one in known if one.index == number]
        return (
            by_number[0] if by_number else CameraInfo(name=f"camera {number}", index=number, backend=_BACKEND)
        )
    exact = [one for one in known if one.name.casefold() == wanted.casefold()]
    partly = exact or [one for one in known if wanted.casefold() in one.name.casefold()]
    if partly:
        return partly[0]
    others = ", ".join(f"{one.index} = {one.name}" for one in known) or "none at all"
    raise DeviceError(
        msg("no camera is called {wanted}; plugged in: {others}", wanted=repr(wanted), others=others),
        DeviceFault.NOT_FOUND,
    )


class Capture(Protocol):
    """The part of OpenCV's VideoCapture that is used here."""

    def read(self) -> tuple[bool, Any]:
        """Return whether there is a frame, and the frame."""

    def get(self, number: int, /) -> float:
        """Return a property."""

    def set(self, number: int, value: float, /) -> bool:
        """Set a property."""

    def release(self) -> None:
        """Let go of the device."""


class CaptureLink:
    """An open camera or RTSP stream."""

    def __init__(self, capture: Capture, what: str) -> None:
        """Take over an open capture."""
        self._capture = capture
        self._what = what

    def read(self) -> tuple[Image, bytes | None]:
        """Return the next picture."""
        for _ in range(_MISSES):
            try:
                found, image = self._capture.read()
            except cv2.error as error:
                raise DeviceError(
                    msg("{what}: the driver failed", what=self._what), DeviceFault.UNPLUGGED
                ) from error
            if found and image is not None and image.ndim == 3 and image.size:
                return np.asarray(image, np.uint8), None
        raise DeviceError(
            msg("{what} has stopped sending; is its cable plugged in?", what=self._what),
            DeviceFault.UNPLUGGED,
        )

    def interrupt(self) -> None:
        """Do nothing: releasing the device during a read crashes some drivers; the read times out itself."""

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()

    def properties(self) -> Mapping[str, float]:
        """Return the settings that the driver reports: width, height, fps, exposure, focus, white balance."""
        names = {
            "width": cv2.CAP_PROP_FRAME_WIDTH,
            "height": cv2.CAP_PROP_FRAME_HEIGHT,
            "fps": cv2.CAP_PROP_FPS,
            "exposure": cv2.CAP_PROP_EXPOSURE,
            "focus": cv2.CAP_PROP_FOCUS,
            "white_balance_k": cv2.CAP_PROP_WB_TEMPERATURE,
        }
        told = {name: float(self._capture.get(number)) for name, number in names.items()}
        return {name: value for name, value in told.items() if value not in (-1.0, 0.0)}


def open_camera(camera: CameraInfo, settings: CameraSettings) -> CaptureLink:
    """Open a webcam; raises DeviceError if it is missing or another program holds it."""
    with quietly():
        capture = cv2.VideoCapture(camera.index, camera.backend)
    if not capture.isOpened():
        capture.release()
        text = msg(
            "{name} cannot be opened; is it plugged in, or is another program using it?", name=camera.name
        )
        fault = (
            DeviceFault.BUSY
            if any(one.index == camera.index for one in list_cameras())
            else DeviceFault.NOT_FOUND
        )
        raise DeviceError(text, fault)
    apply_settings(capture, settings)
    return CaptureLink(capture, camera.name)


def open_rtsp(url: str) -> CaptureLink:
    """Open an RTSP stream; raises DeviceError if it does not answer in time."""
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        OPEN_TIMEOUT_MS,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        READ_TIMEOUT_MS,
    ]
    with quietly():
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        capture.release()
        raise DeviceError(msg("the stream does not answer; is the address right?"), DeviceFault.NOT_FOUND)
    return CaptureLink(capture, msg("the stream"))


def apply_settings(capture: Capture, settings: CameraSettings) -> None:
    """Ask the driver for these settings; it ignores those it does not know."""
    # Uncompressed frames do not fit through USB 2 at this size.
    capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    if settings.size_wh is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, float(settings.size_wh[0]))
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, float(settings.size_wh[1]))
    if settings.fps is not None:
        capture.set(cv2.CAP_PROP_FPS, settings.fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)
    exposure = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)
    _lock(capture, *exposure, settings.exposure, manual=1.0, automatic=3.0)
    _lock(capture, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, settings.focus)
    _lock(capture, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE, settings.white_balance_k)


def _lock(
    capture: Capture,
    switch: int,
    control: int,
    value: float | None,
    *,
    manual: float = 0.0,
    automatic: float = 1.0,
) -> None:
    """Fix a control at a value, or hand it to the driver."""
    if value is None:
        capture.set(switch, automatic)
        return
    capture.set(switch, manual)
    capture.set(control, value)
