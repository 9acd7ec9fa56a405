"""Learning the pieces: markers, figures and dragons, from one photograph of a known table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import NotLearnt, PieceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.names import cells_text
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from companion.table_layout import TableLayout
from vision.arrays import Bools, Floats, Picture8, Singles
from vision.enrolment.figure_shape import figure_shape
from vision.enrolment.marker_paints import marker_colours, marker_paints
from vision.enrolment.photograph_names import PIECES, photograph_name
from vision.faces.cutting import camera_pose_of
from vision.faces.registration import Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import Plane, Surveyor, board_flat, plane_of
from vision.geometry.rectify import Flat, lean
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.palette import Palette, Shade, are_alike, paint_of, shades_of
from vision.pieces.city_map import CityMap, city_map
from vision.pieces.face_library import FaceLibrary, owner_label, piece_palette
from vision.pieces.figures import Paint, find_standing
from vision.pieces.marker_recogniser import CLAIMED, mistaken
from vision.pieces.markers import place_of_box

# How far from its cell's middle a piece is still seen, in edges of a tile.
_LEAN = 0.75
# The share of a figure's outline that its paint usually fills.
_USUAL_SHARE = 0.6
STANDING = ("figure", "dragon")
# A piece on ground of its own hue looks like a shadow itself: less than this share of it is left then.
_LIT = 0.25
# The inside of a body is this share of it at least, or it is too slim to leave out its rim.
_CORE = 0.3
# So far around the middle of a marker what is seen may be the marker, mm.
_AROUND_MARKER_MM = 7.0


def learn_pieces(
    profile: Profile, frame: Picture8, shown: Picture, hidden: Collection[str] = frozenset()
) -> Profile:
    """Return the profile with the pieces learnt from a photograph of a known table.

    What is not seen clearly is left out and noted in `not_learnt`. A player's markers and figure have one
    paint: where only one of them is seen the other is known by it. Nothing is learnt on `hidden` cells.

    Raises:
        ProfileError: no tile is where the table state says.
    """
    layout = profile.layout
    camera = camera_pose_of(frame, layout, photograph_name(PIECES))
    # Learning reads no box: it must not need what was trained.
    library = FaceLibrary(profile, models=None)
    plane = Surveyor(layout, camera).draw_city(frame).plane
    residuals = _known_residuals(library, plane, shown)
    if not residuals:
        raise ProfileError(msg("in the photograph of the pieces, no tile is where the table state says"))
    seen = {where: value for where, value in shown.items() if _cell_of(where, value) not in hidden}
    markers = _marker_samples(library, plane, camera, residuals, seen)
    _board_samples(library, frame, camera, seen, markers)
    city = city_map(plane, layout, {cell: one for cell, (_, one) in residuals.items()}, Palette([]))
    owners = {
        value
        for where, value in shown.items()
        if value is not None and (kind_of(where) == "box" or layout.places.is_on_board(where))
    }
    found = marker_paints(markers)
    bodies = _standing_bodies(library, city, camera, residuals, seen)
    paints, standing = _shared(found, _standing_paints(bodies, city), owners, shown)
    records = _records(paints, standing)
    shape = figure_shape(_own(bodies, city, records), camera, layout, city.flat)
    records = [replace(one, shape=shape) if one.kind == "figure" else one for one in records]
    outlines = Silhouettes(camera, layout, city.flat, {"figure": shape})
    faults = [
        *_missing_markers(owners - paints.keys(), shown, layout),
        *_missing_standing(standing, shown, layout),
        *of_like_colours([one for one in records if one.kind == "marker"]),
    ]
    return replace(
        profile,
        pieces=tuple(_with_share(one, records, city, outlines, seen) for one in records),
        not_learnt=(*profile.not_learnt, *faults),
    )


def _shared(
    markers: Mapping[str, Shade], standing: Mapping[Place, Shade], owners: Collection[str], shown: Picture
) -> tuple[dict[str, Shade], dict[Place, Shade]]:
    """Return the paints with those of players' markers known by their figures, and the other way round.

    Of a marker it is plain where its top is: a figure that was seen, too, has the paint of the markers.
    """
    figures = {parts_of(where)[0]: paint for where, paint in standing.items() if kind_of(where) == "figure"}
    by_figure = {name: figures[name] for name in owners if name not in markers and name in figures}
    by_marker = {
        where: markers[name]
        for where in shown
        if kind_of(where) == "figure" and (name := parts_of(where)[0]) in markers
    }
    return {**markers, **by_figure}, {**standing, **by_marker}


def _cell_of(where: Place, value: Value) -> str | None:
    """Return the cell on which something is, None if it is on none."""
    if kind_of(where) in STANDING:
        return value
    return parts_of(where)[0] if kind_of(where) in ("cell", "box") else None


def _records(paints: Mapping[str, Shade], standing: Mapping[Place, Shade]) -> list[PieceRecord]:
    """Return what was learnt of markers, and of what stands."""
    return [
        *(PieceRecord(kind="marker", name=name, palette=shades_of(one)) for name, one in paints.items()),
        *(
            PieceRecord(kind=kind_of(where), name=parts_of(where)[0], palette=shades_of(one))
            for where, one in standing.items()
        ),
    ]


def _missing_markers(names: Collection[str], shown: Picture, layout: TableLayout) -> Iterator[NotLearnt]:
    """Yield which players' markers are not learnt, and what to do about it."""
    for name in sorted(names):
        cells = {
            parts_of(where)[0] for where, owner in shown.items() if kind_of(where) == "box" and owner == name
        }
        why = msg(
            "{what} shows no clear marker of {name} ({where}). Move the lamp so that it is not reflected "
            "there, and take the photograph again. Until then, these markers stay unread.",
            what=photograph_name(PIECES),
            name=name,
            where=cells_text([cell for cell in layout.cells if cell in cells], layout.cells),
        )
        yield NotLearnt(what=f"marker:{name}", why=str(why))


