"""The shape of figures, learnt from how they are seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place
from vision.arrays import Bools
from vision.enrolment.figure_shape import figure_shape
from vision.geometry.rectify import Flat
from vision.geometry.silhouettes import Shape, Silhouettes
from vision.simulation.scenery import Viewpoint

LAYOUT = table_layout()
FLAT = Flat.around(*LAYOUT.extent_mm(14.0), 0.8, LAYOUT.pieces.tile_thickness_mm)
SLIM: Shape = ((0.0, 0.5), (0.08, 0.5), (0.3, 0.2), (0.6, 0.12), (0.8, 0.12), (1.0, 0.05))
STOUT: Shape = ((0.0, 0.5), (0.3, 0.45), (0.6, 0.4), (0.8, 0.36), (1.0, 0.3))
CELLS = ("2,2", "1,3", "3,1", "0,2")


def camera(tilt_deg: float) -> CameraPose:
    """A camera over the table."""
    return Viewpoint(tilt_deg=tilt_deg, distance_mm=900).pose((1280, 720))


def standing(shape: Shape, tilt_deg: float) -> dict[Place, Bools]:
    """What four figures cover, each a little off its cell's middle, with some pixels missing."""
    dice = np.random.default_rng(1)
    bodies = Silhouettes(camera(tilt_deg), LAYOUT, FLAT, {"figure": shape})
    seen = {}
    for cell in CELLS:
        x, y = np.array(LAYOUT.cells[cell]) + dice.uniform(-12, 12, 2)
        mask = np.zeros((FLAT.height_px, FLAT.width_px), np.bool_)
        region, body = bodies.outline("figure", (float(x), float(y)))
        mask[region] = body & (dice.random(body.shape) < 0.9)
        seen[Place(f"figure:{cell}")] = mask
    return seen


def common(one: Shape, other: Shape, tilt_deg: float) -> float:
    """How well bodies of two shapes at one place cover each other, by joint area."""
    first, second = (
        Silhouettes(camera(tilt_deg), LAYOUT, FLAT, {"figure": shape}).kernel("figure", "2,2")
        for shape in (one, other)
    )
    height, width = (max(a, b) for a, b in zip(first.cover.shape, second.cover.shape, strict=True))
    masks = []
    for kernel in (first, second):
        mask = np.zeros((2 * height, 2 * width), np.float32)
        top, left = height - kernel.reach.row, width - kernel.reach.column
        mask[top : top + kernel.cover.shape[0], left : left + kernel.cover.shape[1]] = kernel.cover
        masks.append(mask > 0)
    return float(np.count_nonzero(masks[0] & masks[1]) / np.count_nonzero(masks[0] | masks[1]))


@pytest.mark.parametrize("tilt_deg", [30.0, 45.0])
def test_a_slim_figure_is_learnt_as_it_is_seen(tilt_deg: float) -> None:
    """What is learnt covers it far better than the usual shape does."""
    learnt = figure_shape(standing(SLIM, tilt_deg), camera(tilt_deg), LAYOUT, FLAT)

    assert common(learnt, SLIM, tilt_deg) > max(common((), SLIM, tilt_deg) + 0.1, 0.85)


@pytest.mark.parametrize("tilt_deg", [30.0, 45.0])
def test_a_stout_figure_is_covered_at_least_as_well_as_before(tilt_deg: float) -> None:
    """The usual shape is kept where no other is plainly better."""
    learnt = figure_shape(standing(STOUT, tilt_deg), camera(tilt_deg), LAYOUT, FLAT)

    assert common(learnt, STOUT, tilt_deg) >= max(common((), STOUT, tilt_deg), 0.85)


def test_what_hardly_shows_teaches_no_shape() -> None:
    """A few specks are no figure: then the usual shape is expected."""
    specks = np.zeros((FLAT.height_px, FLAT.width_px), np.uint8)
    cv2.circle(specks, (100, 100), 2, 1, -1)

    assert figure_shape({Place("figure:white"): specks > 0}, camera(40.0), LAYOUT, FLAT) == ()
    assert figure_shape({}, camera(40.0), LAYOUT, FLAT) == ()
