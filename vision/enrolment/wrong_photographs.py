"""Whether the photographs of an enrolment show what they should, checked before anything is learnt from them.

How this copy of the game is printed is not known yet, so photographs are compared with each other and
with what all sets of tiles have in common: squares of one size on a grid, each with the same print wherever
it is seen. The motif on a tile, its brightness and its colours do not matter here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from companion.errors import ProfileError
from companion.i18n import msg
from companion.names import cells_text
from companion.table import Picture, kind_of, parts_of
from companion.table_layout import TableLayout
from vision.arrays import Bools, Picture8, Singles
from vision.enrolment.photograph_names import BUILT, EMPTY, NAMES, PIECES, SKETCH, photograph_name
from vision.faces.cutting import camera_pose_of, cut_face, register_outlines, white_light
from vision.faces.registration import Face, FineFaces, Match, Pose2D
from vision.faces.residuals import Pattern, Residual
from vision.faces.scene import PX_PER_MM, Plane, Surveyor
from vision.faces.squares import outline
from vision.faces.table_frame import Photograph, measured
from vision.faces.tiles import Sought, TileLibrary
from vision.geometry.rectify import lean
from vision.pieces.face_library import face_shape

# How often an outline in a cell is clearer than one between cells: tiles make it always so, an even table
# half the time give or take a tenth (21 outlines against 15), a patterned one more often than that.
_ARE_TILES = 0.86
# An outline so much less clear than most of the photograph is covered along a side and a half of four.
_COVERED = 0.7
# Of the same print seen twice less than this share is strange; of two prints, however alike, thrice that.
_SAME = 0.06
# So far around its place an outline is looked for, px: a tile may be a little off its cell.
_NEAR_PX = 5
# When a photograph is taken again the others need not be looked at again.
_KEPT = 8
# Where no larger a share of the cells is wrong the others are learnt.
_FEW = 0.25
# At its rim a face may show the table; px.
_RIM_PX = 10
# Thinner than this is noise at an edge, px; less than half a marker is no piece.
_THIN_PX = 5
_HALF = 0.5
# Where so much of what is strange is only brighter, or only darker, it may be a mirrored lamp or a shadow;
# then the print agrees so well in its detail, finer than so many px. Where a piece stands it hardly does.
_ONLY_LIGHT, _SHOWS, _AROUND_PX = 0.8, 0.65, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is wrong with a photograph.

    Attributes:
        photograph: its name.
        text: which photograph, what is wrong, where, and what to do.
        cells: the places that do not serve; empty when the photograph as a whole does not.
        faces: the sides of tiles that must not be learnt: photograph and cell of each.
    """

    photograph: str
    text: str
    cells: tuple[str, ...] = ()
    faces: tuple[tuple[str, str], ...] = ()


