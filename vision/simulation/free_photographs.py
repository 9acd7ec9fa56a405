"""The photographs by which a copy whose pieces lie anywhere is learnt.

Faces lie in rows on as many photographs as they need, the far row first, each from the left; boards, backs
and solid pieces lie on a last one. What a user says of them has the form of ``photos.json``
(``enrol --photos``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from companion.table_pieces import Shape, TablePiece
from vision.arrays import Image
from vision.enrolment.free_copy import CopyPhotographs, PointedThing, RowsPhotograph
from vision.simulation.arrangement import Arranger
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece

# How far from each other the middles of neighbours are, in widths and heights, and what stays free at codes.
_PITCH: Final = 1.14
_FREE_MM: Final = 32.0
_MOST_ROWS, _MOST_COLUMNS = 4, 10
_EACH_PAINT: Final = 5
_PIECE_PITCH_MM: Final = 34.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidPhotograph:
    """One photograph of pieces that are laid out to be learnt.

    Attributes:
        name: of its file.
        image: (height, width, 3) BGR.
        table: what lies there.
        rows: the faces in rows, far row first, each from the left.
    """

    name: str
    image: Image
    table: LaidTable
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A board, a back or a solid piece, pointed at in a photograph, px."""

    picture: str
    name: str
    shape: str
    at_px: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidPhotographs:
    """All photographs of a copy.

    Attributes:
        empty: the table with nothing but its codes.
        pictures: the others, in order.
        things: what is pointed at in them.
    """

    empty: Image
    pictures: tuple[LaidPhotograph, ...]
    things: tuple[Thing, ...] = field(default=())

    def said(self) -> dict[str, Any]:
        """Return what a user says of them: the object of ``photos.json``."""
        return {
            "empty": "empty.png",
            "faces": [
                {"picture": one.name, "rows": [list(row) for row in one.rows]}
                for one in self.pictures
                if one.rows
            ],
            "things": [
                {"picture": one.picture, "id": one.name, "shape": one.shape, "at_px": list(one.at_px)}
                for one in self.things
            ],
        }

    def photographs(self) -> CopyPhotographs:
        """Return them with what a user says of them."""
        return CopyPhotographs(
            images=self.images(),
            rows=tuple(RowsPhotograph(picture=one.name, rows=one.rows) for one in self.pictures if one.rows),
            things=tuple(
                PointedThing(picture=one.picture, name=one.name, shape=one.shape, at_px=one.at_px)
                for one in self.things
            ),
            empty="empty.png",
        )

    def images(self) -> dict[str, Image]:
        """Return the photographs by the names of their files."""
        return {"empty.png": self.empty, **{one.name: one.image for one in self.pictures}}


def take_photographs(
    camera: FreeCamera, arranger: Arranger, faces: Sequence[str], paints: Mapping[str, Shape]
) -> LaidPhotographs:
    """Photograph these faces and pieces of these paints, laid out by people."""
    printed = arranger.pieces.faces
    in_rows = [name for name in faces if not printed[name].is_back]
    photographs: list[LaidPhotograph] = []
    while in_rows:
        rows = _rows(arranger, in_rows)
        in_rows = in_rows[sum(map(len, rows)) :]
        table = LaidTable(flat=tuple(_in_rows(arranger, rows)))
        name = f"faces_{len(photographs) + 1}.png"
        photographs.append(LaidPhotograph(name=name, image=camera.frame(table), table=table, rows=rows))
    apart = [name for name in faces if printed[name].is_back]
    apart += [name for name, one in printed.items() if one.board]
    table = LaidTable(flat=tuple(_apart(arranger, apart)), solid=tuple(_pieces_apart(arranger, paints)))
    name = "pieces.png"
    photographs.append(LaidPhotograph(name=name, image=camera.frame(table), table=table))
    return LaidPhotographs(
        empty=camera.frame(LaidTable()),
        pictures=tuple(photographs),
        things=tuple(_pointed_at(camera, table, name)),
    )


