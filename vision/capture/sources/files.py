"""Frames from files: folders of images, single images, videos."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration import MOST_PIXELS
from companion import log
from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.storage.strict import read_bytes
from vision.capture.pictures import MOST_BYTES, quietly
from vision.capture.sources.frame import Frame, open_picture

IMAGE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".gif", ".ppm", ".pgm"}
)


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts ``frame_2`` before ``frame_10``."""
    pieces = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(one), one) if one.isdecimal() and one.isascii() else (1, 0, one) for one in pieces)


class ImageFiles:
    """Images from files, in the given order.

    Attributes:
        name: for people.
        skipped: files that could not be used, with the reason; filled while iterating.
    """

    def __init__(self, name: str, paths: Sequence[Path], *, period_s: float = 1 / 15) -> None:
        """Deliver these files as if they had been taken `period_s` seconds apart."""
        self.name = name
        self.skipped: list[tuple[Path, str]] = []
        self._paths = tuple(paths)
        self._period_s = period_s
        self._closed = False

    @classmethod
    def in_folder(cls, folder: Path, *, period_s: float = 1 / 15) -> ImageFiles:
        """Deliver all images of a folder in natural order; raises DeviceError if there are none."""
        try:
            inside = [
                one for one in folder.iterdir() if one.suffix.lower() in IMAGE_SUFFIXES and one.is_file()
            ]
        except OSError as error:
            raise DeviceError(
                f"the folder {folder} cannot be read: {error.strerror}", DeviceFault.NOT_FOUND
            ) from error
        if not inside:
            raise DeviceError(f"the folder {folder} holds no images", DeviceFault.NOT_FOUND)
        return cls(
            folder.name or str(folder),
            sorted(inside, key=lambda one: natural_key(one.name)),
            period_s=period_s,
        )

    def __len__(self) -> int:
        return len(self._paths)

    def frames(self) -> Iterator[Frame]:
        """Yield the images; files that cannot be opened are left out and listed in `skipped`."""
        self.skipped.clear()
        delivered = 0
        for seq, path in enumerate(self._paths):
            if self._closed:
                return
            try:
                packed = read_bytes(path, MOST_BYTES)
                image = open_picture(packed)
            except (OSError, MalformedError) as error:
                self.skipped.append((path, str(error)))
                log.vision.warning("image left out file=%s reason=%s", path.name, error)
                continue
            delivered += 1
            yield Frame(image=image, seq=seq, seen_at_s=seq * self._period_s, name=path.name, packed=packed)
        if not delivered and not self._closed:
            first, reason = self.skipped[0]
            text = f"none of {len(self._paths)} images could be used; {first.name}: {reason}"
            raise DeviceError(text, DeviceFault.UNREADABLE)

    def close(self) -> None:
        """Stop delivering."""
        self._closed = True


class VideoFile:
    """Frames of a video file, with the times written in it."""

    def __init__(self, path: Path) -> None:
        """Open the file; raises DeviceError if it is not a video."""
        self.name = path.name
        self._path = path
        self._closed = False
        if not path.is_file():
            raise DeviceError(f"there is no file {path}", DeviceFault.NOT_FOUND)
        self._open().release()

    def _open(self) -> cv2.VideoCapture:
        with quietly():
            capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            capture.release()
            text = f"{self._path.name} is neither an image nor a video that can be opened"
            raise DeviceError(text, DeviceFault.UNREADABLE)
        width, height = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if width * height > MOST_PIXELS:
            capture.release()
            text = f"the frames of {self._path.name} are too large: {width:g} x {height:g} pixels"
            raise DeviceError(text, DeviceFault.UNREADABLE)
        return capture

    def frames(self) -> Iterator[Frame]:
        """Yield the frames from the start; raises DeviceError if there is not a single one."""
        capture = self._open()
        rate = capture.get(cv2.CAP_PROP_FPS)
        period_s = 1 / rate if 0 < rate < 1000 else 1 / 25
        seq, seen_at_s = 0, 0.0
        try:
            while not self._closed:
                found, image = capture.read()
                if not found or image is None:
                    break
                told_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                # Some files have no time stamps, or decreasing ones.
                seen_at_s = told_s if seq == 0 or told_s > seen_at_s else seen_at_s + period_s
                yield Frame(image=np.asarray(image, np.uint8), seq=seq, seen_at_s=seen_at_s)
                seq += 1
        finally:
            capture.release()
        if seq == 0 and not self._closed:
            raise DeviceError(f"the video {self.name} holds no frame", DeviceFault.UNREADABLE)

    def close(self) -> None:
        """Stop delivering."""
        self._closed = True
