"""Copies of games whose pieces lie anywhere, in rooms drawn at random, as they are for training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.games import registry
from companion.table_layout import TableLayout
from ui.assembly.free_demo import SIZE_WH
from ui.assembly.layouts import layout_of
from vision.simulation.arrangement import viewpoint_over
from vision.simulation.free_frames import DrawnCopy
from vision.simulation.scenery import Viewpoint
from vision.training.tables import backed_off, random_scenery

_MOST_TILT_DEG, _AZIMUTH_DEG, _ROLL_DEG, _FURTHER = 35.0, 20.0, 4.0, 1.1
_MOVED = 0.5


def copy_in_room(name: str, seed: int, players: Sequence[str], *, evening: int = 0) -> DrawnCopy:
    """Return a copy in a room of its own: table top, lamp, light, noise, up to 35 degrees from overhead.

    On evenings but the first (0) the same copy lies on the same table in other light, and half of the time
    the camera stands elsewhere.
    """
    layout = layout_of(name, players)
    dice = np.random.default_rng((seed, 77))
    scenery = random_scenery(dice)
    viewpoint = _viewpoint(layout, dice)
    if evening:
        dice = np.random.default_rng((seed, 77, evening))
        other = random_scenery(dice)
        scenery = scenery.shot_as(other).lit_as(other)
        if dice.random() < _MOVED:
            viewpoint = _elsewhere(layout, viewpoint, dice)
    return DrawnCopy.of(
        layout, registry.pieces(name), seed=seed, size_wh=SIZE_WH, scenery=scenery, viewpoint=viewpoint
    )


def _viewpoint(layout: TableLayout, dice: np.random.Generator) -> Viewpoint:
    """Return a camera that has all codes of the table in its picture."""
    above = viewpoint_over(layout, SIZE_WH, float(dice.uniform(0, _MOST_TILT_DEG)))
    viewpoint = replace(
        above,
        azimuth_deg=float(dice.uniform(-_AZIMUTH_DEG, _AZIMUTH_DEG)),
        roll_deg=float(dice.uniform(-_ROLL_DEG, _ROLL_DEG)),
        distance_mm=above.distance_mm * _FURTHER,
    )
    codes = np.array([(*corner, 0.0) for one in layout.fiducials for corner in one.corners_mm()])
    return backed_off(viewpoint, codes, SIZE_WH, _FURTHER)


def _elsewhere(layout: TableLayout, usual: Viewpoint, dice: np.random.Generator) -> Viewpoint:
    """Return another camera as far from the table: how large the table's pattern is drawn depends on that."""
    while True:
        other = _viewpoint(layout, dice)
        if other.distance_mm <= usual.distance_mm:
            return replace(other, distance_mm=usual.distance_mm)
