"""The first stage: the frame redrawn as seen from straight above, and what has changed in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from companion.table import Place
from vision.arrays import Picture8
from vision.capture.image_pyramid import ImagePyramid
from vision.faces.scene import DrawnWindow, Plane
from vision.faces.tiles import Fields
from vision.reading.located import Located


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectified:
    """A frame from above.

    Attributes:
        frame: the frame, (height, width, 3).
        changed: the cells that look different from when they were read; they are read again.
        city: the city's window.
        fields: the edges that tiles are compared by.
        board, pile: these windows if they need to be read now, None if nothing has changed there.
        read: by window, its look when it was last read.
    """

    frame: Picture8
    changed: frozenset[str]
    city: DrawnWindow
    fields: Fields
    board: Plane | None
    pile: Plane | None
    read: dict[str, Picture8] = field(default_factory=dict)


def rectify(
    located: Located,
    pyramid: ImagePyramid,
    before: Rectified | None,
    recognised: Collection[str],
    again: Collection[Place],
) -> Rectified:
    """Return a frame from above, drawn over the previous one.

    Cells whose tile was recognised in that one are redrawn only if they have changed. The cells of the boxes
    in `again`, and the board if one of its boxes is among them, count as changed.
    """
    rig, frame = located.rig, pyramid.times(0)
    places = rig.layout.places
    read = {} if before is None else dict(before.read)
    changed, read["city"] = rig.surveyor.city.changed(pyramid, read.get("city"))
    changed |= {cell for where in again if (cell := places.cell_of_box(where)) is not None}
    unknown = rig.layout.cells.keys() - (set(recognised) - changed)
    city = rig.surveyor.draw_city(frame, None if before is None else before.city, unknown)
    drawn: dict[str, Plane | None] = {"board": None, "pile": None}
    for name, window in (("board", rig.surveyor.board), ("pile", rig.pile)):
        if window is None:
            continue
        new, read[name] = window.changed(pyramid, read.get(name))
        if new or (name == "board" and any(map(places.is_on_board, again))):
            drawn[name] = window.draw(frame).plane
    return Rectified(
        frame=frame,
        changed=changed,
        city=city,
        fields=Fields(city.plane.soft),
        board=drawn["board"],
        pile=drawn["pile"],
        read=read,
    )
