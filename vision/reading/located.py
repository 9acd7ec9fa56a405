"""The camera's pose over the table, and the profile prepared for it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table import Picture
from companion.table_layout import TableLayout
from vision.arrays import Picture8
from vision.faces.locator import Locator, Tracked
from vision.pieces.face_library import FaceLibrary
from vision.reading.rig import Rig


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The table found in a frame.

    Attributes:
        rig: the profile prepared for the camera's pose; while the camera rests, that of the previous frame.
        layout: the table with its fiducials where they were measured last.
    """

    rig: Rig
    layout: TableLayout


def locate(
    locator: Locator,
    library: FaceLibrary,
    frame: Picture8,
    tracked: Tracked,
    expected: Picture,
    before: Rig | None,
) -> tuple[Located | None, Tracked]:
    """Return where the table is in a frame (height, width, 3), None if it is not found; and what is tracked.

    `tracked` is what this returned for the previous frame, `before` the rig of the last located frame.
    """
    camera, now = locator.locate(frame, tracked, expected)
    if camera is None:
        return None, now
    rig = before if before is not None and before.camera is camera else Rig(library, camera)
    return Located(rig=rig, layout=now.layout), now
