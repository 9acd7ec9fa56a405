"""All that one reading of a frame finds, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import numpy as np

from calibration.camera_pose import CameraPose
from companion.observation import Sighting
from companion.table import Picture, Place, Value, parts_of
from vision.faces.registration import Match
from vision.faces.residuals import Residual
from vision.faces.scene import Plane
from vision.pieces.board import BoardReading
from vision.pieces.city_map import CityMap
from vision.pieces.classifier import is_exactly_there
from vision.pieces.figures import Paint, Standing
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker
from vision.pieces.occluders import Cover
from vision.pieces.patches import Patches, Spot
from vision.pieces.pile import PileReading
from vision.pieces.print_visibility import print_visibility

Claims: TypeAlias = dict[Place, Sighting]


class Proof(Enum):
    """What speaks for a tile that lies nowhere else, where figures cover most of it."""

    ELIMINATION = "it lies nowhere else"
    EXPECTED = "the game expects it"
    MARKERS = "markers lie on its boxes"


@dataclass(slots=True, kw_only=True)
class Findings:
    """All steps of one reading, for the diagnostic view.

    Attributes:
        camera: the camera, None when the table was not found.
        expected: what the game predicts.
        changed: the cells that look otherwise than when they were read, and are read now; `undrawn`: of
            these, those not yet drawn on the map.
        plane: the city from above.
        tone: the power of the camera's tone curve, taken out of the plane's picture.
        matches: candidates of every cell, best first.
        residuals: the cells whose tile is sure enough to look closer.
        eliminated: of these, the cells whose tile was told by what lies elsewhere, and what speaks for it.
        proving: boxes with the markers that tell such a tile.
        city: the cells put together.
        patches: the patches of the players' colours there, once somebody has asked for them.
        standing: figures and dragons by kind and name.
        through: how much of the tiles' print is seen on them, where that was asked for.
        mimicked: names of figures for which markers in a row were taken: there they may stand all the same.
        doubted: figures, by name, that may stand where markers of their colour seem to be.
        cover: what hides the city.
        boxes: looks of all boxes, and `spots` where they are.
        board: the board with boxes; `board_plane` is its picture as long as that is still to be read.
        pile: the discard pile.
    """

    camera: CameraPose | None = None
    expected: Picture = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    undrawn: frozenset[str] = frozenset()
    plane: Plane | None = None
    tone: float = 1.0
    matches: dict[str, list[Match]] = field(default_factory=dict)
    residuals: dict[str, tuple[int, Residual]] = field(default_factory=dict)
    eliminated: dict[str, Proof] = field(default_factory=dict)
    proving: set[Place] = field(default_factory=set)
    city: CityMap | None = None
    patches: Patches | None = None
    standing: dict[str, Standing] = field(default_factory=dict)
    through: dict[int, tuple[Standing, float]] = field(default_factory=dict)
    mimicked: set[str] = field(default_factory=set)
    doubted: dict[str, Standing] = field(default_factory=dict)
    cover: Cover | None = None
    boxes: dict[Place, BoxFeatures] = field(default_factory=dict)
    spots: dict[Place, BoxPlace] = field(default_factory=dict)
    board: BoardReading | None = None
    board_plane: Plane | None = None
    pile: PileReading | None = None

    def keep(self, before: Findings | None) -> None:
        """Take over what was found before in cells that have not changed."""
        self.undrawn = self.changed
        if before is None:
            return
        self.board = before.board
        self.pile = before.pile
        self.matches = {cell: one for cell, one in before.matches.items() if cell not in self.changed}
        self.residuals = {cell: one for cell, one in before.residuals.items() if cell not in self.changed}
        self.eliminated = {cell: one for cell, one in before.eliminated.items() if cell not in self.changed}
        self.proving = {at for at in before.proving if parts_of(at)[0] not in self.changed}
        self.boxes = {at: one for at, one in before.boxes.items() if parts_of(at)[0] not in self.changed}
        self.spots = {at: before.spots[at] for at in self.boxes}

    def drop(self, cell: str) -> None:
        """Forget what lies on a cell."""
        del self.residuals[cell]
        self.eliminated.pop(cell, None)
        for where in [at for at in self.boxes if parts_of(at)[0] == cell]:
            del self.boxes[where], self.spots[where]
            self.proving.discard(where)

    def spot(self, where: Place) -> Spot:
        """Return the face that a box is on, and where it is there."""
        return self.residuals[parts_of(where)[0]][1], self.spots[where]

    def markers_of(self, label: int) -> list[tuple[Place, Marker]]:
        """Return what is taken for markers of one colour, by the boxes that they are counted for."""
        seen = ((where, box.marker) for where, box in self.boxes.items())
        return [(where, marker) for where, marker in seen if marker is not None and marker.label == label]

    def is_on_markers(self, paint: Paint, standing: Standing) -> bool:
        """Whether there may be markers of a figure's own colour where it is seen."""
        return any(self.reaches(standing, *one) for one in self.markers_of(paint.label))

    def is_pair_of_markers(self, paint: Paint, standing: Standing) -> bool:
        """Whether a figure is seen where two boxes may have markers of its colour, exactly on them."""
        exact = [
            one
            for one in self.markers_of(paint.label)
            if is_exactly_there(self.boxes[one[0]]) and self.reaches(standing, *one)
        ]
        return len(exact) > 1

    def may_be_figure(self, where: Place, marker: Marker, figure: Place) -> bool:
        """Whether what is taken for a box's marker may be a part of a figure."""
        standing = self.standing.get(figure)
        return standing is not None and self.reaches(standing, where, marker)

    def reaches(self, standing: Standing, where: Place, marker: Marker) -> bool:
        """Whether what is taken for a marker may be a part of a figure where that is said to stand."""
        found, _ = self.spot(where)
        x, y = (found.pose.matrix(found.known.shape) @ np.array([*marker.middle, 1.0]) / 2).tolist()
        return standing.may_reach((x, y))

    def print_visibility(self, standing: Standing) -> float:
        """Return how much of the tiles' print is seen on a piece where it is said to stand, -1 to 1."""
        known = self.through.get(id(standing))
        if known is None:
            faces = (found for _, found in self.residuals.values())
            # It is kept with the piece, so that no other one gets its number.
            known = self.through[id(standing)] = standing, print_visibility(standing.outline, faces)
        return known[1]

    def patches_of(self, owners: int) -> Patches:
        """Return the patches of the players' colours on the city; the first labels are those of owners."""
        assert self.city is not None
        if self.patches is None:
            self.patches = Patches(self.city, {where: self.spot(where) for where in self.boxes}, owners)
        return self.patches


def claim(claims: Claims, where: Place, value: Value, confidence: float) -> None:
    """Claim that something lies somewhere."""
    claims[where] = Sighting(place=where, value=value, confidence=confidence)
