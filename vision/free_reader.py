"""From a frame of a table on which everything lies free to an observation.

The reader knows no game: a function that a game gives (`companion.game.Game.placed`) says which places faces
and pieces are on. What nobody made out is left out: no place is claimed from what was not seen.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import Profile
from companion.free_faces import FreeFace, FreeReading
from companion.free_pieces import FreePiece, FreeTable, Placed, Shape
from companion.loose_pieces import turned
from companion.observation import Expectation, Observation, Sighting
from companion.table import Place
from companion.table_layout import TableLayout
from vision.arrays import Bools, Picture8
from vision.capture.image_pyramid import ImagePyramid
from vision.faces.locator import Locator, Tracked
from vision.free.bare_table import BareTable
from vision.free.known_paint import SIZES_MM, KnownPaint, Solid
from vision.free.learnt_faces import known_faces_of
from vision.free.reader import FreeAreaReader
from vision.free.solid_recogniser import SolidRecogniser
from vision.free.solids import SolidFinder
from vision.free.tokens import TokenFinder
from vision.geometry.rectify import Flat
from vision.photometry.light import is_colourless
from vision.reading.outlines import Outlined

Placing: TypeAlias = Callable[[TableLayout, FreeTable], Placed]
"""Says which places of a game what lies free on a table is on."""

# A piece is on a printed spot if it is no further from its middle, in shares of the face.
_ON_SPOT: Final = 0.16
_ELSEWHERE: Final = Place("table")


def known_paints_of(profile: Profile) -> tuple[KnownPaint, ...]:
    """Return the paints of a profile's pieces that may be anywhere on a table."""
    shapes = {str(one) for one in Shape}
    return tuple(
        KnownPaint(name=one.name, shape=Shape(one.kind), palette=one.palette)
        for one in profile.pieces
        if one.kind in shapes
    )


def tokens_of(paints: Sequence[KnownPaint], spots: Sequence[tuple[float, float]] = ()) -> TokenFinder | None:
    """Return what finds the discs that may lie upon faces (on these `spots`), None if there are no discs."""
    discs = [(one.name, one.palette) for one in paints if one.shape is Shape.DISC]
    return TokenFinder(discs, SIZES_MM[Shape.DISC][0], spots) if discs else None