def _missing_standing(found: Collection[Place], shown: Picture, layout: TableLayout) -> Iterator[NotLearnt]:
    """Yield which figures and dragons are not learnt, and what to do about it."""
    for where, cell in shown.items():
        if kind_of(where) not in STANDING or where in found or cell is None or cell not in layout.cells:
            continue
        why = msg(
            "{what} does not show {name} clearly ({where}). Make sure it stands there, well lit and with "
            "nothing in front of it, and take the photograph again. Until then, it stays unread.",
            what=photograph_name(PIECES),
            name=parts_of(where)[0],
            where=cells_text([cell], layout.cells),
        )
        yield NotLearnt(what=str(where), why=str(why))


def _own(bodies: Mapping[Place, Bools], city: CityMap, records: Sequence[PieceRecord]) -> dict[Place, Bools]:
    """Return what is seen of each figure in its own colours, (height, width)."""
    palette = piece_palette(records)
    labels = palette.label(city.colours)
    return {
        place(one.kind, one.name): bodies[where] & (labels == palette.names.index(owner_label(one)))
        for one in records
        if one.kind == "figure" and (where := place(one.kind, one.name)) in bodies
    }


def _known_residuals(library: FaceLibrary, plane: Plane, shown: Picture) -> dict[str, tuple[int, Residual]]:
    names = {face.name: index for index, face in enumerate(library.tiles.faces)}
    fields = plane.fields()
    found = {}
    for where, value in shown.items():
        if kind_of(where) != "cell" or value is None or value not in names:
            continue
        cell = parts_of(where)[0]
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
    """Return the colours (N, 3) of each player's markers on tiles, one by one."""
    samples: dict[str, list[Singles]] = {}
    for cell, (face, found) in residuals.items():
        record = library.records[face]
        boxes = library.boxes[face][: len(record.boxes_mm)]
        owners = [shown.get(library.layout.places.on_box(cell, number)) for number in range(len(boxes))]
        _add_samples(samples, library, plane, camera, found, boxes, owners, record.box_edge_mm)
    return samples


def _board_samples(
    library: FaceLibrary,
    frame: Picture8,
    camera: CameraPose,
    shown: Picture,
    samples: dict[str, list[Singles]],
) -> None:
    """Add the colours of the markers on the board."""
    board = library.layout.board
    if library.board is None or board is None:
        return
    plane = plane_of(frame, camera, board_flat(board))
    fine, pattern, boxes = library.board
    middle = plane.flat.to_px(np.array([[board.area.x_mm, board.area.y_mm]]))[0]
    match = fine.register(
        plane.soft, 0, Pose2D(x_px=float(middle[0]), y_px=float(middle[1]), turn=0.0), rounds=20
    )
    found = pattern.residual(plane.picture, plane.blind, match)
    owners = [shown.get(library.layout.places.on_board(number)) for number in range(len(boxes))]
    _add_samples(samples, library, plane, camera, found, boxes, owners, board.box_edge_mm)


def _add_samples(
    samples: dict[str, list[Singles]],
    library: FaceLibrary,
    plane: Plane,
    camera: CameraPose,
    found: Residual,
    boxes: Floats,
    owners: Sequence[Value],
    edge_mm: float,
) -> None:
    """Add the colours of the markers on a face; `boxes` are their middles, (N, 2) px of it."""
    marker = library.layout.pieces.marker_edge_mm
    held = [(at, owner) for at, owner in zip(boxes, owners, strict=True) if owner is not None]
    places = [place_of_box(found, plane.flat, camera, (at[0], at[1]), edge_mm, marker) for at, _ in held]
    if places:
        for (_, owner), colours in zip(held, marker_colours(found, places), strict=True):
            samples.setdefault(owner, []).append(colours)


