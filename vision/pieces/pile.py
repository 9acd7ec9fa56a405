"""The top of the discard pile: which card lies there, anywhere near the place of the piles in the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.camera_pose import CameraPose
from companion.errors import ProfileError
from companion.table import Place
from companion.table_layout import Rectangle, TableLayout
from vision.arrays import Picture8
from vision.faces.cutting import white_light
from vision.faces.free_faces import FoundFace, FreeReader
from vision.faces.registration import Face
from vision.faces.scene import Plane
from vision.geometry.rectify import Flat

# A pile grows; faces some centimetres above or below this are still found, only they seem nearer or farther.
_PILE_MM = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PileReading:
    """What was seen of the discard pile.

    Attributes:
        found_face: everything that resembles a card, the surest first.
        top: the card on top, None if it is unclear.
    """

    found_face: tuple[FoundFace, ...]
    top: FoundFace | None


class PileReader:
    """Reads the top of the discard pile with learnt faces of cards.

    Attributes:
        place: the pile, as a place.
        flat: the window of the table that is looked at.
    """

    def __init__(self, place: Place, area: Rectangle, faces: Sequence[Face]) -> None:
        self.place = place
        self._free = FreeReader({place: area}, faces, height_mm=_PILE_MM)
        self.flat: Flat = self._free.flats()[place]

    def read(
        self,
        plane: Plane,
        frame: Picture8,
        camera: CameraPose,
        layout: TableLayout,
    ) -> PileReading:
        """Return what lies in the window `plane` of a frame (height, width, 3) with this `camera`.

        What lay there before is ignored: the next card lies in the same place and may look much the same.
        """
        try:
            white = white_light(frame, layout, camera)(plane.flat)
        except ProfileError:
            white = None
        found_face = self._free.find_on(self.place, plane, white, one_suffices=True)
        return PileReading(found_face=tuple(found_face), top=_top(found_face))


def pile_place(layout: TableLayout) -> Place | None:
    """Return the pile on which cards lie face up, None when the layout has none."""
    piles = layout.piles(is_face_up=True)
    return Place(piles[0]) if piles else None


def pile_area(layout: TableLayout) -> Rectangle:
    """Return where the piles lie.

    The other piles show backs, so a face there is the discard pile: some players swap the two. Where tiles
    lie between them, only the discard pile itself is looked at.
    """
    open_ones = [layout.areas[name].around for name in layout.piles(is_face_up=True)]
    closed = [layout.areas[name].around for name in layout.piles(is_face_up=False)]
    whole = _around([*open_ones, *closed])
    return _around(open_ones) if _reaches_tiles(whole, layout) else whole


def _reaches_tiles(area: Rectangle, layout: TableLayout) -> bool:
    """Whether a rectangle reaches over the grid of cells."""
    if not layout.cells:
        return False
    x0, x1, y0, y1 = layout.extent_mm()
    return (
        area.x_mm - area.width_mm / 2 < x1
        and area.x_mm + area.width_mm / 2 > x0
        and area.y_mm - area.height_mm / 2 < y1
        and area.y_mm + area.height_mm / 2 > y0
    )


def _around(zones: Sequence[Rectangle]) -> Rectangle:
    """Return the rectangle around several."""
    left, right = (
        min(one.x_mm - one.width_mm / 2 for one in zones),
        max(one.x_mm + one.width_mm / 2 for one in zones),
    )
    near, far = (
        min(one.y_mm - one.height_mm / 2 for one in zones),
        max(one.y_mm + one.height_mm / 2 for one in zones),
    )
    return Rectangle(
        x_mm=(left + right) / 2, y_mm=(near + far) / 2, width_mm=right - left, height_mm=far - near
    )


def _top(found_face: Sequence[FoundFace]) -> FoundFace | None:
    """Return the one card that nothing covers; of two uncovered cards side by side neither is the top."""
    bare = [one for one in found_face if one.confidence > 0 and one.evidence.is_whole]
    return bare[0] if len(bare) == 1 else None