class FreeReader:
    """Reads frames of one table without printed places. Not for use by two threads at once.

    Attributes:
        table: what the frame read last shows, None if the table was not found in it.
    """

    def __init__(
        self,
        profile: Profile,
        placing: Placing,
        *,
        in_play: Collection[str] | None = None,
        boards: Collection[str] = (),
        spots: Sequence[tuple[float, float]] = (),
        may_look_alike: Callable[[str, str], bool] = lambda *_: False,
    ) -> None:
        """Prepare.

        Args:
            profile: of the copy; raises ProfileError if a picture in it is damaged, or if what recognises
                pieces is missing.
            placing: what the game makes of a table.
            in_play: names of the faces that can be there in this game, boards included, None = all.
            boards: names of the faces of boards.
            spots: middles of the printed spots of its tiles, in shares of a tile right of and below its
                upper left corner; without them nobody can tell on which spot a piece is.
            may_look_alike: whether nothing is known by which two faces differ.
        """
        self.table: FreeTable | None = None
        self._profile = profile
        self._faces = known_faces_of(profile)
        self._paints = known_paints_of(profile)
        self._tokens = tokens_of(self._paints, spots)
        self._placing = placing
        self._in_play = in_play
        self._boards = frozenset(boards) & {one.name for one in self._faces}
        self._spots = tuple(spots)
        self._may_look_alike = may_look_alike
        self._locator = Locator(profile)
        self._tracked = Tracked(layout=profile.layout)
        self._camera: CameraPose | None = None
        self._areas: FreeAreaReader | None = None
        self._solids: SolidFinder | None = None
        has_discs = any(one.shape is Shape.DISC for one in self._paints)
        self._recogniser = SolidRecogniser() if has_discs else None
        # What the frame read last shows, and which reading of the areas that is of.
        self._read_last: tuple[int, FreeTable] | None = None
        # What that shows and nobody could make out, until it was looked at again.
        self._unexplained: Bools | None = None
        self._left_open = frozenset[Place]()

    @property
    def is_found(self) -> bool:
        """Whether the table was found in the frame read last."""
        return self.table is not None

    @property
    def left_open(self) -> frozenset[Place]:
        """Areas of the frame read last of which something is unexplained, until it was looked at again."""
        return frozenset() if self._unexplained is None else self._left_open

    def forget(self, *, but_tiles: bool = False) -> None:
        """Forget what earlier frames told; the next frame is read by itself, `but_tiles` or not."""
        del but_tiles  # each is found anew anyway
        self._tracked = Tracked(layout=self._tracked.layout)
        self._camera = None

    def read(
        self,
        frame: Picture8 | ImagePyramid,
        *,
        seq: int,
        seen_at_s: float,
        source: str,
        expected: Expectation | None = None,
        again: Collection[Place] = (),
    ) -> Observation:
        """Return what a frame (height, width, 3) uint8 BGR shows; what the game expects decides nothing."""
        del again
        pyramid = frame if isinstance(frame, ImagePyramid) else ImagePyramid(frame)
        picture = pyramid.times(0)
        camera, self._tracked = self._locator.locate(picture, self._tracked)
        self.table = None if camera is None else self._table(picture, camera)
        placed = Placed() if self.table is None else self._placing(self._tracked.layout, self.table)
        self._left_open = frozenset(Place(area) for area, points in placed.covered.items() if points)
        if self.table is not None:
            faces = self.table.reading.faces
            self._left_open |= {Place(one.area) for one in faces if one.name is None and one.area is not None}
        return Observation(
            source=source,
            seq=seq,
            seen_at_s=seen_at_s,
            sightings={one.place: one for one in placed.sightings},
            likely={one.place: one for one in placed.likely},
            areas=placed.areas,
            covered=placed.covered,
            read_for=None if expected is None else expected.revision,
        )

    def outlines(self, observation: Observation) -> tuple[Outlined, ...]:
        """Return the outlines of the faces in the frame read last."""
        del observation
        camera = self._camera
        if self.table is None or camera is None:
            return ()
        return tuple(_outlined(one, camera) for one in self.table.reading.faces)

    def at_px(self, x_mm: float, y_mm: float, height_mm: float = 0.0) -> tuple[float, float]:
        """Return where a point above the table is in the frame read last; only if the table was found."""
        assert self._camera is not None
        x, y = self._camera.project(np.array([[x_mm, y_mm, height_mm]]))[0]
        return float(x), float(y)

    @property
    def flat(self) -> Flat:
        """Ties the rectified picture of the frame read last to millimetres; only if the table was found."""
        assert self._areas is not None
        return self._areas.flat

    @property
    def layout(self) -> TableLayout:
        """Where the codes are as they were seen last, and the areas."""
        return self._tracked.layout

    def _table(self, picture: Picture8, camera: CameraPose) -> FreeTable:
        if self._areas is None or self._camera is not camera:
            layout = self._tracked.layout
            self._areas = FreeAreaReader(
                layout.areas,
                self._faces,
                camera,
                in_play=self._in_play,
                boards=self._boards,
                tokens=self._tokens,
                ground=functools.partial(BareTable.of, self._profile),
                codes=layout.fiducials,
                may_look_alike=self._may_look_alike,
                before=self._areas,
            )
            self._solids = SolidFinder(
                self._paints, camera, self._areas.flat, self._areas.seen, recogniser=self._recogniser
            )
            self._camera, self._read_last, self._unexplained = camera, None, None
        reading = self._areas.read(picture)
        number = self._areas.number
        if self._read_last is None or self._read_last[0] != number:
            self._read_last = number, self._whole_table(picture, reading)
        elif self._unexplained is not None:
            unexplained, self._unexplained = self._unexplained, None
            if self._areas.look_again(unexplained):
                table = self._whole_table(picture, self._areas.reading())
                self._read_last, self._unexplained = (self._areas.number, table), None
        return self._read_last[1]

    def _whole_table(self, picture: Picture8, reading: FreeReading) -> FreeTable:
        """Return what is there besides what was made out of the areas; note what nobody could make out."""
        assert self._areas is not None
        assert self._solids is not None
        # Without colours nobody knows whose pieces they are.
        has_colours = bool(self._paints) and not is_colourless(picture)
        last = self._areas.last_read()
        is_whole = self._boards <= {face.name for face in reading.faces}
        solids = None
        if has_colours:
            solids = self._solids.find(
                last.picture, last.finds, last.strips, is_whole=is_whole, empty=self._areas.empty()
            )
        stood = [(*one.at_mm, max(SIZES_MM[one.shape])) for one in solids or ()]
        residual = self._areas.residual(stood)
        whole = replace(reading, hidden=self._areas.hidden(residual))
        hands = self._areas.hands(residual)
        has_hand = bool(hands.any())
        pieces = None if solids is None else tuple(self._pieces(solids, reading, hands))
        self._unexplained = None if has_hand else residual
        return FreeTable(reading=whole, pieces=pieces, has_hand=has_hand)

    def _pieces(self, solids: Sequence[Solid], reading: FreeReading, hands: Bools) -> Iterator[FreePiece]:
        """Yield pieces but those that may be something that `hands` leave in view.

        What is seen of a tile that an arm hides may look like a piece on the table, and where an arm hides a
        face it may have the paint of a figure. Discs are told by more than their paint.
        """
        assert self._areas is not None
        beside = self._areas.are_beside(hands, np.array([one.at_mm for one in solids]).reshape(-1, 2))
        for one, near in zip(solids, beside.tolist(), strict=True):
            x, y = one.at_mm
            host = next((face for face in reversed(reading.faces) if _is_over(face, x, y)), None)
            if near and (host is None or one.shape is not Shape.DISC):
                continue
            yield FreePiece(
                name=one.name,
                shape=one.shape,
                x_mm=x,
                y_mm=y,
                confidence=one.confidence,
                area=self._areas.area_of(np.array([x, y])),
                on=None if host is None else host.order,
                spot=None if host is None else self._spot(host, x, y),
            )

    def _spot(self, host: FreeFace, x_mm: float, y_mm: float) -> int | None:
        """Return the printed spot of a face that a point is on, None if that is not clear.

        Of a face that nobody can name it is not known which edge is its upper one.
        """
        if host.name is None:
            return None
        right, away = turned(x_mm - host.x_mm, y_mm - host.y_mm, -host.turn_deg)
        at = (0.5 + right / host.width_mm, 0.5 - away / host.height_mm)
        off = [math.dist(at, spot) for spot in self._spots]
        nearest = min(range(len(off)), key=off.__getitem__, default=None)
        return nearest if nearest is not None and off[nearest] <= _ON_SPOT else None


def _is_over(face: FreeFace, x_mm: float, y_mm: float) -> bool:
    """Whether a point of the table is on a face."""
    x, y = turned(x_mm - face.x_mm, y_mm - face.y_mm, -face.turn_deg)
    return abs(x) <= face.width_mm / 2 and abs(y) <= face.height_mm / 2


def _outlined(face: FreeFace, camera: CameraPose) -> Outlined:
    half = face.width_mm / 2, face.height_mm / 2
    corners = [
        turned(x * half[0], y * half[1], face.turn_deg) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    points = np.array([(face.x_mm + x, face.y_mm + y, 0.0) for x, y in corners])
    where = _ELSEWHERE if face.area is None else Place(face.area)
    return Outlined(
        sighting=Sighting(place=where, value=face.name, confidence=face.confidence),
        corners_px=tuple((float(x), float(y)) for x, y in camera.project(points)),
    )
