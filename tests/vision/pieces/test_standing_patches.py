"""What is cut for the recogniser of figures and dragons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.profile import PieceRecord
from tests.vision.pieces.test_figures import BODIES, CELL, LAYOUT, SHAPE, city, dragon
from vision.photometry.palette import shades_of
from vision.pieces.figures import Candidate, Ground, Paint, candidates
from vision.pieces.standing_patches import CHANNELS, SIZE_PX, Scene, standing_patches
from vision.simulation.scenery import Viewpoint

RED = PieceRecord(kind="dragon", name="fire", palette=shades_of((30, 40, 210)))
BODY, OWN_CELL, LEAN = 7, 8, 15


def scene(tilt_deg: float, **layers: Any) -> Scene:
    """A dragon of its own colour in the middle of a city without faces."""
    colours = np.full((*SHAPE, 3), 0.5, np.float32)
    colours[dragon()] = (0.1, 0.2, 0.8)
    shown = replace(city(dragon()), colours=colours, **layers)
    return Scene(
        layout=LAYOUT,
        camera=Viewpoint(tilt_deg=tilt_deg).pose((1280, 720)),
        city=shown,
        faces={},
        pieces=[RED],
    )


def found() -> Candidate:
    """Where the dragon stands."""
    place = candidates(Ground(city(dragon()), BODIES, "dragon", [CELL]), Paint(label=0))[CELL]
    assert place is not None
    return place


def test_the_body_stands_upright_in_its_patch_and_shows_its_colour() -> None:
    """What its outline covers is of the piece's colour; above and below it is the table."""
    patch = standing_patches(scene(20), [(RED, found())])[0]
    inside, outside = patch[BODY] > 200, patch[BODY] < 50
    rows, columns = np.nonzero(inside)

    assert patch.shape == (CHANNELS, SIZE_PX, SIZE_PX)
    assert patch[2][inside].mean() > 180 > patch[2][outside].mean()
    assert patch[0][inside].mean() < 60 < patch[0][outside].mean()
    assert columns.mean() == pytest.approx(19.5, abs=1.5)
    assert rows.mean() < 29


def test_no_face_is_known_where_none_was_recognised() -> None:
    """There everything is unknown; the cell itself is marked all the same."""
    patch = standing_patches(scene(20), [(RED, found())])[0]

    assert (patch[6] == 255).all()
    assert set(np.unique(patch[OWN_CELL]).tolist()) <= {0, 255}
    assert patch[OWN_CELL, 29, 19] == 255


@pytest.mark.parametrize(("low", "high"), [(10, 30), (30, 50)])
def test_the_lower_the_camera_the_farther_a_piece_leans(low: float, high: float) -> None:
    """One channel tells how far."""
    patches = [standing_patches(scene(tilt), [(RED, found())])[0, LEAN] for tilt in (low, high)]

    assert len(np.unique(patches[0])) == 1
    assert patches[0].mean() < patches[1].mean()


def test_nothing_is_cut_where_nothing_may_stand() -> None:
    """An empty list gives no patches of the right shape."""
    assert standing_patches(scene(20), []).shape == (0, CHANNELS, SIZE_PX, SIZE_PX)
