"""Where the fiducials are on the table, and where the city's grid of tiles is among them.

The fiducials may be anywhere: `calibration.survey` reconstructs their plane to scale. The grid of tiles
defines the table's frame, origin and x axis. It is found in that plane by the tiles' outlines alone, whatever
is printed on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.survey import CoordinateFrame, Shot, Survey, frame_between, survey, usual_frame
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import Fiducial, TableLayout
from vision.arrays import Bools, Picture8, Singles
from vision.faces.cutting import fiducials_of, register_outlines
from vision.faces.scene import Surveyor
from vision.faces.squares import colour_slopes, plain_sides
from vision.geometry.fiducials import without_bloom
from vision.geometry.rectify import Flat, flat_maps, flatten

# The city is searched for in a picture of this scale, rotated by up to this much to either side.
_COARSE_PX_PER_MM = 0.5
_TURNS_DEG = np.arange(-44.0, 44.1, 2.0)
_FINER_DEG = np.arange(-1.5, 1.6, 0.5)
# A tile may slide by this; its side is searched for this far to both sides of its place.
_SLACK_MM = 3.0
# Length of a piece of a side.
_PIECE_MM = 8.0
_SIDE_SHARE = 0.9
# A step in colour this strong scores half of the maximum; levels of 255, summed over the colours.
_HALF_PLAIN = 12.0
# The grid must score this much more than at any other place, one cell farther on in particular.
_PLAINER = 1.05
# And its sides this much more than sides beside it, on any table, however plain.
_LEAST_SCORE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Photograph:
    """A photograph to be surveyed.

    Attributes:
        frame: the picture, (height, width, 3).
        what: its name in messages.
        shows_city: every cell of the layout holds a tile.
    """

    frame: Picture8
    what: str
    shows_city: bool = True


def measured(photographs: Sequence[Photograph], layout: TableLayout) -> TableLayout:
    """Return the layout with the measured fiducials, in the frame of the city if a photograph shows it.

    Otherwise the middle of the fiducials is the origin, and their orientation fits the layout's best.

    Args:
        photographs: of one table with one camera; if a fiducial was moved in between, photographs that
            disagree with most of the others do not count for it.
        layout: what should lie there and the size of the fiducials; their places in it only give the
        orientation.

    Raises:
        ProfileError: too few fiducials are seen in a photograph, they are not in one plane, or no city is
        found.
    """
    edge_mm = layout.fiducials[0].edge_mm
    found = survey([_shot(one, layout) for one in photographs], edge_mm)
    if found is None:
        raise ProfileError(
            msg(
                "the codes do not lie flat on one table: press them flat, then take all the photographs again"
            )
        )
    found = found.reframed(usual_frame(found.codes, layout))
    if any(one.shows_city for one in photographs):
        found = _in_city_frame(found, layout, photographs)
    return replace(layout, fiducials=found.codes)


def _shot(photograph: Photograph, layout: TableLayout) -> Shot:
    frame = photograph.frame
    gray, seen = fiducials_of(frame, layout, photograph.what)
    return Shot(size_wh=(frame.shape[1], frame.shape[0]), corners=without_bloom(gray, seen))


def _in_city_frame(found: Survey, layout: TableLayout, photographs: Sequence[Photograph]) -> Survey:
    """Return the survey in the frame of the city that the first photograph with tiles shows."""
    shown = [number for number, one in enumerate(photographs) if one.shows_city]
    frames = [photographs[number].frame for number in shown]
    rough = find_city(frames, [found.cameras[number] for number in shown], found.codes, layout)
    if rough is None:
        raise ProfileError(
            msg(
                "{what}: the tiles could not be found in their {cells} places between the codes; lay them "
                "all out where the camera can see every one",
                what=photographs[shown[0]].what,
                cells=len(layout.cells),
            )
        )
    found = found.reframed(rough)
    # Single tiles have slid a little, but on average they have not.
    return found.reframed(_refined(frames[0], found.cameras[shown[0]], layout))


def find_city(
    frames: Sequence[Picture8],
    cameras: Sequence[CameraPose],
    codes: Sequence[Fiducial],
    layout: TableLayout,
) -> CoordinateFrame | None:
    """Return the pose of the grid of tiles, whose middle is somewhere between the fiducials.

    Several photographs of the grid, each with its camera, tell more than one: what is printed inside of all
    tiles alike may look like their sides, but not on both of their sides.

    Of the four orientations of a square grid, the one nearest to the frame of the cameras is taken. None if
    no place is clearly that of a grid.
    """
    flat = _window(codes, layout)
    pictures = [
        flatten(frame, flat_maps(camera, flat)) for frame, camera in zip(frames, cameras, strict=True)
    ]
    between = _between(codes, flat)
    found = max(_peak(pictures, layout, between, turn) for turn in _TURNS_DEG)
    found = max(_peak(pictures, layout, between, found.turn_deg + turn) for turn in _FINER_DEG)
    scores = np.where(between, _grid_scores(pictures, layout, found.turn_deg), -1.0)
    y, x = np.mgrid[: flat.height_px, : flat.width_px]
    far = np.hypot(x - found.column, y - found.row) > layout.pitch_mm * _COARSE_PX_PER_MM / 2
    if found.score < max(_LEAST_SCORE, _PLAINER * float(scores[far].max())):
        return None
    at = flat.to_mm(np.array([[found.column, found.row]], np.float64))[0]
    return CoordinateFrame(x_mm=float(at[0]), y_mm=float(at[1]), turn_rad=float(np.deg2rad(found.turn_deg)))


@dataclass(frozen=True, slots=True, order=True)
class _Peak:
    """The best place of the grid at one rotation, in pixels of the window."""

    score: float
    column: int
    row: int
    turn_deg: float


def _window(codes: Sequence[Fiducial], layout: TableLayout) -> Flat:
    """Return a window that contains any grid whose middle is between the fiducials."""
    x0, x1, y0, y1 = layout.extent_mm(layout.pitch_mm)
    reach = float(np.hypot(max(-x0, x1), max(-y0, y1)))
    xs, ys = [one.x_mm for one in codes], [one.y_mm for one in codes]
    return Flat.around(
        min(xs) - reach,
        max(xs) + reach,
        min(ys) - reach,
        max(ys) + reach,
        _COARSE_PX_PER_MM,
        layout.pieces.tile_thickness_mm,
    )


def _between(codes: Sequence[Fiducial], flat: Flat) -> Bools:
    """Return which pixels of a window lie between the fiducials, (height, width)."""
    places = flat.to_px(np.array([(one.x_mm, one.y_mm) for one in codes]))
    inside = np.zeros((flat.height_px, flat.width_px), np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(places).astype(np.int32)), 1)
    return np.asarray(inside > 0, np.bool_)


def _peak(pictures: Sequence[Picture8], layout: TableLayout, between: Bools, turn_deg: float) -> _Peak:
    scores = np.where(between, _grid_scores(pictures, layout, turn_deg), -np.inf)
    row, column = np.unravel_index(int(np.argmax(scores)), scores.shape)
    return _Peak(float(scores[row, column]), int(column), int(row), float(turn_deg))


def _grid_scores(pictures: Sequence[Picture8], layout: TableLayout, turn_deg: float) -> Singles:
    """Return how much a grid at this rotation outscores tiles beside it, for its middle at each pixel.

    A mean over pictures of the same window.
    """
    total = sum(_grid_scores_in(one, layout, turn_deg) for one in pictures)
    return np.asarray(total / len(pictures), np.float32)


def _grid_scores_in(picture: Picture8, layout: TableLayout, turn_deg: float) -> Singles:
    """Return the same in one picture.

    A tile scores as much as its weakest side: the grain of a table has only one direction.
    """
    height, width = picture.shape[:2]
    # Rotated about its middle so that the grid is upright; the scores are rotated back.
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -turn_deg, 1.0)
    turned = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    upright, level = colour_slopes(np.asarray(turned, np.uint8))
    edge_px = layout.tile_edge_mm * _COARSE_PX_PER_MM
    across, along = _sides(upright, edge_px, is_level=False), _sides(level, edge_px, is_level=True)
    half = edge_px / 2
    tile = np.minimum(
        np.minimum.reduce(list(_moved(across, [(half, 0), (-half, 0)]))),
        np.minimum.reduce(list(_moved(along, [(0, half), (0, -half)]))),
    )
    scores = np.zeros((height, width), np.float32)
    for places, weight in ((list(layout.cells.values()), 1.0), (_beside(layout), -1.0)):
        total = np.zeros_like(scores)
        for moved in _moved(tile, [(x * _COARSE_PX_PER_MM, -y * _COARSE_PX_PER_MM) for x, y in places]):
            total += moved
        scores += total * np.float32(weight / len(places))
    back = cv2.warpAffine(
        scores,
        matrix,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    return np.asarray(back, np.float32)


def _beside(layout: TableLayout) -> list[tuple[float, float]]:
    """Return the cells that would adjoin the grid if it were larger."""
    pitch = layout.pitch_mm
    own = {(round(x / pitch), round(y / pitch)) for x, y in layout.cells.values()}
    next_to = {(x + dx, y + dy) for x, y in own for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))} - own
    return [(x * pitch, y * pitch) for x, y in sorted(next_to)]


def _sides(slope: Singles, edge_px: float, *, is_level: bool) -> Singles:
    """Return how clearly a horizontal or vertical side of a tile runs through each pixel, 0 to 1."""
    return plain_sides(
        slope,
        _SIDE_SHARE * edge_px,
        is_level=is_level,
        piece_px=max(round(_PIECE_MM * _COARSE_PX_PER_MM), 1),
        slack_px=round(_SLACK_MM * _COARSE_PX_PER_MM),
        half_plain=_HALF_PLAIN,
    )


def _moved(scores: Singles, steps: Sequence[tuple[float, float]]) -> Iterator[Singles]:
    """Yield the scores shifted by so many pixels from the right and below each time, 0 beyond the picture."""
    whole = [(round(columns), round(rows)) for columns, rows in steps]
    rim = max(max(abs(columns), abs(rows)) for columns, rows in whole)
    wide = cv2.copyMakeBorder(scores, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0)
    height, width = scores.shape
    for columns, rows in whole:
        yield np.asarray(wide[rim + rows :, rim + columns :][:height, :width], np.float32)


def _refined(frame: Picture8, camera: CameraPose, layout: TableLayout) -> CoordinateFrame:
    """Return the frame of the grid from the poses of its tiles; `camera` is already nearly right."""
    plane = Surveyor(layout, camera).draw_city(frame).plane
    poses = register_outlines(plane, layout)
    seen = plane.flat.to_mm(np.array([(poses[cell].x_px, poses[cell].y_px) for cell in layout.cells]))
    meant = np.array(list(layout.cells.values()))
    return frame_between(meant, seen)
