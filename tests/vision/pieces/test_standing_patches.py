"""Places where pieces may stand, cut from the map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.profile import PieceRecord
from companion.games.blue_moon_city.layout import table_layout
from vision.arrays import Patches
from vision.faces.scene import MARGIN_MM, PX_PER_MM, Plane
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Silhouettes
from vision.geometry.upright import SIZE_PX
from vision.photometry.palette import Palette, shades_of
from vision.pieces.city_map import CityMap, city_map
from vision.pieces.figures import Paint, candidate
from vision.pieces.standing_patches import CHANNELS, COLOURED, StandingPatches
from vision.simulation.scenery import Viewpoint

LAYOUT = table_layout()
PURPLE, TABLE, GREEN = (150, 40, 110), (60, 120, 60), (20, 200, 30)
PURPLE_FIGURE, GREEN_FIGURE = (
    PieceRecord(kind="figure", name=name, palette=shades_of(paint))
    for name, paint in (("purple", PURPLE), ("green", GREEN))
)
CELL = next(iter(LAYOUT.cells))


def bodies(tilt_deg: float, turn_deg: float) -> Silhouettes:
    """Bodies as a camera sees them that looks so far from above, from this side."""
    flat = Flat.around(*LAYOUT.extent_mm(MARGIN_MM), PX_PER_MM, LAYOUT.pieces.tile_thickness_mm).halved()
    pose = Viewpoint(tilt_deg=tilt_deg, azimuth_deg=turn_deg).pose((1280, 720))
    return Silhouettes(pose, LAYOUT, flat)


def painted(seen: Silhouettes, at_mm: tuple[float, float]) -> CityMap:
    """A map of a bare table on which a purple figure stands."""
    full = Flat.around(*LAYOUT.extent_mm(MARGIN_MM), PX_PER_MM, LAYOUT.pieces.tile_thickness_mm)
    picture = np.full((full.height_px, full.width_px, 3), TABLE, np.uint8)
    region, body = seen.outline("figure", at_mm)
    rows, columns = (slice(2 * one.start, 2 * one.stop) for one in region)
    picture[rows, columns][body.repeat(2, axis=0).repeat(2, axis=1)] = PURPLE
    plane = Plane(
        flat=full, picture=picture, soft=picture[..., 1].astype(np.float32),
        blind=np.zeros(picture.shape[:2], np.bool_),
    )  # fmt: skip
    return city_map(plane, LAYOUT, {}, Palette([("purple", shades_of(PURPLE))]))


def cut(seen: Silhouettes, city: CityMap, at_mm: tuple[float, float], edge_px: int = 0) -> Patches:
    """The patch of a purple figure there; of the map's left edge so much is taken for markers."""
    at = candidate(city, seen, Paint(label=0), "figure", CELL, at_mm, 0.9)
    marked = np.zeros(city.labels.shape, np.bool_)
    marked[:, :edge_px] = True
    patches = StandingPatches(city, seen, [PURPLE_FIGURE, GREEN_FIGURE])
    return patches.of(PURPLE_FIGURE, [at], marked)[0]


@pytest.mark.parametrize(("tilt_deg", "turn_deg"), [(0.0, 0.0), (30.0, 0.0), (50.0, 90.0), (50.0, 200.0)])
def test_a_body_stands_upright_in_its_patch_wherever_the_camera_is(tilt_deg: float, turn_deg: float) -> None:
    """What has its colour, what it covers and what is near no other colour are the same pixels there."""
    seen = bodies(tilt_deg, turn_deg)
    at_mm = LAYOUT.cells[CELL]
    patch = cut(seen, painted(seen, at_mm), at_mm).astype(int)

    assert patch.shape == (CHANNELS, SIZE_PX, SIZE_PX)
    body = patch[9] > 127
    rows, columns = np.nonzero(body)
    assert 5 <= rows.min() < rows.max() <= 28
    assert abs(columns.mean() - 15.5) < 1.0
    own = np.abs(patch[:3] - np.array(PURPLE)[:, None, None]).max(axis=0) < 30
    assert (own == body).mean() > 0.95
    # Beside nothing but table there is none of it, and no tile is known anywhere.
    assert not own[:, :2].any()
    assert (patch[6] == 0).all()
    assert patch[16][body].mean() > 60
    assert patch[COLOURED[2]].std() == 0


def test_a_patch_at_the_edge_of_the_map_goes_on_as_nothing() -> None:
    """A place at the very corner is cut as well; what is taken for markers is told."""
    seen = bodies(50.0, 90.0)
    city = painted(seen, LAYOUT.cells[CELL])
    x, y = seen.flat.to_mm(np.array([1.0, 1.0])).tolist()
    corner = (x, y)
    patch = cut(seen, city, corner, edge_px=20)

    assert patch.shape == (CHANNELS, SIZE_PX, SIZE_PX)
    assert (patch[:3].max(axis=0) == 0).any()
    assert (patch[8] > 0).any()
    taken = replace(city, taken=np.ones_like(city.taken))
    assert (cut(seen, taken, corner)[7] > 0).any()
