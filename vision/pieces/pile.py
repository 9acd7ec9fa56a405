"""The top of the discard pile: which card lies there, anywhere near the place of the piles in the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.camera_pose import CameraPose
from calibration.layout import Rectangle, TableLayout
from companion.errors import ProfileError
from vision.arrays import Picture8
from vision.faces.cutting import white_light
from vision.faces.free_faces import FoundFace, FreeReader
from vision.faces.registration import Face
from vision.faces.scene import Plane
from vision.geometry.rectify import Flat

PLACE = "discard"
# The deck shows backs, so a face there is the discard pile: some players swap the two.
_ZONES = (PLACE, "deck")
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
        flat: the window of the table that is looked at.
    """

    def __init__(self, area: Rectangle, faces: Sequence[Face]) -> None:
        self._free = FreeReader({PLACE: area}, faces, height_mm=_PILE_MM)
        self.flat: Flat = self._free.flats()[PLACE]

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
        found_face = self._free.find_on(PLACE, plane, white, one_suffices=True)
        return PileReading(found_face=tuple(found_face), top=_top(found_face))


def pile_area(layout: TableLayout) -> Rectangle | None:
    """Return where cards lie face up, None if the layout has no place for them."""
    zones = [layout.zones[name] for name in _ZONES if name in layout.zones]
    if PLACE not in layout.zones:
        return None
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
