"""A profile made ready for one camera pose."""

from __future__ import annotations

from calibration.camera_pose import CameraPose
from companion.table import Place, place
from vision.faces.scene import Surveyor, Window
from vision.geometry.cells import neighbours
from vision.geometry.silhouettes import Silhouettes
from vision.pieces.city_map import CityMapper
from vision.pieces.face_library import FaceLibrary
from vision.pieces.finder import Finder


class Rig:
    """Everything that is computed once for a camera pose and never changes.

    Attributes:
        library: the profile; `layout` its table.
        camera: the pose.
        surveyor: redraws frames; `bodies` is what figures cover in the frames.
        mapper, finder: draw maps of the city and search them.
        pile: the discard pile's window, None if no cards were learnt.
        beside: by cell, itself and its neighbours.
    """

    def __init__(self, library: FaceLibrary, camera: CameraPose) -> None:
        self.library, self.camera, self.layout = library, camera, library.layout
        self.surveyor = Surveyor(self.layout, camera)
        self.bodies = Silhouettes(camera, self.layout, self.surveyor.flat.halved(), library.shapes)
        self.mapper = CityMapper(self.layout, self.surveyor.flat, library.paints)
        self.finder = Finder(self.bodies)
        self.pile = None if library.pile is None else Window(camera, library.pile.flat)
        self.beside = neighbours(self.layout)
        pieces = library.profile.pieces
        self._standing = frozenset(place(one.kind, one.name) for one in pieces if one.kind != "marker")

    def is_standing(self, where: Place) -> bool:
        """Whether a place is that of a figure or dragon."""
        return where in self._standing
