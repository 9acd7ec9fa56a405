"""Cuts faces out of photographs: the camera's pose, the light on white paper, a face within its outline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, fit_most
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import Fiducial, TableLayout
from vision.arrays import Bools, Corners, Floats, Gray, Picture8, Singles
from vision.faces.registration import Face, Pose2D
from vision.faces.scene import PX_PER_MM, Plane
from vision.faces.squares import likeness_to_ground, outline
from vision.geometry.fiducials import find_fiducials
from vision.geometry.rectify import Flat
from vision.photometry.light import LIGHTEST, glare, linear

# Outside a square larger than a tile by this is table, inside one smaller by this is tile: tiles slide a
# little.
_SLID_PX = 8.0
# A lamp's sheen changes little over such a share of a face; finer than so many px is noise.
_AROUND, _GRAIN_PX = 0.3, 5
# Of the paper around a code at least so many points are seen.
_LEAST_PAPER = 20
# A box printed pure white is no larger than this; glare is.
_BOX_MM2 = 200.0


def fiducials_of(frame: Picture8, layout: TableLayout, what: str) -> tuple[Gray, dict[int, Corners]]:
    """Return a photograph in gray and the corners of its fiducials; raises ProfileError for too few."""
    gray = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    wanted = frozenset(one.id for one in layout.fiducials)
    found = find_fiducials(gray, wanted)
    if len(found) < 3:
        missing = ", ".join(str(one) for one in sorted(wanted - set(found)))
        raise ProfileError(
            msg(
                "{what}: only {found} of the {wanted} codes can be seen (missing: {missing}); all must be "
                "inside the picture, flat, well lit and uncovered",
                what=what,
                wanted=len(wanted),
                found=len(found),
                missing=missing,
            )
        )
    return gray, found


def camera_pose_of(frame: Picture8, layout: TableLayout, what: str) -> CameraPose:
    """Return the view of a photograph; raises ProfileError if the fiducials do not suffice."""
    _, found = fiducials_of(frame, layout, what)
    fit = fit_most(layout, found, (frame.shape[1], frame.shape[0]))
    if fit is None:
        raise ProfileError(
            msg(
                "{what}: the codes are not where they are in the other photographs; put them back, or take "
                "all the photographs again",
                what=what,
            )
        )
    return fit.camera


def white_light(frame: Picture8, layout: TableLayout, camera: CameraPose) -> Callable[[Flat], Singles]:
    """Return a function that gives the light on white paper over a window, (height, width, 3).

    The paper around each fiducial used for the view is white; between the fiducials the light is assumed to
    vary evenly. Raises ProfileError if no such paper is seen.
    """
    places, lights = [], []
    for one in layout.fiducials:
        light = None if one.id not in camera.fiducials else _light_on(frame, one, camera)
        if light is not None:
            places.append((1.0, one.x_mm / 300, one.y_mm / 300))
            lights.append(np.log(light))
    if not places:
        raise ProfileError(msg("no white paper can be seen around the codes"))
    where, seen = np.array(places), np.array(lights)
    # Regularised towards even light: the paper of one fiducial may lie in a patch of sun.
    square = where.T @ where + np.diag([1e-3, 0.5, 0.5])
    factors = np.linalg.solve(square, where.T @ seen)

    def over(flat: Flat) -> Singles:
        y, x = np.mgrid[: flat.height_px, : flat.width_px]
        table = flat.to_mm(np.stack([x, y], axis=-1).reshape(-1, 2).astype(np.float64)) / 300
        log = factors[0] + table @ factors[1:]
        return np.asarray(np.exp(log).reshape(flat.height_px, flat.width_px, 3), np.float32)

    return over


def paper_light(frame: Picture8, codes: Iterable[Fiducial], camera: CameraPose) -> Floats | None:
    """Return the light on the paper around codes, blue, green and red, linear (3,); None if none is seen."""
    lights = [_light_on(frame, one, camera) for one in codes]
    told = [np.log(one) for one in lights if one is not None]
    return np.asarray(np.exp(np.median(told, axis=0)), np.float64) if told else None


def _light_on(frame: Picture8, code: Fiducial, camera: CameraPose) -> Floats | None:
    """Return the light on the white paper around a code, (3,) linear; None if too little of it is seen."""
    half = code.edge_mm / 2 + 0.07 * code.edge_mm
    run = np.linspace(-half, half, 24)
    ring = np.concatenate([[(t, half), (t, -half), (half, t), (-half, t)] for t in run])
    points = np.column_stack([code.points_mm(map(tuple, ring)), np.zeros(len(ring))])
    at = np.round(camera.project(points)).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < frame.shape[1]) & (at[:, 1] < frame.shape[0])
    if inside.sum() < _LEAST_PAPER:
        return None
    values = linear(frame[at[inside, 1], at[inside, 0]])
    return np.asarray(np.maximum(np.percentile(values, 60, axis=0), 1e-3), np.float64)


def register_outlines(
    plane: Plane,
    layout: TableLayout,
    near: Mapping[str, Pose2D] | None = None,
    wanted: Sequence[str] = (),
) -> dict[str, Pose2D]:
    """Return the pose of the tile on every cell, from its outline; the whole city may be off its place.

    `near` are poses that tell by how much it is. Only the `wanted` cells are registered, if there are any.
    """
    size = layout.tile_edge_mm * PX_PER_MM
    middles = {name: plane.flat.to_px(np.array([at]))[0] for name, at in layout.cells.items()}
    first = near or {
        name: outline(plane.picture, (at[0], at[1]), (size, size))[0] for name, at in middles.items()
    }
    off = [(first[name].x_px - at[0], first[name].y_px - at[1]) for name, at in middles.items()]
    shift = np.median(off, axis=0)
    places = {name: (float(at[0] + shift[0]), float(at[1] + shift[1])) for name, at in middles.items()}
    ground = city_ground(plane, places.values(), size - _SLID_PX, size + _SLID_PX)
    found = {}
    for name in wanted or places:
        found[name], _ = outline(
            plane.picture, places[name], (size, size), reach_px=9, turn_deg=6, stray_px=12.0, ground=ground
        )
    return found


def city_ground(
    plane: Plane, places: Iterable[tuple[float, float]], covered_px: float, bare_px: float
) -> Singles:
    """Return how much each pixel looks like the table around tiles: `likeness_to_ground`.

    Upright squares with edges of `covered_px` on the places, px, are tile, and all outside of those with
    edges of `bare_px` is table.
    """
    some = list(places)
    return likeness_to_ground(plane.picture, ~_about(plane, some, bare_px), _about(plane, some, covered_px))


def _about(plane: Plane, places: Iterable[tuple[float, float]], edge: float) -> Bools:
    """Return a mask of upright squares around some places, (height, width)."""
    inside = np.zeros(plane.picture.shape[:2], np.bool_)
    for x, y in places:
        columns, rows = (slice(max(round(at - edge / 2), 0), max(round(at + edge / 2), 0)) for at in (x, y))
        inside[rows, columns] = True
    return inside


def cut_face(
    plane: Plane,
    white: Singles,
    pose: Pose2D,
    shape: tuple[int, int],
    name: str,
    *,
    white_mm2: float = _BOX_MM2,
) -> Face:
    """Return the face under an outline, relative to white paper.

    Burnt-out areas are not learnt, unless they are small enough to be printed white, `white_mm2`. What is
    lighter than white paper is the sheen of a lamp over the print, and is taken off.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix, size = pose.matrix(shape), (shape[1], shape[0])
    patch = np.asarray(cv2.warpAffine(plane.picture, matrix, size, flags=flags), np.uint8)
    light = cv2.warpAffine(white, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    burnt = glare(patch, white_mm2 * PX_PER_MM**2)
    valid = cv2.dilate(burnt.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    picture = without_sheen(np.asarray(linear(patch) / light, np.float32))
    return Face(name=name, picture=picture, valid=np.asarray(valid, np.bool_))


def without_sheen(picture: Singles) -> Singles:
    """Return a face (height, width, 3), in shares of white paper's light, without what a lamp adds to it.

    A lamp that is mirrored adds much the same light wherever it is seen, and no print is lighter than paper:
    where even the lightest print around is, the rest of its light is the lamp's. As much more than paper as a
    profile can keep is left: the light on paper is only measured so well.
    """
    sheen = np.maximum(lightest_around(picture) - LIGHTEST, 0)[..., None]
    return np.asarray(np.maximum(picture - sheen, 0), np.float32) if sheen.any() else picture


def lightest_around(picture: Singles) -> Singles:
    """Return the lightest print around each place of a face (height, width, 3), (height, width)."""
    light = cv2.blur(picture.mean(axis=2), (_GRAIN_PX, _GRAIN_PX))
    around = (round(picture.shape[1] * _AROUND), round(picture.shape[0] * _AROUND))
    return np.asarray(cv2.blur(cv2.dilate(light, np.ones(around[::-1], np.uint8)), around), np.float32)


def trim(face: Face, width_mm: float, height_mm: float) -> None:
    """Mark the surroundings of the face in the picture as not learnt."""
    height, width = face.valid.shape
    rim_x = max((width - int(width_mm * PX_PER_MM)) // 2 + 1, 0)
    rim_y = max((height - int(height_mm * PX_PER_MM)) // 2 + 1, 0)
    face.valid[:rim_y], face.valid[height - rim_y :] = False, False
    face.valid[:, :rim_x], face.valid[:, width - rim_x :] = False, False
