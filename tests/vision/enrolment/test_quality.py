"""The quality check says what is wrong with a picture, and nothing when nothing is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.blue_moon_city.layout import table_layout
from companion.table import place
from companion.table_layout import PieceSizes
from tests.helpers.drawn_deal import copy_of
from vision.arrays import Image
from vision.enrolment.quality import Check, Quality, check_quality
from vision.simulation.art import TileArt
from vision.simulation.camera import SimulatedCamera
from vision.simulation.dealt_film import dealt
from vision.simulation.motifs import MOTIFS
from vision.simulation.scenery import SCENERIES, Scenery, Viewpoint

LAYOUT = table_layout()
PICTURE = {place("cell", cell): f"{tile}/sketch" for cell, tile in zip(LAYOUT.cells, MOTIFS, strict=True)}
ARTS = [TileArt(tile=tile) for tile in MOTIFS]


def _taken(viewpoint: Viewpoint | None = None, scenery: Scenery | None = None) -> Image:
    return SimulatedCamera(LAYOUT, ARTS, {}, viewpoint=viewpoint, scenery=scenery, seed=1).frame(PICTURE)


@pytest.fixture(scope="module")
def good() -> Image:
    """A good picture."""
    return _taken()


def _kinds(quality: Quality) -> set[Check]:
    return {one.check for one in quality.findings}


@pytest.mark.parametrize("name", ["evening", "overhead", "pub"])
def test_good_pictures_are_good(name: str) -> None:
    """In the usual rooms nothing bad is found."""
    viewpoint, scenery = SCENERIES[name]
    quality = check_quality(_taken(viewpoint, scenery), LAYOUT)

    assert quality.is_good
    assert quality.tile_px is not None
    assert quality.tile_px > 50


@pytest.mark.parametrize("game", ["nova_luna", "urbion", "blue_moon_legends"])
def test_a_table_without_printed_places_is_judged_as_well(game: str) -> None:
    """Tiles or cards are large enough, and all of the table is in the picture; no city is spoken of."""
    copy, _, _ = copy_of(game)
    quality = check_quality(next(dealt(copy.camera, copy.arranger, ())).image, copy.arranger.layout)
    far = replace(copy.arranger.layout, tile_edge_mm=0.0, pieces=PieceSizes(card_width_mm=20.0))
    small = check_quality(next(dealt(copy.camera, copy.arranger, ())).image, far)

    assert quality.is_good
    assert quality.tile_px is not None
    assert quality.tile_px > 34
    assert not any("city" in one.text for one in quality.findings)
    assert small.tile_px is not None
    assert small.tile_px < quality.tile_px
    assert any("cards are only" in one.text for one in small.findings)


@pytest.mark.parametrize(("level", "says"), [(0, "black"), (255, "white"), (120, "all one colour")])
def test_blind_pictures(level: int, says: str) -> None:
    """Black, white and even pictures are named."""
    quality = check_quality(np.full((240, 320, 3), level, np.uint8), LAYOUT)

    assert not quality.is_good
    assert says in quality.findings[0].text


def test_too_dark() -> None:
    """A lamp that is off is noticed."""
    quality = check_quality(_taken(scenery=Scenery(exposure=0.04)), LAYOUT)

    assert any("dark" in one.text for one in quality.findings)


def test_a_dark_side_is_named(good: Image) -> None:
    """Half in deep shadow: the side is named."""
    shade = np.linspace(0.1, 1.0, good.shape[1])[None, :, None]
    quality = check_quality((good * np.clip(shade * 1.4, 0, 1)).astype(np.uint8), LAYOUT)

    assert any("left" in one.text for one in quality.findings if one.check is Check.LIGHT)


def test_blur_is_measured(good: Image) -> None:
    """The more a picture is blurred, the wider its edges; much blur is said."""
    blurred = [cv2.GaussianBlur(good, (0, 0), sigma) for sigma in (0.6, 1.4, 3.5, 6.0)]
    judged = [check_quality(np.asarray(one, np.uint8), LAYOUT) for one in blurred]
    widths = [one.edge_px or 0 for one in judged]

    assert widths == sorted(widths)
    assert widths[0] < 4 < widths[2]
    assert [False, True, True] == [Check.FOCUS in _kinds(one) for one in (judged[0], *judged[2:])]


def test_small_tiles_are_counted() -> None:
    """A camera far away is asked to come closer, with the size and the goal."""
    quality = check_quality(_taken(Viewpoint(distance_mm=1500)), LAYOUT)

    assert any("move the camera closer, 50 or more" in one.text for one in quality.findings)
    assert quality.tile_px is not None
    assert 35 < quality.tile_px < 50


def test_glare_is_placed(good: Image) -> None:
    """A mirrored lamp is found where it is."""
    shiny = good.copy()
    x, y = (
        int(one) for one in SimulatedCamera(LAYOUT, [], {}).pose.project(np.array([(100.0, 0.0, 2.0)]))[0]
    )
    cv2.circle(shiny, (x, y), 28, (255, 255, 255), -1)
    quality = check_quality(shiny, LAYOUT)

    assert ["a lamp is reflected in the city (middle right): move the lamp or the camera"] == [
        one.text for one in quality.findings if one.check is Check.GLARE
    ]


def test_covered_fiducials_are_named(good: Image) -> None:
    """A fiducial under a mug is named by number and corner, and three suffice."""
    covered = good.copy()
    covered[60:220, 150:350] = 90
    quality = check_quality(covered, LAYOUT)

    assert quality.is_good
    assert "code 0 (far left) cannot be seen" in quality.findings[0].text


def test_no_table_is_said() -> None:
    """A picture of something else says that no fiducial is seen."""
    noise = np.random.default_rng(0).integers(0, 255, (240, 320, 3), np.uint8)

    assert "none of the printed codes" in check_quality(noise, LAYOUT).findings[0].text


def test_a_cut_city_is_said() -> None:
    """A camera that points past the city is told which edge cuts it."""
    viewpoint = replace(Viewpoint(), aim_mm=(0.0, 200.0))
    camera = SimulatedCamera(LAYOUT, ARTS, {}, viewpoint=viewpoint, seed=1)
    quality = check_quality(camera.frame(PICTURE), LAYOUT, camera.pose)

    assert any("lower edge" in one.text for one in quality.findings if one.check is Check.FRAMING)
