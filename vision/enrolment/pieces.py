"""Learning the pieces: markers, figures and dragons, from one photograph of a known table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import PieceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table import Picture, kind_of, parts_of
from vision.arrays import Bools, Picture8, Singles
from vision.enrolment.photograph_names import PIECES, photograph_name
from vision.faces.cutting import camera_pose_of
from vision.faces.registration import Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import Plane, Surveyor, board_flat, plane_of
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.palette import Palette, Shade, are_alike, is_light, paint_of, shades_of
from vision.pieces.city_map import city_map
from vision.pieces.face_library import FaceLibrary, owner_label, piece_palette
from vision.pieces.figures import Paint, find_standing
from vision.pieces.markers import BoxPlace, place_of_box

# How far from its cell's middle a piece is still seen, in edges of a tile.
_LEAN = 0.75
# A piece on ground of its own hue looks like a shadow itself: less than this share of it is left then.
_LIT = 0.25


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
        if not library.layout.places.is_on_board(place) or owner is None:
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
