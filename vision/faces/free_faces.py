"""Reading free areas: tiles and cards in any place, turned any way, overlapping a little.

The area is redrawn as seen from straight above. Features name the faces and where they are. Each face is then
registered exactly, must agree block by block like the tiles of a grid, and must differ from all other faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.table_layout import Rectangle
from vision.arrays import Image, Singles
from vision.faces.features import FaceFinder
from vision.faces.registration import Face, FineFaces, Match, Pose2D
from vision.faces.rivals import FaceClassifier, FaceEvidence
from vision.faces.scene import PX_PER_MM, Plane, plane_of
from vision.geometry.rectify import Flat

_LEAST_SCORE = 0.5
# Scales at which faces are searched for: small pictures show few features, large ones take long.
_ENLARGE = (1, 2)
# A piece may lie half outside its area.
_MARGIN_MM = 30.0
# Two places closer than this are one.
_SAME_MM = 4.0
# At most this many of the faces registered in one place are classified.
_JUDGED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFace:
    """A piece in a free area.

    Attributes:
        face: its name, for example ``mill/sketch``.
        area: the area's name.
        x_mm, y_mm: its middle on the plane that was searched.
        turn_deg: its rotation since it was learnt, anticlockwise, -180 to 180.
        confidence: probability that it lies there; 0 = there is only something like it.
        evidence: what supports it.
    """

    face: str
    area: str
    x_mm: float
    y_mm: float
    turn_deg: float
    confidence: float
    evidence: FaceEvidence


class FreeReader:
    """Reads free areas; all faces have one size."""

    def __init__(self, areas: Mapping[str, Rectangle], faces: Sequence[Face], *, height_mm: float) -> None:
        """Prepare; `height_mm` is that of the faces above the table."""
        self.areas = dict(areas)
        self._height_mm = height_mm
        self._names = [face.name for face in faces]
        self._finder = FaceFinder(faces, alike=True)
        self._fine = FineFaces(faces)
        self._classifier = FaceClassifier(faces)

    def flats(self) -> dict[str, Flat]:
        """Return the window of every area, with a margin for pieces that lie half outside."""
        return {name: _window(area, self._height_mm) for name, area in self.areas.items()}

    def read(self, frame: Image, camera: CameraPose) -> list[FoundFace]:
        """Return what certainly lies in the areas of a frame (height, width, 3) taken by `camera`."""
        return [
            found_face
            for name, flat in self.flats().items()
            for found_face in self.find_on(name, plane_of(frame, camera, flat))
            if found_face.confidence > 0
        ]

    def find_on(
        self, name: str, plane: Plane, white: Singles | None = None, *, one_suffices: bool = False
    ) -> list[FoundFace]:
        """Return everything that resembles a face in the window of an area, the most certain first.

        Args:
            name: of the area.
            plane: its window.
            white: the light on white paper over the window, (height, width, 3) linear, None if not known.
            one_suffices: stop at the first certain result, which is quicker.
        """
        found: list[FoundFace] = []
        for zoom in _ENLARGE if one_suffices else _ENLARGE[1:]:
            matches = self._fine.register_all(plane.soft, self._starts(plane, zoom))
            for some in _by_place([one for one in matches if one.score > _LEAST_SCORE]):
                best = self._best_of(some, name, plane, white)
                if best.confidence == 0:
                    best = self._best_of(self._all_at(plane, some[0].pose), name, plane, white)
                if _is_inside(best, self.areas[name]) and not any(_is_same(best, one) for one in found):
                    found.append(best)
            if any(one.confidence > 0 for one in found):
                break
        return sorted(found, key=lambda one: (-one.confidence, -one.evidence.score))

    def _all_at(self, plane: Plane, pose: Pose2D) -> list[Match]:
        """Register all faces in one place and return them: features may have suggested the wrong one."""
        starts = [(face, pose) for face in range(len(self._names))]
        return sorted(self._fine.register_all(plane.soft, starts), key=lambda match: -match.score)

    def _best_of(self, matches: Sequence[Match], area: str, plane: Plane, white: Singles | None) -> FoundFace:
        """Return the best of the faces registered in one place, going from rival to rival."""
        by_face = {match.face: match for match in reversed(matches)}
        best, now = None, self._classifier.likeliest(plane, matches, white)
        for _ in range(_JUDGED):
            found_face = self._found_face(by_face.pop(now), area, plane, white)
            if best is None or (found_face.confidence, found_face.evidence.vote) > (
                best.confidence,
                best.evidence.vote,
            ):
                best = found_face
            now = found_face.evidence.rival
            if found_face.evidence.vote > 0.5 or now not in by_face:
                break
        assert best is not None
        return best

    def _starts(self, plane: Plane, zoom: int) -> list[tuple[int, Pose2D]]:
        """Return the faces that features suggest, and their approximate poses."""
        size = (plane.flat.width_px * zoom, plane.flat.height_px * zoom)
        large = plane.picture
        if zoom > 1:
            large = np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        starts = []
        for one in self._finder.find(large):
            x, y = ((at + 0.5) / zoom - 0.5 for at in one.middle_px)
            starts.append((one.face, Pose2D(x_px=x, y_px=y, turn=one.turn)))
        return starts

    def _found_face(self, match: Match, area: str, plane: Plane, white: Singles | None) -> FoundFace:
        evidence = self._classifier.classify(plane, match, white)
        x, y = plane.flat.to_mm(np.array([match.pose.x_px, match.pose.y_px])).tolist()
        # Pixels run down, the table's y runs away.
        turn = -np.degrees(match.pose.turn)
        return FoundFace(
            face=self._names[match.face],
            area=area,
            x_mm=x,
            y_mm=y,
            turn_deg=float((turn + 180) % 360 - 180),
            confidence=evidence.confidence(),
            evidence=evidence,
        )


def _by_place(matches: Sequence[Match]) -> list[list[Match]]:
    """Return the matches grouped by place, the best place first, and in each place the best match first."""
    places: list[list[Match]] = []
    for one in sorted(matches, key=lambda match: -match.score):
        at = one.pose
        off = [np.hypot(some[0].pose.x_px - at.x_px, some[0].pose.y_px - at.y_px) for some in places]
        near = [some for some, px in zip(places, off, strict=True) if px < _SAME_MM * PX_PER_MM]
        if not near:
            places.append([one])
        else:
            near[0].append(one)
    return places


def _window(area: Rectangle, height_mm: float) -> Flat:
    half_x, half_y = area.width_mm / 2 + _MARGIN_MM, area.height_mm / 2 + _MARGIN_MM
    return Flat.around(
        area.x_mm - half_x,
        area.x_mm + half_x,
        area.y_mm - half_y,
        area.y_mm + half_y,
        PX_PER_MM,
        height_mm,
    )


def _is_inside(found_face: FoundFace, area: Rectangle) -> bool:
    """Whether a piece's middle lies in the area: a piece beside it belongs elsewhere."""
    x, y = abs(found_face.x_mm - area.x_mm), abs(found_face.y_mm - area.y_mm)
    return bool(x <= area.width_mm / 2 and y <= area.height_mm / 2)


def _is_same(one: FoundFace, other: FoundFace) -> bool:
    return bool(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < _SAME_MM)