class PhotographCheck:
    """Looks at the photographs of one enrolment, one after the other; what was seen last is kept."""

    def __init__(self, layout: TableLayout) -> None:
        """Begin with what should lie on the table; its sizes, and where its codes lie, are measured."""
        self._usual = layout
        self._layout = layout
        self._least_mm2 = _HALF * layout.pieces.marker_edge_mm**2
        self._by: list[Picture8] = []
        self._shots: dict[str, _Shot] = {}
        self._seen: list[_Shot] = []

    def check(self, photographs: Mapping[str, Picture8], shown: Picture | None = None) -> None:
        """Look at the last of some photographs, in the order of `NAMES`; those before it count as right.

        `shown` is the picture of what should lie on the photograph of the pieces, None = nobody knows.
        Raises ProfileError in words: which photograph is wrong, where, and what to do.
        """
        for fault in self.faults(photographs, shown):
            raise ProfileError(fault.text)

    def faults(self, photographs: Mapping[str, Picture8], shown: Picture | None = None) -> Iterator[Fault]:
        """Yield all that is wrong with the last of some photographs, as `check` looks at them."""
        names = [name for name in NAMES if name in photographs]
        newest = names[-1]
        twice = _given_twice(photographs, newest)
        if twice is not None:
            yield twice
            return
        if newest == EMPTY:
            yield from self._check_empty(photographs[EMPTY])
            return
        self._measure(photographs)
        self._shots = {name: self._kept_shot(name, photographs[name]) for name in names}
        now = list(self._shots.values())
        self._seen = [*(one for one in self._seen if all(one is not other for other in now)), *now][-_KEPT:]
        if newest == SKETCH and EMPTY in names:
            yield from self._check_empty_again(self._shots[EMPTY])
        yield from self._check_tiles(newest, self._shots.get(EMPTY))
        if newest == BUILT and SKETCH in names:
            yield from self._check_turned()
        if newest == PIECES and shown is not None and {SKETCH, BUILT} <= set(names):
            yield from self._check_pieces(shown)

    def _measure(self, photographs: Mapping[str, Picture8]) -> None:
        """Measure where codes and city lie by the first photographs with tiles, for those after them, too."""
        sides = {name: photographs[name] for name in (SKETCH, BUILT) if name in photographs}
        cities = sides or {name: one for name, one in photographs.items() if name != EMPTY}
        by = list(cities.values())
        if len(by) == len(self._by) and all(a is b for a, b in zip(by, self._by, strict=True)):
            return
        self._by, self._seen = [], []
        some = [
            Photograph(frame=frame, what=photograph_name(name), shows_city=name in cities)
            for name, frame in photographs.items()
            if name in cities or name == EMPTY
        ]
        self._layout = measured(some, self._usual, any_size=True)
        self._by = by

    @property
    def sized(self) -> TableLayout:
        """What should lie on the table, with the sizes that were measured as soon as tiles were seen."""
        return self._layout if self._by else self._usual

    @property
    def empty(self) -> Picture8 | None:
        """The photograph of the empty table, if there was one among those checked last."""
        return self._shots[EMPTY].frame if EMPTY in self._shots else None

    def _kept_shot(self, name: str, frame: Picture8) -> _Shot:
        seen = next((one for one in self._seen if one.frame is frame), None)
        return seen or _shot_of(frame, self._layout, photograph_name(name))

    def _check_empty(self, frame: Picture8) -> Iterator[Fault]:
        """Refuse an empty table with a city on it."""
        # That its codes suffice is asked first: a city is not missed on the empty table.
        measured([Photograph(frame=frame, what=photograph_name(EMPTY), shows_city=False)], self._usual)
        try:
            layout = measured([Photograph(frame=frame, what=photograph_name(EMPTY))], self._usual)
        except ProfileError:
            return
        if _shot_of(frame, layout, photograph_name(EMPTY)).are_plainly_tiles:
            yield Fault(
                photograph=EMPTY,
                text=msg(
                    "{what} shows tiles; take them all off the table and take it again",
                    what=photograph_name(EMPTY),
                ),
            )

    def _check_empty_again(self, empty: _Shot) -> Iterator[Fault]:
        """Refuse tiles on the empty table once it is known where they lie."""
        if empty.are_plainly_tiles:
            yield Fault(
                photograph=EMPTY,
                text=msg(
                    "{what} shows tiles: start again with no tiles on the table",
                    what=photograph_name(EMPTY),
                ),
            )

    def _check_tiles(self, name: str, empty: _Shot | None) -> Iterator[Fault]:
        """Refuse a photograph without tiles, with some missing, or with something over them."""
        shot = self._shots[name]
        if not shot.are_tiles:
            yield Fault(
                photograph=name,
                text=msg(
                    "{what} shows no tiles in their places: lay them all out in the middle between the "
                    "codes and take it again",
                    what=photograph_name(name),
                ),
            )
            return
        bare = [] if empty is None else [cell for cell in shot.poses if _is_bare(cell, empty, shot)]
        if bare:
            yield Fault(
                photograph=name,
                cells=tuple(bare),
                faces=_faces_of(name, bare),
                text=msg(
                    "{what} looks like the empty table where a tile should be: {where}. Put a tile there; "
                    "if there was one there in the photograph of the empty table, start again",
                    what=photograph_name(name),
                    where=self._where(bare),
                ),
            )
        if shot.covered:
            yield Fault(
                photograph=name,
                cells=tuple(shot.covered),
                faces=_faces_of(name, shot.covered),
                text=msg(
                    "{what} does not show all the tiles: {where}. Take away hands and anything else that "
                    "covers them, and take it again",
                    what=photograph_name(name),
                    where=self._where(shot.covered),
                ),
            )

    def _check_turned(self) -> Iterator[Fault]:
        """Refuse built sides that are the sketch sides once more."""
        shot = self._shots[BUILT]
        seen = _recognise(self._shots[SKETCH].faces.values(), shot)
        same = [cell for cell, (_, found) in seen.items() if _is_same(found)]
        if len(same) == len(seen):
            yield Fault(
                photograph=BUILT,
                text=msg(
                    "{what} shows the same sides as {other}: turn every tile over and take it again",
                    what=photograph_name(BUILT),
                    other=photograph_name(SKETCH),
                ),
            )
            return
        if same:
            yield Fault(
                photograph=BUILT,
                cells=tuple(same),
                faces=(*_faces_of(SKETCH, same), *_faces_of(BUILT, same)),
                text=msg(
                    "{what} shows some of the same sides as {other}: {where}. Every tile must show its "
                    "sketch side in one and its built side in the other: turn these over and take it "
                    "again; if they were wrong before, start again",
                    what=photograph_name(BUILT),
                    other=photograph_name(SKETCH),
                    where=self._where(same),
                ),
            )

    def _check_pieces(self, shown: Picture) -> Iterator[Fault]:
        """Refuse a photograph of pieces with tiles on other sides, without pieces or with some elsewhere."""
        expected = {
            parts_of(where)[0]: value.partition("/")[2]
            for where, value in shown.items()
            if kind_of(where) == "cell" and value is not None
        }
        faces = [*self._shots[SKETCH].faces.values(), *self._shots[BUILT].faces.values()]
        found = _recognise(faces, self._shots[PIECES])
        places = {cell: found[cell][1] for cell in found if cell in expected}
        sides = {
            cell: SKETCH if 2 * found[cell][0] < len(faces) else BUILT
            for cell, one in places.items()
            if _is_same(one)
        }
        wrong = [cell for cell, side in sides.items() if side != expected[cell]]
        if len(wrong) > 1 and len(wrong) == len(sides):
            yield Fault(
                photograph=PIECES,
                text=msg(
                    "{one} shows the built sides and {other} the sketch sides: start again with these two "
                    "the other way round",
                    one=photograph_name(SKETCH),
                    other=photograph_name(BUILT),
                ),
            )
            return
        yield from self._check_held(places, wrong, shown, expected)

    def _check_held(
        self,
        places: Mapping[str, Residual],
        wrong: Collection[str],
        shown: Picture,
        expected: Mapping[str, str],
    ) -> Iterator[Fault]:
        """Refuse missing pieces, tiles with the wrong side up, and pieces where none should be."""
        marked, stands = _holding(shown)
        held = [cell for cell in places if cell in marked | stands]
        bare = [cell for cell in held if _piece_mm2(places[cell]) < self._least_mm2]
        if bare and len(bare) == len(held):
            yield Fault(
                photograph=PIECES,
                text=msg(
                    "{what} shows no pieces: put them on the tiles as shown and take it again",
                    what=photograph_name(PIECES),
                ),
            )
            return
        if wrong:
            yield Fault(
                photograph=PIECES,
                cells=tuple(wrong),
                text=msg(
                    "{what} shows tiles with the wrong side up: {where}. Turn them over and take it again",
                    what=photograph_name(PIECES),
                    where=self._where(wrong),
                ),
            )
        if bare:
            yield Fault(
                photograph=PIECES,
                cells=tuple(bare),
                text=msg(
                    "{what} shows no piece where one should be: {where}. Put the pieces there and take it "
                    "again",
                    what=photograph_name(PIECES),
                    where=self._where(bare),
                ),
            )
        free = {cell: one for cell, one in places.items() if cell not in held}
        yield from self._check_free(free, stands, expected)

    def _check_free(
        self, places: Mapping[str, Residual], stands: Collection[str], expected: Mapping[str, str]
    ) -> Iterator[Fault]:
        """Refuse something where nothing should be, in this photograph or in that of the tile's side."""
        shot, layout = self._shots[PIECES], self._layout
        free = [cell for cell in places if not _is_behind(cell, stands, shot, layout)]
        some = [cell for cell in free if _piece_mm2(places[cell], but_light=True) >= self._least_mm2]
        if some:
            yield Fault(
                photograph=PIECES,
                cells=tuple(some),
                faces=tuple((expected[cell], cell) for cell in some),
                text=msg(
                    "{where}: the tile looks different in {what} from in {other} or {third}. Something is "
                    "on it in one of them, or a hand covers it: take it away and take the photograph again",
                    what=photograph_name(PIECES),
                    other=photograph_name(SKETCH),
                    third=photograph_name(BUILT),
                    where=self._where(some),
                ),
            )

    def _where(self, cells: Collection[str]) -> str:
        return cells_text([cell for cell in self._layout.cells if cell in cells], self._layout.cells)


