"""Learning a copy of the game from photographs: the empty table, the tiles on either side, the pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.layout import TableLayout
from calibration.pointed_board import PointedBoard
from calibration.profile import FaceRecord, LensRecord, NotLearnt, PieceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table import Picture, kind_of, parts_of
from vision.arrays import Bools, Picture8, Singles
from vision.enrolment.board import LearntBoard, learn_board
from vision.enrolment.box_places import find_boxes
from vision.enrolment.photograph_names import BUILT, EMPTY, PIECES, SKETCH, photograph_name
from vision.faces.cutting import camera_pose_of, cut_face, register_outlines, white_light
from vision.faces.registration import Face, Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import PX_PER_MM, Plane, Surveyor, board_flat, plane_of
from vision.faces.table_frame import Photograph, measured
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.light import coded
from vision.photometry.palette import Palette, Shade, are_alike, is_light, paint_of, shades_of
from vision.pieces.city_map import city_map
from vision.pieces.face_library import FaceLibrary, encode_face, face_shape, owner_label, piece_palette
from vision.pieces.figures import Paint, find_standing
from vision.pieces.markers import BoxPlace, place_of_box

Report: TypeAlias = Callable[[str], None]

# How far from its cell's middle a piece is still seen, in edges of a tile.
_LEAN = 0.75
# A piece on ground of its own hue looks like a shadow itself: less than this share of it is left then.
_LIT = 0.25


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
    report("the tiles' sketch sides")
    sketch = _learn_side(photographs.sketch, layout, photographs.tiles, photographs.turns, SKETCH)
    report("the tiles' built sides")
    tiles = photographs.tiles if photographs.built_tiles is None else photographs.built_tiles
    built = _learn_side(photographs.built, layout, tiles, photographs.built_turns, BUILT)
    rows = _box_rows(sketch, boxes_of_tile)
    faces = []
    for face in [*sketch, *built]:
        record = _face_record(face, layout, rows.get(face.name, ((), 0.0)))
        pictures[record.picture] = encode_face(face)
        faces.append(record)
    lens = LensRecord(
        size_wh=camera.lens.size_wh,
        focal_px=camera.lens.focal_px,
        centre_px=camera.lens.centre_px,
        k1=camera.lens.k1,
        k2=camera.lens.k2,
    )
    profile = Profile(
        edition=edition,
        players=players,
        layout=layout,
        faces=tuple(faces),
        board=None if board is None else board.record,
        lens=lens,
        pictures=pictures,
        not_learnt=not_learnt,
    )
    if photographs.pieces is None or photographs.shown is None:
        return profile
    report("the pieces")
    return learn_pieces(profile, photographs.pieces, photographs.shown)


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


# -- faces ----------------------------------------------------------------------------------------


def _learn_side(
    frame: Picture8, layout: TableLayout, tiles: Mapping[str, str], turns: Mapping[str, int], side: str
) -> list[Face]:
    camera = camera_pose_of(frame, layout, photograph_name(side))
    plane = Surveyor(layout, camera).draw_city(frame).plane
    white = white_light(frame, layout, camera)(plane.flat)
    poses = register_outlines(plane, layout)
    shape = face_shape(layout.tile_edge_mm, layout.tile_edge_mm)
    return [
        cut_face(plane, white, poses[cell], shape, f"{tile}/{side}").turned(turns.get(cell, 0))
        for cell, tile in tiles.items()
    ]


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
        return replace(layout, board=None), None, (NotLearnt(what="obelisk", why=str(error)),)
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


# -- pieces ----------------------------------------------------------------------------------------


def learn_pieces(profile: Profile, frame: Picture8, shown: Picture) -> Profile:
    """Return the profile with the pieces learnt from a photograph of a known table."""
    layout = profile.layout
    camera = camera_pose_of(frame, layout, photograph_name(PIECES))
    library = FaceLibrary(profile)
    plane = Surveyor(layout, camera).draw_city(frame).plane
    residuals = _known_residuals(library, plane, shown)
    if not residuals:
        raise ProfileError(msg("in the photograph of the pieces, no tile is where the table state says"))
    markers = _marker_samples(library, plane, camera, residuals, shown)
    _board_samples(library, frame, camera, shown, markers)
    paints: dict[str, Shade] = {}
    for name, some in markers.items():
        each = [paint for paint in (paint_of(one, plain=200.0) for one in some) if paint is not None]
        paint = _middle_paint(each)
        if paint is None:
            raise ProfileError(msg("the photograph of the pieces shows no clear marker of {name}", name=name))
        paints[name] = paint
    records = [
        PieceRecord(kind="marker", name=name, palette=shades_of(paint)) for name, paint in paints.items()
    ]
    records += _learn_standing(library, plane, camera, residuals, shown, paints)
    return replace(profile, pieces=tuple(records))


def _middle_paint(paints: list[Shade]) -> Shade | None:
    """Return the paint of a kind of marker from those of several; the darker half shows sides and shadows."""
    if not paints:
        return None
    bright = sorted(paints, key=sum, reverse=True)[: (len(paints) + 1) // 2]
    blue, green, red = (round(float(one)) for one in np.median(np.array(bright, float), axis=0))
    return blue, green, red


def _known_residuals(library: FaceLibrary, plane: Plane, shown: Picture) -> dict[str, tuple[int, Residual]]:
    names = {face.name: index for index, face in enumerate(library.tiles.faces)}
    fields = plane.fields()
    found = {}
    for place, value in shown.items():
        if kind_of(place) != "cell" or value is None or value not in names:
            continue
        cell = parts_of(place)[0]
        face = names[value]
        middle = plane.flat.to_px(np.array([library.layout.cells[cell]]))[0]
        matches = library.tiles.recognise(fields, (middle[0], middle[1]), frozenset({face}))
        if matches and matches[0].score > 0.35:
            found[cell] = face, library.patterns[face].residual(plane.picture, plane.blind, matches[0])
    return found


def _marker_samples(
    library: FaceLibrary,
    plane: Plane,
    camera: CameraPose,
    residuals: Mapping[str, tuple[int, Residual]],
    shown: Picture,
) -> dict[str, list[Singles]]:
    samples: dict[str, list[Singles]] = {}
    for place, owner in shown.items():
        if kind_of(place) != "box" or owner is None:
            continue
        cell, number = parts_of(place)
        if cell not in residuals:
            continue
        face, found = residuals[cell]
        record = library.records[face]
        if int(number) >= len(record.boxes_mm):
            continue
        at = library.boxes[face][int(number)]
        marker = library.layout.pieces.marker_edge_mm
        spot = place_of_box(found, plane.flat, camera, (at[0], at[1]), record.box_edge_mm, marker)
        samples.setdefault(owner, []).append(_marker_colours(found, spot))
    return samples


def _board_samples(
    library: FaceLibrary,
    frame: Picture8,
    camera: CameraPose,
    shown: Picture,
    samples: dict[str, list[Singles]],
) -> None:
    if library.board is None or library.layout.board is None:
        return
    plane = plane_of(frame, camera, board_flat(library.layout.board))
    fine, pattern, boxes = library.board
    area = library.layout.board.area
    middle = plane.flat.to_px(np.array([[area.x_mm, area.y_mm]]))[0]
    match = fine.register(
        plane.soft, 0, Pose2D(x_px=float(middle[0]), y_px=float(middle[1]), turn=0.0), rounds=20
    )
    found = pattern.residual(plane.picture, plane.blind, match)
    for place, owner in shown.items():
        if kind_of(place) != "obelisk" or owner is None:
            continue
        at = boxes[int(parts_of(place)[0])]
        marker = library.layout.pieces.marker_edge_mm
        spot = place_of_box(
            found, plane.flat, camera, (at[0], at[1]), library.layout.board.box_edge_mm, marker
        )
        samples.setdefault(owner, []).append(_marker_colours(found, spot))


def _marker_colours(found: Residual, place: BoxPlace) -> Singles:
    """Return the colours (N, 3) of the marker on a box: what is strange there, or the middle of its top."""
    scale = place.px_per_mm
    middle = np.array(place.middle) + np.array(place.lean) / 2
    y, x = np.mgrid[: found.odd.shape[0], : found.odd.shape[1]]
    far = np.hypot(x - middle[0], y - middle[1])
    near = found.strange & (far < 6.5 * scale)
    if near.sum() >= 20:
        centre = np.array([x[near].mean(), y[near].mean()])
        core = np.hypot(x - centre[0], y - centre[1]) < 2.8 * scale
        near &= core
    else:
        near = (
            np.hypot(x - place.middle[0] - place.lean[0], y - place.middle[1] - place.lean[1]) < 2.5 * scale
        )
    return np.asarray(found.paint[near & ~found.blind], np.float32)


def _learn_standing(
    library: FaceLibrary,
    plane: Plane,
    camera: CameraPose,
    residuals: Mapping[str, tuple[int, Residual]],
    shown: Picture,
    paints: Mapping[str, Shade],
) -> list[PieceRecord]:
    """Return the figures and dragons, each from what is strange on and behind the cell where it stands."""
    city = city_map(plane, library.layout, {cell: one for cell, (_, one) in residuals.items()}, Palette([]))
    strange = city.strange.copy()
    _leave_out_markers(strange, city.flat, residuals, library, shown)
    records = []
    dragons: dict[str, Shade] = {}
    for place, cell in shown.items():
        kind = kind_of(place)
        if kind not in {"figure", "dragon"} or cell is None or cell not in library.layout.cells:
            continue
        body = _blob(
            strange & ~city.blind, city.flat, library.layout.cells[cell], library.layout.tile_edge_mm
        )
        # It throws a shadow as large as itself, and that is strange too.
        lit = body & ~city.shadow
        if np.count_nonzero(lit) >= _LIT * np.count_nonzero(body):
            body = lit
        name = parts_of(place)[0]
        paint = paint_of(city.colours[body], paints.get(name) if kind == "figure" else None)
        if paint is None:
            raise ProfileError(
                msg("the photograph of the pieces does not show {name} on {cell}", name=name, cell=cell)
            )
        if kind == "dragon":
            _refuse_twins(dragons, name, paint)
        elif name in paints and is_light(paints[name]):
            # White is seen in the colour of what is beside it.
            paint = paints[name]
        records.append(PieceRecord(kind=kind, name=name, palette=shades_of(paint)))
    markers = [PieceRecord(kind="marker", name=name, palette=shades_of(one)) for name, one in paints.items()]
    palette = piece_palette([*markers, *records])
    labelled = replace(city, labels=palette.label(city.colours))
    bodies = Silhouettes(camera, library.layout, city.flat)
    learnt = []
    for one in records:
        label = palette.names.index(owner_label(one))
        cell = next(v for p, v in shown.items() if kind_of(p) == one.kind and parts_of(p)[0] == one.name)
        found = find_standing(labelled, bodies, Paint(label=label), one.kind, [cell] if cell else [])
        learnt.append(replace(one, seen=round(min(max(found.share if found else 0.6, 0.3), 1.0), 3)))
    return learnt


def _refuse_twins(dragons: dict[str, Shade], name: str, paint: Shade) -> None:
    """Add a dragon's paint to those of the others; raises ProfileError if one of them has the same."""
    for other, its in dragons.items():
        if are_alike(paint, its):
            raise ProfileError(
                msg(
                    "in the photograph of the pieces the dragons {one} and {other} have the same colour; "
                    "each must stand where the table state says, with nothing in front of it",
                    one=other,
                    other=name,
                )
            )
    dragons[name] = paint


