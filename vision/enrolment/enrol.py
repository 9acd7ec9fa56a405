"""Learning a copy of the game from photographs: the empty table, the tiles on either side, the pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from calibration.camera_pose import CameraPose
from calibration.pointed_board import PointedBoard
from calibration.profile import FaceRecord, LensRecord, NotLearnt, Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table import Picture
from companion.table_layout import TableLayout
from vision.arrays import Picture8
from vision.enrolment.board import BoardProposal, LearntBoard, learn_board, propose_board
from vision.enrolment.box_places import find_boxes
from vision.enrolment.photograph_names import BUILT, EMPTY, PIECES, SKETCH, photograph_name
from vision.enrolment.pieces import learn_pieces
from vision.enrolment.wrong_photographs import Fault
from vision.faces.cutting import camera_pose_of, cut_face, register_outlines, white_light
from vision.faces.registration import Face
from vision.faces.scene import PX_PER_MM, Surveyor
from vision.faces.table_frame import Photograph, measured
from vision.photometry.light import coded
from vision.pieces.face_library import encode_face, face_shape

Report: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Photographs:
    """What enrolment is given.

    Attributes:
        empty: the table without tiles, with the board.
        sketch, built: all tiles with this side up.
        tiles: which tile lies on which cell of `sketch`, and of `built` if `built_tiles` is None.
        turns, built_turns: quarter turns anticlockwise that set the tile on a cell upright, if it needs any.
        pieces: the pieces on the table, or None; then `shown` is the picture of what is where.
        board: where somebody pointed at the board's boxes, None where it is to be found.
        faults: the single places that do not serve, and why: nothing is learnt there.
    """

    empty: Picture8
    sketch: Picture8
    built: Picture8
    tiles: Mapping[str, str]
    turns: Mapping[str, int] = field(default_factory=dict)
    built_tiles: Mapping[str, str] | None = None
    built_turns: Mapping[str, int] = field(default_factory=dict)
    pieces: Picture8 | None = None
    shown: Picture | None = None
    board: PointedBoard | None = None
    faults: Sequence[Fault] = ()


def enrol(
    photographs: Photographs,
    layout: TableLayout,
    *,
    edition: str,
    players: tuple[str, ...],
    boxes_of_tile: Mapping[str, int],
    report: Report = lambda _: None,
) -> Profile:
    """Learn a profile; raises ProfileError in words when a photograph does not serve."""
    unknown = sorted(set(photographs.tiles) - set(layout.cells))
    if unknown:
        raise ProfileError(
            msg(
                "the layout file names the cell {unknown}, which the table does not have",
                unknown=repr(unknown[0]),
            )
        )
    layout = measured(_surveyed(photographs), layout)
    camera = camera_pose_of(photographs.empty, layout, photograph_name(EMPTY))
    layout, board, not_learnt = _learn_board(photographs, layout)
    pictures = {} if board is None else {board.record.picture: board.picture}
    faces, shown = _learn_faces(photographs, layout, boxes_of_tile, report)
    pictures |= shown
    profile = Profile(
        edition=edition,
        players=players,
        layout=layout,
        faces=faces,
        board=None if board is None else board.record,
        lens=_lens_record(camera),
        pictures=pictures,
        not_learnt=(*not_learnt, *_not_learnt(photographs.faults)),
    )
    if photographs.pieces is None or photographs.shown is None:
        return profile
    report(msg("the pieces"))
    hidden = {cell for one in photographs.faults if one.photograph == PIECES for cell in one.cells}
    return learn_pieces(profile, photographs.pieces, photographs.shown, hidden)


def _not_learnt(faults: Iterable[Fault]) -> Iterator[NotLearnt]:
    """Yield what was not learnt of tiles because of single places that do not serve."""
    for one in faults:
        for side, cell in one.faces or [(one.photograph, cell) for cell in one.cells]:
            yield NotLearnt(what=f"{side}:{cell}", why=one.text)


def _surveyed(photographs: Photographs) -> list[Photograph]:
    """Return the photographs that tell where the codes lie and where the city is."""
    given = (
        (SKETCH, photographs.sketch),
        (BUILT, photographs.built),
        (EMPTY, photographs.empty),
        (PIECES, photographs.pieces),
    )
    return [
        Photograph(frame=frame, what=photograph_name(name), shows_city=name != EMPTY)
        for name, frame in given
        if frame is not None
    ]


def _lens_record(camera: CameraPose) -> LensRecord:
    lens = camera.lens
    return LensRecord(
        size_wh=lens.size_wh, focal_px=lens.focal_px, centre_px=lens.centre_px, k1=lens.k1, k2=lens.k2
    )


# -- faces ----------------------------------------------------------------------------------------


def _learn_faces(
    photographs: Photographs, layout: TableLayout, boxes_of_tile: Mapping[str, int], report: Report
) -> tuple[tuple[FaceRecord, ...], dict[str, bytes]]:
    """Return the faces of the tiles where the photographs serve, and their pictures."""
    tiles = photographs.tiles if photographs.built_tiles is None else photographs.built_tiles
    report(msg("the tiles' sketch sides"))
    sketch = _learn_side(photographs.sketch, layout, photographs.tiles, photographs.turns, SKETCH)
    report(msg("the tiles' built sides"))
    built = _learn_side(photographs.built, layout, tiles, photographs.built_turns, BUILT)
    bad = {pair for fault in photographs.faults for pair in fault.faces}
    learnt = [
        *(face for cell, face in sketch.items() if (SKETCH, cell) not in bad),
        *(face for cell, face in built.items() if (BUILT, cell) not in bad),
    ]
    rows = _box_rows([face for face in learnt if face.name.endswith(f"/{SKETCH}")], boxes_of_tile)
    records = [_face_record(face, layout, rows.get(face.name, ((), 0.0))) for face in learnt]
    pictures = {record.picture: encode_face(face) for record, face in zip(records, learnt, strict=True)}
    return tuple(records), pictures


def _learn_side(
    frame: Picture8, layout: TableLayout, tiles: Mapping[str, str], turns: Mapping[str, int], side: str
) -> dict[str, Face]:
    """Return the tile on each cell of a photograph, upright."""
    camera = camera_pose_of(frame, layout, photograph_name(side))
    plane = Surveyor(layout, camera).draw_city(frame).plane
    white = white_light(frame, layout, camera)(plane.flat)
    poses = register_outlines(plane, layout)
    shape = face_shape(layout.tile_edge_mm, layout.tile_edge_mm)
    return {
        cell: cut_face(plane, white, poses[cell], shape, f"{tile}/{side}").turned(turns.get(cell, 0))
        for cell, tile in tiles.items()
    }


def board_to_point_at(photographs: Mapping[str, Picture8], layout: TableLayout) -> BoardProposal | None:
    """Return where the board's boxes may be for somebody to correct; None where nobody needs to be asked.

    `photographs` are by their names. Raises ProfileError in words when one does not serve.
    """
    shots = [
        Photograph(frame=photographs[name], what=photograph_name(name), shows_city=name != EMPTY)
        for name in (SKETCH, BUILT, EMPTY, PIECES)
        if name in photographs
    ]
    return propose_board(photographs, measured(shots, layout))


def _learn_board(
    photographs: Photographs, layout: TableLayout
) -> tuple[TableLayout, LearntBoard | None, tuple[NotLearnt, ...]]:
    """Learn the board with boxes if the game has one; return the layout with it, or why it was not learnt."""
    if not layout.board_rows:
        return replace(layout, board=None), None, ()
    named = {EMPTY: photographs.empty, SKETCH: photographs.sketch, BUILT: photographs.built}
    if photographs.pieces is not None:
        named[PIECES] = photographs.pieces
    try:
        board = learn_board(named, layout, photographs.board)
    except ProfileError as error:
        return replace(layout, board=None), None, (NotLearnt(what=layout.places.board_box, why=str(error)),)
    return replace(layout, board=board.placed), board, ()


def _box_rows(
    faces: list[Face], boxes_of_tile: Mapping[str, int]
) -> dict[str, tuple[tuple[tuple[float, float], ...], float]]:
    """Return for every face with boxes their middles, mm, and their edge, mm."""
    counts = {face.name: boxes_of_tile.get(face.name.partition("/")[0], 0) for face in faces}
    pictures = {face.name: coded(face.picture) for face in faces}
    if not any(counts.values()):
        return {}
    found = {}
    for name, boxes in find_boxes(pictures, counts, PX_PER_MM).items():
        height, width = pictures[name].shape[:2]
        middles = tuple(
            ((x - (width - 1) / 2) / PX_PER_MM, ((height - 1) / 2 - y) / PX_PER_MM)
            for x, y in boxes.middles_px
        )
        found[name] = middles, boxes.edge_px / PX_PER_MM
    return found


def _face_record(
    face: Face, layout: TableLayout, boxes: tuple[tuple[tuple[float, float], ...], float]
) -> FaceRecord:
    return FaceRecord(
        name=face.name,
        picture=face.name.replace("/", "-") + ".png",
        width_mm=layout.tile_edge_mm,
        height_mm=layout.tile_edge_mm,
        boxes_mm=boxes[0],
        box_edge_mm=boxes[1],
    )