def _standing_bodies(
    library: FaceLibrary,
    city: CityMap,
    camera: CameraPose,
    residuals: Mapping[str, tuple[int, Residual]],
    shown: Picture,
) -> dict[Place, Bools]:
    """Return what is strange on and behind the cell where each figure and dragon stands, (height, width)."""
    strange = city.strange.copy()
    _leave_out_markers(strange, city.flat, camera, residuals, library, shown)
    strange &= ~city.blind
    cells = library.layout.cells
    edge_mm = library.layout.tile_edge_mm
    return {
        where: _blob(strange, city.flat, cells[cell], edge_mm)
        for where, cell in shown.items()
        if kind_of(where) in STANDING and cell is not None and cell in cells
    }


def _standing_paints(bodies: Mapping[Place, Bools], city: CityMap) -> dict[Place, Shade]:
    """Return the paint of each figure and dragon, as far as it is seen.

    Of dragons that seem to have one paint nobody knows which was seen: they are left out.
    """
    found: dict[Place, Shade] = {}
    for where, body in bodies.items():
        # At its rim it is mixed with what is behind it.
        core = cv2.erode(body.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        seen = core if np.count_nonzero(core) >= _CORE * np.count_nonzero(body) else body
        # It throws a shadow as large as itself, and that is strange too.
        lit = seen & ~city.shadow
        used = lit if np.count_nonzero(lit) >= _LIT * np.count_nonzero(seen) else seen
        paint = paint_of(city.colours[used], ground=city.learnt[used].astype(np.float32) / np.float32(255))
        if paint is not None:
            found[where] = paint
    return {where: paint for where, paint in found.items() if not _has_twin(where, found)}


def of_like_colours(markers: Sequence[PieceRecord]) -> Iterator[NotLearnt]:
    """Yield which players' markers look so much alike that none of them is ever claimed to be theirs."""
    share = mistaken(markers)
    for (one, first), (other, second) in combinations(enumerate(markers), 2):
        if max(share[one, other], share[other, one]) <= 1 - CLAIMED:
            continue
        why = msg(
            "{what} shows the pieces of {one} and {other} in almost the same colour. Moontable can rarely "
            "tell whose marker it sees, and will ask more often. Take another colour for one of them, or "
            "brighter light, and take the photograph again.",
            what=photograph_name(PIECES),
            one=first.name,
            other=second.name,
        )
        yield NotLearnt(what=f"marker:{first.name}", why=str(why))


def _has_twin(where: Place, paints: Mapping[Place, Shade]) -> bool:
    """Whether another dragon has the paint of this one."""
    return kind_of(where) == "dragon" and any(
        other != where and kind_of(other) == "dragon" and are_alike(paints[where], paint)
        for other, paint in paints.items()
    )


def _with_share(
    one: PieceRecord, records: Sequence[PieceRecord], city: CityMap, bodies: Silhouettes, shown: Picture
) -> PieceRecord:
    """Return what was learnt of a piece with the share of its outline that its paint fills, if it stands."""
    if one.kind not in STANDING:
        return one
    palette = piece_palette(records)
    label = palette.names.index(owner_label(one))
    cell = shown.get(place(one.kind, one.name))
    labelled = replace(city, labels=palette.label(city.colours))
    found = find_standing(labelled, bodies, Paint(label=label), one.kind, [cell] if cell else [])
    return replace(one, seen=round(min(max(found.share if found else _USUAL_SHARE, 0.3), 1.0), 3))


def _leave_out_markers(
    strange: Bools,
    flat: Flat,
    camera: CameraPose,
    residuals: Mapping[str, tuple[int, Residual]],
    library: FaceLibrary,
    shown: Picture,
) -> None:
    """Clear what is strange around boxes that hold a marker, from its foot to where its top is seen."""
    height = library.layout.pieces.marker_edge_mm
    for where, owner in shown.items():
        if kind_of(where) != "box" or owner is None or parts_of(where)[0] not in residuals:
            continue
        face, found = residuals[parts_of(where)[0]]
        number = int(parts_of(where)[1])
        if number >= len(library.boxes[face]):
            continue
        at = found.pose.matrix(found.known.shape) @ np.array([*library.boxes[face][number], 1.0])
        foot = np.array([[at[0] / 2, at[1] / 2]])
        top = flat.to_px(lean(camera, flat.to_mm(foot), flat.height_mm + height, flat.height_mm))
        mask = np.zeros(strange.shape, np.uint8)
        ends = np.round(np.vstack([foot, top])).astype(int).tolist()
        cv2.line(mask, ends[0], ends[1], 1, round(2 * _AROUND_MARKER_MM * flat.px_per_mm))
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