def _leave_out_markers(
    strange: Bools,
    flat: Flat,
    residuals: Mapping[str, tuple[int, Residual]],
    library: FaceLibrary,
    shown: Picture,
) -> None:
    """Clear what is strange around boxes that hold a marker."""
    for place, owner in shown.items():
        if kind_of(place) != "box" or owner is None or parts_of(place)[0] not in residuals:
            continue
        face, found = residuals[parts_of(place)[0]]
        number = int(parts_of(place)[1])
        if number >= len(library.boxes[face]):
            continue
        at = found.pose.matrix(found.known.shape) @ np.array([*library.boxes[face][number], 1.0])
        radius = round(7.0 * flat.px_per_mm)
        mask = np.zeros(strange.shape, np.uint8)
        cv2.circle(mask, (round(at[0] / 2), round(at[1] / 2)), radius, 1, -1)
        strange &= mask == 0


def _blob(strange: Bools, flat: Flat, middle: tuple[float, float], edge_mm: float) -> Bools:
    """Return the largest patch of strange that touches a cell, without what belongs to other cells.

    A piece that a camera sees from the side leans onto the next cell, where another may stand.
    """
    x, y = flat.to_px(np.array([middle]))[0]
    half, far = edge_mm / 2 * flat.px_per_mm, _LEAN * edge_mm * flat.px_per_mm
    near = np.zeros(strange.shape, np.uint8)
    near[max(int(y - far), 0) : int(y + far), max(int(x - far), 0) : int(x + far)] = 1
    opened = cv2.morphologyEx(strange.astype(np.uint8) * near, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, patches = cv2.connectedComponents(opened)
    window = patches[max(int(y - half), 0) : int(y + half), max(int(x - half), 0) : int(x + half)]
    sizes = np.bincount(window.ravel(), minlength=count)
    sizes[0] = 0
    return np.asarray(patches == int(np.argmax(sizes)), np.bool_) if sizes.any() else np.zeros_like(strange)