@dataclass(frozen=True)
class _Shot:
    """One photograph, looked at as far as it is asked.

    Attributes:
        frame: (height, width, 3) uint8.
        camera: the camera over the table.
        plane: the city in it, and `white` the light on white paper there.
    """

    frame: Picture8
    layout: TableLayout
    camera: CameraPose
    plane: Plane
    white: Singles

    @cached_property
    def poses(self) -> dict[str, Pose2D]:
        """How the tile on each cell lies, if there are tiles."""
        return register_outlines(self.plane, self.layout)

    @cached_property
    def _places(self) -> NDArray[np.float64]:
        """Their middles (N, 2), px."""
        return np.array([(one.x_px, one.y_px) for one in self.poses.values()])

    @cached_property
    def _clear(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How clear outlines are in the cells and between them."""
        middles = np.array(list(self.layout.cells.values()))
        # The city as a whole may be off its place.
        shift = np.median(self._places - self.plane.flat.to_px(middles), axis=0)
        inside = _outlines(self.plane, self.layout, self.plane.flat.to_px(middles) + shift)
        between = _outlines(self.plane, self.layout, self.plane.flat.to_px(_between(self.layout)) + shift)
        return inside, between

    @property
    def are_tiles(self) -> bool:
        """Whether tiles may lie in the cells: outlines there are clearer than between them."""
        inside, between = self._clear
        return float((inside[:, None] > between).mean()) > _ARE_TILES

    @property
    def are_plainly_tiles(self) -> bool:
        """Whether every outline in a cell is clearer than any between; on a patterned table most may be."""
        inside, between = self._clear
        return bool(inside.min() > between.max())

    @cached_property
    def covered(self) -> list[str]:
        """The cells where a tile's outline is not seen along its sides as the others' are."""
        clear = _outlines(self.plane, self.layout, self._places)
        least = _COVERED * float(np.median(clear))
        return [cell for cell, one in zip(self.poses, clear, strict=True) if one < least]

    @cached_property
    def faces(self) -> dict[str, Face]:
        """The tiles by cell, as they lie."""
        return {cell: self.cut(cell, pose) for cell, pose in self.poses.items()}

    def cut(self, name: str, pose: Pose2D) -> Face:
        """Return what is seen of a tile that lies so, whether or not there is one."""
        edge_mm = self.layout.tile_edge_mm
        return cut_face(self.plane, self.white, pose, face_shape(edge_mm, edge_mm), name)


def _shot_of(frame: Picture8, layout: TableLayout, name: str) -> _Shot:
    """Look at a photograph; raises ProfileError if the fiducials do not suffice."""
    camera = camera_pose_of(frame, layout, name)
    plane = Surveyor(layout, camera).draw_city(frame).plane
    white = white_light(frame, layout, camera)(plane.flat)
    return _Shot(frame=frame, layout=layout, camera=camera, plane=plane, white=white)


def _outlines(plane: Plane, layout: TableLayout, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how clear the outline of a tile is near each of some places (N, 2), px, 0 to 1."""
    edge = layout.tile_edge_mm * PX_PER_MM
    return np.array([outline(plane.picture, (x, y), (edge, edge), _NEAR_PX)[1] for x, y in places])


def _between(layout: TableLayout) -> NDArray[np.float64]:
    """Return the places (N, 2) mm where the corners of four cells of the grid meet."""
    middles = np.array(list(layout.cells.values()))
    shifted = middles + layout.pitch_mm / 2
    return np.asarray(shifted[(shifted < middles.max(axis=0)).all(axis=1)], np.float64)


def _is_bare(cell: str, empty: _Shot, shot: _Shot) -> bool:
    """Whether the place of a tile looks as it does on the empty table."""
    pose = shot.poses[cell]
    face = empty.cut(cell, pose)
    match = FineFaces([face]).register(shot.plane.soft, 0, pose)
    return _is_same(Pattern(face).residual(shot.plane.picture, shot.plane.blind, match))


def _recognise(faces: Iterable[Face], shot: _Shot) -> dict[str, tuple[int, Residual]]:
    """Return for every cell of a photograph the number of the face seen best there, and how it is seen."""
    library = TileLibrary(list(faces))
    patterns: dict[int, Pattern] = {}
    places = [Sought(middle=(pose.x_px, pose.y_px)) for pose in shot.poses.values()]
    seen = {}
    for cell, matches in zip(shot.poses, library.recognise_all(shot.plane.fields(), places), strict=True):
        best: Match = matches[0]
        pattern = patterns.setdefault(best.face, Pattern(library.faces[best.face]))
        seen[cell] = best.face, pattern.residual(shot.plane.picture, shot.plane.blind, best)
    return seen


def _within(found: Residual) -> Bools:
    """Return what of a face can be judged: all but its rim and what is burnt out."""
    inside = np.zeros_like(found.blind)
    inside[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = True
    return np.asarray(inside & ~found.blind, np.bool_)


def _is_same(found: Residual) -> bool:
    """Whether a place shows the very face it was compared with, and nothing else."""
    within = _within(found)
    count = int(within.sum())
    return 4 * count > within.size and float((found.strange & within).sum()) < _SAME * count


def _piece_mm2(found: Residual, *, but_light: bool = False) -> float:
    """Return how large the largest strange patch on a face is, mm²; `but_light`: no lamps, no shadows."""
    strange = (found.strange & _within(found)).astype(np.uint8)
    opened = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((_THIN_PX, _THIN_PX), np.uint8))
    count, patches, sizes, _ = cv2.connectedComponentsWithStats(opened)
    areas = [
        float(sizes[number, cv2.CC_STAT_AREA])
        for number in range(1, count)
        if not (but_light and _is_light(found, patches == number))
    ]
    return max(areas, default=0.0) / PX_PER_MM**2


def _is_light(found: Residual, patch: Bools) -> bool:
    """Whether a strange patch is light or shadow on the print, which shows through, and nothing upon it."""
    if max(float(found.brighter[patch].mean()), float(found.darker[patch].mean())) < _ONLY_LIGHT:
        return False
    seen, known = (_detail(picture)[patch] for picture in (found.colours, found.known))
    spread = float(seen.std() * known.std())
    return spread > 0 and float(((seen - seen.mean()) * (known - known.mean())).mean()) > _SHOWS * spread


def _detail(picture: Singles) -> Singles:
    """Return how much brighter each pixel is than what is around it."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(gray - cv2.blur(gray, (_AROUND_PX, _AROUND_PX)), np.float32)


def _holding(shown: Picture) -> tuple[set[str], set[str]]:
    """Return the cells that hold a piece, and those of them where one stands."""
    marked = {
        parts_of(where)[0] for where, owner in shown.items() if kind_of(where) == "box" and owner is not None
    }
    stands = {
        cell for where, cell in shown.items() if kind_of(where) in ("figure", "dragon") and cell is not None
    }
    return marked | stands, stands


def _is_behind(cell: str, others: Collection[str], shot: _Shot, layout: TableLayout) -> bool:
    """Whether what stands on one of some other cells may be seen in front of a cell."""
    floor_mm, edge_mm = layout.pieces.tile_thickness_mm, layout.tile_edge_mm
    tallest_mm = max(layout.pieces.figure_height_mm, layout.pieces.dragon_height_mm)
    at = np.array(layout.cells[cell])
    feet = np.array([layout.cells[other] for other in others if other in layout.cells]).reshape(-1, 2)
    heads = lean(shot.camera, feet, floor_mm + tallest_mm, floor_mm)
    return bool((np.abs(heads - at) < edge_mm).all(axis=1).any())


def _faces_of(name: str, cells: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the sides of tiles that a photograph shows on some cells; that of the pieces teaches none."""
    return tuple((name, cell) for cell in cells if name in (SKETCH, BUILT))


def _given_twice(photographs: Mapping[str, Picture8], newest: str) -> Fault | None:
    """Return what is wrong with a photograph that was given before under another name."""
    frame = photographs[newest]
    for name, other in photographs.items():
        if name != newest and other.shape == frame.shape and np.array_equal(other, frame):
            text = msg(
                "{what} is identical to {other}: take a new photograph for each",
                what=photograph_name(newest),
                other=photograph_name(name),
            )
            return Fault(photograph=newest, text=text)
    return None


def check_photographs(
    photographs: Mapping[str, Picture8],
    layout: TableLayout,
    shown: Picture | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[tuple[Fault, ...], TableLayout]:
    """Look at all photographs of an enrolment in their order.

    Return the single places that do not serve, and the layout with the sizes of the tiles. Raises
    ProfileError at the first photograph that is wrong altogether, or in many places.
    """
    check = PhotographCheck(layout)
    before: dict[str, Picture8] = {}
    found: list[Fault] = []
    for name in NAMES:
        if name not in photographs:
            continue
        report(photograph_name(name))
        before[name] = photographs[name]
        faults = list(check.faults(before, shown))
        many = {cell for one in faults for cell in one.cells}
        if any(not one.cells for one in faults) or len(many) > _FEW * len(layout.cells):
            raise ProfileError(faults[0].text)
        found += faults
    return tuple(found), check.sized
