"""Where frames come from: folders, videos, webcams, phones and IP cameras, recordings."""

from __future__ import annotations

import time
from pathlib import Path

from companion.addresses import plain
from companion.errors import DeviceError, DeviceFault
from companion.ports import Clock
from vision.capture.sources.camera import (
    CameraSettings,
    find_camera,
    list_cameras,
    open_camera,
    open_rtsp,
    parse_settings,
)
from vision.capture.sources.files import IMAGE_SUFFIXES, ImageFiles, VideoFile
from vision.capture.sources.frame import Frame, FrameSource, open_picture, open_picture_file
from vision.capture.sources.http_stream import HttpLink
from vision.capture.sources.live import LiveSource, Patience
from vision.capture.sources.recording import Recording, is_recording

# A connection can be aborted at once, a host name look-up cannot.
_PROMPT = Patience(farewell_s=1.0)

__all__ = [
    "CameraSettings",
    "Frame",
    "FrameSource",
    "ImageFiles",
    "LiveSource",
    "Patience",
    "VideoFile",
    "list_cameras",
    "open_picture",
    "open_picture_file",
    "open_source",
]


def open_source(
    text: str,
    *,
    patience: Patience | None = None,
    clock: Clock = time.monotonic,
) -> FrameSource:
    """Return the source that a text names.

    Args:
        text: a folder of images, a recording, an image or video file, an ``http``, ``https`` or ``rtsp``
            address, ``camera:0``, or ``camera:`` and (part of) a camera's name; settings follow a question
            mark: ``camera:0?size=1280x720&focus=30``, see `parse_settings`.
        patience: time limits of live sources.
        clock: stamps the frames of live sources.

    Raises:
        DeviceError: there is no such source, or the text names none of these; says what to do.
        MalformedError: the camera's settings are not understood.
    """
    kind, _, rest = text.partition(":")
    kind = kind.lower()
    if kind == "camera":
        wanted, _, asked = rest.partition("?")
        settings = parse_settings(asked)
        camera = find_camera(wanted.strip())
        return LiveSource(camera.name, lambda: open_camera(camera, settings), patience=patience, clock=clock)
    if kind in ("http", "https"):
        return LiveSource(plain(text), lambda: HttpLink(text), patience=patience or _PROMPT, clock=clock)
    if kind in ("rtsp", "rtsps"):
        return LiveSource(plain(text), lambda: open_rtsp(text), patience=patience, clock=clock)
    return _open_path(Path(text).expanduser(), plain(text))


def _open_path(path: Path, shown: str) -> FrameSource:
    if path.is_dir():
        return Recording(path) if is_recording(path) else ImageFiles.in_folder(path)
    if not path.exists():
        text = (
            f"there is no file or folder {shown}; for a camera write camera:0, for a phone its http address"
        )
        raise DeviceError(text, DeviceFault.NOT_FOUND)
    if path.suffix.lower() in IMAGE_SUFFIXES:
        return ImageFiles(path.name, [path])
    return VideoFile(path)