def room_between_codes(arranger: Arranger) -> tuple[float, float, float, float]:
    """Return the rectangle between the codes: its middle, width and height, mm."""
    codes = arranger.layout.fiducials
    left, right = (each(one.x_mm for one in codes) for each in (min, max))
    near, far = (each(one.y_mm for one in codes) for each in (min, max))
    free = 2 * _FREE_MM
    return (left + right) / 2, (near + far) / 2, right - left - free, far - near - free


def _rows(arranger: Arranger, faces: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the next photograph: as many faces of one size as have room on it."""
    _, _, wide, deep = room_between_codes(arranger)
    width, height = _size_mm(arranger, faces[0])
    columns = min(int(wide / (width * _PITCH)), _MOST_COLUMNS)
    most = columns * min(int(deep / (height * _PITCH)), _MOST_ROWS)
    alike = next(
        (number for number, one in enumerate(faces) if _size_mm(arranger, one) != (width, height)), len(faces)
    )
    shown = faces[: min(most, alike)]
    return tuple(tuple(shown[start : start + columns]) for start in range(0, len(shown), columns))


def _size_mm(arranger: Arranger, face: str) -> tuple[float, float]:
    return arranger.face_size_mm(face, arranger.content)


def _in_rows(arranger: Arranger, rows: Sequence[Sequence[str]]) -> Iterator[FlatPiece]:
    x, y, _, _ = room_between_codes(arranger)
    for number, row in enumerate(rows):
        away = ((len(rows) - 1) / 2 - number) * _PITCH
        for column, face in enumerate(row):
            along = (column - (len(rows[0]) - 1) / 2) * _PITCH
            yield laid_face(arranger, face, (x, y), (along, away))


def laid_face(
    arranger: Arranger, face: str, middle: tuple[float, float], steps: tuple[float, float]
) -> FlatPiece:
    """Return a face so many widths right of and heights beyond the middle, as hands lay it."""
    width, height = _size_mm(arranger, face)
    slip = arranger.slip(TablePiece(key=face, place="", area="", face=face))
    return FlatPiece(
        key=face,
        face=arranger.pieces.faces[face],
        x_mm=middle[0] + steps[0] * width + slip[0],
        y_mm=middle[1] + steps[1] * height + slip[1],
        turn_deg=slip[2],
        width_mm=width,
        height_mm=height,
        top_mm=arranger.pieces.thickness_mm,
    )


def _apart(arranger: Arranger, faces: Sequence[str]) -> Iterator[FlatPiece]:
    """Yield boards and backs, side by side in the far half."""
    x, y, _, deep = room_between_codes(arranger)
    widths = [_size_mm(arranger, face)[0] for face in faces]
    gap = 25.0
    at = x - (sum(widths) + gap * (len(widths) - 1)) / 2
    for face, width in zip(faces, widths, strict=True):
        yield laid_face(arranger, face, (at + width / 2, y + deep / 5), (0.0, 0.0))
        at += width + gap


def _pieces_apart(arranger: Arranger, paints: Mapping[str, Shape]) -> Iterator[SolidPiece]:
    """Yield some pieces of each paint, a row for each on the near side."""
    x, y, _, deep = room_between_codes(arranger)
    for number, (name, shape) in enumerate(paints.items()):
        many = _EACH_PAINT if shape == "disc" else 1
        for each in range(many):
            right = (each - (many - 1) / 2) * _PIECE_PITCH_MM + (number - (len(paints) - 1) / 2) * 180.0
            yield arranger.solid(f"{name}:{each}", name, shape, (x + right, y - deep * 0.32))


def _pointed_at(camera: FreeCamera, table: LaidTable, picture: str) -> Iterator[Thing]:
    for one in table.flat:
        middle = camera.studio.pose.project(np.array([[one.x_mm, one.y_mm, one.top_mm]]))[0]
        shape = "disc-board" if one.is_round else "flat"
        yield Thing(picture=picture, name=one.face.name, shape=shape, at_px=_rounded(middle))
    for each in table.solid:
        base = camera.studio.pose.project(np.array([[each.x_mm, each.y_mm, each.lowest_mm]]))[0]
        yield Thing(picture=picture, name=each.name, shape=each.shape, at_px=_rounded(base))


def _rounded(at: Sequence[float] | np.ndarray[Any, Any]) -> tuple[float, float]:
    return round(float(at[0]), 1), round(float(at[1]), 1)
