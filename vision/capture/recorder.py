"""Records what a camera delivers, byte for byte if it arrives compressed; `sources` plays it back."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import cv2

from companion.errors import DeviceError, DeviceFault
from vision.capture.sources.frame import Frame
from vision.capture.sources.recording import INDEX

_SUFFIXES = ((b"\xff\xd8", ".jpg"), (b"\x89PNG", ".png"))


class Recorder:
    """Writes frames into a new folder."""

    def __init__(self, folder: Path) -> None:
        """Begin a recording; raises DeviceError if the folder cannot be made or already holds one."""
        self._folder = folder
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._index = (folder / INDEX).open("x", encoding="utf-8", newline="\n")
        except FileExistsError as error:
            raise DeviceError(f"{folder} already holds a recording", DeviceFault.BUSY) from error
        except OSError as error:
            text = f"{folder} cannot be written: {error.strerror}"
            raise DeviceError(text, DeviceFault.NO_PERMISSION) from error

    def write(self, frame: Frame) -> None:
        """Add one frame; raises DeviceError if the disk is full or gone."""
        packed = frame.packed
        suffix = next((suffix for magic, suffix in _SUFFIXES if packed and packed.startswith(magic)), None)
        if packed is None or suffix is None:
            done, pixels = cv2.imencode(".png", frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            if not done:
                raise DeviceError("a frame cannot be compressed", DeviceFault.UNREADABLE)
            packed, suffix = pixels.tobytes(), ".png"
        name = f"{frame.seq:08d}{suffix}"
        line = {"file": name, "seq": frame.seq, "seen_at_s": frame.seen_at_s, "name": frame.name}
        try:
            with self._lock:
                (self._folder / name).write_bytes(packed)
                self._index.write(json.dumps(line) + "\n")
                self._index.flush()
        except (OSError, ValueError) as error:
            raise DeviceError(f"the recording cannot continue: {error}", DeviceFault.NO_PERMISSION) from error

    def close(self) -> None:
        """End the recording."""
        with self._lock:
            self._index.close()
